//! Points, lines, planes and the cone that divide impulse space (Chatterjee 1997, 3.4 and 7.1).
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
        Plane::constant_restitution(collision, 0.0)
    }

    /// Kinematic restitution e: `n·W P = −(1 + e) V_n`. These planes are parallel.
    pub fn constant_restitution(collision: &Collision, restitution: f64) -> Plane {
        Plane {
            normal: collision.inverse_mass().column(0).into(),
            offset: -(1.0 + restitution) * collision.velocity().x,
        }
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

/// A line `point + s direction` in impulse space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// A point of the line.
    pub point: Vector3<f64>,
    /// Its unit direction.
    pub direction: Vector3<f64>,
}

/// Rows of W whose cross product is below this, relative to W's scale, are parallel to working precision.
const PARALLEL_ROWS: f64 = 1e-14;

impl Line {
    /// The line of sticking, V_t after = 0: `P = M (s n − V)`, along M n and through the ellipsoid's centre; V_n after
    /// does not fall along the direction.
    ///
    /// The direction is the cross product of W's tangential rows, which is M n up to a factor and also serves a
    /// singular W. `None` where those rows are parallel, so that more than a line sticks.
    pub fn sticking(collision: &Collision) -> Option<Line> {
        let w = collision.inverse_mass();
        let [across_1, across_2] = [1, 2].map(|i| Vector3::from(w.column(i)));
        let along = across_1.cross(&across_2);
        let scale = w.amax();
        let direction = along.try_normalize(PARALLEL_ROWS * scale * scale)?;
        Some(Line { point: -collision.mass_times(collision.velocity()), direction })
    }

    /// The point at distance s along the line.
    pub fn at(&self, s: f64) -> Vector3<f64> {
        self.point + self.direction * s
    }

    /// The nearest point of the line.
    pub fn nearest(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.at(self.direction.dot(&(point - self.point)))
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

/// An impulse is on the cone if it misses it by no more than this, relative to its length.
const ON_CONE: f64 = 1e-12;

impl FrictionCone {
    /// Whether an impulse is in the cone, its surface included.
    pub fn contains(&self, impulse: &Vector3<f64>) -> bool {
        impulse.yz().norm() <= self.friction * impulse.x + ON_CONE * (1.0 + self.friction) * impulse.norm()
    }

    /// Distance of an impulse from the cone's side, positive inside; outside, in the apex's shadow, it is less than
    /// the distance to the cone.
    pub fn depth(&self, impulse: &Vector3<f64>) -> f64 {
        (self.friction * impulse.x - impulse.yz().norm()) / self.friction.hypot(1.0)
    }

    /// The nearest impulse of the solid cone: the impulse itself inside, on the side or the apex otherwise.
    pub fn nearest(&self, impulse: &Vector3<f64>) -> Vector3<f64> {
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
    use nalgebra::Matrix3;

    #[test]
    fn each_object_holds_the_velocities_it_is_named_for() {
        let mut random = Random(11);
        for _ in 0..500 {
            let velocity = Vector3::new(-0.1 - random.unit(), random.between(-2.0, 2.0), random.between(-2.0, 2.0));
            let collision = Collision::new(&random.definite(1e-2), &velocity).unwrap();
            let any = random.direction();
            let compressed = Plane::greatest_compression(&collision).nearest(&any);
            assert!(collision.velocity_after(&compressed).x.abs() < 1e-12);
            let e = random.unit();
            let plane = Plane::constant_restitution(&collision, e);
            assert!((collision.velocity_after(&plane.nearest(&any)).x + e * velocity.x).abs() < 1e-12);
            assert!((plane.distance(&any).abs() - (any - plane.nearest(&any)).norm()).abs() < 1e-11);

            let line = Line::sticking(&collision).unwrap();
            let mass = collision.mass().unwrap();
            let stuck = line.nearest(&any);
            assert!(collision.velocity_after(&stuck).yz().norm() < 1e-10);
            assert!(line.direction.dot(&mass.column(0).normalize()) > 1.0 - 1e-9);
            assert!(Plane::greatest_compression(&collision).distance(&line.point).abs() < 1e-10);

            let ellipsoid = EnergyEllipsoid::new(&collision);
            assert!((ellipsoid.level(&frictionless_point(&collision, 1.0)).unwrap() - 1.0).abs() < 1e-11);
            assert!(collision.velocity_after(&frictionless_point(&collision, 0.0)).x.abs() < 1e-13);
        }
    }

    #[test]
    fn a_pendulum_sticks_along_the_line_that_nothing_moves_on() {
        // A pendulum's tip moves along (1, 1)/√2 of (n, t1) only.
        let w = Matrix3::new(1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        let collision = Collision::new(&w, &Vector3::new(-1.0, -1.0, 0.0)).unwrap();
        let line = Line::sticking(&collision).unwrap();
        assert!((w * line.direction).norm() < 1e-15);
        assert!(collision.velocity_after(&line.at(3.0)).norm() < 1e-14);
        let free = Matrix3::from_diagonal(&Vector3::new(1.0, 0.0, 0.0));
        let rail = Collision::new(&free, &Vector3::new(-1.0, 0.0, 0.0)).unwrap();
        assert_eq!(Line::sticking(&rail), None);
    }

    #[test]
    fn the_way_to_the_cone_is_normal_to_it() {
        let mut random = Random(12);
        for _ in 0..2000 {
            let cone = FrictionCone { friction: random.log_between(1e-3, 1e2) };
            let point = random.direction() * random.log_between(1e-3, 1e3);
            let nearest = cone.nearest(&point);
            assert!(cone.contains(&nearest));
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
