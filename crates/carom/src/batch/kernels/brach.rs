//! `brach`: P = −(1 + e) V_n d/(n·W d), d = (1, k, k') in the frame opposing the slip.

use crate::batch::kernel::{CANCELS, Kernel, Plane, Response, Space, turn_back};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Brach;

impl Kernel for Brach {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        let (turned, sign) = problem.opposing_slip();
        let coupled = turned.nt * p[1];
        let rate = turned.nn + coupled;
        let normal = -(problem.v[0] + p[0] * problem.v[0]) / rate;
        let poor = rate.value() <= CANCELS * (turned.nn.value() + coupled.value().abs());
        // A ratio across the slip leads out of the plane.
        Response::jump([normal, normal * p[1] * sign]).unless(poor | (p[2].value() != 0.0))
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        let (turned, tangent) = problem.opposing_direction();
        let (along, across) = (turned.w[1] * p[1], turned.w[2] * p[2]);
        let rate = turned.w[0] + along + across;
        let normal = -(problem.v[0] + p[0] * problem.v[0]) / rate;
        let terms = turned.w[0].value() + along.value().abs() + across.value().abs();
        let impulse = turn_back([normal, normal * p[1], normal * p[2]], tangent);
        Response::jump(impulse).unless(rate.value() <= CANCELS * terms)
    }
}
