//! Bootstrap: the fit repeated on collisions, or groups of them, drawn again with replacement.

use super::measurements::Measurements;
use super::{Fit, FitError, Settings, solve};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Estimates of repeated fits.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    /// For each repetition the estimates.
    pub samples: Vec<Vec<f64>>,
    /// Whether whole groups were drawn.
    pub by_group: bool,
}

impl Bootstrap {
    /// The interval between two percentiles of an estimate.
    pub fn interval(&self, estimate: usize, confidence: f64) -> [f64; 2] {
        let mut values: Vec<f64> = self.samples.iter().map(|sample| sample[estimate]).collect();
        values.sort_by(f64::total_cmp);
        [0.5 * (1.0 - confidence), 0.5 * (1.0 + confidence)].map(|share| percentile(&values, share))
    }

    /// The standard deviation of an estimate.
    pub fn deviation(&self, estimate: usize) -> f64 {
        let n = self.samples.len() as f64;
        let mean = self.samples.iter().map(|sample| sample[estimate]).sum::<f64>() / n;
        (self.samples.iter().map(|sample| (sample[estimate] - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt()
    }
}

/// The estimates of a repetition.
type Repeated = Result<Vec<f64>, FitError>;

/// Between sorted values, linear in their places.
fn percentile(values: &[f64], share: f64) -> f64 {
    let place = share * (values.len() - 1) as f64;
    let (below, part) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(values.len() - 1);
    values[below] + part * (values[above] - values[below])
}

/// Repeats a fit. `progress` is called with the number of repetitions that are done and stops it by `false`. Results depend on the seed
/// and not on the number of threads.
pub fn bootstrap(
    data: &Measurements,
    fit: &Fit,
    settings: &Settings,
    repetitions: usize,
    seed: u64,
    threads: usize,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Result<Bootstrap, FitError> {
    let by_group = data.group_names.len() > 1 && !fit.model.is_by_group();
    let groups = members(data);
    let bounds = fit.model.bounds(data);
    let start = fit.values();
    let repeat = |repetition: usize| -> Repeated {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(mixed(seed, repetition as u64));
        let mut draw = |count: usize| ((u128::from(random.next_u64()) * count as u128) >> 64) as usize;
        let rows: Vec<usize> = if by_group {
            (0..groups.len()).flat_map(|_| groups[draw(groups.len())].clone()).collect()
        } else {
            // A group keeps its size, so that none is left without collisions.
            groups.iter().flat_map(|own| own.iter().map(|_| own[draw(own.len())]).collect::<Vec<_>>()).collect()
        };
        let sample = data.select(&rows);
        Ok(solve(&sample, &fit.model, settings.errors, &bounds, Some(&start), 0)?.least.theta)
    };
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let results: Mutex<Vec<Option<Repeated>>> = Mutex::new((0..repetitions).map(|_| None).collect());
    let done = AtomicUsize::new(0);
    let work = || {
        loop {
            let repetition = next.fetch_add(1, Ordering::Relaxed);
            if repetition >= repetitions || stop.load(Ordering::Relaxed) {
                break;
            }
            let result = repeat(repetition);
            results.lock().unwrap_or_else(PoisonError::into_inner)[repetition] = Some(result);
            done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers(threads).min(repetitions)).map(|_| scope.spawn(work)).collect();
        while workers.iter().any(|worker| !worker.is_finished()) {
            if !progress(done.load(Ordering::Relaxed)) {
                stop.store(true, Ordering::Relaxed);
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
    });
    if stop.load(Ordering::Relaxed) {
        return Err(FitError::Stopped);
    }
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    let samples =
        results.into_iter().map(|result| result.unwrap_or(Err(FitError::Stopped))).collect::<Result<_, _>>()?;
    Ok(Bootstrap { samples, by_group })
}

/// The rows of each group.
pub(super) fn members(data: &Measurements) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); data.group_names.len()];
    for (row, group) in data.groups.iter().enumerate() {
        groups[*group].push(row);
    }
    groups
}

/// As many threads as asked for; zero stands for one for each core.
pub(super) fn workers(threads: usize) -> usize {
    if threads > 0 { threads } else { std::thread::available_parallelism().map_or(1, Into::into) }
}

/// A seed for every repetition.
fn mixed(seed: u64, repetition: u64) -> u64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    random.next_u64() ^ repetition.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}
