//! The point, the plane and the cone that divide impulse space (Chatterjee 1997, 3.4 and 7.1).
//!
//! Contact frame (n, t1, t2), kg m/s.

use crate::collision::Collision;
use nalgebra::Vector3;

/// A plane `normal·P = offset` in impulse space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// A vector across the plane, of any length.
    pub normal: Vector3<f64>,
    /// The value of `normal·P` on it.
    pub offset: f64,
}

impl Plane {
    /// Greatest compression, V_n after = 0: `n·W P = −V_n`. Non-penetrating impulses lie on or beyond it.
    pub fn greatest_compression(collision: &Collision) -> Plane {
        Plane { normal: collision.inverse_mass().column(0).into(), offset: -collision.velocity().x }
    }

    /// Distance of a point, positive on the side the normal points to.
    pub fn distance(&self, point: &Vector3<f64>) -> f64 {
        (self.normal.dot(point) - self.offset) / self.normal.norm()
    }

    /// The nearest point of the plane.
    pub fn nearest(&self, point: &Vector3<f64>) -> Vector3<f64> {
        point - self.normal * ((self.normal.dot(point) - self.offset) / self.normal.norm_squared())
    }
}

/// The impulse of a frictionless collision with kinematic restitution e, `−(1 + e) V_n/W_nn n`: e = 0 is on the plane
/// of greatest compression, e = 1 on the energy ellipsoid, and e = 0 lies midway between that and the origin.
pub fn frictionless_point(collision: &Collision, restitution: f64) -> Vector3<f64> {
    Vector3::x() * (-(1.0 + restitution) * collision.velocity().x / collision.inverse_mass()[(0, 0)])
}

/// Coulomb's cone |P_t| ≤ μ P_n (Chatterjee 1997, eq. 6.1); for μ = 0 the half-line along n.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionCone {
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

impl FrictionCone {
    /// Distance of an impulse from the cone's side, positive inside; outside, in the apex's shadow, it is less than
    /// the distance to the cone.
    pub fn depth(self, impulse: &Vector3<f64>) -> f64 {
        (self.friction * impulse.x - impulse.yz().norm()) / self.friction.hypot(1.0)
    }

    /// The nearest impulse of the solid cone: the impulse itself inside, on the side or the apex otherwise.
    pub fn nearest(self, impulse: &Vector3<f64>) -> Vector3<f64> {
        let (normal, tangential) = (impulse.x, impulse.yz().norm());
        if tangential <= self.friction * normal {
            return *impulse;
        }
        let along = (normal + self.friction * tangential) / (1.0 + self.friction * self.friction);
        if along <= 0.0 {
            return Vector3::zeros();
        }
        let across = impulse.yz() * (self.friction * along / tangential);
        Vector3::new(along, across.x, across.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::impulse_space::EnergyEllipsoid;
    use crate::random::Random;

    #[test]
    fn each_object_holds_the_velocities_it_is_named_for() {
        let mut random = Random(11);
        for _ in 0..500 {
            let velocity = Vector3::new(-0.1 - random.unit(), random.between(-2.0, 2.0), random.between(-2.0, 2.0));
            let collision = Collision::new(&random.definite(1e-2), &velocity).unwrap();
            let any = random.direction();
            let compressed = Plane::greatest_compression(&collision).nearest(&any);
            assert!(collision.velocity_after(&compressed).x.abs() < 1e-12);
            let plane = Plane::greatest_compression(&collision);
            assert!((plane.distance(&any).abs() - (any - plane.nearest(&any)).norm()).abs() < 1e-11);

            let ellipsoid = EnergyEllipsoid::new(&collision);
            assert!((ellipsoid.level(&frictionless_point(&collision, 1.0)).unwrap().unwrap() - 1.0).abs() < 1e-11);
            assert!(collision.velocity_after(&frictionless_point(&collision, 0.0)).x.abs() < 1e-13);
        }
    }

    #[test]
    fn the_way_to_the_cone_is_normal_to_it() {
        let mut random = Random(12);
        for _ in 0..2000 {
            let cone = FrictionCone { friction: random.log_between(1e-3, 1e2) };
            let point = random.direction() * random.log_between(1e-3, 1e3);
            let nearest = cone.nearest(&point);
            assert!(cone.depth(&nearest) >= -1e-12 * nearest.norm());
            // Projection onto a convex cone (Moreau): the residual is perpendicular to the projection and makes no
            // acute angle with any member.
            let residual = point - nearest;
            assert!(residual.dot(&nearest).abs() < 1e-12 * point.norm_squared());
            let angle = random.between(0.0, std::f64::consts::TAU);
            let member = Vector3::new(1.0, cone.friction * angle.cos(), cone.friction * angle.sin());
            assert!(residual.dot(&member) <= 1e-12 * point.norm() * member.norm());
            if cone.depth(&point) > 0.0 {
                assert_eq!(nearest, point);
            }
        }
    }
}
