//! Places labels so that they cover neither each other nor marks.

use super::rectangle::Rectangle;
use super::svg::Point;
use std::f64::consts::PI;

/// What is taken, and what a label had better not cover.
#[derive(Debug)]
pub struct Placer {
    bounds: Rectangle,
    taken: Vec<Rectangle>,
    lines: Vec<[Point; 2]>,
}

/// Distances from the thing to its label that are tried, pixels.
const DISTANCES: [f64; 7] = [0.0, 3.0, 7.0, 13.0, 20.0, 30.0, 42.0];
/// Directions that are tried.
const DIRECTIONS: usize = 16;
/// Prices: covering something, leaving the bounds, crossing a line, standing a pixel farther away.
const COVERS: f64 = 10.0;
const LEAVES: f64 = 50.0;
const CROSSES: f64 = 9.0;
const FAR: f64 = 1.0;

impl Placer {
    /// Labels stay within these bounds.
    pub fn new(bounds: Rectangle) -> Placer {
        Placer { bounds, taken: Vec::new(), lines: Vec::new() }
    }

    /// Nothing may be put here.
    pub fn reserve(&mut self, rectangle: Rectangle) {
        self.taken.push(rectangle);
    }

    /// Labels had better not cross this line.
    pub fn avoid(&mut self, polyline: &[Point]) {
        self.lines.extend(polyline.windows(2).map(|ends| [ends[0], ends[1]]));
    }

    /// The best place for a label of this size near `anchor`, at least `clearance` from it; it is reserved.
    pub fn place(&mut self, anchor: Point, size: Point, clearance: f64) -> Rectangle {
        let candidates = DISTANCES.iter().flat_map(|distance| {
            (0..DIRECTIONS).map(move |k| {
                // First above to the right, then on around, alternating sides.
                let turn = if k % 2 == 0 { k.div_ceil(2) as f64 } else { -(k.div_ceil(2) as f64) };
                let (sin, cos) = (-PI / 4.0 + 2.0 * PI * turn / DIRECTIONS as f64).sin_cos();
                let reach = clearance + distance;
                let centre = anchor
                    + Point::new(
                        cos * reach + 0.5 * size.x * soft_sign(cos),
                        sin * reach + 0.5 * size.y * soft_sign(sin),
                    );
                (Rectangle::around(centre, size), FAR * distance)
            })
        });
        let priced = candidates.map(|(place, price)| (place, price + self.price(&place)));
        let best =
            priced.min_by(|a, b| a.1.total_cmp(&b.1)).map_or_else(|| Rectangle::around(anchor, size), |(p, _)| p);
        self.reserve(best);
        best
    }

    /// Whether nothing stands here.
    pub fn is_free(&self, place: &Rectangle) -> bool {
        self.taken.iter().all(|taken| taken.overlap(place) == 0.0)
            && !self.lines.iter().any(|line| place.clip(*line).is_some())
    }

    fn price(&self, place: &Rectangle) -> f64 {
        let covered: f64 = self.taken.iter().map(|taken| taken.overlap(place)).sum();
        let area = (place.greatest - place.least).product();
        let outside = area - self.bounds.overlap(place);
        let crossed = self.lines.iter().filter(|line| place.clip(**line).is_some()).count().min(3);
        COVERS * covered + LEAVES * outside.max(0.0) + CROSSES * crossed as f64
    }
}

/// A sign that passes smoothly through zero, so that labels slide around their thing.
fn soft_sign(x: f64) -> f64 {
    (2.0 * x).clamp(-1.0, 1.0)
}
