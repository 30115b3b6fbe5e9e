//! `chatterjee-2`: Chatterjee's law II, the impulse from the momentum M V.
//!
//! Chatterjee 1997, 6.5.2 and pseudo-code 6.7.3; Chatterjee & Ruina, J. Appl. Mech. 65, 1998.
//!
//! ```text
//! P₁ = −V_n/W_nn n              frictionless, e = 0
//! P₂ = −M V                     plastic sticking, V after = 0
//! P = (1 + r_n) P₁ + (1 + r_t)(P₂ − P₁)                                                                       (6.7)
//! ```
//!
//! and, outside the friction cone, P moves onto the cone along the line towards (1 + r_n) P₁, on which V_n after stays
//! r_n v_n. The vertices 0, 2P₁, 2P₂, 2(P₂ − P₁) of the parallelogram of all P lie on the energy ellipsoid, so energy
//! never rises. A singular W has the limit P₂ = −W⁺ V.

use super::newton::frictionless_impulse;
use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, RESTITUTION, TANGENTIAL_RESTITUTION};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// Chatterjee's law II.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chatterjee2 {
    /// Normal restitution r_n, 0 to 1.
    pub restitution: f64,
    /// Tangential restitution r_t, −1 to 1.
    pub tangential_restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

impl Chatterjee2 {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution, self.tangential_restitution, self.friction], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> ContactOutcome {
        let v = collision.velocity();
        if v.x > 0.0 {
            return ContactOutcome::none(collision);
        }
        let frictionless = Vector3::x() * frictionless_impulse(collision);
        let sticking = -collision.mass_times(v);
        let base = frictionless * (1.0 + self.restitution);
        let wanted = base + (sticking - frictionless) * (1.0 + self.tangential_restitution);
        ContactOutcome::jump(collision, onto_cone(base.x, wanted, self.friction), self.friction)
    }
}

/// The point of the segment from the frictionless impulse `normal` n to `impulse` that is still in the friction cone
/// (Chatterjee 1997, 6.7.3: α of the pseudo-code).
pub(super) fn onto_cone(normal: f64, impulse: Vector3<f64>, friction: f64) -> Vector3<f64> {
    let tangential = impulse.yz().norm();
    if tangential <= friction * impulse.x {
        return impulse;
    }
    let limit = friction * normal;
    let share = limit / (limit - friction * impulse.x + tangential);
    let along = impulse.yz() * share;
    // Steep cones end near the frictionless impulse, flat ones near the tangent plane: no cancellation either way.
    let height = if friction > 1.0 { along.norm() / friction } else { normal + (impulse.x - normal) * share };
    Vector3::new(height, along.x, along.y)
}

pub(super) const LAW: Law = Law {
    id: "chatterjee-2",
    name: "Chatterjee's law II",
    source: "A. Chatterjee, Rigid Body Collisions, Cornell 1997, 6.5.2; A. Chatterjee & A. Ruina, J. Appl. Mech. 65, 1998",
    summary: "Impulse between the frictionless and the sticking one, moved onto the friction cone at constant e.",
    equations: "P₁ = −V_n/W_nn n, P₂ = −M V\n\
                P = (1 + r_n) P₁ + (1 + r_t)(P₂ − P₁)\n\
                outside the cone: onto it along the line to (1 + r_n) P₁",
    caveats: "The tangential impulse opposes M V, not V: the span condition often fails in space.",
    parameters: &[RESTITUTION, TANGENTIAL_RESTITUTION, FRICTION],
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
        _history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        Ok(Chatterjee2 { restitution: p[0], tangential_restitution: p[1], friction: p[2] }.compute(collision))
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(answered.newton(p[0]).max(answered.cone(p[2])))
    }
}
