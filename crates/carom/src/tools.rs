//! Tools beside the flow from a problem to its outcome: bodies for a wanted mass matrix, and laws near the sphere.

pub use crate::near_sphere::{FiveFunctions, SphereLinearisation, linearise_about_sphere};
pub use crate::realise::{PointMasses, Realisation, realise, realise_by_points};
