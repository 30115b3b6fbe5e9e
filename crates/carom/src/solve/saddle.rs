//! Systems of a quadratic's least value under equations: K u − G λ = r,  Gᵀ u = w, with K definite and Gᵀ of few rows.
//!
//! The lower triangle of
//!
//! ```text
//! K
//! Gᵀ  0
//! rᵀ  wᵀ
//! ```
//!
//! is eliminated column by column in one place: those of K by a decomposition C D⁻¹ Cᵀ, which takes G and r along and leaves the negative
//! Schur complement of the others; these follow with their sign changed. A small diagonal term keeps the complement definite where
//! equations repeat each other.

use super::dense::{inner, take_off};

/// The system; its place in memory serves one after the other.
pub(super) struct Saddle {
    entries: Vec<f64>,
    rows: usize,
    /// How many columns are of K.
    free: usize,
    solution: Vec<f64>,
}

impl Saddle {
    /// No system yet, with room for so many unknowns and equations together.
    pub(super) fn with_room(size: usize) -> Saddle {
        let (entries, solution) = (Vec::with_capacity(size * (size + 1)), Vec::with_capacity(size));
        Saddle { entries, rows: 0, free: 0, solution }
    }

    /// Starts a system of so many unknowns and equations. The columns of the equations are zero.
    pub(super) fn reset(&mut self, free: usize, equations: usize) {
        let size = free + equations;
        (self.rows, self.free) = (size + 1, free);
        self.entries.resize(self.rows * size, 0.0);
        self.entries[free * self.rows..].fill(0.0);
    }

    /// The column of an unknown or, after them, of an equation: entries from the diagonal on count, the last is the right-hand side.
    pub(super) fn column_mut(&mut self, column: usize) -> &mut [f64] {
        &mut self.entries[column * self.rows..(column + 1) * self.rows]
    }

    /// The unknowns u and, after them, the multipliers λ; the diagonal term of the equations is relative to theirs.
    pub(super) fn solve(&mut self, proximity: f64) -> Option<&[f64]> {
        let (rows, free) = (self.rows, self.free);
        self.eliminate(0, free)?;
        let (known, complement) = self.entries.split_at_mut(free * rows);
        let mut largest = 0.0_f64;
        for (i, column) in complement.chunks_exact_mut(rows).enumerate() {
            let own = free + i;
            take_off(column, known, rows, own, |k| known[k * rows + own] * known[k * rows + k]);
            column[own..rows - 1].iter_mut().for_each(|value| *value = -*value);
            largest = largest.max(column[own]);
        }
        for (i, column) in complement.chunks_exact_mut(rows).enumerate() {
            let own = &mut column[free + i];
            *own += proximity * own.max(1e-3 * largest);
        }
        self.eliminate(free, rows - 1)?;
        self.substitute();
        Some(&self.solution)
    }

    /// Decomposes some columns as C D⁻¹ Cᵀ, which takes no roots; the inverse of D stands in the place of the pivots.
    fn eliminate(&mut self, from: usize, to: usize) -> Option<()> {
        let rows = self.rows;
        for j in from..to {
            let (before, rest) = self.entries[from * rows..].split_at_mut((j - from) * rows);
            let target = &mut rest[..rows];
            take_off(target, before, rows, j, |k| before[k * rows + j] * before[k * rows + from + k]);
            let inverse = target[j].recip();
            // A pivot that is infinite or not a number fails here, too.
            if !(inverse > 0.0 && inverse.is_finite()) {
                return None;
            }
            target[j] = inverse;
        }
        Some(())
    }

    /// From the last unknown to the first. To those of K the multipliers are unknowns of the other sign.
    fn substitute(&mut self) {
        let Saddle { entries, rows, free, solution } = self;
        let size = *rows - 1;
        solution.clear();
        solution.resize(size, 0.0);
        for j in (0..size).rev() {
            let column = &entries[j * *rows..(j + 1) * *rows];
            solution[j] = (column[size] - inner(&column[j + 1..size], &solution[j + 1..])) * column[j];
            if j == *free {
                solution[j..].iter_mut().for_each(|value| *value = -*value);
            }
        }
        solution[*free..].iter_mut().for_each(|value| *value = -*value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use nalgebra::{DMatrix, DVector};

    #[test]
    fn both_equations_hold() {
        let mut random = Random(16);
        let mut system = Saddle::with_room(4);
        for case in 0..200 {
            let (free, equations) = (1 + case % 23, (case % 5).min(case % 23));
            let half = DMatrix::from_fn(free, free, |_, _| random.between(-1.0, 1.0));
            let k = &half * half.transpose() + DMatrix::identity(free, free) * 0.1;
            let g = DMatrix::from_fn(free, equations, |_, _| random.between(-1.0, 1.0));
            let r = DVector::from_fn(free, |_, _| random.between(-1.0, 1.0));
            let w = DVector::from_fn(equations, |_, _| random.between(-1.0, 1.0));
            system.reset(free, equations);
            for j in 0..free {
                let column = system.column_mut(j);
                column[..free].copy_from_slice(k.column(j).as_slice());
                column[free..free + equations].copy_from_slice(g.row(j).transpose().as_slice());
                column[free + equations] = r[j];
            }
            for i in 0..equations {
                system.column_mut(free + i)[free + equations] = w[i];
            }
            let solution = DVector::from_column_slice(system.solve(0.0).unwrap());
            let (u, multipliers) = (solution.rows(0, free), solution.rows(free, equations));
            assert!((&k * u - &g * multipliers - r).amax() < 1e-9, "{case}");
            assert!((g.tr_mul(&u) - w).iter().all(|miss| miss.abs() < 1e-9), "{case}");
        }
    }
}
