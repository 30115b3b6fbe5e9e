//! A split mass: part of it stops dead, the rest bounces on a spring (Chatterjee 1997, 8.1, after Mindlin's packaging).
//!
//! With the masses m₁ = e m behind the spring and m − m₁ at the contact, the spring carries m₁ alone and the momentum
//! afterwards is e m v.

use super::impact::{Impact, restitution_above_zero};
use crate::error::{Error, positive};
use std::f64::consts::PI;

/// A mass of which the share e sits on a spring; the rest stops at first touch.
///
/// ```
/// use carom::design::SplitMass;
/// let design = SplitMass::for_duration(0.6, 0.1, 1e-3)?;
/// assert!((design.impact(0.1, 2.0)?.duration - 1e-3).abs() < 1e-15);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitMass {
    /// Restitution e = m₁/m, above 0.
    pub restitution: f64,
    /// Stiffness k between the two masses, N/m.
    pub stiffness: f64,
}

impl SplitMass {
    /// The spring on which a mass (kg) stays for a duration (s).
    pub fn for_duration(restitution: f64, mass: f64, duration: f64) -> Result<SplitMass, Error> {
        let stiffness = unit(restitution)?.stiffness_for_duration(checked(mass)?, duration)?;
        Ok(SplitMass { restitution, stiffness })
    }

    /// The spring on which a mass (kg) arriving with a speed (m/s) meets this greatest force (N), the blow that stops the
    /// contacting part left aside.
    pub fn for_peak_force(restitution: f64, mass: f64, speed: f64, force: f64) -> Result<SplitMass, Error> {
        let stiffness = unit(restitution)?.stiffness_for_peak_force(checked(mass)?, speed, force)?;
        Ok(SplitMass { restitution, stiffness })
    }

    /// What the impact of a mass (kg) with a speed (m/s) does. The peak is the spring's: the contacting part is stopped by
    /// an impulse.
    pub fn impact(&self, mass: f64, speed: f64) -> Result<Impact, Error> {
        positive("stiffness", self.stiffness)?;
        positive("speed", speed)?;
        unit(self.restitution)?.scaled(checked(mass)?, self.stiffness, speed)
    }
}

fn checked(mass: f64) -> Result<f64, Error> {
    positive("mass", mass)?;
    Ok(mass)
}

/// The impact in units of mass, stiffness and speed: half a swing of the mass e.
fn unit(restitution: f64) -> Result<Impact, Error> {
    restitution_above_zero(restitution)?;
    let period = restitution.sqrt();
    Ok(Impact { restitution, duration: PI * period, peak_force: period, peak_compression: period })
}
