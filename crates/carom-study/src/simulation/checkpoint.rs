//! A checkpoint as a file.

use super::engine::law_label;
use super::json::{as_count, as_number, as_numbers, as_state, number, numbers, state};
use super::run::Runner;
use crate::scenario::SimulationScenario;
use carom::sim::Checkpoint;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a run needs to go on: the engine's numbers, and how much of the record belongs to it.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckpointFile {
    /// Of the scenario's file, as [`fingerprint`] gives it.
    pub scenario: String,
    /// The law, as [`law_label`](super::law_label) gives it.
    pub law: String,
    /// The engine's word.
    pub engine: String,
    /// Time between frames, s.
    pub interval: f64,
    /// Simulated time between checkpoints, s.
    pub every: f64,
    /// Its number, from 1.
    pub number: usize,
    /// Frames before it.
    pub frames: usize,
    /// Events before it.
    pub events: usize,
    /// Bytes of the record that hold them.
    pub bytes: u64,
    /// The worst energy residual before it, J.
    pub worst_residual: f64,
    /// The deepest overlap before it, m.
    pub worst_overlap: f64,
    /// Of the engine.
    pub checkpoint: Checkpoint,
}

/// SHA-256 of a file, in hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    Sha256::digest(bytes).iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

impl CheckpointFile {
    /// The checkpoint that a runner just took.
    pub fn new(
        scenario: &SimulationScenario,
        hash: &str,
        runner: &Runner,
        bytes: u64,
        checkpoint: Checkpoint,
    ) -> CheckpointFile {
        CheckpointFile {
            scenario: hash.to_owned(),
            law: law_label(scenario),
            engine: scenario.settings.engine.word().to_owned(),
            interval: runner.interval,
            every: runner.checkpoint_every.unwrap_or(runner.duration),
            number: runner.checkpoints,
            frames: runner.run.frames.len(),
            events: runner.run.events.len(),
            bytes,
            worst_residual: runner.run.worst_residual,
            worst_overlap: runner.run.worst_overlap,
            checkpoint,
        }
    }

    /// As JSON; every number comes back bit by bit.
    pub fn json(&self) -> String {
        let Checkpoint { time, states, energies, memory } = &self.checkpoint;
        let states: Value = states.iter().map(state).collect();
        let value = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "scenario": self.scenario, "law": self.law, "engine": self.engine,
            "interval": number(self.interval), "every": number(self.every), "number": self.number,
            "frames": self.frames, "events": self.events, "bytes": self.bytes,
            "worst_residual": number(self.worst_residual), "worst_overlap": number(self.worst_overlap),
            "time": number(*time), "states": states, "energies": numbers(*energies),
            "memory": numbers(memory.iter().copied()),
        });
        format!("{value:#}\n")
    }

    /// Whether text is a checkpoint, of whatever version.
    pub fn is_one(text: &str) -> bool {
        let value: Option<Value> = serde_json::from_str(text).ok();
        value.is_some_and(|value| value["scenario"].is_string() && value["memory"].is_array())
    }

    /// From JSON; nothing if it is no checkpoint of this version.
    pub fn parse(text: &str) -> Option<CheckpointFile> {
        let value: Value = serde_json::from_str(text).ok()?;
        if value["version"].as_str()? != env!("CARGO_PKG_VERSION") {
            return None;
        }
        let word = |key: &str| value[key].as_str().map(str::to_owned);
        let count = |key: &str| as_count(&value[key]);
        let number = |key: &str| as_number(&value[key]);
        Some(CheckpointFile {
            scenario: word("scenario")?,
            law: word("law")?,
            engine: word("engine")?,
            interval: number("interval").filter(|interval| *interval > 0.0)?,
            every: number("every").filter(|every| *every > 0.0)?,
            number: count("number")?,
            frames: count("frames")?,
            events: count("events")?,
            bytes: value["bytes"].as_u64()?,
            worst_residual: number("worst_residual")?,
            worst_overlap: number("worst_overlap")?,
            checkpoint: Checkpoint {
                time: number("time")?,
                states: value["states"].as_array()?.iter().map(as_state).collect::<Option<_>>()?,
                energies: as_numbers(&value["energies"])?,
                memory: value["memory"].as_array()?.iter().map(as_number).collect::<Option<_>>()?,
            },
        })
    }
}
