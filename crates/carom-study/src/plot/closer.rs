//! A closer view of marks that cover each other.

use super::diagram::CLOSER;
use super::frame::Frame;
use super::marker::RADIUS;
use super::marks::Placed;
use super::style::INK;
use super::svg::{Canvas, Point, Style};
use crate::plane::Window;
use nalgebra::Vector2;

/// Marks closer than this touch, pixels.
const TOUCHING: f64 = 2.0 * RADIUS + 1.0;
/// Marks closer than this cannot be told apart.
const COVERED: f64 = 1.25 * RADIUS;
/// Room around the crowd, relative to its extent.
const MARGIN: f64 = 0.25;
/// The view is at least this many times closer, or it is not worth its room.
const WORTHWHILE: f64 = 1.5;
/// The least window, relative to the frame's: beyond this, what differs is rounding.
const LEAST: f64 = 1e-6;

/// The square window around the largest crowd of marks; `None` when no marks cover each other.
pub fn window(frame: &Frame, marks: &[Placed]) -> Option<Window> {
    let shown: Vec<Vector2<f64>> = marks.iter().map(|mark| mark.at).filter(|at| frame.window.contains(at)).collect();
    let covers = |a: &Vector2<f64>, b: &Vector2<f64>| a != b && (a - b).norm() * frame.scale < COVERED;
    let is_covered = |crowd: &Vec<Vector2<f64>>| crowd.iter().any(|a| crowd.iter().any(|b| covers(a, b)));
    let crowds = (0..shown.len()).map(|first| crowd_of(frame, &shown, first));
    let crowd = crowds.filter(is_covered).max_by_key(Vec::len)?;
    let least = LEAST * frame.window.size().max();
    let close = around(&crowd, least);
    // Marks just outside come in whole.
    let near = close.grown(MARGIN * close.size().max());
    let company: Vec<_> = shown.iter().filter(|p| near.contains(p)).copied().collect();
    let window = around(&company, least);
    (window.size().max() * WORTHWHILE * frame.scale < CLOSER).then_some(window)
}

/// A square window around points, with a margin.
fn around(points: &[Vector2<f64>], least_extent: f64) -> Window {
    let first = points.first().copied().unwrap_or_default();
    let (least, greatest) = points.iter().fold((first, first), |(least, greatest), p| (least.inf(p), greatest.sup(p)));
    let half = Vector2::repeat((0.5 + MARGIN) * (greatest - least).max().max(least_extent));
    let middle = (least + greatest) * 0.5;
    Window { lower: middle - half, upper: middle + half }
}

/// The marks reached from one by steps between marks that touch.
fn crowd_of(frame: &Frame, marks: &[Vector2<f64>], first: usize) -> Vec<Vector2<f64>> {
    let mut crowd = vec![first];
    let mut next = 0;
    while next < crowd.len() {
        let here = marks[crowd[next]];
        for (i, mark) in marks.iter().enumerate() {
            if !crowd.contains(&i) && (mark - here).norm() * frame.scale < TOUCHING {
                crowd.push(i);
            }
        }
        next += 1;
    }
    crowd.into_iter().map(|i| marks[i]).collect()
}

/// The marks inside the closer view.
pub fn inside(marks: &[Placed], window: &Window) -> Vec<Placed> {
    marks.iter().filter(|mark| window.contains(&mark.at)).copied().collect()
}

/// Shows in the frame what the closer view contains, leaving room for the marks themselves.
pub fn outline(canvas: &mut Canvas, frame: &Frame, window: &Window) {
    let room = window.grown((RADIUS + 2.0) / frame.scale);
    let corners = frame.places_of(&room.corners());
    let (least, greatest) =
        (corners.iter().fold(corners[0], |a, p| a.inf(p)), corners.iter().fold(corners[0], |a, p| a.sup(p)));
    canvas.rectangle(least, Point::new(greatest.x - least.x, greatest.y - least.y), &Style::line(INK, 1.2));
}
