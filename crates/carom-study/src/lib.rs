//! What people do with carom: scenario files, comparison, plots, tables.

pub mod scenario;
pub mod plot;
