//! `carom replay`: an event of a simulation in full, and what another law says about it.

use crate::copies;
use crate::failure::Failure;
use crate::folder::{RECORD, SUMMARY, is_unfinished};
use crate::input::law;
use crate::output;
use carom::laws::{self, Law};
use carom_study::prediction::{Detail, Refusal, predict_all};
use carom_study::report;
use carom_study::scenario::{Engine, SimulationScenario, reason};
use carom_study::simulation::{FORMAT, Run, event_impact, event_text, law_of, read_record, replayed_text};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

/// Show an event of a simulation in full, and resolve it with another law
///
/// Reads the folder that `carom simulate --output DIR` wrote.
#[derive(Args)]
#[command(after_help = "Examples:
  carom replay ball
  carom replay ball --event 3
  carom replay break --event 1 --law all")]
pub struct Replay {
    /// The folder
    folder: PathBuf,
    /// Which event, from 1; without it, the run and its list of events
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = event_number)]
    event: Option<usize>,
    /// Resolve the event again with this law, or with all of them
    #[arg(long, value_name = "ID|all", requires = "event")]
    law: Option<String>,
}

impl Replay {
    pub fn run(&self) -> Result<(), Failure> {
        let summary = self.summary()?;
        let scenario = self.scenario(&summary)?;
        let run = self.record(&summary)?;
        let Some(number) = self.event else {
            return output::show(&replayed_text(&scenario, &run, summary["failure"].as_str()));
        };
        let event = number.checked_sub(1).and_then(|place| run.events.get(place)).ok_or_else(|| {
            Failure::Usage(match run.events.len() {
                0 => format!("there is no event {number}; the run has no events"),
                count => format!("there is no event {number}; expected 1 to {count}"),
            })
        })?;
        let mut text = event_text(&scenario, event, number);
        if let Some(id) = &self.law {
            if law_of(&scenario, event).is_none() {
                return Err(Failure::NoAnswer(format!("event {number} has no impulses, so no law resolves it")));
            }
            let wanted = if id == "all" { None } else { Some(law(id)?) };
            let impact = event_impact(&scenario, event, number)
                .map_err(|error| Failure::NoAnswer(format!("event {number} cannot be resolved again: {error}")))?;
            let laws: Vec<&'static Law> = match (wanted, impact.impact.contacts()) {
                (Some(law), _) => vec![law],
                (None, 1) => laws::every().collect(),
                (None, _) => impact.laws().iter().collect(),
            };
            let answers = predict_all(&impact, laws, Detail::Outcome);
            text.push_str("\nResolved again\n\n");
            match (&answers[..], wanted) {
                ([(_, Ok(prediction))], Some(_)) => text.push_str(&report::single(&impact, prediction)),
                ([(law, Err(refusal))], Some(_)) => return Err(refused(law.id, refusal)),
                _ => text.push_str(&report::comparison(&impact, &answers)),
            }
        }
        output::show(&text)
    }

    fn read(&self, name: &str) -> Result<String, Failure> {
        let path = self.folder.join(name);
        std::fs::read_to_string(&path).map_err(|error| {
            let (path, why) = (path.display(), reason(&error));
            Failure::Usage(format!("cannot read {path}: {why}; expected a folder written by `carom simulate -o`"))
        })
    }

    fn summary(&self) -> Result<Value, Failure> {
        if is_unfinished(&self.folder) {
            let folder = self.folder.display();
            return Err(Failure::Usage(format!(
                "{folder} holds a run that has not ended; `carom simulate FILE -o {folder} --resume` goes on with it"
            )));
        }
        serde_json::from_str(&self.read(SUMMARY)?)
            .map_err(|error| Failure::Usage(format!("{}: {error}", self.folder.join(SUMMARY).display())))
    }

    /// The run as it was. Only the summary shows whether lines are missing at the end.
    fn record(&self, summary: &Value) -> Result<Run, Failure> {
        let place = self.folder.join(RECORD);
        let refused = |why: &str| Failure::Usage(format!("{}: {why}", place.display()));
        if summary["record_format"] != FORMAT {
            return Err(refused(
                "another version of carom wrote it; replay it with that version, or run the simulation again",
            ));
        }
        let mut run = read_record(&self.read(RECORD)?).map_err(|error| refused(&error.to_string()))?;
        let events = summary["events"].as_object().into_iter().flatten().filter_map(|(_, count)| count.as_u64()).sum();
        for (what, wanted, found) in [
            ("stored states", summary["frames"].as_u64().unwrap_or_default(), run.frames.len() as u64),
            ("events", events, run.events.len() as u64),
        ] {
            if wanted != found {
                return Err(refused(&format!(
                    "it holds {found} of {wanted} {what}; it was cut or altered after the run"
                )));
            }
        }
        // The worst may have been between frames.
        run.worst_residual = summary["worst_energy_residual"].as_f64().unwrap_or(run.worst_residual);
        run.overlap = serde_json::from_value(summary["worst_overlap"].clone()).unwrap_or_default();
        Ok(run)
    }

    /// The scenario of the run as it was.
    fn scenario(&self, summary: &Value) -> Result<SimulationScenario, Failure> {
        let word = |key: &str| summary[key].as_str().unwrap_or_default();
        let mut scenario = copies::read(&self.folder, summary)?;
        if let Some(engine) = Engine::of_word(word("engine")) {
            scenario.settings.engine = engine;
        }
        // Steps have their own law, whatever the scenario names.
        if scenario.settings.engine == Engine::Event {
            scenario.law = law(word("law"))?;
        }
        scenario.lowers_restitution = summary["law_is_default"].as_bool().unwrap_or(false);
        if let Some(duration) = summary["duration"].as_f64() {
            scenario.settings.duration = duration;
        }
        // A file that gives no title has that of its name, which the copy has not.
        if let Some(title) = summary["title"].as_str() {
            title.clone_into(&mut scenario.title);
        }
        if let Some(remarks) = summary["remarks"].as_array() {
            scenario.remarks = remarks.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        Ok(scenario)
    }
}

fn event_number(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|number| *number > 0).ok_or_else(|| "expected the number of an event, from 1".to_owned())
}

fn refused(id: &str, refusal: &Refusal) -> Failure {
    match refusal {
        Refusal::Parameters(_) => Failure::Usage(format!("law `{id}`: {refusal}")),
        _ => Failure::NoAnswer(format!("{id}: {refusal}")),
    }
}
