//! What a law says about an impact.

use super::{Impact, ImpactEvent};
use crate::course::Clock;
use crate::digits::Digits;
use crate::laws::Law;
use crate::outcome::{ContactChange, Mode, Note};
use crate::solve::shortest::Shortest;
use nalgebra::Vector3;
use std::fmt;

/// What a law says about an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactOutcome {
    /// The impulse on A at every contact (n, t1, t2), kg m/s.
    pub impulses: Vec<Vector3<f64>>,
    /// The velocity of A relative to B after the impact, m/s.
    pub velocities_after: Vec<Vector3<f64>>,
    /// What else there is to say.
    pub notes: Vec<ImpactNote>,
    /// What it took, and how well the law's conditions hold.
    pub effort: Effort,
    /// The events one after the other, for laws that have them.
    pub events: Vec<ImpactEvent>,
}

/// What a solution took, and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Pivots, Newton steps, single impacts or evaluations, whatever the law's method counts.
    pub iterations: usize,
    /// How far the law's conditions are from holding, relative to the velocities and impulses of the impact.
    pub residual: f64,
}

/// Something a law has to say about its answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ImpactNote {
    /// Other impulses lead to the same velocities; those given are the shortest.
    Indeterminate {
        /// In how many directions they can be changed.
        freedom: usize,
    },
    /// The collision went on in several impact events.
    Events {
        /// How many.
        count: usize,
    },
    /// The law resolved the contacts one after the other.
    Sequence {
        /// The contacts in the order of their impacts, from 0; only the first few of a long sequence.
        order: Vec<usize>,
        /// How many impacts there were.
        count: usize,
    },
    /// The least energy within the cones already rebounds by more than the coefficients ask.
    ReboundExceeds {
        /// By how much, relative to what was asked.
        excess: f64,
    },
    /// What the law for one contact had to say.
    OfContact(Note),
    /// The bodies came to rest pressed together: the forces do not end, and the impulses are those until then.
    Wedged,
    /// Something else that should be known.
    Doubtful(&'static str),
}

/// The course of an impact that a law follows.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactHistory {
    /// What the samples are counted in.
    pub clock: Clock,
    /// The contacts it is about.
    pub contacts: Vec<usize>,
    /// Instant by instant.
    pub samples: Vec<ImpactSample>,
}

/// An impact at one instant of its course.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactSample {
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

impl ImpactOutcome {
    /// The outcome of impulses.
    pub(crate) fn of(impact: &Impact, impulses: Vec<Vector3<f64>>, effort: Effort) -> ImpactOutcome {
        let velocities_after = impact.velocity_after(&impulses);
        ImpactOutcome { impulses, velocities_after, notes: Vec::new(), effort, events: Vec::new() }
    }

    /// The mode of a contact with this friction, by a law that [can give back](Law::restores_slip) tangential velocity or cannot.
    pub fn mode(&self, impact: &Impact, contact: usize, friction: f64, law: &Law) -> Mode {
        Mode::of_contact(&ContactChange {
            before: impact.velocity()[contact],
            impulse: self.impulses[contact],
            after: self.velocities_after[contact],
            friction,
            speed: impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max),
            restores_slip: law.restores_slip(),
        })
    }

    /// The same with something more to say.
    #[must_use]
    pub(crate) fn with_note(mut self, note: ImpactNote) -> ImpactOutcome {
        self.notes.push(note);
        self
    }
}

impl ImpactNote {
    /// That other impulses lead to the same velocities.
    pub(super) fn of_shortest(least: &Shortest) -> ImpactNote {
        if least.found {
            ImpactNote::Indeterminate { freedom: least.freedom }
        } else {
            ImpactNote::Doubtful("other impulses give the same motion, perhaps shorter ones than these")
        }
    }

    /// The note of an island as one about the whole impact.
    pub(super) fn about(self, island: &[usize]) -> ImpactNote {
        match self {
            ImpactNote::Sequence { order, count } => {
                ImpactNote::Sequence { order: order.into_iter().map(|contact| island[contact]).collect(), count }
            }
            other => other,
        }
    }
}

impl fmt::Display for ImpactNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImpactNote::Indeterminate { freedom: 1 } => {
                write!(f, "other impulses give the same motion (one direction is free); these are the shortest")
            }
            ImpactNote::Indeterminate { freedom } => {
                write!(f, "other impulses give the same motion ({freedom} directions are free); these are the shortest")
            }
            ImpactNote::Events { count } => write!(f, "{count} impact events"),
            ImpactNote::Sequence { order, count } => {
                write!(f, "{count} impact{} in the order of contacts", if *count == 1 { "" } else { "s" })?;
                for contact in order {
                    write!(f, " {}", contact + 1)?;
                }
                if *count > order.len() { write!(f, " …") } else { Ok(()) }
            }
            ImpactNote::ReboundExceeds { excess } => write!(
                f,
                "the least energy already rebounds by {} % more than the coefficients of restitution ask",
                Digits(100.0 * excess)
            ),
            ImpactNote::OfContact(note) => note.fmt(f),
            ImpactNote::Wedged => {
                write!(f, "the bodies come to rest wedged: forces stay, and the impulses are those until then")
            }
            ImpactNote::Doubtful(doubt) => write!(f, "{doubt}"),
        }
    }
}
