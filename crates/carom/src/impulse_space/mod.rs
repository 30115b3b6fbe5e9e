//! Impulse space: where every possible outcome of one collision is a point.
//!
//! Routh 1860; Wang & Mason 1992; Chatterjee 1997, chapters 3 and 7. Axes are the impulse components (n, t1, t2) in
//! kg m/s.

mod ellipsoid;
mod ivanov;
mod lines;
mod projection;
mod region;
mod surface;

pub use ellipsoid::{EnergyEllipsoid, PrincipalAxes};
pub(crate) use ivanov::ivanov_impulse;
pub use region::{AccessibleRegion, Extent, RegionCoordinates};
pub use surface::BoundarySurface;

use crate::collision::bounded;
use crate::error::Error;
use nalgebra::Vector3;

/// Refuses impulses whose squares leave double precision no room.
fn checked_impulse(impulse: &Vector3<f64>) -> Result<(), Error> {
    bounded("impulse", impulse.as_slice())
}
