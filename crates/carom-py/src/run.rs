//! Scenes through time.

use crate::errors::InputError;
use crate::input::{numpy, parsed};
use crate::watch;
use carom_study::plot::{energy_sheet, stack, strobe};
use carom_study::scenario::SimulationScenario;
use carom_study::simulation::{
    Identity, Run, Runner, Step, events_table, failure_text, fingerprint, simulation_text, summary, trajectory_table,
};
use carom_study::table::{Table, Values};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::Path;

/// Steps between two looks for an interrupt.
const STEPS: usize = 256;

/// A scene through time, by :meth:`Scenario.simulate`.
///
/// ``str()`` gives the table of the command ``carom simulate``, and notebooks show the picture. Tables are dicts of columns, as
/// ``pandas.DataFrame`` and ``polars.DataFrame`` take them.
///
/// Attributes
/// ----------
/// status : str
///     ``"finished"``, or how else it ended: ``"failed"``, ``"overlapping"``, ``"gains-energy"``, ``"zeno-cut"``, ``"painleve"``.
/// failure : str or None
///     Why it ended early.
/// summary : dict
///     Status, settings, counts, energy.
/// trajectory : dict of str to ndarray
///     Every body at every frame.
/// events : dict of str to ndarray
///     Every contact of every event; numbers that are missing are NaN.
#[pyclass(module = "carom", frozen)]
pub(crate) struct Simulation {
    scene: SimulationScenario,
    run: Run,
    identity: Identity,
}

/// Runs a scene to its end. Python may interrupt it.
pub(crate) fn simulate(py: Python<'_>, scene: SimulationScenario, path: &Path) -> PyResult<Simulation> {
    let hash = std::fs::read(path).map(|bytes| fingerprint(&bytes)).unwrap_or_default();
    let mut runner = Runner::new(&scene, None).map_err(|error| InputError::new_err(error.to_string()))?;
    while py.detach(|| goes_on(&mut runner)) {
        if watch::has_raised() {
            break;
        }
        py.check_signals()?;
    }
    let identity = Identity { file: path.display().to_string(), hash };
    Ok(Simulation { scene, run: runner.run, identity })
}

/// Some steps; whether there are more.
fn goes_on(runner: &mut Runner) -> bool {
    (0..STEPS).all(|_| !matches!(runner.step(), Step::Done))
}

#[pymethods]
impl Simulation {
    #[getter]
    fn status(&self) -> &'static str {
        self.run.status(&self.scene).word()
    }

    #[getter]
    fn failure(&self) -> Option<String> {
        self.run.failure.as_ref().map(|failure| failure_text(&self.scene, failure))
    }

    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &summary(&self.scene, &self.run, &self.identity).to_string())
    }

    #[getter]
    fn trajectory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, trajectory_table(&self.scene, &self.run))
    }

    #[getter]
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, events_table(&self.scene, &self.run))
    }

    fn __str__(&self) -> String {
        simulation_text(&self.scene, &self.run)
    }

    fn __repr__(&self) -> String {
        let (frames, events) = (self.run.frames.len(), self.run.events.len());
        format!("<carom.Simulation '{}': {}, {frames} frames, {events} events>", self.scene.title, self.status())
    }

    /// Motion and energy as SVG.
    ///
    /// Returns
    /// -------
    /// str
    fn svg(&self) -> String {
        stack(&strobe(&self.scene, &self.run), &energy_sheet(&self.scene, &self.run).svg())
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }
}

/// The columns of a table as arrays.
fn columns(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyDict>> {
    let named = PyDict::new(py);
    for column in table.columns {
        match column.values {
            Values::Numbers(values) => {
                let numbers = values.into_iter().map(|value| value.unwrap_or(f64::NAN));
                named.set_item(column.name, PyArray1::from_iter(py, numbers))?;
            }
            Values::Counts(values) => {
                let numbers = values.into_iter().map(|value| value.map_or(f64::NAN, f64::from));
                named.set_item(column.name, PyArray1::from_iter(py, numbers))?;
            }
            Values::Words(words) => {
                named.set_item(column.name, numpy(py)?.call_method1("array", (words, "str"))?)?;
            }
        }
    }
    Ok(named)
}
