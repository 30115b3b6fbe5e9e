//! Newton's method for the contacts that sweeps cannot solve.
//!
//! Sweeps carry an impulse from contact to contact, and need as many of them as the masses differ: a ball of 10 t on a box of 1 kg gets
//! 1/10⁴ of its weight from each. Here all contacts and joints of a small island (or of the part that does not converge) are solved
//! together: their matrix W is formed, and the friction problem in it is solved from the impulses that the sweeps found
//! ([`Friction`]). Rows are scaled by the roots of their own entries of W, so that contacts of light and of heavy bodies count alike.

use super::body::Body;
use super::island::Island;
use super::row_impulse::Line;
use crate::sim::row::Row;
use crate::solve::Status;
use crate::solve::friction::{Disk, Found, Friction, Measure};
use nalgebra::{DMatrix, DVector, Matrix3, Vector2, Vector3};

/// Unknowns that are solved together, at most: a matrix of this size is decomposed in some milliseconds.
const MOST: usize = 240;

/// Ratio of masses above which they differ much.
const UNEVEN: f64 = 30.0;
/// How contacts give way on the way to rigid ones, relative to their own entries of W, and from where on rigid ones are tried.
const GIVES: [f64; 10] = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10];
const FIRM: f64 = 1e-3;
/// Impulses at contacts that are greater than this many times the momentum of the bodies before only hold each other. Near a jam such
/// impulses solve the problem to rounding, but their work is rounding as well. Levers and nearly parallel contacts multiply impulses, but
/// not by as much.
const HOLDING: f64 = 1e3;

/// How many unknowns an island has.
pub(super) fn unknowns<const PLANAR: bool>(island: &Island<'_>) -> usize {
    let [blocks, stops, locks] = island.group;
    let size = if PLANAR { 2 } else { 3 };
    let rows: usize = locks.iter().map(|k| island.shapes.locks[*k].lines.len()).sum();
    size * (island.contacts.len() + blocks.len()) + stops.len() + rows
}

/// Whether the masses of its bodies differ so much that sweeps take long.
pub(super) fn is_uneven(island: &Island<'_>) -> bool {
    let inverses =
        island.pairs().flatten().map(|body| island.bodies[body].inverse_mass()).filter(|inverse| *inverse > 0.0);
    let (least, greatest) = inverses.fold((f64::INFINITY, 0.0_f64), |(least, most), x| (least.min(x), most.max(x)));
    greatest > UNEVEN * least
}

/// Whether an island has no more unknowns than are solved together.
pub(super) fn is_small<const PLANAR: bool>(island: &Island<'_>) -> bool {
    unknowns::<PLANAR>(island) <= MOST
}

/// The unknowns of one contact, string, limit, or row of a joint.
#[derive(Clone, Copy, Debug)]
struct Entry {
    disk: Disk,
    /// Factor from scaled impulses to impulses, which is that from velocities to scaled velocities.
    scale: f64,
}

/// All unknowns of an island as rows, with their impulses and the velocities that are wanted.
#[derive(Default)]
struct System {
    lines: Vec<Line>,
    impulses: Vec<f64>,
    goals: Vec<f64>,
    entries: Vec<Entry>,
}

impl System {
    fn add(&mut self, lines: &[Line], impulses: &[f64], goal: f64, disk: Disk) {
        self.lines.extend_from_slice(lines);
        self.impulses.extend_from_slice(impulses);
        self.goals.push(goal);
        self.goals.resize(self.lines.len(), 0.0);
        let trace: f64 = lines.iter().map(|line| line.give(line)).sum();
        let scale = if trace > 0.0 { (lines.len() as f64 / trace).sqrt() } else { 0.0 };
        self.entries.push(Entry { disk, scale });
    }

    /// A contact with these axes (n, t1, t2) and arms from the centres of its bodies.
    fn contact<const PLANAR: bool>(&mut self, island: &Island<'_>, contact: &Contact) {
        let world = island.bodies.len() - 1;
        let size = match (contact.friction > 0.0, PLANAR) {
            (false, _) => 1,
            (true, true) => 2,
            (true, false) => 3,
        };
        let line = |k: usize| {
            let along: Vector3<f64> = contact.axes.column(k).into();
            let side = |place: usize, sign: f64| {
                let body = contact.bodies[place];
                ((body < world).then_some(body), along * sign, contact.arms[place].cross(&along) * sign)
            };
            Line::new(&Row::new([side(0, 1.0), side(1, -1.0)], 0.0), island.bodies, island.inverses)
        };
        let lines: Vec<Line> = (0..size).map(line).collect();
        let disk = Disk::coulomb(self.lines.len(), size, contact.friction);
        self.add(&lines, &contact.impulse.as_slice()[..size], contact.bound, disk);
    }

    /// The greatest impulse that a contact can need, N s: [`HOLDING`] times the mass of all bodies and the greatest speed of a row's side
    /// without impulses, or that a row must reach.
    fn longest(&self, bodies: &[Body]) -> f64 {
        let mut free = bodies.to_vec();
        for (line, impulse) in self.lines.iter().zip(&self.impulses) {
            line.push(-impulse, &mut free);
        }
        let mut places: Vec<usize> = self.lines.iter().flat_map(Line::bodies).collect();
        places.sort_unstable();
        places.dedup();
        let inverses = places.iter().map(|body| bodies[*body].inverse_mass()).filter(|inverse| *inverse > 0.0);
        let mass: f64 = inverses.map(f64::recip).sum();
        let speeds = self.lines.iter().zip(&self.goals).map(|(line, goal)| line.reach(&free).max(goal.abs()));
        HOLDING * mass * speeds.fold(0.0, f64::max)
    }

    /// Whether no contact has a scaled impulse above a limit in N s at this velocity of the scaled problem. Joints follow the contacts.
    fn is_short(&self, x: &DVector<f64>, speed: f64, longest: f64) -> bool {
        let mut contacts = self.entries.iter().filter(|entry| entry.disk.least == 0.0);
        contacts.all(|Entry { disk, scale }| (disk.of(x) * (scale * speed)).norm() <= longest)
    }

    fn of<const PLANAR: bool>(island: &Island<'_>) -> System {
        let mut system = System::default();
        let [blocks, stops, locks] = island.group;
        for contact in island.contacts.iter() {
            let axes = contact.axes::<PLANAR>();
            let normal: Vector3<f64> = axes.column(0).into();
            let across = Vector3::from(contact.across);
            let tangential = if PLANAR {
                Vector2::new(across.x, 0.0)
            } else {
                Vector2::new(axes.column(1).dot(&across), axes.column(2).dot(&across))
            };
            system.contact::<PLANAR>(
                island,
                &Contact {
                    bodies: [contact.a as usize, contact.b as usize],
                    axes,
                    arms: [-normal * contact.arm[0], normal * contact.arm[1]],
                    friction: contact.friction,
                    bound: contact.bound,
                    impulse: Vector3::new(contact.normal, tangential.x, tangential.y),
                },
            );
        }
        for block in blocks.iter().map(|k| &island.shapes.blocks[*k]) {
            let (axes, arms) = (block.axes, block.arms);
            let (friction, bound, impulse) = (block.friction, block.bound, block.impulse);
            system.contact::<PLANAR>(island, &Contact { bodies: block.sides(), axes, arms, friction, bound, impulse });
        }
        for stop in stops.iter().map(|k| &island.shapes.stops[*k]) {
            let disk = Disk::coulomb(system.lines.len(), 1, 0.0);
            system.add(&[stop.line], &[stop.impulse], stop.bound, disk);
        }
        for lock in locks.iter().map(|k| &island.shapes.locks[*k]) {
            for (k, line) in lock.lines.iter().enumerate() {
                // A joint pulls as well as it pushes.
                let disk = Disk { least: f64::NEG_INFINITY, ..Disk::coulomb(system.lines.len(), 1, 0.0) };
                system.add(&[*line], &[lock.impulse[k]], lock.goal[k], disk);
            }
        }
        system
    }

    /// The scaled problem with its first guess, and the velocity that is 1 there.
    fn friction(&self, bodies: &[Body]) -> Option<(Friction, DVector<f64>, f64)> {
        let n = self.lines.len();
        let mut scales = vec![0.0; n];
        for Entry { disk, scale } in &self.entries {
            scales[disk.start..disk.start + disk.size].fill(*scale);
        }
        let mut w = DMatrix::zeros(n, n);
        for i in 0..n {
            for j in 0..=i {
                let give = scales[i] * scales[j] * self.lines[i].coupling(&self.lines[j]);
                (w[(i, j)], w[(j, i)]) = (give, give);
            }
        }
        let guess = DVector::from_fn(n, |i, _| if scales[i] > 0.0 { self.impulses[i] / scales[i] } else { 0.0 });
        let moving = DVector::from_fn(n, |i, _| scales[i] * (self.lines[i].velocity(bodies) - self.goals[i]));
        let q = moving - &w * &guess;
        let speed = q.amax();
        if !(speed > 0.0 && speed.is_finite()) {
            return None;
        }
        let disks = self.entries.iter().filter(|entry| entry.scale > 0.0).map(|entry| entry.disk).collect();
        Some((Friction { w, q: q / speed, disks, measure: Measure::Velocity(1.0) }, guess / speed, speed))
    }
}

/// A contact of any shapes.
struct Contact {
    bodies: [usize; 2],
    axes: Matrix3<f64>,
    arms: [Vector3<f64>; 2],
    friction: f64,
    bound: f64,
    impulse: Vector3<f64>,
}

/// The impulses that solve a scaled problem, or come closest: from the guess, else from contacts that give way, less and less. Only those
/// count that are short; nothing if all are long.
fn search(problem: &Friction, guess: &DVector<f64>, is_short: impl Fn(&DVector<f64>) -> bool) -> Option<Found> {
    let mut best = Some(problem.refined(guess)).filter(|found| is_short(&found.x));
    let is_solved = |found: &Found| found.status == Status::Solved;
    if best.as_ref().is_some_and(is_solved) {
        return best;
    }
    let mut soft = problem.clone();
    let mut start = DVector::zeros(guess.len());
    for give in GIVES {
        soft.w.clone_from(&problem.w);
        for i in 0..guess.len() {
            soft.w[(i, i)] += give;
        }
        let next = soft.refined(&start);
        start = next.x;
        if give <= FIRM {
            let firm = problem.refined(&start);
            if is_short(&firm.x) && best.as_ref().is_none_or(|best| firm.residual < best.residual) {
                best = Some(firm);
            }
            if best.as_ref().is_some_and(is_solved) {
                break;
            }
        }
    }
    best
}

/// Solves all contacts and joints of an island together, from where they are. The bodies get the impulses that were found; whether these
/// are better than those before is for a sweep to say.
pub(super) fn solve_together<const PLANAR: bool>(island: &mut Island<'_>) {
    let system = System::of::<PLANAR>(island);
    let Some((problem, guess, speed)) = system.friction(island.bodies) else { return };
    let longest = system.longest(island.bodies);
    let Some(found) = search(&problem, &guess, |x| system.is_short(x, speed, longest)) else { return };
    if !found.x.iter().all(|impulse| impulse.is_finite()) {
        return;
    }
    let mut impulses = system.impulses.clone();
    for Entry { disk, scale } in &system.entries {
        let own = disk.start..disk.start + disk.size;
        for (impulse, x) in impulses[own.clone()].iter_mut().zip(&found.x.as_slice()[own]) {
            *impulse = x * speed * scale;
        }
    }
    for (line, (after, before)) in system.lines.iter().zip(impulses.iter().zip(&system.impulses)) {
        line.push(after - before, island.bodies);
    }
    give_back::<PLANAR>(island, &system, &impulses);
}

/// Puts impulses where they came from.
fn give_back<const PLANAR: bool>(island: &mut Island<'_>, system: &System, impulses: &[f64]) {
    let mut entries = system.entries.iter().map(|entry| &impulses[entry.disk.start..][..entry.disk.size]);
    let [blocks, stops, locks] = island.group;
    for contact in island.contacts.iter_mut() {
        let Some(impulse) = entries.next() else { return };
        contact.normal = impulse[0];
        let tangential = |k: usize| impulse.get(k).copied().unwrap_or(0.0);
        contact.across = if PLANAR {
            [tangential(1), 0.0, 0.0]
        } else {
            let axes = contact.axes::<PLANAR>();
            (axes.column(1) * tangential(1) + axes.column(2) * tangential(2)).into()
        };
    }
    for k in blocks {
        let Some(impulse) = entries.next() else { return };
        let block = &mut island.shapes.blocks[*k];
        block.impulse = Vector3::from_fn(|k, _| impulse.get(k).copied().unwrap_or(0.0));
    }
    for k in stops {
        let Some(impulse) = entries.next() else { return };
        island.shapes.stops[*k].impulse = impulse[0];
    }
    for k in locks {
        let lock = &mut island.shapes.locks[*k];
        for row in 0..lock.lines.len() {
            let Some(impulse) = entries.next() else { return };
            lock.impulse[row] = impulse[0];
        }
    }
}
