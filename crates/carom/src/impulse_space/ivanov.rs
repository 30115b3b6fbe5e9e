//! Ivanov's restitution: kinematic restitution along the impulse (Chatterjee 1997, 3.3 and 10.5).

use crate::collision::Collision;
use nalgebra::Vector3;

/// The impulse along `direction` (any length) with Ivanov's restitution η: `(1 + η) p* u`, where
/// `p* = −(u·V)/(u·W u)` is the impulse of greatest loss on that ray. `None` where no impulse along the direction
/// dissipates (u·V ≥ 0) or the loss grows without bound (u·W u = 0).
pub(crate) fn ivanov_impulse(collision: &Collision, direction: &Vector3<f64>, eta: f64) -> Option<Vector3<f64>> {
    // Only the movable part of the direction counts; the rest would add its rounding.
    let movable = collision.movable_part(direction);
    let approach = -movable.dot(collision.velocity());
    let mobility = movable.dot(&(collision.inverse_mass() * movable));
    (approach > 0.0 && mobility > 0.0).then(|| direction * ((1.0 + eta) * approach / mobility))
}
