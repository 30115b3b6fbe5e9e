//! The first touch of two bodies in flight, against their gap at many times: none is missed, and each is where it is said to be.
#![allow(clippy::unwrap_used)]

mod support;
mod trial;

use carom::Dimension;
use carom::sim::{Hull, MaterialId, Part, Pose, Scene, SceneBody};
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
    scene.nearest_parts(&moved, [Some(0), Some(1)]).unwrap().1
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
