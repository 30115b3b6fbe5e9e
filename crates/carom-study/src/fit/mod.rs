//! Laws fitted to measured collisions: estimates, their uncertainty, and which law describes the collisions best.
//!
//! ```
//! use carom_study::fit::{Errors, Measurements, Model, Settings, fit};
//! let text = "w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n\
//!             1,0,3,-1,0.1,0.81,0.0\n1,0,3,-2,3,1.59,1.92\n1,0,3,-1,1,0.8,0.46\n";
//! let data = Measurements::parse(text, None).unwrap();
//! let law = carom::laws::find("routh-poisson").unwrap();
//! let model = Model::new(law, &["restitution", "friction"], &[], &[]).unwrap();
//! let found = fit(&data, &model, &Settings { errors: Errors::Equal, ..Settings::default() }).unwrap();
//! assert!((found.estimates[0].value - 0.8).abs() < 0.01);
//! ```

mod bootstrap;
mod compare;
mod errors;
mod impossible;
mod interval;
mod measurements;
mod model;
mod page;
mod picture;
mod reach;
mod read;
mod report;
mod solve;

pub use bootstrap::{Bootstrap, bootstrap};
pub use compare::{Candidate, Comparison, algebraic, compare};
pub use errors::Errors;
pub use impossible::{Fault, Impossible, impossible};
pub use measurements::{LeftOut, Measurements, NumberColumn};
pub use model::{Form, Free, Model};
pub use page::Page;
pub use picture::Normalised;
pub use reach::{Reach, reach};

use errors::Weights;
use interval::profile;
use nalgebra::{DMatrix, DVector};
use solve::{AT_BOUND, Least, Objective};
use statrs::distribution::{ChiSquared, ContinuousCDF};
use std::fmt;

/// Why there is no fit.
#[derive(Debug)]
pub enum FitError {
    /// The data or the request are wrong.
    Input(String),
    /// What the law's batch refuses.
    Law(carom::Error),
    /// The caller stopped it.
    Stopped,
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::Input(message) => f.write_str(message),
            FitError::Law(error) => error.fmt(f),
            FitError::Stopped => f.write_str("stopped before the end"),
        }
    }
}

impl std::error::Error for FitError {}

impl From<carom::Error> for FitError {
    fn from(error: carom::Error) -> FitError {
        FitError::Law(error)
    }
}

/// How a fit is made.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What is assumed of the errors.
    pub errors: Errors,
    /// First points of descents, spread over the bounds.
    pub starts: usize,
    /// The probability of intervals.
    pub confidence: f64,
    /// Whether intervals follow the profile of the likelihood.
    pub profiles: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { errors: Errors::Measured, starts: 8, confidence: 0.95, profiles: true }
    }
}

/// A fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The law and its parameters.
    pub model: Model,
    /// What was assumed of the errors.
    pub errors: Errors,
    /// The numbers that were fitted.
    pub estimates: Vec<Estimate>,
    /// Correlations of the estimates; NaN with one whose error is not known.
    pub correlation: DMatrix<f64>,
    /// Collisions.
    pub rows: usize,
    /// The sum of squares of residuals.
    pub squares: f64,
    /// Residual numbers less numbers fitted.
    pub freedom: usize,
    /// The standard deviation of a residual: 1 if errors are measured and the law is right; else the error found, in m/s for equal
    /// errors and relative to the speed before for those in the metric of M.
    pub scale: f64,
    /// The logarithm of the likelihood at its greatest.
    pub log_likelihood: f64,
    /// Numbers fitted, with the size of the errors if that is one of them.
    pub numbers: usize,
    /// The mean of √(Δv·M Δv / V·M V) over the collisions.
    pub mean_error: f64,
    /// Collisions that the law refuses.
    pub refused: usize,
    /// Residuals of unit size, row by row, n before t.
    pub residuals: Vec<f64>,
    /// Cook's distance of each collision: how far the numbers move without it; infinite if it alone determines one of them.
    pub influence: Vec<f64>,
    /// V after by the law, component by component, m/s.
    pub predicted: Vec<f64>,
}

/// A number that was fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Its key, and its group after an @.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its standard error by the curvature of the sum of squares; nothing at a bound or where the data say nothing about it.
    pub standard_error: Option<f64>,
    /// The interval of the profile likelihood.
    pub interval: Option<Interval>,
    /// Whether it is at one of its bounds.
    pub at_bound: bool,
}

/// An interval; an end that the bounds cut off is open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether the data still allow the bound at that end.
    pub open: [bool; 2],
}

impl Fit {
    /// Akaike's criterion with the correction for few data.
    pub fn aicc(&self) -> f64 {
        let (k, n) = (self.numbers as f64, self.residuals.len() as f64);
        let correction = if n > k + 1.0 { 2.0 * k * (k + 1.0) / (n - k - 1.0) } else { f64::INFINITY };
        2.0 * k - 2.0 * self.log_likelihood + correction
    }

    /// Schwarz's criterion.
    pub fn bic(&self) -> f64 {
        self.numbers as f64 * (self.residuals.len() as f64).ln() - 2.0 * self.log_likelihood
    }

    /// The probability of a sum of squares at least as large if the law and the measured errors are right.
    pub fn probability(&self) -> f64 {
        ChiSquared::new(self.freedom as f64).map_or(f64::NAN, |squares| squares.sf(self.squares))
    }

    /// The values of the estimates.
    pub fn values(&self) -> Vec<f64> {
        self.estimates.iter().map(|estimate| estimate.value).collect()
    }

    /// Estimates of which the data give a limit to one side only, with the word for it: `lower` or `upper`.
    pub fn one_sided(&self) -> Vec<(&str, &'static str)> {
        let side = |estimate: &Estimate| match estimate.interval?.open {
            [false, true] if !estimate.at_bound => Some("lower"),
            [true, false] if !estimate.at_bound => Some("upper"),
            _ => None,
        };
        self.estimates.iter().filter_map(|estimate| Some((estimate.name.as_str(), side(estimate)?))).collect()
    }

    /// Estimates that the data do not determine: both ends of their intervals are open, or they have no standard error inside the bounds.
    pub fn undetermined(&self) -> Vec<&str> {
        let is_flat = |estimate: &&Estimate| match estimate.interval {
            Some(interval) => interval.open == [true, true],
            None => estimate.standard_error.is_none() && !estimate.at_bound,
        };
        self.estimates.iter().filter(is_flat).map(|estimate| estimate.name.as_str()).collect()
    }
}

/// Rounds in which the weights follow the law that carries errors of V before on.
const MOST_ROUNDS: usize = 10;
/// A change of the numbers, relative to their standard errors or sizes, that ends them.
const SETTLED: f64 = 1e-6;
/// A standard error this many times a number says nothing about it.
const VAGUE: f64 = 1e6;
/// Singular values of a scaled Jacobian below this fraction of the greatest say nothing about a combination of the numbers.
const FLAT: f64 = 1e-7;

/// Fits a law by least squares weighted with the errors.
pub fn fit(data: &Measurements, model: &Model, settings: &Settings) -> Result<Fit, FitError> {
    model.check(data)?;
    let names = model.names(data);
    let count = data.rows() * data.components();
    if count <= names.len() {
        return Err(FitError::Input(format!(
            "{} collisions have {count} velocities after; expected more than the {} numbers to fit",
            data.rows(),
            names.len()
        )));
    }
    if data.rows() > 1 && all_alike(data) {
        return Err(FitError::Input(format!("all {} collisions are the same; expected some that differ", data.rows())));
    }
    let bounds = model.bounds(data);
    let first = rough(data, model, settings, &bounds)?;
    let starts = if first.is_some() { 0 } else { settings.starts.max(1) };
    let solved = solve(data, model, settings.errors, &bounds, first.as_deref(), starts)?;
    finish(data, model, settings, &bounds, solved)
}

/// Rows from which several descents are made on some of them only, and how many these are.
const MANY: usize = 4000;
const FEW: usize = 1000;

/// Of many rows some decide which descent leads to the least point; values by group need all.
fn rough(
    data: &Measurements,
    model: &Model,
    settings: &Settings,
    bounds: &[[f64; 2]],
) -> Result<Option<Vec<f64>>, FitError> {
    if data.rows() < MANY || settings.starts < 2 || model.is_by_group() {
        return Ok(None);
    }
    let rows: Vec<usize> = (0..data.rows()).step_by(data.rows() / FEW).collect();
    let solved = solve(&data.select(&rows), model, settings.errors, bounds, None, settings.starts)?;
    Ok(Some(solved.least.theta))
}

fn all_alike(data: &Measurements) -> bool {
    let constant = |column: &Vec<f64>| column.iter().all(|value| *value == column[0]);
    data.inverse_mass.iter().chain(&data.before).chain(&data.after).all(constant)
}

/// A least point and the weights it was found with.
struct Solved {
    least: Least,
    weights: Weights,
}

/// The least point, with weights that follow it if errors of V before are known.
fn solve(
    data: &Measurements,
    model: &Model,
    errors: Errors,
    bounds: &[[f64; 2]],
    start: Option<&[f64]>,
    starts: usize,
) -> Result<Solved, FitError> {
    let weights = Weights::of(data, errors, None)?;
    let found = Objective { model, data, weights: &weights, held: None, bounds }.search(start, starts)?;
    if !errors.is_known() {
        let least =
            found.into_iter().next().ok_or_else(|| FitError::Input("expected at least one start".to_owned()))?;
        return Ok(Solved { least, weights });
    }
    // Weights jump where a collision changes its mode, so that several points may agree with their own weights.
    let mut best: Option<Solved> = None;
    for least in found.into_iter().take(FIXED_POINTS) {
        let solved = settle(data, model, errors, bounds, least)?;
        if best.as_ref().is_none_or(|best| solved.log_likelihood() > best.log_likelihood()) {
            best = Some(solved);
        }
    }
    best.ok_or_else(|| FitError::Input("expected at least one start".to_owned()))
}

/// Points of descents with the first weights from which the weights are followed.
const FIXED_POINTS: usize = 4;

/// The point near another that is the least with its own weights.
fn settle(
    data: &Measurements,
    model: &Model,
    errors: Errors,
    bounds: &[[f64; 2]],
    mut least: Least,
) -> Result<Solved, FitError> {
    let mut round = 0;
    loop {
        let slopes = model.slopes(data, &least.theta)?;
        let weights = Weights::of(data, errors, Some(&slopes))?;
        let next = Objective { model, data, weights: &weights, held: None, bounds }.descend(&least.theta)?;
        let moved = |(a, b): (&f64, &f64)| (a - b).abs() / (1.0 + b.abs());
        let change = next.theta.iter().zip(&least.theta).map(moved).fold(0.0, f64::max);
        least = next;
        round += 1;
        if change <= SETTLED || round == MOST_ROUNDS {
            return Ok(Solved { least, weights });
        }
    }
}

impl Solved {
    /// Up to a constant.
    fn log_likelihood(&self) -> f64 {
        self.weights.log_determinant - self.least.cost
    }
}

fn finish(
    data: &Measurements,
    model: &Model,
    settings: &Settings,
    bounds: &[[f64; 2]],
    Solved { least, weights }: Solved,
) -> Result<Fit, FitError> {
    let errors = settings.errors;
    let names = model.names(data);
    let prediction = model.predict(data, &least.theta)?;
    if prediction.refused == data.rows() {
        let fault = format!("`{}` refuses all {} collisions; `carom collide` says why", model.law.id, data.rows());
        return Err(FitError::Input(fault));
    }
    let residuals = weights.residuals(data, &prediction.after);
    let (count, squares) = (residuals.len(), 2.0 * least.cost);
    let freedom = count - names.len();
    let scale = (squares / freedom as f64).sqrt();
    // With errors of unknown size the likelihood is greatest for their mean square.
    let variance = if errors.is_known() { 1.0 } else { squares / count as f64 };
    let log_likelihood = weights.log_determinant
        - 0.5 * count as f64 * (std::f64::consts::TAU * variance).ln()
        - 0.5 * squares / variance;
    let unit = if errors.is_known() { 1.0 } else { scale };
    let at_bound: Vec<bool> = least
        .theta
        .iter()
        .zip(bounds)
        .map(|(value, [low, high])| (value - low).abs() <= AT_BOUND || (value - high).abs() <= AT_BOUND)
        .collect();
    let slopes = model.slopes(data, &least.theta)?;
    let jacobian = DMatrix::from_row_slice(count, names.len(), &weights.jacobian(data.rows(), &slopes));
    let covariance = covariance(&jacobian, &at_bound) * (unit * unit);
    let standard_error = |k: usize| {
        let most = VAGUE * (1.0 + least.theta[k].abs());
        Some(covariance[(k, k)].sqrt()).filter(|error| *error <= most && !at_bound[k])
    };
    let mut estimates = Vec::with_capacity(names.len());
    for (k, name) in names.into_iter().enumerate() {
        let mut estimate = Estimate {
            name,
            value: least.theta[k],
            standard_error: standard_error(k),
            interval: None,
            at_bound: at_bound[k],
        };
        if settings.profiles {
            let objective = Objective { model, data, weights: &weights, held: None, bounds };
            let interval = profile(&objective, &least, k, &estimate, unit, freedom, settings)?;
            // Derivatives hold on one side of a kink; the profile knows both.
            estimate.standard_error = estimate.standard_error.filter(|_| interval.open != [true, true]);
            estimate.interval = Some(interval);
        }
        estimates.push(estimate);
    }
    let correlation = DMatrix::from_fn(estimates.len(), estimates.len(), |i, j| {
        covariance[(i, j)] / (covariance[(i, i)] * covariance[(j, j)]).sqrt()
    });
    let influence = influence(&jacobian, &covariance, &residuals, data.components(), unit);
    let relative = (0..data.rows()).map(|row| data.relative_error(row, &prediction.after));
    let mean_error = relative.sum::<f64>() / data.rows() as f64;
    Ok(Fit {
        model: model.clone(),
        errors,
        correlation,
        rows: data.rows(),
        squares,
        freedom,
        scale,
        log_likelihood,
        numbers: estimates.len() + usize::from(!errors.is_known()),
        estimates,
        mean_error,
        refused: prediction.refused,
        residuals,
        influence,
        predicted: prediction.after,
    })
}

/// (JᵀJ)⁻¹ on the numbers that are not at a bound; infinite for those that the data say nothing about.
fn covariance(jacobian: &DMatrix<f64>, at_bound: &[bool]) -> DMatrix<f64> {
    let n = jacobian.ncols();
    let kept: Vec<usize> = (0..n).filter(|k| !at_bound[*k]).collect();
    let lengths: Vec<f64> = kept.iter().map(|k| jacobian.column(*k).norm()).collect();
    let scaled = DMatrix::from_fn(jacobian.nrows(), kept.len(), |i, j| {
        if lengths[j] > 0.0 { jacobian[(i, kept[j])] / lengths[j] } else { 0.0 }
    });
    let eigen = (scaled.transpose() * &scaled).symmetric_eigen();
    let greatest = eigen.eigenvalues.iter().fold(0.0, |most: f64, value| most.max(*value));
    let mut covariance = DMatrix::from_element(n, n, f64::NAN);
    for (i, a) in kept.iter().enumerate() {
        for (j, b) in kept.iter().enumerate() {
            let terms = eigen.eigenvalues.iter().enumerate().map(|(mode, value)| {
                let part = eigen.eigenvectors[(i, mode)] * eigen.eigenvectors[(j, mode)];
                if *value > FLAT * FLAT * greatest {
                    part / value
                } else if part.abs() > FLAT {
                    part.signum() * f64::INFINITY
                } else {
                    0.0
                }
            });
            covariance[(*a, *b)] = terms.sum::<f64>() / (lengths[i] * lengths[j]);
        }
    }
    covariance
}

/// An eigenvalue of 1 − H this small is rounding: the collision determines a number alone.
const DECISIVE: f64 = 1e-9;

/// Cook's distances of collisions of several residuals each: rᵀ (1 − H)⁻¹ H (1 − H)⁻¹ r / p s², H the collision's block of the hat matrix.
fn influence(
    jacobian: &DMatrix<f64>,
    covariance: &DMatrix<f64>,
    residuals: &[f64],
    components: usize,
    unit: f64,
) -> Vec<f64> {
    let numbers = jacobian.ncols();
    // A number at its bound does not move.
    let covariance = covariance.map(|entry| if entry.is_nan() { 0.0 } else { entry / (unit * unit) });
    let rows = residuals.chunks_exact(components).enumerate();
    let distance = |(row, residuals): (usize, &[f64])| {
        let slopes = jacobian.rows(row * components, components);
        let hat = slopes * &covariance * slopes.transpose();
        let rest = DMatrix::identity(components, components) - &hat;
        // Without such a collision some number would be free.
        let eigenvalues = rest.clone().symmetric_eigen().eigenvalues;
        let Some(inverse) = rest.try_inverse().filter(|_| eigenvalues.min() > DECISIVE) else { return f64::INFINITY };
        let moved = inverse * DVector::from_column_slice(residuals);
        moved.dot(&(hat * &moved)) / (numbers as f64 * unit * unit)
    };
    rows.map(distance).collect()
}
