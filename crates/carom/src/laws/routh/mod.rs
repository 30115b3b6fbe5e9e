//! `routh-poisson`, `routh-newton`, `routh-stronge`: Routh's process of accumulating impulse.
//!
//! Routh 1860; planar closed form and contact modes: Wang & Mason 1992, sections 3.3–3.5; in space: Keller 1986, and the
//! file `spatial.rs`. The normal impulse is the clock. Friction opposes the slip at its limit; when the slip stops, the
//! contact sticks if the friction that needs is available, and slips back otherwise. In the plane:
//!
//! ```text
//! dV/dP_n = W (1, η)
//! η = −μ sign(V_t)            slipping
//! η = η_s = −W_nt/W_tt        sticking, if |η_s| ≤ μ
//! η = μ sign(η_s)             slipping back, otherwise
//! ```
//!
//! so V is piecewise linear in P_n with at most two pieces. Compression ends where V_n = 0, at P_n = P_c; the
//! collision ends by one of three hypotheses:
//!
//! ```text
//! Poisson   P_n = (1 + e) P_c
//! Newton    V_n = −e V_n before
//! Stronge   work of V_n dP_n in restitution = −e² work in compression
//! ```
//!
//! Energy never rises for Poisson (Wang & Mason, appendix; in space Ivanov 1992) and Stronge; with Newton's hypothesis it can.
//! If the first piece drives the bodies together, W_nn − μ sign(V_t) W_nt < 0, the contact jams: V_n falls until the
//! slip stops. That makes a purely sliding contact (V_n = 0) collide when μ exceeds the Painlevé threshold
//! W_nn/(sign(V_t) W_nt), the tangential impact of Wang & Mason, 3.4.1. After the slip has stopped V_n always grows:
//! the rates W_nn − W_nt²/W_tt (stick) and W_nn − μ|W_nt| with μ < |η_s| (slip back) are positive by definiteness.
//!
//! Singular W = σ w wᵀ: V stays along w, so slip and approach stop together, and sticking then leaves V unchanged.
//! Newton's and Stronge's endings are never reached; only Poisson's has a limit. In it the approach left when the slip
//! stops and the rate at which sticking removes it vanish alike, as ε of an almost singular W: with w a unit vector,
//! V_n = ε P_s (1 − μ w_n/|w_t|) and the rate is ε/w_t². If μ w_n > |w_t| compression therefore goes on through the finite
//! stretch P_s (μ w_n |w_t| − w_t²) of sticking.

mod planar;
mod spatial;

use super::law::{Guarantees, Inapplicable, Kernel, Law, Promise};
use super::parameter::{FRICTION, RESTITUTION};
use crate::collision::Collision;
use crate::course::History;
use crate::outcome::Outcome;
use nalgebra::Vector2;

/// How restitution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Kinetic: the normal impulse of restitution is e times that of compression.
    Poisson,
    /// Kinematic: the normal velocity reaches −e times its first value.
    Newton,
    /// Energetic: the normal force gives back e² of the work it took.
    Stronge,
}

/// Routh's process with one of three endings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Routh {
    /// Coefficient of restitution e, 0 to 1, in the sense of `termination`.
    pub restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
    /// What e means.
    pub termination: Termination,
}

impl Routh {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<Outcome, Inapplicable> {
        self.follow(collision, None)
    }

    fn follow(&self, collision: &Collision, _history: Option<&mut History>) -> Result<Outcome, Inapplicable> {
        if collision.velocity().x > 0.0 {
            return Ok(Outcome::none(collision));
        }
        if self.friction == 0.0 {
            // Nothing pushes along the tangents: any plane through the normal will do.
            return self.planar(collision, &collision.section(&Vector2::x()));
        }
        match collision.planar_section() {
            Some(section) => self.planar(collision, &section),
            None => self.spatial(collision),
        }
    }
}

const fn law(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    equations: &'static str,
    caveats: &'static str,
    energy: Promise,
    resolve: fn(&Collision, &[f64], Option<&mut History>) -> Result<Outcome, Inapplicable>,
) -> Law {
    Law {
        id,
        name,
        source: "E. J. Routh, Dynamics of a System of Rigid Bodies, 1860; J. B. Keller, Impact with friction, J. Appl. \
                 Mech. 53, 1986; Y. Wang & M. T. Mason, Two-dimensional rigid-body collisions with friction, J. Appl. \
                 Mech. 59, 1992",
        summary,
        equations,
        caveats,
        parameters: &[RESTITUTION, FRICTION],
        guarantees: Guarantees { energy, tangential_restitution: Promise::No, ..Guarantees::ALL },
        consistency: None,
        kernel: Kernel::Accumulate(resolve),
    }
}

macro_rules! equations {
    ($end:literal) => {
        concat!(
            "dV/dP_n = W (1, η), η = dP_t/dP_n\n",
            "η = −μ V_t/|V_t| while slipping\n",
            "η = η_s = −W_tt⁻¹ W_tn after the slip stopped, if |η_s| ≤ μ: sticking\n",
            "η = −μ u after the slip stopped, otherwise: slipping on along u with W_tn − μ W_tt u = g u, g > 0\n",
            "compression ends where V_n = 0, at P_n = P_c\n",
            $end
        )
    };
}

pub(super) const POISSON: Law = law(
    "routh-poisson",
    "Routh's process with Poisson's hypothesis",
    "Follows the impulse with Coulomb friction; restitution gives e times the normal impulse of compression.",
    equations!("the collision ends at P_n = (1 + e) P_c"),
    "The slip of a sphere never reverses; the kinematic restitution is an outcome and differs from e in general.",
    Promise::Yes,
    |collision, p, history| {
        Routh { restitution: p[0], friction: p[1], termination: Termination::Poisson }.follow(collision, history)
    },
);

pub(super) const NEWTON: Law = law(
    "routh-newton",
    "Routh's process with Newton's hypothesis",
    "Follows the impulse with Coulomb friction until the normal velocity is −e times its first value.",
    equations!("the collision ends at V_n = −e V_n before"),
    "Can create energy when the slip stops or reverses; cannot tell elastic from plastic when V_n = 0.",
    Promise::No,
    |collision, p, history| {
        Routh { restitution: p[0], friction: p[1], termination: Termination::Newton }.follow(collision, history)
    },
);

pub(super) const STRONGE: Law = law(
    "routh-stronge",
    "Routh's process with Stronge's hypothesis",
    "Follows the impulse with Coulomb friction until the normal force has given back e² of the work it took.",
    equations!("the collision ends where ∫V_n dP_n in restitution = −e² ∫V_n dP_n in compression"),
    "The slip of a sphere never reverses.",
    Promise::Yes,
    |collision, p, history| {
        Routh { restitution: p[0], friction: p[1], termination: Termination::Stronge }.follow(collision, history)
    },
);
