//! Laws fitted to measured collisions. `_fit.py` reads tables and shows results.
#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

use crate::columns::{self, Table};
use crate::errors::{self, InputError};
use crate::laws::argument;
use crate::watch;
use carom_study::fit::{self, Errors, FitError, Impossible, Measurements, Model, Normalised, Page, Settings};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// The keywords of a fit.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Request {
    free: Option<Vec<String>>,
    fixed: Vec<(String, f64)>,
    bounds: Vec<(String, [f64; 2])>,
    errors: Option<String>,
    group: Option<String>,
    starts: usize,
    confidence: f64,
    profiles: bool,
    bootstrap: usize,
    seed: u64,
    threads: usize,
    reach: bool,
    report: bool,
    command: String,
    watch: Option<Py<PyAny>>,
}

fn raised(error: FitError) -> PyErr {
    match error {
        FitError::Law(error) => errors::input(&error),
        other => InputError::new_err(other.to_string()),
    }
}

fn measurements(table: Table, group: Option<&str>) -> PyResult<Measurements> {
    match table {
        Table::File(path) => Measurements::read(&path, group),
        Table::Columns(given) => Measurements::of_columns(&columns::owned(given), group),
    }
    .map_err(raised)
}

impl Request {
    fn settings(&self, data: &Measurements) -> PyResult<Settings> {
        let errors = match self.errors.as_deref() {
            Some(word) => Errors::of_word(word).ok_or_else(|| {
                InputError::new_err(format!("errors is {word:?}; expected {}", Errors::WORDS.join(", ")))
            })?,
            None if data.covariance.is_some() => Errors::Measured,
            None => Errors::Equal,
        };
        if !(0.5..=0.999_999).contains(&self.confidence) {
            let fault = format!("confidence is {}; expected a share from 0.5 to 0.999999", self.confidence);
            return Err(InputError::new_err(fault));
        }
        if self.starts == 0 {
            return Err(InputError::new_err("starts is 0; expected at least 1"));
        }
        if self.bootstrap == 1 {
            return Err(InputError::new_err("bootstrap is 1; expected 0 or at least 2 repetitions"));
        }
        Ok(Settings { errors, starts: self.starts, confidence: self.confidence, profiles: self.profiles })
    }

    /// Calls `watch` with what is done, and keeps what it or a signal raises.
    fn look(&self, what: &str, done: usize, of: usize, kept: &mut Option<PyErr>) -> bool {
        let look = |py: Python<'_>| {
            py.check_signals()?;
            match &self.watch {
                Some(watch) => watch.call1(py, (what, done, of)).map(|_| ()),
                None => Ok(()),
            }
        };
        match Python::attach(look) {
            Ok(()) => true,
            Err(error) => {
                *kept = Some(error);
                false
            }
        }
    }

    /// The page of a report, if it is asked for.
    fn page(&self, make: impl FnOnce(Page) -> String, impossible: &[Impossible]) -> Option<String> {
        self.report
            .then(|| make(Page { command: &self.command, file: "Python", confidence: self.confidence, impossible }))
    }
}

/// Fits a law; the result is a dictionary that `_fit.py` makes an object of.
#[pyfunction(name = "_fit")]
pub(crate) fn fit_law<'py>(
    py: Python<'py>,
    law: &Bound<'py, PyAny>,
    table: Table<'py>,
    request: Request,
) -> PyResult<Bound<'py, PyDict>> {
    let law = argument(law)?;
    let data = measurements(table, request.group.as_deref())?;
    let settings = request.settings(&data)?;
    let usual = Model::usual(law);
    let free: Vec<&str> = match &request.free {
        Some(free) => free.iter().map(String::as_str).collect(),
        None => usual.into_iter().filter(|key| request.fixed.iter().all(|(fixed, _)| fixed != key)).collect(),
    };
    let model = Model::new(law, &free, &request.fixed, &request.bounds).map_err(raised)?;
    let mut kept = None;
    let worked = watch::call(|| {
        py.detach(|| {
            let found = fit::fit(&data, &model, &settings)?;
            let (count, rows) = (request.bootstrap, data.rows());
            let samples = if count == 0 {
                None
            } else {
                let mut look = |done| request.look("bootstrap", done, count, &mut kept);
                Some(fit::bootstrap(&data, &found, &settings, count, request.seed, request.threads, &mut look)?)
            };
            let reach = if request.reach {
                let mut look = |row: usize| !row.is_multiple_of(64) || request.look("reach", row, rows, &mut kept);
                Some(fit::reach(&data, &found, &mut look)?)
            } else {
                None
            };
            Ok((found, samples, reach))
        })
        .map_err(raised)
    });
    if let Some(error) = kept {
        return Err(error);
    }
    let (found, samples, reach) = worked?;
    let summary = found.summary(&data, samples.as_ref(), settings.confidence);
    let impossible = fit::impossible(&data);
    let parts =
        [summary, reach.as_ref().map_or_else(String::new, |reach| reach.summary(&data)), data.remarks(&impossible)];
    let result = PyDict::new(py);
    let make = |page: Page| page.of_fit(&data, &found, samples.as_ref(), reach.as_ref());
    result.set_item("page", request.page(make, &impossible))?;
    result.set_item("json", found.json(&data, samples.as_ref(), settings.confidence).to_string())?;
    result.set_item("summary", parts.concat())?;
    result.set_item("svg", found.sheet(&data).svg())?;
    let n = data.components();
    let residuals: Vec<Vec<f64>> = found.residuals.chunks_exact(n).map(<[f64]>::to_vec).collect();
    result.set_item("residuals", PyArray2::from_vec2(py, &residuals)?)?;
    let predicted: Vec<Vec<f64>> =
        (0..data.rows()).map(|row| (0..n).map(|k| found.predicted[k * data.rows() + row]).collect()).collect();
    result.set_item("predicted", PyArray2::from_vec2(py, &predicted)?)?;
    result.set_item("influence", PyArray1::from_vec(py, found.influence.clone()))?;
    result.set_item("rows", PyArray1::from_vec(py, data.lines.iter().map(|line| line.cast_signed()).collect()))?;
    let shown = |after: &[f64]| -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows: Vec<Vec<f64>> = Normalised::of(&data, after)
            .iter()
            .map(|one| vec![one.incidence, one.impulse.x, one.impulse.y, one.restitution])
            .collect();
        Ok(PyArray2::from_vec2(py, &rows)?)
    };
    result.set_item("shown_measured", shown(&data.after.concat())?)?;
    result.set_item("shown_predicted", shown(&found.predicted)?)?;
    let samples = samples.map(|drawn| PyArray2::from_vec2(py, &drawn.samples)).transpose()?;
    result.set_item("samples", samples)?;
    let reached = reach.map(|reach| -> PyResult<_> {
        let dict = PyDict::new(py);
        dict.set_item("law", PyArray1::from_vec(py, reach.law))?;
        dict.set_item("region", PyArray1::from_vec(py, reach.region))?;
        dict.set_item("deviations", reach.deviations.map(|deviations| PyArray1::from_vec(py, deviations)))?;
        dict.set_item("friction", reach.friction)?;
        Ok(dict)
    });
    result.set_item("reach", reached.transpose()?)?;
    let faults = impossible.iter().map(|fault| (fault.line, fault.fault.words(), fault.amount, fault.deviations));
    result.set_item("impossible", PyList::new(py, faults)?)?;
    Ok(result)
}

/// Fits several laws; no laws are all that take no time.
#[pyfunction(name = "_fit_laws")]
pub(crate) fn fit_laws<'py>(
    py: Python<'py>,
    laws: Vec<Bound<'py, PyAny>>,
    table: Table<'py>,
    request: Request,
) -> PyResult<Bound<'py, PyDict>> {
    let data = measurements(table, request.group.as_deref())?;
    let settings = request.settings(&data)?;
    let chosen = match laws.as_slice() {
        [] => fit::algebraic(),
        laws => laws.iter().map(argument).collect::<PyResult<_>>()?,
    };
    let free = request.free.clone().unwrap_or_default();
    let more: Vec<&str> = free.iter().map(String::as_str).collect();
    if let Some(key) = more.iter().find(|key| !chosen.iter().any(|law| Model::takes(law, key))) {
        return Err(InputError::new_err(format!("free has {key:?}; none of these laws has that parameter")));
    }
    let mut kept = None;
    let compared = watch::call(|| {
        py.detach(|| {
            fit::compare(&data, &chosen, &more, &settings, &mut |done| {
                request.look("laws", done, chosen.len(), &mut kept)
            })
        })
        .map_err(raised)
    });
    if let Some(error) = kept {
        return Err(error);
    }
    let comparison = compared?;
    let result = PyDict::new(py);
    let make = |page: Page| page.of_comparison(&data, &comparison, settings.errors);
    result.set_item("page", request.page(make, &fit::impossible(&data)))?;
    result.set_item("json", comparison.json().to_string())?;
    result.set_item("summary", comparison.summary())?;
    result.set_item("svg", comparison.sheet(&data).svg())?;
    Ok(result)
}
