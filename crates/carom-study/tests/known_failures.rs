//! Failures that are known and not mended yet, each with its reason: what Carom does today, so that a change shows. A test that fails
//! because the failure is gone moves to the regressions.
#![allow(clippy::unwrap_used, reason = "tests")]

use carom_study::scenario::SimulationScenario;
use carom_study::simulation::{Runner, Status, Step};

/// A box that just fits between two walls, with full restitution and friction 1, hit by others: two impacts stay
/// unsolved, the first among them. The run says so.
#[test]
fn boxes_in_a_slot_leave_an_unsolved_island() {
    let text = include_str!("known-failures/boxes-in-a-slot.toml");
    let scene = SimulationScenario::parse("slot.toml", text).unwrap();
    let mut runner = Runner::new(&scene, None).unwrap();
    while runner.step() != Step::Done {}
    assert_eq!((runner.run.status(&scene), runner.run.penetrating(&scene)), (Status::Penetrates, 2));
}
