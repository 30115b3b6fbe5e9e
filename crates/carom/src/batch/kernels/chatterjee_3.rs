//! `chatterjee-3`: the velocity after from restitutions, scaled to lose energy; the impulse moved onto the friction cone.

use super::onto_cone::{onto_cone_in_plane, onto_cone_in_space};
use crate::batch::kernel::{Kernel, Plane, Response, Space};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Chatterjee3;

/// 1/γ, with γ = max(1, √(U·M U / V·M V)).
#[inline(always)]
fn loss<T: Real>(wanted: T, before: T) -> T {
    let one = T::constant(1.0);
    T::at_most(wanted, before, one, (before / wanted).sqrt())
}

impl Kernel for Chatterjee3 {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        let [e, r_t, friction, ..] = *p;
        let (v, inverses) = (problem.v, problem.inverses());
        let normal = -(v[0] + e * v[0]) * inverses[0];
        let wanted = [-e * v[0], -r_t * v[1]];
        let loss = loss(problem.energy(inverses, wanted), problem.energy(inverses, v));
        let impulse = problem.mass_times(inverses, [wanted[0] * loss - v[0], wanted[1] * loss - v[1]]);
        Response::jump(onto_cone_in_plane(normal, impulse, friction))
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        let [e, r_t, friction, ..] = *p;
        let (v, inverses) = (problem.v, problem.inverses());
        let normal = -(v[0] + e * v[0]) * inverses[0];
        let wanted = [-e * v[0], -r_t * v[1], -r_t * v[2]];
        let loss = loss(problem.energy(inverses, wanted), problem.energy(inverses, v));
        let change = [wanted[0] * loss - v[0], wanted[1] * loss - v[1], wanted[2] * loss - v[2]];
        let impulse = problem.mass_times(inverses, change);
        Response::jump(onto_cone_in_space(normal, impulse, friction))
    }
}
