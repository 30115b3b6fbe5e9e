//! Impulses that move nothing, and the edge of the friction cone.
//!
//! Under a singular W an impulse along an immovable direction b changes no velocity. A law that asks for a velocity which
//! sticking would give needs ever more of it as the direction becomes heavier, as long as b lies in the friction cone. With
//!
//! ```text
//! δ = (|b_t| − μ b_n)/(|b_t| + μ b_n)
//! ```
//!
//! b is inside for δ < 0, on the edge for δ = 0, outside for δ > 0. On the edge the sticking ratio is below μ for every finite
//! mass, so the edge belongs to the inside. Outside, the contact slips, and the impulse has a limit. Its part along b moves
//! nothing; the rest is δ times as large, or less, and moves the contact by λ₂, the smallest eigenvalue of W that is not zero, at
//! least. The limit is therefore larger than |V|/λ₁, λ₁ the largest eigenvalue, by up to λ₁/(λ₂ δ). By the same λ₁/λ₂
//! the rounding ε of the entries of W shows in its null vector b.

use crate::collision::{Collision, Mobility, Section};
use nalgebra::Vector3;

/// Friction that stands for μ = ∞ where a law computes the limit. Outcomes depart from it by about 1/μ, which is near rounding;
/// a larger number would cost digits in polynomials of μ.
pub const ROUGH: f64 = 1e12;

/// A direction no further outside than λ₁/λ₂ times this counts as on the edge for laws whose impulse grows like 1/δ. Rounding ε of
/// the input changes the velocities that such an impulse gives by ε λ₁/(λ₂ δ) of those before, and answers must hold to 10⁻⁶
/// (`laws/check.rs`): with a restitution of up to 1 and two terms, δ must be at least 4 ε 10⁶ λ₁/λ₂. This is twice as much.
pub(crate) const NEAR_EDGE: f64 = 2e-9;
/// Roundings of the components of b and of μ b_n.
const ROUNDINGS: f64 = 16.0;

/// δ of a direction; 1 for one that points away from the cone.
pub(crate) fn beyond_cone(direction: &Vector3<f64>, friction: f64) -> f64 {
    let (tangential, limit) = (direction.yz().norm(), friction.min(ROUGH) * direction.x);
    let size = tangential + limit.abs();
    if size > 0.0 { (tangential - limit) / size } else { 0.0 }
}

impl Collision {
    /// The immovable direction nearest the normal, with b_n ≥ 0, if W is singular.
    fn steepest_immovable(&self) -> Option<Vector3<f64>> {
        match self.mobility() {
            Mobility::Full => None,
            Mobility::Plane { immovable } => Some(immovable * 1.0_f64.copysign(immovable.x)),
            Mobility::Line { movable } => {
                let slope = movable.yz().norm();
                let across = movable.yz().try_normalize(0.0)? * -movable.x;
                Some(Vector3::new(slope, across.x, across.y))
            }
        }
    }

    /// Whether impulses that move nothing stay in the friction cone.
    pub(crate) fn holds_still(&self, friction: f64) -> bool {
        self.steepest_immovable().is_some_and(|b| beyond_cone(&b, friction) <= self.rounding_of(&b, friction))
    }

    /// The same, or they leave it so slowly that rounding decides what an impulse grown to its limit moves.
    pub(crate) fn grows_still(&self, friction: f64) -> bool {
        self.steepest_immovable().is_some_and(|b| self.grows_along(&b, friction))
    }

    /// Whether impulses along an immovable direction stay in the cone, or leave it too slowly.
    pub(crate) fn grows_along(&self, direction: &Vector3<f64>, friction: f64) -> bool {
        beyond_cone(direction, friction) <= self.tolerance(direction, friction)
    }

    /// How near the edge a direction is on it.
    fn tolerance(&self, direction: &Vector3<f64>, friction: f64) -> f64 {
        self.near_edge().max(self.rounding_of(direction, friction))
    }

    /// A rate of V below this fraction of its terms is too slow for an impulse that moves V to be more than rounding.
    pub(crate) fn near_edge(&self) -> f64 {
        NEAR_EDGE * self.spread()
    }

    /// Whether impulses along the edge of the cone, or nearly so, move nothing.
    pub(crate) fn is_near_edge(&self, friction: f64) -> bool {
        let near = |b: Vector3<f64>| beyond_cone(&b, friction).abs() <= self.tolerance(&b, friction);
        self.steepest_immovable().is_some_and(near)
    }

    /// The largest impulse that moves nothing beside one that does: B of the audit.
    pub(crate) fn idle_impulse(&self, friction: f64) -> f64 {
        let Some(b) = self.steepest_immovable().filter(|b| b.x > 0.0) else { return 0.0 };
        let (friction, tangential) = (friction.min(ROUGH), b.yz().norm());
        let outside = tangential - friction * b.x;
        let held = if outside < 0.0 { tangential / b.x } else { 0.0 };
        if self.is_near_edge(friction) { held } else { held.max((1.0 + friction) / outside.abs()) }
    }

    /// The rounding of δ.
    fn rounding_of(&self, direction: &Vector3<f64>, friction: f64) -> f64 {
        let size = direction.yz().norm() + friction.min(ROUGH) * direction.x.abs();
        ROUNDINGS * f64::EPSILON * self.spread() * direction.norm() / size
    }

    /// The largest eigenvalue of a W of rank two over the other, at most 1/ε; 1 for any other rank.
    fn spread(&self) -> f64 {
        let Mobility::Plane { immovable } = self.mobility() else { return 1.0 };
        let w = self.inverse_mass();
        if immovable.z == 0.0 && w[(0, 2)] == 0.0 && w[(1, 2)] == 0.0 {
            // In the plane W has rank one, and t2 has no part in it.
            return 1.0;
        }
        let minor = |i: usize, j: usize| w[(i, i)] * w[(j, j)] - w[(i, j)] * w[(i, j)];
        let product = (minor(0, 1) + minor(0, 2) + minor(1, 2)).max(f64::EPSILON * w.trace().powi(2));
        w.trace().powi(2) / product
    }
}

impl Section {
    /// δ of the immovable direction, where there is one besides the tangent.
    fn beyond_cone(&self, friction: f64) -> Option<f64> {
        let along = self.movable.filter(|along| along.y != 0.0)?;
        Some(beyond_cone(&Vector3::new(along.y.abs(), along.x, 0.0), friction))
    }

    /// As [`Collision::holds_still`].
    pub(crate) fn holds_still(&self, friction: f64) -> bool {
        let size = self.movable.map_or(1.0, |along| along.x + friction * along.y.abs());
        self.beyond_cone(friction).is_some_and(|beyond| beyond <= ROUNDINGS * f64::EPSILON / size)
    }

    /// As [`Collision::grows_still`].
    pub(crate) fn grows_still(&self, friction: f64) -> bool {
        self.holds_still(friction) || self.beyond_cone(friction).is_some_and(|beyond| beyond <= NEAR_EDGE)
    }
}
