//! Maps: rows on a grid as regions of words or levels of numbers.

use super::draw::Plotted;
use super::listing::named;
use crate::plot::{Chart, Text, Tiling};
use crate::scenario::{Fault, shown};

/// Values along a side of a map, at most; more are finer than what can be drawn.
const MOST: usize = 1000;

impl Plotted<'_> {
    /// Lays the rows out as cells of a chart, and gives the ends of its axes.
    pub(super) fn grid(&self, rows: &[usize], y: &[f64], chart: &mut Chart) -> Result<[[f64; 2]; 2], Fault> {
        let figure = self.figure;
        let (Some(color), Some(quantity)) = (&self.color, &figure.color) else { return Ok([[0.0, 1.0]; 2]) };
        let mut axes = [&self.x[..], y].map(|values| {
            let mut sorted: Vec<f64> = rows.iter().map(|row| values[*row]).filter(|value| value.is_finite()).collect();
            sorted.sort_by(f64::total_cmp);
            sorted.dedup();
            sorted
        });
        for ((values, quantity), log) in axes.iter_mut().zip([&figure.x, &figure.y[0]]).zip(figure.log) {
            if log {
                values.retain(|value| *value > 0.0);
            }
            if values.len() < 2 || values.len() > MOST {
                let problem = format!("{} has {} values among the rows", shown(&quantity.text), values.len());
                return Err(Fault::at(quantity.span.clone(), problem)
                    .label(format!("expected the values of a grid, from 2 to {MOST}")));
            }
        }
        let (columns, lines) = (axes[0].len(), axes[1].len());
        let mut of_cell: Vec<Option<usize>> = vec![None; columns * lines];
        for row in rows {
            let find = |values: &[f64], value: f64| values.binary_search_by(|known| known.total_cmp(&value)).ok();
            let (Some(i), Some(j)) = (find(&axes[0], self.x[*row]), find(&axes[1], y[*row])) else { continue };
            if let Some(other) = of_cell[j * columns + i].replace(*row) {
                return Err(self.ambiguous("two rows of a map are at the same place", other, *row));
            }
        }
        let ends = [0, 1].map(|k| [axes[k][0], axes[k][axes[k].len() - 1]]);
        chart.tiling = Some(if color.is_words(self.rows) {
            let (known, of_row) = color.groups(self.rows);
            if known.len() > usize::from(u16::MAX) {
                return Err(Fault::at(quantity.span.clone(), format!("there are {} words", known.len()))
                    .label("expected fewer regions"));
            }
            let cells = of_cell.iter().map(|row| Some(of_row[(*row)?]? as u16)).collect();
            let labels = known.iter().map(|word| named(&figure.names, word)).collect();
            Tiling::regions(axes, figure.log, cells, labels)
        } else {
            let numbers = color.numbers(self.rows);
            let values: Vec<f64> = of_cell.iter().map(|row| row.map_or(f64::NAN, |row| numbers[row])).collect();
            Tiling::levels(axes, figure.log, &values, Text::marked(&quantity.title(self.rows)))
        });
        Ok(ends)
    }
}
