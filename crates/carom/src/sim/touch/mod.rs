//! Where parts of bodies meet.

pub(crate) mod detect;
mod ellipsoid;
mod ellipsoid_hull;
mod forms;
pub(crate) mod manifold;
pub(crate) mod meeting;
pub(crate) mod separation;
