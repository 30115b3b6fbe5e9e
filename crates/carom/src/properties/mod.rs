//! What a law does, measured: its homogeneity, energy, friction and effort over one fixed set of sampled collisions.
//!
//! The set is the same for every law, machine and run: planar and spatial collisions, with coupled and with uncoupled
//! normal and tangents. Collisions that a law does not apply to are left out and counted.

mod homogeneity;
mod sample;

pub use homogeneity::Homogeneity;

use crate::collision::Collision;
use crate::laws::BoundLaw;
use crate::outcome::ContactOutcome;
use sample::sampled;

/// What was measured of a law with its parameters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// How many sampled collisions the law resolved.
    pub resolved: usize,
    /// How many it did not apply to.
    pub refused: usize,
    /// How impulse and velocity after scale with velocity and mass.
    pub homogeneity: Homogeneity,
    /// Largest gain of kinetic energy over all the energy at the contact; 0 if none gained.
    pub energy_gain: f64,
    /// Largest excess of |P_t|/P_n over the coefficient of friction; 0 if none exceeded it.
    pub friction_excess: f64,
    /// Largest speed of approach left over the speed before; 0 if all parted.
    pub penetration: f64,
    /// How often the equations of motion were evaluated; `None` for laws that need not.
    pub evaluations: Option<Effort>,
}

/// Evaluations of the equations of motion per collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort {
    /// Mean over the resolved collisions.
    pub mean: f64,
    /// The most that one took.
    pub most: usize,
}

/// What rounding and integration leave of a quantity that should be zero, relative to its size.
const NOISE: f64 = 1e-9;

impl Properties {
    /// Measures a law with its parameters.
    ///
    /// ```
    /// use carom::{laws, properties::Properties};
    /// let law = laws::find("whittaker").unwrap().bind(&[("restitution", 0.95), ("friction", 0.3)]).unwrap();
    /// let properties = Properties::measure(&law);
    /// assert_eq!(properties.homogeneity.in_velocity, Some(1.0));
    /// assert!(properties.energy_gain > 0.0 && properties.friction_excess == 0.0);
    /// ```
    pub fn measure(law: &BoundLaw) -> Properties {
        let collisions = sampled();
        let outcomes: Vec<(&Collision, ContactOutcome)> = collisions
            .iter()
            .filter_map(|collision| Some((collision, law.resolve_collision(collision).ok()?)))
            .collect();
        let friction = friction(law);
        let largest = |of: &dyn Fn(&Collision, &ContactOutcome) -> f64| {
            let found = outcomes.iter().map(|(collision, outcome)| of(collision, outcome)).fold(0.0, f64::max);
            if found > NOISE { found } else { 0.0 }
        };
        let counts: Vec<usize> = outcomes.iter().filter_map(|(_, o)| Some(o.course?.evaluations)).collect();
        Properties {
            resolved: outcomes.len(),
            refused: collisions.len() - outcomes.len(),
            homogeneity: homogeneity::measure(law, &outcomes),
            energy_gain: largest(&|collision, outcome| {
                collision.energy_change(&outcome.impulse) / collision.local_energy()
            }),
            friction_excess: friction.map_or(0.0, |friction| {
                largest(&|_, outcome| match outcome.impulse.yz().norm() {
                    0.0 => 0.0,
                    tangential => tangential / outcome.impulse.x.max(0.0) - friction,
                })
            }),
            penetration: largest(&|collision, outcome| outcome.velocity_after.x / collision.velocity().x),
            evaluations: counts
                .iter()
                .max()
                .map(|most| Effort { mean: counts.iter().sum::<usize>() as f64 / counts.len() as f64, most: *most }),
        }
    }
}

/// The largest coefficient of friction the law was given.
fn friction(law: &BoundLaw) -> Option<f64> {
    let is_friction = |key: &str| ["friction", "static_friction", "kinetic_friction"].contains(&key);
    let given = law.law().parameters.iter().zip(law.values(0)).filter(|(parameter, _)| is_friction(parameter.key));
    given.map(|(_, value)| *value).reduce(f64::max)
}
