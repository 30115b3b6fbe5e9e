//! The charts of a figure.

use super::listing::named;
use super::quantity::{Bound, Quantity, escaped};
use super::rows::{MOST_ROWS, Rows, too_many};
use super::{Data, Figure, FigureKind, Figures, Undrawn, Wanted};
use crate::plot::{Axis, Chart, Curve, Sheet, Text};
use crate::scenario::{Fault, ScenarioError, shown};
use crate::sweep::run::Sweep;
use nalgebra::Vector2;
use std::collections::HashMap;
use std::path::Path;

/// Lines, kinds of points and charts of a figure, at most; a reader cannot distinguish more.
const MOST_GROUPS: usize = 14;
const MOST_FACETS: usize = 24;
/// Points drawn as marks with a shape, at most; more become dots.
const MOST_MARKS: usize = 60;
/// Lines named beside themselves, at most; more are named in the key.
const MOST_NAMED: usize = 4;

/// Rows of which all columns are read, at most.
const FEW_ROWS: usize = 100_000;

/// The columns of a figure.
struct Found {
    x: Bound,
    y: Vec<Bound>,
    color: Option<Bound>,
    facet: Option<Bound>,
    filters: Vec<usize>,
}

impl Figure {
    fn find(&self, rows: &Rows) -> Result<Found, Fault> {
        let bind = |quantity: &Quantity| quantity.bind(rows);
        let x = bind(&self.x)?;
        let y: Vec<Bound> = self.y.iter().map(bind).collect::<Result<_, _>>()?;
        for (bound, quantity) in [&x].into_iter().chain(&y).zip([&self.x].into_iter().chain(&self.y)) {
            if bound.is_words(rows) {
                let problem = format!("{} is a column of words", shown(&quantity.text));
                return Err(Fault::at(quantity.span.clone(), problem).label("expected numbers along an axis"));
            }
        }
        let color = self.color.as_ref().map(bind).transpose()?;
        let facet = self.facet.as_ref().map(bind).transpose()?;
        Ok(Found { x, y, color, facet, filters: rows.of_filters(&self.filters)? })
    }
}

/// A figure with its columns found.
pub(super) struct Plotted<'a> {
    pub(super) figure: &'a Figure,
    pub(super) rows: &'a Rows,
    pub(super) x: Vec<f64>,
    y: Vec<Vec<f64>>,
    pub(super) color: Option<Bound>,
}

impl Figures {
    /// Refuses figures and a table of columns that a sweep will not have, or of more rows than they can show.
    pub fn check(&self, sweep: &Sweep<'_>) -> Result<(), ScenarioError> {
        let rows = Rows::to_come(sweep.described_columns());
        let refuse = |fault: Fault| ScenarioError::new(&self.name, &self.text, fault);
        for figure in &self.charts {
            figure.find(&rows).map_err(refuse)?;
        }
        if let Some(listing) = &self.table {
            listing.find(&rows).map_err(refuse)?;
        }
        if sweep.rows() > MOST_ROWS {
            return Err(refuse(Fault::of_the_file(too_many(sweep.rows()))));
        }
        Ok(())
    }

    /// The figures of the rows in a folder.
    pub fn sheet(&self, folder: &Path) -> Result<Sheet, Undrawn> {
        if self.charts.is_empty() {
            return Err(self.refuse(
                Fault::of_the_file("there is no `[[figure]]`")
                    .help("expected `x` and `y`, columns or formulas; or --plot x=…,y=…"),
            ));
        }
        let mut rows = Rows::of(folder)?;
        let mut charts = Vec::new();
        for figure in &self.charts {
            let refuse = |fault: Fault| self.refuse(fault);
            let Found { x, y, color, facet, filters } = figure.find(&rows).map_err(refuse)?;
            let needed = [Some(&x), color.as_ref(), facet.as_ref()].into_iter().flatten().chain(&y);
            let mut needed: Vec<usize> = needed.flat_map(Bound::columns).chain(filters).collect();
            if rows.count <= FEW_ROWS {
                // Any column may distinguish two rows at one place.
                needed = (0..rows.columns.len()).collect();
            }
            rows.load(needed)?;
            let plotted = Plotted {
                x: x.numbers(&rows),
                y: y.iter().map(|y| y.numbers(&rows)).collect(),
                color,
                figure,
                rows: &rows,
            };
            charts.extend(plotted.charts(facet.as_ref(), self.folder.as_deref()).map_err(refuse)?);
        }
        let mut sheet = Sheet { title: self.title.clone(), subtitle: self.subtitle.clone(), charts };
        share_key(&mut sheet.charts);
        Ok(sheet)
    }
}

/// Names curves in the key if beside them there is no room, or if charts show the same ones.
fn share_key(charts: &mut [Chart]) {
    let several = charts.len() > 1;
    for chart in charts {
        let named = chart.curves.iter().filter(|curve| !curve.label.spans().is_empty()).count();
        chart.keyed |= named > if several { 1 } else { MOST_NAMED };
    }
}

impl Plotted<'_> {
    fn charts(&self, facet: Option<&Bound>, folder: Option<&Path>) -> Result<Vec<Chart>, Fault> {
        let shown_rows = self.rows.passing(&self.figure.filters);
        if shown_rows.is_empty() {
            return Err(
                Fault::at(self.figure.span.clone(), "no row is shown").label("expected `where` to let some rows pass")
            );
        }
        let (Some(facet), Some(quantity)) = (facet, &self.figure.facet) else {
            let charts = vec![self.chart(&self.figure.title, &shown_rows, None, folder)?];
            return self.not_empty(charts);
        };
        let (known, of_row) = facet.groups(self.rows);
        let mut parts: Vec<(u32, Vec<usize>)> = Vec::new();
        for row in shown_rows {
            let Some(place) = of_row[row] else { continue };
            match parts.iter().position(|(known, _)| *known == place) {
                Some(part) => parts[part].1.push(row),
                None if parts.len() < MOST_FACETS => parts.push((place, vec![row])),
                None => {
                    return Err(Fault::at(
                        quantity.span.clone(),
                        format!("{} has more than {MOST_FACETS} values", shown(&quantity.text)),
                    )
                    .label("expected fewer charts"));
                }
            }
        }
        let chart = |(place, rows): &(u32, Vec<usize>)| {
            let word = &known[*place as usize];
            let name = self.name(quantity, facet, word);
            let plain: String = name.spans().iter().map(|span| span.content.as_str()).collect();
            let title = if self.figure.title.is_empty() { plain } else { format!("{}, {plain}", self.figure.title) };
            self.chart(&title, rows, Some(word), folder)
        };
        let mut charts: Vec<Chart> = parts.iter().map(chart).collect::<Result<_, _>>()?;
        if self.figure.share && self.figure.kind != FigureKind::Map {
            let points =
                charts.iter().flat_map(|chart| &chart.curves).filter_map(Curve::shown).flatten().collect::<Vec<_>>();
            for chart in &mut charts {
                chart.extent.clone_from(&points);
            }
        }
        self.not_empty(charts)
    }

    /// Refuses charts without anything in them.
    fn not_empty(&self, charts: Vec<Chart>) -> Result<Vec<Chart>, Fault> {
        let has_points = |chart: &Chart| chart.curves.iter().any(|curve| curve.points.iter().any(|p| self.shows(p)));
        if self.figure.kind == FigureKind::Map || charts.iter().any(has_points) {
            return Ok(charts);
        }
        let positive = if self.figure.log.contains(&true) { ", positive ones along an axis by factors" } else { "" };
        Err(Fault::at(self.figure.span.clone(), "no row has anything to draw")
            .label(format!("expected rows with an answer, and numbers along both axes{positive}")))
    }

    /// Whether a point can be drawn.
    fn shows(&self, point: &Vector2<f64>) -> bool {
        (0..2).all(|k| point[k].is_finite() && (!self.figure.log[k] || point[k] > 0.0))
    }

    /// A line through points; of a single one a mark, since a line through it would not be seen.
    fn line(&self, index: usize, label: Text, points: Vec<Vector2<f64>>) -> Curve {
        let alone = points.iter().filter(|point| self.shows(point)).count() == 1;
        if alone { Curve::marks(index, label, points) } else { Curve::line(index, label, points) }
    }

    /// What a group is called.
    fn name(&self, quantity: &Quantity, bound: &Bound, word: &str) -> Text {
        let name = named(&self.figure.names, word);
        if bound.is_words(self.rows) || self.figure.names.iter().any(|(known, _)| known == word) {
            return name;
        }
        let title = quantity.title(self.rows);
        match title.strip_suffix(')').and_then(|title| title.split_once(" (")) {
            Some((title, unit)) => Text::marked(&format!("{title} = {} {unit}", escaped(word))),
            None => Text::marked(&format!("{title} = {}", escaped(word))),
        }
    }

    fn axis(&self, quantity: &Quantity, values: usize, k: usize) -> Axis {
        let unit = self.rows.place(&quantity.text).map_or("", |column| self.rows.columns[column].unit.as_str());
        // Angles and inverse units take no prefix.
        let scales = !unit.is_empty() && !matches!(unit, "deg" | "rad") && !unit.starts_with("1/");
        let axis = if values > 1 && quantity.label.is_none() {
            Axis::number(Text::default())
        } else if scales && !quantity.name().ends_with(')') {
            Axis::quantity(Text::marked(&quantity.name()), unit)
        } else {
            Axis::number(Text::marked(&quantity.title(self.rows)))
        };
        let axis = if self.figure.log[k] { axis.logarithmic() } else { axis };
        match self.figure.ranges[k] {
            Some([least, greatest]) => axis.between(least, greatest),
            None => axis,
        }
    }

    fn chart(&self, title: &str, rows: &[usize], facet: Option<&str>, folder: Option<&Path>) -> Result<Chart, Fault> {
        let figure = self.figure;
        let mut chart = Chart {
            title: title.to_owned(),
            across: self.axis(&figure.x, 1, 0),
            up: self.axis(&figure.y[0], figure.y.len(), 1),
            equal_scales: figure.equal,
            ..Chart::default()
        };
        if figure.kind == FigureKind::Map {
            let [across, up] = self.grid(rows, &self.y[0], &mut chart)?;
            // The cells fill the chart.
            if figure.ranges[0].is_none() {
                chart.across = chart.across.between(across[0], across[1]);
            }
            if figure.ranges[1].is_none() {
                chart.up = chart.up.between(up[0], up[1]);
            }
        } else {
            let (curves, keyed) = self.curves(rows)?;
            chart.curves = curves;
            chart.keyed = keyed;
        }
        let mut marks = 0;
        let (mut above, mut below) = (Vec::new(), Vec::new());
        for data in figure.data.iter().filter(|data| is_of(data, facet)) {
            let (points, label) = (data.points(folder)?, Text::marked(&data.label));
            if data.line {
                below.push(Curve::reference(label, points));
            } else {
                above.push(if marks == 0 {
                    Curve::compared(label, points)
                } else {
                    Curve::marks(marks, label, points)
                });
                marks += 1;
            }
        }
        above.append(&mut chart.curves);
        above.append(&mut below);
        chart.curves = above;
        Ok(chart)
    }

    /// The curves, and whether they are to be named in the key.
    fn curves(&self, rows: &[usize]) -> Result<(Vec<Curve>, bool), Fault> {
        let figure = self.figure;
        let groups = self.color.as_ref().map(|color| color.groups(self.rows));
        let mut curves = Vec::new();
        let mut bands = Vec::new();
        let mut keyed = false;
        for (k, (y, quantity)) in self.y.iter().zip(&figure.y).enumerate() {
            let parts: Vec<(usize, Option<&str>, Vec<usize>)> = match &groups {
                None => vec![(0, None, rows.to_vec())],
                Some((known, of_row)) => {
                    let mut parts: Vec<Vec<usize>> = vec![Vec::new(); known.len()];
                    rows.iter()
                        .filter_map(|row| Some((*row, of_row[*row]?)))
                        .for_each(|(row, place)| parts[place as usize].push(row));
                    let parts = known.iter().zip(parts).enumerate();
                    parts
                        .map(|(place, (word, rows))| (place, Some(word.as_str()), rows))
                        .filter(|part| !part.2.is_empty())
                        .collect()
                }
            };
            let most = groups.as_ref().map_or(1, |(known, _)| known.len());
            if most * self.y.len() > MOST_GROUPS {
                let span = figure.color.as_ref().map_or(figure.span.clone(), |color| color.span.clone());
                return Err(Fault::at(span, format!("there are {} colours", most * self.y.len()))
                    .label(format!("expected at most {MOST_GROUPS}: fewer values, or kind = \"map\"")));
            }
            for (place, word, part) in parts {
                let index = k * most + place;
                let label = self.label(quantity, word);
                let point = |row: &usize| Vector2::new(self.x[*row], y[*row]);
                match figure.kind {
                    FigureKind::Paths => curves.push(self.line(index, label, part.iter().map(point).collect())),
                    FigureKind::Points => {
                        let points: Vec<_> = part.iter().map(point).collect();
                        keyed |= points.len() > MOST_MARKS;
                        let curve = if points.len() > MOST_MARKS { Curve::dots } else { Curve::marks };
                        curves.push(curve(index, label, points));
                    }
                    FigureKind::Bands => {
                        let (edge, middle) = band(&part.iter().map(point).collect::<Vec<_>>(), figure.quantiles);
                        bands.push(Curve::tint(index, Text::default(), edge));
                        curves.push(self.line(index, label, middle));
                    }
                    FigureKind::Curves | FigureKind::Map => {
                        let mut part = part;
                        part.sort_by(|a, b| self.x[*a].total_cmp(&self.x[*b]));
                        if let Some(pair) = part.windows(2).find(|pair| self.x[pair[0]] == self.x[pair[1]]) {
                            return Err(self.ambiguous(
                                &format!("a curve has two rows at {} = {}", figure.x.text, self.x[pair[0]]),
                                pair[0],
                                pair[1],
                            ));
                        }
                        curves.push(self.line(index, label, part.iter().map(point).collect()));
                    }
                }
            }
        }
        curves.extend(bands);
        Ok((curves, keyed))
    }

    /// Two rows stand where one is expected.
    pub(super) fn ambiguous(&self, problem: &str, one: usize, other: usize) -> Fault {
        use super::rows::Loaded;
        let differs = self.rows.columns.iter().find(|column| match &column.values {
            Loaded::Numbers(values) => values[one] != values[other] && column.name != self.figure.y[0].text,
            Loaded::Words { of_row, .. } => of_row[one] != of_row[other],
            Loaded::Not => false,
        });
        let fault = Fault::at(self.figure.span.clone(), problem.to_owned());
        let help = "another axis changes as well: give it a colour, a facet, or one value by `where`; or draw paths, points or bands";
        match differs {
            Some(column) => fault.label(format!("they differ in {}", shown(&column.name))).help(help),
            None => fault.label("expected one row").help(help),
        }
    }

    fn label(&self, quantity: &Quantity, word: Option<&str>) -> Text {
        // The title of the chart says it.
        let is_title = |color: &Quantity| self.figure.facet.as_ref().is_some_and(|facet| facet.text == color.text);
        let word = word.filter(|_| !self.figure.color.as_ref().is_some_and(is_title));
        let color = word.and_then(|word| Some(self.name(self.figure.color.as_ref()?, self.color.as_ref()?, word)));
        let several = self.figure.y.len() > 1;
        let own = named(&self.figure.names, &quantity.text);
        match (color, several) {
            (Some(color), false) => color,
            (Some(color), true) => color.spans().iter().fold(own.then(", "), Text::joined),
            (None, true) => own,
            (None, false) => Text::default(),
        }
    }
}

/// Whether data belong to a chart.
fn is_of(data: &Data, facet: Option<&str>) -> bool {
    match (&data.facet, facet) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(Wanted::Word(word)), Some(facet)) => word == facet,
        (Some(Wanted::Number(number)), Some(facet)) => super::listing::plain_number(*number, 6) == facet,
    }
}

/// The outline of a band, and the medians, over the values at each x.
fn band(points: &[Vector2<f64>], quantiles: [f64; 2]) -> (Vec<Vector2<f64>>, Vec<Vector2<f64>>) {
    let mut at: HashMap<u64, Vec<f64>> = HashMap::new();
    for point in points.iter().filter(|point| point.iter().all(|x| x.is_finite())) {
        at.entry((point.x + 0.0).to_bits()).or_default().push(point.y);
    }
    let mut columns: Vec<(f64, Vec<f64>)> = at.into_iter().map(|(x, values)| (f64::from_bits(x), values)).collect();
    columns.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, values) in &mut columns {
        values.sort_by(f64::total_cmp);
    }
    let quantile = |values: &[f64], share: f64| {
        let place = share * (values.len() - 1) as f64;
        let below = values[place as usize];
        let above = values[(place.ceil() as usize).min(values.len() - 1)];
        below + (above - below) * place.fract()
    };
    let line = |share: f64| columns.iter().map(move |(x, values)| Vector2::new(*x, quantile(values, share)));
    let lower: Vec<_> = line(quantiles[0]).collect();
    let edge = line(quantiles[1]).chain(lower.into_iter().rev()).collect();
    (edge, line(0.5).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_lies_between_quantiles() {
        let points: Vec<_> = (0..=10).flat_map(|k| [0.0, 1.0].map(|x| Vector2::new(x, x + f64::from(k)))).collect();
        let (edge, middle) = band(&points, [0.1, 0.9]);
        assert_eq!(middle, [Vector2::new(0.0, 5.0), Vector2::new(1.0, 6.0)]);
        assert_eq!(edge.iter().map(|p| p.y).collect::<Vec<_>>(), [9.0, 10.0, 2.0, 1.0]);
    }
}
