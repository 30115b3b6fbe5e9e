//! `bilinear`: normal and tangential restitution with a friction limit, for a diagonal inverse mass.
//!
//! Walton; Foerster et al. 1994; Chatterjee 1997, 6.4. In the frame opposing the slip, V = (−v_n, −v_t, 0) and
//! W = diag(W_nn, W_tt, ·):
//!
//! ```text
//! P = ((1 + e) v_n/W_nn,  min((1 + r_t) v_t/W_tt, μ (1 + e) v_n/W_nn),  0)                                    (6.5)
//! ```
//!
//! Spheres and disks have such a W. Where W couples normal and tangential motion the two restitutions lose their
//! meaning and energy its guarantee, so the law refuses, also for a purely sliding contact (V_n = 0). In a singular W
//! that is diagonal nothing can move along t, so there is no slip, or across, where nothing happens: the equations hold.

use super::newton::frictionless_impulse;
use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, RESTITUTION, TANGENTIAL_RESTITUTION};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// The bilinear law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bilinear {
    /// Normal restitution e, 0 to 1.
    pub restitution: f64,
    /// Tangential restitution r_t, −1 to 1.
    pub tangential_restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

/// Couplings below this fraction of W's trace are rounding.
const UNCOUPLED: f64 = 1e-12;

impl Bilinear {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution, self.tangential_restitution, self.friction], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        if collision.velocity().x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        let (turned, back) = collision.opposing_slip();
        let w = turned.inverse_mass();
        let slip = -turned.velocity().y;
        let rounding = UNCOUPLED * w.trace();
        let couplings = [w[(0, 1)], w[(0, 2)], if slip > 0.0 { w[(1, 2)] } else { 0.0 }]
            .map(|coupling| if coupling.abs() > rounding { coupling } else { 0.0 });
        if couplings != [0.0; 3] {
            return Err(Inapplicable::Coupled { couplings });
        }
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let normal = (1.0 + self.restitution) * frictionless_impulse(&turned);
        let limit = self.friction * normal;
        let tangential =
            if slip > 0.0 { limit.min((1.0 + self.tangential_restitution) * slip / w[(1, 1)]) } else { 0.0 };
        Ok(ContactOutcome::jump(collision, back * Vector3::new(normal, tangential, 0.0), self.friction))
    }
}

pub(super) const LAW: Law = Law {
    id: "bilinear",
    name: "Bilinear law (Walton; Foerster et al.)",
    source: "O. R. Walton, in Particulate Two-Phase Flow, 1993; S. F. Foerster et al., Phys. Fluids 6, 1994; \
             A. Chatterjee, Rigid Body Collisions, Cornell 1997, 6.4",
    summary: "Independent normal and tangential restitution, tangential impulse cut at the friction limit.",
    equations: "P_n = −(1 + e) V_n/W_nn\n\
                P_t = min((1 + r_t)|V_t|/W_tt, μ P_n) against the slip",
    caveats: "Only for an inverse mass that is diagonal in (n, slip, across), as for spheres and disks.",
    parameters: &[RESTITUTION, TANGENTIAL_RESTITUTION, FRICTION],
    guarantees: Guarantees { spatial: Promise::If("if W is diagonal"), ..Guarantees::ALL },
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
        Bilinear { restitution: p[0], tangential_restitution: p[1], friction: p[2] }.compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        let reversed = (answered.after.yz() + answered.collision.velocity().yz() * p[1]).norm();
        Some(answered.newton(p[0]).max(answered.cone(p[2])).max(reversed.min(answered.at_the_limit(p[2]))))
    }
}
