//! A spring with a dashpot c x dx/dt that grows with the compression: Chatterjee 1997, 8.2.
//!
//! In units of mass, stiffness and speed, X'' + a X X' + X = 0 with a = c v/k. With s = ln(1 + a X') this is
//!
//! ```text
//! ds/dt = −a X,   (ds/dt)²/2 = h(s₀) − h(s),   h(s) = exp(s) − 1 − s,   s₀ = ln(1 + a)
//! ```
//!
//! a swing from s₀ to the other root −t of h(s) = h(s₀): eq. 8.3 with e = (1 − exp(−t))/a. Its time is the duration. The
//! compression is greatest at s = 0. The force X exp(s) is greatest where X' = a X², that is, with q = exp(s) − 1, where
//! 3q − 2 ln(1 + q) = 2 h(s₀); there it is (1 + q)√q/a.

use super::impact::{self, Impact, restitution_above_zero, sound};
use crate::error::{Error, non_negative, positive};
use std::f64::consts::{PI, SQRT_2};

/// A spring with a dashpot that grows with the compression, F = k x + c x dx/dt. Its restitution falls with the speed.
///
/// ```
/// use carom::design::GrowingDashpot;
/// let element = GrowingDashpot::for_duration(0.5, 0.1, 2.0, 1e-3)?;
/// let impact = element.impact(0.1, 2.0)?;
/// assert!((impact.restitution - 0.5).abs() < 1e-12 && (impact.duration - 1e-3).abs() < 1e-14);
/// assert!(element.impact(0.1, 4.0)?.restitution < 0.5);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GrowingDashpot {
    /// k, N/m.
    pub stiffness: f64,
    /// c, N s/m².
    pub damping: f64,
}

impl GrowingDashpot {
    /// The element on which a mass (kg) arriving with a speed (m/s) has this restitution, above 0, and stays for a
    /// duration (s).
    pub fn for_duration(restitution: f64, mass: f64, speed: f64, duration: f64) -> Result<GrowingDashpot, Error> {
        restitution_above_zero(restitution)?;
        positive("mass", mass)?;
        positive("speed", speed)?;
        let a = ratio_for(restitution);
        GrowingDashpot::of_ratio(a, unit(a).stiffness_for_duration(mass, duration)?, speed)
    }

    /// The element on which a mass (kg) arriving with a speed (m/s) has this restitution, above 0, and meets this greatest
    /// force (N).
    pub fn for_peak_force(restitution: f64, mass: f64, speed: f64, force: f64) -> Result<GrowingDashpot, Error> {
        restitution_above_zero(restitution)?;
        positive("mass", mass)?;
        let a = ratio_for(restitution);
        GrowingDashpot::of_ratio(a, unit(a).stiffness_for_peak_force(mass, speed, force)?, speed)
    }

    /// Restitution of a mass on this element for a = c v/k ≥ 0, v the speed of approach (eq. 8.3).
    ///
    /// ```
    /// # use carom::design::GrowingDashpot;
    /// assert!((GrowingDashpot::restitution(1.0)? - 0.593_624_26).abs() < 1e-8);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn restitution(speed_ratio: f64) -> Result<f64, Error> {
        non_negative("speed ratio", speed_ratio)?;
        sound("restitution", restitution_of(speed_ratio))
    }

    /// The ratio a = c v/k that gives this restitution, above 0.
    ///
    /// ```
    /// # use carom::design::GrowingDashpot;
    /// assert!((GrowingDashpot::speed_ratio(0.5)? - 1.432_751).abs() < 1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn speed_ratio(restitution: f64) -> Result<f64, Error> {
        restitution_above_zero(restitution)?;
        let ratio = ratio_for(restitution);
        impact::damping(ratio)?;
        Ok(ratio)
    }

    fn of_ratio(a: f64, stiffness: f64, speed: f64) -> Result<GrowingDashpot, Error> {
        let damping = a * stiffness / speed;
        impact::damping(damping)?;
        Ok(GrowingDashpot { stiffness: sound("stiffness", stiffness)?, damping })
    }

    /// What the impact of a mass (kg) with a speed (m/s) does.
    pub fn impact(&self, mass: f64, speed: f64) -> Result<Impact, Error> {
        positive("stiffness", self.stiffness)?;
        impact::damping(self.damping)?;
        positive("mass", mass)?;
        positive("speed", speed)?;
        let a = self.damping * speed / self.stiffness;
        impact::damping(a)?;
        unit(a).scaled(mass, self.stiffness, speed)
    }
}

/// Below this a the element is its spring, to rounding.
const UNDAMPED: f64 = 1e-16;

/// The impact in units of mass, stiffness and speed.
fn unit(a: f64) -> Impact {
    if a < UNDAMPED {
        return Impact { restitution: 1.0, duration: PI, peak_force: 1.0, peak_compression: 1.0 };
    }
    let level = h(a.ln_1p());
    let t = far_end(level);
    let mut q = level.min(a * a);
    for _ in 0..100 {
        // 3q − 2 ln(1 + q) = q + 2 h(ln(1 + q)).
        let next = q - (q + 2.0 * h(q.ln_1p()) - 2.0 * level) / (3.0 - 2.0 / (1.0 + q));
        if (next - q).abs() <= 4.0 * f64::EPSILON * q {
            break;
        }
        q = next;
    }
    Impact {
        restitution: -(-t).exp_m1() / a,
        duration: loading_time(a) + unloading_time(t),
        peak_force: (1.0 + q) * q.sqrt() / a,
        peak_compression: (2.0 * level).sqrt() / a,
    }
}

/// From s₀ to 0: ∫ds/√(2(h(s₀) − h(s))), with s = s₀ − r² to remove the root at s₀.
fn loading_time(a: f64) -> f64 {
    let end = a.ln_1p().sqrt();
    integral(0.0, end, |r| {
        let below = r * r;
        // h(s₀) − h(s₀ − δ) without cancellation.
        SQRT_2 * r / (a * below - (1.0 + a) * h(-below)).sqrt()
    })
}

/// From 0 to −t, with s = r² − t; far below 0 the exponential is nothing and the integral elementary.
fn unloading_time(t: f64) -> f64 {
    const NOTHING: f64 = 40.0;
    let start = (t - NOTHING).max(0.0);
    let (drop, rest) = (-(-t).exp_m1(), (-t).exp());
    let near = integral(start.sqrt(), t.sqrt(), |r| {
        let above = r * r;
        // h(−t) − h(δ − t), in the form that neither cancels nor overflows.
        let difference = if above < 1.0 { above * drop - rest * h(above) } else { above - (above - t).exp() + rest };
        SQRT_2 * r / difference.sqrt()
    });
    (2.0 * start).sqrt() + near
}

/// ∫ of a smooth function by panels of Gauss's five points, which never touch the ends.
fn integral(from: f64, to: f64, f: impl Fn(f64) -> f64) -> f64 {
    const PANELS: usize = 32;
    const POINTS: [(f64, f64); 5] = [
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let half = 0.5 * (to - from) / PANELS as f64;
    let panel = |k: usize| {
        let middle = from + (2 * k + 1) as f64 * half;
        POINTS.iter().map(|(place, weight)| weight * f(middle + place * half)).sum::<f64>()
    };
    half * (0..PANELS).map(panel).sum::<f64>()
}

/// exp(s) − 1 − s, to full relative accuracy.
fn h(s: f64) -> f64 {
    if s.abs() > 0.5 {
        return s.exp_m1() - s;
    }
    // s²/2 (1 + s/3 (1 + s/4 (1 + …))).
    0.5 * s * s * (3..=18).rev().fold(1.0, |sum, n| 1.0 + s / f64::from(n) * sum)
}

/// t > 0 with h(−t) = level.
fn far_end(level: f64) -> f64 {
    let mut t = (2.0 * level).sqrt().max(level);
    for _ in 0..100 {
        let next = t + (level - h(-t)) / -(-t).exp_m1();
        if (next - t).abs() <= 2.0 * f64::EPSILON * t {
            break;
        }
        t = next;
    }
    t
}

/// Restitution for a = c v/k ≥ 0 (eq. 8.3).
fn restitution_of(a: f64) -> f64 {
    if a < UNDAMPED { 1.0 } else { -(-far_end(h(a.ln_1p()))).exp_m1() / a }
}

/// The ratio a = c v/k that gives this restitution, 0 < e ≤ 1.
fn ratio_for(restitution: f64) -> f64 {
    if restitution >= 1.0 {
        return 0.0;
    }
    // e falls strictly with a, and a e < 1.
    let (mut low, mut high) = (0.0, restitution.recip());
    while high - low > 2.0 * f64::EPSILON * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if restitution_of(middle) > restitution { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_the_thesis_come_out() {
        // Chatterjee 1997, eq. 8.3, evaluated in an independent implementation.
        let table = [
            (0.1, 0.937_475_58),
            (0.5, 0.748_434_93),
            (1.0, 0.593_624_26),
            (2.0, 0.410_719_69),
            (5.0, 0.196_980_25),
            (10.0, 0.099_981_62),
        ];
        for (a, e) in table {
            assert!((restitution_of(a) - e).abs() < 5e-9, "{a}");
        }
        for (e, a) in [(0.9, 0.166_482), (0.5, 1.432_751), (0.2, 4.919_167)] {
            assert!((ratio_for(e) - a).abs() < 5e-7, "{e}");
        }
    }

    #[test]
    fn weak_damping_follows_the_series() {
        for a in [1e-12, 1e-9, 1e-6, 1e-5, 1e-4] {
            let series = 1.0 - a * (2.0 / 3.0 - a * (4.0 / 9.0));
            assert!((restitution_of(a) - series).abs() < 2e-15 + a.powi(3), "{a}");
            // s'' = −s − s²/2 − s³/6 swings in 2π(1 + A²/24).
            assert!((unit(a).duration / PI - 1.0 - a * a / 24.0).abs() < 1e-14 + a.powi(3), "{a}");
        }
    }

    #[test]
    fn the_impact_is_that_of_another_quadrature() {
        // a, duration, greatest force, greatest compression in 25 digits by adaptive quadrature.
        let table = [
            (0.1, 3.142_820_565_461_967_6, 0.973_003_045_685_772_3, 0.968_485_435_685_549_2),
            (1.0, 3.222_399_315_523_903, 0.980_067_669_156_757_3, 0.783_393_667_883_593_1),
            (5.0, 3.994_297_568_450_859, 1.429_441_857_385_026_3, 0.506_615_477_913_728_6),
            (50.0, 10.240_252_114_697_505, 3.917_498_087_556_86, 0.191_975_361_684_307_13),
        ];
        for (a, duration, force, compression) in table {
            let impact = unit(a);
            assert!((impact.duration / duration - 1.0).abs() < 2e-13, "{a} {}", impact.duration);
            assert!((impact.peak_force / force - 1.0).abs() < 1e-14, "{a} {}", impact.peak_force);
            assert!((impact.peak_compression / compression - 1.0).abs() < 1e-14, "{a} {}", impact.peak_compression);
        }
        // In the limit the mass crawls out at the speed 1/a from the depth √(2/a).
        for a in [1e4, 1e8, 1e12] {
            assert!((unit(a).duration / (2.0_f64 * a).sqrt() - 1.0).abs() < 20.0 / a, "{a}");
        }
    }

    #[test]
    fn fast_approach_rebounds_with_the_element_s_own_speed() {
        assert!((restitution_of(1e6) * 1e6 - 1.0).abs() < 1e-12);
    }
}
