//! How a law is computed, and how far an answer is from its equations.

use super::check::Answered;
use super::{BoundLaw, Inapplicable, Law, Promised};
use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, IslandHistory};
use crate::dimension::Dimension;
use crate::impact::Impact;
use crate::outcome::{ContactOutcome, Solution};
use nalgebra::Vector3;

/// The computation of a law for one contact.
pub trait OneContact: Send + Sync {
    /// The outcome of a collision, for values in the order of the law's parameters and within their bounds; an infinite
    /// coefficient of friction has been replaced by [`ROUGH`](crate::laws::ROUGH). A law that follows the collision writes its
    /// course down if there is a history to write to.
    fn resolve(
        &self,
        collision: &Collision,
        values: &[f64],
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable>;

    /// How far an answer is from the law's equations, m/s, worked out from W, V and P rather than from the steps that led to P;
    /// `None` where the promises of the law are all that can be checked.
    fn residual(&self, _answered: &Answered, _values: &[f64]) -> Option<f64> {
        None
    }

    /// What the collision is followed in; `None` if the law jumps from before to after.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// How many collisions of a batch it takes at once, by [`OneContact::resolve_rows`]; one by default.
    fn rows_at_once(&self) -> usize {
        1
    }

    /// The outcomes of several collisions of a batch, in their order, where one call for all costs less than one for each. Planar ones
    /// have nothing along t2.
    fn resolve_rows(&self, _dimension: Dimension, rows: &[Posed]) -> Vec<Result<ContactOutcome, Inapplicable>> {
        rows.iter().map(|row| self.resolve(&row.collision, row.values, None)).collect()
    }
}

/// A collision of a batch, with the values of the law's parameters in their order.
#[derive(Clone, Copy, Debug)]
pub struct Posed<'a> {
    /// The collision.
    pub collision: Collision,
    /// The values, finite ones.
    pub values: &'a [f64],
}

/// The computation of a law for several contacts at once.
pub trait SeveralContacts: Send + Sync {
    /// The solution for an island of contacts of which one at least approaches, by a law that is bound for these contacts. A law
    /// that follows the impact writes its course down if there is a history to write to.
    fn resolve(
        &self,
        island: &Impact,
        law: &BoundLaw,
        history: Option<&mut IslandHistory>,
    ) -> Result<Solution, Inapplicable>;

    /// How far a solution is from the law's equations, m/s; `None` where the promises of the law are all that can be checked.
    fn residual(&self, _island: &Impact, _law: &BoundLaw, _solution: &Solution) -> Option<f64> {
        None
    }

    /// The promises that hold for an island: those made without condition, and those whose condition it meets. A solution that breaks one
    /// is refused.
    fn promised(&self, _island: &Impact, law: &BoundLaw) -> Promised {
        law.law().guarantees.always()
    }

    /// How far the answer of one contact is from the law's equations, m/s.
    fn residual_of_one(&self, _answered: &Answered, _values: &[f64]) -> Option<f64> {
        None
    }

    /// What the impact is followed in; `None` if the law jumps from before to after.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// The impulse of one contact in closed form; `None` where the general method has to find it.
    fn closed_form(&self, _collision: &Collision, _values: &[f64]) -> Result<Option<Vector3<f64>>, Inapplicable> {
        Ok(None)
    }

    /// The laws for one contact among which the parameter `single_law` chooses, for a law that resolves contacts one by one.
    fn single_laws(&self) -> &'static [Law] {
        &[]
    }
}

/// The computation of a law.
#[derive(Clone, Copy)]
pub(crate) enum Method {
    OneContact(&'static dyn OneContact),
    SeveralContacts(&'static dyn SeveralContacts),
}
