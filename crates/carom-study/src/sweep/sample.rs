//! Numbers in (0, 1) that are functions of the seed, the variable and the number of the sample, so that they do not depend on the order
//! in which rows are computed.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// How samples are spread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sampling {
    /// Independent random numbers.
    #[default]
    Random,
    /// Sobol's sequence, shifted digit by digit by the seed.
    Sobol,
    /// Latin hypercubes: of N samples one lies in each N-th of every variable.
    Latin,
}

impl Sampling {
    pub(super) const WORDS: [&str; 3] = ["random", "sobol", "latin"];

    pub(super) fn of_word(word: &str) -> Option<Sampling> {
        let place = Sampling::WORDS.iter().position(|known| *known == word)?;
        Some([Sampling::Random, Sampling::Sobol, Sampling::Latin][place])
    }

    /// The number of a sample for a variable.
    pub(super) fn number(self, seed: u64, variable: usize, sample: u64, samples: u64) -> f64 {
        let random = || bits(seed, variable as u64, sample);
        match self {
            Sampling::Random => middle(random() >> (64 - DIGITS)),
            Sampling::Sobol => {
                let shift = bits(seed, variable as u64, u64::MAX) >> (64 - DIGITS);
                middle(sobol(variable, sample) ^ shift)
            }
            Sampling::Latin => {
                let stratum = permuted(seed ^ bits(seed, variable as u64, u64::MAX), sample, samples);
                let number = (stratum as f64 + middle(random() >> (64 - DIGITS))) / samples as f64;
                number.min(1.0 - f64::EPSILON)
            }
        }
    }
}

/// The binary digits of a number.
const DIGITS: u32 = 53;

/// The middle of one of 2⁵³ equal parts of (0, 1).
fn middle(part: u64) -> f64 {
    // The last part's middle would round to 1.
    ((part as f64 + 0.5) / (1_u64 << DIGITS) as f64).min(1.0 - 0.5 * f64::EPSILON)
}

/// 64 random bits.
fn bits(seed: u64, variable: u64, sample: u64) -> u64 {
    let scrambled = |seed: u64| SplitMix64::seed_from_u64(seed).next_u64();
    scrambled(scrambled(scrambled(seed) ^ variable) ^ sample)
}

/// Primitive polynomials, their bits as those of a number, and the initial direction numbers of S. Joe and F. Y. Kuo, "Constructing
/// Sobol' sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008).
const DIRECTIONS: [(u64, &[u64]); 24] = [
    (1, &[1]),
    (3, &[1]),
    (7, &[1, 3]),
    (11, &[1, 3, 1]),
    (13, &[1, 1, 1]),
    (19, &[1, 1, 3, 3]),
    (25, &[1, 3, 5, 13]),
    (37, &[1, 1, 5, 5, 17]),
    (41, &[1, 1, 5, 5, 5]),
    (47, &[1, 1, 7, 11, 19]),
    (55, &[1, 1, 5, 1, 1]),
    (59, &[1, 1, 1, 3, 11]),
    (61, &[1, 3, 5, 5, 31]),
    (67, &[1, 3, 3, 9, 7, 49]),
    (91, &[1, 1, 1, 15, 21, 21]),
    (97, &[1, 3, 1, 13, 27, 49]),
    (103, &[1, 1, 1, 15, 7, 5]),
    (109, &[1, 3, 1, 15, 13, 25]),
    (115, &[1, 1, 5, 5, 19, 61]),
    (131, &[1, 3, 7, 11, 23, 15, 103]),
    (137, &[1, 3, 7, 13, 13, 15, 69]),
    (143, &[1, 1, 3, 13, 7, 35, 63]),
    (145, &[1, 3, 5, 9, 1, 25, 53]),
    (157, &[1, 3, 1, 13, 9, 35, 107]),
];

/// The variables that Sobol's sequence has directions for.
pub(super) const SOBOL_VARIABLES: usize = DIRECTIONS.len();

/// The directions of each variable, binary fractions of 53 digits.
static TABLE: [[u64; DIGITS as usize]; SOBOL_VARIABLES] = table();

const fn table() -> [[u64; DIGITS as usize]; SOBOL_VARIABLES] {
    let mut table = [[0; DIGITS as usize]; SOBOL_VARIABLES];
    let mut variable = 0;
    while variable < SOBOL_VARIABLES {
        let (polynomial, first) = DIRECTIONS[variable];
        let mut k = 0;
        while k < DIGITS as usize {
            let m = if variable == 0 {
                1
            } else if k < first.len() {
                first[k]
            } else {
                // m_k = 2^d m_(k−d) ⊕ m_(k−d) ⊕ Σ 2^i a_i m_(k−i), with the coefficients a_i of the polynomial.
                let degree = first.len();
                let mut m = table[variable][k - degree] ^ (table[variable][k - degree] << degree);
                let mut i = 1;
                while i < degree {
                    if polynomial >> (degree - i) & 1 == 1 {
                        m ^= table[variable][k - i] << i;
                    }
                    i += 1;
                }
                m
            };
            table[variable][k] = m;
            k += 1;
        }
        k = 0;
        while k < DIGITS as usize {
            table[variable][k] <<= DIGITS as usize - 1 - k;
            k += 1;
        }
        variable += 1;
    }
    table
}

/// A point of Sobol's sequence, in the order of Gray's code.
fn sobol(variable: usize, sample: u64) -> u64 {
    let mut code = sample ^ (sample >> 1);
    let mut point = 0;
    while code != 0 {
        point ^= TABLE[variable][code.trailing_zeros() as usize];
        code &= code - 1;
    }
    point
}

/// A random permutation of the numbers below `count`, at a place: rounds of Feistel's cipher on the smallest even number of bits that
/// holds them, until the result is one of them.
fn permuted(key: u64, place: u64, count: u64) -> u64 {
    let half = u64::BITS.saturating_sub(count.saturating_sub(1).leading_zeros()).div_ceil(2).max(1);
    let mask = (1_u64 << half) - 1;
    let mut number = place;
    loop {
        let (mut left, mut right) = (number >> half, number & mask);
        for round in 0..6 {
            (left, right) = (right, left ^ (bits(key, round, right) & mask));
        }
        number = left << half | right;
        if number < count {
            return number;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_points_of_sobol_are_those_of_its_definition() {
        let point = |variable, sample| sobol(variable, sample) as f64 / (1_u64 << DIGITS) as f64;
        let first: Vec<f64> = (0..8).map(|k| point(0, k)).collect();
        assert_eq!(first, [0.0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125]);
        // The second and third variables, from scipy.stats.qmc.Sobol(3, scramble=False).
        let second: Vec<f64> = (0..8).map(|k| point(1, k)).collect();
        assert_eq!(second, [0.0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625]);
        let third: Vec<f64> = (0..8).map(|k| point(2, k)).collect();
        assert_eq!(third, [0.0, 0.5, 0.25, 0.75, 0.625, 0.125, 0.875, 0.375]);
    }

    #[test]
    fn every_block_of_sobol_and_every_latin_hypercube_fills_all_strata() {
        for sampling in [Sampling::Sobol, Sampling::Latin] {
            for variable in 0..SOBOL_VARIABLES {
                let mut seen = [false; 1024];
                for sample in 0..1024 {
                    let number = sampling.number(7, variable, sample, 1024);
                    seen[(number * 1024.0) as usize] = true;
                }
                assert!(seen.iter().all(|seen| *seen), "{sampling:?}, variable {variable}");
            }
        }
    }

    #[test]
    fn a_permutation_hits_every_number_once() {
        for count in [1, 2, 3, 7, 100, 1000] {
            let mut hit: Vec<u64> = (0..count).map(|place| permuted(42, place, count)).collect();
            hit.sort_unstable();
            assert!(hit.into_iter().eq(0..count));
        }
    }

    #[test]
    fn random_numbers_differ_by_seed_variable_and_sample_and_are_even() {
        let number = |seed, variable, sample| Sampling::Random.number(seed, variable, sample, 0);
        assert!(number(1, 0, 0) != number(2, 0, 0) && number(1, 0, 0) != number(1, 1, 0));
        let count = 100_000;
        let mean = (0..count).map(|k| number(3, 1, k)).sum::<f64>() / count as f64;
        let square = (0..count).map(|k| number(3, 1, k).powi(2)).sum::<f64>() / count as f64;
        assert!((mean - 0.5).abs() < 4e-3 && (square - 1.0 / 3.0).abs() < 4e-3, "{mean} {square}");
    }
}
