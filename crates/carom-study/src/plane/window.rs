//! A rectangle of the impulse plane.

use nalgebra::Vector2;

/// The rectangle between two corners of the impulse plane, (P_n, P_t).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Least P_n and P_t.
    pub lower: Vector2<f64>,
    /// Greatest P_n and P_t.
    pub upper: Vector2<f64>,
}

impl Window {
    /// The smallest window that holds the origin and all points; points that are not finite are ignored.
    pub fn around(points: impl IntoIterator<Item = Vector2<f64>>) -> Window {
        let origin = Window { lower: Vector2::zeros(), upper: Vector2::zeros() };
        let finite = points.into_iter().filter(|p| p.iter().all(|x| x.is_finite()));
        finite.fold(origin, |w, p| Window { lower: w.lower.inf(&p), upper: w.upper.sup(&p) })
    }

    /// The smallest window that holds both.
    #[must_use]
    pub fn union(&self, other: &Window) -> Window {
        Window { lower: self.lower.inf(&other.lower), upper: self.upper.sup(&other.upper) }
    }

    /// The window grown by `margin` on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Window {
        let margin = Vector2::repeat(margin);
        Window { lower: self.lower - margin, upper: self.upper + margin }
    }

    /// Extent along P_n and P_t.
    pub fn size(&self) -> Vector2<f64> {
        self.upper - self.lower
    }

    /// Whether a point lies in the window, its edges included.
    pub fn contains(&self, p: &Vector2<f64>) -> bool {
        (0..2).all(|i| self.lower[i] <= p[i] && p[i] <= self.upper[i])
    }

    /// The four corners, in order around the window.
    pub fn corners(&self) -> [Vector2<f64>; 4] {
        let (l, u) = (self.lower, self.upper);
        [l, Vector2::new(u.x, l.y), u, Vector2::new(l.x, u.y)]
    }
}
