//! Failures that are known and not mended yet, each with its reason: what Carom does today, so that a change shows. A test that fails
//! because the failure is gone moves to the regressions.
#![allow(clippy::unwrap_used, reason = "tests")]

use carom::laws::find;
use carom_study::prediction;
use carom_study::scenario::{Scenario, SimulationScenario};
use carom_study::simulation::{Runner, Step, event_text};

/// A body of mass 33 and inertia 10⁻⁷ between parallel walls that it hits at different speeds. No finite impulses let it rebound from both; its
/// lever arms of 10⁻⁸ make W regular but for rounding, so that the search for wedges does not see it. The law should refuse; the audit
/// says what is wrong.
#[test]
fn a_light_body_between_walls_is_not_refused() {
    let text = include_str!("known-failures/light-body-between-walls.toml");
    let scenario = Scenario::parse("light.toml", text).unwrap();
    let answer = prediction::predict(&scenario, find("newton-lcp").unwrap()).unwrap();
    assert!(!answer.audit.is_ok());
    assert!(answer.energy.after > 1e3 * answer.energy.before);
}

/// Three contacts whose normals nearly cancel: impulses of 10⁷ to 10⁸ N s hold each other, and the energy of the bodies is that of the contacts
/// to a percent only. The law should refuse; the audit says what is wrong.
#[test]
fn contacts_that_hold_each_other_lose_digits_of_the_energy() {
    let text = include_str!("known-failures/three-contacts-nearly-parallel.toml");
    let scenario = Scenario::parse("three.toml", text).unwrap();
    let answer = prediction::predict(&scenario, find("rodriguez-bowling").unwrap()).unwrap();
    assert!(!answer.audit.is_ok());
}

/// A box that just fits between two walls, with full restitution and friction 1, hit by others: the island stays unsolved, its
/// impact is flagged, and the run counts as finished.
#[test]
fn boxes_in_a_slot_leave_an_unsolved_island() {
    let text = include_str!("known-failures/boxes-in-a-slot.toml");
    let scene = SimulationScenario::parse("slot.toml", text).unwrap();
    let mut runner = Runner::new(&scene, None).unwrap();
    while runner.step() != Step::Done {}
    let flagged = runner.run.events.iter().filter(|event| event_text(&scene, event, 1).contains("penetrates")).count();
    assert!(flagged > 0);
}
