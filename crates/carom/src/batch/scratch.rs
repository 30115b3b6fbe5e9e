//! Memory of one thread for a block of rows: columns that are not contiguous, and outputs that are not asked for.

use super::column::Column;
use super::lanes::{DETAILS, Found, Given, LANES, Lanes, PARAMETERS, Wide};
use super::{BoundBatch, fallback};
use std::array;

/// Columns that kernels read: of W, V and parameters.
const INVERSE_MASS: usize = 6;
const VELOCITY: usize = 3;
const COLUMNS: usize = INVERSE_MASS + VELOCITY + PARAMETERS;
/// Groups of a block: enough that what is done once for a block costs little, few enough that its columns stay in the second cache.
const GROUPS: usize = 128;

pub(super) struct Scratch<'a> {
    columns: [Slot<'a>; COLUMNS],
    given: Vec<Lanes>,
    components: usize,
    one_law: bool,
    /// Impulse, velocity after and details, as far as they are not asked for but written.
    numbers: Vec<Lanes>,
    spare: Spare,
    mode: Vec<Wide>,
    pub(super) refer: Vec<Wide>,
}

/// Where kernels find a column: in the caller's memory or in a part of `given`.
#[derive(Clone, Copy)]
struct Slot<'a> {
    column: Option<Column<'a>>,
    from: usize,
    groups: usize,
}

/// What kernels write although it is not asked for.
#[derive(Clone, Copy)]
pub(super) struct Spare {
    pub(super) impulse: bool,
    pub(super) after: bool,
    pub(super) details: bool,
}

impl<'a> Scratch<'a> {
    /// Memory for a batch, in which the numbers stand that are the same for all rows.
    pub(super) fn new(bound: &BoundBatch<'a>, spare: Spare) -> Scratch<'a> {
        let groups = GROUPS.min(bound.batch.rows.div_ceil(LANES));
        let components = bound.batch.components();
        let mut given = Vec::with_capacity(COLUMNS * groups);
        let columns = array::from_fn(|k| {
            let parameter = k.checked_sub(INVERSE_MASS + VELOCITY);
            let column = match k {
                0..INVERSE_MASS => (k < components * (components + 1) / 2).then(|| bound.batch.inverse_mass[k]),
                INVERSE_MASS..=8 => (k - INVERSE_MASS < components).then(|| bound.batch.velocity[k - INVERSE_MASS]),
                _ => parameter.and_then(|place| bound.values.get(place).copied().flatten()),
            };
            // Of contiguous columns a last group that is not full is copied.
            let groups = match column {
                None if parameter.is_none() => 0,
                Some(column) if column.is_contiguous() => groups.min(1),
                _ => groups,
            };
            let value = match (column, parameter.and_then(|place| bound.law.parameters.get(place))) {
                (Some(column), _) if column.is_same() => column.get(0),
                (None, Some(parameter)) => fallback(parameter),
                _ => 0.0,
            };
            let from = given.len();
            given.resize(from + groups, [value; LANES]);
            Slot { column, from, groups }
        });
        let numbers =
            components * (usize::from(spare.impulse) + usize::from(spare.after)) + DETAILS * usize::from(spare.details);
        Scratch {
            columns,
            given,
            components,
            one_law: bound.shared.is_some(),
            numbers: vec![[0.0; LANES]; numbers * groups],
            spare,
            mode: vec![[0; LANES]; if spare.details { groups } else { 0 }],
            refer: vec![[0; LANES]; groups],
        }
    }

    /// The rows of a block.
    pub(super) fn rows(&self) -> usize {
        self.refer.len() * LANES
    }

    /// The columns of a block, and columns for what kernels write. Whole groups of contiguous columns are read where they lie.
    pub(super) fn block(&mut self, from: usize, rows: usize) -> (Given<'_>, Found<'_>) {
        let stride = self.refer.len();
        let (groups, whole) = (rows.div_ceil(LANES), rows.is_multiple_of(LANES));
        for slot in &self.columns {
            if let Some(column) = slot.column.filter(|column| !(column.is_same() || whole && column.is_contiguous())) {
                column.copy_to(from, &mut self.given[slot.from..][..slot.groups].as_flattened_mut()[..rows]);
            }
        }
        let lanes = |k: usize| {
            let slot = &self.columns[k];
            let in_place = slot.column.filter(|_| whole).and_then(|column| column.groups(from, groups));
            in_place.unwrap_or(&self.given[slot.from..][..groups.min(slot.groups)])
        };
        let given = Given {
            inverse_mass: array::from_fn(lanes),
            velocity: array::from_fn(|k| lanes(INVERSE_MASS + k)),
            parameters: array::from_fn(|k| lanes(INVERSE_MASS + VELOCITY + k)),
            one_law: self.one_law,
        };
        let mut spare = self.numbers.chunks_exact_mut(stride);
        let mut next = |wanted: bool| match if wanted { spare.next() } else { None } {
            Some(column) => &mut column[..groups],
            None => &mut [],
        };
        let Spare { impulse, after, details } = self.spare;
        let impulse = array::from_fn(|k| next(impulse && k < self.components));
        let after = array::from_fn(|k| next(after && k < self.components));
        let details = array::from_fn(|_| next(details));
        let mode = self.mode.len().min(groups);
        (given, Found { impulse, after, details, mode: &mut self.mode[..mode], refer: &mut self.refer[..groups] })
    }
}
