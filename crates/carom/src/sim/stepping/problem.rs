//! The contact problem of a step, solved island by island by block Gauss–Seidel (Jean 1999; Acary & Brogliato 2008, ch. 13).
//!
//! Every contact and joint in turn gets the impulse that is right with all others as they are; the matrix of the whole problem is
//! never formed ([`super::island`]).

use super::busy::Busy;
use super::crowd::Crowd;
use super::cut::is_large;
use super::direct::{is_small, is_uneven, unknowns};
use super::island::Island;
use super::islands::Islands;
use super::meet_any::Shapes;
use super::meet_round::Rounds;
use super::momentum::Momentum;
use super::pieces::Pieces;
use super::settings::SteppingReport;
use super::settle::{Ending, Solved};
use super::workers::Workers;
use crate::sim::in_time::SceneInTime;

/// Smaller islands are solved as a whole: it is not worth while to look for their busy parts.
const LARGE: usize = 64;
/// Islands of no more unknowns are solved together as soon as sweeps fail: it takes less time than the sweeps did. Larger ones only if their
/// masses are uneven; very large ones if bodies sink into each other as well, for it takes longer.
const CHEAP: usize = 60;
/// Sweeps over an island of uneven masses before its contacts are solved together.
const FEW_SWEEPS: usize = 2;
/// Sweeps after each attempt to solve contacts together.
const BETWEEN: [usize; 3] = [20, 100, 500];
/// Bodies sink where they overlap by more than this share of the acceptable depth.
const SINKING: f64 = 0.1;

/// Joins the bodies of contacts, strings and joints, and orders them by island; joints keep their order.
pub(super) fn join(shapes: &mut Shapes, islands: &mut Islands, bodies: usize) {
    let mut link = |a: usize, b: usize| {
        if a < bodies && b < bodies {
            islands.join(a, b);
        }
    };
    shapes.blocks.iter().for_each(|block| link(block.a, block.b));
    for line in
        shapes.stops.iter().map(|stop| &stop.line).chain(shapes.locks.iter().filter_map(|lock| lock.lines.first()))
    {
        let [a, b] = line.bodies();
        link(a, b);
    }
}

/// How well an island is to be solved.
#[derive(Clone, Copy, Debug)]
struct Care {
    ending: Ending,
    /// Whether its bodies sink into each other.
    sinking: bool,
}

/// Scratch of the solver.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    momentum: Momentum,
    busy: Busy,
    pieces: Pieces,
    /// Islands whose sweeps ended before the tolerance, by root.
    pub(super) left: Vec<bool>,
    /// Those among them whose contacts were solved together without success, by root: contacts that hold each other may have no solution.
    pub(super) unsolved: Vec<bool>,
}

/// What is to be solved.
pub(super) struct Problem<'a> {
    pub(super) scene: &'a SceneInTime,
    pub(super) crowd: &'a mut Crowd,
    pub(super) rounds: &'a mut Rounds,
    pub(super) shapes: &'a mut Shapes,
    pub(super) islands: &'a mut Islands,
    pub(super) workers: Workers,
    /// Deepest overlap of each island as a share of its bound, by root.
    pub(super) sunk: &'a [f64],
    /// Greatest speed in each island, by root.
    pub(super) speeds: &'a [f64],
}

/// How well the islands of a step are to be solved: to this share of the speeds in them, or in this many sweeps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Goal {
    pub(super) tolerance: f64,
    /// The velocity that gravity adds in a step, m/s.
    pub(super) pull: f64,
    pub(super) sweeps: usize,
}

/// The fastest body's speed counts this much in the speeds that the tolerance is relative to.
const FAST: f64 = 0.1;

impl Goal {
    /// The residual at which sweeps stop in an island of this greatest speed, m/s.
    pub(super) fn residual(&self, fastest: f64) -> f64 {
        self.tolerance * (self.pull + FAST * fastest)
    }

    fn ending(&self, fastest: f64) -> Ending {
        Ending { residual: self.residual(fastest), sweeps: self.sweeps, few: false }
    }
}

impl Solver {
    /// Solves all islands from the impulses of the last step, or only those in `again`, from their present impulses.
    pub(super) fn solve(
        &mut self,
        problem: &mut Problem<'_>,
        goal: Goal,
        again: Option<&[bool]>,
        report: &mut SteppingReport,
    ) {
        if problem.scene.is_planar() {
            self.solve_all::<true>(problem, goal, again, report);
        } else {
            self.solve_all::<false>(problem, goal, again, report);
        }
    }

    fn solve_all<const PLANAR: bool>(
        &mut self,
        Problem { scene, crowd, rounds, shapes, islands, workers, sunk, speeds }: &mut Problem<'_>,
        goal: Goal,
        again: Option<&[bool]>,
        report: &mut SteppingReport,
    ) {
        let count = crowd.len();
        if again.is_none() {
            start::<PLANAR>(crowd, rounds, shapes);
            self.left.clear();
            self.left.resize(count, false);
            self.unsolved.clear();
            self.unsolved.resize(count, false);
        }
        let all = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len() + shapes.locks.len();
        report.contacts = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len();
        // Islands that are not solved again keep what they were left with.
        let mut worst = again.map_or(0.0, |_| report.residual);
        let alone = shapes.blocks.is_empty() && shapes.stops.is_empty() && shapes.locks.is_empty();
        let groups = if alone { Vec::new() } else { groups(shapes, islands, count) };
        let balls_only = Default::default();
        let vertical: [f64; 3] = scene.gravity.try_normalize(0.0).map_or([0.0; 3], Into::into);
        for root in (0..count).filter(|root| again.is_none_or(|again| again[*root])) {
            let group = groups.get(root).unwrap_or(&balls_only);
            let range = rounds.range(root);
            let size = range.len() + group.iter().map(Vec::len).sum::<usize>();
            if size > 0 {
                let contacts = &mut rounds.contacts[range];
                let (bodies, inverses) = (&mut crowd.bodies[..], &crowd.inverses[..]);
                let mut island = Island { contacts, shapes, group, bodies, inverses };
                if self.unsolved[root] {
                    island.release::<PLANAR>();
                }
                let together = is_solved_together::<PLANAR>(&island);
                let care = Care { ending: goal.ending(speeds[root]), sinking: sunk[root] > SINKING };
                let solved = self.solve_island::<PLANAR>(&mut island, (&crowd.places, &vertical), *workers, care);
                worst = worst.max(solved.residual);
                self.left[root] = !solved.converged;
                self.unsolved[root] = !solved.converged && together;
                report.sweeps += solved.sweeps * size as f64 / all as f64;
            }
        }
        report.residual = worst;
    }

    /// Solves an island as a whole; but for a large one it is first asked, by one sweep, whether more than a few of its contacts are to
    /// be solved. If so, it is swept in pieces until only those are left.
    fn solve_island<const PLANAR: bool>(
        &mut self,
        island: &mut Island<'_>,
        (centres, vertical): (&[[f64; 4]], &[f64; 3]),
        workers: Workers,
        Care { mut ending, sinking }: Care,
    ) -> Solved {
        let Solver { momentum, busy, pieces, .. } = self;
        let mut swept = 0.0;
        if is_large(island) {
            let first = island.solve::<PLANAR>(Ending { sweeps: 1, ..ending }, momentum, None);
            swept = first.sweeps;
            let mut last = first;
            if !first.few && !first.converged && ending.sweeps > 1 && pieces.divide(island, centres, vertical) {
                let rest = Ending { sweeps: ending.sweeps - 1, few: true, ..ending };
                last = pieces.solve::<PLANAR>(workers, rest);
                pieces.unite(island);
                swept += last.sweeps;
            }
            ending.sweeps = ending.sweeps.saturating_sub(swept as usize);
            if last.converged || ending.sweeps == 0 {
                return Solved { sweeps: swept, ..last };
            }
        }
        let small = is_small::<PLANAR>(island);
        // Where sweeps are known to take long, only a few are tried.
        let hard = small && is_uneven(island);
        let sweeps = if hard { ending.sweeps.min(FEW_SWEEPS) } else { ending.sweeps };
        let trial = Ending { sweeps, ..ending };
        let solved = island.solve::<PLANAR>(trial, momentum, (island.size() >= LARGE).then_some(&mut *busy));
        let solved = Solved { sweeps: swept + solved.sweeps, ..solved };
        let worth = hard || unknowns::<PLANAR>(island) <= CHEAP || !small && sinking && is_uneven(island);
        if solved.converged || !worth { solved } else { self.insist::<PLANAR>(island, ending, solved) }
    }

    /// Solves together the contacts that sweeps left unsolved: the whole island if it is small, else those far from their goal and all that
    /// share a body with them. Sweeps between these attempts decide.
    fn insist<const PLANAR: bool>(&mut self, island: &mut Island<'_>, ending: Ending, from: Solved) -> Solved {
        let Solver { momentum, busy, .. } = self;
        let small = is_small::<PLANAR>(island);
        let mut solved = from;
        for sweeps in BETWEEN {
            if small {
                island.solve_together::<PLANAR>(momentum);
            } else {
                busy.reset(island.bodies.len());
                island.sweep::<PLANAR>(false, ending.residual * ending.residual, |sides| busy.mark(sides));
                busy.solve_together::<PLANAR>(island);
            }
            let next = island.solve::<PLANAR>(Ending { sweeps, ..ending }, momentum, (!small).then_some(&mut *busy));
            solved = Solved { sweeps: solved.sweeps + next.sweeps, ..next };
            if solved.converged {
                break;
            }
        }
        solved
    }
}

/// Whether all contacts of an island are solved together where sweeps fail.
fn is_solved_together<const PLANAR: bool>(island: &Island<'_>) -> bool {
    unknowns::<PLANAR>(island) <= CHEAP || is_small::<PLANAR>(island) && is_uneven(island)
}

/// Starts from the impulses of the last step.
fn start<const PLANAR: bool>(crowd: &mut Crowd, rounds: &Rounds, shapes: &Shapes) {
    for contact in rounds.contacts.iter().filter(|contact| contact.normal > 0.0) {
        contact.apply::<PLANAR>(&mut crowd.bodies);
    }
    for block in &shapes.blocks {
        block.push(&block.impulse, &mut crowd.bodies, &crowd.inverses);
    }
    for stop in &shapes.stops {
        stop.line.push(stop.impulse, &mut crowd.bodies);
    }
    for lock in &shapes.locks {
        lock.push(&lock.impulse, &mut crowd.bodies);
    }
}

/// Blocks, stops and locks by root of their island.
fn groups(shapes: &Shapes, islands: &mut Islands, count: usize) -> Vec<[Vec<usize>; 3]> {
    let mut groups: Vec<[Vec<usize>; 3]> = vec![Default::default(); count];
    let mut put = |sides: [usize; 2], kind: usize, place: usize| {
        if let Some(body) = sides.into_iter().find(|body| *body < count) {
            groups[islands.root(body)][kind].push(place);
        }
    };
    shapes.blocks.iter().enumerate().for_each(|(k, block)| put([block.a, block.b], 0, k));
    shapes.stops.iter().enumerate().for_each(|(k, stop)| put(stop.line.bodies(), 1, k));
    for (k, lock) in shapes.locks.iter().enumerate() {
        if let Some(line) = lock.lines.first() {
            put(line.bodies(), 2, k);
        }
    }
    groups
}
