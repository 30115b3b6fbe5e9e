//! The course of an impact of several contacts, one line for each contact at each instant.

use crate::impact_prediction::ImpactPrediction;
use crate::scenario::Scenario;
use crate::table::{Column, Table};
use carom::Clock;
use carom::impact::{ImpactHistory, ImpactSample};

/// The courses of predictions one after the other, told apart by a first column `law`.
pub fn impact_history(scenario: &Scenario, predictions: &[&ImpactPrediction]) -> Table {
    let rows: Vec<Row> = predictions
        .iter()
        .flat_map(|prediction| {
            let (law, has_events) = (prediction.law.law().id, !prediction.outcome.events.is_empty());
            prediction.histories.iter().flat_map(move |history| {
                let contacts = 0..history.contacts.len();
                let samples = history.samples.iter();
                samples.flat_map(move |sample| {
                    contacts.clone().map(move |place| Row { law, has_events, history, sample, place })
                })
            })
        })
        .collect();
    let numbers = |name, unit, value: fn(&Row) -> Option<f64>| Column::numbers(name, unit, rows.iter().map(value));
    let columns = [
        Column::words("law", rows.iter().map(|row| row.law.to_owned())),
        numbers("contact", "", |row| Some(row.history.contacts[row.place] as f64 + 1.0)),
        Column::words("between", rows.iter().map(|row| scenario.contact_name(row.history.contacts[row.place]))),
        numbers("time", "s", |row| (row.history.clock == Clock::Time).then_some(row.sample.at)),
        numbers("normal_impulse", "N s", |row| (row.history.clock == Clock::NormalImpulse).then_some(row.sample.at)),
        numbers("velocity_n", "m/s", |row| Some(row.sample.velocities[row.place].x)),
        numbers("velocity_t1", "m/s", |row| Some(row.sample.velocities[row.place].y)),
        numbers("velocity_t2", "m/s", |row| Some(row.sample.velocities[row.place].z)),
        numbers("impulse_n", "N s", |row| Some(row.sample.impulses[row.place].x)),
        numbers("impulse_t1", "N s", |row| Some(row.sample.impulses[row.place].y)),
        numbers("impulse_t2", "N s", |row| Some(row.sample.impulses[row.place].z)),
        numbers("normal_work", "J", |row| Some(row.sample.normal_work)),
        numbers("event", "", |row| row.has_events.then_some(row.sample.event as f64)),
        Column::words("sticks", rows.iter().map(|row| row.sample.sticking[row.place].to_string())),
    ];
    let laws: Vec<&str> = predictions.iter().map(|prediction| prediction.law.law().id).collect();
    let about = [("title", scenario.title.clone()), ("law", laws.join(" "))];
    Table {
        columns: columns.into_iter().filter(|column| !column.is_empty()).collect(),
        about: about.map(|(key, value)| (key.to_owned(), value)).to_vec(),
    }
}

struct Row<'a> {
    law: &'static str,
    has_events: bool,
    history: &'a ImpactHistory,
    sample: &'a ImpactSample,
    place: usize,
}
