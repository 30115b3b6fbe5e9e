//! The planar closed form: at most two straight pieces (Wang & Mason 1992, 3.5).

use super::record::Record;
use super::{Routh, Termination, course};
use crate::collision::{Collision, Section};
use crate::course::{ContactHistory, Motion};
use crate::law::Inapplicable;
use crate::outcome::{Compression, ContactNote, ContactOutcome, Mode, Path, Works};
use nalgebra::Vector2;

impl Routh {
    /// The outcome of a collision that stays in the plane of `section`.
    pub(super) fn planar(
        &self,
        collision: &Collision,
        section: &Section,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let process = Process::of(section, self.friction);
        let tangential = collision.velocity().x == 0.0;
        let first = process.pieces[0];
        if tangential && first.rate.x >= 0.0 {
            let outcome = ContactOutcome::none(collision);
            return Ok(outcome.with_note(ContactNote::NoTangentialImpact { threshold: process.threshold }));
        }
        let compressed = process.compressed();
        let work_compression = process.work_between(&process.start, &compressed);
        let end = self.terminate(&process, &compressed, -work_compression)?;

        let stopped_at = process.stop.map(|stop| stop.impulse.x);
        let slip_stopped = stopped_at.is_some_and(|at| at < end.impulse.x);
        let in_compression = stopped_at.is_some_and(|at| at <= compressed.impulse.x);
        let to_contact = |p: &Vector2<f64>| section.to_contact(p.x, p.y);
        let corner = process.stop.filter(|stop| slip_stopped && stop.impulse.x > 0.0);
        let mut path = Path::default();
        path.push(to_contact(&Vector2::zeros()));
        if let Some(corner) = &corner {
            path.push(to_contact(&corner.impulse));
        }
        path.push(to_contact(&end.impulse));

        let mut record = Record::new(collision, history);
        let [slipping, stuck] = match (self.friction == 0.0, process.sticks) {
            (true, _) => [Motion::Frictionless; 2],
            (_, true) => [Motion::Slipping, Motion::Sticking],
            (_, false) => [Motion::Slipping; 2],
        };
        let mut piece = |from: &State, to: &State, piece: &Piece, motion| {
            let start = (&to_contact(&from.impulse), process.work_between(&process.start, from));
            record.piece(start, &section.to_contact(1.0, piece.ratio), to.impulse.x - from.impulse.x, motion);
        };
        let [first, second] = &process.pieces;
        match &corner {
            Some(corner) => {
                piece(&process.start, corner, first, slipping);
                piece(corner, &end, second, stuck);
            }
            None if slip_stopped => piece(&process.start, &end, second, stuck),
            None => piece(&process.start, &end, first, slipping),
        }

        let impulse = to_contact(&end.impulse);
        let mut outcome = ContactOutcome::jump(collision, impulse, self.friction);
        outcome.mode = match (self.friction == 0.0, slip_stopped, process.sticks, in_compression) {
            (true, ..) => Mode::Frictionless,
            (_, true, true, true) => Mode::CSticking,
            (_, true, true, false) => Mode::RSticking,
            // Slip that starts from rest goes one way only (Wang & Mason: a direct impact never reverses).
            (_, true, false, _) if section.velocity.y == 0.0 => Mode::Sliding,
            (_, true, false, true) => Mode::CReversedSliding,
            (_, true, false, false) => Mode::RReversedSliding,
            (_, false, ..) => Mode::Sliding,
        };
        if slip_stopped && process.sticks && self.friction > 0.0 {
            // Exactly zero, where the difference of two rounded numbers would be noise.
            outcome.velocity_after = section.to_contact(end.velocity.x, 0.0);
        }
        outcome.course = Some(course(0));
        outcome.path = path;
        outcome.compression = Some(Compression {
            impulse: to_contact(&compressed.impulse),
            works: Some(Works::of(collision, &impulse, work_compression, process.work_between(&compressed, &end))),
        });
        if tangential {
            outcome.notes.push(ContactNote::TangentialImpact { threshold: process.threshold });
        }
        Ok(outcome)
    }

    /// Where restitution ends, starting from greatest compression.
    fn terminate(&self, process: &Process, compressed: &State, compression_loss: f64) -> Result<State, Inapplicable> {
        let e = self.restitution;
        if e == 0.0 {
            return Ok(*compressed);
        }
        if process.endless && self.termination != Termination::Poisson {
            return Err(Inapplicable::UnboundedImpulse);
        }
        let (mut from, mut returned) = (*compressed, 0.0);
        // Restitution runs through what is left of the first piece, then through the second.
        for piece in process.remaining(compressed) {
            let growing = piece.rate.x > 0.0;
            let target = match self.termination {
                Termination::Poisson => Some((1.0 + e) * compressed.impulse.x),
                Termination::Newton => {
                    growing.then(|| from.impulse.x + (-e * process.start.velocity.x - from.velocity.x) / piece.rate.x)
                }
                Termination::Stronge => growing.then(|| {
                    // V ΔP + ½ rate ΔP² = what is left to return; the root that does not cancel.
                    let left = (e * e * compression_loss - returned).max(0.0);
                    let v = from.velocity.x;
                    from.impulse.x
                        + 2.0 * left / (v + (v * v + 2.0 * piece.rate.x * left).sqrt()).max(f64::MIN_POSITIVE)
                }),
            };
            let until = process.stop.filter(|stop| stop.impulse.x > from.impulse.x).map(|stop| stop.impulse.x);
            match (target, until) {
                (Some(target), Some(stop)) if target > stop => {}
                (None, Some(_)) => {}
                (Some(target), _) => return Ok(from.advance(&piece, target - from.impulse.x)),
                (None, None) => return Err(Inapplicable::UnboundedImpulse),
            }
            if let Some(stop) = process.stop {
                returned += process.work_between(&from, &stop);
                from = stop;
            }
        }
        Err(Inapplicable::UnboundedImpulse)
    }
}

/// Accumulated impulse and velocity, (n, t).
#[derive(Clone, Copy, Debug)]
struct State {
    impulse: Vector2<f64>,
    velocity: Vector2<f64>,
}

/// A stretch of constant impulse ratio.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// η = dP_t/dP_n.
    ratio: f64,
    /// dV/dP_n = W (1, η).
    rate: Vector2<f64>,
}

/// The path of the impulse: one or two pieces, the second from where the slip stops.
struct Process {
    start: State,
    pieces: [Piece; 2],
    /// Where the slip stops, if the first piece ever stops it.
    stop: Option<State>,
    /// Whether the second piece sticks rather than slips back.
    sticks: bool,
    /// The least friction for which a purely sliding contact jams.
    threshold: f64,
    /// Under a singular W: how long compression goes on while sticking, relative to the impulse that stopped the slip.
    sticking_compression: f64,
    /// Under a singular W: after the stop V does not change any more, or so slowly that rounding decides how.
    endless: bool,
}

impl Process {
    fn of(section: &Section, friction: f64) -> Process {
        let w = &section.inverse_mass;
        let (w_nn, w_nt, w_tt) = (w[(0, 0)], w[(0, 1)], w[(1, 1)]);
        let piece = |ratio: f64| {
            let rate = match &section.movable {
                Some(along) => along * (w.trace() * (along.x + along.y * ratio)),
                None => Vector2::new(w_nn + w_nt * ratio, w_nt + w_tt * ratio),
            };
            Piece { ratio, rate }
        };
        // Under a singular W slip and approach stop together, and sticking changes nothing, unless only the normal moves.
        let bound = section.movable.is_some_and(|along| along.y != 0.0);
        let start = State { impulse: Vector2::zeros(), velocity: section.velocity };
        let slip = section.velocity.y;

        let (sticking_ratio, sticks) = match &section.movable {
            Some(along) if bound => (-along.x / along.y, section.holds_still(friction)),
            // W_tt = 0 leaves no tangential motion at all, hence nothing to stop.
            _ => {
                let ratio = if w_tt > 0.0 { -w_nt / w_tt } else { 0.0 };
                (ratio, ratio.abs() <= friction)
            }
        };
        let mut after_stop = piece(if sticks { sticking_ratio } else { friction * sticking_ratio.signum() });
        if sticks {
            let rate = if bound { 0.0 } else { sticking_rate(w_nn, w_nt, w_tt) };
            after_stop.rate = Vector2::new(rate, 0.0);
        }
        let first = if slip == 0.0 { after_stop } else { piece(-friction * slip.signum()) };
        let stop = if slip == 0.0 {
            Some(start)
        } else if first.rate.y * slip < 0.0 {
            let mut stop = start.advance(&first, -slip / first.rate.y);
            stop.velocity.y = 0.0;
            if bound {
                stop.velocity.x = 0.0;
            }
            Some(stop)
        } else {
            None
        };
        let drive = slip.signum() * w_nt;
        let threshold = if slip != 0.0 && drive > 0.0 { w_nn / drive } else { f64::INFINITY };
        let sticking_compression = ((friction * w_nt.abs() - w_tt) / (w_nn + w_tt)).max(0.0);
        let endless = bound && section.grows_still(friction);
        Process { start, pieces: [first, after_stop], stop, sticks, threshold, sticking_compression, endless }
    }

    /// The state of greatest compression, V_n = 0.
    fn compressed(&self) -> State {
        let [first, second] = &self.pieces;
        match &self.stop {
            Some(stop) if stop.velocity.x <= 0.0 => {
                if second.rate.x > 0.0 {
                    stop.advance_to_normal_velocity(second, 0.0)
                } else {
                    stop.advance(second, self.sticking_compression * stop.impulse.x)
                }
            }
            _ => self.start.advance_to_normal_velocity(first, 0.0),
        }
    }

    /// The pieces still ahead of `state`.
    fn remaining(&self, state: &State) -> impl Iterator<Item = Piece> + use<> {
        let past_stop = self.stop.is_some_and(|stop| stop.impulse.x <= state.impulse.x);
        self.pieces.into_iter().skip(usize::from(past_stop))
    }

    /// Work of the normal force between two states of the path: V_n is linear in P_n on each piece, so the trapezoid
    /// is exact.
    fn work_between(&self, from: &State, to: &State) -> f64 {
        let trapezoid = |a: &State, b: &State| 0.5 * (a.velocity.x + b.velocity.x) * (b.impulse.x - a.impulse.x);
        match self.stop {
            Some(stop) if from.impulse.x < stop.impulse.x && stop.impulse.x < to.impulse.x => {
                trapezoid(from, &stop) + trapezoid(&stop, to)
            }
            _ => trapezoid(from, to),
        }
    }
}

/// W_nn − W_nt²/W_tt, which is positive for a regular W, without cancellation (Kahan).
fn sticking_rate(w_nn: f64, w_nt: f64, w_tt: f64) -> f64 {
    if w_tt == 0.0 {
        return w_nn;
    }
    let product = w_nt * w_nt;
    let lost = (-w_nt).mul_add(w_nt, product);
    (w_nn.mul_add(w_tt, -product) + lost) / w_tt
}

impl State {
    fn advance(&self, piece: &Piece, normal_impulse: f64) -> State {
        State {
            impulse: self.impulse + Vector2::new(1.0, piece.ratio) * normal_impulse,
            velocity: self.velocity + piece.rate * normal_impulse,
        }
    }

    fn advance_to_normal_velocity(&self, piece: &Piece, velocity: f64) -> State {
        if self.velocity.x == velocity {
            return *self;
        }
        let mut state = self.advance(piece, (velocity - self.velocity.x) / piece.rate.x);
        state.velocity.x = velocity;
        state
    }
}
