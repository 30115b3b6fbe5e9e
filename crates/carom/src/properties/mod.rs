//! What a law does, measured: its homogeneity, energy, friction and effort over one fixed sequence of sampled collisions.
//!
//! The sequence is the same for every law, machine and run: planar and spatial collisions, with coupled and with uncoupled
//! normal and tangents. Collisions that a law does not apply to are left out and counted.

mod frame;
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
    /// Largest change of the impulse, over its size, when the tangents are turned or mirrored; 0 if it does not depend on them.
    pub frame_variance: f64,
    /// How often the equations of motion were evaluated; `None` for laws that need not.
    pub evaluations: Option<Evaluations>,
    /// The collisions at which these were found.
    pub counterexamples: Counterexamples,
}

/// Sampled collisions at which a law has less than a property; `None` where none was found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counterexamples {
    /// Where it gains most energy.
    pub energy: Option<Collision>,
    /// Where it exceeds the coefficient of friction most.
    pub friction: Option<Collision>,
    /// Where most of the approach is left.
    pub penetration: Option<Collision>,
    /// Where its impulse depends most on the choice of the tangents.
    pub frame: Option<Collision>,
    /// Where the impulse does not have the one degree in the velocity.
    pub in_velocity: Option<Collision>,
    /// Where the velocity after does not have the one degree in the mass.
    pub in_mass: Option<Collision>,
}

/// Evaluations of the equations of motion per collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluations {
    /// Mean over the resolved collisions.
    pub mean: f64,
    /// The most that one took.
    pub most: usize,
}

/// What rounding and integration leave of a quantity that should be zero, relative to its size.
const NOISE: f64 = 1e-9;
/// The same of laws that are followed near a change of mode, for two ways to state one problem.
const FRAME_NOISE: f64 = 1e-6;

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
        Properties::measure_over(law, Properties::COLLISIONS)
    }

    /// How many collisions [`Properties::measure`] samples.
    pub const COLLISIONS: usize = 48;

    /// Measures a law with its parameters over the first of the sampled collisions: what is rare is found among many only.
    pub fn measure_over(law: &BoundLaw, collisions: usize) -> Properties {
        let collisions = sampled(collisions);
        let outcomes: Vec<(&Collision, ContactOutcome)> = collisions
            .iter()
            .filter_map(|collision| Some((collision, law.resolve_collision(collision).ok()?)))
            .collect();
        let friction = friction(law);
        let largest = |of: &dyn Fn(&Collision, &ContactOutcome) -> f64| {
            let found = outcomes.iter().map(|(collision, outcome)| (of(collision, outcome), Some(**collision)));
            let most = found.fold((0.0, None), |most, other| if other.0 > most.0 { other } else { most });
            if most.0 > NOISE { most } else { (0.0, None) }
        };
        let counts: Vec<usize> = outcomes.iter().filter_map(|(_, o)| Some(o.course?.evaluations)).collect();
        let (energy_gain, energy) =
            largest(&|collision, outcome| collision.energy_change(&outcome.impulse) / collision.local_energy());
        let (friction_excess, beyond) = friction.map_or((0.0, None), |friction| {
            largest(&|_, outcome| match outcome.impulse.yz().norm() {
                0.0 => 0.0,
                tangential => tangential / outcome.impulse.x.max(0.0) - friction,
            })
        });
        let (penetration, approaching) =
            largest(&|collision, outcome| outcome.velocity_after.x / collision.velocity().x);
        let (frame_variance, frame) = match frame::measure(law, &outcomes) {
            (change, at) if change > FRAME_NOISE => (change, at),
            _ => (0.0, None),
        };
        let scaled = homogeneity::measure(law, &outcomes);
        Properties {
            resolved: outcomes.len(),
            refused: collisions.len() - outcomes.len(),
            homogeneity: scaled.homogeneity,
            energy_gain,
            friction_excess,
            penetration,
            frame_variance,
            counterexamples: Counterexamples {
                energy,
                friction: beyond,
                penetration: approaching,
                frame,
                in_velocity: scaled.in_velocity,
                in_mass: scaled.in_mass,
            },
            evaluations: counts.iter().max().map(|most| Evaluations {
                mean: counts.iter().sum::<usize>() as f64 / counts.len() as f64,
                most: *most,
            }),
        }
    }
}

/// The largest coefficient of friction the law was given.
fn friction(law: &BoundLaw) -> Option<f64> {
    let is_friction = |key: &str| ["friction", "static_friction", "kinetic_friction"].contains(&key);
    let given = law.law().parameters.iter().zip(law.values(0)).filter(|(parameter, _)| is_friction(parameter.key));
    given.map(|(_, value)| *value).reduce(f64::max)
}
