//! Predictions as JSON; the keys are fixed.

use super::course::phases;
use super::findings::{notes, worst};
use super::quantities::{problem_json, span_json};
use super::single::parameter_value;
use super::vibration::vibration_json;
use crate::prediction::{Answer, Prediction};
use crate::quantities::Quantities;
use crate::scenario::Scenario;
use carom::Dimension;
use carom::audit::Finding;
use carom::laws::Kind;
use carom::{Clock, ContactOutcome, EventState, ImpactEvent, Restitution};
use nalgebra::Vector3;
use serde_json::{Map, Value, json};

/// The prediction of a law that was asked for: vectors in world axes unless under `local`.
pub fn json(scenario: &Scenario, prediction: &Prediction) -> Value {
    let problem = problem_json(Quantities::of(scenario).as_ref());
    let mut object = prediction_json(scenario, prediction, &problem);
    if let Some(warnings) = object["warnings"].as_array_mut() {
        warnings.extend(scenario.unused_parameters(prediction.law.law()).into_iter().map(Value::from));
    }
    object
}

/// Every law's answer; a law that makes no prediction has only its id and `not_applicable`, the reason.
pub fn json_all(scenario: &Scenario, answers: &[Answer]) -> Value {
    let problem = problem_json(Quantities::of(scenario).as_ref());
    answers
        .iter()
        .map(|(law, answer)| match answer {
            Ok(prediction) => prediction_json(scenario, prediction, &problem),
            Err(why) => json!({"law": law.id, "not_applicable": why.to_string()}),
        })
        .collect()
}

/// The answer of a law, with the quantities of its problem.
pub(crate) fn prediction_json(scenario: &Scenario, prediction: &Prediction, problem: &Value) -> Value {
    let outcome = &prediction.outcome;
    // Of several contacts each has its own.
    let alone = match &outcome.contacts[..] {
        [contact] => Some((contact, prediction.restitution[0])),
        _ => None,
    };
    let none = Restitution { newton: None, poisson: None, stronge: None, ivanov: None };
    let outcome_keys = json!({
        "law": prediction.law.law().id,
        "bodies": bodies(scenario, prediction),
        "contacts": (0..outcome.contacts.len()).map(|k| contact(scenario, prediction, k)).collect::<Vec<_>>(),
        "joints": joints(scenario, prediction),
        "energy": {
            "before": prediction.energy.before,
            "after": prediction.energy.after,
            "change": prediction.energy.change + 0.0,
        },
        "restitution": restitution(&alone.map_or(none, |(_, restitution)| restitution)),
        "audit": {
            "energy": prediction.audit.energy.to_string(),
            "friction": worst(scenario, prediction, |contact| contact.friction),
            "penetration": worst(scenario, prediction, |contact| contact.penetration),
            "consistency": match prediction.audit.consistency {
                Finding::Ok => worst(scenario, prediction, |contact| contact.consistency),
                whole => whole.to_string(),
            },
        },
        "warnings": notes(scenario, prediction),
        "islands": scenario.impact.islands(),
        "effort": outcome.effort,
    });
    let course_keys = alone.map(|(contact, _)| course(prediction, contact));
    let problem_keys = json!({
        "parameters": parameters(prediction),
        "problem": problem,
        "version": env!("CARGO_PKG_VERSION"),
    });
    let events =
        (!outcome.events.is_empty()).then(|| json!({ "events": outcome.events.iter().map(event).collect::<Value>() }));
    let vibration = prediction.vibration.as_ref().map(|vibration| json!({ "vibration": vibration_json(vibration) }));
    let mut object = Map::new();
    for part in [Some(outcome_keys), course_keys, Some(problem_keys), events, vibration].into_iter().flatten() {
        if let Value::Object(keys) = part {
            object.extend(keys);
        }
    }
    Value::Object(object)
}

// Adding zero turns −0 into 0.

/// A vector in a contact frame.
fn local(v: &Vector3<f64>) -> Value {
    json!([v.x + 0.0, v.y + 0.0, v.z + 0.0])
}

/// A vector in world axes.
fn world(scenario: &Scenario, v: &Vector3<f64>) -> Value {
    match scenario.dimension() {
        Dimension::Planar => json!([v.x + 0.0, v.y + 0.0]),
        Dimension::Spatial => local(v),
    }
}

/// A spin or a moment.
fn turning(scenario: &Scenario, v: &Vector3<f64>) -> Value {
    match scenario.dimension() {
        Dimension::Planar => json!(v.z + 0.0),
        Dimension::Spatial => local(v),
    }
}

fn bodies(scenario: &Scenario, prediction: &Prediction) -> Vec<Value> {
    let body = |(name, body): &(String, carom::Body)| {
        let (velocity, spin) = (world(scenario, &body.velocity), turning(scenario, &body.angular_velocity));
        json!({ "name": name, "velocity": velocity, "angular_velocity": spin })
    };
    prediction.bodies.iter().map(body).collect()
}

fn joints(scenario: &Scenario, prediction: &Prediction) -> Vec<Value> {
    let named = scenario.scene.iter().flat_map(|scene| &scene.joints);
    named
        .zip(&prediction.joints)
        .map(|(named, reaction)| {
            let (impulse, moment) = (world(scenario, &reaction.impulse), turning(scenario, &reaction.moment));
            json!({ "between": named.between, "impulse": impulse, "moment": moment })
        })
        .collect()
}

fn contact(scenario: &Scenario, prediction: &Prediction, k: usize) -> Value {
    let outcome = &prediction.outcome.contacts[k];
    // Without bodies there are neither names nor world axes.
    let (between, impulse) = match scenario.scene.as_ref().and_then(|scene| scene.contacts.get(k)) {
        Some(named) => (json!(named.between), world(scenario, &named.contact.frame.to_world(&outcome.impulse))),
        None => (Value::Null, Value::Null),
    };
    let (before, after) = (&scenario.impact.velocity()[k], &outcome.velocity_after);
    let audit = prediction.audit.contacts[k];
    json!({
        "between": between,
        "mode": outcome.mode.name(),
        "local": {
            "impulse": local(&outcome.impulse),
            "velocity_before": local(before),
            "velocity_after": local(after),
        },
        "impulse": impulse,
        "newton": (before.x < 0.0).then(|| -after.x / before.x + 0.0),
        "restitution": restitution(&prediction.restitution[k]),
        "work": audit.work + 0.0,
        "span": span_json(&prediction.span(scenario, k)),
        "audit": {
            "friction": audit.friction.to_string(),
            "penetration": audit.penetration.to_string(),
            "consistency": audit.consistency.to_string(),
        },
    })
}

fn restitution(r: &Restitution) -> Value {
    let positive_zero = |value: Option<f64>| value.map(|value| value + 0.0);
    json!({
        "newton": positive_zero(r.newton),
        "poisson": positive_zero(r.poisson),
        "stronge": positive_zero(r.stronge),
        "ivanov": positive_zero(r.ivanov),
    })
}

/// How a collision goes, for laws that follow it.
fn course(prediction: &Prediction, contact: &ContactOutcome) -> Value {
    let course = contact.course;
    // A law for several contacts has no course of a contact, but one of the island.
    let followed_in = course.map(|course| course.clock).or(prediction.islands().next().map(|history| history.clock));
    let phases: Vec<Value> = phases(prediction, 0)
        .into_iter()
        .map(|phase| json!({"from": phase.from, "to": phase.to, "mode": phase.motion.name()}))
        .collect();
    let works = contact.compression.and_then(|compression| compression.works).map(|works| {
        json!({
            "compression": works.compression + 0.0,
            "restitution": works.restitution + 0.0,
            "tangential": works.tangential + 0.0,
        })
    });
    json!({
        "clock": followed_in.map(clock),
        "phases": prediction.history(0).map(|_| phases),
        "duration": course.and_then(|course| course.duration),
        "peak_force": course.and_then(|course| course.peak_force),
        "peak_indentation": course.and_then(|course| course.peak_indentation),
        "works": works,
        "evaluations": course.map(|course| course.evaluations),
    })
}

/// The values of the law's parameters by key, choices by their words: one if all contacts share it, else a list.
pub(super) fn parameters(prediction: &Prediction) -> Map<String, Value> {
    let contacts = prediction.outcome.contacts.len();
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

/// What a course is followed in, as every machine-readable output calls it.
pub(super) fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Time => "time",
        Clock::NormalImpulse => "normal-impulse",
    }
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
