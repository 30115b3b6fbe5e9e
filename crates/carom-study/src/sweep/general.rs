//! Rows by the scenario itself: its text with the values of the row, read and resolved or simulated as the commands do.

use super::cells::Cells;
use super::layout::Layout;
use super::output::{self, Kind, Request};
use super::plan::{Command, Plan};
use crate::prediction::{Detail, PATIENCE, Refusal, predict_bound, size_for};
use crate::quantities::Quantities;
use crate::report;
use crate::scenario::{Filling, Scenario, ScenarioError, SimulationScenario, Template};
use crate::simulation::{Identity, Runner, Step, failure_text, result_json};
use carom::Mode;
use serde_json::Value;

/// The scenario of a plan with gaps for the values of a row.
#[derive(Clone, Debug)]
pub(super) struct General<'p> {
    plan: &'p Plan,
    /// One for each law of the variable that chooses it, or one for all rows.
    templates: Vec<Template>,
    law_variable: Option<usize>,
    /// Keys of the JSON that take long to find and are asked for.
    wants: Wants,
}

#[derive(Clone, Copy, Debug)]
struct Wants {
    problem: bool,
    course: bool,
    events: bool,
}

/// What became of a row.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: String,
    pub(super) reason: Option<String>,
    /// The JSON of the result, if there is one.
    pub(super) result: Option<Value>,
}

impl Answer {
    fn without(status: &str, reason: String) -> Answer {
        Answer { status: status.to_owned(), reason: Some(reason), result: None }
    }
}

impl<'p> General<'p> {
    pub(super) fn new(plan: &'p Plan) -> General<'p> {
        let any = |keys: &[&str]| plan.outputs.iter().any(|request| request.begins_with(keys));
        let wants = Wants {
            problem: any(&["problem"]),
            course: any(&["phases"]),
            events: any(&["end", "event_contacts", "event_joints"]),
        };
        let (gaps, law_variable) = (plan.gaps(), plan.law_variable());
        let template =
            |law: Option<&str>| plan.base.template(&gaps, &law.map_or_else(Vec::new, |law| plan.settings_of(law)));
        let templates = match law_variable.and_then(|variable| plan.variables[variable].values.words()) {
            Some(ids) => ids.iter().map(|id| template(Some(id))).collect(),
            None => vec![template(plan.base.word("law.id").as_deref())],
        };
        General { plan, templates, law_variable, wants }
    }

    pub(super) fn simulates(&self) -> bool {
        self.plan.command == Command::Simulate
    }

    /// The text of the scenario with the values of a row.
    pub(super) fn text(&self, variables: &[f64]) -> String {
        let mut numbers = Vec::new();
        let mut words: Vec<Option<&str>> = Vec::new();
        for assignment in &self.plan.assignments {
            let from = numbers.len();
            numbers.resize(from + assignment.form.numbers(), 0.0);
            assignment.form.fill(variables, &mut numbers[from..]);
            words.resize(numbers.len(), None);
            if let Some(known) = self.plan.words_at(assignment) {
                words[from] = Some(&known[numbers[from] as usize]);
            }
        }
        let law = self.law_variable.map_or(0, |variable| variables[variable] as usize);
        self.templates[law].fill(|k| words[k].map_or(Filling::Number(numbers[k]), Filling::Word))
    }

    /// The scenario of a row.
    pub(super) fn scenario(&self, variables: &[f64]) -> Result<Scenario, ScenarioError> {
        Scenario::parse_in(self.plan.base.name(), &self.text(variables), self.plan.folder.as_deref())
    }

    /// The files that the scenario of the first row names, with their contents.
    pub(super) fn named_files(&self) -> Vec<(String, std::sync::Arc<[u8]>)> {
        let mut variables = Vec::new();
        self.plan.variables_of(0, &mut variables);
        let (name, folder) = (self.plan.base.name(), self.plan.folder.as_deref());
        let files = match self.plan.command {
            Command::Collide => self.scenario(&variables).map(|scenario| scenario.files),
            Command::Simulate => {
                SimulationScenario::parse_in(name, &self.text(&variables), folder).map(|scene| scene.files)
            }
        };
        files.unwrap_or_default().into_iter().map(|file| (file.name, file.bytes)).collect()
    }

    /// The scenarios of a row with each of the laws.
    pub(super) fn by_law(&self, variables: &[f64]) -> Result<Vec<Scenario>, ScenarioError> {
        let mut variables = variables.to_vec();
        let with = |law: usize| {
            if let Some(variable) = self.law_variable {
                variables[variable] = law as f64;
            }
            self.scenario(&variables)
        };
        (0..self.templates.len()).map(with).collect()
    }

    /// What becomes of a row.
    pub(super) fn answer(&self, variables: &[f64]) -> Answer {
        match self.plan.command {
            Command::Collide => match self.scenario(variables) {
                Ok(scenario) => self.collide(&scenario),
                Err(error) => Answer::without("invalid", sentence(&error)),
            },
            Command::Simulate => self.simulate(variables),
        }
    }

    fn collide(&self, scenario: &Scenario) -> Answer {
        let Some(law) = scenario.law else {
            return Answer::without("invalid", "the scenario names no law".to_owned());
        };
        let bound = scenario.bind(law).map_err(Refusal::Parameters);
        let (contacts, most) = size_for(scenario, law);
        let most = most.saturating_mul(PATIENCE);
        let detail = if self.wants.course { Detail::Course } else { Detail::Outcome };
        let predicted = match bound {
            Ok(_) if contacts > most => Err(Refusal::TooLarge { contacts, most }),
            Ok(bound) => predict_bound(scenario, bound, detail),
            Err(refusal) => Err(refusal),
        };
        match predicted {
            Ok(prediction) => {
                let problem = if self.wants.problem {
                    report::problem_json(Quantities::of(scenario).as_ref())
                } else {
                    Value::Null
                };
                let contacts = &prediction.outcome.contacts;
                let separates = contacts.iter().all(|contact| contact.mode == Mode::Separating);
                Answer {
                    status: if separates { "separating" } else { "resolved" }.to_owned(),
                    reason: None,
                    result: Some(report::prediction_json(scenario, &prediction, &problem)),
                }
            }
            Err(refusal) => {
                let status = if matches!(refusal, Refusal::Parameters(_)) { "invalid" } else { "refused" };
                Answer::without(status, refusal.to_string())
            }
        }
    }

    fn simulate(&self, variables: &[f64]) -> Answer {
        let (name, folder) = (self.plan.base.name(), self.plan.folder.as_deref());
        let mut scene = match SimulationScenario::parse_in(name, &self.text(variables), folder) {
            Ok(scene) => scene,
            Err(error) => return Answer::without("invalid", sentence(&error)),
        };
        // Only the ends of the run are kept, unless the file asks for more. Angles at the end are those of all frames.
        if scene.settings.interval.is_none() && !self.wants.events {
            scene.settings.interval = Some(scene.settings.duration);
        }
        let mut runner = match Runner::new(&scene, None) {
            Ok(runner) => runner,
            Err(error) => return Answer::without("invalid", error.to_string()),
        };
        while runner.step() != Step::Done {}
        let run = &runner.run;
        let identity = Identity { file: name.to_owned(), hash: String::new() };
        Answer {
            status: run.status(&scene).word().to_owned(),
            reason: run.failure.as_ref().map(|failure| failure_text(&scene, failure)),
            result: Some(result_json(&scene, run, &identity, self.wants.events)),
        }
    }

    /// Computes consecutive rows.
    pub(super) fn fill(&self, layout: &Layout, from: u64, rows: usize, cells: &mut Cells) {
        let mut variables = Vec::new();
        for row in from..from + rows as u64 {
            self.plan.variables_of(row, &mut variables);
            let mut column = self.push_variables(&variables, cells);
            let answer = self.answer(&variables);
            for (request, columns) in self.plan.outputs.iter().zip(&layout.of_request) {
                push(request, answer.result.as_ref(), column, *columns, layout, cells);
                column += columns;
            }
            cells.push_word(column, Some(&answer.status));
            cells.tally.add(&answer.status, 1, answer.reason.map(|reason| (row, reason)));
        }
    }

    /// Writes the variables of a row, and gives the number of columns that they fill.
    fn push_variables(&self, variables: &[f64], cells: &mut Cells) -> usize {
        for (k, (variable, value)) in self.plan.variables.iter().zip(variables).enumerate() {
            match variable.values.words() {
                Some(words) => cells.push_word(k, Some(&words[*value as usize])),
                None => cells.push_number(k, *value),
            }
        }
        self.plan.variables.len()
    }
}

/// Writes an output of a row into its columns; those that its value does not fill stay empty.
fn push(request: &Request, result: Option<&Value>, from: usize, count: usize, layout: &Layout, cells: &mut Cells) {
    let columns = &layout.columns[from..from + count];
    let value = result.and_then(|result| request.find(result)).unwrap_or(Value::Null);
    let mut leaves: Vec<(String, Value)> = Vec::new();
    output::spread(&request.name, &value, &mut |name, leaf| leaves.push((name.to_owned(), leaf.clone())));
    for (k, column) in columns.iter().enumerate() {
        // In most rows the leaves are those of the columns, in their order.
        let found = match leaves.get(k) {
            Some((name, leaf)) if *name == column.name => Some(leaf),
            _ => leaves.iter().find(|(name, _)| *name == column.name).map(|(_, leaf)| leaf),
        };
        match (column.kind, found) {
            (Kind::Numbers, found) => cells.push_number(from + k, found.and_then(as_number).unwrap_or(f64::NAN)),
            (Kind::Words, Some(Value::String(word))) => cells.push_word(from + k, Some(word)),
            (Kind::Words, Some(Value::Null) | None) => cells.push_word(from + k, None),
            (Kind::Words, Some(other)) => cells.push_word(from + k, Some(&other.to_string())),
        }
    }
}

/// A number of the JSON, which writes infinity as a word.
fn as_number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str().filter(|word| *word == "inf").map(|_| f64::INFINITY))
}

/// What is wrong with a scenario, in one line.
fn sentence(error: &ScenarioError) -> String {
    match error.label() {
        "" => error.message().to_owned(),
        label => format!("{}; {label}", error.message()),
    }
}
