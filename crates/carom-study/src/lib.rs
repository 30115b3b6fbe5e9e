//! What people do with carom: scenario files, comparison, plots, tables.

pub mod ambiguity;
mod columns;
pub mod fit;
mod plane;
pub mod plot;
pub mod prediction;
pub mod prefix;
pub mod quantities;
pub mod reach;
pub mod reduce;
pub mod report;
pub mod scenario;
pub mod simulation;
pub mod sweep;
pub mod table;
pub mod terminal;
pub mod tool;
pub mod typical;
mod unused;

pub use columns::ColumnValues;
pub use unused::unused_parameter;
