//! The course of a collision instant by instant, as a table.

use super::json::parameters;
use crate::prediction::Prediction;
use crate::scenario::Scenario;
use crate::table::{Column, Table};
use carom::{Clock, ContactSample};
use serde_json::{Value, json};

/// The courses of predictions one after the other. Several laws are told apart by a first column `law`. Columns without
/// any value are left out, as those of forces where no law is followed in time.
pub fn history(scenario: &Scenario, predictions: &[&Prediction], told_apart: bool) -> Table {
    let rows: Vec<Row> = predictions
        .iter()
        .filter_map(|prediction| Some((prediction.law.law().id, prediction.history.as_ref()?)))
        .flat_map(|(law, history)| history.samples.iter().map(move |sample| Row { law, clock: history.clock, sample }))
        .collect();
    let numbers = |name, unit, value: fn(&Row) -> Option<f64>| Column::numbers(name, unit, rows.iter().map(value));
    let mut columns = Vec::new();
    if told_apart {
        columns.push(Column::words("law", rows.iter().map(|row| row.law.to_owned())));
    }
    let measured = [
        numbers("time", "s", |row| (row.clock == Clock::Time).then_some(row.sample.at)),
        numbers("normal_impulse", "N s", |row| (row.clock == Clock::NormalImpulse).then_some(row.sample.at)),
        numbers("force_n", "N", |row| row.sample.force.map(|force| force.x)),
        numbers("force_t1", "N", |row| row.sample.force.map(|force| force.y)),
        numbers("force_t2", "N", |row| row.sample.force.map(|force| force.z)),
        numbers("displacement_n", "m", |row| row.sample.displacement.map(|moved| moved.x)),
        numbers("displacement_t1", "m", |row| row.sample.displacement.map(|moved| moved.y)),
        numbers("displacement_t2", "m", |row| row.sample.displacement.map(|moved| moved.z)),
        numbers("velocity_n", "m/s", |row| Some(row.sample.velocity.x)),
        numbers("velocity_t1", "m/s", |row| Some(row.sample.velocity.y)),
        numbers("velocity_t2", "m/s", |row| Some(row.sample.velocity.z)),
        numbers("slip_t1", "m/s", |row| Some(row.sample.slip.x)),
        numbers("slip_t2", "m/s", |row| Some(row.sample.slip.y)),
        numbers("impulse_n", "N s", |row| Some(row.sample.impulse.x)),
        numbers("impulse_t1", "N s", |row| Some(row.sample.impulse.y)),
        numbers("impulse_t2", "N s", |row| Some(row.sample.impulse.z)),
        numbers("normal_work", "J", |row| Some(row.sample.normal_work)),
        numbers("tangential_work", "J", |row| Some(row.sample.tangential_work)),
    ];
    columns.extend(measured.into_iter().filter(|column| !column.is_empty()));
    columns.push(Column::words("motion", rows.iter().map(|row| row.sample.motion.name().to_owned())));
    Table { columns, about: about(scenario, predictions) }
}

struct Row<'a> {
    law: &'static str,
    clock: Clock,
    sample: &'a ContactSample,
}

/// Title, laws and their parameters.
fn about(scenario: &Scenario, predictions: &[&Prediction]) -> Vec<(String, String)> {
    let followed = || predictions.iter().filter(|prediction| prediction.history.is_some());
    let laws: Vec<&str> = followed().map(|prediction| prediction.law.law().id).collect();
    let values: Vec<Value> = followed()
        .map(|prediction| json!({ "law": prediction.law.law().id, "parameters": parameters(prediction) }))
        .collect();
    [("title", scenario.title.clone()), ("law", laws.join(" ")), ("parameters", Value::from(values).to_string())]
        .map(|(key, value)| (key.to_owned(), value))
        .to_vec()
}
