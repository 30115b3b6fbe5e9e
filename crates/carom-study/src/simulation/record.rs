//! Frames and events as lines of JSON: what a run that was interrupted goes on with, and what a replay reads.

use super::json::{as_count, as_number, as_numbers, as_state, as_vector, number, numbers, state, vector};
use super::run::{Frame, Run};
use carom::ContactFrame;
use carom::sim::{Event, EventContact, EventKind, Ledger, MaterialId, Origin};
use serde_json::{Value, json};

/// A line of a record that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Its number, from 1.
    pub line: usize,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} is neither a frame nor an event", self.line)
    }
}

impl std::error::Error for Unreadable {}

/// A frame as a line.
pub fn frame_line(frame: &Frame) -> String {
    let Ledger { kinetic, potential, supplied, friction, impacts, start } = frame.ledger;
    let bodies: Value = frame.states.iter().map(state).collect();
    let ledger = numbers([kinetic, potential, supplied, friction, impacts, start]);
    json!({"frame": {"time": number(frame.time), "bodies": bodies, "ledger": ledger}}).to_string() + "\n"
}

/// An event as a line.
pub fn event_line(event: &Event) -> String {
    let contacts: Value = event.contacts.iter().map(contact).collect();
    let bodies: Value = event.bodies.iter().map(|(body, [a, b])| json!([body, state(a), state(b)])).collect();
    let joints: Value = event.joints.iter().map(|(joint, [p, m])| json!([joint, vector(p), vector(m)])).collect();
    let mut value = json!({
        "time": number(event.time), "kind": kind_word(&event.kind), "contacts": contacts,
        "energy": numbers(event.energy), "bodies": bodies, "joints": joints,
    });
    if let EventKind::Accumulation { until } = event.kind {
        value["until"] = number(until);
    }
    if let Some(factor) = event.restitution_factor {
        value["restitution_factor"] = number(factor);
    }
    json!({ "event": value }).to_string() + "\n"
}

fn contact(contact: &EventContact) -> Value {
    let mut value = json!({
        "bodies": contact.bodies, "origin": origin(contact.origin), "point": vector(&contact.point),
        "normal": vector(&contact.frame.normal()), "tangent": vector(&contact.frame.tangent()), "impulse": vector(&contact.impulse),
        "velocity_before": vector(&contact.velocity_before), "velocity_after": vector(&contact.velocity_after),
    });
    if contact.is_moment() {
        value["lever"] = vector(&contact.lever);
    }
    if contact.closing_speed > 0.0 {
        value["closing_speed"] = number(contact.closing_speed);
    }
    value
}

fn origin(origin: Origin) -> Value {
    match origin {
        Origin::Parts { parts, materials } => {
            json!({ "parts": parts, "materials": materials.map(MaterialId::index) })
        }
        Origin::String(string) => json!({ "string": string }),
        Origin::Limit(joint) => json!({ "limit": joint }),
    }
}

fn read_origin(value: &Value) -> Option<Origin> {
    let two = |key: &str| Some([as_count(&value[key][0])?, as_count(&value[key][1])?]);
    let string = || as_count(&value["string"]).map(Origin::String);
    let limit = || as_count(&value["limit"]).map(Origin::Limit);
    let parts = || Some(Origin::Parts { parts: two("parts")?, materials: two("materials")?.map(MaterialId::new) });
    parts().or_else(string).or_else(limit)
}

/// As files call it.
pub(crate) fn kind_word(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Impact => "impact",
        EventKind::Accumulation { .. } => "accumulation",
        EventKind::LiftOff => "lift-off",
        EventKind::SlipStart => "slip-start",
        EventKind::StickStart => "stick-start",
        EventKind::FeatureChange => "feature-change",
        EventKind::Jam => "jam",
        _ => "other",
    }
}

/// The run of these lines.
pub fn read_record(text: &str) -> Result<Run, Unreadable> {
    let mut run = Run::default();
    for (k, line) in text.lines().enumerate() {
        let refused = Unreadable { line: k + 1 };
        let value: Value = serde_json::from_str(line).map_err(|_| refused)?;
        if let Some(frame) = value.get("frame") {
            run.frames.push(read_frame(frame).ok_or(refused)?);
        } else {
            run.events.push(value.get("event").and_then(read_event).ok_or(refused)?);
        }
    }
    let residuals = run.frames.iter().map(|frame| frame.ledger.residual());
    run.worst_residual = residuals.fold(0.0, |worst: f64, next| if next.abs() > worst.abs() { next } else { worst });
    Ok(run)
}

fn read_frame(value: &Value) -> Option<Frame> {
    let [kinetic, potential, supplied, friction, impacts, start] = as_numbers::<6>(&value["ledger"])?;
    Some(Frame {
        time: as_number(&value["time"])?,
        states: value["bodies"].as_array()?.iter().map(as_state).collect::<Option<_>>()?,
        ledger: Ledger { kinetic, potential, supplied, friction, impacts, start },
    })
}

fn read_event(value: &Value) -> Option<Event> {
    let kind = match value["kind"].as_str()? {
        "impact" => EventKind::Impact,
        "accumulation" => EventKind::Accumulation { until: as_number(&value["until"])? },
        "lift-off" => EventKind::LiftOff,
        "slip-start" => EventKind::SlipStart,
        "stick-start" => EventKind::StickStart,
        "feature-change" => EventKind::FeatureChange,
        "jam" => EventKind::Jam,
        _ => return None,
    };
    let body = |value: &Value| Some((as_count(&value[0])?, [as_state(&value[1])?, as_state(&value[2])?]));
    let joint = |value: &Value| Some((as_count(&value[0])?, [as_vector(&value[1])?, as_vector(&value[2])?]));
    Some(Event {
        time: as_number(&value["time"])?,
        kind,
        contacts: value["contacts"].as_array()?.iter().map(read_contact).collect::<Option<_>>()?,
        energy: as_numbers(&value["energy"])?,
        bodies: value["bodies"].as_array()?.iter().map(body).collect::<Option<_>>()?,
        joints: value["joints"].as_array()?.iter().map(joint).collect::<Option<_>>()?,
        restitution_factor: as_number(&value["restitution_factor"]),
    })
}

fn read_contact(value: &Value) -> Option<EventContact> {
    let side = |k: usize| match &value["bodies"][k] {
        Value::Null => Some(None),
        body => as_count(body).map(Some),
    };
    Some(EventContact {
        bodies: [side(0)?, side(1)?],
        origin: read_origin(&value["origin"])?,
        point: as_vector(&value["point"])?,
        lever: as_vector(&value["lever"]).unwrap_or_default(),
        frame: ContactFrame::of_axes(as_vector(&value["normal"])?, as_vector(&value["tangent"])?).ok()?,
        impulse: as_vector(&value["impulse"])?,
        velocity_before: as_vector(&value["velocity_before"])?,
        velocity_after: as_vector(&value["velocity_after"])?,
        closing_speed: as_number(&value["closing_speed"]).unwrap_or(0.0),
    })
}
