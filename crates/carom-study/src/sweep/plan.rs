//! A plan: a scenario, what changes in it from row to row, and what is written of each row.

use super::axes;
use super::figure::Figures;
use super::form::{Form, Operand};
use super::output::Request;
use super::read;
use super::variable::{Draw, Values, Variable};
use crate::scenario::{Changeable, Gap, ScenarioError, Setting, Target};
use carom::format::Exact;
use carom::laws::{Kind, Law};
use std::path::{Path, PathBuf};

/// What is done with the scenario of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Command {
    /// `carom collide`.
    #[default]
    Collide,
    /// `carom simulate`.
    Simulate,
}

impl Command {
    pub(super) const WORDS: [&str; 2] = ["collide", "simulate"];
}

/// A plan, read and checked as far as that is possible without computing rows.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What it shows; the file's name, without its ending, if the file does not say.
    pub title: String,
    /// Where it comes from and what to look at.
    pub description: Option<String>,
    /// What errors call the plan.
    pub name: String,
    /// The text of the plan.
    pub text: String,
    /// What is done with each row.
    pub command: Command,
    pub(super) scenario: String,
    pub(super) base: Changeable,
    /// Where the files that the scenario names are.
    pub(super) folder: Option<PathBuf>,
    pub(super) draw: Draw,
    pub(super) variables: Vec<Variable>,
    /// The lengths of the dimensions that the rows run through, the last the fastest.
    pub(super) dimensions: Vec<u64>,
    pub(super) assignments: Vec<Assignment>,
    /// Parameters that a law takes whatever the scenario says.
    pub(super) law_parameters: Vec<LawParameters>,
    pub(super) outputs: Vec<Request>,
    /// Rows of a shard, if the plan says it.
    pub(super) rows_per_shard: Option<u64>,
    /// What is drawn of the rows.
    pub figures: Figures,
}

/// Parameters that hold for one law.
#[derive(Clone, Debug)]
pub(super) struct LawParameters {
    pub(super) law: &'static Law,
    pub(super) values: Vec<(&'static str, f64)>,
}

/// What is put at a place of the scenario in each row.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    /// As the plan writes it.
    pub(super) place: String,
    pub(super) targets: Vec<Target>,
    pub(super) form: Form,
}

impl Plan {
    /// Reads a plan and the scenario that it names.
    pub fn read(path: impl AsRef<Path>) -> Result<Plan, ScenarioError> {
        read::read(path.as_ref())
    }

    /// Reads a plan from text; `name` is what errors call it, and `folder` is where its scenario is looked for.
    pub fn parse(name: &str, text: &str, folder: Option<&Path>) -> Result<Plan, ScenarioError> {
        read::parse(name, text, folder, None)
    }

    /// Reads a plan from its text and that of its scenario, as another machine has read them; `folder` is where the files that the scenario
    /// names are.
    pub fn parse_with(name: &str, text: &str, scenario: &str, folder: Option<&Path>) -> Result<Plan, ScenarioError> {
        read::parse(name, text, folder, Some(scenario))
    }

    /// Where the files are that the scenario names.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The text of the scenario as it was read.
    pub fn scenario_text(&self) -> &str {
        &self.scenario
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.dimensions.iter().product()
    }

    /// The values of the axes in a row, by their place in lists: `contact.friction[1] = -0.5`.
    pub fn row_text(&self, row: u64) -> String {
        const SHOWN: usize = 6;
        let mut numbers = Vec::new();
        self.variables_of(row, &mut numbers);
        let text = |(variable, value): (&Variable, &f64)| match &variable.values {
            Values::Words(words) => format!("{} = {}", variable.name, words[*value as usize]),
            Values::Numbers(list) => {
                let place = list.iter().position(|known| known == value).unwrap_or_default();
                format!("{}[{place}] = {}", variable.name, Exact(*value))
            }
            _ => format!("{} = {}", variable.name, Exact(*value)),
        };
        let mut texts: Vec<String> = self.variables.iter().zip(&numbers).take(SHOWN).map(text).collect();
        if self.variables.len() > SHOWN {
            texts.push("…".to_owned());
        }
        texts.join(", ")
    }

    /// Parts of the plan that change nothing.
    pub fn notes(&self) -> Vec<String> {
        let chosen = self.law_variable().and_then(|variable| self.variables[variable].values.words());
        let only = self.base.word("law.id");
        let is_used = |id: &str| match chosen {
            Some(words) => words.iter().any(|word| word == id),
            None => only.as_deref() == Some(id),
        };
        let unused = self.law_parameters.iter().map(|given| given.law.id).filter(|id| !is_used(id));
        unused.map(|id| format!("`[law.{id}]` is not used: no row has law `{id}`")).collect()
    }

    /// The text of the plan without what is drawn of its rows: plans that agree in it have the same shards.
    pub(super) fn essence(&self) -> String {
        const SHOWN: [&str; 3] = ["figure", "table", "subtitle"];
        let document = self.text.parse::<toml_edit::DocumentMut>();
        match document {
            Ok(mut document) if SHOWN.iter().any(|key| document.contains_key(key)) => {
                for key in SHOWN {
                    document.remove(key);
                }
                document.to_string()
            }
            _ => self.text.clone(),
        }
    }

    /// The values of the variables in a row.
    pub(super) fn variables_of(&self, row: u64, values: &mut Vec<f64>) {
        let mut rest = row;
        let mut places = [0_u64; axes::MOST_VARIABLES];
        for (place, length) in places.iter_mut().zip(&self.dimensions).take(self.dimensions.len()).rev() {
            *place = rest % length;
            rest /= length;
        }
        values.clear();
        values.extend(
            self.variables.iter().map(|variable| variable.values.number(places[variable.dimension], &self.draw)),
        );
    }

    /// Appends the values of a variable in consecutive rows.
    pub(super) fn extend_variable(&self, variable: usize, from: u64, rows: usize, column: &mut Vec<f64>) {
        let Variable { values, dimension, .. } = &self.variables[variable];
        let length = self.dimensions[*dimension];
        let stride: u64 = self.dimensions[dimension + 1..].iter().product();
        let (mut place, mut left) = (from / stride % length, stride - from % stride);
        let mut missing = rows as u64;
        while missing > 0 {
            let run = left.min(missing);
            column.resize(column.len() + run as usize, values.number(place, &self.draw));
            missing -= run;
            place = (place + 1) % length;
            left = stride;
        }
    }

    /// The gaps of the scenario that rows fill, in the order of the assignments.
    pub(super) fn gaps(&self) -> Vec<Gap> {
        let gap =
            |assignment: &Assignment| Gap { targets: assignment.targets.clone(), length: assignment.form.length() };
        self.assignments.iter().map(gap).collect()
    }

    /// The variable whose words a place takes, if it takes words.
    pub(super) fn words_at(&self, assignment: &Assignment) -> Option<&[String]> {
        match assignment.form {
            Form::Single(Operand::Variable(variable)) => self.variables[variable].values.words(),
            _ => None,
        }
    }

    /// The variable that chooses the law, if one does.
    pub(super) fn law_variable(&self) -> Option<usize> {
        let chooses = |assignment: &&Assignment| assignment.place == "law.id";
        match self.assignments.iter().find(chooses)?.form {
            Form::Single(Operand::Variable(variable)) => Some(variable),
            _ => None,
        }
    }

    /// The parameters that the plan gives a law, as settings of the scenario.
    pub(super) fn settings_of(&self, id: &str) -> Vec<Setting> {
        let Some(LawParameters { law, values }) = self.law_parameters.iter().find(|given| given.law.id == id) else {
            return Vec::new();
        };
        let setting = |(key, value): &(&'static str, f64)| {
            let kind = law.parameters.iter().find(|parameter| parameter.key == *key).map(|parameter| parameter.kind);
            let value = match kind {
                Some(Kind::Choice(words)) => toml_edit::Value::from(words[*value as usize]),
                _ => toml_edit::Value::from(*value),
            };
            self.base.place_of_parameter(key).map(|place| Setting::at(place, value))
        };
        values.iter().filter_map(setting).collect()
    }

    /// The parameters that the plan gives a law.
    pub(super) fn parameters_of(&self, law: &'static Law) -> &[(&'static str, f64)] {
        let given = self.law_parameters.iter().find(|given| std::ptr::eq(given.law, law));
        given.map_or(&[], |given| &given.values)
    }
}
