//! What a simulation tells: events, and where the energy went.

use super::id::{BodyId, JointId, MaterialId};
use super::state::State;
use crate::contact::ContactFrame;
use crate::format::{Digits, Exact};
use nalgebra::Vector3;

/// Something that happened at an instant.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Event {
    /// s.
    pub time: f64,
    /// What it was.
    pub kind: EventKind,
    /// The contacts that took part.
    pub contacts: Vec<EventContact>,
    /// Total mechanical energy before and after, J.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::pair"))]
    pub energy: [f64; 2],
    /// The bodies whose motion changed, with their states before and after.
    pub bodies: Vec<(BodyId, [State; 2])>,
    /// Impulses of the joints on their bodies A: force and moment about the joint's point.
    pub joints: Vec<(JointId, [Vector3<f64>; 2])>,
    /// The factor on all coefficients of restitution with which the impact does not create energy, where it would have with the
    /// full ones; see [`EventSettings::lowers_restitution`](super::EventSettings::lowers_restitution).
    pub restitution_factor: Option<f64>,
}

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum EventKind {
    /// Bodies hit each other.
    Impact,
    /// Impacts of a contact follow each other ever faster: they are completed at once, and the contact persists from there.
    Accumulation {
        /// When the last of them would be, s.
        until: f64,
    },
    /// A contact that pressed lets go.
    LiftOff,
    /// A contact that stuck begins to slip.
    SlipStart,
    /// A contact that slipped sticks, or rolls.
    StickStart,
    /// A contact moved from one feature of a body to the next, or slid off.
    FeatureChange,
    /// Coulomb friction allows no finite force: it stops the slip by an impulse (Painlevé's paradox; Wang & Mason 1992, case 4).
    Jam,
}

/// What pushes at a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Origin {
    /// Parts of bodies A and B that touch.
    Parts {
        /// Their places among the parts of A and of B; of the world, among [its parts](super::Scene::world).
        parts: [usize; 2],
        /// Their materials.
        materials: [MaterialId; 2],
    },
    /// A string, by its place in the scene.
    String(usize),
    /// The limit of a joint.
    Limit(JointId),
}

/// A contact in an event.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventContact {
    /// Bodies A and B; `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// What pushes there.
    pub origin: Origin,
    /// Where, m. That of a limit is the joint's point.
    pub point: Vector3<f64>,
    /// Zero but for the limit of a revolute joint, which pushes by a moment. Laws know pushes at points only: they see one along
    /// the normal at this lever of 1 m from `point`, whose force the joint takes up again. So its impulse is in N m s, and its
    /// velocities are in rad/s.
    pub lever: Vector3<f64>,
    /// Its axes.
    pub frame: ContactFrame,
    /// (n, t1, t2), N s.
    pub impulse: Vector3<f64>,
    /// Relative velocity before, (n, t1, t2), m/s.
    pub velocity_before: Vector3<f64>,
    /// And after.
    pub velocity_after: Vector3<f64>,
    /// How fast it may still approach after, m/s: a step that ends at a contact closes its gap. 0 where impacts are located.
    pub closing_speed: f64,
}

impl EventContact {
    /// Whether it pushes by a moment: the limit of a revolute joint.
    pub fn is_moment(&self) -> bool {
        self.lever != Vector3::zeros()
    }
}

/// Where the energy is and where it went since the start, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ledger {
    /// Of motion.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub kinetic: f64,
    /// Of gravity and springs.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub potential: f64,
    /// Put in by motors, forces and torques, and taken by dampers.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub supplied: f64,
    /// Lost to friction at contacts that slide.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub friction: f64,
    /// Lost in impacts; negative if laws created some.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub impacts: f64,
    /// Kinetic and potential energy at the start.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub start: f64,
}

impl Ledger {
    /// Kinetic and potential energy.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }

    /// What is not accounted for: Rodriguez's check function (2014, eq. 2.4) over all that happened since the start.
    pub fn residual(&self) -> f64 {
        self.total() - (self.start + self.supplied - self.friction - self.impacts)
    }
}

/// Why a simulation cannot go on.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Failure {
    /// A time that an engine cannot go on to: before the present one, or no finite number.
    Time {
        /// The present time, s.
        time: f64,
        /// The time that was asked for, s.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        until: f64,
    },
    /// The law has no answer to an impact.
    Law {
        /// When, s.
        time: f64,
        /// The bodies of its contacts; `None` is the world.
        between: Vec<[Option<BodyId>; 2]>,
        /// Its reason.
        reason: crate::laws::Inapplicable,
    },
    /// No forces satisfy the laws of friction.
    Forces {
        /// When, s.
        time: f64,
    },
    /// Events follow each other without end at one instant.
    Chatter {
        /// When, s.
        time: f64,
    },
    /// Steps have become so short that the motion never goes on.
    TooFast {
        /// When, s.
        time: f64,
    },
    /// Joints came to where they no longer determine the motion of their bodies: two ways to go on meet there. A parallelogram
    /// linkage does where all its links are in line (a change point).
    Singular {
        /// When, s.
        time: f64,
        /// The joints that depend on each other there.
        joints: Vec<JointId>,
    },
    /// The motion cannot be integrated: it runs away, or steps vanish.
    Motion {
        /// When, s.
        time: f64,
    },
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Time { time, until } => {
                let (time, until) = (Exact(*time), Exact(*until));
                write!(
                    f,
                    "the time asked for is {until} s; expected a finite number of at least {time}, the present time"
                )
            }
            Failure::Law { time, reason, .. } => write!(f, "at {} s the law has no answer: {reason}", Digits(*time)),
            Failure::Forces { time } => {
                write!(f, "at {} s no contact forces satisfy the laws of friction", Digits(*time))
            }
            Failure::Chatter { time } => write!(f, "at {} s events follow each other without end", Digits(*time)),
            Failure::TooFast { time } => {
                write!(f, "at {} s the motion is too fast to be followed at this tolerance", Digits(*time))
            }
            Failure::Singular { time, joints } => {
                let joints: Vec<String> = joints.iter().map(|joint| joint.index().to_string()).collect();
                let joints = joints.join(", ");
                write!(f, "at {} s the joints {joints} come to a singular configuration", Digits(*time))
            }
            Failure::Motion { time } => write!(f, "at {} s the motion runs away", Digits(*time)),
        }
    }
}

impl std::error::Error for Failure {}
