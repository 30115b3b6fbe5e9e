//! Strings of a scene.

use super::load::Anchor;
use crate::collision::{bounded, sensible};
use crate::error::{Error, positive};

/// A massless string between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneString {
    /// One end.
    pub a: Anchor,
    /// The other.
    pub b: Anchor,
    /// The most that they come apart, m.
    pub length: f64,
    /// How strongly it throws the ends back when it goes taut, 0 to 1. Without one, see
    /// [`Scene::link_restitution`](super::Scene::link_restitution).
    pub restitution: Option<f64>,
}

impl SceneString {
    /// Refuses numbers that no string has. Bodies are checked with the scene.
    pub(super) fn check(&self) -> Result<(), Error> {
        bounded("point", self.a.point.as_slice())?;
        bounded("point", self.b.point.as_slice())?;
        positive("length", self.length)?;
        sensible("length", self.length)?;
        check_restitution(self.restitution)
    }
}

/// Refuses a restitution of a string or a limit outside 0 to 1.
pub(super) fn check_restitution(restitution: Option<f64>) -> Result<(), Error> {
    match restitution {
        Some(value) if !(0.0..=1.0).contains(&value) => {
            Err(Error::OutOfRange { what: "restitution", value, expected: "a number from 0 to 1" })
        }
        _ => Ok(()),
    }
}
