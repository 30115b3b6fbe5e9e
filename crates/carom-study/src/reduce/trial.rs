//! The collision of one trial.

use super::Settings;
use super::contact::{Encounter, Fold, Passage};
use super::motion::{Deviations, Motion, places_of};
use super::place::Place;
use super::quantities::MISS;
use super::setup::Setup;
use super::sides::Sides;
use super::spin::{self, Limits};
use super::uncertainty::{Assessed, Uncertain, assess, drawn};
use nalgebra::{DMatrix, DVector};

/// A collision with everything that is known of it.
#[derive(Clone, Debug)]
pub struct Collided {
    /// Name of the trial.
    pub trial: String,
    /// Its group.
    pub group: String,
    /// Its quantities.
    pub quantities: Vec<Uncertain>,
    /// The covariance of the relative velocities before and after.
    pub covariance: DMatrix<f64>,
    /// Frames before and after, of all bodies.
    pub frames: [usize; 2],
    /// Lines or rows with a sighting that was rejected.
    pub rejected: Vec<Place>,
    /// The spin above which spins look slower than they are, rad/s.
    pub spin_limit: f64,
    /// What to know about it, in words.
    pub notes: Vec<String>,
}

/// Flights whose residuals are less probable are no flights of a rigid body.
const IMPROBABLE: f64 = 1e-6;
/// Flights may miss each other at the instant of the collision by so many deviations and this share of the outline, for its deformation.
const MISSED: f64 = 6.0;
const MISSED_SHARE: f64 = 0.03;
/// Where the turn is uncertain by so many deviations, the contact must stay at the same place of the outline.
const WANDER: f64 = 3.0;
/// Standard deviations beyond which linear and angular momentum disagree.
const DISAGREEMENT: f64 = 4.0;

/// The collision of a trial; or why there is none, in words. When `goes_on` says no, there are no draws.
pub(super) fn collide(
    sides: &Sides<'_>,
    setup: &Setup,
    deviations: &Deviations,
    settings: &Settings,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Collided, String> {
    let flights = sides.fits(setup, deviations).into_iter().collect::<Result<Vec<_>, _>>()?;
    for (place, flight) in flights.iter().enumerate() {
        if flight.tail() < IMPROBABLE {
            let name = &setup.bodies[sides.passages[place / 2].body].name;
            let size = (flight.squares() / flight.freedom as f64).sqrt();
            let places = places_of(&flight.used);
            return Err(format!(
                "{name} {} the collision does not move as a rigid body: residuals are {size:.1} times the deviation ({places})",
                ["before", "after"][place % 2]
            ));
        }
    }
    let encounter = encounter(sides, setup, &flights).with_fold(&parameters_of(&flights))?;
    let assessed = assess(&encounter, &flights.iter().collect::<Vec<_>>())?;
    check_meeting(&encounter, setup, &flights, &assessed)?;
    let resolved = spin::resolve(&encounter, flights, assessed)?;
    let (flights, assessed) = (resolved.flights, resolved.assessed);
    // Other spins bring another contact, which may fold otherwise.
    let refolded = encounter.clone().with_fold(&parameters_of(&flights))?;
    let borrowed: Vec<&Motion> = flights.iter().collect();
    let (encounter, assessed) = if refolded.fold == encounter.fold {
        (encounter, assessed)
    } else {
        let assessed = assess(&refolded, &borrowed)?;
        (refolded, assessed)
    };
    let mut notes: Vec<String> = resolved.note.into_iter().collect();
    let errors = assessed.deviations(&borrowed);
    let value = |name: &str| {
        let place = assessed.quantities.iter().position(|quantity| quantity.name == name)?;
        Some((assessed.quantities[place].value, errors[place]))
    };
    if let Some((v, _)) = value("vn_before").filter(|(v, _)| *v >= 0.0) {
        return Err(format!("the bodies do not approach: vn_before is {v:.4} m/s"));
    }
    check_corner(&encounter, setup, &flights)?;
    for name in assessed.quantities.iter().map(|quantity| quantity.name).filter(|name| name.starts_with("disagreement"))
    {
        let Some((difference, error)) = value(name) else { continue };
        if difference.abs() > DISAGREEMENT * error {
            notes.push(format!(
                "impulses from linear and from angular momentum differ: {name} is {difference:.3e} N s, {:.1} deviations; mass, \
                 inertia, centre of mass, marks or normal may be wrong",
                (difference / error).abs()
            ));
        }
    }
    let reach = setup.bodies[sides.passages[0].body].outline.reach();
    if let Some((gap, _)) = value("gap").filter(|(gap, error)| gap.abs() > MISSED * error + MISSED_SHARE * reach) {
        notes.push(format!(
            "the contact is {gap:.3e} m off the wall: its `point`, the marks or the outline may be wrong"
        ));
    }
    let camera = &setup.camera;
    let largest = Deviations {
        coordinate: camera.bound.unwrap_or(3.0 * deviations.coordinate),
        angle: camera.angle_bound.unwrap_or(3.0 * deviations.angle),
    };
    let bounds = assessed.bounds(&borrowed, &largest);
    let seed = settings.seed.wrapping_add(hash(&sides.trial.name));
    let drawn = (settings.draws > 0)
        .then(|| drawn(&encounter, &borrowed, &assessed.quantities, deviations, settings.draws, seed, goes_on))
        .flatten();
    let places: Vec<usize> = assessed
        .quantities
        .iter()
        .enumerate()
        .filter(|(_, quantity)| quantity.name.starts_with('v') && !quantity.name.starts_with("v_"))
        .map(|(place, _)| place)
        .collect();
    let covariance = assessed.covariance(&borrowed, &places);
    let quantities = assessed.quantities.iter().enumerate().map(|(place, quantity)| Uncertain {
        quantity: *quantity,
        deviation: errors[place],
        bound: bounds[place],
        drawn: drawn.as_ref().map(|drawn| drawn[place]),
    });
    let mut rejected: Vec<Place> =
        flights.iter().flat_map(|flight| &flight.rejected).map(|sighting| sighting.place).collect();
    rejected.sort_unstable();
    rejected.dedup();
    let frames = |side: usize| flights.iter().skip(side).step_by(2).map(Motion::frames).sum();
    let limits = flights.chunks(2).map(|pair| Limits::of(&pair[0], &pair[1]).fastest);
    Ok(Collided {
        trial: sides.trial.name.clone(),
        group: sides.trial.group.clone(),
        quantities: quantities.collect(),
        covariance,
        frames: [frames(0), frames(1)],
        rejected,
        spin_limit: limits.flatten().fold(f64::INFINITY, f64::min),
        notes,
    })
}

fn parameters_of(flights: &[Motion]) -> Vec<DVector<f64>> {
    flights.iter().map(|flight| flight.parameters.clone()).collect()
}

fn encounter<'s>(sides: &Sides<'_>, setup: &'s Setup, flights: &[Motion]) -> Encounter<'s> {
    let passages = sides.passages.iter().zip(flights.chunks(2)).map(|(passage, pair)| {
        let turn = if setup.dimension.is_planar() { 2 } else { 3 };
        let [before, after] = [&pair[0], &pair[1]].map(|flight| flight.covariance[(turn, turn)]);
        Passage {
            body: passage.body,
            before: pair[0].flight.clone(),
            after: pair[1].flight.clone(),
            share: before / (before + after),
        }
    });
    Encounter { setup, passages: passages.collect(), fold: Fold::default() }
}

/// Refuses flights that are not those of one collision.
fn check_meeting(
    encounter: &Encounter<'_>,
    setup: &Setup,
    flights: &[Motion],
    assessed: &Assessed,
) -> Result<(), String> {
    let errors = assessed.deviations(&flights.iter().collect::<Vec<_>>());
    let value = |name: &str| {
        let place = assessed.quantities.iter().position(|quantity| quantity.name == name)?;
        Some((assessed.quantities[place].value, errors[place]))
    };
    for (place, passage) in encounter.passages.iter().enumerate() {
        let tracked = &setup.bodies[passage.body];
        for names in MISS {
            if let Some((miss, error)) = value(names[encounter.name_of(place)])
                && miss.abs() > MISSED * error + MISSED_SHARE * tracked.outline.reach()
            {
                return Err(format!(
                    "the flights of {} before and after do not meet: they pass each other at {:.3e} m, {:.1} deviations",
                    tracked.name,
                    miss.abs(),
                    miss.abs() / error
                ));
            }
        }
    }
    if let Some((time, error)) = value("time") {
        for pair in flights.chunks(2) {
            let (before, after) = (pair[0].flight.time, pair[1].flight.time);
            let slack = MISSED * error + 0.5 * (after - before);
            if !(before - slack..=after + slack).contains(&time) {
                return Err(format!(
                    "the flights before and after meet at {time:.4} s, not between the frames at {before:.4} and {after:.4} s"
                ));
            }
        }
    }
    Ok(())
}

/// Refuses a wall that touches a side: where on it, the turn does not say.
fn check_corner(encounter: &Encounter<'_>, setup: &Setup, flights: &[Motion]) -> Result<(), String> {
    if let ([_], [before, after]) = (&encounter.passages[..], flights)
        && setup.dimension.is_planar()
        && setup.wall.as_ref().is_some_and(|wall| wall.normal.is_some())
    {
        let reach = setup.bodies[encounter.passages[0].body].outline.reach();
        let error = before.covariance[(2, 2)].min(after.covariance[(2, 2)]).sqrt();
        let moved = encounter.wander(&parameters_of(flights), WANDER * error)?;
        if moved > 4.0 * WANDER * error * reach + 0.02 * reach {
            return Err(format!(
                "a side of the body lies on the wall within the error of its turn: the contact is anywhere on {moved:.3e} m"
            ));
        }
    }
    Ok(())
}

/// A number for a name, the same on every machine (FNV-1a).
fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
