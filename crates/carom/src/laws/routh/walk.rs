//! The process under way: a smooth stretch, then straight pieces.

use super::field::Field;
use super::record::Record;
use super::series::{ORDER, Series, State, impulse, slip};
use crate::course::Motion;
use crate::law::Inapplicable;
use crate::ode::first_fall;
use crate::outcome::Path;
use nalgebra::{Vector2, Vector3};

/// A part of the impulse that is nothing.
const STRAIGHT: f64 = 1e-14;
/// A turn (rad) so short that the direction at its end is known: Newton's method gives it.
const NEARLY_SETTLED: f64 = 1e-4;
/// Far more stretches than any collision takes.
const MOST_STRETCHES: usize = 100_000;
/// A normal velocity above minus this fraction of the speeds is no approach but rounding.
const NO_APPROACH: f64 = 1e-12;
/// A goal is sought no closer than this fraction of a series ahead.
const CLOSEST: f64 = 1e-9;
/// Parts of a stretch for the path, and for the history.
const PARTS: usize = 4;
const FINE_PARTS: usize = 4 * PARTS;

/// What a stretch of the process runs up to.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// V_n = 0.
    Compression,
    /// This normal impulse.
    Impulse(f64),
    /// This normal velocity.
    Velocity(f64),
    /// This work of the normal force since it was last taken down.
    Work(f64),
}

impl Goal {
    /// Positive before the goal, negative after it.
    fn missing(self, normal_velocity: f64, state: &State) -> f64 {
        match self {
            Goal::Compression => -normal_velocity,
            Goal::Impulse(target) => target - state[2],
            Goal::Velocity(target) => target - normal_velocity,
            Goal::Work(target) => target - state[5],
        }
    }

    fn is_compression(self) -> bool {
        matches!(self, Goal::Compression)
    }
}

/// How a stretch ended.
#[derive(PartialEq)]
pub(super) enum Reached {
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
    /// Slip along this invariant direction.
    Straight(Vector2<f64>),
    /// After the stop: dP_t/dP_n, and whether it sticks.
    After { ratio: Vector2<f64>, sticks: bool },
}

/// The process under way.
pub(super) struct Walk<'a> {
    field: &'a Field<'a>,
    state: State,
    piece: Piece,
    /// The smooth stretch ahead, and how much of it is behind.
    series: Series,
    gone: f64,
    /// How many coefficients of a series were computed.
    pub(super) evaluations: usize,
    /// Size of the velocities, m/s, and of the impulse that matters first, kg m/s.
    speed: f64,
    size: f64,
    /// The work of the normal force that was taken down, J.
    work_before: f64,
    /// The normal impulse at which the slip stopped.
    pub(super) stopped_at: Option<f64>,
    pub(super) path: Path,
    record: Record<'a>,
}

impl<'a> Walk<'a> {
    pub(super) fn start(field: &'a Field<'a>, record: Record<'a>) -> Walk<'a> {
        let v = field.collision.velocity();
        let speed = v.norm();
        let mut walk = Walk {
            field,
            state: State::from([v.y, v.z, 0.0, 0.0, 0.0, 0.0]),
            piece: Piece::Turning,
            series: Series::none(),
            gone: 0.0,
            evaluations: 0,
            speed,
            size: speed / field.collision.inverse_mass().trace(),
            work_before: 0.0,
            stopped_at: None,
            path: Path::default(),
            record,
        };
        walk.path.push(Vector3::zeros());
        if let Some(u) = v.yz().try_normalize(0.0) {
            // A grazing contact is over after a small impulse, unless it jams.
            let rate = field.normal_rate(&u);
            if rate > 0.0 {
                walk.size = walk.size.min(-v.x / rate);
            }
            walk.record.instant(&Vector3::zeros(), 0.0, Motion::Slipping);
        } else {
            walk.stop();
        }
        walk
    }

    pub(super) fn impulse(&self) -> Vector3<f64> {
        impulse(&self.state)
    }

    /// The work of the normal force since it was last taken down. It counts from zero then, because little may be given
    /// back of much that was taken.
    pub(super) fn take_work_down(&mut self) -> f64 {
        let work = std::mem::take(&mut self.state[5]);
        self.work_before += work;
        self.gone = self.series.reach;
        work
    }

    fn note(&mut self, state: &State) {
        self.record.instant(&impulse(state), self.work_before + state[5], Motion::Slipping);
    }

    pub(super) fn sticks(&self) -> bool {
        matches!(self.piece, Piece::After { sticks: true, .. })
    }

    fn normal_velocity(&self) -> f64 {
        if let (Piece::After { ratio, sticks }, Some(stop), true) =
            (&self.piece, self.stopped_at, self.field.stops_together)
        {
            // The approach has stopped with the slip; the remainder is rounding.
            let rate = if *sticks { 0.0 } else { self.field.normal_rate_of(ratio) };
            return rate * (self.state[2] - stop);
        }
        self.field.normal_velocity(&self.impulse(), &slip(&self.state))
    }

    /// The slip has stopped here.
    fn stop(&mut self) {
        let (ratio, sticks) = self.field.after_stop();
        self.stopped_at = Some(self.state[2]);
        self.piece = Piece::After { ratio, sticks };
        if self.state[2] > 0.0 {
            self.path.push(self.impulse());
        }
    }

    /// Goes on until the goal is met, or until restitution turns into compression again.
    pub(super) fn reach(&mut self, goal: Goal) -> Result<Reached, Inapplicable> {
        // Newton's ending of a tangential impact is met as soon as compression ends.
        if !goal.is_compression() && goal.missing(self.normal_velocity(), &self.state) <= 0.0 {
            return Ok(Reached::Goal);
        }
        for _ in 0..MOST_STRETCHES {
            let reached = match self.piece {
                Piece::Turning => self.turn(goal),
                Piece::Straight(u) => self.slide(goal, &u)?,
                Piece::After { ratio, .. } => Some(self.finish(goal, &ratio)?),
            };
            if let Some(reached) = reached {
                return Ok(reached);
            }
        }
        Err(Inapplicable::NoConvergence)
    }

    /// A part of the smooth stretch; tells what was reached inside it.
    fn turn(&mut self, goal: Goal) -> Option<Reached> {
        if self.gone >= self.series.reach && !self.look_ahead() {
            return None;
        }
        // A goal that is near would be a needle in a long series. One that rounding keeps near is sought ever further ahead.
        let slip = slip(&self.state);
        let s = slip.norm();
        let near = self.distance(goal, &(slip * (-self.field.mu / s))).unwrap_or(f64::INFINITY);
        let ahead = (2.0 * near * self.field.pace / s).max(CLOSEST * self.series.reach).max(self.gone);
        let mut until = self.series.reach.min(self.gone + ahead);

        let from = self.gone;
        let mut end = self.series.at(until);
        let event = if self.is_quiet(goal, &end) {
            None
        } else {
            first_fall(|part| self.events(goal, &self.series.at(from + part * (until - from))))
        };
        if let Some((_, part)) = event {
            until = from + part * (until - from);
            end = self.series.at(until);
        }
        let parts = if self.record.is_wanted() { FINE_PARTS } else { PARTS };
        for k in 1..parts {
            let state = self.series.at(from + (until - from) * (k as f64 / parts as f64));
            self.note(&state);
            if k % (parts / PARTS) == 0 {
                self.path.thread(impulse(&state));
            }
        }
        self.note(&end);
        self.path.thread(impulse(&end));
        (self.state, self.gone) = (end, until);
        event.map(|(event, _)| if event == 0 { Reached::Goal } else { Reached::Approach })
    }

    /// What ends a part of the smooth stretch by falling to zero: what is missing to the goal, and in restitution V_n.
    fn events(&self, goal: Goal, state: &State) -> [f64; 2] {
        let velocity = self.field.normal_velocity(&impulse(state), &slip(state));
        let parting = if goal.is_compression() { 1.0 } else { velocity + NO_APPROACH * self.speed };
        [goal.missing(velocity, state), parting]
    }

    /// Whether surely nothing happens up to `end`. V_n is monotone unless its rate W_nn − μ a·u changes sign, which a turn
    /// can also do twice: round the direction of a.
    fn is_quiet(&self, goal: Goal, end: &State) -> bool {
        let side = |state: &State| {
            let slip = slip(state);
            let rate = self.field.w_nn * slip.norm() - self.field.mu * self.field.a.dot(&slip);
            (rate < 0.0, slip.perp(&self.field.a) < 0.0)
        };
        let monotone = self.field.never_jams() || side(&self.state) == side(end);
        monotone && self.events(goal, end).iter().all(|event| *event > 0.0)
    }

    /// Continues the smooth stretch by another series, or ends it where the slip has stopped or settled.
    fn look_ahead(&mut self) -> bool {
        let slip = slip(&self.state);
        let s = slip.norm();
        if s <= 16.0 * f64::EPSILON * self.speed {
            self.stop();
            false
        } else if let Some(u) = self.settled_direction(&(slip / s), s) {
            (self.state[0], self.state[1]) = (u.x * s, u.y * s);
            self.piece = Piece::Straight(u);
            false
        } else {
            self.series = Series::about(&self.state, self.field);
            self.gone = 0.0;
            self.evaluations += ORDER;
            true
        }
    }

    /// The invariant direction, once the turn that is left cannot change the impulse any more: because it is tiny, or
    /// because hardly any slip is left to turn. A direction that repels the slip holds it only if it starts there.
    ///
    /// The slip across the invariant direction, s δ, decays at the rate μ u⊥·T u⊥ in τ, and faster than the slip itself; all
    /// its impulse is s δ/(u⊥·T u⊥).
    fn settled_direction(&self, u: &Vector2<f64>, s: f64) -> Option<Vector2<f64>> {
        let size = self.size.max(self.impulse().amax());
        let (mut u, mut left) = (*u, 0.0);
        for _ in 0..3 {
            let across = Vector2::new(-u.y, u.x);
            let push = self.field.push(&u);
            let (turning, hold) = (across.dot(&push), across.dot(&(self.field.t * across)));
            let attraction = u.dot(&push) + self.field.mu * hold;
            if attraction <= 0.0 {
                return (left == 0.0 && turning.abs() <= 4.0 * f64::EPSILON * self.field.pace).then_some(u);
            }
            let step = turning / attraction;
            left += step;
            if left.abs() > NEARLY_SETTLED || (left * s).abs() > STRAIGHT * size * hold {
                return None;
            }
            u = (u + across * step).normalize();
        }
        Some(u)
    }

    /// The straight rest of the slip; tells what was reached before it stops.
    fn slide(&mut self, goal: Goal, u: &Vector2<f64>) -> Result<Option<Reached>, Inapplicable> {
        let s = slip(&self.state).norm();
        let (growth, rate) = (u.dot(&self.field.push(u)), self.field.normal_rate(u));
        let ratio = u * -self.field.mu;
        // Along an edge of the cone that moves nothing rounding decides where these are met.
        let asks_velocity = matches!(goal, Goal::Velocity(_) | Goal::Work(_));
        if asks_velocity && self.field.endless && rate.abs() <= self.field.slowest {
            return Err(Inapplicable::UnboundedImpulse);
        }
        let mut length = if growth < 0.0 { -s / growth } else { f64::INFINITY };
        let mut reached = None;
        if !goal.is_compression() && rate < 0.0 {
            let until_approach = (self.normal_velocity() + NO_APPROACH * self.speed) / -rate;
            if until_approach < length {
                (length, reached) = (until_approach.max(0.0), Some(Reached::Approach));
            }
        }
        // Under a singular W approach and slip stop together: rounding must not tell them apart.
        let together = goal.is_compression() && self.field.stops_together;
        if let Some(until_goal) = self.distance(goal, &ratio)
            && until_goal <= length
            && !together
        {
            (length, reached) = (until_goal, Some(Reached::Goal));
        }
        if length.is_infinite() {
            return Err(Inapplicable::UnboundedImpulse);
        }
        self.advance(&ratio, length);
        let rest = (s + growth * length).max(0.0);
        (self.state[0], self.state[1]) = (u.x * rest, u.y * rest);
        if reached.is_none() {
            self.stop();
        }
        Ok(reached)
    }

    /// Whether sticking leaves V as it is, under a singular W.
    fn has_no_rate(&self) -> bool {
        self.sticks() && self.field.stops_together
    }

    /// The stretch of sticking that compression still takes under a singular W, where it leaves no trace in V.
    fn hidden_compression(&self) -> f64 {
        if !self.has_no_rate() {
            return 0.0;
        }
        let left = -self.field.collision.immovable_part(&self.impulse()).x;
        if left > NO_APPROACH * self.impulse().norm() { left } else { 0.0 }
    }

    /// Runs the piece after the stop up to the goal.
    fn finish(&mut self, goal: Goal, ratio: &Vector2<f64>) -> Result<Reached, Inapplicable> {
        let hidden = self.hidden_compression();
        if !goal.is_compression() && hidden > 0.0 {
            return Ok(Reached::Approach);
        }
        let length = match goal {
            Goal::Compression if self.has_no_rate() => Some(hidden),
            Goal::Velocity(_) | Goal::Work(_) if self.field.endless => None,
            _ => self.distance(goal, ratio),
        };
        self.advance(ratio, length.ok_or(Inapplicable::UnboundedImpulse)?);
        Ok(Reached::Goal)
    }

    /// Normal impulse until the goal along a straight piece; `None` if it is never met.
    fn distance(&self, goal: Goal, ratio: &Vector2<f64>) -> Option<f64> {
        let rate = self.field.normal_rate_of(ratio);
        let velocity = self.normal_velocity();
        let to_velocity = |target: f64| {
            if velocity >= target { Some(0.0) } else { (rate > 0.0).then(|| (target - velocity) / rate) }
        };
        match goal {
            // A contact that jams does not end compression, not even where it starts it.
            Goal::Compression => to_velocity(0.0).filter(|_| rate >= 0.0),
            Goal::Velocity(target) => to_velocity(target),
            Goal::Impulse(target) => Some((target - self.state[2]).max(0.0)),
            Goal::Work(target) => {
                // V ΔP + ½ rate ΔP² = what is missing, V ≥ 0 in restitution.
                let missing = (target - self.state[5]).max(0.0);
                let root = velocity * velocity + 2.0 * rate * missing;
                if missing == 0.0 { Some(0.0) } else { (root > 0.0).then(|| 2.0 * missing / (velocity + root.sqrt())) }
            }
        }
    }

    /// A straight piece of this length in P_n.
    fn advance(&mut self, ratio: &Vector2<f64>, length: f64) {
        let direction = Vector3::new(1.0, ratio.x, ratio.y);
        // Under a singular W sticking leaves V as it is: zero.
        let (velocity, rate) =
            if self.has_no_rate() { (0.0, 0.0) } else { (self.normal_velocity(), self.field.normal_rate_of(ratio)) };
        let motion = if self.sticks() { Motion::Sticking } else { Motion::Slipping };
        let work = self.work_before + self.state[5];
        self.record.piece((&impulse(&self.state), work), &direction, length, motion);
        let mean_velocity = velocity + 0.5 * rate * length;
        self.state += State::from([0.0, 0.0, 1.0, ratio.x, ratio.y, mean_velocity]) * length;
    }
}
