//! What marks and outlines of the picture of the motion mean, in lines below it.

use super::events::draw_mark;
use crate::plot::body_look::{BodyLook, of_row};
use crate::plot::font::width;
use crate::plot::style::{GREY, SMALL};
use crate::plot::svg::{Canvas, Lettering, Point, Style};
use crate::plot::text::Text;

/// A piece of the key.
pub enum Entry {
    /// A mark of events, an impact or another one.
    Mark { words: String, is_impact: bool },
    /// What is not marked at all.
    Note(String),
    /// A body that has no name beside it.
    Body { name: String, look: BodyLook },
    /// Many bodies, by the names of the first and the last.
    Row { first: String, last: String },
}

/// Height of a line and room between entries, pixels.
const LINE: f64 = 17.0;
const BETWEEN: f64 = 20.0;
/// Width of the row of colours.
const ROW: f64 = 120.0;

impl Entry {
    fn words(&self) -> Text {
        match self {
            Entry::Mark { words, .. } | Entry::Note(words) | Entry::Body { name: words, .. } => Text::plain(words),
            Entry::Row { first, last } => Text::plain(format!("bodies in the order of the file, {first} to {last}")),
        }
    }

    /// Width of what stands before the words.
    fn sample(&self) -> f64 {
        match self {
            Entry::Mark { .. } => 13.0,
            Entry::Note(_) => 0.0,
            Entry::Body { .. } => 24.0,
            Entry::Row { .. } => ROW + 8.0,
        }
    }

    fn width(&self) -> f64 {
        self.sample() + width(&self.words(), SMALL) + BETWEEN
    }

    fn draw(&self, canvas: &mut Canvas, place: Point) {
        match self {
            Entry::Mark { is_impact, .. } => draw_mark(canvas, place + Point::new(4.0, -3.5), *is_impact, false),
            Entry::Note(_) => {}
            Entry::Body { look, .. } => {
                let style = Style::line(&look.colour, 1.5).dashed(look.dash);
                canvas.rectangle(place + Point::new(0.0, -8.0), Point::new(18.0, 9.0), &style);
            }
            Entry::Row { .. } => {
                const STEPS: u32 = 40;
                for k in 0..STEPS {
                    let share = f64::from(k) / f64::from(STEPS - 1);
                    let step = ROW / f64::from(STEPS);
                    let corner = place + Point::new(f64::from(k) * step, -8.0);
                    // A little wider than its step, so that no paper shines through.
                    canvas.rectangle(corner, Point::new(step + 0.3, 9.0), &Style::fill(&of_row(share)));
                }
            }
        }
        canvas.text(place + Point::new(self.sample(), 0.0), &self.words(), &Lettering::new(SMALL, GREY));
    }
}

/// The key in lines.
pub struct Key {
    lines: Vec<Vec<Entry>>,
}

impl Key {
    /// In lines of at most a width.
    pub fn new(entries: Vec<Entry>, room: f64) -> Key {
        let mut lines: Vec<Vec<Entry>> = Vec::new();
        let mut left = 0.0;
        for entry in entries {
            let needs = entry.width();
            match lines.last_mut() {
                Some(line) if needs - BETWEEN <= left => line.push(entry),
                _ => {
                    left = room;
                    lines.push(vec![entry]);
                }
            }
            left -= needs;
        }
        Key { lines }
    }

    /// Pixels.
    pub fn height(&self) -> f64 {
        7.0 + LINE * self.lines.len().max(1) as f64
    }

    /// Draws it from the start of its first line on.
    pub fn draw(&self, canvas: &mut Canvas, place: Point) {
        for (k, line) in self.lines.iter().enumerate() {
            let mut place = place + Point::new(0.0, LINE * k as f64);
            for entry in line {
                entry.draw(canvas, place);
                place.x += entry.width();
            }
        }
    }
}
