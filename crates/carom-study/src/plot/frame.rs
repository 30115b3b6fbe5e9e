//! Axes: a rectangle of the canvas that shows a window of the impulse plane at equal scale.

use super::rectangle::Rectangle;
use super::style::{FAINT, INK, SMALL, TEXT};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::Text;
use crate::plane::Window;
use nalgebra::Vector2;

/// A window of the plane on the canvas: the first coordinate upwards, the second to the right.
#[derive(Clone, Copy, Debug)]
pub struct Frame {
    /// Upper left corner on the canvas.
    pub corner: Point,
    /// Size on the canvas.
    pub size: Point,
    /// What it shows.
    pub window: Window,
    /// Pixels per unit of impulse.
    pub scale: f64,
}

/// Distance between ticks that reads well, pixels.
const TICK_SPACING: f64 = 62.0;
/// Room for tick labels and the axis' name to the left of a frame and below it.
pub const LEFT_MARGIN: f64 = 58.0;
/// See [`LEFT_MARGIN`].
pub const BOTTOM_MARGIN: f64 = 46.0;

impl Frame {
    /// The largest frame of the window's shape that fits into `room`.
    pub fn fit(window: Window, corner: Point, room: Point) -> Frame {
        let extent = window.size();
        let scale = (room.x / extent.y).min(room.y / extent.x);
        Frame { corner, size: Point::new(extent.y * scale, extent.x * scale), window, scale }
    }

    /// Where an impulse lies on the canvas.
    pub fn place_of(&self, p: &Vector2<f64>) -> Point {
        let from = p - self.window.lower;
        self.corner + Point::new(from.y * self.scale, self.size.y - from.x * self.scale)
    }

    /// Where several lie.
    pub fn places_of(&self, points: &[Vector2<f64>]) -> Vec<Point> {
        points.iter().map(|p| self.place_of(p)).collect()
    }

    /// Lower right corner on the canvas.
    pub fn far_corner(&self) -> Point {
        self.corner + self.size
    }

    /// The part of the canvas it takes.
    pub fn rectangle(&self) -> Rectangle {
        Rectangle { least: self.corner, greatest: self.far_corner() }
    }

    /// Lines through the origin along the axes, to be drawn before anything else.
    pub fn draw_ground(&self, canvas: &mut Canvas) {
        let (origin, far) = (self.place_of(&Vector2::zeros()), self.far_corner());
        let style = Style::line(FAINT, 0.6);
        canvas.line(Point::new(self.corner.x, origin.y), Point::new(far.x, origin.y), &style);
        canvas.line(Point::new(origin.x, self.corner.y), Point::new(origin.x, far.y), &style);
    }

    /// The frame with ticks and their labels, and names for the axes when given: to the right, upwards.
    pub fn draw(&self, canvas: &mut Canvas, names: Option<[&Text; 2]>) {
        self.draw_ticks(canvas, [true, true]);
        if let Some(names) = names {
            let middle = self.corner + self.size * 0.5;
            let across = Point::new(middle.x, self.far_corner().y + 32.0);
            self.name_axes(canvas, names, [across, Point::new(self.corner.x - 42.0, middle.y)]);
        }
    }

    /// The frame with ticks; whether they have labels below and to the left.
    pub fn draw_ticks(&self, canvas: &mut Canvas, [below, left]: [bool; 2]) {
        canvas.open("axes");
        canvas.rectangle(self.corner, self.size, &Style::line(INK, 0.9));
        let ticks = Ticks::of(self);
        let (far, tick) = (self.far_corner(), Style::line(INK, 0.8));
        for value in ticks.between(self.window.lower.y, self.window.upper.y) {
            let x = self.place_of(&Vector2::new(0.0, value)).x;
            canvas.line(Point::new(x, far.y), Point::new(x, far.y - 5.0), &tick);
            if below {
                let lettering = Lettering::new(SMALL, INK).anchored(Anchor::Middle);
                canvas.text(Point::new(x, far.y + 13.0), &Text::plain(ticks.label(value)), &lettering);
            }
        }
        for value in ticks.between(self.window.lower.x, self.window.upper.x) {
            let y = self.place_of(&Vector2::new(value, 0.0)).y;
            canvas.line(Point::new(self.corner.x, y), Point::new(self.corner.x + 5.0, y), &tick);
            if left {
                let lettering = Lettering::new(SMALL, INK).anchored(Anchor::End);
                canvas.text(Point::new(self.corner.x - 5.0, y + 3.5), &Text::plain(ticks.label(value)), &lettering);
            }
        }
        canvas.close();
    }

    /// Names the axes, to the right and upwards, centred at two places.
    pub fn name_axes(&self, canvas: &mut Canvas, [across, up]: [&Text; 2], [below, left]: [Point; 2]) {
        let ticks = Ticks::of(self);
        let lettering = Lettering::new(TEXT, INK).anchored(Anchor::Middle);
        canvas.text(below, &ticks.with_unit(across), &lettering);
        canvas.text(left, &ticks.with_unit(up), &Lettering { upwards: true, ..lettering });
    }
}

/// Ticks at round numbers, the same on both axes.
struct Ticks {
    step: f64,
    /// Power of ten that the labels leave out.
    exponent: i32,
    decimals: usize,
}

impl Ticks {
    fn of(frame: &Frame) -> Ticks {
        let window = &frame.window;
        // A small frame has a few ticks all the same.
        let rough = TICK_SPACING.min(frame.size.min() / 5.5) / frame.scale;
        let decade = 10.0_f64.powi(rough.log10().floor() as i32);
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * decade).find(|s| *s >= rough).unwrap_or(rough);
        let largest = window.lower.abs().sup(&window.upper.abs()).max();
        let magnitude = largest.log10().floor() as i32;
        let exponent = if (-2..4).contains(&magnitude) { 0 } else { magnitude };
        let decimals = (f64::from(exponent) - (step * 1.000_001).log10().floor()).clamp(0.0, 12.0) as usize;
        Ticks { step, exponent, decimals }
    }

    fn between(&self, least: f64, greatest: f64) -> Vec<f64> {
        /// Ticks are a finger's breadth apart; more means that rounding has eaten the step.
        const MOST: usize = 100;
        let (first, last) = ((least / self.step).ceil(), (greatest / self.step).floor());
        (0..MOST).map(|k| first + k as f64).take_while(|k| *k <= last).map(|k| k * self.step).collect()
    }

    fn label(&self, value: f64) -> String {
        let digits = format!("{:.*}", self.decimals, value / 10.0_f64.powi(self.exponent));
        let is_zero = digits.chars().all(|c| matches!(c, '-' | '0' | '.'));
        if is_zero { "0".to_owned() } else { digits.replace('-', "\u{2212}") }
    }

    fn with_unit(&self, name: &Text) -> Text {
        let name = name.clone();
        if self.exponent == 0 {
            return name.then(" (N s)");
        }
        name.then(" (10").sup(self.exponent.to_string().replace('-', "\u{2212}")).then(" N s)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(lower: f64, upper: f64) -> (Vec<String>, i32) {
        let window = Window { lower: Vector2::repeat(lower), upper: Vector2::repeat(upper) };
        let ticks = Ticks::of(&Frame::fit(window, Point::zeros(), Point::repeat(400.0)));
        (ticks.between(lower, upper).into_iter().map(|v| ticks.label(v)).collect(), ticks.exponent)
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(ticks(-0.45, 0.5), (["−0.4", "−0.2", "0", "0.2", "0.4"].map(str::to_owned).to_vec(), 0));
    }

    #[test]
    fn small_numbers_leave_their_power_of_ten_to_the_axis() {
        assert_eq!(ticks(0.0, 3e-7), (["0", "0.5", "1.0", "1.5", "2.0", "2.5", "3.0"].map(str::to_owned).to_vec(), -7));
    }
}
