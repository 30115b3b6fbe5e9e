//! Why a law has no answer.

use super::Wedge;
use crate::format::{Digits, Exact};
use std::fmt;

/// Why a law has no answer for a collision that is itself a sound problem.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Inapplicable {
    /// The law is planar and the collision leaves every plane through the normal.
    NotPlanar,
    /// The law needs an inverse mass that is diagonal in the frame (n, slip, across).
    Coupled {
        /// W between normal and slip, normal and across, slip and across, 1/kg.
        couplings: [f64; 3],
    },
    /// The law's impulse is NaN or infinite.
    NotFinite,
    /// W is singular and the law's impulse grows without bound in that limit.
    UnboundedImpulse,
    /// The law's conditions have no solution here.
    NoSolution,
    /// The law minimises over a set of impulses, and the set is empty.
    Infeasible,
    /// No finite impulses satisfy the law's conditions: contacts hold each other.
    Wedged {
        /// Which ones.
        contacts: Wedge,
        /// Whether it is proven that there are none; else none were found.
        proven: bool,
    },
    /// W is singular and the law needs a finite mass in every direction.
    InfiniteMass,
    /// The law is for one contact, or needs the laws of several.
    SeveralContacts,
    /// A field of a typed law has a value that its parameter cannot take.
    Parameter {
        /// The key of the parameter.
        key: &'static str,
        /// The value of the field.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        value: f64,
        /// The values that it can take.
        expected: &'static str,
    },
    /// The fields of a typed law contradict each other.
    Parameters {
        /// What was expected.
        expected: &'static str,
    },
    /// The law was bound for another number of contacts.
    OtherContacts {
        /// The contacts it was bound for.
        bound: usize,
        /// The contacts of the problem.
        given: usize,
    },
    /// The method of a law returned something that is no solution of any law.
    InvalidSolution {
        /// What is wrong with it.
        fault: &'static str,
    },
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
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        residual: f64,
    },
    /// The answer does not satisfy the law's equations: rounding is all that is left of it.
    FailsEquations {
        /// By how much, relative to the velocities before.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        residual: f64,
    },
    /// Friction and the coupling of undamped springs leave the motion of the contact point open.
    Undetermined {
        /// μ |K_nt| over the least eigenvalue of K_tt; below 1 the motion would be unique.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
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
            Inapplicable::Parameter { key, value, expected } => {
                write!(f, "`{key}` is {}; expected {expected}", Exact(*value))
            }
            Inapplicable::Parameters { expected } => write!(f, "expected {expected}"),
            Inapplicable::OtherContacts { bound, given } => {
                write!(f, "the law has parameters for {bound} contacts, but the problem has {given}")
            }
            Inapplicable::InvalidSolution { fault } => write!(f, "the method of the law returned {fault}"),
            Inapplicable::OneContact => {
                write!(f, "the law applies another one to several contacts; give one contact to that law itself")
            }
            Inapplicable::NotFinite => write!(f, "the law's impulse is not finite"),
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
