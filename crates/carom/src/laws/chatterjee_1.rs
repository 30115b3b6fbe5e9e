//! `chatterjee-1`: Chatterjee's law I, the impulse from the velocity.
//!
//! Chatterjee 1997, 6.5.1 and pseudo-code 6.7.2; Chatterjee & Ruina, J. Appl. Mech. 65, 1998. In the frame opposing the
//! slip, V = (−v_n, −v_t, 0), with M = W⁻¹:
//!
//! ```text
//! d = (M_11 (1 + r_n) v_n,  min((1 + r_t) M_22 v_t, μ (1 + r_n) M_11 v_n),  0)
//! P = −2 (d·V) d/(d·W d)                     where d leaves the energy ellipsoid
//! (a)  V_n after > r_n v_n:  shrink P along d until V_n after = r_n v_n
//! (b)  0 ≤ V_n after ≤ r_n v_n:  keep P: no energy is lost
//! (c)  V_n after < 0:  P += −2 (V_n after)/W_nn n, up to the ellipsoid again
//! ```
//!
//! Only the ratio M_22/M_11 enters, so a singular W has a limit. V_n → 0⁻: d → (1, μ, 0), or 0 for r_t = −1.
//! Case (c) can return a kinematic restitution above 1 without creating energy; a note tells.

use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, RESTITUTION, TANGENTIAL_RESTITUTION};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// Chatterjee's law I.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chatterjee1 {
    /// Normal restitution parameter r_n, 0 to 1.
    pub restitution: f64,
    /// Tangential restitution parameter r_t, −1 to 1.
    pub tangential_restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

impl Chatterjee1 {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution, self.tangential_restitution, self.friction], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        if collision.velocity().x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        let (turned, back) = collision.opposing_slip();
        let (w, v) = (turned.inverse_mass(), turned.velocity());
        let v_n = -v.x;
        let direction = self.direction(&turned);
        let resistance = direction.dot(&(w * direction));
        if direction.x == 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        if resistance <= 0.0 {
            return Err(Inapplicable::UnboundedImpulse);
        }
        let mut impulse = direction * (-2.0 * direction.dot(v) / resistance);
        let normal_after = turned.velocity_after(&impulse).x;
        if normal_after > self.restitution * v_n {
            impulse *= (1.0 + self.restitution) * v_n / (normal_after + v_n);
        } else if normal_after < 0.0 {
            impulse.x -= 2.0 * normal_after / w[(0, 0)];
        }
        Ok(ContactOutcome::jump(collision, back * impulse, self.friction)
            .noting_restitution(collision, self.restitution))
    }

    fn direction(&self, turned: &Collision) -> Vector3<f64> {
        let (v_n, v_t) = (-turned.velocity().x, -turned.velocity().y);
        if v_n == 0.0 {
            let collides = v_t > 0.0 && self.tangential_restitution > -1.0;
            return if collides { Vector3::new(1.0, self.friction, 0.0) } else { Vector3::zeros() };
        }
        let normal = (1.0 + self.restitution) * v_n;
        let tangential = if v_t > 0.0 {
            let wanted = (1.0 + self.tangential_restitution) * v_t * turned.tangential_mass_ratio();
            wanted.min(self.friction * normal)
        } else {
            0.0
        };
        Vector3::new(normal, tangential, 0.0)
    }
}

/// How far an answer is from the law's equations, m/s: V_n after is r_n v_n, or no energy is lost.
fn missed(answered: &Answered, p: &[f64]) -> f64 {
    let v = answered.collision.velocity();
    let normal = answered.newton(p[0]);
    let lost = 0.5 * answered.outcome.impulse.dot(&(v + answered.after)).abs();
    let either = if normal == 0.0 { 0.0 } else { normal.min(v.norm() * lost / answered.collision.local_energy()) };
    either.max(answered.cone(p[2]))
}

pub(super) const LAW: Law = Law {
    id: "chatterjee-1",
    name: "Chatterjee's law I",
    source: "A. Chatterjee, Rigid Body Collisions, Cornell 1997, 6.5.1; A. Chatterjee & A. Ruina, J. Appl. Mech. 65, 1998",
    summary: "Impulse direction from the velocity by the bilinear law, scaled into the energy ellipsoid.",
    equations: "d = (M_11 (1 + r_n) v_n, min((1 + r_t) M_22 v_t, μ (1 + r_n) M_11 v_n), 0), frame opposing the slip\n\
                P = −2 (d·V) d/(d·W d)\n\
                if V_n after > r_n v_n: shrink P along d until V_n after = r_n v_n\n\
                if V_n after < 0: P += −2 (V_n after)/W_nn n",
    caveats: "No tangential impulse without slip; no plastic sticking in space; case (c) can give e_n > 1.",
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
        Chatterjee1 { restitution: p[0], tangential_restitution: p[1], friction: p[2] }.compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(missed(answered, p))
    }
}
