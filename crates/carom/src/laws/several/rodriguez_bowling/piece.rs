//! How far a straight piece goes, and what ends it.

use super::field::{Field, Motion, Rates};
use super::measure::Measure;
use super::tally::{Goal, Phase, Tally};
use nalgebra::DVector;

/// A straight piece of an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Normal impulse of all contacts together, kg m/s; infinite if nothing ends it.
    pub(super) length: f64,
    /// Work along it: b P + a P².
    pub(super) work: (f64, f64),
    pub(super) end: End,
}

/// What ends a straight piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The goal.
    Goal,
    /// The normal forces begin to work the other way.
    Turn,
    /// The slip of this contact stops.
    Stop(usize),
    /// Nothing: normal forces that do no work any more, or that never end to take it.
    Never,
}

/// A power of the normal forces below this fraction of the normal velocities, or a rate of it below this fraction of W, is zero.
pub(super) const NO_POWER: f64 = 1e-13;

/// Which way the normal forces work, for work b P + a P².
pub(super) fn phase((b, a): (f64, f64), speed: f64, size: f64) -> Phase {
    let down = b < -NO_POWER * speed || (b <= NO_POWER * speed && a < -NO_POWER * size);
    if down { Phase::Compression } else { Phase::Restitution }
}

impl Piece {
    /// The piece from impulse p and velocity v on.
    #[allow(clippy::too_many_arguments, reason = "all that can end a piece")]
    pub(super) fn new(
        field: &Field,
        measure: &Measure,
        motions: &[Motion],
        rates: &Rates,
        (p, v): (&DVector<f64>, &DVector<f64>),
        speed: f64,
        (phase, goal): (Phase, Goal),
        tally: &Tally,
    ) -> Piece {
        let (b, a) = measure.quadratic(field, rates, v);
        // Contacts that stick do so to a small rest of slip, and what friction does on that the normal forces seem to do against it.
        let rest = |(i, motion): (usize, &Motion)| match motion {
            Motion::Stick => field.tangential(&rates.impulse, i).dot(&field.tangential(v, i)).abs(),
            Motion::Slip(_) => 0.0,
        };
        let idle: f64 = motions.iter().enumerate().map(rest).sum();
        let (no_power, no_rate) = (NO_POWER * speed + idle, NO_POWER * field.size);
        let to_first = |target: f64| {
            let missing = (target - p[0]).max(0.0);
            if missing == 0.0 { 0.0 } else { missing / rates.normal[0] }
        };
        let ahead = match (phase, goal) {
            (_, Goal::FirstImpulse(target)) => to_first(target),
            (Phase::Restitution, Goal::Compression | Goal::Work(_)) => 0.0,
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
        let turn = match phase {
            Phase::Compression if a > no_rate => -b / (2.0 * a),
            Phase::Restitution if a < -no_rate => (-b / (2.0 * a)).max(0.0),
            _ => f64::INFINITY,
        };
        let mut piece = Piece { length: f64::INFINITY, work: (b, a), end: End::Never };
        for (i, motion) in motions.iter().enumerate().filter(|(i, _)| field.is_rough(*i)) {
            if let Motion::Slip(direction) = motion {
                let slip = field.tangential(v, i).dot(direction);
                let growth = field.tangential(&rates.velocity, i).dot(direction);
                if growth < -no_rate && slip > 0.0 && slip / -growth < piece.length {
                    (piece.length, piece.end) = (slip / -growth, End::Stop(i));
                }
            }
        }
        for (length, end) in [(turn, End::Turn), (ahead, End::Goal)] {
            if length <= piece.length && length.is_finite() {
                (piece.length, piece.end) = (length, end);
            }
        }
        piece
    }
}
