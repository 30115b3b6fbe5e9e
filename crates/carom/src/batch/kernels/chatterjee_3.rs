//! `chatterjee-3`: the velocity after from restitutions, scaled to lose energy; the impulse moved onto the friction cone.

use super::chatterjee_2::onto_cone;
use crate::batch::kernel::{Kernel, Plane, Response, Space, length};
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
        let [height, share] = onto_cone(normal, impulse[0], impulse[1].abs(), friction);
        Response::jump([height, impulse[1] * share])
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
        let [height, share] = onto_cone(normal, impulse[0], length([impulse[1], impulse[2]]), friction);
        Response::jump([height, impulse[1] * share, impulse[2] * share])
    }
}
