//! Tables as CSV: every digit, nothing where a value is missing.

use super::{Table, Values};

impl Table {
    /// The table as CSV, one line per row below the names of the columns.
    pub fn csv(&self) -> String {
        let header = self.columns.iter().map(|column| column.name.to_owned()).collect();
        let cell = |values: &Values, row: usize| match values {
            Values::Numbers(values) => values.get(row).copied().flatten().map_or_else(String::new, full),
            Values::Counts(values) => values.get(row).copied().flatten().map_or_else(String::new, |n| n.to_string()),
            Values::Words(values) => values.get(row).cloned().unwrap_or_default(),
        };
        let rows = (0..self.rows()).map(|row| self.columns.iter().map(|column| cell(&column.values, row)).collect());
        lines(std::iter::once(header).chain(rows))
    }
}

/// Every digit, in the shorter of the two notations; zero without a sign.
pub(crate) fn full(value: f64) -> String {
    let value = value + 0.0;
    if value == 0.0 || (1e-5..1e16).contains(&value.abs()) { value.to_string() } else { format!("{value:e}") }
}

/// Rows of cells as lines, quoted where they must be.
pub(crate) fn lines(rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        // Writing to memory cannot fail.
        let _ = writer.write_record(row);
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
