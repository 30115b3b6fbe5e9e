//! Points from elsewhere: written in the plan, or columns of a CSV file.

use super::rows::same;
use super::{Data, Source, Wanted};
use crate::scenario::{Fault, nearest, reason, shown};
use nalgebra::Vector2;
use std::path::Path;

impl Data {
    /// The points.
    pub(super) fn points(&self, folder: Option<&Path>) -> Result<Vec<Vector2<f64>>, Fault> {
        let (file, x, y, filters) = match &self.source {
            Source::Points(points) => return Ok(points.iter().map(|[x, y]| Vector2::new(*x, *y)).collect()),
            Source::File { file, x, y, filters } => (file, x, y, filters),
        };
        let path = folder.map_or_else(|| Path::new(file).to_owned(), |folder| folder.join(file));
        let refuse = |why: String| Fault::at(self.span.clone(), format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(&path)
            .map_err(|error| refuse(reason(&error)).label("expected a CSV file, relative to the plan"))?;
        let mut reader =
            csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
        let head = reader.headers().map_err(|error| refuse(error.to_string()))?.clone();
        let find = |name: &str| {
            head.iter().position(|known| known == name).ok_or_else(|| {
                let fault = refuse(format!("there is no column {}", shown(name)));
                match nearest(name, head.iter()) {
                    Some(near) => fault.label(format!("did you mean {}?", shown(near))),
                    None => fault.label(format!("its columns: {}", head.iter().collect::<Vec<_>>().join(", "))),
                }
            })
        };
        let (x, y) = (find(x)?, find(y)?);
        let filters: Vec<(usize, &[Wanted])> = filters
            .iter()
            .map(|filter| Ok((find(&filter.column)?, filter.wanted.as_slice())))
            .collect::<Result<_, Fault>>()?;
        let mut points = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| refuse(error.to_string()))?;
            let cell = |k: usize| record.get(k).unwrap_or("");
            let passes = |wanted: &Wanted, cell: &str| match wanted {
                Wanted::Word(word) => cell == word,
                Wanted::Number(number) => cell.parse().is_ok_and(|value: f64| same(value, *number)),
            };
            if !filters.iter().all(|(k, wanted)| wanted.iter().any(|wanted| passes(wanted, cell(*k)))) {
                continue;
            }
            let number = |k: usize| -> Result<f64, Fault> {
                let line = record.position().map_or(0, csv::Position::line);
                cell(k).parse().map_err(|_| refuse(format!("line {line}: {} is no number", shown(cell(k)))))
            };
            points.push(Vector2::new(number(x)?, number(y)?));
        }
        Ok(points)
    }
}
