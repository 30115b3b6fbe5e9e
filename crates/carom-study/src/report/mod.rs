//! Predictions and laws as text for people and for machines.

mod catalogue;
mod comparison;
mod course;
mod csv;
mod history;
mod json;
mod layout;
mod number;
mod properties;
mod reach;
mod single;
mod vibration;

pub use catalogue::{law_json, law_list, law_markdown, law_text, laws_json};
pub use comparison::comparison;
pub use csv::{csv, reach_csv};
pub use history::history;
pub use json::{json, json_all};
pub use properties::{properties_json, properties_text};
pub use reach::reach_summary;
pub use single::{parameters, single};
