//! The friction problem of a single contact, solved exactly.
//!
//! For a given x_n the tangential impulse minimises a convex quadratic over the disk: it is unique. What remains is one equation,
//! U_n(x_n) = 0 beyond the least normal impulse. For x_n large U_n grows: were the tangential impulse τ per normal impulse to
//! make W_nn + W_nt·τ ≤ 0, then (1, τ)·W (1, τ) ≤ 0, as −τ·(W_tn + W_tt τ) ≥ 0 at the minimum.

use super::friction::Disk;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// Halvings of the bracket: all the digits there are.
const HALVINGS: usize = 200;
/// Steps of the multiplier on the rim of the disk; they converge quadratically from one side.
const RIM_STEPS: usize = 60;

/// The impulse of the contact alone: W its block, q its velocity without its own impulse.
pub(crate) fn solve(w: &Matrix3<f64>, q: &Vector3<f64>, disk: &Disk) -> Vector3<f64> {
    let at = |normal: f64| {
        let t = tangential(w, q, disk, normal);
        let velocity = w[(0, 0)] * normal + w[(0, 1)] * t.x + w[(0, 2)] * t.y + q.x;
        (Vector3::new(normal, t.x, t.y), velocity)
    };
    let (open, velocity) = at(disk.least);
    if velocity >= 0.0 {
        return open;
    }
    let mut low = disk.least;
    let mut high = (disk.least + 2.0 * velocity.abs() / w[(0, 0)]).max(f64::MIN_POSITIVE);
    for _ in 0..HALVINGS {
        if at(high).1 >= 0.0 {
            break;
        }
        low = high;
        high *= 4.0;
    }
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if at(middle).1 < 0.0 { low = middle } else { high = middle }
    }
    at(high).0
}

/// Minimises ½ t·W_tt t + (W_tn x_n + q_t)·t over the disk.
fn tangential(w: &Matrix3<f64>, q: &Vector3<f64>, disk: &Disk, normal: f64) -> Vector2<f64> {
    let (centre, radius) = (disk.centre_at(normal), disk.radius_at(normal));
    if disk.size == 1 || radius == 0.0 {
        return centre;
    }
    let slope = |t: &Vector2<f64>| {
        Vector2::new(
            w[(1, 0)] * normal + w[(1, 1)] * t.x + w[(1, 2)] * t.y + q.y,
            w[(2, 0)] * normal + w[(2, 1)] * t.x + w[(2, 2)] * t.y + q.z,
        )
    };
    let g = slope(&centre);
    if disk.size == 2 {
        let t = if w[(1, 1)] > 0.0 { -g.x / w[(1, 1)] } else { f64::INFINITY.copysign(-g.x) };
        let t = if g.x == 0.0 { 0.0 } else { t.clamp(-radius, radius) };
        return Vector2::new(centre.x + t, centre.y);
    }
    // |(W_tt + λ)⁻¹ g| = r: Newton's method on the reciprocal of the length, which is concave in λ.
    let tt = Matrix2::new(w[(1, 1)], w[(1, 2)], w[(2, 1)], w[(2, 2)]);
    let mut multiplier = 0.0;
    let tiny = f64::EPSILON * tt.trace();
    for _ in 0..RIM_STEPS {
        let shifted = tt + Matrix2::identity() * (multiplier + tiny);
        let Some(inverse) = shifted.try_inverse() else { break };
        let t = -(inverse * g);
        let length = t.norm();
        if length <= radius * (1.0 + 4.0 * f64::EPSILON) {
            return centre + t;
        }
        let turned = t.dot(&(inverse * t));
        let step = length * length / turned * (length / radius - 1.0);
        if multiplier + step == multiplier {
            break;
        }
        multiplier += step;
    }
    let shifted = tt + Matrix2::identity() * (multiplier + tiny);
    let t = shifted.try_inverse().map_or_else(|| -g, |inverse| -(inverse * g));
    centre + t * (radius / t.norm())
}
