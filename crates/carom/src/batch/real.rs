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

    /// Numbers whose values are known, with the derivatives of others that are the same function of what they depend on, though not
    /// as accurate in value.
    fn with_derivatives_of<const D: usize>(values: [f64; D], others: [Self; D]) -> [Self; D];

    /// This number, or where it is zero under a condition, one that is faintly below zero beside `size`: derivatives are then those of that
    /// side.
    fn faint(self, condition: bool, size: f64) -> Self;

    /// Whether two numbers agree so closely that a choice between them is a kink.
    fn tie(left: f64, right: f64) -> bool;

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
    fn with_derivatives_of<const D: usize>(values: [f64; D], _others: [f64; D]) -> [f64; D] {
        values
    }

    #[inline(always)]
    fn faint(self, _condition: bool, _size: f64) -> f64 {
        self
    }

    #[inline(always)]
    fn tie(_left: f64, _right: f64) -> bool {
        false
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

/// A number with its derivatives by N others (forward differentiation).
#[derive(Clone, Copy, Debug)]
pub(super) struct Dual<const N: usize> {
    value: f64,
    slopes: [f64; N],
    /// The others on which it can depend, one bit each; all other slopes are zero. The compiler knows it and leaves their arithmetic out.
    depends: u32,
    /// Whether a choice on the way was a tie, so that the derivatives hold on one side only: not zero.
    kink: u64,
}

/// A block for each place of up to so many. Not a loop: the compiler has to know the places before it decides what to unroll.
macro_rules! each {
    ($k:ident, $count:ident, $body:block) => {
        each!($k, $count, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13)
    };
    ($k:ident, $count:ident, $body:block, $($place:literal)*) => {
        $({
            const $k: usize = $place;
            if $k < $count $body
        })*
    };
}

pub(super) use each;

/// What stands for zero on one side of it, beside the size of others: it changes an answer by as much.
const FAINT: f64 = 1e-9;
/// Numbers that agree to this fraction of their size are a tie.
const TIE: f64 = 1e-10;

#[inline(always)]
fn flag(condition: bool) -> u64 {
    if condition { u64::MAX } else { 0 }
}

impl<const N: usize> Dual<N> {
    /// The k-th of the numbers by which derivatives are taken.
    #[inline(always)]
    pub(super) fn variable(value: f64, k: usize) -> Dual<N> {
        let mut slopes = [0.0; N];
        slopes[k] = 1.0;
        Dual { value, slopes, depends: 1 << k, kink: 0 }
    }

    /// The derivative by the k-th number.
    #[inline(always)]
    pub(super) fn slope(&self, k: usize) -> f64 {
        if self.depends >> k & 1 == 0 { 0.0 } else { self.slopes[k] }
    }

    /// The derivatives.
    pub(super) fn slopes(&self) -> [f64; N] {
        std::array::from_fn(|k| self.slope(k))
    }

    /// Not zero if the derivatives hold on one side only.
    #[inline(always)]
    pub(super) fn kink(&self) -> u64 {
        self.kink
    }

    /// A function of this number, with its value and derivative.
    #[inline(always)]
    fn function(self, value: f64, slope: f64) -> Self {
        let mut slopes = [0.0; N];
        each!(K, N, {
            if self.depends >> K & 1 != 0 {
                slopes[K] = self.slopes[K] * slope;
            }
        });
        Dual { value, slopes, ..self }
    }

    /// A function of two numbers, with its value and functions of the slopes of both, which are added.
    #[inline(always)]
    fn combine(self, other: Self, value: f64, of_self: impl Fn(f64) -> f64, of_other: impl Fn(f64) -> f64) -> Self {
        let mut slopes = [0.0; N];
        each!(K, N, {
            slopes[K] = match (self.depends >> K & 1, other.depends >> K & 1) {
                (0, 0) => 0.0,
                (_, 0) => of_self(self.slopes[K]),
                (0, _) => of_other(other.slopes[K]),
                _ => of_self(self.slopes[K]) + of_other(other.slopes[K]),
            };
        });
        Dual { value, slopes, depends: self.depends | other.depends, kink: self.kink | other.kink }
    }

    /// One of two numbers, without a jump.
    #[inline(always)]
    fn pick(condition: bool, chosen: Self, other: Self) -> Self {
        let (mut slopes, depends) = ([0.0; N], chosen.depends | other.depends);
        each!(K, N, {
            if depends >> K & 1 != 0 {
                slopes[K] = if condition { chosen.slope(K) } else { other.slope(K) };
            }
        });
        let value = if condition { chosen.value } else { other.value };
        let kink = if condition { chosen.kink } else { other.kink };
        Dual { value, slopes, depends, kink }
    }

    /// Whether the value or a slope of two numbers is not the same.
    #[inline(always)]
    fn differs(&self, other: &Self) -> bool {
        let mut differs = self.value != other.value;
        each!(K, N, {
            if (self.depends | other.depends) >> K & 1 != 0 {
                differs |= self.slope(K) != other.slope(K);
            }
        });
        differs
    }
}

impl<const N: usize> Add for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.combine(other, self.value + other.value, |x| x, |y| y)
    }
}

impl<const N: usize> Sub for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.combine(other, self.value - other.value, |x| x, |y| -y)
    }
}

impl<const N: usize> Mul for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.combine(other, self.value * other.value, |x| x * other.value, |y| y * self.value)
    }
}

impl<const N: usize> Div for Dual<N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let (inverse, value) = (1.0 / other.value, self.value / other.value);
        let falling = -value * inverse;
        self.combine(other, value, |x| x * inverse, |y| y * falling)
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
        Dual { value, slopes: [0.0; N], depends: 0, kink: 0 }
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
        let tie = Self::tie(left.value, right.value);
        let picked = Dual::pick(left.value <= right.value, chosen, other);
        // A tie between alternatives that are the same function is no kink.
        picked.with_kink(tie & chosen.differs(&other))
    }

    #[inline(always)]
    fn with_derivatives_of<const D: usize>(values: [f64; D], others: [Self; D]) -> [Self; D] {
        let mut found = others;
        each!(K, D, {
            found[K].value = values[K];
        });
        found
    }

    #[inline(always)]
    fn faint(self, condition: bool, size: f64) -> Self {
        Dual { value: if condition { -FAINT * size.abs() } else { self.value }, ..self }
    }

    #[inline(always)]
    fn tie(left: f64, right: f64) -> bool {
        // No number ties with an infinite one.
        let size = left.abs().max(right.abs()).min(f64::MAX);
        (left - right).abs() <= TIE * size
    }

    #[inline(always)]
    fn with_kink(self, condition: bool) -> Self {
        Dual { kink: self.kink | flag(condition), ..self }
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        let inverse = 1.0 / self.value;
        self.function(inverse, -inverse * inverse)
    }

    #[inline(always)]
    fn reciprocals<const M: usize>(numbers: [Self; M]) -> [Self; M] {
        let (mut values, mut found) = ([1.0; 3], numbers);
        // Not a loop, for the same reason; no kernel inverts more together.
        const { assert!(M <= 3) };
        if M > 0 {
            values[0] = numbers[0].value;
        }
        if M > 1 {
            values[1] = numbers[1].value;
        }
        if M > 2 {
            values[2] = numbers[2].value;
        }
        let inverses = f64::reciprocals(values);
        if M > 0 {
            found[0] = numbers[0].function(inverses[0], -inverses[0] * inverses[0]);
        }
        if M > 1 {
            found[1] = numbers[1].function(inverses[1], -inverses[1] * inverses[1]);
        }
        if M > 2 {
            found[2] = numbers[2].function(inverses[2], -inverses[2] * inverses[2]);
        }
        found
    }
}
