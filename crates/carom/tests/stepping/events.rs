//! Impacts of steps, told as events.

use super::trial::Trial;
use super::{G, at, ball, block, scene, still};
use carom::sim::{BodyId, JointId, JointKind, MaterialId, Origin, Part, Pose, SceneJoint, SteppingSettings};
use nalgebra::{UnitQuaternion, Vector3};

#[test]
fn impacts_are_told_as_events_when_they_are_asked_for() {
    let mut scene = scene(false, 0.5, 0.2);
    scene.bodies.push(ball(0.1, false).at(at(0.0, 0.0, 0.6), Vector3::x(), still()));
    let settings = SteppingSettings { events: true, ..SteppingSettings::default() };
    let mut engine = scene.steps(settings);
    let event = engine.advance(1.0).unwrap().unwrap();
    let fall = f64::sqrt(2.0 * 0.5 / G);
    assert!((event.time - fall).abs() < 2.0 * settings.step, "{} {fall}", event.time);
    let contact = &event.contacts[0];
    assert_eq!(contact.bodies, [Some(BodyId::new(0)), None]);
    assert!((contact.velocity_after.x + 0.5 * contact.velocity_before.x).abs() < 1e-9, "{contact:?}");
    let slid = f64::hypot(contact.impulse.y, contact.impulse.z);
    assert!(slid > 0.0 && slid <= 0.2 * contact.impulse.x * (1.0 + 1e-12));
    assert!(event.energy[1] < event.energy[0]);
    assert!((event.energy[1] - engine.ledger().total()).abs() < 1e-9);
    while engine.advance(1.0).unwrap().is_some() {}
    assert_eq!(engine.time(), 1.0);
}

/// An impact may take two steps, the first of which closes the gap: their impulses together stop the fall.
#[test]
fn impacts_without_restitution_are_told_with_all_their_impulse() {
    for (height, body) in [(0.1, ball(0.1, false)), (0.05, block([0.1; 3], false))] {
        for drop in [0.3, 0.5, 0.7] {
            let mut scene = scene(false, 0.0, 0.0);
            scene.bodies.push(body.clone().at(at(0.0, 0.0, drop + height), still(), still()));
            let settings = SteppingSettings { events: true, ..SteppingSettings::default() };
            let mut engine = scene.steps(settings);
            let mut events = Vec::new();
            while let Some(event) = engine.advance(2.0).unwrap() {
                events.push(event);
            }
            assert!((1..=2).contains(&events.len()), "{events:?}");
            let fall = f64::sqrt(2.0 * drop / G);
            assert!((events[0].time - fall).abs() < 2.0 * settings.step, "{} {fall}", events[0].time);
            let impulse: f64 = events.iter().flat_map(|event| &event.contacts).map(|contact| contact.impulse.x).sum();
            // The steps themselves add their weight.
            assert!((impulse - G * fall).abs() < 3.0 * G * settings.step, "{impulse} {}", G * fall);
            let lost: f64 = events.iter().map(|event| event.energy[0] - event.energy[1]).sum();
            assert!((lost - G * drop).abs() < 0.03 * G * drop, "{lost} {}", G * drop);
        }
    }
}

/// A double pendulum in the plane whose outer rod swings against a wall on the left; with limits its inner joint stops before.
fn double_pendulum(limits: Option<[f64; 2]>) -> Trial {
    let mut scene = scene(true, 0.6, 0.3);
    scene.world = vec![Part::half_space(Vector3::x(), -0.5, MaterialId::default())];
    let rod = |y: f64| block([0.05, 0.6, 0.0], true).at(at(0.0, y, 0.0), still(), still());
    scene.bodies = vec![rod(-0.3), rod(-0.9)];
    // Both swing about the pin as one.
    for (body, depth) in scene.bodies.iter_mut().zip([0.3, 0.9]) {
        (body.state.velocity.x, body.state.angular_velocity.z) = (-2.0 * depth, -2.0);
    }
    let joint = |a: usize, b: Option<usize>, y: f64| {
        let sides = [Some(a), b].map(|body| body.map(BodyId::new));
        SceneJoint::new(JointKind::Revolute, sides, Vector3::y() * y, Vector3::z())
    };
    scene.joints = vec![joint(0, None, 0.0), joint(1, Some(0), -0.6)];
    (scene.joints[0].limits, scene.joints[0].restitution) = (limits, Some(0.5));
    scene
}

fn first_events(scene: &Trial) -> [carom::sim::Event; 2] {
    let settings =
        SteppingSettings { step: 1e-4, events: true, tolerance: 1e-9, most_sweeps: 1000, ..Default::default() };
    let stepped = scene.steps(settings).advance(2.0).unwrap().unwrap();
    let located = scene.events().advance(2.0).unwrap().unwrap();
    assert!((stepped.time - located.time).abs() < 3e-4, "{} {}", stepped.time, located.time);
    [stepped, located]
}

#[test]
fn an_impact_of_a_mechanism_tells_all_its_bodies_and_no_moment_of_its_pins() {
    let [stepped, located] = first_events(&double_pendulum(None));
    let places = |event: &carom::sim::Event| event.bodies.iter().map(|(body, _)| *body).collect::<Vec<_>>();
    assert_eq!(places(&stepped), [0, 1].map(BodyId::new));
    assert_eq!(places(&stepped), places(&located));
    assert_eq!(stepped.contacts[0].origin, located.contacts[0].origin);
    for ((_, [p, moment]), (_, [q, _])) in stepped.joints.iter().zip(&located.joints) {
        assert_eq!(*moment, still());
        // Those of a step hold the weight of its length, too.
        assert!((p - q).norm() < 1e-2 * q.norm() + 0.01, "{p:?} {q:?}");
    }
}

#[test]
fn limits_that_throw_back_are_told_as_they_are_event_by_event() {
    let [stepped, located] = first_events(&double_pendulum(Some([-0.2, 0.4])));
    assert_eq!(stepped.contacts[0].origin, Origin::Limit(JointId::new(0)));
    for (one, other) in stepped.contacts.iter().zip(&located.contacts) {
        assert_eq!((one.bodies, one.origin), (other.bodies, other.origin));
        assert!((one.point - other.point).norm() < 1e-3, "{one:?} {other:?}");
        let normals = [one, other].map(|contact| contact.frame.normal());
        assert!((normals[0] - normals[1]).norm() < 1e-3, "{one:?} {other:?}");
        assert!((one.impulse - other.impulse).norm() < 1e-2 * other.impulse.norm(), "{one:?} {other:?}");
        assert!((one.velocity_after.x + 0.5 * one.velocity_before.x).abs() < 1e-3, "{one:?}");
    }
    for ((_, [p, moment]), (_, [q, _])) in stepped.joints.iter().zip(&located.joints) {
        assert_eq!(*moment, still());
        assert!((p - q).norm() < 1e-2 * q.norm() + 0.01, "{p:?} {q:?}");
    }
}

/// The end of a bar strikes floor and wall at once. With friction above 1 the two contacts can hold each other, and no finite impulses make
/// both rebound: solving them together found 10¹⁰ N s, and their work was rounding. They rebound as far as finite impulses allow.
#[test]
fn contacts_that_hold_each_other_keep_finite_impulses() {
    let mut base = scene(true, 1.0, 1.2);
    base.world.push(Part::half_space(Vector3::x(), 0.0, MaterialId::default()));
    base.world.push(Part::half_space(-Vector3::x(), -7.414_395_288_708_224, MaterialId::default()));
    let pose = Pose {
        position: Vector3::new(3.707_197_644_354_112, 1.977_172_076_988_86, 0.0),
        orientation: UnitQuaternion::from_axis_angle(&Vector3::z_axis(), -0.602_572_478_704_307_9),
    };
    let velocity = Vector3::new(11.870_744_955_121_545, -4.375_065_459_191_431, 0.0);
    let size = [2.392_097_317_378_879, 0.061_918_940_616_350_81, 1.0];
    base.bodies.push(block(size, true).at(pose, velocity, still()));
    let settings = SteppingSettings { step: 0.011_057_939_135_615_723, events: true, ..SteppingSettings::default() };
    let mut engine = base.steps(settings);
    let mut lowered = 0;
    while let Some(event) = engine.advance(0.75).unwrap() {
        assert!(event.energy[1] <= event.energy[0] * (1.0 + 1e-12), "{event:?}");
        lowered += usize::from(event.restitution_factor.is_some());
        for contact in &event.contacts {
            assert!(contact.impulse.norm() < 1e3 * 15.0, "{contact:?}");
        }
    }
    let ledger = engine.ledger();
    assert_eq!(lowered, 1);
    assert!(ledger.friction >= 0.0 && ledger.impacts >= 0.0, "{ledger:?}");
    assert!(ledger.residual().abs() < 1e-9 * ledger.start, "{ledger:?}");
}
