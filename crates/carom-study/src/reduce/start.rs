//! A first guess of a flight that a third of outliers does not spoil.

use super::flight::Flight;
use super::frames::{Seen, Sighting};
use carom::sim::{Pose, State};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::{PI, TAU};

/// Spins that are tried to either side, at most, and for each turn over the length of the flight.
const MOST_SPINS: f64 = 2e4;
const STEPS: f64 = 8.0;
/// A spin on this grid agrees with the angles nearly as well as the peak beside it.
const NEAR_PEAK: f64 = 0.85;
/// Squared errors of angles, in variances, by which spins that look alike differ.
const ALIKE: f64 = 30.0;

/// Frames of a first look at the spin.
const FIRST_FRAMES: usize = 64;

/// A frame that shows the whole pose.
struct Posed {
    time: f64,
    pose: Pose,
}

/// Position, turn, velocity and spin at the flight's time.
pub(super) fn guess(flight: &Flight, sightings: &[Sighting]) -> Result<State, String> {
    let mut posed: Vec<Posed> = Vec::new();
    for frame in sightings.chunk_by(|a, b| a.time == b.time) {
        posed.extend(pose_of(flight, frame).map(|pose| Posed { time: frame[0].time, pose }));
    }
    if posed.len() < 2 {
        return Err("fewer than two frames show how the body is turned".to_owned());
    }
    let spin = if flight.dimension.is_planar() { planar_spin(&posed) } else { spatial_spin(&posed) };
    let half = posed.len() / 2;
    let fall = |time: f64| flight.forces.gravity * (0.5 * (time - flight.time).powi(2));
    let straight: Vec<(f64, Vector3<f64>)> =
        posed.iter().map(|frame| (frame.time, frame.pose.position - fall(frame.time))).collect();
    let slopes = |axis: usize| {
        let pairs = (0..posed.len() - half).map(|k| (&straight[k], &straight[k + half]));
        median(pairs.map(|(a, b)| (b.1[axis] - a.1[axis]) / (b.0 - a.0)).collect())
    };
    let velocity = Vector3::from_fn(|axis, _| slopes(axis));
    let position = Vector3::from_fn(|axis, _| {
        median(straight.iter().map(|(time, at)| at[axis] - velocity[axis] * (time - flight.time)).collect())
    });
    let turned_back =
        |frame: &Posed| UnitQuaternion::from_scaled_axis(spin * (flight.time - frame.time)) * frame.pose.orientation;
    let orientation = middle_turn(&posed.iter().map(turned_back).collect::<Vec<_>>());
    Ok(State { pose: Pose { position, orientation }, velocity, angular_velocity: spin })
}

/// The pose that a frame shows.
fn pose_of(flight: &Flight, frame: &[Sighting]) -> Option<Pose> {
    let points: Vec<(Vector3<f64>, Vector3<f64>)> = frame
        .iter()
        .filter_map(|sighting| match &sighting.seen {
            Seen::Point { arm, at } => Some((*arm, *at)),
            _ => None,
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    let count = points.len() as f64;
    let arm = points.iter().map(|point| point.0).sum::<Vector3<f64>>() / count;
    let at = points.iter().map(|point| point.1).sum::<Vector3<f64>>() / count;
    let given = frame.iter().find_map(|sighting| match sighting.seen {
        Seen::Angle(angle) => Some(UnitQuaternion::from_scaled_axis(Vector3::z() * angle)),
        Seen::Orientation(turn) => Some(turn),
        Seen::Point { .. } => None,
    });
    let orientation = given.or_else(|| {
        let spread: Matrix3<f64> = points.iter().map(|(s, p)| (p - at) * (s - arm).transpose()).sum();
        if flight.dimension.is_planar() {
            let (sin, cos) = (spread[(1, 0)] - spread[(0, 1)], spread[(0, 0)] + spread[(1, 1)]);
            let size = points.iter().map(|(s, _)| (s - arm).norm()).fold(0.0, f64::max);
            return (size > 0.0 && sin.hypot(cos) > 0.0)
                .then(|| UnitQuaternion::from_scaled_axis(Vector3::z() * sin.atan2(cos)));
        }
        nearest_turn(&spread)
    })?;
    Some(Pose { position: at - orientation * arm, orientation })
}

/// The turn R that makes tr(Rᵀ S) largest (W. Kabsch); nothing where points in a row leave it open.
fn nearest_turn(spread: &Matrix3<f64>) -> Option<UnitQuaternion<f64>> {
    let factors = spread.svd(true, true);
    let (u, vt) = (factors.u?, factors.v_t?);
    let sizes = factors.singular_values;
    if sizes[1] <= 1e-9 * sizes[0] {
        return None;
    }
    let sign = (u * vt).determinant().signum();
    let turn = u * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, sign)) * vt;
    Some(UnitQuaternion::from_matrix(&turn))
}

/// The spin about z, up to half a turn in the least interval, that brings most angles together. Of spins that agree with the angles as well as
/// their errors allow the smallest is meant: two frames that are close in time say little, and even frames beside them leave many.
///
/// The first frames give it roughly; twice as many again and again make it exact, so that the work grows as the number of frames.
fn planar_spin(posed: &[Posed]) -> Vector3<f64> {
    let angles: Vec<(f64, f64)> =
        posed.iter().map(|frame| (frame.time - posed[0].time, frame.pose.orientation.scaled_axis().z)).collect();
    if posed.len() == 2 {
        let turned = angles[1].1 - angles[0].1;
        return Vector3::z() * ((turned - TAU * (turned / TAU).round()) / angles[1].0);
    }
    let least = posed.windows(2).map(|pair| pair[1].time - pair[0].time).fold(f64::INFINITY, f64::min);
    let mut count = posed.len().min(FIRST_FRAMES);
    let (mut spin, mut range) = (0.0, PI / least);
    loop {
        let some = &angles[..count];
        spin = smallest_alike(some, spin, range);
        if count == posed.len() {
            return Vector3::z() * spin;
        }
        // So few frames leave half a turn over their length open, at most.
        range = PI / some[count - 1].0;
        count = (2 * count).min(posed.len());
    }
}

/// Of the spins within a range about a middle one that agree with the angles best, up to their errors, the one nearest to the middle.
fn smallest_alike(angles: &[(f64, f64)], middle: f64, range: f64) -> f64 {
    let span = angles[angles.len() - 1].0;
    let step = TAU / (STEPS * span);
    let tried = (range / step).ceil().clamp(2.0, MOST_SPINS) as usize;
    let at = |place: usize| middle + (place as f64 - tried as f64) * step;
    let values: Vec<f64> = (0..=2 * tried).map(|place| together(angles, at(place))).collect();
    let refined = |place: usize| {
        let (mut low, mut high) = (at(place) - step, at(place) + step);
        for _ in 0..60 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if together(angles, a) < together(angles, b) { low = a } else { high = b }
        }
        0.5 * (low + high)
    };
    let most = (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(tried);
    let best = refined(most);
    let agreement = together(angles, best);
    // A sum of squared errors larger by this is still one of the errors.
    // Few angles scatter less about their best spin than their errors are.
    let few = angles.len() as f64 / (angles.len() - 2) as f64;
    let variance = (few * scatter(angles, best)).powi(2);
    let allowed = agreement - 0.5 * ALIKE * variance - 1e-9 * agreement;
    let is_peak = |place: usize| {
        let value = values[place];
        let beside = [place.checked_sub(1), Some(place + 1)].into_iter().flatten().filter_map(|k| values.get(k));
        value >= NEAR_PEAK * agreement && beside.into_iter().all(|other| *other <= value)
    };
    for distance in 0..=tried {
        for place in [tried + distance, tried - distance] {
            if is_peak(place) {
                let spin = refined(place);
                if together(angles, spin) >= allowed {
                    return spin;
                }
            }
        }
    }
    best
}

/// The deviation of angles from a spin, robust against a third of outliers.
fn scatter(angles: &[(f64, f64)], spin: f64) -> f64 {
    let turned: Vec<f64> = angles.iter().map(|(time, angle)| angle - spin * time).collect();
    let (cos, sin) = turned.iter().fold((0.0, 0.0), |(cos, sin), angle| (cos + angle.cos(), sin + angle.sin()));
    let mean = f64::atan2(sin, cos);
    let off = |angle: &f64| {
        let off = angle - mean;
        (off - TAU * (off / TAU).round()).abs()
    };
    // Of a normal distribution half lies within 0.6745 deviations.
    median(turned.iter().map(off).collect()) / 0.6745
}

/// How well angles at times agree with a spin: the length of the sum of their directions, turned back.
fn together(angles: &[(f64, f64)], spin: f64) -> f64 {
    let (cos, sin) = angles.iter().fold((0.0, 0.0), |(cos, sin), (time, angle)| {
        let turned = angle - spin * time;
        (cos + turned.cos(), sin + turned.sin())
    });
    f64::hypot(cos, sin)
}

/// The median of the spins from frame to frame, each less than half a turn.
fn spatial_spin(posed: &[Posed]) -> Vector3<f64> {
    let spins: Vec<Vector3<f64>> = posed
        .windows(2)
        .map(|pair| {
            let turned = pair[1].pose.orientation * pair[0].pose.orientation.inverse();
            turned.scaled_axis() / (pair[1].time - pair[0].time)
        })
        .collect();
    Vector3::from_fn(|axis, _| median(spins.iter().map(|spin| spin[axis]).collect()))
}

/// Of some turns the one that is least far from the others.
fn middle_turn(turns: &[UnitQuaternion<f64>]) -> UnitQuaternion<f64> {
    // A few say as much as all.
    let stride = turns.len().div_ceil(50);
    let some: Vec<_> = turns.iter().step_by(stride).collect();
    let far = |turn: &UnitQuaternion<f64>| some.iter().map(|other| other.angle_to(turn)).sum::<f64>();
    let least = some.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
    least.map_or_else(UnitQuaternion::identity, |turn| **turn)
}

pub(super) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let n = numbers.len();
    if n == 0 { f64::NAN } else { 0.5 * (numbers[(n - 1) / 2] + numbers[n / 2]) }
}
