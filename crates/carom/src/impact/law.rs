//! Laws for several contacts at once: bound to an impact's contacts, and applied island by island.

use super::{Effort, Impact, ImpactHistory, ImpactOutcome};
use crate::collision::Collision;
use crate::course::Clock;
use crate::error::Error;
use crate::laws::check::verify_several;
use crate::laws::law::{Kernel as LawKernel, Single};
use crate::laws::{self, BoundLaw, Inapplicable, Law, ROUGH};
use crate::outcome::Outcome;
use nalgebra::Vector3;

/// How a law for several contacts is computed: for one island in which something approaches. It writes down the course if
/// there is a history to write to.
pub(crate) type Kernel = fn(&Impact, &Settings, Option<&mut ImpactHistory>) -> Result<ImpactOutcome, Inapplicable>;

/// The values of a law's parameters at every contact of an impact.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    contacts: Vec<BoundLaw>,
    /// The single law of each contact, for a law that resolves them one by one.
    pub(crate) singles: Vec<BoundLaw>,
}

/// A law with values for all its parameters at every contact.
#[derive(Clone, Debug)]
pub struct BoundImpactLaw {
    law: &'static Law,
    settings: Settings,
}

/// The parameter of a law that names the law of its single impacts.
pub(crate) const SINGLE_LAW: &str = "single_law";

impl Settings {
    /// The value of a parameter that belongs to the law as a whole, by its place in the law's list.
    pub(crate) fn value(&self, parameter: usize) -> f64 {
        self.at(parameter, 0)
    }

    /// The value of a parameter at a contact.
    pub(crate) fn at(&self, parameter: usize, contact: usize) -> f64 {
        let value = self.contacts[contact].values()[parameter];
        if value == f64::INFINITY { ROUGH } else { value }
    }

    /// The values of all parameters at a contact.
    pub(crate) fn values(&self, contact: usize) -> &[f64] {
        self.contacts[contact].values()
    }

    /// The values of a parameter at all contacts.
    pub(crate) fn column(&self, parameter: usize) -> Vec<f64> {
        (0..self.contacts.len()).map(|contact| self.at(parameter, contact)).collect()
    }

    fn restricted(&self, keep: &[usize]) -> Settings {
        let pick = |list: &[BoundLaw]| keep.iter().filter_map(|contact| list.get(*contact).copied()).collect();
        Settings { contacts: pick(&self.contacts), singles: pick(&self.singles) }
    }
}

impl BoundImpactLaw {
    /// Binds the parameters of a law for several contacts by looking each up for every contact. A parameter of the law as
    /// a whole is looked up for the first.
    pub fn new(
        law: &'static Law,
        contacts: usize,
        lookup: impl Fn(usize, &str) -> Option<f64>,
    ) -> Result<BoundImpactLaw, Error> {
        let bound: Result<Vec<BoundLaw>, Error> =
            (0..contacts).map(|contact| law.bind_from(|key| lookup(contact, key))).collect();
        let bound = bound?;
        let place = law.parameters.iter().position(|parameter| parameter.key == SINGLE_LAW);
        let singles = match (place, bound.first()) {
            (Some(place), Some(first)) => {
                let single = &laws::ALL[first.values()[place] as usize];
                (0..contacts).map(|contact| single.bind_from(|key| lookup(contact, key))).collect::<Result<_, _>>()?
            }
            _ => Vec::new(),
        };
        Ok(BoundImpactLaw { law, settings: Settings { contacts: bound, singles } })
    }

    /// The law.
    pub fn law(&self) -> &'static Law {
        self.law
    }

    /// The values of the law's parameters at a contact, in their order.
    pub fn values(&self, contact: usize) -> &[f64] {
        self.settings.contacts[contact].values()
    }

    /// What the law says about an impact. Islands in which nothing approaches get no impulse.
    pub fn resolve(&self, impact: &Impact) -> Result<ImpactOutcome, Inapplicable> {
        self.solve(impact, None)
    }

    /// The same, with the course of every island if the law follows it.
    pub fn follow(&self, impact: &Impact) -> Result<(ImpactOutcome, Vec<ImpactHistory>), Inapplicable> {
        let mut histories = Vec::new();
        let outcome = self.solve(impact, Some(&mut histories))?;
        Ok((outcome, histories))
    }

    fn solve(
        &self,
        impact: &Impact,
        mut histories: Option<&mut Vec<ImpactHistory>>,
    ) -> Result<ImpactOutcome, Inapplicable> {
        let LawKernel::Simultaneous { resolve, clock, .. } = self.law.kernel else {
            return Err(Inapplicable::SeveralContacts);
        };
        let mut whole = ImpactOutcome {
            impulses: vec![Vector3::zeros(); impact.contacts()],
            velocities_after: impact.velocity().to_vec(),
            notes: Vec::new(),
            effort: Effort::default(),
            events: Vec::new(),
        };
        for island in impact.islands() {
            if !island.iter().any(|contact| impact.velocity()[*contact].x < 0.0) {
                continue;
            }
            let all = island.len() == impact.contacts();
            let part = (!all).then(|| (impact.restricted(&island), self.settings.restricted(&island)));
            let (part, settings) = part.as_ref().map_or((impact, &self.settings), |(part, settings)| (part, settings));
            let clock = clock.unwrap_or(Clock::NormalImpulse);
            let mut history = histories.is_some().then(|| {
                let contacts = island.clone();
                ImpactHistory { clock, contacts, samples: Vec::new() }
            });
            let outcome = resolve(part, settings, history.as_mut()).map_err(|why| match why {
                Inapplicable::Wedged { contacts, proven } => {
                    Inapplicable::Wedged { contacts: contacts.about(&island), proven }
                }
                other => other,
            })?;
            verify_several(self.law, part, settings, &outcome)?;
            if let (Some(histories), Some(history)) = (histories.as_deref_mut(), history)
                && !history.samples.is_empty()
            {
                histories.push(history);
            }
            for (k, contact) in island.iter().enumerate() {
                whole.impulses[*contact] = outcome.impulses[k];
                whole.velocities_after[*contact] = outcome.velocities_after[k];
            }
            whole.notes.extend(outcome.notes.into_iter().map(|note| note.about(&island)));
            whole.events.extend(outcome.events.into_iter().map(|event| event.about(&island)));
            whole.effort.iterations += outcome.effort.iterations;
            whole.effort.residual = whole.effort.residual.max(outcome.effort.residual);
        }
        Ok(whole)
    }
}

/// What a law for several contacts says about one.
pub(crate) fn resolve_single(
    resolve: Kernel,
    single: Option<Single>,
    law: &BoundLaw,
    collision: &Collision,
) -> Result<Outcome, Inapplicable> {
    let of = |wanted: &str| {
        let place = law.law().parameters.iter().position(|parameter| parameter.key == wanted);
        place.map(|place| law.values()[place])
    };
    if of(SINGLE_LAW).is_some() {
        return Err(Inapplicable::OneContact);
    }
    let friction = of("static_friction").or(of("friction")).unwrap_or(0.0);
    if !collision.is_approaching() {
        return Ok(Outcome::jump(collision, Vector3::zeros(), friction));
    }
    let restores_slip = law.law().restores_slip();
    let closed_form = single.map_or(Ok(None), |single| single(collision, law.values()))?;
    if let Some(impulse) = closed_form {
        return Ok(Outcome::of_impulse(collision, impulse, friction, restores_slip));
    }
    let settings = Settings { contacts: vec![*law], singles: Vec::new() };
    let impact = Impact::of_collision(collision);
    let outcome = resolve(&impact, &settings, None)?;
    verify_several(law.law(), &impact, &settings, &outcome)?;
    Ok(Outcome::of_impulse(collision, outcome.impulses[0], friction, restores_slip))
}
