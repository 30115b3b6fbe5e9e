//! The class of an impact (Wang & Mason 1992, 3.4.1).

use crate::error::{Error, finite};
use nalgebra::{Matrix3, Vector3};
use std::fmt;

/// The kind of impact that W and V describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Whether the contact points approach.
    pub approach: Approach,
    /// Without slip before the impact.
    pub direct: bool,
    /// A normal impulse changes the normal velocity only: W_nt = 0 (generalised central impact).
    pub central: bool,
}

/// How the contact points move along the normal before the impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// V_n < 0.
    Meeting,
    /// V_n = 0.
    Tangential,
    /// V_n > 0.
    Parting,
}

/// Coupling of normal and tangent below this fraction of W's trace is rounding.
const UNCOUPLED: f64 = 1e-12;

impl Class {
    /// The class of a contact with this inverse mass and velocity, both in (n, t1, t2).
    ///
    /// ```
    /// use carom::{Collision, problem::Class};
    /// let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    /// assert_eq!(Class::of(rod.inverse_mass(), rod.velocity())?.to_string(), "meeting, oblique, eccentric");
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn of(inverse_mass: &Matrix3<f64>, velocity: &Vector3<f64>) -> Result<Class, Error> {
        finite("inverse mass", inverse_mass.as_slice())?;
        finite("velocity", velocity.as_slice())?;
        let approach = match velocity.x {
            v if v < 0.0 => Approach::Meeting,
            0.0 => Approach::Tangential,
            _ => Approach::Parting,
        };
        let coupling = inverse_mass[(0, 1)].hypot(inverse_mass[(0, 2)]);
        let central = coupling <= UNCOUPLED * inverse_mass.trace();
        Ok(Class { approach, direct: velocity.yz().norm() == 0.0, central })
    }

    /// `direct` or `oblique`.
    pub fn slip_name(&self) -> &'static str {
        if self.direct { "direct" } else { "oblique" }
    }

    /// `central` or `eccentric`.
    pub fn centre_name(&self) -> &'static str {
        if self.central { "central" } else { "eccentric" }
    }
}

impl Approach {
    /// `meeting`, `tangential` or `parting`.
    pub fn name(self) -> &'static str {
        match self {
            Approach::Meeting => "meeting",
            Approach::Tangential => "tangential",
            Approach::Parting => "parting",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.approach.name(), self.slip_name(), self.centre_name())
    }
}
