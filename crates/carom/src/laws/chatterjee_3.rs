//! `chatterjee-3`: Chatterjee's law III, the velocity after from the velocity before.
//!
//! Chatterjee 1997, 6.5.3 and pseudo-code 6.7.4; Chatterjee & Ruina, J. Appl. Mech. 65, 1998.
//!
//! ```text
//! U = (−r_n V_n, −r_t V_t)                  wanted velocity after
//! U := U/γ,  γ = max(1, √(U·M U / V·M V))   no gain of energy
//! P = M (U − V)
//! ```
//!
//! and, outside the friction cone, P moves onto the cone along the line towards the frictionless impulse
//! (1 + r_n) P₁ = −(1 + r_n) V_n/W_nn n, on which e_n need not be constant.
//!
//! Singular W, N the projector onto the immovable directions: γ grows like √λ unless N U = 0, and P without bound along
//! N U. Where that direction leaves the cone the point on the cone has a limit, `P = (1 + r_n) P₁ + s N U` with s from
//! the cone; where it stays inside there is none.

use super::chatterjee_2::onto_cone;
use super::newton::frictionless_impulse;
use crate::collision::{Collision, LocalMass};
use crate::course::ContactHistory;
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, RESTITUTION, TANGENTIAL_RESTITUTION};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// Chatterjee's law III.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chatterjee3 {
    /// Normal restitution parameter r_n, 0 to 1.
    pub restitution: f64,
    /// Tangential restitution parameter r_t, −1 to 1.
    pub tangential_restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

/// Part of the wanted velocity along immovable directions that is rounding, relative to the whole.
const COMPATIBLE: f64 = 1e-12;

impl Chatterjee3 {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution, self.tangential_restitution, self.friction], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let v = collision.velocity();
        if v.x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        let wanted = Vector3::new(
            -self.restitution * v.x,
            -self.tangential_restitution * v.y,
            -self.tangential_restitution * v.z,
        );
        let normal = (1.0 + self.restitution) * frictionless_impulse(collision);
        // N V = 0 leaves N U = (r_n − r_t) N (0, V_t), whose direction has all its digits.
        let gap = self.restitution - self.tangential_restitution;
        let blocked = collision.immovable_part(&(Vector3::new(0.0, v.y, v.z) * gap));
        let impulse = if blocked.norm() > COMPATIBLE * v.norm() {
            if collision.grows_along(&blocked, self.friction) {
                return Err(Inapplicable::UnboundedImpulse);
            }
            self.unbounded_direction(normal, &blocked)
        } else {
            let mass = LocalMass::of(collision);
            let twice_energy = |u: &Vector3<f64>| u.dot(&mass.times(u));
            let gain = (twice_energy(&wanted) / twice_energy(v)).sqrt().max(1.0);
            onto_cone(normal, mass.times(&(wanted / gain - v)), self.friction)
        };
        Ok(ContactOutcome::jump(collision, impulse, self.friction).noting_restitution(collision, self.restitution))
    }

    /// The limit of the point on the cone between the frictionless impulse and one that grows along `direction`.
    fn unbounded_direction(&self, normal: f64, direction: &Vector3<f64>) -> Vector3<f64> {
        let leaving = direction.yz().norm() - self.friction * direction.x;
        let share = self.friction * normal / leaving;
        let along = direction.yz() * share;
        // As in law II: no cancellation on steep cones.
        let height = if self.friction > 1.0 { along.norm() / self.friction } else { normal + direction.x * share };
        Vector3::new(height, along.x, along.y)
    }
}

/// How far an answer is from the law's equations, m/s: V after is along U, or friction is at its limit.
fn missed(answered: &Answered, p: &[f64]) -> f64 {
    let v = answered.collision.velocity();
    let wanted = Vector3::new(-p[0] * v.x, -p[1] * v.y, -p[1] * v.z);
    let size = wanted.norm_squared();
    let along = if size > 0.0 { wanted * (answered.after.dot(&wanted) / size).max(0.0) } else { wanted };
    (answered.after - along).norm().min(answered.at_the_limit(p[2])).max(answered.cone(p[2]))
}

pub(super) const LAW: Law = Law {
    id: "chatterjee-3",
    name: "Chatterjee's law III",
    source: "A. Chatterjee, Rigid Body Collisions, Cornell 1997, 6.5.3; A. Chatterjee & A. Ruina, J. Appl. Mech. 65, 1998",
    summary: "Velocity after from normal and tangential restitution, scaled to lose energy, moved onto the cone.",
    equations: "U = (−r_n V_n, −r_t V_t), γ = max(1, √(U·M U / V·M V))\n\
                P = M (U/γ − V)\n\
                outside the cone: onto it along the line to −(1 + r_n) V_n/W_nn n",
    caveats: "The kinematic restitution may fall below r_n; for a singular W and r_t < r_n there may be no limit.",
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
        Chatterjee3 { restitution: p[0], tangential_restitution: p[1], friction: p[2] }.compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(missed(answered, p))
    }
}
