//! The massless point of a contact: stuck to the tangential spring's end, or slipping.
//!
//! ```text
//! sticks   F_t = −k_t x_t,   dx_t/dt = V_t,   until k_t |x_t| = μ F_n
//! slips    F_t = −μ F_n d,   d = x_t/|x_t|,  |x_t| = r = μ F_n/k_t,   until the slip V_t·d − dr/dt falls to zero
//!          in space d turns towards V_t: dd/dt = (V_t − (V_t·d) d)/r
//! ```
//!
//! While it slips the length of x_t is known, and the state keeps its direction only. Where the time constant r/|V_t| of the
//! turn falls below a small fraction of the contact's time, τ₀, it is kept there. The direction then lags behind V_t by ω τ₀
//! instead of ω r/|V_t|, ω the rate at which V_t turns, and the force is turned on by the difference, up to its square.

use super::element::Element;
use nalgebra::{Vector2, Vector3};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tangent {
    Frictionless,
    Sticking,
    /// Slipping along a direction that does not turn: in the plane.
    Straight(Vector2<f64>),
    Turning,
}

/// Time constants of the direction are kept above this fraction of the contact's time: what is lost is the square.
const FOLLOWED: f64 = 3e-4;
/// Slip below this fraction of the speeds is none.
const NO_SLIP: f64 = 1e-11;

impl Tangent {
    /// How a contact that closes moves along its tangents: both forces start at zero, and the one that grows faster wins.
    pub(super) fn at_first_touch(element: &Element, v: &Vector3<f64>, speed: f64, planar: bool) -> Tangent {
        let slip = v.yz();
        let grows = element.friction * element.first_growth(-v.x);
        if element.friction == 0.0 {
            Tangent::Frictionless
        } else if slip.norm() <= NO_SLIP * speed
            || (element.is_damped() && v.x < 0.0)
            || element.tangential_stiffness * slip.norm() <= grows
        {
            Tangent::Sticking
        } else {
            Tangent::slipping(&slip, planar)
        }
    }

    pub(super) fn slipping(along: &Vector2<f64>, planar: bool) -> Tangent {
        if planar {
            Tangent::Straight(along.try_normalize(0.0).unwrap_or_else(Vector2::zeros))
        } else {
            Tangent::Turning
        }
    }

    /// The direction of the spring's state while the contact slips.
    pub(super) fn direction(self, x: &Vector2<f64>) -> Vector2<f64> {
        match self {
            Tangent::Straight(d) => d,
            Tangent::Turning => x.try_normalize(0.0).unwrap_or_else(Vector2::zeros),
            Tangent::Frictionless | Tangent::Sticking => Vector2::zeros(),
        }
    }
}

/// How a direction follows the slip.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turning {
    /// r/|V_t| as it is followed, times |V_t|, m.
    pub followed: f64,
    /// How much of that is too long, m.
    pub excess: f64,
}

impl Turning {
    pub(super) fn of(element: &Element, normal: f64, slip: f64) -> Turning {
        let stretch = element.friction * normal / element.tangential_stiffness;
        let followed = stretch.max(FOLLOWED * element.scale.time * slip);
        Turning { followed, excess: followed - stretch.max(0.0) }
    }
}
