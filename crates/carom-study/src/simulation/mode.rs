//! What happened at a contact, and whether it can.

use super::engine::applied_law;
use crate::scenario::SimulationScenario;
use carom::laws;
use carom::sim::{Event, EventContact, EventKind};
use nalgebra::Vector3;

/// What is slower than this fraction of the speeds before an event is at rest.
const STICKS: f64 = 1e-9;
/// Energy that rises by less than this fraction of the energy before is rounding: of the ledger, which sums all energies.
const ROUNDING: f64 = 1e-12;

/// What happened at a contact, in a word.
pub(super) fn mode(scenario: &SimulationScenario, event: &Event, contact: &EventContact) -> &'static str {
    match event.kind {
        EventKind::LiftOff => return "separating",
        EventKind::SlipStart => return "sliding",
        EventKind::StickStart => return "sticking",
        EventKind::FeatureChange => return "changing",
        _ => {}
    }
    if contact.impulse == Vector3::zeros() {
        return "no-impulse";
    }
    if is_smooth(scenario, event, contact) {
        return "frictionless";
    }
    let slip = |v: &Vector3<f64>| Vector3::new(0.0, v.y, v.z);
    let (before, after) = (slip(&contact.velocity_before), slip(&contact.velocity_after));
    if after.norm() <= STICKS * speed(event) {
        "sticking"
    } else if before.dot(&after) < 0.0 {
        "reversed-sliding"
    } else {
        "sliding"
    }
}

/// Whether no friction acts at a contact: there is none, or the law knows none.
fn is_smooth(scenario: &SimulationScenario, event: &Event, contact: &EventContact) -> bool {
    let keys = ["static_friction", "kinetic_friction"];
    let none = |key: &&str| scenario.scene.parameter(contact.origin, key).unwrap_or(0.0) == 0.0;
    let law = laws::find(applied_law(scenario));
    let knows = |law: &laws::Law| law.parameters.iter().any(|parameter| parameter.key.ends_with("friction"));
    // Accumulations have a law of their own.
    let by_law = !matches!(event.kind, EventKind::Accumulation { .. });
    keys.iter().all(none) || (by_law && law.is_ok_and(|law| !knows(law)))
}

/// The greatest speed before an event, of the bodies and at the contacts. Nothing that came out enters: it would excuse itself.
fn speed(event: &Event) -> f64 {
    let bodies = event.bodies.iter().map(|(_, [before, _])| before.velocity.norm());
    let contacts = event.contacts.iter().map(|contact| contact.velocity_before.norm());
    bodies.chain(contacts).fold(0.0, f64::max)
}

/// Kinetic energy of the bodies of an event before it, J.
fn kinetic(scenario: &SimulationScenario, event: &Event) -> f64 {
    let each = event.bodies.iter().map(|(body, [before, _])| {
        let mover = &scenario.scene.bodies[*body];
        let spin = before.pose.orientation.inverse_transform_vector(&before.angular_velocity);
        0.5 * (mover.mass * before.velocity.norm_squared() + spin.dot(&(mover.inertia * spin)))
    });
    each.sum()
}

/// Whether an event is physically possible, in a word. The tolerances come from the state before.
pub(super) fn event_status(scenario: &SimulationScenario, event: &Event) -> &'static str {
    let [before, after] = event.energy;
    let approach = |contact: &EventContact| !(-contact.velocity_after.x <= STICKS * speed(event));
    let strikes = matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam);
    if !(after - before <= ROUNDING * (before.abs() + kinetic(scenario, event))) {
        "gains-energy"
    } else if strikes && event.contacts.iter().any(approach) {
        "penetrates"
    } else {
        "ok"
    }
}
