//! Overlap of bodies in words.

use crate::scenario::SimulationScenario;
use carom::format::Digits;
use carom::sim::Overlap;

/// The overlap in words: bodies, time, depth, and the acceptable depth.
pub fn overlap_text(scenario: &SimulationScenario, overlap: &Overlap) -> String {
    let [a, b] = names(scenario, overlap);
    let [depth, bound, time] = [overlap.depth, overlap.bound, overlap.time].map(|value| Digits(three_digits(value)));
    format!(
        "`{a}` is {depth} m deep inside `{b}` at {time} s; at most {bound} m is acceptable, the distance moved in a step or {} % of the \
         thinner one's thickness, whichever is less; a shorter `step` may help",
        50.0 * Overlap::BOUND
    )
}

/// The names of the two bodies, walls or obstacles.
pub(super) fn names<'a>(scenario: &'a SimulationScenario, overlap: &Overlap) -> [&'a str; 2] {
    [0, 1].map(|side| match overlap.bodies[side] {
        Some(body) => scenario.body_names[body.index()].as_str(),
        None => scenario.world_names[overlap.parts[side]].as_str(),
    })
}

fn three_digits(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value)
}
