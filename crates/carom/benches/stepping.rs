//! Balls falling into a box and coming to rest there, step by step at 1/240 s. Prints a Markdown table; `benches/peers/stepping.py`
//! runs the same scene in MuJoCo in turn with it.
//!
//! `cargo bench -p carom --bench stepping [-- CASE STEPS THREADS]`: `spheres-1000`, `disks-1000`, `cubes-200`, …; all without a case. The first quarter of
//! the steps falls, the rest is a pile. Restitution is 0.2 and friction 0.5.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

use carom::Dimension;
use carom::sim::{Hull, MaterialId, Materials, Part, Scene, SceneBody, SceneBuilder, SteppingEngine, SteppingSettings};
use nalgebra::{Matrix3, Vector3};
use std::time::Instant;

const RADIUS: f64 = 0.05;
const MASS: f64 = 0.5;
const FRICTION: f64 = 0.5;
const RESTITUTION: f64 = 0.2;
const STEP: f64 = 1.0 / 240.0;

/// Disks, spheres or cubes on a lattice 2.2 radii wide over a floor with walls, every other layer moved by a little.
fn scene(kind: &str, count: usize) -> Scene {
    let planar = kind == "disks";
    let side = if planar { (count as f64 / 2.0).sqrt().ceil() } else { (count as f64 / 2.0).cbrt().ceil() };
    let pitch = 2.2 * RADIUS;
    let wide = side * pitch + 0.5 * RADIUS;
    let up = if planar { Vector3::y() } else { Vector3::z() };
    let material = MaterialId::default();
    let mut scene = SceneBuilder::new(if planar { Dimension::Planar } else { Dimension::Spatial });
    scene.gravity = -up * 9.81;
    scene.materials = Materials::uniform(&[("restitution", RESTITUTION), ("friction", FRICTION)]);
    scene.add_wall(up, 0.0, material);
    for axis in 0..if planar { 1 } else { 2 } {
        let normal = Vector3::ith(axis, 1.0);
        scene.add_wall(normal, 0.0, material);
        scene.add_wall(-normal, -wide, material);
    }
    let (part, share) = match kind {
        "disks" => (Part::ball(RADIUS, material), 0.5),
        "spheres" => (Part::ball(RADIUS, material), 0.4),
        _ => (Part::sharp(Hull::block([2.0 * RADIUS; 3]), material), 2.0 / 3.0),
    };
    let inertia = Matrix3::identity() * (share * MASS * RADIUS * RADIUS);
    let side = side as usize;
    let bodies = (0..count).map(|k| {
        let (x, y, z) = if planar { (k % side, 0, k / side) } else { (k % side, k / side % side, k / side / side) };
        let nudge = if z % 2 == 0 { 0.0 } else { 0.4 * RADIUS };
        let [x, y, z] = [x, y, z].map(|place| place as f64 * pitch + 1.1 * RADIUS);
        let position = if planar { Vector3::new(x + nudge, z, 0.0) } else { Vector3::new(x + nudge, y + nudge, z) };
        SceneBody::new(MASS, inertia).with_parts(vec![part.clone()]).at_position(position)
    });
    scene.bodies = bodies.collect();
    scene.build().unwrap()
}

/// Follows a scene; tells the seconds a body and step.
fn run(name: &str, steps: usize, threads: usize) -> f64 {
    let (kind, count) = name.split_once('-').unwrap();
    let count: usize = count.parse().unwrap();
    let settings = SteppingSettings { step: STEP, threads, ..SteppingSettings::default() };
    let mut engine = SteppingEngine::new(&scene(kind, count), settings).unwrap();
    let name = if threads > 1 { format!("{name}, {threads} threads") } else { name.to_owned() };
    let mut before = engine.report();
    let mut total = 0.0;
    for part in ["falling", "pile"] {
        let share = if part == "falling" { steps / 4 } else { steps - steps / 4 };
        let end = engine.time() + share as f64 * STEP;
        let began = Instant::now();
        engine.advance(end).unwrap();
        let seconds = began.elapsed().as_secs_f64();
        let now = engine.report();
        let taken = now.steps - before.steps;
        println!(
            "| {name} | {part} | {taken} | {} | {:.1} | {:.1e} | {} | {:.1e} | {:.0} |",
            now.contacts,
            (now.sweeps - before.sweeps) / taken as f64,
            now.residual,
            now.unconverged - before.unconverged,
            now.overlap,
            (count * taken) as f64 / seconds
        );
        before = now;
        total += seconds;
    }
    total / (count * steps) as f64
}

fn main() {
    println!(
        "| scene | part | steps | contacts | sweeps a step | residual m/s | unconverged | overlap m | body-steps/s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let [name, rest @ ..] = &arguments[..] {
        let number = |place: usize, default: usize| rest.get(place).map_or(default, |text| text.parse().unwrap());
        run(name, number(0, 1000), number(1, 1));
        return;
    }
    run("spheres-100", 1000, 1);
    // A higher pile falls for longer, like the root of its height: the same quarter of the steps is then the same stage of the motion.
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let growth = [("spheres", 6.0), ("disks", 4.0)].map(|(kind, root)| {
        let small = run(&format!("{kind}-1000"), 1000, 1);
        let steps = (1000.0 * 10_f64.powf(1.0 / root)) as usize;
        let [large, shared] = [1, threads].map(|threads| run(&format!("{kind}-10000"), steps, threads));
        (kind, [small, large, shared])
    });
    println!(
        "\n| | 10³ bodies, µs a body and step | 10⁴ bodies | cost of a step grows like n to the | 10⁴ bodies, {threads} threads | gain |"
    );
    println!("|---|---|---|---|---|---|");
    for (kind, [small, large, shared]) in growth {
        let [exponent, gain] = [1.0 + (large / small).log10(), large / shared];
        let [small, large, shared] = [small, large, shared].map(|seconds| seconds * 1e6);
        println!("| {kind} | {small:.2} | {large:.2} | {exponent:.2} | {shared:.2} | {gain:.2} |");
    }
}
