//! Rows of one contact, all at once: W, V and parameters as columns for [`carom::batch`]. No scenario is read for a row.

mod answers;
mod output;
mod rows;

pub(super) use output::NAMES;
pub(super) use rows::Scratch;

use self::output::{Output, outputs_of};
use super::form::{Form, Operand};
use super::output::{Column, Kind, Request, unit_of};
use super::plan::Plan;
use crate::scenario::{Limits, MATERIAL_KEYS, Room, Scenario, Target};
use carom::Dimension;
use carom::batch::{Batch, Column as Numbers};
use carom::laws::{Fallback, Law};

/// A plan whose rows differ in W, V, parameters and laws only.
#[derive(Debug)]
pub(super) struct Kernel<'p> {
    plan: &'p Plan,
    /// That of the first row.
    scenario: Scenario,
    /// The laws by the values of the variable that chooses them, or the only one.
    laws: Vec<&'static Law>,
    law_variable: Option<usize>,
    inverse_mass: [Source; 6],
    velocity: [Source; 3],
    /// Velocities of bodies that change; V follows from them.
    motions: Vec<Motion>,
    /// For each law the sources of its parameters by key.
    parameters: Vec<Vec<(&'static str, Source)>>,
    outputs: Vec<Vec<Output>>,
    /// What the reader of scenarios takes for each number of the assignments.
    limits: Vec<Limited>,
}

/// Where a number of a row comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Source {
    Constant(f64),
    /// A number of the assignments.
    Slot(usize),
}

/// A number of the assignments, and what it may be.
#[derive(Clone, Copy, Debug)]
struct Limited {
    slot: usize,
    limits: Limits,
}

/// A component of the velocity of a body.
#[derive(Clone, Copy, Debug)]
struct Motion {
    body: usize,
    component: usize,
    turns: bool,
    slot: usize,
}

impl<'p> Kernel<'p> {
    /// The plan as columns, if that is all it needs; the scenarios are those of the first row with each of the laws.
    pub(super) fn of(plan: &'p Plan, scenarios: &[Scenario]) -> Option<Kernel<'p>> {
        let scenario = scenarios.first()?.clone();
        let law = scenario.law?;
        let collision = *scenario.collision()?;
        if scenario.vibration.is_some() || law.is_simultaneous() {
            return None;
        }
        let dimension = scenario.dimension();
        let components = if dimension.is_planar() { 2 } else { 3 };
        let outputs = plan.outputs.iter().map(|request| outputs_of(request, components)).collect::<Option<Vec<_>>>()?;
        let (w, v) = (collision.inverse_mass(), collision.velocity());
        let packed = packed(dimension);
        let mut kernel = Kernel {
            plan,
            laws: vec![law],
            law_variable: None,
            inverse_mass: packed.map(|(i, j)| Source::Constant(w[(i, j)])),
            velocity: [0, 1, 2].map(|k| Source::Constant(v[k])),
            motions: Vec::new(),
            parameters: Vec::new(),
            outputs,
            limits: Vec::new(),
            scenario,
        };
        let (mut at_contact, mut of_law) = (Vec::new(), Vec::new());
        let mut slot = 0;
        for assignment in &plan.assignments {
            for target in &assignment.targets {
                kernel.assign(target, &assignment.form, slot, &mut at_contact, &mut of_law)?;
                let of_list = assignment.form.length().is_some() || !target.element.is_empty();
                if !target.takes_words() {
                    let limits = Limits::of(target.field, of_list)?;
                    kernel.limits.extend((0..assignment.form.numbers()).map(|k| Limited { slot: slot + k, limits }));
                }
            }
            slot += assignment.form.numbers();
        }
        let one_law_each = kernel.laws.iter().all(|law| !law.is_simultaneous());
        // W of bodies does not change with their velocities; a W that is given does not know bodies.
        if !one_law_each || (!kernel.motions.is_empty() && kernel.scenario.scene.is_none()) {
            return None;
        }
        let by_law = kernel.laws.iter().zip(scenarios);
        kernel.parameters =
            by_law.map(|(law, own)| kernel.sources(law, own, &at_contact, &of_law)).collect::<Option<Vec<_>>>()?;
        Some(kernel)
    }

    /// Takes a value that changes; nothing if it needs a scenario of its own.
    fn assign(
        &mut self,
        target: &Target,
        form: &Form,
        slot: usize,
        at_contact: &mut Vec<(&'static str, Source)>,
        of_law: &mut Vec<(&'static str, Source)>,
    ) -> Option<()> {
        let key = target.field.key;
        let single = form.length().is_none() && target.element.is_empty();
        match (target.tables(), key) {
            ([Room::Table("law")], "id") => {
                let Form::Single(Operand::Variable(variable)) = form else { return None };
                let words = self.plan.variables[*variable].values.words()?;
                self.laws = words.iter().map(|id| carom::laws::find(id).ok()).collect::<Option<_>>()?;
                self.law_variable = Some(*variable);
            }
            ([Room::Table("law")], _) if single && target.is_parameter() && !target.takes_words() => {
                of_law.push((key, Source::Slot(slot)));
            }
            ([Room::Table("collision") | Room::Entry("contact", _)], _) if single && MATERIAL_KEYS.contains(&key) => {
                if key == "static_friction" || key == "kinetic_friction" {
                    return None;
                }
                at_contact.push((key, Source::Slot(slot)));
            }
            ([Room::Entry("contact", _)], "stiffness" | "gap") if single => at_contact.push((key, Source::Slot(slot))),
            ([Room::Table("collision")], "velocity") => match (&target.element[..], form.length()) {
                ([k], None) => *self.velocity.get_mut(*k)? = Source::Slot(slot),
                ([], Some(length)) if length == self.components() => {
                    for k in 0..length {
                        self.velocity[k] = Source::Slot(slot + k);
                    }
                }
                _ => return None,
            },
            ([Room::Table("collision")], "inverse_mass") => match (&target.element[..], form.length()) {
                ([i, j], None) => {
                    let pair = (*i.min(j), *i.max(j));
                    let place = packed(self.scenario.dimension()).iter().position(|known| *known == pair)?;
                    self.inverse_mass[place] = Source::Slot(slot);
                }
                _ => return None,
            },
            ([Room::Entry("body", body)], "velocity" | "angular_velocity") => {
                if self.scenario.scene.as_ref().is_none_or(|scene| !scene.joints.is_empty()) {
                    return None;
                }
                let turns = key == "angular_velocity";
                let planar_turn = turns && self.scenario.dimension() == Dimension::Planar;
                let (first, count) = match (&target.element[..], form.length()) {
                    ([], None) if planar_turn => (2, 1),
                    ([k], None) if !planar_turn => (*k, 1),
                    ([], Some(length)) if length == self.components() && !planar_turn => (0, length),
                    _ => return None,
                };
                for k in 0..count {
                    self.motions.push(Motion { body: *body, component: first + k, turns, slot: slot + k });
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn components(&self) -> usize {
        if self.scenario.dimension().is_planar() { 2 } else { 3 }
    }

    /// Where the parameters of a law come from, beside its scenario; nothing if one of them is missing.
    fn sources(
        &self,
        law: &'static Law,
        scenario: &Scenario,
        at_contact: &[(&'static str, Source)],
        of_law: &[(&'static str, Source)],
    ) -> Option<Vec<(&'static str, Source)>> {
        let given = |key: &str| {
            let named = |list: &[(&'static str, Source)], key: &str| {
                list.iter().find(|(known, _)| *known == key).map(|(_, source)| *source)
            };
            let own = self.plan.parameters_of(law).iter().find(|(known, _)| *known == key);
            let stands_for = if matches!(key, "static_friction" | "kinetic_friction") { "friction" } else { key };
            own.map(|(_, value)| Source::Constant(*value))
                .or_else(|| named(at_contact, key).or_else(|| named(at_contact, stands_for)))
                // What stands at the contact takes precedence over `[law]`.
                .or_else(|| match scenario.own_parameter(0, key) {
                    Some(value) => Some(Source::Constant(value)),
                    None => named(of_law, key).or_else(|| named(of_law, stands_for)),
                })
                .or_else(|| scenario.parameter(0, key).map(Source::Constant))
        };
        let mut sources = Vec::new();
        for parameter in law.parameters {
            let source = given(parameter.key).or_else(|| match parameter.fallback {
                Fallback::SameAs(other) => given(other),
                _ => None,
            });
            match (source, parameter.fallback) {
                (Some(source), _) => sources.push((parameter.key, source)),
                (None, Fallback::Required | Fallback::SameAs(_)) => return None,
                (None, _) => {}
            }
        }
        Some(sources)
    }

    /// The columns of each output.
    pub(super) fn columns(&self) -> Vec<Vec<Column>> {
        let column = |request: &Request, name: String, output: Output| Column {
            name,
            unit: unit_of(&request.text).to_owned(),
            kind: if matches!(output, Output::Mode | Output::Audit) { Kind::Words } else { Kind::Numbers },
            optional: true,
        };
        let of = |(request, outputs): (&Request, &Vec<Output>)| match &outputs[..] {
            [alone] => vec![column(request, request.name.clone(), *alone)],
            several => several
                .iter()
                .map(|output| column(request, format!("{}{}", request.name, output.element()), *output))
                .collect(),
        };
        self.plan.outputs.iter().zip(&self.outputs).map(of).collect()
    }

    /// Whether all laws take their rows at once, in nanoseconds each.
    pub(super) fn is_fast(&self) -> bool {
        let row = [0.0; 1];
        let dimension = self.scenario.dimension();
        self.laws.iter().zip(&self.parameters).all(|(law, parameters)| {
            let column = Numbers::same(&row[0]);
            let batch = match dimension {
                Dimension::Planar => Batch::planar(0, [[column; 2]; 2], [column; 2]),
                Dimension::Spatial => Batch::spatial(0, [[column; 3]; 3], [column; 3]),
            };
            let varying: Vec<(&str, Numbers)> =
                parameters.iter().map(|(key, _)| (*key, Numbers::contiguous(&[]))).collect();
            batch.and_then(|batch| batch.bind(law, &varying).map(|bound| bound.has_kernel())).unwrap_or(false)
        })
    }
}

impl Source {
    /// Its number in every row.
    fn column<'s>(&'s self, slots: &'s [Vec<f64>]) -> Numbers<'s> {
        match self {
            Source::Constant(value) => Numbers::same(value),
            Source::Slot(slot) => Numbers::contiguous(&slots[*slot]),
        }
    }
}

/// Rows and columns of the entries of W, in the order of a batch; in the plane only the first three count.
fn packed(dimension: Dimension) -> [(usize, usize); 6] {
    match dimension {
        Dimension::Planar => [(0, 0), (0, 1), (1, 1), (2, 2), (2, 2), (2, 2)],
        Dimension::Spatial => [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)],
    }
}
