//! A large island in pieces that can be swept at the same time.
//!
//! Planes across its widest level extent cut the island into slabs, side by side, each with its bodies and the contacts among them. A
//! contact between bodies of two slabs belongs to the seam there, which has copies of its bodies. A sweep goes over all slabs, then over
//! all seams; each piece takes over what the others did to its bodies before it starts. Slabs are so wide that no body is in two seams,
//! so neither the order of pieces nor the number of threads matters; and where the planes are depends on nothing but the island.

use super::body::Body;
use super::cut::Cut;
use super::island::Island;
use super::meet_any::Shapes;
use super::momentum::Momentum;
use super::round::Round;
use super::settle::{Ending, Residuals, Solved, Sweeps, settle};
use super::workers::{Workers, lock};
use nalgebra::Matrix3;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A body that another piece has, too: which piece, and the places there and here.
#[derive(Clone, Copy, Debug)]
struct Shared {
    piece: u32,
    there: u32,
    here: u32,
}

/// A slab or a seam: an island by itself, with the places that its bodies, contacts and blocks have in the whole one.
#[derive(Clone, Debug, Default)]
struct Piece {
    bodies: Vec<Body>,
    inverses: Vec<Matrix3<f64>>,
    contacts: Vec<Round>,
    shapes: Shapes,
    group: [Vec<usize>; 3],
    body_places: Vec<u32>,
    contact_places: Vec<u32>,
    block_places: Vec<u32>,
    shared: Vec<Shared>,
    momentum: Momentum,
    residuals: Residuals,
}

impl Piece {
    fn clear(&mut self) {
        self.bodies.clear();
        self.inverses.clear();
        self.contacts.clear();
        self.shapes.blocks.clear();
        self.group[0].clear();
        [&mut self.body_places, &mut self.contact_places, &mut self.block_places].into_iter().for_each(Vec::clear);
        self.shared.clear();
    }

    /// Takes a body in. Tells its place.
    fn take_in(&mut self, island: &Island<'_>, body: usize) -> u32 {
        self.bodies.push(island.bodies[body]);
        self.inverses.push(island.inverses.get(body).copied().unwrap_or_default());
        self.body_places.push(body as u32);
        self.body_places.len() as u32 - 1
    }

    fn size(&self) -> usize {
        self.contacts.len() + self.shapes.blocks.len()
    }

    fn island(&mut self) -> Island<'_> {
        let Piece { contacts, shapes, group, bodies, inverses, .. } = self;
        Island { contacts, shapes, group, bodies, inverses }
    }

    /// Takes over what the others did to its bodies.
    fn catch_up(&mut self, others: &[Mutex<Piece>]) {
        for of_one in self.shared.chunk_by(|a, b| a.piece == b.piece) {
            let other = lock(&others[of_one[0].piece as usize]);
            for Shared { there, here, .. } in of_one {
                self.bodies[*here as usize] = other.bodies[*there as usize];
            }
        }
    }

    fn act<const PLANAR: bool>(&mut self, act: Act) {
        let mut momentum = std::mem::take(&mut self.momentum);
        match act {
            Act::Sweep { back, threshold } => {
                self.residuals = self.island().sweep::<PLANAR>(back, threshold, |_| {});
            }
            Act::Begin { bodies } => {
                let own = if bodies { self.bodies.len() as u32 - 1 } else { 0 };
                momentum.begin_with(&mut self.island(), 0..own);
            }
            Act::Carry { share } => momentum.carry(&mut self.island(), share),
        }
        self.momentum = momentum;
    }
}

/// What can be done to a piece.
#[derive(Clone, Copy, Debug)]
enum Act {
    Sweep { back: bool, threshold: f64 },
    Begin { bodies: bool },
    Carry { share: f64 },
}

/// An order to those who sweep.
#[derive(Clone, Copy, Debug)]
struct Order {
    act: Act,
    /// To seams, or to slabs.
    seams: bool,
    /// Whether pieces take over what the others did before.
    catch_up: bool,
}

/// Scratch: the pieces of an island.
#[derive(Clone, Debug, Default)]
pub(super) struct Pieces {
    slabs: Vec<Piece>,
    seams: Vec<Piece>,
    cut: Cut,
    /// Places of the island's bodies in their slabs, and of those at seams there.
    places: Vec<u32>,
    seam_places: Vec<u32>,
}

const NOWHERE: u32 = u32::MAX;
/// Contacts at seams that are worth waking others for.
const MANY_AT_SEAMS: usize = 4000;

impl Pieces {
    /// Takes an island apart, if it is large and wide enough.
    pub(super) fn divide(&mut self, island: &Island<'_>, centres: &[[f64; 4]], vertical: &[f64; 3]) -> bool {
        if !self.cut.make(island, centres, vertical) {
            return false;
        }
        let count = self.cut.slabs();
        self.slabs.resize_with(count, Piece::default);
        self.seams.resize_with(count - 1, Piece::default);
        self.slabs.iter_mut().chain(&mut self.seams).for_each(Piece::clear);
        let world = island.bodies.len() - 1;
        for places in [&mut self.places, &mut self.seam_places] {
            places.clear();
            places.resize(world + 1, NOWHERE);
        }
        for body in self.cut.members() {
            self.places[body] = self.slabs[self.cut.slab(body)].take_in(island, body);
        }
        for slab in &mut self.slabs {
            slab.take_in(island, world);
        }
        for (place, contact) in island.contacts.iter().enumerate() {
            let (piece, [a, b]) = self.place(island, [contact.a as usize, contact.b as usize]);
            piece.contacts.push(Round { a, b, ..*contact });
            piece.contact_places.push(place as u32);
        }
        for place in &island.group[0] {
            let block = island.shapes.blocks[*place];
            let (piece, [a, b]) = self.place(island, block.sides());
            let mut own = block;
            (own.a, own.b) = (a as usize, b as usize);
            piece.group[0].push(piece.shapes.blocks.len());
            piece.shapes.blocks.push(own);
            piece.block_places.push(*place as u32);
        }
        for seam in &mut self.seams {
            seam.take_in(island, world);
        }
        for piece in self.slabs.iter_mut().chain(&mut self.seams) {
            piece.shared.sort_by_key(|shared| shared.piece);
        }
        true
    }

    /// The piece of a contact of two bodies, and their places there.
    fn place(&mut self, island: &Island<'_>, sides: [usize; 2]) -> (&mut Piece, [u32; 2]) {
        let world = island.bodies.len() - 1;
        let slabs = sides.map(|body| (body != world).then(|| self.cut.slab(body)));
        if let [Some(a), Some(b)] = slabs
            && a != b
        {
            let seam = a.min(b);
            let places = sides.map(|body| self.share(island, body, seam));
            return (&mut self.seams[seam], places);
        }
        let slab = slabs.into_iter().flatten().next().unwrap_or_default();
        let piece = &mut self.slabs[slab];
        let last = piece.bodies.len() as u32 - 1;
        (piece, sides.map(|body| if body == world { last } else { self.places[body] }))
    }

    /// Has a body at a seam. Tells its place there.
    fn share(&mut self, island: &Island<'_>, body: usize, seam: usize) -> u32 {
        if self.seam_places[body] == NOWHERE {
            let (slab, own) = (self.cut.slab(body), self.places[body]);
            let piece = &mut self.seams[seam];
            let copy = piece.take_in(island, body);
            piece.shared.push(Shared { piece: slab as u32, there: own, here: copy });
            self.slabs[slab].shared.push(Shared { piece: seam as u32, there: copy, here: own });
            self.seam_places[body] = copy;
        }
        self.seam_places[body]
    }

    /// Puts impulses and velocities back into the island.
    pub(super) fn unite(&mut self, island: &mut Island<'_>) {
        for slab in &self.slabs {
            // The world comes last, and stays as it is.
            for (place, body) in slab.body_places.iter().zip(&slab.bodies[..slab.bodies.len() - 1]) {
                island.bodies[*place as usize] = *body;
            }
        }
        for piece in self.slabs.iter().chain(&self.seams) {
            for (place, contact) in piece.contact_places.iter().zip(&piece.contacts) {
                let whole = &mut island.contacts[*place as usize];
                (whole.normal, whole.across) = (contact.normal, contact.across);
            }
            for (place, block) in piece.block_places.iter().zip(&piece.shapes.blocks) {
                island.shapes.blocks[*place as usize].impulse = block.impulse;
            }
        }
    }

    /// Sweeps all pieces until they agree.
    pub(super) fn solve<const PLANAR: bool>(&mut self, workers: Workers, ending: Ending) -> Solved {
        let guarded = |pieces: &mut Vec<Piece>| -> Vec<Mutex<Piece>> {
            std::mem::take(pieces).into_iter().map(Mutex::new).collect()
        };
        let all = [guarded(&mut self.slabs), guarded(&mut self.seams)];
        let size = workers.0.min(all[0].len());
        let carry_out = |(place, size): (usize, usize), order: Order| {
            let (own, others) = (&all[usize::from(order.seams)], &all[usize::from(!order.seams)]);
            for piece in own.iter().skip(place).step_by(size) {
                let mut piece = lock(piece);
                if order.catch_up {
                    piece.catch_up(others);
                }
                piece.act::<PLANAR>(order.act);
            }
        };
        let solved = workers.team(
            size,
            |place, order| carry_out((place, size), order),
            |team| {
                let at_seams: usize = all[1].iter().map(|seam| lock(seam).size()).sum();
                let give = |order: Order| {
                    if order.seams && at_seams <= MANY_AT_SEAMS {
                        carry_out((0, 1), order);
                    } else {
                        team.all(order);
                    }
                };
                settle(&mut Shift { all: &all, give: &give, caught_up: true }, ending)
            },
        );
        let bare = |pieces: Vec<Mutex<Piece>>| -> Vec<Piece> {
            pieces.into_iter().map(|piece| piece.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
        };
        // Slabs have yet to know what seams did last.
        all[0].iter().for_each(|slab| lock(slab).catch_up(&all[1]));
        [self.slabs, self.seams] = all.map(bare);
        solved
    }
}

/// Slabs and seams, and how orders are given to those who sweep them.
struct Shift<'a> {
    all: &'a [Vec<Mutex<Piece>>; 2],
    give: &'a dyn Fn(Order),
    /// Whether slabs know what seams did.
    caught_up: bool,
}

impl Shift<'_> {
    fn slabs(&mut self, act: Act) {
        let catch_up = !std::mem::replace(&mut self.caught_up, true);
        (self.give)(Order { act, seams: false, catch_up });
    }

    fn pieces(&self) -> impl Iterator<Item = MutexGuard<'_, Piece>> {
        self.all.iter().flatten().map(lock)
    }
}

impl Sweeps for Shift<'_> {
    fn size(&self) -> usize {
        self.pieces().map(|piece| piece.size()).sum()
    }

    fn sweep(&mut self, back: bool, threshold: f64, _: bool) -> Residuals {
        let act = Act::Sweep { back, threshold };
        self.slabs(act);
        (self.give)(Order { act, seams: true, catch_up: true });
        self.caught_up = false;
        self.pieces().fold(Residuals::default(), |all, piece| all.and(piece.residuals))
    }

    /// A busy part may lie across seams: it is left to the whole island.
    fn solve_marked(&mut self, _: Ending) -> Option<f64> {
        None
    }

    fn begin(&mut self) {
        self.slabs(Act::Begin { bodies: true });
        // Bodies at seams are the slabs' own.
        (self.give)(Order { act: Act::Begin { bodies: false }, seams: true, catch_up: false });
    }

    fn carry(&mut self, share: f64) {
        let act = Act::Carry { share };
        self.slabs(act);
        (self.give)(Order { act, seams: true, catch_up: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const WIDE: u32 = 100;
    const HIGH: u32 = 80;

    /// Disks on a square lattice that touch their neighbours and the floor, without friction, all moving at random: the velocities
    /// after are the nearest that let none approach, and so the only ones.
    fn lattice() -> (Vec<Body>, Vec<[f64; 4]>, Vec<Round>) {
        let mut random = Random(3);
        let (mut bodies, mut centres, mut contacts) = (Vec::new(), Vec::new(), Vec::new());
        let contact = |a: u32, b: u32, n: [f64; 3]| {
            let along = if b == WIDE * HIGH { 1.0 } else { 2.0 };
            let (give, mass) = ([along; 2], [1.0 / along; 2]);
            Round { a, b, n, arm: [0.0; 2], give, mass, friction: 0.0, bound: 0.0, normal: 0.0, across: [0.0; 3] }
        };
        for k in 0..WIDE * HIGH {
            let (x, y) = (k % WIDE, k / WIDE);
            let v = [random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0, 1.0];
            bodies.push(Body { v, w: [0.0, 0.0, 0.0, 1.0] });
            centres.push([f64::from(x), f64::from(y), 0.0, 0.5]);
            let below = if y == 0 { WIDE * HIGH } else { k - WIDE };
            contacts.push(contact(k, below, [0.0, 1.0, 0.0]));
            if x > 0 {
                contacts.push(contact(k, k - 1, [1.0, 0.0, 0.0]));
            }
        }
        bodies.push(Body::WORLD);
        (bodies, centres, contacts)
    }

    #[test]
    fn pieces_come_to_what_the_whole_comes_to() {
        let group = Default::default();
        let ending = Ending { residual: 1e-9, sweeps: 5000, few: false };
        let solve = |threads: Option<usize>| {
            let (mut bodies, centres, mut contacts) = lattice();
            let (contacts, bodies, shapes) = (&mut contacts, &mut bodies, &mut Shapes::default());
            let mut island = Island { contacts, shapes, group: &group, bodies, inverses: &[] };
            let solved = if let Some(threads) = threads {
                let mut pieces = Pieces::default();
                assert!(pieces.divide(&island, &centres, &[0.0, 1.0, 0.0]));
                assert!(pieces.slabs.len() == 2 && pieces.seams[0].contacts.len() == HIGH as usize);
                let solved = pieces.solve::<true>(Workers(threads), ending);
                pieces.unite(&mut island);
                solved
            } else {
                island.solve::<true>(ending, &mut Momentum::default(), None)
            };
            assert!(solved.converged, "{solved:?}");
            let velocities: Vec<[f64; 4]> = bodies.iter().map(|body| body.v).collect();
            (velocities, contacts.iter().map(|contact| contact.normal).collect::<Vec<f64>>())
        };
        let [whole, pieces, shared] = [None, Some(1), Some(2)].map(solve);
        assert_eq!(pieces, shared);
        for (one, other) in whole.0.iter().zip(&pieces.0) {
            let off = (0..3).map(|k| (one[k] - other[k]).abs()).fold(0.0, f64::max);
            assert!(off < 1e-6, "{one:?} {other:?}");
        }
        for (one, other) in whole.1.iter().zip(&pieces.1) {
            assert!((one - other).abs() < 1e-5, "{one} {other}");
        }
    }
}
