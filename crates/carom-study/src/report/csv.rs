//! Predictions and reachable sets as CSV, full precision.

use super::course::phases;
use super::findings::notes;
use super::json::clock;
use super::quantities::{QUANTITY_COLUMNS, quantity_values};
use crate::prediction::{Answer, Prediction};
use crate::quantities::Quantities;
use crate::reach::Reach;
use crate::scenario::Scenario;
use crate::table::{full, lines};
use carom::Course;
use carom::Dimension;
use carom::audit::Finding;
use carom::laws::Law;
use nalgebra::Vector3;

/// The columns of every contact; those of the bodies follow if there is one contact.
const COLUMNS: [&str; 35] = [
    "law",
    "contact",
    "a",
    "b",
    "mode",
    "impulse_n",
    "impulse_t1",
    "impulse_t2",
    "velocity_before_n",
    "velocity_before_t1",
    "velocity_before_t2",
    "velocity_after_n",
    "velocity_after_t1",
    "velocity_after_t2",
    "work",
    "energy_before",
    "energy_after",
    "energy_change",
    "newton",
    "poisson",
    "stronge",
    "ivanov",
    "audit_energy",
    "audit_friction",
    "audit_penetration",
    "audit_consistency",
    "clock",
    "phases",
    "duration",
    "peak_force",
    "peak_indentation",
    "work_compression",
    "work_restitution",
    "work_tangential",
    "evaluations",
];

/// One line per law and contact. A law without prediction has one line with its id, the reason in the column `not_applicable`, and
/// the quantities of the collision if there is one contact.
pub fn csv(scenario: &Scenario, answers: &[Answer]) -> String {
    let motions = body_columns(scenario);
    let mut header: Vec<String> = COLUMNS.map(str::to_owned).to_vec();
    header.extend(motions.iter().cloned());
    header.extend(["warnings", "not_applicable"].map(str::to_owned));
    let width = header.len();
    header.extend(QUANTITY_COLUMNS.map(str::to_owned));
    let quantities = Quantities::of(scenario);
    let quantities = quantities.as_ref();
    let rows = answers.iter().flat_map(|(law, answer)| match answer {
        Ok(prediction) => (0..prediction.outcome.contacts.len())
            .map(|k| {
                let mut row = contact_row(scenario, law, prediction, k);
                row.extend(if motions.is_empty() { Vec::new() } else { body_values(scenario, prediction) });
                row.extend([notes(scenario, prediction).join("; "), String::new()]);
                row.extend(quantity_values(quantities, k, Some(&prediction.span(scenario, k))));
                row
            })
            .collect(),
        Err(why) => {
            let mut row = vec![String::new(); width];
            law.id.clone_into(&mut row[0]);
            row[width - 1] = why.to_string();
            let alone = quantities.filter(|_| scenario.impact.contacts() == 1);
            row.extend(quantity_values(alone, 0, None));
            vec![row]
        }
    });
    lines(std::iter::once(header).chain(rows))
}

/// The names of the columns for the motion of each body; none if there are several contacts, each with its line.
fn body_columns(scenario: &Scenario) -> Vec<String> {
    let columns: &[&str] = match scenario.dimension() {
        Dimension::Planar => &["vx", "vy", "omega"],
        Dimension::Spatial => &["vx", "vy", "vz", "omega_x", "omega_y", "omega_z"],
    };
    let scene = scenario.scene.iter().filter(|_| scenario.impact.contacts() == 1);
    let names = scene.flat_map(|scene| scene.bodies.iter().map(|(name, _)| name));
    names.flat_map(|name| columns.iter().map(move |column| format!("{name}_{column}"))).collect()
}

fn body_values(scenario: &Scenario, prediction: &Prediction) -> Vec<String> {
    let values = |(_, body): &(String, carom::Body)| -> Vec<f64> {
        let (v, spin) = (&body.velocity, &body.angular_velocity);
        match scenario.dimension() {
            Dimension::Planar => vec![v.x, v.y, spin.z],
            Dimension::Spatial => v.iter().chain(spin.iter()).copied().collect(),
        }
    };
    prediction.bodies.iter().flat_map(values).map(full).collect()
}

/// The values of [`COLUMNS`] at a contact.
fn contact_row(scenario: &Scenario, law: &Law, prediction: &Prediction, k: usize) -> Vec<String> {
    let outcome = &prediction.outcome.contacts[k];
    let scene = scenario.scene.as_ref().and_then(|scene| scene.contacts.get(k));
    let maybe = |x: Option<f64>| x.map_or_else(String::new, full);
    let mut row = vec![law.id.to_owned(), (k + 1).to_string()];
    row.extend(scene.map(|named| named.between.clone()).unwrap_or_default());
    row.push(outcome.mode.name().to_owned());
    let vectors = [&outcome.impulse, &scenario.impact.velocity()[k], &outcome.velocity_after];
    row.extend(vectors.iter().flat_map(|v| v.iter().map(|x| full(*x))));
    let (energy, audit) = (prediction.energy, prediction.audit.contacts[k]);
    row.extend([audit.work, energy.before, energy.after, energy.change].map(full));
    let r = prediction.restitution[k];
    row.extend([r.newton, r.poisson, r.stronge, r.ivanov].map(maybe));
    let whole = prediction.audit.consistency;
    let consistency = if whole == Finding::Ok { audit.consistency } else { whole };
    let findings = [prediction.audit.energy, audit.friction, audit.penetration, consistency];
    row.extend(findings.map(|finding| finding.to_string()));
    row.extend(course_values(prediction, k));
    row
}

/// How a contact goes that a law follows by itself.
fn course_values(prediction: &Prediction, k: usize) -> Vec<String> {
    let outcome = &prediction.outcome.contacts[k];
    let maybe = |x: Option<f64>| x.map_or_else(String::new, full);
    let course = outcome.course;
    let phases = phases(prediction, k);
    let phases = phases.iter().map(|phase| format!("{} to {}", phase.motion, full(phase.to)));
    let mut row = vec![course.map_or("", |course| clock(course.clock)).to_owned()];
    row.push(phases.collect::<Vec<_>>().join("; "));
    let measured: [fn(&Course) -> Option<f64>; 3] = [|c| c.duration, |c| c.peak_force, |c| c.peak_indentation];
    row.extend(measured.map(|value| maybe(course.as_ref().and_then(value))));
    let works = outcome.compression.and_then(|compression| compression.works);
    row.extend([works.map(|w| w.compression), works.map(|w| w.restitution), works.map(|w| w.tangential)].map(maybe));
    row.push(course.map_or_else(String::new, |course| course.evaluations.to_string()));
    row
}

/// Every sampled impulse of every law: the law, its free parameters, impulse, velocity after, energy change.
pub fn reach_csv(reaches: &[Reach]) -> String {
    let header = [
        "law",
        "parameters",
        "impulse_n",
        "impulse_t1",
        "impulse_t2",
        "velocity_after_n",
        "velocity_after_t1",
        "velocity_after_t2",
        "energy_change",
    ]
    .map(str::to_owned)
    .to_vec();
    let rows = reaches.iter().flat_map(|reach| {
        reach.samples.iter().map(move |sample| {
            let parameters: Vec<String> =
                reach.free.iter().zip(&sample.values).map(|(key, value)| format!("{key}={}", full(*value))).collect();
            let mut row = vec![reach.law.id.to_owned(), parameters.join(" ")];
            let vectors: [&Vector3<f64>; 2] = [&sample.impulse, &sample.velocity_after];
            row.extend(vectors.iter().flat_map(|v| v.iter().map(|x| full(*x))));
            row.push(full(sample.energy_change));
            row
        })
    });
    lines(std::iter::once(header).chain(rows))
}
