//! Compliant point contacts, followed in time by one integrator.
//!
//! The bodies are an anisotropic point mass W that touches a rigid plane through a massless contact point (Chatterjee
//! 1997, fig. 5.1). Between the two sits an element that gives force for deformation x and its rate; at the contact
//! point acts Coulomb friction. Time and displacement are stretched: W does not change meanwhile.
//!
//! ```text
//! dP/dt = F,   V = V_before + W P,   dx/dt = V − (0, u),   u: slip of the contact point
//! ```
//!
//! A [`Model`] says what the force is, how its own part of the state moves, and what ends the present mode of motion;
//! [`follow`] does the rest. The elements along normal and tangents are in `aligned.rs`, so that a new one is its normal
//! force and nothing else; those along the eigenvectors of the mass in `oblique.rs`.

mod aligned;
mod branches;
mod follow;
mod oblique;

pub(super) use aligned::{Aligned, Element, Normal, Tangent};
pub(super) use branches::Friction;
pub(super) use follow::{Header, Model, Next, follow};
pub(super) use oblique::Oblique;
