//! A ball in a closed box, from wall to wall without loss: exact impacts per second of the event engine. Beside it the least that this
//! can cost, the same billiard written out by hand for this one scene. Prints a Markdown table.
//!
//! `cargo bench -p carom --bench events`
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

use carom::Dimension;
use carom::laws::find;
use carom::sim::{EventEngine, EventSettings, MaterialId, Materials, Part, Scene, SceneBody, SceneBuilder, State};
use nalgebra::{Matrix3, Vector3};
use std::time::Instant;

const RADIUS: f64 = 0.1;
/// Half the width of the box, m.
const HALF: f64 = 1.0;
const IMPACTS: usize = 300_000;
const ROUNDS: usize = 5;

fn scene(planar: bool, gravity: f64) -> Scene {
    let axes = if planar { 2 } else { 3 };
    let mut scene = SceneBuilder::new(if planar { Dimension::Planar } else { Dimension::Spatial });
    scene.gravity = Vector3::new(0.0, -gravity, 0.0);
    scene.materials = Materials::uniform(&[("restitution", 1.0), ("friction", 0.0)]);
    let material = MaterialId::default();
    for axis in 0..axes {
        let normal = Vector3::ith(axis, 1.0);
        scene.add_wall(normal, -HALF, material);
        scene.add_wall(-normal, -HALF, material);
    }
    let velocity = Vector3::new(1.0, 0.618, if planar { 0.0 } else { 0.414 });
    let ball = SceneBody::new(1.0, Matrix3::identity() * (0.4 * RADIUS * RADIUS));
    let mut ball = ball.with_parts(vec![Part::ball(RADIUS, material)]).at_position(Vector3::new(0.1, 0.2, 0.0));
    ball.state = State { velocity, ..ball.state };
    scene.add_body(ball);
    scene.build().unwrap()
}

/// Seconds for each impact from the first to the last, and from the last on: both halves of a run.
fn run(planar: bool, gravity: f64, law: &str) -> [f64; 2] {
    let mut engine = EventEngine::new(&scene(planar, gravity), find(law).unwrap(), EventSettings::default()).unwrap();
    [(); 2].map(|()| {
        let begin = Instant::now();
        for _ in 0..IMPACTS / 2 {
            engine.advance(f64::MAX).unwrap().unwrap();
        }
        begin.elapsed().as_secs_f64() / (IMPACTS / 2) as f64
    })
}

/// Seconds for each impact of the billiard written out by hand, without gravity.
fn by_hand(planar: bool) -> f64 {
    let axes = if planar { 2 } else { 3 };
    let (mut x, mut v) = ([0.1, 0.2, 0.0], [1.0, 0.618, 0.414]);
    let begin = Instant::now();
    for _ in 0..IMPACTS {
        let times = [0, 1, 2].map(|k: usize| ((HALF - RADIUS).copysign(v[k]) - x[k]) / v[k]);
        let wall = (0..axes).min_by(|&a, &b| times[a].total_cmp(&times[b])).unwrap();
        for k in 0..axes {
            x[k] += v[k] * times[wall];
        }
        v[wall] = -v[wall];
    }
    std::hint::black_box((x, v));
    begin.elapsed().as_secs_f64() / IMPACTS as f64
}

fn main() {
    println!("| box | gravity | law | ns an impact | 10⁶ impacts/s | second half of the run, ns | by hand, ns |");
    println!("|---|---|---|---|---|---|---|");
    for (planar, gravity, law) in [
        (true, 0.0, "newton"),
        (false, 0.0, "newton"),
        (true, 9.81, "newton"),
        (false, 9.81, "newton"),
        (true, 0.0, "newton-lcp"),
        (false, 9.81, "newton-lcp"),
    ] {
        let mut best = [f64::INFINITY; 2];
        let mut hand = f64::INFINITY;
        for _ in 0..ROUNDS {
            let times = run(planar, gravity, law);
            best = [best[0].min(times[0]), best[1].min(times[1])];
            hand = hand.min(by_hand(planar));
        }
        println!(
            "| {} | {gravity} | `{law}` | {:.0} | {:.2} | {:.0} | {:.1} |",
            if planar { "plane" } else { "space" },
            best[0] * 1e9,
            1e-6 / best[0],
            best[1] * 1e9,
            hand * 1e9
        );
    }
}
