//! The turning slip as a power series in the time τ with dP_n = s dτ, s = |V_t|:
//!
//! ```text
//! V_t' = a s − μ T V_t,   P_n' = s,   P_t' = −μ V_t,   work' = V_n s,   s² = V_t·V_t
//! ```
//!
//! All but the last equation is linear, so each coefficient of V_t, P and V_n follows from the one before. The last one
//! gives the coefficients of s: those of s² are those of V_t·V_t.

use super::field::Field;
use nalgebra::{SVector, Vector2, Vector3};

/// The highest power: a higher one costs more than its longer reach saves.
pub(super) const ORDER: usize = 24;
/// No power of a longer reach overflows.
const LONGEST: f64 = 1e12;

/// A state of the process: V_t (2), P (3), work of the normal force.
pub(super) type State = SVector<f64, 6>;

/// V_t of a state.
pub(super) fn slip(state: &State) -> Vector2<f64> {
    Vector2::new(state[0], state[1])
}

/// P of a state.
pub(super) fn impulse(state: &State) -> Vector3<f64> {
    Vector3::new(state[2], state[3], state[4])
}

/// The states that follow one state, as a power series in θ = ω τ.
pub(super) struct Series {
    coefficients: [State; ORDER + 1],
    /// Up to this θ the powers left out are less than the rounding of the slip.
    pub(super) reach: f64,
}

/// One coefficient of V_t = (x, y), of s and of V_n.
#[derive(Clone, Copy, Default)]
struct Row {
    x: f64,
    y: f64,
    s: f64,
    n: f64,
}

impl Series {
    /// A series that reaches nowhere.
    pub(super) fn none() -> Series {
        Series { coefficients: [State::zeros(); ORDER + 1], reach: 0.0 }
    }

    /// The series about a state that slips.
    pub(super) fn about(state: &State, field: &Field) -> Series {
        let per_pace = field.pace.recip();
        let (a, drag) = (field.a * per_pace, field.t * (field.mu * per_pace));
        let (w_nn, mu) = (field.w_nn * per_pace, field.mu * per_pace);
        let friction = field.a * mu;

        let u = slip(state).normalize();
        let first = Row {
            x: state[0],
            y: state[1],
            s: slip(state).norm(),
            n: field.normal_velocity(&impulse(state), &slip(state)),
        };
        let half = 0.5 / first.s;
        let mut rows = [Row::default(); ORDER + 1];
        rows[0] = first;
        let mut coefficients = [*state; ORDER + 1];
        let mut power = first.n * first.s;
        for k in 1..=ORDER {
            let part = 1.0 / k as f64;
            let last = rows[k - 1];
            let x = (a.x * last.s - (drag[(0, 0)] * last.x + drag[(0, 1)] * last.y)) * part;
            let y = (a.y * last.s - (drag[(0, 1)] * last.x + drag[(1, 1)] * last.y)) * part;
            let n = (w_nn * last.s - (friction.x * last.x + friction.y * last.y)) * part;
            let impulse = [last.s * per_pace, -mu * last.x, -mu * last.y].map(|rate| rate * part);
            coefficients[k] = State::from([x, y, impulse[0], impulse[1], impulse[2], power * per_pace * part]);
            // Σ over i + j = k, 0 < i, j, of V_i·V_j − s_i s_j and of n_i s_j, two terms at a time.
            let (mut square, mut product) = (0.0, 0.0);
            for i in 1..k.div_ceil(2) {
                let (c, d) = (&rows[i], &rows[k - i]);
                square += c.x * d.x + c.y * d.y - c.s * d.s;
                product += c.n * d.s + c.s * d.n;
            }
            square *= 2.0;
            if k % 2 == 0 {
                let c = &rows[k / 2];
                square += c.x * c.x + c.y * c.y - c.s * c.s;
                product += c.n * c.s;
            }
            let s = half * square + (u.x * x + u.y * y);
            power = product + first.n * s + first.s * n;
            rows[k] = Row { x, y, s, n };
        }
        // The work is a product and may need more powers than its factors.
        let work = (first.n.abs() + w_nn * first.s) * first.s * per_pace;
        let reach = |k: usize| {
            let Row { x, y, s, .. } = rows[k];
            let left_out = (x.abs().max(y.abs()).max(s.abs()) / first.s).max(coefficients[k][5].abs() / work);
            (f64::EPSILON / left_out).powf(1.0 / k as f64)
        };
        Series { coefficients, reach: reach(ORDER).min(reach(ORDER - 1)).min(LONGEST) }
    }

    /// The state at θ.
    pub(super) fn at(&self, theta: f64) -> State {
        let mut sum = self.coefficients[ORDER];
        for coefficient in self.coefficients[..ORDER].iter().rev() {
            sum = sum * theta + coefficient;
        }
        sum
    }
}
