//! One prediction, to be read from top to bottom.

use super::bodies::{body_table, joint_lines};
use super::course::course;
use super::events::event_lines;
use super::heading::heading;
use super::vibration::vibration_lines;
use super::{INTEGRATED, MOST_LINES, SOLVED, findings, notes};
use crate::prediction::Prediction;
use crate::scenario::Scenario;
use crate::terminal::fit_lines;
use crate::terminal::number::{number, optional};
use crate::terminal::table::{self as layout, align_numbers};
use carom::Dimension;
use carom::audit::Finding;
use carom::laws::{Kind, Parameter};
use comfy_table::Table;
use nalgebra::Vector3;
use std::fmt::Write;

/// One prediction as text.
pub fn single(scenario: &Scenario, prediction: &Prediction) -> String {
    let mut text = heading(scenario);
    let law = prediction.law.law();
    let _ = writeln!(text, "\n{} ({})\n  {}", law.name, law.id, parameters(prediction));
    if let [contact] = &prediction.outcome.contacts[..] {
        let table = layout::fitted(&collision_table(scenario, prediction), &[]);
        let _ = writeln!(text, "\nAt the contact: {}\n{table}", contact.mode);
    } else {
        let components = scenario.impact.components();
        let groups = [2, 2 + components, 2 + 2 * components];
        let _ = writeln!(text, "\nContacts\n{}", layout::fitted(&contact_table(scenario, prediction), &groups));
    }
    if !prediction.bodies.is_empty() {
        let _ = writeln!(text, "\nBodies after\n{}", layout::fitted(&body_table(scenario, prediction), &[]));
    }
    if let (Some(scene), false) = (&scenario.scene, prediction.joints.is_empty()) {
        let _ = write!(text, "\n{}", joint_lines(&scene.joints, &prediction.joints));
    }
    text.push_str(&event_lines(&prediction.outcome.events));
    text.push('\n');
    text.push_str(&energy_line(scenario, prediction));
    if let Some(vibration) = &prediction.vibration {
        text.push_str(&vibration_lines(vibration));
    }
    if prediction.outcome.contacts.len() == 1 {
        text.push_str(&collision_lines(scenario, prediction));
    }
    for line in audit(scenario, prediction) {
        let _ = writeln!(text, "Audit         {line}");
    }
    for note in notes(scenario, prediction).into_iter().chain(scenario.unused_parameters(law)) {
        let _ = writeln!(text, "Note          {note}");
    }
    fit_lines(&text)
}

/// The values of the law's parameters in one line; those that differ from contact to contact as a list.
pub fn parameters(prediction: &Prediction) -> String {
    /// Values for more contacts are not listed.
    const MOST_LISTED: usize = 9;
    let contacts = prediction.outcome.contacts.len();
    let words = prediction.law.law().parameters.iter().enumerate().filter_map(|(k, parameter)| {
        let values: Vec<f64> = (0..contacts).map(|contact| prediction.law.values(contact)[k]).collect();
        let first = values.first().copied().filter(|value| !value.is_nan())?;
        let shown = |value: &f64| parameter_value(parameter, *value);
        Some(if values.iter().all(|value| *value == first) {
            format!("{} {}", parameter.key, shown(&first))
        } else if contacts <= MOST_LISTED {
            format!("{} [{}]", parameter.key, values.iter().map(shown).collect::<Vec<_>>().join(", "))
        } else {
            format!("{} as given", parameter.key)
        })
    });
    words.collect::<Vec<_>>().join(", ")
}

/// A parameter's value as the scenario file writes it.
pub fn parameter_value(parameter: &Parameter, value: f64) -> String {
    match parameter.kind {
        Kind::Choice(words) => words.get(value as usize).copied().unwrap_or_default().to_owned(),
        Kind::Number { .. } => number(value, 0.0),
    }
}

/// Kinetic energy before and after, and the share of the change: of the energy at stake at a contact, or of the whole.
fn energy_line(scenario: &Scenario, prediction: &Prediction) -> String {
    let energy = prediction.energy;
    let alone = scenario.collision().map(carom::Collision::local_energy);
    let rounding = alone.unwrap_or(INTEGRATED * energy.before);
    let mut line = format!(
        "Energy        {} J before, {} J after, change {} J",
        number(energy.before, 0.0),
        number(energy.after, energy.before),
        number(energy.change, rounding)
    );
    let _ = match alone {
        Some(at_stake) if at_stake > 0.0 => {
            let share = number(100.0 * energy.change / at_stake, 1.0);
            write!(line, " ({share} % of the {} J at stake)", number(at_stake, 0.0))
        }
        Some(_) => Ok(()),
        None => {
            let share = if energy.before > 0.0 { 100.0 * energy.change / energy.before } else { 0.0 };
            write!(line, " ({} %)", number(share, 100.0 * INTEGRATED))
        }
    };
    line + "\n"
}

/// What the audit found: of one contact each rule, of several those that do not hold.
fn audit(scenario: &Scenario, prediction: &Prediction) -> Vec<String> {
    let audit = &prediction.audit;
    if audit.is_ok() {
        return vec!["energy ok; friction ok; penetration ok".to_owned()];
    }
    let [contact] = audit.contacts[..] else { return findings(scenario, prediction) };
    let (friction, penetration) = (contact.friction, contact.penetration);
    let mut lines = vec![format!("energy {}; friction {friction}; penetration {penetration}", audit.energy)];
    let consistency = [contact.consistency, audit.consistency].into_iter().find(|finding| *finding != Finding::Ok);
    lines.extend(consistency.map(|finding| format!("consistency {finding}")));
    lines
}

/// Restitution, course and works of a collision.
fn collision_lines(scenario: &Scenario, prediction: &Prediction) -> String {
    /// An integrated work below this multiple of the rounding of the energy at stake is zero.
    const INTEGRATED: f64 = 1e3;
    let r = prediction.restitution[0];
    let mut text = format!(
        "Restitution   Newton {}, Poisson {}, Stronge {}, Ivanov {}\n",
        optional(r.newton),
        optional(r.poisson),
        optional(r.stronge),
        optional(r.ivanov)
    );
    if let Some(course) = course(prediction) {
        let _ = writeln!(text, "Course        {course}");
    }
    if let Some(works) = prediction.outcome.contacts[0].compression.and_then(|compression| compression.works) {
        let scale = INTEGRATED * scenario.energy_at_stake();
        let [compression, restitution, tangential] =
            [works.compression, works.restitution, works.tangential].map(|work| number(work, scale));
        let _ = writeln!(
            text,
            "Works         compression {compression} J, restitution {restitution} J, tangential {tangential} J"
        );
    }
    text
}

/// Velocities and impulse of a collision, a line each.
fn collision_table(scenario: &Scenario, prediction: &Prediction) -> Table {
    let components = match scenario.dimension() {
        Dimension::Planar => 2,
        Dimension::Spatial => 3,
    };
    let mut table = layout::plain();
    table.set_header(
        ["", "n", "t1", "t2", ""]
            .into_iter()
            .enumerate()
            .filter(|(k, _)| *k <= components || *k == 4)
            .map(|(_, name)| name),
    );
    let (before, outcome) = (&scenario.impact.velocity()[0], &prediction.outcome.contacts[0]);
    let after = &outcome.velocity_after;
    let speed = before.norm().max(after.norm());
    let rows: [(&str, &Vector3<f64>, f64, &str); 3] = [
        ("velocity before", before, speed, "m/s"),
        ("velocity after", after, speed, "m/s"),
        ("impulse", &outcome.impulse, outcome.impulse.norm(), "N s"),
    ];
    for (name, vector, scale, unit) in rows {
        let mut row = vec![name.to_owned()];
        row.extend(vector.iter().take(components).map(|x| number(*x, scale)));
        row.push(unit.to_owned());
        table.add_row(row);
    }
    align_numbers(&mut table, 1..=components);
    table
}

/// The contacts of an impact of several, a line each.
fn contact_table(scenario: &Scenario, prediction: &Prediction) -> Table {
    let components = scenario.impact.components();
    let mut table = layout::plain();
    let axes = &["n", "t1", "t2"][..components];
    let mut header = vec![String::new(), "mode".to_owned()];
    for symbol in ["P", "V before", "V"] {
        header.extend(axes.iter().map(|axis| format!("{symbol} {axis}")));
    }
    header.extend(["e".to_owned(), "work (J)".to_owned()]);
    let width = header.len();
    table.set_header(header);
    let contacts = &prediction.outcome.contacts;
    let size = contacts.iter().map(|contact| contact.impulse.norm()).fold(0.0, f64::max);
    let speed = scenario.impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max);
    for (k, contact) in contacts.iter().enumerate().take(MOST_LINES) {
        let before = &scenario.impact.velocity()[k];
        let mut row = vec![scenario.contact_name(k), contact.mode.to_string()];
        for (vector, scale) in [(&contact.impulse, size), (before, speed), (&contact.velocity_after, speed)] {
            row.extend(vector.iter().take(components).map(|x| number(*x, SOLVED * scale)));
        }
        row.push(optional((before.x < 0.0).then(|| -contact.velocity_after.x / before.x)));
        row.push(number(prediction.audit.contacts[k].work, size * speed));
        table.add_row(row);
    }
    if contacts.len() > MOST_LINES {
        table.add_row(vec![format!("… {} more", contacts.len() - MOST_LINES)]);
    }
    align_numbers(&mut table, 2..=width - 1);
    table
}
