//! The view along the normal: tangential impulses of a spatial collision.

use super::diagram::Diagram;
use super::frame::Frame;
use super::marker::{Marker, arrowhead};
use super::marks::{self, Mark, Placed, label};
use super::placer::Placer;
use super::rectangle::Rectangle;
use super::style::{self, FAINT, INK, SMALL};
use super::svg::{Canvas, Lettering, Point, Style};
use super::text::Text;
use super::view;
use crate::plane::{PlaneDiagram, PlaneLine};
use carom::Section;
use nalgebra::{Vector2, Vector3};
use std::f64::consts::PI;

/// Length of the arrow of the slip, pixels.
const SLIP: f64 = 56.0;

/// The trace of the section.
pub fn trace_style() -> Style<'static> {
    Style::line(FAINT, 1.2).dashed(&[8.0, 3.0, 2.0, 3.0])
}

/// The frame of the view.
pub fn frame(diagram: &Diagram, marks: &[Mark], plane: &PlaneDiagram, corner: Point, room: Point) -> Frame {
    let of = |admissible: bool| {
        let chosen = marks.iter().filter(move |mark| mark.admissible == admissible);
        chosen.map(|mark| along_normal(&mark.impulse)).collect::<Vec<_>>()
    };
    let radii: Vec<f64> = circles(diagram, plane).into_iter().map(|(radius, _)| radius).collect();
    Frame::fit(view::of_tangents(&of(true), &of(false), &radii), corner, room)
}

/// Draws it.
pub fn draw(
    diagram: &Diagram,
    canvas: &mut Canvas,
    frame: &Frame,
    marks: &[Mark],
    plane: &PlaneDiagram,
    section: &Section,
) {
    let mut placer = Placer::new(frame.rectangle());
    let origin = frame.place_of(&Vector2::zeros());
    canvas.open_clipped("tangent-plane", frame.corner, frame.size);
    frame.draw_ground(canvas);
    let trace = PlaneLine { point: Vector2::zeros(), direction: section.tangent.yx(), is_ray: false };
    if let Some(ends) = trace.clip(&frame.window) {
        let ends = ends.map(|end| frame.place_of(&end));
        canvas.polyline(&ends, false, &trace_style());
        placer.avoid(&ends);
    }
    let mut names = Vec::new();
    for (radius, name) in circles(diagram, plane) {
        let around: Vec<Vector2<f64>> = (0..=90)
            .map(|k| {
                let (sin, cos) = (2.0 * PI * f64::from(k) / 90.0).sin_cos();
                Vector2::new(sin, cos) * radius
            })
            .collect();
        let points = frame.places_of(&around);
        let pixels = radius * frame.scale;
        // Far larger than the frame it would only be noise.
        if pixels < 4.0 * frame.size.norm() {
            canvas.polyline(&points, true, &style::cone());
            placer.avoid(&points);
            let seen = around.iter().enumerate().filter(|(_, p)| frame.window.grown(-14.0 / frame.scale).contains(p));
            // Along the diagonal a name is in the way of neither axis.
            let best = seen.min_by_key(|(k, _)| k.abs_diff(11));
            names.extend(best.map(|(k, _)| (points[k], name)));
        }
    }
    let project = |p: &Vector3<f64>| frame.place_of(&along_normal(p));
    let entries = diagram.entries.iter().filter(|entry| entry.path.len() > 1);
    let paths: Vec<Vec<_>> = entries.map(|entry| entry.path.iter().map(along_normal).collect()).collect();
    marks::draw_paths(canvas, frame, &mut placer, &paths);
    canvas.close();
    let axis = |index: usize| Text::plain("tangential impulse ").italic("P").subscript("t").subscript_number(index);
    frame.draw(canvas, Some([&axis(1), &axis(2)]));

    canvas.circle(origin, 2.4, &Style::fill(INK));
    for mark in marks {
        placer.reserve(Rectangle::around(project(&mark.impulse), Point::repeat(12.0)));
    }
    draw_slip(diagram, canvas, &mut placer, origin);
    let lettering = Lettering::new(SMALL, INK);
    label(canvas, &mut placer, origin, &Text::symbol("O"), &lettering, 4.0);
    for (place, name) in names {
        label(canvas, &mut placer, place, &name, &Lettering::new(SMALL - 1.0, style::GREY), 3.0);
    }
    let drawn: Vec<_> = marks
        .iter()
        .enumerate()
        .map(|(index, mark)| Placed {
            at: along_normal(&mark.impulse),
            marker: Marker { index, look: marks::look(mark.admissible, true) },
            numbered: true,
        })
        .collect();
    marks::draw(canvas, frame, &mut placer, &drawn);
}

/// The arrow of the slip before the collision.
fn draw_slip(diagram: &Diagram, canvas: &mut Canvas, placer: &mut Placer, origin: Point) {
    let slip = diagram.collision.velocity().yz();
    let Some(along) = Point::new(slip.x, -slip.y).try_normalize(0.0) else { return };
    let tip = origin + along * SLIP;
    canvas.line(origin, tip - along * 6.0, &Style::line(style::GREY, 1.6));
    arrowhead(canvas, tip, along, 10.0, style::GREY);
    placer.avoid(&[origin, tip]);
    label(canvas, placer, tip, &Text::plain("slip"), &Lettering::new(SMALL, style::GREY), 4.0);
}

/// The friction cone cut at the normal impulses of a frictionless collision: radius and name.
fn circles(diagram: &Diagram, plane: &PlaneDiagram) -> Vec<(f64, Text)> {
    let given = diagram.restitution.unwrap_or(1.0);
    let mut heights = vec![0.0];
    if given != 0.0 {
        heights.push(given);
    }
    let name = |e: f64| Text::symbol("μP").subscript("n").then(", ").italic("e").then(" = ").number(e);
    heights
        .into_iter()
        .map(|e| (diagram.friction * plane.frictionless(e).x, name(e)))
        .filter(|(r, _)| *r > 0.0)
        .collect()
}

/// (P_t2, P_t1): upwards, to the right.
fn along_normal(impulse: &Vector3<f64>) -> Vector2<f64> {
    Vector2::new(impulse.z, impulse.y)
}
