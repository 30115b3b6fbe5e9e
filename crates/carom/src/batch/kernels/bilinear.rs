//! `bilinear`: P_n = −(1 + e) V_n/W_nn, P_t = min((1 + r_t) v_t/W_tt, μ P_n) against the slip, for a diagonal W.

use crate::batch::kernel::{Kernel, Plane, Response, Space, turn_back};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct Bilinear;

/// Couplings that are certainly rounding for the law, relative to the trace of W; others are left to it.
const UNCOUPLED: f64 = 0.9e-12;

/// P_n and P_t against the slip.
#[inline(always)]
fn restitutions<T: Real>([nn, tt]: [T; 2], [v_n, slip]: [T; 2], p: &[T; PARAMETERS]) -> [T; 2] {
    let [inverse_nn, inverse_tt] = T::reciprocals([nn, tt]);
    let normal = -(v_n + p[0] * v_n) * inverse_nn;
    let reversed = (slip + p[1] * slip) * inverse_tt;
    [normal, reversed.min(p[2] * normal)]
}

impl Kernel for Bilinear {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        let (turned, sign) = problem.opposing_slip();
        let [normal, against] = restitutions([turned.nn, turned.tt], [turned.v[0], -turned.v[1]], p);
        let coupled = turned.nt.value().abs() > UNCOUPLED * (turned.nn.value() + turned.tt.value());
        Response::jump([normal, against * sign]).unless(coupled)
    }

    #[inline(always)]
    fn space<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS]) -> Response<T, 3> {
        let (turned, tangent) = problem.opposing_slip();
        let [nn, nt, nb, tt, tb, bb] = turned.w;
        let [normal, against] = restitutions([nn, tt], [turned.v[0], -turned.v[1]], p);
        let rounding = UNCOUPLED * (nn.value() + tt.value() + bb.value());
        let across = (tb.value().abs() > rounding) & (turned.v[1].value() != 0.0);
        let coupled = (nt.value().abs() > rounding) | (nb.value().abs() > rounding) | across;
        Response::jump(turn_back([normal, against, T::constant(0.0)], tangent)).unless(coupled)
    }
}
