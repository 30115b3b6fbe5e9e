//! Frictionless impacts of many contacts: p ≥ 0,  u = W p + q ≥ 0,  p·u = 0, with W sparse and positive semidefinite.
//!
//! Block principal pivoting (Júdice & Pires 1994): contacts are taken to be open or closed, the closed ones solved for u = 0, and
//! those with the wrong sign exchanged, all at once while their number falls, else one by one from the last, which ends after finitely
//! many exchanges. It starts with all contacts closed, so a chain at rest needs one solution, not one for every ball that the
//! impact reaches. The linear systems are solved by conjugate gradients, preconditioned by an incomplete Cholesky decomposition
//! without fill, which is exact on chains. Memory is that of W.

use super::Status;
use crate::impact::BlockMatrix;

/// The normal entries of W, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Sparse {
    starts: Vec<usize>,
    columns: Vec<usize>,
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
const CONVERGED: f64 = 1e-15;
/// Enough to tell most signs, in the first rounds.
const ROUGH: f64 = 1e-6;
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
                    sparse.columns.push(column);
                    sparse.values.push(block[(0, 0)]);
                }
            }
            sparse.starts.push(sparse.columns.len());
        }
        sparse
    }

    fn row(&self, row: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.starts[row]..self.starts[row + 1];
        self.columns[range.clone()].iter().copied().zip(self.values[range].iter().copied())
    }

    fn diagonal(&self, row: usize) -> f64 {
        self.row(row).find(|(column, _)| *column == row).map_or(0.0, |(_, value)| value)
    }

    /// W p.
    pub(crate) fn times(&self, p: &[f64]) -> Vec<f64> {
        (0..p.len()).map(|row| self.row(row).map(|(column, value)| value * p[column]).sum()).collect()
    }

    /// How far impulses are from solving: the natural map, relative to the impulses.
    pub(crate) fn residual(&self, q: &[f64], p: &[f64]) -> f64 {
        let u = self.times(p);
        let (mut error, mut reach) = (0.0_f64, f64::MIN_POSITIVE);
        for i in 0..p.len() {
            let step = 1.0 / self.diagonal(i);
            error = error.max((p[i] - (p[i] - step * (u[i] + q[i])).max(0.0)).abs());
            reach = reach.max(p[i].abs()).max(step * q[i].abs());
        }
        error / reach
    }

    /// Solves the complementarity problem.
    pub(crate) fn solve(&self, q: &[f64]) -> Normals {
        let n = q.len();
        let speed = q.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
        let mut closed = vec![true; n];
        let mut p = vec![0.0; n];
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        let (mut iterations, mut precision) = (0, ROUGH);
        let mut best = Normals { p: p.clone(), residual: self.residual(q, &p), iterations: 0, status: Status::Stalled };
        for _ in 0..MOST_ROUNDS {
            iterations += 1 + self.close(&closed, q, &mut p, precision);
            let wrong_by = WRONG.max(precision);
            let u = self.times(&p);
            let most = p.iter().fold(0.0_f64, |most, p| most.max(p.abs()));
            let wrong: Vec<usize> = (0..n)
                .filter(|i| if closed[*i] { p[*i] < -wrong_by * most } else { u[*i] + q[*i] < -wrong_by * speed })
                .collect();
            if wrong.is_empty() && precision > CONVERGED {
                (precision, fewest, patience) = (CONVERGED, usize::MAX, PATIENCE);
                continue;
            }
            if wrong.is_empty() {
                p.iter_mut().for_each(|p| *p = p.max(0.0));
                let residual = self.residual(q, &p);
                let status = if residual <= super::SOLVED { Status::Solved } else { Status::Stalled };
                return Normals { p, residual, iterations, status };
            }
            if wrong.len() < fewest {
                (fewest, patience) = (wrong.len(), PATIENCE);
            } else if patience > 0 {
                patience -= 1;
            }
            if patience > 0 {
                wrong.iter().for_each(|i| closed[*i] = !closed[*i]);
            } else if let Some(last) = wrong.last() {
                closed[*last] = !closed[*last];
            }
            let cut: Vec<f64> = p.iter().map(|p| p.max(0.0)).collect();
            let residual = self.residual(q, &cut);
            if residual < best.residual {
                best = Normals { p: cut, residual, ..best };
            }
        }
        Normals { iterations, ..best }
    }

    /// The impulses of the closed contacts that leave them at rest, those of the others being zero; returns the steps it took.
    fn close(&self, closed: &[bool], q: &[f64], p: &mut [f64], precision: f64) -> usize {
        let n = q.len();
        let factor = Incomplete::new(self, closed);
        for i in (0..n).filter(|i| !closed[*i]) {
            p[i] = 0.0;
        }
        let product = |x: &[f64]| {
            let mut y = self.times(x);
            (0..n).filter(|i| !closed[*i]).for_each(|i| y[i] = 0.0);
            y
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let start = product(p);
        let mut r: Vec<f64> = (0..n).map(|i| if closed[i] { -q[i] - start[i] } else { 0.0 }).collect();
        let size = (0..n).filter(|i| closed[*i]).map(|i| q[i].abs()).fold(f64::MIN_POSITIVE, f64::max);
        let mut z = factor.solve(&r);
        let mut direction = z.clone();
        let mut energy = dot(&r, &z);
        let (mut least, mut since) = (f64::INFINITY, 0);
        for iteration in 0..MOST_GRADIENTS {
            let error = r.iter().fold(0.0_f64, |most, r| most.max(r.abs()));
            since = if error < 0.5 * least { 0 } else { since + 1 };
            least = least.min(error);
            if error <= precision * size || since > 200 {
                return iteration;
            }
            let image = product(&direction);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 || energy <= 0.0 {
                return iteration;
            }
            let step = energy / curvature;
            for i in 0..n {
                p[i] += step * direction[i];
                r[i] -= step * image[i];
            }
            z = factor.solve(&r);
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

/// The incomplete Cholesky decomposition of the closed contacts' part: lower triangle, diagonal last in each row.
struct Incomplete {
    starts: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl Incomplete {
    fn new(matrix: &Sparse, closed: &[bool]) -> Incomplete {
        let mut lower = Incomplete { starts: vec![0], columns: Vec::new(), values: Vec::new() };
        for i in 0..closed.len() {
            let from = lower.columns.len();
            if closed[i] {
                for (j, value) in matrix.row(i).filter(|(j, _)| *j <= i && closed[*j]) {
                    lower.columns.push(j);
                    lower.values.push(value);
                }
            } else {
                lower.columns.push(i);
                lower.values.push(1.0);
            }
            let to = lower.columns.len();
            for place in from..to {
                let j = lower.columns[place];
                // Both rows are sorted: their common columns below j.
                let (mut a, mut b, mut sum) = (from, if j == i { from } else { lower.starts[j] }, lower.values[place]);
                let end = if j == i { to - 1 } else { lower.starts[j + 1] - 1 };
                while a < place && b < end {
                    match lower.columns[a].cmp(&lower.columns[b]) {
                        std::cmp::Ordering::Less => a += 1,
                        std::cmp::Ordering::Greater => b += 1,
                        std::cmp::Ordering::Equal => {
                            sum -= lower.values[a] * lower.values[b];
                            a += 1;
                            b += 1;
                        }
                    }
                }
                lower.values[place] = if j == i {
                    sum.max(LEAST_PIVOT * lower.values[place]).sqrt()
                } else {
                    sum / lower.values[lower.starts[j + 1] - 1]
                };
            }
            lower.starts.push(to);
        }
        lower
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = right.len();
        let mut x = right.to_vec();
        for i in 0..n {
            let (from, last) = (self.starts[i], self.starts[i + 1] - 1);
            let mut sum = x[i];
            for place in from..last {
                sum -= self.values[place] * x[self.columns[place]];
            }
            x[i] = sum / self.values[last];
        }
        for i in (0..n).rev() {
            let (from, last) = (self.starts[i], self.starts[i + 1] - 1);
            x[i] /= self.values[last];
            let own = x[i];
            for place in from..last {
                x[self.columns[place]] -= self.values[place] * own;
            }
        }
        x
    }
}
