//! The books of normal work in one event, and what ends it.

/// What ends an event once compression is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The work of the normal forces: they give back e² of what they took, (4.11).
    Energy,
    /// The normal impulse of the first contact: (1 + e) times that at the end of compression.
    Ratio,
}

/// What a walk runs up to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// The first end of compression.
    Compression,
    /// This normal work, on the way down.
    Work(f64),
    /// This normal impulse of the first contact.
    FirstImpulse(f64),
    /// The end of restitution.
    Restitution,
}

/// Which way the normal forces work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Compression,
    Restitution,
}

impl Phase {
    pub(super) fn other(self) -> Phase {
        match self {
            Phase::Compression => Phase::Restitution,
            Phase::Restitution => Phase::Compression,
        }
    }
}

/// Work taken and given by the normal forces.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    /// e*, 0 to 1.
    restitution: f64,
    ending: Ending,
    /// Whether only the last compression counts (source, 4.2) and not all together.
    last_only: bool,
    /// J, both positive.
    taken: f64,
    given: f64,
    /// Work and first contact's normal impulse at the last end of compression.
    compressed: (f64, f64),
}

impl Tally {
    pub(super) fn new(restitution: f64, ending: Ending, last_only: bool) -> Tally {
        Tally { restitution, ending, last_only, taken: 0.0, given: 0.0, compressed: (0.0, 0.0) }
    }

    /// Work so far, J.
    pub(super) fn work(&self) -> f64 {
        self.given - self.taken
    }

    /// Adds what a stretch did.
    pub(super) fn add(&mut self, phase: Phase, work: f64) {
        match phase {
            Phase::Compression => self.taken += (-work).max(0.0),
            Phase::Restitution => self.given += work.max(0.0),
        }
    }

    /// Compression has ended at this normal impulse of the first contact.
    pub(super) fn compressed(&mut self, first_impulse: f64) {
        self.compressed = (self.work(), first_impulse);
    }

    /// What is left to give back in restitution, J; `None` if the impulse decides.
    pub(super) fn left(&self) -> Option<f64> {
        let e_squared = self.restitution * self.restitution;
        (self.ending == Ending::Energy).then(|| {
            if self.last_only {
                (1.0 - e_squared) * self.compressed.0 - self.work()
            } else {
                e_squared * self.taken - self.given
            }
        })
    }

    /// The first contact's normal impulse at the end of restitution, if that decides.
    pub(super) fn last_impulse(&self) -> f64 {
        (1.0 + self.restitution) * self.compressed.1
    }
}
