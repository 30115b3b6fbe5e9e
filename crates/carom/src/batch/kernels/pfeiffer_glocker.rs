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
        // Without friction the sign is that of a little friction.
        let sign = f64::select(friction.value() == 0.0, -slip.value(), c_t.value());
        let size = T::select(sign < 0.0, -c_t, c_t);
        let signless = (c_t.value().abs() <= NO_FRICTION * c_n.value()) & (friction.value() > 0.0);
        // A contact that has stuck expands in proportion to e_n, so that its formula does not change where restitution ends: per e_n then.
        let (stuck, one) = (compressed.sticks, T::constant(1.0));
        let (normal, share) = (T::select(stuck, one, e_n), T::select(stuck, c_n.reciprocal(), e));
        let stop = -(slip + problem.nt * normal) / problem.tt;
        let stored = (friction * stored_friction * normal + e_t * size * share) * 0.5;
        let limit = friction * normal - stored;
        let centre = T::select(signless, zero, T::select(sign < 0.0, -stored, stored));
        let (low, high) = (centre - limit, centre + limit);
        // Ties are beside the whole: all that is clamped may be small.
        let beside = f64::select(stuck, 1.0, c_n.value());
        let at = stop.value() + beside;
        let edge = T::tie(at, low.value() + beside) | T::tie(at, high.value() + beside);
        let returned = stop.max(low).min(high).with_kink(edge) * T::select(stuck, e_n, one);
        // The impulse that is stored jumps with the sign.
        let jumps = T::tie(c_n.value() + c_t.value().abs(), c_n.value()) & (friction.value() > 0.0);
        let returned = returned.with_kink(jumps);
        Response { compression: c_n, ..Response::jump([c_n + e_n, c_t + returned]) }.unless(compressed.refer)
    }
}
