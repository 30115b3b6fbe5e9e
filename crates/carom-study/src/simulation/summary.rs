//! What a run was and how it ended, as JSON.

use super::engine::{applied_law, is_default_law, remarks, settings_used};
use super::failure::failure_text;
use super::json::number;
use super::overlap::names;
use super::record::{FORMAT, kind_word};
use super::run::Run;
use crate::scenario::{Engine, SimulationScenario};
use serde_json::{Map, Value, json};

/// Which file a run comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Where it was.
    pub file: String,
    /// Its [fingerprint](super::fingerprint).
    pub hash: String,
}

/// The summary of a run: version, scenario, settings, status, counts, energy.
pub fn summary(scenario: &SimulationScenario, run: &Run, identity: &Identity) -> Value {
    summary_of(scenario, run, identity, &|_| true)
}

/// Those keys of a summary that are wanted.
pub(super) fn summary_of(
    scenario: &SimulationScenario,
    run: &Run,
    identity: &Identity,
    wanted: &dyn Fn(&str) -> bool,
) -> Value {
    let mut summary = Map::new();
    let mut put = |key: &str, value: &dyn Fn() -> Value| {
        if wanted(key) {
            summary.insert(key.to_owned(), value());
        }
    };
    let end = run.frames.last();
    put("version", &|| env!("CARGO_PKG_VERSION").into());
    put("record_format", &|| FORMAT.into());
    put("title", &|| scenario.title.as_str().into());
    put("scenario", &|| json!({"file": identity.file, "sha256": identity.hash}));
    put("engine", &|| scenario.settings.engine.word().into());
    put("law", &|| applied_law(scenario).into());
    // Without a law by name, restitution is lowered where an impact would create energy.
    put("law_is_default", &|| is_default_law(scenario).into());
    put("settings", &|| settings_used(scenario));
    put("duration", &|| number(scenario.settings.duration));
    put("time", &|| number(end.map_or(0.0, |frame| frame.time)));
    put("status", &|| run.status(scenario).word().into());
    put("failure", &|| run.failure.as_ref().map(|failure| failure_text(scenario, failure)).into());
    put("bodies", &|| scenario.body_names.as_slice().into());
    put("frames", &|| run.frames.len().into());
    put("events", &|| counts(run).into_iter().map(|(word, count)| (word, Value::from(count))).collect());
    put("energy", &|| {
        end.map_or(Value::Null, |frame| {
            let mut value = json!(frame.ledger);
            value["residual"] = number(frame.ledger.residual());
            value
        })
    });
    put("energy_created", &|| {
        let created = run.created(scenario);
        json!({"events": created.events, "energy": number(created.energy)})
    });
    put("penetrating", &|| run.penetrating(scenario).into());
    put("restitution_lowered", &|| run.lowered().into());
    put("worst_energy_residual", &|| number(run.worst_residual));
    put("worst_relative_residual", &|| number(run.relative_residual()));
    // Where impacts are located, bodies overlap by rounding only.
    put("overlap", &|| (scenario.settings.engine == Engine::Stepping).then(|| number(run.worst_overlap)).into());
    put("worst_overlap", &|| {
        run.overlap.map_or(Value::Null, |worst| {
            let mut value = json!(worst);
            value["between"] = names(scenario, &worst).into();
            value
        })
    });
    put("remarks", &|| remarks(scenario).into());
    summary.into()
}

/// How many events of each kind there are, in the order of their first.
pub(super) fn counts(run: &Run) -> Vec<(&'static str, usize)> {
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for event in &run.events {
        let word = kind_word(&event.kind);
        match counts.iter_mut().find(|(known, _)| *known == word) {
            Some((_, count)) => *count += 1,
            None => counts.push((word, 1)),
        }
    }
    counts
}
