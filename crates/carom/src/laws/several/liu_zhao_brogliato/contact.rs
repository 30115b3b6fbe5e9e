//! One contact's spring and its restitution.

use crate::laws::several::follow::Scale;

/// A contact's material and its sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub restitution: f64,
    pub friction: f64,
    pub stiffness: f64,
    pub exponent: f64,
    pub scale: Scale,
}

/// Restitution below this is none: the release would take a time that is lost in rounding.
const DEAD: f64 = 1e-8;

impl Contact {
    /// The force at a compression; odd beyond zero, where a step may look.
    pub(super) fn force(&self, compression: f64) -> f64 {
        self.stiffness * compression * compression.abs().powf(self.exponent - 1.0)
    }

    pub(super) fn is_elastic(&self) -> bool {
        self.restitution == 1.0
    }

    pub(super) fn is_dead(&self) -> bool {
        self.restitution <= DEAD
    }

    /// What is left of a compression when a contact without restitution has been stopped, given dV_n/dτ with this contact's
    /// force gone and with all of it.
    pub(super) fn released(&self, compression: f64, alone: f64, pressed: f64) -> f64 {
        if alone >= 0.0 || compression <= 0.0 {
            return 0.0;
        }
        // ∫ (a₀ + (a − a₀) F(x)/F(δ)) dx from δ₁ = r δ to δ, in units of δ: zero at r = 1 and positive just below it.
        let power = self.exponent + 1.0;
        let push = |r: f64| alone * (1.0 - r) + (pressed - alone) * (1.0 - r.powf(power)) / power;
        if push(0.0) >= 0.0 {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..f64::MANTISSA_DIGITS {
            let middle = 0.5 * (low + high);
            if push(middle) < 0.0 { low = middle } else { high = middle }
        }
        high * compression
    }
}
