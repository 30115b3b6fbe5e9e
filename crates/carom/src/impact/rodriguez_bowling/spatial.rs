//! An event in space: the slips turn while they slow down, each pushed by all (Ch. 7).
//!
//! The equations (7.8) in Cartesian components, dV = W dP, are singular where a slip s_i vanishes. In τ with dP = σ dτ,
//! 1/σ = Ω Σ 1/s_i, they are not: a slip that stops does so exponentially in τ, along its invariant direction, and the
//! last of it is a straight piece. What happens then is decided for all contacts at rest together (`rest.rs`). A contact
//! that slips away keeps the direction it leaves in until its slip is large enough to have one of its own.

use super::Arrival;
use super::field::{Field, Hold, Motion, Rates};
use super::log::Log;
use super::rest::decide;
use super::tally::{Goal, Phase, Tally};
use crate::laws::law::Inapplicable;
use crate::ode::{Integrator, System};
use nalgebra::{DVector, Vector2};

/// A slip below this fraction of the speeds stops in a straight piece.
const STOPPED: f64 = 1e-11;
/// Slips that near the first to stop, stop with it.
const TOGETHER: f64 = 4.0;
/// A slip above this fraction of the speeds has a direction of its own.
const UNDER_WAY: f64 = 1e-9;
/// A power of the normal forces below this fraction of the speeds, or a rate of it below this fraction of W, is zero.
const NO_POWER: f64 = 1e-12;
/// A sticking contact needs friction beyond its limit by this much before it lets go.
const LETS_GO: f64 = 1e-10;
/// Error of a step relative to the sizes of impulse and work.
const TOLERANCE: f64 = 1e-13;
const FIRST_STEP: f64 = 0.1;
/// Far more changes of slip, and steps between two, than any event takes.
const MOST_STRETCHES: usize = 2000;
const MOST_STEPS: usize = 20_000;
/// An impulse so many times the speeds over W has no end.
const UNBOUNDED: f64 = 1e9;
/// Instants of a step that are written down.
const PARTS: usize = 4;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Course {
    /// It slips as its velocity says.
    Slipping,
    /// It starts to slip along this direction.
    Leaving(Vector2<f64>),
    Sticking,
    /// It feels no friction.
    Free,
}

/// The equations between two changes.
struct Stretch<'a> {
    field: &'a Field,
    courses: &'a [Course],
    hold: Hold,
    ratios: Option<DVector<f64>>,
    /// Velocity at the start of the event.
    before: &'a DVector<f64>,
    speed: f64,
    phase: Phase,
    goal: Goal,
    tally: &'a Tally,
}

/// Follows an event up to a goal.
pub(super) fn walk(
    field: &Field,
    velocity: &DVector<f64>,
    goal: Goal,
    tally: &mut Tally,
    log: &mut Log,
) -> Result<Arrival, Inapplicable> {
    let speed = velocity.amax();
    let n = velocity.len();
    let mut state = DVector::zeros(n + 1);
    let mut scale = DVector::from_element(n + 1, speed / field.size);
    scale[n] *= speed;
    let mut courses: Vec<Course> =
        (0..field.contacts).map(|i| if field.is_rough(i) { Course::Slipping } else { Course::Free }).collect();
    let mut let_go = Vec::new();
    let mut ratios = None;
    let (mut phase, mut turned, mut undecided) = (None, false, true);
    let mut evaluations = 0;
    for _ in 0..MOST_STRETCHES {
        let p = state.rows(0, n).into_owned();
        let v = velocity + &field.w * &p;
        if undecided {
            let at_rest = |i: &usize| match courses[*i] {
                Course::Slipping => field.tangential(&v, *i).norm() <= TOGETHER * STOPPED * speed,
                Course::Leaving(_) | Course::Sticking => true,
                Course::Free => false,
            };
            let rest: Vec<usize> = (0..field.contacts).filter(at_rest).collect();
            let decision =
                decide(field, &motions(field, &courses, &v), &rest, &let_go).ok_or(Inapplicable::NegativeRatio)?;
            for i in rest {
                courses[i] = match decision.motions[i] {
                    Motion::Stick => Course::Sticking,
                    Motion::Slip(direction) => Course::Leaving(direction),
                };
            }
            ratios = decision.ratios;
            (undecided, turned) = (false, false);
            let_go.clear();
        }
        let now = motions(field, &courses, &v);
        let hold = field.hold(&now);
        let rates = field.rates(&now, &hold, ratios.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
        let (power, growth) = (field.power(&rates, &v), field.power(&rates, &rates.velocity));
        if !turned {
            let down = power < -NO_POWER * speed || (power <= NO_POWER * speed && growth < -NO_POWER * field.size);
            let next = if down { Phase::Compression } else { Phase::Restitution };
            if phase == Some(Phase::Compression) && next == Phase::Restitution {
                tally.compressed(p[0]);
            }
            phase = Some(next);
        }
        let current = phase.unwrap_or(Phase::Restitution);
        log.instant(field, &p, tally.work(), &now);
        let done = |p| Arrival { impulse: p, motions: now.clone(), effort: evaluations };
        if current == Phase::Restitution {
            let over = match (goal, tally.left()) {
                (Goal::Compression | Goal::Work(_), _) => true,
                (Goal::Restitution, Some(left)) => {
                    let wedged = !courses.contains(&Course::Slipping)
                        && power <= NO_POWER * speed
                        && growth <= NO_POWER * field.size;
                    left <= 0.0 || wedged
                }
                (Goal::Restitution, None) => tally.last_impulse() <= p[0],
                (Goal::FirstImpulse(target), _) => target <= p[0],
            };
            if over {
                return Ok(done(p));
            }
        }

        state[n] = 0.0;
        let fixed = ratios.clone();
        let stretch = Stretch {
            field,
            courses: &courses,
            hold,
            ratios: fixed,
            before: velocity,
            speed,
            phase: current,
            goal,
            tally,
        };
        let mut integrator = Integrator::new(state.clone(), scale.clone(), TOLERANCE, FIRST_STEP);
        let mut steps = 0;
        let event = loop {
            let event = integrator.advance(&stretch).map_err(|_| {
                if field.ratios.are_published() { Inapplicable::NegativeRatio } else { Inapplicable::NoConvergence }
            })?;
            if log.is_wanted() {
                for (_, y) in integrator.trace(PARTS) {
                    let p = y.rows(0, n).into_owned();
                    log.instant(field, &p, tally.work() + y[n], &stretch.motions(&y));
                }
            }
            if let Some(event) = event {
                break event;
            }
            integrator.raise_scale();
            steps += 1;
            if steps > MOST_STEPS {
                return Err(Inapplicable::NoConvergence);
            }
            if integrator.y.rows(0, n).amax() > UNBOUNDED * speed / field.size {
                return Err(Inapplicable::UnboundedImpulse);
            }
        };
        evaluations += integrator.evaluations;
        state = integrator.y;
        let end = stretch.motions(&state);
        let p = state.rows(0, n).into_owned();
        let v = velocity + &field.w * &p;
        drop(stretch);
        tally.add(current, state[n]);
        match event {
            Stretch::STOP => {
                straighten(field, &courses, &v, speed, ratios.as_ref(), &mut state)
                    .ok_or(Inapplicable::NegativeRatio)?;
                undecided = true;
            }
            Stretch::LET_GO => {
                let hold = field.hold(&end);
                let rates = field.rates(&end, &hold, ratios.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
                let loose = |i: &usize| courses[*i] == Course::Sticking && margin(field, &rates, *i) <= 0.1 * LETS_GO;
                let_go = (0..field.contacts).filter(loose).collect();
                undecided = true;
            }
            Stretch::LEAVE => {
                for (i, course) in courses.iter_mut().enumerate() {
                    if let Course::Leaving(direction) = course {
                        let slip = field.tangential(&v, i).dot(direction);
                        if slip >= 0.5 * UNDER_WAY * speed {
                            *course = Course::Slipping;
                        }
                    }
                }
                // The new slip has the direction it left in, and what the normal forces do does not change.
                turned = true;
            }
            Stretch::TURN => {
                turned = true;
                if current == Phase::Compression {
                    tally.compressed(p[0]);
                    phase = Some(Phase::Restitution);
                } else {
                    phase = Some(Phase::Compression);
                }
            }
            _ => return Ok(Arrival { impulse: p, motions: end, effort: evaluations }),
        }
    }
    Err(Inapplicable::NoConvergence)
}

/// What the contacts do, with the directions of the slips.
fn motions(field: &Field, courses: &[Course], v: &DVector<f64>) -> Vec<Motion> {
    let motion = |(i, course): (usize, &Course)| match course {
        Course::Slipping => {
            let slip = field.tangential(v, i);
            Motion::Slip(slip.try_normalize(0.0).unwrap_or_else(Vector2::zeros))
        }
        Course::Leaving(direction) => Motion::Slip(*direction),
        Course::Sticking => Motion::Stick,
        Course::Free => Motion::Slip(Vector2::zeros()),
    };
    courses.iter().enumerate().map(motion).collect()
}

/// The last of the slips that stop, as a straight piece.
fn straighten(
    field: &Field,
    courses: &[Course],
    v: &DVector<f64>,
    speed: f64,
    ratios: Option<&DVector<f64>>,
    state: &mut DVector<f64>,
) -> Option<()> {
    let now = motions(field, courses, v);
    let rates = field.rates(&now, &field.hold(&now), ratios)?;
    let mut length: f64 = 0.0;
    for i in (0..field.contacts).filter(|i| courses[*i] == Course::Slipping) {
        let slip = field.tangential(v, i);
        let (s, direction) = (slip.norm(), slip.try_normalize(0.0).unwrap_or_else(Vector2::zeros));
        let growth = field.tangential(&rates.velocity, i).dot(&direction);
        if s <= TOGETHER * STOPPED * speed && growth < 0.0 {
            length = length.max(s / -growth);
        }
    }
    // A slip that hardly slows down is left as it is.
    if length <= 1e3 * STOPPED * speed / field.size {
        let n = rates.impulse.len();
        let mut impulse = state.rows_mut(0, n);
        impulse += &rates.impulse * length;
    }
    Some(())
}

/// What is left of the friction of a sticking contact.
fn margin(field: &Field, rates: &Rates, contact: usize) -> f64 {
    field.static_[contact] * rates.normal[contact] - field.tangential(&rates.impulse, contact).norm() + LETS_GO
}

impl Stretch<'_> {
    const STOP: usize = 0;
    const LET_GO: usize = 1;
    const LEAVE: usize = 2;
    const TURN: usize = 3;

    fn velocity(&self, y: &DVector<f64>) -> DVector<f64> {
        self.before + &self.field.w * y.rows(0, self.before.len())
    }

    fn motions(&self, y: &DVector<f64>) -> Vec<Motion> {
        motions(self.field, self.courses, &self.velocity(y))
    }

    fn rates(&self, v: &DVector<f64>) -> Option<Rates> {
        self.field.rates(&motions(self.field, self.courses, v), &self.hold, self.ratios.as_ref())
    }

    fn slips<'b>(&'b self, v: &'b DVector<f64>) -> impl Iterator<Item = f64> + 'b {
        let slipping = (0..self.field.contacts).filter(|i| self.courses[*i] == Course::Slipping);
        slipping.map(|i| self.field.tangential(v, i).norm())
    }
}

impl System<DVector<f64>, 5> for Stretch<'_> {
    fn derivative(&self, _: f64, y: &DVector<f64>) -> DVector<f64> {
        let v = self.velocity(y);
        let n = v.len();
        let slowness: f64 = self.slips(&v).map(f64::recip).sum();
        let pace = if slowness > 0.0 { slowness.recip() } else { self.speed } / self.field.size;
        let Some(rates) = self.rates(&v) else { return DVector::from_element(n + 1, f64::NAN) };
        let mut derivative = DVector::zeros(n + 1);
        derivative.rows_mut(0, n).copy_from(&(&rates.impulse * pace));
        derivative[n] = self.field.power(&rates, &v) * pace;
        derivative
    }

    fn events(&self, _: f64, y: &DVector<f64>) -> [f64; 5] {
        let v = self.velocity(y);
        let n = v.len();
        let Some(rates) = self.rates(&v) else { return [f64::NAN; 5] };
        let stop = self.slips(&v).map(|s| (s / (STOPPED * self.speed)).ln()).fold(1.0, f64::min);
        let (mut let_go, mut leave) = (1.0_f64, 1.0_f64);
        for (i, course) in self.courses.iter().enumerate() {
            match course {
                Course::Sticking => let_go = let_go.min(margin(self.field, &rates, i)),
                Course::Leaving(direction) => {
                    let slip = self.field.tangential(&v, i).dot(direction) / self.speed;
                    leave = leave.min(1.0 - slip / UNDER_WAY);
                    // Pushed back before it was under way.
                    let_go = let_go.min(0.5 + slip / UNDER_WAY);
                }
                _ => {}
            }
        }
        let power = self.field.power(&rates, &v);
        let turn = match self.phase {
            Phase::Compression => -power,
            Phase::Restitution => power + NO_POWER * self.speed,
        };
        let missing = match (self.phase, self.goal) {
            (_, Goal::FirstImpulse(target)) => target - y[0],
            (Phase::Compression, Goal::Work(target)) => self.tally.work() + y[n] - target,
            (Phase::Restitution, Goal::Restitution) => match self.tally.left() {
                Some(left) => left - y[n],
                None => self.tally.last_impulse() - y[0],
            },
            _ => 1.0,
        };
        [stop, let_go, leave, turn, missing]
    }
}
