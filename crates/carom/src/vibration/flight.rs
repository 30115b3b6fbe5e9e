//! Between two contacts: when the bodies touch again, or that they never do.
//!
//! The gap is a straight line and a sum of fading cosines. Where it and its first three derivatives are known, and the
//! fourth is bounded by Σ |c| ω⁴ e^(−ζωt), Taylor's formula gives a polynomial that the gap never goes below; no contact
//! comes before the polynomial's first zero. Steps to there close in on the first contact from before and cannot pass it.
//! The bodies part for ever once the straight line rises and lies above the sum of the amplitudes.

use super::dynamics::{Dynamics, State};
use nalgebra::Complex;

/// What comes after the bodies parted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Next {
    /// They touch after this time, s.
    Touch(f64),
    /// They never touch again.
    Never,
    /// The search used up its budget.
    Unknown,
}

/// The gap as a function of time.
pub(super) struct Flight {
    gap: f64,
    rate: f64,
    /// Speed of the collision, which tells rounding from motion.
    speed: f64,
    /// n·g c of each mode with its λ; the mode's part of the gap is Re(c e^(λt)).
    terms: Vec<(Complex<f64>, Complex<f64>)>,
}

/// The gap and its derivatives of order 1 to 3 at an instant, and bounds from there on.
struct Instant {
    derivatives: [f64; 4],
    /// Bound of the fourth derivative.
    fourth: f64,
    /// Sum of the amplitudes.
    amplitude: f64,
}

/// A gap below this share of the amplitudes, and closing, is a contact.
const CLOSED: f64 = 1e-14;
/// A derivative below this share of its bound is zero at take-off.
const ROUNDING: f64 = 1e-10;

impl Flight {
    /// The flight that starts from a state.
    pub(super) fn from(dynamics: &Dynamics, y: &State) -> Flight {
        let terms = dynamics.modes.iter().enumerate().map(|(k, mode)| {
            let (q, rate) = Dynamics::mode(y, k);
            let (decay, frequency) = (mode.decay(), mode.damped_frequency());
            let amplitude = Complex::new(q, -(rate + decay * q) / frequency);
            (amplitude * mode.shape.x, Complex::new(-decay, frequency))
        });
        let (rate, speed) = (dynamics.rigid_velocity(y).x, dynamics.before.norm());
        Flight {
            gap: Dynamics::rigid_displacement(y).x,
            rate: if rate.abs() > CLOSED * speed { rate } else { 0.0 },
            speed,
            terms: terms.filter(|(amplitude, _)| *amplitude != Complex::ZERO).collect(),
        }
    }

    /// The first contact. The bodies start apart or have just parted. Each step of the search takes one from `budget`.
    pub(super) fn next(&self, budget: &mut usize) -> Next {
        let mut t = 0.0;
        for step in 0..*budget {
            *budget -= 1;
            let mut now = self.at(t);
            if step == 0 {
                self.clean(&mut now);
            }
            let [gap, rate, ..] = now.derivatives;
            let line = if step == 0 { self.gap.max(0.0) } else { self.gap + self.rate * t };
            if self.rate >= 0.0 && line >= now.amplitude * (1.0 - CLOSED) {
                return Next::Never;
            }
            if step > 0 && rate < 0.0 && gap <= CLOSED * (line.abs() + now.amplitude) {
                return Next::Touch((t + gap.max(0.0) / -rate).max(0.0));
            }
            let length = safe_step(&now);
            if length == 0.0 {
                return Next::Touch(t);
            }
            t += length;
        }
        Next::Unknown
    }

    /// Whether surfaces that touch without normal velocity part by themselves.
    pub(super) fn opens(&self) -> bool {
        let mut now = self.at(0.0);
        self.clean(&mut now);
        now.derivatives.into_iter().find(|derivative| *derivative != 0.0).is_none_or(|derivative| derivative > 0.0)
    }

    /// Takes rounding for what it is: bodies that have just parted touch, and may do so without speed or acceleration.
    fn clean(&self, now: &mut Instant) {
        now.derivatives[0] = 0.0;
        for order in 1..4 {
            let bound: f64 = self.terms.iter().map(|(c, lambda)| c.norm() * lambda.norm().powi(order)).sum();
            let bound = if order == 1 { bound.max(self.speed) } else { bound };
            let derivative = &mut now.derivatives[order as usize];
            if derivative.abs() > ROUNDING * bound {
                break;
            }
            *derivative = 0.0;
        }
    }

    fn at(&self, t: f64) -> Instant {
        let mut now =
            Instant { derivatives: [self.gap + self.rate * t, self.rate, 0.0, 0.0], fourth: 0.0, amplitude: 0.0 };
        for (amplitude, lambda) in &self.terms {
            let mut term = amplitude * (lambda * t).exp();
            let size = term.norm();
            now.amplitude += size;
            now.fourth += size * lambda.norm_sqr().powi(2);
            for derivative in &mut now.derivatives {
                *derivative += term.re;
                term *= lambda;
            }
        }
        now
    }
}

/// A time in which the gap stays open for certain: up to the zero of the Taylor polynomial in which, after the first
/// falling term, rising ones are left out. Its coefficients change sign once, so it has one zero.
fn safe_step(now: &Instant) -> f64 {
    /// A step this much shorter than it might be costs nothing and leaves the contact ahead.
    const SHORTER: f64 = 1e-3;
    let [gap, rate, acceleration, jerk] = now.derivatives;
    // Surfaces that part do not overlap but by rounding.
    let gap = if rate > 0.0 { gap.max(0.0) } else { gap };
    let mut terms = [gap, rate, acceleration / 2.0, jerk / 6.0, -now.fourth / 24.0];
    let mut falling = false;
    for term in &mut terms {
        falling |= *term < 0.0;
        if falling {
            *term = term.min(0.0);
        }
    }
    let Some(first) = terms.iter().position(|term| *term != 0.0) else { return 0.0 };
    if terms[first] < 0.0 {
        return 0.0;
    }
    let value = |h: f64| terms[first..].iter().rev().fold(0.0, |sum, term| sum * h + term);
    // Where a falling term alone takes away the first one, the polynomial may still be positive by the rising ones.
    let scale = |k: usize| (terms[first] / -terms[k]).powf(((k - first) as f64).recip());
    let Some(guess) = (first + 1..5).filter(|k| terms[*k] < 0.0).map(scale).reduce(f64::min) else {
        // Only rising terms: there are no vibrations left.
        return f64::MAX.sqrt();
    };
    if guess == 0.0 {
        return 0.0;
    }
    let (mut below, mut above) = (0.0, guess);
    while value(above) > 0.0 && above.is_finite() {
        (below, above) = (above, 2.0 * above);
    }
    while above - below > SHORTER * above {
        let middle = f64::midpoint(below, above);
        if value(middle) > 0.0 { below = middle } else { above = middle }
    }
    below
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Collision;
    use crate::random::Random;
    use crate::vibration::{FlexibleCollision, Mode};
    use nalgebra::{Matrix3, Vector3};

    #[test]
    fn no_contact_is_missed_and_none_is_invented() {
        let mut random = Random(12);
        let (mut touched, mut parted) = (0, 0);
        for _ in 0..120 {
            let count = (random.unit() * 6.0) as usize + 1;
            let modes = (0..count).map(|_| Mode {
                frequency: random.log_between(1.0, 300.0),
                damping_ratio: [0.0, 0.01, 0.2][(random.unit() * 3.0) as usize],
                shape: Vector3::x() * random.log_between(0.1, 2.0),
            });
            let collision = Collision::new(&Matrix3::identity(), &-Vector3::x()).unwrap();
            let flexible = FlexibleCollision::new(collision, modes.collect()).unwrap();
            let dynamics = Dynamics::of(&flexible);
            let mut start = dynamics.start();
            dynamics.kick(&mut start, &(Vector3::x() * random.between(1.0, 2.0)));
            let next = Flight::from(&dynamics, &start).next(&mut 100_000);
            let gap = |time: f64| {
                let mut y = start.clone();
                dynamics.coast(&mut y, time);
                (dynamics.displacement(&y).x, dynamics.velocity(&y).x)
            };
            let until = if let Next::Touch(time) = next {
                touched += 1;
                let (gap, rate) = gap(time);
                assert!(gap.abs() < 1e-12 && rate < 0.0, "{gap:e} {rate}");
                time * (1.0 - 1e-9)
            } else {
                assert_eq!(next, Next::Never);
                parted += 1;
                8.0
            };
            // A plain scan, finer than a twentieth of the shortest period.
            let steps = (until / 1e-3) as usize + 10;
            assert!((1..steps).all(|k| gap(until * k as f64 / steps as f64).0 > 0.0));
        }
        assert!(touched > 20 && parted > 20, "{touched} {parted}");
    }

    #[test]
    fn a_grazing_gap_costs_steps_but_is_told_from_a_contact() {
        // Gap t + a(1 − cos ωt)… lifted by a little more or less than it dips.
        let collision = Collision::new(&Matrix3::identity(), &-Vector3::x()).unwrap();
        let mode = Mode { frequency: 10.0, damping_ratio: 0.0, shape: Vector3::x() };
        let flexible = FlexibleCollision::new(collision, vec![mode]).unwrap();
        let dynamics = Dynamics::of(&flexible);
        // Rigid rate −1 + p, vibration p sin(10t)/10: the first dip grazes for one p.
        let grazes = |p: f64| {
            let mut y = dynamics.start();
            dynamics.kick(&mut y, &(Vector3::x() * p));
            matches!(Flight::from(&dynamics, &y).next(&mut 100_000), Next::Touch(_))
        };
        let (mut touches, mut misses) = (1.01, 1.5);
        assert!(grazes(touches) && !grazes(misses));
        for _ in 0..45 {
            let middle = f64::midpoint(touches, misses);
            if grazes(middle) { touches = middle } else { misses = middle }
        }
        // (p − 1) t + p sin(10t)/10 and its derivative vanish together: tan φ = φ, φ = 4.493 409…
        let phase = 4.493_409_457_909_064_f64;
        let exact = (1.0 + phase.cos()).recip();
        assert!((touches - exact).abs() < 1e-12, "{touches} {exact}");
    }
}
