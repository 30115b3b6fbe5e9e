//! The part of the canvas that shows the motion, and its axes.

use crate::plot::axis::{Axis, Ruler};
use crate::plot::font::width;
use crate::plot::frame::LEFT_MARGIN;
use crate::plot::outline::{Outline, View};
use crate::plot::placer::Placer;
use crate::plot::rectangle::Rectangle;
use crate::plot::style::{INK, SMALL, TEXT};
use crate::plot::svg::{Anchor, Canvas, Lettering, Point, Style};
use crate::plot::text::Text;
use crate::prefix::Prefix;
use crate::scenario::SimulationScenario;
use crate::simulation::{Frame, Run};
use carom::format::Digits;
use carom::sim::{Load, Pose};
use nalgebra::Vector3;

/// Width of the picture of the motion and limits of its height, pixels.
const WIDTH: f64 = 600.0;
const HEIGHTS: [f64; 2] = [150.0, 560.0];
const HEAD: f64 = 58.0;
/// Room around what is shown, relative to its extent.
const ROOM: f64 = 0.06;
/// An extent that is a smaller fraction of the distance from the origin is that of a point, around which a metre is shown.
const NARROW: f64 = 1e-9;

/// The part of the canvas that shows the motion.
pub struct Stage<'a> {
    /// From where it is seen.
    pub view: &'a View,
    /// Where it is.
    pub rectangle: Rectangle,
    /// Its axes, m on the sheet.
    pub across: Ruler,
    pub up: Ruler,
    /// The corners of all that moves, m on the sheet.
    pub extent: [Point; 2],
    /// The middle of the motion, m.
    pub centre: Vector3<f64>,
}

impl<'a> Stage<'a> {
    /// Lays out what moves and what it moves in.
    pub fn new(scenario: &SimulationScenario, run: &Run, view: &'a View, flashes: &[&Frame]) -> Stage<'a> {
        let scene = &scenario.scene;
        let mut extent = [Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY)];
        let mut take = |[least, greatest]: [Point; 2]| extent = [extent[0].inf(&least), extent[1].sup(&greatest)];
        let (mut least, mut greatest) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for frame in &run.frames {
            for (body, state) in scene.bodies().iter().zip(&frame.states) {
                let (place, reach) = (state.pose.position, body.reach());
                (least, greatest) = (least.inf(&place.add_scalar(-reach)), greatest.sup(&place.add_scalar(reach)));
                take([view.place(&place); 2]);
            }
        }
        for frame in flashes {
            for (body, state) in scene.bodies().iter().zip(&frame.states) {
                let outlines = body.parts.iter().filter_map(|part| view.outline(part, &state.pose));
                outlines.for_each(|outline| take(outline.bounds()));
            }
            for end in scene.joints().iter().flat_map(|joint| [joint.a(), joint.b()]) {
                if let Some(body) = end.body {
                    take([view.place(&frame.states[body.index()].pose.point(&end.point)); 2]);
                }
            }
        }
        for point in anchors(scenario) {
            take([view.place(&point); 2]);
        }
        for part in scene.world() {
            if let Some(outline) = view.outline(part, &Pose::identity()) {
                take(outline.bounds());
            }
        }
        if !(extent[0].x.is_finite() && extent[1].x.is_finite()) {
            extent = [Point::repeat(-1.0), Point::repeat(1.0)];
        }
        let far = extent[0].abs().sup(&extent[1].abs()).max();
        if (extent[1] - extent[0]).max() <= NARROW * far || far == 0.0 {
            extent = [extent[0].add_scalar(-0.5), extent[1].add_scalar(0.5)];
        }
        let size = (extent[1] - extent[0]).max();
        // Floors that are near are seen.
        let margin = ROOM * size;
        let size = extent[1] - extent[0] + Point::repeat(2.0 * margin);
        let height = (WIDTH * size.y / size.x).clamp(HEIGHTS[0], HEIGHTS[1]);
        let width = WIDTH.min((height * size.x / size.y).max(0.45 * WIDTH));
        let corner = Point::new(LEFT_MARGIN, HEAD);
        let rectangle = Rectangle { least: corner, greatest: corner + Point::new(width, height) };
        let ruler = |name: &str, i: usize| {
            let axis = Axis::quantity(Text::symbol(name), "m").between(extent[0][i] - margin, extent[1][i] + margin);
            Ruler::new(&axis, std::iter::empty(), [0.0; 2])
        };
        let mut across = ruler("x", 0).placed(corner.x, width, 58.0);
        let mut up = ruler("y", 1).placed(corner.y + height, -height, 40.0);
        let resolution = across.resolution().max(up.resolution());
        across.widen_to(resolution);
        up.widen_to(resolution);
        let centre = if least.x.is_finite() { (least + greatest) * 0.5 } else { Vector3::zeros() };
        Stage { view, rectangle, across, up, extent, centre }
    }

    /// Where a point of the sheet is.
    pub fn on_canvas(&self, p: &Point) -> Point {
        Point::new(self.across.place_of(p.x), self.up.place_of(p.y))
    }

    /// Where a point of the world is.
    pub fn place(&self, p: &Vector3<f64>) -> Point {
        self.on_canvas(&self.view.place(p))
    }

    /// The rectangle around a silhouette.
    pub fn bounds(&self, outline: &Outline) -> Rectangle {
        let [a, b] = outline.bounds().map(|p| self.on_canvas(&p));
        Rectangle { least: a.inf(&b), greatest: a.sup(&b) }
    }

    /// Draws a silhouette, its rim and its edges.
    pub fn draw_outline(&self, canvas: &mut Canvas, outline: &Outline, rim: &Style<'_>, thin: &Style<'_>) {
        match outline {
            Outline::Circle(centre, radius, mark) => {
                let centre = self.on_canvas(centre);
                canvas.circle(centre, radius / self.across.resolution(), rim);
                canvas.line(centre, self.on_canvas(mark), thin);
            }
            Outline::Polygon(points, edges) => {
                let points: Vec<Point> = points.iter().map(|p| self.on_canvas(p)).collect();
                canvas.polyline(&points, true, rim);
                for [from, to] in edges {
                    canvas.line(self.on_canvas(from), self.on_canvas(to), thin);
                }
            }
        }
    }

    /// The frame, in the plane with its ticks.
    pub fn draw_frame(&self, canvas: &mut Canvas, planar: bool) {
        let Rectangle { least, greatest } = self.rectangle;
        canvas.open("axes");
        canvas.rectangle(least, greatest - least, &Style::line(INK, 0.8));
        if planar {
            self.draw_ticks(canvas);
        }
        canvas.close();
    }

    fn draw_ticks(&self, canvas: &mut Canvas) {
        let Rectangle { least, greatest } = self.rectangle;
        let mark = Style::line(INK, 0.8);
        for tick in self.across.ticks() {
            canvas.line(Point::new(tick.at, greatest.y), Point::new(tick.at, greatest.y - 4.5), &mark);
            if let Some(label) = tick.label {
                let lettering = Lettering::new(SMALL, INK).anchored(Anchor::Middle);
                canvas.text(Point::new(tick.at, greatest.y + 13.0), &label, &lettering);
            }
        }
        for tick in self.up.ticks() {
            canvas.line(Point::new(least.x, tick.at), Point::new(least.x + 4.5, tick.at), &mark);
            if let Some(label) = tick.label {
                let lettering = Lettering::new(SMALL, INK).anchored(Anchor::End);
                canvas.text(Point::new(least.x - 5.0, tick.at + 3.5), &label, &lettering);
            }
        }
        let lettering = Lettering::new(TEXT, INK).anchored(Anchor::Middle);
        let middle = self.rectangle.centre();
        canvas.text(Point::new(middle.x, greatest.y + 30.0), &self.across.title(), &lettering);
        canvas.text(Point::new(least.x - 40.0, middle.y), &self.up.title(), &Lettering { upwards: true, ..lettering });
    }

    /// The world's axes, for a view at an angle, in the corner where they hide least.
    pub fn draw_triad(
        &self,
        canvas: &mut Canvas,
        placer: &mut Placer,
        scenario: &SimulationScenario,
        flashes: &[&Frame],
    ) {
        const LENGTH: f64 = 26.0;
        const ROOM: f64 = 84.0;
        let bodies = scenario.scene.bodies();
        let shown = flashes.iter().flat_map(|frame| bodies.iter().zip(&frame.states));
        let outlines: Vec<Rectangle> = shown
            .flat_map(|(body, state)| body.parts.iter().filter_map(|part| self.view.outline(part, &state.pose)))
            .map(|outline| self.bounds(&outline))
            .collect();
        let frame = self.rectangle.grown(-0.5 * ROOM);
        let corners = [
            Point::new(frame.least.x, frame.greatest.y),
            frame.greatest,
            frame.least,
            Point::new(frame.greatest.x, frame.least.y),
        ];
        let covers = |corner: &Point| {
            let room = Rectangle::around(*corner, Point::repeat(ROOM));
            outlines.iter().map(|outline| outline.overlap(&room)).sum::<f64>()
        };
        let least = corners.iter().map(covers).fold(f64::INFINITY, f64::min);
        let Some(origin) = corners.into_iter().find(|corner| covers(corner) <= least) else { return };
        placer.mark(Rectangle::around(origin, Point::repeat(ROOM)));
        for (name, axis) in [("x", Vector3::x()), ("y", Vector3::y()), ("z", Vector3::z())] {
            let on = self.view.place(&axis);
            let tip = origin + Point::new(on.x, -on.y) * LENGTH;
            canvas.line(origin, tip, &Style::line(INK, 1.0));
            let place = origin + Point::new(on.x, -on.y) * (LENGTH + 8.0) + Point::new(0.0, 3.5);
            let lettering = Lettering { halo: true, ..Lettering::new(SMALL, INK).anchored(Anchor::Middle) };
            canvas.text(place, &Text::symbol(name), &lettering);
        }
    }

    /// A length below the frame, for a view at an angle; the width that it takes.
    pub fn draw_scale(&self, canvas: &mut Canvas, y: f64) -> f64 {
        let rough = 90.0 * self.across.resolution();
        let decade = 10.0_f64.powi(rough.log10().floor() as i32);
        let length = [5.0, 2.0, 1.0].into_iter().map(|m| m * decade).find(|l| *l <= rough).unwrap_or(rough);
        let to = Point::new(self.rectangle.greatest.x, y - 3.5);
        let from = to - Point::new(length / self.across.resolution(), 0.0);
        canvas.line(from, to, &Style::line(INK, 2.0));
        let prefix = Prefix::of(length).unwrap_or(Prefix::NONE);
        let text = Text::plain(format!("{} {}m", Digits(prefix.of_value(length)), prefix.symbol));
        canvas.text(Point::new(from.x - 6.0, y), &text, &Lettering::new(SMALL, INK).anchored(Anchor::End));
        to.x - from.x + 6.0 + width(&text, SMALL) + 16.0
    }
}

/// Ends of links on the world.
fn anchors(scenario: &SimulationScenario) -> Vec<Vector3<f64>> {
    let scene = &scenario.scene;
    let springs = scene.loads().iter().filter_map(|load| match load {
        Load::Spring { a, b, .. } => Some([a, b]),
        _ => None,
    });
    let strings = scene.strings().iter().map(|string| [&string.a, &string.b]);
    let joints = scene.joints().iter().map(|joint| [joint.a(), joint.b()]);
    let ends = springs.chain(strings).chain(joints).flatten();
    ends.filter(|end| end.body.is_none()).map(|end| end.point).collect()
}
