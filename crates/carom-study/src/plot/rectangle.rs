//! A rectangle of the canvas, and what it cuts out of lines and polygons.

use super::svg::Point;

/// A rectangle of the canvas.
#[derive(Clone, Copy, Debug)]
pub struct Rectangle {
    /// Upper left corner.
    pub least: Point,
    /// Lower right corner.
    pub greatest: Point,
}

impl Rectangle {
    /// Of a size around its centre.
    pub fn around(centre: Point, size: Point) -> Rectangle {
        Rectangle { least: centre - size * 0.5, greatest: centre + size * 0.5 }
    }

    /// Its middle.
    pub fn centre(&self) -> Point {
        (self.least + self.greatest) * 0.5
    }

    /// Its corners.
    pub fn corners(&self) -> [Point; 4] {
        let Rectangle { least, greatest } = *self;
        [least, Point::new(greatest.x, least.y), greatest, Point::new(least.x, greatest.y)]
    }

    /// Whether another lies inside it.
    pub fn holds(&self, other: &Rectangle) -> bool {
        self.least.inf(&other.least) == self.least && self.greatest.sup(&other.greatest) == self.greatest
    }

    /// Area of the common part.
    pub fn overlap(&self, other: &Rectangle) -> f64 {
        let common = self.greatest.inf(&other.greatest) - self.least.sup(&other.least);
        common.x.max(0.0) * common.y.max(0.0)
    }

    /// The part of a segment inside it (Liang & Barsky 1984).
    pub fn clip(&self, [a, b]: [Point; 2]) -> Option<[Point; 2]> {
        let (mut from, mut to) = (0.0_f64, 1.0_f64);
        for i in 0..2 {
            let (start, along) = (a[i], b[i] - a[i]);
            if along == 0.0 {
                if start < self.least[i] || start > self.greatest[i] {
                    return None;
                }
                continue;
            }
            let (s, t) = ((self.least[i] - start) / along, (self.greatest[i] - start) / along);
            from = from.max(s.min(t));
            to = to.min(s.max(t));
        }
        // Ends inside stay exactly where they are, so that neighbours still meet.
        let at = |s: f64| if s == 1.0 { b } else { a + (b - a) * s };
        (from <= to).then(|| [at(from), at(to)])
    }

    /// The point of the rectangle nearest to another.
    pub fn nearest(&self, p: Point) -> Point {
        p.sup(&self.least).inf(&self.greatest)
    }

    /// The same with more room on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Rectangle {
        let margin = Point::repeat(margin);
        Rectangle { least: self.least - margin, greatest: self.greatest + margin }
    }

    /// The parts of a polyline inside it, in order.
    pub fn clip_polyline(&self, points: &[Point]) -> Vec<Vec<Point>> {
        let mut parts: Vec<Vec<Point>> = Vec::new();
        for ends in points.windows(2) {
            let Some([from, to]) = self.clip([ends[0], ends[1]]) else { continue };
            match parts.last_mut() {
                Some(part) if part.last() == Some(&from) => part.push(to),
                _ => parts.push(vec![from, to]),
            }
        }
        parts
    }

    /// The part of a polygon inside it (Sutherland & Hodgman 1974).
    pub fn clip_polygon(&self, mut polygon: Vec<Point>) -> Vec<Point> {
        for (axis, sign, limit) in
            [(0, 1.0, self.least.x), (0, -1.0, self.greatest.x), (1, 1.0, self.least.y), (1, -1.0, self.greatest.y)]
        {
            let height = |p: &Point| sign * (p[axis] - limit);
            let mut inside = Vec::with_capacity(polygon.len() + 2);
            for (i, here) in polygon.iter().enumerate() {
                let next = &polygon[(i + 1) % polygon.len()];
                let (a, b) = (height(here), height(next));
                if a >= 0.0 {
                    inside.push(*here);
                }
                if a * b < 0.0 {
                    inside.push(here + (next - here) * (a / (a - b)));
                }
            }
            polygon = inside;
        }
        polygon
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square() -> Rectangle {
        Rectangle { least: Point::zeros(), greatest: Point::repeat(10.0) }
    }

    #[test]
    fn a_polyline_that_leaves_and_returns_has_two_parts() {
        let way = [[1.0, 1.0], [5.0, 1.0], [5.0, -1e9], [8.0, -1e9], [8.0, 5.0]].map(Point::from);
        let parts = square().clip_polyline(&way);
        assert_eq!(parts[0][..2], way[..2]);
        assert!((parts[0][2] - Point::new(5.0, 0.0)).norm() < 1e-12);
        assert_eq!(parts[1].last(), Some(&Point::new(8.0, 5.0)));
        assert_eq!(parts.len(), 2);
    }

    #[test]
    fn a_polygon_far_larger_becomes_the_square_itself() {
        let far = [[-1e9, -1e9], [1e9, -1e9], [1e9, 1e9], [-1e9, 1e9]].map(Point::from).to_vec();
        let clipped = square().clip_polygon(far);
        assert_eq!(clipped.len(), 4);
        assert!(clipped.iter().all(|p| square().grown(1e-6).nearest(*p) == *p));
    }
}
