//! `chatterjee-combined`: the five-parameter mixture of laws I, II and III.
//!
//! Chatterjee 1997, 6.6: `P = s₁ P_I + s₂ P_II + (1 − s₁ − s₂) P_III`. The accessible region is convex, so the mixture
//! of three admissible impulses is admissible.

use super::chatterjee_1::Chatterjee1;
use super::chatterjee_2::Chatterjee2;
use super::chatterjee_3::Chatterjee3;
use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::law::parameter::{FRICTION, Fallback, Parameter, RESTITUTION, TANGENTIAL_RESTITUTION, number};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// Chatterjee's combined law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChatterjeeCombined {
    /// Normal restitution parameter r_n, 0 to 1.
    pub restitution: f64,
    /// Tangential restitution parameter r_t, −1 to 1.
    pub tangential_restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
    /// Shares s₁ of law I and s₂ of law II; the rest is law III.
    pub shares: [f64; 2],
}

impl ChatterjeeCombined {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(
            &[self.restitution, self.tangential_restitution, self.friction, self.shares[0], self.shares[1]],
            collision,
        )
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let &ChatterjeeCombined { restitution, tangential_restitution, friction, shares: [s1, s2] } = self;
        let mut impulse = Vector3::zeros();
        if s1 > 0.0 {
            impulse += Chatterjee1 { restitution, tangential_restitution, friction }.compute(collision)?.impulse * s1;
        }
        if s2 > 0.0 {
            impulse += Chatterjee2 { restitution, tangential_restitution, friction }.compute(collision).impulse * s2;
        }
        let s3 = 1.0 - s1 - s2;
        // Shares such as 0.7 and 0.3 add up to 1 but for rounding.
        if s3 > f64::EPSILON {
            impulse += Chatterjee3 { restitution, tangential_restitution, friction }.compute(collision)?.impulse * s3;
        }
        Ok(ContactOutcome::jump(collision, impulse, friction).noting_restitution(collision, restitution))
    }
}

const SHARE_1: Parameter = number("share_1", "s₁", "share of law I", (0.0, 1.0), Fallback::Value(1.0 / 3.0));
const SHARE_2: Parameter = number("share_2", "s₂", "share of law II", (0.0, 1.0), Fallback::Value(1.0 / 3.0));

pub(super) const LAW: Law = Law {
    id: "chatterjee-combined",
    name: "Chatterjee's combined law",
    source: "A. Chatterjee, Rigid Body Collisions, Cornell 1997, 6.6",
    summary: "Convex mixture of Chatterjee's laws I, II and III.",
    equations: "P = s₁ P_I + s₂ P_II + (1 − s₁ − s₂) P_III",
    caveats: "No limit for a singular W where law III has none.",
    parameters: &[RESTITUTION, TANGENTIAL_RESTITUTION, FRICTION, SHARE_1, SHARE_2],
    guarantees: Guarantees::ALL,
    consistency: Some(("share_1 + share_2 of at most 1", |p| p[3] + p[4] <= 1.0)),
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
        ChatterjeeCombined { restitution: p[0], tangential_restitution: p[1], friction: p[2], shares: [p[3], p[4]] }
            .compute(collision)
    }
}
