//! Why a run ended early, with the names of its scenario.

use crate::scenario::SimulationScenario;
use carom::Digits;
use carom::sim::Failure;

/// The failure in words: when, between which bodies, and why.
pub fn failure_text(scenario: &SimulationScenario, failure: &Failure) -> String {
    let Failure::Law { time, between, reason } = failure else { return failure.to_string() };
    let name = |body: Option<usize>| body.map_or("ground", |body| &scenario.body_names[body]);
    let mut pairs: Vec<String> = between.iter().map(|[a, b]| format!("{}–{}", name(*a), name(*b))).collect();
    pairs.dedup();
    let more = if pairs.len() > 1 { format!(" +{}", pairs.len() - 1) } else { String::new() };
    let first = pairs.first().map_or("", String::as_str);
    format!("at {} s, {first}{more}: {}: {reason}", Digits(*time), scenario.scene.law.id)
}
