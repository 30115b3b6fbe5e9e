//! Impulse space: where every possible outcome of one collision is a point.
//!
//! Routh 1860; Wang & Mason 1992; Chatterjee 1997, chapters 3 and 7. Axes are the impulse components (n, t1, t2) in
//! kg m/s.

mod ellipsoid;
mod ivanov;
mod lines;
mod plane;
mod plane_line;
mod polygon;
mod projection;
mod raster;
mod region;
mod surface;
mod window;

pub use ellipsoid::{EnergyEllipsoid, PrincipalAxes};
pub use ivanov::{ivanov_impulse, ivanov_restitution};
pub use lines::{FrictionCone, Line, Plane};
pub use plane::PlaneDiagram;
pub use plane_line::PlaneLine;
pub use polygon::area;
pub use raster::Raster;
pub use region::{AccessibleRegion, Extent, RegionCoordinates};
pub use surface::{BoundarySurface, NoSurface};
pub use window::Window;
