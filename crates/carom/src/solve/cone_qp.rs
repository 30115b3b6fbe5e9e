//! Convex quadratic programs over friction cones:
//!
//! ```text
//! minimise ½ x·H x + g·x   with every x_j in its cone K_j and A x ≥ b
//! ```
//!
//! H is symmetric and positive semidefinite, in general of less than full rank. Newton's method on the natural map of the
//! optimality conditions is tried first; where it does not settle, an interior-point method finds the active set and Newton's
//! method takes the answer to rounding.

use super::cone::{Cone, Projection};
use super::cone_newton::{PROXIMITIES, newton};
use super::dense::{inner, take_off};
use super::interior_point::interior_point;
use super::{SOLVED, Status};
use nalgebra::{DMatrix, DVector};

/// The program. Its data should be of order one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConeQp<'a> {
    pub(crate) h: &'a DMatrix<f64>,
    pub(crate) g: &'a DVector<f64>,
    /// They cover the unknowns without overlap.
    pub(crate) cones: &'a [Cone],
    /// Aᵀ: a column for each row.
    pub(crate) rows: &'a DMatrix<f64>,
    pub(crate) bounds: &'a DVector<f64>,
    /// The first so many rows hold with equality.
    pub(crate) equalities: usize,
}

/// An answer with the multipliers of the rows.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) x: DVector<f64>,
    pub(crate) multipliers: DVector<f64>,
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    pub(crate) status: Status,
}

/// Steps of the natural map: one for each unknown (equal within a cone) and one for each row.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pub(super) unknowns: DVector<f64>,
    pub(super) rows: DVector<f64>,
    /// What a multiplier of one moves an unknown by, at most.
    weights: DVector<f64>,
    /// The unknowns that g alone would call for: residuals are relative to it.
    reach: f64,
}

/// A point with its slope H x + g − Aᵀλ, its slack A x − b, where the natural map projects it and its residual.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) x: DVector<f64>,
    pub(super) multipliers: DVector<f64>,
    pub(super) slope: DVector<f64>,
    pub(super) slack: DVector<f64>,
    /// Of x − ρ u on each cone.
    pub(super) projections: Vec<Projection>,
    pub(super) residual: f64,
}

impl State {
    /// A point that nothing is known of yet.
    pub(super) fn new(program: &ConeQp, x: DVector<f64>, multipliers: DVector<f64>) -> State {
        let (slope, slack) = (program.g.clone(), program.bounds.clone());
        let projections = Vec::with_capacity(program.cones.len());
        State { x, multipliers, slope, slack, projections, residual: f64::INFINITY }
    }

    /// Brings the slope up to date.
    fn lean(&mut self, program: &ConeQp) {
        let (x, slope) = (self.x.as_slice(), self.slope.as_mut_slice());
        slope.copy_from_slice(program.g.as_slice());
        take_off(slope, program.h.as_slice(), x.len(), 0, |k| -x[k]);
        for (row, multiplier) in program.rows.as_slice().chunks_exact(x.len()).zip(self.multipliers.as_slice()) {
            // Few rows are active.
            if *multiplier != 0.0 {
                take_off(slope, row, row.len(), 0, |_| *multiplier);
            }
        }
    }

    /// Moves nearer to the optimum by steps of one cone after the other, with the multipliers held.
    fn sweep(&mut self, program: &ConeQp, steps: &Steps) {
        self.lean(program);
        let (x, slope) = (self.x.as_mut_slice(), self.slope.as_mut_slice());
        for _ in 0..SWEEPS {
            for cone in program.cones {
                let (places, step) = (cone.start..cone.start + cone.size, steps.unknowns[cone.start]);
                let (point, down) = (cone.of(x), cone.of(slope));
                let nearest = cone.project(&std::array::from_fn(|i| point[i] - step * down[i])).point;
                for (x, nearest) in x[places.clone()].iter_mut().zip(nearest) {
                    *x = nearest;
                }
                let columns = &program.h.as_slice()[places.start * x.len()..places.end * x.len()];
                take_off(slope, columns, x.len(), 0, |i| point[i] - nearest[i]);
            }
        }
    }

    /// Brings slope, slack, projections and residual up to date. The residual is the natural map of the cones and rows; of its part that stems
    /// from slopes the rounding of their terms is taken off, which is large where long unknowns need large multipliers. Rows and cones
    /// that a point violates itself count in full.
    pub(super) fn evaluate(&mut self, program: &ConeQp, steps: &Steps) {
        self.lean(program);
        let State { x, multipliers, slope, slack, projections, .. } = self;
        let (x, multipliers, slope) = (x.as_slice(), multipliers.as_slice(), slope.as_slice());
        let rows = program.rows.as_slice().chunks_exact(x.len()).zip(program.bounds.as_slice());
        for ((row, bound), slack) in rows.zip(slack.as_mut_slice()) {
            *slack = inner(row, x) - bound;
        }
        let (mut error, mut outside): (f64, f64) = (0.0, 0.0);
        projections.clear();
        for cone in program.cones {
            let step = steps.unknowns[cone.start];
            let (point, slope) = (cone.of(x), cone.of(slope));
            let projection = cone.project(&std::array::from_fn(|i| point[i] - step * slope[i]));
            for miss in projection.miss(&point) {
                error = error.max(miss.abs());
            }
            for miss in cone.project(&point).miss(&point) {
                outside = outside.max(miss.abs());
            }
            projections.push(projection);
        }
        let mut pull: f64 = 0.0;
        let each = multipliers.iter().zip(slack.as_slice()).zip(steps.rows.as_slice()).zip(steps.weights.as_slice());
        for (i, (((multiplier, slack), step), weight)) in each.enumerate() {
            // λ − max(0, λ − σ y) without the cancellation.
            let moved = step * slack;
            if i < program.equalities || moved < *multiplier {
                outside = outside.max(moved.abs() * weight);
            } else {
                error = error.max(multiplier.abs() * weight);
            }
            pull = pull.max(multiplier.abs() * weight);
        }
        let rounding = f64::EPSILON * x.len() as f64 * pull;
        self.residual = outside.max(error - rounding) / steps.reach;
    }
}

impl ConeQp<'_> {
    /// Inverse curvatures: a step of them does not overshoot in a single cone or row.
    pub(super) fn steps(&self) -> Steps {
        let mean = self.h.trace() / self.g.len() as f64;
        let mut unknowns = DVector::zeros(self.g.len());
        for cone in self.cones {
            let curvature: f64 = (0..cone.size).map(|i| self.h[(cone.start + i, cone.start + i)]).sum();
            let curvature = (curvature / cone.size as f64).max(1e-6 * mean);
            for i in 0..cone.size {
                unknowns[cone.start + i] = 1.0 / curvature;
            }
        }
        let each = || self.rows.as_slice().chunks_exact(self.g.len()).map(|row| row.iter().zip(unknowns.as_slice()));
        let rows = each().map(|terms| {
            let give: f64 = terms.map(|(a, step)| a * a * step).sum();
            if give > 0.0 { 1.0 / give } else { 0.0 }
        });
        let rows = DVector::from_iterator(self.bounds.len(), rows);
        let weights = each().map(|terms| terms.map(|(a, step)| (a * step).abs()).fold(0.0, f64::max));
        let weights = DVector::from_iterator(self.bounds.len(), weights);
        let reach = self.g.iter().zip(unknowns.iter()).map(|(g, step)| (g * step).abs());
        let reach = reach.fold(f64::MIN_POSITIVE, f64::max);
        Steps { unknowns, rows, weights, reach }
    }

    /// How far a point is from the optimum: the natural map, relative to the unknowns that g alone would call for. It is not relative to
    /// the unknowns found: where no point is feasible they grow without bound, and any error is small beside them.
    pub(crate) fn residual(&self, x: &DVector<f64>, multipliers: &DVector<f64>) -> f64 {
        let mut state = State::new(self, x.clone(), multipliers.clone());
        state.evaluate(self, &self.steps());
        state.residual
    }

    /// Solves, from a first guess.
    pub(crate) fn solve(&self, x: DVector<f64>, multipliers: DVector<f64>) -> Answer {
        let steps = self.steps();
        let mut start = State::new(self, x, multipliers);
        start.sweep(self, &steps);
        let mut best = self.attempts(&steps, start);
        let mut iterations = best.iterations;
        for share in SHARES {
            if best.status == Status::Solved {
                break;
            }
            let start = State::new(self, self.normals(&steps, share), DVector::zeros(self.bounds.len()));
            let next = self.attempts(&steps, start);
            iterations += next.iterations;
            if next.residual < best.residual {
                best = next;
            }
        }
        let mean = self.h.trace() / self.g.len() as f64;
        for give in GIVES {
            if best.status == Status::Solved {
                break;
            }
            let mut h = self.h.clone();
            for i in 0..self.g.len() {
                h[(i, i)] += give * mean;
            }
            let soft = ConeQp { h: &h, ..*self };
            let inner = interior_point(&soft);
            let close = soft.attempts(&steps, State::new(&soft, inner.x, inner.multipliers));
            let firm = self.attempts(&steps, State::new(self, close.x, close.multipliers));
            iterations += inner.iterations + close.iterations + firm.iterations;
            if firm.residual < best.residual {
                best = firm;
            }
        }
        Answer { iterations, ..best }
    }

    /// Normal unknowns alone, each a share of what would be best if there were no other.
    fn normals(&self, steps: &Steps, share: f64) -> DVector<f64> {
        let mut x = DVector::zeros(self.g.len());
        for cone in self.cones {
            x[cone.start] = (-share * steps.unknowns[cone.start] * self.g[cone.start]).max(0.0);
        }
        x
    }

    /// A solution close to one that is nearly so; what comes nearest to solving.
    pub(crate) fn refined(&self, x: DVector<f64>, multipliers: DVector<f64>) -> Answer {
        self.attempts(&self.steps(), State::new(self, x, multipliers))
    }

    /// Newton's method with one diagonal term after another, as long as the last is not solved but came close.
    fn attempts(&self, steps: &Steps, start: State) -> Answer {
        let mut best = newton(self, steps, start, PROXIMITIES[0]);
        for proximity in &PROXIMITIES[1..] {
            if best.status == Status::Solved || best.residual > NEAR {
                break;
            }
            let again = State::new(self, best.x.clone(), best.multipliers.clone());
            let mut next = newton(self, steps, again, *proximity);
            next.iterations += best.iterations;
            if next.residual < best.residual { best = next } else { best.iterations = next.iterations }
        }
        best
    }
}

/// Sweeps before Newton's method: they cost less than the steps that they save.
const SWEEPS: usize = 6;
/// Other points that Newton's method may start from.
const SHARES: [f64; 2] = [0.3, 2.0];
/// Where Newton's method does not settle, H is made definite by these, relative to its mean: of many solutions that are alike it
/// then finds a short one.
const GIVES: [f64; 4] = [1e-5, 1e-7, 1e-3, 0.0];
/// A residual from which another diagonal term may lead to the end.
const NEAR: f64 = 1e-4;

impl Answer {
    pub(super) fn new(x: DVector<f64>, multipliers: DVector<f64>, residual: f64, iterations: usize) -> Answer {
        let status = if residual <= SOLVED { Status::Solved } else { Status::Stalled };
        Answer { x, multipliers, residual, iterations, status }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The data of a program.
    struct Data {
        h: DMatrix<f64>,
        g: DVector<f64>,
        cones: Vec<Cone>,
        rows: DMatrix<f64>,
        bounds: DVector<f64>,
        equalities: usize,
    }

    impl Data {
        fn program(&self) -> ConeQp<'_> {
            let Data { h, g, cones, rows, bounds, equalities } = self;
            ConeQp { h, g, cones, rows, bounds, equalities: *equalities }
        }
    }

    /// A program with a feasible point inside, H of the given rank, g in the range of H.
    fn random_program(random: &mut Random, contacts: usize, size: usize, rank: usize, rows: usize) -> Data {
        let n = contacts * size;
        let root = DMatrix::from_fn(n, rank, |_, _| random.between(-1.0, 1.0));
        let v = DVector::from_fn(rank, |_, _| random.between(-1.0, 1.0));
        let (h, g) = (&root * root.transpose(), &root * v);
        let cones: Vec<Cone> =
            (0..contacts).map(|k| Cone { start: k * size, size, friction: random.log_between(1e-3, 1e2) }).collect();
        let weights = DMatrix::from_fn(n, rows, |_, _| random.between(0.0, 1.0));
        let inner = DVector::from_fn(n, |i, _| if i % size == 0 { 1.0 } else { 0.0 });
        let rows = &h * &weights;
        let bounds = rows.tr_mul(&inner) - DVector::from_fn(rows.ncols(), |_, _| random.between(0.0, 1.0));
        Data { h, g, cones, rows, bounds, equalities: 0 }
    }

    fn value(program: &ConeQp, x: &DVector<f64>) -> f64 {
        x.dot(&(program.h * x * 0.5 + program.g))
    }

    #[test]
    fn random_programs_are_solved_and_the_interior_point_method_agrees() {
        let mut random = Random(5);
        let (mut settled, cases) = (0, 2000);
        for case in 0..cases {
            let contacts = 1 + case % 8;
            let size = 1 + case % 3;
            let n = contacts * size;
            let rank = 1 + (random.unit() * n as f64) as usize;
            let data = random_program(&mut random, contacts, size, rank, case % 4);
            let program = data.program();
            let answer = program.solve(DVector::zeros(n), DVector::zeros(data.bounds.len()));
            assert!(answer.status == Status::Solved, "{case}: {:e}", answer.residual);
            let inner = interior_point(&program);
            let (a, b) = (value(&program, &answer.x), value(&program, &inner.x));
            // Where the least value is only approached, by impulses that press against each other without bound, its digits
            // are lost.
            let pressed = inner.x.amax() > 1e3 * (1.0 + answer.x.amax());
            assert!(pressed || (a - b).abs() < 1e-6 * (1.0 + a.abs()), "{case}: {a} {b}");
            let start = State::new(&program, DVector::zeros(n), DVector::zeros(program.bounds.len()));
            let alone = newton(&program, &program.steps(), start, PROXIMITIES[0]);
            settled += usize::from(alone.status == Status::Solved);
        }
        // The interior-point method is for the few that are left.
        assert!(settled > cases * 9 / 10, "{settled} of {cases}");
    }

    #[test]
    fn friction_may_be_tiny_or_huge_and_contacts_repeated() {
        let mut random = Random(12);
        for case in 0..1000 {
            let mut data = random_program(&mut random, 4, 3, 1 + case % 12, 1);
            for cone in &mut data.cones {
                cone.friction = random.log_between(1e-8, 1e8);
            }
            let answer = data.program().solve(DVector::zeros(12), DVector::zeros(1));
            assert!(answer.status == Status::Solved, "{case}: {:e} {:?}", answer.residual, data.cones);
        }
    }

    #[test]
    fn an_equality_holds() {
        let mut random = Random(13);
        for case in 0..300 {
            let mut data = random_program(&mut random, 3, 3, 9, 1);
            data.bounds[0] = data.rows.column(0).iter().step_by(3).sum();
            data.equalities = 1;
            let answer = data.program().solve(DVector::zeros(9), DVector::zeros(1));
            assert!(answer.status == Status::Solved, "{case}: {:e}", answer.residual);
            let miss = (data.rows.tr_mul(&answer.x) - &data.bounds).amax();
            assert!(miss < 1e-9 * (1.0 + answer.x.amax()), "{case}: {miss:e}");
        }
    }
}
