//! Elastic contact: the shape of the contact, what it carries, how it rebounds, and whether the theory may be believed.

mod curvature;
mod disk;
mod elliptic;
mod hertz;
mod impact;
mod materials;
mod mindlin;
mod moduli;
mod oblique;
mod rebound;

pub use crate::validity::{Doubt, Limits, Strength, WaveCriteria};
pub use curvature::{Gap, Surface};
pub use disk::ThinDisk;
pub use hertz::{LineContact, PointContact, Pressed};
pub(crate) use impact::elapsed;
pub use impact::{HertzImpact, Moment};
pub use materials::{MATERIALS, Material};
pub use mindlin::TangentialLoading;
pub use moduli::{Elasticity, ReducedModuli};
pub use oblique::{Regimes, gyration_ratio, nondimensional_angle};
pub(crate) use oblique::{kappa, slip_ratio};
pub use rebound::{Oblique, Round};
