//! `whittaker` in the plane: stick if static friction can, else slip at the kinetic limit towards the sticking impulse.

use crate::batch::kernel::{CANCELS, Kernel, Plane, Response};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Whittaker;

/// The impulse for a restitution and coefficients of static and kinetic friction; and whether it sticks.
#[inline(always)]
pub(super) fn clamped<T: Real>(problem: &Plane<T>, e: T, static_friction: T, kinetic_friction: T) -> Response<T, 2> {
    let approach = -(problem.v[0] + e * problem.v[0]);
    let stick = problem.mass_times(problem.inverses(), [approach, -problem.v[1]]);
    let (size, limit) = (stick[1].abs(), static_friction * stick[0]);
    let ratio = kinetic_friction.with_sign_of(stick[1]);
    let coupled = problem.nt * ratio;
    let rate = problem.nn + coupled;
    let normal = approach / rate;
    let sticks = (stick[0].value() > 0.0) & (size.value() <= limit.value());
    let poor = rate.value() <= CANCELS * (problem.nn.value() + coupled.value().abs());
    // A limit below zero never holds.
    let holds = |stick: T, slip: T| T::at_most(size, limit, stick, slip);
    let impulse = [holds(stick[0], normal), holds(stick[1], normal * ratio)];
    Response { sticks, ..Response::jump(impulse) }
        .unless((!sticks & poor) | (static_friction.value() < kinetic_friction.value()))
}

impl Kernel for Whittaker {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        clamped(problem, p[0], p[1], p[2])
    }
}
