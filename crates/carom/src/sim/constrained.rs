//! Accelerations of bodies that rows of velocities hold: M a = f + Σ λ column, row·a + bias = 0.

use super::in_time::SceneInTime;
use super::inertia::Inertia;
use super::loads::{self, Wrench};
use super::row::Row;
use super::state::State;
use nalgebra::{ColPivQR, DMatrix, DVector, Dyn, Matrix3, Vector3};

/// The bodies without what holds them.
pub(crate) struct Unheld {
    /// 1/m and I⁻¹ in world axes, for every body.
    pub(crate) inverse: Vec<(f64, Matrix3<f64>)>,
    /// Linear and angular acceleration.
    pub(crate) acceleration: Vec<Wrench>,
    /// Of loads without potential energy, W.
    pub(crate) power: f64,
}

/// Singular values below this fraction of the greatest are those of rows that are there twice.
pub(crate) const REDUNDANT: f64 = 1e-10;

impl Unheld {
    /// At a time, for the bodies that are listed; the others stay at zero.
    pub(crate) fn new(
        scene: &SceneInTime,
        inertias: &[Inertia],
        bodies: &[usize],
        time: f64,
        states: &[State],
    ) -> Unheld {
        let zero = (Vector3::zeros(), Vector3::zeros());
        let mut wrenches = vec![zero; states.len()];
        let power = loads::apply(scene, time, states, &mut wrenches);
        let mut inverse = vec![(0.0, Matrix3::zeros()); states.len()];
        let mut acceleration = vec![zero; states.len()];
        for &body in bodies {
            let (inertia, state) = (&inertias[body], &states[body]);
            let [_, back] = inertia.in_world(state);
            let (force, torque) = wrenches[body];
            inverse[body] = (inertia.mass.recip(), back);
            acceleration[body] = (scene.gravity + force / inertia.mass, back * torque + inertia.tumbling(state));
        }
        Unheld { inverse, acceleration, power }
    }

    /// How the rows answer to unit forces along the columns.
    pub(crate) fn response(&self, rows: &[Row], columns: &[Row]) -> DMatrix<f64> {
        let moved: Vec<_> = columns.iter().map(|column| self.moved(column)).collect();
        DMatrix::from_fn(rows.len(), columns.len(), |i, j| {
            let mut sum = 0.0;
            for (body, linear, angular) in &rows[i].sides {
                for (other, v, omega) in &moved[j] {
                    if body.is_some() && body == other {
                        sum += linear.dot(v) + angular.dot(omega);
                    }
                }
            }
            sum
        })
    }

    fn moved(&self, column: &Row) -> [(Option<usize>, Vector3<f64>, Vector3<f64>); 2] {
        column.sides.map(|(body, linear, angular)| match body {
            Some(k) => (body, linear * self.inverse[k].0, self.inverse[k].1 * angular),
            None => (None, Vector3::zeros(), Vector3::zeros()),
        })
    }

    /// Rates of the rows as the bodies accelerate now.
    pub(crate) fn rates(&self, rows: &[Row]) -> DVector<f64> {
        DVector::from_iterator(rows.len(), rows.iter().map(|row| row.dot(|body| self.acceleration[body]) + row.bias))
    }

    /// Adds forces along the columns that keep the rows from changing, island by island, and tells them. Of those that are not unique
    /// where rows are `redundant`, the least.
    pub(crate) fn hold(&mut self, rows: &[Row], columns: &[Row], redundant: bool) -> Option<DVector<f64>> {
        let mut forces = DVector::zeros(rows.len());
        for island in islands(rows, self.inverse.len()) {
            let pick = |of: &[Row]| -> Vec<Row> { island.iter().map(|row| of[*row]).collect() };
            let (held, pushed) = (pick(rows), pick(columns));
            let matrix = self.response(&held, &pushed);
            let wanted = -self.rates(&held);
            let found = if redundant { shortest_solution(matrix, &wanted) } else { matrix.lu().solve(&wanted)? };
            island.iter().zip(found.iter()).for_each(|(row, force)| forces[*row] = *force);
        }
        self.push(columns, &forces);
        Some(forces)
    }

    /// What forces along the columns leave of how rows answer to forces along themselves: 1 where these are the same, 0 where no
    /// forces hold the rows any longer. It changes sign there. The least of all rows.
    pub(crate) fn left(&self, rows: &[Row], columns: &[Row]) -> f64 {
        let mut least = 1.0_f64;
        let mut sign = 1.0;
        for island in islands(rows, self.inverse.len()) {
            let pick = |of: &[Row]| -> Vec<Row> { island.iter().map(|row| of[*row]).collect() };
            let (held, pushed) = (pick(rows), pick(columns));
            if held.iter().zip(&pushed).all(|(row, column)| row.sides == column.sides) {
                continue;
            }
            let pushing = self.response(&held, &pushed).lu();
            sign *= pushing.determinant().signum();
            let (Some(pushing), Some(plain)) = (pushing.try_inverse(), self.response(&held, &held).try_inverse())
            else {
                return 0.0;
            };
            let ratios = plain.diagonal().component_div(&pushing.diagonal());
            least = ratios.iter().fold(least, |least, ratio| least.min(ratio.abs()));
        }
        sign * least
    }

    /// Adds forces along columns.
    pub(crate) fn push(&mut self, columns: &[Row], forces: &DVector<f64>) {
        for (column, force) in columns.iter().zip(forces.iter()) {
            for (body, v, omega) in self.moved(column) {
                if let Some(body) = body {
                    self.acceleration[body].0 += v * *force;
                    self.acceleration[body].1 += omega * *force;
                }
            }
        }
    }
}

/// Rows that share no body with others, directly or through some.
fn islands(rows: &[Row], bodies: usize) -> Vec<Vec<usize>> {
    let ends = |row: &Row| row.sides.map(|(body, ..)| body);
    let mut of_body: Vec<usize> = (0..bodies).collect();
    for row in rows {
        if let [Some(a), Some(b)] = ends(row) {
            let (kept, lost) = (of_body[a], of_body[b]);
            of_body.iter_mut().filter(|island| **island == lost).for_each(|island| *island = kept);
        }
    }
    let mut islands = vec![Vec::new(); bodies];
    for (k, row) in rows.iter().enumerate() {
        if let Some(body) = ends(row).into_iter().flatten().next() {
            islands[of_body[body]].push(k);
        }
    }
    islands.retain(|island| !island.is_empty());
    islands
}

/// The shortest x with A x = b as nearly as can be, by orthogonal decompositions from both sides: A P = Q (R; 0), Rᵀ = Z T.
pub(crate) fn shortest_solution(a: DMatrix<f64>, b: &DVector<f64>) -> DVector<f64> {
    let unknowns = a.ncols();
    let decomposed = a.col_piv_qr();
    let rank = rows_that_count(&decomposed);
    if rank == 0 {
        return DVector::zeros(unknowns);
    }
    let mut along = b.clone();
    decomposed.q_tr_mul(&mut along);
    let along = along.rows(0, rank).into_owned();
    let across = decomposed.r().rows(0, rank).transpose().qr();
    let Some(part) = across.r().tr_solve_upper_triangular(&along) else { return DVector::zeros(unknowns) };
    let mut x = across.q() * part;
    decomposed.p().inv_permute_rows(&mut x);
    x
}

/// The number of rows that are not combinations of others.
pub(crate) fn rank(a: &DMatrix<f64>) -> usize {
    rows_that_count(&a.clone().col_piv_qr())
}

fn rows_that_count(decomposed: &ColPivQR<f64, Dyn, Dyn>) -> usize {
    let sizes = decomposed.r().diagonal().abs();
    sizes.iter().filter(|size| **size > REDUNDANT * sizes.amax()).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A x = b holds where it can, and x has no part that A does not see: A = C D with few columns.
    #[test]
    fn the_shortest_solution_solves_and_is_a_combination_of_rows() {
        let mut random = Random(11);
        for turn in 0..2000 {
            let (n, inner) = (2 + turn % 7, 1 + turn % 5);
            let mut random = || random.between(-1.0, 1.0);
            let (c, d) = (DMatrix::from_fn(n, inner, |_, _| random()), DMatrix::from_fn(inner, n, |_, _| random()));
            let a = c * &d;
            let b = &a * DVector::from_fn(n, |_, _| random());
            let x = shortest_solution(a.clone(), &b);
            assert!((&a * &x - &b).amax() < 1e-9, "{turn}");
            let rows = d.transpose().qr().q();
            let seen = &rows * rows.tr_mul(&x);
            assert!(rank(&a) == n.min(inner) && (seen - &x).amax() < 1e-9 * (1.0 + x.amax()), "{turn}");
        }
    }
}
