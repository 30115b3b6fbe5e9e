//! Intervals by the profile of the likelihood: values of one number for which the others can still be chosen so that the sum of squares
//! stays within a quantile of its least.

use super::solve::{Least, Objective};
use super::{Estimate, FitError, Interval, Settings};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// Doublings of the step away from the estimate, and values probed between.
const DOUBLINGS: usize = 40;
const MOST_PROBES: usize = 60;
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
    let quantile = quantile(settings, freedom);
    let width = if high - low < 1e9 { high - low } else { 1.0_f64.max(estimate.value.abs()) };
    let first = estimate.standard_error.map_or(FIRST * width, |error| (quantile * error).min(0.5 * width));
    let end = |side: f64, bound: f64| -> Result<(f64, bool), FitError> {
        let mut start = least.theta.clone();
        // How far the sum of squares lies beyond the quantile: linear in the distance where the law is.
        let mut beyond = |value: f64| -> Result<f64, FitError> {
            let held = Objective { held: Some((k, value)), ..*objective };
            start[k] = value;
            let found = held.descend(&start)?;
            start.clone_from(&found.theta);
            Ok((2.0 * (found.cost - least.cost).max(0.0)).sqrt() / unit - quantile)
        };
        let reach = |distance: f64| {
            if side < 0.0 { (estimate.value - distance).max(bound) } else { (estimate.value + distance).min(bound) }
        };
        let mut inside = Probe { distance: 0.0, beyond: -quantile };
        let mut distance = first.max(f64::MIN_POSITIVE);
        let mut outside = None;
        for _ in 0..DOUBLINGS {
            let value = reach(distance);
            let probe = Probe { distance: (value - estimate.value).abs(), beyond: beyond(value)? };
            if probe.beyond > 0.0 {
                outside = Some(probe);
                break;
            }
            if value == bound {
                return Ok((bound, true));
            }
            inside = probe;
            distance *= 2.0;
        }
        let Some(mut outside) = outside else { return Ok((side * f64::INFINITY, true)) };
        for step in 0..MOST_PROBES {
            if outside.distance - inside.distance <= PRECISION * outside.distance {
                break;
            }
            let gap = outside.distance - inside.distance;
            let share = if step % 3 == 2 { 0.5 } else { -inside.beyond / (outside.beyond - inside.beyond) };
            // A little to either side of the line's root, so that both ends come near.
            let margin = 0.5 * PRECISION * outside.distance / gap;
            let toward = if step % 2 == 0 { margin } else { -margin };
            let distance = inside.distance + (share + toward).clamp(margin, 1.0 - margin) * gap;
            let probe = Probe { distance, beyond: beyond(reach(distance))? };
            if probe.beyond > 0.0 {
                outside = probe;
            } else {
                inside = probe;
            }
        }
        Ok((reach(0.5 * (inside.distance + outside.distance)), false))
    };
    let ((low, open_below), (high, open_above)) = (end(-1.0, low)?, end(1.0, high)?);
    Ok(Interval { low, high, open: [open_below, open_above] })
}

/// A value at some distance from the estimate, and how far its sum of squares lies beyond the quantile, in standard deviations.
#[derive(Clone, Copy)]
struct Probe {
    distance: f64,
    beyond: f64,
}

/// The two-sided quantile: of Student's distribution where the size of the errors is estimated.
pub(super) fn quantile(settings: &Settings, freedom: usize) -> f64 {
    let share = 0.5 * (1.0 + settings.confidence);
    if settings.errors.is_known() {
        return Normal::standard().inverse_cdf(share);
    }
    StudentsT::new(0.0, 1.0, freedom.max(1) as f64).map_or(f64::NAN, |student| student.inverse_cdf(share))
}
