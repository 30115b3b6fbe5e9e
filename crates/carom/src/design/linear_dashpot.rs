//! A spring and a linear dashpot in parallel: Chatterjee 1997, 8.3.
//!
//! In units of mass, stiffness and speed, with ζ = cos φ and w = sin φ, the force x + 2ζ dx/dt is
//!
//! ```text
//! f(t) = exp(−ζ t) sin(2φ − w t)/sin φ,   df/dt = −exp(−ζ t) sin(3φ − w t)/sin φ
//! ```
//!
//! so the contact ends at t = 2φ/w. The force is greatest at t = (3φ − π)/w, where it is exp(−ζ t), if that is positive
//! (ζ < 1/2), and at first touch otherwise, where it is 2ζ. The mass turns at t = φ/w, at the compression exp(−ζ t) = √e.

use super::impact::{self, Impact, restitution_above_zero, sound};
use crate::error::{Error, non_negative, positive};
use std::f64::consts::{LN_2, PI};

/// A spring and a linear dashpot in parallel, F = k x + c dx/dt.
///
/// ```
/// use carom::design::LinearDashpot;
/// // Delrin puck of 67 g at 0.5 m/s on 2e6 N/m (Chatterjee 1997, 11.3).
/// let impact = LinearDashpot { stiffness: 2e6, damping: 0.0 }.impact(0.067, 0.5)?;
/// assert!((impact.duration - 0.5750e-3).abs() < 5e-8 && (impact.peak_force - 183.0).abs() < 0.05);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearDashpot {
    /// k, N/m.
    pub stiffness: f64,
    /// c, N s/m.
    pub damping: f64,
}

impl LinearDashpot {
    /// The element on which a mass (kg) has this restitution, above 0, and stays for a duration (s).
    pub fn for_duration(restitution: f64, mass: f64, duration: f64) -> Result<LinearDashpot, Error> {
        restitution_above_zero(restitution)?;
        positive("mass", mass)?;
        let zeta = damping_ratio(restitution);
        LinearDashpot::of_ratio(zeta, unit(zeta).stiffness_for_duration(mass, duration)?, mass)
    }

    /// The element on which a mass (kg) arriving with a speed (m/s) has this restitution, above 0, and meets this greatest
    /// force (N).
    pub fn for_peak_force(restitution: f64, mass: f64, speed: f64, force: f64) -> Result<LinearDashpot, Error> {
        restitution_above_zero(restitution)?;
        positive("mass", mass)?;
        let zeta = damping_ratio(restitution);
        LinearDashpot::of_ratio(zeta, unit(zeta).stiffness_for_peak_force(mass, speed, force)?, mass)
    }

    /// Restitution of a mass on this element for ζ = c/(2√(k m)) ≥ 0 (eq. 8.4 in its simplest form).
    ///
    /// ```
    /// # use carom::design::LinearDashpot;
    /// assert!((LinearDashpot::restitution(0.1)? - 0.744_079_40).abs() < 1e-8);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn restitution(damping_ratio: f64) -> Result<f64, Error> {
        non_negative("damping ratio", damping_ratio)?;
        sound("restitution", restitution_of(damping_ratio))
    }

    /// The damping ratio ζ that gives this restitution, above 0.
    ///
    /// ```
    /// # use carom::design::LinearDashpot;
    /// assert!((LinearDashpot::restitution(LinearDashpot::damping_ratio(0.3)?)? - 0.3).abs() < 1e-15);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn damping_ratio(restitution: f64) -> Result<f64, Error> {
        restitution_above_zero(restitution)?;
        let ratio = damping_ratio(restitution);
        impact::damping(ratio)?;
        Ok(ratio)
    }

    fn of_ratio(zeta: f64, stiffness: f64, mass: f64) -> Result<LinearDashpot, Error> {
        let damping = 2.0 * zeta * (stiffness * mass).sqrt();
        impact::damping(damping)?;
        Ok(LinearDashpot { stiffness, damping })
    }

    /// What the impact of a mass (kg) with a speed (m/s) does.
    pub fn impact(&self, mass: f64, speed: f64) -> Result<Impact, Error> {
        positive("stiffness", self.stiffness)?;
        impact::damping(self.damping)?;
        positive("mass", mass)?;
        positive("speed", speed)?;
        unit(0.5 * self.damping / (self.stiffness * mass).sqrt()).scaled(mass, self.stiffness, speed)
    }
}

/// The impact in units of mass, stiffness and speed.
fn unit(zeta: f64) -> Impact {
    let restitution = restitution_of(zeta);
    let peak_force =
        if zeta < 0.5 { (-zeta * (3.0 * zeta.acos() - PI) / (1.0 - zeta * zeta).sqrt()).exp() } else { 2.0 * zeta };
    Impact {
        restitution,
        duration: 2.0 * angle_over_sine(zeta),
        peak_force,
        peak_compression: (-zeta * angle_over_sine(zeta)).exp(),
    }
}

/// Restitution for a damping ratio ζ ≥ 0 (eq. 8.4 in its simplest form).
fn restitution_of(zeta: f64) -> f64 {
    (-2.0 * zeta * angle_over_sine(zeta)).exp()
}

/// acos(ζ)/√(1 − ζ²), continued by acosh(ζ)/√(ζ² − 1): smooth and 1 at ζ = 1.
fn angle_over_sine(zeta: f64) -> f64 {
    let square = 1.0 - zeta * zeta;
    if square.abs() < 1e-6 {
        // acos(ζ)/√(1 − ζ²) = 1 + (1 − ζ)/3 + 2(1 − ζ)²/15 + …
        let short = 1.0 - zeta;
        return 1.0 + short * (1.0 / 3.0 + short * (2.0 / 15.0));
    }
    if square == f64::NEG_INFINITY {
        // acosh(ζ) = ln(2ζ) and √(ζ² − 1) = ζ to all digits.
        return (zeta.ln() + LN_2) / zeta;
    }
    if square > 0.0 { zeta.acos() / square.sqrt() } else { zeta.acosh() / (-square).sqrt() }
}

/// The damping ratio ζ that gives this restitution, 0 < e ≤ 1; infinite for e = 0.
pub(crate) fn damping_ratio(restitution: f64) -> f64 {
    if restitution <= 0.0 {
        return f64::INFINITY;
    }
    if restitution >= 1.0 {
        return 0.0;
    }
    // ln e falls strictly with ζ; for large ζ, e ≈ 1/(4 ζ²) brackets it.
    let wanted = restitution.ln();
    let (mut low, mut high) = (0.0, 1.0 + 0.5 / restitution.sqrt());
    let excess = |zeta: f64| -2.0 * zeta * angle_over_sine(zeta) - wanted;
    let mut zeta = 0.5 * high;
    for _ in 0..200 {
        let value = excess(zeta);
        if value > 0.0 {
            low = zeta;
        } else {
            high = zeta;
        }
        // Newton's step with a difference for the slope, kept inside the bracket.
        let width = 1e-6 * zeta;
        let next = zeta - value * width / (excess(zeta + width) - value);
        let next = if next > low && next < high { next } else { 0.5 * (low + high) };
        if (next - zeta).abs() <= 2.0 * f64::EPSILON * zeta {
            break;
        }
        zeta = next;
    }
    zeta
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_the_thesis_come_out() {
        // Chatterjee 1997, eq. 8.4, evaluated in an independent implementation.
        let table = [
            (0.05, 0.858_758_10),
            (0.1, 0.744_079_40),
            (0.2, 0.571_740_03),
            (0.4, 0.363_526_86),
            (0.7, 0.210_284_56),
            (1.0, 0.135_335_28),
            (1.5, 0.075_588_31),
            (2.0, 0.047_768_73),
            (5.0, 0.009_284_52),
        ];
        for (zeta, e) in table {
            assert!((restitution_of(zeta) - e).abs() < 5e-9, "{zeta}");
            assert!((damping_ratio(e) / zeta - 1.0).abs() < 1e-6, "{zeta}");
        }
    }

    #[test]
    fn the_two_branches_meet_at_critical_damping() {
        let (below, above) = (restitution_of(1.0 - 6e-7), restitution_of(1.0 + 6e-7));
        assert!((below - above).abs() < 1e-6);
        let (series, direct) = (angle_over_sine(1.0 - 4.9e-7), angle_over_sine(1.0 - 5.1e-7));
        assert!((series - direct).abs() < 1e-8);
    }

    #[test]
    fn the_inverse_is_one_from_tiny_to_full_restitution() {
        for e in [1e-12, 1e-6, 1e-3, 0.1, 0.135_335_283_236_612_7, 0.5, 0.9, 0.999_999] {
            assert!((restitution_of(damping_ratio(e)) / e - 1.0).abs() < 1e-12, "{e}");
        }
        assert_eq!(damping_ratio(1.0), 0.0);
    }
}
