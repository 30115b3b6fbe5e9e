//! One prediction, to be read from top to bottom.

use super::course::course;
use super::impact::joint_lines;
use super::vibration::vibration_lines;
use crate::prediction::Prediction;
use crate::scenario::{Dimension, Scenario};
use crate::terminal::number::{number, optional};
use crate::terminal::table::{self as layout, align_numbers};
use crate::terminal::{WIDTH, broken, fit_lines};
use carom::audit::Finding;
use carom::laws::{Kind, Parameter};
use carom::problem::Class;
use comfy_table::Table;
use nalgebra::Vector3;
use std::fmt::Write;

/// One prediction as text.
pub fn single(scenario: &Scenario, prediction: &Prediction) -> String {
    let mut text = heading(scenario);
    let law = prediction.law.law();
    let _ = writeln!(text, "\n{} ({})\n  {}\n", law.name, law.id, parameters(prediction));

    let _ = writeln!(text, "At the contact: {}", prediction.outcome.mode);
    let _ = writeln!(text, "{}\n", layout::fitted(&contact_table(scenario, prediction), &[]));
    if !prediction.bodies.is_empty() {
        let _ = writeln!(text, "Bodies after\n{}\n", layout::fitted(&body_table(scenario, prediction), &[]));
    }
    if let (Some(scene), false) = (&scenario.scene, prediction.joints.is_empty()) {
        let _ = writeln!(text, "{}", joint_lines(&scene.joints, &prediction.joints));
    }

    let energy = prediction.energy;
    let at_stake = scenario.collision().map_or(0.0, carom::Collision::local_energy);
    let _ = write!(
        text,
        "Energy        {} J before, {} J after, change {} J",
        number(energy.before, 0.0),
        number(energy.after, energy.before),
        number(energy.change, at_stake),
    );
    if at_stake > 0.0 {
        let share = number(100.0 * energy.change / at_stake, 1.0);
        let _ = write!(text, " ({share} % of the {} J at stake)", number(at_stake, 0.0));
    }
    text.push('\n');
    if let Some(vibration) = &prediction.vibration {
        text.push_str(&vibration_lines(vibration));
    }
    let r = prediction.restitution;
    let _ = writeln!(
        text,
        "Restitution   Newton {}, Poisson {}, Stronge {}, Ivanov {}",
        optional(r.newton),
        optional(r.poisson),
        optional(r.stronge),
        optional(r.ivanov)
    );
    if let Some(course) = course(prediction) {
        let _ = writeln!(text, "Course        {course}");
    }
    if let Some(works) = prediction.outcome.compression.and_then(|compression| compression.works) {
        let [compression, restitution, tangential] =
            [works.compression, works.restitution, works.tangential].map(|work| number(work, INTEGRATED * at_stake));
        let _ = writeln!(
            text,
            "Works         compression {compression} J, restitution {restitution} J, tangential {tangential} J"
        );
    }
    let audit = prediction.audit;
    let _ = writeln!(
        text,
        "Audit         energy {}; friction {}; penetration {}",
        audit.energy, audit.friction, audit.penetration
    );
    if audit.consistency != Finding::Ok {
        let _ = writeln!(text, "Audit         consistency {}", audit.consistency);
    }
    for note in prediction.outcome.notes.iter() {
        let _ = writeln!(text, "Note          {note}");
    }
    for note in scenario.unused_parameters(prediction.law.law()) {
        let _ = writeln!(text, "Note          {note}");
    }
    fit_lines(&text)
}

/// The values of the law's parameters in one line.
pub fn parameters(prediction: &Prediction) -> String {
    let bound = prediction.law.law().parameters.iter().zip(prediction.law.values());
    let given = bound.filter(|(_, value)| !value.is_nan());
    let words = given.map(|(parameter, value)| format!("{} {}", parameter.key, parameter_value(parameter, *value)));
    words.collect::<Vec<_>>().join(", ")
}

/// Title, and what kind of collision it is in the words of Wang & Mason 1992, 3.4.
pub fn heading(scenario: &Scenario) -> String {
    let impact = &scenario.impact;
    let class = Class::of(&impact.inverse_mass().block(0, 0), &impact.velocity()[0]);
    let singular =
        if scenario.collision().is_some_and(carom::Collision::is_singular) { ", singular inverse mass" } else { "" };
    format!("{}\n{} collision, {class}{singular}\n", broken(&scenario.title, WIDTH), scenario.dimension())
}

/// An integrated work below this multiple of the rounding of the energy at stake is zero.
const INTEGRATED: f64 = 1e3;

/// A parameter's value as the scenario file writes it.
pub fn parameter_value(parameter: &Parameter, value: f64) -> String {
    match parameter.kind {
        Kind::Choice(words) => words.get(value as usize).copied().unwrap_or_default().to_owned(),
        Kind::Number { .. } => number(value, 0.0),
    }
}

fn contact_table(scenario: &Scenario, prediction: &Prediction) -> Table {
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
    let before = &scenario.impact.velocity()[0];
    let after = &prediction.outcome.velocity_after;
    let speed = before.norm().max(after.norm());
    let rows: [(&str, &Vector3<f64>, f64, &str); 3] = [
        ("velocity before", before, speed, "m/s"),
        ("velocity after", after, speed, "m/s"),
        ("impulse", &prediction.outcome.impulse, prediction.outcome.impulse.norm(), "N s"),
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

fn body_table(scenario: &Scenario, prediction: &Prediction) -> Table {
    let planar = scenario.dimension() == Dimension::Planar;
    let mut table = layout::plain();
    let header = layout::motion_header(planar);
    table.set_header(header.iter().copied());
    let before: &[(String, carom::Body)] = scenario.scene.as_ref().map_or(&[], |scene| &scene.bodies);
    for ((name, body), (_, first)) in prediction.bodies.iter().zip(before) {
        let speed = body.velocity.norm().max(first.velocity.norm());
        let spin = body.angular_velocity.norm().max(first.angular_velocity.norm());
        let mut row = vec![name.clone()];
        let components = if planar { 2 } else { 3 };
        row.extend(body.velocity.iter().take(components).map(|x| number(*x, speed)));
        let turning: &[f64] = if planar { &[body.angular_velocity.z] } else { body.angular_velocity.as_slice() };
        row.extend(turning.iter().map(|x| number(*x, spin)));
        table.add_row(row);
    }
    align_numbers(&mut table, 1..=header.len() - 1);
    table
}
