//! Convex quadratic programs with linear inequalities: minimise ½ x·H x + g·x with A x ≥ b.
//!
//! The dual active-set method of Goldfarb & Idnani (1983), dense. It needs a definite H; a semidefinite one is made so by a small
//! term ½ ε |x − x_k|², with x_k the answer before, until the answer no longer moves (the proximal point method). Every such round
//! starts with the rows that were active, and so may the first.

use nalgebra::{Cholesky, DMatrix, DVector};

/// The program. Its data, and the rows, should be of order one.
#[derive(Clone, Debug)]
pub(crate) struct Qp {
    pub(crate) h: DMatrix<f64>,
    pub(crate) g: DVector<f64>,
    pub(crate) rows: DMatrix<f64>,
    pub(crate) bounds: DVector<f64>,
}

/// An answer with its multipliers and active rows.
#[derive(Clone, Debug)]
pub(crate) struct Optimum {
    pub(crate) x: DVector<f64>,
    pub(crate) multipliers: DVector<f64>,
    pub(crate) active: Vec<usize>,
    pub(crate) residual: f64,
    pub(crate) iterations: usize,
}

/// Strength of the proximal term, relative to the mean curvature.
const PROXIMITY: f64 = 1e-7;
/// Rounds of the proximal point method; each takes several digits.
const MOST_ROUNDS: usize = 30;
/// A row counts as violated beyond this fraction of its terms.
const VIOLATED: f64 = 1e-13;
/// A row whose part across the active ones is smaller depends on them.
const DEPENDENT: f64 = 1e-13;
/// Steps per row.
const MOST_STEPS: usize = 20;

impl Qp {
    /// How far a point is from the optimum: slope, violation and complementarity, relative to the data.
    pub(crate) fn residual(&self, x: &DVector<f64>, multipliers: &DVector<f64>) -> f64 {
        let slope = &self.h * x + &self.g - self.rows.tr_mul(multipliers);
        let slack = &self.rows * x - &self.bounds;
        let complementarity = slack.iter().zip(multipliers.iter()).map(|(y, l)| y.min(*l).abs()).fold(0.0, f64::max);
        let scale = self.g.amax().max(self.bounds.amax()).max((&self.h * x).amax());
        slope.amax().max(complementarity) / scale.max(f64::MIN_POSITIVE)
    }

    /// Solves; the rows in `warm` are thought to be active.
    pub(crate) fn solve(&self, warm: &[usize]) -> Optimum {
        let n = self.g.len();
        let proximity = PROXIMITY * self.h.trace() / n as f64;
        let zero = (DVector::zeros(n), DVector::zeros(self.bounds.len()));
        let mut best = Optimum::new(self, zero, warm.to_vec(), 0);
        let Some(factor) = Cholesky::new(&self.h + DMatrix::identity(n, n) * proximity) else { return best };
        let Some(images) = factor.l_dirty().solve_lower_triangular(&self.rows.transpose()) else { return best };
        let mut x = best.x.clone();
        let mut active = warm.to_vec();
        let mut iterations = 0;
        for _ in 0..MOST_ROUNDS {
            let slope = &self.g - &x * proximity;
            let Some(round) = DualActiveSet::run(self, &factor, &images, &slope, &active) else { break };
            iterations += round.steps;
            x.clone_from(&round.x);
            let mut multipliers = DVector::zeros(self.bounds.len());
            for (row, value) in round.active.iter().zip(&round.multipliers) {
                multipliers[*row] = *value;
            }
            active.clone_from(&round.active);
            let next = Optimum::new(self, (round.x, multipliers), round.active, iterations);
            let better = next.residual < 0.5 * best.residual;
            if next.residual < best.residual {
                best = next;
            }
            best.iterations = iterations;
            if !better {
                break;
            }
        }
        best
    }
}

impl Optimum {
    fn new(
        program: &Qp,
        (x, multipliers): (DVector<f64>, DVector<f64>),
        active: Vec<usize>,
        iterations: usize,
    ) -> Optimum {
        let residual = program.residual(&x, &multipliers);
        Optimum { x, multipliers, active, residual, iterations }
    }
}

struct DualActiveSet {
    x: DVector<f64>,
    active: Vec<usize>,
    multipliers: Vec<f64>,
    steps: usize,
}

impl DualActiveSet {
    fn run(
        program: &Qp,
        factor: &Cholesky<f64, nalgebra::Dyn>,
        images: &DMatrix<f64>,
        g: &DVector<f64>,
        warm: &[usize],
    ) -> Option<DualActiveSet> {
        let m = program.bounds.len();
        let mut state = DualActiveSet { x: -factor.solve(g), active: Vec::new(), multipliers: Vec::new(), steps: 0 };
        let terms = |row: usize, x: &DVector<f64>| {
            program.rows.row(row).iter().zip(x.iter()).map(|(a, x)| (a * x).abs()).sum::<f64>()
                + program.bounds[row].abs()
        };
        loop {
            let violation = |row: usize| {
                let slack = program.rows.row(row).transpose().dot(&state.x) - program.bounds[row];
                (slack, slack < -VIOLATED * terms(row, &state.x) && !state.active.contains(&row))
            };
            let expected = warm.iter().copied().find(|row| violation(*row).1);
            let worst =
                || (0..m).filter(|row| violation(*row).1).min_by(|a, b| violation(*a).0.total_cmp(&violation(*b).0));
            let Some(entering) = expected.or_else(worst) else { return Some(state) };
            state.add(program, factor, images, entering)?;
            if state.steps > MOST_STEPS * (m + 1) {
                return None;
            }
        }
    }

    /// Takes a violated row into the active set; rows whose multiplier would become negative leave it.
    fn add(
        &mut self,
        program: &Qp,
        factor: &Cholesky<f64, nalgebra::Dyn>,
        images: &DMatrix<f64>,
        entering: usize,
    ) -> Option<()> {
        let mut own = 0.0;
        loop {
            self.steps += 1;
            let image = images.column(entering);
            let (mut across, shares) = self.split(images, entering)?;
            let length = across.norm_squared();
            let depends = length <= DEPENDENT * image.norm_squared();
            let slack = program.rows.row(entering).transpose().dot(&self.x) - program.bounds[entering];
            let full = if depends { f64::INFINITY } else { -slack / length };
            let (mut step, mut leaving) = (full, None);
            for (k, share) in shares.iter().enumerate() {
                if *share > 0.0 && self.multipliers[k] / share < step {
                    (step, leaving) = (self.multipliers[k] / share, Some(k));
                }
            }
            if step.is_infinite() || self.steps > MOST_STEPS * (program.bounds.len() + 1) {
                return None;
            }
            if !depends {
                across *= step;
                self.x += factor.l_dirty().tr_solve_lower_triangular(&across)?;
            }
            for (multiplier, share) in self.multipliers.iter_mut().zip(shares.iter()) {
                *multiplier -= step * share;
            }
            own += step;
            let Some(k) = leaving else {
                self.active.push(entering);
                self.multipliers.push(own);
                return Some(());
            };
            self.active.remove(k);
            self.multipliers.remove(k);
        }
    }

    /// The part of a row's image across those of the active rows, and its shares along them.
    fn split(&self, images: &DMatrix<f64>, entering: usize) -> Option<(DVector<f64>, DVector<f64>)> {
        let image = images.column(entering).into_owned();
        if self.active.is_empty() {
            return Some((image, DVector::zeros(0)));
        }
        let basis = images.select_columns(&self.active);
        let gram = Cholesky::new(basis.tr_mul(&basis))?;
        let shares = gram.solve(&basis.tr_mul(&image));
        let mut across = &image - &basis * &shares;
        // Twice is enough (Parlett & Kahan).
        let again = gram.solve(&basis.tr_mul(&across));
        across -= &basis * &again;
        Some((across, shares + again))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solve::SOLVED;

    fn random_program(random: &mut Random) -> Qp {
        let n = 1 + (random.unit() * 12.0) as usize;
        let rank = 1 + (random.unit() * n as f64) as usize;
        let m = (random.unit() * 20.0) as usize;
        let root = DMatrix::from_fn(n, rank, |_, _| random.between(-1.0, 1.0));
        let pull = DVector::from_fn(rank, |_, _| random.between(-1.0, 1.0));
        let rows = DMatrix::from_fn(m, n, |_, _| random.between(-1.0, 1.0));
        let inner = DVector::from_fn(n, |_, _| random.between(-1.0, 1.0));
        let room = DVector::from_fn(m, |i, _| if i % 3 == 0 { 0.0 } else { random.between(0.0, 0.3) });
        Qp { h: &root * root.transpose(), g: root * pull, bounds: &rows * inner - room, rows }
    }

    #[test]
    fn semidefinite_programs_are_solved_and_a_warm_start_confirms_them() {
        let mut random = Random(6);
        let (mut cold, mut warm) = (0, 0);
        for case in 0..2000 {
            let program = random_program(&mut random);
            let answer = program.solve(&[]);
            assert!(answer.residual <= SOLVED, "{case}: {:e}", answer.residual);
            let again = program.solve(&answer.active);
            assert!(again.residual <= SOLVED, "{case}: warm {:e}", again.residual);
            assert!((&program.h * (&again.x - &answer.x)).amax() < 1e-7);
            cold += answer.iterations;
            warm += again.iterations;
        }
        assert!(warm < cold, "{warm} steps warm, {cold} cold");
    }

    #[test]
    fn rows_that_contradict_each_other_are_not_solved() {
        let program = Qp {
            h: DMatrix::identity(1, 1),
            g: DVector::zeros(1),
            rows: DMatrix::from_row_slice(2, 1, &[1.0, -1.0]),
            bounds: DVector::from_vec(vec![1.0, 1.0]),
        };
        assert!(program.solve(&[]).residual > 0.1);
    }
}
