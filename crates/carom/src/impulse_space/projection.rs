//! How far an impulse is from being inadmissible, or from being admissible.

use super::checked_impulse;
use super::lines::frictionless_point;
use super::region::{AccessibleRegion, Extent};
use crate::error::{Error, finite};
use nalgebra::{Matrix3, Vector3};

/// The distance to a region from outside an edge of it (two or three constraints at once) is this good, relative to
/// the distance between the impulse and the region's inner reference point. Elsewhere it is good to rounding.
const EDGE_ACCURACY: f64 = 1e-11;
/// Newton steps per value of the barrier's weight: from one centre to the next it takes a handful.
const CENTRING_STEPS: usize = 60;
/// Growth of the weight from one centre to the next.
const WEIGHT_GROWTH: f64 = 20.0;

impl AccessibleRegion<'_> {
    /// Signed distance of an impulse from the boundary, kg m/s: positive inside, negative outside; zero throughout a
    /// region without interior.
    pub fn distance(&self, impulse: &Vector3<f64>) -> Result<f64, Error> {
        let nearest = self.nearest(impulse)?;
        if !self.contains(impulse) {
            return Ok(-(impulse - nearest).norm());
        }
        if self.interior_point().is_none() {
            return Ok(0.0);
        }
        let ellipsoid = (impulse - self.ellipsoid().foot(impulse)).norm();
        Ok(self.compression_plane().distance(impulse).min(self.cone().depth(impulse)).min(ellipsoid).max(0.0))
    }

    /// The nearest admissible impulse: the impulse itself inside.
    ///
    /// Where a single constraint is in the way the answer is exact to rounding; at an edge it is found from the inside
    /// to 1e-11 of the distance between the impulse and the region's inner reference point.
    pub fn nearest(&self, impulse: &Vector3<f64>) -> Result<Vector3<f64>, Error> {
        checked_impulse(impulse)?;
        let nearest = self.nearest_of_sound(impulse);
        finite("nearest admissible impulse", nearest.as_slice())?;
        Ok(nearest)
    }

    fn nearest_of_sound(&self, impulse: &Vector3<f64>) -> Vector3<f64> {
        if self.contains(impulse) {
            return *impulse;
        }
        let Some(inside) = self.interior_point() else { return self.nearest_without_interior(impulse) };
        let plane = self.compression_plane();
        let singles = [
            if plane.distance(impulse) < 0.0 { plane.nearest(impulse) } else { *impulse },
            self.cone().nearest(impulse),
            self.ellipsoid().nearest_in_solid(impulse),
        ];
        // The nearest point of one set is the nearest of the intersection if it belongs to it.
        match singles.iter().find(|p| *p != impulse && self.contains(p)) {
            Some(nearest) => *nearest,
            None => Barrier { region: *self, target: *impulse }.minimise(inside),
        }
    }

    fn nearest_without_interior(&self, impulse: &Vector3<f64>) -> Vector3<f64> {
        let collision = self.collision();
        match self.extent() {
            Extent::Segment => {
                let ends = [0.0, 1.0].map(|e| frictionless_point(collision, e).x);
                Vector3::x() * impulse.x.clamp(ends[0], ends[1])
            }
            Extent::Unbounded => {
                // V = 0: impulses in the cone that move nothing, a sector about the projection a of n with
                // β² ≤ α² (μ² a_n² − |a_t|²) for P = α a + β b, b across a.
                let axis = collision.immovable_part(&Vector3::x()).normalize();
                let inside = collision.immovable_part(impulse);
                let along = inside.dot(&axis);
                let across = inside - axis * along;
                let slope = ((self.cone().friction * axis.x).powi(2) - axis.yz().norm_squared()).max(0.0).sqrt();
                let width = across.norm();
                if width <= slope * along {
                    return inside;
                }
                let along = ((along + slope * width) / (1.0 + slope * slope)).max(0.0);
                let side = across.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
                (axis + side * slope) * along
            }
            Extent::Point | Extent::Solid => Vector3::zeros(),
        }
    }
}

/// `min |P − Q|²` over the region by following the centres of logarithmic barriers from inside.
///
/// ```text
/// t |P − Q|² − log(V_n + n·W P) − log(μ² P_n² − |P_t|²) − log(−P·(2V + W P))
/// ```
///
/// is self-concordant with parameter 4, so Newton's method gets from one t to the next in a few steps whatever the
/// proportions of the ellipsoid (alternating projections crawl there), and its minimum is within 4/t of the optimum
/// (Nesterov & Nemirovskii 1994).
struct Barrier<'a> {
    region: AccessibleRegion<'a>,
    target: Vector3<f64>,
}

impl Barrier<'_> {
    fn minimise(&self, inside: Vector3<f64>) -> Vector3<f64> {
        let size = (self.target - inside).norm();
        let mut p = inside;
        let mut weight = 4.0 / (size * size);
        // Of an impulse so near that the square of its distance vanishes, the start is the nearest in these numbers.
        if !weight.is_finite() {
            return inside;
        }
        loop {
            p = self.centre(p, weight);
            if 4.0 / weight <= EDGE_ACCURACY * size * (self.target - p).norm() || weight > f64::MAX.sqrt() {
                return p;
            }
            weight *= WEIGHT_GROWTH;
        }
    }

    /// Damped Newton's method for one weight.
    fn centre(&self, mut p: Vector3<f64>, weight: f64) -> Vector3<f64> {
        for _ in 0..CENTRING_STEPS {
            let (gradient, hessian) = self.derivatives(&p, weight);
            let Some(factor) = hessian.cholesky() else { return p };
            let step = -factor.solve(&gradient);
            let decrement = -gradient.dot(&step);
            if decrement.is_nan() || decrement <= CENTRED {
                return p;
            }
            let mut length = 1.0;
            while self.growth(&p, &(step * length), weight) > -0.25 * length * decrement {
                length *= 0.5;
                if length < f64::EPSILON {
                    return p;
                }
            }
            p += step * length;
        }
        p
    }

    /// The three constraints, positive inside.
    fn slacks(&self, p: &Vector3<f64>) -> [f64; 3] {
        let collision = self.region.collision();
        let cone = self.region.cone().friction * p.x;
        let tangential = p.yz().norm();
        let sides = if cone > 0.0 { (cone - tangential) * (cone + tangential) } else { -1.0 };
        [collision.velocity_after(p).x, sides, -self.region.ellipsoid().gain(p)]
    }

    /// Change of the function along a step, free of cancellation; infinite where the step leaves the region.
    fn growth(&self, p: &Vector3<f64>, step: &Vector3<f64>, weight: f64) -> f64 {
        let after = self.slacks(&(p + step));
        if after.iter().any(|slack| *slack <= 0.0) {
            return f64::INFINITY;
        }
        let logs: f64 = self.slacks(p).iter().zip(after).map(|(before, after)| (after / before).ln()).sum();
        weight * step.dot(&((p - self.target) * 2.0 + step)) - logs
    }

    fn derivatives(&self, p: &Vector3<f64>, weight: f64) -> (Vector3<f64>, Matrix3<f64>) {
        let collision = self.region.collision();
        let w = collision.inverse_mass();
        let cone = Matrix3::from_diagonal(&Vector3::new(self.region.cone().friction.powi(2), -1.0, -1.0)) * 2.0;
        let slopes = [w.column(0).into(), cone * p, -collision.velocity_after(p) * 2.0];
        let curvatures = [Matrix3::zeros(), cone, w * -2.0];
        let mut gradient = (p - self.target) * (2.0 * weight);
        let mut hessian = Matrix3::identity() * (2.0 * weight);
        for ((slack, slope), curvature) in self.slacks(p).iter().zip(slopes).zip(curvatures) {
            let relative: Vector3<f64> = slope / *slack;
            gradient -= relative;
            hessian += relative * relative.transpose() - curvature / *slack;
        }
        (gradient, hessian)
    }
}

/// Square of Newton's decrement at which a centre is near enough to go on from.
const CENTRED: f64 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Collision;
    use crate::random::Random;

    fn random_collision(random: &mut Random, smallest: f64) -> Collision {
        let velocity =
            Vector3::new(-random.log_between(1e-2, 1.0), random.between(-2.0, 2.0), random.between(-2.0, 2.0));
        Collision::new(&random.definite(smallest), &velocity).unwrap()
    }

    #[test]
    fn the_nearest_point_satisfies_the_variational_inequality() {
        // p nearest to q in a convex set: (q − p)·(x − p) ≤ 0 for all x of the set. That proves the distance, too.
        let mut random = Random(21);
        let mut edges = 0;
        for round in 0..1000 {
            let collision = random_collision(&mut random, [1e-1, 1e-3, 1e-6][round % 3]);
            let region = AccessibleRegion::of(&collision, random.log_between(1e-2, 10.0));
            let inside = region.interior_point().unwrap();
            assert!(region.contains(&inside) && region.distance(&inside).unwrap() > 0.0);
            let q = inside + random.direction() * inside.norm() * random.log_between(1e-3, 1e2);
            let p = region.nearest(&q).unwrap();
            if region.contains(&q) {
                assert_eq!(p, q);
                continue;
            }
            assert!(region.contains(&p));
            let way = (q - p).norm();
            assert!((region.distance(&q).unwrap() + way).abs() <= 1e-15 * way);
            edges += usize::from(region.distance(&p).unwrap() > 0.0);
            let allowed = 1e-10 * (q - inside).norm();
            for k in 0..100 {
                // All over the boundary, and ever closer to p, where a wrong p would show.
                let near = random.direction() * (p - inside).norm() * 0.8_f64.powi(k);
                let x = region.exit(&inside, &(p - inside + near)).unwrap();
                let excess = (q - p).dot(&(x - p)) / way;
                assert!(excess <= allowed, "{round}: {excess} of {allowed}");
            }
        }
        assert!(edges > 50, "the edges were not visited: {edges}");
    }

    #[test]
    fn the_ball_of_the_inner_distance_stays_inside_and_touches() {
        let mut random = Random(22);
        for _ in 0..500 {
            let collision = random_collision(&mut random, 1e-3);
            let region = AccessibleRegion::of(&collision, random.log_between(1e-2, 10.0));
            let inside = region.interior_point().unwrap();
            let direction = random.direction();
            let p = inside + direction * (region.exit_distance(&inside, &direction) * random.unit());
            let distance = region.distance(&p).unwrap();
            let mut least = f64::INFINITY;
            for _ in 0..200 {
                least = least.min(region.exit_distance(&p, &random.direction()));
            }
            let foot = region.ellipsoid().foot(&p);
            for foot in [foot, region.compression_plane().nearest(&p)] {
                if let Some(way) = (foot - p).try_normalize(0.0) {
                    least = least.min(region.exit_distance(&p, &way));
                }
            }
            let out = p.yz().try_normalize(0.0).map_or_else(Vector3::y, |t| Vector3::new(0.0, t.x, t.y));
            let to_cone = Vector3::new(-region.cone().friction, out.y, out.z).normalize();
            least = least.min(region.exit_distance(&p, &to_cone));
            assert!(distance <= least * (1.0 + 1e-9) + 1e-12 * p.norm(), "{distance} {least} {p} {region:?}");
            assert!(distance >= least * (1.0 - 1e-6) - 1e-12 * p.norm(), "{distance} {least}");
        }
    }

    #[test]
    fn without_friction_the_distance_is_that_of_the_segment() {
        let collision = Collision::planar([[2.0, -1.0], [-1.0, 3.0]], [-1.0, 0.5]).unwrap();
        let region = AccessibleRegion::of(&collision, 0.0);
        assert_eq!(region.extent(), Extent::Segment);
        assert_eq!(region.distance(&Vector3::new(0.75, 0.0, 0.0)).unwrap(), 0.0);
        assert_eq!(region.distance(&Vector3::new(0.75, 0.0, -2.0)).unwrap(), -2.0);
        assert_eq!(region.distance(&Vector3::new(0.1, 0.3, 0.0)).unwrap(), -0.5);
    }

    #[test]
    fn bodies_at_rest_have_no_other_impulse_than_zero() {
        let still = Collision::planar([[2.0, -1.0], [-1.0, 3.0]], [0.0, 0.0]).unwrap();
        let region = AccessibleRegion::of(&still, 0.5);
        assert_eq!(region.extent(), Extent::Point);
        assert_eq!(region.distance(&Vector3::new(3.0, 4.0, 0.0)).unwrap(), -5.0);
    }

    #[test]
    fn a_sliding_contact_may_be_braked() {
        // V_n ≥ 0: no approach, yet friction may act; inside means strictly inside.
        let mut random = Random(23);
        for round in 0..500 {
            let v_n = if round % 2 == 0 { 0.0 } else { 0.2 };
            let velocity = Vector3::new(v_n, random.between(0.5, 1.0), random.between(-1.0, 1.0));
            let collision = Collision::new(&random.definite(1e-2), &velocity).unwrap();
            let region = AccessibleRegion::of(&collision, random.between(0.5, 2.0));
            assert_eq!(region.extent(), Extent::Solid);
            let inside = region.interior_point().unwrap();
            assert!(region.distance(&inside).unwrap() > 1e-6 * inside.norm(), "{}", region.distance(&inside).unwrap());
        }
        let leaving = Collision::planar([[1.0, 0.0], [0.0, 1.0]], [1.0, 0.5]).unwrap();
        assert_eq!(AccessibleRegion::of(&leaving, 0.3).extent(), Extent::Point);
    }

    #[test]
    fn a_pendulum_pressed_along_its_rod_has_an_unbounded_region() {
        let w = Matrix3::new(1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        let collision = Collision::new(&w, &Vector3::new(-1.0, 1.0, 0.0)).unwrap();
        let jammed = AccessibleRegion::of(&collision, 1.5);
        assert_eq!(jammed.extent(), Extent::Unbounded);
        assert_eq!(AccessibleRegion::of(&collision, 0.5).extent(), Extent::Solid);
        let far = Vector3::new(1e3, 1e3, 1.0);
        let nearest = jammed.nearest(&far).unwrap();
        assert!(jammed.contains(&nearest) && (nearest - far).norm() < 1.0);
        // At rest, only pushing along the rod is left: the ray (1, 1, 0).
        let still = Collision::new(&w, &Vector3::zeros()).unwrap();
        let ray = AccessibleRegion::of(&still, 1.5);
        assert_eq!(ray.extent(), Extent::Unbounded);
        assert!((ray.nearest(&Vector3::new(2.0, 0.0, 5.0)).unwrap() - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-14);
        assert!(ray.nearest(&Vector3::new(-2.0, 0.0, 0.0)).unwrap().norm() < 1e-14);
    }

    #[test]
    fn at_rest_on_a_rail_everything_across_the_rail_is_a_sector() {
        // Only (0.1, 1, 0) can move: impulses in the plane across it that are in the cone, a sector.
        let rail = Vector3::new(0.1, 1.0, 0.0);
        let still = Collision::new(&(rail * rail.transpose()), &Vector3::zeros()).unwrap();
        let region = AccessibleRegion::of(&still, 0.5);
        let mut random = Random(24);
        for _ in 0..200 {
            let q = random.direction();
            let p = region.nearest(&q).unwrap();
            assert!(region.contains(&p));
            // Moreau's conditions for a cone, tried on its two edges and its axis.
            assert!((q - p).dot(&p).abs() < 1e-14);
            let slope = (0.25_f64 - 0.01).sqrt();
            for member in
                [Vector3::new(1.0, -0.1, slope), Vector3::new(1.0, -0.1, -slope), Vector3::new(1.0, -0.1, 0.0)]
            {
                assert!(region.contains(&member));
                assert!((q - p).dot(&member) < 1e-14);
            }
        }
    }
}
