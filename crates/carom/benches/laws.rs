//! Nanoseconds per collision of every law, and as multiples of a plain Cholesky solve of the same 3×3 system timed in the
//! same run. Prints a Markdown table; `cargo xtask bench` keeps it.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../tests/support/mod.rs"]
mod support;

use carom::Collision;
use carom::laws::{self, BoundLaw};
use nalgebra::Matrix3;
use std::hint::black_box;
use std::time::Instant;

/// Few enough to stay in cache: the latency of the law itself.
const LATENCY_SET: usize = 1024;
/// A sweep's worth, streamed through memory.
const BATCH: usize = 1_000_000;
/// The least of this many rounds: other work on the machine only ever adds time.
const ROUNDS: usize = 25;

fn main() {
    let planar = collisions(true, LATENCY_SET);
    let spatial = collisions(false, LATENCY_SET);
    let batch_planar = collisions(true, BATCH);
    let batch_spatial = collisions(false, BATCH);
    let without_coupling = |set: &[Collision]| -> Vec<Collision> {
        set.iter()
            .map(|c| Collision::new(&Matrix3::from_diagonal(&c.inverse_mass().diagonal()), c.velocity()).unwrap())
            .collect()
    };
    let (diagonal, batch_diagonal) = (without_coupling(&planar), without_coupling(&batch_planar));

    println!("| law | planar ns | ÷ Cholesky | spatial ns | ÷ Cholesky | 10⁶ planar, ns each | 10⁶ spatial, ns each |");
    println!("|---|---|---|---|---|---|---|");
    let baseline = |set: &[Collision], rounds| {
        fastest(set, rounds, |c| black_box(c.inverse_mass().cholesky().unwrap().solve(c.velocity())).x)
    };
    row(
        "(Cholesky solve)",
        [baseline(&planar, ROUNDS), baseline(&spatial, ROUNDS)],
        [baseline(&planar, ROUNDS), baseline(&spatial, ROUNDS)],
        [baseline(&batch_planar, 3), baseline(&batch_spatial, 3)],
    );
    for law in laws::ALL {
        let bound = law
            .bind_from(|key| match key {
                "restitution" => Some(0.7),
                "tangential_restitution" => Some(0.3),
                "friction" | "azimuth" => Some(0.4),
                "impulse_ratio" => Some(0.2),
                "fraction" => Some(0.5),
                "polar" => Some(0.8),
                _ => None,
            })
            .unwrap();
        let time = |set: &[Collision], rounds| fastest(set, rounds, |c| resolve(&bound, c));
        // The bilinear law answers only for a diagonal inverse mass.
        let (planar, spatial, batch_planar, batch_spatial) = match law.id {
            "bilinear" => (&diagonal, &diagonal, &batch_diagonal, &batch_diagonal),
            _ => (&planar, &spatial, &batch_planar, &batch_spatial),
        };
        let latency = [time(planar, ROUNDS), time(spatial, ROUNDS)];
        // A law that integrates takes its time: one round of the batch is long enough to be steady.
        let rounds = latency.map(|nanoseconds| if nanoseconds > 5000.0 { 1 } else { 3 });
        let batch = [time(batch_planar, rounds[0]), time(batch_spatial, rounds[1])];
        row(law.id, latency, [baseline(planar, ROUNDS), baseline(spatial, ROUNDS)], batch);
    }
}

fn resolve(law: &BoundLaw, collision: &Collision) -> f64 {
    law.resolve(collision).map_or(f64::NAN, |outcome| outcome.impulse.x)
}

/// Planar laws refuse most of the spatial set and get no number there.
fn row(name: &str, latency: [f64; 2], baseline: [f64; 2], batch: [f64; 2]) {
    let number = |x: f64| if x.is_nan() { "–".to_owned() } else { format!("{x:.0}") };
    let ratio = |x: f64, base: f64| if x.is_nan() { "–".to_owned() } else { format!("{:.1}", x / base) };
    println!(
        "| `{name}` | {} | {} | {} | {} | {} | {} |",
        number(latency[0]),
        ratio(latency[0], baseline[0]),
        number(latency[1]),
        ratio(latency[1], baseline[1]),
        number(batch[0]),
        number(batch[1])
    );
}

/// Nanoseconds per collision, the least over the rounds; NaN if the function does not answer.
fn fastest(set: &[Collision], rounds: usize, f: impl Fn(&Collision) -> f64) -> f64 {
    if set.iter().take(64).filter(|c| f(c).is_nan()).count() > 32 {
        return f64::NAN;
    }
    let mut least = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for collision in set {
            black_box(f(black_box(collision)));
        }
        least = least.min(start.elapsed().as_secs_f64());
    }
    least * 1e9 / set.len() as f64
}

fn collisions(planar: bool, count: usize) -> Vec<Collision> {
    (0..count as u64)
        .map(|case| {
            let mut random = support::random(31, case);
            let w = support::inverse_mass(&mut random, planar);
            Collision::new(&w, &support::velocity(&mut random, planar)).unwrap()
        })
        .collect()
}
