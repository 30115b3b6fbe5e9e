//! Remarks on a prediction. Those on one contact are plain data, as a [`ContactOutcome`](super::ContactOutcome) is; those on an
//! impact may hold lists.

use crate::format::Digits;
use crate::validity::Doubt;
use nalgebra::Vector3;
use std::borrow::Cow;
use std::fmt;

/// Something the caller should know about a prediction.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum ContactNote {
    /// The law's conditions have another solution, which its selection rule did not take.
    OtherSolution {
        /// The impulse of that solution, contact frame.
        impulse: Vector3<f64>,
        /// Its change of kinetic energy, J.
        energy_change: f64,
        /// Whether it sticks.
        sticks: bool,
    },
    /// The kinematic restitution of the outcome differs from the parameter.
    RestitutionDiffers {
        /// The parameter.
        parameter: f64,
        /// What came out.
        outcome: f64,
    },
    /// The impulse ratios that energy and friction allow along the ratio's direction.
    RatioBounds {
        /// Least admissible ratio.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        least: f64,
        /// Greatest admissible ratio.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        greatest: f64,
    },
    /// A contact that only slides (V_n = 0) jams and collides: friction is above the Painlevé threshold.
    TangentialImpact {
        /// The least coefficient of friction for which this happens.
        threshold: f64,
    },
    /// The theory of elastic contact may not hold here.
    Doubtful(Doubt),
    /// The springs of the law stick whatever the direction of incidence.
    AlwaysSticks {
        /// The coefficient of friction above which they do.
        threshold: f64,
    },
    /// A contact that only slides (V_n = 0) does not collide: friction is below the Painlevé threshold.
    NoTangentialImpact {
        /// The least coefficient of friction that would make it collide; infinite when none does.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        threshold: f64,
    },
    /// Friction and the coupling of the contact's dashpots allow several motions at one instant; the outcome is one of
    /// them.
    AmbiguousContact {
        /// μ |C_nt| over the least eigenvalue of C_tt; below 1 the motion would be unique.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        ratio: f64,
        /// The most ways to go on that were met at one instant.
        ways: usize,
    },
    /// Below the first ratio of slip to approach the contact sticks at first; above the second it slips throughout.
    Regimes {
        /// |V_t|/|V_n| up to which it sticks at first.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        sticks_below: f64,
        /// |V_t|/|V_n| from which it slips throughout.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        slips_above: f64,
    },
}

impl fmt::Display for ContactNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContactNote::OtherSolution { impulse: p, energy_change, sticks } => write!(
                f,
                "the law's conditions have another solution ({}): impulse ({}, {}, {}), energy change {} J",
                if *sticks { "sticking" } else { "slipping" },
                Digits(p.x),
                Digits(p.y),
                Digits(p.z),
                Digits(*energy_change)
            ),
            ContactNote::RestitutionDiffers { parameter, outcome } => {
                let (parameter, outcome_digits) = (Digits(*parameter), Digits(*outcome));
                write!(
                    f,
                    "the kinematic restitution came out as {outcome_digits}; the parameter asks for {parameter}"
                )?;
                if *outcome > 1.0 { write!(f, " (above 1, without gain of energy)") } else { Ok(()) }
            }
            ContactNote::RatioBounds { least, greatest } if least > greatest => {
                write!(f, "energy and friction allow no impulse ratio with this restitution")
            }
            ContactNote::RatioBounds { least, greatest } => {
                write!(f, "energy and friction allow impulse ratios from {} to {}", Digits(*least), Digits(*greatest))
            }
            ContactNote::TangentialImpact { threshold } => {
                write!(f, "tangential impact: the sliding contact jams because friction exceeds {}", Digits(*threshold))
            }
            ContactNote::Doubtful(doubt) => write!(f, "{doubt}"),
            ContactNote::AlwaysSticks { threshold } => write!(
                f,
                "friction above {} never lets the springs slip: outside the law's validity, and the force grows without \
                 bound where contact ends",
                Digits(*threshold)
            ),
            ContactNote::NoTangentialImpact { threshold } if threshold.is_finite() => {
                write!(
                    f,
                    "the contact only slides; a tangential impact would need friction above {}",
                    Digits(*threshold)
                )
            }
            ContactNote::AmbiguousContact { ratio, ways: 1 } => {
                let ratio = Digits(*ratio);
                write!(
                    f,
                    "the contact's motion need not be unique: μ |C_nt| is {ratio} times the least C_tt, not below it"
                )
            }
            ContactNote::AmbiguousContact { ratio, ways } => write!(
                f,
                "at some instant the contact could go on in {ways} ways (μ |C_nt| is {} times the least C_tt, not below \
                 it); this outcome rests where it can, else slips as slowly as it can",
                Digits(*ratio)
            ),
            ContactNote::Regimes { sticks_below, slips_above } => write!(
                f,
                "sticks at first for slip/approach below {}, slips throughout above {}",
                Digits(*sticks_below),
                Digits(*slips_above)
            ),
            ContactNote::NoTangentialImpact { .. } => {
                write!(f, "the contact only slides; no friction makes it collide in this direction of slip")
            }
        }
    }
}

/// Up to four notes, in place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec<ContactNote>", into = "Vec<ContactNote>")
)]
pub struct Notes([Option<ContactNote>; Notes::CAPACITY]);

impl Notes {
    /// A planar quartic has four roots, so no law has more to say.
    const CAPACITY: usize = 4;

    pub(crate) fn push(&mut self, note: ContactNote) {
        if let Some(free) = self.0.iter_mut().find(|slot| slot.is_none()) {
            *free = Some(note);
        }
    }

    /// The notes in the order they were made.
    pub fn iter(&self) -> impl Iterator<Item = &ContactNote> {
        self.0.iter().flatten()
    }
}

#[cfg(feature = "serde")]
impl From<Notes> for Vec<ContactNote> {
    fn from(notes: Notes) -> Vec<ContactNote> {
        notes.iter().copied().collect()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<Vec<ContactNote>> for Notes {
    type Error = String;

    fn try_from(list: Vec<ContactNote>) -> Result<Notes, String> {
        if list.len() > Notes::CAPACITY {
            return Err(format!("a contact has {} notes; expected at most {}", list.len(), Notes::CAPACITY));
        }
        let mut notes = Notes::default();
        for note in list {
            notes.push(note);
        }
        Ok(notes)
    }
}

/// Something a law has to say about its answer.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Note {
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
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        excess: f64,
    },
    /// The bodies came to rest pressed together: the forces do not end, and the impulses are those until then.
    Wedged,
    /// Something else that should be known.
    Doubtful(Cow<'static, str>),
}

impl Note {
    /// The note of an island as one about the whole impact.
    pub(crate) fn about(self, island: &[usize]) -> Note {
        match self {
            Note::Sequence { order, count } => {
                Note::Sequence { order: order.into_iter().map(|contact| island[contact]).collect(), count }
            }
            other => other,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::Indeterminate { freedom: 1 } => {
                write!(f, "other impulses give the same motion (one direction is free); these are the shortest")
            }
            Note::Indeterminate { freedom } => {
                write!(f, "other impulses give the same motion ({freedom} directions are free); these are the shortest")
            }
            Note::Events { count } => write!(f, "{count} impact events"),
            Note::Sequence { order, count } => {
                write!(f, "{count} impact{} in the order of contacts", if *count == 1 { "" } else { "s" })?;
                for contact in order {
                    write!(f, " {}", contact + 1)?;
                }
                if *count > order.len() { write!(f, " …") } else { Ok(()) }
            }
            Note::ReboundExceeds { excess } => write!(
                f,
                "the least energy already rebounds by {} % more than the coefficients of restitution ask",
                Digits(100.0 * excess)
            ),
            Note::Wedged => {
                write!(f, "the bodies come to rest wedged: forces stay, and the impulses are those until then")
            }
            Note::Doubtful(doubt) => write!(f, "{doubt}"),
        }
    }
}
