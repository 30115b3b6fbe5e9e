//! Sweeps: plans and the shards of their results.
#![allow(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]

use crate::errors::{CaromError, InputError};
use carom_study::scenario::{ScenarioError, reason};
use carom_study::sweep::{self, Part, Stopped, Tally};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};

/// A plan: a scenario, what changes in it from row to row, and what is written of each row.
///
/// :func:`sweep` computes it. Plans pickle with their scenario, so that other machines need no file of it.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     The file of the plan, in TOML.
///
/// Attributes
/// ----------
/// title : str
///     The title that the file gives, or its name.
/// rows : int
///     The number of rows.
/// shards : int
///     The number of shards.
/// columns : tuple of str
///     The columns of the results.
///
/// Examples
/// --------
/// >>> import carom
/// >>> plan = carom.Plan("plans/energy-over-restitution.toml")
/// >>> plan.rows, plan.columns[:3]
/// (1212, ('law.id', 'contact.restitution', 'contact.friction'))
#[pyclass(module = "carom", frozen)]
pub(crate) struct Plan {
    read: sweep::Plan,
    rows: u64,
    shards: u64,
    columns: Vec<String>,
}

/// Name and text of a plan, the text of its scenario, and where the files are that this names.
type Texts = (String, String, String, Option<PathBuf>);

fn refused(error: &ScenarioError) -> PyErr {
    InputError::new_err(error.to_string())
}

impl Plan {
    fn of(plan: sweep::Plan) -> PyResult<Plan> {
        let sweep = sweep::Sweep::new(&plan).map_err(|error| refused(&error))?;
        let (rows, shards) = (sweep.rows(), sweep.shards());
        let columns = sweep.columns().map(str::to_owned).collect();
        Ok(Plan { read: plan, rows, shards, columns })
    }
}

#[pymethods]
impl Plan {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Plan> {
        if !path.is_file() {
            return Err(PyFileNotFoundError::new_err(format!("there is no plan {}", path.display())));
        }
        py.detach(|| sweep::Plan::read(&path).map_err(|error| refused(&error)).and_then(Plan::of))
    }

    #[getter]
    fn title(&self) -> &str {
        &self.read.title
    }

    #[getter]
    fn rows(&self) -> u64 {
        self.rows
    }

    #[getter]
    fn shards(&self) -> u64 {
        self.shards
    }

    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.columns)
    }

    fn __repr__(&self) -> String {
        format!("<carom.Plan '{}': {} rows in {} shards>", self.read.title, self.rows, self.shards)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Texts)> {
        let restore = py.import("carom._carom")?.getattr("_restored_plan")?;
        let plan = &self.read;
        let folder = plan.folder().map(Path::to_owned);
        Ok((restore, (plan.name.clone(), plan.text.clone(), plan.scenario_text().to_owned(), folder)))
    }

    /// Which shards of the plan a folder has whole, by their numbers from 0.
    fn _whole(&self, py: Python<'_>, folder: PathBuf) -> PyResult<Vec<u64>> {
        if !folder.exists() {
            return Ok(Vec::new());
        }
        py.detach(|| {
            let sweep = sweep::Sweep::new(&self.read).map_err(|error| refused(&error))?;
            let status = sweep.status(&folder, true).map_err(|error| CaromError::new_err(error.to_string()))?;
            let there: Vec<_> = status.ranges().collect();
            let is_there = |shard: &u64| there.contains(&sweep.rows_of(Part { number: shard + 1, of: self.shards }));
            Ok((0..self.shards).filter(is_there).collect())
        })
    }

    /// The name of the file of a shard.
    fn _file(&self, shard: u64) -> String {
        sweep::file_name(shard, self.shards)
    }

    /// Computes a part into a folder; `watch` is called with the rows that are done and those of the part.
    #[pyo3(signature = (folder, number, of, threads, watch))]
    fn _compute<'py>(
        &self,
        py: Python<'py>,
        folder: PathBuf,
        number: u64,
        of: u64,
        threads: usize,
        watch: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        if !(1..=of).contains(&number) {
            return Err(InputError::new_err(format!("part {number} of {of}; expected a number from 1 to {of}")));
        }
        std::fs::create_dir_all(&folder)
            .map_err(|error| PyOSError::new_err(format!("{}: {}", folder.display(), reason(&error))))?;
        let mut raised = None;
        let done = py.detach(|| {
            let sweep = sweep::Sweep::new(&self.read).map_err(|error| refused(&error))?;
            let done = sweep.run(&folder, Part { number, of }, threads, &mut |progress| {
                let look = |py: Python<'_>| {
                    py.check_signals()?;
                    match &watch {
                        Some(watch) => watch.call1(py, (progress.rows, progress.of)).map(|_| ()),
                        None => Ok(()),
                    }
                };
                Python::attach(look).map_err(|error| raised = Some(error)).is_ok()
            });
            done.map_err(|stopped| match stopped {
                Stopped::Folder(error) => CaromError::new_err(error.to_string()),
                Stopped::Write(path, error) => {
                    PyOSError::new_err(format!("cannot write {}: {}", path.display(), reason(&error)))
                }
            })
        })?;
        if let Some(error) = raised {
            return Err(error);
        }
        let result = PyDict::new(py);
        result.set_item("rows", done.rows)?;
        result.set_item("shards", done.shards)?;
        result.set_item("kept", done.kept)?;
        result.set_item("statuses", tally(py, &done.tally)?)?;
        Ok(result)
    }
}

/// Rows by status, and the first row of a status with its reason.
fn tally<'py>(py: Python<'py>, tally: &Tally) -> PyResult<Bound<'py, PyDict>> {
    let statuses = PyDict::new(py);
    for count in &tally.statuses {
        statuses.set_item(&count.status, (count.rows, count.reason.clone()))?;
    }
    Ok(statuses)
}

/// A plan that was pickled.
#[pyfunction(name = "_restored_plan")]
pub(crate) fn restored_plan(name: &str, text: &str, scenario: &str, folder: Option<PathBuf>) -> PyResult<Plan> {
    let plan = sweep::Plan::parse_with(name, text, scenario, folder.as_deref()).map_err(|error| refused(&error))?;
    Plan::of(plan)
}
