//! Steps for a state with an angle that may be stiff: collocation at the seven nodes of Radau IIA, of order 13.
//!
//! The angle obeys m dφ/dt = g(φ, …) where m may be small or zero: a spring drawn along by its end turns the faster the
//! shorter it is. All other numbers of the state change at moderate rates. So the equations of the nodes are solved by
//! fixed-point iteration for those and by Newton's method for the seven values of the angle, a problem of seven unknowns.
//! No node lies at the start of the step, where m may vanish and dφ/dt be undefined; for m = 0 the nodes solve g = 0.
//!
//! The polynomial through the start and the nodes has degree seven and is kept in the form of the interpolant of the
//! explicit method, Σ a_k θ^p (1 − θ)^q with p = ⌊k/2⌋ + 1, q = ⌈k/2⌉.

use super::{State, System};
use nalgebra::{SMatrix, SVector};
use std::sync::LazyLock;

pub(super) const NODES: usize = 7;
type Square = SMatrix<f64, NODES, NODES>;
type Column = SVector<f64, NODES>;

/// How an angle of the state turns: m dφ/dt = g.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turning {
    /// m; below zero it counts as zero.
    pub(crate) inertia: f64,
    /// g.
    pub(crate) drive: f64,
    /// ∂g/∂φ.
    pub(crate) drive_by_angle: f64,
}

/// Roots of P₇ − P₆ in (0, 1].
const PLACES: [f64; NODES] = [
    0.029_316_427_159_784_892,
    0.148_078_599_668_484_3,
    0.336_984_690_281_154_3,
    0.558_671_518_771_550_1,
    0.769_233_862_030_054_5,
    0.926_945_671_319_741_1,
    1.0,
];

struct Tables {
    /// Values at the nodes less that at the start, from rates at the nodes.
    integral: Square,
    /// Its inverse: rates from values.
    derivative: Square,
    /// Coefficients a_k from values at the nodes less that at the start.
    coefficients: Square,
    /// The highest Legendre coefficient of a polynomial through values at the nodes.
    highest: Column,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    // The powers p and q of θ and 1 − θ.
    let powers = [(1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 3)];
    let basis = Square::from_fn(|i, k| {
        let (p, q) = powers[k];
        PLACES[i].powi(p) * (1.0 - PLACES[i]).powi(q)
    });
    let slopes = Square::from_fn(|i, k| {
        let ((p, q), x) = (powers[k], PLACES[i]);
        let falling = if q == 0 { 0.0 } else { f64::from(q) * x.powi(p) * (1.0 - x).powi(q - 1) };
        f64::from(p) * x.powi(p - 1) * (1.0 - x).powi(q) - falling
    });
    // Neither matrix is singular: each is a change of basis.
    let coefficients = basis.try_inverse().unwrap_or_else(Square::zeros);
    let integral = basis * slopes.try_inverse().unwrap_or_else(Square::zeros);
    // P₆ on [0, 1] has the leading coefficient 12!/(6!)² = 924.
    let highest = Column::from_fn(|i, _| {
        let others = (0..NODES).filter(|j| *j != i).map(|j| PLACES[i] - PLACES[j]);
        1.0 / (924.0 * others.product::<f64>())
    });
    Tables { integral, derivative: slopes * coefficients, coefficients, highest }
});

/// A solved step.
pub(super) struct Step<S> {
    /// States at the nodes; the last is the end of the step.
    pub(super) states: [S; NODES],
    /// Error relative to the tolerance.
    pub(super) error: f64,
}

/// Sizes that a step is measured by.
pub(super) struct Measure<'a, S> {
    pub(super) scale: &'a S,
    pub(super) tolerance: f64,
}

/// Iterations after which a step counts as too long.
const MOST_ITERATIONS: usize = 30;
/// After these the changes have to fall steadily.
const FIRST_ITERATIONS: usize = 5;
/// Changes below this fraction of the tolerance end the iteration.
const SETTLED: f64 = 0.05;
/// The highest coefficient of the rates is the last one that the polynomial still has; the error is the next, which is less
/// by about this.
const ERROR_SHARE: f64 = 0.03;

/// Solves a step of length `h` from `from`, starting the iteration with the states at the nodes that `guess` gives. The
/// angle's error counts by m/scale, the displacement it means. `None` if the iteration does not settle; adds up evaluations.
pub(super) fn solve<S: State, const EVENTS: usize>(
    system: &impl System<S, EVENTS>,
    (start, from): (f64, &S),
    angle: usize,
    h: f64,
    guess: impl Fn(f64) -> S,
    measure: &Measure<'_, S>,
    evaluations: &mut usize,
) -> Option<Step<S>> {
    let tables = &*TABLES;
    let scale = measure.scale.numbers();
    let length = scale.len();
    let mut states: [S; NODES] = std::array::from_fn(|i| guess(PLACES[i]));
    let mut rates: [S; NODES] = std::array::from_fn(|_| from.clone());
    let mut before = f64::INFINITY;
    for iteration in 0..MOST_ITERATIONS {
        let (mut matrix, mut residual, mut weight) = (Square::zeros(), Column::zeros(), 0.0_f64);
        let moved = Column::from_fn(|i, _| states[i].numbers()[angle] - from.numbers()[angle]);
        let turned = tables.derivative * moved;
        for i in 0..NODES {
            let t = start + PLACES[i] * h;
            rates[i] = system.derivative(t, &states[i]);
            let turning = system.turning(t, &states[i]);
            let inertia = turning.inertia.max(0.0) / h;
            weight = weight.max(inertia * h / scale[angle]);
            residual[i] = inertia * turned[i] - turning.drive;
            for j in 0..NODES {
                matrix[(i, j)] = inertia * tables.derivative[(i, j)];
            }
            matrix[(i, i)] -= turning.drive_by_angle;
        }
        *evaluations += NODES;
        let correction = matrix.lu().solve(&residual)?;
        let mut change = 0.0_f64;
        for i in 0..NODES {
            for n in (0..length).filter(|n| *n != angle) {
                let sum: f64 = (0..NODES).map(|j| tables.integral[(i, j)] * rates[j].numbers()[n]).sum();
                let value = from.numbers()[n] + h * sum;
                change = change.max((value - states[i].numbers()[n]).abs() / scale[n]);
                states[i].numbers_mut()[n] = value;
            }
            change = change.max(correction[i].abs() * weight);
            states[i].numbers_mut()[angle] -= correction[i];
        }
        if !change.is_finite() || (iteration > FIRST_ITERATIONS && change > 0.7 * before) {
            return None;
        }
        if change <= SETTLED * measure.tolerance {
            let moved = Column::from_fn(|i, _| states[i].numbers()[angle] - from.numbers()[angle]);
            let turned = tables.derivative * moved;
            let mut error = turned.dot(&tables.highest).abs() * weight;
            for n in (0..length).filter(|n| *n != angle) {
                let highest: f64 = (0..NODES).map(|j| tables.highest[j] * rates[j].numbers()[n]).sum();
                error = error.max(h * highest.abs() / scale[n]);
            }
            return Some(Step { states, error: ERROR_SHARE * error / measure.tolerance });
        }
        before = change;
    }
    None
}

/// The coefficient a_k of each number of the state, from the states at the nodes.
pub(super) fn coefficients<S: State>(from: &S, states: &[S; NODES], interpolant: &mut [S; NODES]) {
    let tables = &*TABLES;
    for n in 0..from.numbers().len() {
        let moved = Column::from_fn(|i, _| states[i].numbers()[n] - from.numbers()[n]);
        let row = tables.coefficients * moved;
        for (k, coefficient) in interpolant.iter_mut().enumerate() {
            coefficient.numbers_mut()[n] = row[k];
        }
    }
}
