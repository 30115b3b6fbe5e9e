//! `newton`: P = (1 + e)(−V_n)/W_nn n.

use crate::batch::kernel::{Kernel, Plane, Response, Space};
use crate::batch::lanes::PARAMETERS;
use crate::batch::outputs::code;
use crate::batch::real::Real;
use crate::outcome::Mode;

pub(in crate::batch) struct Newton;

/// The compression, and the impulse along the normal.
#[inline(always)]
fn along_normal<T: Real, const D: usize>(nn: T, v_n: T, e: T) -> Response<T, D> {
    let compression = -v_n / nn;
    let work = compression * v_n * 0.5;
    let mut impulse = [T::constant(0.0); D];
    impulse[0] = compression + e * compression;
    let mode = u64::from(code(Mode::Frictionless));
    Response { compression, works: [work, -work * e.squared()], mode, ..Response::jump(impulse) }
}

impl Kernel for Newton {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        along_normal(problem.nn, problem.v[0], p[0])
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        along_normal(problem.w[0], problem.v[0], p[0])
    }
}
