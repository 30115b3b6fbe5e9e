//! Solvers of the laws for several contacts: complementarity, quadratic programs, friction cones. Each has a function that says
//! how far a point is from solving its problem, and tells whether it got there.

pub(crate) mod cone;
mod cone_newton;
pub(crate) mod cone_qp;
pub(crate) mod dense;
pub(crate) mod friction;
mod friction_newton;
mod interior_point;
pub(crate) mod lcp;
pub(crate) mod least_distance;
mod modes;
mod one_contact;
mod polyhedral;
pub(crate) mod qp;
mod saddle;
mod second_order;
pub(crate) mod shortest;
pub(crate) mod sparse;
pub(crate) mod unknowns;

/// How a solver ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// The residual is as small as rounding allows.
    Solved,
    /// It stopped making progress; the residual says how far it came.
    Stalled,
}

/// A residual that counts as solved: natural map relative to the scales of the problem, never to those of its answer.
pub(crate) const SOLVED: f64 = 1e-10;
/// A residual that a law accepts, where contacts repeat each other but for rounding and nothing better exists; what the
/// audit of an impact allows.
pub(crate) const ACCEPTED: f64 = 1e-9;
/// Frictionless impacts of more contacts are solved as sparse ones alone: whether there are shorter impulses is not asked.
pub(crate) const LARGE: usize = 100;
