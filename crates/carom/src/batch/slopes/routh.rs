//! `routh-*` in space: the process on dual numbers, up to the normal impulses at which the law found its ends.
//!
//! Along the way P_n is the clock of all neighbouring processes. Where an event ends a stretch (V_n = 0, the end of restitution) the
//! state moves on by the P_n that the event is late, which is the jump of the variational equation; stretches after a stop are
//! straight, and begin at a stop that moves.
//!
//! Once the slip has settled along an invariant direction u it is V_t = s u + x u⊥, where x is zero and its derivatives decay:
//!
//! ```text
//! ds/dτ = g s − μ c x,   dx/dτ = −μ h x,   g = u·(a − μ T u),   c = u·T u⊥,   h = u⊥·T u⊥
//! ```
//!
//! Where W_tt is nearly isotropic and the coupling weak, the slip stops long before it has settled, and where it stops depends on every
//! turn on the way. A contact that then sticks forgets it: with V_t = 0 the impulse is P_t = −T⁻¹(V_t⁰ + a P_n), and the work
//!
//! ```text
//! ∫V_n dP_n = V_n⁰ P_n + W_nn P_n²/2 − a·T⁻¹(V_t⁰ P_n + a P_n²/2) + a·T⁻¹ ∫V_t dP_n
//! ```
//!
//! has a last term to which a slip s adds no more than s², and to its derivatives no more than s. So a slip that is small enough
//! counts as stopped.

use super::field::{Field, dot};
use super::series::{Series, State};
use super::{Answer, Row, Slopes};
use crate::batch::kernel::length;
use crate::batch::real::{Dual, Real};
use crate::laws::outgoing_direction;
use nalgebra::{Matrix2, Vector2};

pub(super) struct RouthPoisson;
pub(super) struct RouthNewton;
pub(super) struct RouthStronge;

/// How restitution ends.
#[derive(Clone, Copy, PartialEq)]
enum Ending {
    Poisson,
    Newton,
    Stronge,
}

/// Events that agree to this fraction of the impulse are a tie.
const TIE: f64 = 1e-10;
/// Far more stretches than any collision takes.
const MOST_STRETCHES: usize = 10_000;
/// A direction that neither attracts nor repels the slip, up to rounding.
const NEUTRAL: f64 = 1e-9;
/// A slip of so many times rounding has stopped, for a contact that sticks then.
const FAINT: f64 = 30.0;
/// Slip that begins is that after one of this share of the approach.
const FAINTEST: f64 = 1e-40;
/// Works of compression that agree to this fraction are the same.
const SAME_WORK: f64 = 1e-6;

/// How the process goes on.
enum Piece<const N: usize> {
    Turning,
    /// Slip along this invariant direction.
    Straight([Dual<N>; 2]),
    /// After the stop.
    Sticking,
    /// After the stop: slip along this outgoing direction.
    Leaving([Dual<N>; 2]),
}

struct Walk<'a, const N: usize> {
    field: &'a Field<N>,
    /// Whether friction holds the contact once the slip has stopped.
    holds: bool,
    state: State<N>,
    piece: Piece<N>,
    /// The impulse that matters, kg m/s.
    size: f64,
    /// A slip that is rounding, m/s.
    least: f64,
    kink: bool,
}

impl<'a, const N: usize> Walk<'a, N> {
    fn start(field: &'a Field<N>, size: f64) -> Walk<'a, N> {
        let zero = Dual::constant(0.0);
        let [_, x, y] = field.problem.v;
        let state = State { slip: [x, y], impulse: [zero; 3], work: zero };
        let least = 16.0 * f64::EPSILON * field.problem.v.iter().fold(0.0, |sum: f64, v| sum.hypot(v.value()));
        let needed = length(field.t_inverse_times(field.a)).value();
        let holds = needed <= field.mu.value();
        let mut walk = Walk { field, holds, state, piece: Piece::Turning, size, least, kink: false };
        if x.value() == 0.0 && y.value() == 0.0 {
            walk.kink = true;
            if holds {
                walk.stopped();
            } else {
                // The slip that begins turns a faint one on its way, by powers of how faint it is.
                let slip = FAINTEST * field.problem.v[0].value().abs();
                walk.state.slip[0] = x - Dual::constant(slip);
                walk.least = 16.0 * f64::EPSILON * slip;
            }
        }
        walk
    }

    /// The slip has stopped here.
    fn stopped(&mut self) {
        let field = self.field;
        let ratio = field.t_inverse_times(field.a);
        let (needed, mu) = (length(ratio).value(), field.mu.value());
        self.kink |= (needed - mu).abs() <= TIE * needed.max(mu);
        self.piece = if self.holds {
            Piece::Sticking
        } else {
            let [t11, t12, t22] = field.t.map(Dual::value);
            let a = Vector2::new(field.a[0].value(), field.a[1].value());
            let u = outgoing_direction(&a, &Matrix2::new(t11, t12, t12, t22), mu);
            Piece::Leaving(field.invariant([Dual::constant(u.x), Dual::constant(u.y)]))
        };
    }

    /// dP_t/dP_n.
    fn ratio(&self) -> [Dual<N>; 2] {
        let against = |u: [Dual<N>; 2]| u.map(|x| -self.field.mu * x);
        match self.piece {
            Piece::Turning => {
                let slip = length(self.state.slip);
                against(self.state.slip.map(|x| x / slip))
            }
            Piece::Straight(u) | Piece::Leaving(u) => against(u),
            Piece::Sticking => self.field.t_inverse_times(self.field.a).map(|x| -x),
        }
    }

    /// Goes on to a normal impulse.
    fn go_to(&mut self, target: f64) -> Option<()> {
        for _ in 0..MOST_STRETCHES {
            let left = target - self.state.impulse[0].value();
            if left <= 0.0 {
                return Some(());
            }
            match self.piece {
                Piece::Turning => {
                    if self.turn(target)? {
                        return Some(());
                    }
                }
                Piece::Straight(u) => {
                    if self.slide(u, left) {
                        return Some(());
                    }
                }
                Piece::Sticking | Piece::Leaving(_) => {
                    self.advance(Dual::constant(left));
                    return Some(());
                }
            }
        }
        None
    }

    /// A part of the turning stretch; whether the target is reached.
    fn turn(&mut self, target: f64) -> Option<bool> {
        let slip = length(self.state.slip);
        let u = self.state.slip.map(|x| x / slip);
        if self.holds && slip.value() <= FAINT * self.least {
            self.stopped();
            self.kink |= (target - self.state.impulse[0].value()).abs() <= TIE * self.size;
            return Some(false);
        }
        if slip.value() <= self.least || !slip.value().is_finite() {
            return None;
        }
        if self.field.has_settled(u, slip.value(), self.size) {
            let (_, attraction) = self.field.turn_and_attraction(u);
            let settled = attraction.value().abs() > f64::EPSILON * self.field.pace();
            self.piece = Piece::Straight(if settled { self.field.invariant(u) } else { u });
            return Some(false);
        }
        let series = Series::about(&self.state, self.field);
        let reached = series.reaches(target);
        self.state = series.at(reached.unwrap_or(series.reach));
        // A slip that stops just at the target.
        let left = length(self.state.slip).value();
        let slowing = -dot(u, self.field.push(u)).value();
        if reached.is_some() && left <= slowing * TIE * self.size {
            self.kink = true;
            // Sticking is the side with a limit: on the other, V_t' may turn ever faster.
            if self.holds {
                self.stopped();
            }
        }
        Some(reached.is_some())
    }

    /// Slip along an invariant direction; whether the target is reached before the stop.
    fn slide(&mut self, u: [Dual<N>; 2], left: f64) -> bool {
        let (field, mu) = (self.field, self.field.mu);
        let across = [-u[1], u[0]];
        let (s, x) = (dot(u, self.state.slip), dot(across, self.state.slip));
        let growth = dot(u, field.push(u));
        let coupling = dot(u, field.t_times(across));
        let (s0, g) = (s.value(), growth.value());
        let decay = mu.value() * dot(across, field.t_times(across)).value();
        let tie = g < 0.0 && (left + s0 / g).abs() <= TIE * self.size;
        let stops = g < 0.0 && (s0 <= -g * left || tie && self.holds);
        self.kink |= tie;
        // ∫ x dτ and ∫∫ x dτ dP_n, relative to x.
        let (sum, sum_of_sums) = if stops {
            self.kink |= !self.holds && decay < -g * (1.0 - NEUTRAL);
            if decay <= 0.0 { (0.0, 0.0) } else { (1.0 / decay, s0 / decay * (1.0 / -g - 1.0 / (decay - g))) }
        } else {
            let z = g * left / s0;
            let time = if z.abs() < 1e-8 { left / s0 * (1.0 - 0.5 * z) } else { z.ln_1p() / g };
            let grown = |k: f64| if (k * time).abs() < 1e-8 { time } else { (k * time).exp_m1() / k };
            let twice = if decay * time < 1e-5 { 0.5 * time * time } else { (grown(g) - grown(g - decay)) / decay };
            (grown(-decay), s0 * twice)
        };
        let moved = x * sum;
        let length = if stops { (s - mu * coupling * moved) / -growth } else { Dual::constant(left) };
        let rate = field.nn - mu * dot(field.a, u);
        let state = &mut self.state;
        let velocity = field.velocity(state.impulse)[0];
        state.work = state.work + velocity * length + rate * length.squared() * 0.5
            - mu * dot(field.a, across) * x * sum_of_sums;
        state.impulse[0] = state.impulse[0] + length;
        for k in 0..2 {
            state.impulse[1 + k] = state.impulse[1 + k] - mu * (u[k] * length + across[k] * moved);
        }
        if stops {
            self.stopped();
            return false;
        }
        let kept = s + growth * length - mu * coupling * moved;
        let fading = x - mu * dot(across, field.t_times(across)) * moved;
        state.slip = [u[0] * kept + across[0] * fading, u[1] * kept + across[1] * fading];
        true
    }

    /// Goes on straight by a normal impulse.
    fn advance(&mut self, length: Dual<N>) {
        let field = self.field;
        let ratio = self.ratio();
        let velocity = field.velocity(self.state.impulse)[0];
        let rate = field.normal_rate(ratio);
        let work_before = self.sticking_work();
        let normal = self.state.impulse[0] + length;
        self.state.impulse[0] = normal;
        let gained = self.sticking_work() - work_before;
        let state = &mut self.state;
        if matches!(self.piece, Piece::Sticking) {
            // From V_t = 0, whatever slip there was before.
            let [_, x, y] = field.problem.v;
            let held = field.t_inverse_times([x + field.a[0] * normal, y + field.a[1] * normal]);
            (state.impulse[1], state.impulse[2]) = (-held[0], -held[1]);
            state.work = state.work + gained;
        } else {
            state.work = state.work + velocity * length + rate * length.squared() * 0.5;
            state.impulse[1] = state.impulse[1] + ratio[0] * length;
            state.impulse[2] = state.impulse[2] + ratio[1] * length;
        }
    }

    /// The work of the normal force up to here, but for what the slip on the way adds.
    fn sticking_work(&self) -> Dual<N> {
        let field = self.field;
        let (normal, [v_n, v_1, v_2]) = (self.state.impulse[0], field.problem.v);
        let half = normal.squared() * 0.5;
        let pushed = [v_1 * normal + field.a[0] * half, v_2 * normal + field.a[1] * half];
        v_n * normal + field.nn * half - dot(field.a, field.t_inverse_times(pushed))
    }
}

fn follow<const N: usize>(row: &Row<N>, ending: Ending) -> Option<Answer<N>> {
    let [e, mu, ..] = row.parameters;
    let compression = row.outcome.compression.as_ref()?;
    let (compressed, end) = (compression.impulse.x, row.outcome.impulse.x);
    let field = Field::of(&row.problem, mu);
    let mut walk = Walk::start(&field, row.outcome.impulse.norm());
    walk.go_to(compressed)?;
    let rate = field.normal_rate(walk.ratio());
    let late = -field.velocity(walk.state.impulse)[0] / rate;
    let (compressed, taken) = (walk.state.impulse[0] + late, walk.state.work);
    walk.go_to(end)?;
    let [v_n, ..] = field.velocity(walk.state.impulse);
    let normal = walk.state.impulse[0];
    let late = match ending {
        Ending::Poisson => compressed + e * compressed - normal,
        Ending::Newton => (-e * row.problem.v[0] - v_n) / field.normal_rate(walk.ratio()),
        Ending::Stronge => {
            // Where the bodies approach again during restitution, works add up by stretches that are not known here.
            let known = compression.works.as_ref()?.compression;
            if (taken.value() - known).abs() > SAME_WORK * known.abs() {
                return None;
            }
            if e.value() == 0.0 {
                compressed - normal + e * (-2.0 * taken.value() / rate.value()).max(0.0).sqrt()
            } else {
                (-e.squared() * taken - (walk.state.work - taken)) / v_n
            }
        }
    };
    walk.advance(late);
    let mut impulse = walk.state.impulse;
    impulse[0] = impulse[0].with_kink(walk.kink);
    Some(Answer { impulse, sticks: matches!(walk.piece, Piece::Sticking) })
}

macro_rules! slopes {
    ($law:ident, $ending:ident) => {
        impl Slopes for $law {
            fn at<const N: usize>(row: &Row<N>) -> Option<Answer<N>> {
                follow(row, Ending::$ending)
            }
        }
    };
}

slopes!(RouthPoisson, Poisson);
slopes!(RouthNewton, Newton);
slopes!(RouthStronge, Stronge);
