//! Where parts of bodies meet.

pub(crate) mod meeting;
