//! Wild scenes: events tell what the ledger says.
#![allow(clippy::unwrap_used)]

mod support;
mod wild;

use carom::sim::{EventEngine, EventKind, EventSettings};

/// J of some ten: what rounding left at contacts within the distance at which parts touch, m g 10⁻¹⁰ m, is taken back between events.
const TAKEN_BACK: f64 = 1e-8;
/// s.
const DURATION: f64 = 0.2;
const MOST_EVENTS: usize = 300;

fn engine(kind: &str, seed: u64, case: u64) -> EventEngine {
    let scene = wild::scene(kind, &mut support::random(seed, case));
    EventEngine::new(scene, EventSettings::default()).unwrap()
}

/// A law is asked about slip that jams with a hair's breadth of approach at every contact. What that took or gave stood in the ledger,
/// but in no event: 10⁻⁶ J for each of the hundreds of jams of a brick wall by `newton`. What was taken back at contacts just before
/// stood in neither.
#[test]
fn jams_tell_the_energy_that_they_take() {
    let mut jams = 0;
    for (kind, case) in [("wall", 8), ("stack", 42)] {
        let mut engine = engine(kind, 5, case);
        let mut told = 0.0;
        for _ in 0..MOST_EVENTS {
            let Ok(Some(event)) = engine.advance(DURATION) else { break };
            told += event.energy[0] - event.energy[1];
            jams += usize::from(event.kind == EventKind::Jam);
        }
        let ledger = engine.ledger();
        assert!((ledger.impacts - told).abs() < TAKEN_BACK, "{kind} {case}: {:e}", ledger.impacts - told);
        assert!(ledger.residual().abs() < 1e-10, "{kind} {case}: {:e}", ledger.residual());
    }
    assert!(jams > 20, "{jams}");
}
