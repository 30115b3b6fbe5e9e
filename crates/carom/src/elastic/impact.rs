//! Frictionless elastic impact in closed form (Hertz 1882; Johnson, Contact Mechanics, 11.4).

use crate::error::{Error, finite, positive};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// A mass that meets an elastic contact: m d²δ/dt² = −4/3 E* √R δ^(3/2), from first touch to last.
///
/// ```text
/// δ_max = (15 m v²/(16 E* √R))^(2/5),   F_max = 5 m v²/(4 δ_max),   T = 2.9433 δ_max/v
/// δ = δ_max sin^(4/5) φ,   dδ/dt = v cos φ,   t = (4/5)(δ_max/v) ∫₀^φ sin^(−1/5),   0 ≤ φ ≤ π
/// ```
///
/// Energy makes the phase φ: (dδ/dt)² = v² (1 − (δ/δ_max)^(5/2)). The time is an incomplete beta function of sin² φ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HertzImpact {
    speed: f64,
    greatest_approach: f64,
    peak_force: f64,
    /// δ_max/v, s.
    pace: f64,
}

/// One instant of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Time since first touch, s.
    pub time: f64,
    /// Approach δ, m.
    pub approach: f64,
    /// dδ/dt, m/s; negative while the bodies part.
    pub velocity: f64,
    /// Force, N.
    pub force: f64,
}

impl HertzImpact {
    /// The impact of a mass (kg) with a normal speed (m/s) on a contact of reduced modulus E* (Pa) and relative radius R
    /// (m). For an elliptic contact R is [`PointContact::effective_radius`](super::PointContact::effective_radius).
    ///
    /// ```
    /// // Lai 1999, 6.2: an aluminium ball 0.1 m across at 0.5 m/s.
    /// let impact = carom::elastic::HertzImpact::new(1.41372, 0.5, 7.6923e10, 0.05).unwrap();
    /// assert!((impact.duration() - 3.046e-4).abs() < 5e-8);
    /// ```
    pub fn new(mass: f64, speed: f64, modulus: f64, radius: f64) -> Result<HertzImpact, Error> {
        positive("mass", mass)?;
        positive("normal speed", speed)?;
        positive("reduced modulus", modulus)?;
        positive("relative radius", radius)?;
        let impact = HertzImpact::of(mass, speed, modulus, radius);
        positive("greatest approach", impact.greatest_approach)?;
        positive("greatest force", impact.peak_force)?;
        positive("duration", impact.duration())?;
        Ok(impact)
    }

    /// The same for numbers known to be positive.
    pub(crate) fn of(mass: f64, speed: f64, modulus: f64, radius: f64) -> HertzImpact {
        // Powers one by one: products of extreme numbers would leave the range of floating point on the way.
        let softness = modulus.powf(-0.4) * radius.powf(-0.2);
        let factor = 0.9375_f64.powf(0.4);
        HertzImpact {
            speed,
            greatest_approach: factor * mass.powf(0.4) * speed.powf(0.8) * softness,
            peak_force: 1.25 / factor * mass.powf(0.6) * speed.powf(1.2) / softness,
            pace: factor * mass.powf(0.4) * speed.powf(-0.2) * softness,
        }
    }

    /// δ_max, m.
    pub fn greatest_approach(&self) -> f64 {
        self.greatest_approach
    }

    /// F_max, N.
    pub fn peak_force(&self) -> f64 {
        self.peak_force
    }

    /// T, s.
    pub fn duration(&self) -> f64 {
        1.6 * QUARTER * self.pace
    }

    /// The instant of phase φ, 0 at first touch, π/2 at greatest compression, π at last touch.
    pub fn at_phase(&self, phase: f64) -> Result<Moment, Error> {
        if !(0.0..=PI).contains(&phase) {
            return Err(Error::OutOfRange { what: "phase", value: phase, expected: "a number from 0 to π" });
        }
        Ok(self.moment(phase))
    }

    /// The same of a phase that may miss its ends by rounding.
    pub(crate) fn moment(&self, phase: f64) -> Moment {
        let phase = phase.clamp(0.0, PI);
        // sin π is not quite zero in floating point, but the contact is over.
        let depth = if phase == PI { 0.0 } else { phase.sin().powf(0.8) };
        Moment {
            time: 0.8 * self.pace * elapsed(phase),
            approach: self.greatest_approach * depth,
            velocity: self.speed * phase.cos(),
            force: self.peak_force * depth.powf(1.5),
        }
    }

    /// The instant at a time since first touch, s; before it the bodies approach freely, after the last they part.
    ///
    /// ```
    /// let impact = carom::elastic::HertzImpact::new(1.0, 1.0, 7.5e5, 1.0)?;
    /// let half = impact.at_time(0.5 * impact.duration())?;
    /// assert!((half.approach / impact.greatest_approach() - 1.0).abs() < 1e-14 && half.velocity.abs() < 1e-9);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn at_time(&self, time: f64) -> Result<Moment, Error> {
        finite("time", &[time])?;
        let target = time / (0.8 * self.pace);
        let end = 2.0 * QUARTER;
        if !(target > 0.0 && target < end) {
            let (phase, beyond) = if target >= end { (PI, time - self.duration()) } else { (0.0, time) };
            let touch = self.moment(phase);
            let approach = touch.velocity * beyond;
            finite("approach", &[approach])?;
            return Ok(Moment { time, approach, ..touch });
        }
        let phase = if target <= QUARTER { phase_after(target) } else { PI - phase_after(end - target) };
        Ok(Moment { time, ..self.moment(phase) })
    }
}

/// ∫ sin^(−1/5) from 0 to π/2: half of B(2/5, 1/2).
const QUARTER: f64 = 1.839_546_990_202_940_4;

/// ∫ sin^(−1/5) from 0 to a phase of 0 to π.
pub(crate) fn elapsed(phase: f64) -> f64 {
    if phase > FRAC_PI_2 {
        2.0 * QUARTER - elapsed(PI - phase)
    } else if phase > FRAC_PI_4 {
        // From the middle: half of the beta function B(cos²; 1/2, 2/5).
        let cos = phase.cos();
        QUARTER - cos * beta_series(0.6, 0.5, cos * cos)
    } else {
        // From the start: half of B(sin²; 2/5, 1/2).
        let square = phase.sin().powi(2);
        square.powf(0.4) * beta_series(0.5, 0.4, square)
    }
}

/// Σ (a)_n/n! xⁿ/(2(b + n)) for x up to ½, where the terms fall by half and more.
fn beta_series(a: f64, b: f64, x: f64) -> f64 {
    let (mut power, mut sum) = (1.0, 0.0);
    for n in 0..60 {
        let n = f64::from(n);
        sum += 0.5 * power / (b + n);
        power *= x * (a + n) / (n + 1.0);
    }
    sum
}

/// The phase up to π/2 with this `elapsed`.
fn phase_after(target: f64) -> f64 {
    // Not below the root, because sin φ ≤ φ. The integral is concave, so Newton's method comes back from below.
    let mut phase = (0.8 * target).powf(1.25).min(FRAC_PI_2);
    for _ in 0..50 {
        let step = (target - elapsed(phase)) * phase.sin().powf(0.2);
        phase = (phase + step).clamp(0.0, FRAC_PI_2);
        if step.abs() <= f64::EPSILON * phase {
            break;
        }
    }
    phase
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_literature_come_out() {
        // Lai 1999, section 6.2.
        let mass = 4.0 / 3.0 * PI * 0.05_f64.powi(3) * 2700.0;
        let ball = HertzImpact::new(mass, 0.5, 7e10 / 0.91, 0.05).unwrap();
        assert!((mass - 1.41372).abs() < 5e-6);
        assert!((ball.greatest_approach() - 5.175e-5).abs() < 5e-9, "{}", ball.greatest_approach());
        assert!((ball.duration() - 3.046e-4).abs() < 5e-8, "{}", ball.duration());
        assert!((ball.peak_force() - 8537.0).abs() < 0.5, "{}", ball.peak_force());
        // T c₀/(2R) = 15.5.
        assert!((ball.duration() * (7e10_f64 / 2700.0).sqrt() / 0.1 - 15.5).abs() < 0.05);
        // Chatterjee 1997, 5.2.1 as noted: m = 1 kg, k = 1e6 N/m^(3/2), v = 1 m/s.
        let unit = HertzImpact::new(1.0, 1.0, 0.75e6, 1.0).unwrap();
        assert!((unit.greatest_approach() - 4.35275e-3).abs() < 5e-9 && (unit.duration() - 1.281_135e-2).abs() < 5e-9);
    }

    #[test]
    fn both_series_agree_where_they_meet() {
        let at = |phase: f64| elapsed(phase);
        assert!((at(FRAC_PI_4 * (1.0 + 1e-15)) - at(FRAC_PI_4)).abs() < 1e-14);
        assert_eq!(at(FRAC_PI_2), QUARTER - FRAC_PI_2.cos() * beta_series(0.6, 0.5, 0.0));
        assert_eq!(at(0.0), 0.0);
    }

    #[test]
    fn small_steps_of_newton_s_second_law_agree() {
        // Second method: Störmer–Verlet with m = 2, k = 4/3 and v = 3, whose error falls with the square of the step.
        let impact = HertzImpact::new(2.0, 3.0, 1.0, 1.0).unwrap();
        let steps = 20_000;
        let step = impact.duration() / f64::from(steps);
        let force = |approach: f64| 4.0 / 3.0 * approach.max(0.0).powf(1.5);
        let (mut approach, mut velocity) = (0.0, 3.0);
        for k in 1..=steps {
            velocity -= 0.25 * step * force(approach);
            approach += step * velocity;
            velocity -= 0.25 * step * force(approach);
            let exact = impact.at_time(f64::from(k) * step).unwrap();
            let scale = impact.greatest_approach();
            assert!((approach - exact.approach).abs() < 1e-7 * scale, "{k}: {approach} {exact:?}");
            assert!((velocity - exact.velocity).abs() < 1e-7 * 3.0 && (force(approach) - exact.force).abs() < 1e-6);
        }
    }

    #[test]
    fn time_and_phase_invert_each_other() {
        let impact = HertzImpact::new(1.0, 2.0, 3.0, 4.0).unwrap();
        for k in 0..=1000 {
            let exact = impact.at_phase(PI * (f64::from(k) / 1000.0)).unwrap();
            let found = impact.at_time(exact.time).unwrap();
            assert!((found.approach - exact.approach).abs() < 1e-13 && (found.velocity - exact.velocity).abs() < 1e-12);
        }
        let after = impact.at_time(impact.duration() + 1.0).unwrap();
        assert!(after.velocity == -2.0 && (after.approach + 2.0).abs() < 1e-14 && after.force == 0.0);
        assert_eq!(impact.at_time(-1.0).unwrap().approach, -2.0);
    }
}
