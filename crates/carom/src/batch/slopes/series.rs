//! The turning slip as a power series of dual numbers: that of the law (`laws/routh/series.rs`) with its derivatives.

use super::field::Field;
use crate::batch::kernel::length;
use crate::batch::real::{Dual, Real};
use std::array;

const ORDER: usize = 24;
/// No power of a longer reach overflows.
const LONGEST: f64 = 1e12;
/// Derivatives need a shorter reach than the numbers themselves.
const CLOSER: f64 = 0.7;

/// V_t, P and the work of the normal force.
#[derive(Clone, Copy)]
pub(super) struct State<const N: usize> {
    pub(super) slip: [Dual<N>; 2],
    pub(super) impulse: [Dual<N>; 3],
    pub(super) work: Dual<N>,
}

impl<const N: usize> State<N> {
    fn numbers(&self) -> [Dual<N>; 6] {
        let ([x, y], [n, t1, t2]) = (self.slip, self.impulse);
        [x, y, n, t1, t2, self.work]
    }
}

/// The states that follow one state, as a power series in θ = ω τ.
pub(super) struct Series<const N: usize> {
    coefficients: Vec<[Dual<N>; 6]>,
    /// Up to this θ the powers left out are less than rounding.
    pub(super) reach: f64,
}

/// One coefficient of V_t = (x, y), of s and of V_n.
#[derive(Clone, Copy)]
struct Term<const N: usize> {
    x: Dual<N>,
    y: Dual<N>,
    s: Dual<N>,
    n: Dual<N>,
}

impl<const N: usize> Series<N> {
    /// The series about a state that slips.
    pub(super) fn about(state: &State<N>, field: &Field<N>) -> Series<N> {
        let per_pace = field.pace().recip();
        let (a, mu) = (field.a.map(|x| x * per_pace), field.mu * per_pace);
        let drag = field.t.map(|x| x * mu);
        let (nn, friction) = (field.nn * per_pace, field.a.map(|x| x * mu));
        let [x, y] = state.slip;
        let s = length([x, y]);
        let first = Term { x, y, s, n: field.velocity(state.impulse)[0] };
        let (along, half) = ([x / s, y / s], Dual::constant(0.5) / s);
        let mut terms = vec![first];
        let mut coefficients = vec![state.numbers()];
        let mut power = first.n * first.s;
        for k in 1..=ORDER {
            let part = 1.0 / k as f64;
            let last = terms[k - 1];
            let x = (a[0] * last.s - (drag[0] * last.x + drag[1] * last.y)) * part;
            let y = (a[1] * last.s - (drag[1] * last.x + drag[2] * last.y)) * part;
            let n = (nn * last.s - (friction[0] * last.x + friction[1] * last.y)) * part;
            coefficients.push([
                x,
                y,
                last.s * (per_pace * part),
                -mu * last.x * part,
                -mu * last.y * part,
                power * (per_pace * part),
            ]);
            // Σ over i + j = k, 0 < i, j, of V_i·V_j − s_i s_j and of n_i s_j.
            let (mut square, mut product) = (Dual::constant(0.0), Dual::constant(0.0));
            for i in 1..k.div_ceil(2) {
                let (c, d) = (&terms[i], &terms[k - i]);
                square = square + (c.x * d.x + c.y * d.y - c.s * d.s) * 2.0;
                product = product + c.n * d.s + c.s * d.n;
            }
            if k % 2 == 0 {
                let c = &terms[k / 2];
                square = square + c.x * c.x + c.y * c.y - c.s * c.s;
                product = product + c.n * c.s;
            }
            let s = half * square + (along[0] * x + along[1] * y);
            power = product + first.n * s + first.s * n;
            terms.push(Term { x, y, s, n });
        }
        let work = (first.n.value().abs() + nn.value() * first.s.value()) * first.s.value() * per_pace;
        let reach = |k: usize| {
            let Term { x, y, s, .. } = terms[k];
            let size = x.value().abs().max(y.value().abs()).max(s.value().abs()) / first.s.value();
            (f64::EPSILON / size.max(coefficients[k][5].value().abs() / work)).powf(1.0 / k as f64)
        };
        let reach = CLOSER * reach(ORDER).min(reach(ORDER - 1)).min(LONGEST);
        Series { coefficients, reach }
    }

    /// The state at θ.
    pub(super) fn at(&self, theta: f64) -> State<N> {
        let [x, y, n, t1, t2, work] = array::from_fn(|k| {
            self.coefficients.iter().rev().fold(Dual::constant(0.0), |sum, coefficient| sum * theta + coefficient[k])
        });
        State { slip: [x, y], impulse: [n, t1, t2], work }
    }

    /// The θ at which the normal impulse has a value, if it is within reach. It only grows.
    pub(super) fn reaches(&self, target: f64) -> Option<f64> {
        let normal = |theta: f64| {
            self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * theta + coefficient[2].value())
        };
        let (mut low, mut high) = (0.0, self.reach);
        if normal(high) < target {
            return None;
        }
        while high - low > 2.0 * f64::EPSILON * high {
            // False position closes in from one side only; halving does the rest.
            let (n_low, n_high) = (normal(low), normal(high));
            let guess = low + (high - low) * ((target - n_low) / (n_high - n_low)).clamp(0.0, 1.0);
            if normal(guess) < target {
                low = guess;
            } else {
                high = guess;
            }
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            if normal(middle) < target { low = middle } else { high = middle }
        }
        Some(high)
    }
}
