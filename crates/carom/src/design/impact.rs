//! What a head-on impact on an element does, and the checks all designs share.

use crate::error::{Error, finite, non_negative, positive};

/// A head-on impact of a mass on one element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Speed of parting over speed of approach.
    pub restitution: f64,
    /// From first touch to last, s.
    pub duration: f64,
    /// Greatest force, N.
    pub peak_force: f64,
    /// Greatest compression, m.
    pub peak_compression: f64,
}

impl Impact {
    /// The same with mass m, stiffness k and speed v in place of units, for a spring whose force is linear in its
    /// compression: times go with √(m/k), forces with v√(k m).
    pub(super) fn scaled(self, mass: f64, stiffness: f64, speed: f64) -> Result<Impact, Error> {
        let time = (mass / stiffness).sqrt();
        Impact {
            restitution: self.restitution,
            duration: self.duration * time,
            peak_force: self.peak_force * speed * (stiffness * mass).sqrt(),
            peak_compression: self.peak_compression * speed * time,
        }
        .finite()
    }

    /// The stiffness that makes this impact, given in units of mass, stiffness and speed, last so long.
    pub(super) fn stiffness_for_duration(self, mass: f64, duration: f64) -> Result<f64, Error> {
        positive("duration", duration)?;
        sound("stiffness", mass * (self.duration / duration).powi(2))
    }

    /// The stiffness that gives this impact, given in units of mass, stiffness and speed, such a greatest force.
    pub(super) fn stiffness_for_peak_force(self, mass: f64, speed: f64, force: f64) -> Result<f64, Error> {
        positive("speed", speed)?;
        positive("peak force", force)?;
        sound("stiffness", (force / (self.peak_force * speed)).powi(2) / mass)
    }

    pub(super) fn finite(self) -> Result<Impact, Error> {
        finite("impact", &[self.restitution, self.duration, self.peak_force, self.peak_compression])?;
        Ok(self)
    }
}

/// Checks a restitution that an element can only have above 0.
pub(super) fn restitution_above_zero(value: f64) -> Result<(), Error> {
    finite("restitution", &[value])?;
    if value > 0.0 && value <= 1.0 {
        Ok(())
    } else {
        Err(Error::OutOfRange { what: "restitution", value, expected: "a number above 0 and up to 1" })
    }
}

/// Checks a restitution from 0 to 1.
pub(super) fn restitution(value: f64) -> Result<(), Error> {
    finite("restitution", &[value])?;
    if (0.0..=1.0).contains(&value) {
        Ok(())
    } else {
        Err(Error::OutOfRange { what: "restitution", value, expected: "a number from 0 to 1" })
    }
}

/// Checks a damping of at least 0.
pub(super) fn damping(value: f64) -> Result<(), Error> {
    non_negative("damping", value)
}

/// A result that double precision can hold.
pub(super) fn sound(what: &'static str, value: f64) -> Result<f64, Error> {
    positive(what, value)?;
    Ok(value)
}
