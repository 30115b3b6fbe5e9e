//! The quantities of a problem that the literature names, for a scenario: W and M, class, critical frictions, coupling, waves,
//! rank, and impulses that hold each other.

use crate::scenario::Scenario;
use carom::Collision;
use carom::Dimension;
use carom::Held;
use carom::elastic::{Regimes, WaveCriteria, gyration_ratio, nondimensional_angle};
use carom::problem::{Class, ImpactProcess, InertiaCoupling, Principal};
use nalgebra::DMatrix;

/// Of one contact, as if there were no other.
#[derive(Clone, Debug)]
pub struct ContactQuantities {
    /// Meeting, tangential or parting; direct or oblique; central or eccentric.
    pub class: Class,
    /// W in (n, t) or (n, t1, t2), 1/kg.
    pub inverse_mass: DMatrix<f64>,
    /// M = W⁻¹, kg; `None` where W is singular.
    pub mass: Option<DMatrix<f64>>,
    /// Eigenvalues of W, 1/kg, with their directions, the smallest first. Of a singular W those of immovable directions are 0.
    pub axes: Vec<Principal>,
    /// Directions in which an impulse moves anything.
    pub rank: usize,
    /// Wang & Mason's process; `None` for a collision that leaves every plane.
    pub process: Option<Process>,
    /// Lai's numbers of the inertia; `None` for a collision that leaves every plane.
    pub coupling: Option<InertiaCoupling>,
    /// Angle of the velocity before from −n, rad; `None` unless the bodies approach.
    pub incidence: Option<f64>,
    /// The numbers of an oblique elastic impact; `None` without Poisson's ratio, or for a collision that leaves every plane.
    pub oblique: Option<ObliqueNumbers>,
    /// Whether waves matter; `None` without a wave speed, or for bodies that do not approach.
    pub waves: Option<WaveCriteria>,
}

/// Wang & Mason's coefficients and critical frictions; those that the scenario's material leaves open are `None`.
#[derive(Clone, Copy, Debug)]
pub struct Process {
    /// B₁, B₂, B₃, S_o, C_o.
    pub coefficients: ImpactProcess,
    /// μ_s.
    pub mu_s: Option<f64>,
    /// μ_d; also `None` if no friction stops the slip.
    pub mu_d: Option<f64>,
    /// μ_q; also `None` if no friction stops the slip in compression.
    pub mu_q: Option<f64>,
    /// P_d.
    pub p_d: Option<f64>,
    /// P_q.
    pub p_q: Option<f64>,
}

/// Lai's χ and ψ₁, and the ψ₁ at which the regimes change.
#[derive(Clone, Copy, Debug)]
pub struct ObliqueNumbers {
    /// χ.
    pub chi: f64,
    /// ψ₁; `None` without friction, or for bodies that do not approach.
    pub psi_1: Option<f64>,
    /// By Hertz's and Mindlin's theory; only for an inertia without coupling.
    pub regimes: Option<Regimes>,
}

/// Of an impact.
#[derive(Clone, Debug)]
pub struct Quantities {
    /// W, contact by contact, 1/kg.
    pub inverse_mass: DMatrix<f64>,
    /// Rows of W without its null vectors.
    pub rank: usize,
    /// Impulses that change no velocity; friction is not considered.
    pub null_vectors: Vec<Principal>,
    /// Impulses in the friction cones that change no velocity.
    pub held: Option<Held>,
    /// The class of each contact.
    pub classes: Vec<Class>,
    /// Each contact as if there were no other; `None` where its own velocity does not fit its own inverse mass.
    pub contacts: Vec<Option<ContactQuantities>>,
}

/// The material of a contact: values by the keys of a scenario.
type Material<'a> = &'a dyn Fn(&str) -> Option<f64>;

impl ContactQuantities {
    fn new(collision: &Collision, dimension: Dimension, material: Material<'_>) -> Option<ContactQuantities> {
        let components = if dimension == Dimension::Planar { 2 } else { 3 };
        let part = |m: &nalgebra::Matrix3<f64>| DMatrix::from_fn(components, components, |i, j| m[(i, j)]);
        let inverse_mass = part(collision.inverse_mass());
        let mut axes = Principal::of(&inverse_mass).unwrap_or_default();
        if collision.is_singular() {
            let zero = SINGULAR * axes.last().map_or(0.0, |axis| axis.value);
            for axis in axes.iter_mut().filter(|axis| axis.value <= zero) {
                axis.value = 0.0;
            }
        }
        let v = collision.velocity();
        let class = Class::of(collision.inverse_mass(), v).ok()?;
        let section = collision.planar_section();
        let process = section.map(|section| Process::of(ImpactProcess::of(&section), material));
        let approaching = collision.is_approaching();
        let waves = material("wave_speed").filter(|_| approaching);
        let oblique = material("poisson_ratio").zip(section).and_then(|(ratio, section)| {
            let chi = gyration_ratio(ratio, &section.inverse_mass).ok()?;
            let friction = material("kinetic_friction").filter(|friction| approaching && *friction > 0.0);
            Some(ObliqueNumbers {
                chi,
                psi_1: friction.and_then(|friction| {
                    nondimensional_angle(ratio, friction, section.velocity.y.abs() / -section.velocity.x).ok()
                }),
                regimes: if class.central { Regimes::maw(chi).ok() } else { None },
            })
        });
        Some(ContactQuantities {
            class,
            mass: collision.mass().map(|mass| part(&mass)),
            rank: axes.iter().filter(|axis| axis.value > 0.0).count(),
            axes,
            inverse_mass,
            process,
            coupling: section.map(|section| InertiaCoupling::of(&section)),
            incidence: approaching.then(|| v.yz().norm().atan2(-v.x)),
            oblique,
            waves: waves.and_then(|speed| WaveCriteria::new(-v.x, speed).ok()),
        })
    }
}

/// An eigenvalue of a singular W below this fraction of the largest belongs to an immovable direction.
const SINGULAR: f64 = 1e-12;

impl Process {
    fn of(coefficients: ImpactProcess, material: Material<'_>) -> Process {
        let friction = material("kinetic_friction");
        Process {
            mu_s: coefficients.sticking_friction(),
            mu_d: material("restitution").and_then(|e| coefficients.critical_friction(e).ok()?),
            mu_q: coefficients.critical_friction(0.0).ok().flatten(),
            p_d: friction.and_then(|friction| coefficients.p_d(friction).ok()),
            p_q: friction.and_then(|friction| coefficients.p_q(friction).ok()),
            coefficients,
        }
    }
}

impl Quantities {
    /// More contacts are not decomposed: it takes time that grows with the cube of their number.
    pub const MOST_CONTACTS: usize = 60;

    /// Of a scenario with up to [`Quantities::MOST_CONTACTS`] contacts.
    pub fn of(scenario: &Scenario) -> Option<Quantities> {
        let impact = &scenario.impact;
        if impact.contacts() > Quantities::MOST_CONTACTS {
            return None;
        }
        let network = scenario.scene.as_ref().and_then(|scene| scene.network().ok());
        let rows = impact.components() * impact.contacts();
        let null_vectors = match &network {
            // Geometry decides; eigenvalues may be far apart because masses are.
            Some(network) => {
                let mut axes = impact.principal_impulses();
                axes.truncate(rows - network.rank().min(rows));
                axes
            }
            None => impact.null_vectors(),
        };
        let contacts = (0..impact.contacts()).map(|k| {
            let collision = impact.collision(k).ok()?;
            ContactQuantities::new(&collision, scenario.dimension(), &|key| scenario.parameter(k, key))
        });
        Some(Quantities {
            inverse_mass: impact.inverse_mass().dense(impact.components()),
            rank: rows - null_vectors.len(),
            null_vectors,
            held: Held::of(impact, &scenario.frictions()).ok().flatten(),
            classes: classes(scenario),
            contacts: contacts.collect(),
        })
    }
}

/// The class of each contact of a scenario.
pub fn classes(scenario: &Scenario) -> Vec<Class> {
    let impact = &scenario.impact;
    let class = |k: usize| Class::of(&impact.inverse_mass().block(k, k), &impact.velocity()[k]).ok();
    (0..impact.contacts()).filter_map(class).collect()
}
