//! A curve of a chart, and how it is distinguished from the others: by colour, and by dash where there is none.

use super::marker::{Look, Marker, RADIUS, arrowhead};
use super::style::{INK, PALETTE, TINTS};
use super::svg::{Canvas, Point, Style};
use super::text::Text;
use nalgebra::Vector2;

/// A curve of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its points in order, to the right and upwards, in the units of the axes. A point that is not finite interrupts it.
    pub points: Vec<Vector2<f64>>,
    /// What it is, written beside it; may be empty.
    pub label: Text,
    kind: Kind,
    solid: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// A line of the palette.
    Line(usize),
    /// Separate marks of the palette.
    Marks(usize),
    /// Separate grey marks.
    Measured,
    /// Separate small white marks.
    Compared,
    /// A line that is run through in one direction.
    Path,
    /// A thin line that does not decide what the chart shows.
    Reference,
    /// A grey surface.
    Band,
    /// A surface of the palette.
    Tint(usize),
    /// Many small dots of the palette.
    Dots(usize),
    /// Many small grey dots.
    Cloud,
}

/// Dashes in the order of the palette.
const DASHES: [&[f64]; 7] =
    [&[], &[7.0, 3.0], &[2.0, 2.4], &[9.0, 3.0, 2.0, 3.0], &[12.0, 3.0], &[4.0, 2.0], &[6.0, 2.0, 1.5, 2.0, 1.5, 2.0]];
const REFERENCE: &str = "#6b6b6b";
const BAND: &str = "#e4e4e4";
const CLOUD: &str = "#9c9c9c";

impl Curve {
    /// A line; `index` chooses colour and dash.
    pub fn line(index: usize, label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Line(index), solid: false }
    }

    /// Marks without a line, as for measurements; `index` chooses colour and shape.
    pub fn marks(index: usize, label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Marks(index), solid: false }
    }

    /// Grey marks without a line, for measurements among lines that have all colours of the palette.
    pub fn measured(label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Measured, solid: true }
    }

    /// Small open marks without a line, for values to compare lines with, which stay visible below them.
    pub fn compared(label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Compared, solid: true }
    }

    /// A line with arrowheads along its way.
    pub fn path(label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Path, solid: true }
    }

    /// A thin line to compare with. It is drawn as far as the other curves make it visible.
    pub fn reference(label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Reference, solid: true }
    }

    /// The surface that a line around it bounds, below the curves that stand before it in their chart.
    pub fn band(points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label: Text::default(), kind: Kind::Band, solid: true }
    }

    /// The same surface in a colour of the palette.
    pub fn tint(index: usize, label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Tint(index), solid: true }
    }

    /// Many small dots; `index` chooses their colour.
    pub fn dots(index: usize, label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Dots(index), solid: true }
    }

    /// Many small grey dots, for measurements below the dots of laws.
    pub fn cloud(label: Text, points: Vec<Vector2<f64>>) -> Curve {
        Curve { points, label, kind: Kind::Cloud, solid: true }
    }

    /// The same without dashes, for a line that stands alone.
    #[must_use]
    pub fn solid(self) -> Curve {
        Curve { solid: true, ..self }
    }

    /// Whether labels had better not cross it.
    pub(super) fn is_line(&self) -> bool {
        !matches!(self.kind, Kind::Band | Kind::Tint(_) | Kind::Dots(_) | Kind::Cloud)
    }

    /// Whether its points are not joined.
    pub(super) fn is_separate(&self) -> bool {
        self.is_marks() || self.is_dots()
    }

    /// Whether it consists of separate dots.
    pub(super) fn is_dots(&self) -> bool {
        matches!(self.kind, Kind::Dots(_) | Kind::Cloud)
    }

    /// Whether it consists of separate marks, which labels must not cover.
    pub(super) fn is_marks(&self) -> bool {
        matches!(self.kind, Kind::Marks(_) | Kind::Measured | Kind::Compared)
    }

    /// Whether the chart is to show all of it.
    pub(super) fn is_data(&self) -> bool {
        self.kind != Kind::Reference
    }

    /// The least and the greatest coordinates of its points, if a chart is to show all of them.
    pub fn shown(&self) -> Option<[Vector2<f64>; 2]> {
        let finite = |k: usize| self.points.iter().map(move |p| p[k]).filter(|x| x.is_finite());
        let ends = [0, 1].map(|k| [finite(k).reduce(f64::min), finite(k).reduce(f64::max)]);
        let [[left, right], [low, high]] = ends;
        self.is_data().then_some(())?;
        Some([Vector2::new(left?, low?), Vector2::new(right?, high?)])
    }

    /// Its colour.
    pub fn colour(&self) -> &'static str {
        match self.kind {
            Kind::Line(index) | Kind::Marks(index) | Kind::Tint(index) | Kind::Dots(index) => {
                PALETTE[index % PALETTE.len()]
            }
            Kind::Path => INK,
            Kind::Reference | Kind::Measured | Kind::Compared => REFERENCE,
            Kind::Band => BAND,
            Kind::Cloud => CLOUD,
        }
    }

    /// Draws a short piece of it around a place, for a key.
    pub(super) fn draw_sample(&self, canvas: &mut Canvas, place: Point) {
        if let Kind::Tint(index) = self.kind {
            let style = Style::line(self.colour(), 0.6).filled(TINTS[index % TINTS.len()]);
            canvas.rectangle(place - Point::new(11.0, 5.0), Point::new(22.0, 10.0), &style);
            return;
        }
        if self.is_dots() {
            canvas.circle(place, 2.6, &Style::fill(self.colour()));
            return;
        }
        let half = Point::new(if self.is_marks() { 0.0 } else { 11.0 }, 0.0);
        let ends = vec![place - half, place + half];
        self.draw(canvas, &[if half.x == 0.0 { vec![place] } else { ends }]);
    }

    /// Draws it along its parts on the canvas.
    pub(super) fn draw(&self, canvas: &mut Canvas, ways: &[Vec<Point>]) {
        canvas.open("curve");
        for way in ways {
            match self.kind {
                Kind::Line(index) => {
                    // After a round of the palette, other dashes.
                    let dash = (index + index / PALETTE.len()) % DASHES.len();
                    let dash = if self.solid { &[] } else { DASHES[dash] };
                    let style = Style::line(self.colour(), 1.6).dashed(dash);
                    canvas.polyline(way, false, &style);
                }
                Kind::Marks(index) => {
                    for place in way {
                        Marker { index, look: Look::Solid }.draw(canvas, *place);
                    }
                }
                Kind::Measured => {
                    for place in way {
                        canvas.circle(*place, RADIUS, &Style::line(INK, 0.9).filled(REFERENCE));
                    }
                }
                Kind::Compared => {
                    for place in way {
                        canvas.circle(*place, 3.0, &Style::line(INK, 1.0).filled("#ffffff"));
                    }
                }
                Kind::Path => {
                    canvas.polyline(way, false, &Style::line(INK, 1.5));
                    draw_heads(canvas, way);
                }
                Kind::Reference => canvas.polyline(way, false, &Style::line(REFERENCE, 0.9)),
                Kind::Tint(index) => canvas.polyline(way, true, &Style::fill(TINTS[index % TINTS.len()])),
                Kind::Dots(_) | Kind::Cloud => canvas.dots(way, 2.4, self.colour()),
                Kind::Band => canvas.polyline(way, true, &Style::fill(BAND)),
            }
        }
        canvas.close();
    }
}

/// Arrowheads along a line, none where it is short.
fn draw_heads(canvas: &mut Canvas, way: &[Point]) {
    /// Pixels between heads, and the length of one.
    const APART: f64 = 90.0;
    const HEAD: f64 = 8.0;
    let mut left = 0.5 * APART;
    for ends in way.windows(2) {
        let along = ends[1] - ends[0];
        let length = along.norm();
        while left <= length {
            arrowhead(canvas, ends[0] + along * (left / length), along, HEAD, INK);
            left += APART;
        }
        left -= length;
    }
}
