//! The gap of parts that overlap deeply, and the first touch of two bodies in flight against their gap at many times: none is missed, and
//! each is where it is said to be.
#![allow(clippy::unwrap_used)]

mod support;
mod trial;

use carom::sim::{BodyId, Core, Hull, MaterialId, Part, Pose, Scene, SceneBody, SteppingSettings};
use carom::{Dimension, Error};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rand::RngExt;
use trial::Trial;

const LOOKS: u32 = 3_000;
/// s.
const DURATION: f64 = 1.0;

fn vector(random: &mut support::Random, length: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.random_range(-length..length))
}

/// A plate, a rod, a ball, an ellipsoid or a brick, some of them thin or tiny, on its way to the other's neighbourhood.
fn body(random: &mut support::Random, side: f64) -> SceneBody {
    let size = support::log_uniform(random, -1.5, -0.3);
    let part = match random.random_range(0..5) {
        0 => Part::ball(size, MaterialId::default()),
        1 => Part::sharp(Hull::block([size, size, 0.02 * size]), MaterialId::default()),
        2 => Part::ellipsoid([size, 0.5 * size, support::log_uniform(random, -1.5, 0.0) * size], MaterialId::default()),
        3 => Part {
            radius: 0.05 * size,
            ..Part::sharp(Hull::segment(2.0 * size, Dimension::Spatial), MaterialId::default())
        },
        _ => Part::sharp(Hull::block([size, 0.7 * size, 1.4 * size]), MaterialId::default()),
    };
    let pose = Pose {
        position: Vector3::new(side * 1.5, 0.0, 0.0) + vector(random, 0.15),
        orientation: UnitQuaternion::from_scaled_axis(vector(random, 2.0)),
    };
    let speed = support::log_uniform(random, 0.3, 1.5);
    let velocity = Vector3::new(-side * speed, 0.0, 0.0) + vector(random, 0.05 * speed);
    // A body whose moments are all alike turns evenly: its motion is known in closed form.
    SceneBody::new(1.0, Matrix3::identity()).with_parts(vec![part]).at(pose, velocity, vector(random, 30.0))
}

fn gap(scene: &Scene, time: f64) -> f64 {
    let moved: Vec<_> = scene
        .bodies()
        .iter()
        .map(|body| {
            let mut state = body.state;
            state.pose.position += state.velocity * time;
            state.pose.orientation =
                UnitQuaternion::from_scaled_axis(state.angular_velocity * time) * state.pose.orientation;
            state
        })
        .collect();
    scene.nearest_parts(&moved, [0, 1].map(|body| Some(BodyId::new(body)))).unwrap().1
}

#[test]
fn the_first_touch_in_flight_is_where_the_gap_closes_for_the_first_time() {
    let (mut touches, mut grazes) = (0, 0);
    for case in 0..support::cases(300) {
        let random = &mut support::random(7, case);
        let mut trial = Trial::new(false, "newton-lcp", &[("restitution", 0.5), ("friction", 0.0)]);
        trial.bodies = vec![body(random, 1.0), body(random, -1.0)];
        let Ok(mut engine) = trial.try_events() else { continue };
        let scene = engine.scene().clone();
        let event = engine.advance(DURATION).unwrap();
        let until = event.as_ref().map_or(DURATION, |event| event.time);
        let looks = (0..LOOKS).map(|k| gap(&scene, until * f64::from(k) / f64::from(LOOKS)));
        let least = looks.fold(f64::INFINITY, f64::min);
        assert!(least > -1e-9, "{case}: overlap of {least} before {until}");
        if event.is_some() {
            touches += 1;
            let closed = gap(&scene, until);
            assert!(closed.abs() < 1e-9, "{case}: gap of {closed} at {until}");
        } else {
            grazes += usize::from(least < 0.02);
        }
    }
    assert!(touches > 40 && grazes > 0, "{touches} {grazes}");
}

/// A polytope of random corners and pose in the plane or in space.
fn polytope(random: &mut support::Random, planar: bool) -> (Part, Pose) {
    let hull = if planar {
        let corners: Vec<[f64; 2]> = (0..8).map(|_| [0; 2].map(|_| random.random_range(-1.0..1.0))).collect();
        Hull::polygon(&corners).unwrap()
    } else if random.random_range(0..2) == 0 {
        Hull::block([0; 3].map(|_| random.random_range(0.1..2.0)))
    } else {
        let corners: Vec<[f64; 3]> = (0..10).map(|_| [0; 3].map(|_| random.random_range(-1.0..1.0))).collect();
        Hull::polyhedron(&corners).unwrap()
    };
    let turn = if planar { Vector3::z() * random.random_range(-3.0..3.0) } else { vector(random, 2.0) };
    let position = vector(random, 1.0).component_mul(&Vector3::new(1.0, 1.0, f64::from(u8::from(!planar))));
    let pose = Pose { position, orientation: UnitQuaternion::from_scaled_axis(turn) };
    (Part::sharp(hull, MaterialId::default()), pose)
}

/// Inside a convex polytope a point is as deep as it is below the face that is nearest, wherever the polytope is.
#[test]
fn a_ball_whose_centre_is_inside_a_polytope_is_as_deep_as_the_nearest_face() {
    for case in 0..support::cases(2_000) {
        let random = &mut support::random(8, case);
        let (part, pose) = polytope(random, case % 2 == 0);
        let Core::Hull(hull) = &part.core else { unreachable!() };
        // Between two corners and the middle: some points are near the surface, some deep, one at the very middle.
        let corners = hull.vertices();
        let middle = corners.iter().sum::<Vector3<f64>>() / corners.len() as f64;
        let side = corners[0].lerp(&corners[corners.len() - 1], random.random_range(0.0..1.0));
        let share = if case % 10 < 2 { 0.0 } else { 1.0 - support::log_uniform(random, -6.0, 0.0) };
        let centre = middle.lerp(&side, share);
        let below = hull.faces().map(|(normal, own)| normal.dot(&(centre - corners[own[0]])));
        let radius = support::log_uniform(random, -3.0, 1.0);
        let expected = below.fold(f64::NEG_INFINITY, f64::max) - radius;
        let ball = Part::ball(radius, MaterialId::default());
        let place = Pose { position: pose.point(&centre), ..Pose::identity() };
        for found in [ball.gap(&place, (&part, &pose)), part.gap(&pose, (&ball, &place))] {
            let found = found.unwrap();
            assert!((found - expected).abs() < 1e-13 * (1.0 + radius), "{case}: {found} instead of {expected}");
        }
    }
}

/// A segment and a polytope that overlap are least deep along the normal of a face or across the segment and an edge.
#[test]
fn a_capsule_whose_axis_meets_a_polytope_is_as_deep_as_the_widest_direction_shows() {
    let mut inside = 0;
    for case in 0..support::cases(1_000) {
        let random = &mut support::random(9, case);
        let (part, pose) = polytope(random, false);
        let Core::Hull(hull) = &part.core else { unreachable!() };
        let radius = support::log_uniform(random, -2.0, 0.0);
        let segment = Hull::segment(support::log_uniform(random, -2.0, 0.5), Dimension::Spatial);
        let capsule = Part { radius, ..Part::sharp(segment, MaterialId::default()) };
        let position = pose.position + vector(random, 0.3);
        let place = Pose { position, orientation: UnitQuaternion::from_scaled_axis(vector(random, 2.0)) };
        let shown = |n: Vector3<f64>| -capsule.support(&place, &-n) - part.support(&pose, &n);
        let along = place.direction(&Vector3::x());
        let across = hull.edges().iter().filter_map(|[p, q]| {
            let edge = pose.direction(&(hull.vertices()[*q] - hull.vertices()[*p]));
            along.cross(&edge.normalize()).try_normalize(1e-9)
        });
        let normals = hull.faces().map(|(normal, _)| pose.direction(normal));
        let best = normals.chain(across.flat_map(|n| [n, -n])).map(shown).fold(f64::NEG_INFINITY, f64::max);
        if best + radius > 0.0 {
            continue;
        }
        inside += 1;
        let found = capsule.gap(&place, (&part, &pose)).unwrap();
        assert!((found - best).abs() < 1e-13, "{case}: {found} instead of {best}");
    }
    assert!(inside > 300, "{inside}");
}

/// Cores that coincide have no direction between them; the parts still overlap by a finite depth.
#[test]
fn parts_about_one_centre_have_a_finite_depth() {
    let ball = Part::ball(0.1, MaterialId::default());
    let rod = |dimension| Part { radius: 0.2, ..Part::sharp(Hull::segment(1.0, dimension), MaterialId::default()) };
    let capsule = rod(Dimension::Spatial);
    let ellipsoid = Part::ellipsoid([0.3, 0.4, 0.5], MaterialId::default());
    let cases = [
        (&ball, &ball, -0.2),
        (&ball, &capsule, -0.3),
        (&capsule, &capsule, -0.4),
        (&ball, &rod(Dimension::Planar), -0.3),
        (&ball, &ellipsoid, -0.4),
        (&ellipsoid, &ellipsoid, -0.6),
        // Across the segment, which is along the ellipsoid's shortest axis.
        (&capsule, &ellipsoid, -0.6),
    ];
    for turn in [Vector3::zeros(), Vector3::new(0.4, -0.3, 1.1)] {
        let pose = Pose { position: Vector3::z(), orientation: UnitQuaternion::from_scaled_axis(turn) };
        for (case, (a, b, depth)) in cases.iter().enumerate() {
            for found in [a.gap(&pose, (b, &pose)), b.gap(&pose, (a, &pose))] {
                assert!((found.unwrap() - depth).abs() < 1e-14, "{case}: {found:?}");
            }
        }
    }
}

#[test]
fn neither_engine_starts_with_a_ball_deep_inside_a_body() {
    let about = |planar: bool, part: Part, offset: f64| {
        let position = Vector3::new(0.02, 0.01, 0.0) * offset;
        let pose = Pose { position, ..Pose::identity() };
        let mut trial = Trial::new(planar, "newton-lcp", &[("restitution", 0.5), ("friction", 0.3)]);
        let host = if planar { Hull::rectangle([2.0; 2]) } else { Hull::block([2.0; 3]) };
        let body = |part: Part| SceneBody::new(1.0, Matrix3::identity()).with_parts(vec![part]);
        let moving = body(part).at(pose, Vector3::x(), Vector3::zeros());
        trial.bodies = vec![body(Part::sharp(host, MaterialId::default())), moving];
        trial
    };
    for planar in [true, false] {
        for offset in [0.0, 1e-6, 1.0, 10.0] {
            let trial = about(planar, Part::ball(0.1, MaterialId::default()), offset);
            let expected = 1.1 - 0.02 * offset;
            let errors = [trial.try_events().err(), trial.try_steps(SteppingSettings::default()).err()];
            for error in errors {
                let Some(Error::Overlap { depth, .. }) = error else { panic!("{planar} {offset}: {error:?}") };
                assert!((depth - expected).abs() < 1e-14, "{planar} {offset}: {depth} instead of {expected}");
            }
        }
    }
}
