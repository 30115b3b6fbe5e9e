//! Whether the audit of one contact is certain to find nothing, in plain arithmetic.
//!
//! With v the largest component of V and t the trace of W, the energy at stake is E = ½ V·M V ≥ ½ v²/t, since no eigenvalue of W exceeds t.
//! The tolerances of the audit are thus at least METHOD v for velocities, METHOD v/√(t W_nn) for impulses and METHOD ½ v²/t for
//! energies, with METHOD = 10⁻⁹ ([`crate::audit`]). Half of each is granted here. The other half covers the rounding of this test: sums of
//! at most ten terms whose sizes are bounded by 10⁵ of the scale, so that it stays below 10⁵ · 10 ε ≈ 2·10⁻¹⁰ of it.

use nalgebra::{Matrix3, Vector3};

/// Half of the audit's METHOD.
const GRANTED: f64 = 0.5e-9;
/// Terms beyond this much of their scale round too coarsely.
const LARGEST_TERM: f64 = 1e5;

/// An answer for a regular W.
pub(super) struct Answer<'a> {
    pub(super) inverse_mass: &'a Matrix3<f64>,
    pub(super) velocity: &'a Vector3<f64>,
    pub(super) impulse: &'a Vector3<f64>,
    pub(super) claimed: &'a Vector3<f64>,
    pub(super) friction: f64,
}

impl Answer<'_> {
    /// Whether the audit finds nothing for certain.
    pub(super) fn is_certain(&self) -> bool {
        let Answer { inverse_mass: w, velocity: v, impulse: p, claimed, friction } = *self;
        let (speed, trace) = (v.amax(), w.trace());
        let energy = 0.5 * speed * speed / trace;
        let scale = speed / (trace * w.m11).sqrt();
        let (mut terms, mut change, mut agree) = (0.0, 0.0, true);
        for i in 0..3 {
            let moved = [0, 1, 2].map(|j| w[(i, j)] * p[j]);
            let after = v[i] + moved[0] + moved[1] + moved[2];
            let size = v[i].abs() + moved[0].abs() + moved[1].abs() + moved[2].abs();
            terms += p[i].abs() * (v[i].abs() + size);
            change += 0.5 * p[i] * (v[i] + after);
            agree &= size <= LARGEST_TERM * speed && (claimed[i] - after).abs() <= GRANTED * speed;
            if i == 0 {
                agree &= after >= -GRANTED * speed;
            }
        }
        let tangential = (p.y * p.y + p.z * p.z).sqrt();
        agree
            && terms <= LARGEST_TERM * energy
            && change <= GRANTED * energy
            && p.x.abs() <= LARGEST_TERM * scale
            && p.x >= -GRANTED * scale
            && tangential <= friction * p.x + GRANTED * (1.0 + friction) * scale
    }
}
