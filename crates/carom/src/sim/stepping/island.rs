//! Contacts and joints of one island, swept until they agree.
//!
//! Sweeps go forth and back, so that impulses travel through a pile in either direction; after each pair of them the last changes
//! carry on ([`Momentum`]), or the few contacts that are far from agreeing are swept by themselves ([`Busy`]). The residual of a
//! sweep is the greatest change of velocity at a contact by its own new impulse: the natural map of its problem. What ends is
//! always a sweep, so that every impulse is in its cone.

use super::block::Block;
use super::body::Body;
use super::busy::Busy;
use super::meet_any::Shapes;
use super::momentum::Momentum;
use super::round::Round;
use nalgebra::Matrix3;

/// When sweeps end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ending {
    /// m/s.
    pub(super) residual: f64,
    pub(super) sweeps: usize,
}

/// Contacts of balls, the places of blocks, stops and locks, and all bodies.
pub(super) struct Island<'a> {
    pub(super) contacts: &'a mut [Round],
    pub(super) shapes: &'a mut Shapes,
    pub(super) group: &'a [Vec<usize>; 3],
    pub(super) bodies: &'a mut [Body],
    pub(super) inverses: &'a [Matrix3<f64>],
}

/// Squares of the residuals of a sweep, (m/s)²: the greatest, their sum, and how many are far from the goal.
#[derive(Clone, Copy, Debug, Default)]
struct Residuals {
    worst: f64,
    sum: f64,
    far: usize,
}

impl Residuals {
    #[inline]
    fn add(&mut self, square: f64, far: bool) {
        self.worst = self.worst.max(square);
        self.sum += square;
        self.far += usize::from(far);
    }
}

/// How an island was left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Solved {
    /// m/s.
    pub(super) residual: f64,
    /// Sweeps; those over a part of the island count as that part.
    pub(super) sweeps: f64,
    /// Whether the residual is as small as asked for.
    pub(super) converged: bool,
}

/// Sweeps without momentum, enough for most small islands.
const PLAIN_SWEEPS: f64 = 4.0;
/// Residuals above this fraction of the goal are far from it: many of them still add up.
const FAR: f64 = 0.3;
/// The busy part is solved apart where no more contacts than this share are far from the goal.
const FEW: f64 = 0.1;

impl Island<'_> {
    /// How many contacts and joints it has.
    pub(super) fn size(&self) -> usize {
        self.contacts.len() + self.group.iter().map(Vec::len).sum::<usize>()
    }

    /// Sweeps until the residual is small or they are too many. With `busy`, its busy part is solved apart from time to time.
    pub(super) fn solve<const PLANAR: bool>(
        &mut self,
        ending: Ending,
        momentum: &mut Momentum,
        mut busy: Option<&mut Busy>,
    ) -> Solved {
        let goal = ending.residual * ending.residual;
        let threshold = FAR * FAR * goal;
        let most = ending.sweeps.max(1) as f64;
        let few = (FEW * self.size() as f64) as usize;
        let (mut sweeps, mut back, mut carries, mut far) = (0.0, false, false, 0);
        loop {
            sweeps += 1.0;
            let pair = back && sweeps >= PLAIN_SWEEPS;
            let mut apart = busy.as_deref_mut().filter(|_| pair && far <= few);
            let residuals = if let Some(busy) = &mut apart {
                busy.reset(self.bodies.len());
                self.sweep::<PLANAR>(back, threshold, |sides| busy.mark(sides))
            } else {
                self.sweep::<PLANAR>(back, threshold, |_| {})
            };
            far = residuals.far;
            let converged = residuals.worst <= goal;
            if converged || sweeps + 1.0 > most {
                return Solved { residual: residuals.worst.sqrt(), sweeps, converged };
            }
            if pair {
                let left = Ending { residual: ending.residual, sweeps: (most - sweeps) as usize };
                if let Some(spent) = apart.and_then(|busy| busy.solve::<PLANAR>(self, left)) {
                    sweeps += spent;
                    carries = false;
                } else if carries {
                    momentum.carry(self, residuals.sum);
                } else {
                    momentum.begin(self);
                    carries = true;
                }
            }
            back = !back;
        }
    }

    /// Solves each in turn; `far` hears the bodies of those whose squared residual is above a threshold.
    fn sweep<const PLANAR: bool>(&mut self, back: bool, threshold: f64, mut far: impl FnMut([usize; 2])) -> Residuals {
        let mut residuals = Residuals::default();
        let mut heed = |square: f64, sides: [usize; 2]| {
            residuals.add(square, square > threshold);
            if square > threshold {
                far(sides);
            }
        };
        let [blocks, stops, locks] = self.group;
        let order = |list: &[usize], k: usize| if back { list[list.len() - 1 - k] } else { list[k] };
        for k in 0..locks.len() {
            let lock = &mut self.shapes.locks[order(locks, k)];
            heed(lock.relax(self.bodies), lock.sides());
        }
        for k in 0..stops.len() {
            let stop = &mut self.shapes.stops[order(stops, k)];
            heed(stop.relax(self.bodies), stop.line.bodies());
        }
        for k in 0..blocks.len() {
            let block = &mut self.shapes.blocks[order(blocks, k)];
            heed(block.relax(self.bodies, self.inverses, PLANAR), block.sides());
        }
        let relax = |contact: &mut Round| {
            heed(contact.relax::<PLANAR>(self.bodies), [contact.a as usize, contact.b as usize]);
        };
        if back {
            self.contacts.iter_mut().rev().for_each(relax);
        } else {
            self.contacts.iter_mut().for_each(relax);
        }
        residuals
    }

    /// The pairs of bodies that it connects, one after the other.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let [blocks, stops, locks] = self.group;
        let contacts = self.contacts.iter().map(|contact| [contact.a as usize, contact.b as usize]);
        let blocks = blocks.iter().map(|k| &self.shapes.blocks[*k]).map(Block::sides);
        let stops = stops.iter().map(|k| self.shapes.stops[*k].line.bodies());
        let locks = locks.iter().map(|k| self.shapes.locks[*k].sides());
        contacts.chain(blocks).chain(stops).chain(locks)
    }

    /// Lets all its impulses and the velocities of these bodies be changed, four numbers at once, always in the same order.
    #[inline]
    pub(super) fn change(&mut self, bodies: &[u32], mut change: impl FnMut(&mut [f64; 4])) {
        for contact in self.contacts.iter_mut() {
            let [x, y, z] = contact.across;
            let mut impulse = [contact.normal, x, y, z];
            change(&mut impulse);
            [contact.normal, contact.across[0], contact.across[1], contact.across[2]] = impulse;
        }
        let [blocks, stops, locks] = self.group;
        let mut some = |values: &mut [f64]| {
            for values in values.chunks_mut(4) {
                let mut four = [0.0; 4];
                four[..values.len()].copy_from_slice(values);
                change(&mut four);
                values.copy_from_slice(&four[..values.len()]);
            }
        };
        for k in blocks {
            some(self.shapes.blocks[*k].impulse.as_mut_slice());
        }
        for k in stops {
            some(std::slice::from_mut(&mut self.shapes.stops[*k].impulse));
        }
        for k in locks {
            some(self.shapes.locks[*k].impulse.as_mut_slice());
        }
        for body in bodies {
            let body = &mut self.bodies[*body as usize];
            change(&mut body.v);
            change(&mut body.w);
        }
    }
}
