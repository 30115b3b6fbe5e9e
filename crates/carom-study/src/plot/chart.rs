//! A chart: curves over two axes, with shaded spans, marked values and labels at the curves themselves.

use super::axis::{Axis, Ruler};
use super::curve::Curve;
use super::marker::{RADIUS, arrowhead};
use super::marks::{label, label_along};
use super::placer::Placer;
use super::rectangle::Rectangle;
use super::style::{FAINT, GREY, INK, REGION, SMALL, TEXT};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::Text;
use super::tiling::Tiling;
use super::{font, style};
use nalgebra::Vector2;

/// A chart.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Heading; may be empty.
    pub title: String,
    /// The axis to the right.
    pub across: Axis,
    /// The axis upwards.
    pub up: Axis,
    /// The curves, the first on top.
    pub curves: Vec<Curve>,
    /// Shaded stretches of the axis to the right.
    pub spans: Vec<Span>,
    /// Coloured cells, below everything else; they fill the chart.
    pub tiling: Option<Tiling>,
    /// Hatched regions, below the curves; the chart shows all of them.
    pub areas: Vec<Area>,
    /// Marked values of the axis to the right.
    pub guides: Vec<Guide>,
    /// Marked differences along the axis upwards.
    pub measures: Vec<Measure>,
    /// Marked points.
    pub dots: Vec<Dot>,
    /// Places that it shows even if nothing is there, so that charts have the same axes.
    pub extent: Vec<Vector2<f64>>,
    /// Whether a unit is equally long on both axes.
    pub equal_scales: bool,
    /// Whether it takes a row of the sheet for itself; its curves are then named in the sheet's key, not beside them.
    pub wide: bool,
    /// Whether its curves are named in the sheet's key, not beside them.
    pub keyed: bool,
}

/// A shaded stretch of the axis to the right.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Where it begins.
    pub from: f64,
    /// Where it ends.
    pub to: f64,
    /// Its colour.
    pub tint: &'static str,
    /// What it is; written where there is room.
    pub label: String,
}

/// A hatched region.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Its corners in order, in the units of the axes.
    pub corners: Vec<Vector2<f64>>,
    /// What it is, written into it; may be empty.
    pub label: Text,
}

/// A line through a value of the axis to the right.
#[derive(Clone, Debug, PartialEq)]
pub struct Guide {
    /// The value.
    pub at: f64,
    /// What it is.
    pub label: Text,
}

/// A double arrow between two values of the axis upwards.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its place along the axis to the right.
    pub at: f64,
    /// The values it joins.
    pub between: [f64; 2],
    /// What their difference is.
    pub label: Text,
}

/// A point with a name.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// Its place.
    pub at: Vector2<f64>,
    /// Its name.
    pub label: Text,
}

/// Room beyond the curves, relative to their range.
const ROOM: f64 = 0.07;
/// Room above the curves where spans are named, relative to their range, and height of that strip, pixels.
const STRIP: f64 = 0.12;
const NAMES: f64 = 15.0;
/// Distance between ticks that reads well, pixels.
const TICKS_ACROSS: f64 = 58.0;
const TICKS_UP: f64 = 38.0;
/// Pixels between the points of a curve that labels keep off; a label is larger.
const COARSE: f64 = 6.0;

impl Chart {
    /// Draws it; tick labels and names go to the left of the rectangle and below it, the title above.
    /// Gives the kinds of tiles that are not named in it.
    pub fn draw(&self, canvas: &mut Canvas, corner: Point, size: Point) -> Vec<usize> {
        canvas.open("chart");
        let title = corner - Point::new(0.0, 8.0);
        canvas.text(title, &Text::bold(&self.title), &Lettering::new(TEXT, INK));
        let plot = Plot::new(self, corner, size);
        let mut placer = Placer::new(plot.room());

        canvas.open_clipped("plane", corner, size);
        for span in &self.spans {
            plot.shade(canvas, span);
        }
        if let Some(tiling) = &self.tiling {
            tiling.paint(canvas, |p| plot.place_of(p));
        }
        let hatch = if self.areas.is_empty() { String::new() } else { canvas.hatch(REGION[0], REGION[1]) };
        for area in &self.areas {
            let corners: Vec<Point> = area.corners.iter().map(|corner| plot.place_of(corner)).collect();
            canvas.polyline(&corners, true, &Style::fill(&hatch));
        }
        if self.tiling.is_none() {
            plot.draw_zero(canvas, &mut placer);
        }
        for guide in self.guides.iter().filter(|guide| plot.shows_across(guide.at)) {
            let ends = plot.guide(guide.at);
            canvas.line(ends[0], ends[1], &style::guide());
            placer.avoid(&ends);
        }
        let ways_of = |curve: &Curve| if curve.is_separate() { plot.places(curve) } else { plot.ways(&curve.points) };
        let ways: Vec<Vec<Vec<Point>>> = self.curves.iter().map(ways_of).collect();
        for (curve, ways) in self.curves.iter().zip(&ways).rev() {
            curve.draw(canvas, ways);
            if curve.is_marks() {
                for place in ways.iter().flatten() {
                    placer.reserve(Rectangle::around(*place, Point::repeat(2.0 * RADIUS + 2.0)));
                }
            } else if curve.is_line() {
                for way in ways {
                    placer.avoid(&thinned(way, COARSE));
                }
            }
        }
        canvas.close();
        plot.draw_axes(canvas);

        for span in &self.spans {
            plot.name_span(canvas, &mut placer, span);
        }
        let dots = || self.dots.iter().filter(|dot| plot.shows(&dot.at));
        for dot in dots() {
            let place = plot.place_of(&dot.at);
            canvas.circle(place, 2.6, &Style::line(INK, 0.9).filled("#ffffff"));
            placer.reserve(Rectangle::around(place, Point::repeat(6.0)));
        }
        for measure in &self.measures {
            plot.draw_measure(canvas, &mut placer, measure);
        }
        for dot in dots() {
            label(canvas, &mut placer, plot.place_of(&dot.at), &dot.label, &Lettering::new(SMALL, INK), 4.0);
        }
        for area in self.areas.iter().filter(|area| !area.label.spans().is_empty()) {
            let corners: Vec<Point> = area.corners.iter().map(|corner| plot.place_of(corner)).collect();
            label_along(canvas, &mut placer, &inside(&corners), &area.label, &Lettering::new(SMALL, GREY), 0.0);
        }
        for guide in self.guides.iter().filter(|guide| plot.shows_across(guide.at)) {
            let anchors = stations(&[plot.guide(guide.at).to_vec()], 0.9);
            label_along(canvas, &mut placer, &anchors, &guide.label, &Lettering::new(SMALL - 0.5, GREY), 3.0);
        }
        for (curve, ways) in self.curves.iter().zip(&ways) {
            let keyed = self.wide || (self.keyed && curve.is_data());
            if !keyed && !curve.label.spans().is_empty() {
                let (anchors, clearance) =
                    if curve.is_marks() { (ways.concat(), RADIUS + 1.5) } else { (stations(ways, 0.8), 3.5) };
                let lettering = Lettering::new(TEXT, curve.colour());
                label_along(canvas, &mut placer, &anchors, &curve.label, &lettering, clearance);
            }
        }
        let unnamed = self.tiling.as_ref().map_or_else(Vec::new, |tiling| {
            tiling.draw_scale(canvas, &plot.rectangle);
            tiling.name(canvas, &mut placer, |p| plot.place_of(p))
        });
        canvas.close();
        unnamed
    }
}

/// A chart's rectangle of the canvas with its axes.
struct Plot {
    rectangle: Rectangle,
    across: Ruler,
    up: Ruler,
    /// Height of the strip in which spans are named, pixels.
    strip: f64,
}

impl Plot {
    fn new(chart: &Chart, corner: Point, size: Point) -> Plot {
        let curves = || chart.curves.iter().filter(|curve| curve.is_data()).flat_map(|curve| &curve.points);
        let tiles = || chart.tiling.iter().flat_map(Tiling::ends);
        let shown = || {
            curves()
                .chain(&chart.extent)
                .copied()
                .chain(tiles())
                .chain(chart.areas.iter().flat_map(|area| area.corners.iter().copied()))
        };
        let dots = || chart.dots.iter().map(|dot| dot.at);
        let head = if chart.spans.is_empty() { ROOM } else { STRIP };
        let mut across = Ruler::new(&chart.across, shown().chain(dots()).map(|p| p.x), [0.5 * ROOM; 2]).placed(
            corner.x,
            size.x,
            TICKS_ACROSS,
        );
        let mut up = Ruler::new(&chart.up, shown().chain(dots()).map(|p| p.y), [ROOM, head]).placed(
            corner.y + size.y,
            -size.y,
            TICKS_UP,
        );
        if chart.equal_scales {
            let resolution = across.resolution().max(up.resolution());
            across.widen_to(resolution);
            up.widen_to(resolution);
        }
        let strip = if chart.spans.is_empty() { 0.0 } else { NAMES };
        Plot { rectangle: Rectangle { least: corner, greatest: corner + size }, across, up, strip }
    }

    fn place_of(&self, p: &Vector2<f64>) -> Point {
        Point::new(self.across.place_of(p.x), self.up.place_of(p.y))
    }

    /// The visible parts of a polygonal line on the canvas, without points that no printer tells apart.
    fn ways(&self, points: &[Vector2<f64>]) -> Vec<Vec<Point>> {
        /// Pixels.
        const SAME: f64 = 0.3;
        let places: Vec<Point> = points.iter().map(|p| self.place_of(p)).collect();
        let finite = |p: &Point| p.iter().all(|x| x.is_finite());
        let seen = self.rectangle.grown(4.0);
        let parts = places.split(|p| !finite(p));
        parts.flat_map(|part| seen.clip_polyline(&thinned(part, SAME))).collect()
    }

    /// The points of marks that are seen, each once as far as a printer tells them apart; dots cover a pixel in any case.
    fn places(&self, curve: &Curve) -> Vec<Vec<Point>> {
        let per_pixel = if curve.is_dots() { 1.0 } else { 2.0 };
        let seen = self.rectangle.grown(1.0);
        let mut taken = std::collections::HashSet::new();
        let is_seen = |p: &Point| p.iter().all(|x| x.is_finite()) && seen.nearest(*p) == *p;
        let places = curve.points.iter().map(|p| self.place_of(p)).filter(is_seen);
        vec![places.filter(|p| taken.insert([p.x, p.y].map(|x| (x * per_pixel).round() as i64))).collect()]
    }

    /// The line from bottom to top through a value of the axis to the right.
    fn upright(&self, at: f64) -> [Point; 2] {
        let x = self.across.place_of(at);
        [Point::new(x, self.rectangle.greatest.y), Point::new(x, self.rectangle.least.y)]
    }

    /// Where labels may stand.
    fn room(&self) -> Rectangle {
        let Rectangle { least, greatest } = self.rectangle.grown(-2.0);
        Rectangle { least: least + Point::new(0.0, self.strip), greatest }
    }

    /// The line of a guide, which leaves the names of the spans free.
    fn guide(&self, at: f64) -> [Point; 2] {
        let [foot, top] = self.upright(at);
        [foot, top + Point::new(0.0, self.strip)]
    }

    /// Whether a value of the axis to the right lies between its ends.
    fn shows_across(&self, at: f64) -> bool {
        (self.rectangle.least.x..=self.rectangle.greatest.x).contains(&self.across.place_of(at))
    }

    /// Whether a point lies between the axes' ends.
    fn shows(&self, p: &Vector2<f64>) -> bool {
        let y = self.up.place_of(p.y);
        self.shows_across(p.x) && (self.rectangle.least.y..=self.rectangle.greatest.y).contains(&y)
    }

    /// The pixels between which a span is seen.
    fn extent(&self, span: &Span) -> [f64; 2] {
        let pixel = |x: f64| match self.across.place_of(x) {
            // A logarithmic axis ends before zero.
            x if x.is_nan() => self.rectangle.least.x,
            x => x.clamp(self.rectangle.least.x, self.rectangle.greatest.x),
        };
        [pixel(span.from), pixel(span.to)]
    }

    fn shade(&self, canvas: &mut Canvas, span: &Span) {
        let [from, to] = self.extent(span);
        let (top, height) = (self.rectangle.least.y, self.rectangle.greatest.y - self.rectangle.least.y);
        canvas.rectangle(Point::new(from, top), Point::new(to - from, height), &Style::fill(span.tint));
    }

    /// Names a span at its top, if the name fits into it.
    fn name_span(&self, canvas: &mut Canvas, placer: &mut Placer, span: &Span) {
        let [from, to] = self.extent(span);
        let (text, size) = (Text::plain(&span.label), SMALL - 1.0);
        let room = Point::new(font::width(&text, size), size);
        if room.x + 6.0 > to - from {
            return;
        }
        let middle = Point::new(0.5 * (from + to), self.rectangle.least.y + 8.0);
        placer.reserve(Rectangle::around(middle, room));
        let lettering = Lettering::new(size, GREY).anchored(Anchor::Middle);
        canvas.text(middle + Point::new(0.0, 3.0), &text, &lettering);
    }

    /// Lines through zero.
    fn draw_zero(&self, canvas: &mut Canvas, placer: &mut Placer) {
        let Rectangle { least, greatest } = self.rectangle;
        let y = self.up.place_of(0.0);
        let upright = self.across.shows_zero().then(|| self.upright(0.0));
        let level = self.up.shows_zero().then(|| [Point::new(least.x, y), Point::new(greatest.x, y)]);
        for ends in [upright, level].into_iter().flatten() {
            canvas.line(ends[0], ends[1], &Style::line(FAINT, 0.6));
            placer.avoid(&ends);
        }
    }

    fn draw_axes(&self, canvas: &mut Canvas) {
        let Rectangle { least, greatest } = self.rectangle;
        canvas.open("axes");
        canvas.rectangle(least, greatest - least, &Style::line(INK, 0.8));
        let mark = Style::line(INK, 0.8);
        for tick in self.across.ticks() {
            let length = if tick.label.is_some() { 4.5 } else { 2.5 };
            canvas.line(Point::new(tick.at, greatest.y), Point::new(tick.at, greatest.y - length), &mark);
            if let Some(label) = tick.label {
                let lettering = Lettering::new(SMALL, INK).anchored(Anchor::Middle);
                canvas.text(Point::new(tick.at, greatest.y + 13.0), &label, &lettering);
            }
        }
        for tick in self.up.ticks() {
            let length = if tick.label.is_some() { 4.5 } else { 2.5 };
            canvas.line(Point::new(least.x, tick.at), Point::new(least.x + length, tick.at), &mark);
            if let Some(label) = tick.label {
                let lettering = Lettering::new(SMALL, INK).anchored(Anchor::End);
                canvas.text(Point::new(least.x - 5.0, tick.at + 3.5), &label, &lettering);
            }
        }
        let (middle, lettering) = (self.rectangle.centre(), Lettering::new(TEXT, INK).anchored(Anchor::Middle));
        canvas.text(Point::new(middle.x, greatest.y + 30.0), &self.across.title(), &lettering);
        let upwards = Lettering { upwards: true, ..lettering };
        canvas.text(Point::new(least.x - 40.0, middle.y), &self.up.title(), &upwards);
        canvas.close();
    }

    fn draw_measure(&self, canvas: &mut Canvas, placer: &mut Placer, measure: &Measure) {
        let ends = measure.between.map(|y| self.place_of(&Vector2::new(measure.at, y)));
        let Some([from, to]) = self.rectangle.clip(ends) else { return };
        let way = to - from;
        let head = 7.0_f64.min(0.45 * way.norm());
        canvas.line(from, to, &Style::line(INK, 0.8));
        arrowhead(canvas, to, way, head, INK);
        arrowhead(canvas, from, -way, head, INK);
        placer.avoid(&[from, to]);
        label_along(
            canvas,
            placer,
            &stations(&[vec![from, to]], 0.5),
            &measure.label,
            &Lettering::new(SMALL, INK),
            4.0,
        );
    }
}

/// Points at least some pixels apart; the first and the last stay. A single point becomes a line of no length.
fn thinned(points: &[Point], apart: f64) -> Vec<Point> {
    let mut kept: Vec<Point> = Vec::new();
    for p in points {
        if kept.last().is_none_or(|before| (p - before).norm() >= apart) {
            kept.push(*p);
        }
    }
    if let Some(last) = points.last()
        && (kept.len() < 2 || kept.last() != Some(last))
    {
        kept.push(*last);
    }
    kept
}

/// Places inside a convex polygon, the most roomy first: between its middle and each corner.
fn inside(corners: &[Point]) -> Vec<Point> {
    let middle = corners.iter().sum::<Point>() / corners.len().max(1) as f64;
    let places =
        [0.0, 0.25, 0.5].into_iter().flat_map(|share| corners.iter().map(move |c| middle + (c - middle) * share));
    places.collect()
}

/// Places along lines at which a label may stand, those nearest to a share of their length first.
fn stations(ways: &[Vec<Point>], best: f64) -> Vec<Point> {
    const COUNT: usize = 24;
    let pieces = || ways.iter().flat_map(|way| way.windows(2)).map(|ends| (ends[0], ends[1] - ends[0]));
    let total: f64 = pieces().map(|(_, along)| along.norm()).sum();
    let at = |share: f64| {
        let mut left = share * total;
        for (start, along) in pieces() {
            let length = along.norm();
            if length > 0.0 && left <= length {
                return Some(start + along * (left / length));
            }
            left -= length;
        }
        ways.last().and_then(|way| way.last()).copied()
    };
    let mut shares: Vec<f64> = (1..COUNT).map(|k| k as f64 / COUNT as f64).collect();
    shares.sort_by(|a, b| (a - best).abs().total_cmp(&(b - best).abs()));
    shares.into_iter().filter_map(at).collect()
}
