//! Tables of numbers and words, as CSV for people and as Parquet for programs.

mod csv;
mod parquet;

pub(crate) use csv::{full, lines};
pub use parquet::NotWritable;

/// A table: columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The columns.
    pub columns: Vec<Column>,
    /// What the table is about, by key. Only Parquet has room for it.
    pub about: Vec<(String, String)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name, in snake case.
    pub name: &'static str,
    /// Its unit; empty for words and pure numbers.
    pub unit: &'static str,
    /// Its values.
    pub values: Values,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers, some of which may be missing.
    Numbers(Vec<Option<f64>>),
    /// Whole numbers that count, some of which may be missing.
    Counts(Vec<Option<u32>>),
    /// Words.
    Words(Vec<String>),
}

impl Column {
    /// A column of numbers. Zero loses its sign.
    pub fn numbers(name: &'static str, unit: &'static str, values: impl IntoIterator<Item = Option<f64>>) -> Column {
        let values = values.into_iter().map(|value| value.map(|value| value + 0.0)).collect();
        Column { name, unit, values: Values::Numbers(values) }
    }

    /// A column of counts.
    pub fn counts(name: &'static str, values: impl IntoIterator<Item = Option<usize>>) -> Column {
        let values = values.into_iter().map(|value| value.and_then(|value| u32::try_from(value).ok())).collect();
        Column { name, unit: "", values: Values::Counts(values) }
    }

    /// A column of words.
    pub fn words(name: &'static str, values: impl IntoIterator<Item = String>) -> Column {
        Column { name, unit: "", values: Values::Words(values.into_iter().collect()) }
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Numbers(values) => values.len(),
            Values::Counts(values) => values.len(),
            Values::Words(values) => values.len(),
        }
    }

    /// Whether there is no value in it at all.
    pub fn is_empty(&self) -> bool {
        match &self.values {
            Values::Numbers(values) => values.iter().all(Option::is_none),
            Values::Counts(values) => values.iter().all(Option::is_none),
            Values::Words(values) => values.iter().all(String::is_empty),
        }
    }
}

impl Table {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// A row as an object; what is missing is `null`.
    pub fn row_json(&self, row: usize) -> serde_json::Value {
        let cell = |values: &Values| match values {
            Values::Numbers(values) => values.get(row).copied().flatten().into(),
            Values::Counts(values) => values.get(row).copied().flatten().into(),
            Values::Words(values) => values.get(row).cloned().into(),
        };
        let cells = self.columns.iter().map(|column| (column.name.to_owned(), cell(&column.values)));
        serde_json::Value::Object(cells.collect())
    }
}
