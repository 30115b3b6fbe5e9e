//! Where parts of bodies meet.

pub(crate) mod detect;
pub(crate) mod meeting;
pub(crate) mod separation;
