//! `sequential`: the contacts one after the other, each by a law for one contact.
//!
//! ```text
//! while some V_n,i < 0: choose such a contact i; P_i from (W_ii, V_i) by the single law; V ← V + W_{·i} P_i
//! ```
//!
//! The contact is chosen by the greatest closing speed, or the contacts take turns in the order they are listed. The outcome
//! depends on the order (Chatterjee 1997, 10.1: a chain whose balls are a hair's breadth apart): that is what
//! the ambiguity report is about.

use crate::course::{IslandHistory, IslandSample};
use crate::error::Error;
use crate::impact::Impact;
use crate::law::bound::SINGLE_LAW;
use crate::law::parameter::{Fallback, Kind, Parameter};
use crate::law::{Guarantees, Inapplicable, Law, Method, Promise, Promised, SeveralContacts};
use crate::laws::BoundLaw;
use crate::outcome::Outcome;
use crate::outcome::{Effort, Note, Solution};
use nalgebra::Vector3;

/// How the next contact is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one that closes fastest; of equals, the first.
    ClosingSpeed,
    /// In turns, as listed here; contacts that do not approach are passed over.
    Turns(Vec<usize>),
}

/// Impacts one after the other.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// The law at each contact.
    pub laws: Vec<BoundLaw>,
    /// Whose turn it is.
    pub order: Order,
}

/// An approach slower than this fraction of the first speeds is the end of a sequence that never ends: a dead law between two
/// walls stops by ever smaller impacts.
const AT_REST: f64 = 1e-10;
/// So many impacts per contact are a sequence without end.
const MOST_PER_CONTACT: usize = 10_000;
/// Instants times contacts that a course keeps; of a longer one every second, fourth, … instant, and the last.
const MOST_RECORDED: usize = 500_000;
/// Impacts that a note tells one by one.
const TOLD: usize = 24;

impl Sequential {
    /// The law `sequential` with this law for every single impact, bound for the contacts of an impact by looking each parameter
    /// up for every contact. The single law need not be one of the catalogue.
    pub fn of(
        single: &'static Law,
        contacts: usize,
        lookup: impl Fn(usize, &str) -> Option<f64>,
    ) -> Result<BoundLaw, Error> {
        let order = |contact: usize, key: &str| if key == SINGLE_LAW { None } else { lookup(contact, key) };
        LAW.bind_values(contacts, &order)?.one_by_one(single, &lookup)
    }

    /// The outcome of the sequence.
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        let n = impact.contacts();
        if self.laws.len() != n {
            return Err(Inapplicable::OtherContacts { bound: self.laws.len(), given: n });
        }
        if let Order::Turns(order) = &self.order {
            let complete = (0..n).all(|contact| order.contains(&contact));
            if !complete || order.iter().any(|contact| *contact >= n) {
                return Err(Inapplicable::Parameters { expected: "every contact of the impact in the order of turns" });
            }
        }
        let solution = self.solve(impact, None)?;
        Ok(solution.outcome(impact, |contact| self.laws[contact].friction(0), LAW.restores_slip()))
    }

    fn solve(&self, impact: &Impact, mut history: Option<&mut IslandHistory>) -> Result<Solution, Inapplicable> {
        let n = impact.contacts();
        let mut impulses = vec![Vector3::zeros(); n];
        let mut velocity = impact.velocity().to_vec();
        let rest = AT_REST * velocity.iter().map(Vector3::norm).fold(0.0, f64::max);
        let (mut told, mut count, mut turn, mut work) = (Vec::new(), 0, 0, 0.0);
        let mut stride = 1;
        let mut record =
            |at: usize, last: bool, velocities: &[Vector3<f64>], impulses: &[Vector3<f64>], normal_work: f64| {
                let Some(history) = history.as_deref_mut() else { return };
                if at.is_multiple_of(stride) || last {
                    let (velocities, impulses) = (velocities.to_vec(), impulses.to_vec());
                    let sticking = vec![false; n];
                    history.samples.push(IslandSample {
                        at: at as f64,
                        velocities,
                        impulses,
                        normal_work,
                        sticking,
                        event: 1,
                    });
                }
                if history.samples.len() * n > MOST_RECORDED && !last {
                    let mut place = 0;
                    history.samples.retain(|_| {
                        place += 1;
                        place % 2 == 1
                    });
                    stride *= 2;
                }
            };
        record(0, false, &velocity, &impulses, 0.0);
        while let Some(contact) = self.next(&velocity, rest, &mut turn) {
            if count >= MOST_PER_CONTACT * n {
                return Err(Inapplicable::NoConvergence);
            }
            let collision =
                impact.collision_at(contact, &velocity[contact]).map_err(|_| Inapplicable::NoConvergence)?;
            let outcome = self.laws[contact].resolve_collision(&collision)?;
            let p = outcome.impulse;
            if p.x <= 0.0 {
                return Err(Inapplicable::NoSolution);
            }
            impulses[contact] += p;
            work += 0.5 * p.x * (velocity[contact].x + outcome.velocity_after.x);
            for (other, block) in impact.inverse_mass().row(contact) {
                velocity[other] += block.transpose() * p;
            }
            count += 1;
            if told.len() < TOLD {
                told.push(contact);
            }
            record(count, false, &velocity, &impulses, work);
        }
        if count > 0 {
            record(count, true, &velocity, &impulses, work);
        }
        let residual = velocity.iter().map(|v| (-v.x).max(0.0)).fold(0.0, f64::max);
        let effort = Effort { iterations: count, residual: if rest > 0.0 { residual * AT_REST / rest } else { 0.0 } };
        let outcome = Solution::of(impact, impulses, effort);
        Ok(outcome.with_note(Note::Sequence { order: told, count }))
    }

    /// The contact that hits next, if any still approaches.
    fn next(&self, velocity: &[Vector3<f64>], rest: f64, turn: &mut usize) -> Option<usize> {
        let approaches = |contact: usize| velocity[contact].x < -rest;
        match &self.order {
            Order::ClosingSpeed => {
                let fastest = (0..velocity.len()).min_by(|a, b| velocity[*a].x.total_cmp(&velocity[*b].x))?;
                approaches(fastest).then_some(fastest)
            }
            Order::Turns(order) => {
                let place = (0..order.len()).map(|k| (*turn + k) % order.len()).find(|k| approaches(order[*k]))?;
                *turn = place + 1;
                Some(order[place])
            }
        }
    }
}

/// The ids of the laws for one contact, in the order of the catalogue.
const SINGLE_LAWS: &[&str] = &[
    "newton",
    "whittaker",
    "smith",
    "brach",
    "bilinear",
    "routh-poisson",
    "routh-newton",
    "routh-stronge",
    "pfeiffer-glocker",
    "chatterjee-1",
    "chatterjee-2",
    "chatterjee-3",
    "chatterjee-combined",
    "ivanov",
    "accessible",
    "spring-dashpot",
    "nonlinear-dashpot",
    "bilinear-spring",
    "split-mass",
    "stronge-compliant",
    "ivanov-potential",
    "hertz",
    "hertz-mindlin",
    "lai",
];

pub(crate) const LAW: Law = Law {
    id: "sequential",
    name: "Impacts one after the other",
    source: "A. Chatterjee, Rigid Body Collisions, Cornell 1997, 10.1; B. Brogliato, Nonsmooth Mechanics, 3rd ed. 2016, 6.1",
    summary: "Resolves one contact at a time by a law for one contact until none approaches.",
    equations: "while some V_n,i < 0:  P_i from (W_ii, V_i) by the single law,  V ← V + W P_i",
    caveats: "The outcome depends on the order. Some sequences never end: they are cut where the bodies approach at 1e-10 of \
              their first speeds.",
    parameters: &[
        Parameter {
            key: SINGLE_LAW,
            symbol: "",
            meaning: "the law of each single impact",
            kind: Kind::Choice(SINGLE_LAWS),
            fallback: Fallback::Value(5.0),
            leaves_plane: false,
        },
        Parameter {
            key: "order",
            symbol: "",
            meaning: "which contact hits next: the one that closes fastest, or in turns as listed",
            kind: Kind::Choice(&["closing-speed", "as-listed"]),
            fallback: Fallback::Value(0.0),
            leaves_plane: false,
        },
    ],
    guarantees: Guarantees {
        energy: Promise::If("if the single law promises it"),
        friction: Promise::No,
        penetration: Promise::Yes,
        tangential_restitution: Promise::If("if the single law has it"),
        spatial: Promise::If("if the single law is"),
        unique: Promise::No,
    },
    consistency: None,
    method: Method::SeveralContacts(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl SeveralContacts for Entry {
    fn resolve(
        &self,
        impact: &Impact,
        bound: &BoundLaw,
        history: Option<&mut IslandHistory>,
    ) -> Result<Solution, Inapplicable> {
        let order =
            if bound.whole(1) == 0.0 { Order::ClosingSpeed } else { Order::Turns((0..impact.contacts()).collect()) };
        Sequential { laws: bound.singles().to_vec(), order }.solve(impact, history)
    }

    fn promised(&self, _impact: &Impact, bound: &BoundLaw) -> Promised {
        let energy = bound.singles().iter().all(|single| single.law().guarantees.energy == Promise::Yes);
        Promised { energy, ..LAW.guarantees.always() }
    }

    fn single_laws(&self) -> &'static [Law] {
        crate::laws::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;

    #[test]
    fn the_choice_of_single_laws_is_the_catalogue() {
        assert!(laws::ALL.iter().map(|law| law.id).eq(SINGLE_LAWS.iter().copied()));
    }
}
