//! An event in the plane, or without friction: straight pieces between one change of slip and the next (Ch. 5).

use super::events::Arrival;
use super::field::{Field, Motion};
use super::log::Log;
use super::measure::Measure;
use super::piece::{End, Piece, phase};
use super::record::Record;
use super::rest::{Decision, decide};
use super::tally::{Goal, Phase, Tally};
use crate::law::Inapplicable;
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
    let approach = field.normal_speed(velocity);
    let (mut v, mut p) = (velocity.clone(), DVector::zeros(velocity.len()));
    let mut record = Record::default();
    let mut decision = start(field, &mut v, &mut record)?;
    // The phase that a turn has led to; else it is what the new rates say.
    let (mut last, mut turned) = (Phase::Restitution, None);
    for pieces in 1..=MOST_PIECES {
        let motions = &decision.motions;
        let mut hold = field.hold(motions);
        hold.signs.clone_from(&decision.signs);
        let rates = field.rates(motions, &hold, decision.fixed.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
        let pace = approach.max(field.size * p.amax());
        let now = turned.unwrap_or_else(|| phase(measure.quadratic(field, &rates, &v), pace, field.size));
        if (last, now) == (Phase::Compression, Phase::Restitution) {
            tally.compressed(p[0]);
            record.compressed(field, &p, tally.work());
        }
        let piece = Piece::new(field, measure, motions, &rates, (&p, &v), pace, (now, goal), tally);
        // Wedged: the impulses that go on cancel each other and no work can come back.
        let wedged = piece.end == End::Never && now == Phase::Restitution;
        if !wedged {
            if piece.end == End::Never {
                return Err(Inapplicable::EndlessCompression);
            }
            let ((b, a), length) = (piece.work, piece.length);
            log.piece(field, motions, &p, &rates, (tally.work(), b, a), length);
            tally.add(now, b * length + a * length * length);
            let from = p.clone();
            p += &rates.impulse * length;
            v += &rates.velocity * length;
            record.piece(field, &from, &p, &rates);
        }
        last = now;
        turned = None;
        match piece.end {
            End::Goal | End::Never => {
                return Ok(Arrival { impulse: p, motions: motions.clone(), effort: pieces, record });
            }
            End::Turn => turned = Some(now.other()),
            End::Stop(stopped) => {
                let before = motions.clone();
                let mut rest = Vec::new();
                for i in (0..field.contacts).filter(|i| field.is_rough(*i)) {
                    let stops = i == stopped || field.tangential(&v, i).norm() <= STOPPED * speed;
                    if stops || motions[i] == Motion::Stick {
                        field.set_tangential(&mut v, i, &Vector2::zeros());
                        rest.push(i);
                    }
                }
                decision = decide(field, &before, &rest, &[]).ok_or(Inapplicable::NegativeRatio)?;
                let stopped = rest.into_iter().filter(|i| before[*i] != Motion::Stick);
                record.rests(field, stopped, &p, &before, &decision.motions);
            }
        }
    }
    Err(Inapplicable::NoConvergence)
}

/// What the contacts do at first, with slips that are only rounding set to zero.
fn start(field: &Field, v: &mut DVector<f64>, record: &mut Record) -> Result<Decision, Inapplicable> {
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
    let decision = decide(field, &motions, &rest, &[]).ok_or(Inapplicable::NegativeRatio)?;
    record.rests(field, rest, &DVector::zeros(v.len()), &motions, &decision.motions);
    Ok(decision)
}

/// Impulse and work at the end of compression if no slip ever stopped, (4.9) and (4.10).
pub(super) fn first_vertex(
    field: &Field,
    measure: &Measure,
    velocity: &DVector<f64>,
) -> Result<Option<(DVector<f64>, f64)>, Inapplicable> {
    let mut v = velocity.clone();
    let Decision { motions, fixed, .. } = start(field, &mut v, &mut Record::default())?;
    let rates = field.rates(&motions, &field.hold(&motions), fixed.as_ref()).ok_or(Inapplicable::NegativeRatio)?;
    let (b, a) = measure.quadratic(field, &rates, &v);
    Ok((b < 0.0 && a > 0.0).then(|| (rates.impulse * (-b / (2.0 * a)), -b * b / (4.0 * a))))
}
