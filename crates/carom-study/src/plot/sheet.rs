//! A sheet of charts side by side.

use super::chart::Chart;
use super::font::width;
use super::frame::{BOTTOM_MARGIN, LEFT_MARGIN};
use super::heading::{draw_headings, width_of_headings};
use super::style::{FAINT, GREY, SMALL, WHITE};
use super::svg::{Canvas, Lettering, Point, Style};
use super::text::Text;

/// A sheet of charts.
#[derive(Clone, Debug, Default)]
pub struct Sheet {
    /// Heading.
    pub title: String,
    /// Line below the heading; may be empty.
    pub subtitle: String,
    /// The charts, row by row.
    pub charts: Vec<Chart>,
}

/// Size of a chart among others, and alone, pixels.
const PANEL: Point = Point::new(270.0, 200.0);
const ALONE: Point = Point::new(460.0, 330.0);
/// Charts in a row at most.
const COLUMNS: usize = 3;
/// Room for the headings, for a chart's title, to its right, and for the key.
const HEAD: f64 = 54.0;
const TITLE: f64 = 24.0;
const RIGHT_MARGIN: f64 = 16.0;
const KEY: f64 = 22.0;

impl Sheet {
    /// The sheet as SVG.
    ///
    /// ```
    /// use carom_study::plot::{Axis, Chart, Curve, Sheet, Text};
    ///
    /// let points = (0..=50).map(|k| f64::from(k) / 50.0).map(|x| [x, x * x].into()).collect();
    /// let chart = Chart {
    ///     across: Axis::quantity(Text::plain("time ").italic("t"), "s"),
    ///     up: Axis::quantity(Text::plain("work ").italic("W"), "J"),
    ///     curves: vec![Curve::line(0, Text::symbol("W"), points)],
    ///     ..Chart::default()
    /// };
    /// let sheet = Sheet { title: "Work".to_owned(), charts: vec![chart], ..Sheet::default() };
    /// assert!(sheet.svg().starts_with("<svg"));
    /// ```
    pub fn svg(&self) -> String {
        let count = self.charts.len();
        let panel = if count == 1 { ALONE } else { PANEL };
        let columns = columns(count);
        let title = if self.charts.iter().all(|chart| chart.title.is_empty()) { 6.0 } else { TITLE };
        let step = panel + Point::new(LEFT_MARGIN + RIGHT_MARGIN, title + BOTTOM_MARGIN);
        let heading = LEFT_MARGIN + width_of_headings(&self.title, &self.subtitle);
        let sheet_width = (columns as f64 * step.x).max(heading + RIGHT_MARGIN);
        let key = self.key();
        let lower = HEAD + count.div_ceil(columns) as f64 * step.y;
        let height = lower + if key.is_empty() { 0.0 } else { KEY };

        let mut canvas = Canvas::new(sheet_width, height, &self.title);
        draw_headings(&mut canvas, &self.title, &self.subtitle);
        for (index, chart) in self.charts.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let corner = Point::new(column as f64 * step.x + LEFT_MARGIN, HEAD + title + row as f64 * step.y);
            chart.draw(&mut canvas, corner, panel);
        }
        draw_key(&mut canvas, Point::new(LEFT_MARGIN, lower + 6.0), &key);
        canvas.finish()
    }

    /// What the tints of spans mean, each once; white needs no key.
    fn key(&self) -> Vec<(&'static str, &str)> {
        let mut key = Vec::new();
        for span in self.charts.iter().flat_map(|chart| &chart.spans) {
            let entry = (span.tint, span.label.as_str());
            if span.tint != WHITE && !key.contains(&entry) {
                key.push(entry);
            }
        }
        key
    }
}

/// Rows of equal length as far as possible, the fewest that are not too wide.
fn columns(count: usize) -> usize {
    let rows = count.div_ceil(COLUMNS).max(1);
    count.div_ceil(rows).max(1)
}

fn draw_key(canvas: &mut Canvas, place: Point, key: &[(&'static str, &str)]) {
    let mut x = place.x;
    for (tint, label) in key {
        let text = Text::plain(*label);
        canvas.rectangle(Point::new(x, place.y - 8.5), Point::new(22.0, 10.0), &Style::line(FAINT, 0.6).filled(tint));
        canvas.text(Point::new(x + 28.0, place.y), &text, &Lettering::new(SMALL, GREY));
        x += 28.0 + width(&text, SMALL) + 22.0;
    }
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn rows_are_of_equal_length() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(columns), [1, 1, 2, 3, 2, 3, 3, 3]);
    }
}
