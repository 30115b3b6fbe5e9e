//! `chatterjee-1`: the impulse's direction by the bilinear law, scaled into the energy ellipsoid.

use crate::batch::kernel::{Kernel, Plane, Response, Space, turn_back};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Chatterjee1;

/// The impulse (n, against the slip) for W and approach and slip speeds in that frame; M_tt/M_nn is a quotient of `minors`.
#[inline(always)]
fn scaled<T: Real>([nn, nt, tt]: [T; 3], [v_n, v_t]: [T; 2], minors: [T; 2], p: &[T; PARAMETERS]) -> [T; 2] {
    let [inverse_nn, inverse] = T::reciprocals([nn, minors[1]]);
    let ratio = minors[0] * inverse;
    let [e, r_t, friction, ..] = *p;
    let normal = v_n + e * v_n;
    let against = ((v_t + r_t * v_t) * ratio).min(friction * normal);
    let resistance = nn * normal.squared() + nt * normal * against * 2.0 + tt * against.squared();
    let size = (normal * v_n + against * v_t) * 2.0 / resistance;
    let impulse = [normal * size, against * size];
    let after = nn * impulse[0] + nt * impulse[1] - v_n;
    let shrunk = normal / (after + v_n);
    let pushed = impulse[0] - after * 2.0 * inverse_nn;
    let wanted = e * v_n;
    let zero = T::constant(0.0);
    [
        T::at_most(after, wanted, T::at_most(zero, after, impulse[0], pushed), impulse[0] * shrunk),
        T::at_most(after, wanted, impulse[1], impulse[1] * shrunk),
    ]
}

impl Kernel for Chatterjee1 {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        let (turned, sign) = problem.opposing_slip();
        let speeds = [-turned.v[0], -turned.v[1]];
        let [normal, against] = scaled([turned.nn, turned.nt, turned.tt], speeds, [turned.nn, turned.tt], p);
        Response::jump([normal, against * sign])
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        let (turned, tangent) = problem.opposing_slip();
        let [nn, nt, nb, tt, tb, bb] = turned.w;
        let minors = [nn * bb - nb.squared(), tt * bb - tb.squared()];
        let [normal, against] = scaled([nn, nt, tt], [-turned.v[0], -turned.v[1]], minors, p);
        Response::jump(turn_back([normal, against, T::constant(0.0)], tangent))
    }
}
