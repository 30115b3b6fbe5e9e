#![doc = include_str!("../README.md")]

pub mod audit;
mod body;
mod collision;
mod contact;
mod digits;
mod error;
pub mod impulse_space;
pub mod laws;
mod near_sphere;
mod outcome;
mod polynomial;
#[cfg(test)]
mod random;
mod realise;
mod shape;

pub use body::Body;
pub use collision::{Collision, Section};
pub use contact::ContactFrame;
pub use digits::Digits;
pub use error::Error;
pub use near_sphere::{FiveFunctions, SphereLinearisation, linearise_about_sphere};
pub use outcome::{Compression, Mode, Note, Notes, Outcome, Path, Restitution, Works};
pub use realise::{Realisation, realise};
pub use shape::{Amount, MassProperties, Shape};
