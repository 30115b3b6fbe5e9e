//! Whether a problem lives in the plane or in space.

use std::fmt;

/// Whether a problem lives in the plane or in space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Dimension {
    /// Nothing leaves the x–y plane; bodies turn about z.
    Planar,
    /// Bodies move and turn in all directions.
    Spatial,
}

impl Dimension {
    /// Whether it is the plane.
    pub fn is_planar(self) -> bool {
        self == Dimension::Planar
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Dimension::Planar => "planar",
            Dimension::Spatial => "spatial",
        })
    }
}
