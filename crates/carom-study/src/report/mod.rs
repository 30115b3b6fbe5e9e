//! Predictions and laws as text for people and for machines.

mod ambiguity;
mod bodies;
mod catalogue;
mod comparison;
mod course;
mod csv;
mod events;
mod findings;
mod heading;
mod history;
mod json;
mod properties;
mod quantities;
mod reach;
mod single;
mod vibration;

pub use ambiguity::{ambiguity, ambiguity_json};
pub use catalogue::{law_json, law_list, law_markdown, law_text, laws_json};
pub use comparison::comparison;
pub use csv::{csv, reach_csv};
pub use history::history;
pub(crate) use json::prediction_json;
pub use json::{json, json_all};
pub use properties::{properties_json, properties_text};
pub use quantities::details;
pub(crate) use quantities::problem_json;
pub use reach::reach_summary;
pub use single::{parameters, single};

use findings::{findings, notes};

/// Tables of more lines are cut: a network of thousands of contacts belongs in a file.
const MOST_LINES: usize = 40;
/// An integrated energy below this multiple of the rounding of a single operation is zero.
const INTEGRATED: f64 = 1e4;
/// The same for velocities that a solver found.
const SOLVED: f64 = 1e3;
