//! A law as an entry of the registry.

use super::method::Method;
use super::parameter::{Fallback, Parameter};
use crate::course::Clock;
use std::fmt;

/// A collision law: what it is called, where it comes from, what it needs and promises, and how it is computed.
///
/// A law is used as `&'static Law`. Built-in laws are static; a law of one's own comes from [`Law::from_fn`],
/// [`Law::of_one_contact`] or [`Law::of_several_contacts`].
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
    /// The computation.
    pub(crate) method: Method,
}

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
    /// Nothing promised; whether slip can come back is open.
    pub const NONE: Guarantees = Guarantees {
        energy: Promise::No,
        friction: Promise::No,
        penetration: Promise::No,
        tangential_restitution: Promise::If("not known"),
        spatial: Promise::No,
        unique: Promise::No,
    };

    /// Every promise kept.
    pub const ALL: Guarantees = Guarantees {
        energy: Promise::Yes,
        friction: Promise::Yes,
        penetration: Promise::Yes,
        tangential_restitution: Promise::Yes,
        spatial: Promise::Yes,
        unique: Promise::Yes,
    };
}

/// The promises of a law about an answer that hold for a certain problem: an answer that breaks one is not the law's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Promised {
    /// Kinetic energy does not rise.
    pub energy: bool,
    /// |P_t| ≤ μ P_n.
    pub friction: bool,
    /// V_n after ≥ 0.
    pub penetration: bool,
}

impl Guarantees {
    /// The promises that are made without condition.
    pub fn always(&self) -> Promised {
        Promised {
            energy: self.energy == Promise::Yes,
            friction: self.friction == Promise::Yes,
            penetration: self.penetration == Promise::Yes,
        }
    }
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
        match self.method {
            Method::OneContact(method) => method.clock(),
            Method::SeveralContacts(method) => method.clock(),
        }
    }

    /// Whether the law can give back tangential velocity, always or under a condition.
    pub fn restores_slip(&self) -> bool {
        self.guarantees.tangential_restitution != Promise::No
    }

    /// Whether a key is one of its parameters, or the one whose value a parameter has where it is not given.
    pub fn takes(&self, key: &str) -> bool {
        let stands_in = |fallback| matches!(fallback, Fallback::SameAs(other) if other == key);
        self.parameters.iter().any(|parameter| parameter.key == key || stands_in(parameter.fallback))
    }

    /// How many collisions of a batch its method takes at once.
    pub(crate) fn rows_at_once(&self) -> usize {
        match self.method {
            Method::OneContact(method) => method.rows_at_once().max(1),
            Method::SeveralContacts(_) => 1,
        }
    }

    /// Whether the law is for several contacts at once.
    pub fn is_simultaneous(&self) -> bool {
        matches!(self.method, Method::SeveralContacts(_))
    }
}

impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Law").field("id", &self.id).finish_non_exhaustive()
    }
}
