//! One mode of vibration of the colliding bodies, as the contact sees it.

use crate::error::{Error, finite, positive};
use nalgebra::{Matrix3, Vector3};

/// A mode of vibration. Its coordinate q obeys q̈ + 2ζω q̇ + ω² q = g·F with the contact force F on A, and moves A's
/// contact point by g q relative to B's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mode {
    /// Circular frequency ω without damping, rad/s; above 0, because motions without frequency belong to the rigid
    /// inverse mass.
    pub frequency: f64,
    /// Damping as a share ζ of the critical one, from 0 to below 1.
    pub damping_ratio: f64,
    /// Mass-normalised shape g at the contact in the contact frame (n, t1, t2), 1/√kg: A's displacement minus B's. A
    /// mode of one body alone has one of the two, and its sign is of no importance.
    pub shape: Vector3<f64>,
}

impl Mode {
    /// Checks that the numbers make a mode.
    pub(super) fn check(&self) -> Result<(), Error> {
        positive("frequency of a mode", self.frequency)?;
        finite("shape of a mode", self.shape.as_slice())?;
        check_damping(self.damping_ratio)
    }

    /// g gᵀ: what the mode adds to the inverse mass for an impulse that takes no time, 1/kg.
    pub fn inverse_mass(&self) -> Matrix3<f64> {
        self.shape * self.shape.transpose()
    }

    /// g gᵀ/ω²: what it adds to the displacement of the contact per constant force, m/N.
    pub fn flexibility(&self) -> Matrix3<f64> {
        self.inverse_mass() / (self.frequency * self.frequency)
    }

    /// Frequency of the damped vibration, ω√(1 − ζ²), rad/s.
    pub fn damped_frequency(&self) -> f64 {
        self.frequency * ((1.0 - self.damping_ratio) * (1.0 + self.damping_ratio)).sqrt()
    }

    /// Rate at which the vibration fades, ζω, 1/s.
    pub fn decay(&self) -> f64 {
        self.damping_ratio * self.frequency
    }
}

pub(super) fn check_damping(damping_ratio: f64) -> Result<(), Error> {
    finite("damping ratio", &[damping_ratio])?;
    if (0.0..1.0).contains(&damping_ratio) {
        Ok(())
    } else {
        let expected = "a number from 0 to below 1";
        Err(Error::OutOfRange { what: "damping ratio", value: damping_ratio, expected })
    }
}
