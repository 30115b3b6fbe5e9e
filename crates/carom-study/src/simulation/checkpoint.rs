//! A checkpoint as a file.

use super::engine::law_label;
use super::json::{as_count, as_number, as_numbers, as_state, as_vector, number, numbers, state, vector};
use super::overlap::{overlap, read_overlap};
use super::run::Runner;
use crate::scenario::SimulationScenario;
use carom::sim::{
    BallPair, Checkpoint, ContactImpulse, EngineState, EventState, FloorImpulse, ImpactSeries, Overlap, SteppingState,
};
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
    /// Number of the next frame.
    pub next_frame: usize,
    /// The part of the record that belongs to it.
    pub record: RecordPart,
    /// The worst energy residual before it, J.
    pub worst_residual: f64,
    /// The deepest overlap before it, m.
    pub worst_overlap: f64,
    /// The overlap before it that is the deepest compared with its bound.
    pub overlap: Option<Overlap>,
    /// Of the engine.
    pub checkpoint: Checkpoint,
}

/// The part of a record that a checkpoint counts on.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        let Checkpoint { time, states, turned, energies, engine } = &self.checkpoint;
        let states: Value = states.iter().map(state).collect();
        let value = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "scenario": self.scenario, "law": self.law, "engine": self.engine,
            "interval": number(self.interval), "every": number(self.every), "number": self.number,
            "frames": self.frames, "next_frame": self.next_frame, "events": self.events,
            "bytes": self.record.bytes, "record_sha256": self.record.hash, CHECKSUM: "",
            "overlap": self.overlap.as_ref().map(overlap),
            "worst_residual": number(self.worst_residual), "worst_overlap": number(self.worst_overlap),
            "time": number(*time), "states": states, "energies": numbers(*energies),
            "turned": numbers(turned.iter().copied()), "engine_state": engine_state(engine),
        });
        let text = format!("{value:#}\n");
        let sum = fingerprint(text.as_bytes());
        text.replacen(&format!("\"{CHECKSUM}\": \"\""), &format!("\"{CHECKSUM}\": \"{sum}\""), 1)
    }

    /// Whether text is a checkpoint, of whatever version.
    pub fn is_one(text: &str) -> bool {
        let value: Option<Value> = serde_json::from_str(text).ok();
        value.is_some_and(|value| value["scenario"].is_string() && value["energies"].is_array())
    }

    /// From JSON, if it is as it was written.
    pub fn parse(text: &str) -> Result<CheckpointFile, NoCheckpoint> {
        let value: Value = serde_json::from_str(text).map_err(|_| NoCheckpoint::Other)?;
        if value["version"].as_str().ok_or(NoCheckpoint::Other)? != env!("CARGO_PKG_VERSION") {
            return Err(NoCheckpoint::Version);
        }
        let checksum = value[CHECKSUM].as_str().ok_or(NoCheckpoint::Unchecked)?;
        if fingerprint(text.replacen(checksum, "", 1).as_bytes()) != checksum {
            return Err(NoCheckpoint::Altered);
        }
        if value["engine_state"].is_null() {
            // Earlier builds of this version kept the state of the engine as a list of numbers.
            return Err(NoCheckpoint::Version);
        }
        CheckpointFile::read(&value).ok_or(NoCheckpoint::Other)
    }

    fn read(value: &Value) -> Option<CheckpointFile> {
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
            next_frame: count("next_frame")?,
            events: count("events")?,
            record: RecordPart { bytes: value["bytes"].as_u64()?, hash: word("record_sha256")? },
            worst_residual: number("worst_residual")?,
            worst_overlap: number("worst_overlap")?,
            overlap: read_overlap(&value["overlap"]),
            checkpoint: Checkpoint {
                time: number("time")?,
                states: list(&value["states"], as_state)?,
                energies: as_numbers(&value["energies"])?,
                turned: list(&value["turned"], as_number)?,
                engine: read_engine_state(&value["engine_state"])?,
            },
        })
    }
}

fn engine_state(state: &EngineState) -> Value {
    match state {
        EngineState::Event(EventState { size, speed, step, series }) => {
            let series: Value =
                series.iter().map(|series| numbers([series.times[0], series.times[1], series.crowd])).collect();
            json!({"event": {"scales": numbers([*size, *speed, *step]), "series": series}})
        }
        EngineState::Stepping(state) => {
            let balls = state.balls.iter().map(|pair| json!([pair.bodies, numbers(pair.impulse)]));
            let floors = state.floors.iter().map(|floor| json!([floor.place, numbers(floor.impulse)]));
            let contacts = state.contacts.iter().map(|contact| json!([contact.key, vector(&contact.impulse)]));
            let joints = state.joints.iter().map(|joint| numbers(*joint));
            json!({"stepping": {
                "skin": number(state.skin), "travel": number(state.travel), "is_valid": state.is_valid,
                "fastest": number(state.fastest), "balls": balls.collect::<Value>(), "others": state.others,
                "floors": floors.collect::<Value>(), "contacts": contacts.collect::<Value>(),
                "stops": numbers(state.stops.iter().copied()), "joints": joints.collect::<Value>(),
            }})
        }
    }
}

fn read_engine_state(value: &Value) -> Option<EngineState> {
    if let Some(event) = value.get("event") {
        let [size, speed, step] = as_numbers(&event["scales"])?;
        let series = |value: &Value| {
            let [before, last, crowd] = as_numbers(value)?;
            Some(ImpactSeries { times: [before, last], crowd })
        };
        return Some(EngineState::Event(EventState { size, speed, step, series: list(&event["series"], series)? }));
    }
    let stepping = value.get("stepping")?;
    let number = |key: &str| as_number(&stepping[key]);
    let ball = |value: &Value| Some(BallPair { bodies: places(&value[0])?, impulse: as_numbers(&value[1])? });
    let floor = |value: &Value| Some(FloorImpulse { place: as_count(&value[0])?, impulse: as_numbers(&value[1])? });
    let contact = |value: &Value| Some(ContactImpulse { key: places(&value[0])?, impulse: as_vector(&value[1])? });
    Some(EngineState::Stepping(SteppingState {
        skin: number("skin")?,
        travel: number("travel")?,
        is_valid: stepping["is_valid"].as_bool()?,
        fastest: number("fastest")?,
        balls: list(&stepping["balls"], ball)?,
        others: list(&stepping["others"], places)?,
        floors: list(&stepping["floors"], floor)?,
        contacts: list(&stepping["contacts"], contact)?,
        stops: list(&stepping["stops"], as_number)?,
        joints: list(&stepping["joints"], as_numbers)?,
    }))
}

/// Every entry of a list.
fn list<T>(value: &Value, each: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(each).collect()
}

/// Places in lists.
fn places<const N: usize>(value: &Value) -> Option<[u32; N]> {
    let list = value.as_array().filter(|list| list.len() == N)?;
    let mut places = [0; N];
    for (place, value) in places.iter_mut().zip(list) {
        *place = value.as_u64().and_then(|place| u32::try_from(place).ok())?;
    }
    Some(places)
}

/// Why text is no checkpoint to go on from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoCheckpoint {
    /// It is something else, or broken.
    Other,
    /// Another version of carom wrote it.
    Version,
    /// It has no checksum, as older versions wrote it.
    Unchecked,
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
            NoCheckpoint::Unchecked => {
                "it has no checksum, for an older carom wrote it; resume with that one, or remove the file to start the run again"
            }
            NoCheckpoint::Altered => {
                "its checksum is wrong: it was altered or damaged after it was written; remove the file to start the run again"
            }
        })
    }
}

impl std::error::Error for NoCheckpoint {}
