//! An event in space: the slips turn while they slow down, each pushed by all (Ch. 7).
//!
//! The equations (7.8) in Cartesian components, dV = W dP, are singular where a slip s_i vanishes; in a time τ they are not
//! (`turning.rs`). Once no slip turns any more the rest is straight, up to where one stops: in the plane of a symmetry, along
//! an invariant direction, or after all others have stopped. What happens at a stop is decided for all contacts at rest
//! together (`rest.rs`). A contact that slips away keeps the direction it leaves in until its slip is large enough to have one of
//! its own.

use super::events::Arrival;
use super::field::{Field, Motion, Rates};
use super::log::Log;
use super::measure::Measure;
use super::piece::{End, Piece, phase};
use super::record::Record;
use super::rest::decide;
use super::tally::{Goal, Phase, Tally};
use super::turning::{Change, turn};
use crate::law::Inapplicable;
use nalgebra::{DVector, Vector2};

/// A slip below this fraction of the speeds stops in a straight piece.
pub(super) const STOPPED: f64 = 1e-11;
/// Slips that near the first to stop, stop with it.
const TOGETHER: f64 = 4.0;
/// A slip above this fraction of the speeds has a direction of its own.
pub(super) const UNDER_WAY: f64 = 1e-9;
/// A slip whose direction changes at less than this fraction of the pace does not turn.
const SETTLED: f64 = 1e-14;
/// Far more changes of slip than any event takes.
const MOST_CHANGES: usize = 2000;

/// What a contact does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    /// It slips as its velocity says.
    Slipping,
    /// It starts to slip along this direction.
    Leaving(Vector2<f64>),
    Sticking,
    /// It feels no friction.
    Free,
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
    let approach = field.normal_speed(velocity);
    let mut record = Record::default();
    let mut p = DVector::zeros(velocity.len());
    let course = |i: usize| if field.is_rough(i) { Course::Slipping } else { Course::Free };
    let mut courses: Vec<Course> = (0..field.contacts).map(course).collect();
    let (mut let_go, mut fixed, mut signs, mut undecided) = (Vec::new(), None, None, true);
    let (mut last, mut turned) = (Phase::Restitution, None);
    let mut effort = 0;
    for _ in 0..MOST_CHANGES {
        let v = velocity + &field.w * &p;
        if undecided {
            let at_rest = |i: &usize| match courses[*i] {
                Course::Slipping => field.tangential(&v, *i).norm() <= TOGETHER * STOPPED * speed,
                Course::Leaving(direction) => field.tangential(&v, *i).dot(&direction) <= UNDER_WAY * speed,
                Course::Sticking => true,
                Course::Free => false,
            };
            let rest: Vec<usize> = (0..field.contacts).filter(at_rest).collect();
            let others = motions(field, &courses, &v);
            let decision = decide(field, &others, &rest, &let_go).ok_or(Inapplicable::NegativeRatio)?;
            let stopped = rest.iter().copied().filter(|i| others[*i] != Motion::Stick);
            record.rests(field, stopped, &p, &others, &decision.motions);
            for i in rest {
                courses[i] = match decision.motions[i] {
                    Motion::Stick => Course::Sticking,
                    Motion::Slip(direction) => Course::Leaving(direction),
                };
            }
            (fixed, signs, undecided) = (decision.fixed, decision.signs, false);
            let_go.clear();
        }
        let now = motions(field, &courses, &v);
        let mut hold = field.hold(&now);
        hold.signs.clone_from(&signs);
        let rates = field.rates(&now, &hold, fixed.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
        let pace = approach.max(field.size * p.amax());
        let current = turned.unwrap_or_else(|| phase(Measure::Integral.quadratic(field, &rates, &v), pace, field.size));
        if (last, current) == (Phase::Compression, Phase::Restitution) {
            tally.compressed(p[0]);
            record.compressed(field, &p, tally.work());
        }
        last = current;
        turned = None;
        let over = |end: End| end == End::Goal || (end == End::Never && current == Phase::Restitution);
        let piece = Piece::new(field, &Measure::Integral, &now, &rates, (&p, &v), pace, (current, goal), tally);
        effort += 1;
        if is_settled(field, &now, &rates, &v, speed) {
            if piece.end == End::Never && current == Phase::Compression {
                return Err(Inapplicable::EndlessCompression);
            }
            if piece.end != End::Never {
                let ((b, a), length) = (piece.work, piece.length);
                log.piece(field, &now, &p, &rates, (tally.work(), b, a), length);
                tally.add(current, b * length + a * length * length);
                let from = p.clone();
                p += &rates.impulse * length;
                record.piece(field, &from, &p, &rates);
            }
            if over(piece.end) {
                return Ok(Arrival { impulse: p, motions: now, effort, record });
            }
            match piece.end {
                End::Turn => turned = Some(current.other()),
                End::Stop(stopped) => {
                    // Rounding may leave more of it than counts as stopped.
                    courses[stopped] = Course::Sticking;
                    undecided = true;
                }
                End::Goal | End::Never => {}
            }
            continue;
        }
        if piece.end == End::Goal && piece.length == 0.0 {
            return Ok(Arrival { impulse: p, motions: now, effort, record });
        }
        release(field, &mut courses, &v, speed);
        let end = turn(field, &courses, (fixed.as_ref(), signs.as_ref()), velocity, &p, (current, goal), tally, log)?;
        effort += end.evaluations;
        record.piece(field, &p, &end.impulse, &rates);
        p = end.impulse;
        tally.add(current, end.work);
        let v = velocity + &field.w * &p;
        match end.change {
            Change::Stop => {
                let now = motions(field, &courses, &v);
                let hold = field.hold_on(&now, signs.as_ref());
                let rates = field.rates(&now, &hold, fixed.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
                p += &rates.impulse * to_stop(field, &courses, &rates, &v, speed);
                undecided = true;
            }
            Change::LetGo(contacts) => (let_go, undecided) = (contacts, true),
            Change::Turn => turned = Some(current.other()),
            Change::Leave | Change::Settle => turned = Some(current),
            Change::Goal => return Ok(Arrival { impulse: p, motions: motions(field, &courses, &v), effort, record }),
        }
    }
    Err(Inapplicable::NoConvergence)
}

/// Lets slips that are under way follow their own direction.
fn release(field: &Field, courses: &mut [Course], v: &DVector<f64>, speed: f64) {
    for (i, course) in courses.iter_mut().enumerate() {
        if let Course::Leaving(direction) = course
            && field.tangential(v, i).dot(direction) >= 0.5 * UNDER_WAY * speed
        {
            *course = Course::Slipping;
        }
    }
}

/// What the contacts do, with the directions of the slips.
pub(super) fn motions(field: &Field, courses: &[Course], v: &DVector<f64>) -> Vec<Motion> {
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

/// Whether no slip turns any more.
pub(super) fn is_settled(field: &Field, motions: &[Motion], rates: &Rates, v: &DVector<f64>, speed: f64) -> bool {
    (0..field.contacts).filter(|i| field.is_rough(*i)).all(|i| match motions[i] {
        Motion::Stick => true,
        Motion::Slip(direction) => {
            let rate = field.tangential(&rates.velocity, i);
            // Of a slip that fades only what is left of it can go astray.
            let left = if rate.dot(&direction) < 0.0 { field.tangential(v, i).norm() / speed } else { 1.0 };
            rate.perp(&direction).abs() * left <= SETTLED * field.pace
        }
    })
}

/// Normal impulse until the slips that are about to stop have done so.
fn to_stop(field: &Field, courses: &[Course], rates: &Rates, v: &DVector<f64>, speed: f64) -> f64 {
    let mut length: f64 = 0.0;
    for i in (0..field.contacts).filter(|i| courses[*i] == Course::Slipping) {
        let slip = field.tangential(v, i);
        let s = slip.norm();
        let braking = -field.tangential(&rates.velocity, i).dot(&slip);
        // A slip that hardly slows down is left as it is.
        if s <= TOGETHER * STOPPED * speed && braking > 1e-3 * field.size * s {
            length = length.max(s * s / braking);
        }
    }
    length
}
