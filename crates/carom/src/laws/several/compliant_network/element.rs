//! One contact's spring, dashpot and tangential spring.

use crate::design::damping_ratio;
use crate::laws::several::follow::Scale;

/// A contact's material and its sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    stiffness: f64,
    exponent: f64,
    damping: f64,
    /// N/m.
    pub tangential_stiffness: f64,
    pub friction: f64,
    pub scale: Scale,
}

impl Element {
    /// `spring` holds normal stiffness, exponent and the ratio of tangential to normal stiffness.
    pub(super) fn new(mass: f64, scale: Scale, restitution: f64, friction: f64, spring: [f64; 3]) -> Element {
        let [stiffness, exponent, ratio] = spring;
        let damping = 2.0 * damping_ratio(restitution) * (0.5 * mass * stiffness * (exponent + 1.0)).sqrt();
        let tangential_stiffness = ratio * scale.force / scale.compression;
        Element { stiffness, exponent, damping, tangential_stiffness, friction, scale }
    }

    pub(super) fn is_damped(&self) -> bool {
        self.damping > 0.0
    }

    /// The force, whether it presses or would pull; odd in the compression, where a step may look beyond zero.
    pub(super) fn force(&self, compression: f64, rate: f64) -> f64 {
        let size = compression.abs();
        let spring = self.stiffness * compression * size.powf(self.exponent - 1.0);
        spring + self.damping * size.powf(0.5 * (self.exponent - 1.0)) * rate
    }

    /// How fast the force changes.
    pub(super) fn force_rate(&self, compression: f64, rate: f64, rate_of_rate: f64) -> f64 {
        let size = compression.abs();
        let half = 0.5 * (self.exponent - 1.0);
        let mut by_compression = self.exponent * self.stiffness * size.powf(self.exponent - 1.0);
        if half > 0.0 && self.is_damped() {
            // Infinite at first touch, where the dashpot's force starts with a vertical slope.
            by_compression += self.damping * half * rate * size.max(f64::MIN_POSITIVE).powf(half - 1.0);
        }
        by_compression * rate + self.damping * size.powf(half) * rate_of_rate
    }

    /// How fast the force of the spring grows at first touch.
    pub(super) fn first_growth(&self, rate: f64) -> f64 {
        if self.exponent > 1.0 { 0.0 } else { self.stiffness * rate }
    }
}
