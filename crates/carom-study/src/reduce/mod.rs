//! `carom reduce`: tracks of bodies, frame by frame, become measured collisions with their errors.
//!
//! A trial is one collision with a wall or of two bodies. A robust regression gives the flight of each body before and after it; the flights
//! meet at the instant of the collision; outline and turn there give the contact, and all quantities are functions of the flights'
//! parameters, whose errors they carry on (Chatterjee 1997, chapter 11).

mod contact;
mod deviation;
mod flight;
mod frames;
mod motion;
mod outline;
mod place;
mod quantities;
mod report;
mod setup;
mod sides;
mod spin;
mod split;
mod start;
mod trial;
mod uncertainty;

pub use flight::Flight;
pub use frames::{Phase, Seen, Sighting, Track, Trial, of_columns, parse, read};
pub use motion::{Deviations, Measured, Motion};
pub use outline::{Outline, Symmetry};
pub use place::Place;
pub use quantities::Quantity;
pub use setup::{Camera, Forces, Setup, Tracked, Wall};
pub use trial::Collided;
pub use uncertainty::Uncertain;

use std::fmt;

/// Why nothing can be reduced, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReduceError(pub String);

impl fmt::Display for ReduceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReduceError {}

/// How to reduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Draws of the Monte Carlo errors of each trial; none without.
    pub draws: usize,
    /// Of the draws.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { draws: 400, seed: 1 }
    }
}

/// A trial that gives no collision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name.
    pub trial: String,
    /// Where its tracks begin.
    pub place: Place,
    /// Why, in words.
    pub reason: String,
}

/// The collisions of a file.
#[derive(Clone, Debug)]
pub struct Reduction {
    /// What was measured, if the setup says it.
    pub title: Option<String>,
    /// Those that can be used, in the order of the file.
    pub collisions: Vec<Collided>,
    /// Those that cannot.
    pub left_out: Vec<LeftOut>,
    /// Of what was measured.
    pub deviations: Deviations,
    /// Whether the setup gives the deviations of coordinates and of angles, or they were measured.
    pub deviations_given: [bool; 2],
    /// The standard deviation of the residuals of all flights in units of the given deviations, if there are enough of them; 1 if the given
    /// deviations are right.
    pub residuals: Option<f64>,
}

/// Reduces trials. `progress` gets the number of trials that are done, often, and says whether to go on.
pub fn reduce(
    trials: &[Trial],
    setup: &Setup,
    settings: &Settings,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Result<Reduction, ReduceError> {
    let split: Vec<Result<sides::Sides<'_>, LeftOut>> =
        trials.iter().map(|trial| sides::Sides::of(trial, setup)).collect();
    let sound: Vec<&sides::Sides<'_>> = split.iter().flatten().collect();
    let found = deviation::deviations(&sound, setup)?;
    let (mut collisions, mut left_out) = (Vec::new(), Vec::new());
    let mut is_stopped = false;
    for (done, sides) in split.iter().enumerate() {
        let mut goes_on = || {
            is_stopped = is_stopped || !progress(done);
            !is_stopped
        };
        match sides {
            Err(out) => left_out.push(out.clone()),
            Ok(sides) => match trial::collide(sides, setup, &found.deviations, settings, &mut goes_on) {
                Ok(collided) => collisions.push(collided),
                Err(reason) => left_out.push(sides.left_out(reason)),
            },
        }
        if is_stopped || !progress(done + 1) {
            return Err(ReduceError("stopped before the end".to_owned()));
        }
    }
    if collisions.is_empty() {
        return Err(ReduceError(match left_out.first() {
            Some(LeftOut { trial, place, reason }) => {
                format!("no trial gives a collision; {place}: trial {trial}: {reason}")
            }
            None => "there are no trials".to_owned(),
        }));
    }
    Ok(Reduction {
        title: setup.title.clone(),
        collisions,
        left_out,
        deviations: found.deviations,
        deviations_given: found.given,
        residuals: found.residuals,
    })
}
