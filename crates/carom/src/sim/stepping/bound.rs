//! How fast a contact must at least separate after a step.

/// What holds for all contacts of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    /// s.
    pub(super) step: f64,
    /// Slower approach does not rebound, m/s.
    pub(super) rest: f64,
    pub(super) planar: bool,
}

/// The least normal velocity of a contact after the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bound {
    pub(super) velocity: f64,
    /// Restitution, if it rebounds.
    pub(super) rebound: Option<f64>,
    /// Whether it is an impact if it presses. Without restitution one may take two steps, of which the first closes the gap.
    pub(super) strikes: bool,
}

impl Rules {
    /// A contact that closes within the step at its speed before rebounds by Newton's law, u⁺ ≥ −e u⁻. Any other may close its gap
    /// and no more, gap + h u⁺ ≥ 0; overlap that is there does not grow, and nothing pushes it out, which would take energy.
    #[inline]
    pub(super) fn bound(&self, gap: f64, velocity_before: f64, restitution: f64) -> Bound {
        if restitution > 0.0 && velocity_before < -self.rest && gap + self.step * velocity_before <= 0.0 {
            let velocity = -restitution * velocity_before;
            return Bound { velocity, rebound: Some(restitution), strikes: true };
        }
        let strikes = restitution == 0.0 && velocity_before < -self.rest;
        Bound { velocity: -gap.max(0.0) / self.step, rebound: None, strikes }
    }
}

/// A contact that separated before and is pressed together must not be pushed back at once where θ = 1/(1 + e) is less than 1: the
/// bodies have moved apart already by (1 − θ) u⁻, and θ u⁺ + (1 − θ) u⁻ ≥ b is all that its gap needs. Its impulse then does no work.
#[inline]
pub(super) fn loosened(bound: f64, velocity_before: f64, restitution: f64) -> f64 {
    // With e = (1 − θ)/θ.
    bound * (1.0 + restitution) - restitution * velocity_before
}

/// The same bound after the restitution of the island went from one value to another, and its θ with it.
#[inline]
pub(super) fn loosened_again(bound: f64, velocity_before: f64, [from, to]: [f64; 2]) -> f64 {
    loosened((bound + from * velocity_before) / (1.0 + from), velocity_before, to)
}
