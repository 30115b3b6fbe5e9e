//! A law as an entry of the registry, and a law with its parameters bound.

use super::check::Check;
use super::parameter::{Fallback, Kind, Parameter};
use crate::collision::Collision;
use crate::cone_edge::ROUGH;
use crate::course::{Clock, History};
use crate::digits::Digits;
use crate::error::Error;
use crate::impact;
use crate::outcome::Outcome;
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
    Jump(fn(&Collision, &[f64]) -> Result<Outcome, Inapplicable>),
    /// By accumulating normal impulse; writes down the course if there is a history to write to.
    Accumulate(Following),
    /// By following the contact in time; writes down the course if there is a history to write to.
    Follow(Following),
    /// For several contacts at once.
    Simultaneous {
        /// An island of them.
        resolve: impact::Kernel,
        /// What it is followed in, if it is.
        clock: Option<Clock>,
        /// The impulse of one contact in closed form, for a law that has one.
        single: Option<Single>,
    },
}

/// The impulse of one contact by a law for several; `None` where the general method has to find it.
pub(crate) type Single = fn(&Collision, &[f64]) -> Result<Option<Vector3<f64>>, Inapplicable>;

/// A collision followed by a law.
pub(crate) type Following = fn(&Collision, &[f64], Option<&mut History>) -> Result<Outcome, Inapplicable>;

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

/// Why a law has no answer for a collision that is itself a sound problem.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Inapplicable {
    /// The law is planar and the collision leaves every plane through the normal.
    NotPlanar,
    /// The law needs an inverse mass that is diagonal in the frame (n, slip, across).
    Coupled {
        /// W between normal and slip, normal and across, slip and across, 1/kg.
        couplings: [f64; 3],
    },
    /// W is singular and the law's impulse grows without bound in that limit.
    UnboundedImpulse,
    /// The law's conditions have no solution here.
    NoSolution,
    /// The law minimises over a set of impulses, and the set is empty.
    Infeasible,
    /// No finite impulses satisfy the law's conditions: contacts hold each other.
    Wedged {
        /// Which ones.
        contacts: impact::Wedge,
        /// Whether it is proven that there are none; else none were found.
        proven: bool,
    },
    /// W is singular and the law needs a finite mass in every direction.
    InfiniteMass,
    /// The law is for one contact, or needs the laws of several.
    SeveralContacts,
    /// The law applies another law to several contacts, one after the other: one contact needs that law alone.
    OneContact,
    /// The law's ratios of normal impulses come out negative, or have no solution.
    NegativeRatio,
    /// With the law's ratios of normal impulses compression does not end.
    EndlessCompression,
    /// The motion could not be followed to its end.
    NoConvergence,
    /// The law's conditions were not solved to the precision asked for.
    Unsolved {
        /// How far from holding they are, relative to the velocities and impulses.
        residual: f64,
    },
    /// The answer does not satisfy the law's equations: rounding is all that is left of it.
    FailsEquations {
        /// By how much, relative to the velocities before.
        residual: f64,
    },
    /// Friction and the coupling of undamped springs leave the motion of the contact point open.
    Undetermined {
        /// μ |K_nt| over the least eigenvalue of K_tt; below 1 the motion would be unique.
        ratio: f64,
    },
}

impl fmt::Display for Inapplicable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Inapplicable::NotPlanar => write!(f, "planar law, but the collision leaves every plane through the normal"),
            Inapplicable::Coupled { couplings } => {
                write!(f, "needs a diagonal inverse mass, but")?;
                let names = ["W(normal, slip)", "W(normal, across)", "W(slip, across)"];
                for (name, value) in names.iter().zip(couplings).filter(|(_, value)| **value != 0.0) {
                    write!(f, " {name} = {}", Digits(*value))?;
                }
                Ok(())
            }
            Inapplicable::SeveralContacts => {
                write!(f, "the law is for one contact; `sequential` applies it to several, one after the other")
            }
            Inapplicable::OneContact => {
                write!(f, "the law applies another one to several contacts; give one contact to that law itself")
            }
            Inapplicable::UnboundedImpulse => {
                write!(f, "the inverse mass is singular and the law's impulse grows without bound in that limit")
            }
            Inapplicable::InfiniteMass => {
                write!(f, "the inverse mass is singular and the law needs a finite mass in every direction")
            }
            Inapplicable::Undetermined { ratio } => write!(
                f,
                "undamped springs leave the motion of the contact point open here (μ |K_nt| is {} times the least K_tt, \
                 not below it)",
                Digits(*ratio)
            ),
            Inapplicable::NegativeRatio => {
                write!(f, "the law's constraints give no positive ratios of the normal impulses here")
            }
            Inapplicable::EndlessCompression => {
                write!(f, "compression does not end with the law's ratios of the normal impulses: the bodies wedge")
            }
            Inapplicable::Unsolved { residual } => {
                write!(f, "the law's conditions could not be solved (residual {})", Digits(*residual))
            }
            Inapplicable::Wedged { contacts, proven } => {
                let found = if *proven { "satisfy" } else { "were found that satisfy" };
                write!(f, "no finite impulses {found} the law's conditions: {contacts} wedge")?;
                if contacts.count() == 1 { write!(f, "s") } else { Ok(()) }
            }
            Inapplicable::FailsEquations { residual } => write!(
                f,
                "the impulse found misses the law's own equations by {} of the velocities before, so it is no answer",
                Digits(*residual)
            ),
            Inapplicable::NoConvergence => write!(f, "the contact could not be followed to the end of the collision"),
            Inapplicable::NoSolution => write!(f, "the law's conditions have no solution for this collision"),
            Inapplicable::Infeasible => {
                write!(
                    f,
                    "the law has no solution: its program is infeasible, no impulses satisfy all its inequalities"
                )
            }
        }
    }
}

impl std::error::Error for Inapplicable {}

/// No law has more parameters.
const MAX_PARAMETERS: usize = 10;

/// A law with values for all its parameters: ready to resolve any number of collisions without allocation.
#[derive(Clone, Copy, Debug)]
pub struct BoundLaw {
    law: &'static Law,
    values: [f64; MAX_PARAMETERS],
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

    /// Binds parameters given by key. Keys the law does not know are an error; use [`Law::bind_from`] to pick from a
    /// larger set.
    ///
    /// ```
    /// let rod = carom::Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    /// let law = carom::laws::find("routh-poisson").unwrap();
    /// let outcome = law.bind(&[("restitution", 0.9), ("friction", 0.8)]).unwrap().resolve(&rod).unwrap();
    /// assert!((outcome.impulse.x - 0.76).abs() < 1e-12);
    /// ```
    pub fn bind(&'static self, values: &[(&str, f64)]) -> Result<BoundLaw, Error> {
        for (key, _) in values {
            if *key != "friction" && !self.parameters.iter().any(|p| p.key == *key) {
                return Err(Error::UnknownParameter { law: self.id, key: (*key).to_owned() });
            }
        }
        self.bind_from(|key| values.iter().find(|(k, _)| *k == key).map(|(_, value)| *value))
    }

    /// Binds parameters by looking each key up.
    pub fn bind_from(&'static self, lookup: impl Fn(&str) -> Option<f64>) -> Result<BoundLaw, Error> {
        debug_assert!(self.parameters.len() <= MAX_PARAMETERS);
        let mut values = [0.0; MAX_PARAMETERS];
        for (slot, parameter) in values.iter_mut().zip(self.parameters) {
            let missing = Error::MissingParameter { law: self.id, key: parameter.key };
            if let (None, Fallback::Derived(_)) = (lookup(parameter.key), parameter.fallback) {
                *slot = f64::NAN;
                continue;
            }
            *slot = match (lookup(parameter.key), parameter.fallback) {
                (Some(value), _) | (None, Fallback::Value(value)) => value,
                (None, Fallback::SameAs(other)) => lookup(other).ok_or(missing)?,
                (None, Fallback::Required | Fallback::Derived(_)) => return Err(missing),
            };
            if !parameter.accepts(*slot) {
                return Err(Error::OutOfRange { what: parameter.key, value: *slot, expected: expectation(parameter) });
            }
        }
        let bound = BoundLaw { law: self, values };
        match self.consistency {
            Some((expected, holds)) if !holds(bound.values()) => {
                Err(Error::InconsistentParameters { law: self.id, expected })
            }
            _ => Ok(bound),
        }
    }
}

fn expectation(parameter: &Parameter) -> &'static str {
    match parameter.kind {
        Kind::Number { least: 0.0, .. } if parameter.takes_infinity() => "a number of at least 0, or inf",
        Kind::Number { least: 0.0, greatest: 1.0 } => "a number from 0 to 1",
        Kind::Number { least: -1.0, greatest: 1.0 } => "a number from -1 to 1",
        Kind::Number { least: 0.0, .. } => "a finite number of at least 0",
        Kind::Number { least: f64::MIN_POSITIVE, .. } => "a finite number above 0",
        Kind::Number { .. } => "a number in the range that `carom laws` lists",
        Kind::Choice(_) => "one of the law's choices",
    }
}

impl BoundLaw {
    /// The law.
    pub fn law(&self) -> &'static Law {
        self.law
    }

    /// The values, in the order of the law's parameters.
    pub fn values(&self) -> &[f64] {
        &self.values[..self.law.parameters.len()]
    }

    /// The same with finite values, for a kernel.
    pub(crate) fn with_finite_values(mut self) -> BoundLaw {
        for value in self.values.iter_mut().filter(|value| **value == f64::INFINITY) {
            *value = ROUGH;
        }
        self
    }

    /// What the law says about a collision. Bodies that do not approach get no impulse. An answer that rounding has spoilt, so
    /// that it misses the law's own equations, is refused.
    pub fn resolve(&self, collision: &Collision) -> Result<Outcome, Inapplicable> {
        self.solve(collision, None)
    }

    /// The same, with the course of the collision; `None` for a law that jumps from before to after.
    pub fn follow(&self, collision: &Collision) -> Result<(Outcome, Option<History>), Inapplicable> {
        let follows = matches!(self.law.kernel, Kernel::Accumulate(_) | Kernel::Follow(_));
        let mut history = follows.then(History::default);
        let outcome = self.solve(collision, history.as_mut())?;
        Ok((outcome, history))
    }

    fn solve(&self, collision: &Collision, history: Option<&mut History>) -> Result<Outcome, Inapplicable> {
        let finite = self.with_finite_values();
        let outcome = match self.law.kernel {
            Kernel::Jump(resolve) => resolve(collision, finite.values())?,
            Kernel::Accumulate(resolve) | Kernel::Follow(resolve) => resolve(collision, finite.values(), history)?,
            Kernel::Simultaneous { resolve, single, .. } => {
                impact::resolve_single(resolve, single, &finite, collision)?
            }
        };
        finite.verify(collision, &outcome)?;
        Ok(outcome)
    }
}
