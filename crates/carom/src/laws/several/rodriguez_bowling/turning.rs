//! Slips that turn, in a time in which they do so smoothly.
//!
//! With dP = σ dτ, 1/σ = Ω Σ 1/s_i over the slipping contacts and Ω the pace of the contacts, a slip that stops does so exponentially in τ,
//! along its invariant direction.

use super::field::{Field, Fixed, Hold, Motion, Rates};
use super::log::Log;
use super::spatial::{Course, STOPPED, UNDER_WAY, is_settled, motions};
use super::tally::{Goal, Phase, Tally};
use crate::law::Inapplicable;
use crate::ode::{Integrator, System};
use nalgebra::DVector;

/// A power of the normal forces below this fraction of the normal velocities is zero.
const NO_POWER: f64 = 1e-12;
/// A sticking contact needs friction beyond its limit by this much of the normal impulse before it lets go.
const LETS_GO: f64 = 1e-10;
/// Error of a step relative to the sizes of impulse and work.
const TOLERANCE: f64 = 1e-13;
const FIRST_STEP: f64 = 0.1;
/// Far more steps than slips take to settle. Beyond them the event is tried again with fewer contacts.
const MOST_STEPS: usize = 10_000;
/// An impulse so many times the speeds over W has no end.
const UNBOUNDED: f64 = 1e9;
/// Instants of a step that are written down.
const PARTS: usize = 4;

/// How the turning ended.
pub(super) struct Turned {
    pub(super) impulse: DVector<f64>,
    pub(super) work: f64,
    pub(super) evaluations: usize,
    pub(super) change: Change,
}

/// What ended it.
pub(super) enum Change {
    /// A slip is about to stop.
    Stop,
    /// Friction cannot hold these contacts any more, or a slip that started was pushed back.
    LetGo(Vec<usize>),
    /// A slip that started is under way.
    Leave,
    /// The normal forces begin to work the other way.
    Turn,
    /// The goal is reached.
    Goal,
    /// No slip turns any more.
    Settle,
}

/// The equations between two changes.
struct Stretch<'a> {
    field: &'a Field,
    courses: &'a [Course],
    hold: Hold,
    fixed: Option<&'a Fixed>,
    /// Velocity at the start of the event.
    before: &'a DVector<f64>,
    speed: f64,
    /// The size of the normal velocities, m/s.
    pace: f64,
    phase: Phase,
    goal: Goal,
    tally: &'a Tally,
}

/// Follows the slips from impulse p on until something changes.
#[allow(clippy::too_many_arguments, reason = "all that can end it")]
pub(super) fn turn(
    field: &Field,
    courses: &[Course],
    (fixed, signs): (Option<&Fixed>, Option<&Vec<f64>>),
    before: &DVector<f64>,
    p: &DVector<f64>,
    (phase, goal): (Phase, Goal),
    tally: &Tally,
    log: &mut Log,
) -> Result<Turned, Inapplicable> {
    let n = before.len();
    let speed = before.amax();
    let hold = field.hold_on(&motions(field, courses, &(before + &field.w * p)), signs);
    let pace = field.normal_speed(before).max(field.size * p.amax());
    let stretch = Stretch { field, courses, hold, fixed, before, speed, pace, phase, goal, tally };
    // Impulse, and normal work since here.
    let state = p.clone().insert_row(n, 0.0);
    // A grazing contact is over after a small impulse; the scale is raised if it is not.
    let approach = (0..field.contacts).map(|i| -before[field.components * i]).fold(f64::MIN_POSITIVE, f64::max);
    let size = p.amax().max(approach / field.size);
    let mut scale = DVector::from_element(n + 1, size);
    scale[n] *= field.size * size;
    let mut integrator = Integrator::new(state, scale, TOLERANCE, FIRST_STEP);
    log.instant(field, p, tally.work(), &stretch.motions(&integrator.y));
    for _ in 0..MOST_STEPS {
        if !log.takes_step() {
            break;
        }
        let event = integrator.advance(&stretch).map_err(|_| {
            if field.ratios.are_published() { Inapplicable::NegativeRatio } else { Inapplicable::NoConvergence }
        })?;
        if log.is_wanted() {
            for (_, y) in integrator.trace(PARTS) {
                log.instant(field, &y.rows(0, n).into_owned(), tally.work() + y[n], &stretch.motions(&y));
            }
        }
        integrator.raise_scale();
        let y = &integrator.y;
        let v = stretch.velocity(y);
        let rates = stretch.rates(&v).ok_or(Inapplicable::NegativeRatio)?;
        let change = match event {
            Some(0) => Change::Stop,
            Some(1) => {
                let loose = |i: &usize| courses[*i] == Course::Sticking && margin(field, &rates, *i) <= 0.1 * LETS_GO;
                Change::LetGo((0..field.contacts).filter(loose).collect())
            }
            Some(2) => Change::Leave,
            Some(3) => Change::Turn,
            Some(_) => Change::Goal,
            None if is_settled(field, &stretch.motions(y), &rates, &v, speed) => Change::Settle,
            None if y.rows(0, n).amax() > UNBOUNDED * speed / field.size => {
                return Err(Inapplicable::EndlessCompression);
            }
            None => continue,
        };
        let (impulse, work) = (y.rows(0, n).into_owned(), y[n]);
        return Ok(Turned { impulse, work, evaluations: integrator.evaluations, change });
    }
    Err(Inapplicable::NoConvergence)
}

/// What is left of the friction of a sticking contact.
fn margin(field: &Field, rates: &Rates, contact: usize) -> f64 {
    field.static_[contact] * rates.normal[contact] - field.tangential(&rates.impulse, contact).norm() + LETS_GO
}

impl Stretch<'_> {
    fn velocity(&self, y: &DVector<f64>) -> DVector<f64> {
        self.before + &self.field.w * y.rows(0, self.before.len())
    }

    fn motions(&self, y: &DVector<f64>) -> Vec<Motion> {
        motions(self.field, self.courses, &self.velocity(y))
    }

    fn rates(&self, v: &DVector<f64>) -> Option<Rates> {
        self.field.rates(&motions(self.field, self.courses, v), &self.hold, self.fixed)
    }

    fn slips(&self, v: &DVector<f64>) -> impl Iterator<Item = f64> {
        let slipping = (0..self.field.contacts).filter(|i| self.courses[*i] == Course::Slipping);
        slipping.map(|i| self.field.tangential(v, i).norm())
    }
}

impl System<DVector<f64>, 5> for Stretch<'_> {
    fn derivative(&self, _: f64, y: &DVector<f64>) -> DVector<f64> {
        let v = self.velocity(y);
        let n = v.len();
        let slowness: f64 = self.slips(&v).map(f64::recip).sum();
        let pace = if slowness > 0.0 { slowness.recip() } else { self.speed } / self.field.pace;
        let Some(rates) = self.rates(&v) else { return DVector::from_element(n + 1, f64::NAN) };
        let power = self.field.power(&rates, &v);
        (rates.impulse * pace).insert_row(n, power * pace)
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
                    let slip = self.field.tangential(&v, i).dot(direction) / (UNDER_WAY * self.speed);
                    leave = leave.min(1.0 - slip);
                    let_go = let_go.min(0.5 + slip);
                }
                Course::Slipping | Course::Free => {}
            }
        }
        let power = self.field.power(&rates, &v);
        let turn = match self.phase {
            Phase::Compression => -power,
            Phase::Restitution => power + NO_POWER * self.pace,
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
