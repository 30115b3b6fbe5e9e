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

/// Two ellipsoids in world axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Forms {
    /// From the centre of B to that of A.
    pub(super) apart: Vector3<f64>,
    pub(super) a: Matrix3<f64>,
    /// Zero for a point.
    pub(super) b: Matrix3<f64>,
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
    pub(super) fn of(form: &Matrix3<f64>, n: &Vector3<f64>) -> Support {
        let across = form * n;
        let height = n.dot(&across).sqrt();
        if height == 0.0 {
            return Support { place: Vector3::zeros(), curvature: Matrix3::zeros() };
        }
        let place = across / height;
        Support { place, curvature: (form - place * place.transpose()) / height }
    }
}

impl Forms {
    /// How far they are apart along a unit direction.
    pub(super) fn gap(&self, n: &Vector3<f64>) -> f64 {
        n.dot(&self.apart) - n.dot(&(self.a * n)).sqrt() - n.dot(&(self.b * n)).sqrt()
    }

    /// The unit direction from B to A along which they are farthest apart. Nothing for centres that coincide.
    pub(super) fn normal(&self) -> Option<Vector3<f64>> {
        let between = self.apart.try_normalize(0.0)?;
        let mut n = match self.even().and_then(|even| even.try_normalize(0.0)) {
            Some(even) if self.gap(&even) > self.gap(&between) => even,
            _ => between,
        };
        let mut gap = self.gap(&n);
        for _ in 0..MOST_TURNS {
            let step = self.newton(&n)?;
            let size = step.norm();
            let (mut part, mut next) = (1.0, (n + step).normalize());
            while size * part > BLIND && self.gap(&next) < gap {
                part *= 0.5;
                next = (n + step * part).normalize();
            }
            (n, gap) = (next, self.gap(&next));
            if size <= SMALL {
                break;
            }
        }
        Some(n)
    }

    /// Newton's step towards the maximum on the sphere, where the gap bends by the radii of curvature and by itself.
    fn newton(&self, n: &Vector3<f64>) -> Option<Vector3<f64>> {
        let (a, b) = (Support::of(&self.a, n), Support::of(&self.b, n));
        let from = self.apart - a.place - b.place;
        let gap = n.dot(&from);
        let along = n * n.transpose();
        let rounded = a.curvature + b.curvature;
        let stiff = rounded + along * rounded.trace();
        // Deep inside each other they may be nowhere near a maximum: then the curvature alone still shows the way up.
        let bend = (stiff + (Matrix3::identity() - along) * gap).cholesky().or_else(|| stiff.cholesky())?;
        let step = bend.solve(&(from - n * gap));
        Some(step - n * n.dot(&step))
    }

    /// Blown up by the same factor until they touch (Perram & Wertheim 1985), the ellipsoids have the normal (A + r B)⁻¹ d with
    /// r = √(n·A n)/√(n·B n). If they are apart at all, they are so along this one. For a point it is the normal of the ellipsoid
    /// through it.
    fn even(&self) -> Option<Vector3<f64>> {
        let normal = |ratio: f64| Some((self.a + self.b * ratio).cholesky()?.solve(&self.apart));
        if self.b == Matrix3::zeros() {
            return normal(0.0);
        }
        // The least eigenvalue is no less than the determinant over what the product of the others can be.
        let [a, b] = [&self.a, &self.b].map(|form| (form.trace(), 4.0 * form.determinant() / form.trace().powi(2)));
        // In logarithms the ratio that comes out, less the one that went in, falls through zero once: the regula falsi.
        let excess =
            |log: f64| normal(log.exp()).map(|n| 0.5 * (n.dot(&(self.a * n)) / n.dot(&(self.b * n))).ln() - log);
        let (mut low, mut high) = (0.5 * (a.1 / b.0).ln(), 0.5 * (a.0 / b.1).ln());
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

    /// A form with half diameters from `least` to 1 and any axes.
    fn form(random: &mut Random, least: f64) -> Matrix3<f64> {
        random.definite(least * least)
    }

    #[test]
    fn no_direction_nearby_or_far_away_shows_a_wider_gap_between_bodies_apart() {
        let mut random = Random(3);
        let mut counts = [0; 2];
        for case in 0..20_000 {
            let least = random.log_between(1e-3, 1.0);
            let a = form(&mut random, least);
            let scale = random.log_between(1e-2, 1e2);
            let b = if case % 2 == 0 { Matrix3::zeros() } else { form(&mut random, least) * (scale * scale) };
            let forms = Forms { apart: random.direction() * random.log_between(1e-2, 10.0) * (1.0 + scale), a, b };
            let n = forms.normal().unwrap();
            let (gap, size) = (forms.gap(&n), 1.0 + scale + forms.apart.norm());
            counts[usize::from(gap > 0.0)] += 1;
            let near = if gap > 0.0 { 2.0 } else { 1e-5 * least * least };
            for _ in 0..20 {
                let other = (n + random.direction() * random.log_between(1e-9, 1.0) * near).normalize();
                assert!(forms.gap(&other) <= gap + 1e-15 * size, "{case} {forms:?} {gap:e}");
            }
            let (s, t) = (Support::of(&a, &n), Support::of(&b, &n));
            let skew = (forms.apart - s.place - t.place).cross(&n).norm();
            assert!(skew < 1e-13 * size, "{case} {forms:?} {gap:e}: {skew:e}");
        }
        assert!(counts[0] > 1000 && counts[1] > 1000, "{counts:?}");
    }
}
