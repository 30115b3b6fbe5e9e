//! Bilinear springs: Chatterjee 1997, 8.4.

use super::impact::{self, Impact};
use crate::error::{Error, positive};
use std::f64::consts::FRAC_PI_2;

/// How a bilinear spring unloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unloading {
    /// Steeper than it loads, to a lasting compression (model 1).
    Steep,
    /// Less steeply, to no compression, after a drop of the force (model 2).
    Shallow,
}

/// A spring that loads with F = k x and unloads along another line, so that it gives back e² of the energy.
///
/// ```
/// use carom::design::{BilinearSpring, Unloading};
/// let spring = BilinearSpring::for_duration(Unloading::Steep, 0.6, 0.1, 1e-3)?;
/// assert!((spring.impact(0.1, 2.0)?.duration - 1e-3).abs() < 1e-15);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BilinearSpring {
    /// How it unloads.
    pub unloading: Unloading,
    /// Restitution e, 0 to 1.
    pub restitution: f64,
    /// Stiffness k while loading, N/m.
    pub stiffness: f64,
}

impl BilinearSpring {
    /// The spring on which a mass (kg) stays for a duration (s).
    pub fn for_duration(unloading: Unloading, restitution: f64, mass: f64, duration: f64) -> Result<Self, Error> {
        positive("mass", mass)?;
        let stiffness = unit(unloading, restitution)?.stiffness_for_duration(mass, duration)?;
        Ok(BilinearSpring { unloading, restitution, stiffness })
    }

    /// The spring on which a mass (kg) arriving with a speed (m/s) meets this greatest force (N).
    pub fn for_peak_force(
        unloading: Unloading,
        restitution: f64,
        mass: f64,
        speed: f64,
        force: f64,
    ) -> Result<Self, Error> {
        positive("mass", mass)?;
        let stiffness = unit(unloading, restitution)?.stiffness_for_peak_force(mass, speed, force)?;
        Ok(BilinearSpring { unloading, restitution, stiffness })
    }

    /// What the impact of a mass (kg) with a speed (m/s) does.
    pub fn impact(&self, mass: f64, speed: f64) -> Result<Impact, Error> {
        positive("stiffness", self.stiffness)?;
        positive("mass", mass)?;
        positive("speed", speed)?;
        unit(self.unloading, self.restitution)?.scaled(mass, self.stiffness, speed)
    }
}

/// The impact in units of mass, stiffness and speed: a quarter swing to load, and one of the unloading line's period.
fn unit(unloading: Unloading, restitution: f64) -> Result<Impact, Error> {
    impact::restitution(restitution)?;
    let unloading = match unloading {
        // Without restitution the collision ends at the greatest compression.
        _ if restitution == 0.0 => 0.0,
        Unloading::Steep => restitution,
        Unloading::Shallow => restitution.recip(),
    };
    Ok(Impact { restitution, duration: FRAC_PI_2 * (1.0 + unloading), peak_force: 1.0, peak_compression: 1.0 })
}
