//! `pfeiffer-glocker`: two phases with normal and tangential Poisson restitution, planar, one contact.
//!
//! Pfeiffer & Glocker, Multibody Dynamics with Unilateral Contacts, 1996; Chatterjee 1997, 5.1.5.
//!
//! ```text
//! compression   V_n = 0 at its end, with Whittaker's friction: impulse P_C, velocity V_C
//! P_En = e P_Cn
//! stored        S = ½ (μ ν P_En + e e_t |P_Ct|),   limit left  L = μ P_En − S
//! expansion     V_t = 0 and |P_Et − S sign(P_Ct)| ≤ L,   or   P_Et = S sign(P_Ct) − L sign(V_t after)
//! P = P_C + P_E
//! ```
//!
//! The expansion's linear complementarity problem is a clamp, since V_t after grows with P_Et:
//! P_Et = clamp(−(V_Ct + W_nt P_En)/W_tt, S s − L, S s + L), s = sign(P_Ct).
//!
//! The stored impulse jumps with sign(P_Ct): a collision whose compression needs no friction is a singular case of the
//! law itself. The published proof that energy does not rise is wrong; for one contact no counterexample is known (10⁵ random
//! collisions in the tests).

use super::whittaker::Whittaker;
use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, RESTITUTION, RETURNED_TANGENTIAL, STORED_FRICTION};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::{Compression, ContactOutcome};
use nalgebra::Vector3;

/// The law of Pfeiffer and Glocker for one contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PfeifferGlocker {
    /// Kinetic normal restitution e, 0 to 1.
    pub restitution: f64,
    /// Tangential restitution e_t, 0 to 1.
    pub tangential_restitution: f64,
    /// Share ν of the friction limit that stores tangential impulse, 0 to 1.
    pub stored_friction: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

/// A tangential impulse of compression this small, relative to the normal one, is rounding and has no sign.
const NO_FRICTION: f64 = 1e-13;

impl PfeifferGlocker {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(
            &[self.restitution, self.tangential_restitution, self.stored_friction, self.friction],
            collision,
        )
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        if collision.velocity().x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        let section = collision.planar_section().ok_or(Inapplicable::NotPlanar)?;
        let compression =
            Whittaker { restitution: 0.0, static_friction: self.friction, kinetic_friction: self.friction };
        let compressed = compression.compute(collision)?;
        let along = |v: &Vector3<f64>| v.yz().dot(&section.tangent);
        let (c_n, c_t) = (compressed.impulse.x, along(&compressed.impulse));

        let e_n = self.restitution * c_n;
        let stored = 0.5
            * (self.friction * self.stored_friction * e_n + self.restitution * self.tangential_restitution * c_t.abs());
        let limit = self.friction * e_n - stored;
        let centre = if c_t.abs() <= NO_FRICTION * c_n { 0.0 } else { stored.copysign(c_t) };
        let w = &section.inverse_mass;
        let stop =
            if w[(1, 1)] > 0.0 { -(along(&compressed.velocity_after) + w[(0, 1)] * e_n) / w[(1, 1)] } else { 0.0 };
        let e_t = stop.max(centre - limit).min(centre + limit);
        let mut outcome = ContactOutcome::jump(collision, section.to_contact(c_n + e_n, c_t + e_t), self.friction);
        outcome.compression = Some(Compression { impulse: compressed.impulse, works: None });
        Ok(outcome)
    }
}

pub(super) const LAW: Law = Law {
    id: "pfeiffer-glocker",
    name: "Pfeiffer and Glocker's two-phase law",
    source: "F. Pfeiffer & C. Glocker, Multibody Dynamics with Unilateral Contacts, 1996",
    summary: "Compression and expansion as two complementarity problems, with normal and tangential restitution.",
    equations: "compression: V_n = 0 at its end, Coulomb friction on the final slip; impulse P_C, velocity V_C\n\
                P_En = e P_Cn\n\
                S = ½ (μ ν P_En + e e_t |P_Ct|), L = μ P_En − S, s = sign(P_Ct)\n\
                P_Et = clamp(−(V_Ct + W_nt P_En)/W_tt, S s − L, S s + L)\n\
                P = P_C + P_E",
    caveats: "Planar; the published energy proof is wrong, though for one contact no counterexample is known.",
    parameters: &[RESTITUTION, RETURNED_TANGENTIAL, STORED_FRICTION, FRICTION.finite()],
    guarantees: Guarantees {
        energy: Promise::If("no counterexample known"),
        spatial: Promise::If("if planar, also turned in space"),
        ..Guarantees::ALL
    },
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
        PfeifferGlocker { restitution: p[0], tangential_restitution: p[1], stored_friction: p[2], friction: p[3] }
            .compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(answered.poisson(p[0]).max(answered.cone(p[3])))
    }
}
