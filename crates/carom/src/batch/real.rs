//! The numbers a kernel computes with: `f64` in batches.

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
