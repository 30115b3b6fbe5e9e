//! `ivanov-potential`: contact force from a potential with a coefficient of roughness instead of Coulomb friction.
//!
//! A. P. Ivanov, as given by Chatterjee 1997, 5.2.3, eq. 5.2. With δ the displacement of the bodies since first touch and
//! h = −n·δ the compression,
//!
//! ```text
//! φ = (k/2)(h² + 2 μ h |δ|),   F = −∇φ = k ((h + μ |δ|) n − μ h δ/|δ|)
//! ```
//!
//! Contact ends where h = 0. There φ = 0 as at first touch, so no energy is lost: e is 1 head-on, and what the normal motion
//! loses the tangential motion has. (Ending where F_n = 0, at h < 0, would gain energy, since φ < 0 there.) The force
//! never leaves the cone: |F_t| = k μ h |δ_t|/|δ| ≤ k μ h ≤ μ F_n.

use super::compliant::{Header, Model, Next, follow};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, Motion};
use crate::law::parameter::{FRICTION, STIFFNESS};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;
use nalgebra::{SVector, Vector2, Vector3};

/// Ivanov's rough potential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IvanovPotential {
    /// Stiffness k, N/m.
    pub stiffness: f64,
    /// Coefficient of roughness μ ≥ 0.
    pub roughness: f64,
}

type State = SVector<f64, { Header::LENGTH }>;

impl Model<{ Header::LENGTH }, 2> for IvanovPotential {
    fn force(&self, _: &Vector3<f64>, y: &State, _: &mut State) -> Vector3<f64> {
        let delta = Header::displacement(y);
        let (h, size) = (-delta.x, delta.norm());
        if size == 0.0 {
            return Vector3::zeros();
        }
        (Vector3::x() * (h + self.roughness * size) - delta * (self.roughness * h / size)) * self.stiffness
    }

    fn limits(&self, _: &Vector3<f64>, y: &State) -> [f64; 2] {
        [0.0, -Header::displacement(y).x]
    }

    fn switch(&mut self, _: usize, _: &Vector3<f64>, _: &mut State) -> Next {
        Next::Ends
    }

    fn motion(&self) -> Motion {
        if self.roughness > 0.0 { Motion::Sticking } else { Motion::Frictionless }
    }

    fn slip(&self, v: &Vector3<f64>, _: &State) -> Vector2<f64> {
        if self.roughness > 0.0 { Vector2::zeros() } else { v.yz() }
    }
}

impl IvanovPotential {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.stiffness, self.roughness], collision)
    }

    fn follow(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let stiffest = self.stiffness * (1.0 + 2.0 * self.roughness);
        let time = 1.0 / (stiffest * collision.inverse_mass().trace()).sqrt();
        let scale = (time, State::repeat(1.0));
        Ok(follow(collision, *self, State::zeros(), scale, self.roughness, history)?.0)
    }
}

pub(super) const LAW: Law = Law {
    id: "ivanov-potential",
    name: "Ivanov's rough potential",
    source: "A. P. Ivanov, in A. Chatterjee, Rigid Body Collisions, PhD thesis, Cornell, 1997, 5.2.3",
    summary: "A conservative contact force with roughness in place of Coulomb friction.",
    equations: "φ = (k/2)(h² + 2 μ h |δ|), h = −n·δ\n\
                F = −∇φ = k ((h + μ |δ|) n − μ h δ/|δ|)\n\
                contact ends where h = 0",
    caveats: "Presses on the bodies even without interference once they are displaced sideways, which is unrealistic. No \
              energy is ever lost.",
    parameters: &[STIFFNESS, FRICTION],
    guarantees: Guarantees::ALL,
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
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        IvanovPotential { stiffness: p[0], roughness: p[1] }.follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}
