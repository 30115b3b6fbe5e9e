//! Which part of the impulse plane a plot shows.

use crate::plane::{PlaneDiagram, Window};
use nalgebra::Vector2;

/// The ellipse is shown whole unless it is this many times larger than what matters.
const LARGE_ELLIPSE: f64 = 4.0;
/// A region this many times larger than its marks would hide them in a point.
const LARGE_REGION: f64 = 50.0;
/// A mark this far outside, relative to the window, is still shown.
const STRAY: f64 = 0.35;
/// Room around what is shown, relative to its extent.
const MARGIN: f64 = 0.07;
/// Width over height.
const NARROWEST: f64 = 0.62;
const WIDEST: f64 = 1.6;

/// The window of a section's diagram: the origin, the frictionless points, the accessible region and every admissible
/// mark; the whole ellipse unless it is much larger; stray marks that are near.
pub fn of_plane(plane: &PlaneDiagram, admissible: &[Vector2<f64>], stray: &[Vector2<f64>]) -> Window {
    let frictionless = [0.0, 1.0].map(|e| plane.frictionless(e));
    let marks = Window::around(frictionless.into_iter().chain(admissible.iter().copied()));
    let limit = match marks.size().max() {
        0.0 => f64::INFINITY,
        size => LARGE_REGION * size,
    };
    let near = plane.corners().into_iter().filter(|corner| corner.norm() <= limit);
    let matters = marks.union(&Window::around(near));
    let extent = matters.size().max();
    let shown = match plane.ellipse_extent() {
        Some(ellipse) if extent == 0.0 || ellipse.size().max() <= LARGE_ELLIPSE * extent => matters.union(&ellipse),
        _ => matters,
    };
    framed(&with_strays(shown, stray))
}

/// The window of a view along the normal: the origin, admissible marks, circles that are not much larger, near strays.
/// Points are (P_t2, P_t1).
pub fn of_tangents(admissible: &[Vector2<f64>], stray: &[Vector2<f64>], radii: &[f64]) -> Window {
    let marks = Window::around(admissible.iter().copied());
    let extent = marks.lower.abs().sup(&marks.upper).max();
    let circle = |radius: &f64| Window { lower: Vector2::repeat(-radius), upper: Vector2::repeat(*radius) };
    let circles = radii.iter().filter(|radius| extent == 0.0 || **radius <= LARGE_ELLIPSE * extent).map(circle);
    framed(&with_strays(circles.fold(marks, |window, circle| window.union(&circle)), stray))
}

fn with_strays(window: Window, stray: &[Vector2<f64>]) -> Window {
    let near = window.grown(STRAY * window.size().max());
    window.union(&Window::around(stray.iter().filter(|p| near.contains(p)).copied()))
}

/// With a margin, and neither too narrow nor too wide.
fn framed(window: &Window) -> Window {
    let extent = window.size().max();
    if !(extent.is_normal() && extent > 0.0) {
        return Window { lower: Vector2::repeat(-1.0), upper: Vector2::repeat(1.0) };
    }
    let window = window.grown(MARGIN * extent);
    let size = window.size();
    let least = Vector2::new(size.y / WIDEST, size.x * NARROWEST);
    let missing = (least - size).sup(&Vector2::zeros()) * 0.5;
    Window { lower: window.lower - missing, upper: window.upper + missing }
}
