//! One number of every row.

use super::lanes::{LANES, Lanes};
use crate::error::Error;

/// One number of every row of a batch: contiguous, one of several columns of a row-major table, or the same for all rows.
#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    data: &'a [f64],
    stride: usize,
}

impl<'a> Column<'a> {
    /// The numbers of consecutive rows.
    pub fn contiguous(data: &'a [f64]) -> Column<'a> {
        Column { data, stride: 1 }
    }

    /// The same number for all rows.
    pub fn same(value: &'a f64) -> Column<'a> {
        Column { data: std::slice::from_ref(value), stride: 0 }
    }

    /// Every `stride`-th number of a slice, beginning with its first: a column of a row-major table. A stride of 0 repeats the first.
    pub fn strided(data: &'a [f64], stride: usize) -> Column<'a> {
        Column { data, stride }
    }

    /// The number of a row.
    #[inline]
    pub(super) fn get(&self, row: usize) -> f64 {
        self.data[row * self.stride]
    }

    /// Whether it is the same for all rows.
    pub(super) fn is_same(&self) -> bool {
        self.stride == 0
    }

    /// Whether its numbers follow each other.
    pub(super) fn is_contiguous(&self) -> bool {
        self.stride == 1
    }

    /// Whether both are the same numbers in memory.
    pub(super) fn is(&self, other: &Column) -> bool {
        std::ptr::eq(self.data, other.data) && self.stride == other.stride
    }

    /// The numbers of whole groups of rows where they lie in memory, if they are contiguous.
    #[inline]
    pub(super) fn groups(&self, from: usize, groups: usize) -> Option<&'a [Lanes]> {
        (self.stride == 1).then(|| self.data[from..from + groups * LANES].as_chunks().0)
    }

    /// Copies the numbers of consecutive rows.
    #[inline]
    pub(super) fn copy_to(&self, from: usize, into: &mut [f64]) {
        match self.stride {
            0 => into.fill(self.data[0]),
            1 => into.copy_from_slice(&self.data[from..from + into.len()]),
            stride => {
                let numbers = self.data[from * stride..].iter().step_by(stride);
                for (slot, number) in into.iter_mut().zip(numbers) {
                    *slot = *number;
                }
            }
        }
    }

    /// Refuses a column that is too short for a number of rows.
    pub(super) fn check(&self, what: &'static str, rows: usize) -> Result<(), Error> {
        let enough = match (self.stride, rows) {
            (0, _) => !self.data.is_empty(),
            (_, 0) => true,
            (stride, _) => (rows - 1).checked_mul(stride).is_some_and(|last| last < self.data.len()),
        };
        if enough { Ok(()) } else { Err(Error::WrongSize { what }) }
    }
}
