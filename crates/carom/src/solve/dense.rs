//! Decompositions of dense matrices, several columns at a time: half the work of the solvers is here.

use nalgebra::{DMatrix, DVector};

/// Columns that are taken off the rest in one pass over memory.
const BLOCK: usize = 8;

/// The lower triangle L with L Lᵀ = M, for a definite M of which the lower triangle is given; nothing if M is not.
pub(crate) struct Cholesky {
    lower: DMatrix<f64>,
}

/// A decomposition with rows exchanged, M = P L U, of a matrix given by its columns.
pub(crate) struct Lu {
    factors: DMatrix<f64>,
    exchanges: Vec<usize>,
}

/// `target −= Σ factor_k column_k`, over the rows from `from` on; columns are `rows` long and follow each other.
pub(super) fn take_off(target: &mut [f64], columns: &[f64], rows: usize, from: usize, factor: impl Fn(usize) -> f64) {
    let rows = rows.max(1);
    let target = &mut target[from..];
    let mut blocks = columns.chunks_exact(BLOCK * rows);
    let mut done = 0;
    for block in &mut blocks {
        take_off_block::<BLOCK>(target, block, rows, from, |i| factor(done + i));
        done += BLOCK;
    }
    let rest = blocks.remainder();
    let factor = |i| factor(done + i);
    // Small systems are all rest: one pass for whatever is left.
    match rest.len() / rows {
        0 => {}
        1 => take_off_block::<1>(target, rest, rows, from, factor),
        2 => take_off_block::<2>(target, rest, rows, from, factor),
        3 => take_off_block::<3>(target, rest, rows, from, factor),
        4 => take_off_block::<4>(target, rest, rows, from, factor),
        5 => take_off_block::<5>(target, rest, rows, from, factor),
        6 => take_off_block::<6>(target, rest, rows, from, factor),
        _ => take_off_block::<7>(target, rest, rows, from, factor),
    }
}

/// The same of the first `COUNT` columns.
fn take_off_block<const COUNT: usize>(
    target: &mut [f64],
    columns: &[f64],
    rows: usize,
    from: usize,
    factor: impl Fn(usize) -> f64,
) {
    let n = target.len();
    let factors: [f64; COUNT] = std::array::from_fn(factor);
    let parts: [&[f64]; COUNT] = std::array::from_fn(|k| &columns[k * rows + from..][..n]);
    for i in 0..n {
        let mut sum = factors[0] * parts[0][i];
        for k in 1..COUNT {
            sum += factors[k] * parts[k][i];
        }
        target[i] -= sum;
    }
}

/// The inner product of two vectors of one length, in sums that do not wait for each other.
pub(crate) fn inner(a: &[f64], b: &[f64]) -> f64 {
    let (fours, rest) = a.as_chunks::<4>();
    let (others, other_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in fours.iter().zip(others) {
        for k in 0..4 {
            sums[k] += a[k] * b[k];
        }
    }
    let last: f64 = rest.iter().zip(other_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + last
}

/// `target −= factor column`.
fn take_off_one(target: &mut [f64], column: &[f64], factor: f64) {
    for (target, value) in target.iter_mut().zip(column) {
        *target -= factor * value;
    }
}

/// A column from its pivot on, divided by the pivot's root; nothing if that is not positive.
fn divide_by_root(column: &mut [f64]) -> Option<()> {
    let pivot = column[0];
    let inverse = pivot.sqrt().recip();
    for value in column.iter_mut() {
        *value *= inverse;
    }
    (pivot > 0.0 && inverse > 0.0).then_some(())
}

impl Cholesky {
    pub(crate) fn new(mut m: DMatrix<f64>) -> Option<Cholesky> {
        let n = m.nrows();
        for j in 0..n {
            // Column j less its share of all columns before it.
            let (before, rest) = m.as_mut_slice().split_at_mut(j * n);
            let target = &mut rest[..n];
            take_off(target, before, n, j, |k| before[k * n + j]);
            divide_by_root(&mut target[j..])?;
        }
        Some(Cholesky { lower: m })
    }

    /// L⁻¹ x in place.
    pub(crate) fn forward(&self, x: &mut [f64]) {
        let n = x.len();
        for j in 0..n {
            let column = &self.lower.as_slice()[j * n..(j + 1) * n];
            x[j] /= column[j];
            let own = x[j];
            take_off_one(&mut x[j + 1..], &column[j + 1..], own);
        }
    }

    /// L⁻ᵀ x in place.
    pub(crate) fn backward(&self, x: &mut [f64]) {
        let n = x.len();
        for j in (0..n).rev() {
            let column = &self.lower.as_slice()[j * n..(j + 1) * n];
            let sum: f64 = column[j + 1..].iter().zip(&x[j + 1..]).map(|(a, x)| a * x).sum();
            x[j] = (x[j] - sum) / column[j];
        }
    }

    pub(crate) fn solve(&self, right: &DVector<f64>) -> DVector<f64> {
        let mut x = right.clone();
        self.forward(x.as_mut_slice());
        self.backward(x.as_mut_slice());
        x
    }
}

impl Lu {
    pub(crate) fn new(mut m: DMatrix<f64>) -> Option<Lu> {
        let n = m.nrows();
        let mut exchanges = Vec::with_capacity(n);
        for j in 0..n {
            let (before, rest) = m.as_mut_slice().split_at_mut(j * n);
            let target = &mut rest[..n];
            for (k, other) in exchanges.iter().enumerate() {
                target.swap(k, *other);
            }
            // L⁻¹ of the top, block by block, and its share off the rest.
            let mut k = 0;
            while k < j {
                let width = BLOCK.min(j - k);
                for i in k..k + width {
                    let factor = target[i];
                    let column = &before[i * n..(i + 1) * n];
                    take_off_one(&mut target[i + 1..k + width], &column[i + 1..k + width], factor);
                }
                if width == BLOCK {
                    let next = k + BLOCK;
                    let (top, below) = target.split_at_mut(next);
                    take_off_block::<BLOCK>(below, &before[k * n..next * n], n, next, |i| top[k + i]);
                } else {
                    for i in k..k + width {
                        let factor = target[i];
                        take_off_one(&mut target[k + width..], &before[i * n + k + width..(i + 1) * n], factor);
                    }
                }
                k += width;
            }
            let place = (j..n).max_by(|a, b| target[*a].abs().total_cmp(&target[*b].abs()))?;
            if !(target[place].abs() > 0.0 && target[place].is_finite()) {
                return None;
            }
            exchanges.push(place);
            target.swap(j, place);
            let pivot = target[j];
            target[j + 1..].iter_mut().for_each(|value| *value /= pivot);
            // Rows exchanged below the diagonal of the columns before.
            if place != j {
                for k in 0..j {
                    before.swap(k * n + j, k * n + place);
                }
            }
        }
        Some(Lu { factors: m, exchanges })
    }

    /// The x with Mᵀ x = b.
    pub(crate) fn solve_transposed(&self, right: &DVector<f64>) -> DVector<f64> {
        let n = right.len();
        let mut x = right.clone();
        let values = x.as_mut_slice();
        for j in 0..n {
            let column = &self.factors.as_slice()[j * n..(j + 1) * n];
            let sum: f64 = column[..j].iter().zip(&values[..j]).map(|(a, x)| a * x).sum();
            values[j] = (values[j] - sum) / column[j];
        }
        for j in (0..n).rev() {
            let column = &self.factors.as_slice()[j * n..(j + 1) * n];
            let sum: f64 = column[j + 1..].iter().zip(&values[j + 1..]).map(|(a, x)| a * x).sum();
            values[j] -= sum;
        }
        for (k, other) in self.exchanges.iter().enumerate().rev() {
            values.swap(k, *other);
        }
        x
    }
}

/// The columns L (n × rank) with L Lᵀ = M of a semidefinite M: Cholesky's decomposition with pivots, until those left are below
/// `least` of the largest.
pub(crate) fn root(m: &DMatrix<f64>, least: f64) -> DMatrix<f64> {
    let n = m.nrows();
    let mut diagonal: Vec<f64> = m.diagonal().iter().copied().collect();
    let largest = diagonal.iter().fold(0.0_f64, |most, value| most.max(*value));
    let mut columns: Vec<f64> = Vec::with_capacity(n * n);
    let mut used = vec![false; n];
    let mut rank = 0;
    while rank < n {
        let free = (0..n).filter(|i| !used[*i]).max_by(|a, b| diagonal[*a].total_cmp(&diagonal[*b]));
        let Some(pivot) = free.filter(|i| diagonal[*i] > least * largest) else { break };
        used[pivot] = true;
        let inverse = diagonal[pivot].sqrt().recip();
        columns.extend_from_slice(m.column(pivot).as_slice());
        let (before, target) = columns.split_at_mut(rank * n);
        take_off(target, before, n, 0, |k| before[k * n + pivot]);
        for i in 0..n {
            target[i] = if used[i] && i != pivot { 0.0 } else { target[i] * inverse };
            diagonal[i] -= target[i] * target[i];
        }
        rank += 1;
    }
    DMatrix::from_vec(n, rank, columns)
}

/// Eigenvalues of W below this fraction of the largest, for each row, are rounding.
const ROUNDING: f64 = 1e-15;
/// Above this fraction impulses and velocities are known to enough digits.
const WEAK: f64 = 1e-9;

/// Whether W has eigenvalues that are small but not rounding: walls of a slot that are not quite parallel. Impulses along such a direction
/// are so long that rounding decides whether they solve a problem.
pub(crate) fn has_weak_directions(w: &DMatrix<f64>) -> bool {
    let values = w.symmetric_eigenvalues();
    let largest = values.amax();
    let rounding = ROUNDING * w.nrows() as f64 * largest;
    values.iter().any(|value| *value > rounding && *value < WEAK * largest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn decompositions_solve_systems_of_any_size() {
        let mut random = Random(8);
        for n in 1..60 {
            let m = DMatrix::from_fn(n, n, |_, _| random.between(-1.0, 1.0));
            let right = DVector::from_fn(n, |_, _| random.between(-1.0, 1.0));
            let x = Lu::new(m.clone()).unwrap().solve_transposed(&right);
            assert!((m.tr_mul(&x) - &right).amax() < 1e-10 * (1.0 + x.amax()), "{n}");
            let definite = &m * m.transpose() + DMatrix::identity(n, n) * 0.1;
            let x = Cholesky::new(definite.clone()).unwrap().solve(&right);
            assert!((definite * &x - &right).amax() < 1e-11 * (1.0 + x.amax()), "{n}");
        }
    }

    #[test]
    fn the_root_has_the_rank_of_the_matrix() {
        let mut random = Random(9);
        for n in 1..40 {
            let rank = 1 + n / 2;
            let half = DMatrix::from_fn(n, rank, |_, _| random.between(-1.0, 1.0));
            let m = &half * half.transpose();
            let found = root(&m, 1e-11);
            assert_eq!(found.ncols(), rank.min(n));
            assert!((&found * found.transpose() - m).amax() < 1e-12);
        }
    }

    #[test]
    fn singular_and_indefinite_matrices_are_refused() {
        assert!(Lu::new(DMatrix::zeros(3, 3)).is_none());
        assert!(Cholesky::new(DMatrix::from_row_slice(2, 2, &[1.0, 2.0, 2.0, 1.0])).is_none());
    }
}
