//! W and friction as the slip sees them, with derivatives.

use crate::batch::kernel::{Space, length};
use crate::batch::real::{Dual, Real};

/// A turn (rad), and a part of the impulse, that is nothing: as in the law.
const NEARLY_SETTLED: f64 = 1e-4;
const STRAIGHT: f64 = 1e-14;

/// W split into its parts, V, and friction.
pub(super) struct Field<const N: usize> {
    pub(super) problem: Space<Dual<N>>,
    pub(super) nn: Dual<N>,
    /// W_tn.
    pub(super) a: [Dual<N>; 2],
    /// W_tt: 11, 12, 22.
    pub(super) t: [Dual<N>; 3],
    pub(super) mu: Dual<N>,
}

impl<const N: usize> Field<N> {
    pub(super) fn of(problem: &Space<Dual<N>>, mu: Dual<N>) -> Field<N> {
        let [nn, n1, n2, w11, w12, w22] = problem.w;
        Field { problem: *problem, nn, a: [n1, n2], t: [w11, w12, w22], mu }
    }

    /// |a| + μ |T|: no direction makes the slip turn or change faster in τ.
    pub(super) fn pace(&self) -> f64 {
        let [t11, t12, t22] = self.t.map(Dual::value);
        let size = (t11 * t11 + 2.0 * t12 * t12 + t22 * t22).sqrt();
        self.a[0].value().hypot(self.a[1].value()) + self.mu.value() * size
    }

    /// V after an impulse.
    pub(super) fn velocity(&self, impulse: [Dual<N>; 3]) -> [Dual<N>; 3] {
        self.problem.after(impulse)
    }

    pub(super) fn t_times(&self, u: [Dual<N>; 2]) -> [Dual<N>; 2] {
        let [t11, t12, t22] = self.t;
        [t11 * u[0] + t12 * u[1], t12 * u[0] + t22 * u[1]]
    }

    /// T⁻¹ u.
    pub(super) fn t_inverse_times(&self, u: [Dual<N>; 2]) -> [Dual<N>; 2] {
        let [t11, t12, t22] = self.t;
        let inverse = Dual::constant(1.0) / (t11 * t22 - t12 * t12);
        [(t22 * u[0] - t12 * u[1]) * inverse, (t11 * u[1] - t12 * u[0]) * inverse]
    }

    /// dV_t/dP_n while slipping along u.
    pub(super) fn push(&self, u: [Dual<N>; 2]) -> [Dual<N>; 2] {
        let held = self.t_times(u);
        [self.a[0] - self.mu * held[0], self.a[1] - self.mu * held[1]]
    }

    /// dV_n/dP_n with this dP_t/dP_n.
    pub(super) fn normal_rate(&self, ratio: [Dual<N>; 2]) -> Dual<N> {
        self.nn + dot(self.a, ratio)
    }

    /// The turn that is left to the invariant direction near u, and how strongly that attracts, both in first order.
    pub(super) fn turn_and_attraction(&self, u: [Dual<N>; 2]) -> (Dual<N>, Dual<N>) {
        let (across, push) = ([-u[1], u[0]], self.push(u));
        (dot(across, push), dot(u, push) + self.mu * dot(across, self.t_times(across)))
    }

    /// The invariant direction near this one, by Newton's method.
    pub(super) fn invariant(&self, u: [Dual<N>; 2]) -> [Dual<N>; 2] {
        let mut u = u.map(|x| Dual::constant(x.value()));
        for _ in 0..4 {
            let (turn, attraction) = self.turn_and_attraction(u);
            let step = turn / attraction;
            let next = [u[0] - u[1] * step, u[1] + u[0] * step];
            let size = length(next);
            u = next.map(|x| x / size);
        }
        u
    }

    /// Whether the slip has settled along its direction u, so that no turn that is left can change the impulse.
    pub(super) fn has_settled(&self, u: [Dual<N>; 2], slip: f64, size: f64) -> bool {
        let (turn, attraction) = self.turn_and_attraction(u);
        let (turn, attraction) = (turn.value(), attraction.value());
        if attraction <= 0.0 {
            return turn.abs() <= 4.0 * f64::EPSILON * self.pace();
        }
        let across = [-u[1], u[0]];
        let (left, hold) = ((turn / attraction).abs(), dot(across, self.t_times(across)).value());
        left <= NEARLY_SETTLED && left * slip <= STRAIGHT * size * hold
    }
}

pub(super) fn dot<const N: usize>(u: [Dual<N>; 2], v: [Dual<N>; 2]) -> Dual<N> {
    u[0] * v[0] + u[1] * v[1]
}
