//! Frames and events as lines of JSON: what a run that was interrupted goes on with, and what a replay reads.

use super::run::{Frame, Run};
use carom::sim::{Event, EventKind};
use serde::Deserialize;
use serde_json::json;

/// The layout of records and checkpoints; files of another are refused.
pub const FORMAT: u64 = 2;

/// A line of a record that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its number, from 1.
    pub line: usize,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} is neither a frame nor an event", self.line)
    }
}

impl std::error::Error for Unreadable {}

/// A line of a record.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line {
    Frame(Frame),
    Event(Event),
}

/// A frame as a line.
pub fn frame_line(frame: &Frame) -> String {
    json!({ "frame": frame }).to_string() + "\n"
}

/// An event as a line.
pub fn event_line(event: &Event) -> String {
    json!({ "event": event }).to_string() + "\n"
}

/// As files call it.
pub(crate) fn kind_word(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Impact => "impact",
        EventKind::Accumulation { .. } => "accumulation",
        EventKind::LiftOff => "lift-off",
        EventKind::SlipStart => "slip-start",
        EventKind::StickStart => "stick-start",
        EventKind::FeatureChange => "feature-change",
        EventKind::Jam => "jam",
        _ => "other",
    }
}

/// The run of these lines.
pub fn read_record(text: &str) -> Result<Run, Unreadable> {
    let mut run = Run::default();
    for (k, line) in text.lines().enumerate() {
        match serde_json::from_str(line).map_err(|_| Unreadable { line: k + 1 })? {
            Line::Frame(frame) => run.frames.push(frame),
            Line::Event(event) => run.events.push(event),
        }
    }
    let residuals = run.frames.iter().map(|frame| frame.ledger.residual());
    run.worst_residual = residuals.fold(0.0, |worst: f64, next| if next.abs() > worst.abs() { next } else { worst });
    Ok(run)
}
