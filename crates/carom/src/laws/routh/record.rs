//! The course of the process, for those who ask for it.

use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, ContactSample, Motion};
use nalgebra::{Vector2, Vector3};

/// Parts of a straight piece: V is linear in P_n there, but the works are parabolas.
const PARTS: usize = 16;

/// Writes samples into a history, if there is one.
pub(super) struct Record<'a> {
    collision: &'a Collision,
    history: Option<&'a mut ContactHistory>,
}

impl<'a> Record<'a> {
    pub(super) fn new(collision: &'a Collision, mut history: Option<&'a mut ContactHistory>) -> Record<'a> {
        if let Some(history) = &mut history {
            history.clock = Clock::NormalImpulse;
        }
        Record { collision, history }
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.history.is_some()
    }

    /// The instant of this impulse on A, after this work of the normal force.
    pub(super) fn instant(&mut self, impulse: &Vector3<f64>, normal_work: f64, motion: Motion) {
        let Some(history) = &mut self.history else { return };
        let mut velocity = self.collision.velocity_after(impulse);
        if motion == Motion::Sticking {
            // Exactly zero, where the difference of two rounded numbers would be noise.
            (velocity.y, velocity.z) = (0.0, 0.0);
        }
        history.samples.push(ContactSample {
            at: impulse.x,
            force: None,
            displacement: None,
            velocity,
            slip: Vector2::new(velocity.y, velocity.z),
            impulse: *impulse,
            normal_work,
            tangential_work: self.collision.energy_change(impulse) - normal_work,
            motion,
        });
    }

    /// A straight piece: from this impulse and work along dP/dP_n for this much normal impulse.
    pub(super) fn piece(
        &mut self,
        (from, normal_work): (&Vector3<f64>, f64),
        direction: &Vector3<f64>,
        length: f64,
        motion: Motion,
    ) {
        let Some(history) = &self.history else { return };
        let continues = history.samples.last().is_some_and(|last| last.motion == motion);
        let velocity = self.collision.velocity_after(from).x;
        let rate = self.collision.inverse_mass().row(0).transpose().dot(direction);
        for part in usize::from(continues)..=PARTS {
            let distance = length * part as f64 / PARTS as f64;
            let work = normal_work + (velocity + 0.5 * rate * distance) * distance;
            self.instant(&(from + direction * distance), work, motion);
        }
    }
}
