//! The prediction of a law: the outcome of every contact, and remarks on the whole.

mod contact;
mod event;
mod mode;
mod note;
mod path;
mod solution;

pub use contact::{Compression, ContactOutcome, Restitution, Works};
pub use event::{AfterRest, EventPiece, EventRest, EventState, ImpactEvent};
pub(crate) use mode::{AT_THE_LIMIT, STOPPED};
pub use mode::{ContactChange, Mode};
pub use note::{ContactNote, Note, Notes};
pub use path::Path;
pub use solution::{Effort, Solution};

use crate::error::Error;
use crate::impact::Impact;
use nalgebra::Vector3;

/// The prediction of a law for an impact.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Outcome {
    /// Contact by contact.
    pub contacts: Vec<ContactOutcome>,
    /// Remarks on the impact as a whole; those on one contact stand there.
    pub notes: Vec<Note>,
    /// The work it took, and how well the law's conditions hold.
    pub effort: Effort,
    /// The events one after the other, for laws that have them.
    pub events: Vec<ImpactEvent>,
}

impl Outcome {
    /// The outcome of contacts that do not act on each other, each by itself.
    pub fn of_contacts(contacts: Vec<ContactOutcome>) -> Outcome {
        Outcome { contacts, notes: Vec::new(), effort: Effort::default(), events: Vec::new() }
    }

    /// The outcome of impulses (n, t1, t2) that no law gave, for instance measured ones; `friction` holds the coefficient of
    /// every contact.
    pub fn jump(impact: &Impact, impulses: &[Vector3<f64>], friction: &[f64]) -> Result<Outcome, Error> {
        let n = impact.contacts();
        if impulses.len() != n || friction.len() != n {
            return Err(Error::WrongSize { what: "impulses, coefficients of friction and contacts" });
        }
        impact.check_impulses(impulses)?;
        if let Some(bad) = friction.iter().find(|friction| friction.is_nan() || **friction < 0.0) {
            return Err(Error::OutOfRange {
                what: "friction",
                value: *bad,
                expected: "a number of at least 0, or inf",
            });
        }
        let solution = Solution::of(impact, impulses.to_vec(), Effort::default());
        Ok(solution.outcome(impact, |contact| friction[contact], true))
    }

    /// The impulse on A at every contact (n, t1, t2), kg m/s.
    pub fn impulses(&self) -> Vec<Vector3<f64>> {
        self.contacts.iter().map(|contact| contact.impulse).collect()
    }

    /// The relative velocity after at every contact (n, t1, t2), m/s.
    pub fn velocities_after(&self) -> Vec<Vector3<f64>> {
        self.contacts.iter().map(|contact| contact.velocity_after).collect()
    }
}
