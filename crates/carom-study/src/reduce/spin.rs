//! Spins that look alike at the instants of the exposures.

use super::contact::Encounter;
use super::motion::Motion;
use super::quantities::{DISAGREEMENT, MISS_ANGLE};
use super::uncertainty::{Assessed, assess};
use nalgebra::DVector;
use std::f64::consts::{PI, TAU};

/// What the exposures leave open about the spins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// Faster spins look like slower ones, rad/s; before and after.
    pub fastest: [f64; 2],
    /// Whether the exposures are even, so that nothing but the impulse tells them apart.
    pub strobed: [bool; 2],
}

/// Turns in the least interval that are tried.
const MOST_TURNS: i32 = 3;
/// Standard deviations and, for errors of the setup, a share of the moment, beyond which linear and angular momentum contradict each other.
const CONTRADICTION: f64 = 6.0;
const SHARE: f64 = 0.2;
/// The same of the turns that both flights give at the instant of the collision, rad.
const TURN: f64 = 0.05;

impl Limits {
    /// Of the flights of a body.
    pub fn of(before: &Motion, after: &Motion) -> Limits {
        let flights = [before, after];
        Limits {
            fastest: flights.map(|flight| PI / flight.least_interval()),
            strobed: flights.map(|flight| {
                let place = if flight.flight.dimension.is_planar() { 2 } else { 3 };
                flight.is_strobed(3.0 * flight.covariance[(place, place)].sqrt())
            }),
        }
    }
}

/// How a collision's spins fit its impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Good,
    /// The turns before and after differ at the instant of the collision.
    Turns,
    /// The change of angular momentum is not that of the impulse.
    Momentum,
}

/// The flights with the spins that fit the impulse, and a note if these are not the slowest ones.
pub(super) struct Resolved {
    pub flights: Vec<Motion>,
    pub assessed: Assessed,
    pub note: Option<String>,
}

/// Takes the slowest spins that fit the impulse. An error says in words why none does.
pub(super) fn resolve(encounter: &Encounter<'_>, flights: Vec<Motion>) -> Result<Resolved, String> {
    let borrowed: Vec<&Motion> = flights.iter().collect();
    let assessed = assess(encounter, &borrowed)?;
    let fit = fit(encounter, &assessed, &borrowed);
    if fit == Fit::Good {
        return Ok(Resolved { flights, assessed, note: None });
    }
    let Some(others) = candidates(encounter, &flights) else {
        return if fit == Fit::Turns {
            Err(torn(encounter, &assessed, &flights))
        } else {
            Ok(Resolved { flights, assessed, note: None })
        };
    };
    for candidate in others {
        let borrowed: Vec<&Motion> = candidate.iter().collect();
        // A spin so fast can bring the contact to another place, or to none.
        let Ok(found) = assess(encounter, &borrowed) else { continue };
        if self::fit(encounter, &found, &borrowed) == Fit::Good {
            let spins = |flights: &[Motion]| {
                let of = |flight: &Motion| format!("{:.4}", spin_of(flight));
                format!("{} and {}", of(&flights[0]), of(&flights[1]))
            };
            let note = format!(
                "spins alias: at {:.4} rad/s and more they look slower; the impulse fits {} rad/s before and after, not {}",
                Limits::of(&flights[0], &flights[1]).fastest[0],
                spins(&candidate),
                spins(&flights)
            );
            return Ok(Resolved { flights: candidate, assessed: found, note: Some(note) });
        }
    }
    if fit == Fit::Turns {
        return Err(torn(encounter, &assessed, &flights));
    }
    Ok(Resolved { flights, assessed, note: None })
}

fn torn(encounter: &Encounter<'_>, assessed: &Assessed, flights: &[Motion]) -> String {
    let name = MISS_ANGLE[encounter.name_of(0)];
    let angle = assessed.quantities.iter().find(|quantity| quantity.name == name).map_or(0.0, |found| found.value);
    format!(
        "the turns before and after differ by {angle:.3} rad at the instant of the collision; marks were mistaken, or spins above {:.4} \
         rad/s alias",
        Limits::of(&flights[0], &flights[1]).fastest[0]
    )
}

fn fit(encounter: &Encounter<'_>, assessed: &Assessed, flights: &[&Motion]) -> Fit {
    let deviations = assessed.deviations(flights);
    let value = |name: &str| {
        let place = assessed.quantities.iter().position(|quantity| quantity.name == name)?;
        Some((assessed.quantities[place].value, deviations[place]))
    };
    let size = ["pn", "pt", "p1", "p2"].iter().filter_map(|name| value(name)).map(|(p, _)| p * p).sum::<f64>().sqrt();
    for place in 0..encounter.passages.len() {
        let names = encounter.name_of(place);
        if let Some((angle, deviation)) = value(MISS_ANGLE[names])
            && angle.abs() > CONTRADICTION * deviation + TURN
        {
            return Fit::Turns;
        }
        for parts in DISAGREEMENT {
            if let Some((difference, deviation)) = value(parts[names])
                && difference.abs() > CONTRADICTION * deviation + SHARE * size
            {
                return Fit::Momentum;
            }
        }
    }
    Fit::Good
}

/// The flights of one body with spins that look the same, slower ones first; nothing for two bodies.
fn candidates(encounter: &Encounter<'_>, flights: &[Motion]) -> Option<Vec<Vec<Motion>>> {
    let [before, after] = flights else { return None };
    if encounter.passages.len() != 1 {
        return None;
    }
    let limits = Limits::of(before, after);
    let turns = |strobed: bool| if strobed { -MOST_TURNS..=MOST_TURNS } else { 0..=0 };
    let mut all: Vec<Vec<Motion>> = Vec::new();
    for j in turns(limits.strobed[0]) {
        for k in turns(limits.strobed[1]) {
            if (j, k) != (0, 0) {
                all.push(vec![turned(before, j), turned(after, k)]);
            }
        }
    }
    let fastest = |flights: &[Motion]| flights.iter().map(|flight| spin_of(flight).abs()).fold(0.0, f64::max);
    all.sort_by(|a, b| fastest(a).total_cmp(&fastest(b)));
    Some(all)
}

/// The spin, with its sign in the plane.
fn spin_of(flight: &Motion) -> f64 {
    let place = flight.flight.spin_place();
    let spin: DVector<f64> = flight.parameters.rows(place, flight.parameters.len() - place).into_owned();
    if spin.len() == 1 { spin[0] } else { spin.norm() }
}

/// The same flight with so many turns more in the least interval.
fn turned(flight: &Motion, turns: i32) -> Motion {
    let mut other = flight.clone();
    let place = flight.flight.spin_place();
    let more = TAU * f64::from(turns) / flight.least_interval();
    if flight.flight.dimension.is_planar() {
        other.parameters[place] += more;
        return other;
    }
    let spin = flight.parameters.rows(place, 3).into_owned();
    if let Some(axis) = spin.try_normalize(0.0) {
        for k in 0..3 {
            other.parameters[place + k] += more * axis[k];
        }
    }
    other
}
