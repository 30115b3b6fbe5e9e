//! Frictionless impacts of many contacts: p ≥ 0,  u = W p + q ≥ 0,  p·u = 0, with W sparse and positive semidefinite.
//!
//! Block principal pivoting (Júdice & Pires 1994): contacts are taken to be open or closed, the closed ones solved for u = 0, and
//! those with the wrong sign exchanged, all at once while their number falls, else one by one from the last, which ends after finitely
//! many exchanges. It starts with all contacts closed, so a chain at rest needs one solution, not one for every ball that the
//! impact reaches. The linear systems are solved by conjugate gradients, preconditioned by an incomplete Cholesky decomposition
//! without fill, which is exact on chains. Memory is that of W.

use super::Status;
use crate::impact::BlockMatrix;
use nalgebra::DMatrix;

/// The normal entries of W, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

/// Normal impulses, and how good they are.
#[derive(Clone, Debug)]
pub(crate) struct Normals {
    pub(crate) p: Vec<f64>,
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
    pub(crate) status: Status,
}

/// A sign is wrong beyond this fraction of the scale of impulses or velocities.
const WRONG: f64 = 1e-12;
/// Rounds without fewer wrong signs before contacts are exchanged one by one.
const PATIENCE: usize = 5;
/// Exchanges; a handful are usual.
const MOST_ROUNDS: usize = 500;
/// Conjugate gradients end at this fraction of the right-hand side, or when they stop making progress.
const CONVERGED: f64 = 1e-14;
/// Enough to tell most signs, in the first rounds; once they are right it is made finer by this factor.
const ROUGH: f64 = 1e-2;
const FINER: f64 = 1e-4;
/// Conjugate gradients that do not halve the error in so many steps have come as far as rounding lets them.
const PROGRESS: usize = 200;
const MOST_GRADIENTS: usize = 5000;
/// Pivots of the incomplete decomposition below this fraction of the diagonal are lifted to it.
const LEAST_PIVOT: f64 = 1e-8;

impl Sparse {
    /// The normal entries of W.
    pub(crate) fn normals(matrix: &BlockMatrix) -> Sparse {
        let mut sparse = Sparse { starts: vec![0], columns: Vec::new(), values: Vec::new() };
        for row in 0..matrix.size() {
            for (column, block) in matrix.row(row) {
                if block[(0, 0)] != 0.0 {
                    sparse.columns.push(column as u32);
                    sparse.values.push(block[(0, 0)]);
                }
            }
            sparse.starts.push(sparse.columns.len());
        }
        sparse
    }

    /// What is not zero of a symmetric matrix.
    pub(crate) fn of(matrix: &DMatrix<f64>) -> Sparse {
        let mut sparse = Sparse { starts: vec![0], columns: Vec::new(), values: Vec::new() };
        for row in matrix.column_iter() {
            for (column, value) in row.iter().enumerate().filter(|(_, value)| **value != 0.0) {
                sparse.columns.push(column as u32);
                sparse.values.push(*value);
            }
            sparse.starts.push(sparse.columns.len());
        }
        sparse
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()].iter().map(|column| *column as usize).zip(self.values[range].iter().copied())
    }

    fn diagonal(&self, row: usize) -> f64 {
        self.row(row).find(|(column, _)| *column == row).map_or(0.0, |(_, value)| value)
    }

    /// W p.
    pub(crate) fn times(&self, p: &[f64]) -> Vec<f64> {
        (0..p.len()).map(|row| self.row(row).map(|(column, value)| value * p[column]).sum()).collect()
    }

    /// How far impulses are from solving: the natural map as a velocity, relative to a speed.
    pub(crate) fn residual(&self, q: &[f64], p: &[f64], speed: f64) -> f64 {
        let u = self.times(p);
        let error = |i: usize| (p[i] * self.diagonal(i)).min(u[i] + q[i]).abs();
        (0..p.len()).map(error).fold(0.0, f64::max) / speed
    }

    /// Solves the complementarity problem. Residuals are relative to `speed`.
    pub(crate) fn solve(&self, q: &[f64], speed: f64) -> Normals {
        let n = q.len();
        let mut closed = vec![true; n];
        let mut p = vec![0.0; n];
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        let (mut iterations, mut precision) = (0, ROUGH);
        let mut system = Closed::new(self, &closed);
        for _ in 0..MOST_ROUNDS {
            iterations += 1 + system.stop(q, &mut p, precision);
            let wrong_by = WRONG.max(precision);
            let u = self.times(&p);
            let most = p.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
            let wrong: Vec<usize> = (0..n)
                .filter(|i| if closed[*i] { p[*i] < -wrong_by * most } else { u[*i] + q[*i] < -wrong_by * speed })
                .collect();
            if wrong.is_empty() && precision > CONVERGED {
                (precision, fewest, patience) = (CONVERGED.max(precision * FINER), usize::MAX, PATIENCE);
                continue;
            }
            if wrong.is_empty() {
                break;
            }
            if wrong.len() < fewest {
                (fewest, patience) = (wrong.len(), PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            if patience > 0 {
                for i in &wrong {
                    closed[*i] = !closed[*i];
                }
            } else if let Some(last) = wrong.last() {
                closed[*last] = !closed[*last];
            }
            system = Closed::new(self, &closed);
        }
        for p in &mut p {
            *p = p.max(0.0);
        }
        let residual = self.residual(q, &p, speed);
        let status = if residual <= super::SOLVED { Status::Solved } else { Status::Stalled };
        Normals { p, residual, iterations, status }
    }
}

/// The part of W of the closed contacts: its lower triangle, the diagonal last in each row, and the incomplete Cholesky
/// decomposition in the same places.
struct Closed {
    contacts: Vec<usize>,
    starts: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
    factor: Vec<f64>,
}

impl Closed {
    fn new(matrix: &Sparse, closed: &[bool]) -> Closed {
        let contacts: Vec<usize> = (0..closed.len()).filter(|i| closed[*i]).collect();
        let mut place = vec![0_u32; closed.len()];
        let mut part =
            Closed { contacts, starts: vec![0], columns: Vec::new(), values: Vec::new(), factor: Vec::new() };
        for (new, old) in part.contacts.iter().enumerate() {
            place[*old] = new as u32;
            for (j, value) in matrix.row(*old).filter(|(j, _)| j <= old && closed[*j]) {
                part.columns.push(place[j]);
                part.values.push(value);
            }
            part.starts.push(part.columns.len());
        }
        part.decompose();
        part
    }

    fn decompose(&mut self) {
        self.factor.clone_from(&self.values);
        for i in 0..self.contacts.len() {
            let (from, last) = (self.starts[i], self.starts[i + 1] - 1);
            for place in from..=last {
                let j = self.columns[place] as usize;
                // Both rows are sorted: their common columns below j.
                let (mut a, mut b, end) = (from, self.starts[j], self.starts[j + 1] - 1);
                let mut sum = self.factor[place];
                while a < place && b < end {
                    match self.columns[a].cmp(&self.columns[b]) {
                        std::cmp::Ordering::Less => a += 1,
                        std::cmp::Ordering::Greater => b += 1,
                        std::cmp::Ordering::Equal => {
                            sum -= self.factor[a] * self.factor[b];
                            a += 1;
                            b += 1;
                        }
                    }
                }
                self.factor[place] = if place == last {
                    sum.max(LEAST_PIVOT * self.values[place]).sqrt()
                } else {
                    sum / self.factor[end]
                };
            }
        }
    }

    /// `y ← W x`.
    fn times(&self, x: &[f64], y: &mut [f64]) {
        for i in 0..x.len() {
            let (from, last) = (self.starts[i], self.starts[i + 1] - 1);
            let own = x[i];
            let mut sum = self.values[last] * own;
            for (column, value) in self.columns[from..last].iter().zip(&self.values[from..last]) {
                let j = *column as usize;
                sum += value * x[j];
                y[j] += value * own;
            }
            y[i] = sum;
        }
    }

    /// `x ← (L Lᵀ)⁻¹ x` of the incomplete decomposition.
    fn precondition(&self, x: &mut [f64]) {
        for i in 0..x.len() {
            let (from, last) = (self.starts[i], self.starts[i + 1] - 1);
            let mut sum = x[i];
            for (column, value) in self.columns[from..last].iter().zip(&self.factor[from..last]) {
                sum -= value * x[*column as usize];
            }
            x[i] = sum / self.factor[last];
        }
        for i in (0..x.len()).rev() {
            let (from, last) = (self.starts[i], self.starts[i + 1] - 1);
            let own = x[i] / self.factor[last];
            x[i] = own;
            for (column, value) in self.columns[from..last].iter().zip(&self.factor[from..last]) {
                x[*column as usize] -= value * own;
            }
        }
    }

    /// The impulses that leave the closed contacts at rest, those of the others being zero; returns the steps it took.
    fn stop(&self, q: &[f64], p: &mut [f64], precision: f64) -> usize {
        let right: Vec<f64> = self.contacts.iter().map(|i| -q[*i]).collect();
        let mut x: Vec<f64> = self.contacts.iter().map(|i| p[*i]).collect();
        let steps = self.solve(&right, &mut x, precision);
        p.fill(0.0);
        for (i, value) in self.contacts.iter().zip(&x) {
            p[*i] = *value;
        }
        steps
    }

    /// Preconditioned conjugate gradients; returns the steps taken.
    fn solve(&self, right: &[f64], x: &mut [f64], precision: f64) -> usize {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let largest = |r: &[f64]| r.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
        let n = right.len();
        let mut image = vec![0.0; n];
        self.times(x, &mut image);
        let mut r: Vec<f64> = right.iter().zip(&image).map(|(right, image)| right - image).collect();
        let goal = precision * largest(right);
        let mut z = r.clone();
        self.precondition(&mut z);
        let mut direction = z.clone();
        let mut energy = dot(&r, &z);
        let (mut least, mut since) = (f64::INFINITY, 0);
        for iteration in 0..MOST_GRADIENTS {
            let error = largest(&r);
            since = if error < 0.5 * least { 0 } else { since + 1 };
            least = least.min(error);
            if error <= goal || since > PROGRESS {
                return iteration;
            }
            self.times(&direction, &mut image);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 || energy <= 0.0 {
                return iteration;
            }
            let step = energy / curvature;
            for i in 0..n {
                x[i] += step * direction[i];
                r[i] -= step * image[i];
            }
            z.copy_from_slice(&r);
            self.precondition(&mut z);
            let next = dot(&r, &z);
            let keep = next / energy;
            energy = next;
            for i in 0..n {
                direction[i] = z[i] + keep * direction[i];
            }
        }
        MOST_GRADIENTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solve::lcp::{Lemke, lemke};
    use nalgebra::DVector;

    /// Random springs between neighbours in a ring with shortcuts; Lemke's method is the oracle.
    #[test]
    fn small_problems_agree_with_lemkes_method() {
        let mut random = Random(15);
        for case in 0..200 {
            let n = 5 + case % 40;
            let mut m = DMatrix::from_diagonal_element(n, n, 0.05);
            for i in 0..n {
                for j in [(i + 1) % n, (random.unit() * n as f64) as usize] {
                    let (a, b) = (random.between(-1.0, 1.0), random.between(-1.0, 1.0));
                    m[(i, i)] += a * a;
                    m[(j, j)] += b * b;
                    m[(i, j)] += a * b;
                    m[(j, i)] += a * b;
                }
            }
            let q: Vec<f64> = (0..n).map(|_| random.between(-1.0, 1.0)).collect();
            let speed = q.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
            let found = Sparse::of(&m).solve(&q, speed);
            assert!(found.status == Status::Solved, "{case}: {:e}", found.residual);
            let Lemke::Solved { z, .. } = lemke(&m, &DVector::from_column_slice(&q)) else { panic!("{case}") };
            let miss = found.p.iter().zip(z.iter()).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(miss < 1e-8 * (1.0 + z.amax()), "{case}: {miss:e}");
        }
    }
}
