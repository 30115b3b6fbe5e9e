//! Newton's method on the natural map of a cone program, non-smooth where the active set changes.
//!
//! ```text
//! x_j = Π_j(x_j − ρ_j u_j),   u = H x + g − Aᵀλ,        λ_i = max(0, λ_i − σ_i y_i),   y = A x − b
//! ```
//!
//! The derivative of a projection has shares d in 0..1 along orthonormal axes. Where d = 0 the step of x is known; elsewhere
//! the rows divided by d are symmetric: H + (1 − d)/(d ρ) on the axes left. One Cholesky decomposition of that, and one
//! of the Schur complement of the active rows, give the step. Small diagonal terms keep them definite where H is not, or where
//! rows repeat each other; as the residual is exact they do not bias the answer.

use super::SOLVED;
use super::cone::{Cone, Point, Projection, dot};
use super::cone_qp::{Answer, ConeQp, State, Steps};
use super::dense::Cholesky;
use nalgebra::{DMatrix, DVector};

/// Diagonal terms, relative to the curvature of each unknown: small beside any stiffness that matters, large beside rounding.
/// Nearly dependent unknowns need the smaller, or the larger.
pub(super) const PROXIMITIES: [f64; 4] = [1e-9, 1e-12, 1e-7, 1e-5];
/// More steps than any solvable case was seen to take.
const MOST_STEPS: usize = 40;
/// Steps without halving the least residual that show a cycle.
const PATIENCE: usize = 8;
/// The residual that rounding leaves; better is not asked for.
const ROUNDING: f64 = 1e-14;

/// Unknowns that remain when every cone's fixed axes are taken out.
struct Axes {
    /// First unknown of the cone, the axis, its share, and the step ρ.
    list: Vec<(Cone, Point, f64, f64)>,
}

pub(super) fn newton(
    program: &ConeQp,
    steps: &Steps,
    x: DVector<f64>,
    multipliers: DVector<f64>,
    proximity: f64,
) -> Answer {
    let mut state = State::new(program, steps, x, multipliers);
    let mut best = (state.residual, state.x.clone(), state.multipliers.clone());
    let (mut since, mut iterations) = (0, 0);
    while iterations < MOST_STEPS && best.0 > ROUNDING {
        let Some((dx, dl)) = step(program, steps, &state, proximity) else { break };
        iterations += 1;
        state.x += dx;
        state.multipliers += dl;
        state.evaluate(program, steps);
        if !state.residual.is_finite() {
            break;
        }
        since = if state.residual <= 0.5 * best.0 { 0 } else { since + 1 };
        if state.residual < best.0 {
            best.0 = state.residual;
            best.1.copy_from(&state.x);
            best.2.copy_from(&state.multipliers);
        }
        // Once solved, steps go on only while they help.
        if since > PATIENCE || (since > 0 && best.0 <= SOLVED * 1e-2) {
            break;
        }
    }
    Answer::new(best.1, best.2, best.0, iterations)
}

fn step(program: &ConeQp, steps: &Steps, state: &State, proximity: f64) -> Option<(DVector<f64>, DVector<f64>)> {
    let State { x, multipliers, slope, slack, .. } = state;
    let size = x.len();

    // Fixed part of the step of x, and the axes along which it is free with their right-hand sides.
    let mut fixed = DVector::zeros(size);
    let mut axes = Axes { list: Vec::with_capacity(size) };
    let mut right = Vec::with_capacity(size);
    for cone in &program.cones {
        let rho = steps.unknowns[cone.start];
        let (point, u) = (cone.of(x.as_slice()), cone.of(slope.as_slice()));
        let moved = std::array::from_fn(|i| point[i] - rho * u[i]);
        let Projection { point: projected, axes: frame, shares } = cone.project(&moved);
        let miss: Point = std::array::from_fn(|i| point[i] - projected[i]);
        for (axis, share) in frame.iter().zip(shares).take(if cone.size == 2 { 2 } else { cone.size }) {
            let along = dot(axis, &miss);
            if share > 0.0 {
                right.push(-along / (share * rho));
                axes.list.push((*cone, *axis, share, rho));
            } else {
                for i in 0..cone.size {
                    fixed[cone.start + i] -= along * axis[i];
                }
            }
        }
    }

    let active: Vec<usize> = (0..slack.len())
        .filter(|i| *i < program.equalities || multipliers[*i] - steps.rows[*i] * slack[*i] > 0.0)
        .collect();
    let mut dl = DVector::from_fn(slack.len(), |i, _| -multipliers[i]);
    for i in &active {
        dl[*i] = 0.0;
    }
    // What the fixed parts already do to the slope.
    let mut pushed = &program.h * &fixed;
    if !dl.is_empty() {
        pushed.gemv(-1.0, &steps.across, &dl, 1.0);
    }
    let right = DVector::from_iterator(
        axes.list.len(),
        axes.list.iter().zip(right).map(|((cone, axis, ..), value)| value - dot(axis, &cone.of(pushed.as_slice()))),
    );
    let free = axes.list.len();
    if free == 0 {
        return Some((fixed, dl));
    }
    let cholesky = Cholesky::new(axes.reduced(&program.h, proximity))?;
    let g = DMatrix::from_fn(free, active.len(), |k, i| {
        let (cone, axis, ..) = &axes.list[k];
        (0..cone.size).map(|c| steps.across[(cone.start + c, active[i])] * axis[c]).sum()
    });
    let wanted =
        DVector::from_iterator(active.len(), active.iter().map(|i| -slack[*i] - steps.across.column(*i).dot(&fixed)));
    let (u, found) = constrained(&cholesky, &right, g, &wanted, proximity)?;
    for (i, value) in active.iter().zip(found.iter()) {
        dl[*i] = *value;
    }
    let mut dx = fixed;
    for ((cone, axis, ..), along) in axes.list.iter().zip(u.iter()) {
        for c in 0..cone.size {
            dx[cone.start + c] += along * axis[c];
        }
    }
    Some((dx, dl))
}

impl Axes {
    /// The lower triangle of H on the axes, with the curvature of the cones.
    fn reduced(&self, h: &DMatrix<f64>, proximity: f64) -> DMatrix<f64> {
        let free = self.list.len();
        let mean = h.trace() / h.nrows() as f64;
        let mut reduced = DMatrix::zeros(free, free);
        let mut image = DVector::zeros(h.nrows());
        for (l, (other, across, share, rho)) in self.list.iter().enumerate() {
            let below = other.start;
            image.rows_range_mut(below..).fill(0.0);
            for j in (0..other.size).filter(|j| across[*j] != 0.0) {
                let column = h.column(other.start + j);
                image.rows_range_mut(below..).axpy(across[j], &column.rows_range(below..), 1.0);
            }
            let mut column = reduced.column_mut(l);
            for (entry, (cone, axis, ..)) in column.iter_mut().zip(&self.list).skip(l) {
                *entry = (0..cone.size).map(|i| axis[i] * image[cone.start + i]).sum();
            }
            let own: f64 = column[l];
            column[l] = own + proximity * own.max(1e-3 * mean) + (1.0 - share) / (share * rho);
        }
        reduced
    }
}

/// K u − G λ = r,  Gᵀ u = w.
fn constrained(
    k: &Cholesky,
    right: &DVector<f64>,
    g: DMatrix<f64>,
    wanted: &DVector<f64>,
    proximity: f64,
) -> Option<(DVector<f64>, DVector<f64>)> {
    if wanted.is_empty() {
        return Some((k.solve(right), DVector::zeros(0)));
    }
    let mut through = g;
    for mut column in through.column_iter_mut() {
        k.forward(column.as_mut_slice());
    }
    let mut half = right.clone();
    k.forward(half.as_mut_slice());
    let mut schur = through.tr_mul(&through);
    let largest = schur.diagonal().amax();
    for i in 0..schur.nrows() {
        let own = schur[(i, i)];
        schur[(i, i)] = own + proximity * own.max(1e-3 * largest);
    }
    let found = Cholesky::new(schur)?.solve(&(wanted - through.tr_mul(&half)));
    half += through * &found;
    k.backward(half.as_mut_slice());
    Some((half, found))
}
