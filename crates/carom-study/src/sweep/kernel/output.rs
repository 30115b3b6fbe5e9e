//! Outputs that need no scenario, and how they are written.

use super::rows::Scratch;
use super::{Kernel, Source, packed};
use crate::sweep::cells::{Cell, Cells, NO_WORD};
use crate::sweep::layout::Layout;
use crate::sweep::output::Request;
use carom::batch::{AuditFlags, MODES, NO_MODE, Status};

/// What is written of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
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
pub(in crate::sweep) const NAMES: [&str; 8] =
    ["impulse", "velocity_before", "velocity_after", "energy.change", "mode", "restitution.newton", "audit", "W"];

const RESTITUTIONS: [&str; 4] = ["newton", "poisson", "stronge", "ivanov"];

/// The outputs that a path means; nothing if it needs the scenario.
pub(super) fn outputs_of(request: &Request, components: usize) -> Option<Vec<Output>> {
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
    pub(super) fn element(self) -> String {
        match self {
            Output::Impulse(k) | Output::VelocityBefore(k) | Output::VelocityAfter(k) => format!("[{k}]"),
            Output::InverseMass(i, j) => format!("[{i}][{j}]"),
            _ => String::new(),
        }
    }
}

impl Kernel<'_> {
    /// Writes outputs and status of resolved rows.
    pub(super) fn write(&self, layout: &Layout, from: u64, rows: usize, cells: &mut Cells, scratch: &Scratch) {
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
