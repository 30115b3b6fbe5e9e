//! What the contact did, written down in SI units.

use super::process::Phase;
use super::scaled::Scaled;
use super::slip::Slip;
use super::springs::Contact;
use super::state::State;
use crate::course::{Clock, ContactHistory, ContactSample, Motion};
use crate::outcome::Path;
use nalgebra::Vector2;

/// The path of the impulse, and the history if it is wanted.
pub(super) struct Log<'a> {
    scaled: &'a Scaled<'a>,
    contact: Contact,
    history: Option<&'a mut ContactHistory>,
    pub path: Path,
}

impl<'a> Log<'a> {
    pub fn new(scaled: &'a Scaled<'a>, contact: &Contact, mut history: Option<&'a mut ContactHistory>) -> Log<'a> {
        if let Some(history) = &mut history {
            history.clock = Clock::Time;
        }
        let mut path = Path::default();
        path.push(scaled.to_contact(&Vector2::zeros(), 1.0));
        Log { scaled, contact: *contact, history, path }
    }

    pub fn is_wanted(&self) -> bool {
        self.history.is_some()
    }

    /// The path of the impulse curves through a state.
    pub fn thread(&mut self, state: &State) {
        self.path.thread(self.scaled.to_contact(&state.impulse, self.scaled.units.impulse));
    }

    /// The path of the impulse has a corner at a state, or its end.
    pub fn corner(&mut self, state: &State) {
        self.path.finish(self.scaled.to_contact(&state.impulse, self.scaled.units.impulse));
    }

    /// An instant of a phase.
    pub fn sample(&mut self, state: &State, phase: Phase) {
        let Some(history) = &mut self.history else { return };
        let (scaled, units) = (self.scaled, &self.scaled.units);
        // Where contact ends the force is zero, even if sticking springs let it grow up to there.
        let force = if state.root > 0.0 {
            Vector2::from(self.contact.push(state.root, state.extension)) / state.root
        } else {
            Vector2::zeros()
        };
        let (slip, motion) = match phase {
            Phase::Slip(_) if self.contact.friction == 0.0 => (state.velocity.y, Motion::Frictionless),
            Phase::Slip(sign) => (sign * Slip::excess(sign, &self.contact, &state.velocity), Motion::Slipping),
            Phase::Stick => (0.0, Motion::Sticking),
        };
        let displacement = Vector2::new(-state.root * state.root, state.travel);
        history.samples.push(ContactSample {
            at: state.time * units.time,
            force: Some(scaled.to_contact(&force, units.force)),
            displacement: Some(scaled.to_contact(&displacement, units.length)),
            velocity: scaled.to_contact(&state.velocity, units.speed),
            slip: scaled.tangent() * (slip * units.speed),
            impulse: scaled.to_contact(&state.impulse, units.impulse),
            normal_work: state.normal_work * units.work,
            tangential_work: (scaled.energy_change(&state.impulse) - state.normal_work) * units.work,
            motion,
        });
    }
}
