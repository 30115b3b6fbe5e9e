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
//!
//! M does not enter, so a singular W is no special case.

use crate::collision::Collision;
use crate::cone_edge::NEAR_EDGE;
use crate::course::ContactHistory;
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, Fallback, Parameter, number};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::{ContactNote, ContactOutcome};
use nalgebra::{Vector2, Vector3};

/// Brach's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Brach {
    /// Kinematic restitution e, at least 0. It may exceed 1 where tangential motion feeds the normal one.
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
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(
            &[self.restitution, self.impulse_ratio, self.lateral_impulse_ratio, self.friction],
            collision,
        )
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let (turned, back) = collision.opposing_slip();
        let direction = Vector3::new(1.0, self.impulse_ratio, self.lateral_impulse_ratio);
        let row = turned.inverse_mass().column(0);
        let rate = row.dot(&direction);
        // A smaller rate is rounding, or an impulse so large that rounding decides what it moves.
        if rate <= NEAR_EDGE * row.abs().dot(&direction.abs()) {
            return Err(Inapplicable::NoSolution);
        }
        let impulse = direction * (-(1.0 + self.restitution) * turned.velocity().x / rate);
        let (least, greatest) = self.admissible(&turned, &direction);
        Ok(ContactOutcome::jump(collision, back * impulse, self.friction)
            .with_note(ContactNote::RatioBounds { least, greatest }))
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
        let jam = -w_nn / w_nt;
        if jam > 0.0 {
            greatest = greatest.min(jam);
        } else if jam < 0.0 {
            least = least.max(jam);
        }
        if c > 0.0 {
            return without_gain([a, b, c], (least, greatest), jam);
        }
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
        (least, greatest)
    }
}

/// Where a k² + b k + c ≤ 0 within bounds, for e > 1 and so c > 0. `jam` is the ratio at which P_n grows without bound; there the
/// quadratic is positive as at 0, so that its negative part lies between its roots, or beyond the one away from the jam. If no ratio
/// keeps the energy down, the least comes out above the greatest.
fn without_gain([a, b, c]: [f64; 3], (least, greatest): (f64, f64), jam: f64) -> (f64, f64) {
    const EMPTY: (f64, f64) = (f64::INFINITY, f64::NEG_INFINITY);
    if a == 0.0 {
        return match b {
            b if b > 0.0 => (least, greatest.min(-c / b)),
            b if b < 0.0 => (least.max(-c / b), greatest),
            _ => EMPTY,
        };
    }
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return EMPTY;
    }
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    let (low, high) = ((q / a).min(c / q), (q / a).max(c / q));
    if a > 0.0 {
        (least.max(low), greatest.min(high))
    } else if jam > 0.0 {
        (least, greatest.min(low))
    } else {
        (least.max(high), greatest)
    }
}

/// Chatterjee 1997, 5.1.1, footnote 3: with e > 1 every accessible impulse can be asked for.
const RESTITUTION: Parameter = number(
    "restitution",
    "e",
    "kinematic restitution; above 1 where tangential motion feeds the normal one",
    (0.0, f64::INFINITY),
    Fallback::Required,
);
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
    caveats: "Nothing keeps the outcome admissible: the bounds on k are reported, and the audit reports violations. Restitution above 1 is \
              accepted; energy then allows ratios on one side of 0 only, or none at all.",
    parameters: &[RESTITUTION, IMPULSE_RATIO, LATERAL_IMPULSE_RATIO, FRICTION],
    guarantees: Guarantees {
        energy: Promise::If("if k is within the reported bounds"),
        friction: Promise::If("if k is within the reported bounds"),
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
        Brach { restitution: p[0], impulse_ratio: p[1], lateral_impulse_ratio: p[2], friction: p[3] }.compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(answered.newton(p[0]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Finding;
    use crate::laws::find;
    use crate::random::Random;

    #[test]
    fn reported_bounds_are_where_the_audit_changes_its_mind_also_above_one() {
        let mut random = Random(75);
        let (mut open, mut empty) = (0, 0);
        for _ in 0..4000 {
            let (nn, tt) = (random.log_between(0.2, 5.0), random.log_between(0.2, 5.0));
            let nt = random.between(-0.95, 0.95) * (nn * tt).sqrt();
            let collision =
                Collision::planar([[nn, nt], [nt, tt]], [-random.log_between(0.02, 1.0), random.between(-1.0, 1.0)])
                    .unwrap();
            let (restitution, friction) = (random.log_between(1.001, 5.0), random.log_between(0.1, 10.0));
            let law = |impulse_ratio: f64| Brach { restitution, impulse_ratio, lateral_impulse_ratio: 0.0, friction };
            let admissible = |ratio: f64| {
                law(ratio).resolve(&collision).is_ok_and(|outcome| {
                    let audit = crate::audit::audit_collision(&collision, &outcome, friction);
                    audit.energy == Finding::Ok && audit.contacts[0].friction == Finding::Ok
                })
            };
            let turned = collision.opposing_slip().0;
            let (least, greatest) = law(0.1).admissible(&turned, &Vector3::new(1.0, 0.1, 0.0));
            if least > greatest {
                empty += 1;
                let most = friction.min(1e3);
                assert!((0..=200).all(|k| !admissible(most * (0.01 * f64::from(k) - 1.0))), "{collision:?}");
                continue;
            }
            open += 1;
            let width = greatest - least;
            assert!(admissible(least + 0.5 * width) && admissible(least + 1e-6 * width), "{least} {greatest}");
            assert!(!admissible(least - 1e-6 * (1.0 + width)) && !admissible(greatest + 1e-6 * (1.0 + width)));
        }
        assert!(open > 500 && empty > 500, "{open} {empty}");
    }

    #[test]
    fn restitution_above_one_is_reached() {
        // Law III throws this rod apart at 2.818 times its approach without a gain of energy.
        let inverse = nalgebra::Matrix2::new(1.0, 0.7, 0.7, 1.0).try_inverse().unwrap();
        let collision =
            Collision::planar([[inverse[(0, 0)], inverse[(0, 1)]], [inverse[(1, 0)], inverse[(1, 1)]]], [-0.5, -1.0])
                .unwrap();
        let law = find("brach").unwrap();
        let keys = |e: f64| [("restitution", e), ("impulse_ratio", 2.318_182 / 2.596_364), ("friction", 2.0)];
        let outcome = law.bind(&keys(2.818_182)).unwrap().resolve_collision(&collision).unwrap();
        assert!((outcome.impulse.x - 2.596_364).abs() < 1e-5 && (outcome.impulse.y - 2.318_182).abs() < 1e-5);
        assert!(law.bind(&keys(-0.1)).is_err() && law.bind(&keys(f64::INFINITY)).is_err());
    }
}
