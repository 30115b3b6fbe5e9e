//! One to three bodies thrown among walls at random: no overlap, no energy out of nothing, no failure.
#![allow(clippy::unwrap_used)]

mod support;

use carom::laws::find;
use carom::sim::{Core, EventEngine, EventSettings, Hull, Materials, Mover, Part, Pose, Scene};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};

/// s.
const DURATION: f64 = 3.0;
const MOST_EVENTS: usize = 20_000;
/// Energy in J (of a few) and overlap in m (of a tenth).
const TOLERANCE: f64 = 1e-8;

fn direction(random: &mut impl Rng, planar: bool) -> Vector3<f64> {
    loop {
        let v = Vector3::from_fn(|i, _| if planar && i == 2 { 0.0 } else { random.random_range(-1.0..1.0) });
        if v.norm() > 0.1 && v.norm() < 1.0 {
            return v.normalize();
        }
    }
}

/// A part about the centre of mass, and its principal moments for a mass of 1.
fn part(random: &mut impl Rng, planar: bool) -> (Part, Vector3<f64>) {
    let size = random.random_range(0.05..0.15);
    match random.random_range(0..4) {
        0 => (Part::ball(size, 0), Vector3::repeat(0.4 * size * size)),
        1 => {
            let [x, y, z] = [1.0, 0.7, 0.8].map(|f| f * size);
            let semi_axes = if planar { [x, y, x.max(y)] } else { [x, y, z] };
            let square = semi_axes.map(|s| s * s / 5.0);
            let moments = Vector3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
            (Part::ellipsoid(semi_axes, 0), moments)
        }
        2 => {
            let edges = [1.0, 1.5, 0.7].map(|f| f * size * random.random_range(0.7..1.3));
            let hull = if planar { Hull::rectangle([edges[0], edges[1]]) } else { Hull::block(edges) };
            let square = edges.map(|e| e * e / 12.0);
            let moments = Vector3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
            (Part::sharp(hull, 0), moments)
        }
        _ => {
            let core = Core::Hull(Hull::segment(1.5 * size, planar));
            let moment = size * size / 3.0;
            (Part { core, radius: 0.4 * size, material: 0 }, Vector3::new(0.1 * size * size, moment, moment))
        }
    }
}

fn scene(random: &mut support::Random) -> Scene {
    let planar = random.random_range(0..2) == 0;
    let up = if planar { Vector3::y() } else { Vector3::z() };
    let friction = if random.random_range(0..4) == 0 { 0.0 } else { random.random_range(0.05..1.0) };
    let parameters = [("restitution", random.random_range(0.0..0.9)), ("friction", friction)];
    let mut world = vec![Part::half_space(up, 0.0, 0)];
    if random.random_range(0..2) == 0 {
        world.push(Part::half_space(Vector3::x(), -0.3, 0));
        world.push(Part::half_space(-Vector3::x(), -1.5, 0));
    }
    let body = |k: u32, random: &mut support::Random| {
        let (part, moments) = part(random, planar);
        let turn = if planar { Vector3::z() * random.random_range(-3.0..3.0) } else { direction(random, false) * 2.0 };
        let spin = if planar { Vector3::z() * random.random_range(-5.0..5.0) } else { direction(random, false) * 4.0 };
        let pose = Pose {
            position: up * random.random_range(0.3..0.8) + Vector3::x() * (0.45 * f64::from(k)),
            orientation: UnitQuaternion::from_scaled_axis(turn),
        };
        let body = Mover::new(1.0, Matrix3::from_diagonal(&moments), planar).unwrap().with_parts(vec![part]);
        body.at(pose, direction(random, planar) * 1.5, spin)
    };
    let bodies = (0..random.random_range(1..4)).map(|k| body(k, random)).collect();
    let law = ["newton-lcp", "rakshit-chatterjee", "poisson-lcp"][random.random_range(0..3)];
    Scene {
        gravity: -up * 9.81,
        bodies,
        world,
        ..Scene::empty(planar, Materials::uniform(&parameters), find(law).unwrap())
    }
}

/// How deep bodies are inside the walls and each other.
fn deepest(engine: &EventEngine) -> f64 {
    let (scene, states) = (engine.scene(), engine.states());
    let depth = |a: usize, b: Option<usize>| -scene.nearest_parts(&states, [Some(a), b]).map_or(0.0, |(_, gap)| gap);
    let pairs = (0..states.len()).flat_map(|a| (0..a).map(Some).chain([None]).map(move |b| (a, b)));
    pairs.map(|(a, b)| depth(a, b)).fold(0.0, f64::max)
}

/// Runs a scene for a while; tells what went wrong.
fn run(scene: Scene) -> Result<usize, String> {
    let promises_energy = scene.law.id != "newton-lcp";
    let mut engine = EventEngine::new(scene, EventSettings::default()).map_err(|error| error.to_string())?;
    let mut last = engine.ledger().total();
    for count in 0..MOST_EVENTS {
        match engine.advance(DURATION) {
            Ok(None) => return Ok(count),
            Ok(Some(_)) => {}
            Err(failure) => return Err(failure.to_string()),
        }
        let (ledger, depth, time) = (engine.ledger(), deepest(&engine), engine.time());
        assert!(ledger.total().is_finite() && depth.is_finite());
        // Newton's law for several contacts may create energy by itself.
        if promises_energy && ledger.total() > last + TOLERANCE {
            return Err(format!("gains {:e} at {time}", ledger.total() - last));
        }
        if ledger.residual().abs() > TOLERANCE {
            return Err(format!("residual {:e} at {time}", ledger.residual()));
        }
        if depth > TOLERANCE {
            return Err(format!("overlaps {depth:e} at {time}"));
        }
        last = ledger.total();
    }
    Err("too many events".to_owned())
}

/// Every other scene from the first on.
fn throw(first: u64) {
    let thrown = (first..support::cases(1000)).step_by(2);
    let failures: Vec<String> = thrown
        .filter_map(|case| run(scene(&mut support::random(31, case))).err().map(|problem| format!("{case}: {problem}")))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Draws that showed what the first thousand do not.
#[test]
fn scenes_that_failed_once_do_not() {
    let draws = [
        // An upright edge met a face at its rim, and its lower end was not seen.
        (32, 75),
        // A body that had let go of the floor and fell again was taken for one that touches it.
        (32, 394),
        (34, 758),
        // Slip that began stayed about as fast as where its direction was taken from the velocity.
        (34, 204),
        (35, 870),
        // Slip that stayed too slow for its direction to be followed.
        (35, 496),
        // A body that sticks elsewhere can slip along one line only.
        (34, 331),
        // One chatters inside another.
        (33, 386),
        (33, 556),
        // Velocities too near to rounding for friction at contacts that depend on each other.
        (35, 220),
        // Bodies at rest took part in an impact elsewhere, with velocities of rounding.
        (37, 912),
        // Friction that came to stick pressed anew on a contact that had been completed.
        (50, 220),
    ];
    for (seed, case) in draws {
        assert_eq!(run(scene(&mut support::random(seed, case))).err(), None, "{seed}, {case}");
    }
}

#[test]
fn random_scenes_neither_overlap_nor_gain_energy_nor_fail_even() {
    throw(0);
}

#[test]
fn random_scenes_neither_overlap_nor_gain_energy_nor_fail_odd() {
    throw(1);
}
