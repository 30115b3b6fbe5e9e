//! Contacts and joints of one island, and sweeps over them.

use super::block::Block;
use super::body::Body;
use super::busy::Busy;
use super::direct::solve_together;
use super::meet_any::Shapes;
use super::momentum::Momentum;
use super::round::Round;
use super::settle::{Ending, Residuals, Solved, Sweeps, settle};
use nalgebra::Matrix3;

/// Contacts of balls, the places of blocks, stops and locks, and all bodies.
pub(super) struct Island<'a> {
    pub(super) contacts: &'a mut [Round],
    pub(super) shapes: &'a mut Shapes,
    pub(super) group: &'a [Vec<usize>; 3],
    pub(super) bodies: &'a mut [Body],
    pub(super) inverses: &'a [Matrix3<f64>],
}

/// An island as a whole, swept in one row.
struct Whole<'a, 'b, const PLANAR: bool> {
    island: &'a mut Island<'b>,
    momentum: &'a mut Momentum,
    busy: Option<&'a mut Busy>,
}

impl<const PLANAR: bool> Sweeps for Whole<'_, '_, PLANAR> {
    fn size(&self) -> usize {
        self.island.size()
    }

    fn sweep(&mut self, back: bool, threshold: f64, mark: bool) -> Residuals {
        match self.busy.as_deref_mut().filter(|_| mark) {
            Some(busy) => {
                busy.reset(self.island.bodies.len());
                self.island.sweep::<PLANAR>(back, threshold, |sides| busy.mark(sides))
            }
            None => self.island.sweep::<PLANAR>(back, threshold, |_| {}),
        }
    }

    fn solve_marked(&mut self, left: Ending) -> Option<f64> {
        self.busy.as_deref_mut()?.solve::<PLANAR>(self.island, left)
    }

    fn begin(&mut self) {
        self.momentum.begin(self.island);
    }

    fn carry(&mut self, share: f64) {
        self.momentum.carry(self.island, share);
    }
}

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
        busy: Option<&mut Busy>,
    ) -> Solved {
        settle(&mut Whole::<PLANAR> { island: self, momentum, busy }, ending)
    }

    /// Solves all together from where they are, if that leaves less for a sweep to change.
    pub(super) fn solve_together<const PLANAR: bool>(&mut self, momentum: &mut Momentum) {
        let before = self.sweep::<PLANAR>(false, f64::INFINITY, |_| {}).worst;
        momentum.begin(self);
        solve_together::<PLANAR>(self);
        let after = self.sweep::<PLANAR>(true, f64::INFINITY, |_| {}).worst;
        // Nor if it is not a number.
        if after.is_nan() || after >= before {
            momentum.take_back(self);
        }
    }

    /// Takes all impulses back: a new attempt would keep those that hold each other.
    pub(super) fn release<const PLANAR: bool>(&mut self) {
        for contact in self.contacts.iter_mut() {
            (contact.normal, contact.across) = (-contact.normal, contact.across.map(|impulse| -impulse));
            contact.apply::<PLANAR>(self.bodies);
            (contact.normal, contact.across) = (0.0, [0.0; 3]);
        }
        let [blocks, stops, locks] = self.group;
        for block in blocks {
            let block = &mut self.shapes.blocks[*block];
            let impulse = std::mem::take(&mut block.impulse);
            block.push(&-impulse, self.bodies, self.inverses);
        }
        for stop in stops {
            let stop = &mut self.shapes.stops[*stop];
            stop.line.push(-std::mem::take(&mut stop.impulse), self.bodies);
        }
        for lock in locks {
            let lock = &mut self.shapes.locks[*lock];
            let impulse = std::mem::take(&mut lock.impulse);
            lock.push(&-impulse, self.bodies);
        }
    }

    /// Solves each in turn; `far` hears the bodies of those whose squared residual is above a threshold.
    pub(super) fn sweep<const PLANAR: bool>(
        &mut self,
        back: bool,
        threshold: f64,
        mut far: impl FnMut([usize; 2]),
    ) -> Residuals {
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
