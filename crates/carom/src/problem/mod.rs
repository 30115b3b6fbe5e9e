//! The quantities of a collision that the literature names: its class, its principal inertias, Wang & Mason's coefficients and
//! critical frictions, Lai's coupling, and Chatterjee's span condition.
//!
//! They depend on W, V and the material; only the span condition also needs an outcome.

mod class;
mod coupling;
mod process;
mod span;

pub use crate::impact::Principal;
pub use class::{Approach, Class};
pub use coupling::InertiaCoupling;
pub use process::ImpactProcess;
pub use span::Span;
