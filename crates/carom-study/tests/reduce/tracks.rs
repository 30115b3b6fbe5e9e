//! Tracks of collisions that are known in all detail.

use carom::laws::find;
use carom::{Body, BoundLaw, Collision, ContactFrame, ContactOutcome};
use carom_study::reduce::{Collided, Reduction, Settings, Setup, parse, reduce};
use nalgebra::{Vector2, Vector3};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

pub const WALL: [f64; 2] = [0.6, 0.8];

pub fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let (first, second): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - first).ln()).sqrt() * (TAU * second).cos()
}

pub fn bound() -> BoundLaw {
    find("routh-poisson").unwrap().bind(&[("restitution", 0.85), ("friction", 0.2)]).unwrap()
}

/// A planar body: where it touches in a direction of its own axes, from its centre of mass, its mass, inertia and marks from there.
pub struct Model {
    pub support: Box<dyn Fn(Vector2<f64>) -> Vector2<f64>>,
    pub mass: f64,
    pub inertia: f64,
    pub marks: Vec<Vector2<f64>>,
}

/// A collision with the wall through the origin, known in all detail.
pub struct Known {
    pub velocity: Vector2<f64>,
    pub spin: f64,
    pub turn: f64,
    pub velocity_after: Vector2<f64>,
    pub spin_after: f64,
    pub centre: Vector2<f64>,
    pub time: f64,
    pub collision: Collision,
    pub v_after: Vector3<f64>,
    pub impulse: Vector3<f64>,
}

pub fn turned(v: &Vector2<f64>, angle: f64) -> Vector2<f64> {
    let (sin, cos) = angle.sin_cos();
    Vector2::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y)
}

pub fn known(model: &Model, velocity: Vector2<f64>, spin: f64, turn: f64, time: f64) -> Known {
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
    pub fn pose(&self, time: f64) -> (Vector2<f64>, f64) {
        let passed = time - self.time;
        let (v, w) = if passed < 0.0 { (self.velocity, self.spin) } else { (self.velocity_after, self.spin_after) };
        (self.centre + v * passed, self.turn + w * passed)
    }
}

/// Rows of a trial: marks at some times, with errors.
pub fn rows(
    text: &mut String,
    trial: usize,
    model: &Model,
    known: &Known,
    times: &[f64],
    mut error: impl FnMut() -> f64,
) {
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

pub const RADIUS: f64 = 0.0491;

/// Puck 2 of Table 11.1 with two dots.
pub fn puck() -> Model {
    let mass = 0.0672;
    Model {
        support: Box::new(|d| d.normalize() * RADIUS),
        mass,
        inertia: mass * RADIUS * RADIUS * 0.336 / (1.0 - 0.336),
        marks: vec![Vector2::new(-0.04, 0.0), Vector2::new(0.04, 0.0)],
    }
}

pub fn puck_setup(more: &str) -> Setup {
    let inertia = puck().inertia;
    let text = format!(
        "[camera]\n{more}\n[[body]]\nname = 'puck'\nshape.disk.radius = {RADIUS}\nmass = 0.0672\ninertia = {inertia}\n\
         marks = [[-0.04, 0], [0.04, 0]]\n[wall]\nnormal = [0.6, 0.8]\n"
    );
    Setup::parse("puck.toml", &text).unwrap()
}

/// Collisions of a test of coverage.
pub const SETS: usize = 400;
pub const HEADER: &str = "trial,time,phase,x1,y1,x2,y2\n";

pub fn run(text: &str, setup: &Setup, draws: usize) -> Reduction {
    let trials = parse(text, setup).unwrap();
    reduce(&trials, setup, &Settings { draws, seed: 1 }, &mut |_| true).unwrap()
}

pub fn value(collided: &Collided, name: &str) -> (f64, f64) {
    let found = collided.quantities.iter().find(|uncertain| uncertain.quantity.name == name);
    let found = found.unwrap_or_else(|| panic!("no {name}"));
    (found.quantity.value, found.deviation)
}

/// The quantities whose truth a known collision tells.
pub fn truths(model: &Model, known: &Known) -> Vec<(&'static str, f64)> {
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

pub fn launch(random: &mut Xoshiro256PlusPlus) -> (Vector2<f64>, f64, f64) {
    let angle = random.random_range(-1.3..1.3);
    let n = Vector2::from(WALL);
    (turned(&-n, angle) * random.random_range(0.4..0.9), random.random_range(-8.0..8.0), random.random_range(-PI..PI))
}

/// How often |found − truth| stays below one and two standard deviations, over many tracks with errors.
pub fn assert_coverage(model: &Model, setup: &Setup, times: &[f64], deviation: f64, seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = String::from(HEADER);
    let mut all = Vec::new();
    while all.len() < SETS {
        let (velocity, spin, turn) = launch(&mut random);
        let n = Vector2::from(WALL);
        // The flat side of a half puck stays away from the wall.
        if turned(&-n, -turn).y < 0.1 && model.mass < 0.05 {
            continue;
        }
        let known = known(model, velocity, spin, turn, random.random_range(-0.04..0.04));
        if known.collision.velocity().x > -0.1 {
            continue;
        }
        rows(&mut text, all.len(), model, &known, times, || deviation * normal(&mut random));
        all.push(known);
    }
    let reduction = run(&text, setup, 0);
    assert_eq!(reduction.left_out, []);
    for (place, (name, _)) in truths(model, &all[0]).into_iter().enumerate() {
        // W of a disk is known exactly.
        if value(&reduction.collisions[0], name).1 < 1e-9 {
            continue;
        }
        let mut inside = [0; 2];
        for (collided, known) in reduction.collisions.iter().zip(&all) {
            let (found, deviation) = value(collided, name);
            let off = (found - truths(model, known)[place].1).abs() / deviation;
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

pub fn even_times(before: i32, after: i32) -> Vec<f64> {
    (-before..after).map(|k| (f64::from(k) + 0.4) * 60.0 / 530.0).collect()
}

pub fn within(collided: &Collided, name: &str, truth: f64, deviations: f64) {
    let (found, deviation) = value(collided, name);
    assert!((found - truth).abs() <= deviations * deviation, "{name}: {found} ± {deviation} is not {truth}");
}

/// The half puck of section 11.2.
pub fn half_puck() -> (Model, Setup) {
    let setup = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/half-puck.toml")).unwrap();
    let setup =
        setup.replace("[0.0, 1.0]", "[0.6, 0.8]").replace("scale = 4900.0", "scale = 1").replace("= 0.5 ", "= 1e-4 ");
    let setup = setup.replace("bound = 2.0 ", "bound = 4e-4 ");
    let support = |d: Vector2<f64>| {
        let at = if d.y >= 0.0 { d.normalize() * RADIUS } else { Vector2::new(RADIUS.copysign(d.x), 0.0) };
        at - Vector2::y() * 0.02065
    };
    let marks = [[-0.035, 0.01], [0.035, 0.01]].map(|mark| Vector2::from(mark) - Vector2::y() * 0.02065);
    let model = Model { support: Box::new(support), mass: 0.0334, inertia: 2.65e-5, marks: marks.to_vec() };
    (model, Setup::parse("half.toml", &setup).unwrap())
}

/// One of two bodies that collide at time 0: its state just before, its marks, and how it is turned then.
pub struct Member {
    pub name: &'static str,
    pub body: Body,
    pub marks: [[f64; 2]; 2],
    pub turn: f64,
}

/// A table of two bodies that meet at a point with an impulse on the first.
pub fn two_bodies(
    members: &[Member; 2],
    point: &Vector3<f64>,
    push: &Vector3<f64>,
    times: &[f64],
    mut error: impl FnMut() -> f64,
) -> String {
    let mut text = String::from("time,phase,body,x1,y1,x2,y2\n");
    for (Member { name, body, marks, turn }, sign) in members.iter().zip([1.0, -1.0]) {
        let push = push * sign;
        let spin = body.angular_velocity.z;
        let v_after = body.velocity + push / body.mass();
        let spin_after = spin + (point - body.position).cross(&push).z / body.inertia()[(2, 2)];
        for time in times {
            let (phase, v, w) =
                if *time < 0.0 { ("before", body.velocity, spin) } else { ("after", v_after, spin_after) };
            write!(text, "{time},{phase},{name}").unwrap();
            for mark in marks {
                let at = body.position.xy() + v.xy() * *time + turned(&(*mark).into(), turn + w * time);
                write!(text, ",{},{}", at.x + error(), at.y + error()).unwrap();
            }
            text.push('\n');
        }
    }
    text
}

/// The quantities of a collision whose truth its outcome gives.
pub fn collided_truths(collision: &Collision, outcome: &ContactOutcome) -> Vec<(&'static str, f64)> {
    let (w, v) = (collision.inverse_mass(), collision.velocity());
    let (after, impulse) = (outcome.velocity_after, outcome.impulse);
    vec![
        ("w_nn", w[(0, 0)]),
        ("w_tt", w[(1, 1)]),
        ("vn_before", v.x),
        ("vt_before", v.y),
        ("vn_after", after.x),
        ("vt_after", after.y),
        ("pn", impulse.x),
        ("pt", impulse.y),
    ]
}
