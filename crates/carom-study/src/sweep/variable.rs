//! The variables of a plan: what takes other values from row to row.

use super::sample::Sampling;
use statrs::function::erf::erfc_inv;

/// What takes another value from row to row. It becomes a column of the results.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// The column.
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) values: Values,
    /// The place of the dimension along which it changes.
    pub(super) dimension: usize,
}

/// The values of a variable.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// Numbers along its dimension.
    Numbers(Vec<f64>),
    /// From the first to the last in equal steps.
    Linspace { first: f64, last: f64, count: u64 },
    /// From the first to the last by equal factors.
    Logspace { first: f64, last: f64, count: u64 },
    /// Words along its dimension.
    Words(Vec<String>),
    /// Samples: the distribution, and the number of this variable among those that are sampled.
    Sampled(Distribution, usize),
}

/// The distribution of a sampled variable.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Distribution {
    /// Even between two numbers.
    Uniform { low: f64, high: f64 },
    /// Normal, by mean and standard deviation.
    Normal { mean: f64, deviation: f64 },
    /// Its logarithm is normal, with this mean and standard deviation.
    Lognormal { mean: f64, deviation: f64 },
}

/// How samples are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub(super) sampling: Sampling,
    pub(super) seed: u64,
    pub(super) samples: u64,
}

impl Distribution {
    /// The value below which this share of all lies.
    fn quantile(self, share: f64) -> f64 {
        match self {
            Distribution::Uniform { low, high } => low + (high - low) * share,
            Distribution::Normal { mean, deviation } => mean + deviation * normal_quantile(share),
            Distribution::Lognormal { mean, deviation } => (mean + deviation * normal_quantile(share)).exp(),
        }
    }
}

fn normal_quantile(share: f64) -> f64 {
    -std::f64::consts::SQRT_2 * erfc_inv(2.0 * share)
}

impl Values {
    /// How many there are; `None` of samples, of which there are as many as the plan says.
    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Values::Numbers(values) => Some(values.len() as u64),
            Values::Words(words) => Some(words.len() as u64),
            Values::Linspace { count, .. } | Values::Logspace { count, .. } => Some(*count),
            Values::Sampled(..) => None,
        }
    }

    /// The words, if they are words.
    pub(super) fn words(&self) -> Option<&[String]> {
        match self {
            Values::Words(words) => Some(words),
            _ => None,
        }
    }

    /// The value at a place of its dimension; of words, their place.
    pub(super) fn number(&self, place: u64, draw: &Draw) -> f64 {
        match self {
            Values::Numbers(values) => values[place as usize],
            Values::Words(_) => place as f64,
            Values::Linspace { first, last, count } => between(*first, *last, place, *count),
            Values::Logspace { first, last, count } => {
                if place == 0 {
                    *first
                } else if place + 1 == *count {
                    *last
                } else {
                    between(first.ln(), last.ln(), place, *count).exp()
                }
            }
            Values::Sampled(distribution, variable) => {
                distribution.quantile(draw.sampling.number(draw.seed, *variable, place, draw.samples))
            }
        }
    }
}

/// The k-th of equally spaced numbers; the ends to the last bit.
fn between(first: f64, last: f64, place: u64, count: u64) -> f64 {
    if count < 2 || place == 0 {
        return first;
    }
    if place + 1 == count {
        return last;
    }
    let share = place as f64 / (count - 1) as f64;
    first + (last - first) * share
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAW: Draw = Draw { sampling: Sampling::Random, seed: 1, samples: 100 };

    #[test]
    fn ends_are_exact_and_steps_are_even() {
        let tenth = Values::Linspace { first: 0.0, last: 0.3, count: 4 };
        let values: Vec<f64> = (0..4).map(|k| tenth.number(k, &DRAW)).collect();
        assert_eq!((values[0], values[3]), (0.0, 0.3));
        assert!((values[1] - 0.1).abs() < 1e-16 && (values[2] - 0.2).abs() < 1e-16);
        let decades = Values::Logspace { first: 1e-3, last: 1e3, count: 7 };
        for k in 0..7 {
            let expected = 10_f64.powi(k as i32 - 3);
            assert!((decades.number(k, &DRAW) / expected - 1.0).abs() < 1e-14);
        }
        assert_eq!(Values::Linspace { first: 2.0, last: 5.0, count: 1 }.number(0, &DRAW), 2.0);
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        // Abramowitz & Stegun, table 26.5.
        for (share, value) in [(0.5, 0.0), (0.975, 1.959_963_985), (0.001, -3.090_232_306), (0.999_999, 4.753_424_309)]
        {
            assert!((normal_quantile(share) - value).abs() < 1e-8, "{share}");
        }
        assert_eq!(Distribution::Uniform { low: -1.0, high: 3.0 }.quantile(0.25), 0.0);
        let median = Distribution::Lognormal { mean: 0.5_f64.ln(), deviation: 2.0 }.quantile(0.5);
        assert!((median - 0.5).abs() < 1e-15);
    }
}
