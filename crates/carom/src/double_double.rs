//! Numbers of twice the working precision: an unevaluated sum of two doubles, about 32 decimal digits.
//!
//! Dekker 1971; Knuth, The Art of Computer Programming 2, 4.2.2. A sum of two doubles and its rounding error are found by six
//! additions, a product and its error by one fused multiplication, both exactly. The audit of an outcome adds and multiplies
//! such numbers, so that its verdict is about the outcome and not about the rounding of its own evaluation.

use std::ops::{Add, Mul, Neg, Sub};

/// `high + low` with |low| at most half a unit in the last place of `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    pub(crate) const ZERO: DoubleDouble = DoubleDouble { high: 0.0, low: 0.0 };

    /// The exact product of two doubles.
    pub(crate) fn product(a: f64, b: f64) -> DoubleDouble {
        let high = a * b;
        DoubleDouble { high, low: a.mul_add(b, -high) }
    }

    /// The nearest double.
    pub(crate) fn value(self) -> f64 {
        self.high + self.low
    }

    pub(crate) fn squared(self) -> DoubleDouble {
        let square = DoubleDouble::product(self.high, self.high);
        DoubleDouble::ordered_sum(square.high, (2.0 * self.high).mul_add(self.low, square.low))
    }

    /// The exact sum of two doubles.
    fn sum(a: f64, b: f64) -> DoubleDouble {
        let high = a + b;
        let from_b = high - a;
        DoubleDouble { high, low: (a - (high - from_b)) + (b - from_b) }
    }

    /// The exact sum of two doubles of which the first is the larger.
    fn ordered_sum(a: f64, b: f64) -> DoubleDouble {
        let high = a + b;
        DoubleDouble { high, low: b - (high - a) }
    }
}

impl From<f64> for DoubleDouble {
    fn from(value: f64) -> DoubleDouble {
        DoubleDouble { high: value, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = DoubleDouble;

    /// The accurate sum: its relative error is below 2⁻¹⁰⁴ also where the parts cancel.
    fn add(self, other: DoubleDouble) -> DoubleDouble {
        let high = DoubleDouble::sum(self.high, other.high);
        let low = DoubleDouble::sum(self.low, other.low);
        let carried = DoubleDouble::ordered_sum(high.high, high.low + low.high);
        DoubleDouble::ordered_sum(carried.high, carried.low + low.low)
    }
}

impl Neg for DoubleDouble {
    type Output = DoubleDouble;

    fn neg(self) -> DoubleDouble {
        DoubleDouble { high: -self.high, low: -self.low }
    }
}

impl Sub for DoubleDouble {
    type Output = DoubleDouble;

    fn sub(self, other: DoubleDouble) -> DoubleDouble {
        self + -other
    }
}

impl Mul<f64> for DoubleDouble {
    type Output = DoubleDouble;

    fn mul(self, factor: f64) -> DoubleDouble {
        let product = DoubleDouble::product(self.high, factor);
        DoubleDouble::ordered_sum(product.high, self.low.mul_add(factor, product.low))
    }
}

impl Mul for DoubleDouble {
    type Output = DoubleDouble;

    fn mul(self, other: DoubleDouble) -> DoubleDouble {
        let product = DoubleDouble::product(self.high, other.high);
        let small = self.high.mul_add(other.low, self.low.mul_add(other.high, product.low));
        DoubleDouble::ordered_sum(product.high, small)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_doubles_lose_is_kept() {
        let third = 1.0 / 3.0;
        let product = DoubleDouble::product(third, 3.0);
        assert_eq!((product - DoubleDouble::from(1.0)).value(), -2f64.powi(-54));
        let sum = DoubleDouble::from(1e30) + DoubleDouble::from(1.0);
        assert_eq!((sum - DoubleDouble::from(1e30)).value(), 1.0);
        assert_eq!((sum * 7.0 - DoubleDouble::product(1e30, 7.0)).value(), 7.0);
    }
}
