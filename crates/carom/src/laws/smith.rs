//! `smith`: kinematic restitution, friction between the slip before and the slip after.
//!
//! Smith 1991, Predicting rebounds using rigid-body dynamics, J. Appl. Mech. 58; Chatterjee 1997, 5.1.3 and 10.3.
//!
//! ```text
//! V_n after = −e V_n
//! P_t = −μ P_n g,   g = (|V_t| V_t + |V_t'| V_t')/(|V_t|² + |V_t'|²),   V_t' = V_t after
//! ```
//!
//! Eliminating P_n leaves V_t' = x₀ + S P_t with x₀ = V_t − (1 + e) V_n W_tn/W_nn and the Schur complement
//! S = W_tt − W_tn W_nt/W_nn ≥ 0. With A = |V_t|, ρ = |V_t'| and κ = μ P_n/(A² + ρ²) the law reads
//! P_t = −κ(A V_t + ρ V_t'), so
//!
//! ```text
//! (1 + κ ρ S) V_t' = x₀ − κ A S V_t
//! ```
//!
//! For given κ, |V_t'| falls with ρ, hence one ρ(κ). What is left is one equation in κ > 0,
//!
//! ```text
//! H(κ) = κ(A² + ρ²) − μ P_n = 0,   P_n = −((1 + e) V_n + W_nt·P_t)/W_nn
//! ```
//!
//! with H(0) < 0 and H → ∞ (V_t' → −V_t, P_n bounded): a solution always exists and bisection finds one. Every solution
//! with P_n > 0 is a root of H. (The thesis proves existence by topological degree and advises continuation in μ, which
//! fails in a few per cent of strongly coupled collisions.)
//!
//! In the plane the solution is unique. With V_t = −A and r = P_t/P_n the law is r = −μ g(V_t'(r)). The right side is μ
//! for V_t' ≤ 0 and μ(A² − x²)/(A² + x²) beyond, so it falls with V_t', and V_t' grows with r wherever P_n > 0, since
//! dV_t'/dr = P_n² det W/((1 + e)(−V_n)) ≥ 0: r minus the right side is strictly increasing. A slip that does not reverse
//! is plain sliding, P_t = μ P_n. Uniqueness in space is open.
//!
//! Friction and energy hold for every solution with P_n > 0: |g| ≤ 1, and
//! `(|a|a + |b|b)·(a + b) ≥ (|a| + |b|)(|a| − |b|)² ≥ 0`.
//!
//! Without slip before (V_t = 0) the law is read as Whittaker's (10.3.3). For a purely sliding contact (V_n = 0) κ = 0
//! is a root, and another exists if H falls at first: when friction is above the Painlevé threshold.
//!
//! A singular W always has a limit. In the plane V stays along the one movable direction w, V after = −e V, so the law
//! gives the ratio at once: P_t = μ P_n (1 − e²)/(1 + e²) against the slip, and P_n follows from V_n after; it is positive,
//! because w_n > 0 and w·P grows by friction against the slip. In space S has the null vector b_t of the immovable
//! direction b, along which the slip comes back by −e whatever P is, and H → ∞ still holds: there P_n falls with κ, as
//! W_nt·b_t = −W_nn b_n and b·V = 0.

use super::newton::frictionless_impulse;
use super::whittaker::Whittaker;
use crate::collision::{Collision, Mobility, Section};
use crate::course::ContactHistory;
use crate::law::check::{Answered, Friction};
use crate::law::parameter::{FRICTION, RESTITUTION};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::ContactOutcome;
use nalgebra::{Matrix2, SymmetricEigen, Vector2, Vector3};

/// Smith's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Smith {
    /// Kinematic restitution e, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

impl Smith {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution, self.friction], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let v = collision.velocity();
        if v.x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        if v.yz() == Vector2::zeros() {
            let whittaker = Whittaker {
                restitution: self.restitution,
                static_friction: self.friction,
                kinetic_friction: self.friction,
            };
            return whittaker.compute(collision);
        }
        if self.friction == 0.0 {
            let impulse = Vector3::x() * ((1.0 + self.restitution) * frictionless_impulse(collision));
            return Ok(ContactOutcome::jump(collision, impulse, 0.0));
        }
        let (turned, back) = collision.opposing_slip();
        let impulse = match turned.planar_section() {
            Some(section) => self.planar(&section).map(|(normal, along)| section.to_contact(normal, along)),
            None => self.spatial(&turned),
        };
        let impulse = impulse.ok_or(Inapplicable::UnboundedImpulse)?;
        Ok(ContactOutcome::jump(collision, back * impulse, self.friction))
    }

    /// Normal and tangential impulse for a section whose t opposes the slip; `None` only in the limit of a singular W.
    fn planar(&self, section: &Section) -> Option<(f64, f64)> {
        let w = &section.inverse_mass;
        let (w_nn, w_nt) = (w[(0, 0)], w[(0, 1)]);
        let (c, slip, mu) = (-(1.0 + self.restitution) * section.velocity.x, -section.velocity.y, self.friction);
        if let Some(along) = section.movable {
            let e2 = self.restitution * self.restitution;
            let ratio = mu * (1.0 - e2) / (1.0 + e2);
            let normal = c / (w.trace() * along.x * (along.x + ratio * along.y));
            return (normal.is_finite() && normal >= 0.0).then_some((normal, ratio * normal));
        }
        let rate = w_nn + w_nt * mu;
        if rate > 0.0 {
            let sliding = c / rate;
            if -slip + (w_nt + w[(1, 1)] * mu) * sliding <= 0.0 {
                return Some((sliding, mu * sliding));
            }
        }
        // The slip reverses: x = V_t' > 0, P_t = κ(A² − x²), and x solves κ S x² + x = x₀ + κ A² S.
        let schur = ((w_nn * w[(1, 1)] - w_nt * w_nt) / w_nn).max(0.0);
        let unresisted = -slip + w_nt * c / w_nn;
        let (a2, coupling) = (slip * slip, mu * w_nt / w_nn);
        let after = |kappa: f64| {
            let pushed = (unresisted + kappa * a2 * schur).max(0.0);
            2.0 * pushed / (1.0 + (1.0 + 4.0 * kappa * schur * pushed).sqrt())
        };
        // P_t = κ(A² − x²) = (x − x₀)/S: the first where friction hardly matters, the second where x is nearly A.
        let along = |kappa: f64, x: f64| {
            if kappa * slip * schur > 1.0 { (x - unresisted) / schur } else { kappa * (slip - x) * (slip + x) }
        };
        let excess = |kappa: f64| {
            let x = after(kappa);
            let sum = a2 + x * x;
            let tangential = along(kappa, x);
            let turning = 2.0 * x * schur * tangential / (1.0 + 2.0 * kappa * schur * x);
            let h = kappa * sum - mu * c / w_nn + coupling * tangential;
            (h, sum + turning + coupling * (tangential / kappa - turning))
        };
        let stopped = if unresisted < 0.0 { -unresisted / (a2 * schur) } else { 0.0 };
        let kappa = increasing_root(stopped, mu * c / (w_nn * (a2 + unresisted.powi(2))), excess)?;
        let x = after(kappa);
        let tangential = along(kappa, x);
        // From V_n after, not from κ: the restitution then holds to rounding.
        Some(((c - w_nt * tangential) / w_nn, tangential))
    }

    /// Impulse for a spatial collision seen in the frame opposing the slip.
    fn spatial(&self, collision: &Collision) -> Option<Vector3<f64>> {
        let c = -(1.0 + self.restitution) * collision.velocity().x;
        let system = System::new(collision, c, self.friction);
        let jams = system.a.dot(&system.before) * self.friction > system.w_nn * system.slip;
        if c == 0.0 && !jams {
            return Some(Vector3::zeros());
        }
        let kappa = system.root()?;
        Some(system.impulse(&system.state(kappa), kappa))
    }
}

/// The root above `least` of a function that is negative there and positive far out, from its values and slopes.
fn increasing_root(mut least: f64, scale: f64, f: impl Fn(f64) -> (f64, f64)) -> Option<f64> {
    let mut most = if least > 0.0 { 2.0 * least } else { scale };
    loop {
        if !most.is_finite() {
            return None;
        }
        if f(most).0 >= 0.0 {
            break;
        }
        (least, most) = (most, 4.0 * most);
    }
    let mut x = most;
    for _ in 0..200 {
        let (value, slope) = f(x);
        if value < 0.0 {
            least = x;
        } else {
            most = x;
        }
        let newton = x - value / slope;
        let next = if newton > least && newton < most { newton } else { 0.5 * (least + most) };
        if (next - x).abs() <= f64::EPSILON * x || most - least <= 2.0 * f64::EPSILON * most {
            return Some(next);
        }
        x = next;
    }
    Some(x)
}

/// One spatial collision in the axes in which S is diagonal.
struct System {
    w_nn: f64,
    /// W_tn.
    a: Vector2<f64>,
    /// Eigenvalues of S.
    s: Vector2<f64>,
    /// Columns: those axes in the frame opposing the slip.
    axes: Matrix2<f64>,
    /// V_t and its length A.
    before: Vector2<f64>,
    slip: f64,
    /// x₀.
    unresisted: Vector2<f64>,
    /// −(1 + e) V_n.
    c: f64,
    mu: f64,
}

/// ρ and V_t' for one κ.
struct State {
    speed: f64,
    after: Vector2<f64>,
}

impl System {
    fn new(collision: &Collision, c: f64, mu: f64) -> System {
        let w = collision.inverse_mass();
        let w_nn = w[(0, 0)];
        let a = Vector2::new(w[(1, 0)], w[(2, 0)]);
        let schur = w.fixed_view::<2, 2>(1, 1) - a * a.transpose() / w_nn;
        let (axes, s) = if let Mobility::Plane { immovable } = collision.mobility() {
            let still = immovable.yz().normalize();
            let other = Vector2::new(-still.y, still.x);
            (Matrix2::from_columns(&[still, other]), Vector2::new(0.0, other.dot(&(schur * other)).max(0.0)))
        } else {
            let eigen = SymmetricEigen::new(schur);
            (eigen.eigenvectors, eigen.eigenvalues.map(|s| s.max(0.0)))
        };
        let before = axes.tr_mul(&collision.velocity().yz());
        let a = axes.tr_mul(&a);
        System { w_nn, a, s, axes, before, slip: before.norm(), unresisted: before + a * (c / w_nn), c, mu }
    }

    /// ρ(κ): |V_t'| − ρ is convex and falls, so Newton's method from a lower bound climbs to the root without overshoot.
    fn state(&self, kappa: f64) -> State {
        let pushed = self.unresisted - self.before.component_mul(&self.s) * (kappa * self.slip);
        let most = pushed.norm();
        let after = |speed: f64| pushed.component_div(&self.s.map(|s| 1.0 + kappa * speed * s));
        // |V_t'| ≥ most/(1 + κ ρ s_max) gives the bound.
        let mut speed = 2.0 * most / (1.0 + (1.0 + 4.0 * kappa * self.s.max() * most).sqrt());
        for _ in 0..60 {
            let x = after(speed);
            let length = x.norm();
            if length <= speed {
                break;
            }
            let fall = kappa * x.component_mul(&x).dot(&self.s.map(|s| s / (1.0 + kappa * speed * s))) / length;
            let step = (length - speed) / (1.0 + fall);
            speed += step;
            if step <= f64::EPSILON * speed {
                break;
            }
        }
        State { speed, after: after(speed) }
    }

    /// P_t = −κ(A V_t + ρ V_t') = S⁻¹(V_t' − x₀), by components: the first where friction hardly matters, the second
    /// where the slip has nearly reversed.
    fn tangential(&self, state: &State, kappa: f64) -> Vector2<f64> {
        let direct = (self.before * self.slip + state.after * state.speed) * -kappa;
        Vector2::from_fn(|i, _| {
            if kappa * self.slip * self.s[i] > 1.0 {
                (state.after[i] - self.unresisted[i]) / self.s[i]
            } else {
                direct[i]
            }
        })
    }

    /// H(κ).
    fn excess(&self, kappa: f64) -> f64 {
        let state = self.state(kappa);
        let normal = self.normal(&self.tangential(&state, kappa));
        kappa * (self.slip.powi(2) + state.speed.powi(2)) - self.mu * normal
    }

    /// A root of H: bracketed by steps of a factor, then found by false position with bisection as the safeguard.
    fn root(&self) -> Option<f64> {
        const FACTOR: f64 = 8.0;
        let mut most = match self.mu * self.c / self.w_nn {
            0.0 => self.mu / (self.s.max() * self.slip),
            impulse => impulse / (self.slip.powi(2) + self.unresisted.norm_squared()),
        };
        let mut h_most = self.excess(most);
        let (mut least, mut h_least) = (most, h_most);
        while h_most < 0.0 {
            (least, h_least) = (most, h_most);
            most *= FACTOR;
            h_most = self.excess(most);
            if !most.is_finite() {
                return None;
            }
        }
        while h_least > 0.0 {
            (most, h_most) = (least, h_least);
            least /= FACTOR;
            h_least = self.excess(least);
            if least == 0.0 {
                return None;
            }
        }
        for step in 0..400 {
            if most - least <= 2.0 * f64::EPSILON * most {
                break;
            }
            let false_position = least + (most - least) * (h_least / (h_least - h_most));
            // Every third step halves the bracket, so that a flat side cannot hold the other one up.
            let middle = if step % 3 == 2 || !(false_position > least && false_position < most) {
                0.5 * (least + most)
            } else {
                false_position
            };
            let h = self.excess(middle);
            if h < 0.0 {
                (least, h_least) = (middle, h);
            } else {
                (most, h_most) = (middle, h);
            }
            if h == 0.0 {
                break;
            }
        }
        Some(most)
    }

    /// The impulse in the frame opposing the slip.
    fn impulse(&self, state: &State, kappa: f64) -> Vector3<f64> {
        let along = self.tangential(state, kappa);
        let tangential = self.axes * along;
        Vector3::new(self.normal(&along), tangential.x, tangential.y)
    }

    /// P_n from V_n after, so that the restitution holds to rounding.
    fn normal(&self, tangential: &Vector2<f64>) -> f64 {
        (self.c - self.a.dot(tangential)) / self.w_nn
    }
}

/// How far an answer is from the law's equations, m/s.
fn missed(answered: &Answered, p: &[f64]) -> f64 {
    let (before, after, impulse) = (answered.collision.velocity().yz(), answered.after.yz(), &answered.outcome.impulse);
    let sum = before.norm_squared() + after.norm_squared();
    if before == Vector2::zeros() {
        return answered.newton(p[0]).max(answered.coulomb(&Friction { sticking: p[1], slipping: p[1] }));
    }
    let mean = (before * before.norm() + after * after.norm()) / sum;
    let friction = (impulse.yz() + mean * (p[1] * impulse.x)).norm() / (1.0 + p[1]);
    answered.newton(p[0]).max(answered.turn_of(friction)).max(answered.cone(p[1]))
}

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
        tangential_restitution: Promise::If("superball-like only"),
        unique: Promise::If("proved in the plane"),
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
        Smith { restitution: p[0], friction: p[1] }.compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(missed(answered, p))
    }
}
