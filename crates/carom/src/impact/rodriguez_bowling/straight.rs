//! An event in the plane, or without friction: straight stretches between one change of slip and the next (Ch. 5).

use super::Arrival;
use super::field::{Field, Motion};
use super::log::Log;
use super::measure::Measure;
use super::rest::decide;
use super::tally::{Goal, Phase, Tally};
use crate::laws::law::Inapplicable;
use nalgebra::{DVector, Vector2};

/// A slip below this fraction of the speeds has stopped: it is what rounding leaves of it.
const STOPPED: f64 = 1e-12;
/// A power of the normal forces below this fraction of the speeds, or a rate of it below this fraction of W, is zero.
const NO_POWER: f64 = 1e-13;
/// Far more stretches than any event takes.
const MOST_STRETCHES: usize = 10_000;

/// Follows an event up to a goal.
pub(super) fn walk(
    field: &Field,
    measure: &Measure,
    velocity: &DVector<f64>,
    goal: Goal,
    tally: &mut Tally,
    log: &mut Log,
) -> Result<Arrival, Inapplicable> {
    let speed = velocity.amax();
    let (mut v, mut p) = (velocity.clone(), DVector::zeros(velocity.len()));
    let mut motions = vec![Motion::Slip(Vector2::zeros()); field.contacts];
    let mut rest = Vec::new();
    for i in (0..field.contacts).filter(|i| field.is_rough(*i)) {
        let slip = field.tangential(&v, i);
        if slip.norm() <= STOPPED * speed {
            field.set_tangential(&mut v, i, &Vector2::zeros());
            rest.push(i);
        } else {
            motions[i] = Motion::Slip(slip.normalize());
        }
    }
    let mut decision = decide(field, &motions, &rest, &[]).ok_or(Inapplicable::NegativeRatio)?;
    let (mut phase, mut turned) = (None, false);
    for stretch in 1..=MOST_STRETCHES {
        let motions = &decision.motions;
        let hold = field.hold(motions);
        let rates = field.rates(motions, &hold, decision.ratios.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
        let (b, a) = measure.quadratic(field, &rates, &v);
        let (no_power, no_rate) = (NO_POWER * speed, NO_POWER * field.size);
        if !turned {
            let down = b < -no_power || (b <= no_power && a < -no_rate);
            let next = if down { Phase::Compression } else { Phase::Restitution };
            if phase == Some(Phase::Compression) && next == Phase::Restitution {
                tally.compressed(p[0]);
            }
            phase = Some(next);
        }
        let now = phase.unwrap_or(Phase::Restitution);
        let arrival = |p| Arrival { impulse: p, motions: motions.clone(), effort: stretch };
        let to_first = |target: f64| {
            let missing = (target - p[0]).max(0.0);
            if missing == 0.0 { 0.0 } else { missing / rates.normal[0] }
        };
        let ahead = match (now, goal) {
            (Phase::Restitution, Goal::Compression | Goal::Work(_)) => return Ok(arrival(p)),
            (_, Goal::FirstImpulse(target)) => to_first(target),
            (Phase::Compression, Goal::Work(target)) => {
                // −b P − a P² = what is left; the root that comes first and does not cancel.
                let left = (tally.work() - target).max(0.0);
                let root = b * b - 4.0 * a * left;
                if root >= 0.0 { 2.0 * left / (-b + root.sqrt()) } else { f64::INFINITY }
            }
            (Phase::Compression, _) => f64::INFINITY,
            (Phase::Restitution, Goal::Restitution) => match tally.left() {
                None => to_first(tally.last_impulse()),
                Some(left) if left <= 0.0 => 0.0,
                Some(_) if b <= no_power && a <= no_rate => f64::INFINITY,
                Some(left) => {
                    let (b, root) = (b.max(0.0), b * b + 4.0 * a * left);
                    if root >= 0.0 { 2.0 * left / (b + root.sqrt()) } else { f64::INFINITY }
                }
            },
        };
        let turn = match now {
            Phase::Compression if a > no_rate => -b / (2.0 * a),
            Phase::Restitution if a < -no_rate => (-b / (2.0 * a)).max(0.0),
            _ => f64::INFINITY,
        };
        let (mut stop, mut stopper) = (f64::INFINITY, 0);
        for (i, motion) in motions.iter().enumerate().filter(|(i, _)| field.is_rough(*i)) {
            if let Motion::Slip(direction) = motion {
                let slip = field.tangential(&v, i).dot(direction);
                let growth = field.tangential(&rates.velocity, i).dot(direction);
                if growth < -no_rate && slip > 0.0 && slip / -growth < stop {
                    (stop, stopper) = (slip / -growth, i);
                }
            }
        }
        let length = ahead.min(turn).min(stop);
        if length.is_infinite() {
            if now == Phase::Restitution {
                // Wedged: the impulses that go on cancel each other and no work can come back.
                return Ok(arrival(p));
            }
            return Err(Inapplicable::UnboundedImpulse);
        }
        log.stretch(field, motions, &p, &rates, (tally.work(), b, a), length);
        tally.add(now, b * length + a * length * length);
        p += &rates.impulse * length;
        v += &rates.velocity * length;
        if ahead <= length {
            return Ok(arrival(p));
        }
        turned = turn <= length && length < stop;
        if turn <= length {
            if now == Phase::Compression {
                tally.compressed(p[0]);
                phase = Some(Phase::Restitution);
                if goal == Goal::Compression {
                    return Ok(arrival(p));
                }
            } else {
                phase = Some(Phase::Compression);
            }
        }
        if stop <= length {
            let mut rest = Vec::new();
            for i in (0..field.contacts).filter(|i| field.is_rough(*i)) {
                if i == stopper || motions[i] == Motion::Stick || field.tangential(&v, i).norm() <= STOPPED * speed {
                    field.set_tangential(&mut v, i, &Vector2::zeros());
                    rest.push(i);
                }
            }
            decision = decide(field, motions, &rest, &[]).ok_or(Inapplicable::NegativeRatio)?;
        }
    }
    Err(Inapplicable::NoConvergence)
}
