//! The part of an island that does not agree yet.
//!
//! In a pile that comes to rest a few spots need most of the sweeps: there weight shifts from contact to contact while the rest has
//! long been right. What a sweep left far above its goal, and all that shares a body with it, is solved apart with the rest as it is,
//! in memory of its own so that it stays close to the processor however large the pile; sweeps over the whole island come before and
//! after, and decide.

use super::direct::is_small;
use super::island::Island;
use super::momentum::Momentum;
use super::round::Round;
use super::settle::Ending;

/// Scratch: the busy part of an island.
#[derive(Clone, Debug, Default)]
pub(super) struct Busy {
    marked: Vec<bool>,
    /// Places of its contacts among those of the island, and copies of them.
    places: Vec<u32>,
    contacts: Vec<Round>,
    group: [Vec<usize>; 3],
    momentum: Momentum,
}

/// A busy part above this share of its island is no part: momentum over the whole then does more, and bodies overlap less.
const MOST: f64 = 0.2;
/// Sweeps over the busy part between those over the island, at most: as many as take the time of two of the latter, and no fewer than
/// momentum needs to come to something.
const WORTH: f64 = 2.0;
const SWEEPS: f64 = 14.0;
/// Fraction of the goal to which the busy part is solved: a little is left over for what the rest answers.
const GOAL: f64 = 0.5;

impl Busy {
    /// Forgets all marks.
    pub(super) fn reset(&mut self, bodies: usize) {
        self.marked.clear();
        self.marked.resize(bodies, false);
    }

    /// Marks the bodies of a contact that is far from its goal.
    #[inline]
    pub(super) fn mark(&mut self, sides: [usize; 2]) {
        for body in sides {
            self.marked[body] = true;
        }
    }

    /// Solves the contacts and joints of marked bodies with all others as they are, unless they are too many. Tells the sweeps that
    /// this was worth, of those that are left for the island.
    pub(super) fn solve<const PLANAR: bool>(&mut self, island: &mut Island<'_>, left: Ending) -> Option<f64> {
        let whole = island.size() as f64;
        let share = self.find(island) as f64 / whole;
        if share > MOST {
            return None;
        }
        let sweeps = SWEEPS.max(WORTH / share).min(left.sweeps as f64 / share) as usize;
        let ending = Ending { residual: GOAL * left.residual, sweeps, few: false };
        let solved = self.on_part(island, |part, momentum| part.solve::<PLANAR>(ending, momentum, None));
        Some(solved.sweeps * share)
    }

    /// Solves the contacts and joints of marked bodies together with all others as they are, if they are few enough.
    pub(super) fn solve_together<const PLANAR: bool>(&mut self, island: &mut Island<'_>) {
        if self.find(island) > 0 {
            self.on_part(island, |part, momentum| {
                if is_small::<PLANAR>(part) {
                    part.solve_together::<PLANAR>(momentum);
                }
            });
        }
    }

    /// Does something to the part that was found, as an island by itself.
    fn on_part<T>(&mut self, island: &mut Island<'_>, act: impl FnOnce(&mut Island<'_>, &mut Momentum) -> T) -> T {
        self.contacts.clear();
        self.contacts.extend(self.places.iter().map(|place| island.contacts[*place as usize]));
        let mut part = Island {
            contacts: &mut self.contacts,
            group: &self.group,
            shapes: island.shapes,
            bodies: island.bodies,
            inverses: island.inverses,
        };
        let done = act(&mut part, &mut self.momentum);
        for (place, contact) in self.places.iter().zip(&self.contacts) {
            island.contacts[*place as usize] = *contact;
        }
        done
    }

    /// Finds the contacts and joints of marked bodies. Tells how many they are.
    fn find(&mut self, island: &Island<'_>) -> usize {
        // The world, which comes last, connects nothing.
        self.marked.last_mut().into_iter().for_each(|world| *world = false);
        let marked = &self.marked;
        let is_busy = |[a, b]: [usize; 2]| marked[a] || marked[b];
        self.places.clear();
        let contacts = island.contacts.iter().enumerate();
        let contacts = contacts.filter(|(_, contact)| is_busy([contact.a as usize, contact.b as usize]));
        self.places.extend(contacts.map(|(place, _)| place as u32));
        self.group.iter_mut().for_each(Vec::clear);
        let [blocks, stops, locks] = &mut self.group;
        let all = island.group.each_ref().map(|list| list.iter().copied());
        let [all_blocks, all_stops, all_locks] = all;
        blocks.extend(all_blocks.filter(|k| is_busy(island.shapes.blocks[*k].sides())));
        stops.extend(all_stops.filter(|k| is_busy(island.shapes.stops[*k].line.bodies())));
        locks.extend(all_locks.filter(|k| is_busy(island.shapes.locks[*k].sides())));
        self.places.len() + self.group.iter().map(Vec::len).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::stepping::body::Body;
    use crate::sim::stepping::meet_any::Shapes;

    /// Towers side by side, linked at the floor by contacts that nothing presses, of which one falls: the others need no sweeps.
    #[test]
    fn one_tower_that_falls_among_many_is_solved_by_itself() {
        const HEIGHT: u32 = 8;
        const TOWERS: u32 = 50;
        let contact = |a: u32, b: u32, n: [f64; 3]| {
            let along = if b == HEIGHT * TOWERS { 1.0 } else { 2.0 };
            let (give, mass) = ([along; 2], [1.0 / along; 2]);
            Round { a, b, n, arm: [0.0; 2], give, mass, friction: 0.5, bound: 0.0, normal: 0.0, across: [0.0; 3] }
        };
        let still = Body { v: [0.0, 0.0, 0.0, 1.0], w: [0.0, 0.0, 0.0, 2.0] };
        let mut sweeps = [0.0; 2];
        for (apart, sweeps) in [false, true].into_iter().zip(&mut sweeps) {
            let mut bodies = vec![still; (HEIGHT * TOWERS) as usize];
            bodies.push(Body::WORLD);
            bodies[..HEIGHT as usize].iter_mut().for_each(|body| body.v[1] = -1.0);
            let mut contacts: Vec<Round> =
                (1..TOWERS).map(|k| contact(k * HEIGHT, (k - 1) * HEIGHT, [1.0, 0.0, 0.0])).collect();
            // From the top down, so that a sweep alone carries weight no farther than one body.
            for (tower, k) in (0..TOWERS).flat_map(|tower| (0..HEIGHT).rev().map(move |k| (tower, k))) {
                let below = if k == 0 { HEIGHT * TOWERS } else { tower * HEIGHT + k - 1 };
                contacts.push(contact(tower * HEIGHT + k, below, [0.0, 1.0, 0.0]));
            }
            let (mut shapes, group) = (Shapes::default(), Default::default());
            let mut island = Island {
                contacts: &mut contacts,
                shapes: &mut shapes,
                group: &group,
                bodies: &mut bodies,
                inverses: &[],
            };
            let ending = Ending { residual: 1e-9, sweeps: 1000, few: false };
            let mut busy = Busy::default();
            let solved = island.solve::<true>(ending, &mut Momentum::default(), apart.then_some(&mut busy));
            assert!(solved.converged, "{solved:?}");
            assert!(bodies.iter().all(|body| body.v[1].abs() < 1e-7));
            *sweeps = solved.sweeps;
        }
        assert!(sweeps[1] < 0.5 * sweeps[0], "{sweeps:?}");
    }
}
