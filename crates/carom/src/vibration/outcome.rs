//! What comes out of a collision of bodies that vibrate.

use super::rigidity::Rigidity;
use crate::course::ContactHistory;
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;
use std::fmt;

/// The prediction for a collision of bodies that vibrate.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleOutcome {
    /// The impulse and what it does to the rigid motion; the course lasts from first touch to last. There is no state of
    /// greatest compression, because the contact may have several and the bodies' motion is not the contact's.
    pub outcome: ContactOutcome,
    /// The contacts within this one collision, in order.
    pub touches: Vec<Touch>,
    /// How the search for the last contact ended.
    pub ending: Ending,
    /// Where the energy went.
    pub energy: EnergyBalance,
    /// Whether a rigid law would have done.
    pub rigidity: Rigidity,
    /// The course of the contact, if it was asked for.
    pub history: Option<ContactHistory>,
}

/// One of the contacts within a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// When it began, s after first touch.
    pub from: f64,
    /// When it ended; the same for an impulse that takes no time.
    pub to: f64,
    /// Impulse on A in the contact frame, N s.
    pub impulse: Vector3<f64>,
    /// Greatest normal force, N, not counting an impulse that takes no time; `None` if there was nothing else.
    pub peak_force: Option<f64>,
}

/// How a collision of bodies that vibrate ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The bodies part and no vibration can bring them together again.
    Apart,
    /// They still vibrate against each other after as many contacts as were allowed; the outcome is that of the contacts
    /// so far.
    TooManyTouches,
}

impl Ending {
    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Ending::Apart => "apart",
            Ending::TooManyTouches => "too-many-touches",
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Where the energy of a collision went, J: `rigid_change + vibration + damped = contact_work`, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EnergyBalance {
    /// Change of the kinetic energy of the rigid motion.
    pub rigid_change: f64,
    /// Left in vibration: a loss to anyone who watches the rigid motion.
    pub vibration: f64,
    /// Taken by the damping of the modes up to the last contact.
    pub damped: f64,
    /// Work of the contact's normal force; what it took and did not give back is negative.
    pub normal_work: f64,
    /// Work of the contact's tangential force.
    pub tangential_work: f64,
}
