//! Predictions and reachable sets as CSV, one line each, full precision.

use crate::prediction::{Prediction, Refusal};
use crate::quantities::ContactQuantities;
use crate::reach::Reach;
use crate::report::course::phases;
use crate::report::json::clock;
use crate::report::quantities::{CONTACT_COLUMNS, collision_values};
use crate::scenario::{Dimension, Scenario};
use crate::table::{full, lines};
use carom::Course;
use carom::laws::Law;
use nalgebra::Vector3;

/// One line per law; a law without prediction has only its id and the reason in the last column.
pub fn csv(scenario: &Scenario, answers: &[(&'static Law, Result<Prediction, Refusal>)]) -> String {
    let planar = scenario.dimension() == Dimension::Planar;
    let body_columns: &[&str] =
        if planar { &["vx", "vy", "omega"] } else { &["vx", "vy", "vz", "omega_x", "omega_y", "omega_z"] };
    let names: Vec<&str> = answers
        .iter()
        .find_map(|(_, answer)| answer.as_ref().ok())
        .map_or_else(Vec::new, |p| p.bodies.iter().map(|(name, _)| name.as_str()).collect());

    let mut header: Vec<String> = [
        "law",
        "mode",
        "impulse_n",
        "impulse_t1",
        "impulse_t2",
        "velocity_after_n",
        "velocity_after_t1",
        "velocity_after_t2",
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
    ]
    .map(str::to_owned)
    .to_vec();
    header.extend(names.iter().flat_map(|name| body_columns.iter().map(move |column| format!("{name}_{column}"))));
    header.extend(["warnings", "not_applicable"].map(str::to_owned));
    let width = header.len();
    header.extend(CONTACT_COLUMNS.map(str::to_owned));
    let Some(quantities) = ContactQuantities::of(scenario) else { return String::new() };

    let rows = answers.iter().map(|(law, answer)| match answer {
        Ok(prediction) => {
            let mut row = prediction_row(law, prediction, planar);
            row.extend(collision_values(&quantities, Some(&prediction.span(scenario))));
            row
        }
        Err(why) => {
            let mut row = vec![String::new(); width];
            law.id.clone_into(&mut row[0]);
            row[width - 1] = why.to_string();
            row.extend(collision_values(&quantities, None));
            row
        }
    });
    lines(std::iter::once(header).chain(rows))
}

fn prediction_row(law: &Law, prediction: &Prediction, planar: bool) -> Vec<String> {
    let outcome = &prediction.outcome;
    let mut row = vec![law.id.to_owned(), outcome.mode.name().to_owned()];
    let plain = |x: &f64| full(*x);
    row.extend(outcome.impulse.iter().map(plain));
    row.extend(outcome.velocity_after.iter().map(plain));
    let energy = prediction.energy;
    row.extend([energy.before, energy.after, energy.change].iter().map(plain));
    let r = prediction.restitution;
    row.extend([r.newton, r.poisson, r.stronge, r.ivanov].map(|e| e.map_or_else(String::new, full)));
    let audit = prediction.audit;
    row.extend(audit.findings().map(|(_, finding)| finding.to_string()));
    let course = outcome.course;
    row.push(course.map_or("", |course| clock(course.clock)).to_owned());
    let phases = phases(prediction);
    let phases = phases.iter().map(|phase| format!("{} to {}", phase.motion, full(phase.to)));
    row.push(phases.collect::<Vec<_>>().join("; "));
    let maybe = |x: Option<f64>| x.map_or_else(String::new, full);
    let measured: [fn(&Course) -> Option<f64>; 3] = [|c| c.duration, |c| c.peak_force, |c| c.peak_indentation];
    row.extend(measured.map(|value| maybe(course.as_ref().and_then(value))));
    let works = outcome.compression.and_then(|compression| compression.works);
    row.extend([works.map(|w| w.compression), works.map(|w| w.restitution), works.map(|w| w.tangential)].map(maybe));
    row.push(course.map_or_else(String::new, |course| course.evaluations.to_string()));
    for (_, body) in &prediction.bodies {
        let (v, spin) = (&body.velocity, &body.angular_velocity);
        if planar {
            row.extend([v.x, v.y, spin.z].iter().map(plain));
        } else {
            row.extend(v.iter().chain(spin.iter()).map(plain));
        }
    }
    row.push(outcome.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
    row.push(String::new());
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
