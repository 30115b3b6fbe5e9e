//! The course of an impact instant by instant, as a table.

use super::json::parameters;
use crate::prediction::Prediction;
use crate::scenario::Scenario;
use crate::table::{Column, Table};
use carom::{Clock, ContactSample, History};
use nalgebra::Vector3;
use serde_json::{Value, json};

/// The courses of predictions one after the other: a line for each instant of a contact that a law follows by itself, and for
/// each contact at each instant of an island. Several laws differ in a first column `law`, contacts of islands in their
/// number and name. Columns without any value are left out, as those of forces where no law is followed in time.
pub fn history(scenario: &Scenario, predictions: &[&Prediction], told_apart: bool) -> Table {
    let rows: Vec<Row> = predictions.iter().flat_map(|prediction| rows(scenario, prediction)).collect();
    let numbers = |name, unit, value: fn(&Row) -> Option<f64>| Column::numbers(name, unit, rows.iter().map(value));
    let words = |name, value: fn(&Row) -> String| Column::words(name, rows.iter().map(value));
    let mut columns = Vec::new();
    if told_apart || rows.iter().any(|row| row.contact.is_some()) {
        columns.push(words("law", |row| row.law.to_owned()));
    }
    columns.extend([
        numbers("contact", "", |row| row.contact.map(|contact| contact as f64 + 1.0)),
        words("between", |row| row.between.clone()),
        numbers("time", "s", |row| (row.clock == Clock::Time).then_some(row.at)),
        numbers("normal_impulse", "N s", |row| (row.clock == Clock::NormalImpulse).then_some(row.at)),
        numbers("force_n", "N", |row| Some(row.own?.force?.x)),
        numbers("force_t1", "N", |row| Some(row.own?.force?.y)),
        numbers("force_t2", "N", |row| Some(row.own?.force?.z)),
        numbers("displacement_n", "m", |row| Some(row.own?.displacement?.x)),
        numbers("displacement_t1", "m", |row| Some(row.own?.displacement?.y)),
        numbers("displacement_t2", "m", |row| Some(row.own?.displacement?.z)),
        numbers("velocity_n", "m/s", |row| Some(row.velocity.x)),
        numbers("velocity_t1", "m/s", |row| Some(row.velocity.y)),
        numbers("velocity_t2", "m/s", |row| Some(row.velocity.z)),
        numbers("slip_t1", "m/s", |row| Some(row.own?.slip.x)),
        numbers("slip_t2", "m/s", |row| Some(row.own?.slip.y)),
        numbers("impulse_n", "N s", |row| Some(row.impulse.x)),
        numbers("impulse_t1", "N s", |row| Some(row.impulse.y)),
        numbers("impulse_t2", "N s", |row| Some(row.impulse.z)),
        numbers("normal_work", "J", |row| Some(row.normal_work)),
        numbers("tangential_work", "J", |row| Some(row.own?.tangential_work)),
        numbers("event", "", |row| row.event.map(|event| event as f64)),
        words("sticks", |row| row.sticks.map(|sticks| sticks.to_string()).unwrap_or_default()),
        words("motion", |row| row.own.map(|sample| sample.motion.name().to_owned()).unwrap_or_default()),
    ]);
    Table {
        columns: columns.into_iter().filter(|column| !column.is_empty()).collect(),
        about: about(scenario, predictions),
    }
}

/// A contact at an instant.
struct Row<'a> {
    law: &'static str,
    /// The contact and its name, where a law follows several.
    contact: Option<usize>,
    between: String,
    clock: Clock,
    at: f64,
    velocity: Vector3<f64>,
    impulse: Vector3<f64>,
    normal_work: f64,
    /// What only a law knows that follows a contact by itself.
    own: Option<&'a ContactSample>,
    /// The impact event, for laws that have them, and whether the contact sticks.
    event: Option<usize>,
    sticks: Option<bool>,
}

fn rows<'a>(scenario: &'a Scenario, prediction: &'a Prediction) -> Vec<Row<'a>> {
    let law = prediction.law.law().id;
    let named = |contact: usize| {
        let several = scenario.impact.contacts() > 1;
        (several.then_some(contact), if several { scenario.contact_name(contact) } else { String::new() })
    };
    let has_events = !prediction.outcome.events.is_empty();
    let mut rows = Vec::new();
    for history in &prediction.histories {
        let clock = history.clock();
        match history {
            History::Contact { contact, history } => rows.extend(history.samples.iter().map(|sample| {
                let (contact, between) = named(*contact);
                Row {
                    law,
                    contact,
                    between,
                    clock,
                    at: sample.at,
                    velocity: sample.velocity,
                    impulse: sample.impulse,
                    normal_work: sample.normal_work,
                    own: Some(sample),
                    event: None,
                    sticks: None,
                }
            })),
            History::Island(island) => rows.extend(island.samples.iter().flat_map(|sample| {
                island.contacts.iter().enumerate().map(move |(place, contact)| Row {
                    law,
                    contact: Some(*contact),
                    between: scenario.contact_name(*contact),
                    clock,
                    at: sample.at,
                    velocity: sample.velocities[place],
                    impulse: sample.impulses[place],
                    normal_work: sample.normal_work,
                    own: None,
                    event: has_events.then_some(sample.event),
                    sticks: Some(sample.sticking[place]),
                })
            })),
            _ => {}
        }
    }
    rows
}

/// Title, laws and their parameters.
fn about(scenario: &Scenario, predictions: &[&Prediction]) -> Vec<(String, String)> {
    let followed = || predictions.iter().filter(|prediction| !prediction.histories.is_empty());
    let laws: Vec<&str> = followed().map(|prediction| prediction.law.law().id).collect();
    let values: Vec<Value> = followed()
        .map(|prediction| json!({ "law": prediction.law.law().id, "parameters": parameters(prediction) }))
        .collect();
    [("title", scenario.title.clone()), ("law", laws.join(" ")), ("parameters", Value::from(values).to_string())]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec()
}
