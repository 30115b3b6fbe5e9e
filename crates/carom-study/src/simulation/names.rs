//! What took part in an event, by name.

use crate::scenario::SimulationScenario;
use carom::sim::{BodyId, EventContact, Origin};

/// What is not a body in a table of bodies.
const GROUND: &str = "ground";

/// The name of a body, or of the ground.
pub(super) fn body_name(scenario: &SimulationScenario, body: Option<BodyId>) -> String {
    body.map_or_else(|| GROUND.to_owned(), |body| scenario.body_names[body.index()].clone())
}

/// The wall, obstacle, string or limit of a joint that a contact is against; nothing where two bodies touch each other.
pub fn against(scenario: &SimulationScenario, contact: &EventContact) -> Option<String> {
    match contact.origin {
        Origin::Parts { parts, .. } => {
            let side = contact.bodies.iter().position(Option::is_none)?;
            scenario.world_names.get(parts[side]).cloned()
        }
        Origin::String(string) => scenario.string_names.get(string).cloned(),
        Origin::Limit(joint) => scenario.joint_names.get(joint.index()).map(|name| format!("limit of {name}")),
    }
}

/// The two sides of a contact; what it is against stands in place of the ground.
pub(super) fn sides(scenario: &SimulationScenario, contact: &EventContact) -> [String; 2] {
    contact.bodies.map(|body| match body {
        None => against(scenario, contact).unwrap_or_else(|| GROUND.to_owned()),
        body => body_name(scenario, body),
    })
}

/// A contact in a word.
pub fn contact_name(scenario: &SimulationScenario, contact: &EventContact) -> String {
    let [a, b] = sides(scenario, contact);
    match against(scenario, contact) {
        Some(link) if !contact.bodies.contains(&None) => format!("{a}–{b} ({link})"),
        _ => format!("{a}–{b}"),
    }
}
