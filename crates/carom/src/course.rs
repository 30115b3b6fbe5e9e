//! How a collision goes while it lasts: what laws that follow the contact can tell beyond the outcome.

use nalgebra::{Vector2, Vector3};
use std::fmt;

/// How a collision went, for laws that follow it. Plain data without allocation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Course {
    /// What the collision was followed in.
    pub clock: Clock,
    /// From first touch to last, s; `None` if the clock is not time.
    pub duration: Option<f64>,
    /// Greatest normal force, N; `None` if the clock is not time.
    pub peak_force: Option<f64>,
    /// Greatest approach of the bodies beyond first touch, m; `None` if the law does not tell.
    pub peak_indentation: Option<f64>,
    /// How often the equations of motion were evaluated.
    pub evaluations: usize,
}

/// What a collision is followed in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Clock {
    /// Time, s.
    #[default]
    Time,
    /// The accumulated normal impulse, N s: the collision takes no time.
    NormalImpulse,
}

/// The contact at one instant of a collision. Contact frame (n, t1, t2), forces and impulses on A.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactSample {
    /// Where the clock stands.
    pub at: f64,
    /// Force, N; `None` if the clock is not time.
    pub force: Option<Vector3<f64>>,
    /// Displacement of A's side of the contact relative to B's since first touch, m (normal part negative while pressed
    /// together); `None` if the clock is not time.
    pub displacement: Option<Vector3<f64>>,
    /// Relative velocity of the bodies at the contact, m/s.
    pub velocity: Vector3<f64>,
    /// Velocity of the touching points along the surface, m/s: the slip that friction opposes.
    pub slip: Vector2<f64>,
    /// Impulse so far, N s.
    pub impulse: Vector3<f64>,
    /// Work of the normal force so far, J.
    pub normal_work: f64,
    /// Work of the tangential force so far, J.
    pub tangential_work: f64,
    /// What the contact does.
    pub motion: Motion,
}

/// What a contact does at an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Motion {
    /// The contact slips.
    Slipping,
    /// The contact sticks.
    Sticking,
    /// Part of the contact area slips, part sticks.
    PartlySlipping,
    /// The contact slips without friction.
    Frictionless,
    /// The bodies do not touch.
    Apart,
}

impl Motion {
    /// The name used in every output, for instance `partly-slipping`.
    pub fn name(self) -> &'static str {
        match self {
            Motion::Slipping => "slipping",
            Motion::Sticking => "sticking",
            Motion::PartlySlipping => "partly-slipping",
            Motion::Frictionless => "frictionless",
            Motion::Apart => "apart",
        }
    }
}

impl fmt::Display for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A stretch of a collision in which the contact does one thing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Phase {
    /// Where the clock stood at its start.
    pub from: f64,
    /// Where the clock stood at its end.
    pub to: f64,
    /// What the contact did.
    pub motion: Motion,
}

/// The course of a collision instant by instant.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactHistory {
    /// What the collision was followed in.
    pub clock: Clock,
    /// The instants in order, close enough for a smooth curve; where the motion changes there are two at one instant.
    pub samples: Vec<ContactSample>,
}

impl ContactHistory {
    /// What the contact did, one after the other.
    pub fn phases(&self) -> Vec<Phase> {
        let mut phases: Vec<Phase> = Vec::new();
        for sample in &self.samples {
            match phases.last_mut() {
                Some(phase) if phase.motion == sample.motion => phase.to = sample.at,
                _ => phases.push(Phase { from: sample.at, to: sample.at, motion: sample.motion }),
            }
        }
        phases
    }
}

/// The course of an island of contacts instant by instant.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IslandHistory {
    /// What the samples are counted in.
    pub clock: Clock,
    /// The contacts it is about.
    pub contacts: Vec<usize>,
    /// Instant by instant.
    pub samples: Vec<IslandSample>,
}

/// An island of contacts at one instant of its course.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct IslandSample {
    /// Time (s) or normal impulse (kg m/s) since first touch.
    pub at: f64,
    /// Velocity at every contact, m/s.
    pub velocities: Vec<Vector3<f64>>,
    /// Impulse so far at every contact, kg m/s.
    pub impulses: Vec<Vector3<f64>>,
    /// Work of the normal forces so far, J.
    pub normal_work: f64,
    /// Which contacts stick.
    pub sticking: Vec<bool>,
    /// The impact event, from 1; always 1 for laws without events.
    pub event: usize,
}

/// The course of one contact or of an island of them. A law for one contact knows force, displacement and slip there at every
/// instant; a law for several knows velocities and impulses of all of them.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum History {
    /// By a law for one contact.
    Contact {
        /// The contact.
        contact: usize,
        /// Its course.
        history: ContactHistory,
    },
    /// By a law for several contacts.
    Island(IslandHistory),
}

impl History {
    /// What the samples are counted in.
    pub fn clock(&self) -> Clock {
        match self {
            History::Contact { history, .. } => history.clock,
            History::Island(history) => history.clock,
        }
    }

    /// The course of an island, by a law for several contacts.
    pub fn island(&self) -> Option<&IslandHistory> {
        match self {
            History::Contact { .. } => None,
            History::Island(history) => Some(history),
        }
    }

    /// The contacts it is about.
    pub fn contacts(&self) -> &[usize] {
        match self {
            History::Contact { contact, .. } => std::slice::from_ref(contact),
            History::Island(history) => &history.contacts,
        }
    }
}
