//! Text for people at a terminal: lines of 80 columns, tables, numbers.

pub(crate) mod lines;
pub(crate) mod number;
pub(crate) mod table;

pub use lines::{WIDTH, broken, fit_lines, wrapped};
pub(crate) use number::number;
