//! Ellipsoids among other shapes: as balls where they are round, and against what is known of motion.
#![allow(clippy::unwrap_used)]

mod support;
mod trial;

use carom::sim::{
    BodyId, EventEngine, EventKind, Hull, MaterialId, Part, Pose, SceneBody, SceneItem, State, SteppingSettings,
};
use carom::{Dimension, Error};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rand::RngExt;
use trial::Trial;

fn vector(random: &mut support::Random, length: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.random_range(-length..length))
}

/// A body whose moments are all alike.
fn body(part: Part) -> SceneBody {
    SceneBody::new(1.0, Matrix3::identity() * 0.01).with_parts(vec![part])
}

fn scene(restitution: f64, friction: f64) -> Trial {
    Trial::new(false, "rakshit-chatterjee", &[("restitution", restitution), ("friction", friction)])
}

/// The states after some time, and what happened until then.
fn run(scene: &Trial, until: f64) -> (Vec<State>, Vec<EventKind>, EventEngine) {
    let mut engine = scene.events();
    let mut kinds = Vec::new();
    while let Some(event) = engine.advance(until).unwrap() {
        kinds.push(event.kind);
        assert!(kinds.len() < 1000, "{kinds:?}");
    }
    (engine.states(), kinds, engine)
}

/// How far the places and orientations of bodies are from each other.
fn difference(a: &[State], b: &[State]) -> f64 {
    let each = a.iter().zip(b).map(|(a, b)| {
        let turn = a.pose.orientation.angle_to(&b.pose.orientation);
        (a.pose.position - b.pose.position).norm() + turn + (a.velocity - b.velocity).norm()
    });
    each.fold(0.0, f64::max)
}

/// The shapes that a ball may meet.
fn partners(random: &mut support::Random) -> Vec<Part> {
    let corners: Vec<[f64; 3]> = (0..8).map(|_| vector(random, 0.3).into()).collect();
    vec![
        Part::ball(0.2, MaterialId::default()),
        Part { radius: 0.1, ..Part::sharp(Hull::segment(0.5, Dimension::Spatial), MaterialId::default()) },
        Part::sharp(Hull::block([0.3, 0.4, 0.2]), MaterialId::default()),
        Part::sharp(Hull::polyhedron(&corners).unwrap(), MaterialId::default()),
        Part { radius: 0.05, ..Part::sharp(Hull::block([0.3, 0.4, 0.2]), MaterialId::default()) },
        Part::ellipsoid([0.1, 0.2, 0.3], MaterialId::default()),
    ]
}

#[test]
fn an_ellipsoid_of_equal_axes_flies_bounces_and_slips_as_a_ball_does() {
    let mut hits = [0; 6];
    for case in 0..20 {
        let random = &mut support::random(5, case);
        for (kind, partner) in partners(random).into_iter().enumerate() {
            let (aim, turn) = (vector(random, 0.1), vector(random, 2.0));
            let spins = [vector(random, 5.0), vector(random, 5.0)];
            let fixed = case % 2 == 0;
            let with = |round: Part| {
                let mut scene = scene(0.6, 0.3);
                let pose = Pose { position: Vector3::zeros(), orientation: UnitQuaternion::from_scaled_axis(turn) };
                if fixed {
                    scene.world.push(partner.clone().moved(&pose));
                } else {
                    scene.bodies.push(body(partner.clone()).at(pose, Vector3::zeros(), spins[0]));
                }
                let start = Pose { position: Vector3::x() + aim, ..Pose::identity() };
                scene.bodies.push(body(round).at(start, -Vector3::x(), spins[1]));
                run(&scene, 1.2)
            };
            let (ball, happened, _) = with(Part::ball(0.15, MaterialId::default()));
            let (round, same, _) = with(Part::ellipsoid([0.15; 3], MaterialId::default()));
            assert_eq!(happened, same, "{case} {kind}");
            hits[kind] += happened.len();
            let off = difference(&ball, &round);
            assert!(off < 1e-9, "{case} {kind}: {off:e}");
        }
    }
    assert!(hits.iter().all(|hits| *hits > 10), "{hits:?}");
}

#[test]
fn an_ellipsoid_of_equal_axes_rolls_over_the_edge_of_a_block_as_a_ball_does() {
    for friction in [0.0, 0.8] {
        let with = |round: Part| {
            let mut scene = scene(0.0, friction);
            scene.gravity = Vector3::z() * -9.81;
            scene.world.push(Part::sharp(Hull::block([2.0, 2.0, 1.0]), MaterialId::default()));
            let pose = Pose { position: Vector3::new(0.9, 0.1, 0.6), ..Pose::identity() };
            scene.bodies.push(body(round).at(pose, Vector3::new(0.4, 0.1, 0.0), Vector3::zeros()));
            run(&scene, 1.2)
        };
        let (ball, _, _) = with(Part::ball(0.1, MaterialId::default()));
        let (round, happened, _) = with(Part::ellipsoid([0.1; 3], MaterialId::default()));
        assert!(happened.contains(&EventKind::FeatureChange), "{happened:?}");
        assert!(round[0].pose.position.z < 0.5);
        let off = difference(&ball, &round);
        assert!(off < 1e-8, "{friction}: {off:e}");
    }
}

#[test]
fn two_ellipsoids_that_collide_keep_momentum_and_energy() {
    let mut met = 0;
    for case in 0..60 {
        let random = &mut support::random(9, case);
        let mut scene = scene(1.0, 0.0);
        for side in [-1.0, 1.0] {
            let semi_axes: [f64; 3] = std::array::from_fn(|_| support::log_uniform(random, -2.0, -0.5));
            let square = semi_axes.map(|s| s * s / 5.0);
            let moments = Vector3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
            let pose = Pose {
                position: Vector3::x() * side + vector(random, 0.1),
                orientation: UnitQuaternion::from_scaled_axis(vector(random, 2.0)),
            };
            let mover = SceneBody::new(1.0, Matrix3::from_diagonal(&moments));
            let mover = mover.with_parts(vec![Part::ellipsoid(semi_axes, MaterialId::default())]);
            scene.bodies.push(mover.at(pose, Vector3::x() * -side, vector(random, 5.0)));
        }
        let inertias = [0, 1].map(|k| scene.bodies[k].inertia);
        let spin = |states: &[State]| -> Vector3<f64> {
            let own = states.iter().zip(&inertias).map(|(state, inertia)| {
                let turn = state.pose.orientation.to_rotation_matrix();
                state.pose.position.cross(&state.velocity)
                    + turn * (inertia * (turn.inverse() * state.angular_velocity))
            });
            own.sum()
        };
        let momentum = |states: &[State]| -> Vector3<f64> { states.iter().map(|state| state.velocity).sum() };
        let start: Vec<State> = scene.bodies.iter().map(|body| body.state).collect();
        let (end, happened, engine) = run(&scene, 2.0);
        met += usize::from(!happened.is_empty());
        assert!((momentum(&end) - momentum(&start)).norm() < 1e-12, "{case}");
        assert!((spin(&end) - spin(&start)).norm() < 1e-9, "{case} {}", (spin(&end) - spin(&start)).norm());
        let ledger = engine.ledger();
        assert!((ledger.kinetic - ledger.start).abs() < 1e-9 * ledger.start, "{case} {ledger:?}");
    }
    assert!(met > 20, "{met}");
}

/// An egg that rocks and rolls does not know whether the floor ends somewhere, until it comes there.
#[test]
fn an_ellipsoid_rolls_on_a_block_as_on_a_half_space_until_the_edge() {
    let thrown = |floor: Part, until: f64| {
        let mut scene = scene(0.0, 0.9);
        scene.gravity = Vector3::z() * -9.81;
        scene.world.push(floor);
        let moments = Matrix3::from_diagonal(&Vector3::new(0.02, 0.018, 0.013));
        let egg =
            SceneBody::new(1.0, moments).with_parts(vec![Part::ellipsoid([0.15, 0.2, 0.25], MaterialId::default())]);
        let pose = Pose {
            position: Vector3::z() * 0.15,
            orientation: UnitQuaternion::from_euler_angles(0.0, 0.5 * std::f64::consts::PI, 0.0),
        };
        scene.bodies.push(egg.at(pose, Vector3::new(0.0, 0.9, 0.0), Vector3::new(-6.0, 0.1, 0.2)));
        run(&scene, until)
    };
    let block = || {
        Part::sharp(Hull::block([4.0, 2.0, 1.0]), MaterialId::default())
            .moved(&Pose { position: Vector3::z() * -0.5, ..Pose::identity() })
    };
    let (on_floor, _, _) = thrown(Part::half_space(Vector3::z(), 0.0, MaterialId::default()), 0.8);
    let (on_block, happened, _) = thrown(block(), 0.8);
    let off = difference(&on_floor, &on_block);
    assert!(off < 1e-9, "{off:e}");
    assert!(!happened.contains(&EventKind::FeatureChange), "{happened:?}");
    let (end, happened, engine) = thrown(block(), 2.5);
    assert!(happened.contains(&EventKind::FeatureChange), "{happened:?}");
    assert!(end[0].pose.position.z < -0.3, "{end:?}");
    assert!(engine.ledger().residual().abs() < 1e-9, "{:?}", engine.ledger());
}

/// What rocks in the plane on something round, or tips over on a corner, keeps its energy: nothing slips or opens.
#[test]
fn an_ellipse_and_a_plate_rock_without_loss() {
    let lying = || {
        Part::ellipsoid([2.0, 0.4, 2.0], MaterialId::default())
            .moved(&Pose { position: Vector3::y() * -0.4, ..Pose::identity() })
    };
    let roof = Part::sharp(Hull::polygon(&[[0.0, 0.0], [-1.0, -1.0], [1.0, -1.0]]).unwrap(), MaterialId::default());
    let ellipse = || Part::ellipsoid([0.5, 0.1, 0.5], MaterialId::default());
    let plate = Part::sharp(Hull::rectangle([1.0, 0.2]), MaterialId::default());
    for (kind, (support, part, until)) in
        [(lying(), ellipse(), 1.0), (lying(), plate, 1.0), (roof, ellipse(), 0.3)].into_iter().enumerate()
    {
        let mut scene = Trial::new(true, "newton-lcp", &[("restitution", 0.0), ("friction", 2.0)]);
        scene.gravity = Vector3::y() * -9.81;
        scene.world = vec![support];
        let body = SceneBody::new(1.0, Matrix3::identity() * 0.05).with_parts(vec![part]);
        let pose = Pose { position: Vector3::y() * 0.1, ..Pose::identity() };
        // At a rate at which the point of contact stays where it is.
        scene.bodies.push(body.at(pose, Vector3::x() * -0.05, Vector3::z() * 0.5));
        let (end, happened, engine) = run(&scene, until);
        assert!(happened.is_empty(), "{kind} {happened:?}");
        assert_eq!(engine.contacts().count(), 1);
        let ledger = engine.ledger();
        assert!(ledger.residual().abs() < 1e-10 && ledger.friction == 0.0, "{kind} {ledger:?}");
        let gap = engine.scene().nearest_parts(&end, [Some(BodyId::new(0)), None]).unwrap().1;
        assert!(gap.abs() < 1e-10, "{kind} {gap:e}");
    }
}

#[test]
fn half_spaces_of_bodies_are_refused() {
    let mut scene = scene(0.5, 0.0);
    scene.bodies.push(body(Part::ball(0.1, MaterialId::default())));
    scene.bodies.push(body(Part::half_space(Vector3::z(), -1.0, MaterialId::default())));
    let Err(Error::Scene(error)) = scene.scene.build() else { panic!() };
    assert_eq!(error.item, SceneItem::BodyPart { body: 1, part: 0 });
}

/// In the stepping engine an ellipsoid takes the way of all shapes. So does a ball whose centre is a hair off that of its body.
#[test]
fn an_ellipsoid_of_equal_axes_steps_as_a_ball_does() {
    let with = |round: fn(f64) -> Part| {
        let mut scene = scene(0.3, 0.4);
        scene.gravity = Vector3::z() * -9.81;
        scene.world.push(Part::sharp(Hull::block([2.0, 2.0, 1.0]), MaterialId::default()));
        let place = |x: f64, z: f64| Pose { position: Vector3::new(x, 0.02 * z, z), ..Pose::identity() };
        scene.bodies.push(body(round(0.1)).at(place(0.0, 0.7), Vector3::x(), Vector3::zeros()));
        scene.bodies.push(body(round(0.2)).at(place(0.3, 1.0), Vector3::zeros(), Vector3::zeros()));
        let settings = SteppingSettings { tolerance: 1e-12, most_sweeps: 10_000, step: 1e-4, ..Default::default() };
        let mut engine = scene.steps(settings);
        engine.advance(1.0).unwrap();
        engine.states()
    };
    let ball = |radius: f64| Part { radius, ..Part::sharp(Hull::point(Vector3::x() * 1e-12), MaterialId::default()) };
    let off = difference(&with(|radius| Part::ellipsoid([radius; 3], MaterialId::default())), &with(ball));
    // The ball's contacts are made at the start of a step, the ellipsoid's at its middle.
    assert!(off < 1e-3, "{off:e}");
}
