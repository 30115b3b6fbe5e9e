//! Rows of one contact, all at once: W, V and parameters as columns for [`carom::batch`]. No scenario is read for a row.

use super::cells::{Cell, Cells, NO_WORD};
use super::form::{Form, Operand};
use super::general::General;
use super::layout::Layout;
use super::output::{Column, Kind, Request, unit_of};
use super::plan::Plan;
use crate::scenario::{Limits, MATERIAL_KEYS, Room, Scenario, Target, are_sensible};
use carom::Dimension;
use carom::batch::{AuditFlags, Batch, Column as Numbers, MODES, NO_MODE, Outputs, Status};
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

/// What is written of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Impulse(usize),
    VelocityBefore(usize),
    VelocityAfter(usize),
    EnergyChange,
    Mode,
    Restitution(usize),
    Audit,
    InverseMass(usize, usize),
}

/// Outputs that need no scenario, as plans write them.
pub(super) const NAMES: [&str; 8] =
    ["impulse", "velocity_before", "velocity_after", "energy.change", "mode", "restitution.newton", "audit", "W"];

const RESTITUTIONS: [&str; 4] = ["newton", "poisson", "stronge", "ivanov"];

/// Rows that are resolved at a time.
const ROWS: usize = 8192;

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

    /// Computes consecutive rows.
    pub(super) fn fill(&self, layout: &Layout, from: u64, rows: usize, cells: &mut Cells, scratch: &mut Scratch) {
        let mut done = 0;
        while done < rows {
            let count = ROWS.min(rows - done);
            self.fill_block(layout, from + done as u64, count, cells, scratch);
            done += count;
        }
    }

    fn fill_block(&self, layout: &Layout, from: u64, rows: usize, cells: &mut Cells, scratch: &mut Scratch) {
        scratch.variables.resize_with(self.plan.variables.len(), Vec::new);
        for (k, column) in scratch.variables.iter_mut().enumerate() {
            column.clear();
            self.plan.extend_variable(k, from, rows, column);
            match (&mut cells.columns[k], self.plan.variables[k].values.words()) {
                (Cell::Words(words), Some(known)) => {
                    let places: Vec<u32> = known.iter().map(|word| words.place(word)).collect();
                    words.of_row.extend(column.iter().map(|value| places[*value as usize]));
                }
                (Cell::Numbers(numbers), _) => numbers.extend_from_slice(column),
                (Cell::Words(_), None) => {}
            }
        }
        let slots = self.plan.assignments.iter().map(|assignment| assignment.form.numbers()).sum();
        scratch.slots.resize_with(slots, Vec::new);
        let mut slot = 0;
        for assignment in &self.plan.assignments {
            let count = assignment.form.numbers();
            assignment.form.fill_columns(&scratch.variables, rows, &mut scratch.slots[slot..slot + count]);
            slot += count;
        }
        self.find_velocities(rows, scratch);
        self.find_refused(from, rows, cells, scratch);
        match self.law_variable {
            None => {
                self.resolve(0, rows, scratch, None);
                self.write(layout, from, rows, cells, scratch);
            }
            Some(variable) => {
                let first = scratch.variables[variable][0];
                if scratch.variables[variable].iter().all(|law| *law == first) {
                    self.resolve(first as usize, rows, scratch, None);
                    self.write(layout, from, rows, cells, scratch);
                } else {
                    self.fill_mixed(layout, from, rows, variable, cells, scratch);
                }
            }
        }
    }

    /// V of every row from the velocities of the bodies.
    fn find_velocities(&self, rows: usize, scratch: &mut Scratch) {
        let Some(mut scene) = self.scenario.scene.clone().filter(|_| !self.motions.is_empty()) else { return };
        let contact = scene.contacts[0].contact.clone();
        scratch.velocity.resize_with(3, Vec::new);
        for column in &mut scratch.velocity {
            column.clear();
            column.resize(rows, f64::NAN);
        }
        for row in 0..rows {
            for motion in &self.motions {
                let body = &mut scene.bodies[motion.body].1;
                let velocity = if motion.turns { &mut body.angular_velocity } else { &mut body.velocity };
                velocity[motion.component] = scratch.slots[motion.slot][row];
            }
            if let Ok(collision) = scene.collision(&contact) {
                for k in 0..3 {
                    scratch.velocity[k][row] = collision.velocity()[k];
                }
            }
        }
    }

    /// Rows whose numbers the reader of scenarios refuses.
    fn find_refused(&self, from: u64, rows: usize, cells: &mut Cells, scratch: &mut Scratch) {
        let Scratch { slots, velocity, refused, .. } = scratch;
        refused.clear();
        let mut refuse = |row: usize| {
            refused.resize(rows, false);
            refused[row] = true;
        };
        for Limited { slot, limits } in &self.limits {
            (0..rows).filter(|row| !limits.take(slots[*slot][*row])).for_each(&mut refuse);
        }
        let components = self.components();
        let entries = if self.scenario.dimension().is_planar() { 3 } else { 6 };
        let varies = |sources: &[Source]| sources.iter().any(|source| matches!(source, Source::Slot(_)));
        if varies(&self.inverse_mass[..entries]) || varies(&self.velocity) || !self.motions.is_empty() {
            let number = |source: &Source, row: usize| match source {
                Source::Constant(value) => *value,
                Source::Slot(slot) => slots[*slot][row],
            };
            let greatest = |most: f64, value: f64| most.max(value.abs());
            for row in 0..rows {
                let mass = self.inverse_mass[..entries].iter().map(|source| number(source, row)).fold(0.0, greatest);
                let speed = if self.motions.is_empty() {
                    self.velocity[..components].iter().map(|source| number(source, row)).fold(0.0, greatest)
                } else {
                    velocity.iter().map(|column| column[row]).fold(0.0, greatest)
                };
                if !are_sensible(mass, speed) {
                    refuse(row);
                }
            }
        }
        if let Some(first) = refused.iter().position(|refused| *refused) {
            let row = from + first as u64;
            // The reader says why.
            if !cells.tally.has_reason(Status::Invalid.name(), row) {
                let mut variables = Vec::new();
                self.plan.variables_of(row, &mut variables);
                let reason = General::new(self.plan).answer(&variables).reason;
                cells.tally.add(Status::Invalid.name(), 0, reason.map(|reason| (row, reason)));
            }
        }
    }

    /// Rows of several laws: those of each law together.
    fn fill_mixed(
        &self,
        layout: &Layout,
        from: u64,
        rows: usize,
        variable: usize,
        cells: &mut Cells,
        scratch: &mut Scratch,
    ) {
        let first = self.plan.variables.len();
        let mut parts: Vec<(Vec<usize>, Cells)> = Vec::new();
        for law in 0..self.laws.len() {
            let of_law: Vec<usize> =
                (0..rows).filter(|row| scratch.variables[variable][*row] as usize == law).collect();
            if of_law.is_empty() {
                continue;
            }
            let mut own = Scratch::default();
            let pick = |columns: &[Vec<f64>]| -> Vec<Vec<f64>> {
                columns.iter().map(|column| of_law.iter().map(|row| column[*row]).collect()).collect()
            };
            (own.slots, own.velocity) = (pick(&scratch.slots), pick(&scratch.velocity));
            if !scratch.refused.is_empty() {
                own.refused = of_law.iter().map(|row| scratch.refused[*row]).collect();
            }
            self.resolve(law, of_law.len(), &mut own, Some(&of_law));
            let mut part = Cells::new(&layout.columns, 0);
            self.write(layout, from, of_law.len(), &mut part, &own);
            parts.push((of_law, part));
        }
        // Each row from the part of its law.
        let mut source = vec![(0, 0); rows];
        for (p, (of_law, _)) in parts.iter().enumerate() {
            for (k, row) in of_law.iter().enumerate() {
                source[*row] = (p, k);
            }
        }
        for column in first..layout.columns.len() {
            for (part, k) in &source {
                match &parts[*part].1.columns[column] {
                    Cell::Numbers(numbers) => cells.push_number(column, numbers[*k]),
                    Cell::Words(words) => {
                        let place = words.of_row[*k];
                        let word = (place != NO_WORD).then(|| words.known[place as usize].as_str());
                        cells.push_word(column, word);
                    }
                }
            }
        }
        for (_, part) in &parts {
            cells.tally.merge(&part.tally);
        }
    }

    /// Resolves rows by one law, and keeps why rows have no answer. `places` are the places of the rows in their block.
    fn resolve(&self, law: usize, rows: usize, scratch: &mut Scratch, places: Option<&[usize]>) {
        let components = self.components();
        let Scratch { slots, velocity, refused, answers, .. } = scratch;
        answers.resize(rows, components);
        let w = self.inverse_mass.each_ref().map(|source| source.column(slots));
        let v: [Numbers; 3] = std::array::from_fn(|k| {
            if self.motions.is_empty() { self.velocity[k].column(slots) } else { Numbers::contiguous(&velocity[k]) }
        });
        let batch = match self.scenario.dimension() {
            Dimension::Planar => Batch::planar(rows, [[w[0], w[1]], [w[1], w[2]]], [v[0], v[1]]),
            Dimension::Spatial => {
                let [nn, n1, n2, w11, w12, w22] = w;
                Batch::spatial(rows, [[nn, n1, n2], [n1, w11, w12], [n2, w12, w22]], v)
            }
        };
        let parameters: Vec<(&str, Numbers)> =
            self.parameters[law].iter().map(|(key, source)| (*key, source.column(slots))).collect();
        answers.reasons.clear();
        let bound = batch.and_then(|batch| batch.bind(self.laws[law], &parameters));
        match bound {
            Ok(bound) => {
                let mut outputs = answers.outputs(&self.outputs);
                // Sizes are those of the batch.
                if let Err(error) = bound.resolve(&mut outputs, 1) {
                    answers.refuse(&error.to_string());
                    return;
                }
                for row in (0..refused.len()).filter(|row| refused[*row]) {
                    answers.status[row] = Status::Invalid as u8;
                    answers.mode[row] = NO_MODE;
                }
                for status in [Status::Singular, Status::Refused, Status::Invalid] {
                    if let Some(row) = answers.status.iter().position(|code| *code == status as u8)
                        && let Some(Err(why)) = bound.outcome(row)
                    {
                        let place = places.map_or(row, |places| places[row]);
                        answers.reasons.push((status, place, why.to_string()));
                    }
                }
            }
            Err(error) => answers.refuse(&error.to_string()),
        }
        if self.outputs.iter().flatten().any(|output| matches!(output, Output::VelocityBefore(_))) {
            answers.before.resize_with(3, Vec::new);
            for (k, before) in answers.before.iter_mut().enumerate().take(components) {
                before.clear();
                match (self.motions.is_empty(), &self.velocity[k]) {
                    (false, _) => before.extend_from_slice(&velocity[k]),
                    (true, Source::Constant(value)) => before.resize(rows, *value),
                    (true, Source::Slot(slot)) => before.extend_from_slice(&slots[*slot]),
                }
            }
        }
    }

    /// Writes outputs and status of resolved rows.
    fn write(&self, layout: &Layout, from: u64, rows: usize, cells: &mut Cells, scratch: &Scratch) {
        let answers = &scratch.answers;
        let mut column = self.plan.variables.len();
        let has_answer = |row: usize| answers.status[row] <= Status::Separating as u8;
        for output in self.outputs.iter().flatten() {
            let component = |values: &[f64], k: usize, row: usize| values.get(k * rows + row).copied().unwrap_or(0.0);
            match &mut cells.columns[column] {
                Cell::Numbers(numbers) => match *output {
                    Output::Impulse(k) => {
                        extend(numbers, rows, has_answer, |row| component(&answers.impulse, k, row) + 0.0);
                    }
                    Output::VelocityAfter(k) => {
                        extend(numbers, rows, has_answer, |row| component(&answers.velocity_after, k, row) + 0.0);
                    }
                    Output::VelocityBefore(k) => {
                        let before = answers.before.get(k).filter(|before| !before.is_empty());
                        extend(numbers, rows, has_answer, |row| before.map_or(0.0, |before| before[row]));
                    }
                    Output::EnergyChange => extend(numbers, rows, has_answer, |row| answers.energy_change[row] + 0.0),
                    Output::Restitution(k) => {
                        extend(numbers, rows, has_answer, |row| component(&answers.restitution, k, row) + 0.0);
                    }
                    Output::InverseMass(i, j) => {
                        let pair = (i.min(j), i.max(j));
                        let place = packed(self.scenario.dimension()).iter().position(|known| *known == pair);
                        let source = place.map_or(Source::Constant(0.0), |place| self.inverse_mass[place]);
                        extend(numbers, rows, has_answer, |row| match source {
                            Source::Constant(value) => value,
                            Source::Slot(slot) => scratch.slots[slot][row],
                        });
                    }
                    Output::Mode | Output::Audit => {}
                },
                Cell::Words(words) if *output == Output::Mode => {
                    let places = MODES.map(|mode| words.place(mode.name()));
                    words.of_row.extend(answers.mode.iter().map(|code| match *code {
                        NO_MODE => NO_WORD,
                        code => places[code as usize],
                    }));
                }
                Cell::Words(words) => {
                    let mut places = [None; 16];
                    for row in 0..rows {
                        let flags = answers.audit[row];
                        let place = if has_answer(row) {
                            *places[usize::from(flags & 15)].get_or_insert_with(|| words.place(&audit_word(flags)))
                        } else {
                            NO_WORD
                        };
                        words.of_row.push(place);
                    }
                }
            }
            column += 1;
        }
        debug_assert_eq!(column + 1, layout.columns.len());
        if let Cell::Words(words) = &mut cells.columns[column] {
            let places = Status::ALL.map(|status| words.place(status.name()));
            words.of_row.extend(answers.status.iter().map(|code| places[usize::from(*code)]));
        }
        let mut counts = [0_u64; Status::ALL.len()];
        for code in &answers.status {
            counts[usize::from(*code)] += 1;
        }
        for (status, count) in Status::ALL.into_iter().zip(counts) {
            if count > 0 {
                let reason = answers.reasons.iter().find(|(of, _, _)| *of == status);
                let reason = reason.map(|(_, place, why)| (from + *place as u64, why.clone()));
                cells.tally.add(status.name(), count, reason);
            }
        }
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

fn extend(column: &mut Vec<f64>, rows: usize, has_value: impl Fn(usize) -> bool, value: impl Fn(usize) -> f64) {
    column.extend((0..rows).map(|row| if has_value(row) { value(row) } else { f64::NAN }));
}

/// The findings of an audit in the words of JSON, joined by `+`.
fn audit_word(flags: u8) -> String {
    let names = [
        (AuditFlags::ENERGY, "energy"),
        (AuditFlags::FRICTION, "friction"),
        (AuditFlags::PENETRATION, "penetration"),
        (AuditFlags::CONSISTENCY, "consistency"),
    ];
    let found: Vec<&str> = names.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, name)| *name).collect();
    if found.is_empty() { "ok".to_owned() } else { found.join("+") }
}

/// Rows and columns of the entries of W, in the order of a batch; in the plane only the first three count.
fn packed(dimension: Dimension) -> [(usize, usize); 6] {
    match dimension {
        Dimension::Planar => [(0, 0), (0, 1), (1, 1), (2, 2), (2, 2), (2, 2)],
        Dimension::Spatial => [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)],
    }
}

/// The outputs that a path means; nothing if it needs the scenario.
fn outputs_of(request: &Request, components: usize) -> Option<Vec<Output>> {
    let text = request.text.strip_prefix("contacts[0].").unwrap_or(&request.text);
    let (base, element) = match text.find('[') {
        Some(at) => (&text[..at], Some(&text[at..])),
        None => (text, None),
    };
    let vector = |output: fn(usize) -> Output| match element {
        None => Some((0..3).map(output).collect()),
        Some(element) => {
            let k: usize = element.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
            (k < 3).then(|| vec![output(k)])
        }
    };
    match base {
        "local.impulse" => vector(Output::Impulse),
        "local.velocity_before" => vector(Output::VelocityBefore),
        "local.velocity_after" => vector(Output::VelocityAfter),
        "energy.change" if element.is_none() => Some(vec![Output::EnergyChange]),
        "mode" if element.is_none() => Some(vec![Output::Mode]),
        "audit" if element.is_none() && request.text == "audit" => Some(vec![Output::Audit]),
        "problem.inverse_mass" => {
            let all = || (0..components).flat_map(|i| (0..components).map(move |j| Output::InverseMass(i, j)));
            match element {
                None => Some(all().collect()),
                Some(element) => {
                    let pair: Vec<usize> = element
                        .split(['[', ']'])
                        .filter(|k| !k.is_empty())
                        .map(|k| k.parse().ok())
                        .collect::<Option<_>>()?;
                    match pair[..] {
                        [i, j] if i < components && j < components => Some(vec![Output::InverseMass(i, j)]),
                        [i] if i < components => Some((0..components).map(|j| Output::InverseMass(i, j)).collect()),
                        _ => None,
                    }
                }
            }
        }
        base => {
            let name = base.strip_prefix("restitution.")?;
            let place = RESTITUTIONS.iter().position(|known| *known == name)?;
            element.is_none().then(|| vec![Output::Restitution(place)])
        }
    }
}

impl Output {
    /// What follows the name of its output where several numbers are asked for.
    fn element(self) -> String {
        match self {
            Output::Impulse(k) | Output::VelocityBefore(k) | Output::VelocityAfter(k) => format!("[{k}]"),
            Output::InverseMass(i, j) => format!("[{i}][{j}]"),
            _ => String::new(),
        }
    }
}

/// Memory of a thread that is used again and again.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    variables: Vec<Vec<f64>>,
    slots: Vec<Vec<f64>>,
    velocity: Vec<Vec<f64>>,
    /// Whether the reader of scenarios refuses a row; empty where it takes all.
    refused: Vec<bool>,
    answers: Answers,
}

#[derive(Debug, Default)]
struct Answers {
    impulse: Vec<f64>,
    velocity_after: Vec<f64>,
    before: Vec<Vec<f64>>,
    energy_change: Vec<f64>,
    restitution: Vec<f64>,
    mode: Vec<u8>,
    audit: Vec<u8>,
    status: Vec<u8>,
    /// Status, place and reason of the first row with that status.
    reasons: Vec<(Status, usize, String)>,
}

impl Answers {
    fn resize(&mut self, rows: usize, components: usize) {
        for column in [&mut self.impulse, &mut self.velocity_after] {
            column.resize(components * rows, 0.0);
        }
        self.energy_change.resize(rows, 0.0);
        self.restitution.resize(4 * rows, 0.0);
        for column in [&mut self.mode, &mut self.audit, &mut self.status] {
            column.resize(rows, 0);
        }
    }

    /// Those that are asked for.
    fn outputs(&mut self, asked: &[Vec<Output>]) -> Outputs<'_> {
        let any = |is: fn(&Output) -> bool| asked.iter().flatten().any(is);
        Outputs {
            impulse: any(|o| matches!(o, Output::Impulse(_))).then_some(&mut self.impulse[..]),
            velocity_after: any(|o| matches!(o, Output::VelocityAfter(_))).then_some(&mut self.velocity_after[..]),
            energy_change: any(|o| *o == Output::EnergyChange).then_some(&mut self.energy_change[..]),
            mode: any(|o| *o == Output::Mode).then_some(&mut self.mode[..]),
            status: Some(&mut self.status[..]),
            restitution: any(|o| matches!(o, Output::Restitution(_))).then_some(&mut self.restitution[..]),
            audit: any(|o| *o == Output::Audit).then_some(&mut self.audit[..]),
        }
    }

    /// Calls all rows invalid.
    fn refuse(&mut self, reason: &str) {
        self.status.fill(Status::Invalid as u8);
        self.mode.fill(NO_MODE);
        self.reasons = vec![(Status::Invalid, 0, reason.to_owned())];
    }
}
