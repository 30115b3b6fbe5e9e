//! `chatterjee-2`: (1 + r_n) P₁ + (1 + r_t)(P₂ − P₁), moved onto the friction cone.

use crate::batch::kernel::{Kernel, Plane, Response, Space, length};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Chatterjee2;

/// How an impulse (`height`, `tangential` > 0) outside the cone moves onto it along the line to `normal` on the axis: its new height, and
/// the share of the tangential part that is left.
#[inline(always)]
pub(super) fn onto_cone<T: Real>(normal: T, height: T, tangential: T, friction: T) -> [T; 2] {
    let (limit, inside) = (friction * normal, friction * height);
    let inverse = (limit - inside + tangential).reciprocal();
    let share = limit * inverse;
    // Steep cones end near the frictionless impulse, flat ones near the tangent plane: no cancellation either way.
    let steep = tangential * normal * inverse;
    let flat = normal + (height - normal) * share;
    let moved = T::select(friction.value() > 1.0, steep, flat);
    let one = T::constant(1.0);
    [T::at_most(tangential, inside, height, moved), T::at_most(tangential, inside, one, share)]
}

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
        let [height, share] = onto_cone(base, height, along.abs(), friction);
        Response::jump([height, along * share])
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
        let along = [-sticking[1] * returned, -sticking[2] * returned];
        let [height, share] = onto_cone(base, height, length(along), friction);
        Response::jump([height, along[0] * share, along[1] * share])
    }
}
