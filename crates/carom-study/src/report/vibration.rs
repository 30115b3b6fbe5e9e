//! What became of the vibration of the bodies.

use crate::terminal::number::number;
use carom::vibration::{Ending, FlexibleOutcome};
use serde_json::{Value, json};
use std::fmt::Write;

/// The lines of a report: where the energy is, how often the bodies touched, whether a rigid law would have done.
pub(super) fn vibration_lines(vibration: &FlexibleOutcome) -> String {
    let energy = &vibration.energy;
    let mut text = format!(
        "Vibration     {} J left, {} J damped; ",
        number(energy.vibration, energy.rigid_change.abs()),
        number(energy.damped, energy.rigid_change.abs())
    );
    let _ = match &vibration.touches[..] {
        [] => write!(text, "no contact"),
        [one] => write!(text, "one contact of {} s", number(one.to - one.from, 0.0)),
        [first, .., last] => {
            write!(text, "{} contacts within {} s", vibration.touches.len(), number(last.to - first.from, 0.0))
        }
    };
    if vibration.ending == Ending::TooManyTouches {
        text.push_str(", and no end found");
    }
    let _ = write!(text, "\nRigidity      {}\n", vibration.rigidity);
    text
}

/// The same as JSON, with every contact.
pub(super) fn vibration_json(vibration: &FlexibleOutcome) -> Value {
    let touches: Vec<Value> = vibration
        .touches
        .iter()
        .map(|touch| {
            json!({
                "from": touch.from,
                "to": touch.to,
                "impulse": touch.impulse.map(|p| p + 0.0).as_slice(),
                "peak_force": touch.peak_force,
            })
        })
        .collect();
    let (energy, rigidity) = (&vibration.energy, &vibration.rigidity);
    json!({
        "energy": energy.vibration,
        "damped": energy.damped,
        "ending": vibration.ending.name(),
        "contacts": touches,
        "rigidity": {
            "rigid": rigidity.is_rigid(),
            "response": rigidity.response,
            "energy_share": rigidity.energy_share,
            "periods": rigidity.periods,
            "verdict": rigidity.to_string(),
        },
    })
}
