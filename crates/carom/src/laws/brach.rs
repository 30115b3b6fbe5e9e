//! `brach`: restitution and impulse ratio prescribed.
//!
//! Brach 1989, Rigid body collisions, J. Appl. Mech. 56; Chatterjee 1997, 5.1.1 (which gives no equation; this is 6.2).
//! In the frame whose t opposes the slip (any fixed t without slip), d = (1, k, k'):
//!
//! ```text
//! P_n = −(1 + e) V_n/(n·W d),   P = P_n d
//! ```
//!
//! Every admissible outcome can be asked for, and many inadmissible ones. What energy allows along the direction of
//! (k, k') is the interval around k = 0 where
//!
//! ```text
//! (1 + e)(−V_n)(d·W d) ≤ −2 (d·V)(n·W d)
//! ```
//!
//! a quadratic in the length of (k, k'); friction cuts it at ±μ, and P_n > 0 at n·W d = 0. The interval is reported;
//! outside it the outcome is computed as asked and the audit tells.

use super::check::Check;
use super::law::{Guarantees, Inapplicable, Kernel, Law, Promise};
use super::parameter::{FRICTION, Fallback, Parameter, RESTITUTION, number};
use crate::collision::Collision;
use crate::outcome::{Note, Outcome};
use nalgebra::{Vector2, Vector3};

/// Brach's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brach {
    /// Kinematic restitution e, 0 to 1.
    pub restitution: f64,
    /// Impulse ratio k against the slip.
    pub impulse_ratio: f64,
    /// Impulse ratio k' across the slip.
    pub lateral_impulse_ratio: f64,
    /// Coefficient of friction, for the bound on the ratio only.
    pub friction: f64,
}

impl Brach {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<Outcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(Outcome::none(collision));
        }
        let (turned, back) = collision.opposing_slip();
        let direction = Vector3::new(1.0, self.impulse_ratio, self.lateral_impulse_ratio);
        let rate = (turned.inverse_mass() * direction).x;
        if rate <= 0.0 {
            return Err(Inapplicable::NoSolution);
        }
        let impulse = direction * (-(1.0 + self.restitution) * turned.velocity().x / rate);
        let (least, greatest) = self.admissible(&turned, &direction);
        Ok(Outcome::jump(collision, back * impulse, self.friction).with_note(Note::RatioBounds { least, greatest }))
    }

    /// Admissible lengths of the ratio along its own direction.
    fn admissible(&self, collision: &Collision, direction: &Vector3<f64>) -> (f64, f64) {
        let (w, v) = (collision.inverse_mass(), collision.velocity());
        let t = direction.yz().try_normalize(0.0).unwrap_or_else(Vector2::x);
        // Ratios are counted against the slip, also when the one asked for goes with it.
        let t = if t.x < 0.0 || (t.x == 0.0 && t.y < 0.0) { -t } else { t };
        let t = Vector3::new(0.0, t.x, t.y);
        let (w_nn, w_nt, w_tt) = (w[(0, 0)], (w * t).x, t.dot(&(w * t)));
        let (v_n, slip) = (-v.x, t.dot(v));
        // a k² + b k + c ≤ 0 with c ≤ 0: the interval between the roots next to zero.
        let a = (1.0 + self.restitution) * v_n * w_tt + 2.0 * slip * w_nt;
        let b = 2.0 * self.restitution * v_n * w_nt + 2.0 * slip * w_nn;
        let c = (self.restitution - 1.0) * v_n * w_nn;
        let (mut least, mut greatest) = (-self.friction, self.friction);
        let discriminant = b * b - 4.0 * a * c;
        if b == 0.0 && c == 0.0 {
            // Elastic and head-on: any ratio creates energy if the quadratic rises, none does if it falls.
            if a > 0.0 {
                return (0.0, 0.0);
            }
        } else if discriminant >= 0.0 {
            let q = -0.5 * (b + discriminant.sqrt().copysign(b));
            for root in [q / a, c / q].into_iter().filter(|root| root.is_finite()) {
                // At c = 0 (e = 1) one root is zero; the other side of the interval is told by the sign of b.
                if root > 0.0 || (root == 0.0 && b > 0.0) {
                    greatest = greatest.min(root);
                } else {
                    least = least.max(root);
                }
            }
        }
        let jam = -w_nn / w_nt;
        if jam > 0.0 {
            greatest = greatest.min(jam);
        } else if jam < 0.0 {
            least = least.max(jam);
        }
        (least, greatest)
    }
}

const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
const IMPULSE_RATIO: Parameter =
    number("impulse_ratio", "k", "impulse ratio P_t/P_n against the slip", ANY, Fallback::Required);
const LATERAL_IMPULSE_RATIO: Parameter =
    number("lateral_impulse_ratio", "k'", "impulse ratio across the slip", ANY, Fallback::Value(0.0)).leaving_plane();

pub(super) const LAW: Law = Law {
    id: "brach",
    name: "Brach's law",
    source: "R. M. Brach, Rigid body collisions, J. Appl. Mech. 56, 1989",
    summary: "Kinematic restitution and the ratio of tangential to normal impulse are prescribed.",
    equations: "d = (1, k, k') in the frame (n, against the slip, across)\n\
                P = −(1 + e) V_n d/(n·W d)",
    caveats: "Nothing keeps the outcome admissible: the bounds on k are reported and the audit tells.",
    parameters: &[RESTITUTION, IMPULSE_RATIO, LATERAL_IMPULSE_RATIO, FRICTION],
    guarantees: Guarantees {
        energy: Promise::If("if k is within the reported bounds"),
        friction: Promise::If("if k is within the reported bounds"),
        ..Guarantees::ALL
    },
    consistency: None,
    check: Check::one(|answered, p| answered.newton(p[0])),
    kernel: Kernel::Jump(|collision, p| {
        Brach { restitution: p[0], impulse_ratio: p[1], lateral_impulse_ratio: p[2], friction: p[3] }.resolve(collision)
    }),
};
