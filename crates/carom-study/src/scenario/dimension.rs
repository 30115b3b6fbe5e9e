//! Whether a problem lives in the plane or in space.

use std::fmt;

/// Whether a problem lives in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dimension {
    /// Vectors have 2 numbers, bodies turn about z.
    Planar,
    /// Vectors have 3 numbers.
    Spatial,
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Dimension::Planar => "planar",
            Dimension::Spatial => "spatial",
        })
    }
}
