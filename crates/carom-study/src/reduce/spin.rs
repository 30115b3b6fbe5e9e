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
    /// Whether the exposures are even, so that only the impulse distinguishes them.
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
    /// The spin before is faster than possible.
    TooFast,
}

/// The flights with the spins that fit the impulse, and a note if these are not the slowest ones.
pub(super) struct Resolved {
    pub flights: Vec<Motion>,
    pub assessed: Assessed,
    pub note: Option<String>,
}

/// Takes the spins with the fewest additional turns that fit the impulse. An error says in words why none does, or several.
pub(super) fn resolve(encounter: &Encounter<'_>, flights: Vec<Motion>, assessed: Assessed) -> Result<Resolved, String> {
    let borrowed: Vec<&Motion> = flights.iter().collect();
    let fit = fit(encounter, &assessed, &borrowed);
    if fit == Fit::Good {
        return Ok(Resolved { flights, assessed, note: None });
    }
    let mut found: Vec<(usize, Vec<Motion>, Assessed)> = Vec::new();
    for (turns, candidate) in candidates(encounter, &flights) {
        if found.first().is_some_and(|(least, ..)| turns > *least) {
            break;
        }
        let borrowed: Vec<&Motion> = candidate.iter().collect();
        // A spin so fast can bring the contact to another place, or to none.
        let Ok(assessed) = assess(encounter, &borrowed) else { continue };
        if self::fit(encounter, &assessed, &borrowed) == Fit::Good {
            found.push((turns, candidate, assessed));
        }
    }
    let spins = |flights: &[Motion]| format!("{:.3} and {:.3}", spin_of(&flights[0]), spin_of(&flights[1]));
    if found.len() > 1 {
        let all: Vec<String> = found.iter().map(|(_, flights, _)| spins(flights)).collect();
        return Err(format!(
            "spins alias: before and after they may be {} rad/s; expected `largest_spin_before` in the setup, or more exposures",
            all.join(", or ")
        ));
    }
    match (found.pop(), fit) {
        (Some((_, candidate, assessed)), _) => {
            let note = format!(
                "spins alias: the impulse fits {} rad/s before and after, not {}",
                spins(&candidate),
                spins(&flights)
            );
            Ok(Resolved { flights: candidate, assessed, note: Some(note) })
        }
        (None, Fit::Turns) => Err(torn(encounter, &assessed, &flights)),
        (None, Fit::TooFast) => {
            Err(format!("the spin before is {:.3} rad/s, more than `largest_spin_before`", spin_of(&flights[0])))
        }
        (None, Fit::Good | Fit::Momentum) => Ok(Resolved { flights, assessed, note: None }),
    }
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
    for (place, passage) in encounter.passages.iter().enumerate() {
        let largest = encounter.tracked(passage).largest_spin_before;
        if largest.is_some_and(|largest| spin_of(flights[2 * place]).abs() > largest) {
            return Fit::TooFast;
        }
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

/// The flights of one body with spins that look the same, by the number of additional turns; none for two bodies.
fn candidates(encounter: &Encounter<'_>, flights: &[Motion]) -> Vec<(usize, Vec<Motion>)> {
    let ([before, after], 1) = (flights, encounter.passages.len()) else { return Vec::new() };
    let limits = Limits::of(before, after);
    let turns = |strobed: bool| if strobed { -MOST_TURNS..=MOST_TURNS } else { 0..=0 };
    let mut all: Vec<(usize, Vec<Motion>)> = Vec::new();
    for j in turns(limits.strobed[0]) {
        for k in turns(limits.strobed[1]) {
            if (j, k) != (0, 0) {
                all.push(((j.abs() + k.abs()) as usize, vec![turned(before, j), turned(after, k)]));
            }
        }
    }
    all.sort_by_key(|(turns, _)| *turns);
    all
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
