//! `accessible`: three parameters that reach every admissible impulse and no other.
//!
//! Chatterjee 1997, 10.6 proposes the construction: a reference point inside the accessible region, a direction, and the
//! fraction of the way to the boundary. In the frame opposing the slip (n, t, b):
//!
//! ```text
//! P₀ = −1.5 V_n/W_nn n                                     frictionless, e = ½
//! d  = (cos θ, sin θ cos φ, sin θ sin φ)                   θ from the normal, φ about it
//! P  = P₀ + s ℓ(d) d                                       ℓ: distance from P₀ to the boundary along d
//! ```
//!
//! In the plane φ = 0 and θ runs from −π to π. Without friction the region is the segment 0 ≤ e ≤ 1 of the normal and
//! any direction off the normal stays at P₀. A parametrisation, not a model: its parameters are no material constants.

use super::newton::frictionless_impulse;
use crate::collision::Collision;
use crate::cone_edge::NEAR_EDGE;
use crate::course::ContactHistory;
use crate::impulse_space::AccessibleRegion;
use crate::law::parameter::{FRICTION, Fallback, Parameter, number};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;
use std::f64::consts::PI;

/// The law that covers the accessible region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accessible {
    /// Fraction s of the way to the boundary, 0 to 1.
    pub fraction: f64,
    /// Angle θ from the normal towards the direction against the slip, −π to π.
    pub polar: f64,
    /// Angle φ about the normal, −π to π.
    pub azimuth: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
}

impl Accessible {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.fraction, self.polar, self.azimuth, self.friction], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        if collision.velocity().x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        let (turned, back) = collision.opposing_slip();
        let reference = Vector3::x() * (1.5 * frictionless_impulse(&turned));
        let (polar, azimuth) = (self.polar.sin_cos(), self.azimuth.sin_cos());
        let direction = Vector3::new(polar.1, polar.0 * azimuth.1, polar.0 * azimuth.0);
        let reach = AccessibleRegion::of(&turned, self.friction).exit_distance(&reference, &direction);
        let moves = turned.movable_part(&direction).norm() > NEAR_EDGE;
        if !reach.is_finite() || !moves && turned.grows_along(&direction, self.friction) {
            return Err(Inapplicable::UnboundedImpulse);
        }
        let impulse = reference + direction * (self.fraction * reach);
        Ok(ContactOutcome::jump(collision, back * impulse, self.friction))
    }
}

const FRACTION: Parameter =
    number("fraction", "s", "fraction of the way from the reference to the boundary", (0.0, 1.0), Fallback::Required);
const POLAR: Parameter =
    number("polar", "θ", "angle from the normal towards the direction against the slip", (-PI, PI), Fallback::Required);
const AZIMUTH: Parameter =
    number("azimuth", "φ", "angle about the normal", (-PI, PI), Fallback::Value(0.0)).leaving_plane();

pub(super) const LAW: Law = Law {
    id: "accessible",
    name: "Parametrisation of the accessible region",
    source: "A. Chatterjee, Rigid Body Collisions, Cornell 1997, 10.6",
    summary: "Reaches every impulse that energy, friction and non-penetration allow, and no other.",
    equations: "P₀ = −1.5 V_n/W_nn n\n\
                d = (cos θ, sin θ cos φ, sin θ sin φ) in the frame opposing the slip\n\
                P = P₀ + s ℓ d, ℓ the distance from P₀ to the boundary along d",
    caveats: "A parametrisation, not a model: nothing suggests that its parameters are material constants.",
    parameters: &[FRACTION, POLAR, AZIMUTH, FRICTION],
    guarantees: Guarantees::ALL,
    consistency: None,
    method: Method::OneContact(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl OneContact for Entry {
    fn resolve(
        &self,
        collision: &Collision,
        p: &[f64],
        _history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        Accessible { fraction: p[0], polar: p[1], azimuth: p[2], friction: p[3] }.compute(collision)
    }
}
