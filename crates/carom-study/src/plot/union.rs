//! The area that many polygons cover together, as outlines of few points.
//!
//! The polygons may overlap any number of times. They are drawn into a bitmap finer than the pixels of the picture; the outlines of
//! its filled squares are traced and simplified.

use super::rectangle::Rectangle;
use super::svg::Point;

/// Side of a square of the bitmap, pixels.
const SQUARE: f64 = 0.25;
/// Outlines may be moved by this much, pixels: the points of a straight edge deviate from it by up to half a square, and so do the
/// ends of the line that replaces them.
const TOLERANCE: f64 = SQUARE;

/// Squares over a rectangle of the canvas.
struct Bitmap {
    corner: Point,
    columns: usize,
    rows: usize,
    filled: Vec<bool>,
}

/// Extent of a polygon in a row of squares, in columns.
#[derive(Clone, Copy)]
struct Run {
    from: f64,
    to: f64,
}

/// Outlines of the union of convex polygons inside a rectangle. Outer outlines and holes have opposite directions, so that both
/// rules of filling give the same picture. A polygon thinner than a square is drawn as wide as a square.
pub fn outlines(polygons: &[Vec<Point>], within: &Rectangle) -> Vec<Vec<Point>> {
    let mut bitmap = Bitmap::over(within);
    for polygon in polygons {
        bitmap.fill(polygon);
    }
    bitmap.trace().iter().map(|outline| simplified(outline)).filter(|outline| outline.len() > 2).collect()
}

impl Bitmap {
    fn over(rectangle: &Rectangle) -> Bitmap {
        let size = (rectangle.greatest - rectangle.least) / SQUARE;
        let (columns, rows) = (size.x.ceil() as usize, size.y.ceil() as usize);
        Bitmap { corner: rectangle.least, columns, rows, filled: vec![false; columns * rows] }
    }

    /// Fills every square that a convex polygon touches.
    fn fill(&mut self, polygon: &[Point]) {
        let corners: Vec<Point> = polygon.iter().map(|p| (p - self.corner) / SQUARE).collect();
        if corners.is_empty() || corners.iter().any(|p| !(p.x.is_finite() && p.y.is_finite())) {
            return;
        }
        let low = corners.iter().fold(f64::INFINITY, |low, p| low.min(p.y)).floor().max(0.0) as usize;
        let high = corners.iter().fold(f64::NEG_INFINITY, |high, p| high.max(p.y)).floor();
        if high < 0.0 || low >= self.rows {
            return;
        }
        let high = (high as usize).min(self.rows - 1);
        let mut runs = vec![Run { from: f64::INFINITY, to: f64::NEG_INFINITY }; high + 1 - low];
        for (k, p) in corners.iter().enumerate() {
            let q = corners[(k + 1) % corners.len()];
            let (upper, lower) = if p.y <= q.y { (*p, q) } else { (q, *p) };
            let slope = if lower.y > upper.y { (lower.x - upper.x) / (lower.y - upper.y) } else { 0.0 };
            let at = |y: f64| if y >= lower.y { lower.x } else { upper.x + slope * (y - upper.y).max(0.0) };
            for row in (upper.y.floor().max(0.0) as usize).max(low)..=high {
                let top = row as f64;
                if top > lower.y {
                    break;
                }
                // A level edge has two ends at the same height.
                let ends = if slope == 0.0 { [upper.x, lower.x] } else { [at(top), at(top + 1.0)] };
                let run = &mut runs[row - low];
                run.from = run.from.min(ends[0]).min(ends[1]);
                run.to = run.to.max(ends[0]).max(ends[1]);
            }
        }
        for (row, run) in (low..).zip(&runs).filter(|(_, run)| run.to >= 0.0) {
            let from = run.from.floor().clamp(0.0, self.columns as f64) as usize;
            let to = (run.to.floor() + 1.0).clamp(0.0, self.columns as f64) as usize;
            if from < to {
                self.filled[row * self.columns + from..row * self.columns + to].fill(true);
            }
        }
    }

    fn is_filled(&self, column: i64, row: i64) -> bool {
        let inside = |place: i64, count: usize| usize::try_from(place).ok().filter(|place| *place < count);
        match (inside(column, self.columns), inside(row, self.rows)) {
            (Some(column), Some(row)) => self.filled[row * self.columns + column],
            _ => false,
        }
    }

    /// The boundaries of the filled squares, through the middles of the squares' sides. Squares that meet at a corner belong together.
    fn trace(&self) -> Vec<Vec<Point>> {
        /// Right, down, left, up.
        const STEPS: [[i64; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];
        let mut outlines = Vec::new();
        // Upper sides of filled squares that an outline has passed.
        let mut passed = vec![false; self.filled.len()];
        for start in 0..self.filled.len() {
            // A picture has far fewer squares than i64 counts.
            let signed = |place: usize| i64::try_from(place).unwrap_or(i64::MAX);
            let (column, row) = (signed(start % self.columns), signed(start / self.columns));
            if passed[start] || !self.filled[start] || self.is_filled(column, row - 1) {
                continue;
            }
            // A corner of squares and the direction in which it is left, with filled squares to the right of it.
            let (mut x, mut y, mut direction) = (column, row, 0);
            let mut outline = Vec::new();
            loop {
                let [along_x, along_y] = STEPS[direction];
                if direction == 0 {
                    let side = y as usize * self.columns + x as usize;
                    if passed[side] {
                        break;
                    }
                    passed[side] = true;
                }
                let middle = Point::new(x as f64 + 0.5 * along_x as f64, y as f64 + 0.5 * along_y as f64);
                outline.push(self.corner + middle * SQUARE);
                x += along_x;
                y += along_y;
                // The squares ahead; a square's place is that of its upper left corner.
                let ahead = |turn: usize| {
                    let [right_x, right_y] = STEPS[(direction + turn) % 4];
                    let (dx, dy) = (along_x + right_x, along_y + right_y);
                    self.is_filled(x + (dx - 1) / 2, y + (dy - 1) / 2)
                };
                if ahead(3) {
                    direction = (direction + 3) % 4;
                } else if !ahead(1) {
                    direction = (direction + 1) % 4;
                }
            }
            outlines.push(outline);
        }
        outlines
    }
}

/// A closed outline without the points that are not needed to stay within [`TOLERANCE`] of it (Douglas & Peucker 1973).
fn simplified(outline: &[Point]) -> Vec<Point> {
    let far = |from: Point| {
        let distance = |k: &usize| (outline[*k] - from).norm_squared();
        (0..outline.len()).max_by(|i, j| distance(i).total_cmp(&distance(j))).unwrap_or(0)
    };
    let Some(first) = outline.first() else { return Vec::new() };
    let mut ends = [far(*first), 0];
    ends[1] = far(outline[ends[0]]);
    ends.sort_unstable();
    let mut needed = vec![false; outline.len()];
    let mut parts = vec![[ends[0], ends[1]], [ends[1], ends[0] + outline.len()]];
    while let Some([from, to]) = parts.pop() {
        let at = |k: usize| outline[k % outline.len()];
        needed[from % outline.len()] = true;
        let distance = |k: &usize| distance_to_segment(at(*k), [at(from), at(to)]);
        let farthest = (from + 1..to).max_by(|i, j| distance(i).total_cmp(&distance(j)));
        if let Some(k) = farthest.filter(|k| distance(k) > TOLERANCE) {
            parts.extend([[from, k], [k, to]]);
        }
    }
    outline.iter().zip(needed).filter(|(_, needed)| *needed).map(|(p, _)| *p).collect()
}

fn distance_to_segment(p: Point, [a, b]: [Point; 2]) -> f64 {
    let along = b - a;
    let share = ((p - a).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    // Both ends are the same point: the share is not a number.
    if share.is_nan() { (p - a).norm() } else { (p - a - along * share).norm() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canvas() -> Rectangle {
        Rectangle { least: Point::new(10.0, 20.0), greatest: Point::new(110.0, 120.0) }
    }

    fn area(outlines: &[Vec<Point>]) -> f64 {
        let doubled = |outline: &Vec<Point>| -> f64 {
            (0..outline.len()).map(|k| outline[k].perp(&outline[(k + 1) % outline.len()])).sum()
        };
        0.5 * outlines.iter().map(doubled).sum::<f64>()
    }

    fn rectangle(x: f64, y: f64, width: f64, height: f64) -> Vec<Point> {
        Rectangle { least: Point::new(x, y), greatest: Point::new(x + width, y + height) }.corners().to_vec()
    }

    #[test]
    fn a_disk_of_many_overlapping_sectors_is_one_outline_of_few_points() {
        let middle = Point::new(60.0, 70.0);
        let rim = |k: usize| {
            let angle = k as f64 * std::f64::consts::TAU / 2000.0;
            middle + Point::new(angle.cos(), angle.sin()) * 40.0
        };
        let sectors: Vec<_> = (0..2000).map(|k| vec![middle, rim(k), rim(k + 1), rim(k + 3)]).collect();
        let traced = outlines(&sectors, &canvas());
        assert_eq!(traced.len(), 1);
        assert!(traced[0].len() < 100, "{} points", traced[0].len());
        for p in &traced[0] {
            let off = (p - middle).norm() - 40.0;
            assert!((-0.25..0.5).contains(&off), "{off} pixels off the rim");
        }
        let exact = std::f64::consts::PI * 40.0 * 40.0;
        assert!((area(&traced) / exact - 1.0).abs() < 0.02, "{} for {exact}", area(&traced));
    }

    #[test]
    fn a_frame_has_a_hole_of_the_opposite_direction() {
        let bars = [
            rectangle(20.0, 30.0, 50.0, 10.0),
            rectangle(20.0, 70.0, 50.0, 10.0),
            rectangle(20.0, 30.0, 10.0, 50.0),
            rectangle(60.0, 30.0, 10.0, 50.0),
        ];
        let traced = outlines(&bars, &canvas());
        assert_eq!(traced.len(), 2);
        let areas: Vec<f64> = traced.iter().map(|outline| area(std::slice::from_ref(outline))).collect();
        assert!(areas[0] > 2450.0 && areas[1] < -850.0, "{areas:?}");
        assert!(traced.iter().all(|outline| outline.len() <= 8), "{traced:?}");
    }

    #[test]
    fn polygons_apart_and_thin_ones_stay_visible() {
        let apart = [rectangle(20.0, 30.0, 5.0, 5.0), rectangle(40.0, 30.0, 5.0, 5.0)];
        assert_eq!(outlines(&apart, &canvas()).len(), 2);
        let sliver = vec![Point::new(20.0, 30.0), Point::new(80.0, 61.0), Point::new(80.0, 61.0 + 1e-9)];
        let traced = outlines(&[sliver], &canvas());
        assert_eq!(traced.len(), 1, "a sliver is not torn into pieces");
    }

    #[test]
    fn parts_outside_and_invalid_coordinates_are_left_out() {
        assert!(outlines(&[rectangle(200.0, 30.0, 5.0, 5.0), rectangle(20.0, -30.0, 5.0, 5.0)], &canvas()).is_empty());
        assert!(outlines(&[vec![Point::new(f64::NAN, 30.0); 3], Vec::new()], &canvas()).is_empty());
        let everything = outlines(&[rectangle(-1e6, -1e6, 2e6, 2e6)], &canvas());
        assert_eq!(everything.len(), 1);
        assert!((area(&everything) - 1e4).abs() < 50.0, "{}", area(&everything));
    }
}
