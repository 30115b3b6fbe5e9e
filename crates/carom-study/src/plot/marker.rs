//! Marks of predictions: told apart by shape, fill and colour.

use super::style::{INK, PALETTE};
use super::svg::{Canvas, Point, Style};
use std::f64::consts::PI;

/// How a prediction is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Place in the order of marks; shape and colour follow from it.
    pub index: usize,
    /// Fill.
    pub look: Look,
}

/// The fill of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Filled: an admissible prediction.
    Solid,
    /// Open: it lies beside the plane that is drawn.
    Hollow,
    /// Open and crossed out: inadmissible.
    Crossed,
}

/// Radius of a mark, pixels.
pub const RADIUS: f64 = 5.2;

/// Corners of the shapes: (number of corners, turn in degrees, inner radius of a star).
const SHAPES: [(usize, f64, Option<f64>); 11] = [
    (0, 0.0, None),
    (4, 45.0, None),
    (3, -90.0, None),
    (4, 0.0, None),
    (3, 90.0, None),
    (5, -90.0, Some(0.45)),
    (6, 0.0, None),
    (3, 0.0, None),
    (5, -90.0, None),
    (3, 180.0, None),
    (4, 0.0, Some(0.42)),
];

impl Marker {
    /// Its colour.
    pub fn colour(&self) -> &'static str {
        PALETTE[self.index % PALETTE.len()]
    }

    /// Draws it.
    pub fn draw(&self, canvas: &mut Canvas, centre: Point) {
        let (corners, turn, inner) = SHAPES[self.index % SHAPES.len()];
        let style = match self.look {
            Look::Solid => Style::line(INK, 0.8).filled(self.colour()),
            Look::Hollow | Look::Crossed => Style::line(self.colour(), 1.5).filled("#ffffff"),
        };
        if corners == 0 {
            canvas.circle(centre, 0.86 * RADIUS, &style);
        } else {
            canvas.polyline(&outline(centre, corners, turn, inner), true, &style);
        }
        if self.look == Look::Crossed {
            let arm = 1.15 * RADIUS;
            let style = Style::line(INK, 1.1);
            canvas.line(centre - Point::new(arm, arm), centre + Point::new(arm, arm), &style);
            canvas.line(centre - Point::new(arm, -arm), centre + Point::new(arm, -arm), &style);
        }
    }
}

fn outline(centre: Point, corners: usize, turn: f64, inner: Option<f64>) -> Vec<Point> {
    let count = if inner.is_some() { 2 * corners } else { corners };
    // Equal areas look equal: the fewer the corners, the farther out they stand.
    let radius = RADIUS * if corners == 3 || inner.is_some() { 1.25 } else { 1.08 };
    (0..count)
        .map(|k| {
            let reach = if k % 2 == 1 { inner.unwrap_or(1.0) } else { 1.0 };
            let (sin, cos) = (turn.to_radians() + 2.0 * PI * k as f64 / count as f64).sin_cos();
            centre + Point::new(cos, sin) * (radius * reach)
        })
        .collect()
}

/// An arrowhead with its tip at `tip`, pointing along `direction`.
pub fn arrowhead(canvas: &mut Canvas, tip: Point, direction: Point, length: f64, colour: &str) {
    let Some(along) = direction.try_normalize(0.0) else { return };
    let (back, side) = (tip - along * length, Point::new(-along.y, along.x) * (0.36 * length));
    canvas.polyline(&[tip, back + side, back + along * (0.22 * length), back - side], true, &Style::fill(colour));
}
