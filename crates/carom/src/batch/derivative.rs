//! What is known of the derivatives of a row, and how they are written.

use super::kernel::HUGE;
use super::real::{Dual, Real};

/// What is known of the derivatives of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Derivative {
    /// The law is smooth there.
    Smooth = 0,
    /// The row lies on an edge between two formulas, as between sticking and slipping, at V_n = 0 or V_t = 0: all derivatives are those of
    /// one side. At V_n = 0 it is that of bodies that part, without slip that of a faint slip along −t1, where the slip stops just at an end
    /// that of sticking.
    Kink = 1,
    /// The row has no answer, is nearly singular or too extreme, or the law has no derivatives there. They are written as zero.
    Unknown = 2,
}

/// Writes a matrix of derivatives; returns what is known of it.
#[inline(always)]
pub(super) fn write<const N: usize>(found: &[Dual<N>], matrix: &mut [f64], known: bool, kink: bool) -> Derivative {
    let (mut kink, mut known) = (kink, known);
    for (slot, number) in matrix.chunks_exact_mut(N).zip(found) {
        slot.copy_from_slice(&number.slopes());
        kink |= number.kink() != 0;
        known &= number.value().abs() < HUGE;
    }
    known &= matrix.iter().all(|slope| slope.abs() < HUGE);
    if !known {
        matrix.fill(0.0);
    }
    match (known, kink) {
        (false, _) => Derivative::Unknown,
        (true, true) => Derivative::Kink,
        (true, false) => Derivative::Smooth,
    }
}
