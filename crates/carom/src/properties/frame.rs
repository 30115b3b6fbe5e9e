//! Whether a law's answer depends on the choice of the tangents: turned or mirrored axes must give the same impulse.

use crate::collision::Collision;
use crate::laws::BoundLaw;
use crate::outcome::ContactOutcome;
use nalgebra::{Matrix3, Rotation3, Vector3};

/// An angle by which the tangents are turned; no symmetric one.
const TURN: f64 = 0.7;

/// The largest change of the impulse with the tangents, over its size, and the collision where it is found.
pub(super) fn measure(law: &BoundLaw, resolved: &[(&Collision, ContactOutcome)]) -> (f64, Option<Collision>) {
    let turn = Rotation3::from_axis_angle(&Vector3::x_axis(), TURN).into_inner();
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, -1.0, 1.0));
    let (mut largest, mut at) = (0.0, None);
    for (collision, outcome) in resolved {
        let is_planar = collision.velocity().z == 0.0 && collision.inverse_mass().column(2).xy().norm() == 0.0;
        for axes in [turn, mirror] {
            if is_planar && axes == turn {
                continue;
            }
            let w = axes * collision.inverse_mass() * axes.transpose();
            let copy = Collision::new(&((w + w.transpose()) * 0.5), &(axes * collision.velocity()));
            let Some(other) = copy.ok().and_then(|copy| law.resolve_collision(&copy).ok()) else { continue };
            let change = (other.impulse - axes * outcome.impulse).norm() / outcome.impulse.norm();
            if change > largest {
                (largest, at) = (change, Some(**collision));
            }
        }
    }
    (largest, at)
}
