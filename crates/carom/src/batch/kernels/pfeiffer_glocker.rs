//! `pfeiffer-glocker`: compression by Whittaker's friction with e = 0, expansion as a clamp.

use super::whittaker::clamped;
use crate::batch::kernel::{Kernel, Plane, Response};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(in crate::batch) struct PfeifferGlocker;

/// A tangential impulse of compression below this share of the normal one has no sign.
const NO_FRICTION: f64 = 1e-13;

impl Kernel for PfeifferGlocker {
    #[inline(always)]
    fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
        let [e, e_t, stored_friction, friction, _] = *p;
        let zero = T::constant(0.0);
        let compressed = clamped(problem, zero, friction, friction);
        let [c_n, c_t] = compressed.impulse;
        let slip = T::select(compressed.sticks, zero, problem.after(compressed.impulse)[1]);
        let e_n = e * c_n;
        let stored = (friction * stored_friction * e_n + e * e_t * c_t.abs()) * 0.5;
        let limit = friction * e_n - stored;
        let signless = c_t.value().abs() <= NO_FRICTION * c_n.value();
        let centre = T::select(signless, zero, stored.with_sign_of(c_t));
        let stop = -(slip + problem.nt * e_n) / problem.tt;
        let e_t = stop.max(centre - limit).min(centre + limit);
        Response { compression: c_n, ..Response::jump([c_n + e_n, c_t + e_t]) }.unless(compressed.refer)
    }
}
