//! Smooth blocks stacked flat that slide and turn off each other: which corners and edges carry changes all the time.
#![allow(clippy::unwrap_used)]

mod support;

use carom::laws::find;
use carom::sim::{EventEngine, EventSettings, Hull, Materials, Mover, Part, Pose, Scene};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rand::RngExt;

/// m.
const DEEPEST: f64 = 1e-8;

fn stack(random: &mut support::Random) -> Scene {
    let up = Vector3::z();
    let mut height = 0.0;
    let speed = random.random_range(0.2..1.0);
    let spin = random.random_range(-1.0..1.0);
    let bodies = (0..3).map(|k| {
        let edges = [0.2, 0.3, 0.15].map(|edge| edge * random.random_range(0.7..1.3));
        let square = edges.map(|edge| edge * edge / 12.0);
        let moments = Vector3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
        let position = up * (height + 0.5 * edges[2]) + Vector3::x() * random.random_range(-0.05..0.05);
        let orientation = UnitQuaternion::from_scaled_axis(up * random.random_range(-1.0..1.0));
        height += edges[2];
        let block = Mover::new(1.0, Matrix3::from_diagonal(&moments), false).unwrap();
        let moves = if k == 1 { 1.0 } else { 0.0 };
        let block = block.with_parts(vec![Part::sharp(Hull::block(edges), 0)]);
        block.at(Pose { position, orientation }, Vector3::x() * (speed * moves), up * (spin * moves))
    });
    Scene {
        gravity: -up * 9.81,
        bodies: bodies.collect(),
        world: vec![Part::half_space(up, 0.0, 0)],
        ..Scene::empty(
            false,
            Materials::uniform(&[("restitution", 0.1), ("friction", 0.0)]),
            find("rakshit-chatterjee").unwrap(),
        )
    }
}

fn deepest(engine: &EventEngine) -> f64 {
    let (scene, states) = (engine.scene(), engine.states());
    let pairs = [(0, None), (1, None), (2, None), (1, Some(0)), (2, Some(1)), (2, Some(0))];
    let gaps = pairs.map(|(a, b)| scene.nearest_parts(&states, [Some(a), b]).unwrap().1);
    -gaps.into_iter().fold(0.0, f64::min)
}

#[test]
fn blocks_slide_off_each_other_without_sinking_in() {
    // Others do so as well, but take longer.
    for case in [1, 3, 4, 5, 7, 8, 9, 14, 17, 21, 26, 29, 30, 34, 36, 38] {
        let mut engine = EventEngine::new(stack(&mut support::random(71, case)), EventSettings::default()).unwrap();
        for look in 1..=60 {
            while engine.advance(0.01 * f64::from(look)).unwrap().is_some() {}
            let depth = deepest(&engine);
            assert!(depth <= DEEPEST, "{case}: {depth:e} at {}", engine.time());
        }
    }
}
