//! `chatterjee-combined`: s₁ P_I + s₂ P_II + (1 − s₁ − s₂) P_III.

use super::{Chatterjee1, Chatterjee2, Chatterjee3};
use crate::batch::kernel::{Kernel, Plane, Response, Space};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct ChatterjeeCombined;

/// A component of the mixture.
#[inline(always)]
fn shared<T: Real, const D: usize>(laws: &[Response<T, D>; 3], p: &[T; PARAMETERS], rest: T, k: usize) -> T {
    laws[0].impulse[k] * p[3] + laws[1].impulse[k] * p[4] + laws[2].impulse[k] * rest
}

#[inline(always)]
fn mix<T: Real, const D: usize>(laws: [Response<T, D>; 3], p: &[T; PARAMETERS]) -> Response<T, D> {
    let rest = T::constant(1.0) - p[3] - p[4];
    let mut impulse = laws[2].impulse;
    // Not a loop: the compiler has to know what each number depends on before it unrolls.
    impulse[0] = shared(&laws, p, rest, 0);
    impulse[1] = shared(&laws, p, rest, 1);
    if D > 2 {
        impulse[2] = shared(&laws, p, rest, 2);
    }
    // Shares that may exceed 1 are left to the law itself.
    Response::jump(impulse).unless(p[3].value() + p[4].value() > 1.0)
}

impl Kernel for ChatterjeeCombined {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        mix([Chatterjee1::plane(problem, p), Chatterjee2::plane(problem, p), Chatterjee3::plane(problem, p)], p)
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        mix([Chatterjee1::space(problem, p), Chatterjee2::space(problem, p), Chatterjee3::space(problem, p)], p)
    }
}
