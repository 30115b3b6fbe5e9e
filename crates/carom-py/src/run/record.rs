//! Runs as lines of text, to the last bit.

use carom_study::simulation::{Run, event_line, frame_line, read_record};

/// The first frames and events of a run as lines.
pub(super) fn record(run: &Run, frames: usize, events: usize) -> Vec<u8> {
    let frames = run.frames.iter().take(frames).map(frame_line);
    frames.chain(run.events.iter().take(events).map(event_line)).collect::<String>().into_bytes()
}

/// The run of lines.
pub(super) fn recorded(lines: &[u8]) -> Option<Run> {
    read_record(std::str::from_utf8(lines).ok()?).ok()
}
