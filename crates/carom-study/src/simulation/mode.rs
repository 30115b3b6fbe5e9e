//! What happened at a contact, and whether it can.

use super::engine::stepping_settings;
use super::replay::{event_impact, law_of};
use crate::scenario::{Engine, SimulationScenario};
use carom::laws::{self, Law};
use carom::sim::{Event, EventContact, EventKind, Origin};
use carom::{ContactChange, Mode};

/// Speeds below this fraction of the speeds before an event count as rest.
const STICKS: f64 = 1e-9;
/// Energy that rises by less than this fraction of the energy before is rounding: of the ledger, which sums all energies.
const ROUNDING: f64 = 1e-12;
/// In steps, velocities are solved to 10⁻⁴ of the fastest ones (a tolerance of 10⁻³ of a tenth of them): the energy of such a residual is this
/// fraction of theirs.
const STEP_GAIN: f64 = 1e-8;

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

/// The mode that a law for one contact has itself, which may have more detail than the change at the contact, such as when the slip stopped.
fn mode_by_law(scenario: &SimulationScenario, event: &Event, law: &'static Law) -> Option<Mode> {
    let [contact] = &event.contacts[..] else { return None };
    let is_single = !law.is_simultaneous() && scenario.settings.engine == Engine::Event;
    if !is_single || !matches!(event.kind, EventKind::Impact) || !matches!(contact.origin, Origin::Parts { .. }) {
        return None;
    }
    let collision = event_impact(scenario, event, 0).ok()?.impact.collision(0).ok()?;
    let bound = law.bind_from(|key| scenario.scene.parameter(scenario.law, contact.origin, key)).ok()?;
    Some(bound.resolve_collision(&collision).ok()?.mode)
}

fn mode_of_change(
    scenario: &SimulationScenario,
    event: &Event,
    contact: &EventContact,
    law: Option<&'static Law>,
) -> Mode {
    let friction = ["static_friction", "kinetic_friction"]
        .map(|key| scenario.scene.parameter(scenario.law, contact.origin, key).unwrap_or(0.0))
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

/// The greatest speed before an event: at the contacts, and of the two motions of a body, the flight of its centre and its turning about it,
/// that make the velocity of a point at a contact. Rounding of a velocity at a contact is relative to these, which may cancel. Nothing
/// that came out enters: it would excuse itself.
fn speed(event: &Event) -> f64 {
    let contacts = event.contacts.iter().map(|contact| contact.velocity_before.norm());
    let bodies = event.bodies.iter().map(|(body, [before, _])| {
        let own = event.contacts.iter().filter(|contact| contact.bodies.contains(&Some(*body)));
        let levers = own.map(|contact| (contact.point + contact.lever - before.pose.position).norm());
        before.velocity.norm() + before.angular_velocity.norm() * levers.fold(0.0, f64::max)
    });
    contacts.chain(bodies).fold(0.0, f64::max)
}

/// Approach after an event that is slower is none, m/s: rounding, or the residual at which the solver of a step stops. The last sweep solves
/// contacts one after the other, and each that follows may move those before it by the residual.
fn slowest(scenario: &SimulationScenario, event: &Event) -> f64 {
    let speed = speed(event);
    match scenario.settings.engine {
        Engine::Event => STICKS * speed,
        Engine::Stepping => {
            let residual = stepping_settings(scenario).residual(scenario.scene.gravity().norm(), speed);
            residual * event.contacts.len() as f64
        }
    }
}

/// Kinetic energy of the bodies of an event before it, J.
fn kinetic(scenario: &SimulationScenario, event: &Event) -> f64 {
    let each = event.bodies.iter().map(|(body, [before, _])| {
        let mover = &scenario.scene.bodies()[body.index()];
        let spin = before.pose.orientation.inverse_transform_vector(&before.angular_velocity);
        0.5 * (mover.mass * before.velocity.norm_squared() + spin.dot(&(mover.inertia * spin)))
    });
    each.sum()
}

/// Energy that an event created, J; 0 where it did not rise, or by rounding or the solver's tolerance only. The tolerance comes from the state
/// before.
pub(super) fn gain(scenario: &SimulationScenario, event: &Event) -> f64 {
    let [before, after] = event.energy;
    let gain = after - before;
    let share = match scenario.settings.engine {
        Engine::Event => ROUNDING,
        Engine::Stepping => STEP_GAIN,
    };
    if gain <= share * (before.abs() + kinetic(scenario, event)) { 0.0 } else { gain }
}

/// Whether bodies still approach each other at a contact after an event that should end it. The tolerance comes from the state before.
pub(super) fn penetrates(scenario: &SimulationScenario, event: &Event) -> bool {
    let slowest = slowest(scenario, event);
    let approach = |contact: &EventContact| {
        let v = contact.velocity_after.x + contact.closing_speed;
        v.is_nan() || v < -slowest
    };
    let strikes = matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam);
    strikes && event.contacts.iter().any(approach)
}

/// Whether an event is physically possible, in a word. The tolerances come from the state before.
pub(super) fn event_status(scenario: &SimulationScenario, event: &Event) -> &'static str {
    // A change that is NaN counts as a gain.
    if gain(scenario, event) != 0.0 {
        "gains-energy"
    } else if penetrates(scenario, event) {
        "penetrates"
    } else if event.restitution_factor.is_some() {
        "restitution-lowered"
    } else {
        "ok"
    }
}
