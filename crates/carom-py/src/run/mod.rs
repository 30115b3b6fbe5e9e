//! Scenes that were followed through time, and instants from which they can go on.

mod checkpoint;
mod record;
mod simulation;
mod table;

pub(crate) use checkpoint::Checkpoint;
pub(crate) use simulation::{Simulation, restored_simulation};
pub(crate) use table::Table;
