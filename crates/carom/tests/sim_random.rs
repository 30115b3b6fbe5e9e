//! One to three bodies thrown among walls at random: no overlap, no energy out of nothing, no failure.
#![allow(clippy::unwrap_used)]

mod support;
mod trial;
mod wild;

use carom::sim::{BodyId, EventEngine};
use trial::Trial;
use wild::thrown;

/// s.
const DURATION: f64 = 3.0;
const MOST_EVENTS: usize = 20_000;
/// Energy in J (of a few) and overlap in m (of a tenth).
const TOLERANCE: f64 = 1e-8;

/// How deep bodies are inside the walls and each other.
fn deepest(engine: &EventEngine) -> f64 {
    let (scene, states) = (engine.scene(), engine.states());
    let depth = |a: usize, b: Option<usize>| {
        -scene.nearest_parts(&states, [Some(a), b].map(|body| body.map(BodyId::new))).map_or(0.0, |(_, gap)| gap)
    };
    let pairs = (0..states.len()).flat_map(|a| (0..a).map(Some).chain([None]).map(move |b| (a, b)));
    pairs.map(|(a, b)| depth(a, b)).fold(0.0, f64::max)
}

/// Runs a scene for a while; tells what went wrong.
fn run(scene: &Trial) -> Result<usize, String> {
    let promises_energy = scene.law.id != "newton-lcp";
    let mut engine = scene.try_events().map_err(|error| error.to_string())?;
    let mut last = engine.ledger().total();
    for count in 0..MOST_EVENTS {
        match engine.advance(DURATION) {
            Ok(None) => return Ok(count),
            Ok(Some(_)) => {}
            Err(failure) => return Err(failure.to_string()),
        }
        let (ledger, depth, time) = (engine.ledger(), deepest(&engine), engine.time());
        assert!(ledger.total().is_finite() && depth.is_finite());
        // Newton's law for several contacts may create energy by itself.
        if promises_energy && ledger.total() > last + TOLERANCE {
            return Err(format!("gains {:e} at {time}", ledger.total() - last));
        }
        if ledger.residual().abs() > TOLERANCE {
            return Err(format!("residual {:e} at {time}", ledger.residual()));
        }
        if depth > TOLERANCE {
            return Err(format!("overlaps {depth:e} at {time}"));
        }
        last = ledger.total();
    }
    Err("too many events".to_owned())
}

/// Every other scene from the first on.
fn throw(first: u64) {
    let (mut scenes, mut events) = (0, 0);
    let mut failures = Vec::new();
    for case in (first..support::cases(1000)).step_by(2) {
        scenes += 1;
        match run(&thrown::scene(&mut support::random(31, case))) {
            Ok(count) => events += count,
            Err(problem) => failures.push(format!("{case}: {problem}")),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    // Each body falls to the floor at least.
    assert!(events > scenes, "{events} events in {scenes} scenes");
}

#[test]
fn random_scenes_neither_overlap_nor_gain_energy_nor_fail_even() {
    throw(0);
}

#[test]
fn random_scenes_neither_overlap_nor_gain_energy_nor_fail_odd() {
    throw(1);
}
