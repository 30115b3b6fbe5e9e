//! The energy ellipsoid: every impulse that creates no kinetic energy.

use super::checked_impulse;
use crate::collision::Collision;
use crate::error::{Error, finite, non_negative};
use nalgebra::{Matrix3, Vector3};

/// The impulses with `P·(2V + W P) ≤ 0` (Chatterjee 1997, eq. 2.5), a solid ellipsoid about −M V through the origin.
///
/// Surfaces of equal energy after the collision are concentric and similar to it. Contact frame (n, t1, t2), kg m/s.
/// For a singular W it is a cylinder along the directions in which nothing moves; for V = 0 it shrinks to its centre
/// (or axis).
#[derive(Clone, Copy, Debug)]
pub struct EnergyEllipsoid<'a> {
    collision: &'a Collision,
}

/// The principal axes of an ellipsoid of equal energy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrincipalAxes {
    /// Unit directions, one per column, contact frame.
    pub directions: Matrix3<f64>,
    /// Half the length along each, kg m/s; infinite along a direction in which nothing moves.
    pub half_lengths: Vector3<f64>,
}

/// An impulse is on the surface if it misses it by no more than this, relative to the size of the terms compared.
const ON_SURFACE: f64 = 1e-12;

impl<'a> EnergyEllipsoid<'a> {
    /// The ellipsoid of a collision.
    pub fn new(collision: &'a Collision) -> Self {
        EnergyEllipsoid { collision }
    }

    /// `P·(2V + W P)`, twice the change of kinetic energy, J: negative inside, zero on the surface.
    pub fn value(&self, impulse: &Vector3<f64>) -> Result<f64, Error> {
        checked_impulse(impulse)?;
        Ok(self.gain(impulse))
    }

    /// The value at an impulse that is known to be sound.
    pub(super) fn gain(self, impulse: &Vector3<f64>) -> f64 {
        2.0 * self.collision.energy_change(impulse)
    }

    /// Whether an impulse creates no energy, the surface included. One that is not finite, or too large for its square to be, is
    /// taken to create some.
    pub fn contains(&self, impulse: &Vector3<f64>) -> bool {
        if checked_impulse(impulse).is_err() {
            return false;
        }
        let (w, v) = (self.collision.inverse_mass(), self.collision.velocity());
        let scale = impulse.abs().dot(&(v.abs() * 2.0 + w.abs() * impulse.abs()));
        self.gain(impulse) <= ON_SURFACE * scale
    }

    /// The centre −M V, where all local energy is lost and V after is zero; −W⁺V for a singular W.
    pub fn centre(&self) -> Vector3<f64> {
        -self.collision.mass_times(self.collision.velocity())
    }

    /// The local energy after the impulse as a fraction α of that before: 1 on the surface, 0 at the centre
    /// (Chatterjee 1997, eq. 3.1). `None` when there is no energy before (V = 0).
    pub fn level(&self, impulse: &Vector3<f64>) -> Result<Option<f64>, Error> {
        checked_impulse(impulse)?;
        let before = self.energy_scale();
        if before <= 0.0 {
            return Ok(None);
        }
        let after = self.collision.velocity_after(impulse);
        let level = after.dot(&self.collision.mass_times(&after)) / before;
        finite("energy after the impulse", &[level])?;
        Ok(Some(level))
    }

    /// The unit vector normal to the surface of equal energy through an impulse, pointing to more energy: the direction
    /// of V after (normality principle, Chatterjee 1997, 3.3). `None` at the centre.
    pub fn outward_normal(&self, impulse: &Vector3<f64>) -> Result<Option<Vector3<f64>>, Error> {
        checked_impulse(impulse)?;
        Ok(self.collision.velocity_after(impulse).try_normalize(0.0))
    }

    /// The point of the surface of level α ≥ 0 that belongs to the unit vector u: `−M V + √(α V·M V) L u` with
    /// `M = L Lᵀ`. Every point belongs to exactly one u. `None` for a singular W.
    pub fn point(&self, level: f64, u: &Vector3<f64>) -> Result<Option<Vector3<f64>>, Error> {
        non_negative("level", level)?;
        finite("direction", u.as_slice())?;
        let Some(factor) = self.collision.mass().and_then(nalgebra::Matrix::cholesky) else { return Ok(None) };
        let point = self.centre() + factor.l() * u * (level * self.energy_scale()).sqrt();
        finite("point of the ellipsoid", point.as_slice())?;
        Ok(Some(point))
    }

    /// The principal axes of the surface of level α ≥ 0.
    pub fn principal_axes(&self, level: f64) -> Result<PrincipalAxes, Error> {
        non_negative("level", level)?;
        let Spectrum { axes, eigenvalues } = self.spectrum();
        let size = level * self.energy_scale();
        let half_lengths = eigenvalues.map(|w| if w > 0.0 { (size / w).sqrt() } else { f64::INFINITY });
        finite("level", &[size])?;
        Ok(PrincipalAxes { directions: axes, half_lengths })
    }

    /// The point with the largest normal impulse, `−M V + √(V·M V/M_nn) M n`. `None` for a singular W, which may have
    /// none.
    pub fn top(&self) -> Option<Vector3<f64>> {
        let pull: Vector3<f64> = self.collision.mass()?.column(0).into();
        Some(self.centre() + pull * (self.energy_scale() / pull.x).sqrt())
    }

    /// The impulse after which the bodies separate fastest without gain of energy, `−M V + √(V·M V/W_nn) n`.
    pub fn fastest_separation(&self) -> Vector3<f64> {
        let stiffness = self.collision.inverse_mass()[(0, 0)];
        self.centre() + Vector3::x() * (self.energy_scale() / stiffness).sqrt()
    }

    /// The largest kinematic restitution that energy allows, `√(V·M V W_nn)/(−V_n)`: at least 1, and above 1 wherever
    /// tangential motion can feed the normal one. `None` unless the bodies approach.
    pub fn largest_restitution(&self) -> Option<f64> {
        let speed = -self.collision.velocity().x;
        let stiffness = self.collision.inverse_mass()[(0, 0)];
        (speed > 0.0).then(|| (self.energy_scale() * stiffness).sqrt() / speed)
    }

    /// The point of the surface nearest to any point, inside or outside; one of them where several are.
    pub fn nearest_on_surface(&self, point: &Vector3<f64>) -> Result<Vector3<f64>, Error> {
        checked_impulse(point)?;
        let foot = self.foot(point);
        finite("nearest point of the ellipsoid", foot.as_slice())?;
        Ok(foot)
    }

    /// The same for a point that is known to be sound.
    pub(super) fn foot(self, point: &Vector3<f64>) -> Vector3<f64> {
        let Spectrum { axes, eigenvalues: w } = self.spectrum();
        let (centre, size) = (self.centre(), self.energy_scale());
        let y = axes.tr_mul(&(point - centre));
        if size <= 0.0 {
            return centre + axes * y.zip_map(&w, |y, w| if w > 0.0 { 0.0 } else { y });
        }
        let foot = centre + axes * nearest_in_principal_axes(&y, &w, size);
        // Far from the centre the foot carries the centre's rounding; its value does not, and tells how far to go.
        let after = self.collision.velocity_after(&foot);
        foot - after * (self.gain(&foot) / (2.0 * after.norm_squared()).max(f64::MIN_POSITIVE))
    }

    /// The point of the solid ellipsoid nearest to any point: the point itself if it is inside.
    pub fn nearest(&self, point: &Vector3<f64>) -> Result<Vector3<f64>, Error> {
        if self.value(point)? <= 0.0 { Ok(*point) } else { self.nearest_on_surface(point) }
    }

    pub(super) fn nearest_in_solid(self, point: &Vector3<f64>) -> Vector3<f64> {
        if self.gain(point) <= 0.0 { *point } else { self.foot(point) }
    }

    /// K = V·M V.
    fn energy_scale(self) -> f64 {
        2.0 * self.collision.local_energy()
    }

    fn spectrum(self) -> Spectrum {
        let eigen = self.collision.eigen();
        Spectrum { axes: eigen.eigenvectors, eigenvalues: eigen.eigenvalues }
    }
}

/// W = axes · diag(eigenvalues) · axesᵀ.
struct Spectrum {
    axes: Matrix3<f64>,
    eigenvalues: Vector3<f64>,
}

/// The point of `Σ w_i x_i² = K` nearest to y.
///
/// `x_i = y_i/(1 + λ w_i)` with λ > −1/w_max from the secular equation. The unknown is u = 1 + λ w_max > 0, so that the
/// denominators `d_i = (1 − ρ_i) + ρ_i u`, ρ_i = w_i/w_max, are sums of non-negative terms and lose no digits however
/// different the axes are:
///
/// ```text
/// G(u) = Σ (z_i/d_i)² = 1,   z_i = y_i √(w_i/K)
/// ```
fn nearest_in_principal_axes(y: &Vector3<f64>, w: &Vector3<f64>, size: f64) -> Vector3<f64> {
    let shortest = w.imax();
    let rho = w / w[shortest];
    let z = y.zip_map(w, |y, w| y * (w / size).sqrt());
    let denominator = |u: f64| rho.map(|rho| (1.0 - rho) + rho * u);
    let shrunk = |u: f64| z.zip_map(&denominator(u), |z, d| if z == 0.0 { 0.0 } else { z / d });

    let beyond = shrunk(0.0).norm_squared();
    if z[shortest] == 0.0 && beyond <= 1.0 {
        // From the middle plane of a flat ellipsoid the nearest points lie on both sides; take the positive one.
        let mut x = y.zip_map(&denominator(0.0), |y, d| if y == 0.0 { 0.0 } else { y / d });
        x[shortest] = ((1.0 - beyond) * size / w[shortest]).sqrt();
        return x;
    }
    let u = secular_root(&z, &rho, shrunk, z[shortest].abs());
    let miss = shrunk(u).norm();
    y.zip_zip_map(&denominator(u), w, |y, d, w| match (y == 0.0, w > 0.0) {
        (true, _) => 0.0,
        // The last rounding goes into lying on the surface.
        (false, true) => y / d / miss,
        (false, false) => y,
    })
}

/// The root of G(u) = 1 above `least`: Newton's method on 1/√G, which is nearly straight, inside a shrinking bracket.
fn secular_root(z: &Vector3<f64>, rho: &Vector3<f64>, shrunk: impl Fn(f64) -> Vector3<f64>, mut least: f64) -> f64 {
    // Inside, u ≤ 1; outside, d_i ≥ ρ_i u bounds it.
    let mut most =
        if z.norm() <= 1.0 { 1.0 } else { z.zip_map(rho, |z, rho| if z == 0.0 { 0.0 } else { z / rho }).norm() };
    let mut u = if z.norm() <= 1.0 { least.max(0.5) } else { 1.0_f64.max(least) };
    for _ in 0..SECULAR_STEPS {
        let x = shrunk(u);
        let length = x.norm();
        if length > 1.0 {
            least = u;
        } else {
            most = u;
        }
        // d(1/√G)/du = Σ x_i² ρ_i/d_i / G^{3/2}
        let slope = (0..3).map(|i| x[i] * x[i] * rho[i] / ((1.0 - rho[i]) + rho[i] * u)).sum::<f64>() / length.powi(3);
        let newton = u + (1.0 - length.recip()) / slope;
        let next = if newton > least && newton < most { newton } else { (least * most).sqrt().max(0.5 * least) };
        // A bracket that starts at zero has no geometric mean.
        let next = if next > least && next < most { next } else { 0.5 * (least + most) };
        if (next - u).abs() <= 2.0 * f64::EPSILON * u || next == least || next == most {
            return next;
        }
        u = next;
    }
    u
}

/// Bisection of a double's exponent and mantissa needs no more.
const SECULAR_STEPS: usize = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn random_collision(random: &mut Random, smallest: f64) -> Collision {
        let velocity = random.direction();
        let velocity = Vector3::new(-velocity.x.abs() - 0.01, velocity.y, velocity.z);
        Collision::new(&random.definite(smallest), &velocity).unwrap()
    }

    #[test]
    fn origin_and_full_reversal_are_on_the_surface_and_the_centre_is_the_lowest_level() {
        let mut random = Random(1);
        for _ in 0..200 {
            let collision = random_collision(&mut random, 1e-3);
            let ellipsoid = EnergyEllipsoid::new(&collision);
            let centre = ellipsoid.centre();
            assert_eq!(ellipsoid.value(&Vector3::zeros()).unwrap(), 0.0);
            assert!(ellipsoid.value(&(centre * 2.0)).unwrap().abs() < 1e-10 * centre.norm());
            assert!(ellipsoid.contains(&(centre * 2.0)) && !ellipsoid.contains(&(centre * 2.001)));
            assert!(ellipsoid.level(&centre).unwrap().unwrap() < 1e-12);
            assert!((ellipsoid.level(&(centre * 0.5)).unwrap().unwrap() - 0.25).abs() < 1e-12);
        }
    }

    #[test]
    fn points_have_the_level_they_were_asked_for() {
        let mut random = Random(2);
        for _ in 0..200 {
            let collision = random_collision(&mut random, 1e-3);
            let ellipsoid = EnergyEllipsoid::new(&collision);
            let level = random.unit();
            let point = ellipsoid.point(level, &random.direction()).unwrap().unwrap();
            assert!((ellipsoid.level(&point).unwrap().unwrap() - level).abs() < 1e-11);
            let axes = ellipsoid.principal_axes(level).unwrap();
            for i in 0..3 {
                let end = ellipsoid.centre() + axes.directions.column(i) * axes.half_lengths[i];
                assert!((ellipsoid.level(&end).unwrap().unwrap() - level).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn velocity_after_is_normal_to_the_surface_of_equal_energy() {
        // Chatterjee's eq. 3.1: the gradient of P·(2V + W P) is 2 V_after, here by central differences.
        let mut random = Random(3);
        for _ in 0..200 {
            let collision = random_collision(&mut random, 1e-2);
            let ellipsoid = EnergyEllipsoid::new(&collision);
            let point = ellipsoid.point(random.unit(), &random.direction()).unwrap().unwrap();
            let h = 1e-5;
            let gradient = Vector3::from_fn(|i, _| {
                let step = Vector3::ith(i, h);
                (ellipsoid.value(&(point + step)).unwrap() - ellipsoid.value(&(point - step)).unwrap()) / (2.0 * h)
            });
            let after = collision.velocity_after(&point);
            assert!((gradient - after * 2.0).norm() < 1e-8 * (1.0 + point.norm()));
            assert!((ellipsoid.outward_normal(&point).unwrap().unwrap() - after.normalize()).norm() < 1e-14);
        }
    }

    #[test]
    fn nothing_on_the_surface_is_above_the_top_or_separates_faster() {
        let mut random = Random(4);
        for _ in 0..50 {
            let collision = random_collision(&mut random, 1e-2);
            let ellipsoid = EnergyEllipsoid::new(&collision);
            let (top, fastest) = (ellipsoid.top().unwrap(), ellipsoid.fastest_separation());
            let largest = ellipsoid.largest_restitution().unwrap();
            assert!(largest >= 1.0 - 1e-12);
            assert!((ellipsoid.level(&top).unwrap().unwrap() - 1.0).abs() < 1e-11);
            assert!((ellipsoid.level(&fastest).unwrap().unwrap() - 1.0).abs() < 1e-11);
            let restitution = |p: &Vector3<f64>| -collision.velocity_after(p).x / collision.velocity().x;
            assert!((restitution(&fastest) - largest).abs() < 1e-11 * largest);
            for _ in 0..200 {
                let point = ellipsoid.point(1.0, &random.direction()).unwrap().unwrap();
                assert!(point.x <= top.x * (1.0 + 1e-12));
                assert!(restitution(&point) <= largest * (1.0 + 1e-12));
            }
        }
    }

    #[test]
    fn the_nearest_point_is_on_the_surface_and_the_way_there_is_normal_to_it() {
        // In principal axes, where the check itself loses no digits, for eigenvalue ratios to 1e12.
        let mut random = Random(5);
        for _ in 0..20_000 {
            let w = Vector3::from_fn(|_, _| random.log_between(1e-12, 1.0));
            let size = random.log_between(1e-3, 1e3);
            let half_lengths = w.map(|w| (size / w).sqrt());
            let y = random.direction().component_mul(&half_lengths) * random.log_between(1e-9, 1e6);
            let x = nearest_in_principal_axes(&y, &w, size);
            assert!((x.component_div(&half_lengths).norm() - 1.0).abs() < 1e-14);
            let (way, normal) = (y - x, x.component_mul(&w).normalize());
            let across = (way - normal * normal.dot(&way)).norm();
            assert!(across <= 1e-10 * way.norm() + 1e-15 * y.norm(), "{across} of {} at {y} {w}", way.norm());
            for _ in 0..5 {
                let other = random.direction().component_mul(&half_lengths);
                assert!((y - other).norm() >= way.norm() * (1.0 - 1e-12));
            }
        }
    }

    #[test]
    fn in_the_contact_frame_no_point_of_the_surface_is_nearer() {
        let mut random = Random(6);
        for _ in 0..500 {
            let collision = random_collision(&mut random, 1e-6);
            let ellipsoid = EnergyEllipsoid::new(&collision);
            let axes = ellipsoid.principal_axes(random.log_between(1e-4, 1e4)).unwrap();
            let point = ellipsoid.centre() + axes.directions * random.direction().component_mul(&axes.half_lengths);
            let nearest = ellipsoid.foot(&point);
            assert!((ellipsoid.level(&nearest).unwrap().unwrap() - 1.0).abs() < 1e-8);
            let rounding = 1e-12 * ellipsoid.centre().norm();
            for _ in 0..50 {
                let other = ellipsoid.point(1.0, &random.direction()).unwrap().unwrap();
                assert!((point - other).norm() >= (point - nearest).norm() - rounding);
            }
            let inside = ellipsoid.value(&point).unwrap() <= 0.0;
            assert_eq!(ellipsoid.nearest(&point).unwrap(), if inside { point } else { nearest });
        }
    }

    #[test]
    fn from_the_centre_the_nearest_point_is_the_end_of_the_shortest_axis() {
        let w = Matrix3::from_diagonal(&Vector3::new(1.0, 4.0, 0.25));
        let collision = Collision::new(&w, &Vector3::new(-1.0, 0.0, 0.0)).unwrap();
        let ellipsoid = EnergyEllipsoid::new(&collision);
        let nearest = ellipsoid.foot(&ellipsoid.centre());
        assert!(((nearest - ellipsoid.centre()).norm() - 0.5).abs() < 1e-15);
        let ball = Collision::new(&Matrix3::identity(), &Vector3::new(-1.0, 0.0, 0.0)).unwrap();
        let ball = EnergyEllipsoid::new(&ball);
        assert!(((ball.foot(&ball.centre()) - ball.centre()).norm() - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_singular_inverse_mass_gives_a_cylinder() {
        let w = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 0.0));
        let collision = Collision::new(&w, &Vector3::new(-1.0, 0.0, 0.0)).unwrap();
        let ellipsoid = EnergyEllipsoid::new(&collision);
        assert_eq!(ellipsoid.top(), None);
        let nearest = ellipsoid.foot(&Vector3::new(4.0, 4.0, 7.0));
        let expected = Vector3::new(1.0 + 0.6, 0.8, 7.0);
        assert!((nearest - expected).norm() < 1e-14, "{nearest}");
    }
}
