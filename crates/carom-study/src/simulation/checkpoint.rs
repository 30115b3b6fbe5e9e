//! A checkpoint as a file.

use super::engine::law_label;
use super::record::FORMAT;
use super::run::Runner;
use crate::scenario::SimulationScenario;
use carom::sim::{Checkpoint, Overlap};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// What a run needs to go on: the engine's numbers, and how much of the record belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Number of the next frame.
    pub next_frame: usize,
    /// The part of the record that belongs to it.
    pub record: RecordPart,
    /// The worst energy residual before it, J.
    #[serde(with = "super::json")]
    pub worst_residual: f64,
    /// The deepest overlap before it, m.
    #[serde(with = "super::json")]
    pub worst_overlap: f64,
    /// The overlap before it that is the deepest compared with its bound.
    pub overlap: Option<Overlap>,
    /// Of the engine.
    pub checkpoint: Checkpoint,
}

/// The part of a record that a checkpoint counts on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordPart {
    /// Its length from the start.
    pub bytes: u64,
    /// Its [`fingerprint`].
    pub hash: String,
}

/// SHA-256 of a file, in hexadecimal digits.
pub fn fingerprint(bytes: &[u8]) -> String {
    let mut growing = GrowingFingerprint::default();
    growing.add(bytes);
    growing.digits()
}

/// The [`fingerprint`] of a file that grows.
#[derive(Clone, Debug, Default)]
pub struct GrowingFingerprint(Sha256);

impl GrowingFingerprint {
    /// Adds bytes at the end.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The fingerprint of all so far.
    pub fn digits(&self) -> String {
        let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
        self.0.clone().finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }
}

/// The key of a checkpoint's own fingerprint, taken while its value is empty.
const CHECKSUM: &str = "checksum";

impl CheckpointFile {
    /// The checkpoint that a runner just took.
    pub fn new(
        scenario: &SimulationScenario,
        hash: &str,
        runner: &Runner,
        record: RecordPart,
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
            next_frame: runner.next_frame,
            record,
            worst_residual: runner.run.worst_residual,
            worst_overlap: runner.run.worst_overlap,
            overlap: runner.run.overlap,
            checkpoint,
        }
    }

    /// As JSON; every number comes back bit by bit.
    pub fn json(&self) -> String {
        let mut value = json!({ "version": env!("CARGO_PKG_VERSION"), "format": FORMAT, CHECKSUM: "" });
        if let (Value::Object(keys), Value::Object(own)) = (&mut value, json!(self)) {
            keys.extend(own);
        }
        let text = format!("{value:#}\n");
        let sum = fingerprint(text.as_bytes());
        text.replacen(&format!("\"{CHECKSUM}\": \"\""), &format!("\"{CHECKSUM}\": \"{sum}\""), 1)
    }

    /// Whether text is a checkpoint, of whatever version.
    pub fn is_one(text: &str) -> bool {
        let value: Option<Value> = serde_json::from_str(text).ok();
        value.is_some_and(|value| value["scenario"].is_string() && value["next_frame"].is_u64())
    }

    /// From JSON, if it is as it was written.
    pub fn parse(text: &str) -> Result<CheckpointFile, NoCheckpoint> {
        let value: Value = serde_json::from_str(text).map_err(|_| NoCheckpoint::Other)?;
        let version = value["version"].as_str().ok_or(NoCheckpoint::Other)?;
        if version != env!("CARGO_PKG_VERSION") || value["format"] != FORMAT {
            return Err(NoCheckpoint::Version);
        }
        let checksum = value[CHECKSUM].as_str().ok_or(NoCheckpoint::Altered)?;
        if fingerprint(text.replacen(checksum, "", 1).as_bytes()) != checksum {
            return Err(NoCheckpoint::Altered);
        }
        let file = CheckpointFile::deserialize(value).map_err(|_| NoCheckpoint::Other)?;
        if file.interval > 0.0 && file.every > 0.0 { Ok(file) } else { Err(NoCheckpoint::Other) }
    }
}

/// Why text is no checkpoint to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCheckpoint {
    /// It is something else, or broken.
    Other,
    /// Another version of carom wrote it, or this one in another layout.
    Version,
    /// It does not fit its checksum.
    Altered,
}

impl std::fmt::Display for NoCheckpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            NoCheckpoint::Other => "it is no checkpoint of carom",
            NoCheckpoint::Version => {
                "another version of carom wrote it; resume with that version, or remove the file to start the run again"
            }
            NoCheckpoint::Altered => {
                "its checksum is wrong: it was altered or damaged after it was written; remove the file to start the run again"
            }
        })
    }
}

impl std::error::Error for NoCheckpoint {}
