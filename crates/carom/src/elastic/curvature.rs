//! The shapes that touch: principal curvatures of two surfaces, and the gap between them.

use crate::error::{Error, finite, positive};

/// A surface near the contact, to second order.
///
/// A radius of curvature is positive where the body is convex, negative for a seat and infinite where it is straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surface {
    /// Principal curvatures, 1/m.
    curvatures: [f64; 2],
    /// Direction of the first principal curvature in the tangent plane, from t1 towards t2, rad.
    direction: f64,
}

impl Surface {
    /// A plane.
    pub const FLAT: Surface = Surface { curvatures: [0.0; 2], direction: 0.0 };

    /// A surface with two principal radii, m. The section along `direction` (angle from t1 towards t2, rad) has the
    /// first, the section across it the second.
    pub fn new(radii: [f64; 2], direction: f64) -> Result<Surface, Error> {
        finite("direction of the principal curvature", &[direction])?;
        for radius in radii {
            if radius.is_nan() || radius.recip().is_infinite() {
                return Err(Error::OutOfRange {
                    what: "radius of curvature",
                    value: radius,
                    expected: "a radius that is not 0, negative for a seat, infinite for a straight line",
                });
            }
        }
        Ok(Surface { curvatures: radii.map(f64::recip), direction })
    }

    /// A ball, or a spherical seat if the radius is negative.
    pub fn sphere(radius: f64) -> Result<Surface, Error> {
        Surface::new([radius; 2], 0.0)
    }

    /// A cylinder whose axis has this angle from t1.
    pub fn cylinder(radius: f64, axis: f64) -> Result<Surface, Error> {
        Surface::new([f64::INFINITY, radius], axis)
    }
}

/// The gap h = A x² + B y² between two surfaces that touch at a point or along a line, 0 ≤ A ≤ B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    a: f64,
    b: f64,
    direction: f64,
}

/// Curvatures below this fraction of their terms are rounding: the surfaces touch along a line.
const LINE: f64 = 1e-14;

impl Gap {
    /// The gap between two surfaces in any relative orientation (Johnson, Contact Mechanics, 4.1).
    ///
    /// The curvature tensors of the two add; A and B are half the principal values of the sum. With the curvatures p, q of one
    /// surface and r, s of the other, ω the angle between them, 2A is the difference of mean and deviation, or
    ///
    /// ```text
    /// 4 A B = p q + r s + (p s + q r) cos² ω + (p r + q s) sin² ω
    /// ```
    ///
    /// where all terms are positive unless there is a seat: a slender contact loses no digits. Whichever rounds less is used.
    ///
    /// ```
    /// use carom::elastic::{Gap, Surface};
    /// // Two equal cylinders at right angles touch like a ball on a plane.
    /// let across = Surface::cylinder(0.01, std::f64::consts::FRAC_PI_2).unwrap();
    /// let gap = Gap::between(&Surface::cylinder(0.01, 0.0).unwrap(), &across).unwrap();
    /// assert!((gap.relative_radii()[0] - 0.01).abs() < 1e-15 && (gap.relative_radii()[1] - 0.01).abs() < 1e-15);
    /// ```
    pub fn between(first: &Surface, second: &Surface) -> Result<Gap, Error> {
        // Twice the mean curvature, and the deviator of the tensor as a vector of twice the angle.
        let (mut mean, mut cos, mut sin) = (0.0, 0.0, 0.0);
        for Surface { curvatures: [along, across], direction } in [first, second] {
            mean += 0.5 * (along + across);
            cos += 0.5 * (along - across) * (2.0 * direction).cos();
            sin += 0.5 * (along - across) * (2.0 * direction).sin();
        }
        let deviation = cos.hypot(sin);
        let (mut a, b) = (0.5 * (mean - deviation), 0.5 * (mean + deviation));
        let rounding = LINE * (first.size() + second.size());
        let (product, terms) = first.curvature_product(second);
        // The angle is known to LINE as well, which counts squared for surfaces that lie along each other.
        let of_product = LINE * (terms + LINE * first.size() * second.size()) / (4.0 * b.abs());
        if of_product < rounding {
            a = product / (4.0 * b);
        }
        if a.abs() <= rounding.min(of_product) {
            a = 0.0;
        }
        if a < 0.0 || b <= rounding {
            return Err(Error::OutOfRange {
                what: "relative curvature",
                value: if a < 0.0 { 2.0 * a } else { 2.0 * b },
                expected: "surfaces that touch at a point or along a line, not beyond it and not all over",
            });
        }
        // x lies where the curvature is least: at right angles to the greatest.
        let direction = if deviation <= rounding { 0.0 } else { 0.5 * (-sin).atan2(-cos) };
        // Both radii must be numbers too.
        for curvature in [a, b].into_iter().filter(|curvature| *curvature != 0.0) {
            positive("relative radius", 0.5 / curvature)?;
        }
        finite("relative curvature", &[a, b])?;
        Ok(Gap { a, b, direction })
    }

    /// The gap of a circular contact with this relative radius, m.
    pub(super) fn circular(radius: f64) -> Result<Gap, Error> {
        positive("relative radius", radius)?;
        let curvature = 0.5 / radius;
        positive("relative curvature", curvature)?;
        Ok(Gap { a: curvature, b: curvature, direction: 0.0 })
    }

    /// A, 1/m; 0 for contact along a line.
    pub fn a(&self) -> f64 {
        self.a
    }

    /// B, 1/m.
    pub fn b(&self) -> f64 {
        self.b
    }

    /// Direction of x, the long axis of the contact, from t1 towards t2, −π/2 to π/2.
    pub fn direction(&self) -> f64 {
        self.direction
    }

    /// The gap with these relative radii R' and R'', in either order, m; one of them may be infinite.
    pub fn of_radii(radii: [f64; 2]) -> Result<Gap, Error> {
        Gap::between(&Surface::new(radii, 0.0)?, &Surface::FLAT)
    }

    /// R' = 1/(2A) and R'' = 1/(2B), m; R' is infinite for contact along a line.
    pub fn relative_radii(&self) -> [f64; 2] {
        [0.5 / self.a, 0.5 / self.b]
    }

    /// Whether the surfaces touch along a line.
    pub fn is_line(&self) -> bool {
        self.a == 0.0
    }
}

impl Surface {
    fn size(&self) -> f64 {
        self.curvatures[0].abs() + self.curvatures[1].abs()
    }

    /// The product of the principal values of the sum of two curvature tensors, and the sum of its terms' sizes.
    fn curvature_product(&self, other: &Surface) -> (f64, f64) {
        let ([p, q], [r, s]) = (self.curvatures, other.curvatures);
        let (sin, cos) = (self.direction - other.direction).sin_cos();
        let terms = [p * q, r * s, p * s * cos * cos, q * r * cos * cos, p * r * sin * sin, q * s * sin * sin];
        (terms.iter().sum(), terms.iter().map(|term| term.abs()).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use std::f64::consts::{FRAC_PI_2, PI};

    /// The depth of a surface below the tangent plane at (x, y).
    fn depth(surface: &Surface, x: f64, y: f64) -> f64 {
        let (sin, cos) = surface.direction.sin_cos();
        let (along, across) = (cos * x + sin * y, cos * y - sin * x);
        0.5 * (surface.curvatures[0] * along * along + surface.curvatures[1] * across * across)
    }

    fn random_surface(random: &mut Random) -> Surface {
        let radius = |random: &mut Random| random.log_between(0.01, 1.0) * if random.unit() < 0.2 { -1.0 } else { 1.0 };
        Surface::new([radius(random), radius(random)], random.between(-PI, PI)).unwrap()
    }

    #[test]
    fn slender_contacts_lose_no_digits() {
        // A was the difference of mean and deviation: 1e9 m came back as 999 996 364.6 m.
        for radius in [1e3, 1e6, 1e9, 1e13, 1e20] {
            for [first, second] in [
                [Surface::new([0.01, radius], 0.4).unwrap(), Surface::FLAT],
                [Surface::cylinder(0.02, 0.7).unwrap(), Surface::new([2.0 * radius, 0.02], 0.7).unwrap()],
            ] {
                let gap = Gap::between(&first, &second).unwrap();
                let expected = if second == Surface::FLAT { radius } else { 2.0 * radius };
                assert!((gap.relative_radii()[0] / expected - 1.0).abs() < 1e-14, "{radius}: {gap:?}");
                assert!((gap.relative_radii()[1] / 0.01 - 1.0).abs() < 1e-14, "{radius}: {gap:?}");
            }
        }
        for angle in [0.0, PI, -PI, 3.0 * PI] {
            let parallel =
                Gap::between(&Surface::cylinder(0.02, 0.3).unwrap(), &Surface::cylinder(0.05, 0.3 + angle).unwrap());
            assert!(parallel.unwrap().is_line(), "{angle}");
        }
        // A ball in a seat that all but fits it.
        let gap =
            Gap::between(&Surface::sphere(0.01).unwrap(), &Surface::sphere(-0.01 * (1.0 + 1e-6)).unwrap()).unwrap();
        assert!((gap.a / gap.b - 1.0).abs() < 1e-9, "{gap:?}");
    }

    #[test]
    fn the_gap_is_the_sum_of_both_depths() {
        let mut random = Random(1);
        let mut found = 0;
        while found < 300 {
            let (first, second) = (random_surface(&mut random), random_surface(&mut random));
            let Ok(gap) = Gap::between(&first, &second) else { continue };
            found += 1;
            assert!(gap.a > 0.0 && gap.a <= gap.b && gap.direction.abs() <= FRAC_PI_2);
            for _ in 0..5 {
                let (x, y) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
                let (sin, cos) = gap.direction.sin_cos();
                let (along, across) = (cos * x + sin * y, cos * y - sin * x);
                let expected = depth(&first, x, y) + depth(&second, x, y);
                let scale = first.size() + second.size();
                assert!((gap.a * along * along + gap.b * across * across - expected).abs() < 1e-14 * scale);
            }
        }
    }

    #[test]
    fn the_sums_of_the_source_hold() {
        // Lai 1999, (4.17) and (4.18) in the form without auxiliary angles.
        let mut random = Random(2);
        for _ in 0..200 {
            let (first, second) = (random_surface(&mut random), random_surface(&mut random));
            let Ok(gap) = Gap::between(&first, &second) else { continue };
            let [d1, d2] = [first, second].map(|s| s.curvatures[0] - s.curvatures[1]);
            let angle = first.direction - second.direction;
            let difference = 0.5 * (d1 * d1 + d2 * d2 + 2.0 * d1 * d2 * (2.0 * angle).cos()).sqrt();
            let sum = 0.5 * (first.curvatures.iter().sum::<f64>() + second.curvatures.iter().sum::<f64>());
            let scale = first.size() + second.size();
            assert!((gap.b - gap.a - difference).abs() < 1e-13 * scale && (gap.a + gap.b - sum).abs() < 1e-13 * scale);
        }
    }

    #[test]
    fn a_ball_in_a_seat_has_the_difference_of_curvatures() {
        let gap = Gap::between(&Surface::sphere(0.02).unwrap(), &Surface::sphere(-0.03).unwrap()).unwrap();
        assert!((gap.relative_radii()[0] - 0.06).abs() < 1e-15 && (gap.a - gap.b).abs() < 1e-13);
        assert_eq!(gap.direction, 0.0);
    }

    #[test]
    fn parallel_cylinders_touch_along_a_line() {
        let cylinder = |radius| Surface::cylinder(radius, 0.3).unwrap();
        let gap = Gap::between(&cylinder(0.02), &cylinder(0.03)).unwrap();
        assert!(gap.is_line() && (gap.relative_radii()[1] - 0.012).abs() < 1e-15);
        assert!((gap.direction - 0.3).abs() < 1e-14 && gap.relative_radii()[0].is_infinite());
    }

    #[test]
    fn the_long_axis_lies_along_the_flatter_section() {
        let barrel = Surface::new([0.5, 0.01], 0.4).unwrap();
        let gap = Gap::between(&barrel, &Surface::FLAT).unwrap();
        assert!((gap.direction - 0.4).abs() < 1e-14);
        assert!((gap.relative_radii()[0] - 0.5).abs() < 1e-14 && (gap.relative_radii()[1] - 0.01).abs() < 1e-16);
    }

    #[test]
    fn shapes_that_cannot_touch_at_a_point_are_refused() {
        let ball = Surface::sphere(0.02).unwrap();
        assert!(Gap::between(&ball, &Surface::sphere(-0.01).unwrap()).is_err());
        assert!(Gap::between(&ball, &Surface::sphere(-0.02).unwrap()).is_err());
        assert!(Gap::between(&Surface::FLAT, &Surface::FLAT).is_err());
        assert!(Surface::sphere(0.0).is_err() && Surface::sphere(f64::NAN).is_err());
        assert!(Surface::new([1.0, 1.0], f64::INFINITY).is_err());
    }
}
