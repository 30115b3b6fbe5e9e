//! Errors of quantities: linear propagation, the upper bound of Chatterjee's thesis, and Monte Carlo.

use super::contact::Encounter;
use super::motion::{Deviations, Measured, Motion};
use super::quantities::Quantity;
use nalgebra::{DMatrix, DVector};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};
use std::f64::consts::TAU;

/// A quantity and its errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Uncertain {
    /// What it is.
    pub quantity: Quantity,
    /// Standard deviation by linear propagation.
    pub deviation: f64,
    /// h Σ|∂f/∂q| over everything measured, h the largest error of each number.
    pub bound: f64,
    /// Standard deviation of the draws, if there are any.
    pub drawn: Option<f64>,
}

/// Quantities and how they change with the flights' parameters.
pub(super) struct Assessed {
    pub quantities: Vec<Quantity>,
    /// For each flight, rows of quantities and columns of parameters.
    pub slopes: Vec<DMatrix<f64>>,
}

/// Of a parameter's standard deviation, the step of a difference.
const STEP: f64 = 1e-2;
/// Draws of which more than this share give no collision say nothing.
const MOST_FAILED: f64 = 0.02;

/// Assesses quantities at the measured parameters.
pub(super) fn assess(encounter: &Encounter<'_>, flights: &[&Motion]) -> Result<Assessed, String> {
    let mut q: Vec<DVector<f64>> = flights.iter().map(|flight| flight.parameters.clone()).collect();
    let quantities = encounter.quantities(&q)?;
    let mut slopes = Vec::with_capacity(flights.len());
    for (place, flight) in flights.iter().enumerate() {
        let mut matrix = DMatrix::zeros(quantities.len(), flight.parameters.len());
        for k in 0..flight.parameters.len() {
            let (at, step) = (flight.parameters[k], STEP * flight.covariance[(k, k)].sqrt());
            q[place][k] = at + step;
            let ahead = encounter.quantities(&q)?;
            q[place][k] = at - step;
            let behind = encounter.quantities(&q)?;
            q[place][k] = at;
            for (row, (ahead, behind)) in ahead.iter().zip(&behind).enumerate() {
                matrix[(row, k)] = difference(ahead, behind) / (2.0 * step);
            }
        }
        slopes.push(matrix);
    }
    Ok(Assessed { quantities, slopes })
}

/// The difference of two values of a quantity.
fn difference(a: &Quantity, b: &Quantity) -> f64 {
    let difference = a.value - b.value;
    if a.is_angle { difference - TAU * (difference / TAU).round() } else { difference }
}

impl Assessed {
    /// The covariance of some quantities by linear propagation.
    pub fn covariance(&self, flights: &[&Motion], places: &[usize]) -> DMatrix<f64> {
        let mut sum = DMatrix::zeros(places.len(), places.len());
        for (slopes, flight) in self.slopes.iter().zip(flights) {
            let rows = slopes.select_rows(places);
            sum += &rows * &flight.covariance * rows.transpose();
        }
        sum
    }

    /// The standard deviations of all quantities by linear propagation.
    pub fn deviations(&self, flights: &[&Motion]) -> Vec<f64> {
        (0..self.quantities.len()).map(|place| self.covariance(flights, &[place])[(0, 0)].sqrt()).collect()
    }

    /// The thesis' upper bounds.
    pub fn bounds(&self, flights: &[&Motion], largest: &Deviations) -> Vec<f64> {
        let mut bounds = vec![0.0; self.quantities.len()];
        for (slopes, flight) in self.slopes.iter().zip(flights) {
            let changes = slopes * &flight.gain;
            for (row, bound) in bounds.iter_mut().enumerate() {
                for (place, measured) in flight.measured.iter().enumerate() {
                    let h = match measured {
                        Measured::Coordinate => largest.coordinate,
                        Measured::Angle => largest.angle,
                    };
                    *bound += h * changes[(row, place)].abs();
                }
            }
        }
        bounds
    }
}

/// Draws after which is asked whether to go on.
const BETWEEN_LOOKS: usize = 64;

/// The standard deviations of quantities when everything is measured again and again, with normal errors; nothing where too many draws
/// give no collision, or `goes_on` says no.
pub(super) fn drawn(
    encounter: &Encounter<'_>,
    flights: &[&Motion],
    quantities: &[Quantity],
    deviations: &Deviations,
    draws: usize,
    seed: u64,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Vec<f64>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let law = Normal::new(0.0, 1.0).ok()?;
    let mut noise = || {
        // The middle of one of 2⁵³ intervals of (0, 1).
        let share = ((random.next_u64() >> 11) as f64 + 0.5) / 2.0_f64.powi(53);
        law.inverse_cdf(share)
    };
    let mut sums = vec![[0.0; 2]; quantities.len()];
    let mut count = 0.0;
    for draw in 0..draws {
        if draw.is_multiple_of(BETWEEN_LOOKS) && !goes_on() {
            return None;
        }
        let parameters: Option<Vec<DVector<f64>>> =
            flights.iter().map(|flight| flight.redrawn(deviations, &mut noise)).collect();
        let Some(values) = parameters.and_then(|parameters| encounter.quantities(&parameters).ok()) else { continue };
        count += 1.0;
        for ((sum, value), centre) in sums.iter_mut().zip(&values).zip(quantities) {
            let change = difference(value, centre);
            sum[0] += change;
            sum[1] += change * change;
        }
    }
    if draws < 2 || count < (1.0 - MOST_FAILED) * draws as f64 {
        return None;
    }
    Some(sums.iter().map(|[sum, square]| ((square - sum * sum / count) / (count - 1.0)).max(0.0).sqrt()).collect())
}
