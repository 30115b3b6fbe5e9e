//! Position, velocity and spin of a body by regression on its sightings, which may contain outliers.

use super::flight::Flight;
use super::frames::{Seen, Sighting};
use super::place::{self, Place};
use super::start;
use carom::sim::State;
use nalgebra::{DMatrix, DVector, UnitQuaternion, Vector3};
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// Standard deviations of what was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Deviations {
    /// Of a coordinate, m.
    pub coordinate: f64,
    /// Of an angle, rad.
    pub angle: f64,
}

/// A body's flight on one side of a collision.
#[derive(Clone, Debug)]
pub struct Motion {
    /// Its equations.
    pub flight: Flight,
    /// Its parameters.
    pub parameters: DVector<f64>,
    /// Their covariance.
    pub covariance: DMatrix<f64>,
    /// How they change with each measured number, in the order of `measured`.
    pub gain: DMatrix<f64>,
    /// The sightings that count, in the order of time.
    pub used: Vec<Sighting>,
    /// The sightings that were rejected as outliers.
    pub rejected: Vec<Sighting>,
    /// What is measured by `used`, number by number.
    pub measured: Vec<Measured>,
    /// Measured less predicted, in deviations, number by number.
    pub residuals: Vec<f64>,
    /// How much each number draws the flight to itself, from 0 to 1.
    pub leverages: Vec<f64>,
    /// Numbers beyond the parameters.
    pub freedom: usize,
}

/// What kind of number a sighting gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measured {
    /// m.
    Coordinate,
    /// rad.
    Angle,
}

/// Gauss–Newton steps; the first guess is near and the problem almost linear.
const STEPS: usize = 30;
/// Steps below this share of the standard deviations end a descent: their effect on results is a millionth of their errors.
const SMALL_STEP: f64 = 1e-6;
/// Rounds of the robust fit.
const ROUNDS: usize = 20;
/// Where the loss of J. W. Tukey stops to grow, in standard deviations: 95 % efficiency for normal errors.
const BIWEIGHT: f64 = 4.685;
/// Sightings less probable than this are rejected: one good one in a hundred thousand.
const REJECTED: f64 = 1e-5;
/// Of a side's sightings, at most this share can be outliers; with more of them nothing says which ones are right.
const MOST_REJECTED: f64 = 1.0 / 3.0;

impl Deviations {
    fn of(&self, measured: Measured) -> f64 {
        match measured {
            Measured::Coordinate => self.coordinate,
            Measured::Angle => self.angle,
        }
    }
}

impl Motion {
    /// The flight through the sightings of one side, with its parameters at a time. An error says in words why there is none.
    pub fn fit(flight: &Flight, sightings: &[Sighting], deviations: &Deviations) -> Result<Motion, String> {
        let frames = frames(sightings);
        if frames < 2 {
            let count = if frames == 1 { "one frame" } else { "no frame" };
            return Err(format!("{count}; expected at least two"));
        }
        let first = start::guess(flight, sightings)?;
        let flight = Flight { orientation: first.pose.orientation, ..flight.clone() };
        let mut problem = Problem { flight: &flight, sightings, deviations, weights: vec![1.0; sightings.len()] };
        let mut q = flight.of_state(&first);
        for _ in 0..ROUNDS {
            let sizes = problem.sizes(&q);
            let weights = sizes.iter().map(|(size, count)| biweight(size / (*count as f64).sqrt()));
            let weights: Vec<f64> = weights.collect();
            let change = weights.iter().zip(&problem.weights).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            problem.weights = weights;
            if !problem.is_determined(&q) {
                // The first guess is too far off for the loss: all count until they agree.
                problem.weights = vec![1.0; sightings.len()];
                q = problem.descend(q)?;
                break;
            }
            q = problem.descend(q)?;
            if change < 1e-3 {
                break;
            }
        }
        // Those that the robust fit cannot explain are left out; the rest counts in full.
        for _ in 0..ROUNDS {
            let sizes = problem.sizes(&q);
            let weights: Vec<f64> = sizes.iter().map(|(size, count)| f64::from(size * size <= limit(*count))).collect();
            let settled = weights == problem.weights;
            problem.weights = weights;
            if settled {
                break;
            }
            if !problem.is_determined(&q) {
                return Err(problem.not_rigid());
            }
            q = problem.descend(q)?;
        }
        problem.finish(q)
    }

    /// The state at a time.
    pub fn state(&self, time: f64) -> State {
        self.flight.state(&self.parameters, time)
    }

    /// The same regression on other numbers for what is used: `noise` is added to what the flight predicts.
    pub fn redrawn(&self, deviations: &Deviations, noise: &mut dyn FnMut() -> f64) -> Option<DVector<f64>> {
        let mut sightings = self.used.clone();
        for sighting in &mut sightings {
            let pose = self.state(sighting.time).pose;
            match &mut sighting.seen {
                Seen::Point { arm, at } => {
                    let errors = Vector3::from_fn(|axis, _| {
                        if axis == 2 && self.flight.dimension.is_planar() {
                            0.0
                        } else {
                            deviations.coordinate * noise()
                        }
                    });
                    *at = pose.point(arm) + errors;
                }
                Seen::Angle(angle) => *angle = pose.orientation.scaled_axis().z + deviations.angle * noise(),
                Seen::Orientation(turn) => {
                    let error = Vector3::from_fn(|_, _| deviations.angle * noise());
                    *turn = UnitQuaternion::from_scaled_axis(error) * pose.orientation;
                }
            }
        }
        let weights = vec![1.0; sightings.len()];
        let problem = Problem { flight: &self.flight, sightings: &sightings, deviations, weights };
        problem.descend(self.parameters.clone()).ok()
    }

    /// Σ(residual/deviation)².
    pub fn squares(&self) -> f64 {
        self.residuals.iter().map(|residual| residual * residual).sum()
    }

    /// The probability of residuals at least as large.
    pub fn tail(&self) -> f64 {
        match ChiSquared::new(self.freedom as f64) {
            Ok(law) if self.freedom > 0 => law.sf(self.squares()),
            _ => 1.0,
        }
    }

    /// The frames that count.
    pub fn frames(&self) -> usize {
        frames(&self.used)
    }

    /// The least time between two frames, s.
    pub fn least_interval(&self) -> f64 {
        let times: Vec<f64> = times(&self.used).collect();
        times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min)
    }

    /// Whether all intervals are multiples of the least one, so that spins that differ by a turn in it look alike. Within `tolerance`, rad.
    pub fn is_strobed(&self, tolerance: f64) -> bool {
        let least = self.least_interval();
        let first = self.used.first().map_or(0.0, |sighting| sighting.time);
        times(&self.used).all(|time| {
            let turns = (time - first) / least;
            (turns - turns.round()).abs() * std::f64::consts::TAU <= tolerance
        })
    }
}

/// The different times of sightings.
fn times(sightings: &[Sighting]) -> impl Iterator<Item = f64> {
    let mut last = f64::NAN;
    sightings.iter().map(|sighting| sighting.time).filter(move |time| {
        let differs = *time != last;
        last = *time;
        differs
    })
}

/// How many frames sightings are from.
pub(super) fn frames(sightings: &[Sighting]) -> usize {
    times(sightings).count()
}

fn biweight(size: f64) -> f64 {
    let inside = 1.0 - (size / BIWEIGHT).powi(2);
    if inside > 0.0 { inside * inside } else { 0.0 }
}

/// The limit of Σ(residual/deviation)² beyond which a sighting of `count` numbers is rejected.
fn limit(count: usize) -> f64 {
    ChiSquared::new(count as f64).map_or(f64::INFINITY, |law| law.inverse_cdf(1.0 - REJECTED))
}

/// A weighted regression.
struct Problem<'a> {
    flight: &'a Flight,
    sightings: &'a [Sighting],
    deviations: &'a Deviations,
    weights: Vec<f64>,
}

impl Problem<'_> {
    fn kinds(&self, sighting: &Sighting) -> (Measured, usize) {
        match sighting.seen {
            Seen::Point { .. } => (Measured::Coordinate, if self.flight.dimension.is_planar() { 2 } else { 3 }),
            Seen::Angle(_) => (Measured::Angle, 1),
            Seen::Orientation(_) => (Measured::Angle, 3),
        }
    }

    /// Measured less predicted, in standard deviations, of all sightings.
    fn residuals(&self, q: &DVector<f64>) -> Vec<f64> {
        let mut all = Vec::with_capacity(3 * self.sightings.len());
        let mut pose = self.flight.state(q, self.flight.time).pose;
        let mut time = self.flight.time;
        for sighting in self.sightings {
            if sighting.time != time {
                time = sighting.time;
                pose = self.flight.state(q, time).pose;
            }
            let (measured, count) = self.kinds(sighting);
            let difference = match &sighting.seen {
                Seen::Point { arm, at } => at - pose.point(arm),
                Seen::Angle(angle) => {
                    let turned = UnitQuaternion::from_scaled_axis(Vector3::z() * *angle);
                    Vector3::x() * (turned * pose.orientation.inverse()).scaled_axis().z
                }
                Seen::Orientation(turn) => (turn * pose.orientation.inverse()).scaled_axis(),
            };
            let deviation = self.deviations.of(measured);
            all.extend(difference.iter().take(count).map(|number| number / deviation));
        }
        all
    }

    /// The length of each sighting's residuals, and how many there are.
    fn sizes(&self, q: &DVector<f64>) -> Vec<(f64, usize)> {
        let residuals = self.residuals(q);
        let mut place = 0;
        let sizes = self.sightings.iter().map(|sighting| {
            let (_, count) = self.kinds(sighting);
            place += count;
            (residuals[place - count..place].iter().map(|r| r * r).sum::<f64>().sqrt(), count)
        });
        sizes.collect()
    }

    /// The square root of the weight of every number.
    fn roots(&self) -> Vec<f64> {
        let weighted = self.sightings.iter().zip(&self.weights);
        weighted.flat_map(|(sighting, weight)| std::iter::repeat_n(weight.sqrt(), self.kinds(sighting).1)).collect()
    }

    /// Weighted derivatives of the predictions, in standard deviations.
    fn slopes(&self, q: &DVector<f64>) -> DMatrix<f64> {
        let roots = self.roots();
        let mut slopes = DMatrix::zeros(roots.len(), q.len());
        for k in 0..q.len() {
            // Residuals are almost linear: a step of a millionth of the size keeps ten digits.
            let step = 1e-6 * (1.0 + q[k].abs());
            let mut moved = q.clone();
            moved[k] = q[k] + step;
            let ahead = self.residuals(&moved);
            moved[k] = q[k] - step;
            let behind = self.residuals(&moved);
            for (place, root) in roots.iter().enumerate() {
                slopes[(place, k)] = root * (behind[place] - ahead[place]) / (2.0 * step);
            }
        }
        slopes
    }

    /// Whether what counts determines all parameters.
    fn is_determined(&self, q: &DVector<f64>) -> bool {
        normal_inverse(&self.slopes(q)).is_some()
    }

    fn cost(&self, q: &DVector<f64>) -> f64 {
        self.residuals(q).iter().zip(self.roots()).map(|(r, root)| (r * root).powi(2)).sum()
    }

    /// Gauss–Newton, with halved steps where a whole one leads up.
    fn descend(&self, mut q: DVector<f64>) -> Result<DVector<f64>, String> {
        let undetermined = || "the frames that count do not show how the body moves".to_owned();
        let mut cost = self.cost(&q);
        for _ in 0..STEPS {
            let slopes = self.slopes(&q);
            let inverse = normal_inverse(&slopes).ok_or_else(undetermined)?;
            let weighted = self.residuals(&q).iter().zip(self.roots()).map(|(r, root)| r * root).collect::<Vec<_>>();
            let step = &inverse * slopes.tr_mul(&DVector::from_vec(weighted));
            let size = (0..q.len()).map(|k| step[k].abs() / inverse[(k, k)].sqrt()).fold(0.0, f64::max);
            if !size.is_finite() {
                return Err(undetermined());
            }
            let mut share = 1.0;
            let (next, lower) = loop {
                let next = &q + &step * share;
                let lower = self.cost(&next);
                if lower <= cost || share < 1e-3 {
                    break (next, lower);
                }
                share *= 0.5;
            };
            if lower > cost {
                return Ok(q);
            }
            (q, cost) = (next, lower);
            if size * share <= SMALL_STEP {
                break;
            }
        }
        Ok(q)
    }

    /// Why most sightings were rejected, in words.
    fn not_rigid(&self) -> String {
        let weighted = self.sightings.iter().zip(&self.weights);
        let rejected: Vec<Sighting> =
            weighted.filter(|(_, weight)| **weight == 0.0).map(|(sighting, _)| sighting.clone()).collect();
        let places = places_of(&rejected);
        let (some, all) = (rejected.len(), self.sightings.len());
        let deviation = self.deviations.coordinate;
        format!(
            "{some} of {all} sightings do not fit one flight of a rigid body ({places}), with a deviation of {deviation:.2e} m"
        )
    }

    fn finish(&self, q: DVector<f64>) -> Result<Motion, String> {
        let of = |keep: bool| {
            let weighted = self.sightings.iter().zip(&self.weights);
            weighted.filter(move |(_, weight)| (**weight > 0.0) == keep).map(|(sighting, _)| sighting.clone())
        };
        let (used, rejected): (Vec<Sighting>, Vec<Sighting>) = (of(true).collect(), of(false).collect());
        if rejected.len() as f64 > MOST_REJECTED * self.sightings.len() as f64 {
            return Err(self.not_rigid());
        }
        let kept = Problem {
            flight: self.flight,
            sightings: &used,
            deviations: self.deviations,
            weights: vec![1.0; used.len()],
        };
        let slopes = kept.slopes(&q);
        let covariance = normal_inverse(&slopes).ok_or("the frames that count do not show how the body moves")?;
        let measured: Vec<Measured> = used
            .iter()
            .flat_map(|sighting| {
                let (measured, count) = kept.kinds(sighting);
                std::iter::repeat_n(measured, count)
            })
            .collect();
        let mut gain = &covariance * slopes.transpose();
        let leverages =
            (0..measured.len()).map(|place| slopes.row(place).transpose().dot(&gain.column(place))).collect();
        for (place, measured) in measured.iter().enumerate() {
            gain.column_mut(place).scale_mut(self.deviations.of(*measured).recip());
        }
        let (residuals, freedom) = (kept.residuals(&q), measured.len().saturating_sub(q.len()));
        Ok(Motion {
            flight: self.flight.clone(),
            parameters: q,
            covariance,
            gain,
            used,
            rejected,
            measured,
            residuals,
            leverages,
            freedom,
        })
    }
}

/// Places of sightings in words.
pub(super) fn places_of(sightings: &[Sighting]) -> String {
    const MOST: usize = 8;
    let mut places: Vec<Place> = sightings.iter().map(|sighting| sighting.place).collect();
    places.dedup();
    place::listed(&places, MOST)
}

/// The inverse of AᵀA; nothing where its columns are not independent.
fn normal_inverse(slopes: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    // Of the square of a column, what must be left of it beside the others.
    const INDEPENDENT: f64 = 1e-12;
    let normal = slopes.tr_mul(slopes);
    let scales: Vec<f64> = (0..normal.nrows()).map(|k| normal[(k, k)].sqrt().recip()).collect();
    if scales.iter().any(|scale| !scale.is_finite()) {
        return None;
    }
    let scaled = DMatrix::from_fn(normal.nrows(), normal.nrows(), |i, j| normal[(i, j)] * scales[i] * scales[j]);
    let factor = scaled.cholesky()?;
    if factor.l_dirty().diagonal().iter().any(|entry| entry * entry < INDEPENDENT) {
        return None;
    }
    let inverse = factor.inverse();
    Some(DMatrix::from_fn(normal.nrows(), normal.nrows(), |i, j| inverse[(i, j)] * scales[i] * scales[j]))
}
