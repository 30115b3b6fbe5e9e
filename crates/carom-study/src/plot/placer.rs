//! Places labels so that they cover neither each other nor marks.

use super::rectangle::Rectangle;
use super::svg::Point;
use std::f64::consts::PI;

/// What is taken, and what a label had better not cover.
#[derive(Debug)]
pub struct Placer {
    bounds: Rectangle,
    taken: Vec<Rectangle>,
    marks: Vec<Rectangle>,
    lines: Vec<[Point; 2]>,
}

/// Where a label stands.
#[derive(Clone, Copy, Debug)]
pub struct Spot {
    /// What it stands at.
    pub anchor: Point,
    /// Its rectangle.
    pub place: Rectangle,
    /// Whether it covers nothing.
    pub is_free: bool,
}

/// Distances from the thing to its label that are tried, pixels.
const DISTANCES: [f64; 7] = [0.0, 3.0, 7.0, 13.0, 20.0, 30.0, 42.0];
/// Directions that are tried.
const DIRECTIONS: usize = 16;
/// Pixels between labels.
const APART: f64 = 2.0;
/// Prices: covering something, leaving the bounds, crossing a line, standing a pixel farther away.
const COVERS: f64 = 10.0;
const LEAVES: f64 = 50.0;
const CROSSES: f64 = 9.0;
const FAR: f64 = 1.0;

impl Placer {
    /// Labels stay within these bounds.
    pub fn new(bounds: Rectangle) -> Placer {
        Placer { bounds, taken: Vec::new(), marks: Vec::new(), lines: Vec::new() }
    }

    /// Nothing may be put here.
    pub fn reserve(&mut self, rectangle: Rectangle) {
        self.taken.push(rectangle);
    }

    /// Nothing may be put here, not even what may lie on what is [reserved](Placer::reserve) for itself.
    pub fn mark(&mut self, rectangle: Rectangle) {
        self.marks.push(rectangle);
        self.reserve(rectangle);
    }

    /// Whether a mark stands here.
    pub fn is_marked(&self, place: &Rectangle) -> bool {
        self.marks.iter().any(|mark| mark.overlap(place) > 0.0)
    }

    /// Labels had better not cross this line.
    pub fn avoid(&mut self, polyline: &[Point]) {
        self.lines.extend(polyline.windows(2).map(|ends| [ends[0], ends[1]]));
    }

    /// The best place for a label of this size near one of the anchors, at least `clearance` from it, and that anchor;
    /// the place is reserved. Of equally good places the first anchor's is taken.
    pub fn place_along(&mut self, anchors: &[Point], size: Point, clearance: f64) -> Option<Spot> {
        let spot = self.best(anchors, size, clearance)?;
        self.reserve(spot.place.grown(APART));
        Some(spot)
    }

    /// The same, which is reserved only where it covers nothing and stays within the bounds.
    pub fn place_if_free(&mut self, anchors: &[Point], size: Point, clearance: f64) -> Option<Spot> {
        let spot = self.best(anchors, size, clearance).filter(|spot| spot.is_free && self.bounds.holds(&spot.place))?;
        self.reserve(spot.place.grown(APART));
        Some(spot)
    }

    fn best(&self, anchors: &[Point], size: Point, clearance: f64) -> Option<Spot> {
        let candidates = anchors
            .iter()
            .flat_map(|anchor| candidates(*anchor, size, clearance).map(move |(place, price)| (*anchor, place, price)));
        let priced = candidates.map(|(anchor, place, price)| (anchor, place, price + self.price(&place)));
        let (anchor, place, _) = priced.min_by(|a, b| a.2.total_cmp(&b.2))?;
        Some(Spot { anchor, place, is_free: self.is_free(&place) })
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

/// Places around an anchor with the price of their distance.
fn candidates(anchor: Point, size: Point, clearance: f64) -> impl Iterator<Item = (Rectangle, f64)> {
    DISTANCES.iter().flat_map(move |distance| {
        (0..DIRECTIONS).map(move |k| {
            // First above to the right, then on around, alternating sides.
            let turn = if k % 2 == 0 { k.div_ceil(2) as f64 } else { -(k.div_ceil(2) as f64) };
            let (sin, cos) = (-PI / 4.0 + 2.0 * PI * turn / DIRECTIONS as f64).sin_cos();
            let reach = clearance + distance;
            let centre = anchor
                + Point::new(cos * reach + 0.5 * size.x * soft_sign(cos), sin * reach + 0.5 * size.y * soft_sign(sin));
            (Rectangle::around(centre, size), FAR * distance)
        })
    })
}

/// A sign that passes smoothly through zero, so that labels slide around their thing.
fn soft_sign(x: f64) -> f64 {
    (2.0 * x).clamp(-1.0, 1.0)
}
