//! Where a track without the column `phase` is cut into before and after.

use super::flight::Flight;
use super::frames::{Sighting, Track};
use super::motion::{Deviations, Motion, frames};
use super::setup::Setup;

/// Cuts that are tried first; the others only beside the best of them.
const FIRST: usize = 40;

/// The time of the first frame after the collision, common to all tracks; an error says in words why there is none.
pub(super) fn first_after(tracks: &[Track], setup: &Setup, deviations: &Deviations) -> Result<f64, String> {
    let mut times: Vec<f64> =
        tracks.iter().flat_map(|track| track.sightings.iter().map(|sighting| sighting.time)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let possible: Vec<f64> =
        times.iter().copied().filter(|time| tracks.iter().all(|track| is_possible(track, *time))).collect();
    match possible[..] {
        [] => return Err("fewer than four frames; expected at least two before and two after the collision".to_owned()),
        [only] => return Ok(only),
        _ => {}
    }
    let cost = |time: f64| -> f64 {
        let sides = tracks.iter().flat_map(|track| {
            let (before, after) = cut(&track.sightings, time);
            [misfit(before, setup, deviations), misfit(after, setup, deviations)]
        });
        sides.sum()
    };
    let stride = possible.len().div_ceil(FIRST);
    let best = |places: &mut dyn Iterator<Item = usize>| {
        places.map(|place| (place, cost(possible[place]))).min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |best| best.0)
    };
    let rough = best(&mut (0..possible.len()).step_by(stride));
    let fine = rough.saturating_sub(stride)..(rough + stride + 1).min(possible.len());
    Ok(possible[if stride == 1 { rough } else { best(&mut fine.into_iter()) }])
}

fn is_possible(track: &Track, time: f64) -> bool {
    let (before, after) = cut(&track.sightings, time);
    frames(before) >= 2 && frames(after) >= 2
}

/// The sightings before a time, and the others.
pub(super) fn cut(sightings: &[Sighting], time: f64) -> (&[Sighting], &[Sighting]) {
    sightings.split_at(sightings.partition_point(|sighting| sighting.time < time))
}

/// How badly one flight fits: what it cannot explain counts as much as its rejection costs.
fn misfit(sightings: &[Sighting], setup: &Setup, deviations: &Deviations) -> f64 {
    /// Σ(residual/deviation)² at which a sighting is rejected.
    const REJECTED: f64 = 23.0;
    let time = sightings.first().map_or(0.0, |sighting| sighting.time);
    let flight = Flight {
        dimension: setup.dimension,
        forces: setup.forces.clone(),
        time,
        orientation: nalgebra::UnitQuaternion::identity(),
    };
    match Motion::fit(&flight, sightings, deviations) {
        Ok(motion) => motion.squares() + REJECTED * motion.rejected.len() as f64,
        Err(_) => 2.0 * REJECTED * sightings.len() as f64,
    }
}
