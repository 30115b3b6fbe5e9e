//! Memory of one thread for a block of rows: columns that are not contiguous, and outputs that are not asked for.

use super::column::Column;
use super::lanes::{DETAILS, Found, Given, LANES, Lanes, PARAMETERS, Wide};
use super::{BoundBatch, fallback};
use std::array;

/// Columns that kernels read: of W, V and parameters.
const INVERSE_MASS: usize = 6;
const VELOCITY: usize = 3;
const COLUMNS: usize = INVERSE_MASS + VELOCITY + PARAMETERS;
/// Numbers that kernels write: P, V' and details.
const NUMBERS: usize = 3 + 3 + DETAILS;
/// Groups of a block; what a kernel touches of its columns fits into the first cache.
const GROUPS: usize = 32;

pub(super) struct Scratch<'a> {
    columns: [Option<Column<'a>>; COLUMNS],
    given: Vec<Lanes>,
    numbers: Vec<Lanes>,
    mode: Vec<Wide>,
    pub(super) refer: Vec<Wide>,
}

impl<'a> Scratch<'a> {
    /// Memory for a batch, in which the numbers stand that are the same for all rows.
    pub(super) fn new(bound: &BoundBatch<'a>) -> Scratch<'a> {
        let groups = GROUPS.min(bound.batch.rows.div_ceil(LANES));
        let components = bound.batch.components();
        let used = [components * (components + 1) / 2, components, bound.values.len()];
        let columns = array::from_fn(|k| match k {
            0..INVERSE_MASS => (k < used[0]).then(|| bound.batch.inverse_mass[k]),
            INVERSE_MASS..=8 => (k - INVERSE_MASS < used[1]).then(|| bound.batch.velocity[k - INVERSE_MASS]),
            _ => bound.values.get(k - INVERSE_MASS - VELOCITY).copied().flatten(),
        });
        let mut given = vec![[0.0; LANES]; COLUMNS * groups];
        for (k, slot) in given.chunks_exact_mut(groups.max(1)).enumerate() {
            let parameter = k.checked_sub(INVERSE_MASS + VELOCITY).and_then(|place| bound.law.parameters.get(place));
            let value = match (&columns[k], parameter) {
                (Some(column), _) if column.is_same() => column.get(0),
                (None, Some(parameter)) => fallback(parameter),
                _ => continue,
            };
            slot.fill([value; LANES]);
        }
        let numbers = vec![[0.0; LANES]; NUMBERS * groups];
        Scratch { columns, given, numbers, mode: vec![[0; LANES]; groups], refer: vec![[0; LANES]; groups] }
    }

    /// The rows of a block.
    pub(super) fn rows(&self) -> usize {
        self.refer.len() * LANES
    }

    /// The columns of a block, and columns for what kernels write. Whole groups of contiguous columns are read where they lie.
    pub(super) fn block(&mut self, from: usize, rows: usize) -> (Given<'_>, Found<'_>) {
        let stride = self.refer.len();
        let (groups, whole) = (rows.div_ceil(LANES), rows.is_multiple_of(LANES));
        let in_place =
            |column: &Option<Column<'a>>| column.filter(|_| whole).and_then(|column| column.groups(from, groups));
        for (column, slot) in self.columns.iter().zip(self.given.chunks_exact_mut(stride)) {
            if let Some(column) = column.filter(|column| !column.is_same())
                && in_place(&Some(column)).is_none()
            {
                column.copy_to(from, &mut slot.as_flattened_mut()[..rows]);
            }
        }
        let given = &self.given;
        let columns = &self.columns;
        let lanes = |k: usize| in_place(&columns[k]).unwrap_or(&given[k * stride..k * stride + groups]);
        let given = Given {
            inverse_mass: array::from_fn(lanes),
            velocity: array::from_fn(|k| lanes(INVERSE_MASS + k)),
            parameters: array::from_fn(|k| lanes(INVERSE_MASS + VELOCITY + k)),
        };
        let mut spare = self.numbers.chunks_exact_mut(stride);
        let mut next = |_| spare.next().map_or(&mut [][..], |column| &mut column[..groups]);
        let (impulse, after, details) = (array::from_fn(&mut next), array::from_fn(&mut next), array::from_fn(next));
        let (mode, refer) = (&mut self.mode[..groups], &mut self.refer[..groups]);
        (given, Found { impulse, after, details, mode, refer })
    }
}
