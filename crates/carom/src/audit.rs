//! Whether a prediction is physically possible, whichever law made it.

use crate::collision::Collision;
use crate::digits::Digits;
use crate::laws::ROUGH;
use crate::outcome::Outcome;
use nalgebra::Vector3;
use std::fmt;

/// The three constraints every collision must satisfy (Chatterjee 1997, 3.4).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Audit {
    /// Kinetic energy must not rise.
    pub energy: Finding,
    /// The impulse must lie in the friction cone, |P_t| ≤ μ P_n.
    pub friction: Finding,
    /// The bodies must not go on approaching.
    pub penetration: Finding,
}

/// What one constraint's check found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Finding {
    /// Satisfied.
    Ok,
    /// Kinetic energy created.
    EnergyGain {
        /// The gain in J.
        gain: f64,
        /// The gain relative to the energy the collision could at most dissipate.
        relative: f64,
    },
    /// Tangential impulse beyond the friction cone.
    BeyondCone {
        /// |P_t| / P_n of the prediction.
        ratio: f64,
        /// The coefficient of friction.
        friction: f64,
    },
    /// The normal impulse pulls.
    Pulling {
        /// The normal impulse, kg m/s.
        impulse: f64,
    },
    /// Still approaching after the collision.
    Approaching {
        /// V_n after the collision, m/s.
        velocity: f64,
    },
}

/// Rounding of a backward stable evaluation, relative to the sum of the magnitudes of its terms; for the energy also to
/// all the energy at the contact, since a law that conserves it does so to rounding of that.
pub(crate) const ROUNDING: f64 = 1e-12;

/// Checks a prediction against energy, friction and non-penetration. `friction` is the larger of the static and the
/// kinetic coefficient.
///
/// ```
/// use carom::{Collision, audit::{audit, Finding}, laws::Whittaker};
/// let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
/// let law = Whittaker { restitution: 0.9, static_friction: 0.8, kinetic_friction: 0.8 };
/// let audit = audit(&rod, &law.resolve(&rod).unwrap(), 0.8);
/// assert!(matches!(audit.energy, Finding::EnergyGain { .. }));
/// ```
pub fn audit(collision: &Collision, outcome: &Outcome, friction: f64) -> Audit {
    let (w, v, p) = (collision.inverse_mass(), collision.velocity(), &outcome.impulse);
    let gain = collision.energy_change(p);
    let work_scale = p.abs().dot(&(v.abs() + w.abs() * p.abs()));
    let at_stake = collision.local_energy();
    let energy = if gain <= ROUNDING * work_scale.max(at_stake) {
        Finding::Ok
    } else {
        Finding::EnergyGain { gain, relative: gain / at_stake }
    };

    let friction = check_cone(p, friction, ROUNDING * p.norm());

    let velocity_scale = v.x.abs() + w.row(0).abs().transpose().dot(&p.abs());
    let penetration = if outcome.velocity_after.x >= -ROUNDING * velocity_scale {
        Finding::Ok
    } else {
        Finding::Approaching { velocity: outcome.velocity_after.x }
    };
    Audit { energy, friction, penetration }
}

/// Whether an impulse lies in the friction cone, up to `slack` of each component.
pub(crate) fn check_cone(p: &Vector3<f64>, friction: f64, slack: f64) -> Finding {
    // With an infinite coefficient 0·∞ would be no number; a large one decides the same.
    let friction = friction.min(ROUGH);
    let tangential = p.yz().norm();
    if p.x < -slack {
        Finding::Pulling { impulse: p.x }
    } else if tangential <= friction * p.x + (1.0 + friction) * slack {
        Finding::Ok
    } else {
        Finding::BeyondCone { ratio: tangential / p.x, friction }
    }
}

impl Audit {
    /// Whether the prediction satisfies all three constraints.
    pub fn is_ok(&self) -> bool {
        [self.energy, self.friction, self.penetration].iter().all(|finding| *finding == Finding::Ok)
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Ok => f.pad("ok"),
            Finding::EnergyGain { gain, relative } => write!(
                f,
                "creates {} J of kinetic energy ({} % of what the collision could dissipate)",
                Digits(*gain),
                Digits(100.0 * relative)
            ),
            Finding::BeyondCone { ratio, friction } => {
                write!(
                    f,
                    "the impulse ratio {} exceeds the coefficient of friction {}",
                    Digits(*ratio),
                    Digits(*friction)
                )
            }
            Finding::Pulling { impulse } => write!(f, "the normal impulse pulls ({} N s)", Digits(*impulse)),
            Finding::Approaching { velocity } => {
                write!(f, "the bodies still approach at {} m/s: they penetrate", Digits(-velocity))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Chatterjee3;
    use crate::random::Random;

    #[test]
    fn rounding_relative_to_the_energy_at_the_contact_is_no_gain() {
        // A nearly singular W stores much energy in little motion: law III may round to a gain of 1e-13 J out of 400 J.
        let mut random = Random(101);
        for _ in 0..50_000 {
            let (sin, cos) = random.between(0.0, std::f64::consts::TAU).sin_cos();
            let soft = random.log_between(1e-4, 1.0);
            let (nn, nt, tt) = (cos * cos + soft * sin * sin, (1.0 - soft) * sin * cos, sin * sin + soft * cos * cos);
            let velocity = random.direction();
            let collision = Collision::planar([[nn, nt], [nt, tt]], [-velocity.x.abs(), velocity.y]).unwrap();
            let friction = random.log_between(0.02, 5.0);
            let law =
                Chatterjee3 { restitution: random.unit(), tangential_restitution: random.between(-1.0, 1.0), friction };
            let audit = audit(&collision, &law.resolve(&collision).unwrap(), friction);
            assert_eq!(audit.energy, Finding::Ok);
        }
    }
}
