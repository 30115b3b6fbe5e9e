//! Prefixes of the SI, so that numbers are short to read.

/// A prefix of the SI, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// As written before the unit.
    pub symbol: &'static str,
    /// Its power of ten.
    pub exponent: i32,
}

const PREFIXES: [Prefix; 9] = [
    Prefix { symbol: "p", exponent: -12 },
    Prefix { symbol: "n", exponent: -9 },
    Prefix { symbol: "µ", exponent: -6 },
    Prefix { symbol: "m", exponent: -3 },
    Prefix::NONE,
    Prefix { symbol: "k", exponent: 3 },
    Prefix { symbol: "M", exponent: 6 },
    Prefix { symbol: "G", exponent: 9 },
    Prefix { symbol: "T", exponent: 12 },
];

impl Prefix {
    /// The unit itself.
    pub const NONE: Prefix = Prefix { symbol: "", exponent: 0 };

    /// The prefix with which numbers up to `largest` are short: none from 0.1 to 1000, else the one that makes the
    /// largest number 1 to 1000. `None` where the SI has no name for that.
    ///
    /// ```
    /// use carom_study::prefix::Prefix;
    /// assert_eq!(Prefix::of(4.1e-4).unwrap().symbol, "µ");
    /// assert_eq!(Prefix::of(0.6), Some(Prefix::NONE));
    /// assert_eq!(Prefix::of(1e30), None);
    /// ```
    pub fn of(largest: f64) -> Option<Prefix> {
        let largest = largest.abs();
        if largest == 0.0 || (0.1..1e3).contains(&largest) {
            return Some(Prefix::NONE);
        }
        PREFIXES.into_iter().find(|prefix| (1.0..1e3).contains(&prefix.of_value(largest)))
    }

    /// The number that stands before the prefixed unit.
    pub fn of_value(self, value: f64) -> f64 {
        // Dividing by an exact power of ten rounds once; a negative power is not exact.
        if self.exponent < 0 { value * 10.0_f64.powi(-self.exponent) } else { value / 10.0_f64.powi(self.exponent) }
    }
}

#[cfg(test)]
mod tests {
    use super::Prefix;

    #[test]
    fn numbers_before_a_prefix_are_short() {
        let symbols =
            [0.0, 2e-12, 0.0999, 0.1, 999.0, 1000.0, -2.5e4, 9.99e14].map(|x| Prefix::of(x).map(|p| p.symbol));
        assert_eq!(symbols, ["", "p", "m", "", "", "k", "k", "T"].map(Some));
        assert_eq!([1e-13, 1e15, f64::NAN].map(Prefix::of), [None; 3]);
        assert_eq!(Prefix { symbol: "µ", exponent: -6 }.of_value(3e-4), 300.0);
    }
}
