//! Rows side by side, as the processor's vectors hold them, and the columns of a block of rows that kernels read and write.

/// Rows of a group.
pub(super) const LANES: usize = 8;
/// No kernel has more parameters.
pub(super) const PARAMETERS: usize = 5;
/// Numbers that restitutions need besides impulse and velocity: normal impulse of compression, works of compression and of restitution.
pub(super) const DETAILS: usize = 3;

/// One number of every row of a group.
pub(super) type Lanes = [f64; LANES];
/// A flag or a code of every row of a group, as wide as the numbers beside it.
pub(super) type Wide = [u64; LANES];
/// One code of every row of a group.
pub(super) type Codes = [u8; LANES];

/// The columns of a block of groups that a kernel reads. Of W and V those beyond the dimension are empty; parameters that a law does not have
/// hold zeros.
pub(super) struct Given<'a> {
    /// In the plane nn, nt, tt; in space nn, n1, n2, 11, 12, 22.
    pub(super) inverse_mass: [&'a [Lanes]; 6],
    pub(super) velocity: [&'a [Lanes]; 3],
    pub(super) parameters: [&'a [Lanes]; PARAMETERS],
    /// Whether the parameters of all rows are the same.
    pub(super) one_law: bool,
}

/// The first groups of columns, so that loops over these need no further checks.
#[inline(always)]
pub(super) fn first<'a, const N: usize>(columns: &[&'a [Lanes]; N], groups: usize) -> [&'a [Lanes]; N] {
    let mut first = [&[][..]; N];
    for k in 0..N {
        first[k] = &columns[k][..groups];
    }
    first
}

/// The same of three columns to write.
#[inline(always)]
pub(super) fn first_mut<'a>([a, b, c]: &'a mut [&mut [Lanes]; 3], groups: usize) -> [&'a mut [Lanes]; 3] {
    [&mut a[..groups], &mut b[..groups], &mut c[..groups]]
}

/// A group of several columns.
#[inline(always)]
pub(super) fn group<const N: usize>(columns: &[&[Lanes]], g: usize) -> [Lanes; N] {
    let mut lanes = [[0.0; LANES]; N];
    for k in 0..N {
        lanes[k] = columns[k][g];
    }
    lanes
}

/// One row of a group.
#[inline(always)]
pub(super) fn row<const N: usize>(lanes: &[Lanes; N], i: usize) -> [f64; N] {
    let mut numbers = [0.0; N];
    for k in 0..N {
        numbers[k] = lanes[k][i];
    }
    numbers
}

/// The columns of a block that kernels write, one for each group. Components beyond the dimension, and details and modes that are not asked
/// for, are empty.
pub(super) struct Found<'a> {
    pub(super) impulse: [&'a mut [Lanes]; 3],
    pub(super) after: [&'a mut [Lanes]; 3],
    pub(super) details: [&'a mut [Lanes]; DETAILS],
    /// The code of the mode, or [`OF_CHANGE`](super::kernel::OF_CHANGE).
    pub(super) mode: &'a mut [Wide],
    /// Not zero for rows that the law itself has to resolve.
    pub(super) refer: &'a mut [Wide],
}
