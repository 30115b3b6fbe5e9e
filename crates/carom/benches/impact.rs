//! Several contacts at once: frictional impacts in space beside Clarabel on the same convex program in the same run, and
//! frictionless ones of many contacts. Prints Markdown tables; `cargo xtask bench` keeps them.
//!
//! Clarabel gets W as a sparse matrix, the cones as second-order cones of (μ P_n, P_t), and is asked for the same residual (1e-10).
//! `rakshit-chatterjee` is such a program. `newton-lcp` is not convex: Clarabel gets one associated program, that of a known slip
//! speed, which a fixed-point method would have to solve several times.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../tests/networks/mod.rs"]
mod networks;
#[path = "../tests/support/mod.rs"]
mod support;

use carom::impact::{BoundImpactLaw, Impact};
use carom::laws::find;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus};
use rand::RngExt;
use std::hint::black_box;
use std::time::Instant;

const FRICTION: f64 = 0.4;
const RESTITUTION: f64 = 0.6;

fn main() {
    println!("| contacts | `rakshit-chatterjee` µs | Clarabel µs | ratio | `newton-lcp` µs | Clarabel µs | ratio |");
    println!("|---|---|---|---|---|---|---|");
    for n in [1, 4, 10, 30, 100] {
        let samples = if n <= 10 { 40 } else { 400 / n };
        let impacts: Vec<Impact> = (0..samples as u64).map(|case| sample(case, n)).collect();
        let cells = ["rakshit-chatterjee", "newton-lcp"].map(|law| {
            let bound = bind(law, n, FRICTION);
            let ours = time(&impacts, |impact| bound.resolve(impact).unwrap().impulses[0].x);
            let theirs = time(&impacts, |impact| clarabel(impact, law == "rakshit-chatterjee"));
            format!("{:.1} | {:.0} | {:.1}", ours * 1e6, theirs * 1e6, theirs / ours)
        });
        println!("| {n} | {} | {} |", cells[0], cells[1]);
    }

    println!("\n| frictionless | law | 10² ms | 10³ ms | 10⁴ ms | exponent 10² to 10⁴ |\n|---|---|---|---|---|---|");
    for kind in ["chain", "random network"] {
        for law in ["newton-lcp", "poisson-lcp"] {
            let times = [100, 1000, 10_000].map(|n| {
                let scene = match kind {
                    "chain" => {
                        let mut random = support::random(9, n);
                        let masses: Vec<f64> = (0..=n).map(|_| random.random_range(0.5..2.0)).collect();
                        networks::chain(&masses)
                    }
                    _ => networks::pile(&mut support::random(8, n), n as usize),
                };
                let bound = bind(law, scene.contacts.len(), 0.0);
                time(&[scene.impact()], |impact| bound.resolve(impact).unwrap().impulses[0].x)
            });
            let exponent = (times[2] / times[0]).log10() / 2.0;
            let cells = times.map(|seconds| format!("{:.3}", seconds * 1e3));
            println!("| {kind} | `{law}` | {} | {exponent:.2} |", cells.join(" | "));
        }
    }
}

fn sample(case: u64, contacts: usize) -> Impact {
    networks::pile(&mut support::random(7, case), contacts).impact()
}

fn bind(law: &str, contacts: usize, friction: f64) -> BoundImpactLaw {
    let lookup = |_: usize, key: &str| match key {
        "restitution" => Some(RESTITUTION),
        "friction" => Some(friction),
        _ => None,
    };
    BoundImpactLaw::new(find(law).unwrap(), contacts, lookup).unwrap()
}

/// Seconds for each impact, the least of several rounds.
fn time(impacts: &[Impact], f: impl Fn(&Impact) -> f64) -> f64 {
    let mut least = f64::INFINITY;
    let start = Instant::now();
    for round in 0..30 {
        let begin = Instant::now();
        for impact in impacts {
            black_box(f(black_box(impact)));
        }
        least = least.min(begin.elapsed().as_secs_f64());
        if round > 2 && start.elapsed().as_secs_f64() > 3.0 {
            break;
        }
    }
    least / impacts.len() as f64
}

/// The convex program of an impact by Clarabel: that of Rakshit and Chatterjee, or friction with a known slip speed.
fn clarabel(impact: &Impact, restitution_rows: bool) -> f64 {
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
    if restitution_rows {
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
            asked += (1.0 + RESTITUTION) * v[k].x * weight;
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
            q[3 * k] += RESTITUTION * v.x + FRICTION * v.yz().norm();
        }
    }
    let offset = b.len();
    for k in 0..n {
        for i in 0..3 {
            rows.push(offset + 3 * k + i);
            columns.push(3 * k + i);
            values.push(if i == 0 { -FRICTION } else { -1.0 });
        }
        cones.push(SecondOrderConeT(3));
    }
    b.resize(offset + size, 0.0);
    let a = CscMatrix::new_from_triplets(b.len(), size, rows, columns, values);
    let settings = DefaultSettings {
        verbose: false,
        tol_gap_abs: 1e-10,
        tol_gap_rel: 1e-10,
        tol_feas: 1e-10,
        ..DefaultSettings::default()
    };
    let mut solver = DefaultSolver::new(&p, &q, &a, &b, &cones, settings).unwrap();
    solver.solve();
    assert!(matches!(solver.solution.status, SolverStatus::Solved | SolverStatus::AlmostSolved));
    solver.solution.x[0]
}
