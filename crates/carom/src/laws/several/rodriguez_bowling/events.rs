//! The events of a collision, one after the other.

use super::field::{Field, Motion};
use super::log::Log;
use super::measure::Measure;
use super::pairs::{Link, Pair, pairs};
use super::record::{Record, state};
use super::settle::settle;
use super::tally::{Ending, Goal, Tally};
use super::{RodriguezBowling, spatial, straight};
use crate::course::{IslandHistory, IslandSample};
use crate::impact::Impact;
use crate::law::Inapplicable;
use crate::outcome::{Effort, EventState, ImpactEvent, Note, Solution};
use nalgebra::{DMatrix, DVector, Vector3};
use std::cell::Cell;

/// How an event ended.
pub(super) struct Arrival {
    pub(super) impulse: DVector<f64>,
    pub(super) motions: Vec<Motion>,
    /// Pieces and evaluations.
    pub(super) effort: usize,
    pub(super) record: Record,
}

/// A collision under way.
struct Collision {
    impulses: Vec<Vector3<f64>>,
    velocities: Vec<Vector3<f64>>,
    /// Which contacts stuck at the end of their last event.
    sticks: Vec<bool>,
    /// Normal work, J.
    work: f64,
    events: Vec<ImpactEvent>,
    effort: usize,
    /// Whether a contact kept its velocity against the impulses.
    kept: bool,
    steps_left: Cell<usize>,
}

/// A normal velocity below this fraction of its terms is zero: the contact touches.
const TOUCHES: f64 = 1e-12;
/// Bodies held from all sides, more than once, come to rest to this multiple of it.
const SETTLED: f64 = 100.0;
/// A sticking contact that is slower than this fraction of the speeds was not moved by later events.
const AT_REST: f64 = 1e-9;
/// The terms of a normal velocity count as no smaller than this fraction of the fastest approach.
const SMALL: f64 = 0.01;
/// So many rounds of events per contact are a collision without end: bodies that are trapped between each other.
const MOST_ROUNDS: usize = 50;
/// Steps along slips that turn, in a whole collision. Ordinary collisions take some hundreds; inverse masses that differ by
/// 10⁸ make the turning stiff and take millions.
const MOST_STEPS: usize = 60_000;

const KEPT: &str = "as published, separated contacts of a body that was hit again keep their velocities, which do not follow from \
                    the impulses";
const WITHOUT_END: &str = "the bodies are trapped and hit each other without end; what was left of it after 50 rounds per contact \
                           ended without restitution and friction";

impl RodriguezBowling {
    /// The solution for an island of contacts, of which one at least approaches.
    pub(super) fn solve(
        &self,
        impact: &Impact,
        mut history: Option<&mut IslandHistory>,
    ) -> Result<Solution, Inapplicable> {
        let n = impact.contacts();
        let pairs = pairs(impact);
        let (impulses, velocities) = (vec![Vector3::zeros(); n], impact.velocity().to_vec());
        let speed = velocities.iter().map(Vector3::norm).fold(0.0, f64::max);
        let mut now = Collision {
            impulses,
            velocities,
            sticks: vec![false; n],
            work: 0.0,
            events: Vec::new(),
            effort: 0,
            kept: false,
            steps_left: Cell::new(MOST_STEPS),
        };
        let mut rounds = 0;
        loop {
            let touches = touching(impact, &now.impulses);
            if now.velocities.iter().zip(&touches).all(|(v, touches)| v.x >= -touches) {
                break;
            }
            let later = self.restitution.last().copied().unwrap_or(0.0).max(0.0);
            let e = self.restitution.get(rounds).copied().unwrap_or(later);
            rounds += 1;
            if rounds > MOST_ROUNDS * n {
                self.settle(impact, &touches, &mut now, history)?;
                break;
            }
            let closed: Vec<usize> = (0..n).filter(|i| now.velocities[*i].x <= touches[*i]).collect();
            for group in impact.restricted(&closed).islands() {
                let group: Vec<usize> = group.into_iter().map(|k| closed[k]).collect();
                self.group(impact, &pairs, e, &group, &touches, &mut now, history.as_deref_mut())?;
            }
        }
        let residual = now.velocities.iter().map(|v| (-v.x).max(0.0)).fold(0.0, f64::max) / speed;
        let mut outcome = Solution::of(impact, now.impulses, Effort { iterations: now.effort, residual });
        let count = now.events.len();
        outcome.events = now.events;
        outcome.velocities_after = now.velocities;
        for (v, sticks) in outcome.velocities_after.iter_mut().zip(now.sticks) {
            // Exactly zero, where a difference of rounded numbers would be noise.
            if sticks && v.yz().norm() <= AT_REST * speed {
                *v = Vector3::new(v.x, 0.0, 0.0);
            }
        }
        if count > 1 {
            outcome.notes.push(Note::Events { count });
        }
        if now.kept {
            outcome.notes.push(Note::Doubtful(KEPT));
        }
        if rounds > MOST_ROUNDS * n {
            outcome.notes.push(Note::Doubtful(WITHOUT_END));
        }
        Ok(outcome)
    }

    /// Ends a collision of trapped bodies without restitution and friction.
    fn settle(
        &self,
        impact: &Impact,
        touches: &[f64],
        now: &mut Collision,
        history: Option<&mut IslandHistory>,
    ) -> Result<(), Inapplicable> {
        if self.as_published {
            return Err(Inapplicable::NoConvergence);
        }
        let n = impact.contacts();
        let w = DMatrix::from_fn(n, n, |i, j| impact.inverse_mass().block(i, j)[(0, 0)]);
        let before = DVector::from_fn(n, |i, _| now.velocities[i].x);
        let tolerance: Vec<f64> = touches.iter().map(|touches| SETTLED * touches).collect();
        let more = settle(&w, &before, &tolerance).ok_or(Inapplicable::NoConvergence)?;
        for (i, p) in more.iter().enumerate() {
            now.impulses[i].x += p;
            for (other, block) in impact.inverse_mass().row(i) {
                now.velocities[other] += block.transpose() * Vector3::new(*p, 0.0, 0.0);
            }
        }
        let after = DVector::from_fn(n, |i, _| now.velocities[i].x);
        now.work += 0.5 * more.dot(&(before + after));
        if let Some(history) = history {
            history.samples.push(IslandSample {
                at: now.impulses.iter().map(|p| p.x).sum(),
                velocities: now.velocities.clone(),
                impulses: now.impulses.clone(),
                normal_work: now.work,
                sticking: vec![false; n],
                event: now.events.len() + 1,
            });
        }
        Ok(())
    }

    /// An event of contacts that touch or approach. Touching contacts that take all the impulse leave the others to themselves, and
    /// contacts whose ratios never end compression leave the fastest to itself, which always ends it.
    #[allow(clippy::too_many_arguments, reason = "the state of a collision")]
    fn group(
        &self,
        impact: &Impact,
        pairs: &[Pair],
        e: f64,
        group: &[usize],
        touches: &[f64],
        now: &mut Collision,
        mut history: Option<&mut IslandHistory>,
    ) -> Result<(), Inapplicable> {
        let approaching: Vec<usize> = group.iter().copied().filter(|i| now.velocities[*i].x < -touches[*i]).collect();
        let Some(fastest) =
            approaching.iter().copied().min_by(|i, j| now.velocities[*i].x.total_cmp(&now.velocities[*j].x))
        else {
            return Ok(());
        };
        let components = impact.components();
        let mut failed = Inapplicable::NoSolution;
        for active in [group, &approaching, &[fastest]] {
            let untouched =
                if self.as_published { separated(pairs, active, &now.velocities, touches) } else { Vec::new() };
            let written = history.as_ref().map_or(0, |history| history.samples.len());
            let mut log = Log {
                impact,
                active,
                untouched: &untouched,
                impulses: &now.impulses,
                velocities: &now.velocities,
                work: now.work,
                event: now.events.len() + 1,
                history: history.as_deref_mut(),
                steps_left: &now.steps_left,
            };
            match self.event(impact, pairs, e, &mut log) {
                Ok((arrival, work)) if arrival.impulse.amax() > 0.0 => {
                    let start = now.impulses.iter().map(|p| p.x).sum();
                    let left_out = group.iter().copied().filter(|contact| !active.contains(contact)).collect();
                    now.events.push(told(active, left_out, e, start, components, &arrival, work));
                    let velocities = log.velocities_after(components, &arrival.impulse);
                    let impulses = log.impulses_after(components, &arrival.impulse);
                    for (contact, motion) in active.iter().zip(&arrival.motions) {
                        now.sticks[*contact] = *motion == Motion::Stick;
                    }
                    (now.velocities, now.impulses) = (velocities, impulses);
                    now.work += work;
                    now.effort += arrival.effort;
                    now.kept |= !untouched.is_empty();
                    return Ok(());
                }
                Ok(_) => failed = Inapplicable::NoSolution,
                Err(reason) if self.as_published || now.steps_left.get() == 0 => return Err(reason),
                Err(reason) => failed = reason,
            }
            if let Some(history) = history.as_deref_mut() {
                history.samples.truncate(written);
            }
        }
        Err(failed)
    }

    /// One event, and the work of its normal forces.
    fn event(&self, impact: &Impact, pairs: &[Pair], e: f64, log: &mut Log) -> Result<(Arrival, f64), Inapplicable> {
        let active = log.active;
        let part = impact.restricted(active);
        let place = |contact: usize| active.iter().position(|other| *other == contact);
        let tied = pairs.iter().filter_map(|pair| {
            let [i, j] = pair.contacts;
            Some(Pair { contacts: [place(i)?, place(j)?], link: pair.link.clone() })
        });
        let pick = |values: &[f64]| active.iter().map(|contact| values[*contact]).collect::<Vec<f64>>();
        let (kinetic, static_) = (pick(&self.kinetic_friction), pick(&self.static_friction));
        let rough = static_.iter().any(|friction| *friction > 0.0);
        let field = Field::new(&part, tied.collect(), kinetic, static_, self.as_published);
        let components = field.components;
        let velocity = DVector::from_fn(components * active.len(), |at, _| {
            log.velocities[active[at / components]][at % components]
        });
        let in_space = components == 3 && rough;
        let measure = if self.as_published && !in_space { Measure::of_state(&field) } else { Measure::Integral };
        let walk = |goal: Goal, tally: &mut Tally, log: &mut Log| {
            if in_space {
                spatial::walk(&field, &velocity, goal, tally, log)
            } else {
                straight::walk(&field, &measure, &velocity, goal, tally, log)
            }
        };
        let tally = Tally::new(e, self.ending, self.as_published);
        let (mut first, mut goal, mut compression) = (tally.clone(), Goal::Restitution, None);
        if e < 0.0 {
            // The source's curve of work is the first: no slip has stopped when the event ends.
            let vertex = if self.as_published && !in_space {
                straight::first_vertex(&field, &measure, &velocity)?
            } else {
                None
            };
            let (impulse, work) = if let Some(vertex) = vertex {
                vertex
            } else {
                let mut silent = Log { history: None, ..*log };
                let compressed = walk(Goal::Compression, &mut first, &mut silent)?;
                (compressed.impulse, first.work())
            };
            compression = Some(state(&field, &impulse, work));
            goal = match self.ending {
                Ending::Energy => Goal::Work((1.0 - e * e) * work),
                Ending::Ratio => Goal::FirstImpulse((1.0 + e) * impulse[0]),
            };
        }
        let mut tally = tally;
        let mut arrival = walk(goal, &mut tally, log)?;
        arrival.record.compression = compression.or(arrival.record.compression);
        Ok((arrival, tally.work()))
    }
}

/// Normal velocities below these, contact by contact, are zero: a fraction of the terms whose sum the normal velocity is. The slip is
/// none of them, however fast. Large impulses that wedge some bodies leave their rounding, and others should not suffer from it.
fn touching(impact: &Impact, impulses: &[Vector3<f64>]) -> Vec<f64> {
    let magnitudes: Vec<Vector3<f64>> = impulses.iter().map(Vector3::abs).collect();
    let approach = impact.velocity().iter().map(|v| v.x.abs()).fold(0.0, f64::max);
    let of = |i: usize| {
        let row = impact.inverse_mass().row(i);
        row.fold(impact.velocity()[i].x.abs(), |sum, (j, block)| {
            sum + block.row(0).abs().transpose().dot(&magnitudes[j])
        })
    };
    (0..impulses.len()).map(|i| TOUCHES * of(i).max(SMALL * approach)).collect()
}

/// An event as it is reported: with the clock of the whole collision and its contacts by their places there.
fn told(
    active: &[usize],
    left_out: Vec<usize>,
    restitution: f64,
    start: f64,
    components: usize,
    arrival: &Arrival,
    work: f64,
) -> ImpactEvent {
    let normal_impulses: Vec<f64> = (0..active.len()).map(|k| arrival.impulse[components * k]).collect();
    let Record { compression, mut pieces, mut rests } = arrival.record.clone();
    for piece in &mut pieces {
        (piece.from, piece.to) = (start + piece.from, start + piece.to);
    }
    for rest in &mut rests {
        (rest.contact, rest.at) = (active[rest.contact], start + rest.at);
    }
    ImpactEvent {
        contacts: active.to_vec(),
        left_out,
        restitution,
        from: start,
        to: start + normal_impulses.iter().sum::<f64>(),
        compression,
        end: EventState { normal_impulses, work },
        pieces,
        rests,
    }
}

/// Contacts that have separated and belong to the body of one that has not.
fn separated(pairs: &[Pair], active: &[usize], velocities: &[Vector3<f64>], touches: &[f64]) -> Vec<usize> {
    let apart = |contact: usize| velocities[contact].x > touches[contact];
    let mut untouched = Vec::new();
    for pair in pairs.iter().filter(|pair| matches!(pair.link, Link::Rigid(_))) {
        let [i, j] = pair.contacts;
        for (one, other) in [(i, j), (j, i)] {
            if apart(one) && active.contains(&other) && !untouched.contains(&one) {
                untouched.push(one);
            }
        }
    }
    untouched
}
