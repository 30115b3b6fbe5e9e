//! Several contacts for people: one law in full, or every law side by side.

use super::single::parameter_value;
use crate::impact_prediction::ImpactPrediction;
use crate::prediction::Refusal;
use crate::quantities::classes;
use crate::scenario::{Dimension, ImpactScenario, NamedJoint};
use crate::terminal::number::{number, optional};
use crate::terminal::table::{self as layout, align_numbers};
use crate::terminal::{WIDTH, broken, fit_lines};
use carom::Body;
use carom::ImpactEvent;
use carom::audit::Finding;
use carom::impact::Reaction;
use carom::laws::Law;
use comfy_table::Table;
use nalgebra::Vector3;
use std::fmt::Write;

/// Tables of more lines are cut: a network of thousands of contacts belongs in a file.
const MOST_LINES: usize = 40;
/// Events, pieces and contacts at rest beyond this number are left to JSON.
const MOST_EVENTS: usize = 8;
/// An integrated energy below this multiple of the rounding of a single operation is zero.
pub(super) const INTEGRATED: f64 = 1e4;
/// The same for velocities that a solver found.
const SOLVED: f64 = 1e3;
/// A table of the laws side by side with more columns of numbers is too wide to read.
const MOST_COLUMNS: usize = 9;

/// One law's prediction in full.
pub fn impact_single(scenario: &ImpactScenario, prediction: &ImpactPrediction) -> String {
    let mut text = impact_heading(scenario);
    let components = scenario.impact.components();
    let law = prediction.law.law();
    let _ = writeln!(text, "\n{} ({})\n  {}", law.name, law.id, impact_parameters(prediction));
    let _ = writeln!(
        text,
        "\nContacts\n{}",
        layout::fitted(&contact_table(scenario, prediction), &[2, 2 + components, 2 + 2 * components])
    );
    if !prediction.bodies.is_empty() {
        let _ = writeln!(text, "\nBodies after\n{}", layout::fitted(&body_table(scenario, prediction), &[]));
    }
    if let (Some(scenery), false) = (&scenario.scenery, prediction.joints.is_empty()) {
        let _ = write!(text, "\n{}", joint_lines(&scenery.joints, &prediction.joints));
    }
    text.push_str(&event_lines(&prediction.outcome.events));
    let energy = prediction.energy;
    let share = if energy.before > 0.0 { 100.0 * energy.change / energy.before } else { 0.0 };
    let _ = writeln!(
        text,
        "\nEnergy        {} J before, {} J after, change {} J ({} %)",
        number(energy.before, 0.0),
        number(energy.after, energy.before),
        number(energy.change, INTEGRATED * energy.before),
        number(share, 100.0 * INTEGRATED)
    );
    for finding in findings(scenario, prediction) {
        let _ = writeln!(text, "Audit         {finding}");
    }
    if prediction.audit.is_ok() {
        text.push_str("Audit         energy ok; friction ok; penetration ok\n");
    }
    for note in &prediction.outcome.notes {
        let _ = writeln!(text, "Note          {note}");
    }
    for note in scenario.unused_parameters(prediction.law.law()) {
        let _ = writeln!(text, "Note          {note}");
    }
    fit_lines(&text)
}

/// The impulse and moment of each joint, a line each.
pub(super) fn joint_lines(joints: &[NamedJoint], reactions: &[Reaction]) -> String {
    let mut text = "Joints (on the first body)\n".to_owned();
    for (named, reaction) in joints.iter().zip(reactions) {
        let (p, moment) = (reaction.impulse, reaction.moment);
        let size = p.norm();
        let _ = writeln!(
            text,
            "  {}  impulse ({}, {}, {}) N s, moment ({}, {}, {}) N m s",
            named.name,
            number(p.x, size),
            number(p.y, size),
            number(p.z, size),
            number(moment.x, moment.norm()),
            number(moment.y, moment.norm()),
            number(moment.z, moment.norm())
        );
    }
    text
}

/// The impact events, for laws that have them: impulse and work at the ends of compression and event, the ratios of the normal
/// impulses piece by piece, and the contacts at rest.
fn event_lines(events: &[ImpactEvent]) -> String {
    let mut text = String::new();
    if events.is_empty() {
        return text;
    }
    text.push_str("\nEvents (P: normal impulse of all contacts since first touch, N s)\n");
    for (k, event) in events.iter().enumerate().take(MOST_EVENTS) {
        let size = event.end.work.abs().max(event.compression.as_ref().map_or(0.0, |state| state.work.abs()));
        let contacts: Vec<String> = event.contacts.iter().map(|contact| (contact + 1).to_string()).collect();
        let plural = if contacts.len() == 1 { "" } else { "s" };
        let (contacts, e) = (contacts.join(" "), number(event.restitution, 0.0));
        let _ = writeln!(text, "  {}  contact{plural} {contacts}, e* {e}", k + 1);
        if let Some(compression) = &event.compression {
            let p = event.from + compression.normal_impulses.iter().sum::<f64>();
            let (p, work) = (number(p, 0.0), number(compression.work, size));
            let _ = writeln!(text, "     compression ends at P {p}, W_n {work} J");
        }
        let (p, work) = (number(event.to, 0.0), number(event.end.work, size));
        let _ = writeln!(text, "     event ends at P {p}, W_n {work} J");
        for piece in event.pieces.iter().take(MOST_EVENTS).filter(|piece| piece.shares.len() > 1) {
            let shares: Vec<String> = piece.shares.iter().map(|share| number(*share, 1.0)).collect();
            let _ = writeln!(
                text,
                "     to P {}: normal impulses in the ratio {}",
                number(piece.to, 0.0),
                shares.join(" : ")
            );
        }
        for rest in event.rests.iter().take(MOST_EVENTS) {
            let friction = rest
                .critical_friction
                .map_or_else(|| "no normal impulse".to_owned(), |friction| format!("μ̄ {}", number(friction, 1.0)));
            let (contact, at) = (rest.contact + 1, number(rest.at, 0.0));
            let _ = writeln!(text, "     contact {contact} at rest at P {at}: {friction}, {}", rest.next.name());
        }
    }
    if events.len() > MOST_EVENTS {
        let _ = writeln!(text, "  … {} more", events.len() - MOST_EVENTS);
    }
    text
}

/// Every law's prediction as one table, then the findings and notes, then the laws that do not apply and why.
pub fn impact_comparison(
    scenario: &ImpactScenario,
    answers: &[(&'static Law, Result<ImpactPrediction, Refusal>)],
) -> String {
    let predictions: Vec<(&Law, &ImpactPrediction)> =
        answers.iter().filter_map(|(law, answer)| Some((*law, answer.as_ref().ok()?))).collect();
    let (names, rows) = compared(scenario, &predictions);
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
        row.push(failed(prediction));
        table.add_row(row);
    }
    align_numbers(&mut table, numbers);
    layout::tighten(&mut table);
    let mut text = impact_heading(scenario);
    if !table.is_empty() {
        let _ = writeln!(text, "\n{}", layout::fitted(&table, &[energy]));
        text.push_str("Velocities after the impact in m/s, spins in rad/s.\n");
    }
    let mut said = predictions.iter().flat_map(|(law, prediction)| {
        let notes = prediction.outcome.notes.iter().map(ToString::to_string);
        findings(scenario, prediction).into_iter().chain(notes).map(move |line| format!("{}: {line}", law.id))
    });
    if let Some(first) = said.next() {
        let _ = writeln!(text, "\n{first}");
    }
    for line in said {
        let _ = writeln!(text, "{line}");
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

/// Title, and how many contacts of what kind there are.
pub(super) fn impact_heading(scenario: &ImpactScenario) -> String {
    let impact = &scenario.impact;
    let (contacts, islands) = (impact.contacts(), impact.islands().len());
    let plural = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    let approaching = impact.velocity().iter().filter(|v| v.x < 0.0).count();
    let mut text = format!(
        "{}\n{} impact, {}, {approaching} approaching",
        broken(&scenario.title, WIDTH),
        scenario.dimension(),
        plural(contacts, "contact")
    );
    if let [class] = classes(scenario)[..] {
        let _ = write!(text, ", {class}");
    }
    if islands > 1 {
        let _ = write!(text, ", {islands} islands");
    }
    text.push('\n');
    text
}

/// The values of the law's parameters in one line; those that differ from contact to contact as a list.
pub fn impact_parameters(prediction: &ImpactPrediction) -> String {
    let contacts = prediction.outcome.impulses().len();
    let words = prediction.law.law().parameters.iter().enumerate().filter_map(|(k, parameter)| {
        let values: Vec<f64> = (0..contacts).map(|contact| prediction.law.values(contact)[k]).collect();
        let first = values.first().copied().filter(|value| !value.is_nan())?;
        let shown = |value: &f64| parameter_value(parameter, *value);
        Some(if values.iter().all(|value| *value == first) {
            format!("{} {}", parameter.key, shown(&first))
        } else if contacts <= MOST_COLUMNS {
            format!("{} [{}]", parameter.key, values.iter().map(shown).collect::<Vec<_>>().join(", "))
        } else {
            format!("{} as given", parameter.key)
        })
    });
    words.collect::<Vec<_>>().join(", ")
}

fn contact_table(scenario: &ImpactScenario, prediction: &ImpactPrediction) -> Table {
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
    let outcome = &prediction.outcome;
    let largest = |list: &[Vector3<f64>]| list.iter().map(Vector3::norm).fold(0.0, f64::max);
    let (size, speed) = (largest(&outcome.impulses()), largest(scenario.impact.velocity()));
    for k in 0..outcome.impulses().len().min(MOST_LINES) {
        let before = &scenario.impact.velocity()[k];
        let vectors =
            [(&outcome.contacts[k].impulse, size), (before, speed), (&outcome.contacts[k].velocity_after, speed)];
        let mut row = vec![scenario.contact_name(k), prediction.modes[k].to_string()];
        for (vector, scale) in vectors {
            row.extend(vector.iter().take(components).map(|x| number(*x, SOLVED * scale)));
        }
        row.push(optional((before.x < 0.0).then(|| -outcome.contacts[k].velocity_after.x / before.x)));
        row.push(number(prediction.audit.contacts[k].work, size * speed));
        table.add_row(row);
    }
    if outcome.impulses().len() > MOST_LINES {
        table.add_row(vec![format!("… {} more", outcome.impulses().len() - MOST_LINES)]);
    }
    align_numbers(&mut table, 2..=width - 1);
    table
}

fn body_table(scenario: &ImpactScenario, prediction: &ImpactPrediction) -> Table {
    let planar = scenario.dimension() == Dimension::Planar;
    let mut table = layout::plain();
    let header = layout::motion_header(planar);
    table.set_header(header.iter().copied());
    let speed = prediction.bodies.iter().map(|(_, body)| body.velocity.norm()).fold(0.0, f64::max);
    // What turns a body by less than rounding moves its contacts is rounding.
    let spin = speed / farthest_contact(scenario);
    for (name, body) in prediction.bodies.iter().take(MOST_LINES) {
        let mut row = vec![name.clone()];
        row.extend(
            motion(body, planar).iter().map(|(_, x, turns)| number(*x, SOLVED * if *turns { spin } else { speed })),
        );
        table.add_row(row);
    }
    if prediction.bodies.len() > MOST_LINES {
        table.add_row(vec![format!("… {} more", prediction.bodies.len() - MOST_LINES)]);
    }
    align_numbers(&mut table, 1..=header.len() - 1);
    table
}

/// The greatest distance of a contact from the centre of its body, m; infinite without bodies.
fn farthest_contact(scenario: &ImpactScenario) -> f64 {
    let scenery = scenario.scenery.iter();
    let arms = scenery.flat_map(|scenery| {
        scenery.contacts.iter().flat_map(move |contact| {
            let bodies = [contact.a, contact.b].into_iter().flatten();
            bodies.map(move |body| (contact.point - scenery.bodies[body].1.position).norm())
        })
    });
    let farthest = arms.fold(0.0, f64::max);
    if farthest > 0.0 { farthest } else { f64::INFINITY }
}

/// The numbers of a body's motion: name, value, whether it is a spin.
fn motion(body: &Body, planar: bool) -> Vec<(&'static str, f64, bool)> {
    let (v, omega) = (&body.velocity, &body.angular_velocity);
    if planar {
        return vec![("v_x", v.x, false), ("v_y", v.y, false), ("ω", omega.z, true)];
    }
    let names = ["v_x", "v_y", "v_z", "ω_x", "ω_y", "ω_z"];
    let values = v.iter().chain(omega.iter());
    names.into_iter().zip(values).enumerate().map(|(k, (name, value))| (name, *value, k > 2)).collect()
}

/// What laws are compared by: the motions of bodies in which any law moves anything, if they are few; else the normal
/// velocities at the contacts, if those are few.
fn compared(scenario: &ImpactScenario, predictions: &[(&Law, &ImpactPrediction)]) -> (Vec<String>, Vec<Vec<String>>) {
    let planar = scenario.dimension() == Dimension::Planar;
    let motions: Vec<Vec<(String, f64, bool)>> = predictions
        .iter()
        .map(|(_, prediction)| {
            let of = |(name, body): &(String, Body)| {
                motion(body, planar)
                    .into_iter()
                    .map(|(key, value, turns)| (format!("{name} {key}"), value, turns))
                    .collect()
            };
            prediction.bodies.iter().flat_map(|body| -> Vec<(String, f64, bool)> { of(body) }).collect()
        })
        .collect();
    let columns = motions.first().map_or(0, Vec::len);
    let speeds = motions.iter().flatten().filter(|(_, _, turns)| !turns);
    let speed = speeds.map(|(_, value, _)| value.abs()).fold(0.0, f64::max);
    let scale = |turns: bool| SOLVED * if turns { speed / farthest_contact(scenario) } else { speed };
    let before: Vec<f64> = scenario
        .scenery
        .iter()
        .flat_map(|scenery| &scenery.bodies)
        .flat_map(|(_, body)| motion(body, planar))
        .map(|(_, value, _)| value)
        .collect();
    let moves = |column: &usize| {
        before[*column] != 0.0 || motions.iter().any(|row| row[*column].1.abs() > 1e-14 * scale(row[*column].2))
    };
    let moving: Vec<usize> = (0..columns).filter(moves).collect();
    if !moving.is_empty() && moving.len() <= MOST_COLUMNS {
        let names = moving.iter().filter_map(|column| Some(motions.first()?[*column].0.clone())).collect();
        let rows = motions
            .iter()
            .map(|row| moving.iter().map(|column| number(row[*column].1, scale(row[*column].2))).collect());
        return (names, rows.collect());
    }
    let contacts = scenario.impact.contacts();
    if contacts > MOST_COLUMNS {
        return (Vec::new(), vec![Vec::new(); predictions.len()]);
    }
    let names = (0..contacts).map(|k| format!("V_n {}", scenario.contact_name(k))).collect();
    let rows = predictions.iter().map(|(_, prediction)| {
        let after = &prediction.outcome.velocities_after();
        let scale = after.iter().map(Vector3::norm).fold(0.0, f64::max);
        after.iter().map(|v| number(v.x, scale)).collect()
    });
    (names, rows.collect())
}

fn failed(prediction: &ImpactPrediction) -> String {
    let audit = &prediction.audit;
    let any = |bad: fn(&carom::audit::ContactAudit) -> bool| audit.contacts.iter().any(bad);
    let failed: Vec<&str> = [
        ("energy", audit.energy != Finding::Ok),
        ("friction", any(|contact| contact.friction != Finding::Ok)),
        ("penetration", any(|contact| contact.penetration != Finding::Ok)),
        ("consistency", audit.consistency != Finding::Ok || any(|contact| contact.consistency != Finding::Ok)),
    ]
    .into_iter()
    .filter_map(|(name, failed)| failed.then_some(name))
    .collect();
    if failed.is_empty() { "ok".to_owned() } else { format!("violates {}", failed.join(", ")) }
}

/// What the audit found, each as a sentence.
fn findings(scenario: &ImpactScenario, prediction: &ImpactPrediction) -> Vec<String> {
    let audit = &prediction.audit;
    let mut lines = Vec::new();
    for finding in [audit.energy, audit.consistency].iter().filter(|finding| **finding != Finding::Ok) {
        lines.push(finding.to_string());
    }
    for (k, contact) in audit.contacts.iter().enumerate() {
        let findings = [contact.friction, contact.penetration, contact.consistency];
        for finding in findings.iter().filter(|finding| **finding != Finding::Ok) {
            lines.push(format!("{}: {finding}", scenario.contact_name(k)));
        }
    }
    lines
}
