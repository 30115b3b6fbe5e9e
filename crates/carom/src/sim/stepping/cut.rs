//! Where a large island is cut into slabs.

use super::island::Island;

/// Scratch: the planes that cut an island, and which bodies lie where.
#[derive(Clone, Debug, Default)]
pub(super) struct Cut {
    /// Bodies of the island.
    members: Vec<u32>,
    /// For each body of the scene its slab.
    slabs: Vec<u32>,
    /// Places of the planes along the axis.
    planes: Vec<f64>,
    /// Work at contacts in equal intervals along the axis.
    work: Vec<f64>,
}

/// Least work of a slab, in contacts of balls: what takes longer than to share it out.
const LEAST: f64 = 6000.0;
/// Work of a contact of other shapes.
const BLOCK: f64 = 8.0;
/// Intervals in which work is counted.
const INTERVALS: usize = 1024;
const NO_SLAB: u32 = u32::MAX;

/// How many slabs have work enough, at most.
fn most_slabs(island: &Island<'_>) -> usize {
    let work = island.contacts.len() as f64 + BLOCK * island.group[0].len() as f64;
    (work / LEAST) as usize
}

/// Whether there is so much work in an island that it may be cut. Joints hold it together.
pub(super) fn is_large(island: &Island<'_>) -> bool {
    most_slabs(island) > 1 && island.group[1].is_empty() && island.group[2].is_empty()
}

impl Cut {
    /// Cuts an island into slabs of equal work across the axis along which it is widest, and level as far as there is gravity: weight
    /// goes down inside of slabs. Tells whether there are two at least.
    pub(super) fn make(&mut self, island: &Island<'_>, centres: &[[f64; 4]], vertical: &[f64; 3]) -> bool {
        self.slabs.clear();
        self.slabs.resize(centres.len(), NO_SLAB);
        self.members.clear();
        for body in island.pairs().flatten().filter(|body| *body < centres.len()) {
            if std::mem::replace(&mut self.slabs[body], 0) == NO_SLAB {
                self.members.push(body as u32);
            }
        }
        let extent = |axis: usize| {
            let along = self.members.iter().map(|body| centres[*body as usize][axis]);
            along.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
        };
        let level = |axis: &usize| {
            let [low, high] = extent(*axis);
            (high - low) * (1.0 - vertical[*axis].abs())
        };
        let Some(axis) = (0..3).max_by(|a, b| level(a).total_cmp(&level(b))) else { return false };
        let [low, high] = extent(axis);
        let longest = self.count_work(island, centres, axis, [low, high]);
        // A body that reaches across two planes would be at two seams.
        let wide = 2.0 * longest;
        let Some(slabs) =
            (2..=most_slabs(island).min(INTERVALS)).rev().find(|slabs| self.set_planes(*slabs, [low, high], wide))
        else {
            return false;
        };
        debug_assert_eq!(slabs, self.planes.len() + 1);
        for body in &self.members {
            let x = centres[*body as usize][axis];
            self.slabs[*body as usize] = self.planes.partition_point(|plane| *plane <= x) as u32;
        }
        true
    }

    pub(super) fn slabs(&self) -> usize {
        self.planes.len() + 1
    }

    pub(super) fn members(&self) -> impl Iterator<Item = usize> {
        self.members.iter().map(|body| *body as usize)
    }

    pub(super) fn slab(&self, body: usize) -> usize {
        self.slabs[body] as usize
    }

    /// Counts the work along the axis. Tells the farthest that two bodies of a contact are apart there.
    fn count_work(&mut self, island: &Island<'_>, centres: &[[f64; 4]], axis: usize, [low, high]: [f64; 2]) -> f64 {
        self.work.clear();
        self.work.resize(INTERVALS, 0.0);
        let per = if high > low { INTERVALS as f64 / (high - low) } else { 0.0 };
        let mut longest = 0.0_f64;
        for (k, sides) in island.pairs().enumerate() {
            let mut along = sides.into_iter().filter_map(|body| Some(centres.get(body)?[axis]));
            if let Some(x) = along.next() {
                longest = along.fold(longest, |longest, y| longest.max((x - y).abs()));
                let weight = if k < island.contacts.len() { 1.0 } else { BLOCK };
                self.work[(((x - low) * per) as usize).min(INTERVALS - 1)] += weight;
            }
        }
        longest
    }

    /// Sets the planes between so many slabs. Tells whether all slabs are this wide.
    fn set_planes(&mut self, slabs: usize, [low, high]: [f64; 2], wide: f64) -> bool {
        self.planes.clear();
        let all: f64 = self.work.iter().sum();
        let mut sum = 0.0;
        for (k, work) in self.work.iter().enumerate() {
            let wanted = all * (self.planes.len() + 1) as f64 / slabs as f64;
            sum += work;
            if sum >= wanted && self.planes.len() + 1 < slabs {
                self.planes.push(low + (high - low) * (k + 1) as f64 / INTERVALS as f64);
            }
        }
        let ends =
            std::iter::once(low).chain(self.planes.iter().copied()).zip(self.planes.iter().copied().chain([high]));
        self.planes.len() + 1 == slabs && ends.into_iter().all(|(from, to)| to - from > wide)
    }
}
