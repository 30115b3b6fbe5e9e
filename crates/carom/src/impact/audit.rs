//! Whether a prediction for several contacts is physically possible.

use super::{Impact, ImpactOutcome};
use crate::audit::{Finding, ROUNDING, check_cone};
use nalgebra::Vector3;

/// What every impact must satisfy: energy as a whole, friction and penetration at each contact.
#[derive(Clone, Debug, PartialEq)]
pub struct ImpactAudit {
    /// Kinetic energy must not rise.
    pub energy: Finding,
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
    /// Work of the impulse at this contact, J: not a rule, but where the energy went.
    pub work: f64,
}

/// How far an iterative solution may be from its conditions, relative to the scales of the problem.
const SOLVED: f64 = 1e-9;

/// Checks a prediction against energy, friction and non-penetration. `friction` holds the larger of the static and the
/// kinetic coefficient of every contact; `at_stake` is the kinetic energy that a gain is compared with, J.
pub fn audit(impact: &Impact, outcome: &ImpactOutcome, friction: &[f64], at_stake: f64) -> ImpactAudit {
    let (w, v) = (impact.inverse_mass(), impact.velocity());
    let (p, after) = (&outcome.impulses, &outcome.velocities_after);
    let gain = impact.energy_change(p);
    let magnitude: Vec<Vector3<f64>> = p.iter().map(Vector3::abs).collect();
    let reach: Vec<Vector3<f64>> =
        (0..v.len()).map(|i| w.row(i).fold(v[i].abs(), |sum, (j, block)| sum + block.abs() * magnitude[j])).collect();
    let work_scale: f64 = magnitude.iter().zip(&reach).map(|(p, v)| p.dot(v)).sum();
    let energy = if gain <= (ROUNDING * work_scale).max(SOLVED * at_stake) {
        Finding::Ok
    } else {
        Finding::EnergyGain { gain, relative: gain / at_stake }
    };
    let largest = p.iter().map(Vector3::norm).fold(0.0, f64::max);
    let contacts = (0..v.len()).map(|i| {
        let slack = SOLVED * largest;
        let penetration = if after[i].x >= -SOLVED * reach[i].x {
            Finding::Ok
        } else {
            Finding::Approaching { velocity: after[i].x }
        };
        let work = 0.5 * p[i].dot(&(v[i] + after[i]));
        ContactAudit { friction: check_cone(&p[i], friction[i], slack), penetration, work }
    });
    ImpactAudit { energy, contacts: contacts.collect() }
}

impl ImpactAudit {
    /// Whether the prediction satisfies every constraint.
    pub fn is_ok(&self) -> bool {
        let contact = |c: &ContactAudit| c.friction == Finding::Ok && c.penetration == Finding::Ok;
        self.energy == Finding::Ok && self.contacts.iter().all(contact)
    }
}
