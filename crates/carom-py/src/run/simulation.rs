//! Scenes that were followed through time.

use super::checkpoint::Checkpoint;
use super::record::{record, recorded};
use super::table::Table;
use crate::errors::InputError;
use crate::follow::Followed;
use crate::input::parsed;
use crate::parcel::{Parcel, damaged};
use crate::setup::{Setup, in_python};
use crate::shown::{chart, drawn, motion};
use carom::sim::Failure;
use carom_study::plot::{ShownMotion, energy_sheet, gap_sheet, stack, strobe};
use carom_study::simulation::{
    CheckpointFile, Run, events_table, failure_text, ledger_table, replayed_text, summary, trajectory_table,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;
use serde_json::{Value, json};
use std::sync::Arc;

/// A scene through time, by :meth:`Scenario.simulate`.
///
/// ``str()`` gives the table of the command ``carom simulate``, and notebooks show the picture. It can be pickled.
///
/// Attributes
/// ----------
/// status : str
///     ``"finished"``, or how else it ended: ``"failed"``, ``"overlapping"``, ``"gains-energy"``,
///     ``"penetrates"``, ``"zeno-cut"``, ``"painleve"``.
/// failure : str or None
///     Why it ended early.
/// summary : dict
///     Status, settings, counts, energy.
/// trajectory : Table
///     Every body at every frame.
/// events : Table
///     Every contact of every event.
/// ledger : Table
///     Where the energy is and where it went, at every frame.
/// checkpoints : tuple of Checkpoint
///     Those that were asked for.
///
/// Examples
/// --------
/// >>> import carom
/// >>> ball = carom.load("scenarios/bouncing-ball.toml").simulate(duration=1.0)
/// >>> ball.trajectory
/// <carom.Table trajectory: 1001 rows of time (s), body, x (m), y (m), angle (rad), velocity_x (m/s), velocity_y (m/s), angular_velocity (rad/s)>
/// >>> bool(abs(ball.ledger["residual"]).max() < 1e-12)
/// True
#[pyclass(module = "carom", frozen)]
pub(crate) struct Simulation {
    done: Arc<Done>,
    tables: [PyOnceLock<Py<Table>>; 3],
}

/// A run with its scene.
pub(super) struct Done {
    setup: Arc<Setup>,
    run: Arc<Run>,
    failure: Option<String>,
    checkpoints: Vec<CheckpointFile>,
}

/// A simulation that was pickled.
#[pyfunction(name = "_restored_simulation")]
pub(crate) fn restored_simulation(py: Python<'_>, bytes: &[u8]) -> PyResult<Simulation> {
    py.detach(|| {
        let mut parcel = Parcel::unpack(Simulation::KIND, bytes)?;
        let about = parcel.about.clone();
        let setup = Setup::of_pieces(&about["setup"], &mut parcel)?;
        let (run, failure, checkpoints) = read(&about, &parcel.pieces).ok_or_else(|| damaged(Simulation::KIND))?;
        Ok(Simulation::of(Arc::new(Done { setup: Arc::new(setup), run: Arc::new(run), failure, checkpoints })))
    })
}

#[pymethods]
impl Simulation {
    #[getter]
    fn status(&self) -> &'static str {
        self.done.run.status(&self.done.setup.scene).word()
    }

    #[getter]
    fn failure(&self) -> Option<&str> {
        self.done.failure.as_deref()
    }

    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut summary = summary(&self.done.setup.scene, &self.done.run, &self.done.setup.identity());
        summary["failure"] = json!(self.done.failure);
        parsed(py, &summary.to_string())
    }

    #[getter]
    fn trajectory(slf: &Bound<'_, Simulation>) -> PyResult<Py<Table>> {
        Simulation::table(slf, 0)
    }

    #[getter]
    fn events(slf: &Bound<'_, Simulation>) -> PyResult<Py<Table>> {
        Simulation::table(slf, 1)
    }

    #[getter]
    fn ledger(slf: &Bound<'_, Simulation>) -> PyResult<Py<Table>> {
        Simulation::table(slf, 2)
    }

    #[getter]
    fn checkpoints<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let taken = self
            .done
            .checkpoints
            .iter()
            .map(|file| Checkpoint::of(self.done.setup.clone(), file, self.done.run.clone()));
        PyTuple::new(py, taken.collect::<Vec<_>>())
    }

    fn __str__(&self) -> String {
        replayed_text(&self.done.setup.scene, &self.done.run, self.failure())
    }

    fn __repr__(&self) -> String {
        let (title, frames, events) =
            (&self.done.setup.scene.title, self.done.run.frames.len(), self.done.run.events.len());
        format!("<carom.Simulation '{title}': {}, {frames} frames, {events} events>", self.status())
    }

    /// Motion and energy as SVG.
    ///
    /// Returns
    /// -------
    /// str
    fn svg(&self) -> String {
        let (scene, run) = (&self.done.setup.scene, &self.done.run);
        stack(&strobe(scene, run), &energy_sheet(scene, run).svg())
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Simulation>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("carom._show")?.call_method1("simulation", (slf,))
    }

    /// Draw it with matplotlib, which must be installed.
    ///
    /// Parameters
    /// ----------
    /// kind : {'motion', 'energy', 'gaps'}
    ///     The bodies at equal intervals with their ways, the ledger of the energy, or the gaps between bodies that met.
    /// ax : matplotlib.axes.Axes, optional
    ///     Where to draw; the current axes of ``matplotlib.pyplot`` by default.
    ///
    /// Returns
    /// -------
    /// matplotlib.axes.Axes
    #[pyo3(signature = (kind="motion", ax=None))]
    fn plot<'py>(&self, py: Python<'py>, kind: &str, ax: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let (scene, run) = (&self.done.setup.scene, &self.done.run);
        if kind == "motion" {
            let shown = py.detach(|| ShownMotion::of(scene, run));
            let shown = motion(py, &scene.title, scene.scene.is_planar(), &scene.body_names, &shown)?;
            return drawn(py, "motion", shown, ax);
        }
        let sheet = match kind {
            "energy" => energy_sheet(scene, run),
            "gaps" => py.detach(|| gap_sheet(scene, run)).ok_or_else(|| {
                InputError::new_err("there are no gaps to draw: nothing met, or nothing that met has a gap")
            })?,
            other => return Err(InputError::new_err(format!("kind is \"{other}\"; expected motion, energy or gaps"))),
        };
        let first = sheet.charts.first().ok_or_else(|| InputError::new_err("there is nothing to draw"))?;
        drawn(py, kind, chart(py, &scene.title, first)?, ax)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<u8>,))> {
        let bytes = py.detach(|| self.pack())?;
        Ok((py.import("carom._carom")?.getattr("_restored_simulation")?, (bytes,)))
    }
}

impl Simulation {
    /// The kind of its parcels.
    const KIND: &str = "simulation";

    pub(crate) fn new(setup: Arc<Setup>, followed: Followed) -> Simulation {
        let failure = followed.run.failure.as_ref().map(|failure| in_python(&failure_text(&setup.scene, failure)));
        let run = Arc::new(followed.run);
        Simulation::of(Arc::new(Done { setup, run, failure, checkpoints: followed.checkpoints }))
    }

    pub(super) fn of(done: Arc<Done>) -> Simulation {
        Simulation { done, tables: [const { PyOnceLock::new() }; 3] }
    }

    /// One of its tables, made once.
    fn table(slf: &Bound<'_, Simulation>, place: usize) -> PyResult<Py<Table>> {
        let (py, simulation) = (slf.py(), slf.get());
        let (scene, run) = (&simulation.done.setup.scene, &simulation.done.run);
        let make = || {
            let (name, table) = py.detach(|| match place {
                0 => ("trajectory", trajectory_table(scene, run)),
                1 => ("events", events_table(scene, run)),
                _ => ("ledger", ledger_table(scene, run)),
            });
            Py::new(py, Table::new(name, simulation.done.clone(), &table)?)
        };
        Ok(simulation.tables[place].get_or_try_init(py, make)?.clone_ref(py))
    }

    fn pack(&self) -> PyResult<Vec<u8>> {
        let (setup, mut pieces) = self.done.setup.pieces()?;
        let run = &self.done.run;
        let about = json!({
            "setup": setup,
            "failure": self.done.failure,
            // As bits: they may be infinite.
            "worst": [run.worst_residual.to_bits(), run.worst_overlap.to_bits()],
            "overlap": run.overlap,
        });
        pieces.push(record(run, run.frames.len(), run.events.len()));
        pieces.extend(self.done.checkpoints.iter().map(|file| file.json().into_bytes()));
        Ok(Parcel { about, pieces }.pack(Simulation::KIND))
    }
}

/// A run, why it failed, and its checkpoints.
fn read(about: &Value, pieces: &[Vec<u8>]) -> Option<(Run, Option<String>, Vec<CheckpointFile>)> {
    let (record, checkpoints) = pieces.split_first()?;
    let failure: Option<String> = serde_json::from_value(about["failure"].clone()).ok()?;
    let worst: [u64; 2] = serde_json::from_value(about["worst"].clone()).ok()?;
    let [worst_residual, worst_overlap] = worst.map(f64::from_bits);
    let run = recorded(record)?;
    // Only the words of a failure are stored; the run knows that there was one.
    let time = run.frames.last().map_or(0.0, |frame| frame.time);
    let run = Run {
        worst_residual,
        worst_overlap,
        overlap: serde_json::from_value(about["overlap"].clone()).ok()?,
        failure: failure.as_ref().map(|_| Failure::Motion { time }),
        ..run
    };
    let checkpoints = checkpoints.iter().map(|bytes| CheckpointFile::parse(std::str::from_utf8(bytes).ok()?).ok());
    Some((run, failure, checkpoints.collect::<Option<_>>()?))
}
