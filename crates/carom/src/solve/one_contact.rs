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

/// A direction of W_tt is immovable below this fraction of the other, and a velocity along it rounding below that.
const IMMOVABLE: f64 = 1e-12;
const ROUNDING: f64 = 1e-9;
/// An approach below this fraction of the velocities is zero. A contact that wedges comes to rest with any normal impulse beyond some,
/// and rounding would ask for ever more.
const AT_REST: f64 = 8.0 * f64::EPSILON;

/// The impulse of the contact alone: W its block, q its velocity without its own impulse.
pub(crate) fn solve(w: &Matrix3<f64>, q: &Vector3<f64>, disk: &Disk) -> Vector3<f64> {
    let at = |normal: f64| {
        let t = tangential(w, q, disk, normal);
        let velocity = w[(0, 0)] * normal + w[(0, 1)] * t.x + w[(0, 2)] * t.y + q.x;
        (Vector3::new(normal, t.x, t.y), velocity)
    };
    let rest = -AT_REST * q.norm();
    let (open, velocity) = at(disk.least);
    if velocity >= 0.0 {
        return open;
    }
    let mut low = disk.least;
    let mut high = (disk.least + 2.0 * velocity.abs() / w[(0, 0)]).max(f64::MIN_POSITIVE);
    for _ in 0..HALVINGS {
        if at(high).1 >= rest {
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
        if at(middle).1 < rest { low = middle } else { high = middle }
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
    // On the principal axes of W_tt: |g_i/(l_i + λ)| = r by Newton's method on the reciprocal of the length, which is concave in λ,
    // from below its solution.
    let axes = Matrix2::new(w[(1, 1)], w[(1, 2)], w[(2, 1)], w[(2, 2)]).symmetric_eigen();
    let (size, along) = (axes.eigenvalues.amax(), axes.eigenvectors.tr_mul(&g));
    let still = |i: usize| axes.eigenvalues[i] <= IMMOVABLE * size && along[i].abs() <= ROUNDING * g.norm();
    let g = Vector2::from_fn(|i, _| if still(i) { 0.0 } else { along[i] });
    let give = axes.eigenvalues.map(|value| value.max(0.0));
    let impulse =
        |multiplier: f64| Vector2::from_fn(|i, _| if g[i] == 0.0 { 0.0 } else { -g[i] / (give[i] + multiplier) });
    let mut multiplier = (0..2).map(|i| g[i].abs() / radius - give[i]).fold(0.0, f64::max);
    for _ in 0..RIM_STEPS {
        let t = impulse(multiplier);
        let length = t.norm();
        if length <= radius * (1.0 + 4.0 * f64::EPSILON) {
            break;
        }
        let turned: f64 = (0..2).map(|i| t[i] * t[i] / (give[i] + multiplier)).filter(|part| part.is_finite()).sum();
        let step = length * length / turned * (length / radius - 1.0);
        if multiplier + step == multiplier {
            break;
        }
        multiplier += step;
    }
    let t = impulse(multiplier);
    let length = t.norm();
    centre + axes.eigenvectors * if length > radius { t * (radius / length) } else { t }
}
