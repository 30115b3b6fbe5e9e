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

    /// This number with the sign of another: a kink where that is zero.
    #[inline(always)]
    fn with_sign_of(self, other: Self) -> Self {
        Self::at_most(Self::constant(0.0), other, self, -self)
    }

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
}

/// A number with its derivatives by N others (forward differentiation).
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
    pub(super) fn variable(value: f64, k: usize) -> Dual<N> {
        let mut slopes = [0.0; N];
        slopes[k] = 1.0;
        Dual { value, slopes, kink: false }
    }

    /// The derivatives.
    pub(super) fn slopes(&self) -> &[f64; N] {
        &self.slopes
    }

    /// Whether the derivatives hold on one side only.
    pub(super) fn is_kink(&self) -> bool {
        self.kink
    }

    #[inline(always)]
    fn combine(self, other: Self, value: f64, of_self: f64, of_other: f64) -> Self {
        let mut slopes = [0.0; N];
        for (k, slope) in slopes.iter_mut().enumerate() {
            *slope = self.slopes[k] * of_self + other.slopes[k] * of_other;
        }
        Dual { value, slopes, kink: self.kink | other.kink }
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.combine(other, self.value + other.value, 1.0, 1.0)
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.combine(other, self.value - other.value, 1.0, -1.0)
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.combine(other, self.value * other.value, other.value, self.value)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        self.combine(other, value, 1.0 / other.value, -value / other.value)
    }
}

impl<const N: usize> Neg for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self * -1.0
    }
}

impl<const N: usize> Mul<f64> for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: f64) -> Self {
        Dual { value: self.value * factor, slopes: self.slopes.map(|slope| slope * factor), kink: self.kink }
    }
}

impl<const N: usize> Real for Dual<N> {
    fn constant(value: f64) -> Self {
        Dual { value, slopes: [0.0; N], kink: false }
    }

    fn value(self) -> f64 {
        self.value
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        // The root of a number that is zero and stays zero has no slope.
        let root = self.value.sqrt();
        let factor = if root > 0.0 { 0.5 / root } else { 0.0 };
        Dual { value: root, slopes: self.slopes.map(|slope| slope * factor), kink: self.kink | (root == 0.0) }
    }

    #[inline(always)]
    fn select(condition: bool, chosen: Self, other: Self) -> Self {
        if condition { chosen } else { other }
    }

    #[inline(always)]
    fn at_most(left: Self, right: Self, chosen: Self, other: Self) -> Self {
        let tie = (left.value - right.value).abs() <= TIE * left.value.abs().max(right.value.abs());
        let mut picked = if left.value <= right.value { chosen } else { other };
        // A tie between alternatives that are the same function is no kink.
        picked.kink |= tie && (chosen.slopes != other.slopes || chosen.value != other.value);
        picked
    }

    #[inline(always)]
    fn with_kink(self, condition: bool) -> Self {
        Dual { kink: self.kink | condition, ..self }
    }
}
