//! The solution of a law for several contacts.

use super::{ContactChange, ContactOutcome, ImpactEvent, Note, Outcome};
use crate::error::Error;
use crate::impact::Impact;
use nalgebra::Vector3;

/// What a law for several contacts finds for an island: impulses and how they were found. Binding makes it an [`Outcome`].
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The impulse on A at every contact (n, t1, t2), kg m/s.
    pub impulses: Vec<Vector3<f64>>,
    /// The velocity of A relative to B after the impact, m/s.
    pub velocities_after: Vec<Vector3<f64>>,
    /// What else there is to say.
    pub notes: Vec<Note>,
    /// What it took, and how well the law's conditions hold.
    pub effort: Effort,
    /// The events one after the other, for laws that have them.
    pub events: Vec<ImpactEvent>,
}

impl Solution {
    /// The impulses with the velocities that they lead to; there must be one for each contact.
    pub fn new(impact: &Impact, impulses: Vec<Vector3<f64>>, effort: Effort) -> Result<Solution, Error> {
        let velocities_after = impact.velocity_after(&impulses)?;
        Ok(Solution { impulses, velocities_after, notes: Vec::new(), effort, events: Vec::new() })
    }

    /// The same for impulses of the right number.
    pub(crate) fn of(impact: &Impact, impulses: Vec<Vector3<f64>>, effort: Effort) -> Solution {
        let velocities_after = impact.after(&impulses);
        Solution { impulses, velocities_after, notes: Vec::new(), effort, events: Vec::new() }
    }

    /// No impulse at any contact.
    pub(crate) fn of_nothing(impact: &Impact) -> Solution {
        Solution {
            impulses: vec![Vector3::zeros(); impact.contacts()],
            velocities_after: impact.velocity().to_vec(),
            notes: Vec::new(),
            effort: Effort::default(),
            events: Vec::new(),
        }
    }

    /// The same with a note.
    #[must_use]
    pub fn with_note(mut self, note: Note) -> Solution {
        self.notes.push(note);
        self
    }

    /// Takes over the solution of an island.
    pub(crate) fn insert(&mut self, part: Solution, island: &[usize]) {
        for (k, contact) in island.iter().enumerate() {
            self.impulses[*contact] = part.impulses[k];
            self.velocities_after[*contact] = part.velocities_after[k];
        }
        self.notes.extend(part.notes.into_iter().map(|note| note.about(island)));
        self.events.extend(part.events.into_iter().map(|event| event.about(island)));
        self.effort.iterations += part.effort.iterations;
        self.effort.residual = self.effort.residual.max(part.effort.residual);
    }

    /// The outcome, with the mode of every contact.
    pub(crate) fn outcome(self, impact: &Impact, friction: impl Fn(usize) -> f64, restores_slip: bool) -> Outcome {
        let speed = impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max);
        let answers = self.impulses.iter().zip(&self.velocities_after).enumerate();
        let contacts = answers.map(|(contact, (&impulse, &after))| {
            let (before, friction) = (impact.velocity()[contact], friction(contact));
            ContactOutcome::of_change(&ContactChange { before, impulse, after, friction, speed, restores_slip })
        });
        Outcome { contacts: contacts.collect(), notes: self.notes, effort: self.effort, events: self.events }
    }
}

/// What a solution took, and how good it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Pivots, Newton steps, single impacts or evaluations, whatever the law's method counts.
    pub iterations: usize,
    /// How far the law's conditions are from holding, relative to the velocities and impulses of the impact.
    pub residual: f64,
}
