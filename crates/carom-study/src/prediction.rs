//! What a law predicts for a scenario: the outcome at the contact, the bodies after it, energy, restitution, audit.

use crate::scenario::{MATERIAL_KEYS, Scenario};
use carom::audit::{Audit, audit_with_bodies};
use carom::impact::Reaction;
use carom::laws::{self, BoundLaw, Inapplicable, Law};
use carom::problem::{Span, span_condition};
use carom::vibration::FlexibleOutcome;
use carom::{Body, Error, History, Outcome, Restitution};
use std::fmt;

/// One law's prediction.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The law and its parameters.
    pub law: BoundLaw,
    /// What happens at the contact.
    pub outcome: Outcome,
    /// How it goes, for laws that follow the contact.
    pub history: Option<History>,
    /// What became of the vibration, if the bodies vibrate.
    pub vibration: Option<FlexibleOutcome>,
    /// The restitution coefficients the outcome has.
    pub restitution: Restitution,
    /// Whether it is physically possible.
    pub audit: Audit,
    /// Kinetic energy; of the bodies, or the local one when there are none.
    pub energy: Energy,
    /// Every body after the collision; empty when the scenario has none.
    pub bodies: Vec<(String, Body)>,
    /// Impulse and moment of each joint.
    pub joints: Vec<Reaction>,
}

impl Prediction {
    /// Chatterjee's span condition (6.6).
    pub fn span(&self, scenario: &Scenario) -> Span {
        span_condition(&scenario.impact.velocity()[0], &self.outcome.velocity_after, &self.outcome.impulse)
    }

    /// The value of a parameter of the law, if the law has it.
    pub fn parameter(&self, key: &str) -> Option<f64> {
        let place = self.law.law().parameters.iter().position(|parameter| parameter.key == key)?;
        self.law.values().get(place).copied()
    }
}

/// Kinetic energy before and after, J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// Before the collision.
    pub before: f64,
    /// After the collision.
    pub after: f64,
    /// After minus before, free of the cancellation of large numbers.
    pub change: f64,
}

/// Why a law makes no prediction.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The scenario lacks a parameter of the law, or has one that the law cannot take.
    Parameters(Error),
    /// The law has no answer for this collision.
    Inapplicable(Inapplicable),
    /// More contacts touch each other than the law answers in reasonable time.
    TooLarge {
        /// The contacts that touch each other.
        contacts: usize,
        /// The most that the law is given.
        most: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Parameters(Error::MissingParameter { key, .. }) => {
                let place = if MATERIAL_KEYS.contains(key) { "the contact" } else { "[law]" };
                write!(f, "needs `{key}` in {place}")
            }
            Refusal::Parameters(error) => error.fmt(f),
            Refusal::Inapplicable(why) => why.fmt(f),
            Refusal::TooLarge { contacts, most } => {
                write!(
                    f,
                    "{contacts} contacts act on each other, and this law is given {most} at most: it would take too long"
                )
            }
        }
    }
}

impl std::error::Error for Refusal {}

/// What `law` says about the scenario.
pub fn predict(scenario: &Scenario, law: &'static Law) -> Result<Prediction, Refusal> {
    let Some(collision) = scenario.collision() else {
        return Err(Refusal::Inapplicable(Inapplicable::SeveralContacts));
    };
    let bound = scenario.bind_collision(law, |_, _| None).map_err(Refusal::Parameters)?;
    let (outcome, history, vibration) = match &scenario.vibration {
        None => bound.follow(collision).map(|(outcome, history)| (outcome, history, None)),
        Some(flexible) => flexible.resolve(&bound, true).map(|mut result| {
            let history = result.history.take();
            (result.outcome, history, Some(result))
        }),
    }
    .map_err(Refusal::Inapplicable)?;
    let change = collision.energy_change(&outcome.impulse);
    let (before, bodies, joints, motion) = match &scenario.scene {
        Some(scene) => {
            let network = scene.network().map_err(Refusal::Parameters)?;
            let (after, joints) = network.after(&[outcome.impulse]);
            let motion = network.motion(&after);
            let names = scene.bodies.iter().map(|(name, _)| name.clone());
            (motion.energy[0], names.zip(after).collect(), joints, Some(motion))
        }
        None => (collision.local_energy(), Vec::new(), Vec::new(), None),
    };
    Ok(Prediction {
        law: bound,
        outcome,
        history,
        vibration,
        restitution: outcome.restitution(collision),
        audit: audit_with_bodies(collision, &outcome, scenario.friction(0).unwrap_or(0.0), motion.as_ref()),
        energy: Energy { before, after: before + change, change },
        bodies,
        joints,
    })
}

/// What every law says about the scenario, in the order of the catalogue.
pub fn predict_all(scenario: &Scenario) -> Vec<(&'static Law, Result<Prediction, Refusal>)> {
    laws::ALL.iter().map(|law| (law, predict(scenario, law))).collect()
}
