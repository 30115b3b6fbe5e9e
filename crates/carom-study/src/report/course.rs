//! How a collision goes, in words.

use crate::prediction::Prediction;
use crate::prefix::Prefix;
use crate::terminal::number::number;
use carom::{Clock, ContactHistory, Motion, Phase};
use std::fmt::Write;

/// Phases named at most; a body that rattles has many.
const MOST: usize = 8;

/// How long the collision lasts, its greatest force, and what the contact does; `None` for a law that jumps.
pub fn course(prediction: &Prediction) -> Option<String> {
    let course = prediction.outcome.contacts.first()?.course?;
    let phases = phases(prediction, 0);
    let words = match course.clock {
        _ if phases.is_empty() => None,
        Clock::Time => Some(in_words(&phases, "s")),
        Clock::NormalImpulse => Some(in_words(&phases, "N s") + " of normal impulse"),
    };
    let parts: Vec<String> = [in_short(prediction), words].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Duration, greatest force and greatest indentation, as far as the law has them; `None` unless it is followed in time.
pub fn in_short(prediction: &Prediction) -> Option<String> {
    let course = prediction.outcome.contacts.first()?.course?;
    let mut words = format!("{} long", quantity(course.duration?, "s"));
    for (name, value, unit) in
        [("greatest normal force", course.peak_force, "N"), ("greatest indentation", course.peak_indentation, "m")]
    {
        if let Some(value) = value {
            let _ = write!(words, ", {name} {}", quantity(value, unit));
        }
    }
    Some(words)
}

/// What a contact did, one after the other.
pub fn phases(prediction: &Prediction, contact: usize) -> Vec<Phase> {
    prediction.history(contact).map_or_else(Vec::new, ContactHistory::phases)
}

/// Each phase with its end. What is so short that it ends where the one before did goes unsaid.
fn in_words(phases: &[Phase], unit: &str) -> String {
    let last = phases.last().map_or(0.0, |phase| phase.to);
    let prefix = Prefix::of(last).unwrap_or(Prefix::NONE);
    let mut said: Vec<(Motion, String)> = Vec::new();
    for phase in phases {
        let end = number(prefix.of_value(phase.to), prefix.of_value(last));
        match said.last_mut() {
            Some((_, before)) if *before == end => {}
            Some((motion, before)) if *motion == phase.motion => *before = end,
            _ => said.push((phase.motion, end)),
        }
    }
    let shown = said.iter().take(MOST).map(|(motion, end)| format!("{motion} to {end} {}{unit}", prefix.symbol));
    let mut words = shown.collect::<Vec<_>>().join(", ");
    if said.len() > MOST {
        let _ = write!(words, " and {} more phases", said.len() - MOST);
    }
    words
}

/// A number with the prefix that makes it short.
fn quantity(value: f64, unit: &str) -> String {
    let prefix = Prefix::of(value).unwrap_or(Prefix::NONE);
    format!("{} {}{unit}", number(prefix.of_value(value), 0.0), prefix.symbol)
}

#[cfg(test)]
mod tests {
    use super::in_words;
    use carom::{Motion, Phase};

    #[test]
    fn phases_too_short_to_tell_go_unsaid() {
        let phase = |from, to, motion| Phase { from, to, motion };
        let phases = [
            phase(0.0, 1.2e-4, Motion::Slipping),
            phase(1.2e-4, 1.2e-4 + 1e-15, Motion::Sticking),
            phase(1.2e-4 + 1e-15, 3.1e-4, Motion::Slipping),
            phase(3.1e-4, 4e-4, Motion::PartlySlipping),
        ];
        assert_eq!(in_words(&phases, "s"), "slipping to 310 µs, partly-slipping to 400 µs");
        assert_eq!(in_words(&[phase(0.0, 0.0, Motion::Frictionless)], "s"), "frictionless to 0 s");
    }

    #[test]
    fn a_rattling_body_is_cut_short() {
        let phases: Vec<Phase> = (0..11)
            .map(|k| (f64::from(k), if k % 2 == 0 { Motion::Sticking } else { Motion::Apart }))
            .map(|(from, motion)| Phase { from, to: from + 1.0, motion })
            .collect();
        assert!(in_words(&phases, "s").ends_with("apart to 8 s and 3 more phases"));
    }
}
