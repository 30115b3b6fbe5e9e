//! How much of the accessible region a law covers.

use carom::impulse_space::{AccessibleRegion, PlaneDiagram};
use carom::{Collision, Section};
use nalgebra::Vector2;

/// A raster of points over the accessible region: which are admissible, which are reached.
#[derive(Clone, Debug)]
pub struct Raster {
    low: Vector2<f64>,
    step: Vector2<f64>,
    inside: Vec<bool>,
    reached: Vec<bool>,
}

/// Points across the region's window; about a pixel of a panel.
const POINTS: usize = 240;

/// A triangle flatter than this, relative to its extent, has no inside.
const FLAT: f64 = 1e-9;

impl Raster {
    /// Fills the cells of a law over the region; `None` when the region is unbounded or has no area.
    pub fn of(
        collision: &Collision,
        section: &Section,
        friction: f64,
        cells: impl Iterator<Item = [Vector2<f64>; 4]>,
    ) -> Option<Raster> {
        let diagram = PlaneDiagram::new(section, friction);
        let outline = diagram.region(&diagram.ellipse_extent()?, 64);
        let first = *outline.first()?;
        let (low, high) = outline.iter().fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
        if (high - low).min() <= 0.0 {
            return None;
        }
        let mut raster = Raster {
            low,
            step: (high - low) / POINTS as f64,
            inside: vec![false; POINTS * POINTS],
            reached: vec![false; POINTS * POINTS],
        };
        let region = AccessibleRegion::new(collision, friction);
        for i in 0..POINTS {
            for j in 0..POINTS {
                let p = raster.point(i, j);
                raster.inside[i * POINTS + j] = region.contains(&section.to_contact(p.x, p.y));
            }
        }
        for [a, b, c, d] in cells {
            raster.fill(&[a, b, c]);
            raster.fill(&[a, c, d]);
        }
        Some(raster)
    }

    /// Share of the region that is reached, 0 to 1.
    pub fn coverage(&self) -> f64 {
        let admissible = self.inside.iter().filter(|inside| **inside).count();
        let both = self.inside.iter().zip(&self.reached).filter(|(inside, reached)| **inside && **reached).count();
        if admissible == 0 { 0.0 } else { both as f64 / admissible as f64 }
    }

    /// The reached part of the region as strips one point high.
    pub fn rows(&self) -> Vec<Vec<Vector2<f64>>> {
        let mut strips = Vec::new();
        for i in 0..POINTS {
            let is_set = |j: usize| self.inside[i * POINTS + j] && self.reached[i * POINTS + j];
            let mut start = None;
            for j in 0..=POINTS {
                let set = j < POINTS && is_set(j);
                match (set, start) {
                    (true, None) => start = Some(j),
                    (false, Some(from)) => {
                        let corner = |di: usize, dj: usize| {
                            self.low + Vector2::new((i + di) as f64, dj as f64).component_mul(&self.step)
                        };
                        strips.push(vec![corner(0, from), corner(1, from), corner(1, j), corner(0, j)]);
                        start = None;
                    }
                    _ => {}
                }
            }
        }
        strips
    }

    fn point(&self, i: usize, j: usize) -> Vector2<f64> {
        self.low + Vector2::new(i as f64 + 0.5, j as f64 + 0.5).component_mul(&self.step)
    }

    fn fill(&mut self, triangle: &[Vector2<f64>; 3]) {
        let [a, b, c] = triangle;
        let (least, most) = (a.inf(b).inf(c), a.sup(b).sup(c));
        let orientation = (b - a).perp(&(c - a));
        if orientation.abs() <= FLAT * (most - least).norm_squared() {
            return;
        }
        let range = |k: usize| {
            let first = ((least[k] - self.low[k]) / self.step[k] - 0.5).ceil().max(0.0) as usize;
            let last = ((most[k] - self.low[k]) / self.step[k] - 0.5).floor().min(POINTS as f64 - 1.0);
            first..(last + 1.0).max(0.0) as usize
        };
        for i in range(0) {
            for j in range(1) {
                let p = self.point(i, j);
                let sides = [(b - a).perp(&(p - a)), (c - b).perp(&(p - b)), (a - c).perp(&(p - c))];
                if sides.iter().all(|side| side * orientation >= 0.0) {
                    self.reached[i * POINTS + j] = true;
                }
            }
        }
    }
}
