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
    let events: Map<String, Value> =
        counts(run).into_iter().map(|(word, count)| (word.to_owned(), count.into())).collect();
    let (end, created) = (run.frames.last(), run.created(scenario));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "record_format": FORMAT,
        "title": scenario.title,
        "scenario": {"file": identity.file, "sha256": identity.hash},
        "engine": scenario.settings.engine.word(),
        "law": applied_law(scenario),
        // Without a law by name, restitution is lowered where an impact would create energy.
        "law_is_default": is_default_law(scenario),
        "settings": settings_used(scenario),
        "duration": number(scenario.settings.duration),
        "time": number(end.map_or(0.0, |frame| frame.time)),
        "status": run.status(scenario).word(),
        "failure": run.failure.as_ref().map(|failure| failure_text(scenario, failure)),
        "bodies": scenario.body_names,
        "frames": run.frames.len(),
        "events": events,
        "energy": end.map(|frame| {
            let mut value = json!(frame.ledger);
            value["residual"] = number(frame.ledger.residual());
            value
        }),
        "energy_created": {"events": created.events, "energy": number(created.energy)},
        "penetrating": run.penetrating(scenario),
        "restitution_lowered": run.lowered(),
        "worst_energy_residual": number(run.worst_residual),
        "worst_relative_residual": number(run.relative_residual()),
        // Where impacts are located, bodies overlap by rounding only.
        "overlap": (scenario.settings.engine == Engine::Stepping).then(|| number(run.worst_overlap)),
        "worst_overlap": run.overlap.map(|worst| {
            let mut value = json!(worst);
            value["between"] = names(scenario, &worst).into();
            value
        }),
        "remarks": remarks(scenario),
    })
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
