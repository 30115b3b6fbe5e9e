//! The event engine against closed forms.
#![allow(clippy::unwrap_used)]

mod trial;

use carom::sim::{
    Anchor, BodyId, EventEngine, EventKind, Hull, JointKind, Load, MaterialId, Part, Pose, SceneBody, SceneJoint,
    SceneString, Signal, State,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use trial::Trial;

const G: f64 = 9.81;

fn scene(planar: bool, law: &str, parameters: &[(&'static str, f64)]) -> Trial {
    let up = if planar { Vector3::y() } else { Vector3::z() };
    let mut scene = Trial::new(planar, law, parameters);
    scene.gravity = -up * G;
    scene.add_wall(up, 0.0, MaterialId::default());
    scene
}

fn at(x: f64, y: f64, angle: f64) -> Pose {
    Pose { position: Vector3::new(x, y, 0.0), orientation: UnitQuaternion::from_scaled_axis(Vector3::z() * angle) }
}

fn disk(radius: f64) -> SceneBody {
    SceneBody::new(1.0, Matrix3::identity() * (0.5 * radius * radius))
        .with_parts(vec![Part::ball(radius, MaterialId::default())])
}

fn block(width: f64, height: f64) -> SceneBody {
    let inertia = (width * width + height * height) / 12.0;
    let part = Part::sharp(Hull::rectangle([width, height]), MaterialId::default());
    SceneBody::new(1.0, Matrix3::identity() * inertia).with_parts(vec![part])
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
    let mut engine = scene.events();
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

/// Rounding may leave a ball inside the floor by more than it rises before gravity turns it back.
#[test]
fn a_ball_that_rises_less_than_it_overlaps_does_not_fall_through_the_floor() {
    for speed in [1e-9, -1e-9, 1e-7] {
        let mut scene = scene(true, "newton-lcp", &[("restitution", 0.5), ("friction", 0.1)]);
        scene.bodies.push(disk(0.1).at(at(0.0, 0.1 - 1e-12, 0.0), Vector3::y() * speed, still()));
        let mut engine = scene.events();
        run(&mut engine, 1.0);
        let height = engine.states()[0].pose.position.y;
        assert!((height - 0.1).abs() < 1e-9, "{speed}: {height}");
    }
}

#[test]
fn a_block_that_slides_stops_where_friction_has_used_up_its_energy() {
    let (mu, speed) = (0.3, 2.0);
    let mut scene = scene(true, "newton-lcp", &[("restitution", 0.0), ("friction", mu)]);
    scene.bodies.push(block(1.0, 0.4).at(at(0.0, 0.2, 0.0), Vector3::x() * speed, still()));
    let mut engine = scene.events();
    let events = run(&mut engine, 3.0);
    let stop = speed / (mu * G);
    assert_eq!(events.len(), 1, "{events:?}");
    // Both corners at once.
    assert_eq!((events[0].kind, events[0].contacts.len()), (EventKind::StickStart, 2));
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
    let mut engine = scene.events();
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
    let mut engine = scene.events();
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
    let ball =
        SceneBody::new(2.0, Matrix3::identity() * 0.008).with_parts(vec![Part::ball(0.1, MaterialId::default())]);
    scene.bodies.push(ball.at(at(0.0, 0.0, 0.0), Vector3::x(), still()));
    scene.bodies[0].state.pose.position.z = 1.0;
    let start: State = scene.bodies[0].state;
    let engine = scene.events();
    assert_eq!(engine.states(), vec![start]);
}

fn ball(radius: f64) -> SceneBody {
    SceneBody::new(1.0, Matrix3::identity() * (0.4 * radius * radius))
        .with_parts(vec![Part::ball(radius, MaterialId::default())])
}

fn space(x: f64, y: f64, z: f64) -> Pose {
    Pose { position: Vector3::new(x, y, z), orientation: UnitQuaternion::identity() }
}

/// Half-spaces around a box from 0 to these sizes, without the floor.
fn walls(planar: bool, size: [f64; 3]) -> Vec<Part> {
    let count = if planar { 2 } else { 3 };
    let sides = (0..count).flat_map(|axis| {
        let normal = Vector3::ith(axis, 1.0);
        [
            Part::half_space(normal, 0.0, MaterialId::default()),
            Part::half_space(-normal, -size[axis], MaterialId::default()),
        ]
    });
    sides.collect()
}

#[test]
fn three_balls_return_along_their_way_when_time_turns_after_a_hundred_impacts() {
    let mut scene = scene(false, "newton", &[("restitution", 1.0), ("friction", 0.0)]);
    scene.world = walls(false, [1.0, 1.0, 1.0]);
    let starts = [[0.25, 0.3, 0.3], [0.7, 0.7, 0.3], [0.5, 0.45, 0.75]];
    let velocities = [[1.0, 0.3, -0.2], [-0.4, 0.9, 0.5], [0.3, -0.8, 0.1]];
    for (x, v) in starts.iter().zip(velocities) {
        scene.bodies.push(ball(0.2).at(space(x[0], x[1], x[2]), Vector3::from(v), still()));
    }
    let mut engine = scene.events();
    let mut count = 0;
    while count < 100 {
        engine.advance(1000.0).unwrap().unwrap();
        count += 1;
    }
    let (end, there) = (engine.time() + 1e-3, engine.time());
    assert!(engine.advance(end).unwrap().is_none());
    let mut back = scene.clone();
    for (body, state) in back.bodies.iter_mut().zip(engine.states()) {
        body.state = State { velocity: -state.velocity, ..state };
    }
    let mut engine = back.events();
    let events = run(&mut engine, end);
    assert_eq!(events.len(), 100, "{there}");
    for (state, start) in engine.states().iter().zip(starts) {
        assert!((state.pose.position - Vector3::from(start)).norm() < 1e-6, "{state:?}");
    }
}

/// Balls that fly have a way of their own through an impact, in closed form. A slack string sends all of them the way of everything else.
#[test]
fn balls_are_hit_alike_whether_something_is_tied_or_not() {
    for (planar, law) in [(true, "routh-poisson"), (false, "routh-stronge"), (false, "newton-lcp"), (true, "smith")] {
        let mut free = scene(planar, law, &[("restitution", 0.9), ("friction", 0.3)]);
        free.world = walls(planar, [1.0, 1.0, 1.0]);
        let depth = |z: f64| if planar { 0.0 } else { z };
        for (k, [x, y, z]) in
            [[0.2, 0.3, 0.3], [0.7, 0.75, 0.4], [0.45, 0.6, 0.75], [0.8, 0.2, 0.6]].into_iter().enumerate()
        {
            let number = k as f64;
            let radius = 0.1 + 0.01 * number;
            let velocity = Vector3::new(1.0 - number, 0.7 * number - 1.0, depth(0.3 * number));
            let spin = Vector3::new(depth(5.0), depth(-3.0 * number), 20.0 - 9.0 * number);
            let body = if planar { disk(radius) } else { ball(radius) };
            free.bodies.push(body.at(space(x, y, depth(z)), velocity, spin));
        }
        let mut tied = free.clone();
        let end = |body: Option<usize>| Anchor { body: body.map(BodyId::new), point: Vector3::zeros() };
        tied.strings.push(SceneString { a: end(Some(3)), b: end(None), length: 100.0, restitution: None });
        let [mut free, mut tied] = [free, tied].map(|scene| scene.events());
        let mut between_balls = 0;
        for turn in 0..15 {
            let [one, other] = [&mut free, &mut tied].map(|engine| engine.advance(100.0).unwrap().unwrap());
            assert_eq!((one.kind, one.contacts.len()), (EventKind::Impact, 1));
            assert!((one.time - other.time).abs() < 1e-9, "{law} {turn}: {} {}", one.time, other.time);
            let [a, b] = [&one, &other].map(|event| &event.contacts[0]);
            assert_eq!((a.bodies, a.origin), (b.bodies, b.origin));
            for (what, a, b) in [
                ("point", a.point, b.point),
                ("normal", a.frame.normal(), b.frame.normal()),
                ("impulse", a.impulse, b.impulse),
                ("velocity before", a.velocity_before, b.velocity_before),
                ("velocity after", a.velocity_after, b.velocity_after),
            ] {
                assert!((a - b).norm() < 1e-8, "{law} {turn}, {what}: {a} {b}");
            }
            between_balls += usize::from(a.bodies[1].is_some());
        }
        assert!(between_balls > 0, "{law}");
        let [one, other] = [free, tied].map(|engine| engine.ledger());
        assert!((one.impacts - other.impacts).abs() < 1e-8 && one.residual().abs() < 1e-12, "{one:?} {other:?}");
    }
}

#[test]
fn a_pendulum_keeps_its_energy_and_swings_as_the_elliptic_integral_says() {
    let mut scene = scene(true, "newton-lcp", &[("restitution", 0.5), ("friction", 0.0)]);
    scene.world.clear();
    let length = 1.0;
    let rod = SceneBody::new(1.0, Matrix3::identity() / 12.0);
    let angle: f64 = 2.0;
    let pose = at(0.5 * length * angle.sin(), -0.5 * length * angle.cos(), angle);
    scene.bodies.push(rod.at(pose, still(), still()));
    let sides = [Some(BodyId::new(0)), None];
    scene.joints.push(SceneJoint::new(JointKind::Revolute, sides, still(), Vector3::z()));
    let mut engine = scene.events();
    // A uniform rod swings like a point at two thirds of its length; the period by the arithmetic-geometric mean.
    let (mut a, mut b) = (1.0, (0.5 * angle).cos());
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    let period = 2.0 * std::f64::consts::PI * (2.0 / 3.0 * length / G).sqrt() / a;
    assert!(run(&mut engine, 5.0 * period).is_empty());
    let state = engine.states()[0];
    assert!((state.pose.position - pose.position).norm() < 1e-9, "{state:?}");
    assert!(engine.ledger().residual().abs() < 1e-10, "{:?}", engine.ledger());
}

#[test]
fn a_ball_in_space_thrown_with_side_spin_curves_and_then_rolls_straight() {
    // v = v0 − μ g t s with s the fixed direction of slip: it rolls with 5/7 of the velocity plus 2/7 of what spin gives.
    let (mu, radius) = (0.15, 0.03);
    let mut scene = scene(false, "newton-lcp", &[("restitution", 0.0), ("friction", mu)]);
    let (velocity, spin) = (Vector3::new(2.0, 0.0, 0.0), Vector3::new(40.0, 30.0, 5.0));
    scene.bodies.push(ball(radius).at(space(0.0, 0.0, radius), velocity, spin));
    let mut engine = scene.events();
    let events = run(&mut engine, 3.0);
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].kind, EventKind::StickStart);
    let arm = Vector3::z() * -radius;
    let slip = velocity + spin.cross(&arm);
    let stop = slip.norm() * 2.0 / 7.0 / (mu * G);
    assert!((events[0].time - stop).abs() < 1e-9, "{} {stop}", events[0].time);
    let rolls = velocity - slip * (2.0 / 7.0);
    let state = engine.states()[0];
    assert!((state.velocity - rolls).norm() < 1e-9, "{state:?} {rolls}");
    assert!((state.angular_velocity.z - 5.0).abs() < 1e-12);
    assert!(engine.ledger().residual().abs() < 1e-10, "{:?}", engine.ledger());
}

#[test]
fn a_tumbling_block_comes_to_rest_on_the_floor_without_gaining_energy() {
    for planar in [true, false] {
        let mut scene = scene(planar, "newton-lcp", &[("restitution", 0.4), ("friction", 0.5)]);
        let body = if planar {
            block(0.3, 0.2).at(at(0.0, 1.0, 0.3), Vector3::new(1.0, 0.0, 0.0), Vector3::z() * 4.0)
        } else {
            let inertia = Matrix3::from_diagonal(&Vector3::new(0.13, 0.2, 0.25)) * 0.1;
            let hull = Part::sharp(Hull::block([0.3, 0.2, 0.1]), MaterialId::default());
            let pose = Pose {
                position: Vector3::z(),
                orientation: UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, 0.1)),
            };
            SceneBody::new(1.0, inertia).with_parts(vec![hull]).at(pose, Vector3::x(), Vector3::new(3.0, 4.0, 1.0))
        };
        scene.bodies.push(body);
        let mut engine = scene.events();
        let mut last = engine.ledger().total();
        let mut count = 0;
        while let Some(event) = engine.advance(10.0).unwrap() {
            count += 1;
            let now = engine.ledger();
            assert!(now.total() <= last + 1e-9, "{planar} {event:?}");
            assert!(now.residual().abs() < 1e-9, "{planar} {count}: {now:?}");
            last = now.total();
        }
        let state = engine.states()[0];
        assert!(state.velocity.norm() < 1e-9 && state.angular_velocity.norm() < 1e-9, "{planar} {count} {state:?}");
        assert!(engine.contacts().count() >= if planar { 2 } else { 3 });
    }
}

/// A block of 1 kg on a spring of 100 N/m breaks loose at 5.945 N, above static friction of 5.886 N, and stops after half a swing,
/// π/10 s, where the spring pulls with 3 N only. It must stay: what slip had left of its last speed was once taken for slip back.
#[test]
fn a_block_that_broke_loose_stops_and_stays() {
    let (start, stiffness, kinetic) = (0.059_448_6, 100.0, 0.15);
    let parameters = [("restitution", 0.0), ("static_friction", 0.6), ("kinetic_friction", kinetic)];
    for law in ["rodriguez-bowling", "whittaker"] {
        let mut scene = scene(true, law, &parameters);
        scene.bodies.push(block(0.4, 0.1).at(at(start, 0.05, 0.0), still(), still()));
        let [a, b] = [(Some(0), 0.0, 0.0), (None, -1.0, 0.05)]
            .map(|(body, x, y)| Anchor { body: body.map(BodyId::new), point: Vector3::new(x, y, 0.0) });
        scene.loads.push(Load::Spring { a, b, stiffness, damping: 0.0, rest_length: 1.0 });
        let mut engine = scene.events();
        let events = run(&mut engine, 2.0);
        let kinds: Vec<EventKind> = events.iter().map(|event| event.kind).collect();
        assert_eq!(kinds, [EventKind::StickStart], "{law}");
        // Slip that began from rest ends at 1.4e-7 of the speeds in the scene, here 2 m/s, and slows down by 4.5 m/s².
        assert!((events[0].time - std::f64::consts::PI / 10.0).abs() < 1e-7, "{law}: {}", events[0].time);
        let end = 2.0 * kinetic * G / stiffness - start;
        assert!((engine.states()[0].pose.position.x - end).abs() < 1e-9, "{law}: {}", engine.states()[0].pose.position);
    }
}

/// Whether a block begins to slide does not depend on how fast something else flies.
#[test]
fn a_slow_slide_begins_whatever_flies_elsewhere() {
    for speed in [1.0, 1e3, 1e5] {
        let mut scene = scene(true, "newton-lcp", &[("restitution", 0.0), ("friction", 0.2)]);
        let slope = (0.2_f64 + 5e-4).atan();
        scene.gravity = G * Vector3::new(slope.sin(), -slope.cos(), 0.0);
        scene.bodies.push(block(0.02, 0.02).at(at(0.0, 0.01, 0.0), still(), still()));
        scene.bodies.push(disk(0.01).at(at(0.0, 500.0, 0.0), Vector3::x() * speed, still()));
        let mut engine = scene.events();
        run(&mut engine, 2.0);
        let way = 2.0 * G * (slope.sin() - 0.2 * slope.cos());
        assert!(
            (engine.states()[0].pose.position.x - way).abs() < 1e-9,
            "{speed}: {}",
            engine.states()[0].pose.position
        );
    }
}

/// What rolls evenly is followed as far as one likes at the cost of a few steps: a ball in space rolls for thirty years.
#[test]
fn a_ball_rolls_for_ages() {
    let (radius, years) = (0.1, 1e9);
    let mut scene = scene(false, "newton-lcp", &[("restitution", 0.5), ("friction", 0.3)]);
    let ball = SceneBody::new(1.0, Matrix3::identity() * (0.4 * radius * radius));
    let velocity = Vector3::new(0.6, -0.8, 0.0);
    let pose = Pose { position: Vector3::z() * radius, ..Pose::identity() };
    let rolling = Vector3::z().cross(&velocity) / radius;
    scene.bodies.push(ball.with_parts(vec![Part::ball(radius, MaterialId::default())]).at(pose, velocity, rolling));
    let mut engine = scene.events();
    // The turn after ten seconds is told to rounding, and so is the place after all.
    assert!(run(&mut engine, 10.0).is_empty());
    let turned = UnitQuaternion::from_scaled_axis(rolling * 10.0);
    assert!(engine.states()[0].pose.orientation.angle_to(&turned) < 1e-13);
    assert!(run(&mut engine, years).is_empty());
    let end = engine.states()[0];
    assert!((end.pose.position - velocity * years - Vector3::z() * radius).norm() < 1e-13 * years);
    assert!((end.angular_velocity - rolling).norm() < 1e-12);
}

/// Two forces that beat exceed friction at the crests of some of their waves only, after minutes in which nothing moves. None of them
/// is missed, however long the steps could be until then.
#[test]
fn no_crest_of_a_force_is_missed_by_what_sticks() {
    let mut scene = scene(true, "newton-lcp", &[("restitution", 0.0), ("friction", 0.4)]);
    scene.bodies.push(block(0.2, 0.1).at(at(0.0, 0.05, 0.0), still(), still()));
    let signals = [(6.0, 0.0), (6.013, std::f64::consts::PI)].map(|(rate, phase)| Signal {
        offset: 0.0,
        amplitude: 0.2 * 1.007 * G,
        rate,
        phase,
    });
    let at = Anchor::on(BodyId::new(0), still());
    scene.loads.extend(signals.map(|signal| Load::Force { at, force: Vector3::x(), signal }));
    let mut engine = scene.events();
    let events = run(&mut engine, 300.0);
    let beyond = |time: f64| signals.iter().map(|signal| signal.at(time)).sum::<f64>().abs() > 0.4 * G;
    let crests = (1..3_000_000).filter(|k| !beyond(1e-4 * f64::from(k - 1)) && beyond(1e-4 * f64::from(*k))).count();
    let slips = events.iter().filter(|event| event.kind == EventKind::SlipStart).count();
    assert_eq!(slips, crests);
    assert!(crests > 50);
}

/// A ball slides down a corner a hundred kilometres from the origin, where places are told to 1e-11 m: it comes to rest all the same.
#[test]
fn a_ball_far_away_comes_to_rest_in_a_corner() {
    for law in ["chatterjee-2", "newton-lcp", "routh-poisson"] {
        let mut scene = scene(false, law, &[("restitution", 0.1), ("friction", 0.3), ("tangential_restitution", 0.0)]);
        let place = Vector3::new(1e5 - 0.158_689_743_64, -1e5 - 0.067_851_859_07, 0.5);
        scene.world.push(Part::half_space(Vector3::x(), 1e5 - 0.6, MaterialId::default()));
        let ball = SceneBody::new(1.0, Matrix3::identity() * (0.4 * 0.056 * 0.056));
        let velocity = Vector3::new(-1.584, 1.083, -1.791);
        let pose = Pose { position: place, ..Pose::identity() };
        scene.bodies.push(ball.with_parts(vec![Part::ball(0.056, MaterialId::default())]).at(pose, velocity, still()));
        let mut engine = scene.events();
        run(&mut engine, 3.0);
        assert!(engine.ledger().residual().abs() < 1e-9, "{law}");
        assert!(engine.contacts().count() >= 1 && engine.states()[0].pose.position.z < 0.056 + 1e-7, "{law}");
    }
}
