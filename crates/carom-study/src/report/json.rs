//! Predictions as JSON; the keys are fixed.

use crate::prediction::{Prediction, Refusal};
use crate::report::single::parameter_value;
use crate::scenario::{Dimension, Problem, Scenario};
use carom::audit::Finding;
use carom::laws::{Kind, Law};
use nalgebra::Vector3;
use serde_json::{Map, Value, json};

/// One prediction as the object DESIGN fixes: vectors in world axes unless under `local`.
pub fn json(scenario: &Scenario, prediction: &Prediction) -> Value {
    let planar = scenario.dimension() == Dimension::Planar;
    let world = |v: &Vector3<f64>| if planar { json!([v.x, v.y]) } else { json!([v.x, v.y, v.z]) };
    let local = |v: &Vector3<f64>| json!([v.x, v.y, v.z]);
    let bodies: Vec<Value> = prediction
        .bodies
        .iter()
        .map(|(name, body)| {
            let spin = &body.angular_velocity;
            json!({
                "name": name,
                "velocity": world(&body.velocity),
                "angular_velocity": if planar { json!(spin.z) } else { world(spin) },
            })
        })
        .collect();
    let outcome = &prediction.outcome;
    let mut contact = Map::new();
    if let Problem::Bodies(scene) = &scenario.problem {
        contact.insert("between".to_owned(), json!(scene.between));
    }
    contact.insert("mode".to_owned(), json!(outcome.mode.name()));
    contact.insert(
        "local".to_owned(),
        json!({
            "impulse": local(&outcome.impulse),
            "velocity_before": local(scenario.collision.velocity()),
            "velocity_after": local(&outcome.velocity_after),
        }),
    );
    if let Problem::Bodies(scene) = &scenario.problem {
        contact.insert("impulse".to_owned(), world(&scene.frame.to_world(&outcome.impulse)));
    }
    let law = prediction.law.law();
    let parameters: Map<String, Value> = law
        .parameters
        .iter()
        .zip(prediction.law.values())
        .map(|(parameter, value)| {
            let value = match parameter.kind {
                Kind::Choice(_) => json!(parameter_value(parameter, *value)),
                Kind::Number { .. } => json!(value),
            };
            (parameter.key.to_owned(), value)
        })
        .collect();
    let r = prediction.restitution;
    let audit = prediction.audit;
    json!({
        "law": law.id,
        "bodies": bodies,
        "contacts": [contact],
        "energy": {
            "before": prediction.energy.before,
            "after": prediction.energy.after,
            "change": prediction.energy.change,
        },
        "restitution": {"newton": r.newton, "poisson": r.poisson, "stronge": r.stronge, "ivanov": r.ivanov},
        "audit": {
            "energy": finding(audit.energy),
            "friction": finding(audit.friction),
            "penetration": finding(audit.penetration),
        },
        "warnings": outcome.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "parameters": parameters,
        "version": env!("CARGO_PKG_VERSION"),
    })
}

/// Every law's answer; a law that makes no prediction has only its id and `not_applicable`, the reason.
pub fn json_all(scenario: &Scenario, answers: &[(&'static Law, Result<Prediction, Refusal>)]) -> Value {
    answers
        .iter()
        .map(|(law, answer)| match answer {
            Ok(prediction) => json(scenario, prediction),
            Err(why) => json!({"law": law.id, "not_applicable": why.to_string()}),
        })
        .collect()
}

fn finding(finding: Finding) -> String {
    finding.to_string()
}
