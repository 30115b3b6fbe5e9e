//! A sheet of charts side by side.

use super::chart::Chart;
use super::curve::Curve;
use super::font::width;
use super::frame::{BOTTOM_MARGIN, LEFT_MARGIN};
use super::heading::{draw_headings, width_of_headings};
use super::style::{FAINT, GREY, SMALL, WHITE};
use super::svg::{Canvas, Lettering, Point, Style};
use super::text::Text;
use super::tiling::{SCALE_WIDTH, Tiling};

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

/// Size of a chart among others, alone, and in a row of its own, pixels.
const PANEL: Point = Point::new(270.0, 200.0);
const ALONE: Point = Point::new(460.0, 330.0);
const WIDE: Point = Point::new(640.0, 210.0);
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
        let wide = self.charts.iter().any(|chart| chart.wide);
        let (panel, columns) = match count {
            _ if wide => (WIDE, 1),
            1 => (ALONE, 1),
            _ => (PANEL, columns(count)),
        };
        let title = if self.charts.iter().all(|chart| chart.title.is_empty()) { 6.0 } else { TITLE };
        let scale = if self.charts.iter().any(has_scale) { SCALE_WIDTH } else { 0.0 };
        let step = panel + Point::new(LEFT_MARGIN + RIGHT_MARGIN + scale, title + BOTTOM_MARGIN);
        let heading = LEFT_MARGIN + width_of_headings(&self.title, &self.subtitle);
        let sheet_width = (columns as f64 * step.x).max(heading + RIGHT_MARGIN);
        let lower = HEAD + count.div_ceil(columns) as f64 * step.y;

        let mut canvas = Canvas::new(sheet_width, lower, &self.title);
        draw_headings(&mut canvas, &self.title, &self.subtitle);
        let mut unnamed = Vec::new();
        for (index, chart) in self.charts.iter().enumerate() {
            let (row, column) = (index / columns, index % columns);
            let corner = Point::new(column as f64 * step.x + LEFT_MARGIN, HEAD + title + row as f64 * step.y);
            unnamed.push(chart.draw(&mut canvas, corner, panel));
        }
        let key = self.key(&unnamed);
        let lines = key_lines(&key, sheet_width - LEFT_MARGIN - RIGHT_MARGIN);
        canvas.set_height(lower + lines.len() as f64 * KEY);
        for (row, line) in lines.iter().enumerate() {
            draw_key(&mut canvas, Point::new(LEFT_MARGIN, lower + 6.0 + row as f64 * KEY), line);
        }
        canvas.finish()
    }

    /// What the tints of spans mean, each once, white needing no key; tiles that have no name in their chart; and the curves of wide
    /// charts and of those that leave their names to the key.
    fn key(&self, unnamed: &[Vec<usize>]) -> Vec<Entry<'_>> {
        let mut key: Vec<Entry> = Vec::new();
        let spans = self.charts.iter().flat_map(|chart| &chart.spans).filter(|span| span.tint != WHITE);
        let tints = spans.map(|span| Entry { sample: Sample::Tint(span.tint), label: Text::plain(&span.label) });
        let tiles = self.charts.iter().zip(unnamed).flat_map(|(chart, unnamed)| {
            let kinds = chart.tiling.as_ref().map_or(&[][..], Tiling::kinds);
            unnamed.iter().filter_map(|k| kinds.get(*k))
        });
        let tiles = tiles.map(|tile| Entry { sample: Sample::Tint(&tile.fill), label: tile.label.clone() });
        let curves = self
            .charts
            .iter()
            .filter(|chart| chart.wide || chart.keyed)
            .flat_map(|chart| chart.curves.iter().filter(|curve| chart.wide || curve.is_data()));
        let named = curves.filter(|curve| !curve.label.spans().is_empty());
        let named = named.map(|curve| Entry { sample: Sample::Curve(curve), label: curve.label.clone() });
        for entry in tints.chain(tiles).chain(named) {
            if key.iter().all(|other| other.label != entry.label) {
                key.push(entry);
            }
        }
        key
    }
}

fn has_scale(chart: &Chart) -> bool {
    chart.tiling.as_ref().is_some_and(Tiling::has_scale)
}

/// A line of the key.
struct Entry<'a> {
    sample: Sample<'a>,
    label: Text,
}

enum Sample<'a> {
    Tint(&'a str),
    Curve(&'a Curve),
}

impl Entry<'_> {
    /// Its width with the room after it, pixels.
    fn width(&self) -> f64 {
        28.0 + width(&self.label, SMALL) + 22.0
    }
}

/// The key in lines of at most a width.
fn key_lines<'a>(key: &'a [Entry<'a>], room: f64) -> Vec<Vec<&'a Entry<'a>>> {
    let mut lines: Vec<Vec<&Entry>> = Vec::new();
    let mut left = 0.0;
    for entry in key {
        match lines.last_mut() {
            Some(line) if entry.width() <= left => line.push(entry),
            _ => {
                left = room;
                lines.push(vec![entry]);
            }
        }
        left -= entry.width();
    }
    lines
}

/// Rows of equal length as far as possible, the fewest that are not too wide.
fn columns(count: usize) -> usize {
    let rows = count.div_ceil(COLUMNS).max(1);
    count.div_ceil(rows).max(1)
}

fn draw_key(canvas: &mut Canvas, place: Point, key: &[&Entry]) {
    let mut x = place.x;
    for entry in key {
        let middle = Point::new(x + 11.0, place.y - 3.5);
        match entry.sample {
            Sample::Tint(tint) => {
                let style = Style::line(FAINT, 0.6).filled(tint);
                canvas.rectangle(middle - Point::new(11.0, 5.0), Point::new(22.0, 10.0), &style);
            }
            Sample::Curve(curve) => curve.draw_sample(canvas, middle),
        }
        canvas.text(Point::new(x + 28.0, place.y), &entry.label, &Lettering::new(SMALL, GREY));
        x += entry.width();
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
