//! The least sum of squares within the bounds: Levenberg and Marquardt's method of the crate `basin`, from several points.

use super::FitError;
use super::errors::{Weights, cost};
use super::measurements::Measurements;
use super::model::{Model, Prediction};
use basin::{
    BoundedLevenbergMarquardt, BoxBounds, ConstraintSet, ConstraintSolveError, Constraints, DenseMatrix, Executor,
    Jacobian, PointState, Residual, State,
};

/// What is minimised: residuals of a model on data with weights, with one of the numbers held if it is given.
pub(super) struct Objective<'a> {
    pub(super) model: &'a Model,
    pub(super) data: &'a Measurements,
    pub(super) weights: &'a Weights,
    /// The place of a number that is held, and its value.
    pub(super) held: Option<(usize, f64)>,
    pub(super) bounds: &'a [[f64; 2]],
}

/// The least point that was found.
#[derive(Clone, Debug)]
pub(super) struct Least {
    pub(super) theta: Vec<f64>,
    /// Half the sum of squares.
    pub(super) cost: f64,
}

/// Steps of one descent.
const MOST_STEPS: u64 = 200;
/// Relative changes below which a descent ends.
const SETTLED: f64 = 1e-13;
/// An estimate this close to a bound, relative to the width between the bounds, is at the bound.
pub(super) const AT_BOUND: f64 = 1e-7;
/// Ends of descents that differ by less are one.
const SAME: f64 = 1e-4;
/// Where a number without a bound is looked for first.
const USUAL: f64 = 1.0;

impl Objective<'_> {
    /// The least point from some first point, in the places of all numbers.
    pub(super) fn descend(&self, start: &[f64]) -> Result<Least, FitError> {
        let free = self.free();
        if free.is_empty() {
            return self.at(start);
        }
        let pick = |side: usize| free.iter().map(|k| self.bounds[*k][side]).collect::<Vec<_>>();
        let bounded = Bounded { objective: self, lower: pick(0), upper: pick(1), free };
        let first = bounded.free.iter().map(|k| start[*k]).collect();
        let solver = BoundedLevenbergMarquardt::<Vec<f64>, DenseMatrix>::new()
            .with_absolute_scaled_gradient_tolerance(None)
            .with_relative_cost_change_tolerance(SETTLED);
        let run = Executor::new(bounded, solver, PointState::new(first)).max_iter(MOST_STEPS).run();
        let found = run.map_err(|error| match error {
            ConstraintSolveError::Evaluation(error) => error,
            other => FitError::Input(other.to_string()),
        })?;
        let mut theta = self.whole(&self.free(), found.state.param());
        for (k, [low, high]) in self.bounds.iter().enumerate() {
            // The method stays inside the bounds: the bound itself counts if it is no worse.
            for bound in [low, high] {
                if bound.is_finite() && (theta[k] - bound).abs() <= AT_BOUND * (high - low).min(1.0 + theta[k].abs()) {
                    theta[k] = *bound;
                }
            }
        }
        self.at(&theta)
    }

    /// The ends of descents from a point and from others spread over the bounds, the least first, each once.
    pub(super) fn search(&self, start: Option<&[f64]>, starts: usize) -> Result<Vec<Least>, FitError> {
        let mut found: Vec<Least> = Vec::new();
        for first in start.map(<[f64]>::to_vec).into_iter().chain(self.spread(starts)) {
            let least = self.descend(&first)?;
            let is_same = |other: &Least| {
                other.theta.iter().zip(&least.theta).all(|(a, b)| (a - b).abs() <= SAME * (1.0 + b.abs()))
            };
            if !found.iter().any(is_same) {
                found.push(least);
            }
        }
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        Ok(found)
    }

    /// Points spread over the bounds by Halton's sequence.
    pub(super) fn spread(&self, points: usize) -> impl Iterator<Item = Vec<f64>> {
        (0..points).map(|sample| {
            let place = |(k, [low, high]): (usize, &[f64; 2])| {
                let share = halton(PRIMES[k % PRIMES.len()], sample as u64 + 1);
                if high - low < 1e9 {
                    low + share * (high - low)
                } else if low.is_finite() {
                    low + share * USUAL
                } else {
                    // Slopes start flat.
                    0.0
                }
            };
            self.bounds.iter().enumerate().map(place).collect()
        })
    }

    fn at(&self, theta: &[f64]) -> Result<Least, FitError> {
        let Prediction { after, .. } = self.model.predict(self.data, theta)?;
        Ok(Least { theta: theta.to_vec(), cost: cost(&self.weights.residuals(self.data, &after)) })
    }

    fn free(&self) -> Vec<usize> {
        (0..self.bounds.len()).filter(|k| self.held.is_none_or(|(held, _)| held != *k)).collect()
    }

    /// All numbers from those that are free.
    fn whole(&self, free: &[usize], values: &[f64]) -> Vec<f64> {
        let mut theta = vec![0.0; self.bounds.len()];
        if let Some((held, value)) = self.held {
            theta[held] = value;
        }
        for (k, value) in free.iter().zip(values) {
            theta[*k] = *value;
        }
        theta
    }
}

/// The bases of Halton's sequence, one for each number.
const PRIMES: [u64; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

/// A number of Halton's sequence: the digits of another, mirrored at the point.
fn halton(base: u64, mut number: u64) -> f64 {
    let (mut share, mut digit) = (0.0, 1.0);
    while number > 0 {
        digit /= base as f64;
        share += digit * (number % base) as f64;
        number /= base;
    }
    share
}

/// An objective with bounds, for `basin`.
struct Bounded<'a> {
    objective: &'a Objective<'a>,
    free: Vec<usize>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Constraints for Bounded<'_> {
    type Set = ConstraintSet<BoxBounds<Vec<f64>>>;

    fn constraints(&self) -> <Self::Set as basin::ConstraintDescription>::Borrowed<'_> {
        ConstraintSet::new().with_bounds(BoxBounds::new(Some(&self.lower), Some(&self.upper)))
    }
}

impl Residual for Bounded<'_> {
    type Param = Vec<f64>;
    type Output = Vec<f64>;
    type Error = FitError;

    fn residual(&self, values: &Vec<f64>) -> Result<Vec<f64>, FitError> {
        let Objective { model, data, weights, .. } = self.objective;
        let theta = self.objective.whole(&self.free, values);
        Ok(weights.residuals(data, &model.predict(data, &theta)?.after))
    }
}

impl Jacobian for Bounded<'_> {
    type Jacobian = DenseMatrix<f64>;

    fn jacobian(&self, values: &Vec<f64>) -> Result<DenseMatrix<f64>, FitError> {
        let Objective { model, data, weights, .. } = self.objective;
        let theta = self.objective.whole(&self.free, values);
        let all = weights.jacobian(data.rows(), &model.slopes(data, &theta)?);
        let (width, rows) = (theta.len(), data.rows() * data.components());
        if self.free.len() == width {
            return Ok(DenseMatrix::from_row_slice(rows, width, &all));
        }
        let kept: Vec<f64> =
            all.chunks_exact(width).flat_map(|line| self.free.iter().map(|k| line[*k]).collect::<Vec<_>>()).collect();
        Ok(DenseMatrix::from_row_slice(rows, self.free.len(), &kept))
    }
}
