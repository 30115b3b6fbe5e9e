//! Whether a prediction is physically possible, whichever law made it.
//!
//! The audit takes the impulses P of an answer and the problem: W, V, the coefficients of friction, and the bodies where there
//! are any. It works out V' = V + W P and ΔE = ½ P·(V + V') by itself, in double-double arithmetic,
//! so that its own rounding is never the verdict. The velocities that a law claims are only compared with V'.
//!
//! **Tolerances** come from the state before and from nothing that the law returned, so that a worse answer is not judged more
//! leniently. With M = W⁻¹ (the pseudoinverse where W is singular) the energy at stake is E = ½ V·M V. Whatever creates
//! no energy ends on the ellipsoid V'·M V' ≤ 2E, hence
//!
//! ```text
//! |V'_i| ≤ u_i = √(2E W_ii),   |P_i| = |(M (V' − V))_i| ≤ 2 √(2E M_ii) = 2 p_i a_i,   p_i = √(2E/W_ii),  a_i² = M_ii W_ii ≥ 1
//! ```
//!
//! u_i and p_i are the scales of velocity and impulse of component i, with E = ½ u_i p_i. W and V are doubles: the entries of W
//! are known to a relative ε. Such a change of W changes V' and E by no more than
//!
//! ```text
//! |δV'_i| ≤ ε Σ_j |W_ij||P_j| ≤ 2 ε u_i Σ_j a_j,      |δE| ≤ ½ ε |P|·|W||P| ≤ 4 ε E (Σ_j a_j)²
//! ```
//!
//! by |W_ij|² ≤ W_ii W_jj. A = (Σ_j a_j)² says how much rounding the problem amplifies; it does not depend on the units of the
//! components, and is 9 for a diagonal W.
//!
//! Under a singular W energy bounds only the part P̂ of the impulse that moves something. V' and ΔE are worked out from P̂. The rest
//! s b, along an immovable unit vector b, is bounded by the friction cone where b is outside: |P̂_t + s b_t| ≤ μ (P̂_n + s b_n). Where b
//! is inside, that much of it takes any impulse into the cone; laws that stick along b need up to |b_t|/b_n. So |s| ≤ B |P̂| with
//!
//! ```text
//! B = (1 + μ)/||b_t| − μ b_n|,   or |b_t|/b_n if that is more and b is inside
//! ```
//!
//! for the b nearest the normal, b_n > 0. Next to the edge, within 2·10⁻⁹, laws whose impulse grows like the first refuse, and it does not count.
//! B = 0 for a regular W, and where only tangents are immovable. P and b are doubles, so P̂ is known to ε B |P̂|, which changes V' by
//! W δP̂ and the energy by V'·δP̂. With `STEPS` roundings in the law's own computation, and the accuracy METHOD that laws reach
//! which iterate or integrate (`ONE` or `SEVERAL` contacts), the tolerances are
//!
//! ```text
//! δ = METHOD + 2 STEPS ε √A (1 + B)       of the greatest u_i for velocities, of (1 + μ) p_n for impulses
//! δ_E = METHOD + 4 STEPS ε (A + B √A)     of E for the energy, at most [`LARGEST`]
//! ```
//!
//! Islands of contacts are judged separately, each by its own E and A: impulses carry no energy from one to another. Where bodies
//! are given, V' in ΔE is their velocity after, which must be V + W P: long impulses that hold each other would square the rounding of W.
//! Their kinetic energies T and T' must agree with ΔE: |T' − (T + ΔE)| may be Σ δ_E E + `BODIES` T. An answer that creates
//! energy is wrong already, and the last digit of its ΔE may exceed that; of such an answer the energies are not compared.

use crate::collision::{Collision, Mobility};
use crate::double_double::DoubleDouble;
use crate::format::Digits;
pub use crate::impact::BodyMotion;
use crate::impact::{BlockMatrix, Impact, RANK_TOLERANCE};
use crate::outcome::{ContactOutcome, Outcome};
use nalgebra::{DVector, SymmetricEigen, Vector3};
use std::fmt;

/// The conditions on every impact: energy and consistency as a whole, friction, penetration and consistency at each contact
/// (three constraints of Chatterjee 1997, 3.4, and that the answer agrees with itself).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Audit {
    /// Kinetic energy must not rise.
    pub energy: Finding,
    /// Energies must be finite, not negative, and those of the bodies.
    pub consistency: Finding,
    /// Contact by contact.
    pub contacts: Vec<ContactAudit>,
}

/// The conditions on every contact of an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactAudit {
    /// The impulse must lie in the friction cone, |P_t| ≤ μ P_n.
    pub friction: Finding,
    /// The bodies must not go on approaching.
    pub penetration: Finding,
    /// Numbers must be finite, and the velocity after must follow from the impulses.
    pub consistency: Finding,
    /// Work of the impulse at this contact, J: not a rule, but where the energy went.
    #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
    pub work: f64,
}

/// What one constraint's check found.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Finding {
    /// Satisfied.
    Ok,
    /// Kinetic energy created.
    EnergyGain {
        /// The gain in J.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        gain: f64,
        /// The gain relative to the energy the collision could at most dissipate.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        relative: f64,
    },
    /// Tangential impulse beyond the friction cone.
    BeyondCone {
        /// |P_t| / P_n of the prediction.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        ratio: f64,
        /// The coefficient of friction.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        friction: f64,
    },
    /// The normal impulse pulls.
    Pulling {
        /// The normal impulse, kg m/s.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        impulse: f64,
    },
    /// Still approaching after the collision.
    Approaching {
        /// V_n after the collision, m/s.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        velocity: f64,
    },
    /// A number is NaN or infinite.
    NotFinite,
    /// The impact, the prediction and the coefficients of friction have different numbers of contacts.
    SizesDiffer,
    /// The velocity after that the law claims is not V + W P.
    VelocityDiffers {
        /// By how much, m/s.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        by: f64,
    },
    /// The velocity of the bodies at the contact is not V + W P.
    BodiesDiffer {
        /// By how much, m/s.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        by: f64,
    },
    /// The kinetic energy of the bodies after is not that before plus ΔE.
    EnergyDiffers {
        /// By how much, J.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        by: f64,
    },
    /// More energy is lost than there was.
    NegativeEnergy {
        /// The kinetic energy after, J.
        #[cfg_attr(feature = "serde", serde(with = "crate::wire::number"))]
        energy: f64,
    },
}

/// How well laws reach their end that integrate, relative to the scales of the problem: they conserve energy to 1e-11 or so.
const ONE: f64 = 1e-9;
/// The same for several contacts: laws that follow them call a contact at rest below 1e-9 of the speeds, event by event.
const SEVERAL: f64 = 1e-8;
/// Roundings on the way through a law in closed form.
const STEPS: f64 = 64.0;
/// A gain of energy above this fraction of the energy at stake is a gain, however W amplifies rounding.
const LARGEST: f64 = 1e-3;
/// Squares of larger impulses overflow; the rounding of such a friction limit does not matter.
const LARGE_IMPULSE: f64 = 1e100;
/// Agreement of the bodies' velocities with those at the contacts, relative to the speeds of the bodies: joints may be off by
/// a tenth of that before.
const BODIES: f64 = 1e-8;

/// Checks a prediction against energy, friction, non-penetration and consistency. `friction` holds the larger of the static and
/// the kinetic coefficient of every contact; `at_stake` is the kinetic energy that a gain is compared with, J; `bodies` is their
/// motion after the impact, where there are bodies.
///
/// The numbers of contacts of the three must be equal: of others every finding is [`Finding::SizesDiffer`].
pub fn audit(
    impact: &Impact,
    outcome: &Outcome,
    friction: &[f64],
    at_stake: f64,
    bodies: Option<&BodyMotion>,
) -> Audit {
    let n = impact.contacts();
    let sizes = bodies.map_or([n; 2], |bodies| [bodies.velocities.len(), bodies.speeds.len()]);
    if [outcome.contacts.len(), friction.len(), sizes[0], sizes[1]] != [n; 4] {
        return Audit::all(n, Finding::SizesDiffer);
    }
    let (impulses, claimed) = (outcome.impulses(), outcome.velocities_after());
    let answer = Answer { impulses: &impulses, claimed: &claimed, bodies };
    if let Some(collision) = impact.as_collision() {
        return examine_collision(collision, &answer, friction[0], Some(at_stake));
    }
    let mut mobilities = vec![Mobility::Full; n];
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
    examine(&problem, &answer, &islands)
}

/// Checks the prediction for one contact. `friction` is the larger of the static and the kinetic coefficient.
///
/// ```
/// use carom::{Collision, audit::{audit_collision, Finding}, laws::Whittaker};
/// let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
/// let law = Whittaker { restitution: 0.9, static_friction: 0.8, kinetic_friction: 0.8 };
/// let audit = audit_collision(&rod, &law.resolve(&rod).unwrap(), 0.8);
/// assert!(matches!(audit.energy, Finding::EnergyGain { .. }));
/// ```
pub fn audit_collision(collision: &Collision, outcome: &ContactOutcome, friction: f64) -> Audit {
    let answer = Answer { impulses: &[outcome.impulse], claimed: &[outcome.velocity_after], bodies: None };
    examine_collision(collision, &answer, friction, None)
}

/// One contact by itself. The energy at stake is that at the contact unless another is given.
fn examine_collision(collision: &Collision, answer: &Answer, friction: f64, at_stake: Option<f64>) -> Audit {
    let island = Island { contacts: vec![0], stakes: Stakes::of_collision(collision, friction) };
    let problem = Problem {
        inverse_mass: &BlockMatrix::from_rows([vec![(0, *collision.inverse_mass())]]),
        velocity: &[*collision.velocity()],
        friction: &[friction],
        at_stake: at_stake.unwrap_or(island.stakes.energy),
        mobilities: &[collision.mobility()],
    };
    examine(&problem, answer, &[island])
}

/// What was asked.
struct Problem<'a> {
    inverse_mass: &'a BlockMatrix,
    velocity: &'a [Vector3<f64>],
    friction: &'a [f64],
    /// The energy that a gain is compared with, J.
    at_stake: f64,
    /// The directions in which each contact can move, where no other acts on it.
    mobilities: &'a [Mobility],
}

/// What was answered.
struct Answer<'a> {
    impulses: &'a [Vector3<f64>],
    /// The velocities after as the law says them.
    claimed: &'a [Vector3<f64>],
    bodies: Option<&'a BodyMotion>,
}

/// Contacts that impulses connect.
struct Island {
    contacts: Vec<usize>,
    stakes: Stakes,
}

/// The energy at stake E of an island and its amplification of rounding, A and B, from which tolerances follow.
pub(crate) struct Stakes {
    /// METHOD.
    method: f64,
    pub(crate) energy: f64,
    amplification: f64,
    /// B.
    idle: f64,
}

impl Stakes {
    /// One contact.
    pub(crate) fn of_collision(collision: &Collision, friction: f64) -> Stakes {
        let w = collision.inverse_mass();
        let amplified = |i: usize| (collision.mass_times(&Vector3::ith(i, 1.0))[i] * w[(i, i)]).max(1.0).sqrt();
        let amplification = (0..3).map(amplified).sum::<f64>().powi(2);
        Stakes { method: ONE, energy: collision.local_energy(), amplification, idle: collision.idle_impulse(friction) }
    }

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
        let largest = eigen.eigenvalues.amax();
        let rounding = 8.0 * f64::EPSILON * w.nrows() as f64;
        let mut mass = DVector::zeros(w.nrows());
        let mut energy = 0.0;
        for (value, mode) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            if *value > RANK_TOLERANCE * largest {
                mass += mode.component_mul(&mode) / *value;
            }
            // Where a body turns easily but moves hard, the energy is in the directions of the least eigenvalues.
            if *value > rounding * largest {
                energy += 0.5 * mode.dot(&v).powi(2) / value;
            }
        }
        let amplified: f64 = (0..w.nrows()).map(|i| (mass[i] * w[(i, i)]).max(1.0).sqrt()).sum();
        Stakes { method: SEVERAL, energy, amplification: amplified * amplified, idle: 0.0 }
    }

    /// u: the greatest speed that the energy at stake gives to a component of this inverse mass.
    pub(crate) fn speed(&self, inverse_mass: f64) -> f64 {
        (2.0 * self.energy * inverse_mass.max(0.0)).sqrt()
    }

    /// δ, of velocities and impulses.
    pub(crate) fn precision(&self) -> f64 {
        self.method + 2.0 * STEPS * f64::EPSILON * self.amplification.sqrt() * (1.0 + self.idle)
    }

    /// δ_E E.
    pub(crate) fn energy_tolerance(&self) -> f64 {
        let amplified = self.amplification + self.idle * self.amplification.sqrt();
        (self.method + 4.0 * STEPS * f64::EPSILON * amplified).min(LARGEST) * self.energy
    }
}

impl Island {
    /// The greatest u of all components, or velocity before.
    fn fastest(&self, problem: &Problem) -> f64 {
        let speeds = self.contacts.iter().map(|k| {
            let most = problem.inverse_mass.block(*k, *k).diagonal().max();
            self.stakes.speed(most).max(problem.velocity[*k].amax())
        });
        speeds.fold(0.0, f64::max)
    }
}

/// Judges an answer. The islands hold every contact once.
fn examine(problem: &Problem, answer: &Answer, islands: &[Island]) -> Audit {
    let mut contacts = Audit::all(problem.velocity.len(), Finding::NotFinite).contacts;
    let (mut created, mut change, mut slack, mut negative) = (0.0, 0.0, 0.0, None);
    let mut finite = true;
    for island in islands {
        let mut gain = DoubleDouble::ZERO;
        for &k in &island.contacts {
            let after = velocity_after(problem, answer, k);
            let moving = moving_part(&problem.mobilities[k], &answer.impulses[k]);
            // Of impulses that hold each other W P is right but for the rounding of W, and P·W P has the square of their length.
            let moved = answer.bodies.map(|bodies| [0, 1, 2].map(|i| DoubleDouble::from(bodies.velocities[k][i])));
            let moved = moved.unwrap_or(after);
            let work = (0..3).fold(DoubleDouble::ZERO, |sum, i| {
                sum + (DoubleDouble::from(problem.velocity[k][i]) + moved[i]) * moving[i] * 0.5
            });
            gain = gain + work;
            contacts[k] = examine_contact(problem, answer, island, k, &after);
            contacts[k].work = work.value();
        }
        let (gain, tolerance) = (gain.value(), island.stakes.energy_tolerance());
        finite &= gain.is_finite();
        change += gain;
        slack += tolerance;
        if gain > tolerance {
            created += gain;
        }
        // Bodies have an energy of their own, which is not below zero and is compared with ΔE.
        if answer.bodies.is_none() && island.stakes.energy + gain < -tolerance {
            negative = Some(island.stakes.energy + gain);
        }
    }
    let energy = if !finite {
        Finding::NotFinite
    } else if created > 0.0 {
        Finding::EnergyGain { gain: created, relative: created / problem.at_stake }
    } else {
        Finding::Ok
    };
    let consistency = match (negative, answer.bodies) {
        _ if !finite => Finding::NotFinite,
        (Some(energy), _) => Finding::NegativeEnergy { energy },
        (None, Some(bodies)) if created <= 0.0 => examine_energy(bodies, change, slack),
        (None, _) => Finding::Ok,
    };
    Audit { energy, consistency, contacts }
}

/// V + W P at a contact.
fn velocity_after(problem: &Problem, answer: &Answer, contact: usize) -> [DoubleDouble; 3] {
    let mut after = [0, 1, 2].map(|i| DoubleDouble::from(problem.velocity[contact][i]));
    for (other, block) in problem.inverse_mass.row(contact) {
        let moving = moving_part(&problem.mobilities[other], &answer.impulses[other]);
        for (i, sum) in after.iter_mut().enumerate() {
            for j in 0..3 {
                *sum = *sum + moving[j] * block[(i, j)];
            }
        }
    }
    after
}

/// The part of an impulse that moves something.
fn moving_part(mobility: &Mobility, impulse: &Vector3<f64>) -> [DoubleDouble; 3] {
    let along = |axis: &Vector3<f64>| {
        let sum = (0..3).fold(DoubleDouble::ZERO, |sum, i| sum + DoubleDouble::product(axis[i], impulse[i]));
        [0, 1, 2].map(|i| sum * axis[i])
    };
    match mobility {
        Mobility::Full => [0, 1, 2].map(|i| DoubleDouble::from(impulse[i])),
        Mobility::Plane { immovable } => {
            let idle = along(immovable);
            [0, 1, 2].map(|i| DoubleDouble::from(impulse[i]) - idle[i])
        }
        Mobility::Line { movable } => along(movable),
    }
}

fn examine_contact(
    problem: &Problem,
    answer: &Answer,
    island: &Island,
    k: usize,
    exact: &[DoubleDouble; 3],
) -> ContactAudit {
    let after = exact.map(DoubleDouble::value);
    let (p, claimed) = (&answer.impulses[k], &answer.claimed[k]);
    let response = problem.inverse_mass.block(k, k)[(0, 0)];
    let rest = island.stakes.precision() * island.fastest(problem);
    // Subtracted before it is rounded: of a large V after the last digit may exceed the tolerance.
    let differs = |other: &Vector3<f64>, slack: f64| {
        let by = Vector3::from_fn(|i, _| (DoubleDouble::from(other[i]) - exact[i]).value());
        by.iter().any(|by| by.is_nan() || by.abs() > rest + slack).then(|| by.norm())
    };
    let moved = answer.bodies.map(|bodies| (bodies.velocities[k], BODIES * bodies.speeds[k]));
    let mut numbers = p.iter().chain(claimed.iter()).chain(after.iter());
    let consistency = if !numbers.all(|x| x.is_finite()) {
        Finding::NotFinite
    } else if let Some(by) = differs(claimed, 0.0) {
        Finding::VelocityDiffers { by }
    } else {
        let by = moved.and_then(|(velocity, slack)| differs(&velocity, slack));
        by.map_or(Finding::Ok, |by| Finding::BodiesDiffer { by })
    };
    let penetration = match moved {
        _ if !after[0].is_finite() => Finding::NotFinite,
        Some((velocity, slack)) if velocity.x.is_nan() || velocity.x < -rest - slack => {
            Finding::Approaching { velocity: velocity.x }
        }
        _ if after[0] < -rest => Finding::Approaching { velocity: after[0] },
        _ => Finding::Ok,
    };
    let friction =
        check_cone(p, problem.friction[k], island.stakes.precision() * island.stakes.speed(response) / response);
    ContactAudit { friction, penetration, consistency, work: f64::NAN }
}

/// Whether the kinetic energies of the bodies differ by the change that the impulses make. Velocities after are doubles, so their
/// energy is known to a few ε of itself; it is that of the impulses, which the bodies' own is compared with.
fn examine_energy(bodies: &BodyMotion, change: f64, slack: f64) -> Finding {
    let [before, after] = bodies.energy;
    let by = after - (before + change);
    if by.abs() <= slack + BODIES * before {
        Finding::Ok
    } else if by.is_finite() {
        Finding::EnergyDiffers { by }
    } else {
        Finding::NotFinite
    }
}

/// Whether an impulse lies in the friction cone, up to `slack` of each component.
fn check_cone(p: &Vector3<f64>, friction: f64, slack: f64) -> Finding {
    if !p.iter().all(|x| x.is_finite()) {
        return Finding::NotFinite;
    }
    if p.x < -slack {
        return Finding::Pulling { impulse: p.x };
    }
    if friction.is_infinite() {
        return Finding::Ok;
    }
    let tangential = p.y.hypot(p.z);
    let beyond = Finding::BeyondCone { ratio: tangential / p.x, friction };
    if tangential.max(friction * p.x) > LARGE_IMPULSE {
        return if tangential <= friction * p.x { Finding::Ok } else { beyond };
    }
    // |P_t|² ≤ (μ P_n + (1 + μ) slack)², both sides in twice the precision; a sum below zero is a tip that pulls.
    let limit = DoubleDouble::product(friction, p.x) + DoubleDouble::from((1.0 + friction) * slack);
    let squared = DoubleDouble::product(p.y, p.y) + DoubleDouble::product(p.z, p.z);
    if limit.value() >= 0.0 && (limit.squared() - squared).value() >= 0.0 { Finding::Ok } else { beyond }
}

impl Audit {
    fn all(contacts: usize, finding: Finding) -> Audit {
        let contact = ContactAudit { friction: finding, penetration: finding, consistency: finding, work: f64::NAN };
        Audit { energy: finding, consistency: finding, contacts: vec![contact; contacts] }
    }

    /// The first finding of each kind that is not [`Finding::Ok`], by name, in the order in which reports show them. Of
    /// consistency those of the contacts come first.
    pub fn findings(&self) -> [(&'static str, Finding); 4] {
        let first = |of: fn(&ContactAudit) -> Finding| {
            self.contacts.iter().map(of).find(|finding| *finding != Finding::Ok).unwrap_or(Finding::Ok)
        };
        let consistency = first(|contact| contact.consistency);
        [
            ("energy", self.energy),
            ("friction", first(|contact| contact.friction)),
            ("penetration", first(|contact| contact.penetration)),
            ("consistency", if consistency == Finding::Ok { self.consistency } else { consistency }),
        ]
    }

    /// Whether nothing is wrong with the prediction.
    pub fn is_ok(&self) -> bool {
        self.findings().iter().all(|(_, finding)| *finding == Finding::Ok)
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
            Finding::NotFinite => f.pad("a number is not finite"),
            Finding::SizesDiffer => f.pad("the numbers of contacts differ"),
            Finding::VelocityDiffers { by } => {
                write!(f, "the velocity after differs by {} m/s from the one that the impulses give", Digits(*by))
            }
            Finding::BodiesDiffer { by } => {
                write!(f, "the bodies' velocity differs by {} m/s from the one that the impulses give", Digits(*by))
            }
            Finding::EnergyDiffers { by } => {
                write!(f, "the bodies' energy differs by {} J from the one that the impulses give", Digits(*by))
            }
            Finding::NegativeEnergy { energy } => {
                write!(f, "the kinetic energy after would be {} J, below zero", Digits(*energy))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::Chatterjee3;
    use crate::outcome::Mode;
    use crate::random::Random;

    #[test]
    fn impulses_whose_squares_overflow_keep_ratio_and_mode() {
        let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
        let judge = |normal: f64, tangential: f64| {
            let outcome = ContactOutcome::jump(&rod, Vector3::new(normal, tangential, 0.0), 0.8);
            (outcome.mode, audit_collision(&rod, &outcome, 0.8).contacts[0].friction)
        };
        assert_eq!(judge(1e155, 0.0), (Mode::InsideCone, Finding::Ok));
        assert_eq!(judge(1e200, 3e180), (Mode::InsideCone, Finding::Ok));
        assert_eq!(judge(1e200, 1e200).1, Finding::BeyondCone { ratio: 1.0, friction: 0.8 });
        assert_eq!(judge(1.0, 1e200).1, Finding::BeyondCone { ratio: 1e200, friction: 0.8 });
    }

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
            let audit = audit_collision(&collision, &law.resolve(&collision).unwrap(), friction);
            assert_eq!(audit.energy, Finding::Ok);
        }
    }
}
