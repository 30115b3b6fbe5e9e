//! The event engine against closed forms.
#![allow(clippy::unwrap_used)]

use carom::laws::find;
use carom::sim::{EventEngine, EventKind, EventSettings, Hull, Materials, Mover, Part, Pose, Scene, State};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

const G: f64 = 9.81;

fn scene(planar: bool, law: &str, parameters: &[(&'static str, f64)]) -> Scene {
    let up = if planar { Vector3::y() } else { Vector3::z() };
    Scene {
        planar,
        gravity: -up * G,
        bodies: Vec::new(),
        world: vec![Part::half_space(up, 0.0, 0)],
        joints: Vec::new(),
        loads: Vec::new(),
        strings: Vec::new(),
        materials: Materials::uniform(parameters),
        law: find(law).unwrap(),
    }
}

fn at(x: f64, y: f64, angle: f64) -> Pose {
    Pose { position: Vector3::new(x, y, 0.0), orientation: UnitQuaternion::from_scaled_axis(Vector3::z() * angle) }
}

fn disk(radius: f64) -> Mover {
    Mover::new(1.0, Matrix3::identity() * (0.5 * radius * radius), true)
        .unwrap()
        .with_parts(vec![Part::ball(radius, 0)])
}

fn block(width: f64, height: f64) -> Mover {
    let inertia = (width * width + height * height) / 12.0;
    let part = Part::sharp(Hull::rectangle([width, height]), 0);
    Mover::new(1.0, Matrix3::identity() * inertia, true).unwrap().with_parts(vec![part])
}

fn run(engine: &mut EventEngine, until: f64) -> Vec<carom::sim::Event> {
    let mut events = Vec::new();
    while let Some(event) = engine.advance(until).unwrap() {
        events.push(event);
        assert!(events.len() < 100_000);
    }
    events
}

fn still() -> Vector3<f64> {
    Vector3::zeros()
}

#[test]
fn a_bouncing_ball_rises_to_e_squared_of_its_height_and_rests_when_the_series_says() {
    let (e, radius, height) = (0.8, 0.1, 1.0);
    let mut scene = scene(true, "newton", &[("restitution", e), ("friction", 0.0)]);
    scene.bodies.push(disk(radius).at(at(0.0, height + radius, 0.0), still(), still()));
    let mut engine = EventEngine::new(scene, EventSettings::default()).unwrap();
    let fall = (2.0 * height / G).sqrt();
    let mut expected = fall;
    let mut speed = G * fall;
    for _ in 0..40 {
        let event = engine.advance(100.0).unwrap().unwrap();
        assert!((event.time - expected).abs() < 1e-12, "{} {expected}", event.time);
        speed *= e;
        let apex = event.bodies[0].1[1].velocity.y.powi(2) / (2.0 * G);
        assert!((apex - speed * speed / (2.0 * G)).abs() < 1e-12);
        expected += 2.0 * speed / G;
    }
    let events = run(&mut engine, 10.0);
    let last = events.last().unwrap();
    let end = fall + 2.0 * G * fall * e / (1.0 - e) / G;
    let EventKind::Accumulation { until } = last.kind else { panic!("{last:?}") };
    assert!((until - end).abs() < 1e-12, "{until} {end}");
    assert_eq!(engine.contacts().count(), 1);
    let ledger = engine.ledger();
    assert!(ledger.residual().abs() < 1e-12, "{ledger:?}");
    assert!((engine.states()[0].pose.position.y - radius).abs() < 1e-12);
}

#[test]
fn a_block_that_slides_stops_where_friction_has_used_up_its_energy() {
    let (mu, speed) = (0.3, 2.0);
    let mut scene = scene(true, "newton-lcp", &[("restitution", 0.0), ("friction", mu)]);
    scene.bodies.push(block(1.0, 0.4).at(at(0.0, 0.2, 0.0), Vector3::x() * speed, still()));
    let mut engine = EventEngine::new(scene, EventSettings::default()).unwrap();
    let events = run(&mut engine, 3.0);
    let stop = speed / (mu * G);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].kind, EventKind::StickStart);
    assert!((events[0].time - stop).abs() < 1e-11, "{} {stop}", events[0].time);
    let ledger = engine.ledger();
    assert!((engine.states()[0].pose.position.x - speed * speed / (2.0 * mu * G)).abs() < 1e-11);
    assert!((ledger.friction - 0.5 * speed * speed).abs() < 1e-11, "{ledger:?}");
    assert!(ledger.residual().abs() < 1e-11);
}

#[test]
fn a_ball_thrown_without_spin_slides_and_then_rolls_at_two_thirds_of_its_speed() {
    let (mu, speed) = (0.2, 3.0);
    let mut scene = scene(true, "newton-lcp", &[("restitution", 0.0), ("friction", mu)]);
    scene.bodies.push(disk(0.1).at(at(0.0, 0.1, 0.0), Vector3::x() * speed, still()));
    let mut engine = EventEngine::new(scene, EventSettings::default()).unwrap();
    let events = run(&mut engine, 5.0);
    let rolls = speed / (3.0 * mu * G);
    assert_eq!(events.len(), 1, "{events:?}");
    assert!((events[0].time - rolls).abs() < 1e-10);
    let state = engine.states()[0];
    assert!((state.velocity.x - 2.0 * speed / 3.0).abs() < 1e-10, "{state:?}");
    assert!((state.angular_velocity.z + state.velocity.x / 0.1).abs() < 1e-9);
}

#[test]
fn a_block_on_an_edge_tips_over_like_housner_s() {
    // A slender block rocks about a corner, falls on the other and goes on with the share of its angular velocity that angular
    // momentum about the new corner leaves (Housner 1963): 1 − 3/2 sin² α.
    let (width, height) = (0.2, 1.0);
    let alpha = f64::atan2(width, height);
    let mut scene = scene(true, "newton-lcp", &[("restitution", 0.0), ("friction", 10.0)]);
    let tilt: f64 = 0.1;
    let arm = 0.5 * f64::hypot(width, height);
    // Standing on the right lower corner at the origin, tilted clockwise.
    let (x, y) = (-arm * (alpha - tilt).sin(), arm * (alpha - tilt).cos());
    scene.bodies.push(block(width, height).at(at(x, y, -tilt), still(), still()));
    let mut engine = EventEngine::new(scene, EventSettings::default()).unwrap();
    let mut rates = Vec::new();
    while rates.len() < 4 {
        let event = engine.advance(100.0).unwrap().unwrap();
        if event.kind == EventKind::Impact {
            let [before, after] = event.bodies[0].1.map(|state| state.angular_velocity.z);
            rates.push(after / before);
        }
    }
    let expected = 1.0 - 1.5 * alpha.sin().powi(2);
    for rate in rates {
        assert!((rate - expected).abs() < 1e-9, "{rate} {expected}");
    }
    assert!(engine.ledger().residual().abs() < 1e-9, "{:?}", engine.ledger());
}

#[test]
fn a_state_is_where_it_was_put() {
    let mut scene = scene(false, "newton-lcp", &[("restitution", 0.5), ("friction", 0.3)]);
    let ball = Mover::new(2.0, Matrix3::identity() * 0.008, false).unwrap().with_parts(vec![Part::ball(0.1, 0)]);
    scene.bodies.push(ball.at(at(0.0, 0.0, 0.0), Vector3::x(), still()));
    scene.bodies[0].state.pose.position.z = 1.0;
    let start: State = scene.bodies[0].state;
    let engine = EventEngine::new(scene, EventSettings::default()).unwrap();
    assert_eq!(engine.states(), vec![start]);
}
