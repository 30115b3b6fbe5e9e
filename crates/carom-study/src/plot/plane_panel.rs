//! The impulse plane drawn into a frame: ellipse, cone, region and the lines of Wang & Mason.

use super::font::width;
use super::frame::Frame;
use super::legend::{centre_mark, dot};
use super::marks::{self, Placed, label};
use super::placer::Placer;
use super::rectangle::Rectangle;
use super::style::{self, FAINT, GREY, INK, Letter, SMALL, TEXT};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::Text;
use crate::plane::{PlaneDiagram, PlaneLine, Window};
use nalgebra::Vector2;

/// Points on either side of an ellipse.
pub(super) const SAMPLES: usize = 120;
/// Shares of the energy kept on the level sets drawn: a quarter, a half and three quarters are lost.
pub(super) const LEVELS: [f64; 3] = [0.75, 0.5, 0.25];

/// What is drawn into every frame that shows a part of the impulse plane.
#[derive(Debug)]
pub struct PlanePanel {
    /// The plane's geometry.
    pub plane: PlaneDiagram,
    /// Its lettered lines.
    pub lines: Vec<(Letter, PlaneLine)>,
    /// Paths of the impulse.
    pub paths: Vec<Vec<Vector2<f64>>>,
    /// Fill of the accessible region.
    pub hatch: String,
}

impl PlanePanel {
    /// Draws what the frame shows, with marks, and with names for the axes when given.
    pub fn draw(&self, canvas: &mut Canvas, frame: &Frame, marks: &[Placed], names: Option<[&Text; 2]>) {
        let plane = &self.plane;
        let mut placer = Placer::new(frame.rectangle());
        avoid_curves(&mut placer, frame, plane, &self.lines);
        canvas.open_clipped("impulse-plane", frame.corner, frame.size);
        frame.draw_ground(canvas);
        draw_sets(canvas, frame, plane, &self.hatch, &LEVELS);
        for (letter, line) in &self.lines {
            draw_line(canvas, frame, line, &frame.window, &letter.style());
        }
        marks::draw_paths(canvas, frame, &mut placer, &self.paths);
        canvas.close();
        frame.draw(canvas, names);
        for mark in marks {
            placer.reserve(Rectangle::around(frame.place_of(&mark.at), Point::repeat(12.0)));
        }
        draw_points(canvas, frame, &mut placer, plane);
        marks::draw(canvas, frame, &mut placer, marks);
        draw_letters(canvas, frame, &mut placer, &self.lines);
        label_levels(canvas, frame, &mut placer, plane, &LEVELS);
    }
}

/// Draws the accessible region, the energy ellipse with its level sets and the friction cone.
pub fn draw_sets(canvas: &mut Canvas, frame: &Frame, plane: &PlaneDiagram, hatch: &str, levels: &[f64]) {
    // What leaves the frame is closed outside of it, where it does not show.
    let beyond = frame.window.grown(0.02 * frame.window.size().max());
    let region = frame.places_of(&plane.region(&beyond, SAMPLES));
    canvas.polyline(&region, true, &Style::fill(hatch));
    for alpha in levels {
        let points = frame.places_of(&plane.level_set(*alpha, &beyond, SAMPLES));
        canvas.polyline(&points, true, &style::level());
    }
    for edge in plane.cone() {
        draw_line(canvas, frame, &edge, &beyond, &style::cone());
    }
    let ellipse = frame.places_of(&plane.level_set(1.0, &beyond, SAMPLES));
    canvas.polyline(&ellipse, true, &style::ellipse());
    canvas.polyline(&region, true, &Style::line("#0b4f8a", 1.5));
}

/// Draws one line of the diagram as far as it is seen.
pub fn draw_line(canvas: &mut Canvas, frame: &Frame, line: &PlaneLine, window: &Window, style: &Style) {
    if let Some(ends) = line.clip(window) {
        canvas.polyline(&ends.map(|end| frame.place_of(&end)), false, style);
    }
}

/// The lines of the impact process diagram that exist.
pub fn lines(plane: &PlaneDiagram, restitution: Option<f64>) -> Vec<(Letter, PlaneLine)> {
    let termination = restitution.filter(|e| *e != 0.0).and_then(|e| plane.termination(e));
    [
        (Letter::C, plane.compression()),
        (Letter::S, plane.sticking()),
        (Letter::T, termination),
        (Letter::L, plane.limiting_friction()),
        (Letter::Rf, plane.reversed_limiting_friction()),
    ]
    .into_iter()
    .filter_map(|(letter, line)| Some((letter, line?)))
    .collect()
}

/// Makes labels keep off the curves.
fn avoid_curves(placer: &mut Placer, frame: &Frame, plane: &PlaneDiagram, lines: &[(Letter, PlaneLine)]) {
    let mut ellipse = frame.places_of(&plane.level_set(1.0, &frame.window, 40));
    ellipse.extend(ellipse.first().copied());
    placer.avoid(&ellipse);
    for line in lines.iter().map(|(_, line)| line).chain(&plane.cone()) {
        if let Some(ends) = line.clip(&frame.window) {
            placer.avoid(&ends.map(|end| frame.place_of(&end)));
        }
    }
}

/// Draws and names the points every diagram has: the origin, the frictionless impulses, the centre.
fn draw_points(canvas: &mut Canvas, frame: &Frame, placer: &mut Placer, plane: &PlaneDiagram) {
    let origin = frame.place_of(&Vector2::zeros());
    let mut names = Vec::new();
    if frame.window.contains(&Vector2::zeros()) {
        canvas.circle(origin, 2.4, &Style::fill(INK));
        placer.reserve(Rectangle::around(origin, Point::repeat(5.0)));
        names.push((origin, Text::symbol("O"), Lettering::new(TEXT, INK)));
    }
    for e in [0.0, 1.0] {
        let p = plane.frictionless(e);
        if p.x > 0.0 && frame.window.contains(&p) {
            let place = frame.place_of(&p);
            dot(canvas, place);
            placer.reserve(Rectangle::around(place, Point::repeat(5.0)));
            names.push((place, Text::symbol("e").then(format!(" = {e}")), Lettering::new(SMALL - 1.0, GREY)));
        }
    }
    if let Some(centre) = plane.centre().filter(|centre| frame.window.contains(centre)) {
        let place = frame.place_of(&centre);
        centre_mark(canvas, place);
        placer.reserve(Rectangle::around(place, Point::repeat(8.0)));
    }
    for (place, name, lettering) in names {
        label(canvas, placer, place, &name, &lettering, 4.0);
    }
}

/// Writes the lost share of the energy onto each level set, where there is room.
fn label_levels(canvas: &mut Canvas, frame: &Frame, placer: &mut Placer, plane: &PlaneDiagram, levels: &[f64]) {
    for alpha in levels {
        let text = Text::plain(format!("{:.0}%", 100.0 * (1.0 - alpha)));
        let lettering = Lettering { halo: true, ..Lettering::new(SMALL - 2.0, GREY) }.anchored(Anchor::Middle);
        let size = Point::new(width(&text, lettering.size) + 2.0, 0.8 * lettering.size);
        let points = frame.places_of(&plane.level_set(*alpha, &frame.window, 24));
        let inside = |p: &&Point| {
            let margin = Point::repeat(8.0);
            **p >= frame.corner + margin && **p <= frame.far_corner() - margin
        };
        let free =
            points.iter().filter(inside).map(|p| Rectangle::around(*p, size)).find(|place| placer.is_free(place));
        if let Some(place) = free {
            placer.reserve(place);
            canvas.text(Point::new(place.centre().x, place.greatest.y), &text, &lettering);
        }
    }
}

/// Writes the letters at the lines' ends, outside the upper or right edge of the frame where a line gets there.
fn draw_letters(canvas: &mut Canvas, frame: &Frame, placer: &mut Placer, lines: &[(Letter, PlaneLine)]) {
    let mut above: Vec<(f64, String)> = Vec::new();
    let mut beside: Vec<(f64, String)> = Vec::new();
    let far = frame.far_corner();
    for (letter, line) in lines {
        let Some(ends) = line.clip(&frame.window) else { continue };
        let ends = ends.map(|end| frame.place_of(&end));
        // A ray's first end is its start, not an end of the drawn line.
        let seen = if line.is_ray { &ends[1..] } else { &ends[..] };
        if let Some(end) = seen.iter().find(|end| end.y <= frame.corner.y + 0.5) {
            merge(&mut above, end.x, letter.name());
        } else if let Some(end) = seen.iter().find(|end| end.x >= far.x - 0.5) {
            merge(&mut beside, end.y, letter.name());
        } else if let Some(end) = seen.first() {
            let inwards = (frame.corner + frame.size * 0.5 - end).normalize();
            let lettering = Lettering::new(TEXT, INK);
            label(canvas, placer, end + inwards * 14.0, &Text::symbol(letter.name()), &lettering, 3.0);
        }
    }
    let leader = Style::line(FAINT, 0.7);
    for (place, wanted, name) in spread(above, (frame.corner.x, far.x), |name| width(&Text::symbol(name), TEXT) + 5.0) {
        let lettering = Lettering::new(TEXT, INK).anchored(Anchor::Middle);
        canvas.text(Point::new(place, frame.corner.y - 8.0), &Text::symbol(name), &lettering);
        canvas.line(Point::new(wanted, frame.corner.y), Point::new(place, frame.corner.y - 6.0), &leader);
    }
    for (place, wanted, name) in spread(beside, (frame.corner.y, far.y), |_| TEXT + 1.0) {
        canvas.text(Point::new(far.x + 8.0, place + 4.0), &Text::symbol(name), &Lettering::new(TEXT, INK));
        canvas.line(Point::new(far.x, wanted), Point::new(far.x + 6.0, place), &leader);
    }
}

/// Lines that end at the same place share a label.
fn merge(labels: &mut Vec<(f64, String)>, at: f64, name: &str) {
    match labels.iter_mut().find(|(place, _)| (place - at).abs() < 1.5) {
        Some((_, names)) => {
            names.push_str(", ");
            names.push_str(name);
        }
        None => labels.push((at, name.to_owned())),
    }
}

/// Moves labels along an edge until none overlaps: (place, wanted place, label).
fn spread(
    mut labels: Vec<(f64, String)>,
    (least, greatest): (f64, f64),
    breadth: impl Fn(&str) -> f64,
) -> Vec<(f64, f64, String)> {
    labels.sort_by(|a, b| a.0.total_cmp(&b.0));
    let widths: Vec<f64> = labels.iter().map(|(_, name)| breadth(name)).collect();
    let mut places: Vec<f64> = labels.iter().map(|(at, _)| at.clamp(least, greatest)).collect();
    // Neighbours that overlap part half-way each; a few rounds settle the handful of lines there are.
    for _ in 0..40 {
        for i in 1..places.len() {
            let overlap = 0.5 * (widths[i - 1] + widths[i]) - (places[i] - places[i - 1]);
            if overlap > 0.0 {
                places[i - 1] -= 0.5 * overlap;
                places[i] += 0.5 * overlap;
            }
        }
    }
    places.into_iter().zip(labels).map(|(place, (wanted, name))| (place, wanted, name)).collect()
}
