//! What holds and drives bodies in the event engine: limits of joints, strings and springs, against closed forms.
#![allow(clippy::unwrap_used)]

mod trial;

use carom::laws::find;
use carom::sim::{
    Anchor, BodyId, Event, EventEngine, EventKind, EventSettings, Failure, JointId, JointKind, Load, MaterialId,
    Materials, Part, Pose, SceneBody, SceneJoint, SceneString, Signal, SteppingSettings,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use trial::Trial;

const G: f64 = 9.81;

fn scene(gravity: f64, restitution: f64) -> Trial {
    let mut scene = Trial::new(true, "newton-lcp", &[("restitution", restitution), ("friction", 0.0)]);
    scene.gravity = -Vector3::y() * gravity;
    scene
}

fn at(x: f64, y: f64, angle: f64) -> Pose {
    Pose { position: Vector3::new(x, y, 0.0), orientation: UnitQuaternion::from_scaled_axis(Vector3::z() * angle) }
}

fn still() -> Vector3<f64> {
    Vector3::zeros()
}

fn ball(mass: f64, radius: f64) -> SceneBody {
    let inertia = Matrix3::identity() * (0.5 * mass * radius * radius);
    SceneBody::new(mass, inertia).with_parts(vec![Part::ball(radius, MaterialId::default())])
}

fn run(engine: &mut EventEngine, until: f64) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some(event) = engine.advance(until).unwrap() {
        events.push(event);
        assert!(events.len() < 1000);
    }
    events
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} instead of {expected}");
}

/// Where a function that rises through zero between two numbers does so.
fn root(of: impl Fn(f64) -> f64, mut least: f64, mut most: f64) -> f64 {
    for _ in 0..100 {
        let middle = 0.5 * (least + most);
        if of(middle) < 0.0 { least = middle } else { most = middle }
    }
    0.5 * (least + most)
}

/// The time of a pendulum from rest at an angle to a smaller one: √(l/g) (F(π/2, k) − F(u, k)), k = sin(from/2), k sin u = sin(to/2).
fn swing(from: f64, to: f64, reduced: f64) -> f64 {
    let k = (0.5 * from).sin();
    let start = ((0.5 * to).sin() / k).asin();
    let count = 2000;
    let h = (std::f64::consts::FRAC_PI_2 - start) / f64::from(count);
    let f = |u: f64| 1.0 / (1.0 - (k * u.sin()).powi(2)).sqrt();
    let piece = |i: i32| {
        let u = start + f64::from(i) * h;
        h / 6.0 * (f(u) + 4.0 * f(u + 0.5 * h) + f(u + h))
    };
    (reduced / G).sqrt() * (0..count).map(piece).sum::<f64>()
}

/// A rod on a pin falls from level onto the limit of its joint. Without restitution that takes all turning, and the rod stays.
#[test]
fn a_rod_falls_on_the_limit_of_its_joint_and_stays() {
    let (length, turn) = (1.0, 1.2);
    let start = std::f64::consts::FRAC_PI_2;
    for side in [1.0, -1.0] {
        let mut scene = scene(G, 0.7);
        let inertia = length * length / 12.0;
        let rod = SceneBody::new(1.0, Matrix3::identity() * inertia);
        scene.bodies.push(rod.at(at(0.5 * length * side, 0.0, 0.0), still(), still()));
        let sides = [Some(BodyId::new(0)), None];
        let mut joint = SceneJoint::new(JointKind::Revolute, sides, still(), Vector3::z());
        // To the right it falls clockwise.
        joint.limits = Some(if side > 0.0 { [-turn, 0.5] } else { [-0.5, turn] });
        scene.joints.push(joint);
        let mut engine = scene.events();
        let event = engine.advance(2.0).unwrap().unwrap();
        let time = swing(start, start - turn, 2.0 / 3.0 * length);
        near(event.time, time, 1e-10);
        let turning = (3.0 * G / length * (start - turn).cos()).sqrt();
        // The limit acts at a lever of 1 m: its impulse is the moment of momentum about the pin.
        let contact = &event.contacts[0];
        near(contact.velocity_before.x, -turning, 1e-9);
        near(contact.velocity_after.x, 0.0, 1e-12);
        near(contact.impulse.x, turning * length * length / 3.0, 1e-9);
        near(event.energy[0] - event.energy[1], 0.5 * turning * turning * length * length / 3.0, 1e-9);
        assert!(run(&mut engine, 2.0).is_empty());
        let state = engine.states()[0];
        near(state.pose.orientation.scaled_axis().z, -turn * side, 1e-9);
        assert_eq!(engine.contacts().count(), 1);
        assert!(engine.ledger().residual().abs() < 1e-10, "{:?}", engine.ledger());
    }
}

/// A slide at 0.8 m/s towards the limit of its prismatic joint, 0.6 m ahead.
fn slide(restitution: f64) -> Trial {
    let mut scene = scene(0.0, 0.0);
    scene.bodies.push(ball(2.0, 0.1).at(at(0.0, 0.0, 0.0), Vector3::x() * 0.8, still()));
    let sides = [Some(BodyId::new(0)), None];
    let mut joint = SceneJoint::new(JointKind::Prismatic, sides, still(), Vector3::x());
    (joint.limits, joint.restitution) = (Some([-1.0, 0.6]), Some(restitution));
    scene.joints.push(joint);
    scene
}

/// Between its limits, 1.6 m apart, it goes back and forth, each time at half the speed.
#[test]
fn limits_throw_a_slide_back_by_their_restitution() {
    let mut engine = slide(0.5).events();
    let events = run(&mut engine, 20.0);
    let times: Vec<f64> = events.iter().map(|event| event.time).collect();
    // 0.75 s to the upper limit; then 1.6 m at 0.4 m/s, at 0.2 m/s.
    assert_eq!(times.len(), 3, "{times:?}");
    for (found, expected) in times.into_iter().zip([0.75, 4.75, 12.75]) {
        near(found, expected, 1e-9);
    }
    near(events[1].contacts[0].impulse.x, 2.0 * 1.5 * 0.4, 1e-10);
    near(engine.states()[0].velocity.x, -0.1, 1e-10);
    let settings = SteppingSettings { step: 1e-3, ..SteppingSettings::default() };
    let mut stepping = slide(0.5).steps(settings);
    stepping.advance(20.0).unwrap();
    near(stepping.states()[0].velocity.x, -0.1, 1e-6);
    near(stepping.states()[0].pose.position.x, engine.states()[0].pose.position.x, 5e-3);
}

/// A slide hits the limit of its prismatic joint.
#[test]
fn a_slide_stops_at_the_limit_of_its_joint() {
    let mut engine = slide(0.0).events();
    let events = run(&mut engine, 2.0);
    assert_eq!(events.len(), 1, "{events:?}");
    near(events[0].time, 0.75, 1e-10);
    near(events[0].contacts[0].impulse.x, 1.6, 1e-10);
    near(engine.states()[0].pose.position.x, 0.6, 1e-10);
}

/// A ball on a string 1 m long falls beside the nail from 0.6 m and pulls the string taut at 0.8 m below.
fn falling_on_a_string(restitution: f64) -> EventEngine {
    let mut scene = scene(G, 0.0);
    scene.bodies.push(ball(0.5, 0.05).at(at(0.6, 0.0, 0.0), still(), still()));
    let [a, b] = [Anchor::on(BodyId::new(0), still()), Anchor::world(still())];
    scene.strings.push(SceneString { a, b, length: 1.0, restitution: Some(restitution) });
    scene.events()
}

#[test]
fn a_ball_on_a_string_goes_on_across_it_when_it_goes_taut() {
    let mut engine = falling_on_a_string(0.0);
    let event = engine.advance(1.0).unwrap().unwrap();
    let speed = (2.0 * G * 0.8).sqrt();
    near(event.time, speed / G, 1e-11);
    near(event.contacts[0].impulse.norm(), 0.5 * 0.8 * speed, 1e-10);
    let state = event.bodies[0].1[1];
    // Across the string, 53.13° from the vertical, 0.6 of the speed is left, towards (−0.8, −0.6).
    near(state.velocity.x, -0.48 * speed, 1e-10);
    near(state.velocity.y, -0.36 * speed, 1e-10);
    near((-state.velocity.x).atan2(-state.velocity.y), f64::atan2(0.8, 0.6), 1e-10);
    // Then it swings: by energy it passes below the nail with this speed, and the string holds it by v²/l + g.
    assert!(run(&mut engine, event.time + 0.3).is_empty());
    let state = engine.states()[0];
    near(state.pose.position.norm(), 1.0, 1e-10);
    near(0.5 * state.velocity.norm_squared() + G * state.pose.position.y, 0.5 * (0.6 * speed).powi(2) - 0.8 * G, 1e-9);
    assert!(state.pose.position.x < 0.0, "{state:?}");
    assert!(engine.ledger().residual().abs() < 1e-10, "{:?}", engine.ledger());
}

#[test]
fn a_springy_string_throws_the_ball_back_and_goes_taut_again() {
    let mut engine = falling_on_a_string(0.5);
    let event = engine.advance(1.0).unwrap().unwrap();
    let state = event.bodies[0].1[1];
    let speed = (2.0 * G * 0.8).sqrt();
    // Outward along (0.6, −0.8) it had 0.8 of its speed and comes back with 0.4.
    near(state.velocity.dot(&Vector3::new(0.6, -0.8, 0.0)), -0.4 * speed, 1e-10);
    near(state.velocity.dot(&Vector3::new(-0.8, -0.6, 0.0)), 0.6 * speed, 1e-10);
    let far = |t: f64| (state.pose.position + state.velocity * t - Vector3::y() * (0.5 * G * t * t)).norm() - 1.0;
    let next = engine.advance(2.0).unwrap().unwrap();
    let flight = root(far, 1e-3, next.time - event.time + 0.05);
    near(next.time, event.time + flight, 1e-10);
    assert_eq!(next.kind, EventKind::Impact);
}

/// m ẍ + c ẋ + k (x − l) = m g, with x down from the nail.
#[test]
fn a_mass_hung_on_a_damped_spring_moves_as_the_closed_form() {
    let (m, c, k, rest, start) = (2.0, 1.5, 40.0, 1.0, 1.1);
    let mut scene = scene(G, 0.0);
    scene.bodies.push(ball(m, 0.1).at(at(0.0, -start, 0.0), still(), still()));
    let [a, b] = [Anchor::on(BodyId::new(0), still()), Anchor::world(still())];
    scene.loads.push(Load::Spring { a, b, stiffness: k, damping: c, rest_length: rest });
    let mut engine = scene.events();
    let decay = 0.5 * c / m;
    let rate = f64::sqrt(k / m - decay * decay);
    let hangs = rest + m * G / k;
    let energy = |place: f64, speed: f64| 0.5 * m * speed * speed + 0.5 * k * (place - rest).powi(2) - m * G * place;
    for time in [0.3, 1.0, 3.0] {
        assert!(run(&mut engine, time).is_empty());
        let fade = (start - hangs) * f64::exp(-decay * time);
        let (sine, cosine) = (rate * time).sin_cos();
        let place = hangs + fade * (cosine + decay / rate * sine);
        let speed = -fade * (rate + decay * decay / rate) * sine;
        let state = engine.states()[0];
        near(-state.pose.position.y, place, 1e-10);
        near(-state.velocity.y, speed, 1e-10);
        // What the damper took is in the ledger.
        let ledger = engine.ledger();
        near(ledger.supplied, energy(place, speed) - energy(start, 0.0), 1e-10);
        assert!(ledger.residual().abs() < 1e-10, "{ledger:?}");
    }
}

/// Two balls joined by a spring fall on the floor. The lower bounces while the upper still falls; until the next impact both move about
/// their common centre, which flies freely.
#[test]
fn two_balls_on_a_spring_bounce_on_the_floor() {
    let (radius, rest, height, e) = (0.05, 0.4, 0.5, 0.8);
    let (lower, upper, k) = (1.0, 2.0, 300.0);
    let mut scene = scene(G, e);
    scene.world.push(Part::half_space(Vector3::y(), 0.0, MaterialId::default()));
    scene.bodies.push(ball(lower, radius).at(at(0.0, height + radius, 0.0), still(), still()));
    scene.bodies.push(ball(upper, radius).at(at(0.0, height + radius + rest, 0.0), still(), still()));
    let [a, b] = [1, 0].map(|body| Anchor::on(BodyId::new(body), still()));
    scene.loads.push(Load::Spring { a, b, stiffness: k, damping: 0.0, rest_length: rest });
    let mut engine = scene.events();
    let first = engine.advance(1.0).unwrap().unwrap();
    let fall = f64::sqrt(2.0 * height / G);
    near(first.time, fall, 1e-11);
    let speed = G * fall;
    let state = first.bodies.iter().find(|(body, _)| body.index() == 0).unwrap().1[1];
    near(state.velocity.y, e * speed, 1e-10);
    let total = lower + upper;
    let rate = f64::sqrt(k * total / (lower * upper));
    let centre_speed = (lower * e - upper) * speed / total;
    let closing = (1.0 + e) * speed;
    // Of the lower ball above the floor; the spring shortens by closing/rate sin(rate t).
    let gap = |t: f64| {
        let centre = centre_speed * t - 0.5 * G * t * t;
        centre + upper / total * closing / rate * (rate * t).sin()
    };
    let second = engine.advance(1.0).unwrap().unwrap();
    let flight = root(|t| -gap(t), 1e-3, 0.25);
    assert!((1..1000).all(|k| gap(flight * f64::from(k) / 1000.0) > 0.0));
    near(second.time, fall + flight, 1e-10);
    let ledger = engine.ledger();
    assert!(ledger.residual().abs() < 1e-10, "{ledger:?}");
}

/// A ball on a string of 1 m falls from beside its anchor, is thrown back where the string goes taut, ever lower, and swings in the end.
/// Its last hops are lower than the length of the string can be told.
#[test]
fn a_string_that_goes_taut_again_and_again_holds_in_the_end() {
    for turn in 0..20 {
        let (start, restitution) = (0.3 + 0.03 * f64::from(turn), 0.1 + 0.04 * f64::from(turn));
        let mut scene = scene(G, 0.0);
        scene.bodies.push(ball(1.0, 0.1).at(at(start, 0.0, 0.0), still(), still()));
        let ends = [(Some(BodyId::new(0)), Vector3::new(0.03, 0.02, 0.0)), (None, still())];
        let [a, b] = ends.map(|(body, point)| Anchor { body, point });
        scene.strings.push(SceneString { a, b, length: 1.0, restitution: Some(restitution) });
        let mut engine = scene.events();
        let impacts = run(&mut engine, 2.0).iter().filter(|event| event.kind == EventKind::Impact).count();
        assert!(impacts > 3 && engine.ledger().residual().abs() < 1e-10, "{turn}: {impacts}");
        assert!(engine.states()[0].pose.point(&a.point).norm() < 1.0 + 1e-10, "{turn}");
    }
}

/// Two bars on pins come to rest on the floor before a ball falls beside them, or on them: what rounding leaves of their motion is
/// no motion of their pins.
#[test]
fn pins_of_bars_at_rest_do_not_move() {
    for (place, law) in [(1.5, "poisson-lcp"), (1.5, "rakshit-chatterjee"), (0.45, "newton-lcp"), (0.45, "poisson-lcp")]
    {
        let mut scene = scene(G, 0.4);
        scene.law = find(law).unwrap();
        scene.materials = Materials::uniform(&[("restitution", 0.4), ("friction", 0.5)]);
        scene.world.push(Part::half_space(Vector3::y(), 0.0, MaterialId::default()));
        let bar = |x: f64| ball(1.0, 0.1).at(at(x, 0.2, 0.0), still(), still());
        scene.bodies.extend([bar(0.0), bar(0.3)]);
        let joint = |ends: [Option<usize>; 2], x: f64| {
            let sides = ends.map(|body| body.map(BodyId::new));
            SceneJoint::new(JointKind::Revolute, sides, Vector3::new(x, 0.2, 0.0), Vector3::z())
        };
        let pins = [joint([Some(0), None], -0.2), joint([Some(1), Some(0)], 0.15)];
        scene.joints.extend(pins);
        scene.bodies.push(ball(1.0, 0.1).at(at(place, 6.0, 0.0), still(), still()));
        let mut engine = scene.events();
        let start = engine.ledger().total();
        let events = run(&mut engine, 2.5);
        assert!(
            events.iter().any(|event| event.contacts.iter().any(|contact| contact.bodies[0] == Some(BodyId::new(2))))
        );
        assert!(engine.ledger().total() < start && engine.ledger().residual().abs() < 1e-9, "{:?}", engine.ledger());
    }
}

/// A wheel of 0.5 kg m² on a pin, turning at a rate.
fn wheel(rate: f64, limits: Option<[f64; 2]>) -> Trial {
    let mut scene = scene(0.0, 0.0);
    let wheel = SceneBody::new(1.0, Matrix3::identity() * 0.5);
    scene.bodies.push(wheel.at(at(0.0, 0.0, 0.0), still(), Vector3::z() * rate));
    let sides = [Some(BodyId::new(0)), None];
    let mut joint = SceneJoint::new(JointKind::Revolute, sides, still(), Vector3::z());
    (joint.limits, joint.restitution) = (limits, Some(0.5));
    scene.joints.push(joint);
    scene
}

/// Angles were once told from places alone, and a spring that was wound up by more than half a turn let go. It winds up by three turns
/// here: θ = 1 − cos 2t + 20 sin 2t.
#[test]
fn a_spring_is_wound_up_by_more_than_a_turn() {
    let rate = |t: f64| 2.0 * (2.0 * t).sin() + 40.0 * (2.0 * t).cos();
    let mut scene = wheel(40.0, None);
    scene.loads.push(Load::TorsionSpring { joint: JointId::new(0), stiffness: 2.0, damping: 0.0, rest_angle: 1.0 });
    let mut engine = scene.events();
    run(&mut engine, 0.7);
    near(engine.states()[0].angular_velocity.z, rate(0.7), 1e-9);
    let taken = engine.checkpoint().unwrap();
    let mut engine = EventEngine::resume(engine.scene(), engine.law(), EventSettings::default(), &taken).unwrap();
    run(&mut engine, 3.0);
    near(engine.states()[0].angular_velocity.z, rate(3.0), 1e-8);
    near(engine.ledger().residual(), 0.0, 1e-8);
    let mut engine = scene.steps(SteppingSettings { step: 1e-4, ..Default::default() });
    while engine.advance(3.0).unwrap().is_some() {}
    near(engine.states()[0].angular_velocity.z, rate(3.0), 1e-2);
}

/// A limit holds however many turns it is away, and at exactly half a turn.
#[test]
fn limits_beyond_half_a_turn_hold() {
    for greatest in [std::f64::consts::PI, 3.2, 10.0, 100.0] {
        let scene = wheel(97.0, Some([-1.0, greatest]));
        let mut engine = scene.events();
        let event = engine.advance(2.0).unwrap().unwrap();
        near(event.time, greatest / 97.0, 1e-11);
        near(engine.states()[0].angular_velocity.z, -48.5, 1e-10);
        // And back to the other end.
        near(engine.advance(20.0).unwrap().unwrap().time, greatest / 97.0 + (greatest + 1.0) / 48.5, 1e-9);
        let mut engine = scene.steps(SteppingSettings { step: 1e-3, ..Default::default() });
        while engine.time() < 1.1 * greatest / 97.0 {
            engine.advance(1.1 * greatest / 97.0).unwrap();
        }
        near(engine.states()[0].angular_velocity.z, -48.5, 1e-6);
    }
}

/// A motor turns a balanced wheel from rest, evenly faster: its column is a polynomial, which any step follows, but turns are counted.
#[test]
fn a_motor_turns_a_wheel_to_a_limit_many_turns_away() {
    let mut scene = wheel(0.0, Some([-1.0, 500.0]));
    scene.loads.push(Load::Motor { joint: JointId::new(0), effort: Signal::constant(2.0) });
    let mut engine = scene.events();
    let event = engine.advance(1e3).unwrap().unwrap();
    near(event.time, (2.0 * 500.0 / 4.0_f64).sqrt(), 1e-9);
}

/// A bar on a tilted hinge in space swings against its limits, by laws for one contact: what a limit cannot do, push across its
/// direction, was once asked for.
#[test]
fn limits_in_space_throw_back_by_laws_for_one_contact() {
    for law in ["routh-poisson", "newton", "smith", "chatterjee-2", "whittaker"] {
        let parameters = [("restitution", 0.5), ("friction", 0.3), ("tangential_restitution", 0.0)];
        let mut scene = Trial::new(false, law, &parameters);
        let axis = Vector3::new(0.2, 0.9, 0.4).normalize();
        let arm = Vector3::new(0.2, -0.04, 0.0);
        let inertia = Matrix3::from_diagonal(&Vector3::new(1e-4, 0.011, 0.011));
        let turning = axis * 2.0;
        let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * -0.2);
        let pose = Pose { position: arm, orientation: turn };
        scene.bodies.push(SceneBody::new(1.0, inertia).at(pose, turning.cross(&arm), turning));
        let sides = [Some(BodyId::new(0)), None];
        let mut joint = SceneJoint::new(JointKind::Revolute, sides, still(), axis);
        (joint.limits, joint.restitution) = (Some([-0.3, 0.3]), Some(0.5));
        scene.joints.push(joint);
        let mut engine = scene.events();
        near(engine.advance(1.0).unwrap().unwrap().time, 0.15, 1e-12);
        near(engine.states()[0].angular_velocity.dot(&axis), -1.0, 1e-9);
        near(engine.advance(1.0).unwrap().unwrap().time, 0.75, 1e-9);
    }
}

/// A slide on a rail that also touches the floor hits a wall: the floor, along which its joint does not let it move, takes no part.
#[test]
fn a_slide_that_touches_the_floor_hits_a_wall() {
    let mut scene = scene(G, 0.5);
    scene.bodies.push(ball(1.0, 0.1).at(at(0.0, 0.1, 0.0), Vector3::x() * 3.0, still()));
    let sides = [Some(BodyId::new(0)), None];
    let point = Vector3::y() * 0.1;
    scene.joints.push(SceneJoint::new(JointKind::Prismatic, sides, point, Vector3::x()));
    scene.world = vec![
        Part::half_space(Vector3::y(), 0.0, MaterialId::default()),
        Part::half_space(-Vector3::x(), -1.0, MaterialId::default()),
    ];
    let mut engine = scene.events();
    let event = engine.advance(0.5).unwrap().unwrap();
    near(event.time, 0.3, 1e-12);
    near(engine.states()[0].velocity.x, -1.5, 1e-12);
    assert_eq!(event.contacts.len(), 1);
}

/// A string does not rebound unless it says so; a law that needs some restitution refuses it at the start, not in the middle of a run.
#[test]
fn a_string_that_the_law_cannot_take_is_refused_at_the_start() {
    let start = |restitution: f64| {
        let parameters = [("restitution", 0.5), ("friction", 0.0)];
        let mut scene = Trial::new(true, "spring-dashpot", &parameters);
        scene.bodies.push(ball(1.0, 0.1).at(at(0.0, 0.0, 0.0), Vector3::x(), still()));
        let [a, b] = [Anchor::on(BodyId::new(0), still()), Anchor::world(still())];
        scene.strings.push(SceneString { a, b, length: 1.0, restitution: Some(restitution) });
        scene.try_events().err()
    };
    let refused = carom::Error::Rebound { what: "string", place: 0, law: "spring-dashpot", restitution: Some(0.0) };
    assert_eq!(start(0.0), Some(refused));
    assert_eq!(start(0.5), None);
}

/// A spring of 10³⁰ N/m that starts stretched swings 10¹⁴ times in a second. It is given up at once, not followed for ever.
#[test]
fn a_spring_too_stiff_to_be_followed_is_given_up() {
    let mut scene = scene(G, 0.0);
    scene.bodies.push(ball(1.0, 0.1).at(at(0.0, 0.0, 0.0), still(), still()));
    let [a, b] = [Anchor::on(BodyId::new(0), still()), Anchor::world(still())];
    let b = Anchor { point: Vector3::x(), ..b };
    scene.loads.push(Load::Spring { a, b, stiffness: 1e30, damping: 0.0, rest_length: 0.5 });
    let mut engine = scene.events();
    let failure = engine.advance(0.01).unwrap_err();
    assert!(matches!(failure, Failure::TooFast { .. }), "{failure}");
}
