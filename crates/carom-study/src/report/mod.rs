//! Predictions and laws as text for people and for machines.

mod ambiguity;
mod catalogue;
mod comparison;
mod course;
mod csv;
mod history;
mod impact;
mod impact_history;
mod impact_json;
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
pub use impact::{impact_comparison, impact_single};
pub use impact_history::impact_history;
pub use impact_json::{impact_csv, impact_json, impact_json_all};
pub use json::{json, json_all};
pub use properties::{properties_json, properties_text};
pub use quantities::{details, impact_details};
pub use reach::reach_summary;
pub use single::{parameters, single};
