//! A law as an entry of the registry.

use super::check::Check;
use super::parameter::Parameter;
use super::{BoundLaw, Inapplicable};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, IslandHistory};
use crate::error::Error;
use crate::impact::{Impact, Solution};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;
use std::fmt;

/// A collision law: what it is called, where it comes from, what it needs and promises, and how it is computed.
#[derive(Debug)]
pub struct Law {
    /// The fixed id, for instance `routh-poisson`.
    pub id: &'static str,
    /// The name the literature uses.
    pub name: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// One sentence on what it does.
    pub summary: &'static str,
    /// Its equations in the project's notation, line by line.
    pub equations: &'static str,
    /// Where it is known to fail or to surprise.
    pub caveats: &'static str,
    /// Its parameters, in the order its values are stored.
    pub parameters: &'static [Parameter],
    /// What it promises for admissible input.
    pub guarantees: Guarantees,
    /// What the parameters must satisfy together, if anything: the sentence and the test.
    pub(crate) consistency: Option<Consistency>,
    /// How answers are checked against the law's equations.
    pub(crate) check: Check,
    /// The computation; values are in the order of `parameters` and within their bounds.
    pub(crate) kernel: Kernel,
}

/// How a law is computed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kernel {
    /// From before to after at once.
    Jump(fn(&Collision, &[f64]) -> Result<ContactOutcome, Inapplicable>),
    /// By accumulating normal impulse; writes down the course if there is a history to write to.
    Accumulate(Following),
    /// By following the contact in time; writes down the course if there is a history to write to.
    Follow(Following),
    /// For several contacts at once.
    Simultaneous {
        /// An island of them.
        resolve: SeveralKernel,
        /// What it is followed in, if it is.
        clock: Option<Clock>,
        /// The impulse of one contact in closed form, for a law that has one.
        single: Option<Single>,
    },
}

/// How a law for several contacts is computed: for one island in which something approaches. It writes down the course if
/// there is a history to write to.
pub(crate) type SeveralKernel = fn(&Impact, &BoundLaw, Option<&mut IslandHistory>) -> Result<Solution, Inapplicable>;

/// The impulse of one contact by a law for several; `None` where the general method has to find it.
pub(crate) type Single = fn(&Collision, &[f64]) -> Result<Option<Vector3<f64>>, Inapplicable>;

/// A collision followed by a law.
pub(crate) type Following = fn(&Collision, &[f64], Option<&mut ContactHistory>) -> Result<ContactOutcome, Inapplicable>;

/// What was expected of the parameters together, and whether values satisfy it.
pub(crate) type Consistency = (&'static str, fn(&[f64]) -> bool);

/// What a law promises for admissible input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guarantees {
    /// Kinetic energy never rises.
    pub energy: Promise,
    /// |P_t| ≤ μ P_n.
    pub friction: Promise,
    /// V_n after ≥ 0.
    pub penetration: Promise,
    /// The slip of a sphere can come back reversed.
    pub tangential_restitution: Promise,
    /// Works for spatial collisions, not only planar ones.
    pub spatial: Promise,
    /// The law's conditions have one solution.
    pub unique: Promise,
}

impl Guarantees {
    /// Every promise kept.
    pub(crate) const ALL: Guarantees = Guarantees {
        energy: Promise::Yes,
        friction: Promise::Yes,
        penetration: Promise::Yes,
        tangential_restitution: Promise::Yes,
        spatial: Promise::Yes,
        unique: Promise::Yes,
    };
}

/// Whether a law keeps a promise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Promise {
    /// Always.
    Yes,
    /// Not always.
    No,
    /// Under the condition said here.
    If(&'static str),
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Promise::Yes => "yes",
            Promise::No => "no",
            Promise::If(condition) => condition,
        })
    }
}

impl Law {
    /// What the law follows the collision in; `None` if it jumps from before to after.
    pub fn clock(&self) -> Option<Clock> {
        match self.kernel {
            Kernel::Jump(_) => None,
            Kernel::Accumulate(_) => Some(Clock::NormalImpulse),
            Kernel::Follow(_) => Some(Clock::Time),
            Kernel::Simultaneous { clock, .. } => clock,
        }
    }

    /// Whether the law can give back tangential velocity, always or under a condition.
    pub fn restores_slip(&self) -> bool {
        self.guarantees.tangential_restitution != Promise::No
    }

    /// Whether the law is for several contacts at once.
    pub fn is_simultaneous(&self) -> bool {
        matches!(self.kernel, Kernel::Simultaneous { .. })
    }

    /// Refuses static and kinetic friction that differ if the law takes one coefficient of friction only.
    pub fn check_frictions(&self, static_friction: f64, kinetic_friction: f64) -> Result<(), Error> {
        let takes = |law: &Law, key: &str| law.parameters.iter().any(|parameter| parameter.key == key);
        if !takes(self, "friction") || static_friction == kinetic_friction {
            return Ok(());
        }
        let takes_both = |law: &&Law| takes(law, "kinetic_friction") && law.is_simultaneous() == self.is_simultaneous();
        let others = super::every().filter(takes_both).map(|law| law.id).collect();
        Err(Error::SingleFriction { law: self.id, static_friction, kinetic_friction, others })
    }
}
