//! `ivanov`: P = −(1 + η)(u·V)/(u·W u) u, for a direction u that a rule gives.

use crate::batch::kernel::{Kernel, Plane, Response, Space, length, nearly_still};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Ivanov;

/// Rules in the order of the law's parameter: centre, sliding, frictionless.
const SLIDING: f64 = 1.0;
const FRICTIONLESS: f64 = 2.0;

/// The tangential over the normal part of the impulse of plastic sticking, cut at the friction cone, as a factor of the tangential
/// part; and the normal part that goes with it.
#[inline(always)]
fn cut<T: Real>(normal: T, tangential: T, friction: T) -> [T; 2] {
    let (one, limit) = (T::constant(1.0), friction * normal);
    [T::at_most(tangential, limit, normal, one), T::at_most(tangential, limit, one, friction / tangential)]
}

impl Kernel for Ivanov {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        let [eta, friction, rule, ..] = *p;
        let (zero, one) = (T::constant(0.0), T::constant(1.0));
        let v = problem.v;
        let momentum = problem.mass_times(problem.inverses(), v);
        let [normal, share] = cut(-momentum[0], momentum[1].abs(), friction);
        let centre = [normal, -momentum[1] * share];
        let still = v[1].value() == 0.0;
        let against = T::select(still, zero, -friction.with_sign_of(v[1])).with_kink(nearly_still(v[0], v[1].value()));
        let fixed = T::select(rule.value() == FRICTIONLESS, zero, against);
        let by_centre = rule.value() < SLIDING;
        let u = [T::select(by_centre, centre[0], one), T::select(by_centre, centre[1], fixed)];
        let approach = -(u[0] * v[0] + u[1] * v[1]);
        let mobility = problem.nn * u[0].squared() + problem.nt * u[0] * u[1] * 2.0 + problem.tt * u[1].squared();
        let size = (approach + eta * approach) / mobility;
        Response::jump([u[0] * size, u[1] * size]).unless(approach.value() <= 0.0)
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        let [eta, friction, rule, ..] = *p;
        let (zero, one) = (T::constant(0.0), T::constant(1.0));
        let [nn, n1, n2, w11, w12, w22] = problem.w;
        let v = problem.v;
        let momentum = problem.mass_times(problem.inverses(), v);
        let [normal, share] = cut(-momentum[0], length([momentum[1], momentum[2]]), friction);
        let speed = length([v[1], v[2]]);
        let slides = (speed.value() > 0.0) & (rule.value() == SLIDING);
        let against = T::select(slides, friction / speed, zero).with_kink(nearly_still(v[0], speed.value()));
        let by_centre = rule.value() < SLIDING;
        let u = [
            T::select(by_centre, normal, one),
            T::select(by_centre, -momentum[1] * share, -v[1] * against),
            T::select(by_centre, -momentum[2] * share, -v[2] * against),
        ];
        let approach = -(u[0] * v[0] + u[1] * v[1] + u[2] * v[2]);
        let pulled = [
            nn * u[0] + n1 * u[1] + n2 * u[2],
            n1 * u[0] + w11 * u[1] + w12 * u[2],
            n2 * u[0] + w12 * u[1] + w22 * u[2],
        ];
        let mobility = u[0] * pulled[0] + u[1] * pulled[1] + u[2] * pulled[2];
        let size = (approach + eta * approach) / mobility;
        Response::jump([u[0] * size, u[1] * size, u[2] * size]).unless(approach.value() <= 0.0)
    }
}
