//! Contacts and joints of one island, swept until they agree.
//!
//! Sweeps go forth and back, so that impulses travel through a pile in either direction; after each pair of them the last changes
//! carry on ([`Momentum`]). The residual of a sweep is the greatest change of velocity at a contact by its own new impulse: the
//! natural map of its problem. What ends is always a sweep, so that every impulse is in its cone.

use super::body::Body;
use super::meet_any::Shapes;
use super::momentum::Momentum;
use super::round::Round;
use super::row_impulse::Line;
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

/// Squares of the residuals of a sweep, (m/s)²: the greatest, and their sum.
#[derive(Clone, Copy, Debug, Default)]
struct Residuals {
    worst: f64,
    sum: f64,
}

impl Residuals {
    #[inline]
    fn add(&mut self, square: f64) {
        self.worst = self.worst.max(square);
        self.sum += square;
    }
}

/// An even number of sweeps without momentum, enough for most small islands.
const PLAIN_SWEEPS: usize = 4;

impl Island<'_> {
    /// Sweeps until the residual is small or they are too many. Tells the residual, the sweeps and whether it was.
    pub(super) fn solve<const PLANAR: bool>(&mut self, ending: Ending, momentum: &mut Momentum) -> (f64, usize, bool) {
        let goal = ending.residual * ending.residual;
        let most = ending.sweeps.max(1);
        let mut residuals = Residuals::default();
        for sweep in 1..=most {
            let back = sweep % 2 == 0;
            residuals = self.sweep::<PLANAR>(back);
            if residuals.worst <= goal {
                return (residuals.worst.sqrt(), sweep, true);
            }
            if sweep == PLAIN_SWEEPS {
                momentum.begin(self);
            } else if back && sweep > PLAIN_SWEEPS && sweep < most {
                momentum.carry(self, residuals.sum);
            }
        }
        (residuals.worst.sqrt(), most, false)
    }

    fn sweep<const PLANAR: bool>(&mut self, back: bool) -> Residuals {
        let mut residuals = Residuals::default();
        let [blocks, stops, locks] = self.group;
        let order = |list: &[usize], k: usize| if back { list[list.len() - 1 - k] } else { list[k] };
        for k in 0..locks.len() {
            residuals.add(self.shapes.locks[order(locks, k)].relax(self.bodies));
        }
        for k in 0..stops.len() {
            residuals.add(self.shapes.stops[order(stops, k)].relax(self.bodies));
        }
        for k in 0..blocks.len() {
            residuals.add(self.shapes.blocks[order(blocks, k)].relax(self.bodies, self.inverses, PLANAR));
        }
        if back {
            self.contacts.iter_mut().rev().for_each(|contact| residuals.add(contact.relax::<PLANAR>(self.bodies)));
        } else {
            self.contacts.iter_mut().for_each(|contact| residuals.add(contact.relax::<PLANAR>(self.bodies)));
        }
        residuals
    }

    /// The pairs of bodies that it connects, one after the other.
    pub(super) fn pairs(&self) -> impl Iterator<Item = [usize; 2]> {
        let [blocks, stops, locks] = self.group;
        let contacts = self.contacts.iter().map(|contact| [contact.a as usize, contact.b as usize]);
        let blocks = blocks.iter().map(|k| &self.shapes.blocks[*k]).map(|block| [block.a, block.b]);
        let stops = stops.iter().map(|k| self.shapes.stops[*k].line.bodies());
        let locks = locks.iter().filter_map(|k| self.shapes.locks[*k].lines.first()).map(Line::bodies);
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
