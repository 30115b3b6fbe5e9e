//! The loop over rows: gather, kernel, scatter; and the threads that share it.

use super::certificate::Answer;
use super::group::{Group, LANES, Lanes};
use super::kernel::{OF_CHANGE, Resolve};
use super::outputs::{Chunk, Outputs, Status, code};
use super::row::set;
use super::{BoundBatch, Range, fallback};
use crate::error::Error;
use crate::outcome::{ContactChange, Mode};
use nalgebra::{Matrix3, Vector3};
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Rows that a thread takes at a time, of a law with a kernel and of another.
const FAST_ROWS: usize = 8192;
const SLOW_ROWS: usize = 256;
/// Groups that are gathered at a time; they fit into the first cache.
const GROUPS: usize = 8;

impl BoundBatch<'_> {
    /// Resolves all rows and writes the outputs, by several threads: 0 for as many as the machine has cores. Bits do not depend on the
    /// number of threads.
    pub fn resolve(&self, outputs: &mut Outputs, threads: usize) -> Result<(), Error> {
        let mut rest = Chunk::of(outputs, &self.batch)?;
        let length = if self.kernel.is_some() { FAST_ROWS } else { SLOW_ROWS };
        let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = if threads == 0 { cores() } else { threads };
        let workers = threads.min(rest.rows.div_ceil(length));
        if workers <= 1 {
            self.resolve_chunk(&mut rest, &mut self.groups());
            return Ok(());
        }
        let rest = Mutex::new(rest);
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).split_off(length);
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| {
                    let mut groups = self.groups();
                    loop {
                        let mut chunk = next();
                        if chunk.rows == 0 {
                            break;
                        }
                        self.resolve_chunk(&mut chunk, &mut groups);
                    }
                });
            }
        });
        Ok(())
    }

    /// Groups that hold the numbers that are the same for all rows.
    fn groups(&self) -> Vec<Group> {
        let count = if self.kernel.is_some() { GROUPS.min(self.batch.rows.div_ceil(LANES)) } else { 0 };
        let mut first = Group::EMPTY;
        if count > 0 {
            self.gather(&mut first, 0, LANES, true);
            for (lanes, (parameter, column)) in
                first.parameters.iter_mut().zip(self.law.parameters.iter().zip(&self.values))
            {
                if column.is_none() {
                    *lanes = [fallback(parameter); LANES];
                }
            }
        }
        vec![first; count]
    }

    /// Copies the columns that are the same for all rows, or the others, into a group.
    #[inline(always)]
    fn gather(&self, group: &mut Group, from: usize, rows: usize, same: bool) {
        let components = self.batch.components();
        let inverse_mass = self.batch.inverse_mass.iter().take(components * (components + 1) / 2);
        let velocity = self.batch.velocity.iter().take(components);
        let slots = group.inverse_mass.iter_mut().zip(inverse_mass).chain(group.velocity.iter_mut().zip(velocity));
        for (lanes, column) in slots {
            if column.is_same() == same {
                column.copy_to(from, rows, lanes);
            }
        }
        for (lanes, column) in group.parameters.iter_mut().zip(&self.values) {
            if let Some(column) = column.filter(|column| column.is_same() == same) {
                column.copy_to(from, rows, lanes);
            }
        }
    }

    fn resolve_chunk(&self, chunk: &mut Chunk, groups: &mut [Group]) {
        let Some(kernel) = self.kernel else {
            for place in 0..chunk.rows {
                self.write_row(chunk, place);
            }
            return;
        };
        let mut place = 0;
        while place < chunk.rows {
            let rows = (groups.len() * LANES).min(chunk.rows - place);
            self.resolve_groups(chunk, place, rows, kernel, &mut groups[..rows.div_ceil(LANES)]);
            place += rows;
        }
    }

    fn resolve_groups(&self, chunk: &mut Chunk, place: usize, rows: usize, kernel: Resolve, groups: &mut [Group]) {
        for (group, at) in groups.iter_mut().zip((0..rows).step_by(LANES)) {
            let (from, held) = (chunk.from + place + at, LANES.min(rows - at));
            self.gather(group, from, held, false);
            group.refer = [0; LANES];
            self.refer(group, from, held);
        }
        let details = !chunk.mode.is_empty() || !chunk.restitution[0].is_empty();
        kernel(groups, details);
        for (group, at) in groups.iter().zip((0..rows).step_by(LANES)) {
            let (at, held) = (place + at, LANES.min(rows - at));
            self.scatter(chunk, at, held, group);
            for (i, refer) in group.refer[..held].iter().enumerate() {
                if *refer != 0 {
                    self.write_row(chunk, at + i);
                }
            }
        }
    }

    /// Leaves rows to the law itself whose parameters are out of range or whose W is not symmetric.
    #[inline(always)]
    fn refer(&self, group: &mut Group, from: usize, rows: usize) {
        for ((parameter, column), lanes) in self.law.parameters.iter().zip(&self.values).zip(&group.parameters) {
            if column.is_some_and(|column| !column.is_same()) {
                let range = Range::of(parameter);
                for (refer, value) in group.refer.iter_mut().zip(lanes) {
                    *refer |= u64::from(!range.holds(*value));
                }
            }
        }
        // Of W the entries above the diagonal are gathered.
        let above: &[usize] = if self.batch.dimension.is_planar() { &[1] } else { &[1, 2, 4] };
        for (below, above) in self.batch.below.iter().zip(above) {
            if !below.is(&self.batch.inverse_mass[*above]) {
                let mut lanes = [0.0; LANES];
                below.copy_to(from, rows, &mut lanes);
                for ((refer, below), above) in group.refer.iter_mut().zip(&lanes).zip(&group.inverse_mass[*above]) {
                    *refer |= u64::from(below != above);
                }
            }
        }
    }

    /// Writes the answers of a kernel.
    #[inline(always)]
    fn scatter(&self, chunk: &mut Chunk, at: usize, rows: usize, group: &Group) {
        for k in 0..self.batch.components() {
            write(chunk.impulse[k], at, rows, &group.impulse[k]);
            write(chunk.after[k], at, rows, &group.after[k]);
        }
        let approaching = group.velocity[0];
        for i in 0..if chunk.status.is_empty() { 0 } else { rows } {
            let status = if approaching[i] > 0.0 { Status::Separating } else { Status::Resolved };
            chunk.status[at + i] = status as u8;
        }
        if !chunk.energy_change.is_empty() {
            let mut change = [0.0; LANES];
            for k in 0..self.batch.components() {
                for (i, change) in change.iter_mut().enumerate() {
                    *change += 0.5 * group.impulse[k][i] * (group.velocity[k][i] + group.after[k][i]);
                }
            }
            write(chunk.energy_change, at, rows, &change);
        }
        if chunk.mode.is_empty() && chunk.audit.is_empty() && chunk.restitution[0].is_empty() {
            return;
        }
        for i in 0..rows {
            if group.refer[i] == 0 {
                self.describe(chunk, at + i, &Row::of(self, group, i));
            }
        }
    }

    /// Writes mode, audit and restitutions of one row.
    fn describe(&self, chunk: &mut Chunk, place: usize, row: &Row) {
        set(chunk.mode, place, || row.mode(self.law.restores_slip()));
        for (column, value) in chunk.restitution.iter_mut().zip(row.restitutions()) {
            set(column, place, || value);
        }
        if !chunk.audit.is_empty() {
            if row.is_certain() {
                chunk.audit[place] = 0;
            } else {
                chunk.audit[place] = self.audit_answer(chunk.from + place, &row.impulse, &row.after);
            }
        }
    }
}

/// Writes one number of a group's rows, if it is asked for.
#[inline(always)]
fn write(column: &mut [f64], at: usize, rows: usize, lanes: &Lanes) {
    if column.is_empty() {
    } else if rows == LANES {
        column[at..at + LANES].copy_from_slice(lanes);
    } else {
        column[at..at + rows].copy_from_slice(&lanes[..rows]);
    }
}

/// One row of a group, with zeros across the plane.
struct Row {
    inverse_mass: Matrix3<f64>,
    before: Vector3<f64>,
    impulse: Vector3<f64>,
    after: Vector3<f64>,
    friction: f64,
    /// Normal impulse of compression, and the normal force's works in compression and restitution.
    compression: f64,
    works: [f64; 2],
    mode: f64,
}

impl Row {
    fn of(bound: &BoundBatch, group: &Group, i: usize) -> Row {
        let components = bound.batch.components();
        let vector = |lanes: &[Lanes; 3]| Vector3::from_fn(|k, _| if k < components { lanes[k][i] } else { 0.0 });
        let [w0, w1, w2, w3, w4, w5] = group.inverse_mass.map(|lanes| lanes[i]);
        let inverse_mass = if components == 2 {
            Matrix3::new(w0, w1, 0.0, w1, w2, 0.0, 0.0, 0.0, 0.0)
        } else {
            Matrix3::new(w0, w1, w2, w1, w3, w4, w2, w4, w5)
        };
        let [compression, compressed, restored, mode] = group.details.map(|lanes| lanes[i]);
        Row {
            inverse_mass,
            before: vector(&group.velocity),
            impulse: vector(&group.impulse),
            after: vector(&group.after),
            friction: bound.friction.map_or(0.0, |place| group.parameters[place][i]),
            compression,
            works: [compressed, restored],
            mode,
        }
    }

    fn separates(&self) -> bool {
        self.before.x > 0.0
    }

    fn mode(&self, restores_slip: bool) -> u8 {
        if self.separates() {
            return code(Mode::Separating);
        }
        if self.mode != OF_CHANGE {
            return self.mode as u8;
        }
        let (before, impulse, after) = (self.before, self.impulse, self.after);
        let speed = before.norm().max(after.norm());
        code(Mode::of_contact(&ContactChange { before, impulse, after, friction: self.friction, speed, restores_slip }))
    }

    /// Newton's, Poisson's, Stronge's and Ivanov's.
    fn restitutions(&self) -> [f64; 4] {
        if self.separates() {
            return [f64::NAN; 4];
        }
        let ratio =
            |numerator: f64, denominator: f64| if denominator == 0.0 { f64::NAN } else { numerator / denominator };
        let [compressed, restored] = self.works;
        [
            ratio(-self.after.x, self.before.x),
            ratio(self.impulse.x - self.compression, self.compression),
            ratio(restored, -compressed).clamp(0.0, f64::INFINITY).sqrt(),
            ratio(-self.impulse.dot(&self.after), self.impulse.dot(&self.before)),
        ]
    }

    fn is_certain(&self) -> bool {
        let Row { inverse_mass, before, impulse, after, friction, .. } = self;
        Answer { inverse_mass, velocity: before, impulse, claimed: after, friction: *friction }.is_certain()
    }
}
