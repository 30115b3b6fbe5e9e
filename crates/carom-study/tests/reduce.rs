//! Tracks of collisions that are known, with errors, reduced.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "tests; rates are printed")]

use carom::laws::find;
use carom::{Body, BoundLaw, Collision, ContactFrame};
use carom_study::reduce::{Collided, Reduction, Settings, Setup, parse, reduce};
use nalgebra::{Vector2, Vector3};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

const WALL: [f64; 2] = [0.6, 0.8];

fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let (first, second): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - first).ln()).sqrt() * (TAU * second).cos()
}

fn bound() -> BoundLaw {
    find("routh-poisson").unwrap().bind(&[("restitution", 0.85), ("friction", 0.2)]).unwrap()
}

/// A planar body: where it touches in a direction of its own axes, from its centre of mass, its mass, inertia and marks from there.
struct Model {
    support: Box<dyn Fn(Vector2<f64>) -> Vector2<f64>>,
    mass: f64,
    inertia: f64,
    marks: Vec<Vector2<f64>>,
}

/// A collision with the wall through the origin, known in all detail.
struct Known {
    velocity: Vector2<f64>,
    spin: f64,
    turn: f64,
    velocity_after: Vector2<f64>,
    spin_after: f64,
    centre: Vector2<f64>,
    time: f64,
    collision: Collision,
    v_after: Vector3<f64>,
    impulse: Vector3<f64>,
}

fn turned(v: &Vector2<f64>, angle: f64) -> Vector2<f64> {
    let (sin, cos) = angle.sin_cos();
    Vector2::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y)
}

fn known(model: &Model, velocity: Vector2<f64>, spin: f64, turn: f64, time: f64) -> Known {
    let n = Vector2::from(WALL);
    let arm = turned(&(model.support)(turned(&-n, -turn)), turn);
    let centre = -n * arm.dot(&n);
    let point = (centre + arm).push(0.0);
    let body = Body::planar(model.mass, model.inertia).unwrap().at(centre.push(0.0));
    let body = body.moving(velocity.push(0.0), Vector3::z() * spin);
    let frame = ContactFrame::planar(WALL).unwrap();
    let collision = Collision::between(&body, &Body::immovable(), &point, &frame).unwrap();
    let outcome = bound().resolve_collision(&collision).unwrap();
    let push = frame.to_world(&outcome.impulse);
    Known {
        velocity,
        spin,
        turn,
        velocity_after: velocity + push.xy() / model.mass,
        spin_after: spin + (point - centre.push(0.0)).cross(&push).z / model.inertia,
        centre,
        time,
        collision,
        v_after: outcome.velocity_after,
        impulse: outcome.impulse,
    }
}

impl Known {
    fn pose(&self, time: f64) -> (Vector2<f64>, f64) {
        let passed = time - self.time;
        let (v, w) = if passed < 0.0 { (self.velocity, self.spin) } else { (self.velocity_after, self.spin_after) };
        (self.centre + v * passed, self.turn + w * passed)
    }
}

/// Rows of a trial: marks at some times, with errors.
fn rows(text: &mut String, trial: usize, model: &Model, known: &Known, times: &[f64], mut error: impl FnMut() -> f64) {
    for time in times {
        let (centre, turn) = known.pose(*time);
        let phase = if *time < known.time { "before" } else { "after" };
        write!(text, "{trial},{time},{phase}").unwrap();
        for mark in &model.marks {
            let at = centre + turned(mark, turn);
            write!(text, ",{},{}", at.x + error(), at.y + error()).unwrap();
        }
        text.push('\n');
    }
}

const RADIUS: f64 = 0.0491;

/// Puck 2 of Table 11.1 with two dots.
fn puck() -> Model {
    let mass = 0.0672;
    Model {
        support: Box::new(|d| d.normalize() * RADIUS),
        mass,
        inertia: mass * RADIUS * RADIUS * 0.336 / (1.0 - 0.336),
        marks: vec![Vector2::new(-0.04, 0.0), Vector2::new(0.04, 0.0)],
    }
}

fn puck_setup(more: &str) -> Setup {
    let inertia = puck().inertia;
    let text = format!(
        "[camera]\n{more}\n[[body]]\nname = 'puck'\nshape.disk.radius = {RADIUS}\nmass = 0.0672\ninertia = {inertia}\n\
         marks = [[-0.04, 0], [0.04, 0]]\n[wall]\nnormal = [0.6, 0.8]\n"
    );
    Setup::parse("puck.toml", &text).unwrap()
}

/// Collisions of a test of coverage.
const SETS: usize = 400;
const HEADER: &str = "trial,time,phase,x1,y1,x2,y2\n";

fn run(text: &str, setup: &Setup, draws: usize) -> Reduction {
    let trials = parse(text, setup).unwrap();
    reduce(&trials, setup, &Settings { draws, seed: 1 }, &mut |_| ()).unwrap()
}

fn value(collided: &Collided, name: &str) -> (f64, f64) {
    let found = collided.quantities.iter().find(|uncertain| uncertain.quantity.name == name);
    let found = found.unwrap_or_else(|| panic!("no {name}"));
    (found.quantity.value, found.deviation)
}

/// The quantities whose truth a known collision tells.
fn truths(model: &Model, known: &Known) -> Vec<(&'static str, f64)> {
    let (v, w) = (known.collision.velocity(), known.collision.inverse_mass());
    let energy = |v: &Vector2<f64>, spin: f64| 0.5 * (model.mass * v.norm_squared() + model.inertia * spin * spin);
    let (before, after) = (energy(&known.velocity, known.spin), energy(&known.velocity_after, known.spin_after));
    vec![
        ("w_nn", w[(0, 0)]),
        ("w_nt", w[(0, 1)]),
        ("w_tt", w[(1, 1)]),
        ("vn_before", v.x),
        ("vt_before", v.y),
        ("vn_after", known.v_after.x),
        ("vt_after", known.v_after.y),
        ("pn", known.impulse.x),
        ("pt", known.impulse.y),
        ("restitution", -known.v_after.x / v.x),
        ("impulse_ratio", -known.impulse.y * v.y.signum() / known.impulse.x),
        ("energy_before", before),
        ("energy_lost", 1.0 - after / before),
        ("omega_before", known.spin),
        ("omega_after", known.spin_after),
        ("time", known.time),
        ("disagreement", 0.0),
        ("miss", 0.0),
    ]
}

fn launch(random: &mut Xoshiro256PlusPlus) -> (Vector2<f64>, f64, f64) {
    let angle = random.random_range(-1.3..1.3);
    let n = Vector2::from(WALL);
    (turned(&-n, angle) * random.random_range(0.4..0.9), random.random_range(-8.0..8.0), random.random_range(-PI..PI))
}

#[test]
fn exact_tracks_give_the_collision_back() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-6"));
    let mut text = String::from(HEADER);
    let times = [-0.3, -0.17, -0.06, 0.05, 0.19, 0.27];
    let mut all = Vec::new();
    for trial in 0..50 {
        let (velocity, spin, turn) = launch(&mut random);
        let known = known(&model, velocity, spin, turn, random.random_range(-0.05..0.04));
        rows(&mut text, trial, &model, &known, &times, || 0.0);
        all.push(known);
    }
    let reduction = run(&text, &setup, 0);
    assert_eq!(reduction.left_out, []);
    for (collided, known) in reduction.collisions.iter().zip(&all) {
        for (name, truth) in truths(&model, known) {
            let (found, deviation) = value(collided, name);
            assert!((found - truth).abs() < 1e-6 * (1.0 + truth.abs()), "{name}: {found} is not {truth} ({deviation})");
        }
    }
}

/// How often |found − truth| stays below one and two standard deviations, over many tracks with errors.
#[test]
fn errors_cover_the_truth_as_often_as_they_say() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let (model, setup) = (puck(), puck_setup("deviation = 1.2e-4"));
    let times: Vec<f64> = (0..8).map(|k| f64::from(k) * 60.0 / 530.0 - 0.4).collect();
    let mut text = String::from(HEADER);
    let mut all = Vec::new();
    for trial in 0..SETS {
        let (velocity, spin, turn) = launch(&mut random);
        let known = known(&model, velocity, spin, turn, random.random_range(-0.05..0.05));
        rows(&mut text, trial, &model, &known, &times, || 1.2e-4 * normal(&mut random));
        all.push(known);
    }
    let reduction = run(&text, &setup, 0);
    assert_eq!(reduction.left_out, []);
    for (place, (name, _)) in
        truths(&model, &all[0]).into_iter().enumerate().filter(|(_, (name, _))| !name.starts_with("w_"))
    {
        let mut inside = [0; 2];
        for (collided, known) in reduction.collisions.iter().zip(&all) {
            let (found, deviation) = value(collided, name);
            let off = (found - truths(&model, known)[place].1).abs() / deviation;
            inside[0] += usize::from(off <= 1.0);
            inside[1] += usize::from(off <= 2.0);
        }
        println!("{name}: {inside:?} of {SETS}");
        for (inside, share) in inside.into_iter().zip([0.6827, 0.9545]) {
            let expected = share * SETS as f64;
            let spread = (SETS as f64 * share * (1.0 - share)).sqrt();
            assert!((inside as f64 - expected).abs() < 4.0 * spread, "{name}: {inside} of {SETS}, expected {expected}");
        }
    }
}
