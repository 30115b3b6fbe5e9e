//! Laws side by side.

use super::bodies::{Component, farthest_contact, motion};
use super::course::in_short;
use super::heading::heading;
use super::{INTEGRATED, SOLVED, findings, notes};
use crate::prediction::{Answer, Prediction};
use crate::scenario::Scenario;
use crate::terminal::fit_lines;
use crate::terminal::number::{number, optional};
use crate::terminal::table::{self as layout, align_numbers};
use carom::Dimension;
use carom::audit::Finding;
use carom::laws::Law;
use nalgebra::Vector3;
use std::fmt::Write;

/// A table with more columns of numbers is too wide to read.
const MOST_COLUMNS: usize = 9;

/// Every law's prediction as one table, then findings and notes, then the laws that do not apply and why.
pub fn comparison(scenario: &Scenario, answers: &[Answer]) -> String {
    let predictions: Vec<(&Law, &Prediction)> =
        answers.iter().filter_map(|(law, answer)| Some((*law, answer.as_ref().ok()?))).collect();
    let mut text = heading(scenario);
    if !predictions.is_empty() {
        text.push('\n');
        text.push_str(&if scenario.impact.contacts() == 1 {
            collision_table(scenario, &predictions)
        } else {
            impact_table(scenario, &predictions)
        });
    }
    let mut said = predictions.iter().flat_map(|(law, prediction)| {
        let lines = findings(scenario, prediction).into_iter().chain(notes(scenario, prediction));
        lines.map(move |line| format!("{}: {line}", law.id))
    });
    if let Some(first) = said.next() {
        let _ = writeln!(text, "\n{first}");
    }
    for line in said {
        let _ = writeln!(text, "{line}");
    }
    let mut followed = predictions.iter().filter_map(|(law, p)| Some((law, in_short(p)?))).peekable();
    if followed.peek().is_some() {
        text.push_str("\nFollowed in time\n");
    }
    for (law, course) in followed {
        let _ = writeln!(text, "  {:20}{course}", law.id);
    }
    let mut refusals = answers.iter().filter_map(|(law, answer)| Some((law, answer.as_ref().err()?))).peekable();
    if refusals.peek().is_some() {
        text.push_str("\nNot applicable\n");
    }
    for (law, why) in refusals {
        let _ = writeln!(text, "  {:20}{why}", law.id);
    }
    fit_lines(&text)
}

/// One contact: mode, impulse, velocity after, energy and restitution.
fn collision_table(scenario: &Scenario, predictions: &[(&Law, &Prediction)]) -> String {
    let components = if scenario.dimension() == Dimension::Planar { 2 } else { 3 };
    let mut table = layout::ruled();
    let mut header = vec!["law", "mode"];
    header.extend(&["P_n", "P_t1", "P_t2"][..components]);
    header.extend(&["V_n", "V_t1", "V_t2"][..components]);
    header.extend(["ΔE", "Newton", "Poisson", "Stronge", "Ivanov", "audit"]);
    let numbers = 2..=header.len() - 2;
    table.set_header(header);
    let before = scenario.impact.velocity()[0].norm();
    for (law, prediction) in predictions {
        let contact = &prediction.outcome.contacts[0];
        let (size, speed) = (contact.impulse.norm(), before.max(contact.velocity_after.norm()));
        let r = prediction.restitution[0];
        let mut row = vec![law.id.to_owned(), contact.mode.to_string()];
        row.extend(contact.impulse.iter().take(components).map(|x| number(*x, size)));
        row.extend(contact.velocity_after.iter().take(components).map(|x| number(*x, speed)));
        row.push(number(prediction.energy.change, scenario.energy_at_stake()));
        row.extend([r.newton, r.poisson, r.stronge, r.ivanov].map(optional));
        row.push(verdict(prediction));
        table.add_row(row);
    }
    align_numbers(&mut table, numbers);
    layout::tighten(&mut table);
    format!(
        "{}\nP in N s and V after in m/s, contact frame; ΔE in J; restitution in four senses.\n",
        layout::fitted(&table, &[2 + components, 2 + 2 * components])
    )
}

/// Several contacts: the motions of the bodies, and energy.
fn impact_table(scenario: &Scenario, predictions: &[(&Law, &Prediction)]) -> String {
    let (names, rows) = compared(scenario, predictions);
    let mut table = layout::ruled();
    let mut header = vec!["law".to_owned()];
    header.extend(names);
    header.extend(["ΔE (J)", "ΔE (%)", "audit"].map(str::to_owned));
    let numbers = 1..=header.len() - 2;
    let energy = header.len() - 3;
    table.set_header(header);
    for ((law, prediction), values) in predictions.iter().zip(rows) {
        let energy = prediction.energy;
        let mut row = vec![law.id.to_owned()];
        row.extend(values);
        row.push(number(energy.change, INTEGRATED * energy.before));
        row.push(number(100.0 * energy.change / energy.before, 100.0 * INTEGRATED));
        row.push(verdict(prediction));
        table.add_row(row);
    }
    align_numbers(&mut table, numbers);
    layout::tighten(&mut table);
    let table = layout::fitted(&table, &[energy]);
    format!("{table}\nVelocities after the impact in m/s, spins in rad/s.\n")
}

/// What laws are compared by: the motions of bodies in which any law moves anything, if they are few; else the normal
/// velocities at the contacts, if those are few.
fn compared(scenario: &Scenario, predictions: &[(&Law, &Prediction)]) -> (Vec<String>, Vec<Vec<String>>) {
    let planar = scenario.dimension() == Dimension::Planar;
    let motions: Vec<Vec<Component>> = predictions
        .iter()
        .map(|(_, prediction)| prediction.bodies.iter().flat_map(|(_, body)| motion(body, planar)).collect())
        .collect();
    let bodies = || scenario.scene.iter().flat_map(|scene| &scene.bodies);
    let before: Vec<Component> = bodies().flat_map(|(_, body)| motion(body, planar)).collect();
    let speeds = motions.iter().flatten().filter(|part| !part.turns);
    let speed = speeds.map(|part| part.value.abs()).fold(0.0, f64::max);
    let spin = speed / farthest_contact(scenario);
    let scale = |part: &Component| SOLVED * if part.turns { spin } else { speed };
    let moves = |column: &usize| {
        let part = |row: &Vec<Component>| row[*column].value.abs() > 1e-14 * scale(&row[*column]);
        before[*column].value != 0.0 || motions.iter().any(part)
    };
    let moving: Vec<usize> = (0..before.len()).filter(moves).collect();
    if !moving.is_empty() && moving.len() <= MOST_COLUMNS {
        let named: Vec<&String> = bodies().flat_map(|(name, body)| vec![name; motion(body, planar).len()]).collect();
        let names = moving.iter().map(|column| format!("{} {}", named[*column], before[*column].name)).collect();
        let values = |row: &Vec<Component>| {
            moving.iter().map(|column| number(row[*column].value, scale(&row[*column]))).collect()
        };
        return (names, motions.iter().map(values).collect());
    }
    let contacts = scenario.impact.contacts();
    if contacts > MOST_COLUMNS {
        return (Vec::new(), vec![Vec::new(); predictions.len()]);
    }
    let names = (0..contacts).map(|k| format!("V_n {}", scenario.contact_name(k))).collect();
    let rows = predictions.iter().map(|(_, prediction)| {
        let after = prediction.outcome.velocities_after();
        let scale = after.iter().map(Vector3::norm).fold(0.0, f64::max);
        after.iter().map(|v| number(v.x, scale)).collect()
    });
    (names, rows.collect())
}

/// `ok`, or the rules that a prediction violates.
fn verdict(prediction: &Prediction) -> String {
    let findings = prediction.audit.findings();
    let failed: Vec<&str> =
        findings.into_iter().filter(|(_, finding)| *finding != Finding::Ok).map(|(name, _)| name).collect();
    if failed.is_empty() { "ok".to_owned() } else { format!("violates {}", failed.join(", ")) }
}
