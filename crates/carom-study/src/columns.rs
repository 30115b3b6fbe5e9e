//! Tables that programs hold as columns, read row by row like files.

use crate::scenario::shown;
use std::borrow::Cow;

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// Numbers; NaN where there is none.
    Numbers(Vec<f64>),
    /// Words.
    Words(Vec<String>),
}

impl ColumnValues {
    fn len(&self) -> usize {
        match self {
            ColumnValues::Numbers(values) => values.len(),
            ColumnValues::Words(values) => values.len(),
        }
    }
}

/// How many rows columns have; or which of them has another number of rows, in words.
pub(crate) fn count_rows(columns: &[(String, ColumnValues)]) -> Result<usize, String> {
    let Some((first, values)) = columns.first() else { return Ok(0) };
    let rows = values.len();
    match columns.iter().find(|(_, values)| values.len() != rows) {
        None => Ok(rows),
        Some((name, values)) => {
            let length = values.len();
            Err(format!("the column {} has {length} rows; expected {rows}, as {} has", shown(name), shown(first)))
        }
    }
}

/// The cells of a row by the places of their columns.
pub(crate) trait Cells {
    /// A number, or the word that stands in its place.
    fn number(&self, column: usize) -> Result<f64, String>;
    fn word(&self, column: usize) -> Cow<'_, str>;
    /// Whether there is nothing.
    fn is_empty(&self, column: usize) -> bool;
}

impl Cells for csv::StringRecord {
    fn number(&self, column: usize) -> Result<f64, String> {
        let text = self.get(column).unwrap_or_default();
        text.parse().map_err(|_| text.to_owned())
    }

    fn word(&self, column: usize) -> Cow<'_, str> {
        Cow::Borrowed(self.get(column).unwrap_or_default())
    }

    fn is_empty(&self, column: usize) -> bool {
        self.get(column).is_none_or(str::is_empty)
    }
}

/// A row of columns.
pub(crate) struct RowOfColumns<'a> {
    pub columns: &'a [(String, ColumnValues)],
    pub row: usize,
}

impl Cells for RowOfColumns<'_> {
    fn number(&self, column: usize) -> Result<f64, String> {
        match &self.columns[column].1 {
            ColumnValues::Numbers(values) => Ok(values[self.row]),
            ColumnValues::Words(values) => Err(values[self.row].clone()),
        }
    }

    fn word(&self, column: usize) -> Cow<'_, str> {
        match &self.columns[column].1 {
            ColumnValues::Numbers(values) => Cow::Owned(values[self.row].to_string()),
            ColumnValues::Words(values) => Cow::Borrowed(&values[self.row]),
        }
    }

    fn is_empty(&self, column: usize) -> bool {
        match &self.columns[column].1 {
            ColumnValues::Numbers(values) => values[self.row].is_nan(),
            ColumnValues::Words(values) => values[self.row].is_empty(),
        }
    }
}
