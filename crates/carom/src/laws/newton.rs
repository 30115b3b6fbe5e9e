//! `newton`: frictionless impact with kinematic restitution.
//!
//! Newton, Principia 1687, Scholium to the laws of motion. With W_nn the normal entry of the inverse mass,
//!
//! ```text
//! V_n after = −e V_n,   P = (1 + e)(−V_n)/W_nn n
//! ```
//!
//! For a frictionless collision the kinematic, kinetic, energetic and Ivanov coefficients are the same number. Energy
//! falls by ½(1 − e²) V_n²/W_nn.

use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::law::check::Answered;
use crate::law::parameter::RESTITUTION;
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::{Compression, ContactOutcome, Mode, Works};
use nalgebra::Vector3;

/// Newton's frictionless law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Newton {
    /// Coefficient of normal restitution e, 0 to 1.
    pub restitution: f64,
}

impl Newton {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution], collision)
    }

    pub(crate) fn compute(self, collision: &Collision) -> ContactOutcome {
        if !collision.is_approaching() {
            return ContactOutcome::none(collision);
        }
        let compressed = frictionless_impulse(collision);
        let work_compression = 0.5 * compressed * collision.velocity().x;
        let mut outcome = ContactOutcome::jump(collision, Vector3::x() * (compressed * (1.0 + self.restitution)), 0.0);
        outcome.mode = Mode::Frictionless;
        outcome.compression = Some(Compression {
            impulse: Vector3::x() * compressed,
            works: Some(Works {
                compression: work_compression,
                restitution: -work_compression * self.restitution.powi(2),
                tangential: 0.0,
            }),
        });
        outcome.path.push(Vector3::zeros());
        outcome.path.push(outcome.impulse);
        outcome
    }
}

/// The frictionless normal impulse that just stops the approach, −V_n/W_nn (point P₁ of Chatterjee 1997, 3.4).
pub(super) fn frictionless_impulse(collision: &Collision) -> f64 {
    -collision.velocity().x / collision.inverse_mass()[(0, 0)]
}

pub(super) const LAW: Law = Law {
    id: "newton",
    name: "Newton's law of impact",
    source: "I. Newton, Philosophiæ Naturalis Principia Mathematica, 1687",
    summary: "Frictionless; the normal velocity comes back multiplied by −e.",
    equations: "V_n after = −e V_n\nP = (1 + e)(−V_n)/W_nn n",
    caveats: "Ignores friction altogether.",
    parameters: &[RESTITUTION],
    guarantees: Guarantees { tangential_restitution: Promise::No, ..Guarantees::ALL },
    consistency: None,
    method: Method::OneContact(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl OneContact for Entry {
    fn resolve(
        &self,
        collision: &Collision,
        p: &[f64],
        _history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        Ok(Newton { restitution: p[0] }.compute(collision))
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(answered.newton(p[0]))
    }
}
