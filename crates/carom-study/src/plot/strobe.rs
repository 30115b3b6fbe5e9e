//! The motion as a strobe shows it: bodies at equal intervals of time, their paths, and where events were.

use super::axis::{Axis, Ruler};
use super::frame::{BOTTOM_MARGIN, LEFT_MARGIN};
use super::heading::{draw_headings, width_of_headings};
use super::marks::label;
use super::outline::{Outline, View};
use super::placer::Placer;
use super::rectangle::Rectangle;
use super::style::{FAINT, GREY, INK, PALETTE, SMALL, TEXT, WHITE};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::Text;
use crate::scenario::SimulationScenario;
use crate::simulation::{Frame, Run};
use carom::Digits;
use carom::sim::{Core, Event, EventContact, EventKind, Load, Mover, Pose, Scene, State};
use nalgebra::Vector3;

/// The colour of a body, by its place.
pub fn body_colour(body: usize) -> &'static str {
    PALETTE[body % PALETTE.len()]
}

/// Width of the picture of the motion and limits of its height, pixels.
const WIDTH: f64 = 600.0;
const HEIGHTS: [f64; 2] = [150.0, 560.0];
const HEAD: f64 = 58.0;
/// Room around what is shown, relative to its extent.
const ROOM: f64 = 0.06;
/// A key to the marks needs so much room.
const KEY: f64 = 24.0;
/// More bodies than this are not named.
const MOST_NAMES: usize = 8;
/// More marks than this hide what they mark.
const MOST_MARKS: usize = 200;

/// The motion as SVG.
pub fn strobe(scenario: &SimulationScenario, run: &Run) -> String {
    let scene = &scenario.scene;
    let view = if scene.planar {
        View::planar()
    } else {
        View::spatial(&(-scene.gravity).try_normalize(0.0).unwrap_or_else(Vector3::z))
    };
    let flashes = flashes(run, scene.bodies.len());
    let stage = Stage::new(scenario, run, &view, &flashes);
    let Stage { rectangle, .. } = stage;
    let every = match flashes[..] {
        [first, second, ..] => format!("every {} s from 0 to ", Digits(round(second.time - first.time))),
        _ => "at ".to_owned(),
    };
    let end = flashes.last().map_or(0.0, |frame| frame.time);
    let subtitle = format!("{every}{} s; law {}", Digits(round(end)), scene.law.id);
    let width = (rectangle.greatest.x + 16.0).max(LEFT_MARGIN + width_of_headings(&scenario.title, &subtitle) + 16.0);
    let axes = if scene.planar { BOTTOM_MARGIN } else { 10.0 };
    let mut canvas = Canvas::new(width, rectangle.greatest.y + axes + KEY, &scenario.title);
    draw_headings(&mut canvas, &scenario.title, &subtitle);

    canvas.open_clipped("motion", rectangle.least, rectangle.greatest - rectangle.least);
    stage.draw_world(&mut canvas, scenario);
    stage.draw_paths(&mut canvas, run);
    let mut placer = Placer::new(rectangle.grown(-2.0));
    for (k, frame) in flashes.iter().enumerate() {
        let age = 1.0 - (k as f64 + 1.0) / flashes.len() as f64;
        stage.draw_links(&mut canvas, scenario, frame, age);
        stage.draw_bodies(&mut canvas, scenario, frame, age, &mut placer);
    }
    let marked = stage.draw_events(&mut canvas, &scenario.scene, run);
    canvas.close();
    if let (Some(frame), true) = (flashes.last(), scene.bodies.len() <= MOST_NAMES && scene.bodies.len() > 1) {
        for (body, state) in frame.states.iter().enumerate() {
            let place = stage.place(&state.pose.position);
            let lettering = Lettering { halo: true, ..Lettering::new(SMALL, body_colour(body)) };
            label(&mut canvas, &mut placer, place, &Text::plain(&scenario.body_names[body]), &lettering, 9.0);
        }
    }
    stage.draw_frame(&mut canvas, scene.planar);
    draw_key(&mut canvas, Point::new(LEFT_MARGIN, rectangle.greatest.y + axes + 12.0), marked);
    canvas.finish()
}

/// Times are told without the rounding of a division.
fn round(time: f64) -> f64 {
    (time * 1e6).round() / 1e6
}

/// Frames at equal intervals from the start to the end: more of few bodies, fewer of many.
fn flashes(run: &Run, bodies: usize) -> Vec<&Frame> {
    let wanted = match bodies {
        0..=1 => 20,
        2..=4 => 12,
        _ => 8,
    };
    let last = run.frames.len().saturating_sub(1);
    // Equal to the frame, if any number of flashes near the wanted one makes it so.
    let even =
        (wanted..=wanted + wanted / 2).chain((wanted / 2..wanted).rev()).find(|count| last.is_multiple_of(*count));
    let count = even.unwrap_or(wanted).min(last).max(1);
    (0..=count).filter_map(|k| run.frames.get(k * last / count)).collect()
}

/// The part of the canvas that shows the motion.
struct Stage<'a> {
    view: &'a View,
    rectangle: Rectangle,
    across: Ruler,
    up: Ruler,
    /// The corners of all that moves, m on the sheet.
    extent: [Point; 2],
    /// The middle of the motion, m.
    centre: Vector3<f64>,
}

impl<'a> Stage<'a> {
    fn new(scenario: &SimulationScenario, run: &Run, view: &'a View, flashes: &[&Frame]) -> Stage<'a> {
        let scene = &scenario.scene;
        let mut extent = [Point::repeat(f64::INFINITY), Point::repeat(f64::NEG_INFINITY)];
        let mut take = |[least, greatest]: [Point; 2]| extent = [extent[0].inf(&least), extent[1].sup(&greatest)];
        let (mut least, mut greatest) = (Vector3::repeat(f64::INFINITY), Vector3::repeat(f64::NEG_INFINITY));
        for frame in &run.frames {
            for (body, state) in scene.bodies.iter().zip(&frame.states) {
                let (place, reach) = (state.pose.position, body.reach());
                (least, greatest) = (least.inf(&place.add_scalar(-reach)), greatest.sup(&place.add_scalar(reach)));
                take([view.place(&place); 2]);
            }
        }
        for frame in flashes {
            for (body, state) in scene.bodies.iter().zip(&frame.states) {
                let outlines = body.parts.iter().filter_map(|part| view.outline(part, &state.pose));
                outlines.for_each(|outline| take(outline.bounds()));
            }
            for end in scene.joints.iter().flat_map(|joint| [&joint.a, &joint.b]) {
                if let Some(body) = end.body {
                    take([view.place(&frame.states[body].pose.point(&end.point)); 2]);
                }
            }
        }
        for point in anchors(scenario) {
            take([view.place(&point); 2]);
        }
        for part in &scene.world {
            if let Some(outline) = view.outline(part, &Pose::identity()) {
                take(outline.bounds());
            }
        }
        if !(extent[0].x.is_finite() && extent[1].x.is_finite()) {
            extent = [Point::repeat(-1.0), Point::repeat(1.0)];
        }
        let size = (extent[1] - extent[0]).max().max(1e-12);
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

    fn on_canvas(&self, p: &Point) -> Point {
        Point::new(self.across.place_of(p.x), self.up.place_of(p.y))
    }

    fn place(&self, p: &Vector3<f64>) -> Point {
        self.on_canvas(&self.view.place(p))
    }

    fn draw_world(&self, canvas: &mut Canvas, scenario: &SimulationScenario) {
        let hatch = canvas.hatch("#f1f1f1", "#cfcfcf");
        for part in &scenario.scene.world {
            if let Core::HalfSpace { normal, offset } = &part.core {
                if scenario.scene.planar {
                    self.draw_ground(canvas, normal, *offset, &hatch);
                } else if normal.dot(&self.view.toward) > 0.0 {
                    self.draw_floor(canvas, normal, *offset);
                }
            } else if let Some(outline) = self.view.outline(part, &Pose::identity()) {
                self.draw_outline(canvas, &outline, &Style::line(GREY, 1.0).filled(&hatch), &Style::line(GREY, 0.6));
            }
        }
    }

    /// The solid below a line of the plane.
    fn draw_ground(&self, canvas: &mut Canvas, normal: &Vector3<f64>, offset: f64, hatch: &str) {
        let far = 4.0 * (self.extent[1] - self.extent[0]).norm() + 1e-6;
        let foot = self.centre + normal * (offset - normal.dot(&self.centre));
        let along = Vector3::new(normal.y, -normal.x, 0.0) * far;
        let corners = [foot - along, foot + along, foot + along - normal * far, foot - along - normal * far];
        let polygon = self.rectangle.grown(3.0).clip_polygon(corners.iter().map(|p| self.place(p)).collect());
        canvas.polyline(&polygon, true, &Style::fill(hatch));
        if let Some([from, to]) = self.rectangle.clip([self.place(&corners[0]), self.place(&corners[1])]) {
            canvas.line(from, to, &Style::line(INK, 1.0));
        }
    }

    /// A piece of a plane in space, ruled so that it is seen as a plane.
    fn draw_floor(&self, canvas: &mut Canvas, normal: &Vector3<f64>, offset: f64) {
        const LINES: i32 = 6;
        let half = 0.62 * (self.extent[1] - self.extent[0]).max();
        let foot = self.centre + normal * (offset - normal.dot(&self.centre));
        let across = if normal.x.abs() < 0.9 { Vector3::x() } else { Vector3::y() };
        let first = (across - normal * normal.dot(&across)).normalize() * half;
        let second = normal.cross(&first);
        let corners =
            [first + second, first - second, -first - second, second - first].map(|c| self.place(&(foot + c)));
        canvas.polyline(&corners, true, &Style::line(FAINT, 0.7).filled("#f6f6f6"));
        for k in 1 - LINES..LINES {
            let share = f64::from(k) / f64::from(LINES);
            for (a, b) in [(first, second), (second, first)] {
                let ends = [foot + a * share - b, foot + a * share + b].map(|p| self.place(&p));
                canvas.line(ends[0], ends[1], &Style::line("#dddddd", 0.6));
            }
        }
    }

    fn draw_paths(&self, canvas: &mut Canvas, run: &Run) {
        let instants = if run.events.len() < 4 * run.frames.len() { run.instants() } else { Vec::new() };
        let count = run.frames.first().map_or(0, |frame| frame.states.len());
        for body in 0..count {
            let places: Vec<Point> = if instants.is_empty() {
                run.frames.iter().map(|frame| self.place(&frame.states[body].pose.position)).collect()
            } else {
                instants.iter().map(|(_, states)| self.place(&states[body].pose.position)).collect()
            };
            let mut way: Vec<Point> = Vec::new();
            for place in places {
                if way.last().is_none_or(|last| (place - last).norm() > 0.4) {
                    way.push(place);
                }
            }
            if way.len() > 1 {
                canvas.polyline(&way, false, &Style::line(&faded(body_colour(body), 0.45), 0.8));
            }
        }
    }

    fn draw_bodies(
        &self,
        canvas: &mut Canvas,
        scenario: &SimulationScenario,
        frame: &Frame,
        age: f64,
        placer: &mut Placer,
    ) {
        let mut order: Vec<usize> = (0..frame.states.len()).collect();
        let depth = |body: &usize| self.view.toward.dot(&frame.states[*body].pose.position);
        order.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        for body in order {
            let colour = faded(body_colour(body), 0.72 * age);
            let ground = faded(body_colour(body), 0.80);
            let parts = &scenario.scene.bodies[body].parts;
            for outline in parts.iter().filter_map(|part| self.view.outline(part, &frame.states[body].pose)) {
                let mut rim = Style::line(&colour, if age == 0.0 { 1.5 } else { 1.0 });
                if age == 0.0 || !scenario.scene.planar {
                    rim = rim.filled(if age == 0.0 { &ground } else { WHITE });
                }
                self.draw_outline(canvas, &outline, &rim, &Style::line(&colour, 0.7));
                if age == 0.0 {
                    let [least, greatest] = outline.bounds().map(|p| self.on_canvas(&p));
                    placer.reserve(Rectangle { least: least.inf(&greatest), greatest: least.sup(&greatest) });
                }
            }
            if parts.is_empty() {
                let place = self.place(&frame.states[body].pose.position);
                canvas.circle(place, 3.0, &Style::line(&colour, 1.0).filled(&colour));
            }
        }
    }

    fn draw_outline(&self, canvas: &mut Canvas, outline: &Outline, rim: &Style<'_>, thin: &Style<'_>) {
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

    /// Strings, springs and joints at an instant.
    fn draw_links(&self, canvas: &mut Canvas, scenario: &SimulationScenario, frame: &Frame, age: f64) {
        let scene = &scenario.scene;
        let colour = faded("#6b6b6b", 0.75 * age);
        let at = |anchor: &carom::sim::Anchor| {
            let state = anchor.body.map_or_else(State::world, |body| frame.states[body]);
            self.place(&state.pose.point(&anchor.point))
        };
        let springs = scene.loads.iter().filter_map(|load| match load {
            Load::Spring { a, b, .. } => Some((a, b)),
            _ => None,
        });
        for (a, b) in springs {
            canvas.line(at(a), at(b), &Style::line(&colour, 1.0).dashed(&[4.0, 2.0]));
        }
        for cord in &scene.strings {
            canvas.line(at(&cord.a), at(&cord.b), &Style::line(&colour, 0.7));
        }
        // From the joint to the bodies that it holds from outside.
        for joint in &scene.joints {
            for end in [&joint.a, &joint.b] {
                if let Some(body) = end.body.filter(|body| hangs(&scene.bodies[*body], end)) {
                    let middle = self.place(&frame.states[body].pose.position);
                    canvas.line(at(end), middle, &Style::line(&colour, 0.8));
                }
            }
            canvas.circle(at(&joint.a), 2.0, &Style::line(&colour, 0.8).filled(WHITE));
        }
    }

    /// Marks impacts and other events where they were; which of the two there are.
    fn draw_events(&self, canvas: &mut Canvas, scene: &Scene, run: &Run) -> [bool; 2] {
        let mut marked = [false; 2];
        let step = run.events.len().div_ceil(MOST_MARKS).max(1);
        for event in run.events.iter().step_by(step) {
            let is_impact = matches!(event.kind, EventKind::Impact | EventKind::Accumulation { .. } | EventKind::Jam);
            for contact in event.contacts.iter().filter(|contact| is_on_a_body(scene, event, contact)) {
                draw_mark(canvas, self.place(&contact.point), is_impact);
                marked[usize::from(!is_impact)] = true;
            }
        }
        marked
    }

    fn draw_frame(&self, canvas: &mut Canvas, planar: bool) {
        let Rectangle { least, greatest } = self.rectangle;
        canvas.open("axes");
        canvas.rectangle(least, greatest - least, &Style::line(INK, 0.8));
        if planar {
            self.draw_ticks(canvas);
        } else {
            self.draw_triad(canvas);
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

    /// The world's axes and a length, for a view at an angle.
    fn draw_triad(&self, canvas: &mut Canvas) {
        const LENGTH: f64 = 26.0;
        let Rectangle { least, greatest } = self.rectangle;
        let origin = Point::new(least.x + 40.0, greatest.y - 34.0);
        for (name, axis) in [("x", Vector3::x()), ("y", Vector3::y()), ("z", Vector3::z())] {
            let on = self.view.place(&axis);
            let tip = origin + Point::new(on.x, -on.y) * LENGTH;
            canvas.line(origin, tip, &Style::line(INK, 1.0));
            let place = origin + Point::new(on.x, -on.y) * (LENGTH + 8.0) + Point::new(0.0, 3.5);
            let lettering = Lettering { halo: true, ..Lettering::new(SMALL, INK).anchored(Anchor::Middle) };
            canvas.text(place, &Text::symbol(name), &lettering);
        }
        let rough = 80.0 * self.across.resolution();
        let decade = 10.0_f64.powi(rough.log10().floor() as i32);
        let length = [5.0, 2.0, 1.0].into_iter().map(|m| m * decade).find(|l| *l <= rough).unwrap_or(rough);
        let to = Point::new(greatest.x - 16.0, greatest.y - 14.0);
        let from = to - Point::new(length / self.across.resolution(), 0.0);
        canvas.line(from, to, &Style::line(INK, 2.0));
        let text = Text::plain(format!("{} m", Digits(length)));
        let lettering = Lettering { halo: true, ..Lettering::new(SMALL, INK).anchored(Anchor::Middle) };
        canvas.text((from + to) * 0.5 - Point::new(0.0, 5.0), &text, &lettering);
    }
}

/// Whether a point that holds a body lies outside of it.
pub(crate) fn hangs(body: &Mover, end: &carom::sim::Anchor) -> bool {
    end.point.norm() > body.reach() * (1.0 + 1e-9)
}

/// Whether a contact is at one of the bodies that it moved. A joint at its limit acts at a lever, which may be elsewhere.
fn is_on_a_body(scene: &Scene, event: &Event, contact: &EventContact) -> bool {
    let on = |(body, [before, _]): &(usize, [State; 2])| {
        let ends = scene.strings.iter().flat_map(|cord| [&cord.a, &cord.b]).filter(|end| end.body == Some(*body));
        let reach = ends.map(|end| end.point.norm()).fold(scene.bodies[*body].reach(), f64::max);
        contact.bodies.contains(&Some(*body)) && (contact.point - before.pose.position).norm() <= reach * (1.0 + 1e-6)
    };
    event.bodies.is_empty() || event.bodies.iter().any(on)
}

/// Ends of links on the world.
fn anchors(scenario: &SimulationScenario) -> Vec<Vector3<f64>> {
    let scene = &scenario.scene;
    let springs = scene.loads.iter().filter_map(|load| match load {
        Load::Spring { a, b, .. } => Some([a, b]),
        _ => None,
    });
    let cords = scene.strings.iter().map(|cord| [&cord.a, &cord.b]);
    let joints = scene.joints.iter().map(|joint| [&joint.a, &joint.b]);
    let ends = springs.chain(cords).chain(joints).flatten();
    ends.filter(|end| end.body.is_none()).map(|end| end.point).collect()
}

fn draw_mark(canvas: &mut Canvas, place: Point, is_impact: bool) {
    if is_impact {
        canvas.circle(place, 2.6, &Style::line(INK, 0.9).filled(WHITE));
    } else {
        let (a, b) = (Point::new(2.2, 2.2), Point::new(2.2, -2.2));
        for arm in [a, b] {
            canvas.line(place - arm, place + arm, &Style::line(INK, 1.0));
        }
    }
}

fn draw_key(canvas: &mut Canvas, mut place: Point, marked: [bool; 2]) {
    for (k, words) in ["impacts", "other events"].iter().enumerate() {
        if marked[k] {
            draw_mark(canvas, place + Point::new(4.0, -3.5), k == 0);
            let text = Text::plain(*words);
            canvas.text(place + Point::new(13.0, 0.0), &text, &Lettering::new(SMALL, GREY));
            place.x += 13.0 + super::font::width(&text, SMALL) + 22.0;
        }
    }
}

/// A colour mixed with white.
fn faded(colour: &str, white: f64) -> String {
    let part = |k: usize| {
        let value = colour.get(1 + 2 * k..3 + 2 * k).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
        f64::from(value) + (255.0 - f64::from(value)) * white
    };
    format!("#{:02x}{:02x}{:02x}", part(0).round() as u8, part(1).round() as u8, part(2).round() as u8)
}
