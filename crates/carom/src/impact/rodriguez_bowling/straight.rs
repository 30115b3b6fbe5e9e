//! An event in the plane, or without friction: straight pieces between one change of slip and the next (Ch. 5).

use super::events::Arrival;
use super::field::{Field, Motion};
use super::log::Log;
use super::measure::Measure;
use super::piece::{End, Piece, phase};
use super::rest::{Decision, decide};
use super::tally::{Goal, Phase, Tally};
use crate::laws::law::Inapplicable;
use nalgebra::{DVector, Vector2};

/// A slip below this fraction of the speeds has stopped: it is what rounding leaves of it.
const STOPPED: f64 = 1e-12;
/// Far more pieces than any event takes.
const MOST_PIECES: usize = 10_000;

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
    let mut decision = start(field, &mut v)?;
    // The phase that a turn has led to; else it is what the new rates say.
    let (mut last, mut turned) = (Phase::Restitution, None);
    for pieces in 1..=MOST_PIECES {
        let motions = &decision.motions;
        let hold = field.hold(motions);
        let rates = field.rates(motions, &hold, decision.fixed.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
        let now = turned.unwrap_or_else(|| phase(measure.quadratic(field, &rates, &v), speed, field.size));
        if (last, now) == (Phase::Compression, Phase::Restitution) {
            tally.compressed(p[0]);
        }
        let piece = Piece::new(field, measure, motions, &rates, (&p, &v), speed, (now, goal), tally);
        // Wedged: the impulses that go on cancel each other and no work can come back.
        let wedged = piece.end == End::Never && now == Phase::Restitution;
        if !wedged {
            if piece.end == End::Never {
                return Err(Inapplicable::UnboundedImpulse);
            }
            let ((b, a), length) = (piece.work, piece.length);
            log.piece(field, motions, &p, &rates, (tally.work(), b, a), length);
            tally.add(now, b * length + a * length * length);
            p += &rates.impulse * length;
            v += &rates.velocity * length;
        }
        last = now;
        turned = None;
        match piece.end {
            End::Goal | End::Never => return Ok(Arrival { impulse: p, motions: motions.clone(), effort: pieces }),
            End::Turn => turned = Some(now.other()),
            End::Stop(stopped) => {
                let mut rest = Vec::new();
                for i in (0..field.contacts).filter(|i| field.is_rough(*i)) {
                    let stops = i == stopped || field.tangential(&v, i).norm() <= STOPPED * speed;
                    if stops || motions[i] == Motion::Stick {
                        field.set_tangential(&mut v, i, &Vector2::zeros());
                        rest.push(i);
                    }
                }
                decision = decide(field, motions, &rest, &[]).ok_or(Inapplicable::NegativeRatio)?;
            }
        }
    }
    Err(Inapplicable::NoConvergence)
}

/// What the contacts do at first, with slips that are only rounding set to zero.
fn start(field: &Field, v: &mut DVector<f64>) -> Result<Decision, Inapplicable> {
    let speed = v.amax();
    let mut motions = vec![Motion::Slip(Vector2::zeros()); field.contacts];
    let mut rest = Vec::new();
    for i in (0..field.contacts).filter(|i| field.is_rough(*i)) {
        let slip = field.tangential(v, i);
        if slip.norm() <= STOPPED * speed {
            field.set_tangential(v, i, &Vector2::zeros());
            rest.push(i);
        } else {
            motions[i] = Motion::Slip(slip.normalize());
        }
    }
    decide(field, &motions, &rest, &[]).ok_or(Inapplicable::NegativeRatio)
}

/// Normal impulse of the first contact and work at the end of compression if no slip ever stopped, (4.9) and (4.10).
pub(super) fn first_vertex(
    field: &Field,
    measure: &Measure,
    velocity: &DVector<f64>,
) -> Result<Option<(f64, f64)>, Inapplicable> {
    let mut v = velocity.clone();
    let Decision { motions, fixed } = start(field, &mut v)?;
    let rates = field.rates(&motions, &field.hold(&motions), fixed.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
    let (b, a) = measure.quadratic(field, &rates, &v);
    Ok((b < 0.0 && a > 0.0).then(|| (rates.normal[0] * -b / (2.0 * a), -b * b / (4.0 * a))))
}
