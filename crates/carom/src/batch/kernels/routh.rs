//! `routh-poisson`, `routh-newton`, `routh-stronge` in the plane: two straight pieces, slip and what follows its stop.

use crate::batch::kernel::{CANCELS, Kernel, Plane, Response};
use crate::batch::lanes::PARAMETERS;
use crate::batch::outputs::code;
use crate::batch::real::Real;
use crate::outcome::Mode;

pub(in crate::batch) struct RouthPoisson;
pub(in crate::batch) struct RouthNewton;
pub(in crate::batch) struct RouthStronge;

/// The process up to greatest compression, for V_n < 0, in the tangent that opposes the slip. Normal impulses P_n are its clock.
struct Process<T> {
    v_n: T,
    /// Of that tangent in the problem's own.
    sign: T,
    /// dP_t/dP_n before and after the slip stops.
    ratios: [T; 2],
    /// dP_n/dV_n at greatest compression.
    easing: T,
    /// dV_n/dP_n after the slip stops.
    last_rate: T,
    /// P_n where the slip stops, and V_n there; [`NEVER`] if it does not.
    stop: T,
    v_stop: T,
    /// P_n at greatest compression.
    compressed: T,
    /// Whether the slip stops by then.
    stopped: bool,
    sticks: bool,
    /// Work of the normal force in compression.
    work: T,
    refer: bool,
}

/// P_n of a stop that never comes.
const NEVER: f64 = f64::INFINITY;
/// A slip that friction slows less than this, relative to W_tt, stops long after the collision.
const FAINT: f64 = 1e-100;

impl<T: Real> Process<T> {
    #[inline(always)]
    fn of(problem: &Plane<T>, friction: T) -> Process<T> {
        let (Plane { nn, nt, tt, v: [v_n, v_t] }, sign) = problem.opposing_slip();
        let (zero, one) = (T::constant(0.0), T::constant(1.0));
        let slip = -v_t;
        let direct = slip.value() == 0.0;
        // Rates after the stop are times W_tt.
        let (held, limit) = (nt.abs(), friction * tt);
        let sticks = held.value() <= limit.value();
        let kept = |stick: T, back: T| T::at_most(held, limit, stick, back);
        let scaled_rate = kept(problem.determinant(), tt * (nn - friction * held));
        let coupled = nt * friction;
        let rate = nn + coupled;
        let slowing = nt + limit;
        let slows = slowing.value() > FAINT * tt.value();
        let slowing = T::select(slows, slowing, tt);
        let scaled_v_stop = v_n * slowing + rate * slip;
        let stopped = direct | (slows & (scaled_v_stop.value() <= 0.0));
        let [inverse, per_slowing, per_rate] = T::reciprocals([tt, slowing, T::select(stopped, scaled_rate, rate)]);
        let stop = T::select(slows, slip * per_slowing, T::constant(NEVER));
        // Without slip the stop is at once, and its derivative that of a slip from below; one that friction does not slow begins there.
        let begins = direct & !slows;
        let stop = T::select(begins, zero, stop);
        let v_stop = T::select(begins, v_n, scaled_v_stop * per_slowing);
        let easing = T::select(stopped, tt, one) * per_rate;
        // One ends where the other begins: where V_n = 0 at the stop.
        let from = T::select(stopped, stop, zero);
        let left = T::select(stopped, v_stop, v_n);
        let poor = rate.value() <= CANCELS * (nn.value() + coupled.value().abs());
        let poor_after = scaled_rate.value() <= CANCELS * CANCELS * (nn.value() * tt.value());
        Process {
            v_n,
            sign,
            ratios: [friction, kept(-nt * inverse, -friction.with_sign_of(nt))],
            easing,
            last_rate: scaled_rate * inverse,
            stop,
            v_stop,
            compressed: from - left * easing,
            stopped,
            sticks,
            work: ((v_n + v_stop) * from - left.squared() * easing) * 0.5,
            refer: (poor & !stopped) | poor_after,
        }
    }

    /// The end of restitution at 1 + e times the impulse of compression.
    #[inline(always)]
    fn end_at_impulse(&self, e: T) -> T {
        // Where the slip stops just at the end of compression, that end has a kink; velocity and work there have none.
        let edge = T::tie(self.compressed.value(), self.stop.value());
        (self.compressed + e * self.compressed).with_kink(edge)
    }

    /// The end of restitution where V_n reaches a value.
    #[inline(always)]
    fn end_at_velocity(&self, target: T) -> T {
        let straight = self.compressed + target * self.easing;
        let bent = self.stop + (target - self.v_stop) / self.last_rate;
        T::select(self.stopped, straight, T::at_most(straight, self.stop, straight, bent))
    }

    /// The end of restitution where the normal force has given back e² of the work it took.
    #[inline(always)]
    fn end_at_work(&self, e: T) -> T {
        let twice = -self.work * 2.0;
        let straight = self.compressed + e * (twice * self.easing).sqrt();
        let early = self.v_stop * (self.stop - self.compressed);
        let left = (e.squared() * twice - early).max(T::constant(0.0));
        let end_speed = (self.v_stop.squared() + self.last_rate * left).sqrt();
        let bent = self.stop + left / (self.v_stop + end_speed);
        T::select(self.stopped, straight, T::at_most(straight, self.stop, straight, bent))
    }

    #[inline(always)]
    fn finish(&self, problem: &Plane<T>, friction: T, end: T) -> Response<T, 2> {
        let [first, second] = self.ratios;
        let slips_on = end.value() <= self.stop.value();
        let bent = T::select(slips_on, T::constant(0.0), first * self.stop + second * (end - self.stop));
        let impulse = [end, T::at_most(end, self.stop, first * end, bent) * self.sign];
        let v_end = problem.after(impulse)[0];
        let (from, v_from) = (
            T::select(self.stopped | slips_on, self.compressed, self.stop),
            T::select(self.stopped | slips_on, T::constant(0.0), self.v_stop),
        );
        let before_stop = T::select(self.stopped | slips_on, T::constant(0.0), self.v_stop * (from - self.compressed));
        let given_back = (before_stop + (v_from + v_end) * (end - from)) * 0.5;
        Response {
            impulse,
            sticks: !slips_on & self.sticks & (friction.value() > 0.0),
            compression: self.compressed,
            works: [self.work, given_back],
            mode: self.mode(problem, friction, slips_on),
            refer: self.refer,
        }
    }

    #[inline(always)]
    fn mode(&self, problem: &Plane<T>, friction: T, slips_on: bool) -> u64 {
        let choose = |condition: bool, yes: u64, no: u64| if condition { yes } else { no };
        let place = |mode: Mode| u64::from(code(mode));
        let stuck = choose(self.stopped, place(Mode::CSticking), place(Mode::RSticking));
        let reversed = choose(self.stopped, place(Mode::CReversedSliding), place(Mode::RReversedSliding));
        let back = choose(problem.v[1].value() == 0.0, place(Mode::Sliding), reversed);
        let after_stop = choose(self.sticks, stuck, back);
        let moving = choose(slips_on, place(Mode::Sliding), after_stop);
        choose(friction.value() == 0.0, place(Mode::Frictionless), moving)
    }
}

// Not a function for the end: the compiler has to see it whole.
macro_rules! kernel {
    ($law:ident, $process:ident, $e:ident, $end:expr) => {
        impl Kernel for $law {
            #[inline(always)]
            fn plane<T: Real>(problem: &Plane<T>, p: &[T; PARAMETERS]) -> Response<T, 2> {
                let $process = Process::of(problem, p[1]);
                let $e = p[0];
                $process.finish(problem, p[1], $end)
            }
        }
    };
}

kernel!(RouthPoisson, process, e, process.end_at_impulse(e));
kernel!(RouthNewton, process, e, process.end_at_velocity(-e * process.v_n));
kernel!(RouthStronge, process, e, process.end_at_work(e));
