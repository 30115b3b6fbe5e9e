//! `stronge-compliant`: Stronge's lumped model of rough compliant bodies.
//!
//! W. J. Stronge, Planar impact of rough compliant bodies, Int. J. Impact Eng. 15, 1994; Chatterjee 1997, 5.2.4. A
//! hysteretic normal spring of energetic restitution (`bilinear-spring`, steep) beside an elastic tangential spring; the
//! ratio of the two stiffnesses decides how tangential and normal oscillation meet. With B = W_tt/W_nn, κ = k_n/k_t and no
//! coupling the regimes are, by the ratio of slip to approach:
//!
//! ```text
//! |V_t|/|V_n| < μ κ                                 sticks at first
//! |V_t|/|V_n| ≥ μ max(κ, B, B (1 + e) − κ/e)         slips throughout
//! between                                            slips, then sticks
//! ```
//!
//! since the slip of the contact point, V_t − μ κ F_n'/k_n, is monotone in loading and in unloading and needs checking at
//! their ends only. A contact that never slips has the tangential restitution −cos((1 + e)(π/2)√(B/κ)).

use super::bilinear_spring::BilinearSpring;
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory};
use crate::design::Unloading;
use crate::law::parameter::{FRICTION, RESTITUTION, STIFFNESS, STIFFNESS_RATIO};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::{ContactNote, ContactOutcome};

/// Stronge's springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StrongeCompliant {
    /// Energetic restitution e, 0 to 1.
    pub restitution: f64,
    /// Normal stiffness k_n while loading, N/m.
    pub stiffness: f64,
    /// k_t/k_n.
    pub stiffness_ratio: f64,
    /// Coefficient of friction.
    pub friction: f64,
}

impl StrongeCompliant {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution, self.stiffness, self.stiffness_ratio, self.friction], collision)
    }

    fn follow(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let springs = BilinearSpring {
            restitution: self.restitution,
            stiffness: self.stiffness,
            stiffness_ratio: self.stiffness_ratio,
            static_friction: self.friction,
            kinetic_friction: self.friction,
            unloading: Unloading::Steep,
        };
        let outcome = springs.follow(collision, history)?;
        Ok(match self.regimes(collision) {
            Some((sticks_below, slips_above)) if collision.is_approaching() && self.friction > 0.0 => {
                outcome.with_note(ContactNote::Regimes { sticks_below, slips_above })
            }
            _ => outcome,
        })
    }

    /// The ratios of slip to approach below which the contact sticks at first, and from which it slips throughout; `None`
    /// unless the collision is planar and its inverse mass does not couple normal and tangent.
    pub fn regimes(&self, collision: &Collision) -> Option<(f64, f64)> {
        let section = collision.planar_section()?;
        let w = &section.inverse_mass;
        if w[(0, 1)].abs() > UNCOUPLED * w.trace() {
            return None;
        }
        let (b, kappa, e) = (w[(1, 1)] / w[(0, 0)], self.stiffness_ratio.recip(), self.restitution);
        let at_end = if e > 0.0 { b * (1.0 + e) - kappa / e } else { b };
        Some((self.friction * kappa, self.friction * kappa.max(b).max(at_end)))
    }
}

/// Coupling below this share of the inverse mass is rounding.
const UNCOUPLED: f64 = 1e-12;

pub(super) const LAW: Law = Law {
    id: "stronge-compliant",
    name: "Stronge's compliant contact",
    source: "W. J. Stronge, Planar impact of rough compliant bodies, Int. J. Impact Eng. 15, 1994",
    summary: "A hysteretic normal spring of energetic restitution beside an elastic tangential spring with friction.",
    equations: "loading F_n = k x up to x_m, unloading F_n = k x_m − (k/e²)(x_m − x)\n\
                F_t = −k_t x_t, |F_t| ≤ μ F_n\n\
                sticks at first for |V_t|/|V_n| < μ k/k_t\n\
                slips throughout for |V_t|/|V_n| ≥ μ max(κ, B, B(1 + e) − κ/e), κ = k/k_t, B = W_tt/W_nn",
    caveats: "Tangential restitution is a sharp function of the ratio of the stiffnesses. The regimes hold without coupling.",
    parameters: &[RESTITUTION, STIFFNESS, STIFFNESS_RATIO, FRICTION],
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
        StrongeCompliant { restitution: p[0], stiffness: p[1], stiffness_ratio: p[2], friction: p[3] }
            .follow(collision, history)
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::Time)
    }
}
