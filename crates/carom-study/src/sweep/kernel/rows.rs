//! Rows as columns: from the variables to the answers of the laws.

use super::answers::Answers;
use super::output::Output;
use super::{Kernel, Limited, Source};
use crate::scenario::are_sensible;
use crate::sweep::cells::{Cell, Cells, NO_WORD};
use crate::sweep::general::General;
use crate::sweep::layout::Layout;
use carom::Dimension;
use carom::batch::{Batch, Column as Numbers, NO_MODE, Status};

/// Rows that are resolved at a time.
const ROWS: usize = 8192;

impl Kernel<'_> {
    /// Computes consecutive rows.
    pub(in crate::sweep) fn fill(
        &self,
        layout: &Layout,
        from: u64,
        rows: usize,
        cells: &mut Cells,
        scratch: &mut Scratch,
    ) {
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
}

/// Memory of a thread that is used again and again.
#[derive(Debug, Default)]
pub(in crate::sweep) struct Scratch {
    variables: Vec<Vec<f64>>,
    pub(super) slots: Vec<Vec<f64>>,
    velocity: Vec<Vec<f64>>,
    /// Whether the reader of scenarios refuses a row; empty where it takes all.
    refused: Vec<bool>,
    pub(super) answers: Answers,
}
