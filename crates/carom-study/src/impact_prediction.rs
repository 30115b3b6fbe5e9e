//! What a law predicts for several contacts: impulses, bodies and joints after, energy, audit.

use crate::prediction::{Energy, Refusal};
use crate::scenario::ImpactScenario;
use carom::audit::{Audit, audit};
use carom::impact::Reaction;
use carom::laws::{self, Law};
use carom::problem::{Span, span_condition};
use carom::{Body, Mode};
use carom::{BoundLaw, History, IslandHistory, Outcome};

/// One law's prediction for several contacts.
#[derive(Clone, Debug)]
pub struct ImpactPrediction {
    /// The law and its parameters at every contact.
    pub law: BoundLaw,
    /// What happens at the contacts.
    pub outcome: Outcome,
    /// How it goes, island by island, for laws that follow the impact.
    pub histories: Vec<IslandHistory>,
    /// What happened at each contact, in a word.
    pub modes: Vec<Mode>,
    /// Whether it is physically possible.
    pub audit: Audit,
    /// Kinetic energy; of the bodies, or what is at stake at the contacts when there are none.
    pub energy: Energy,
    /// Every body after the impact; empty when the scenario has none.
    pub bodies: Vec<(String, Body)>,
    /// What each joint did.
    pub joints: Vec<Reaction>,
}

impl ImpactPrediction {
    /// Chatterjee's span condition (6.6) at a contact.
    pub fn span(&self, scenario: &ImpactScenario, contact: usize) -> Span {
        let (before, outcome) = (&scenario.impact.velocity()[contact], &self.outcome);
        span_condition(before, &outcome.contacts[contact].velocity_after, &outcome.contacts[contact].impulse)
    }
}

/// With more contacts the energy at stake is not computed: it takes a decomposition of W.
const SMALL: usize = 200;

/// Whether a prediction contains the course of the impact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Only the outcome.
    Outcome,
    /// Also the course, for laws that follow it; long courses of many contacts need much memory.
    Course,
}

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
pub fn size_for(scenario: &ImpactScenario, law: &Law) -> (usize, usize) {
    let largest = scenario.impact.islands().iter().map(Vec::len).max().unwrap_or(0);
    let most = WITHIN_SECONDS.iter().find(|(id, _)| *id == law.id).map_or(usize::MAX, |(_, most)| *most);
    (largest, most)
}

/// What `law` says about the scenario, with its course.
pub fn predict_impact(scenario: &ImpactScenario, law: &'static Law) -> Result<ImpactPrediction, Refusal> {
    predict_within(scenario, law, Detail::Course, PATIENCE)
}

/// The same with a choice of detail, up to this multiple of the contacts that take seconds.
pub fn predict_within(
    scenario: &ImpactScenario,
    law: &'static Law,
    detail: Detail,
    patience: usize,
) -> Result<ImpactPrediction, Refusal> {
    let bound = scenario.bind(law).map_err(Refusal::Parameters)?;
    let (contacts, most) = size_for(scenario, law);
    let most = most.saturating_mul(patience);
    if contacts > most {
        return Err(Refusal::TooLarge { contacts, most });
    }
    resolve(scenario, bound, detail)
}

/// What a law with its parameters says about the scenario.
pub fn resolve(scenario: &ImpactScenario, bound: BoundLaw, detail: Detail) -> Result<ImpactPrediction, Refusal> {
    let impact = &scenario.impact;
    let (outcome, histories) = match detail {
        Detail::Course => bound.follow(impact).map_err(Refusal::Inapplicable)?,
        Detail::Outcome => (bound.resolve(impact).map_err(Refusal::Inapplicable)?, Vec::new()),
    };
    let change = impact.energy_change(&outcome.impulses()).map_err(Refusal::Parameters)?;
    let friction = scenario.friction();
    let (bodies, joints, before, motion) = match &scenario.scenery {
        Some(scenery) => {
            let network = scenery.network().map_err(Refusal::Parameters)?;
            let (after, joints) = network.after(&outcome.impulses()).map_err(Refusal::Parameters)?;
            let motion = network.motion(&after).map_err(Refusal::Parameters)?;
            let names = scenery.bodies.iter().map(|(name, _)| name.clone());
            (names.zip(after).collect(), joints, motion.energy[0], Some(motion))
        }
        None => (Vec::new(), Vec::new(), impact.local_energy(), None),
    };
    let at_stake = if impact.contacts() <= SMALL { impact.local_energy() } else { before };
    Ok(ImpactPrediction {
        modes: outcome.contacts.iter().map(|contact| contact.mode).collect(),
        audit: audit(impact, &outcome, &friction, at_stake, motion.as_ref()),
        energy: Energy { before, after: before + change, change },
        law: bound,
        outcome,
        histories: histories.iter().filter_map(History::island).cloned().collect(),
        bodies,
        joints,
    })
}

/// What every law says about the scenario, in the order of the catalogue; laws for one contact only if there is one. Laws that
/// would take longer than seconds are left out.
pub fn predict_impact_all(
    scenario: &ImpactScenario,
    detail: Detail,
) -> Vec<(&'static Law, Result<ImpactPrediction, Refusal>)> {
    let single = if scenario.impact.contacts() == 1 { laws::ALL } else { &[] };
    single.iter().chain(laws::SEVERAL).map(|law| (law, predict_within(scenario, law, detail, 1))).collect()
}
