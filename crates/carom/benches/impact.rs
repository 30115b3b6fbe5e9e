//! Several contacts at once: frictional impacts in space beside Clarabel on the same convex program in the same run, and
//! frictionless ones of many contacts. Prints Markdown tables; `cargo xtask bench` keeps them.
//!
//! Clarabel gets W as a sparse matrix, the cones as second-order cones of (μ P_n, P_t), and is asked for the same residual (1e-10).
//! `rakshit-chatterjee` is such a program. `newton-lcp` is not convex: Clarabel gets a sequence of programs with the slip speeds of the
//! last, until these no longer change; the time of one of them is given, too.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../tests/networks/mod.rs"]
mod networks;
#[path = "../tests/support/mod.rs"]
mod support;

use carom::BoundLaw;
use carom::impact::Impact;
use carom::laws::find;
use nalgebra::Vector3;
use rand::RngExt;
use std::hint::black_box;
use std::time::Instant;

const FRICTION: f64 = 0.4;
const RESTITUTION: f64 = 0.6;
/// Asked of Clarabel; what Carom's solvers end at, too.
const PRECISION: f64 = 1e-10;

fn main() {
    println!(
        "| contacts | `rakshit-chatterjee` µs | Clarabel µs | ratio | `newton-lcp` µs | Clarabel µs | ratio | one program µs |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for n in [1, 4, 10, 30, 100] {
        let samples = if n <= 10 { 40 } else { 400 / n };
        let (friction, restitution) = (vec![FRICTION; n], vec![RESTITUTION; n]);
        let first = |p: Option<Vec<Vector3<f64>>>| p.map_or(f64::NAN, |p| p[0].x);
        let fixed_point = |impact: &Impact| networks::clarabel::fixed_point(impact, &friction, &restitution, PRECISION);
        let impacts: Vec<Impact> = (0..samples as u64).map(|case| sample(case, n)).collect();
        let program =
            time(&impacts, |impact| first(networks::clarabel::solve(impact, &friction, &restitution, None, PRECISION)));
        let law = bind("rakshit-chatterjee", n, FRICTION);
        let ours = time(&impacts, |impact| law.resolve(impact).unwrap().contacts[0].impulse.x);
        let convex = format!("{:.1} | {:.0} | {:.1}", ours * 1e6, program * 1e6, program / ours);
        // The fixed point does not always settle: only impacts where it does are compared.
        let impacts: Vec<Impact> = impacts.into_iter().filter(|impact| fixed_point(impact).is_some()).collect();
        let law = bind("newton-lcp", n, FRICTION);
        let ours = time(&impacts, |impact| law.resolve(impact).unwrap().contacts[0].impulse.x);
        let theirs = time(&impacts, |impact| first(fixed_point(impact)));
        let slip = vec![0.0; n];
        let one = time(&impacts, |impact| {
            first(networks::clarabel::solve(impact, &friction, &restitution, Some(&slip), PRECISION))
        });
        let cells = format!("{:.1} | {:.0} | {:.1} | {:.0}", ours * 1e6, theirs * 1e6, theirs / ours, one * 1e6);
        println!("| {n} | {convex} | {cells} |");
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
                time(&[scene.impact()], |impact| bound.resolve(impact).unwrap().contacts[0].impulse.x)
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

fn bind(law: &str, contacts: usize, friction: f64) -> BoundLaw {
    let lookup = |_: usize, key: &str| match key {
        "restitution" => Some(RESTITUTION),
        "friction" => Some(friction),
        _ => None,
    };
    find(law).unwrap().bind_contacts(contacts, lookup).unwrap()
}

/// Seconds for each impact, the least of several rounds. They go on for a second: short ones would all fall into one disturbance.
fn time(impacts: &[Impact], f: impl Fn(&Impact) -> f64) -> f64 {
    let (mut least, mut rounds) = (f64::INFINITY, 0);
    let start = Instant::now();
    while rounds < 3 || start.elapsed().as_secs_f64() < 1.0 {
        let begin = Instant::now();
        for impact in impacts {
            black_box(f(black_box(impact)));
        }
        least = least.min(begin.elapsed().as_secs_f64());
        rounds += 1;
    }
    least / impacts.len() as f64
}
