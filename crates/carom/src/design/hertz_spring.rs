//! Hertz's spring F = k d^(3/2): elastic bodies with curved surfaces.

use super::impact::{Impact, sound};
use crate::error::{Error, positive};

/// A spring F = k d^(3/2), which gives all energy back. Its duration depends on the speed.
///
/// ```
/// use carom::design::HertzSpring;
/// let spring = HertzSpring::for_duration(0.1, 2.0, 1e-4)?;
/// assert!((spring.impact(0.1, 2.0)?.duration - 1e-4).abs() < 1e-16);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HertzSpring {
    /// k, N/m^(3/2).
    pub stiffness: f64,
}

/// T v/d = 2∫₀¹ dz/√(1 − z^(5/2)) = 2√π Γ(7/5)/Γ(9/10), d the greatest compression.
const DURATION: f64 = 2.943_275_184_324_704_7;

impl HertzSpring {
    /// The spring on which a mass (kg) arriving with a speed (m/s) stays for a duration (s).
    pub fn for_duration(mass: f64, speed: f64, duration: f64) -> Result<HertzSpring, Error> {
        positive("duration", duration)?;
        positive("speed", speed)?;
        HertzSpring::for_compression(mass, speed, duration * speed / DURATION)
    }

    /// The spring on which a mass (kg) arriving with a speed (m/s) meets this greatest force (N).
    pub fn for_peak_force(mass: f64, speed: f64, force: f64) -> Result<HertzSpring, Error> {
        positive("peak force", force)?;
        // ½ m v² = ⅖ F d.
        HertzSpring::for_compression(mass, speed, 1.25 * mass * speed * speed / force)
    }

    fn for_compression(mass: f64, speed: f64, compression: f64) -> Result<HertzSpring, Error> {
        positive("mass", mass)?;
        positive("speed", speed)?;
        // ½ m v² = ⅖ k d^(5/2).
        let stiffness = 1.25 * mass * speed * speed / (compression * compression * compression.sqrt());
        Ok(HertzSpring { stiffness: sound("stiffness", stiffness)? })
    }

    /// What the impact of a mass (kg) with a speed (m/s) does.
    pub fn impact(&self, mass: f64, speed: f64) -> Result<Impact, Error> {
        positive("stiffness", self.stiffness)?;
        positive("mass", mass)?;
        positive("speed", speed)?;
        let compression = (1.25 * mass * speed * speed / self.stiffness).powf(0.4);
        Impact {
            restitution: 1.0,
            duration: DURATION * compression / speed,
            peak_force: self.stiffness * compression * compression.sqrt(),
            peak_compression: compression,
        }
        .finite()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::ode::{Integrator, System};
    use nalgebra::Vector2;

    #[test]
    fn the_integrated_motion_has_the_closed_form_s_duration_and_depth() {
        struct Motion(f64);
        impl System<Vector2<f64>, 1> for Motion {
            fn derivative(&self, _: f64, y: &Vector2<f64>) -> Vector2<f64> {
                Vector2::new(y.y, -self.0 * y.x.max(0.0).powf(1.5))
            }
            fn events(&self, _: f64, y: &Vector2<f64>) -> [f64; 1] {
                [y.y]
            }
        }
        // Half the motion, to the turn: m = 1, v = 2.
        let (k, v) = (1e3, 2.0);
        let impact = HertzSpring { stiffness: k }.impact(1.0, v).unwrap();
        let scale = Vector2::new(impact.peak_compression, v);
        let mut motion = Integrator::new(Vector2::new(0.0, v), scale, 1e-12, 1e-4 * impact.duration);
        while motion.advance(&Motion(k)).unwrap().is_none() {}
        assert!((2.0 * motion.t / impact.duration - 1.0).abs() < 1e-10, "{}", motion.t);
        assert!((motion.y.x / impact.peak_compression - 1.0).abs() < 1e-10);
    }
}
