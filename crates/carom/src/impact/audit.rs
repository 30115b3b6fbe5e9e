//! Whether a prediction for several contacts is physically possible; tolerances as for [one contact](crate::audit).

use super::{Impact, ImpactOutcome, RANK_TOLERANCE};
use crate::Mobility;
use crate::audit::{Answer, BodyMotion, Finding, Island, Problem, SEVERAL, Stakes, examine};
use nalgebra::{DVector, SymmetricEigen};

/// Conditions on every impact: energy and consistency as a whole, friction, penetration and consistency at each contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactAudit {
    /// Kinetic energy must not rise.
    pub energy: Finding,
    /// Energies must be finite, not negative, and those of the bodies.
    pub consistency: Finding,
    /// Contact by contact.
    pub contacts: Vec<ContactAudit>,
}

/// What every contact of an impact must satisfy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactAudit {
    /// The impulse must lie in the friction cone.
    pub friction: Finding,
    /// The bodies must not go on approaching.
    pub penetration: Finding,
    /// Numbers must be finite, and the velocity after must follow from the impulses.
    pub consistency: Finding,
    /// Work of the impulse at this contact, J: not a rule, but where the energy went.
    pub work: f64,
}

/// Checks a prediction against energy, friction, non-penetration and consistency. `friction` holds the larger of the static and
/// the kinetic coefficient of every contact; `at_stake` is the kinetic energy that a gain is compared with, J.
pub fn audit(impact: &Impact, outcome: &ImpactOutcome, friction: &[f64], at_stake: f64) -> ImpactAudit {
    audit_with_bodies(impact, outcome, friction, at_stake, None)
}

/// The same, also against the motion of the bodies after the impact.
pub fn audit_with_bodies(
    impact: &Impact,
    outcome: &ImpactOutcome,
    friction: &[f64],
    at_stake: f64,
    bodies: Option<&BodyMotion>,
) -> ImpactAudit {
    let mut mobilities = vec![Mobility::Full; impact.contacts()];
    let islands: Vec<Island> = impact
        .islands()
        .into_iter()
        .map(|contacts| {
            let stakes = match (contacts.as_slice(), impact.collision(contacts[0])) {
                ([alone], Ok(collision)) => {
                    mobilities[*alone] = collision.mobility();
                    Stakes { method: SEVERAL, ..Stakes::of_collision(&collision, friction[*alone]) }
                }
                _ => Stakes::of_impact(&impact.restricted(&contacts), at_stake),
            };
            Island { contacts, stakes }
        })
        .collect();
    let (inverse_mass, velocity) = (impact.inverse_mass(), impact.velocity());
    let problem = Problem { inverse_mass, velocity, friction, at_stake, mobilities: &mobilities };
    let answer = Answer { impulses: &outcome.impulses, claimed: &outcome.velocities_after, bodies };
    examine(&problem, &answer, &islands)
}

impl Stakes {
    /// Islands of more contacts are judged by the energy of the whole impact: their own costs a decomposition of W.
    pub(crate) const SMALL: usize = 64;

    /// All contacts of an impact; `at_stake` is the energy at stake if there are too many to work it out.
    pub(crate) fn of_impact(impact: &Impact, at_stake: f64) -> Stakes {
        let components = impact.components();
        if impact.contacts() > Stakes::SMALL {
            let rows = (components * impact.contacts()) as f64;
            return Stakes { method: SEVERAL, energy: at_stake, amplification: rows * rows, idle: 0.0 };
        }
        let w = impact.inverse_mass().dense(components);
        let v = DVector::from_fn(w.nrows(), |i, _| impact.velocity()[i / components][i % components]);
        let eigen = SymmetricEigen::new(w.clone());
        let zero = RANK_TOLERANCE * eigen.eigenvalues.amax();
        let mut mass = DVector::zeros(w.nrows());
        let mut energy = 0.0;
        for (value, mode) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            if *value > zero {
                mass += mode.component_mul(&mode) / *value;
                energy += 0.5 * mode.dot(&v).powi(2) / value;
            }
        }
        let amplified: f64 = (0..w.nrows()).map(|i| (mass[i] * w[(i, i)]).max(1.0).sqrt()).sum();
        Stakes { method: SEVERAL, energy, amplification: amplified * amplified, idle: 0.0 }
    }
}

impl ImpactAudit {
    /// Whether nothing is wrong with the prediction.
    pub fn is_ok(&self) -> bool {
        let contact = |c: &ContactAudit| [c.friction, c.penetration, c.consistency].iter().all(|f| *f == Finding::Ok);
        self.energy == Finding::Ok && self.consistency == Finding::Ok && self.contacts.iter().all(contact)
    }
}
