#![doc = include_str!("../README.md")]

pub mod audit;
mod body;
mod collision;
mod contact;
mod error;
pub mod impulse_space;
pub mod laws;
mod outcome;
mod polynomial;
#[cfg(test)]
mod random;
mod shape;

pub use body::Body;
pub use collision::{Collision, Section};
pub use contact::ContactFrame;
pub use error::Error;
pub use outcome::{Compression, Mode, Note, Notes, Outcome, Path, Restitution, Works};
pub use shape::{Amount, MassProperties, Shape};
