//! Nanoseconds per collision of every law, and as multiples of a plain Cholesky solve of the same 3×3 system timed in the
//! same run. Prints a Markdown table; `cargo xtask bench` keeps it.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../tests/support/mod.rs"]
mod support;

use carom::laws::{self, BoundLaw};
use carom::{Clock, Collision};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
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
    for law in support::instantaneous() {
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
    in_time();
}

/// The laws followed in time, on collisions of solid bodies: ratios of inverse mass to 0.1, slip up to twice the approach.
fn in_time() {
    println!("\n| law | planar µs | evaluations | spatial µs | evaluations |\n|---|---|---|---|---|");
    let sets = [true, false]
        .map(|planar| (0..200).map(|case| solid(&mut support::random(7, case), planar)).collect::<Vec<Collision>>());
    let beds = laws::find("hertz-mindlin").unwrap();
    let rows = laws::ALL.iter().filter(|law| law.clock() == Some(Clock::Time)).map(|law| (law, ""));
    for (law, way) in rows.chain([(beds, "springs"), (beds, "annuli")]) {
        let bound = law
            .bind_from(|key| match key {
                "discretisation" => ["springs", "annuli"].iter().position(|word| *word == way).map(|k| 1.0 + k as f64),
                "stiffness" => Some(1e6),
                "damping_growth" => Some(3e5),
                "youngs_modulus" => Some(7e10),
                "radius" => Some(0.05),
                "restitution" => Some(0.7),
                "friction" | "poisson_ratio" => Some(0.3),
                _ => None,
            })
            .unwrap();
        let cells = sets.each_ref().map(|set| {
            let microseconds = fastest(set, 12, |c| resolve(&bound, c)) / 1000.0;
            let efforts =
                set.iter().filter_map(|c| bound.resolve_collision(c).ok()?.course).map(|course| course.evaluations);
            let (sum, count) = efforts.fold((0, 0), |(sum, count), effort| (sum + effort, count + 1));
            if microseconds.is_nan() {
                "– | –".to_owned()
            } else {
                format!("{microseconds:.1} | {}", sum / count.max(1))
            }
        });
        let name = if way.is_empty() { String::new() } else { format!(", {way}") };
        println!("| `{}`{name} | {} | {} |", law.id, cells[0], cells[1]);
    }
}

fn solid(random: &mut support::Random, planar: bool) -> Collision {
    let w = support::inverse_mass(random, planar);
    let strength = w.symmetric_eigenvalues().max();
    let out = if planar { 0.0 } else { random.random_range(-2.0..2.0) };
    let velocity = Vector3::new(-1.0, random.random_range(-2.0..2.0), out);
    Collision::new(&(Matrix3::identity() * (0.1 * strength) + w), &velocity).unwrap()
}

fn resolve(law: &BoundLaw, collision: &Collision) -> f64 {
    law.resolve_collision(collision).map_or(f64::NAN, |outcome| outcome.impulse.x)
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
