//! Scenes through time: the run itself, its tables, its summary, its checkpoints, and its events resolved again.

mod checkpoint;
mod engine;
mod extent;
mod failure;
mod json;
mod mode;
mod names;
mod overlap;
mod quick;
mod record;
mod replay;
mod report;
mod run;
mod summary;
mod tables;
mod track;

pub use checkpoint::{CheckpointFile, GrowingFingerprint, NoCheckpoint, RecordPart, fingerprint};
pub(crate) use engine::touching_distance;
pub use engine::{CannotStart, Effort, SteppingTrial, applied_law, is_default_law, law_label, remarks};
pub use failure::failure_text;
pub use names::{against, contact_name};
pub use overlap::overlap_text;
pub(crate) use quick::Quick;
pub(crate) use record::kind_word;
pub use record::{FORMAT, Unreadable, event_line, frame_line, read_record};
pub use replay::{event_impact, event_text, law_of};
pub(crate) use report::result_json;
pub use report::{replayed_text, simulation_csv, simulation_json, simulation_text};
pub use run::{Created, Frame, Run, Runner, Status, Step};
pub use summary::{Identity, summary};
pub use tables::{events_table, joints_table, ledger_table, trajectory_table};
pub use track::Track;
