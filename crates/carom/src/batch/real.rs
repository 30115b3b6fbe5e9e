//! The numbers a kernel computes with: `f64` in batches, [`Dual`] for derivatives.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// A real number whose branches are selections, so that a loop over rows has no jumps.
pub(super) trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
{
    /// A number that depends on nothing.
    fn constant(value: f64) -> Self;

    /// The number without its derivatives.
    fn value(self) -> f64;

    /// The square root.
    fn sqrt(self) -> Self;

    /// `chosen` if the condition holds, else `other`. Both have the same value and derivatives where the condition changes.
    fn select(condition: bool, chosen: Self, other: Self) -> Self;

    /// The same number, a kink under a condition.
    #[inline(always)]
    fn with_kink(self, _condition: bool) -> Self {
        self
    }

    /// `chosen` if left ≤ right, else `other`: a kink where left = right.
    fn at_most(left: Self, right: Self, chosen: Self, other: Self) -> Self;

    /// The smaller of two numbers.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self::at_most(self, other, self, other)
    }

    /// The larger of two numbers.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self::at_most(other, self, self, other)
    }

    /// The size of a number: a kink at zero.
    #[inline(always)]
    fn abs(self) -> Self {
        Self::at_most(Self::constant(0.0), self, self, -self)
    }

    /// This number, which is not negative, with the sign of another: a kink where that is zero.
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self::at_most(Self::constant(0.0), other, self, -self)
    }

    /// One over this number.
    fn reciprocal(self) -> Self;

    /// One over each of several numbers by a single division. Their product must be in range; where one of them is zero, all answers are
    /// wrong.
    fn reciprocals<const M: usize>(numbers: [Self; M]) -> [Self; M];

    /// The square.
    #[inline(always)]
    fn squared(self) -> Self {
        self * self
    }
}

impl Real for f64 {
    #[inline(always)]
    fn constant(value: f64) -> f64 {
        value
    }

    #[inline(always)]
    fn value(self) -> f64 {
        self
    }

    #[inline(always)]
    fn sqrt(self) -> f64 {
        f64::sqrt(self)
    }

    #[inline(always)]
    fn select(condition: bool, chosen: f64, other: f64) -> f64 {
        if condition { chosen } else { other }
    }

    #[inline(always)]
    fn at_most(left: f64, right: f64, chosen: f64, other: f64) -> f64 {
        if left <= right { chosen } else { other }
    }

    #[inline(always)]
    fn abs(self) -> f64 {
        f64::abs(self)
    }

    #[inline(always)]
    fn with_sign_of(self, other: f64) -> f64 {
        self.copysign(other)
    }

    #[inline(always)]
    fn reciprocal(self) -> f64 {
        1.0 / self
    }

    #[inline(always)]
    fn reciprocals<const M: usize>(numbers: [f64; M]) -> [f64; M] {
        // Products of all before each number, then one division, then back.
        let (mut found, mut product) = ([1.0; M], 1.0);
        for k in 0..M {
            found[k] = product;
            product *= numbers[k];
        }
        let mut inverse = 1.0 / product;
        for k in (0..M).rev() {
            found[k] *= inverse;
            inverse *= numbers[k];
        }
        found
    }
}

/// A number with its derivatives by up to N others (forward differentiation), which fill whole vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dual<const N: usize> {
    value: f64,
    slopes: [f64; N],
    /// Whether a choice on the way was a tie, so that the derivatives hold on one side only.
    kink: bool,
}

/// Numbers that agree to this fraction of their size are a tie.
const TIE: f64 = 1e-10;

impl<const N: usize> Dual<N> {
    /// The k-th of the numbers by which derivatives are taken.
    #[inline(always)]
    pub(super) fn variable(value: f64, k: usize) -> Dual<N> {
        let mut slopes = [0.0; N];
        slopes[k] = 1.0;
        Dual { value, slopes, kink: false }
    }

    /// The derivatives.
    #[inline(always)]
    pub(super) fn slopes(&self) -> &[f64; N] {
        &self.slopes
    }

    /// Whether the derivatives hold on one side only.
    #[inline(always)]
    pub(super) fn is_kink(&self) -> bool {
        self.kink
    }

    /// A function of this number, with its value and derivative.
    #[inline(always)]
    fn function(self, value: f64, slope: f64) -> Self {
        let mut slopes = [0.0; N];
        for k in 0..N {
            slopes[k] = self.slopes[k] * slope;
        }
        Dual { value, slopes, ..self }
    }

    /// A function of two numbers, with its value and a function of the slopes of both.
    #[inline(always)]
    fn combine(self, other: Self, value: f64, slope: impl Fn(f64, f64) -> f64) -> Self {
        let mut slopes = [0.0; N];
        for k in 0..N {
            slopes[k] = slope(self.slopes[k], other.slopes[k]);
        }
        Dual { value, slopes, kink: self.kink | other.kink }
    }

    /// One of two numbers, without a jump.
    #[inline(always)]
    fn pick(condition: bool, chosen: Self, other: Self) -> Self {
        let mut slopes = [0.0; N];
        for k in 0..N {
            slopes[k] = if condition { chosen.slopes[k] } else { other.slopes[k] };
        }
        let value = if condition { chosen.value } else { other.value };
        let kink = (condition & chosen.kink) | (!condition & other.kink);
        Dual { value, slopes, kink }
    }

    /// Whether the value or a slope of two numbers is not the same.
    #[inline(always)]
    fn differs(&self, other: &Self) -> bool {
        let mut differs = self.value != other.value;
        for k in 0..N {
            differs |= self.slopes[k] != other.slopes[k];
        }
        differs
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.combine(other, self.value + other.value, |x, y| x + y)
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.combine(other, self.value - other.value, |x, y| x - y)
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.combine(other, self.value * other.value, |x, y| x * other.value + y * self.value)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let (inverse, value) = (1.0 / other.value, self.value / other.value);
        self.combine(other, value, |x, y| (x - y * value) * inverse)
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.function(-self.value, -1.0)
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        self.function(self.value * factor, factor)
    }
}

impl<const N: usize> Real for Dual<N> {
    #[inline(always)]
    fn constant(value: f64) -> Self {
        Dual { value, slopes: [0.0; N], kink: false }
    }

    #[inline(always)]
    fn value(self) -> f64 {
        self.value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // The root of a number that is zero and stays zero has no slope.
        let root = self.value.sqrt();
        let factor = if root > 0.0 { 0.5 / root } else { 0.0 };
        self.function(root, factor).with_kink(root == 0.0)
    }

    #[inline(always)]
    fn select(condition: bool, chosen: Self, other: Self) -> Self {
        Dual::pick(condition, chosen, other)
    }

    #[inline(always)]
    fn at_most(left: Self, right: Self, chosen: Self, other: Self) -> Self {
        // No number ties with an infinite one.
        let size = left.value.abs().max(right.value.abs()).min(f64::MAX);
        let tie = (left.value - right.value).abs() <= TIE * size;
        let picked = Dual::pick(left.value <= right.value, chosen, other);
        // A tie between alternatives that are the same function is no kink.
        picked.with_kink(tie & chosen.differs(&other))
    }

    #[inline(always)]
    fn with_kink(self, condition: bool) -> Self {
        Dual { kink: self.kink | condition, ..self }
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        let inverse = 1.0 / self.value;
        self.function(inverse, -inverse * inverse)
    }

    #[inline(always)]
    fn reciprocals<const M: usize>(numbers: [Self; M]) -> [Self; M] {
        let (mut values, mut found) = ([0.0; M], numbers);
        for k in 0..M {
            values[k] = numbers[k].value;
        }
        let inverses = f64::reciprocals(values);
        for k in 0..M {
            found[k] = numbers[k].function(inverses[k], -inverses[k] * inverses[k]);
        }
        found
    }
}
