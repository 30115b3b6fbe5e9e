//! The contact problem of a step, solved island by island by block Gauss–Seidel (Jean 1999; Acary & Brogliato 2008, ch. 13).
//!
//! Every contact and joint in turn gets the impulse that is right with all others as they are; the matrix of the whole problem is
//! never formed ([`super::island`]).

use super::busy::Busy;
use super::crowd::Crowd;
use super::cut::is_large;
use super::island::Island;
use super::islands::Islands;
use super::meet_any::Shapes;
use super::meet_round::Rounds;
use super::momentum::Momentum;
use super::pieces::Pieces;
use super::settings::SteppingReport;
use super::settle::{Ending, Solved};
use super::workers::Workers;
use crate::sim::scene::Scene;

/// Smaller islands are solved as a whole: it is not worth while to look for their busy parts.
const LARGE: usize = 64;

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

/// Scratch of the solver.
#[derive(Clone, Debug, Default)]
pub(super) struct Solver {
    momentum: Momentum,
    busy: Busy,
    pieces: Pieces,
}

/// What is to be solved.
pub(super) struct Problem<'a> {
    pub(super) scene: &'a Scene,
    pub(super) crowd: &'a mut Crowd,
    pub(super) rounds: &'a mut Rounds,
    pub(super) shapes: &'a mut Shapes,
    pub(super) islands: &'a mut Islands,
    pub(super) workers: Workers,
}

impl Solver {
    /// Solves all islands from the impulses of the last step, or only those that are told `again`, from where they are. Tells
    /// whether they converged.
    pub(super) fn solve(
        &mut self,
        problem: &mut Problem<'_>,
        ending: Ending,
        again: Option<&[bool]>,
        report: &mut SteppingReport,
    ) -> bool {
        if problem.scene.planar {
            self.solve_all::<true>(problem, ending, again, report)
        } else {
            self.solve_all::<false>(problem, ending, again, report)
        }
    }

    fn solve_all<const PLANAR: bool>(
        &mut self,
        Problem { scene, crowd, rounds, shapes, islands, workers }: &mut Problem<'_>,
        ending: Ending,
        again: Option<&[bool]>,
        report: &mut SteppingReport,
    ) -> bool {
        if again.is_none() {
            start::<PLANAR>(crowd, rounds, shapes);
        }
        let count = crowd.len();
        let all = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len() + shapes.locks.len();
        report.contacts = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len();
        // Islands that are not solved again keep what they were left with.
        let (mut worst, mut converged) = (again.map_or(0.0, |_| report.residual), true);
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
                let solved = self.solve_island::<PLANAR>(&mut island, (&crowd.places, &vertical), *workers, ending);
                worst = worst.max(solved.residual);
                converged &= solved.converged;
                report.sweeps += solved.sweeps * size as f64 / all as f64;
            }
        }
        report.residual = worst;
        report.unconverged += usize::from(!converged);
        converged
    }

    /// Solves an island as a whole; but for a large one it is first asked, by one sweep, whether more than a few of its contacts are to
    /// be solved. If so, it is swept in pieces until only those are left.
    fn solve_island<const PLANAR: bool>(
        &mut self,
        island: &mut Island<'_>,
        (centres, vertical): (&[[f64; 4]], &[f64; 3]),
        workers: Workers,
        ending: Ending,
    ) -> Solved {
        let Solver { momentum, busy, pieces } = self;
        let mut ending = ending;
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
        let busy = (island.size() >= LARGE).then_some(busy);
        let solved = island.solve::<PLANAR>(ending, momentum, busy);
        Solved { sweeps: swept + solved.sweeps, ..solved }
    }
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
