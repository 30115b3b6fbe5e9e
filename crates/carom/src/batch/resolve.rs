//! The loop over blocks of rows, and the threads that share it.

use super::describe::{Described, Shared, describe};
use super::kernel::Resolve;
use super::lanes::{Codes, Found, Given, LANES, Lanes, Wide};
use super::outputs::{Chunk, Outputs};
use super::scratch::{Scratch, Spare};
use super::{BoundBatch, Range};
use crate::error::Error;
use crate::law::check_friction;
use nalgebra::Vector3;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

/// Rows that a thread takes at a time, of a law with a kernel and of another.
const FAST_ROWS: usize = 8192;
const SLOW_ROWS: usize = 256;

impl BoundBatch<'_> {
    /// Resolves all rows and writes the outputs, by several threads: 0 for as many as the machine has cores. Bits do not depend on the
    /// number of threads.
    pub fn resolve(&self, outputs: &mut Outputs, threads: usize) -> Result<(), Error> {
        self.resolve_while(outputs, threads, &|| true)
    }

    /// The same as long as a function says so, which every thread asks between parts of some thousand rows, of slow laws some hundred. The
    /// outputs of rows that are left out stay as they were.
    pub fn resolve_while(
        &self,
        outputs: &mut Outputs,
        threads: usize,
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<(), Error> {
        let mut rest = Chunk::of(outputs, &self.batch)?;
        let spare = Spare {
            impulse: rest.impulse[0].is_empty(),
            after: rest.after[0].is_empty(),
            details: rest.asks_for_details(),
        };
        let length = if self.kernel.is_some() { FAST_ROWS } else { SLOW_ROWS.max(self.law.rows_at_once()) };
        let workers = workers(threads, rest.rows.div_ceil(length));
        if workers <= 1 {
            let mut scratch = Scratch::new(self, spare);
            while rest.rows > 0 && goes_on() {
                self.resolve_chunk(&mut rest.split_off(length), &mut scratch);
            }
            return Ok(());
        }
        let rest = Mutex::new(rest);
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).split_off(length);
        let work = || {
            let mut scratch = Scratch::new(self, spare);
            while goes_on() {
                let mut chunk = next();
                if chunk.rows == 0 {
                    break;
                }
                self.resolve_chunk(&mut chunk, &mut scratch);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..workers {
                scope.spawn(work);
            }
            work();
        });
        Ok(())
    }

    fn resolve_chunk(&self, chunk: &mut Chunk, scratch: &mut Scratch) {
        let Some(kernel) = self.kernel else {
            let at_once = self.law.rows_at_once();
            if at_once > 1 {
                for place in (0..chunk.rows).step_by(at_once) {
                    self.write_rows(chunk, place..chunk.rows.min(place.saturating_add(at_once)));
                }
                return;
            }
            for place in 0..chunk.rows {
                self.write_row(chunk, place);
            }
            return;
        };
        let whole = chunk.rows - chunk.rows % LANES;
        let mut place = 0;
        while place < whole {
            let rows = scratch.rows().min(whole - place);
            if self.resolve_block(chunk, place, rows, kernel, scratch) {
                self.write_referred(chunk, place, rows, scratch);
            }
            place += rows;
        }
        if whole < chunk.rows && self.resolve_tail(chunk, whole, kernel, scratch) {
            self.write_referred(chunk, whole, chunk.rows - whole, scratch);
        }
    }

    /// Resolves rows that a kernel has left to the law itself.
    fn write_referred(&self, chunk: &mut Chunk, place: usize, rows: usize, scratch: &Scratch) {
        for (i, refer) in scratch.refer.as_flattened()[..rows].iter().enumerate() {
            if *refer != 0 {
                self.write_row(chunk, place + i);
            }
        }
    }

    /// Resolves the rows beyond the last whole group as the first of a group, and copies their outputs. Returns whether some are left
    /// to the law itself.
    fn resolve_tail(&self, chunk: &mut Chunk, place: usize, kernel: Resolve, scratch: &mut Scratch) -> bool {
        let rows = chunk.rows - place;
        let mut group = ChunkGroup::default();
        let referred = self.resolve_block(&mut group.chunk(chunk, place), 0, rows, kernel, scratch);
        for (column, lanes) in chunk.numbers().into_iter().zip(&group.numbers) {
            if !column.is_empty() {
                column[place..].copy_from_slice(&lanes[..rows]);
            }
        }
        for (column, lanes) in chunk.codes().into_iter().zip(&group.codes) {
            if !column.is_empty() {
                column[place..].copy_from_slice(&lanes[..rows]);
            }
        }
        referred
    }

    /// Resolves whole groups of a chunk, of which the last may be filled in part only. Returns whether some rows are left to the law itself.
    fn resolve_block(
        &self,
        chunk: &mut Chunk,
        place: usize,
        rows: usize,
        kernel: Resolve,
        scratch: &mut Scratch,
    ) -> bool {
        let (from, groups) = (chunk.from + place, rows.div_ceil(LANES));
        let detailed = chunk.asks_for_details();
        let (given, mut found) = scratch.block(from, rows);
        for (slot, column) in found.impulse.iter_mut().zip(&mut chunk.impulse) {
            *slot = in_place(column, place, groups).unwrap_or(std::mem::take(slot));
        }
        for (slot, column) in found.after.iter_mut().zip(&mut chunk.after) {
            *slot = in_place(column, place, groups).unwrap_or(std::mem::take(slot));
        }
        let by_kernel = kernel(&given, &mut found, detailed);
        let by_input = self.refer(&given, found.refer, from, rows);
        let asked = detailed || !(chunk.energy_change.is_empty() && chunk.status.is_empty() && chunk.audit.is_empty());
        if asked {
            let mut outputs = Described {
                energy_change: in_place(chunk.energy_change, place, groups).unwrap_or_default(),
                restitution: chunk
                    .restitution
                    .each_mut()
                    .map(|column| in_place(column, place, groups).unwrap_or_default()),
                status: in_place(chunk.status, place, groups).unwrap_or_default(),
                mode: in_place(chunk.mode, place, groups).unwrap_or_default(),
                audit: in_place(chunk.audit, place, groups).unwrap_or_default(),
            };
            describe(&self.shared_facts(), &given, &found, &mut outputs);
            self.audit_uncertain(&found, &mut outputs, from, rows);
        }
        by_kernel | by_input
    }

    /// Leaves rows to the law itself whose parameters are out of range or whose W is not symmetric; returns whether there are any.
    pub(super) fn refer(&self, given: &Given, flags: &mut [Wide], from: usize, rows: usize) -> bool {
        let mut any = 0;
        for ((parameter, column), lanes) in self.law.parameters.iter().zip(&self.values).zip(given.parameters) {
            if column.is_some_and(|column| !column.is_same()) {
                let range = Range::of(parameter);
                for (refer, value) in flags.as_flattened_mut().iter_mut().zip(lanes.as_flattened()) {
                    let out = u64::from(!range.holds(*value));
                    *refer |= out;
                    any |= out;
                }
            }
        }
        if let Some(column) = &self.unused_friction {
            for (i, refer) in flags.as_flattened_mut()[..rows].iter_mut().enumerate() {
                let out = u64::from(check_friction(column.get(from + i)).is_err());
                *refer |= out;
                any |= out;
            }
        }
        // Kernels read the entries above the diagonal.
        let above: &[usize] = if self.batch.dimension.is_planar() { &[1] } else { &[1, 2, 4] };
        for (below, above) in self.batch.below.iter().zip(above) {
            if !below.is(&self.batch.inverse_mass[*above]) {
                let above = given.inverse_mass[*above].as_flattened();
                for (i, refer) in flags.as_flattened_mut()[..rows].iter_mut().enumerate() {
                    let skew = u64::from(below.get(from + i) != above[i]);
                    *refer |= skew;
                    any |= skew;
                }
            }
        }
        any != 0
    }

    /// Lets the audit itself judge the rows of which it is not certain to find nothing.
    fn audit_uncertain(&self, found: &Found, outputs: &mut Described, from: usize, rows: usize) {
        for (i, flags) in outputs.audit.as_flattened_mut().iter_mut().enumerate().take(rows) {
            let (g, lane) = (i / LANES, i % LANES);
            if *flags != 0 && found.refer[g][lane] == 0 {
                let vector = |columns: &[&mut [Lanes]; 3]| {
                    Vector3::from_fn(|k, _| if k < self.batch.components() { columns[k][g][lane] } else { 0.0 })
                };
                *flags = self.audit_answer(from + i, &vector(&found.impulse), &vector(&found.after));
            }
        }
    }

    fn shared_facts(&self) -> Shared {
        let restores_slip = self.law.restores_slip();
        Shared { components: self.batch.components(), friction: self.friction, restores_slip }
    }
}

/// How many threads work on parts: 0 asks for as many as the machine has cores.
pub(super) fn workers(threads: usize, parts: usize) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, NonZero::get);
    (if threads == 0 { cores() } else { threads }).min(parts)
}

/// The groups of an output, if it is asked for.
fn in_place<T>(column: &mut [T], place: usize, groups: usize) -> Option<&mut [[T; LANES]]> {
    (!column.is_empty()).then(|| column[place..place + groups * LANES].as_chunks_mut().0)
}

/// All outputs of one group.
#[derive(Default)]
struct ChunkGroup {
    numbers: [Lanes; Chunk::NUMBERS],
    codes: [Codes; Chunk::CODES],
}

impl ChunkGroup {
    /// This group as the rows of a chunk from `place` on, with the outputs that are asked for there.
    fn chunk(&mut self, chunk: &Chunk, place: usize) -> Chunk<'_> {
        let [p0, p1, p2, v0, v1, v2, energy, r0, r1, r2, r3] = self.numbers.each_mut();
        let [mode, status, audit] = self.codes.each_mut();
        let restitution = [r0, r1, r2, r3].map(|lanes| part(lanes, chunk.restitution[0]));
        Chunk {
            from: chunk.from + place,
            rows: LANES,
            impulse: [part(p0, chunk.impulse[0]), part(p1, chunk.impulse[1]), part(p2, chunk.impulse[2])],
            after: [part(v0, chunk.after[0]), part(v1, chunk.after[1]), part(v2, chunk.after[2])],
            energy_change: part(energy, chunk.energy_change),
            restitution,
            mode: part(mode, chunk.mode),
            status: part(status, chunk.status),
            audit: part(audit, chunk.audit),
        }
    }
}

/// A group for an output that is asked for.
fn part<'s, T>(lanes: &'s mut [T; LANES], asked: &[T]) -> &'s mut [T] {
    if asked.is_empty() { &mut [] } else { lanes }
}
