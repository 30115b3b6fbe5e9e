//! The contact problem of a step, solved island by island by block Gauss–Seidel (Jean 1999; Acary & Brogliato 2008, ch. 13).
//!
//! Every contact and joint in turn gets the impulse that is right with all others as they are; the matrix of the whole problem is
//! never formed ([`super::island`]).

use super::busy::Busy;
use super::crowd::Crowd;
use super::island::{Ending, Island};
use super::islands::Islands;
use super::meet_any::Shapes;
use super::meet_round::Rounds;
use super::momentum::Momentum;
use super::settings::SteppingReport;

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

/// Solves all islands from the impulses of the last step, or only those that are told `again`, from where they are. Tells
/// whether they converged.
pub(super) fn solve(
    crowd: &mut Crowd,
    (rounds, shapes): (&mut Rounds, &mut Shapes),
    islands: &mut Islands,
    planar: bool,
    ending: Ending,
    again: Option<&[bool]>,
    report: &mut SteppingReport,
) -> bool {
    match (again, planar) {
        (None, true) => start::<true>(crowd, rounds, shapes),
        (None, false) => start::<false>(crowd, rounds, shapes),
        _ => {}
    }
    if planar {
        sweep_all::<true>(crowd, (rounds, shapes), islands, ending, again, report)
    } else {
        sweep_all::<false>(crowd, (rounds, shapes), islands, ending, again, report)
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

fn sweep_all<const PLANAR: bool>(
    crowd: &mut Crowd,
    (rounds, shapes): (&mut Rounds, &mut Shapes),
    islands: &mut Islands,
    ending: Ending,
    again: Option<&[bool]>,
    report: &mut SteppingReport,
) -> bool {
    let count = crowd.len();
    let all = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len() + shapes.locks.len();
    report.contacts = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len();
    // Islands that are not solved again keep what they were left with.
    let (mut worst, mut converged) = (again.map_or(0.0, |_| report.residual), true);
    let mut momentum = Momentum::default();
    let mut busy = Busy::default();
    let alone = shapes.blocks.is_empty() && shapes.stops.is_empty() && shapes.locks.is_empty();
    let groups = if alone { Vec::new() } else { groups(shapes, islands, count) };
    let balls_only = Default::default();
    for root in (0..count).filter(|root| again.is_none_or(|again| again[*root])) {
        let group = groups.get(root).unwrap_or(&balls_only);
        let range = rounds.range(root);
        let size = range.len() + group.iter().map(Vec::len).sum::<usize>();
        if size > 0 {
            let contacts = &mut rounds.contacts[range];
            let mut island = Island { contacts, shapes, group, bodies: &mut crowd.bodies, inverses: &crowd.inverses };
            let solved = island.solve::<PLANAR>(ending, &mut momentum, (size >= LARGE).then_some(&mut busy));
            worst = worst.max(solved.residual);
            converged &= solved.converged;
            report.sweeps += solved.sweeps * size as f64 / all as f64;
        }
    }
    report.residual = worst;
    report.unconverged += usize::from(!converged);
    converged
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
