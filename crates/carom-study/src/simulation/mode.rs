//! What happened at a contact, and whether it can.

use super::replay::{event_impact, law_of};
use crate::scenario::{Engine, SimulationScenario};
use carom::laws::{self, Law};
use carom::sim::{Event, EventContact, EventKind, Origin};
use carom::{ContactChange, Mode};

/// What is slower than this fraction of the speeds in an event is at rest.
const STICKS: f64 = 1e-9;
/// Energy that rises by less than this fraction is rounding.
const ROUNDING: f64 = 1e-12;

/// The mode of a contact in a word, the same as `carom collide` has for the impact.
pub(super) fn mode(scenario: &SimulationScenario, event: &Event, contact: &EventContact) -> &'static str {
    match event.kind {
        EventKind::LiftOff => return "separating",
        EventKind::SlipStart => return "sliding",
        EventKind::StickStart => return "sticking",
        EventKind::FeatureChange => return "changing",
        _ => {}
    }
    let law = law_of(scenario, event).and_then(|id| laws::find(id).ok());
    let followed = law.and_then(|law| mode_by_law(scenario, event, law));
    followed.unwrap_or_else(|| mode_of_change(scenario, event, contact, law)).name()
}

/// The mode that a law for one contact has itself, which may tell more than the change at the contact, such as when the slip stopped.
fn mode_by_law(scenario: &SimulationScenario, event: &Event, law: &'static Law) -> Option<Mode> {
    let [contact] = &event.contacts[..] else { return None };
    let is_single = !law.is_simultaneous() && scenario.settings.engine == Engine::Event;
    if !is_single || !matches!(event.kind, EventKind::Impact) || !matches!(contact.origin, Origin::Parts { .. }) {
        return None;
    }
    let collision = event_impact(scenario, event, 0).ok()?.impact.collision(0).ok()?;
    let bound = law.bind_from(|key| scenario.scene.parameter(contact.origin, key)).ok()?;
    Some(bound.resolve(&collision).ok()?.mode)
}

fn mode_of_change(
    scenario: &SimulationScenario,
    event: &Event,
    contact: &EventContact,
    law: Option<&'static Law>,
) -> Mode {
    let friction = ["static_friction", "kinetic_friction"]
        .map(|key| scenario.scene.parameter(contact.origin, key).unwrap_or(0.0))
        .into_iter()
        .fold(0.0, f64::max);
    Mode::of_contact(&ContactChange {
        before: contact.velocity_before,
        impulse: contact.impulse,
        after: contact.velocity_after,
        friction,
        speed: event.contacts.iter().map(|contact| contact.velocity_before.norm()).fold(0.0, f64::max),
        restores_slip: law.is_some_and(Law::restores_slip),
    })
}

/// The greatest speed in an event, of the bodies and at the contacts.
fn speed(event: &Event) -> f64 {
    let bodies = event.bodies.iter().flat_map(|(_, sides)| sides.map(|state| state.velocity.norm()));
    let contacts = event.contacts.iter().map(|contact| contact.velocity_before.norm());
    bodies.chain(contacts).fold(0.0, f64::max)
}

/// Energy that an event created, J; 0 where it did not rise, or by rounding only.
pub(super) fn gain(event: &Event) -> f64 {
    let [before, after] = event.energy;
    if after - before > ROUNDING * before.abs().max(after.abs()) { after - before } else { 0.0 }
}

/// Whether an event is physically possible, in a word.
pub(super) fn event_status(event: &Event) -> &'static str {
    let approach = |contact: &EventContact| -contact.velocity_after.x > STICKS * speed(event);
    let strikes = matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam);
    if gain(event) > 0.0 {
        "gains-energy"
    } else if strikes && event.contacts.iter().any(approach) {
        "penetrates"
    } else if event.restitution_factor.is_some() {
        "restitution-lowered"
    } else {
        "ok"
    }
}
