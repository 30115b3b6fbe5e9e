//! The prediction of a law for a scenario: the outcome at the contacts, the bodies and joints after it, energy, audit.

use crate::scenario::{MATERIAL_KEYS, Scenario};
use carom::audit::{Audit, audit};
use carom::impact::Reaction;
use carom::laws::{Inapplicable, Law};
use carom::problem::Span;
use carom::vibration::FlexibleOutcome;
use carom::{Body, BoundLaw, Collision, ContactHistory, Error, History, IslandHistory, Outcome, Restitution};
use std::fmt;

/// One law's prediction.
#[derive(Clone, Debug)]
pub struct Prediction {
    /// The law and its parameters at every contact.
    pub law: BoundLaw,
    /// What happens at the contacts.
    pub outcome: Outcome,
    /// How it goes, for laws that follow the impact: of each contact by itself, or island by island.
    pub histories: Vec<History>,
    /// What became of the vibration, if the bodies vibrate.
    pub vibration: Option<FlexibleOutcome>,
    /// The restitution coefficients of each contact.
    pub restitution: Vec<Restitution>,
    /// Whether it is physically possible.
    pub audit: Audit,
    /// Kinetic energy; of the bodies, or what is at stake at the contacts when there are none.
    pub energy: Energy,
    /// Every body after the impact; empty when the scenario has none.
    pub bodies: Vec<(String, Body)>,
    /// Impulse and moment of each joint.
    pub joints: Vec<Reaction>,
}

/// A law, and its prediction or why it makes none.
pub type Answer = (&'static Law, Result<Prediction, Refusal>);

/// Whether a prediction contains the course of the impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only the outcome.
    Outcome,
    /// Also the course, for laws that follow it; long courses of many contacts need much memory.
    Course,
}

impl Prediction {
    /// Chatterjee's span condition (6.6) at a contact; open where an impulse leaves no room for its squares.
    pub fn span(&self, scenario: &Scenario, contact: usize) -> Span {
        let (before, outcome) = (&scenario.impact.velocity()[contact], &self.outcome.contacts[contact]);
        Span::of(before, &outcome.velocity_after, &outcome.impulse).unwrap_or(Span { holds: None, coefficients: None })
    }

    /// The course of a contact that a law follows by itself.
    pub fn history(&self, contact: usize) -> Option<&ContactHistory> {
        self.histories.iter().find_map(|history| match history {
            History::Contact { contact: place, history } if *place == contact => Some(history),
            _ => None,
        })
    }

    /// The courses of contacts that a law follows together.
    pub fn islands(&self) -> impl Iterator<Item = &IslandHistory> {
        self.histories.iter().filter_map(History::island)
    }
}

/// Kinetic energy before and after, J.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// Before the impact.
    pub before: f64,
    /// After the impact.
    pub after: f64,
    /// After minus before, free of the cancellation of large numbers.
    pub change: f64,
}

/// Why a law makes no prediction.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The scenario lacks a parameter of the law, or has one that the law cannot take.
    Parameters(Error),
    /// The law has no answer for this impact.
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

/// With more contacts the energy at stake is not computed: it takes a decomposition of W.
const SMALL: usize = 200;

/// The number of contacts in one island that a law solves within seconds: the cost grows with its square or faster.
const WITHIN_SECONDS: [(&str, usize); 7] = [
    ("newton-lcp", 600),
    ("poisson-lcp", 600),
    ("rakshit-chatterjee", 600),
    ("rodriguez-bowling", 300),
    ("liu-zhao-brogliato", 100),
    ("sequential", 150),
    ("compliant-network", 500),
];
/// A law that is asked for alone may take minutes: this many times more contacts are allowed.
pub const PATIENCE: usize = 3;

/// The contacts of the largest island, and how many of them a law answers within seconds.
pub fn size_for(scenario: &Scenario, law: &Law) -> (usize, usize) {
    let largest = scenario.impact.islands().iter().map(Vec::len).max().unwrap_or(0);
    let most = WITHIN_SECONDS.iter().find(|(id, _)| *id == law.id).map_or(usize::MAX, |(_, most)| *most);
    (largest, most)
}

/// The prediction of a law for the scenario, with its course.
///
/// ```
/// use carom_study::{prediction::predict, scenario::Scenario};
///
/// let text = "
///     [collision]
///     inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
///     velocity = [-1.0, 0.6]
///     friction = 0.8
///     restitution = 0.9
/// ";
/// let rod = Scenario::parse("rod.toml", text).unwrap();
/// let prediction = predict(&rod, carom::laws::find("routh-poisson").unwrap()).unwrap();
/// assert!((prediction.outcome.contacts[0].impulse.x - 0.76).abs() < 1e-12);
/// assert!(prediction.audit.is_ok());
/// ```
pub fn predict(scenario: &Scenario, law: &'static Law) -> Result<Prediction, Refusal> {
    predict_within(scenario, law, Detail::Course, PATIENCE)
}

/// The predictions of laws for the scenario, in their order; for instance of [`Scenario::laws`] and of laws of one's own. Laws that
/// would take longer than seconds are left out.
pub fn predict_all(scenario: &Scenario, laws: impl IntoIterator<Item = &'static Law>, detail: Detail) -> Vec<Answer> {
    laws.into_iter().map(|law| (law, predict_within(scenario, law, detail, 1))).collect()
}

/// The prediction of a law up to this multiple of the contacts that take seconds.
pub fn predict_within(
    scenario: &Scenario,
    law: &'static Law,
    detail: Detail,
    patience: usize,
) -> Result<Prediction, Refusal> {
    let bound = scenario.bind(law).map_err(Refusal::Parameters)?;
    let (contacts, most) = size_for(scenario, law);
    let most = most.saturating_mul(patience);
    if contacts > most {
        return Err(Refusal::TooLarge { contacts, most });
    }
    predict_bound(scenario, bound, detail)
}

/// The prediction of a law with its parameters.
pub fn predict_bound(scenario: &Scenario, law: BoundLaw, detail: Detail) -> Result<Prediction, Refusal> {
    let impact = &scenario.impact;
    let (outcome, histories, vibration) = resolve(scenario, &law, detail).map_err(Refusal::Inapplicable)?;
    let impulses = outcome.impulses();
    let (bodies, joints, motion) = match &scenario.scene {
        Some(scene) => {
            let network = scene.network().map_err(Refusal::Parameters)?;
            let (after, joints) = network.after(&impulses).map_err(Refusal::Parameters)?;
            let motion = network.motion(&after).map_err(Refusal::Parameters)?;
            let names = scene.bodies.iter().map(|(name, _)| name.clone());
            (names.zip(after).collect(), joints, Some(motion))
        }
        None => (Vec::new(), Vec::new(), None),
    };
    let of_bodies = motion.as_ref().map(|motion| motion.energy[0]);
    let at_stake = match (scenario.collision(), of_bodies) {
        (None, Some(energy)) if impact.contacts() > SMALL => energy,
        _ => scenario.energy_at_stake(),
    };
    let before = of_bodies.unwrap_or(at_stake);
    let audit = audit(impact, &outcome, &scenario.frictions(), at_stake, motion.as_ref());
    let change = match (scenario.collision(), &motion) {
        (_, Some(_)) => audit.contacts.iter().map(|contact| contact.work).sum(),
        (Some(collision), None) => collision.energy_change(&impulses[0]),
        (None, None) => impact.energy_change(&impulses).map_err(Refusal::Parameters)?,
    };
    Ok(Prediction {
        restitution: restitutions(scenario, &outcome),
        audit,
        energy: Energy { before, after: before + change, change },
        law,
        outcome,
        histories,
        vibration,
        bodies,
        joints,
    })
}

/// Outcome, courses and vibration.
type Resolved = (Outcome, Vec<History>, Option<FlexibleOutcome>);

fn resolve(scenario: &Scenario, law: &BoundLaw, detail: Detail) -> Result<Resolved, Inapplicable> {
    if let Some(flexible) = &scenario.vibration {
        let mut result = flexible.resolve(law, detail == Detail::Course)?;
        let history = result.history.take().map(|history| History::Contact { contact: 0, history });
        return Ok((Outcome::of_contacts(vec![result.outcome]), history.into_iter().collect(), Some(result)));
    }
    match detail {
        Detail::Course => law.follow(&scenario.impact).map(|(outcome, histories)| (outcome, histories, None)),
        Detail::Outcome => law.resolve(&scenario.impact).map(|outcome| (outcome, Vec::new(), None)),
    }
}

/// The restitution coefficients of each contact.
fn restitutions(scenario: &Scenario, outcome: &Outcome) -> Vec<Restitution> {
    let none = Restitution { newton: None, poisson: None, stronge: None, ivanov: None };
    let of = |contact: usize| {
        let collision: Option<Collision> = scenario.impact.collision(contact).ok();
        collision.map_or(none, |collision| outcome.contacts[contact].restitution(&collision))
    };
    (0..outcome.contacts.len()).map(of).collect()
}
