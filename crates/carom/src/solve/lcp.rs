//! Linear complementarity: w = M z + q,  w ≥ 0,  z ≥ 0,  w·z = 0.
//!
//! Lemke's method with the lexicographic ratio test (Cottle, Pang & Stone, The Linear Complementarity Problem, 1992, 4.4 and
//! 4.9): it ends after finitely many pivots, degenerate or not. A ray means that the method found no solution; for copositive-plus
//! M there is then none.

use nalgebra::{DMatrix, DVector};

/// What Lemke's method found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lemke {
    /// A solution z.
    Solved {
        z: DVector<f64>,
        pivots: usize,
        /// How far from solving rounding left it.
        residual: f64,
        /// Whether some component of z and of w vanish together: neighbouring problems may have other solutions.
        degenerate: bool,
    },
    /// The method left along a ray.
    Ray,
    /// Rounding kept it from an end.
    TooManyPivots,
}

/// A pivot below this fraction of its column's largest entry is rounding.
const PIVOT: f64 = 1e-11;
/// A component below this fraction of the largest is zero.
const ZERO: f64 = 1e-11;
/// Pivots per unknown; in practice there are one or two.
const MOST_PIVOTS: usize = 50;

/// How far z is from a solution: the largest |min(z, M z + q)| over the scale of the terms.
pub(crate) fn residual(m: &DMatrix<f64>, q: &DVector<f64>, z: &DVector<f64>) -> f64 {
    let w = m * z + q;
    let scale = q.amax().max(m.amax() * z.amax());
    let error = z.iter().zip(w.iter()).map(|(z, w)| z.min(*w).abs());
    if scale > 0.0 { error.fold(0.0, f64::max) / scale } else { 0.0 }
}

/// Solves by Lemke's method. Rows and unknowns should be of like size.
pub(crate) fn lemke(m: &DMatrix<f64>, q: &DVector<f64>) -> Lemke {
    let n = q.len();
    let scale = q.amax();
    if q.iter().all(|value| *value >= 0.0) {
        let degenerate = q.iter().any(|value| *value == 0.0);
        return Lemke::Solved { z: DVector::zeros(n), pivots: 0, residual: 0.0, degenerate };
    }
    // Columns: w (n), z (n), the artificial z0, q. Basis: which variable each row holds.
    let mut tableau = DMatrix::zeros(n, 2 * n + 2);
    for i in 0..n {
        tableau[(i, i)] = 1.0;
        tableau[(i, 2 * n)] = -1.0;
        tableau[(i, 2 * n + 1)] = q[i];
        for j in 0..n {
            tableau[(i, n + j)] = -m[(i, j)];
        }
    }
    let mut basis: Vec<usize> = (0..n).collect();
    let mut row = lexicographic_least(&tableau, (0..n).map(|i| (i, 1.0)), n).unwrap_or(0);
    let mut entering = 2 * n;
    for pivots in 1..=MOST_PIVOTS * n + 10 {
        let leaving = basis[row];
        pivot(&mut tableau, row, entering);
        basis[row] = entering;
        if leaving == 2 * n {
            let mut z = DVector::zeros(n);
            let mut degenerate = false;
            for (i, variable) in basis.iter().enumerate() {
                let value = tableau[(i, 2 * n + 1)];
                degenerate |= value.abs() <= ZERO * scale;
                if (n..2 * n).contains(variable) {
                    z[variable - n] = value.max(0.0);
                }
            }
            let residual = residual(m, q, &z);
            return Lemke::Solved { z, pivots, residual, degenerate };
        }
        entering = if leaving < n { leaving + n } else { leaving - n };
        let column = tableau.column(entering);
        let least = PIVOT * column.amax();
        let candidates = (0..n).filter(|i| column[*i] > least).map(|i| (i, column[i]));
        let Some(next) = lexicographic_least(&tableau, candidates, n) else { return Lemke::Ray };
        // The artificial variable leaves as soon as it can.
        let ratio = tableau[(next, 2 * n + 1)] / column[next];
        let artificial = basis
            .iter()
            .position(|variable| *variable == 2 * n)
            .filter(|i| column[*i] > least && tableau[(*i, 2 * n + 1)] / column[*i] <= ratio + ZERO * ratio.abs());
        row = artificial.unwrap_or(next);
    }
    Lemke::TooManyPivots
}

/// The row whose (q, B⁻¹)/divisor is lexicographically least.
fn lexicographic_least(
    tableau: &DMatrix<f64>,
    candidates: impl Iterator<Item = (usize, f64)>,
    n: usize,
) -> Option<usize> {
    let order = std::iter::once(2 * n + 1).chain(0..n);
    candidates
        .reduce(|best, other| {
            for column in order.clone() {
                let (a, b) = (tableau[(best.0, column)] / best.1, tableau[(other.0, column)] / other.1);
                if (a - b).abs() > ZERO * (a.abs() + b.abs()) {
                    return if a < b { best } else { other };
                }
            }
            best
        })
        .map(|(row, _)| row)
}

fn pivot(tableau: &mut DMatrix<f64>, row: usize, column: usize) {
    let value = tableau[(row, column)];
    let factors = tableau.column(column).clone_owned();
    for mut entries in tableau.column_iter_mut() {
        let share = entries[row] / value;
        if share != 0.0 {
            entries.axpy(-share, &factors, 1.0);
        }
        entries[row] = share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// All solutions at complementary bases, by trying every one: the oracle for up to 12 unknowns.
    fn enumerate(m: &DMatrix<f64>, q: &DVector<f64>) -> Vec<DVector<f64>> {
        let n = q.len();
        let mut found = Vec::new();
        for choice in 0_u32..1 << n {
            let basic: Vec<usize> = (0..n).filter(|i| choice >> i & 1 == 1).collect();
            let sub = DMatrix::from_fn(basic.len(), basic.len(), |i, j| m[(basic[i], basic[j])]);
            let rhs = DVector::from_fn(basic.len(), |i, _| -q[basic[i]]);
            let Some(solution) = (if basic.is_empty() { Some(rhs) } else { sub.lu().solve(&rhs) }) else { continue };
            let mut z = DVector::zeros(n);
            for (i, value) in basic.iter().zip(solution.iter()) {
                z[*i] = *value;
            }
            if residual(m, q, &z) < 1e-10 {
                found.push(z);
            }
        }
        found
    }

    fn random_problem(random: &mut Random, n: usize) -> (DMatrix<f64>, DVector<f64>) {
        let root = DMatrix::from_fn(n, n, |_, _| random.between(-1.0, 1.0));
        let skew = DMatrix::from_fn(n, n, |_, _| random.between(-1.0, 1.0));
        let m = &root * root.transpose() + (&skew - skew.transpose());
        (m, DVector::from_fn(n, |_, _| random.between(-1.0, 1.0)))
    }

    #[test]
    fn lemke_finds_the_solution_that_enumeration_finds() {
        let mut random = Random(3);
        for case in 0..600 {
            let n = 1 + case % 9;
            let (m, q) = random_problem(&mut random, n);
            let Lemke::Solved { z, .. } = lemke(&m, &q) else { panic!("{m} {q}") };
            assert!(residual(&m, &q, &z) < 1e-10);
            // Positive definite up to its skew part: one solution.
            let all = enumerate(&m, &q);
            assert!(all.iter().all(|other| (other - &z).amax() < 1e-7), "{all:?} {z}");
        }
    }

    #[test]
    fn twelve_unknowns_with_repeated_rows() {
        let mut random = Random(4);
        for _ in 0..5 {
            let root = DMatrix::from_fn(12, 4, |_, _| random.between(-1.0, 1.0));
            let (m, v) = (&root * root.transpose(), DVector::from_fn(4, |_, _| random.between(-1.0, 1.0)));
            let q = &root * v;
            let Lemke::Solved { z, .. } = lemke(&m, &q) else { panic!("{m} {q}") };
            assert!(residual(&m, &q, &z) < 1e-10);
            let w = &m * &z + &q;
            // The slack of a semidefinite problem is unique though z is not.
            let all = enumerate(&m, &q);
            assert!(!all.is_empty());
            for other in all {
                assert!((&m * other + &q - &w).amax() < 1e-7);
            }
        }
    }

    #[test]
    fn without_solution_it_ends_on_a_ray() {
        let (m, q) = (DMatrix::from_row_slice(2, 2, &[0.0, -1.0, -1.0, 0.0]), DVector::from_vec(vec![-1.0, -1.0]));
        assert!(enumerate(&m, &q).is_empty());
        assert_eq!(lemke(&m, &q), Lemke::Ray);
    }

    #[test]
    fn degenerate_problems_are_told() {
        let m = DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 1.0, 2.0]);
        let Lemke::Solved { z, degenerate, .. } = lemke(&m, &DVector::from_vec(vec![-1.0, -1.0])) else { panic!() };
        assert!(degenerate && (z - DVector::from_vec(vec![1.0, 0.0])).amax() < 1e-15);
    }

    /// Kostreva's example of cycling without the lexicographic rule.
    #[test]
    fn cycling_is_avoided() {
        let m = DMatrix::from_row_slice(3, 3, &[1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0]);
        let q = DVector::from_vec(vec![-1.0, -1.0, -1.0]);
        let Lemke::Solved { z, .. } = lemke(&m, &q) else { panic!() };
        assert!(residual(&m, &q, &z) < 1e-14);
    }
}
