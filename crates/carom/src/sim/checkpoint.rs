//! Everything that is needed to continue a run to the same bits.

use super::state::State;
use crate::error::{Error, finite, positive};
use nalgebra::Vector3;

/// Everything that a simulation needs, besides its scene, law and settings, to go on from an instant to the same bits.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Checkpoint {
    /// s.
    pub time: f64,
    /// Of all bodies.
    pub states: Vec<State>,
    /// How far revolute joints are turned, whole turns included, rad; 0 for all others.
    pub turned: Vec<f64>,
    /// Energy supplied, lost to friction and lost in impacts so far, and the energy at the start, J.
    pub energies: [f64; 4],
    /// The state of the engine itself.
    pub(super) engine: EngineState,
}

/// What an engine needs besides the states of bodies.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub(super) enum EngineState {
    /// Of the event engine.
    Event(EventState),
    /// Of the stepping engine.
    Stepping(SteppingState),
}

/// The scales of a scene at its start, and the impacts so far.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct EventState {
    /// Size of the scene, m.
    pub(super) size: f64,
    /// Speeds in the scene, m/s.
    pub(super) speed: f64,
    /// Length of the next step of integration, s.
    pub(super) step: f64,
    /// The last impacts of each body.
    pub(super) series: Vec<ImpactSeries>,
}

/// The last impacts of a body, one after the other: when they accumulate, and when they only chatter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct ImpactSeries {
    /// When the last two were, s.
    pub(super) times: [f64; 2],
    /// How many there were lately: each adds one, and time takes them away again.
    pub(super) crowd: f64,
}

/// The list of near pairs, and the impulses that the next step starts from.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct SteppingState {
    /// The list of near pairs holds for pairs closer than this, m.
    pub(super) skin: f64,
    /// How far bodies may have moved since it was made, m.
    pub(super) travel: f64,
    /// Whether it may be used again.
    pub(super) is_valid: bool,
    /// The greatest speed of a point so far, m/s.
    pub(super) fastest: f64,
    /// Pairs of balls that are near.
    pub(super) balls: Vec<BallPair>,
    /// Other pairs of bodies that are near, by their places.
    pub(super) others: Vec<[u32; 2]>,
    /// Impulses of balls on half-spaces.
    pub(super) floors: Vec<FloorImpulse>,
    /// Impulses of all other contacts.
    pub(super) contacts: Vec<ContactImpulse>,
    /// Impulses of strings and limits, N s or N m s.
    pub(super) stops: Vec<f64>,
    /// Impulses of the locks of each joint.
    pub(super) joints: Vec<[f64; 6]>,
}

/// Two balls that are near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct BallPair {
    /// Places of the bodies, the higher one first.
    pub(super) bodies: [u32; 2],
    /// Along the normal, and across it in world axes, N s.
    pub(super) impulse: [f64; 4],
}

/// The impulse of a ball on a half-space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct FloorImpulse {
    /// Place of the half-space among those of the world, times the number of bodies, plus the place of the body.
    pub(super) place: usize,
    /// Along the normal, and across it in world axes, N s.
    pub(super) impulse: [f64; 4],
}

/// The impulse at a contact of parts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct ContactImpulse {
    /// Places of bodies A and B, of their parts, and of the features that touch.
    pub(super) key: [u32; 6],
    /// (n, t1, t2), N s.
    pub(super) impulse: Vector3<f64>,
}

impl Checkpoint {
    /// Refuses numbers that are not finite, and lists that do not fit the scene.
    pub(super) fn check(&self, bodies: usize, joints: usize) -> Result<(), Error> {
        finite("time of a checkpoint", &[self.time])?;
        finite("energies of a checkpoint", &self.energies)?;
        finite("turns of joints of a checkpoint", &self.turned)?;
        for State { pose, velocity, angular_velocity } in &self.states {
            finite("orientations of a checkpoint", pose.orientation.coords.as_slice())?;
            for vector in [&pose.position, velocity, angular_velocity] {
                finite("states of a checkpoint", vector.as_slice())?;
            }
        }
        if self.states.len() != bodies {
            return Err(Error::WrongSize { what: "bodies of a checkpoint" });
        }
        if self.turned.len() != joints {
            return Err(Error::WrongSize { what: "joints of a checkpoint" });
        }
        Ok(())
    }
}

impl EventState {
    /// Refuses scales that are not positive, and lists that do not fit the scene.
    pub(super) fn check(&self, bodies: usize) -> Result<(), Error> {
        for scale in [self.size, self.speed, self.step] {
            positive("scale of a checkpoint", scale)?;
        }
        for series in &self.series {
            finite("impacts of a checkpoint", &[series.times[0], series.times[1], series.crowd])?;
        }
        if self.series.len() == bodies { Ok(()) } else { Err(Error::WrongSize { what: "impacts of a checkpoint" }) }
    }
}

impl SteppingState {
    /// Refuses numbers that are not finite, and bodies that are not there.
    pub(super) fn check(&self, bodies: usize) -> Result<(), Error> {
        finite("speeds and lengths of a checkpoint", &[self.skin, self.travel, self.fastest])?;
        finite("impulses of a checkpoint", &self.stops)?;
        finite("impulses of a checkpoint", self.joints.as_flattened())?;
        for pair in &self.balls {
            finite("impulses of a checkpoint", &pair.impulse)?;
        }
        for floor in &self.floors {
            finite("impulses of a checkpoint", &floor.impulse)?;
        }
        for contact in &self.contacts {
            finite("impulses of a checkpoint", contact.impulse.as_slice())?;
        }
        let mut named = self.balls.iter().map(|pair| pair.bodies).chain(self.others.iter().copied()).flatten();
        match named.find(|body| *body as usize >= bodies) {
            Some(body) => Err(Error::NoSuch { what: "body", index: body as usize, count: bodies }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn event_state() -> EventState {
        EventState { size: 1.0, speed: 1.0, step: 1e-3, series: vec![ImpactSeries { times: [0.0; 2], crowd: 1.0 }; 2] }
    }

    #[test]
    fn a_state_of_the_event_engine_that_cannot_be_is_refused() {
        let check = |change: fn(&mut EventState)| {
            let mut state = event_state();
            change(&mut state);
            state.check(2)
        };
        assert_eq!(check(|_| ()), Ok(()));
        assert!(check(|state| state.size = 0.0).is_err() && check(|state| state.speed = f64::NAN).is_err());
        assert!(check(|state| state.step = -1.0).is_err() && check(|state| state.series.clear()).is_err());
        assert!(check(|state| state.series[1].crowd = f64::INFINITY).is_err());
    }

    #[test]
    fn a_state_of_the_stepping_engine_that_cannot_be_is_refused() {
        let check = |change: fn(&mut SteppingState)| {
            let mut state = SteppingState::default();
            change(&mut state);
            state.check(2)
        };
        assert_eq!(check(|_| ()), Ok(()));
        assert!(check(|state| state.skin = f64::NAN).is_err() && check(|state| state.stops.push(f64::NAN)).is_err());
        assert!(check(|state| state.others.push([9, 0])).is_err());
        assert!(check(|state| state.joints.push([f64::INFINITY; 6])).is_err());
        assert!(check(|state| state.balls.push(BallPair { bodies: [u32::MAX, 0], impulse: [0.0; 4] })).is_err());
        assert!(check(|state| state.floors.push(FloorImpulse { place: 0, impulse: [f64::NAN; 4] })).is_err());
    }
}
