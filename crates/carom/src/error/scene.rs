//! What is wrong with a scene, and where.

use super::Error;
use std::fmt;

/// A thing of a scene, by its place in its list, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SceneItem {
    /// Gravity.
    Gravity,
    /// The table of materials.
    Materials,
    /// A body.
    Body(usize),
    /// A part of a body.
    BodyPart {
        /// Place of the body.
        body: usize,
        /// Place among its parts.
        part: usize,
    },
    /// A part of the world.
    WorldPart(usize),
    /// A joint.
    Joint(usize),
    /// A load.
    Load(usize),
    /// A string.
    String(usize),
    /// A pair that passes through each other.
    Passing(usize),
}

/// Why a scene cannot be: the thing that is wrong, and what was expected of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneError {
    /// The thing.
    pub item: SceneItem,
    /// What is wrong with it.
    pub error: Box<Error>,
}

impl fmt::Display for SceneItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SceneItem::Gravity => f.write_str("gravity"),
            SceneItem::Materials => f.write_str("materials"),
            SceneItem::Body(body) => write!(f, "body {}", body + 1),
            SceneItem::BodyPart { body, part } => write!(f, "body {}, part {}", body + 1, part + 1),
            SceneItem::WorldPart(part) => write!(f, "part {} of the world", part + 1),
            SceneItem::Joint(joint) => write!(f, "joint {}", joint + 1),
            SceneItem::Load(load) => write!(f, "load {}", load + 1),
            SceneItem::String(string) => write!(f, "string {}", string + 1),
            SceneItem::Passing(pair) => write!(f, "passing pair {}", pair + 1),
        }
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.item, self.error)
    }
}

impl std::error::Error for SceneError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.error.as_ref())
    }
}
