//! The outcome of one contact.

use super::mode::length;
use super::{ContactChange, ContactNote, Mode, Notes, Path};
use crate::collision::Collision;
use crate::course::Course;
use nalgebra::Vector3;

/// The prediction of a law for one contact. Plain data without allocation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOutcome {
    /// Impulse on A in the contact frame (n, t1, t2), kg m/s.
    pub impulse: Vector3<f64>,
    /// Relative velocity after the collision in the contact frame, m/s.
    pub velocity_after: Vector3<f64>,
    /// What the contact did.
    pub mode: Mode,
    /// The state at greatest compression, for laws that follow the impulse through the collision.
    pub compression: Option<Compression>,
    /// The path of the accumulated impulse, for laws that have one.
    pub path: Path,
    /// How the collision went, for laws that follow it.
    pub course: Option<Course>,
    /// What the caller should know about this prediction.
    pub notes: Notes,
}

impl ContactOutcome {
    /// The outcome of an impulse (n, t1, t2) that no path leads to, for instance a measured one; the mode is read off the outcome
    /// itself.
    pub fn jump(collision: &Collision, impulse: Vector3<f64>, friction: f64) -> ContactOutcome {
        ContactOutcome::of_impulse(collision, impulse, friction, true)
    }

    /// The outcome of an impulse by a law that can give back tangential velocity or cannot.
    pub(crate) fn of_impulse(
        collision: &Collision,
        impulse: Vector3<f64>,
        friction: f64,
        restores_slip: bool,
    ) -> ContactOutcome {
        let (before, after) = (*collision.velocity(), collision.velocity_after(&impulse));
        let speed = length(before.as_slice()).max(length(after.as_slice()));
        ContactOutcome::of_change(&ContactChange { before, impulse, after, friction, speed, restores_slip })
    }

    /// The outcome of a contact of which no more than the change is known.
    pub(crate) fn of_change(change: &ContactChange) -> ContactOutcome {
        ContactOutcome {
            impulse: change.impulse,
            velocity_after: change.after,
            mode: Mode::of_contact(change),
            compression: None,
            path: Path::default(),
            course: None,
            notes: Notes::default(),
        }
    }

    /// Nothing happens: the bodies do not approach.
    pub(crate) fn none(collision: &Collision) -> ContactOutcome {
        ContactOutcome::jump(collision, Vector3::zeros(), 0.0)
    }

    pub(crate) fn with_note(mut self, note: ContactNote) -> ContactOutcome {
        self.notes.push(note);
        self
    }

    /// Notes a kinematic restitution that is not the parameter.
    pub(crate) fn noting_restitution(self, collision: &Collision, parameter: f64) -> ContactOutcome {
        match self.restitution(collision).newton {
            Some(outcome) if (outcome - parameter).abs() > NOTEWORTHY => {
                self.with_note(ContactNote::RestitutionDiffers { parameter, outcome })
            }
            _ => self,
        }
    }

    /// The restitution coefficients this outcome has.
    pub fn restitution(&self, collision: &Collision) -> Restitution {
        let before = collision.velocity();
        let ratio = |numerator: f64, denominator: f64| (denominator != 0.0).then(|| numerator / denominator);
        Restitution {
            newton: if before.x < 0.0 { ratio(-self.velocity_after.x, before.x) } else { None },
            poisson: self.compression.and_then(|c| ratio(self.impulse.x - c.impulse.x, c.impulse.x)),
            stronge: self
                .compression
                .and_then(|c| c.works)
                .and_then(|works| ratio(works.restitution, -works.compression).map(|squared| squared.max(0.0).sqrt())),
            ivanov: ratio(-self.impulse.dot(&self.velocity_after), self.impulse.dot(before)),
        }
    }
}

/// A restitution that differs from its parameter by more is no rounding.
const NOTEWORTHY: f64 = 1e-9;

/// The four coefficients of restitution of the literature; one that an outcome does not define is `None`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Restitution {
    /// Kinematic: −V_n after / V_n before.
    pub newton: Option<f64>,
    /// Kinetic: normal impulse of restitution / of compression.
    pub poisson: Option<f64>,
    /// Energetic: √(−normal work of restitution / of compression).
    pub stronge: Option<f64>,
    /// Ivanov's η, kinematic restitution along the impulse: −(P·V after)/(P·V before).
    pub ivanov: Option<f64>,
}

/// The state at the end of compression, V_n = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Compression {
    /// Impulse accumulated so far, contact frame, kg m/s.
    pub impulse: Vector3<f64>,
    /// The works of the contact force, for laws that follow it.
    pub works: Option<Works>,
}

/// Work of the contact force, in J; the three sum to the change of kinetic energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Works {
    /// Of the normal force while the bodies approach, ∫V_n dP_n; never positive.
    pub compression: f64,
    /// Of the normal force while they part; never negative.
    pub restitution: f64,
    /// Of the tangential force, ∫V_t·dP_t.
    pub tangential: f64,
}

impl Works {
    /// The works of an impulse whose normal part did this much.
    pub(crate) fn of(collision: &Collision, impulse: &Vector3<f64>, compression: f64, restitution: f64) -> Works {
        Works { compression, restitution, tangential: collision.energy_change(impulse) - compression - restitution }
    }
}
