//! Newton's method on the natural map of a friction problem, non-smooth where contacts open, stick or slip.

use super::SOLVED;
use super::dense::Lu;
use super::friction::{Disk, Found, Friction, Measure};
use nalgebra::{DMatrix, DVector, Vector2};

/// More steps than any solvable case was seen to take.
const MOST_STEPS: usize = 30;
/// Steps without halving the least residual that show a cycle.
const PATIENCE: usize = 7;
/// The residual that rounding leaves; better is not asked for.
const ROUNDING: f64 = 1e-14;
impl Friction {
    /// Newton's method from a guess: the best point on its way.
    pub(super) fn newton(&self, guess: DVector<f64>, proximity: f64) -> Found {
        let mut x = guess;
        let mut u = &self.w * &x + &self.q;
        let mut best = Found::new(x.clone(), self.residual_at(&x, &u), 0);
        let mut since = 0;
        // A contact that approaches needs an impulse, however slowly it does beside the slip; accelerations so small are rounding.
        let pressed = |disk: &Disk| u[disk.start] < 0.0 && x[disk.start] <= disk.least;
        let idle = matches!(self.measure, Measure::Velocity(_)) && self.disks.iter().any(pressed);
        for iteration in 1..=MOST_STEPS {
            if best.residual <= ROUNDING && !(idle && iteration == 1) {
                break;
            }
            let Some(step) = self.step(&x, &u, proximity) else { break };
            x += step;
            u = &self.w * &x + &self.q;
            let residual = self.residual_at(&x, &u);
            if !residual.is_finite() {
                break;
            }
            let halved = residual <= 0.5 * best.residual;
            if residual < best.residual {
                best = Found::new(x.clone(), residual, iteration);
            }
            since = if halved { 0 } else { since + 1 };
            if since > PATIENCE || (since > 0 && best.residual <= SOLVED * 1e-2) {
                break;
            }
            best.iterations = iteration;
        }
        best
    }

    /// Newton's step of the natural map. Unknowns whose step is known are taken out of the system.
    fn step(&self, x: &DVector<f64>, u: &DVector<f64>, proximity: f64) -> Option<DVector<f64>> {
        let size = x.len();
        let mut dx = DVector::zeros(size);
        // Free unknowns with the coefficients of their equation: a row of W times `weights` from `start`, plus own terms.
        let mut equations: Vec<Equation> = Vec::with_capacity(size);
        for disk in &self.disks {
            let rho = self.step_of(disk);
            let (p, v) = (disk.of(x), disk.of(u));
            let start = disk.start;
            let closed = p.x - rho * v.x > disk.least;
            if closed {
                equations.push(Equation::stop(start, 0, v.x));
            } else {
                dx[start] = disk.least - p.x;
            }
            if disk.size == 1 {
                continue;
            }
            let normal = if closed { p.x } else { disk.least };
            let (centre, radius) = (disk.centre_at(normal), disk.radius_at(normal));
            let moved = p.yz() - centre - v.yz() * rho;
            let length = moved.norm();
            if length < radius {
                for i in 1..disk.size {
                    equations.push(Equation::stop(start, i, v[i]));
                }
                continue;
            }
            let along = if length > 0.0 { moved / length } else { Vector2::zeros() };
            if !closed && (radius == 0.0 || disk.size == 2) {
                for i in 1..disk.size {
                    dx[start + i] = centre[i - 1] + radius * along[i - 1] - p[i];
                }
                continue;
            }
            // x_t − c(x_n) − r(x_n) along = 0, along turning with the moved point.
            let growth = disk.centre[1] + along * disk.radius[1];
            let turn = if length > 0.0 && disk.size == 3 { radius / length } else { 0.0 };
            let miss = p.yz() - disk.centre_at(p.x) - along * disk.radius_at(p.x);
            let across = Vector2::new(-along.y, along.x);
            for i in 1..disk.size {
                let mut own = [0.0; 3];
                let mut weights = [0.0; 3];
                own[0] = -growth[i - 1];
                own[i] = 1.0;
                for j in 1..disk.size {
                    let share = turn * across[i - 1] * across[j - 1];
                    own[j] -= share;
                    own[0] += share * disk.centre[1][j - 1];
                    weights[j] = rho * share;
                }
                equations.push(Equation { unknown: start + i, start, weights, own, right: -miss[i - 1] });
            }
        }
        if equations.is_empty() {
            return Some(dx);
        }
        let pushed = &self.w * &dx;
        let n = equations.len();
        let mut place = vec![usize::MAX; size];
        for (k, equation) in equations.iter().enumerate() {
            place[equation.unknown] = k;
        }
        // Equations are columns here: the matrix is transposed, and W symmetric.
        let mut matrix = DMatrix::zeros(n, n);
        let mut right = DVector::zeros(n);
        for (k, equation) in equations.iter().enumerate() {
            right[k] = equation.right;
            let mut column = matrix.column_mut(k);
            for i in 0..3 {
                let row = equation.start + i;
                if equation.weights[i] != 0.0 {
                    let give = self.w.column(row);
                    for (entry, other) in column.iter_mut().zip(&equations) {
                        *entry += equation.weights[i] * give[other.unknown];
                    }
                    if place[row] != usize::MAX {
                        column[place[row]] += equation.weights[i] * proximity * give[row];
                    }
                    right[k] -= equation.weights[i] * pushed[row];
                }
                if equation.own[i] != 0.0 {
                    match place[row] {
                        usize::MAX => right[k] -= equation.own[i] * dx[row],
                        unknown => column[unknown] += equation.own[i],
                    }
                }
            }
        }
        let solution = Lu::new(matrix)?.solve_transposed(&right);
        for (equation, value) in equations.iter().zip(solution.iter()) {
            dx[equation.unknown] = *value;
        }
        Some(dx)
    }
}

/// One row of Newton's system: Σ weights·(W dx) + Σ own·dx = right, both sums over the unknowns of one contact.
struct Equation {
    unknown: usize,
    start: usize,
    weights: [f64; 3],
    own: [f64; 3],
    right: f64,
}

impl Equation {
    /// The velocity along one unknown becomes zero.
    fn stop(start: usize, component: usize, velocity: f64) -> Equation {
        let mut weights = [0.0; 3];
        weights[component] = 1.0;
        Equation { unknown: start + component, start, weights, own: [0.0; 3], right: -velocity }
    }
}
