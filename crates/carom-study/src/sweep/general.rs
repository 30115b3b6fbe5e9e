//! Rows by the scenario itself: its text with the values of the row, read and resolved or simulated as the commands do.

use super::cells::Cells;
use super::layout::Layout;
use super::output::{self, Kind, Request};
use super::plan::{Assignment, Command, Plan};
use crate::prediction::{Detail, PATIENCE, Refusal, predict_bound, size_for};
use crate::quantities::Quantities;
use crate::report;
use crate::scenario::{Filled, Filling, Kept, Scenario, ScenarioError, SimulationScenario, Template, parse_toml};
use crate::simulation::{Identity, Quick, Run, Runner, Step, failure_text, result_json};
use carom::Mode;
use serde_json::Value;
use std::collections::HashMap;
use std::ops::Range;

/// The scenario of a plan with gaps for the values of a row.
#[derive(Clone, Debug)]
pub(super) struct General<'p> {
    plan: &'p Plan,
    /// One for each law of the variable that chooses it, or one for all rows.
    templates: Vec<Template>,
    law_variable: Option<usize>,
    wants: Wants,
    /// Outputs that are found without the JSON of a run.
    quick: Vec<Option<Quick>>,
}

/// Which keys of the JSON of a result are needed.
#[derive(Clone, Debug)]
struct Wants {
    /// All of them.
    all: bool,
    /// Those that outputs begin with.
    keys: Vec<String>,
    /// The states in between, from which angles count whole turns.
    frames: bool,
}

impl Wants {
    fn of(requests: &[&Request]) -> Wants {
        Wants {
            all: false,
            keys: requests.iter().filter_map(|request| request.first_key().map(str::to_owned)).collect(),
            frames: requests.iter().any(|request| request.asks_for_turns()),
        }
    }

    fn wants(&self, key: &str) -> bool {
        self.all || self.keys.iter().any(|known| known == key)
    }
}

/// What rows use one after the other.
#[derive(Default)]
struct Memory<'p> {
    fillings: Fillings<'p>,
    run: Run,
}

/// What is put into the scenario of a row: a number, or a word where there is one.
#[derive(Default)]
struct Fillings<'p> {
    numbers: Vec<f64>,
    words: Vec<Option<&'p str>>,
}

/// What became of a row.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    pub(super) status: String,
    pub(super) reason: Option<String>,
    /// The JSON of the result, if there is one, as far as it is wanted.
    pub(super) result: Option<Value>,
    /// The numbers of outputs that are found without it, in their order.
    quick: Vec<f64>,
}

impl Answer {
    fn without(status: &str, reason: String) -> Answer {
        Answer { status: status.to_owned(), reason: Some(reason), result: None, quick: Vec::new() }
    }
}

impl<'p> General<'p> {
    pub(super) fn new(plan: &'p Plan) -> General<'p> {
        let scene = SimulationScenario::parse_in(plan.base.name(), &plan.scenario, plan.folder.as_deref());
        let quick = |request: &Request| Quick::of_path(&request.text, scene.as_ref().ok()?);
        // Words may change which bodies there are.
        let words = |assignment: &&Assignment| assignment.place != "law.id" && plan.words_at(assignment).is_some();
        let any = plan.command == Command::Simulate && plan.assignments.iter().find(words).is_none();
        let quick: Vec<Option<Quick>> = plan.outputs.iter().map(|request| quick(request).filter(|_| any)).collect();
        let others = plan.outputs.iter().zip(&quick).filter(|(_, quick)| quick.is_none());
        let others: Vec<&Request> = others.map(|(request, _)| request).collect();
        let wants = Wants::of(&others);
        let (gaps, law_variable) = (plan.gaps(), plan.law_variable());
        let template =
            |law: Option<&str>| plan.base.template(&gaps, &law.map_or_else(Vec::new, |law| plan.settings_of(law)));
        let templates = match law_variable.and_then(|variable| plan.variables[variable].values.words()) {
            Some(ids) => ids.iter().map(|id| template(Some(id))).collect(),
            None => vec![template(plan.base.word("law.id").as_deref())],
        };
        General { plan, templates, law_variable, wants, quick }
    }

    pub(super) fn simulates(&self) -> bool {
        self.plan.command == Command::Simulate
    }

    /// What the assignments put into the scenario.
    fn fill_in(&self, variables: &[f64], fillings: &mut Fillings<'p>) {
        fillings.numbers.clear();
        fillings.words.clear();
        for assignment in &self.plan.assignments {
            let from = fillings.numbers.len();
            fillings.numbers.resize(from + assignment.form.numbers(), 0.0);
            assignment.form.fill(variables, &mut fillings.numbers[from..]);
            fillings.words.resize(fillings.numbers.len(), None);
            if let Some(known) = self.plan.words_at(assignment) {
                fillings.words[from] = Some(&known[fillings.numbers[from] as usize]);
            }
        }
    }

    /// The text of the scenario with the values of a row.
    fn filled(&self, variables: &[f64]) -> Filled {
        let mut fillings = Fillings::default();
        self.fill_in(variables, &mut fillings);
        let Fillings { numbers, words } = fillings;
        let law = self.law_variable.map_or(0, |variable| variables[variable] as usize);
        self.templates[law].fill(|k| words[k].map_or(Filling::Number(numbers[k]), Filling::Word))
    }

    /// The scenario of a row.
    pub(super) fn scenario(&self, variables: &[f64]) -> Result<Scenario, ScenarioError> {
        Scenario::parse_in(self.plan.base.name(), &self.filled(variables).text, self.plan.folder.as_deref())
    }

    /// The scene of a row.
    fn scene(&self, variables: &[f64]) -> Result<SimulationScenario, ScenarioError> {
        SimulationScenario::parse_in(self.plan.base.name(), &self.filled(variables).text, self.plan.folder.as_deref())
    }

    /// The files that the scenario of the first row names, with their contents.
    pub(super) fn named_files(&self) -> Vec<(String, std::sync::Arc<[u8]>)> {
        let mut variables = Vec::new();
        self.plan.variables_of(0, &mut variables);
        let files = match self.plan.command {
            Command::Collide => self.scenario(&variables).map(|scenario| scenario.files),
            Command::Simulate => self.scene(&variables).map(|scene| scene.files),
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

    /// What becomes of a row, by the text of its scenario. The result is all that there is, not only what is asked for.
    pub(super) fn answer(&self, variables: &[f64]) -> Answer {
        let whole = Wants { all: true, ..self.wants.clone() };
        self.answer_by_text(variables, &whole)
    }

    /// What becomes of the scenario as it stands.
    pub(super) fn answer_of_base(&self) -> Answer {
        let (name, text, folder) = (self.plan.base.name(), self.plan.base.text(), self.plan.folder.as_deref());
        let whole = Wants { all: true, ..self.wants.clone() };
        match self.plan.command {
            Command::Collide => match Scenario::parse_in(name, &text, folder) {
                Ok(scenario) => self.collide(&scenario),
                Err(error) => Answer::without("invalid", sentence(&error)),
            },
            Command::Simulate => match SimulationScenario::parse_in(name, &text, folder) {
                Ok(mut scene) => self.simulate(&mut scene, &whole, &mut Run::default()),
                Err(error) => Answer::without("invalid", sentence(&error)),
            },
        }
    }

    fn answer_by_text(&self, variables: &[f64], wants: &Wants) -> Answer {
        match self.plan.command {
            Command::Collide => match self.scenario(variables) {
                Ok(scenario) => self.collide(&scenario),
                Err(error) => Answer::without("invalid", sentence(&error)),
            },
            Command::Simulate => match self.scene(variables) {
                Ok(mut scene) => self.simulate(&mut scene, wants, &mut Run::default()),
                Err(error) => Answer::without("invalid", sentence(&error)),
            },
        }
    }

    /// What becomes of a row, by a scenario that was read before. A row with a fault is read again, for its words.
    fn answer_by_kept(&self, variables: &[f64], kept: &mut Kept<'_>, memory: &mut Memory<'p>) -> Answer {
        self.fill_in(variables, &mut memory.fillings);
        let numbers = &memory.fillings.numbers;
        let answer = match self.plan.command {
            Command::Collide => kept.scenario(numbers).map(|scenario| self.collide(&scenario)),
            Command::Simulate => kept.scene(numbers).map(|scene| self.simulate(scene, &self.wants, &mut memory.run)),
        };
        answer.unwrap_or_else(|_| self.answer_by_text(variables, &self.wants))
    }

    fn collide(&self, scenario: &Scenario) -> Answer {
        let Some(law) = scenario.law else {
            return Answer::without("invalid", "the scenario names no law".to_owned());
        };
        let bound = scenario.bind(law).map_err(Refusal::Parameters);
        let (contacts, most) = size_for(scenario, law);
        let most = most.saturating_mul(PATIENCE);
        let detail = if self.wants.wants("phases") { Detail::Course } else { Detail::Outcome };
        let predicted = match bound {
            Ok(_) if contacts > most => Err(Refusal::TooLarge { contacts, most }),
            Ok(bound) => predict_bound(scenario, bound, detail),
            Err(refusal) => Err(refusal),
        };
        match predicted {
            Ok(prediction) => {
                let problem = if self.wants.wants("problem") {
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
                    quick: Vec::new(),
                }
            }
            Err(refusal) => {
                let status = if matches!(refusal, Refusal::Parameters(_)) { "invalid" } else { "refused" };
                Answer::without(status, refusal.to_string())
            }
        }
    }

    fn simulate(&self, scene: &mut SimulationScenario, wants: &Wants, memory: &mut Run) -> Answer {
        // Only the ends of the run are kept, unless the file or an output asks for more.
        if scene.settings.interval.is_none() && !wants.frames {
            scene.settings.interval = Some(scene.settings.duration);
        }
        let mut runner = match Runner::again(scene, std::mem::take(memory)) {
            Ok(runner) => runner,
            Err(error) => return Answer::without("invalid", error.to_string()),
        };
        runner.watches_energy = ["worst_energy_residual", "worst_relative_residual"].iter().any(|key| wants.wants(key));
        while runner.step() != Step::Done {}
        let run = &runner.run;
        let identity = Identity { file: self.plan.base.name().to_owned(), hash: String::new() };
        let answer = Answer {
            status: run.status(scene).word().to_owned(),
            reason: run.failure.as_ref().map(|failure| failure_text(scene, failure)),
            result: Some(result_json(scene, run, &identity, &|key| wants.wants(key))),
            quick: self.quick.iter().flatten().map(|quick| quick.of(run)).collect(),
        };
        *memory = runner.run;
        answer
    }

    /// Computes consecutive rows. `watch` is called after each; it ends the work by returning `false`.
    pub(super) fn fill(&self, layout: &Layout, rows: Range<u64>, cells: &mut Cells, watch: &mut dyn FnMut() -> bool) {
        // The text of a scenario is read once for all rows that have the same words.
        let (mut variables, mut texts, mut place_of) = (Vec::new(), Vec::new(), HashMap::new());
        let words: Vec<usize> =
            (0..self.plan.variables.len()).filter(|k| self.plan.variables[*k].values.words().is_some()).collect();
        let key = |variables: &[f64]| words.iter().map(|k| variables[*k] as usize).collect::<Vec<usize>>();
        for row in rows.clone().take(if words.is_empty() { 1 } else { usize::MAX }) {
            self.plan.variables_of(row, &mut variables);
            place_of.entry(key(&variables)).or_insert_with(|| {
                texts.push(self.filled(&variables));
                texts.len() - 1
            });
        }
        let documents: Vec<_> = texts.iter().map(|filled| parse_toml(&filled.text, "").ok()).collect();
        let (name, folder) = (self.plan.base.name(), self.plan.folder.as_deref());
        let read = |(filled, document)| Kept::read(name, folder, filled, Option::as_ref(document)?);
        let mut kept: Vec<Option<Kept<'_>>> = texts.iter().zip(&documents).map(read).collect();
        let mut memory = Memory::default();
        for row in rows {
            self.plan.variables_of(row, &mut variables);
            let place = if words.is_empty() { Some(&0) } else { place_of.get(&key(&variables)) };
            let answer = match place.and_then(|place| kept[*place].as_mut()) {
                Some(kept) => self.answer_by_kept(&variables, kept, &mut memory),
                None => self.answer_by_text(&variables, &self.wants),
            };
            self.push_row(layout, row, &variables, answer, cells);
            if !watch() {
                return;
            }
        }
    }

    fn push_row(&self, layout: &Layout, row: u64, variables: &[f64], answer: Answer, cells: &mut Cells) {
        let mut column = self.push_variables(variables, cells);
        let mut quick = answer.quick.iter();
        for ((request, columns), is_quick) in self.plan.outputs.iter().zip(&layout.of_request).zip(&self.quick) {
            match is_quick {
                Some(_) => cells.push_number(column, quick.next().copied().unwrap_or(f64::NAN)),
                None => push(request, answer.result.as_ref(), column, *columns, layout, cells),
            }
            column += columns;
        }
        cells.push_word(column, Some(&answer.status));
        cells.tally.add(&answer.status, 1, answer.reason.map(|reason| (row, reason)));
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
