//! The accessible region: every impulse that energy, friction and non-penetration allow.

use super::checked_impulse;
use super::ellipsoid::EnergyEllipsoid;
use super::lines::{FrictionCone, Plane, frictionless_point};
use crate::collision::Collision;
use crate::cone_edge::ROUGH;
use crate::error::{Error, finite};
use nalgebra::Vector3;

/// All impulses with `P·(2V + W P) ≤ 0` (no gain of energy), `V_n + n·W P ≥ 0` (no penetration) and `|P_t| ≤ μ P_n`
/// (friction): closed, convex, and bounded unless W is singular (Chatterjee 1997, 3.4).
#[derive(Clone, Copy, Debug)]
pub struct AccessibleRegion<'a> {
    collision: &'a Collision,
    friction: f64,
}

/// What kind of set an accessible region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// Only P = 0: the bodies do not approach and no impulse in the cone loses energy.
    Point,
    /// The frictionless impulses 0 ≤ e ≤ 1 along n: μ = 0.
    Segment,
    /// A bounded solid.
    Solid,
    /// It reaches to infinity along a direction in the cone in which nothing moves (singular W).
    Unbounded,
}

/// An accessible impulse as the parameters of the law [`Accessible`](crate::laws::Accessible) that gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionCoordinates {
    /// Fraction of the way from the reference to the boundary, 0 to 1.
    pub fraction: f64,
    /// Angle from the normal, rad: −π to π in the plane of normal and slip (azimuth 0), else 0 to π.
    pub polar: f64,
    /// Angle about the normal from the direction against the slip, −π to π, rad.
    pub azimuth: f64,
}

/// An impulse is on a boundary if it misses it by no more than this, relative to the size of the terms compared.
const ON_BOUNDARY: f64 = 1e-12;
/// A component this small relative to the vector is the rounding of a turned frame or of cos π/2.
const NO_COMPONENT: f64 = 4.0 * f64::EPSILON;

impl<'a> AccessibleRegion<'a> {
    /// The region of a collision with this coefficient of friction; for an infinite one, with [`ROUGH`](crate::laws::ROUGH).
    pub fn new(collision: &'a Collision, friction: f64) -> Result<Self, Error> {
        if friction >= 0.0 {
            Ok(AccessibleRegion::of(collision, friction))
        } else {
            let expected = "a number of at least 0, or infinity";
            Err(Error::OutOfRange { what: "friction", value: friction, expected })
        }
    }

    /// The same with a coefficient of friction that is known to be sound.
    pub(crate) fn of(collision: &'a Collision, friction: f64) -> Self {
        AccessibleRegion { collision, friction: friction.min(ROUGH) }
    }

    /// Whether an impulse is admissible, the boundary included. One that is not finite, or too large for its square to be, is
    /// not.
    pub fn contains(&self, p: &Vector3<f64>) -> bool {
        if checked_impulse(p).is_err() {
            return false;
        }
        let (w, v) = (self.collision.inverse_mass(), self.collision.velocity());
        let response = w * p;
        let scale = w.abs() * p.abs();
        let energy = p.dot(&(v * 2.0 + response)) <= ON_BOUNDARY * p.abs().dot(&(v.abs() * 2.0 + scale));
        let penetration = v.x + response.x >= -ON_BOUNDARY * (v.x.abs() + scale.x);
        let friction = p.yz().norm() <= self.friction * p.x + ON_BOUNDARY * (1.0 + self.friction) * p.norm();
        energy && penetration && friction
    }

    /// The collision.
    pub fn collision(&self) -> &'a Collision {
        self.collision
    }

    /// The impulses without gain of energy.
    pub fn ellipsoid(&self) -> EnergyEllipsoid<'a> {
        EnergyEllipsoid::new(self.collision)
    }

    /// The boundary of penetration.
    pub(super) fn compression_plane(&self) -> Plane {
        Plane::greatest_compression(self.collision)
    }

    /// The impulses that friction allows.
    pub(super) fn cone(&self) -> FrictionCone {
        FrictionCone { friction: self.friction }
    }

    /// What kind of set the region is; it is never empty.
    pub fn extent(&self) -> Extent {
        // Far out only W d = 0 keeps the energy down; of all such d the projection of n is nearest to the cone's axis.
        let free = self.collision.immovable_part(&Vector3::x());
        if free.x > ON_BOUNDARY && free.yz().norm() <= self.friction * free.x {
            Extent::Unbounded
        } else if self.interior_point().is_some() {
            Extent::Solid
        } else if self.collision.is_approaching() {
            Extent::Segment
        } else {
            Extent::Point
        }
    }

    /// A point strictly inside: the frictionless impulse of e = ½ if the bodies approach, else half-way along an impulse
    /// that brakes the slip. `None` where the region has no interior (μ = 0, or nothing in the cone loses energy).
    pub fn interior_point(&self) -> Option<Vector3<f64>> {
        if self.friction <= 0.0 {
            return None;
        }
        if self.collision.is_approaching() {
            return Some(frictionless_point(self.collision, 0.5));
        }
        let (w, v) = (self.collision.inverse_mass(), self.collision.velocity());
        let against = -v.yz().try_normalize(0.0)?;
        // d = (1, κ against) loses energy for κ > V_n/|V_t|, and separates for κ small enough.
        let least = v.x / v.yz().norm();
        let coupling = w.fixed_view::<2, 1>(1, 0).dot(&against);
        let most = if v.x == 0.0 && coupling < 0.0 { self.friction.min(-w[(0, 0)] / coupling) } else { self.friction };
        if least >= most {
            return None;
        }
        let across = against * (0.5 * (least + most));
        let direction = Vector3::new(1.0, across.x, across.y);
        Some(direction * (0.5 * self.exit_distance(&Vector3::zeros(), &direction)))
    }

    /// Where a ray from an admissible impulse leaves the region; `None` when it never does (singular W only). Of the direction
    /// the length does not count.
    pub fn exit_point(&self, from: &Vector3<f64>, direction: &Vector3<f64>) -> Result<Option<Vector3<f64>>, Error> {
        if !self.contains(from) {
            return Err(Error::Unsuitable {
                what: "the start of a ray through the accessible region",
                expected: "an impulse in it",
            });
        }
        finite("direction", direction.as_slice())?;
        // The largest component first: the square of a direction may be out of range.
        let largest = direction.amax();
        if largest == 0.0 {
            return Err(Error::ZeroDirection { what: "direction" });
        }
        Ok(self.exit(from, &(direction / largest).normalize()))
    }

    /// Where a ray of sound numbers leaves the region.
    pub(super) fn exit(&self, from: &Vector3<f64>, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        let reach = self.exit_distance(from, direction);
        reach.is_finite().then(|| from + direction * reach)
    }

    /// The parameters with which the law [`Accessible`](crate::laws::Accessible) gives this impulse. `None` for an
    /// impulse outside the region, for bodies that separate, and along a direction without boundary.
    pub fn parameters_of(&self, impulse: &Vector3<f64>) -> Option<RegionCoordinates> {
        if self.collision.velocity().x > 0.0 || !self.contains(impulse) {
            return None;
        }
        let (turned, back) = self.collision.opposing_slip();
        let reference = frictionless_point(&turned, 0.5);
        let away = back.tr_mul(impulse) - reference;
        let length = away.norm();
        if length == 0.0 {
            return Some(RegionCoordinates { fraction: 0.0, polar: 0.0, azimuth: 0.0 });
        }
        let reach = AccessibleRegion::of(&turned, self.friction).exit_distance(&reference, &(away / length));
        let fraction = if reach > 0.0 { (length / reach).min(1.0) } else { 1.0 };
        let planar = away.z.abs() <= NO_COMPONENT * impulse.norm();
        let (polar, azimuth) =
            if planar { (away.y.atan2(away.x), 0.0) } else { (away.yz().norm().atan2(away.x), away.z.atan2(away.y)) };
        reach.is_finite().then_some(RegionCoordinates { fraction, polar, azimuth })
    }

    /// How far one can go from an admissible impulse along `direction` (any length; the result is in units of it);
    /// zero when the direction leaves at once, infinite when it never leaves (singular W only).
    pub(crate) fn exit_distance(&self, from: &Vector3<f64>, direction: &Vector3<f64>) -> f64 {
        let (w, v) = (self.collision.inverse_mass(), self.collision.velocity());
        let movable = self.collision.movable_part(direction);
        let (response, pull) = (w * from, w * movable);
        // V_n after ≥ 0
        let plane = if pull.x < 0.0 { ((v.x + response.x) / -pull.x).max(0.0) } else { f64::INFINITY };
        // a s² + 2 b s + c ≤ 0, c ≤ 0
        let ellipsoid =
            largest_step(movable.dot(&pull), movable.dot(&(response + v)), from.dot(&(response + v * 2.0)).min(0.0));
        plane.min(ellipsoid).min(self.cone_distance(from, direction))
    }

    fn cone_distance(&self, from: &Vector3<f64>, direction: &Vector3<f64>) -> f64 {
        let mu2 = self.friction * self.friction;
        let (p, mut d) = (from.yz(), direction.yz());
        if d.norm() <= NO_COMPONENT * direction.x.abs() {
            // Without friction the axis is all there is of the cone, and sin π must not leave it.
            d.fill(0.0);
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Accessible;
    use crate::random::Random;
    use std::f64::consts::PI;

    fn random_collision(random: &mut Random, round: usize) -> Collision {
        let across = if round.is_multiple_of(4) { 0.0 } else { random.between(-2.0, 2.0) };
        let velocity = Vector3::new(-random.log_between(1e-2, 1.0), random.between(-2.0, 2.0), across);
        Collision::new(&random.definite(1e-3), &velocity).unwrap()
    }

    fn law(parameters: &RegionCoordinates, friction: f64) -> Accessible {
        let &RegionCoordinates { fraction, polar, azimuth } = parameters;
        Accessible { fraction, polar, azimuth, friction }
    }

    #[test]
    fn the_law_with_the_parameters_of_an_impulse_gives_it_back() {
        let mut random = Random(41);
        for round in 0..4000 {
            let collision = random_collision(&mut random, round);
            let friction = random.log_between(1e-2, 10.0);
            let region = AccessibleRegion::of(&collision, friction);
            let inside = region.interior_point().unwrap();
            let direction = random.direction();
            let reach = region.exit_distance(&inside, &direction);
            let impulse = inside + direction * (reach * random.unit().max(0.5 * f64::from(u8::from(round % 3 == 0))));
            let parameters = region.parameters_of(&impulse).unwrap();
            assert!((0.0..=1.0).contains(&parameters.fraction));
            let again = law(&parameters, friction).resolve(&collision).unwrap().impulse;
            assert!((again - impulse).norm() < 1e-11 * impulse.norm(), "{round}: {again} for {impulse}");
        }
    }

    #[test]
    fn the_law_lands_inside_whatever_its_parameters() {
        let mut random = Random(42);
        for round in 0..4000 {
            let collision = random_collision(&mut random, round);
            let friction = if round % 10 == 0 { 0.0 } else { random.log_between(1e-2, 10.0) };
            let parameters = RegionCoordinates {
                fraction: if round % 5 == 0 { 1.0 } else { random.unit() },
                polar: random.between(-PI, PI),
                azimuth: random.between(-PI, PI),
            };
            let impulse = law(&parameters, friction).resolve(&collision).unwrap().impulse;
            assert!(AccessibleRegion::of(&collision, friction).contains(&impulse));
        }
    }

    #[test]
    fn without_friction_both_ends_of_the_segment_are_reached() {
        let collision = Collision::planar([[2.0, -1.0], [-1.0, 3.0]], [-1.0, 0.5]).unwrap();
        let region = AccessibleRegion::of(&collision, 0.0);
        for e in [0.0, 0.3, 0.5, 0.9, 1.0] {
            let impulse = frictionless_point(&collision, e);
            let parameters = region.parameters_of(&impulse).unwrap();
            let again = law(&parameters, 0.0).resolve(&collision).unwrap().impulse;
            assert!((again - impulse).norm() < 1e-14, "e = {e}: {again}");
        }
    }

    #[test]
    fn a_ray_needs_a_direction() {
        let collision = Collision::planar([[2.0, -1.0], [-1.0, 3.0]], [-1.0, 0.5]).unwrap();
        let region = AccessibleRegion::of(&collision, 0.5);
        let inside = region.interior_point().unwrap();
        let ray = |direction: Vector3<f64>| region.exit_point(&inside, &direction);
        assert!(matches!(ray(Vector3::zeros()), Err(Error::ZeroDirection { .. })));
        let far = ray(Vector3::x()).unwrap().unwrap();
        for length in [f64::MIN_POSITIVE, 1e300] {
            assert!((ray(Vector3::x() * length).unwrap().unwrap() - far).norm() < 1e-15 * far.norm());
        }
    }

    #[test]
    fn what_is_outside_has_no_parameters() {
        let collision = Collision::planar([[2.0, -1.0], [-1.0, 3.0]], [-1.0, 0.5]).unwrap();
        let region = AccessibleRegion::of(&collision, 0.5);
        assert_eq!(region.parameters_of(&Vector3::zeros()), None);
        assert_eq!(region.parameters_of(&Vector3::new(0.7, 0.4, 0.0)), None);
    }
}
