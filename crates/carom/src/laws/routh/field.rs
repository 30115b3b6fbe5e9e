//! W and friction as the slip sees them, and what can follow a stop.

use crate::collision::{Collision, Mobility};
use crate::polynomial::roots_within_one;
use nalgebra::{Matrix2, Vector2, Vector3};

/// W split into its parts, and friction.
pub(super) struct Field<'a> {
    pub(super) collision: &'a Collision,
    pub(super) w_nn: f64,
    /// a = W_tn.
    pub(super) a: Vector2<f64>,
    /// T = W_tt.
    pub(super) t: Matrix2<f64>,
    pub(super) mu: f64,
    /// ω = |a| + μ |T|, 1/kg: no direction makes the slip turn or change faster in τ.
    pub(super) pace: f64,
    /// Under a singular W whose immovable direction b is in the cone: V_n as a function −b_t·V_t/b_n of the slip. Taken
    /// from the impulse it would not vanish exactly where the slip stops.
    pub(super) slip_of_approach: Option<Vector2<f64>>,
    /// Under a singular W whose immovable direction is no tangent: the approach stops with the slip, and sticking changes no
    /// velocity.
    pub(super) stops_together: bool,
    /// Under a singular W: after the stop V does not change any more, or so slowly that rounding decides how.
    pub(super) endless: bool,
    /// A slower change of V_n with P_n is then rounding, 1/kg.
    pub(super) slowest: f64,
}

impl<'a> Field<'a> {
    pub(super) fn of(collision: &'a Collision, mu: f64) -> Field<'a> {
        let w = collision.inverse_mass();
        let (a, t) = (Vector2::new(w[(1, 0)], w[(2, 0)]), w.fixed_view::<2, 2>(1, 1).into_owned());
        let slip_of_approach = match collision.mobility() {
            Mobility::Plane { immovable: b } if b.x != 0.0 && collision.holds_still(mu) => Some(-b.yz() / b.x),
            _ => None,
        };
        let (w_nn, pace, endless) = (w[(0, 0)], a.norm() + mu * t.norm(), collision.grows_still(mu));
        let stops_together = matches!(collision.mobility(), Mobility::Plane { immovable } if immovable.x != 0.0);
        let slowest = if endless { collision.near_edge() * (w_nn + mu * a.norm()) } else { 0.0 };
        Field { collision, w_nn, a, t, mu, pace, slip_of_approach, stops_together, endless, slowest }
    }

    /// dV_t/dP_n while slipping along u.
    pub(super) fn push(&self, u: &Vector2<f64>) -> Vector2<f64> {
        self.a - self.t * u * self.mu
    }

    /// dV_n/dP_n while slipping along u.
    pub(super) fn normal_rate(&self, u: &Vector2<f64>) -> f64 {
        self.w_nn - self.mu * self.a.dot(u)
    }

    /// dV_n/dP_n with dP_t/dP_n = `ratio`.
    pub(super) fn normal_rate_of(&self, ratio: &Vector2<f64>) -> f64 {
        self.w_nn + self.a.dot(ratio)
    }

    /// Whether slip in any direction drives the bodies apart, so that V_n only grows.
    pub(super) fn never_jams(&self) -> bool {
        self.w_nn > self.mu * self.a.norm()
    }

    /// V_n after the impulse P, which leaves the slip `slip`.
    pub(super) fn normal_velocity(&self, p: &Vector3<f64>, slip: &Vector2<f64>) -> f64 {
        if let Some(ratio) = &self.slip_of_approach {
            return ratio.dot(slip);
        }
        self.collision.velocity().x + (self.w_nn * p.x + self.a.x * p.y + self.a.y * p.z)
    }

    /// The least friction for which a contact that slips along u without approach jams.
    pub(super) fn jamming_threshold(&self, u: &Vector2<f64>) -> f64 {
        let drive = self.a.dot(u);
        if drive > 0.0 { self.w_nn / drive } else { f64::INFINITY }
    }

    /// dP_t/dP_n while sticking, −T⁻¹ a. Under a singular W, b immovable, it is b_t/b_n: such impulses change nothing. If b
    /// is a tangent no impulse along it is needed.
    fn sticking_ratio(&self) -> Option<Vector2<f64>> {
        match self.collision.mobility() {
            Mobility::Plane { immovable } if immovable.x == 0.0 => {
                let still = immovable.yz();
                let held = self.t + still * still.transpose() * self.t.trace();
                held.lu().solve(&-self.a)
            }
            Mobility::Plane { immovable } => Some(immovable.yz() / immovable.x),
            _ => self.t.lu().solve(&-self.a),
        }
    }

    /// What follows the stop: sticking, or slip along the outgoing invariant direction. The second value tells which.
    pub(super) fn after_stop(&self) -> (Vector2<f64>, bool) {
        if let Some(ratio) = self.sticking_ratio()
            && (ratio.norm() <= self.mu || self.slip_of_approach.is_some())
        {
            return (ratio, true);
        }
        (outgoing_direction(&self.a, &self.t, self.mu) * -self.mu, false)
    }
}

/// The invariant direction along which slip leaves a stop that friction μ cannot hold: f = 0 with the largest g > 0, for a = W_tn and
/// T = W_tt.
pub(crate) fn outgoing_direction(a: &Vector2<f64>, t: &Matrix2<f64>, mu: f64) -> Vector2<f64> {
    // f(φ) = c₁ cos φ + s₁ sin φ + c₂ cos 2φ + s₂ sin 2φ, by halves of the circle.
    let (c1, s1) = (a.y, -a.x);
    let (c2, s2) = (-mu * t[(0, 1)], -0.5 * mu * (t[(1, 1)] - t[(0, 0)]));
    let mut best = (a.try_normalize(0.0).unwrap_or_else(Vector2::x), f64::NEG_INFINITY);
    for front in [1.0, -1.0] {
        let (c1, s1) = (c1 * front, s1 * front);
        let quartic = [c1 + c2, 2.0 * s1 + 4.0 * s2, -6.0 * c2, 2.0 * s1 - 4.0 * s2, c2 - c1];
        for h in roots_within_one(&quartic).as_slice() {
            let u = Vector2::new(1.0 - h * h, 2.0 * h) * (front / (1.0 + h * h));
            let growth = u.dot(&(a - t * u * mu));
            if growth > best.1 {
                best = (u, growth);
            }
        }
    }
    best.0
}
