//! Predictions as JSON; the keys are fixed.

use crate::prediction::{Prediction, Refusal};
use crate::quantities::ContactQuantities;
use crate::report::course::phases;
use crate::report::quantities::{contact_json, span_json};
use crate::report::single::parameter_value;
use crate::report::vibration::vibration_json;
use crate::scenario::{Dimension, Scenario};
use carom::Clock;
use carom::laws::{Kind, Law};
use nalgebra::Vector3;
use serde_json::{Map, Value, json};

/// The prediction of a law that was asked for: vectors in world axes unless under `local`.
pub fn json(scenario: &Scenario, prediction: &Prediction) -> Value {
    let mut object = prediction_json(scenario, prediction);
    add_warnings(&mut object, scenario.unused_parameters(prediction.law.law()));
    object
}

/// Adds notes to the `warnings` of a prediction.
pub(super) fn add_warnings(object: &mut Value, notes: Vec<String>) {
    if let Some(warnings) = object["warnings"].as_array_mut() {
        warnings.extend(notes.into_iter().map(Value::from));
    }
}

fn prediction_json(scenario: &Scenario, prediction: &Prediction) -> Value {
    let planar = scenario.dimension() == Dimension::Planar;
    // Adding zero turns −0 into 0.
    let local = |v: &Vector3<f64>| json!([v.x + 0.0, v.y + 0.0, v.z + 0.0]);
    let world = |v: &Vector3<f64>| if planar { json!([v.x + 0.0, v.y + 0.0]) } else { local(v) };
    let bodies: Vec<Value> = prediction
        .bodies
        .iter()
        .map(|(name, body)| {
            let spin = &body.angular_velocity;
            json!({
                "name": name,
                "velocity": world(&body.velocity),
                "angular_velocity": if planar { json!(spin.z + 0.0) } else { world(spin) },
            })
        })
        .collect();
    let outcome = &prediction.outcome;
    // Without bodies there are neither names nor world axes.
    let (between, impulse) = match scenario.scene.as_ref().and_then(|scene| scene.contacts.first()) {
        Some(named) => (json!(named.between), world(&named.contact.frame.to_world(&outcome.impulse))),
        None => (Value::Null, Value::Null),
    };
    let contact = json!({
        "between": between,
        "mode": outcome.mode.name(),
        "local": {
            "impulse": local(&outcome.impulse),
            "velocity_before": local(&scenario.impact.velocity()[0]),
            "velocity_after": local(&outcome.velocity_after),
        },
        "impulse": impulse,
        "span": span_json(&prediction.span(scenario)),
    });
    let course = outcome.course;
    let phases: Vec<Value> = phases(prediction)
        .into_iter()
        .map(|phase| json!({"from": phase.from, "to": phase.to, "mode": phase.motion.name()}))
        .collect();
    let works = outcome.compression.and_then(|compression| compression.works).map(|works| {
        json!({
            "compression": works.compression + 0.0,
            "restitution": works.restitution + 0.0,
            "tangential": works.tangential + 0.0,
        })
    });
    let r = prediction.restitution;
    let audit = prediction.audit;
    let mut object = json!({
        "law": prediction.law.law().id,
        "bodies": bodies,
        "contacts": [contact],
        "energy": {
            "before": prediction.energy.before,
            "after": prediction.energy.after,
            "change": prediction.energy.change + 0.0,
        },
        "restitution": {
            "newton": positive_zero(r.newton),
            "poisson": positive_zero(r.poisson),
            "stronge": positive_zero(r.stronge),
            "ivanov": positive_zero(r.ivanov),
        },
        "audit": {
            "energy": audit.energy.to_string(),
            "friction": audit.friction.to_string(),
            "penetration": audit.penetration.to_string(),
            "consistency": audit.consistency.to_string(),
        },
        "warnings": outcome.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "clock": course.map(|course| clock(course.clock)),
        "phases": prediction.history.as_ref().map(|_| phases),
        "duration": course.and_then(|course| course.duration),
        "peak_force": course.and_then(|course| course.peak_force),
        "peak_indentation": course.and_then(|course| course.peak_indentation),
        "works": works,
        "evaluations": course.map(|course| course.evaluations),
        "parameters": parameters(prediction),
        "problem": ContactQuantities::of(scenario).as_ref().map(contact_json),
        "version": env!("CARGO_PKG_VERSION"),
    });
    if let (Some(scene), false) = (&scenario.scene, prediction.joints.is_empty()) {
        let turning = |v: &Vector3<f64>| if planar { json!(v.z + 0.0) } else { local(v) };
        let each = scene.joints.iter().zip(&prediction.joints);
        let joints = each.map(|(named, reaction)| {
            let (impulse, moment) = (world(&reaction.impulse), turning(&reaction.moment));
            json!({ "between": named.between, "impulse": impulse, "moment": moment })
        });
        object["joints"] = joints.collect();
    }
    if let Some(vibration) = &prediction.vibration {
        object["vibration"] = vibration_json(vibration);
    }
    object
}

/// The values of the law's parameters by key; choices by their words.
pub(super) fn parameters(prediction: &Prediction) -> Map<String, Value> {
    let bound = prediction.law.law().parameters.iter().zip(prediction.law.values());
    bound
        .map(|(parameter, value)| {
            let value = match parameter.kind {
                Kind::Choice(_) => json!(parameter_value(parameter, *value)),
                Kind::Number { .. } if *value == f64::INFINITY => json!("inf"),
                Kind::Number { .. } => json!(value),
            };
            (parameter.key.to_owned(), value)
        })
        .collect()
}

/// What a course is followed in, as every machine-readable output calls it.
pub(super) fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Time => "time",
        Clock::NormalImpulse => "normal-impulse",
    }
}

/// Every law's answer; a law that makes no prediction has only its id and `not_applicable`, the reason.
pub fn json_all(scenario: &Scenario, answers: &[(&'static Law, Result<Prediction, Refusal>)]) -> Value {
    answers
        .iter()
        .map(|(law, answer)| match answer {
            Ok(prediction) => prediction_json(scenario, prediction),
            Err(why) => json!({"law": law.id, "not_applicable": why.to_string()}),
        })
        .collect()
}

fn positive_zero(value: Option<f64>) -> Option<f64> {
    value.map(|value| value + 0.0)
}
