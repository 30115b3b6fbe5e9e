//! Title and subtitle of a picture.

use super::font::width;
use super::frame::LEFT_MARGIN;
use super::style::{GREY, INK, TEXT};
use super::svg::{Canvas, Lettering, Point};
use super::text::Text;

/// Size of the title, pixels.
const TITLE: f64 = 16.0;

/// Writes both at the top of the canvas.
pub fn draw_headings(canvas: &mut Canvas, title: &str, subtitle: &str) {
    canvas.text(Point::new(LEFT_MARGIN, 24.0), &Text::bold(title), &Lettering::new(TITLE, INK));
    canvas.text(Point::new(LEFT_MARGIN, 43.0), &Text::plain(subtitle), &Lettering::new(TEXT, GREY));
}

/// Width of the wider one, pixels.
pub fn width_of_headings(title: &str, subtitle: &str) -> f64 {
    width(&Text::bold(title), TITLE).max(width(&Text::plain(subtitle), TEXT))
}
