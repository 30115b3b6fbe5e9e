//! The contact problem of a step, solved island by island by block Gauss–Seidel (Jean 1999; Acary & Brogliato 2008, ch. 13).
//!
//! Every contact and joint in turn gets the impulse that is right with all others as they are; the matrix of the whole problem is
//! never formed. Sweeps go forth and back, so that impulses travel through a pile in either direction. The residual of a sweep is the
//! greatest change of velocity at a contact by its own new impulse: the natural map of its problem.

use super::body::Body;
use super::crowd::Crowd;
use super::islands::Islands;
use super::meet_any::Shapes;
use super::meet_round::Rounds;
use super::round::Round;
use super::settings::SteppingReport;
use nalgebra::Matrix3;

/// When sweeps end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    /// m/s.
    pub(super) residual: f64,
    pub(super) sweeps: usize,
}

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

/// Solves all islands, from the impulses of the last step, or from where they are.
pub(super) fn solve(
    crowd: &mut Crowd,
    (rounds, shapes): (&mut Rounds, &mut Shapes),
    islands: &mut Islands,
    planar: bool,
    ending: Ending,
    fresh: bool,
    report: &mut SteppingReport,
) {
    match (fresh, planar) {
        (true, true) => start::<true>(crowd, rounds, shapes),
        (true, false) => start::<false>(crowd, rounds, shapes),
        _ => {}
    }
    if planar {
        sweep_all::<true>(crowd, rounds, shapes, islands, ending, report);
    } else {
        sweep_all::<false>(crowd, rounds, shapes, islands, ending, report);
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
    rounds: &mut Rounds,
    shapes: &mut Shapes,
    islands: &mut Islands,
    ending: Ending,
    report: &mut SteppingReport,
) {
    let count = crowd.len();
    let all = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len() + shapes.locks.len();
    report.contacts = rounds.contacts.len() + shapes.blocks.len() + shapes.stops.len();
    let (mut worst, mut converged) = (0.0_f64, true);
    let mut done = |(residual, sweeps, ended): (f64, usize, bool), size: usize| {
        worst = worst.max(residual);
        converged &= ended;
        report.sweeps += sweeps as f64 * size as f64 / all as f64;
    };
    let Crowd { bodies, inverses, .. } = crowd;
    if shapes.blocks.is_empty() && shapes.stops.is_empty() && shapes.locks.is_empty() {
        for root in 0..count {
            let range = rounds.range(root);
            if !range.is_empty() {
                let size = range.len();
                let contacts = &mut rounds.contacts[range];
                done(repeat(ending, |back| sweep_rounds::<PLANAR>(contacts, bodies, back)), size);
            }
        }
    } else {
        for (root, group) in groups(shapes, islands, count).iter().enumerate() {
            let range = rounds.range(root);
            let contacts = &mut rounds.contacts[range];
            let size = contacts.len() + group.iter().map(Vec::len).sum::<usize>();
            if size > 0 {
                let sweep = |back: bool| {
                    let others = sweep_shapes(shapes, group, bodies, inverses, PLANAR, back);
                    others.max(sweep_rounds::<PLANAR>(contacts, bodies, back))
                };
                done(repeat(ending, sweep), size);
            }
        }
    }
    report.residual = worst;
    report.unconverged += usize::from(!converged);
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

/// Sweeps until the residual is small or they are too many. Tells the residual, the sweeps and whether it was.
fn repeat(ending: Ending, mut sweep: impl FnMut(bool) -> f64) -> (f64, usize, bool) {
    let goal = ending.residual * ending.residual;
    let mut residual = 0.0;
    for k in 0..ending.sweeps.max(1) {
        residual = sweep(k % 2 == 1);
        if residual <= goal {
            return (residual.sqrt(), k + 1, true);
        }
    }
    (residual.sqrt(), ending.sweeps.max(1), false)
}

fn sweep_rounds<const PLANAR: bool>(contacts: &mut [Round], bodies: &mut [Body], back: bool) -> f64 {
    let mut worst = 0.0_f64;
    if back {
        for contact in contacts.iter_mut().rev() {
            worst = worst.max(contact.relax::<PLANAR>(bodies));
        }
    } else {
        for contact in contacts {
            worst = worst.max(contact.relax::<PLANAR>(bodies));
        }
    }
    worst
}

fn sweep_shapes(
    shapes: &mut Shapes,
    [blocks, stops, locks]: &[Vec<usize>; 3],
    bodies: &mut [Body],
    inverses: &[Matrix3<f64>],
    planar: bool,
    back: bool,
) -> f64 {
    let mut worst = 0.0_f64;
    let order = |list: &[usize], k: usize| if back { list[list.len() - 1 - k] } else { list[k] };
    for k in 0..locks.len() {
        worst = worst.max(shapes.locks[order(locks, k)].relax(bodies));
    }
    for k in 0..stops.len() {
        worst = worst.max(shapes.stops[order(stops, k)].relax(bodies));
    }
    for k in 0..blocks.len() {
        worst = worst.max(shapes.blocks[order(blocks, k)].relax(bodies, inverses, planar));
    }
    worst
}
