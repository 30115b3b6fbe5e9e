//! What a law predicts for several contacts: impulses, bodies and joints after, energy, audit.

use crate::prediction::{Energy, Refusal};
use crate::scenario::Scenario;
use carom::impact::{
    self, BoundImpactLaw, Effort, ImpactAudit, ImpactHistory, ImpactNote, ImpactOutcome, Reaction, audit_with_bodies,
};
use carom::laws::{self, Inapplicable, Law};
use carom::problem::{Span, span_condition};
use carom::{Body, Mode};

/// One law's prediction for several contacts.
#[derive(Clone, Debug)]
pub struct ImpactPrediction {
    /// The law and its parameters at every contact.
    pub law: BoundImpactLaw,
    /// What happens at the contacts.
    pub outcome: ImpactOutcome,
    /// How it goes, island by island, for laws that follow the impact.
    pub histories: Vec<ImpactHistory>,
    /// What happened at each contact, in a word.
    pub modes: Vec<Mode>,
    /// Whether it is physically possible.
    pub audit: ImpactAudit,
    /// Kinetic energy; of the bodies, or what is at stake at the contacts when there are none.
    pub energy: Energy,
    /// Every body after the impact; empty when the scenario has none.
    pub bodies: Vec<(String, Body)>,
    /// What each joint did.
    pub joints: Vec<Reaction>,
}

impl ImpactPrediction {
    /// Chatterjee's span condition (6.6) at a contact.
    pub fn span(&self, scenario: &Scenario, contact: usize) -> Span {
        let (before, outcome) = (&scenario.impact.velocity()[contact], &self.outcome);
        span_condition(before, &outcome.velocities_after[contact], &outcome.impulses[contact])
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
pub fn size_for(scenario: &Scenario, law: &Law) -> (usize, usize) {
    let largest = scenario.impact.islands().iter().map(Vec::len).max().unwrap_or(0);
    let most = WITHIN_SECONDS.iter().find(|(id, _)| *id == law.id).map_or(usize::MAX, |(_, most)| *most);
    (largest, most)
}

/// What `law` says about the scenario, with its course.
pub fn predict_impact(scenario: &Scenario, law: &'static Law) -> Result<ImpactPrediction, Refusal> {
    predict_within(scenario, law, Detail::Course, PATIENCE)
}

/// The same with a choice of detail, up to this multiple of the contacts that take seconds.
pub fn predict_within(
    scenario: &Scenario,
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
pub fn resolve(scenario: &Scenario, bound: BoundImpactLaw, detail: Detail) -> Result<ImpactPrediction, Refusal> {
    let impact = &scenario.impact;
    let (outcome, histories) = match detail {
        _ if !bound.law().is_simultaneous() => (single(scenario, bound.law())?, Vec::new()),
        Detail::Course => bound.follow(impact).map_err(Refusal::Inapplicable)?,
        Detail::Outcome => (bound.resolve(impact).map_err(Refusal::Inapplicable)?, Vec::new()),
    };
    let change = impact.energy_change(&outcome.impulses);
    let friction = scenario.frictions();
    let (bodies, joints, before, motion) = match &scenario.scene {
        Some(scene) => {
            let network = scene.network().map_err(Refusal::Parameters)?;
            let (after, joints) = network.after(&outcome.impulses);
            let motion = network.motion(&after);
            let names = scene.bodies.iter().map(|(name, _)| name.clone());
            (names.zip(after).collect(), joints, motion.energy[0], Some(motion))
        }
        None => (Vec::new(), Vec::new(), impact.local_energy(), None),
    };
    let at_stake = if impact.contacts() <= SMALL { impact.local_energy() } else { before };
    Ok(ImpactPrediction {
        modes: (0..impact.contacts()).map(|k| outcome.mode(impact, k, friction[k], bound.law())).collect(),
        audit: audit_with_bodies(impact, &outcome, &friction, at_stake, motion.as_ref()),
        energy: Energy { before, after: before + change, change },
        law: bound,
        outcome,
        histories,
        bodies,
        joints,
    })
}

/// A law for one contact on the one contact there is.
fn single(scenario: &Scenario, law: &'static Law) -> Result<ImpactOutcome, Refusal> {
    let impact = &scenario.impact;
    if impact.contacts() > 1 {
        return Err(Refusal::Inapplicable(Inapplicable::SeveralContacts));
    }
    let bound = law.bind_from(|key| scenario.parameter(0, key)).map_err(Refusal::Parameters)?;
    let collision = impact.collision(0).map_err(Refusal::Parameters)?;
    let outcome = bound.resolve(&collision).map_err(Refusal::Inapplicable)?;
    let impulses = vec![outcome.impulse];
    let velocities_after = impact.velocity_after(&impulses);
    let notes: Vec<ImpactNote> = outcome.notes.iter().map(|note| ImpactNote::OfContact(*note)).collect();
    Ok(ImpactOutcome { impulses, velocities_after, notes, effort: Effort::default(), events: Vec::new() })
}

/// What every law says about the scenario, in the order of the catalogue; laws for one contact only if there is one. Laws that
/// would take longer than seconds are left out.
pub fn predict_impact_all(
    scenario: &Scenario,
    detail: Detail,
) -> Vec<(&'static Law, Result<ImpactPrediction, Refusal>)> {
    let single = if scenario.impact.contacts() == 1 { laws::ALL } else { &[] };
    single.iter().chain(impact::LAWS).map(|law| (law, predict_within(scenario, law, detail, 1))).collect()
}
