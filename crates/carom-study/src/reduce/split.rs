//! Where a track without the column `phase` is cut into before and after.

use super::flight::Flight;
use super::frames::{Sighting, Track};
use super::motion::{Deviations, Motion, frames as count_frames};
use super::setup::Setup;

/// Frames that are looked at together; of more, some, and then all of those around the cut that these show.
const LOOKED_AT: usize = 48;
/// Frames on either side of a cut that is made more exact: few enough that twice them and the cuts between are fewer than are looked at.
const BESIDE: usize = 8;

/// The time of the first frame after the collision, common to all tracks; an error says in words why there is none.
pub(super) fn first_after(tracks: &[Track], setup: &Setup, deviations: &Deviations) -> Result<f64, String> {
    let mut times: Vec<f64> =
        tracks.iter().flat_map(|track| track.sightings.iter().map(|sighting| sighting.time)).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let too_few = || "fewer than four frames; expected at least two before and two after the collision".to_owned();
    // The frames looked at, and the cuts among them that are possible.
    let (mut frames, mut cuts) = (0..times.len(), 0..times.len());
    loop {
        let stride = frames.len().div_ceil(LOOKED_AT).max(1);
        let chosen: Vec<usize> = frames.clone().step_by(stride).collect();
        let seen: Vec<Vec<Sighting>> = tracks.iter().map(|track| at_times(track, &times, &chosen)).collect();
        let cost = |place: usize| -> Option<f64> {
            let sides = seen.iter().map(|sightings| cut(sightings, times[chosen[place]]));
            let sides: Vec<&[Sighting]> = sides.flat_map(|(before, after)| [before, after]).collect();
            let is_possible = sides.iter().all(|side| count_frames(side) >= 2);
            is_possible.then(|| sides.iter().map(|side| misfit(side, setup, deviations)).sum())
        };
        let tried = (1..chosen.len()).filter(|place| cuts.contains(&chosen[*place]));
        let best = tried.filter_map(|place| Some((place, cost(place)?))).min_by(|a, b| a.1.total_cmp(&b.1));
        let (best, _) = best.ok_or_else(too_few)?;
        if stride == 1 {
            return Ok(times[chosen[best]]);
        }
        // The neighbours as well, as a cut between two of the frames looked at can seem to be beside them.
        cuts = chosen[best.saturating_sub(2)] + 1..(chosen[best] + stride + 1).min(times.len());
        frames = cuts.start.saturating_sub(BESIDE * stride)..(cuts.end + BESIDE * stride).min(times.len());
    }
}

/// What a track shows at some of the times.
fn at_times(track: &Track, times: &[f64], chosen: &[usize]) -> Vec<Sighting> {
    let mut left = chosen.iter().map(|place| times[*place]).peekable();
    let mut seen = Vec::new();
    for sighting in &track.sightings {
        while left.next_if(|time| *time < sighting.time).is_some() {}
        if left.peek() == Some(&sighting.time) {
            seen.push(sighting.clone());
        }
    }
    seen
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
