//! Intervals by the profile of the likelihood: values of one number for which the others can still be chosen so that the sum of squares
//! stays within a quantile of its least.

use super::solve::{Least, Objective};
use super::{Estimate, FitError, Interval, Settings};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Doublings of the step away from the estimate, and halvings back.
const DOUBLINGS: usize = 40;
const HALVINGS: usize = 30;
/// An end is found to this fraction of its distance from the estimate.
const PRECISION: f64 = 1e-4;
/// The first step of a number whose standard error is not known, relative to the width between its bounds.
const FIRST: f64 = 0.01;

/// The interval of number `k`; `unit` is the size of residuals, known or found.
pub(super) fn profile(
    objective: &Objective,
    least: &Least,
    k: usize,
    estimate: &Estimate,
    unit: f64,
    freedom: usize,
    settings: &Settings,
) -> Result<Interval, FitError> {
    let [low, high] = objective.bounds[k];
    // The square of the two-sided quantile of a number of known or of estimated error.
    let quantile = quantile(settings, freedom);
    let limit = least.cost + 0.5 * (quantile * unit).powi(2);
    let width = if high - low < 1e9 { high - low } else { 1.0_f64.max(estimate.value.abs()) };
    let first = estimate.standard_error.map_or(FIRST * width, |error| (quantile * error).min(0.5 * width));
    let end = |side: f64, bound: f64| -> Result<(f64, bool), FitError> {
        let mut start = least.theta.clone();
        let mut cost_at = |value: f64, objective: &Objective| -> Result<f64, FitError> {
            let held = Objective { held: Some((k, value)), ..*objective };
            start[k] = value;
            let found = held.descend(&start)?;
            start.clone_from(&found.theta);
            Ok(found.cost)
        };
        let reach = |distance: f64| {
            if side < 0.0 { (estimate.value - distance).max(bound) } else { (estimate.value + distance).min(bound) }
        };
        let (mut inside, mut outside, mut distance) = (0.0, f64::INFINITY, first.max(f64::MIN_POSITIVE));
        for _ in 0..DOUBLINGS {
            let value = reach(distance);
            if cost_at(value, objective)? > limit {
                outside = (value - estimate.value).abs();
                break;
            }
            if value == bound {
                return Ok((bound, true));
            }
            inside = distance;
            distance *= 2.0;
        }
        if outside.is_infinite() {
            return Ok((side * f64::INFINITY, true));
        }
        for _ in 0..HALVINGS {
            if outside - inside <= PRECISION * outside {
                break;
            }
            let middle = 0.5 * (inside + outside);
            if cost_at(reach(middle), objective)? > limit { outside = middle } else { inside = middle }
        }
        Ok((reach(0.5 * (inside + outside)), false))
    };
    let ((low, open_below), (high, open_above)) = (end(-1.0, low)?, end(1.0, high)?);
    Ok(Interval { low, high, open: [open_below, open_above] })
}

/// The two-sided quantile: of Student's distribution where the size of the errors is estimated.
pub(super) fn quantile(settings: &Settings, freedom: usize) -> f64 {
    let share = 0.5 * (1.0 + settings.confidence);
    if settings.errors.is_known() {
        return Normal::standard().inverse_cdf(share);
    }
    StudentsT::new(0.0, 1.0, freedom.max(1) as f64).map_or(f64::NAN, |student| student.inverse_cdf(share))
}
