//! Every mode of a small planar problem with Coulomb friction, each a program for Clarabel: the oracle for whether there is a solution.

use carom::impact::Impact;
use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::{NonnegativeConeT, ZeroConeT};
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus};
use nalgebra::{DMatrix, DVector, Vector3};

/// U = W x + q in units of order one, (n, t) for each contact; U_n ≥ 0 ⟂ x_n ≥ 0 with Coulomb friction.
pub struct Problem {
    pub w: DMatrix<f64>,
    pub q: DVector<f64>,
    pub friction: Vec<f64>,
    /// kg m/s.
    pub unit: f64,
}

impl Problem {
    /// A planar impact with some restitution.
    pub fn of(impact: &Impact, restitution: &[f64], friction: &[f64]) -> Problem {
        let (n, w, v) = (impact.contacts(), impact.inverse_mass(), impact.velocity());
        let speed = v.iter().map(Vector3::amax).fold(0.0, f64::max);
        let size = (0..n).map(|k| w.block(k, k)[(0, 0)]).sum::<f64>() / n as f64;
        let mut matrix = DMatrix::zeros(2 * n, 2 * n);
        let mut q = DVector::zeros(2 * n);
        for k in 0..n {
            for (l, block) in w.row(k) {
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    matrix[(2 * k + i, 2 * l + j)] = block[(i, j)] / size;
                }
            }
            q[2 * k] = (v[k].x + restitution[k] * v[k].x.min(0.0)) / speed;
            q[2 * k + 1] = v[k].y / speed;
        }
        Problem { w: matrix, q, friction: friction.to_vec(), unit: speed / size }
    }
}

/// Which solutions are wanted.
#[derive(Clone, Copy, PartialEq)]
pub enum Law {
    First,
    All,
}

#[derive(Clone, Copy, Debug)]
enum Mode {
    Open,
    Stick,
    Slip(f64),
}

/// A row and its bound.
type Row = (DVector<f64>, f64);

/// Impulses longer than this do not count.
const LONGEST: f64 = 1e5;
/// How well the conditions must hold.
const HOLDS: f64 = 1e-7;

/// Slacks that may be zero.
const NEAR: [f64; 6] = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3];
/// Singular values of rows of order one that are rounding.
const RANK: f64 = 1e-11;
/// How well the rows hold that were solved directly.
const EXACT: f64 = 1e-11;

/// The shortest impulses (n, t1, t2) of every mode that has a solution.
pub fn solutions(problem: &Problem, wanted: Law) -> Vec<Vec<Vector3<f64>>> {
    let n = problem.friction.len();
    let mut found = Vec::new();
    for choice in 0..4_usize.pow(n as u32) {
        let modes: Vec<Mode> = (0..n)
            .map(|k| match choice / 4_usize.pow(k as u32) % 4 {
                0 => Mode::Open,
                1 => Mode::Stick,
                2 => Mode::Slip(1.0),
                _ => Mode::Slip(-1.0),
            })
            .collect();
        // A contact without friction slips one way or the other: once is enough.
        let twice = modes.iter().zip(&problem.friction);
        if twice.into_iter().any(|(mode, mu)| *mu == 0.0 && matches!(mode, Mode::Slip(_))) {
            continue;
        }
        if let Some(x) = shortest(problem, &modes)
            && holds(problem, &x)
        {
            found.push((0..n).map(|k| Vector3::new(x[2 * k], x[2 * k + 1], 0.0) * problem.unit).collect());
            if wanted == Law::First {
                break;
            }
        }
    }
    found
}

fn shortest(problem: &Problem, modes: &[Mode]) -> Option<DVector<f64>> {
    let size = problem.q.len();
    let (mut equations, mut inequalities): (Vec<Row>, Vec<Row>) = Default::default();
    for (k, mode) in modes.iter().enumerate() {
        let (n, t, mu) = (2 * k, 2 * k + 1, problem.friction[k]);
        let unit = |i: usize, value: f64| DVector::from_fn(size, |j, _| if i == j { value } else { 0.0 });
        let velocity = |i: usize| (problem.w.row(i).transpose(), -problem.q[i]);
        match mode {
            Mode::Open => {
                equations.extend([(unit(n, 1.0), 0.0), (unit(t, 1.0), 0.0)]);
                inequalities.push(velocity(n));
            }
            Mode::Stick => {
                equations.push(velocity(n));
                if mu > 0.0 {
                    equations.push(velocity(t));
                    inequalities.extend([1.0, -1.0].map(|side| (unit(n, mu) + unit(t, side), 0.0)));
                } else {
                    equations.push((unit(t, 1.0), 0.0));
                }
                inequalities.push((unit(n, 1.0), 0.0));
            }
            Mode::Slip(side) => {
                equations.push(velocity(n));
                equations.push((unit(t, 1.0) + unit(n, mu * side), 0.0));
                let (row, bound) = velocity(t);
                inequalities.push((row * *side, bound * side));
                inequalities.push((unit(n, 1.0), 0.0));
            }
        }
    }
    // A x + s = b, s = 0 or s ≥ 0: rows −g, bounds −h.
    let (mut rows, mut columns, mut values, mut b) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (i, (row, bound)) in equations.iter().chain(&inequalities).enumerate() {
        for (j, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
            rows.push(i);
            columns.push(j);
            values.push(-value);
        }
        b.push(-bound);
    }
    let a = CscMatrix::new_from_triplets(b.len(), size, rows, columns, values);
    let p = CscMatrix::identity(size);
    let cones = [ZeroConeT(equations.len()), NonnegativeConeT(inequalities.len())];
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-13,
        tol_gap_rel: 1e-13,
        tol_feas: 1e-13,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&p, &vec![0.0; size], &a, &b, &cones, settings).ok()?;
    solver.solve();
    let solved = matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved);
    solved.then(|| polished(&equations, &inequalities, DVector::from_column_slice(&solver.solution.x)))
}

/// The shortest point once more, to rounding: rows that nearly hold with equality do so. An interior-point method stops some digits before.
fn polished(equations: &[Row], inequalities: &[Row], x: DVector<f64>) -> DVector<f64> {
    let slack = |x: &DVector<f64>, (row, bound): &Row| row.dot(x) - bound;
    let mut best: Option<DVector<f64>> = None;
    for near in NEAR {
        let active = inequalities.iter().filter(|row| slack(&x, row) < near);
        let rows: Vec<&Row> = equations.iter().chain(active).collect();
        let matrix = DMatrix::from_fn(rows.len(), x.len(), |i, j| rows[i].0[j]);
        let right = DVector::from_fn(rows.len(), |i, _| rows[i].1);
        let svd = matrix.clone().svd(true, true);
        let Ok(mut point) = svd.solve(&right, RANK) else { continue };
        if let Ok(rest) = svd.solve(&(&right - &matrix * &point), RANK) {
            point += rest;
        }
        let holds = equations.iter().all(|row| slack(&point, row).abs() < EXACT)
            && inequalities.iter().all(|row| slack(&point, row) > -EXACT);
        if holds && best.as_ref().is_none_or(|best| point.norm() < best.norm()) {
            best = Some(point);
        }
    }
    best.unwrap_or(x)
}

/// The conditions again, for any mode.
fn holds(problem: &Problem, x: &DVector<f64>) -> bool {
    let u = &problem.w * x + &problem.q;
    let contact = |k: usize| {
        let (n, t, mu) = (2 * k, 2 * k + 1, problem.friction[k]);
        let slack = mu * x[n] - x[t].abs();
        let slides = (x[t] + mu * x[n] * u[t].signum()).abs().min(u[t].abs());
        x[n].min(u[n]).abs() <= HOLDS && slack >= -HOLDS && (mu == 0.0 || slides <= HOLDS)
    };
    x.amax() <= LONGEST && (0..problem.friction.len()).all(contact)
}
