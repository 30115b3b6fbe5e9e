//! The accessible region: every impulse that energy, friction and non-penetration allow.

use crate::collision::Collision;
use nalgebra::Vector3;

/// All impulses with `P·(2V + W P) ≤ 0` (no gain of energy), `V_n + n·W P ≥ 0` (no penetration) and `|P_t| ≤ μ P_n`
/// (friction): closed, convex, and bounded unless W is singular (Chatterjee 1997, 3.4).
#[derive(Clone, Copy, Debug)]
pub struct AccessibleRegion<'a> {
    collision: &'a Collision,
    friction: f64,
}

/// An impulse is on a boundary if it misses it by no more than this, relative to the size of the terms compared.
const ON_BOUNDARY: f64 = 1e-12;

impl<'a> AccessibleRegion<'a> {
    /// The region of a collision with this coefficient of friction.
    pub fn new(collision: &'a Collision, friction: f64) -> Self {
        AccessibleRegion { collision, friction }
    }

    /// Whether an impulse is admissible, the boundary included.
    pub fn contains(&self, p: &Vector3<f64>) -> bool {
        let (w, v) = (self.collision.inverse_mass(), self.collision.velocity());
        let response = w * p;
        let scale = w.abs() * p.abs();
        let energy = p.dot(&(v * 2.0 + response)) <= ON_BOUNDARY * p.abs().dot(&(v.abs() * 2.0 + scale));
        let penetration = v.x + response.x >= -ON_BOUNDARY * (v.x.abs() + scale.x);
        let friction = p.yz().norm() <= self.friction * p.x + ON_BOUNDARY * (1.0 + self.friction) * p.norm();
        energy && penetration && friction
    }

    /// How far one can go from an admissible impulse along `direction` (any length; the result is in units of it);
    /// zero when the direction leaves at once, infinite when it never leaves (singular W only).
    pub fn exit_distance(&self, from: &Vector3<f64>, direction: &Vector3<f64>) -> f64 {
        let (w, v) = (self.collision.inverse_mass(), self.collision.velocity());
        let (response, pull) = (w * from, w * direction);
        // V_n after ≥ 0
        let plane = if pull.x < 0.0 { ((v.x + response.x) / -pull.x).max(0.0) } else { f64::INFINITY };
        // a s² + 2 b s + c ≤ 0, c ≤ 0
        let ellipsoid = largest_step(
            direction.dot(&pull),
            direction.dot(&(response + v)),
            from.dot(&(response + v * 2.0)).min(0.0),
        );
        plane.min(ellipsoid).min(self.cone_distance(from, direction))
    }

    fn cone_distance(&self, from: &Vector3<f64>, direction: &Vector3<f64>) -> f64 {
        let mu2 = self.friction * self.friction;
        let (p, d) = (from.yz(), direction.yz());
        let a = d.norm_squared() - mu2 * direction.x * direction.x;
        let b = p.dot(&d) - mu2 * from.x * direction.x;
        let c = (p.norm_squared() - mu2 * from.x * from.x).min(0.0);
        if c == 0.0 && from.x == 0.0 {
            // The apex: a direction either stays in the cone for ever or leaves at once.
            return if d.norm() <= self.friction * direction.x { f64::INFINITY } else { 0.0 };
        }
        let side = largest_step(a, b, c);
        // A downward ray leaves through the apex at the latest; the quadratic alone would follow the mirror cone.
        if direction.x < 0.0 { side.min(-from.x / direction.x) } else { side }
    }
}

/// The largest s ≥ 0 with `a s² + 2 b s + c ≤ 0` all the way from 0, for c ≤ 0.
fn largest_step(a: f64, b: f64, c: f64) -> f64 {
    let discriminant = b * b - a * c;
    if a > 0.0 {
        // One root on each side of zero; the positive one, without cancellation.
        let root = discriminant.max(0.0).sqrt();
        if b > 0.0 { -c / (b + root) } else { (root - b) / a }
    } else if b > 0.0 && discriminant >= 0.0 {
        -c / (b + discriminant.sqrt())
    } else {
        f64::INFINITY
    }
}
