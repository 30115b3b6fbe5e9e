//! `[simulation]`.

use crate::scenario::fault::Fault;
use crate::scenario::numbers::Numbers;
use crate::scenario::table::TableReader;
use nalgebra::Vector3;

/// How long a scene moves and how that is computed. What is not given is the engine's to choose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulationSettings {
    /// s, from time 0.
    pub duration: f64,
    /// Which engine computes it.
    pub engine: Engine,
    /// Time between stored states, s.
    pub interval: Option<f64>,
    /// Relative error of smooth motion.
    pub tolerance: Option<f64>,
    /// The step of the stepping engine, s.
    pub step: Option<f64>,
    /// Threads that share the work of steps; the motion does not depend on them. No key of a file: machines differ.
    pub threads: usize,
}

impl SimulationSettings {
    /// So long by the engine of events, with what it chooses itself.
    pub fn lasting(duration: f64) -> SimulationSettings {
        let engine = Engine::Event;
        SimulationSettings { duration, engine, interval: None, tolerance: None, step: None, threads: 1 }
    }
}

/// An engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Every impact is located in time.
    #[default]
    Event,
    /// Time goes on in equal steps.
    Stepping,
}

impl Engine {
    /// As files call it.
    pub fn word(self) -> &'static str {
        crate::scenario::schema::ENGINES[usize::from(self == Engine::Stepping)]
    }

    /// The engine that files call so.
    pub fn of_word(word: &str) -> Option<Engine> {
        [Engine::Event, Engine::Stepping].into_iter().find(|engine| engine.word() == word)
    }
}

pub(super) fn read_settings(file: &TableReader<'_>) -> Result<SimulationSettings, Fault> {
    let Some(table) = file.table("simulation") else {
        return Err(Fault::of_the_file("the file has no `[simulation]`")
            .help("expected `[simulation]` with a `duration`, and with `gravity` where bodies fall"));
    };
    let number = |key: &str| table.numbers(key).map(Numbers::first);
    let duration = table.require("duration")?.first();
    for key in ["interval", "step"] {
        // The smallest value also depends on the command line.
        if let Some(time) = number(key)
            && time > duration
        {
            return Err(Fault::at(table.span_of(key), format!("`{key}` is {time}"))
                .label(format!("expected at most {duration}"))
                .context(table.span_of("duration"), "the duration"));
        }
    }
    let engine = if table.word("engine") == Some(1) { Engine::Stepping } else { Engine::Event };
    Ok(SimulationSettings {
        duration,
        engine,
        interval: number("interval"),
        tolerance: number("tolerance"),
        step: number("step"),
        threads: 1,
    })
}

pub(super) fn read_gravity(file: &TableReader<'_>) -> Vector3<f64> {
    let gravity = file.table("simulation").and_then(|table| table.numbers("gravity"));
    gravity.map_or_else(Vector3::zeros, Numbers::vector)
}
