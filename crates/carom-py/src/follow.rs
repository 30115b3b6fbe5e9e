//! A scene followed through time: looks for an interrupt, progress and checkpoints on the way.

use crate::errors::InputError;
use crate::setup::Setup;
use crate::watch;
use carom::sim::Checkpoint;
use carom_study::simulation::{CheckpointFile, RecordPart, Run, Runner, Step};
use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Time between two looks.
const SLICE: Duration = Duration::from_millis(50);

/// Where a runner stands after a slice of time.
enum Stop {
    /// In the middle.
    Time,
    /// At a checkpoint.
    Checkpoint(Box<Checkpoint>),
    /// At the end.
    End,
}

/// The results of a run.
pub(crate) struct Followed {
    pub(crate) run: Run,
    pub(crate) checkpoints: Vec<CheckpointFile>,
}

/// Refuses a time between checkpoints that is none.
pub(crate) fn interval(every: Option<f64>) -> PyResult<Option<f64>> {
    match every {
        Some(every) if !(every.is_finite() && every > 0.0) => {
            Err(InputError::new_err(format!("checkpoint_every is {every}; expected a number of seconds above 0")))
        }
        every => Ok(every),
    }
}

/// Runs to the end, or until Python is interrupted. `reached` is called with each checkpoint and the run before it.
pub(crate) fn follow(
    py: Python<'_>,
    setup: &Setup,
    mut runner: Runner,
    progress: bool,
    mut reached: impl FnMut(&CheckpointFile, &Run) -> PyResult<()>,
) -> PyResult<Followed> {
    let bar = progress.then(|| py.import("carom._progress")?.call_method1("bar", (runner.duration,))).transpose()?;
    let hash = setup.source.hash();
    let mut checkpoints = Vec::new();
    let mut steps = || -> PyResult<()> {
        loop {
            let stop = py.detach(|| advance(&mut runner));
            // The exception of a law of one's own is raised at the end of the call.
            if watch::has_raised() {
                return Ok(());
            }
            // Python may be interrupted here.
            py.check_signals()?;
            if let Some(bar) = &bar {
                bar.call_method1("update", (runner.time(), runner.run.events.len()))?;
            }
            match stop {
                Stop::Time => {}
                Stop::End => return Ok(()),
                Stop::Checkpoint(taken) => {
                    // The record is stored beside it, or not at all.
                    let record = RecordPart { bytes: 0, hash: String::new() };
                    let file = CheckpointFile::new(&setup.scene, &hash, &runner, record, *taken);
                    reached(&file, &runner.run)?;
                    checkpoints.push(file);
                }
            }
        }
    };
    let done = steps();
    if let Some(bar) = &bar {
        bar.call_method0("close")?;
    }
    done?;
    Ok(Followed { run: runner.run, checkpoints })
}

fn advance(runner: &mut Runner) -> Stop {
    let end = Instant::now() + SLICE;
    loop {
        match runner.step() {
            Step::Done => return Stop::End,
            Step::Checkpoint(taken) => return Stop::Checkpoint(taken),
            Step::Frame | Step::Event | Step::Paused if Instant::now() >= end => return Stop::Time,
            Step::Frame | Step::Event | Step::Paused => {}
        }
    }
}
