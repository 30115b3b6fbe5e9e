//! Narrow phase of balls: with each other, and with half-spaces.

use super::body::dot;
use super::bound::{Rules, loosened, loosened_again};
use super::crowd::Crowd;
use super::islands::Islands;
use super::near::Near;
use super::round::Round;
use super::table::Table;
use crate::sim::id::MaterialId;
use crate::sim::in_time::SceneInTime;
use crate::sim::part::Core;
use crate::sim::record::Origin;

/// Gaps below this fraction of the radii are looked at even if nothing moves, for an impulse may come through a row of bodies.
const MARGIN: f64 = 1e-3;

/// A half-space of the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Floor {
    /// Its place among the parts of the world.
    place: usize,
    pub(super) normal: [f64; 3],
    pub(super) offset: f64,
    pub(super) material: usize,
}

impl Floor {
    /// All half-spaces of a scene.
    fn of(scene: &SceneInTime) -> Vec<Floor> {
        let world = scene.world.iter().enumerate();
        let floors = world.filter_map(|(place, part)| match &part.core {
            Core::HalfSpace { normal, offset } => {
                let (normal, offset) = ((*normal).into(), offset + part.radius);
                Some(Floor { place, normal, offset, material: part.material.index() })
            }
            _ => None,
        });
        floors.collect()
    }
}

/// Where two balls, or a ball and a half-space, come close in this step.
#[derive(Clone, Copy, Debug)]
struct Close {
    slot: u32,
    a: u32,
    b: u32,
    n: [f64; 3],
    gap: f64,
    /// From the centre of B to that of A, for two balls.
    apart: [f64; 3],
}

/// The contacts of balls, and what they were in the last step.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    pub(super) floors: Vec<Floor>,
    materials: Vec<u32>,
    /// Impulses at half-spaces in the last step, floor by floor.
    pub(super) floor_memory: Vec<[f64; 4]>,
    close: Vec<Close>,
    /// How many pairs are near: the slots of floors follow theirs.
    pairs: usize,
    counts: Vec<u32>,
    /// Against gravity; zero without.
    up: [f64; 3],
    /// Heights of what is close, how many lie in each layer, and places in the order of layers.
    heights: Vec<f64>,
    layers: Vec<u32>,
    order: Vec<u32>,
    speeds: Vec<f64>,
    pub(super) ways: Vec<f64>,
    pub(super) contacts: Vec<Round>,
    /// For each contact its slot; those of floors follow those of pairs.
    slots: Vec<u32>,
    /// Whether it rebounds.
    rebounds: Vec<bool>,
    /// Whether it is an impact if it presses.
    pub(super) strikes: Vec<bool>,
    /// Normal velocities before.
    velocities: Vec<f64>,
    /// Ranges of the contacts by root of the island.
    pub(super) ends: Vec<u32>,
    pub(super) overlap: f64,
}

impl Rounds {
    pub(super) fn new(scene: &SceneInTime, crowd: &Crowd) -> Rounds {
        let floors = Floor::of(scene);
        Rounds {
            materials: scene
                .bodies
                .iter()
                .map(|body| body.parts.first().map_or(0, |p| p.material.index() as u32))
                .collect(),
            up: scene.gravity.try_normalize(0.0).map_or([0.0; 3], |down| (-down).into()),
            floor_memory: vec![[0.0; 4]; floors.len() * crowd.len()],
            floors,
            ..Rounds::default()
        }
    }

    /// Finds what comes close, and joins its bodies to islands.
    pub(super) fn find(&mut self, crowd: &Crowd, near: &mut Near, islands: &mut Islands, step: f64, pull: f64) {
        let count = crowd.len();
        self.close.clear();
        self.pairs = near.rounds.len();
        self.overlap = 0.0;
        // A neighbour may be pushed on as fast as the bodies around it move.
        self.speeds.clear();
        self.speeds.extend(crowd.point_speeds(&crowd.before).map(|speed| speed + pull));
        self.ways.clear();
        self.ways.extend_from_slice(&self.speeds);
        for [a, b] in near.rounds.iter().chain(&near.others) {
            let (a, b) = (*a as usize, *b as usize);
            self.ways[a] = self.ways[a].max(self.speeds[b]);
            self.ways[b] = self.ways[b].max(self.speeds[a]);
        }
        for (slot, [a, b]) in near.rounds.iter().enumerate() {
            let (i, j) = (*a as usize, *b as usize);
            let (p, q) = (&crowd.places[i], &crowd.places[j]);
            let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            let square = dot(&d, &d);
            let touch = p[3] + q[3];
            let own = (1.0 + MARGIN) * touch;
            let reach = own + step * self.ways[i].max(self.ways[j]);
            let both = own + step * (self.ways[i] + self.ways[j]);
            // Two that fly towards each other come closer than either moves.
            let meet = || {
                let [v, w] = [i, j].map(|body| &crowd.before[body].v);
                let distance = square.sqrt();
                let closing = -dot(&d, &[v[0] - w[0], v[1] - w[1], v[2] - w[2]]) / distance;
                distance <= own + step * closing
            };
            if square > reach * reach && (square > both * both || !meet()) {
                near.memory[slot] = [0.0; 4];
                continue;
            }
            let distance = square.sqrt();
            // Centres that coincide are pushed apart along some fixed direction.
            let n = if distance > 0.0 { d.map(|x| x / distance) } else { [0.0, 1.0, 0.0] };
            let gap = distance - touch;
            self.overlap = self.overlap.max(-gap);
            self.close.push(Close { slot: slot as u32, a: *a, b: *b, n, gap, apart: d });
            islands.join(i, j);
        }
        for (k, floor) in self.floors.iter().enumerate() {
            for body in (0..count).filter(|body| crowd.round[*body]) {
                let place = &crowd.places[body];
                let gap = floor.normal[0] * place[0] + floor.normal[1] * place[1] + floor.normal[2] * place[2]
                    - floor.offset
                    - place[3];
                let slot = k * count + body;
                if gap > MARGIN * place[3] + step * self.ways[body] {
                    self.floor_memory[slot] = [0.0; 4];
                    continue;
                }
                self.overlap = self.overlap.max(-gap);
                let slot = (near.rounds.len() + slot) as u32;
                self.close.push(Close { slot, a: body as u32, b: count as u32, n: floor.normal, gap, apart: [0.0; 3] });
            }
        }
    }

    /// Makes the contacts of what was found, island by island. `rebound` hears of every contact that rebounds: root and restitution.
    pub(super) fn build(
        &mut self,
        crowd: &Crowd,
        near: &Near,
        islands: &mut Islands,
        table: &Table,
        rules: &Rules,
        mut rebound: impl FnMut(usize, f64),
    ) {
        let count = crowd.len();
        self.counts.clear();
        self.counts.resize(count + 1, 0);
        for close in &self.close {
            self.counts[islands.root(close.a as usize) + 1] += 1;
        }
        for root in 0..count {
            self.counts[root + 1] += self.counts[root];
        }
        let Some(first) = self.close.first() else {
            self.contacts.clear();
            self.slots.clear();
            self.ends.clear();
            self.ends.resize(count, 0);
            return;
        };
        let blank = Round {
            a: first.a,
            b: first.b,
            n: first.n,
            arm: [0.0; 2],
            give: [0.0; 2],
            mass: [0.0; 2],
            friction: 0.0,
            bound: 0.0,
            normal: 0.0,
            across: [0.0; 3],
        };
        let size = self.close.len();
        self.contacts.resize(size, blank);
        self.slots.resize(size, 0);
        self.rebounds.resize(size, false);
        self.strikes.resize(size, false);
        self.velocities.resize(size, 0.0);
        let pairs = near.rounds.len();
        self.sort(crowd);
        for place in &self.order {
            let close = &self.close[*place as usize];
            let root = islands.root(close.a as usize);
            let at = self.counts[root] as usize;
            self.counts[root] += 1;
            let (i, j) = (close.a as usize, close.b as usize);
            let (a, b) = (&crowd.before[i], &crowd.before[j]);
            let slot = close.slot as usize;
            let (arm, memory) = if slot < pairs {
                (crowd.places[j][3], &near.memory[slot])
            } else {
                (0.0, &self.floor_memory[slot - pairs])
            };
            let [friction, restitution] = table.of(self.materials[i] as usize, self.material_below(j, slot, pairs));
            let velocity = dot(&close.n, &[a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2]]);
            let bound = rules.bound(close.gap, velocity, restitution);
            if let Some(restitution) = bound.rebound {
                rebound(root, restitution);
            }
            let arm = [crowd.places[i][3], arm];
            let along = a.inverse_mass() + b.inverse_mass();
            let across = along + arm[0] * arm[0] * a.inverse_inertia() + arm[1] * arm[1] * b.inverse_inertia();
            // In the plane the only entry is along t1, which turns with the normal.
            let out = if rules.planar { 0.0 } else { dot(&close.n, &[memory[1], memory[2], memory[3]]) };
            self.slots[at] = close.slot;
            self.velocities[at] = velocity;
            self.rebounds[at] = bound.rebound.is_some();
            self.strikes[at] = bound.strikes;
            self.contacts[at] = Round {
                a: close.a,
                b: close.b,
                n: close.n,
                arm,
                give: [along, across],
                mass: [along.recip(), across.recip()],
                friction,
                bound: bound.velocity,
                normal: memory[0],
                across: [memory[1] - out * close.n[0], memory[2] - out * close.n[1], memory[3] - out * close.n[2]],
            };
        }
        self.ends.clear();
        self.ends.extend_from_slice(&self.counts[..count]);
    }

    /// Orders what is close by height, in as many layers as there are contacts: a sweep then carries weight through a whole pile, and
    /// the processor works on several contacts at once, for neighbours in a layer seldom share a body.
    fn sort(&mut self, crowd: &Crowd) {
        let height = |close: &Close| {
            let (a, b) = (&crowd.places[close.a as usize], crowd.places.get(close.b as usize));
            // Up to the contact, or to where it is of spheres of the same size.
            let b = b.map_or_else(|| std::array::from_fn(|k| a[k] - 2.0 * a[3] * close.n[k]), |b| [b[0], b[1], b[2]]);
            (0..3).map(|k| self.up[k] * (a[k] + b[k])).sum::<f64>()
        };
        self.heights.clear();
        self.heights.extend(self.close.iter().map(height));
        let (low, high) =
            self.heights.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
        let count = self.close.len();
        let per = if high > low { (count - 1) as f64 / (high - low) } else { 0.0 };
        let layer = |height: &f64| (((height - low) * per) as usize).min(count - 1);
        self.layers.clear();
        self.layers.resize(count + 1, 0);
        self.heights.iter().for_each(|height| self.layers[layer(height) + 1] += 1);
        for k in 0..count {
            self.layers[k + 1] += self.layers[k];
        }
        self.order.clear();
        self.order.resize(count, 0);
        for (place, height) in self.heights.iter().enumerate() {
            let at = &mut self.layers[layer(height)];
            self.order[*at as usize] = place as u32;
            *at += 1;
        }
    }

    /// The bodies of all that is close, the place of the part of B, and the gap.
    pub(super) fn gaps(&self) -> impl Iterator<Item = ([usize; 2], usize, f64)> {
        let count = self.materials.len();
        self.close.iter().map(move |close| {
            let (a, b) = (close.a as usize, close.b as usize);
            let part = if b < count { 0 } else { self.floor(close.slot as usize, self.pairs).place };
            ([a, b], part, close.gap)
        })
    }

    /// The bodies of all that was close at the start of the step, and the way from the centre of B to that of A then, for two balls.
    pub(super) fn starts(&self) -> impl Iterator<Item = ([usize; 2], [f64; 3])> {
        self.close.iter().map(|close| ([close.a as usize, close.b as usize], close.apart))
    }

    /// The contacts of the island with this root.
    pub(super) fn range(&self, root: usize) -> std::ops::Range<usize> {
        let from = if root == 0 { 0 } else { self.ends[root - 1] };
        from as usize..self.ends[root] as usize
    }

    /// Lets contacts that separate give way as far as the θ of their island allows, if it rebounds elsewhere.
    pub(super) fn loosen(&mut self, islands: &mut Islands, restitution: &[f64]) {
        for (k, contact) in self.contacts.iter_mut().enumerate().filter(|(k, _)| self.velocities[*k] > 0.0) {
            contact.bound = loosened(contact.bound, self.velocities[k], restitution[islands.root(contact.a as usize)]);
        }
    }

    /// Changes the restitution of islands by a factor for each root.
    pub(super) fn lower(&mut self, islands: &mut Islands, restitution: &[f64], ratios: &[f64]) {
        for (k, contact) in self.contacts.iter_mut().enumerate() {
            let root = islands.root(contact.a as usize);
            if self.rebounds[k] {
                contact.bound *= ratios[root];
            } else if self.velocities[k] > 0.0 {
                let change = [restitution[root], restitution[root] * ratios[root]];
                contact.bound = loosened_again(contact.bound, self.velocities[k], change);
            }
        }
    }

    /// The material of body B, or of the half-space in a slot after those of pairs.
    #[inline]
    fn material_below(&self, b: usize, slot: usize, pairs: usize) -> usize {
        match self.materials.get(b) {
            Some(material) => *material as usize,
            None => self.floor(slot, pairs).material,
        }
    }

    #[inline]
    fn floor(&self, slot: usize, pairs: usize) -> &Floor {
        &self.floors[(slot - pairs) / self.materials.len()]
    }

    /// What touches at a contact.
    pub(super) fn origin(&self, contact: usize, near: &Near) -> Origin {
        let Round { a, b, .. } = self.contacts[contact];
        let (slot, pairs) = (self.slots[contact] as usize, near.rounds.len());
        let below = self.material_below(b as usize, slot, pairs);
        // A ball is the only part of its body.
        let part = if (b as usize) < self.materials.len() { 0 } else { self.floor(slot, pairs).place };
        let materials = [self.materials[a as usize] as usize, below].map(MaterialId::new);
        Origin::Parts { parts: [0, part], materials }
    }

    /// Keeps the impulses for the next step.
    pub(super) fn remember(&mut self, near: &mut Near) {
        let pairs = near.rounds.len();
        for (k, contact) in self.contacts.iter().enumerate() {
            let [x, y, z] = contact.across;
            // What rebounds leaves.
            let impulse = if self.rebounds[k] { [0.0; 4] } else { [contact.normal, x, y, z] };
            let slot = self.slots[k] as usize;
            if slot < pairs {
                near.memory[slot] = impulse;
            } else {
                self.floor_memory[slot - pairs] = impulse;
            }
        }
    }
}
