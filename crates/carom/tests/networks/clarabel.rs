//! The convex programs of an impact by Clarabel.

use carom::impact::Impact;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus};
use nalgebra::Vector3;

/// The impulses of the program of Rakshit and Chatterjee, or of Newton's restitution with friction at known slip speeds. In the plane
/// t2 is free and idle.
pub fn solve(
    impact: &Impact,
    friction: &[f64],
    restitution: &[f64],
    slip: Option<&[f64]>,
    tolerance: f64,
) -> Option<Vec<Vector3<f64>>> {
    let n = impact.contacts();
    let size = 3 * n;
    let (w, v) = (impact.inverse_mass(), impact.velocity());
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..n {
        for (l, block) in w.row(k) {
            for i in 0..3 {
                for j in 0..3 {
                    if 3 * k + i <= 3 * l + j {
                        rows.push(3 * k + i);
                        columns.push(3 * l + j);
                        values.push(block[(i, j)]);
                    }
                }
            }
        }
    }
    let p = CscMatrix::new_from_triplets(size, size, rows, columns, values);
    let mut q: Vec<f64> = v.iter().flat_map(|v| [v.x, v.y, v.z]).collect();
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
    let mut b = Vec::new();
    let mut cones = Vec::new();
    if slip.is_none() {
        // Σ (V_n after + e V_n)/W_nn ≥ 0, then V_n after ≥ 0: A x + s = b, s ≥ 0.
        let mut sum = vec![0.0; size];
        let mut asked = 0.0;
        for k in 0..n {
            let weight = 1.0 / w.block(k, k)[(0, 0)];
            for (l, block) in w.row(k) {
                for j in 0..3 {
                    sum[3 * l + j] += weight * block[(0, j)];
                    rows.push(k + 1);
                    columns.push(3 * l + j);
                    values.push(-block[(0, j)]);
                }
            }
            asked += (1.0 + restitution[k]) * v[k].x * weight;
        }
        for (j, value) in sum.iter().enumerate() {
            rows.push(0);
            columns.push(j);
            values.push(-value);
        }
        b.push(asked);
        b.extend(v.iter().map(|v| v.x));
        cones.push(NonnegativeConeT(n + 1));
    } else {
        for (k, v) in v.iter().enumerate() {
            q[3 * k] += restitution[k] * v.x + friction[k] * slip.map_or(0.0, |slip| slip[k]);
        }
    }
    let offset = b.len();
    for (k, mu) in friction.iter().enumerate() {
        for i in 0..3 {
            rows.push(offset + 3 * k + i);
            columns.push(3 * k + i);
            values.push(if i == 0 { -mu } else { -1.0 });
        }
        cones.push(SecondOrderConeT(3));
    }
    b.resize(offset + size, 0.0);
    let a = CscMatrix::new_from_triplets(b.len(), size, rows, columns, values);
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: tolerance,
        tol_gap_rel: tolerance,
        tol_feas: tolerance,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&p, &q, &a, &b, &cones, settings).unwrap();
    solver.solve();
    (solver.solution.status == SolverStatus::Solved)
        .then(|| solver.solution.x.chunks(3).map(|p| Vector3::new(p[0], p[1], p[2])).collect())
}

/// Newton's restitution with Coulomb friction: programs of known slip speeds until these no longer change.
pub fn fixed_point(
    impact: &Impact,
    friction: &[f64],
    restitution: &[f64],
    tolerance: f64,
) -> Option<Vec<Vector3<f64>>> {
    let mut slip: Vec<f64> = impact.velocity().iter().map(|v| v.yz().norm()).collect();
    let scale = slip.iter().fold(f64::MIN_POSITIVE, |most, slip| slip.max(most));
    for _ in 0..MOST_PROGRAMS {
        let impulses = solve(impact, friction, restitution, Some(&slip), tolerance)?;
        let next: Vec<f64> = impact.velocity_after(&impulses).unwrap().iter().map(|v| v.yz().norm()).collect();
        let change = next.iter().zip(&slip).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        slip = next;
        if change <= SETTLED * scale {
            return Some(impulses);
        }
    }
    None
}

/// Programs before a fixed point is given up.
const MOST_PROGRAMS: usize = 100;
/// A change of the slip speeds that counts as none; Clarabel's own precision allows no better.
const SETTLED: f64 = 1e-8;
