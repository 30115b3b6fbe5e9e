//! The legend beside a plot.

use super::font::width;
use super::marker::{Marker, arrowhead};
use super::style::{GREY, INK, SMALL, TEXT};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::Text;

/// A legend: headings and rows of a sample with its meaning.
#[derive(Debug, Default)]
pub struct Legend(Vec<Row>);

#[derive(Debug)]
enum Row {
    Heading(Text),
    Entry { sample: Sample, number: Option<usize>, lines: Vec<Text> },
}

/// What stands before a meaning.
#[derive(Clone, Debug)]
pub enum Sample {
    /// A prediction's mark.
    Mark(Marker),
    /// A piece of line.
    Line(Style<'static>),
    /// A piece of line with an arrowhead.
    Arrow(Style<'static>),
    /// A piece of an area with this fill.
    Area(String),
    /// The centre of the ellipse.
    Centre,
    /// A small dot.
    Dot,
    /// A mark beside the section.
    Open,
}

/// Width of a legend, pixels.
pub const WIDTH: f64 = 268.0;
/// Where meanings begin.
const INDENT: f64 = 38.0;
/// Room for the number of a mark.
const NUMBER: f64 = 20.0;
/// Size of the text.
const ENTRY: f64 = SMALL + 0.5;
const LINE_HEIGHT: f64 = 15.5;
const HEADING_HEIGHT: f64 = 24.0;

impl Legend {
    /// Starts a part.
    pub fn heading(&mut self, heading: &str) {
        self.0.push(Row::Heading(Text::bold(heading)));
    }

    /// Adds a row.
    pub fn row(&mut self, sample: Sample, meaning: Text) {
        self.0.push(Row::Entry { sample, number: None, lines: vec![meaning] });
    }

    /// Adds a numbered mark with what it stands for, broken into lines.
    pub fn mark(&mut self, marker: Marker, words: &[String]) {
        let mut lines: Vec<String> = Vec::new();
        for word in words {
            match lines.last_mut() {
                Some(line) if width(&Text::plain(format!("{line} {word}")), ENTRY) <= WIDTH - INDENT - NUMBER => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.clone()),
            }
        }
        let lines = lines.into_iter().map(Text::plain).collect();
        self.0.push(Row::Entry { sample: Sample::Mark(marker), number: Some(marker.index + 1), lines });
    }

    /// Its height, pixels.
    pub fn height(&self) -> f64 {
        self.0
            .iter()
            .map(|row| match row {
                Row::Heading(_) => HEADING_HEIGHT,
                Row::Entry { lines, .. } => LINE_HEIGHT * lines.len().max(1) as f64 + 1.5,
            })
            .sum()
    }

    /// Draws it below and to the right of `corner`; returns where it ends.
    pub fn draw(&self, canvas: &mut Canvas, corner: Point) -> f64 {
        canvas.open("legend");
        let mut y = corner.y;
        for row in &self.0 {
            match row {
                Row::Heading(text) => {
                    y += HEADING_HEIGHT;
                    canvas.text(Point::new(corner.x, y - 7.0), text, &Lettering::new(TEXT, INK));
                }
                Row::Entry { sample, number, lines } => {
                    sample.draw(canvas, Point::new(corner.x + 15.0, y + 0.5 * LINE_HEIGHT));
                    let mut x = corner.x + INDENT;
                    if let Some(number) = number {
                        let place = Point::new(x + NUMBER - 7.0, y + LINE_HEIGHT - 4.0);
                        let lettering = Lettering::new(ENTRY, INK).anchored(Anchor::End);
                        canvas.text(place, &Text::bold(number.to_string()), &lettering);
                        x += NUMBER;
                    }
                    for line in lines {
                        y += LINE_HEIGHT;
                        canvas.text(Point::new(x, y - 4.0), line, &Lettering::new(ENTRY, INK));
                    }
                    y += 1.5;
                }
            }
        }
        canvas.close();
        y
    }
}

impl Sample {
    fn draw(&self, canvas: &mut Canvas, centre: Point) {
        let reach = Point::new(15.0, 0.0);
        match self {
            Sample::Mark(marker) => marker.draw(canvas, centre),
            Sample::Line(style) => canvas.line(centre - reach, centre + reach, style),
            Sample::Arrow(style) => {
                canvas.line(centre - reach, centre + reach, style);
                arrowhead(canvas, centre + Point::new(5.0, 0.0), reach, 9.0, style.stroke.unwrap_or(INK));
            }
            Sample::Area(fill) => {
                let style = Style::line("#0b4f8a", 1.1).filled(fill);
                canvas.rectangle(centre - Point::new(15.0, 5.0), Point::new(30.0, 10.0), &style);
            }
            Sample::Centre => centre_mark(canvas, centre),
            Sample::Dot => dot(canvas, centre),
            Sample::Open => canvas.circle(centre, 4.5, &Style::line(INK, 1.4).filled("#ffffff")),
        }
    }
}

/// The centre of the ellipse.
pub fn centre_mark(canvas: &mut Canvas, centre: Point) {
    let style = Style::line(GREY, 1.1);
    canvas.line(centre - Point::new(4.0, 0.0), centre + Point::new(4.0, 0.0), &style);
    canvas.line(centre - Point::new(0.0, 4.0), centre + Point::new(0.0, 4.0), &style);
}

/// A frictionless point.
pub fn dot(canvas: &mut Canvas, centre: Point) {
    canvas.circle(centre, 2.1, &Style::line(GREY, 1.0).filled("#ffffff"));
}
