//! `chatterjee-2`: (1 + r_n) P₁ + (1 + r_t)(P₂ − P₁), moved onto the friction cone.

use super::onto_cone::{onto_cone_in_plane, onto_cone_in_space};
use crate::batch::kernel::{Kernel, Plane, Response, Space};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Chatterjee2;

impl Kernel for Chatterjee2 {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        let [e, r_t, friction, ..] = *p;
        let inverses = problem.inverses();
        let frictionless = -problem.v[0] * inverses[0];
        let sticking = problem.mass_times(inverses, problem.v);
        let base = frictionless + e * frictionless;
        let returned = T::constant(1.0) + r_t;
        let height = base - (sticking[0] + frictionless) * returned;
        let along = -sticking[1] * returned;
        Response::jump(onto_cone_in_plane(base, [height, along], friction))
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        let [e, r_t, friction, ..] = *p;
        let inverses = problem.inverses();
        let frictionless = -problem.v[0] * inverses[0];
        let sticking = problem.mass_times(inverses, problem.v);
        let base = frictionless + e * frictionless;
        let returned = T::constant(1.0) + r_t;
        let height = base - (sticking[0] + frictionless) * returned;
        let impulse = [height, -sticking[1] * returned, -sticking[2] * returned];
        Response::jump(onto_cone_in_space(base, impulse, friction))
    }
}
