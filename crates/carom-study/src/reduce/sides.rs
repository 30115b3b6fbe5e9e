//! The sightings of a trial on both sides of its collision, and the flights through them.

use super::LeftOut;
use super::flight::Flight;
use super::frames::{Phase, Sighting, Trial};
use super::motion::{Deviations, Motion};
use super::setup::Setup;
use super::split;
use nalgebra::UnitQuaternion;

/// The sightings of a trial before and after its collision.
pub(super) struct Sides<'a> {
    pub trial: &'a Trial,
    pub passages: Vec<SidesOfBody<'a>>,
}

/// Those of a body.
pub(super) struct SidesOfBody<'a> {
    pub body: usize,
    pub before: &'a [Sighting],
    pub after: &'a [Sighting],
}

/// Of the outline's reach, what a first look allows as error.
const FIRST: f64 = 2e-3;
/// The deviation of a first look at the tracks, before any is known.
pub(super) fn first_look(setup: &Setup) -> Deviations {
    let reach = setup.bodies.iter().map(|body| body.outline.reach()).fold(0.0, f64::max);
    Deviations {
        coordinate: setup.camera.deviation.unwrap_or(FIRST * reach),
        angle: setup.camera.angle_deviation.unwrap_or(FIRST),
    }
}

impl<'a> Sides<'a> {
    /// The sides of a trial; or why it has none.
    pub fn of(trial: &'a Trial, setup: &Setup) -> Result<Sides<'a>, LeftOut> {
        let out = |reason: String| LeftOut { trial: trial.name.clone(), place: trial.place, reason };
        if trial.tracks.len() == 1 && setup.wall.is_none() {
            let other = setup.bodies.iter().enumerate().find(|(place, _)| *place != trial.tracks[0].body);
            let name = other.map_or("", |(_, body)| &body.name);
            return Err(out(format!("there is no track of `{name}`, and the setup has no `[wall]`")));
        }
        let is_known = trial.tracks.iter().all(|track| track.phases.is_some());
        let cut = if is_known {
            None
        } else {
            Some(split::first_after(&trial.tracks, setup, &first_look(setup)).map_err(out)?)
        };
        let passages = trial.tracks.iter().map(|track| {
            let (before, after) = match (cut, &track.phases) {
                (Some(time), _) => split::cut(&track.sightings, time),
                (None, Some(phases)) => {
                    track.sightings.split_at(phases.partition_point(|phase| *phase == Phase::Before))
                }
                (None, None) => (&track.sightings[..], &[][..]),
            };
            SidesOfBody { body: track.body, before, after }
        });
        Ok(Sides { trial, passages: passages.collect() })
    }

    /// Why this trial is left out.
    pub fn left_out(&self, reason: String) -> LeftOut {
        LeftOut { trial: self.trial.name.clone(), place: self.trial.place, reason }
    }

    /// The flights before and after, body by body, each with its parameters at the frame next to the collision.
    pub fn fits(&self, setup: &Setup, deviations: &Deviations) -> Vec<Result<Motion, String>> {
        let mut fits = Vec::new();
        for passage in &self.passages {
            let name = &setup.bodies[passage.body].name;
            let times = [passage.before.last(), passage.after.first()];
            for ((sightings, nearest), word) in
                [passage.before, passage.after].into_iter().zip(times).zip(["before", "after"])
            {
                let flight = Flight {
                    dimension: setup.dimension,
                    forces: setup.forces.clone(),
                    time: nearest.map_or(0.0, |sighting| sighting.time),
                    orientation: UnitQuaternion::identity(),
                };
                let fitted = Motion::fit(&flight, sightings, deviations);
                fits.push(fitted.map_err(|reason| format!("{name} {word} the collision: {reason}")));
            }
        }
        fits
    }
}
