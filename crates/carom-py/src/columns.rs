//! Tables of Python: a file, or columns, which `_columns.py` hands over.

use carom_study::ColumnValues;
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use std::path::PathBuf;

/// A file, or columns.
#[derive(FromPyObject)]
pub(crate) enum Table<'py> {
    File(PathBuf),
    Columns(Vec<(String, Values<'py>)>),
}

/// A column as Python hands it over.
#[derive(FromPyObject)]
pub(crate) enum Values<'py> {
    Numbers(PyReadonlyArray1<'py, f64>),
    Words(Vec<String>),
}

/// Columns as the library takes them.
pub(crate) fn owned(columns: Vec<(String, Values<'_>)>) -> Vec<(String, ColumnValues)> {
    let values = |values: Values| match values {
        Values::Numbers(numbers) => ColumnValues::Numbers(numbers.as_array().to_vec()),
        Values::Words(words) => ColumnValues::Words(words),
    };
    columns.into_iter().map(|(name, column)| (name, values(column))).collect()
}
