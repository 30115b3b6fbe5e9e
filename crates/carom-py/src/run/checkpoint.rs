//! Instants from which a simulation can go on.

use super::record::{record, recorded};
use super::simulation::Simulation;
use crate::errors::InputError;
use crate::follow::follow;
use crate::parameters;
use crate::parcel::{Parcel, damaged};
use crate::setup::{Setup, in_python};
use crate::watch;
use carom_study::simulation::{CheckpointFile, Run, Runner};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;

/// An instant of a simulation from which it can go on to the same bits.
///
/// It holds the scene and all that was computed before it. It can be pickled; ``bytes()`` gives it for a file, and :meth:`from_bytes` reads
/// these.
///
/// Attributes
/// ----------
/// time : float
///     The simulated time, s.
/// number : int
///     Which one of its simulation it is, from 1.
///
/// Examples
/// --------
/// >>> import carom
/// >>> ball = carom.load("scenarios/bouncing-ball.toml")
/// >>> run = ball.simulate(duration=1.0, checkpoint_every=0.4)
/// >>> run.checkpoints
/// (<carom.Checkpoint 1 of 'Bouncing ball' at 0.4 s>, <carom.Checkpoint 2 of 'Bouncing ball' at 0.8 s>)
/// >>> again = carom.Checkpoint.from_bytes(bytes(run.checkpoints[0])).resume()
/// >>> bool((again.trajectory["y"] == run.trajectory["y"]).all())
/// True
#[pyclass(module = "carom", frozen)]
pub(crate) struct Checkpoint {
    setup: Arc<Setup>,
    file: CheckpointFile,
    /// The run before it, and perhaps after it.
    run: Arc<Run>,
}

#[pymethods]
impl Checkpoint {
    #[getter]
    fn time(&self) -> f64 {
        self.file.checkpoint.time
    }

    #[getter]
    fn number(&self) -> usize {
        self.file.number
    }

    /// Go on with the simulation.
    ///
    /// Parameters
    /// ----------
    /// duration : float, optional
    ///     Until when, s from the start of the simulation; as long as it was to last by default.
    /// threads : int
    ///     Threads that share the steps of large piles; 0 for as many as there are cores. The motion does not depend on it.
    /// progress : bool
    ///     Whether to show a bar on a terminal or in a notebook.
    /// on_checkpoint : callable, optional
    ///     It is called with each further checkpoint; they come at the same times.
    ///
    /// Returns
    /// -------
    /// Simulation
    ///     From its start on, with the checkpoints after this one.
    #[pyo3(signature = (duration=None, *, threads=0, progress=false, on_checkpoint=None))]
    fn resume(
        &self,
        py: Python<'_>,
        duration: Option<f64>,
        threads: i64,
        progress: bool,
        on_checkpoint: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Simulation> {
        let mut setup = Setup::clone(&self.setup);
        setup.last(duration)?;
        if setup.scene.settings.duration < self.time() {
            return Err(InputError::new_err(format!(
                "duration is {}; expected at least {}, the time of the checkpoint",
                setup.scene.settings.duration,
                self.time()
            )));
        }
        setup.scene.settings.threads = parameters::cores(threads)?;
        let setup = Arc::new(setup);
        let runner = py.detach(|| Runner::resume(&setup.scene, &self.file, self.before()));
        let runner = runner.map_err(|error| InputError::new_err(in_python(&error.to_string())))?;
        let followed = watch::call(|| {
            follow(py, &setup, runner, progress, |file, run| match on_checkpoint {
                Some(told) => told.call1((Checkpoint::on_the_way(setup.clone(), file, run),)).map(|_| ()),
                None => Ok(()),
            })
        })?;
        Ok(Simulation::new(setup, followed))
    }

    /// The checkpoint of ``bytes(checkpoint)``.
    ///
    /// Parameters
    /// ----------
    /// data : bytes
    ///     As they were stored, by this version of carom.
    ///
    /// Returns
    /// -------
    /// Checkpoint
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Checkpoint> {
        py.detach(|| {
            let mut parcel = Parcel::unpack(Checkpoint::KIND, data)?;
            let about = parcel.about.clone();
            let setup = Setup::of_pieces(&about, &mut parcel)?;
            let [file, lines] = &parcel.pieces[..] else { return Err(damaged(Checkpoint::KIND)) };
            let text = std::str::from_utf8(file).map_err(|_| damaged(Checkpoint::KIND))?;
            let file = CheckpointFile::parse(text).map_err(|why| InputError::new_err(why.to_string()))?;
            if file.scenario != setup.source.hash() {
                return Err(damaged(Checkpoint::KIND));
            }
            let run = recorded(lines).ok_or_else(|| damaged(Checkpoint::KIND))?;
            if (run.frames.len(), run.events.len()) != (file.frames, file.events) {
                return Err(damaged(Checkpoint::KIND));
            }
            Ok(Checkpoint { setup: Arc::new(setup), file, run: Arc::new(run) })
        })
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &py.detach(|| self.pack())?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let from_bytes = py.get_type::<Checkpoint>().getattr("from_bytes")?;
        Ok((from_bytes, (self.__bytes__(py)?,)))
    }

    fn __repr__(&self) -> String {
        format!("<carom.Checkpoint {} of '{}' at {} s>", self.file.number, self.setup.scene.title, self.time())
    }
}

impl Checkpoint {
    /// The kind of its parcels.
    const KIND: &str = "checkpoint";

    /// Of a run that went on.
    pub(crate) fn of(setup: Arc<Setup>, file: &CheckpointFile, run: Arc<Run>) -> Checkpoint {
        Checkpoint { setup, file: file.clone(), run }
    }

    /// Of a run that has come so far.
    pub(crate) fn on_the_way(setup: Arc<Setup>, file: &CheckpointFile, run: &Run) -> Checkpoint {
        Checkpoint { setup, file: file.clone(), run: Arc::new(run.clone()) }
    }

    /// The run before it.
    fn before(&self) -> Run {
        let (frames, events) = (&self.run.frames, &self.run.events);
        Run {
            frames: frames[..self.file.frames.min(frames.len())].to_vec(),
            events: events[..self.file.events.min(events.len())].to_vec(),
            ..Run::default()
        }
    }

    fn pack(&self) -> PyResult<Vec<u8>> {
        let (about, mut pieces) = self.setup.pieces()?;
        pieces.push(self.file.json().into_bytes());
        pieces.push(record(&self.run, self.file.frames, self.file.events));
        Ok(Parcel { about, pieces }.pack(Checkpoint::KIND))
    }
}
