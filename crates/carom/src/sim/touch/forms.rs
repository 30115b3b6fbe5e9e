//! The common normal of two ellipsoids, or of an ellipsoid and a point.
//!
//! An ellipsoid about c that a matrix S makes of the unit ball reaches as far as c·n + √(n·E n) along n, with the form E = S Sᵀ, and
//! touches there at c + E n/√(n·E n). So along a unit n from B to A two of them are apart by
//!
//! ```text
//! gap(n) = n·d − √(n·A n) − √(n·B n)          d: from the centre of B to that of A
//! ```
//!
//! and their distance is the greatest of these. Where it is positive there is only one maximum, for the gap is concave in n; where
//! they overlap, the maximum nearby tells how deep. A point is an ellipsoid whose form is zero. A line is a point too, for an eye
//! that looks along it.

use nalgebra::{Matrix3, Vector3};

/// An ellipsoid with another or with a point, in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forms {
    /// From the centre of B to that of A.
    pub(super) apart: Vector3<f64>,
    /// The matrices S of both. That of a point is zero.
    pub(super) a: Matrix3<f64>,
    pub(super) b: Matrix3<f64>,
    /// The unit direction of a line that the point stands for: the normal is across.
    pub(super) along: Option<Vector3<f64>>,
}

/// Where an ellipsoid touches a plane across n: E n/√(n·E n) from its centre; and by how much that moves as n turns. The second is
/// the matrix of its radii of curvature there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Support {
    pub(super) place: Vector3<f64>,
    pub(super) curvature: Matrix3<f64>,
}

/// Corrections of the normal. Each squares what is left once it is small.
const MOST_TURNS: usize = 60;
/// A correction below this leaves less than rounding, rad.
const SMALL: f64 = 1e-9;
/// A correction below this is too small to see by the gap whether it is one, rad.
const BLIND: f64 = 1e-6;
/// How well the ratio of the evenly blown up ellipsoids is known when the search for the normal starts there.
const START: f64 = 1e-3;

impl Support {
    /// Of the ellipsoid that a matrix makes of the unit ball. The form itself would lose half the digits of a thin one.
    pub(super) fn of(stretch: &Matrix3<f64>, n: &Vector3<f64>) -> Support {
        let own = stretch.tr_mul(n);
        let height = own.norm();
        if height == 0.0 {
            return Support { place: Vector3::zeros(), curvature: Matrix3::zeros() };
        }
        let own = own / height;
        let place = stretch * own;
        let across = stretch - place * own.transpose();
        Support { place, curvature: across * across.transpose() / height }
    }
}

impl Forms {
    /// How far they are apart along a unit direction.
    pub(super) fn gap(&self, n: &Vector3<f64>) -> f64 {
        n.dot(&self.apart) - self.a.tr_mul(n).norm() - self.b.tr_mul(n).norm()
    }

    /// A vector without its part along the line.
    fn seen(&self, vector: &Vector3<f64>) -> Vector3<f64> {
        self.along.map_or(*vector, |u| vector - u * u.dot(vector))
    }

    /// The directions in which the normal cannot turn.
    fn bound(&self, n: &Vector3<f64>) -> Matrix3<f64> {
        n * n.transpose() + self.along.map_or_else(Matrix3::zeros, |u| u * u.transpose())
    }

    /// The unit direction from B to A along which they are farthest apart. Nothing for centres that coincide.
    pub(super) fn normal(&self) -> Option<Vector3<f64>> {
        let between = self.seen(&self.apart).try_normalize(0.0)?;
        let even = self.even().and_then(|even| self.seen(&even).try_normalize(0.0));
        let mut n = even.filter(|even| self.gap(even) > self.gap(&between)).unwrap_or(between);
        let mut gap = self.gap(&n);
        for _ in 0..MOST_TURNS {
            let step = self.newton(&n)?;
            let size = step.norm();
            let (mut part, mut next) = (1.0, self.seen(&(n + step)).normalize());
            while size * part > BLIND && self.gap(&next) < gap {
                part *= 0.5;
                next = self.seen(&(n + step * part)).normalize();
            }
            (n, gap) = (next, self.gap(&next));
            if size <= SMALL {
                break;
            }
        }
        Some(n)
    }

    /// The unit direction, across the line, with the least n·A n + n·B n.
    pub(super) fn thinnest(&self) -> Vector3<f64> {
        let form = self.a * self.a.transpose() + self.b * self.b.transpose();
        let bound = self.bound(&Vector3::zeros());
        let free = Matrix3::identity() - bound;
        let axes = (free * form * free + bound * form.trace()).symmetric_eigen();
        self.seen(&axes.eigenvectors.column(axes.eigenvalues.imin()).into_owned()).normalize()
    }

    /// Newton's step towards the maximum on the sphere, where the gap bends by the radii of curvature and by itself.
    fn newton(&self, n: &Vector3<f64>) -> Option<Vector3<f64>> {
        let (a, b) = (Support::of(&self.a, n), Support::of(&self.b, n));
        let from = self.apart - a.place - b.place;
        let gap = n.dot(&from);
        let rounded = a.curvature + b.curvature;
        let bound = self.bound(n);
        let free = Matrix3::identity() - bound;
        let stiff = free * rounded * free + bound * rounded.trace();
        // Deep inside each other they may be nowhere near a maximum: then the curvature alone still shows the way up.
        let bend = (stiff + free * gap).cholesky().or_else(|| stiff.cholesky())?;
        Some(free * bend.solve(&(free * from)))
    }

    /// Blown up by the same factor until they touch (Perram & Wertheim 1985), the ellipsoids have the normal (A + r B)⁻¹ d with
    /// r = √(n·A n)/√(n·B n). If they are apart at all, they are so along this one. For a point it is the normal of the ellipsoid
    /// through it.
    fn even(&self) -> Option<Vector3<f64>> {
        let [a, b] = [self.a, self.b].map(|stretch| stretch * stretch.transpose());
        let across = Matrix3::identity() - self.bound(&Vector3::zeros());
        let seen = |form: &Matrix3<f64>| across * form * across + (Matrix3::identity() - across) * form.trace();
        let normal = |ratio: f64| Some(seen(&(a + b * ratio)).cholesky()?.solve(&self.seen(&self.apart)));
        if b == Matrix3::zeros() {
            return normal(0.0);
        }
        // The least eigenvalue is no less than the determinant over what the product of the others can be.
        let ends = |form: &Matrix3<f64>| (form.trace(), 4.0 * form.determinant() / form.trace().powi(2));
        let ((most_a, least_a), (most_b, least_b)) = (ends(&a), ends(&b));
        // In logarithms the ratio that comes out, less the one that went in, falls through zero once: the regula falsi.
        let excess = |log: f64| normal(log.exp()).map(|n| 0.5 * (n.dot(&(a * n)) / n.dot(&(b * n))).ln() - log);
        let (mut low, mut high) = (0.5 * (least_a / most_b).ln(), 0.5 * (most_a / least_b).ln());
        let (mut above, mut below) = (excess(low)?, excess(high)?);
        let mut log = 0.5 * (low + high);
        for _ in 0..MOST_TURNS {
            let now = excess(log)?;
            if now.abs() <= START {
                break;
            }
            // An end that stays twice counts for half (Illinois).
            if now > 0.0 {
                (low, above, below) = (log, now, 0.5 * below);
            } else {
                (high, below, above) = (log, now, 0.5 * above);
            }
            log = low + (high - low) * above / (above - below);
        }
        normal(log.exp())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::Random;

    /// An ellipsoid with half diameters from `least` to 1 and any axes.
    fn stretch(random: &mut Random, least: f64) -> Matrix3<f64> {
        let semi_axes = Vector3::from_fn(|_, _| random.log_between(least, 1.0));
        random.rotation() * Matrix3::from_diagonal(&semi_axes)
    }

    /// Set so that they touch, or nearly, along a direction of our choice, they are found to do so.
    #[test]
    fn the_normal_is_that_along_which_they_were_set_apart() {
        let mut random = Random(3);
        for case in 0..30_000 {
            let least = random.log_between(1e-3, 1.0);
            let a = stretch(&mut random, least);
            let scale = if case % 3 == 2 { random.log_between(1e-2, 1e2) } else { 0.0 };
            let b = stretch(&mut random, least) * scale;
            let along = (case % 3 == 1).then(|| random.direction());
            let n = random.direction();
            let n = along.map_or(n, |u| (n - u * u.dot(&n)).normalize());
            // Overlap is told as long as it is less than the radii of curvature.
            let deep = -0.1 * least * least * random.unit();
            let gap = if case % 2 == 0 { random.log_between(1e-9, 10.0) } else { deep };
            let slide = along.unwrap_or_default() * random.between(-5.0, 5.0);
            let apart = Support::of(&a, &n).place + Support::of(&b, &n).place + n * gap + slide;
            let forms = Forms { apart, a, b, along };
            let size = 1.0 + scale + apart.norm();
            let found = forms.normal().unwrap();
            assert!((forms.gap(&found) - gap).abs() < 1e-15 * size, "{case} {forms:?} {gap:e}");
            let off = (found - n).norm();
            assert!(off < 1e-15 * size / (least * least), "{case} {forms:?} {gap:e}: {off:e}");
            assert!(found.dot(&along.unwrap_or_default()).abs() < 1e-15);
        }
    }
}
