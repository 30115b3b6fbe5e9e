//! One to three bodies thrown among walls at random.

use crate::support::Random;
use crate::trial::{Trial, dimension};
use carom::sim::{Core, Hull, MaterialId, Part, Pose, SceneBody};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};

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
        0 => (Part::ball(size, MaterialId::default()), Vector3::repeat(0.4 * size * size)),
        1 => {
            let [x, y, z] = [1.0, 0.7, 0.8].map(|f| f * size);
            let semi_axes = if planar { [x, y, x.max(y)] } else { [x, y, z] };
            let square = semi_axes.map(|s| s * s / 5.0);
            let moments = Vector3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
            (Part::ellipsoid(semi_axes, MaterialId::default()), moments)
        }
        2 => {
            let edges = [1.0, 1.5, 0.7].map(|f| f * size * random.random_range(0.7..1.3));
            let hull = if planar { Hull::rectangle([edges[0], edges[1]]) } else { Hull::block(edges) };
            let square = edges.map(|e| e * e / 12.0);
            let moments = Vector3::new(square[1] + square[2], square[0] + square[2], square[0] + square[1]);
            (Part::sharp(hull, MaterialId::default()), moments)
        }
        _ => {
            let core = Core::Hull(Hull::segment(1.5 * size, dimension(planar)));
            let moment = size * size / 3.0;
            (
                Part { core, radius: 0.4 * size, material: MaterialId::default() },
                Vector3::new(0.1 * size * size, moment, moment),
            )
        }
    }
}

/// One to three bodies.
pub fn scene(random: &mut Random) -> Trial {
    let planar = random.random_range(0..2) == 0;
    let up = if planar { Vector3::y() } else { Vector3::z() };
    let friction = if random.random_range(0..4) == 0 { 0.0 } else { random.random_range(0.05..1.0) };
    let parameters = [("restitution", random.random_range(0.0..0.9)), ("friction", friction)];
    let mut world = vec![Part::half_space(up, 0.0, MaterialId::default())];
    if random.random_range(0..2) == 0 {
        world.push(Part::half_space(Vector3::x(), -0.3, MaterialId::default()));
        world.push(Part::half_space(-Vector3::x(), -1.5, MaterialId::default()));
    }
    let body = |k: u32, random: &mut Random| {
        let (part, moments) = part(random, planar);
        let turn = if planar { Vector3::z() * random.random_range(-3.0..3.0) } else { direction(random, false) * 2.0 };
        let spin = if planar { Vector3::z() * random.random_range(-5.0..5.0) } else { direction(random, false) * 4.0 };
        let pose = Pose {
            position: up * random.random_range(0.3..0.8) + Vector3::x() * (0.45 * f64::from(k)),
            orientation: UnitQuaternion::from_scaled_axis(turn),
        };
        let body = SceneBody::new(1.0, Matrix3::from_diagonal(&moments)).with_parts(vec![part]);
        body.at(pose, direction(random, planar) * 1.5, spin)
    };
    let bodies = (0..random.random_range(1..4)).map(|k| body(k, random)).collect();
    let law = ["newton-lcp", "rakshit-chatterjee", "poisson-lcp"][random.random_range(0..3)];
    let mut scene = Trial::new(planar, law, &parameters);
    scene.gravity = -up * 9.81;
    (scene.bodies, scene.world) = (bodies, world);
    scene
}
