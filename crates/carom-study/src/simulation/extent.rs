//! How much a run asks for, and how much it may: refused before it fills the memory or never ends.

use crate::scenario::{Engine, LARGEST, SMALLEST, SimulationScenario};
use carom::format::Digits;
use carom::sim::SteppingSettings;

/// States of bodies that are kept. One takes 104 bytes while a scene runs, and near a kilobyte while its folder is written: 10 GB.
const MOST_STATES: f64 = 1e7;
/// Each checkpoint waits for the disk, some milliseconds: hours.
const MOST_CHECKPOINTS: f64 = 1e6;
/// A step takes some microseconds for one body: minutes; and days for a thousand bodies.
const MOST_STEPS: f64 = 1e8;

/// Times are known to 2e-16 of the duration, so after this many crossings places are known to 2e-8 of the size of bodies; beyond, the
/// order of impacts is rounding. Each crossing takes microseconds at least: minutes.
const MOST_CROSSINGS: f64 = 1e8;

/// What the file and whoever runs it ask for together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    /// s.
    pub duration: f64,
    /// Time between stored states, s.
    pub interval: f64,
    /// Simulated time between checkpoints, s.
    pub checkpoint_every: Option<f64>,
}

impl Extent {
    /// Refuses what no memory or patience bears, and says what would do.
    pub fn check(&self, scenario: &SimulationScenario) -> Result<(), String> {
        let duration = self.duration;
        if !(SMALLEST..=LARGEST).contains(&duration) {
            return Err(format!("the duration is {} s; expected {SMALLEST:e} s to {LARGEST:e} s", Digits(duration)));
        }
        let bodies = scenario.scene.bodies().len().max(1);
        let of = if bodies > 1 { format!(" of {bodies} bodies") } else { String::new() };
        if scenario.settings.engine == Engine::Stepping {
            let step = scenario.settings.step.unwrap_or(SteppingSettings::default().step);
            self.pieces("`step`", step, "steps", MOST_STEPS)?;
        }
        self.pieces("`interval`", self.interval, &format!("stored states{of}"), MOST_STATES / bodies as f64)?;
        match self.checkpoint_every {
            Some(every) => self.pieces("--checkpoint-every", every, "checkpoints", MOST_CHECKPOINTS),
            None => Ok(()),
        }
    }

    /// Refuses a duration in which bodies cross the scene so often that instants can no longer be distinguished.
    pub fn check_crossings(&self, crossing_time: Option<f64>) -> Result<(), String> {
        let Some(crossing_time) = crossing_time else { return Ok(()) };
        let count = self.duration / crossing_time;
        if count <= MOST_CROSSINGS {
            return Ok(());
        }
        Err(format!(
            "velocities, gravity and loads move bodies by their own size in {} s, {} times in the duration of {} s; expected \
             {MOST_CROSSINGS:e} times at most: smaller velocities or forces, or a shorter duration",
            Digits(two_digits(crossing_time, f64::round)),
            Digits(two_digits(count, f64::round)),
            Digits(self.duration),
        ))
    }

    /// Refuses more than this number of pieces of the duration.
    fn pieces(&self, name: &str, length: f64, what: &str, most: f64) -> Result<(), String> {
        let count = self.duration / length;
        if length > 0.0 && count <= most {
            return Ok(());
        }
        let [length, duration, count] = [length, self.duration, count].map(Digits);
        Err(format!(
            "{name} {length} over a duration of {duration} s asks for {count} {what}, and {} are possible at most; expected {name} of \
             at least {} s, or a duration of at most {} s",
            Digits(most.floor()),
            Digits(two_digits(duration.0 / most, f64::ceil)),
            Digits(two_digits(length.0 * most, f64::floor)),
        ))
    }
}

/// Two digits, rounded to the side that does.
fn two_digits(value: f64, round: fn(f64) -> f64) -> f64 {
    let unit = 10_f64.powf(value.log10().floor() - 1.0);
    // A value that has two digits but for its last bits keeps them.
    let whole = (value / unit).round();
    if (value / unit - whole).abs() < 1e-9 { whole * unit } else { round(value / unit) * unit }
}

#[cfg(test)]
mod tests {
    #[test]
    fn advice_is_rounded_to_the_side_that_does() {
        let both = |value: f64| [f64::ceil as fn(f64) -> f64, f64::floor].map(|to| super::two_digits(value, to));
        assert_eq!(both(1.234e-7).map(|x| format!("{x:.3e}")), ["1.300e-7", "1.200e-7"]);
        assert_eq!(both(1e-7).map(|x| format!("{x:.3e}")), ["1.000e-7", "1.000e-7"]);
    }
}
