//! Tracks reduced to collisions. `_reduce.py` reads tables and setups, and shows results.
#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

use crate::columns::{self, Table};
use crate::errors::InputError;
use crate::source::sentence;
use carom_study::ColumnValues;
use carom_study::reduce::{self, LeftOut, ReduceError, Reduction, Settings, Setup};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;

/// The setup: a file, or a text that `_reduce.py` wrote.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Given {
    path: Option<PathBuf>,
    text: String,
    /// The lines, from 1, at which tables begin, and their names in messages.
    tables: Vec<(usize, String)>,
}

impl Given {
    fn read(&self) -> PyResult<Setup> {
        if let Some(path) = &self.path {
            return Setup::read(path).map_err(|error| InputError::new_err(error.to_string()));
        }
        Setup::parse("setup", &self.text).map_err(|error| {
            let line = error.line_and_column().map_or(0, |(line, _)| line);
            let table = self.tables.iter().rev().find(|(start, _)| *start <= line);
            InputError::new_err(sentence(&error, Some(table.map_or("setup", |(_, name)| name))))
        })
    }
}

fn raised(error: ReduceError) -> PyErr {
    InputError::new_err(error.0)
}

/// Reduces tracks; the result is a dictionary that `_reduce.py` makes an object of.
#[pyfunction(name = "_reduce")]
pub(crate) fn reduce_tracks<'py>(
    py: Python<'py>,
    table: Table<'py>,
    setup: Given,
    draws: usize,
    seed: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let read = setup.read()?;
    let (trials, frames) = match table {
        Table::File(path) => (reduce::read(&path, &read).map_err(raised)?, Some(path.display().to_string())),
        Table::Columns(given) => (reduce::of_columns(&columns::owned(given), &read).map_err(raised)?, None),
    };
    let settings = Settings { draws, seed };
    let mut kept = None;
    let worked = py.detach(|| {
        reduce::reduce(&trials, &read, &settings, &mut |_| {
            kept = Python::attach(|py| py.check_signals().err());
            kept.is_none()
        })
    });
    if let Some(error) = kept {
        return Err(error);
    }
    let reduction = worked.map_err(|error| {
        let place = frames.as_ref().map_or_else(String::new, |frames| format!("{frames}: "));
        InputError::new_err(format!("{place}{error}"))
    })?;
    let (frames, setup) = (frames.as_deref().unwrap_or("columns"), setup.path.as_ref());
    let setup = setup.map_or_else(|| "a setup of Python".to_owned(), |path| path.display().to_string());
    let source = Reduction::source(frames, &setup, &settings);
    let result = PyDict::new(py);
    let collisions = PyDict::new(py);
    for (name, values) in reduction.columns() {
        match values {
            ColumnValues::Numbers(numbers) => collisions.set_item(name, PyArray1::from_vec(py, numbers))?,
            ColumnValues::Words(words) => collisions.set_item(name, words)?,
        }
    }
    result.set_item("collisions", collisions)?;
    let left_out = reduction.left_out.iter().map(|LeftOut { trial, place, reason }| (trial, reason, place.number));
    result.set_item("left_out", PyList::new(py, left_out)?)?;
    result.set_item("title", &reduction.title)?;
    result.set_item("deviation", reduction.deviations.coordinate)?;
    result.set_item("summary", reduction.summary())?;
    result.set_item("csv", reduction.csv(&source))?;
    Ok(result)
}
