//! `smith`: kinematic restitution, friction between the slip before and the slip after.
//!
//! Smith 1991, Predicting rebounds using rigid-body dynamics, J. Appl. Mech. 58; Chatterjee 1997, 5.1.3 and 10.3.
//!
//! ```text
//! V_n after = −e V_n
//! P_t = −μ P_n g,   g = (|V_t| V_t + |V_t'| V_t')/(|V_t|² + |V_t'|²),   V_t' = V_t after
//! ```
//!
//! With r = P_t/P_n everything follows from W alone, singular or not:
//!
//! ```text
//! P_n(r) = −(1 + e) V_n/(W_nn + W_nt·r),   V_t'(r) = V_t + (W_tn + W_tt r) P_n(r),   r = −μ g(V_t'(r))
//! ```
//!
//! In the plane, with V_t = −A, the right side falls with V_t' (it is μ for V_t' ≤ 0 and μ(A² − x²)/(A² + x²) beyond)
//! and V_t' grows with r wherever P_n > 0, since dV_t'/dr = P_n² det W/((1 + e)(−V_n)) ≥ 0. So r minus the right side
//! is strictly increasing and changes sign on the interval where P_n > 0: there is exactly one solution, and a bracketed
//! search finds it. (The thesis leaves uniqueness open; in space it still is.) In space, Newton's method starts from the
//! frictionless solution, and follows the solution as μ grows where that fails: existence is proved in 10.3.
//!
//! Friction and energy hold for every solution with P_n > 0: |g| ≤ 1, and
//! `(|a|a + |b|b)·(a + b) ≥ (|a| + |b|)(|a| − |b|)² ≥ 0`.
//!
//! Without slip before (V_t = 0) the law is read as Whittaker's (10.3.3). A purely sliding contact (V_n = 0) takes the
//! limit V_n → 0⁻: P_n = 0, or the solution with W_nn + W_nt·r = 0.

use super::law::{Guarantees, Inapplicable, Law, Promise};
use super::parameter::{FRICTION, RESTITUTION};
use super::whittaker::Whittaker;
use crate::collision::{Collision, Section};
use crate::outcome::Outcome;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// Smith's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smith {
    /// Kinematic restitution e, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

impl Smith {
    /// The outcome; see the [module's text](self).
    pub fn resolve(&self, collision: &Collision) -> Result<Outcome, Inapplicable> {
        let v = collision.velocity();
        if v.x > 0.0 {
            return Ok(Outcome::none(collision));
        }
        if v.yz() == Vector2::zeros() {
            let whittaker = Whittaker {
                restitution: self.restitution,
                static_friction: self.friction,
                kinetic_friction: self.friction,
            };
            return whittaker.resolve(collision);
        }
        let (turned, back) = collision.opposing_slip();
        let impulse = match turned.planar_section() {
            Some(section) => {
                let (normal, tangential) = self.planar(&section);
                section.to_contact(normal, tangential)
            }
            None => self.spatial(&turned).ok_or(Inapplicable::NoSolution)?,
        };
        Ok(Outcome::jump(collision, back * impulse, self.friction))
    }

    /// Normal and tangential impulse for a section whose t opposes the slip.
    fn planar(&self, section: &Section) -> (f64, f64) {
        let w = &section.inverse_mass;
        let (w_nn, w_nt, w_tt) = (w[(0, 0)], w[(0, 1)], w[(1, 1)]);
        let (c, slip) = (-(1.0 + self.restitution) * section.velocity.x, -section.velocity.y);
        let mu = self.friction;
        if c == 0.0 {
            return tangential_limit(w_nn, w_nt, w_tt, slip, mu).unwrap_or((0.0, 0.0));
        }
        let det = (w_nn * w_tt - w_nt * w_nt).max(0.0);
        let normal = |r: f64| c / (w_nn + w_nt * r);
        let slip_after = |r: f64| -slip + (w_nt + w_tt * r) * normal(r);
        // P_n > 0 between these.
        let jam = -w_nn / w_nt;
        let (mut least, mut most) = (-mu, mu);
        if w_nt > 0.0 {
            least = least.max(jam);
        } else if w_nt < 0.0 {
            most = most.min(jam);
        }
        if most == mu && w_nn + w_nt * mu > 0.0 && slip_after(mu) <= 0.0 {
            return (normal(mu), mu * normal(mu));
        }
        let mut r = if most < mu { 0.5 * (least + most) } else { most.min(0.5 * (least + most).max(0.0)) };
        for _ in 0..200 {
            let x = slip_after(r).max(0.0);
            let (a2, x2) = (slip * slip, x * x);
            let excess = r - mu * (a2 - x2) / (a2 + x2);
            if excess == 0.0 {
                break;
            }
            if excess < 0.0 {
                least = r;
            } else {
                most = r;
            }
            let slope = 1.0 + mu * 4.0 * a2 * x / (a2 + x2).powi(2) * det * normal(r).powi(2) / c;
            let newton = r - excess / slope;
            let next = if newton > least && newton < most { newton } else { 0.5 * (least + most) };
            let done = (next - r).abs() <= f64::EPSILON * r.abs();
            r = next;
            if done || most - least <= f64::EPSILON * most.abs().max(least.abs()) {
                break;
            }
        }
        (normal(r), r * normal(r))
    }

    /// Impulse for a spatial collision seen in the frame opposing the slip.
    fn spatial(&self, collision: &Collision) -> Option<Vector3<f64>> {
        let v = collision.velocity();
        let c = -(1.0 + self.restitution) * v.x;
        if c > 0.0 {
            let system = System::new(collision, c);
            let ratio = system.follow(self.friction)?;
            let normal = c / system.rate(&ratio);
            return Some(Vector3::new(normal, ratio.x * normal, ratio.y * normal));
        }
        // V_n = 0: approach it from slow collisions, then solve the limit itself.
        let slow = TANGENTIAL_START * v.norm();
        let system = System::new(collision, slow);
        let ratio = system.follow(self.friction)?;
        let normal = slow / system.rate(&ratio);
        let limit = system.polish_tangential(ratio, normal, self.friction);
        Some(
            limit.map_or_else(Vector3::zeros, |(ratio, normal)| {
                Vector3::new(normal, ratio.x * normal, ratio.y * normal)
            }),
        )
    }
}

/// Approach speed from which the limit V_n → 0 is started, relative to the slip: small enough to see which side of the
/// threshold the collision is on, large enough for Newton's method.
const TANGENTIAL_START: f64 = 1e-6;

/// The planar solution for V_n → 0, if friction is above the Painlevé threshold: P_n is free, but V_n after = 0 fixes
/// the ratio, the ratio fixes the slip after, and the slip after fixes P_n.
fn tangential_limit(w_nn: f64, w_nt: f64, w_tt: f64, slip: f64, mu: f64) -> Option<(f64, f64)> {
    let ratio = -w_nn / w_nt;
    if !(ratio > 0.0 && ratio < mu) {
        return None;
    }
    let slip_after = slip * ((mu - ratio) / (mu + ratio)).sqrt();
    let normal = (slip_after + slip) / (w_nt + w_tt * ratio);
    Some((normal, ratio * normal))
}

/// The equation `r + μ g(V_t'(r)) = 0` of one spatial collision.
struct System {
    w_nn: f64,
    a: Vector2<f64>,
    w_tt: Matrix2<f64>,
    slip: Vector2<f64>,
    c: f64,
}

impl System {
    fn new(collision: &Collision, c: f64) -> System {
        let w = collision.inverse_mass();
        System {
            w_nn: w[(0, 0)],
            a: Vector2::new(w[(1, 0)], w[(2, 0)]),
            w_tt: w.fixed_view::<2, 2>(1, 1).into_owned(),
            slip: collision.velocity().yz(),
            c,
        }
    }

    fn rate(&self, r: &Vector2<f64>) -> f64 {
        self.w_nn + self.a.dot(r)
    }

    /// g and its derivative with respect to the slip after.
    fn friction_direction(&self, after: &Vector2<f64>) -> (Vector2<f64>, Matrix2<f64>) {
        let (before, speed) = (self.slip.norm(), after.norm());
        let sum = before * before + speed * speed;
        let g = (self.slip * before + after * speed) / sum;
        let growth = if speed > 0.0 { after * after.transpose() / speed } else { Matrix2::zeros() };
        (g, (Matrix2::identity() * speed + growth - g * after.transpose() * 2.0) / sum)
    }

    fn residual(&self, r: &Vector2<f64>, mu: f64) -> (Vector2<f64>, Matrix2<f64>) {
        let rate = self.rate(r);
        let normal = self.c / rate;
        let push = self.a + self.w_tt * r;
        let (g, dg) = self.friction_direction(&(self.slip + push * normal));
        let slope = (self.w_tt - push * self.a.transpose() / rate) * normal;
        (r + g * mu, Matrix2::identity() + dg * slope * mu)
    }

    /// Damped Newton's method from a guess with P_n > 0; stays where P_n > 0.
    fn solve(&self, mut r: Vector2<f64>, mu: f64) -> Option<Vector2<f64>> {
        let tolerance = 8.0 * f64::EPSILON * mu;
        let (mut residual, mut jacobian) = self.residual(&r, mu);
        for _ in 0..NEWTON_STEPS {
            if residual.norm() <= tolerance {
                return Some(r);
            }
            let step = -(jacobian.try_inverse()? * residual);
            let mut length = 1.0;
            loop {
                let next = r + step * length;
                if self.rate(&next) > 0.0 {
                    let (trial, slope) = self.residual(&next, mu);
                    if trial.norm() < residual.norm() {
                        (r, residual, jacobian) = (next, trial, slope);
                        break;
                    }
                }
                length *= 0.5;
                if length < SHORTEST_STEP {
                    // No descent left: rounding is reached, or this is no solution.
                    return (residual.norm() <= ROUNDED * mu).then_some(r);
                }
            }
        }
        None
    }

    /// The solution for this friction, followed from the frictionless one when it cannot be reached at once.
    fn follow(&self, friction: f64) -> Option<Vector2<f64>> {
        if friction == 0.0 {
            return Some(Vector2::zeros());
        }
        if let Some(r) = self.solve(Vector2::zeros(), friction) {
            return Some(r);
        }
        let (mut mu, mut r) = (0.0, Vector2::zeros());
        let mut stride = 0.1_f64.min(friction);
        while mu < friction {
            let next = (mu + stride).min(friction);
            let guess = if mu > 0.0 { r * (next / mu) } else { r };
            let guess = if self.rate(&guess) > 0.0 { guess } else { r };
            match self.solve(guess, next) {
                Some(found) if (found - r).norm() <= LARGEST_TURN * next => {
                    (mu, r) = (next, found);
                    stride *= 2.0;
                }
                _ => {
                    stride *= 0.5;
                    if stride < SHORTEST_STEP * friction {
                        return None;
                    }
                }
            }
        }
        Some(r)
    }

    /// The limit V_n → 0 from a slow solution: `W_nn + W_nt·r = 0` and r + μ g = 0 for r and P_n; `None` when P_n → 0.
    fn polish_tangential(&self, mut r: Vector2<f64>, mut normal: f64, mu: f64) -> Option<(Vector2<f64>, f64)> {
        for _ in 0..NEWTON_STEPS {
            let push = self.a + self.w_tt * r;
            let (g, dg) = self.friction_direction(&(self.slip + push * normal));
            let residual = r + g * mu;
            let by_ratio = Matrix2::identity() + dg * self.w_tt * (normal * mu);
            let by_normal = dg * push * mu;
            let jacobian = Matrix3::new(
                by_ratio[(0, 0)],
                by_ratio[(0, 1)],
                by_normal.x,
                by_ratio[(1, 0)],
                by_ratio[(1, 1)],
                by_normal.y,
                self.a.x,
                self.a.y,
                0.0,
            );
            let step = jacobian.try_inverse()? * Vector3::new(residual.x, residual.y, self.rate(&r));
            r -= step.xy();
            normal -= step.z;
            if step.xy().norm() <= ROUNDED * mu && step.z.abs() <= ROUNDED * normal.abs() {
                let mass = self.w_nn.recip();
                return (normal > TANGENTIAL_START * self.slip.norm() * mass).then_some((r, normal));
            }
        }
        None
    }
}

const NEWTON_STEPS: usize = 60;
/// A damped step or a stride in μ this small (relative) makes no progress.
const SHORTEST_STEP: f64 = 1e-9;
/// A residual this small, relative to μ, is a solution to rounding.
const ROUNDED: f64 = 1e-12;
/// The ratio may turn by this much of μ in one stride in μ; more is a jump to another branch.
const LARGEST_TURN: f64 = 0.5;

pub(super) const LAW: Law = Law {
    id: "smith",
    name: "Smith's law",
    source: "C. E. Smith, Predicting rebounds using rigid-body dynamics, J. Appl. Mech. 58, 1991",
    summary: "Kinematic restitution; friction acts along a mean of the slips before and after.",
    equations: "V_n after = −e V_n\n\
                P_t = −μ P_n (|V_t| V_t + |V_t'| V_t')/(|V_t|² + |V_t'|²), V_t' = V_t after",
    caveats: "Tangential restitution is not a parameter: near head-on it tends to 1, like a superball. Uniqueness is \
              proved in the plane only.",
    parameters: &[RESTITUTION, FRICTION],
    guarantees: Guarantees {
        energy: Promise::Yes,
        friction: Promise::Yes,
        penetration: Promise::Yes,
        tangential_restitution: Promise::If("superball-like only"),
        spatial: Promise::Yes,
        unique: Promise::If("proved in the plane"),
    },
    consistency: None,
    resolve: |collision, p| Smith { restitution: p[0], friction: p[1] }.resolve(collision),
};
