//! Sweeps: a scenario with other values from row to row, its results in Parquet shards.
//!
//! A [`Plan`] names the scenario, the values that change, and the outputs. A [`Sweep`] computes its rows shard by shard. The contents of a shard
//! depend on the plan alone, so that shards can be computed anywhere and in any order: a shard is done when its file is there.

mod axes;
mod cells;
mod claim;
mod figure;
mod folder;
mod form;
mod general;
mod kernel;
mod layout;
mod method;
mod output;
mod plan;
mod read;
mod run;
mod sample;
mod shard;
mod value;
mod variable;

pub use cells::{Count, Tally};
pub use figure::{Figures, Spec, TableFormat, Undrawn};
pub use folder::{FolderError, Status, file_name, merge};
pub use plan::{Command, Plan};
pub use run::{Done, Part, Progress, Stopped, Sweep};
