//! How ambiguous an impact of several contacts is: every law, every order of single impacts, other stiffnesses of the
//! contacts and other tiny gaps between the bodies, and how far apart their outcomes lie.
//!
//! The distance of two outcomes is that of their motions in the metric of kinetic energy, relative to the energy at stake:
//!
//! ```text
//! d = √(½ ΔP·W ΔP / E),   E = ½ V·W⁺ V
//! ```
//!
//! 0 if they are the same; 2 if one reverses what the other leaves alone. The spread is the greatest distance of any two.

use crate::prediction::{Detail, Prediction, Refusal, predict_all, predict_bound};
use crate::scenario::Scenario;
use carom::laws::{self, Law, Order, Sequential};
use carom::{BoundLaw, Outcome};
use nalgebra::Vector3;
use std::fmt;

/// One answer to the question what happens.
#[derive(Clone, Debug)]
pub struct Variant {
    /// What was varied.
    pub kind: Kind,
    /// What it is: a law's id, an order, a factor of stiffness, gaps.
    pub label: String,
    /// The contact whose stiffness or gap was changed.
    pub contact: Option<usize>,
    /// Impulses and velocities after.
    pub outcome: Outcome,
    /// Change of kinetic energy, J.
    pub energy_change: f64,
    /// Whether energy, friction and penetration allow it.
    pub admissible: bool,
}

/// What was varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The law.
    Law,
    /// The order of single impacts.
    Order,
    /// The stiffness of a contact.
    Stiffness,
    /// A gap between bodies, small against everything but the indentation.
    Gap,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 4] = [Kind::Law, Kind::Order, Kind::Stiffness, Kind::Gap];
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::Law => "law",
            Kind::Order => "order",
            Kind::Stiffness => "stiffness",
            Kind::Gap => "gap",
        })
    }
}

/// How ambiguous an impact is.
#[derive(Clone, Debug)]
pub struct Ambiguity {
    /// Every answer.
    pub variants: Vec<Variant>,
    /// Why a kind of variation was left out.
    pub left_out: Vec<(Kind, String)>,
    /// How many orders there are, if not all were tried.
    pub sampled_from: Option<f64>,
    /// The most energy that the impact could take away, J.
    pub energy_at_stake: f64,
    distances: Vec<Vec<f64>>,
}

/// All orders are tried up to this number of contacts; a sample of [`SAMPLE`] beyond.
const ALL_ORDERS: usize = 5;
const SAMPLE: usize = 120;
/// Contacts whose stiffness and gap are varied; the rest of a large network is left.
const MOST_VARIED: usize = 12;
/// Factors of the stiffness of one contact.
const FACTORS: [f64; 12] = [1e-3, 1e-2, 0.03, 0.1, 0.3, 0.6, 1.6, 3.0, 10.0, 30.0, 100.0, 1e3];
/// Gaps, relative to the indentation that a contact of the impact would reach alone.
const GAPS: [f64; 3] = [0.1, 1.0, 10.0];
/// A cause whose spread is less than this part of the greatest is not worth a sentence.
const WORTH_NAMING: f64 = 0.1;
/// A spread of this part of another is nearly as great.
const NEARLY: f64 = 0.95;
/// The law of the springs.
const SPRINGS: &str = "compliant-network";

impl Ambiguity {
    /// Tries everything on a scenario.
    pub fn explore(scenario: &Scenario) -> Ambiguity {
        Ambiguity::explore_with(scenario, &mut |_, _| {})
    }

    /// The same, telling how many outcomes of how many are known.
    pub fn explore_with(scenario: &Scenario, progress: &mut dyn FnMut(usize, usize)) -> Ambiguity {
        let mut ambiguity = Ambiguity {
            variants: Vec::new(),
            left_out: Vec::new(),
            sampled_from: None,
            energy_at_stake: scenario.impact.local_energy(),
            distances: Vec::new(),
        };
        for (law, answer) in predict_all(scenario, scenario.laws(), Detail::Outcome) {
            match answer {
                Ok(prediction) => ambiguity.add(Kind::Law, law.id.to_owned(), None, &prediction),
                Err(why) => ambiguity.left_out.push((Kind::Law, format!("{}: {why}", law.id))),
            }
        }
        let contacts = scenario.impact.contacts();
        let orders = orders(contacts);
        let varied = if contacts < 2 { 0 } else { contacts.min(MOST_VARIED) };
        let total = orders.len() + varied * (FACTORS.len() + GAPS.len());
        let mut done = 0;
        let mut step = || {
            done += 1;
            progress(done, total);
        };
        ambiguity.try_orders(scenario, orders, &mut step);
        ambiguity.try_springs(scenario, varied, &mut step);
        progress(total, total);
        ambiguity.measure(scenario);
        ambiguity
    }

    /// The greatest distance of two outcomes that physics allows.
    pub fn spread(&self) -> f64 {
        self.spread_among(|variant| variant.admissible)
    }

    /// The greatest distance of two admissible outcomes of one kind of variation.
    pub fn spread_of(&self, kind: Kind) -> f64 {
        self.spread_among(|variant| variant.admissible && variant.kind == kind)
    }

    /// The contact whose stiffness, or gap, matters most, and the spread that it alone causes.
    pub fn most_sensitive(&self, kind: Kind) -> Option<(usize, f64)> {
        let contacts =
            self.variants.iter().filter(|variant| variant.kind == kind).filter_map(|variant| variant.contact);
        let spreads = contacts.map(|contact| {
            let among = |v: &Variant| v.admissible && v.kind == kind && v.contact == Some(contact);
            (contact, self.spread_among(among))
        });
        spreads.fold(None, |best: Option<(usize, f64)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        })
    }

    /// The two outcomes that lie farthest apart.
    pub fn extremes(&self) -> Option<(&Variant, &Variant)> {
        let mut best: Option<(usize, usize, f64)> = None;
        for (i, row) in self.distances.iter().enumerate() {
            for (j, distance) in row.iter().enumerate() {
                let both = self.variants[i].admissible && self.variants[j].admissible;
                if both && best.is_none_or(|(_, _, least)| *distance > least) {
                    best = Some((j, i, *distance));
                }
            }
        }
        best.map(|(i, j, _)| (&self.variants[i], &self.variants[j]))
    }

    /// What it means, and what would remove the ambiguity.
    pub fn verdict(&self, scenario: &Scenario) -> String {
        /// A spread that no measurement would see.
        const NONE: f64 = 1e-6;
        let spread = self.spread();
        if spread < NONE {
            return "Every law, order, stiffness and gap leads to the same motion: the outcome is not ambiguous."
                .to_owned();
        }
        let mut causes = Kind::ALL.map(|kind| (kind, self.spread_of(kind)));
        // Stiffnesses and gaps can be measured, a law has to be chosen: where they reach nearly as far, they come first.
        let weight = |(kind, spread): &(Kind, f64)| if *kind == Kind::Law { NEARLY * spread } else { *spread };
        causes.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
        let (greatest, most) = causes[0];
        let place = |kind: Kind, before: &str| {
            let found = self.most_sensitive(kind);
            found.map_or_else(String::new, |(contact, _)| format!("{before}{}", scenario.contact_name(contact)))
        };
        let text = match greatest {
            Kind::Law => {
                "The laws themselves disagree most. Only a measured rebound decides which of them holds, and with \
                          which coefficients."
                    .to_owned()
            }
            Kind::Stiffness => format!(
                "What happens depends most on how stiff the contacts are relative to each other{}. Measure that ratio and \
                 give it as `stiffness` to `liu-zhao-brogliato` or `compliant-network`.",
                place(Kind::Stiffness, ", above all ")
            ),
            Kind::Order | Kind::Gap => format!(
                "What happens depends most on which contact is closed first: gaps as small as the indentation decide{}. \
                 Press the bodies together, or measure the gaps and give them as `gap` to `compliant-network`.",
                place(Kind::Gap, ", above all at ")
            ),
        };
        // An order is a gap seen from afar.
        let is_gap = |kind: Kind| matches!(kind, Kind::Order | Kind::Gap);
        let another = |kind: Kind| kind != greatest && !(is_gap(kind) && is_gap(greatest));
        let next = causes.iter().find(|(kind, spread)| another(*kind) && *spread >= WORTH_NAMING * most);
        let besides = match next {
            Some((Kind::Law, spread)) => format!(
                " The laws disagree by {spread:.3} besides: a measured rebound decides between those that remain."
            ),
            Some((Kind::Stiffness, spread)) => format!(
                " For laws that know stiffness, its ratio decides next (spread {spread:.3}){}: measure it and give it as \
                 `stiffness`.",
                place(Kind::Stiffness, ", above all ")
            ),
            Some((_, spread)) => format!(
                " Which contact is closed first decides next (spread {spread:.3}){}: press the bodies together, or measure the \
                 gaps and give them as `gap` to `compliant-network`.",
                place(Kind::Gap, ", above all at ")
            ),
            None if greatest == Kind::Law => " Orders, stiffnesses and gaps hardly matter.".to_owned(),
            None => String::new(),
        };
        text + &besides
    }

    fn spread_among(&self, counts: impl Fn(&Variant) -> bool) -> f64 {
        let chosen: Vec<bool> = self.variants.iter().map(counts).collect();
        let rows = self.distances.iter().enumerate().filter(|(i, _)| chosen[*i]);
        rows.flat_map(|(_, row)| row.iter().enumerate().filter(|(j, _)| chosen[*j]).map(|(_, d)| *d))
            .fold(0.0, f64::max)
    }

    fn add(&mut self, kind: Kind, label: String, contact: Option<usize>, prediction: &Prediction) {
        self.variants.push(Variant {
            kind,
            label,
            contact,
            outcome: prediction.outcome.clone(),
            energy_change: prediction.energy.change,
            admissible: prediction.audit.is_ok(),
        });
    }

    fn try_orders(&mut self, scenario: &Scenario, orders: Vec<Vec<usize>>, step: &mut dyn FnMut()) {
        let laws = match single_laws(scenario) {
            Ok(laws) => laws,
            Err(why) => return self.left_out.push((Kind::Order, why.to_string())),
        };
        let contacts = scenario.impact.contacts();
        if contacts > ALL_ORDERS {
            self.sampled_from = Some((1..=contacts).map(|k| k as f64).product());
        }
        for order in orders {
            step();
            let sequence = Sequential { laws: laws.clone(), order: Order::Turns(order.clone()) };
            let Ok(outcome) = sequence.resolve(&scenario.impact) else { continue };
            let label = order.iter().map(|contact| (contact + 1).to_string()).collect::<Vec<_>>().join(" ");
            let Ok(energy_change) = scenario.impact.energy_change(&outcome.impulses()) else { continue };
            self.variants.push(Variant {
                kind: Kind::Order,
                label,
                contact: None,
                admissible: energy_change <= 1e-9 * self.energy_at_stake,
                outcome,
                energy_change,
            });
        }
    }

    fn try_springs(&mut self, scenario: &Scenario, contacts: usize, step: &mut dyn FnMut()) {
        let Ok(law) = laws::find(SPRINGS) else { return };
        let stiffness = |contact: usize| scenario.parameter(contact, "stiffness").unwrap_or(1.0);
        for contact in 0..contacts {
            for factor in FACTORS {
                let label = format!("{} × {factor}", scenario.contact_name(contact));
                let given =
                    |at: usize, key: &str| (at == contact && key == "stiffness").then(|| factor * stiffness(contact));
                self.try_variant(scenario, law, (Kind::Stiffness, label, contact), given);
                step();
            }
            let depth = indentation(scenario, contact, stiffness(contact));
            for gap in GAPS {
                let label = format!("{} apart by {gap} indentations", scenario.contact_name(contact));
                let given = |at: usize, key: &str| (at == contact && key == "gap").then_some(gap * depth);
                self.try_variant(scenario, law, (Kind::Gap, label, contact), given);
                step();
            }
        }
    }

    fn try_variant(
        &mut self,
        scenario: &Scenario,
        law: &'static Law,
        (kind, label, contact): (Kind, String, usize),
        given: impl Fn(usize, &str) -> Option<f64>,
    ) {
        let answer = scenario.bind_with(law, given).map_err(Refusal::Parameters);
        match answer.and_then(|bound| predict_bound(scenario, bound, Detail::Outcome)) {
            Ok(prediction) => self.add(kind, label, Some(contact), &prediction),
            Err(why) if self.left_out.iter().all(|(left, _)| *left != kind) => {
                self.left_out.push((kind, why.to_string()));
            }
            Err(_) => {}
        }
    }

    fn measure(&mut self, scenario: &Scenario) {
        let w = scenario.impact.inverse_mass();
        let distance = |a: &[Vector3<f64>], b: &[Vector3<f64>]| {
            let difference: Vec<Vector3<f64>> = a.iter().zip(b).map(|(a, b)| a - b).collect();
            let moved = w.times(&difference).unwrap_or_default();
            let energy: f64 = difference.iter().zip(&moved).map(|(p, v)| 0.5 * p.dot(v)).sum();
            (energy.max(0.0) / self.energy_at_stake).sqrt()
        };
        let impulses: Vec<Vec<Vector3<f64>>> = self.variants.iter().map(|variant| variant.outcome.impulses()).collect();
        self.distances =
            (0..impulses.len()).map(|i| (0..i).map(|j| distance(&impulses[i], &impulses[j])).collect()).collect();
    }
}

/// The law of single impacts at each contact: what `single_law` names, else Routh's process with Poisson's coefficient.
fn single_laws(scenario: &Scenario) -> Result<Vec<BoundLaw>, Refusal> {
    let named = scenario.parameter(0, "single_law").and_then(|place| laws::ALL.get(place as usize));
    let law = match named {
        Some(law) => law,
        None => laws::find("routh-poisson").map_err(Refusal::Parameters)?,
    };
    (0..scenario.impact.contacts())
        .map(|contact| law.bind_from(|key| scenario.parameter(contact, key)).map_err(Refusal::Parameters))
        .collect()
}

/// How deep the contact would be indented if it alone met the fastest approach.
fn indentation(scenario: &Scenario, contact: usize, stiffness: f64) -> f64 {
    let fastest = scenario.impact.velocity().iter().map(|v| -v.x).fold(0.0, f64::max);
    fastest / (scenario.impact.inverse_mass().block(contact, contact)[(0, 0)] * stiffness).sqrt()
}

/// Orders of this number of contacts: all of them, or a sample that is the same every time.
fn orders(contacts: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..contacts).collect();
    if contacts <= ALL_ORDERS {
        let mut all = Vec::new();
        permute(&mut order, 0, &mut all);
        return all;
    }
    // Numerical Recipes' linear congruential generator: enough to shuffle by.
    let mut state = 1_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % below
    };
    (0..SAMPLE)
        .map(|_| {
            for k in (1..contacts).rev() {
                order.swap(k, random(k + 1));
            }
            order.clone()
        })
        .collect()
}

fn permute(order: &mut Vec<usize>, from: usize, all: &mut Vec<Vec<usize>>) {
    if from == order.len() {
        all.push(order.clone());
        return;
    }
    for k in from..order.len() {
        order.swap(from, k);
        permute(order, from + 1, all);
        order.swap(from, k);
    }
}
