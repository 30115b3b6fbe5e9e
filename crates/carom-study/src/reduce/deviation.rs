//! The deviations of what was measured: given, or from the residuals of all flights.

use super::ReduceError;
use super::frames::Seen;
use super::motion::{Deviations, Measured, Motion};
use super::setup::Setup;
use super::sides::{Sides, first_look};
use super::start::median;

/// What is known of the deviations.
pub(super) struct Found {
    pub deviations: Deviations,
    pub given: [bool; 2],
    pub residuals: Option<f64>,
}

/// Residuals beyond the parameters that a deviation needs: then it is known to a quarter.
const LEAST_FREEDOM: f64 = 8.0;
/// Rounds: deviations decide what is an outlier, and the rest gives the deviations.
const ROUNDS: usize = 12;
/// Of the largest coordinate, what rounding amounts to: tracks of a program can have no error at all.
const ROUNDING: f64 = 1e-12;
/// The median of |x| of a normal distribution in standard deviations.
const MEDIAN: f64 = 0.674_489_75;
/// Flights less probable than this do not count in deviations.
const IMPROBABLE: f64 = 1e-5;

/// The deviations of coordinates and angles.
pub(super) fn deviations(all: &[&Sides<'_>], setup: &Setup) -> Result<Found, ReduceError> {
    let given = [setup.camera.deviation.is_some(), setup.camera.angle_deviation.is_some()];
    let mut now = first_look(setup);
    let seen =
        || all.iter().flat_map(|sides| &sides.passages).flat_map(|passage| passage.before.iter().chain(passage.after));
    let sees_points = seen().any(|sighting| matches!(sighting.seen, Seen::Point { .. }));
    let sees_turns = seen().any(|sighting| !matches!(sighting.seen, Seen::Point { .. }));
    let largest = seen().map(|sighting| if let Seen::Point { at, .. } = &sighting.seen { at.amax() } else { 0.0 });
    let floor = ROUNDING * largest.fold(1.0, f64::max);
    let wanted = [sees_points && !given[0], sees_turns && !given[1]];
    let mut residuals = None;
    for round in 0..ROUNDS {
        let flights: Vec<Motion> = all.iter().flat_map(|sides| sides.fits(setup, &now)).flatten().collect();
        let mut change: f64 = 0.0;
        for (place, kind) in [Measured::Coordinate, Measured::Angle].into_iter().enumerate() {
            let robust = round < 3;
            let sum = pooled(&flights, kind, robust);
            if !wanted[place] {
                if place == 0 && sum.freedom >= LEAST_FREEDOM {
                    residuals = Some(sum.size);
                }
                continue;
            }
            if sum.freedom < LEAST_FREEDOM {
                if all.is_empty() {
                    break;
                }
                let key = ["deviation", "angle_deviation"][place];
                return Err(ReduceError(format!(
                    "the tracks are too few to show their own errors; expected `{key}` in `[camera]` of {}",
                    setup.name
                )));
            }
            let size = if sum.size.is_finite() { sum.size } else { 1.0 };
            let slot = if place == 0 { &mut now.coordinate } else { &mut now.angle };
            let next = (*slot * size).max(floor);
            change = change.max((next / *slot - 1.0).abs());
            *slot = next;
        }
        if round >= 3 && change < 1e-3 || wanted == [false; 2] {
            break;
        }
    }
    Ok(Found { deviations: now, given, residuals: residuals.filter(|_| given[0]) })
}

/// Residuals of all flights.
struct Pooled {
    /// In deviations; 1 if these are right.
    size: f64,
    /// Numbers beyond the parameters.
    freedom: f64,
}

fn pooled(flights: &[Motion], kind: Measured, robust: bool) -> Pooled {
    let (mut squares, mut freedom) = (0.0, 0.0);
    let mut sizes = Vec::new();
    for flight in flights {
        if !robust && flight.tail() < IMPROBABLE {
            continue;
        }
        for ((residual, leverage), measured) in flight.residuals.iter().zip(&flight.leverages).zip(&flight.measured) {
            if *measured == kind {
                squares += residual * residual;
                freedom += 1.0 - leverage;
                sizes.push(residual.abs());
            }
        }
    }
    let count = sizes.len() as f64;
    let size = if robust { median(sizes) / MEDIAN * (count / freedom).sqrt() } else { (squares / freedom).sqrt() };
    Pooled { size, freedom }
}
