//! Routh's process in space: the slip turns while it slows down.
//!
//! Keller 1986; Chatterjee 1997, 5.2.4. With a = W_tn, T = W_tt and u the direction of the slip,
//!
//! ```text
//! dV_t/dP_n = a − μ T u,   dV_n/dP_n = W_nn − μ a·u,   dP_t/dP_n = −μ u
//! ```
//!
//! is singular where the slip s = |V_t| vanishes. In the time τ with dP_n = s dτ it is not:
//!
//! ```text
//! u' = f u⊥,   s' = g s,   f = u⊥·(a − μ T u),   g = u·(a − μ T u)
//! ```
//!
//! The direction obeys an equation of its own, f is a trigonometric polynomial of degree two, and u turns monotonically
//! towards one of its zeros, an invariant direction u*. Where g(u*) < 0 the slip stops after a finite impulse, which u*
//! reaches exponentially in τ: once the remaining turn cannot change the impulse any more, the rest is the straight piece
//! s/(−g). After the stop the contact sticks if |T⁻¹ a| ≤ μ, with dV_n/dP_n = W_nn − a·T⁻¹a > 0; otherwise it leaves along
//! the outgoing invariant direction, f = 0 and g > 0, in which dV_n/dP_n > μ g > 0. Both are straight, so the only thing
//! to integrate is the first stretch.
//!
//! The smooth stretch is integrated by Dormand and Prince's pair of order 5(4). Ends of compression and restitution are
//! roots inside a step, found by repeating the step with a shorter length. V_n may turn only where u·a = W_nn/μ; a step
//! is cut there, so that no end is missed.
//!
//! In the plane V_n grows from the end of compression on. In space the turning slip may drive the bodies together again
//! before restitution is over; they then compress further, and restitution is counted from the last end of compression.
//!
//! Singular W: as in the plane, slip and approach stop together, and compression goes on for the finite stretch
//! −(N P_stop)_n of sticking, N the projector onto the immovable direction, if that is positive.

use super::{Routh, Termination};
use crate::collision::Collision;
use crate::laws::law::Inapplicable;
use crate::outcome::{Compression, Mode, Note, Outcome, Path, Works};
use crate::polynomial::roots_within_one;
use nalgebra::{Matrix2, SVector, Vector2, Vector3};

/// u (2), s, P (3), work of the normal force.
type State = SVector<f64, 7>;

/// Local error of a step, relative to the scales of the problem.
const TOLERANCE: f64 = 1e-13;
/// A turn (rad) that is nothing: what the integration errs by anyway.
const STRAIGHT: f64 = 1e-13;
/// A turn (rad) so short that the direction at its end is known: one step of Newton's method gives it.
const NEARLY_SETTLED: f64 = 1e-4;
/// Far more steps than any collision takes.
const MOST_STEPS: usize = 100_000;
/// A normal velocity above minus this fraction of the speeds is no approach but rounding.
const NO_APPROACH: f64 = 1e-12;
/// A rate of V_n below this fraction of W_nn is the zero rate of sticking under a singular W.
const NO_RATE: f64 = 1e-13;

impl Routh {
    /// The outcome of a collision that leaves every plane.
    pub(super) fn spatial(&self, collision: &Collision) -> Result<Outcome, Inapplicable> {
        let field = Field::of(collision, self.friction);
        let mut walk = Walk::start(&field, collision);
        let tangential = collision.velocity().x == 0.0;
        let threshold = field.jamming_threshold(&walk.state);
        if tangential && (walk.state[2] == 0.0 || field.normal_rate(&walk.direction()) >= 0.0) {
            return Ok(Outcome::none(collision).with_note(Note::NoTangentialImpact { threshold }));
        }
        let (compressed, compression_work) = loop {
            walk.reach(&Goal::Compression)?;
            let (compressed, work) = (walk.impulse(), walk.work());
            let e = self.restitution;
            let goal = match self.termination {
                _ if e == 0.0 => break (compressed, work),
                Termination::Poisson => Goal::Impulse((1.0 + e) * compressed.x),
                Termination::Newton => Goal::Velocity(-e * collision.velocity().x),
                Termination::Stronge => Goal::Work(work * (1.0 - e * e)),
            };
            if walk.reach(&goal)? == Reached::Goal {
                break (compressed, work);
            }
        };

        let impulse = walk.impulse();
        let mut outcome = Outcome::jump(collision, impulse, self.friction);
        let in_compression = walk.stopped_at.is_some_and(|at| at <= compressed.x);
        let started_at_rest = collision.velocity().yz() == Vector2::zeros();
        outcome.mode = match (self.friction == 0.0, walk.stopped_at.is_some(), walk.sticks(), in_compression) {
            (true, ..) => Mode::Frictionless,
            (_, true, true, true) => Mode::CSticking,
            (_, true, true, false) => Mode::RSticking,
            (_, true, false, true) if !started_at_rest => Mode::CReversedSliding,
            (_, true, false, false) if !started_at_rest => Mode::RReversedSliding,
            // In space the slip may turn round without ever stopping.
            _ if outcome.velocity_after.yz().dot(&collision.velocity().yz()) < 0.0 => Mode::ReversedSliding,
            _ => Mode::Sliding,
        };
        if walk.sticks() {
            outcome.velocity_after = Vector3::new(outcome.velocity_after.x, 0.0, 0.0);
        }
        outcome.path = walk.path;
        outcome.path.finish(impulse);
        outcome.compression = Some(Compression {
            impulse: compressed,
            works: Some(Works::of(collision, &impulse, compression_work, walk.work() - compression_work)),
        });
        if tangential {
            outcome.notes.push(Note::TangentialImpact { threshold });
        }
        Ok(outcome)
    }
}

/// W split into its parts, and friction.
struct Field<'a> {
    collision: &'a Collision,
    w_nn: f64,
    a: Vector2<f64>,
    t: Matrix2<f64>,
    mu: f64,
}

impl<'a> Field<'a> {
    fn of(collision: &'a Collision, mu: f64) -> Field<'a> {
        let w = collision.inverse_mass();
        Field {
            collision,
            w_nn: w[(0, 0)],
            a: Vector2::new(w[(1, 0)], w[(2, 0)]),
            t: w.fixed_view::<2, 2>(1, 1).into_owned(),
            mu,
        }
    }

    /// dV_t/dP_n while slipping along u.
    fn push(&self, u: &Vector2<f64>) -> Vector2<f64> {
        self.a - self.t * u * self.mu
    }

    /// dV_n/dP_n while slipping along u.
    fn normal_rate(&self, u: &Vector2<f64>) -> f64 {
        self.w_nn - self.mu * self.a.dot(u)
    }

    fn normal_velocity(&self, state: &State) -> f64 {
        let p = state.fixed_rows::<3>(3);
        self.collision.velocity().x + self.w_nn * p[0] + self.a.x * p[1] + self.a.y * p[2]
    }

    /// The least friction for which a purely sliding contact jams.
    fn jamming_threshold(&self, state: &State) -> f64 {
        let drive = self.a.dot(&state.fixed_rows::<2>(0));
        if state[2] > 0.0 && drive > 0.0 { self.w_nn / drive } else { f64::INFINITY }
    }

    fn derivative(&self, state: &State) -> State {
        let u = Vector2::new(state[0], state[1]);
        let s = state[2];
        let push = self.push(&u);
        let (turn, growth) = (u.perp(&push), u.dot(&push));
        let work = self.normal_velocity(state) * s;
        State::from([-u.y * turn, u.x * turn, growth * s, s, -self.mu * s * u.x, -self.mu * s * u.y, work])
    }

    /// What follows the stop: sticking, or slip along the outgoing invariant direction. The second value tells which.
    fn after_stop(&self) -> (Vector2<f64>, bool) {
        if let Some(ratio) = self.t.try_inverse().map(|inverse| -(inverse * self.a))
            && ratio.norm() <= self.mu
        {
            return (ratio, true);
        }
        // f(φ) = c₁ cos φ + s₁ sin φ + c₂ cos 2φ + s₂ sin 2φ, by halves of the circle.
        let (c1, s1) = (self.a.y, -self.a.x);
        let (c2, s2) = (-self.mu * self.t[(0, 1)], -0.5 * self.mu * (self.t[(1, 1)] - self.t[(0, 0)]));
        let mut best = (self.a.try_normalize(0.0).unwrap_or_else(Vector2::x), f64::NEG_INFINITY);
        for front in [1.0, -1.0] {
            let (c1, s1) = (c1 * front, s1 * front);
            let quartic = [c1 + c2, 2.0 * s1 + 4.0 * s2, -6.0 * c2, 2.0 * s1 - 4.0 * s2, c2 - c1];
            for h in roots_within_one(&quartic).as_slice() {
                let u = Vector2::new(1.0 - h * h, 2.0 * h) * (front / (1.0 + h * h));
                let growth = u.dot(&self.push(&u));
                if growth > best.1 {
                    best = (u, growth);
                }
            }
        }
        (best.0 * -self.mu, false)
    }
}

/// What a stretch of the process runs up to.
enum Goal {
    /// V_n = 0.
    Compression,
    /// This normal impulse.
    Impulse(f64),
    /// This normal velocity.
    Velocity(f64),
    /// This work of the normal force since the start.
    Work(f64),
}

/// How a stretch ended.
#[derive(PartialEq)]
enum Reached {
    /// At its goal.
    Goal,
    /// With the bodies approaching each other again: the turning slip can undo a part of the restitution. Compression
    /// then goes on, and restitution starts anew from its end.
    Approach,
}

/// How the process goes on.
enum Piece {
    /// The slip turns.
    Turning,
    /// Slip along an invariant direction that stops it or not.
    Straight,
    /// After the stop: dP_t/dP_n, and whether it sticks.
    After { ratio: Vector2<f64>, sticks: bool },
}

/// The process under way.
struct Walk<'a> {
    field: &'a Field<'a>,
    state: State,
    piece: Piece,
    /// Length of the next step in τ.
    step: f64,
    /// Sizes that errors are measured by.
    scale: State,
    stopped_at: Option<f64>,
    path: Path,
}

impl<'a> Walk<'a> {
    fn start(field: &'a Field<'a>, collision: &Collision) -> Walk<'a> {
        let v = collision.velocity();
        let slip = v.yz();
        let speed = slip.norm();
        let u = slip.try_normalize(0.0).unwrap_or_else(Vector2::zeros);
        let trace = collision.inverse_mass().trace();
        let impulse = v.norm() / trace;
        let tangential = impulse * (1.0 + field.mu);
        let mut walk = Walk {
            field,
            state: State::from([u.x, u.y, speed, 0.0, 0.0, 0.0, 0.0]),
            piece: Piece::Turning,
            step: 0.05 / (trace * (1.0 + field.mu)),
            scale: State::from([1.0, 1.0, v.norm(), impulse, tangential, tangential, impulse * v.norm()]),
            stopped_at: None,
            path: Path::default(),
        };
        walk.path.push(Vector3::zeros());
        if speed == 0.0 {
            walk.stop();
        }
        walk
    }

    fn direction(&self) -> Vector2<f64> {
        Vector2::new(self.state[0], self.state[1])
    }

    fn impulse(&self) -> Vector3<f64> {
        self.state.fixed_rows::<3>(3).into_owned()
    }

    fn work(&self) -> f64 {
        self.state[6]
    }

    fn sticks(&self) -> bool {
        matches!(self.piece, Piece::After { sticks: true, .. })
    }

    /// The slip has stopped here.
    fn stop(&mut self) {
        let (ratio, sticks) = self.field.after_stop();
        self.state[2] = 0.0;
        self.stopped_at = Some(self.state[3]);
        self.piece = Piece::After { ratio, sticks };
        if self.state[3] > 0.0 {
            self.path.push(self.impulse());
        }
    }

    /// Goes on until the goal is met, or until restitution turns into compression again.
    fn reach(&mut self, goal: &Goal) -> Result<Reached, Inapplicable> {
        // Newton's ending of a tangential impact is met as soon as compression ends.
        if !matches!(goal, Goal::Compression) && self.missing(goal, &self.state) >= 0.0 {
            return Ok(Reached::Goal);
        }
        for _ in 0..MOST_STEPS {
            let met = match self.piece {
                Piece::Turning => self.turn(goal),
                Piece::Straight => self.slide(goal)?,
                Piece::After { ratio, .. } => {
                    if !matches!(goal, Goal::Compression) && self.hidden_compression(&ratio) > 0.0 {
                        return Ok(Reached::Approach);
                    }
                    self.finish(goal, &ratio)?;
                    true
                }
            };
            let approaching = self.field.normal_velocity(&self.state) < -NO_APPROACH * self.scale[2];
            match (met, goal) {
                (_, Goal::Compression) if met => return Ok(Reached::Goal),
                (_, Goal::Compression) => {}
                _ if approaching => return Ok(Reached::Approach),
                (true, _) => return Ok(Reached::Goal),
                (false, _) => {}
            }
        }
        Err(Inapplicable::NoSolution)
    }

    /// Negative before the goal, positive after it.
    fn missing(&self, goal: &Goal, state: &State) -> f64 {
        match goal {
            Goal::Compression => self.field.normal_velocity(state),
            Goal::Impulse(target) => state[3] - target,
            Goal::Velocity(target) => self.field.normal_velocity(state) - target,
            Goal::Work(target) => state[6] - target,
        }
    }

    /// One step of the smooth stretch; tells whether the goal was met inside it.
    fn turn(&mut self, goal: &Goal) -> bool {
        if let Some(u) = self.settled_direction() {
            (self.state[0], self.state[1]) = (u.x, u.y);
            self.piece = Piece::Straight;
            return false;
        }
        let (mut next, taken) = self.accepted_step();
        let mut length = taken;
        // V_n turns where the rate changes sign: look there, so that a short visit above the goal is not missed.
        let rate = |state: &State| self.field.normal_rate(&Vector2::new(state[0], state[1]));
        if (rate(&self.state) < 0.0) != (rate(&next) < 0.0) {
            let turned = self.locate(taken, |state| rate(state) * if rate(&next) < 0.0 { -1.0 } else { 1.0 });
            if self.missing(goal, &self.state) < 0.0 && self.missing(goal, &turned.0) >= 0.0 {
                (next, length) = turned;
            }
        }
        let met = self.missing(goal, &self.state) < 0.0 && self.missing(goal, &next) >= 0.0;
        if met {
            next = self.locate(length, |state| self.missing(goal, state)).0;
        }
        let u = Vector2::new(next[0], next[1]).normalize();
        (next[0], next[1]) = (u.x, u.y);
        self.state = next;
        self.path.thread(self.impulse());
        met
    }

    /// The invariant direction, once the turn that is left cannot change the impulse any more: because it is tiny, or
    /// because hardly any slip is left to turn. A direction that repels the slip holds it only if it starts there.
    fn settled_direction(&self) -> Option<Vector2<f64>> {
        let u = self.direction();
        let across = Vector2::new(-u.y, u.x);
        let push = self.field.push(&u);
        let (turning, growth) = (across.dot(&push), u.dot(&push));
        let attraction = growth + self.field.mu * across.dot(&(self.field.t * across));
        if attraction > 0.0 {
            let left = turning / attraction;
            let slip_left = if growth < 0.0 { self.state[2] / self.scale[2] } else { 1.0 };
            let settled = left.abs() <= NEARLY_SETTLED && left.abs() * slip_left <= STRAIGHT;
            settled.then(|| (u + across * left).normalize())
        } else {
            let rounding = 4.0 * f64::EPSILON * (self.field.a.norm() + self.field.mu * self.field.t.norm());
            (turning.abs() <= rounding).then_some(u)
        }
    }

    /// The state of a step of this length, and its error estimate.
    fn trial(&self, h: f64) -> (State, State) {
        let f = |state: State| self.field.derivative(&state);
        let y = &self.state;
        let k1 = f(*y);
        let k2 = f(y + k1 * (h / 5.0));
        let k3 = f(y + (k1 * (3.0 / 40.0) + k2 * (9.0 / 40.0)) * h);
        let k4 = f(y + (k1 * (44.0 / 45.0) - k2 * (56.0 / 15.0) + k3 * (32.0 / 9.0)) * h);
        let k5 = f(y
            + (k1 * (19372.0 / 6561.0) - k2 * (25360.0 / 2187.0) + k3 * (64448.0 / 6561.0) - k4 * (212.0 / 729.0)) * h);
        let k6 = f(y
            + (k1 * (9017.0 / 3168.0) - k2 * (355.0 / 33.0) + k3 * (46732.0 / 5247.0) + k4 * (49.0 / 176.0)
                - k5 * (5103.0 / 18656.0))
                * h);
        let end = y
            + (k1 * (35.0 / 384.0) + k3 * (500.0 / 1113.0) + k4 * (125.0 / 192.0) - k5 * (2187.0 / 6784.0)
                + k6 * (11.0 / 84.0))
                * h;
        let k7 = f(end);
        let error = (k1 * (71.0 / 57600.0) - k3 * (71.0 / 16695.0) + k4 * (71.0 / 1920.0) - k5 * (17253.0 / 339_200.0)
            + k6 * (22.0 / 525.0)
            - k7 * (1.0 / 40.0))
            * h;
        (end, error)
    }

    /// A step whose error is small enough, and its length; the next length is chosen with it.
    fn accepted_step(&mut self) -> (State, f64) {
        loop {
            let (next, error) = self.trial(self.step);
            let size = error.component_div(&self.scale).amax() / TOLERANCE;
            let taken = self.step;
            let factor = if size > 0.0 { 0.9 * size.powf(-0.2) } else { 5.0 };
            self.step *= factor.clamp(0.2, 5.0);
            if size <= 1.0 || self.step < f64::MIN_POSITIVE / f64::EPSILON {
                return (next, taken);
            }
        }
    }

    /// The state inside a step of this length where a function that is negative at its start first is not, and the
    /// length to it: false position, every third time halving.
    fn locate(&self, length: f64, f: impl Fn(&State) -> f64) -> (State, f64) {
        let (mut before, mut after) = (0.0, length);
        let mut end = self.trial(after).0;
        let (mut f_before, mut f_after) = (f(&self.state), f(&end));
        for step in 0..100 {
            if after - before <= 4.0 * f64::EPSILON * after || f_after == 0.0 {
                break;
            }
            let guess = before + (after - before) * f_before / (f_before - f_after);
            let middle =
                if step % 3 == 2 || !(guess > before && guess < after) { 0.5 * (before + after) } else { guess };
            let trial = self.trial(middle).0;
            let value = f(&trial);
            if value < 0.0 {
                (before, f_before) = (middle, value);
            } else {
                (after, f_after, end) = (middle, value, trial);
            }
        }
        (end, after)
    }

    /// The straight rest of the slip; tells whether the goal is met before it stops.
    fn slide(&mut self, goal: &Goal) -> Result<bool, Inapplicable> {
        let u = self.direction();
        let growth = u.dot(&self.field.push(&u));
        let until_stop = if growth < 0.0 { -self.state[2] / growth } else { f64::INFINITY };
        let ratio = u * -self.field.mu;
        let until_goal = self.distance(goal, &ratio).filter(|distance| *distance <= until_stop);
        let length = until_goal.unwrap_or(until_stop);
        if length.is_infinite() {
            return Err(Inapplicable::UnboundedImpulse);
        }
        self.advance(&ratio, length);
        self.state[2] += growth * length;
        if until_goal.is_none() {
            self.stop();
        }
        Ok(until_goal.is_some())
    }

    /// Whether sticking leaves V as it is, under a singular W.
    fn has_no_rate(&self, ratio: &Vector2<f64>) -> bool {
        self.sticks() && self.field.w_nn + self.field.a.dot(ratio) <= NO_RATE * self.field.w_nn
    }

    /// The stretch of sticking that compression still takes under a singular W, where it leaves no trace in V.
    fn hidden_compression(&self, ratio: &Vector2<f64>) -> f64 {
        if !self.has_no_rate(ratio) {
            return 0.0;
        }
        let left = -self.field.collision.immovable_part(&self.impulse()).x;
        if left > NO_APPROACH * self.impulse().norm() { left } else { 0.0 }
    }

    /// Runs the piece after the stop up to the goal.
    fn finish(&mut self, goal: &Goal, ratio: &Vector2<f64>) -> Result<(), Inapplicable> {
        let no_rate = self.has_no_rate(ratio);
        let length = match goal {
            Goal::Compression if no_rate => Some(self.hidden_compression(ratio)),
            Goal::Velocity(_) | Goal::Work(_) if no_rate => None,
            _ => self.distance(goal, ratio),
        };
        let length = length.ok_or(Inapplicable::UnboundedImpulse)?;
        if no_rate {
            // Sticking leaves V as it is: zero.
            let p = Vector3::new(1.0, ratio.x, ratio.y) * length;
            for i in 0..3 {
                self.state[3 + i] += p[i];
            }
        } else {
            self.advance(ratio, length);
        }
        Ok(())
    }

    /// Normal impulse until the goal along a straight piece; `None` if it is never met.
    fn distance(&self, goal: &Goal, ratio: &Vector2<f64>) -> Option<f64> {
        let rate = self.field.w_nn + self.field.a.dot(ratio);
        let velocity = self.field.normal_velocity(&self.state);
        let to_velocity = |target: f64| {
            if velocity >= target { Some(0.0) } else { (rate > 0.0).then(|| (target - velocity) / rate) }
        };
        match goal {
            Goal::Compression => to_velocity(0.0),
            Goal::Velocity(target) => to_velocity(*target),
            Goal::Impulse(target) => Some((target - self.state[3]).max(0.0)),
            Goal::Work(target) => {
                // V ΔP + ½ rate ΔP² = what is missing, V ≥ 0 in restitution.
                let missing = (target - self.work()).max(0.0);
                let root = velocity * velocity + 2.0 * rate * missing;
                if missing == 0.0 { Some(0.0) } else { (root > 0.0).then(|| 2.0 * missing / (velocity + root.sqrt())) }
            }
        }
    }

    fn advance(&mut self, ratio: &Vector2<f64>, length: f64) {
        let velocity = self.field.normal_velocity(&self.state);
        let rate = self.field.w_nn + self.field.a.dot(ratio);
        self.state[3] += length;
        self.state[4] += ratio.x * length;
        self.state[5] += ratio.y * length;
        self.state[6] += (velocity + 0.5 * rate * length) * length;
    }
}
