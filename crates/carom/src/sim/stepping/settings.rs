//! How the stepping engine works, and what its solver reports.

use super::problem::Goal;
use crate::error::{Error, positive};
use crate::sim::id::BodyId;

/// How the stepping engine works.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SteppingSettings {
    /// Length of a step, s. Halving it halves the error of impact times.
    pub step: f64,
    /// Residual of the contact problem at which sweeps stop, as a fraction of the speeds in it: what gravity gives in a step, and a
    /// tenth of the fastest body's.
    pub tolerance: f64,
    /// Sweeps over an island of bodies that touch, at most; those over a part of it count as that part. A step that ends here goes on
    /// with what it has, and is counted.
    pub most_sweeps: usize,
    /// Contacts that approach slower than this do not rebound, m/s; never less than twice what gravity gives in a step, for a body at
    /// rest would bounce.
    pub rest: f64,
    /// Whether [`advance`](super::SteppingEngine::advance) stops at steps with impacts and tells them.
    pub events: bool,
    /// Threads that share the sweeps over large islands, 1 to 1024. The motion is the same for any number of them, bit by bit.
    pub threads: usize,
}

impl Default for SteppingSettings {
    fn default() -> SteppingSettings {
        SteppingSettings { step: 1.0 / 240.0, tolerance: 1e-3, most_sweeps: 50, rest: 0.0, events: false, threads: 1 }
    }
}

impl SteppingSettings {
    /// The residual at which sweeps stop where bodies of this greatest speed touch, under this gravity, m/s: the error in the conditions
    /// on the velocities after a step.
    pub fn residual(&self, gravity: f64, fastest: f64) -> f64 {
        self.goal(gravity, self.step).residual(fastest)
    }

    /// How well a step of some length is to be solved.
    pub(super) fn goal(&self, gravity: f64, step: f64) -> Goal {
        Goal { tolerance: self.tolerance, pull: gravity * step, sweeps: self.most_sweeps }
    }

    /// Refuses numbers that the engine cannot work with.
    pub fn check(&self) -> Result<(), Error> {
        positive("step", self.step)?;
        positive("tolerance", self.tolerance)?;
        if self.most_sweeps == 0 {
            return Err(Error::OutOfRange { what: "most_sweeps", value: 0.0, expected: "a whole number above 0" });
        }
        if !(1..=1024).contains(&self.threads) {
            let expected = "a whole number from 1 to 1024";
            return Err(Error::OutOfRange { what: "threads", value: self.threads as f64, expected });
        }
        if !(self.rest >= 0.0 && self.rest.is_finite()) {
            return Err(Error::OutOfRange { what: "rest", value: self.rest, expected: "a number of at least 0" });
        }
        Ok(())
    }
}

/// Two bodies inside each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Overlap {
    /// s.
    pub time: f64,
    /// `None` is the world.
    pub bodies: [Option<BodyId>; 2],
    /// Places of their parts, in the body's own list or in that of the world.
    pub parts: [usize; 2],
    /// m.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub depth: f64,
    /// The most that is acceptable, m: the way of a step at the greatest speed of any point so far, plus the gaps that the solver's tolerance
    /// may have left since the start; but no more than [`Overlap::BOUND`] of half the thickness of the thinner part.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub bound: f64,
}

impl Overlap {
    /// The share of half the thickness of the thinner part by which bodies may overlap at most: a tenth of its thickness.
    ///
    /// The method's own overlap is the way of a step (see [`bound`](Overlap::bound)). This share is a demand on the step: a body takes at least ten of
    /// them to move by its own thickness. Where it takes fewer, the places of bodies are not resolved compared with their sizes.
    pub const BOUND: f64 = 0.2;

    /// The depth as a share of its bound.
    pub fn share(&self) -> f64 {
        self.depth / self.bound
    }

    /// Whether it is deeper than acceptable.
    pub fn is_excessive(&self) -> bool {
        self.depth > self.bound
    }
}

/// What the solver did since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SteppingReport {
    /// Steps so far.
    pub steps: usize,
    /// Contacts of the last step, those included that came close but did not press.
    pub contacts: usize,
    /// Sweeps over contacts so far, every island's weighed by its share of the contacts.
    pub sweeps: f64,
    /// Greatest natural-map residual left by the last step, m/s.
    pub residual: f64,
    /// Steps that ended at the most sweeps before the tolerance.
    pub unconverged: usize,
    /// Steps in which restitution was lowered, so that no energy is created.
    pub lowered: usize,
    /// Deepest overlap at the start of the last step, or where it was [measured](super::SteppingEngine::measure_overlap) since, m.
    pub overlap: f64,
    /// The deepest of these so far, m.
    pub deepest: f64,
    /// The overlap so far that is the deepest compared with its bound, those included that only came about within a step.
    pub worst_overlap: Option<Overlap>,
}
