//! Several contacts for machines; the keys are those of one contact, with a list of contacts.

use super::json::add_warnings;
use super::quantities::{CONTACT_COLUMNS, impact_problem_json, impact_values, span_json};
use super::single::parameter_value;
use crate::impact_prediction::ImpactPrediction;
use crate::prediction::Refusal;
use crate::quantities::ImpactQuantities;
use crate::scenario::{Dimension, ImpactScenario};
use crate::table::{full, lines};
use carom::audit::ContactAudit;
use carom::audit::Finding;
use carom::laws::{Kind, Law};
use carom::{EventState, ImpactEvent};
use nalgebra::Vector3;
use serde_json::{Map, Value, json};

/// One prediction as an object: vectors in world axes unless under `local`.
pub fn impact_json(scenario: &ImpactScenario, prediction: &ImpactPrediction) -> Value {
    let mut object = prediction_json(scenario, prediction, &impact_problem_json(scenario));
    add_warnings(&mut object, scenario.unused_parameters(prediction.law.law()));
    object
}

fn prediction_json(scenario: &ImpactScenario, prediction: &ImpactPrediction, problem: &Value) -> Value {
    let planar = scenario.dimension() == Dimension::Planar;
    // Adding zero turns −0 into 0.
    let local = |v: &Vector3<f64>| json!([v.x + 0.0, v.y + 0.0, v.z + 0.0]);
    let world = |v: &Vector3<f64>| if planar { json!([v.x + 0.0, v.y + 0.0]) } else { local(v) };
    let turning = |v: &Vector3<f64>| if planar { json!(v.z + 0.0) } else { local(v) };
    let bodies: Vec<Value> = prediction
        .bodies
        .iter()
        .map(|(name, body)| {
            let (velocity, spin) = (world(&body.velocity), turning(&body.angular_velocity));
            json!({ "name": name, "velocity": velocity, "angular_velocity": spin })
        })
        .collect();
    let outcome = &prediction.outcome;
    let contacts: Vec<Value> = (0..outcome.impulses().len())
        .map(|k| {
            // Without bodies there are neither names nor world axes.
            let (between, impulse) = match &scenario.scenery {
                Some(scenery) => {
                    let frame = &scenery.contacts[k].frame;
                    (json!(scenery.between[k]), world(&frame.to_world(&outcome.contacts[k].impulse)))
                }
                None => (Value::Null, Value::Null),
            };
            let (before, after) = (&scenario.impact.velocity()[k], &outcome.contacts[k].velocity_after);
            let audit = prediction.audit.contacts[k];
            json!({
                "between": between,
                "mode": prediction.modes[k].name(),
                "local": {
                    "impulse": local(&outcome.contacts[k].impulse),
                    "velocity_before": local(before),
                    "velocity_after": local(after),
                },
                "impulse": impulse,
                "newton": (before.x < 0.0).then(|| -after.x / before.x + 0.0),
                "work": audit.work + 0.0,
                "span": span_json(&prediction.span(scenario, k)),
                "audit": {
                    "friction": audit.friction.to_string(),
                    "penetration": audit.penetration.to_string(),
                    "consistency": audit.consistency.to_string(),
                },
            })
        })
        .collect();
    let joints: Vec<Value> = scenario.scenery.as_ref().map_or_else(Vec::new, |scenery| {
        let each = scenery.joints.iter().zip(&prediction.joints);
        each.map(|(named, reaction)| {
            let (impulse, moment) = (world(&reaction.impulse), turning(&reaction.moment));
            json!({ "between": named.between, "impulse": impulse, "moment": moment })
        })
        .collect()
    });
    let mut object = json!({
        "law": prediction.law.law().id,
        "bodies": bodies,
        "contacts": contacts,
        "joints": joints,
        "energy": {
            "before": prediction.energy.before,
            "after": prediction.energy.after,
            "change": prediction.energy.change + 0.0,
        },
        "restitution": { "newton": null, "poisson": null, "stronge": null, "ivanov": null },
        "audit": {
            "energy": prediction.audit.energy.to_string(),
            "friction": worst(scenario, prediction, |contact| contact.friction),
            "penetration": worst(scenario, prediction, |contact| contact.penetration),
            "consistency": match prediction.audit.consistency {
                Finding::Ok => worst(scenario, prediction, |contact| contact.consistency),
                whole => whole.to_string(),
            },
        },
        "warnings": outcome.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "islands": scenario.impact.islands(),
        "effort": { "iterations": outcome.effort.iterations, "residual": outcome.effort.residual },
        "parameters": parameters(prediction),
        "problem": problem,
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let (Value::Object(keys), false) = (&mut object, outcome.events.is_empty()) {
        keys.insert("events".to_owned(), outcome.events.iter().map(event).collect());
    }
    object
}

/// An impact event; contacts are numbered from 1.
fn event(event: &ImpactEvent) -> Value {
    let numbers = |contacts: &[usize]| contacts.iter().map(|contact| contact + 1).collect::<Vec<_>>();
    let state = |state: &EventState| json!({ "normal_impulses": state.normal_impulses, "work": state.work + 0.0 });
    let pieces: Vec<Value> = event
        .pieces
        .iter()
        .map(|piece| {
            let first = piece.shares[0];
            let ratios: Vec<Option<f64>> =
                piece.shares.iter().map(|share| (first > 0.0).then(|| share / first)).collect();
            json!({
                "from": piece.from,
                "to": piece.to,
                "shares": piece.shares,
                "ratios": ratios,
                "departure": piece.departure,
            })
        })
        .collect();
    let rests: Vec<Value> = event
        .rests
        .iter()
        .map(|rest| {
            json!({
                "contact": rest.contact + 1,
                "at": rest.at,
                "critical_friction": rest.critical_friction,
                "next": rest.next.name(),
            })
        })
        .collect();
    json!({
        "contacts": numbers(&event.contacts),
        "left_out": numbers(&event.left_out),
        "restitution": event.restitution,
        "from": event.from,
        "to": event.to,
        "compression": event.compression.as_ref().map(state),
        "end": state(&event.end),
        "pieces": pieces,
        "rests": rests,
    })
}

/// Every law's answer; a law that makes no prediction has only its id and `not_applicable`, the reason.
pub fn impact_json_all(
    scenario: &ImpactScenario,
    answers: &[(&'static Law, Result<ImpactPrediction, Refusal>)],
) -> Value {
    let problem = impact_problem_json(scenario);
    answers
        .iter()
        .map(|(law, answer)| match answer {
            Ok(prediction) => prediction_json(scenario, prediction, &problem),
            Err(why) => json!({"law": law.id, "not_applicable": why.to_string()}),
        })
        .collect()
}

/// One line per law and contact, full precision; a law without prediction has only its id and the reason.
pub fn impact_csv(scenario: &ImpactScenario, answers: &[(&'static Law, Result<ImpactPrediction, Refusal>)]) -> String {
    let header = [
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
        "audit_energy",
        "audit_friction",
        "audit_penetration",
        "audit_consistency",
        "warnings",
        "not_applicable",
    ];
    let width = header.len();
    let quantities = ImpactQuantities::of(scenario);
    let rows = answers.iter().flat_map(|(law, answer)| match answer {
        Err(why) => {
            let mut row = vec![String::new(); width + CONTACT_COLUMNS.len()];
            law.id.clone_into(&mut row[0]);
            row[width - 1] = why.to_string();
            vec![row]
        }
        Ok(prediction) => {
            let mut rows = contact_rows(scenario, law, prediction);
            for (k, row) in rows.iter_mut().enumerate() {
                row.extend(impact_values(quantities.as_ref(), k, &prediction.span(scenario, k)));
            }
            rows
        }
    });
    let header = header.into_iter().chain(CONTACT_COLUMNS).map(str::to_owned).collect();
    lines(std::iter::once(header).chain(rows))
}

fn contact_rows(scenario: &ImpactScenario, law: &Law, prediction: &ImpactPrediction) -> Vec<Vec<String>> {
    let outcome = &prediction.outcome;
    let notes = outcome.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
    (0..outcome.impulses().len())
        .map(|k| {
            let names = scenario.scenery.as_ref().map(|scenery| scenery.between[k].clone()).unwrap_or_default();
            let mut row = vec![law.id.to_owned(), (k + 1).to_string()];
            row.extend(names);
            row.push(prediction.modes[k].name().to_owned());
            let vectors =
                [&outcome.contacts[k].impulse, &scenario.impact.velocity()[k], &outcome.contacts[k].velocity_after];
            row.extend(vectors.iter().flat_map(|v| v.iter().map(|x| full(*x))));
            let (energy, audit) = (prediction.energy, prediction.audit.contacts[k]);
            row.extend([audit.work, energy.before, energy.after, energy.change].map(full));
            let whole = prediction.audit.consistency;
            let consistency = if whole == Finding::Ok { audit.consistency } else { whole };
            let findings = [prediction.audit.energy, audit.friction, audit.penetration, consistency];
            row.extend(findings.map(|finding| finding.to_string()));
            row.extend([notes.clone(), String::new()]);
            row
        })
        .collect()
}

/// `ok`, or the first contact that is not.
fn worst(scenario: &ImpactScenario, prediction: &ImpactPrediction, of: fn(&ContactAudit) -> Finding) -> String {
    let bad = prediction.audit.contacts.iter().enumerate().find(|(_, contact)| of(contact) != Finding::Ok);
    bad.map_or_else(|| "ok".to_owned(), |(k, contact)| format!("{}: {}", scenario.contact_name(k), of(contact)))
}

/// The values of the law's parameters by key: one if all contacts share it, else a list.
fn parameters(prediction: &ImpactPrediction) -> Map<String, Value> {
    let contacts = prediction.outcome.impulses().len();
    let each = prediction.law.law().parameters.iter().enumerate().map(|(k, parameter)| {
        let values: Vec<Value> = (0..contacts)
            .map(|contact| match (parameter.kind, prediction.law.values(contact)[k]) {
                (Kind::Choice(_), value) => json!(parameter_value(parameter, value)),
                (Kind::Number { .. }, f64::INFINITY) => json!("inf"),
                (Kind::Number { .. }, value) => json!(value),
            })
            .collect();
        let same = values.windows(2).all(|pair| pair[0] == pair[1]);
        let value = if same { values.first().cloned().unwrap_or_default() } else { Value::Array(values) };
        (parameter.key.to_owned(), value)
    });
    each.collect()
}
