//! Narrow phase of all shapes but lone balls: manifolds of corners, edges and faces.

use super::block::{Block, Key};
use super::body::Body;
use super::bound::{Bound, Rules};
use super::crowd::Crowd;
use super::near::Near;
use super::table::Table;
use super::workers::Workers;
use crate::contact::ContactFrame;
use crate::sim::in_time::SceneInTime;
use crate::sim::part::{Core, Part};
use crate::sim::state::State;
use crate::sim::touch::manifold::manifold;
use crate::sim::touch::meeting::Meeting;
use crate::sim::touch::separation::Separation;
use nalgebra::{Matrix3, Vector3};
use std::ops::Range;

/// How close parts are looked at even if they do not move, as a fraction of the smaller one's size.
const MARGIN: f64 = 0.01;

/// What all contacts of a step are made from.
pub(super) struct Making<'a> {
    pub(super) scene: &'a SceneInTime,
    pub(super) crowd: &'a Crowd,
    pub(super) table: &'a Table,
    pub(super) rules: &'a Rules,
    /// How fast bodies may be at most once their neighbours pushed them, m/s.
    pub(super) ways: &'a [f64],
}

/// A body of a pair, or the world, with one of its parts.
#[derive(Clone, Copy)]
struct Side<'a> {
    body: usize,
    place: usize,
    part: &'a Part,
    state: &'a State,
}

/// A contact that was found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    pub(super) block: Block,
    pub(super) bound: Bound,
    pub(super) gap: f64,
}

/// Impulses of the last step, by key, ascending.
pub(super) type Memory = [(Key, Vector3<f64>)];

/// Scratch: the contacts of a step, found in chunks that threads share.
#[derive(Clone, Debug, Default)]
pub(super) struct PartSearch {
    chunks: Vec<Chunk>,
}

/// Pairs of bodies that are near, or bodies with a part of the world; and what they touch.
#[derive(Clone, Debug, Default)]
struct Chunk {
    range: Range<usize>,
    world: Option<usize>,
    met: Vec<Met>,
}

/// Pairs in a chunk, and how many pairs are worth waking others for.
const CHUNK: usize = 64;
const MANY: usize = 16 * CHUNK;

impl PartSearch {
    /// Finds the contacts of all bodies that are near each other or parts of the world.
    pub(super) fn find(&mut self, making: &Making<'_>, near: &Near, (memory, workers): (&Memory, Workers)) {
        let of = |count: usize, world: Option<usize>| {
            (0..count).step_by(CHUNK).map(move |from| (from..count.min(from + CHUNK), world))
        };
        let pairs = of(near.others.len(), None);
        let parts = (0..making.scene.world.len()).flat_map(|place| of(making.crowd.len(), Some(place)));
        let mut count = 0;
        for (range, world) in pairs.chain(parts) {
            if count == self.chunks.len() {
                self.chunks.push(Chunk::default());
            }
            (self.chunks[count].range, self.chunks[count].world) = (range, world);
            count += 1;
        }
        self.chunks.truncate(count);
        let find = |chunk: &mut Chunk| chunk.find(making, near, memory);
        if self.chunks.iter().map(|chunk| chunk.range.len()).sum::<usize>() > MANY {
            workers.each(&mut self.chunks, find);
        } else {
            self.chunks.iter_mut().for_each(find);
        }
    }

    /// What was found, in the order of the pairs.
    pub(super) fn met(&self) -> impl Iterator<Item = &Met> {
        self.chunks.iter().flat_map(|chunk| &chunk.met)
    }
}

impl Chunk {
    fn find(&mut self, making: &Making<'_>, near: &Near, memory: &Memory) {
        self.met.clear();
        let Making { scene, crowd, .. } = making;
        let mut finder = Finder { making, memory, met: &mut self.met };
        let Some(place) = self.world else {
            for [a, b] in &near.others[self.range.clone()] {
                let (a, b) = (*a as usize, *b as usize);
                let states = [crowd.state(a), crowd.state(b)];
                for (i, part) in scene.bodies[a].parts.iter().enumerate() {
                    for (j, other) in scene.bodies[b].parts.iter().enumerate() {
                        let one = Side { body: a, place: i, part, state: &states[0] };
                        finder.meet(&one, &Side { body: b, place: j, part: other, state: &states[1] });
                    }
                }
            }
            return;
        };
        let (part, state) = (&scene.world[place], &State::world());
        let flat = matches!(part.core, Core::HalfSpace { .. });
        let other = Side { body: crowd.len(), place, part, state };
        let meets = |body: &usize| !(flat && crowd.round[*body]) && near.filter.lets_touch_world(*body, place);
        for body in self.range.clone().filter(meets) {
            let state = crowd.state(body);
            for (k, own) in scene.bodies[body].parts.iter().enumerate() {
                finder.meet(&Side { body, place: k, part: own, state: &state }, &other);
            }
        }
    }
}

/// Finds the contacts of parts, one pair after the other.
struct Finder<'a> {
    making: &'a Making<'a>,
    memory: &'a Memory,
    met: &'a mut Vec<Met>,
}

impl Finder<'_> {
    /// The contacts of two parts.
    fn meet(&mut self, a: &Side<'_>, b: &Side<'_>) {
        let Making { crowd, rules, .. } = self.making;
        let [x, y] = [a, b].map(|side| &crowd.before[side.body]);
        let sizes = [a, b].map(|side| side.part.reach());
        let swing = |body: &Body, size: f64| if size.is_finite() { body.turning().norm() * size } else { 0.0 };
        let fast = (x.velocity() - y.velocity()).norm() + swing(x, sizes[0]) + swing(y, sizes[1]);
        let pushed =
            [a, b].iter().filter_map(|side| self.making.ways.get(side.body)).fold(fast, |most, way| most.max(*way));
        let reach = MARGIN * sizes[0].min(sizes[1]) + rules.step * (pushed + rules.rest);
        let round = [a, b].into_iter().any(|side| matches!(side.part.core, Core::Ellipsoid { .. }));
        match &b.part.core {
            Core::HalfSpace { .. } if round => return self.round(a, b, reach),
            Core::HalfSpace { normal, offset } => {
                return self.above(a, b, (normal, offset + b.part.radius, reach));
            }
            _ => {}
        }
        let bounds = [a, b].map(|side| side.part.bounds(&side.state.pose));
        if (0..3).any(|k| bounds[0][0][k] > bounds[1][1][k] + reach || bounds[1][0][k] > bounds[0][1][k] + reach) {
            return;
        }
        if round {
            return self.round(a, b, reach);
        }
        for place in manifold((a.part, a.state), (b.part, b.state), reach) {
            self.add(a, b, place.labels, (&place.point, &place.normal, place.gap));
        }
    }

    /// The contacts of a part with a half-space. Corners go round on arcs; where they are at the middle of the step gives the change
    /// of their gaps over the whole to third order.
    fn above(&mut self, a: &Side<'_>, b: &Side<'_>, (n, offset, reach): (&Vector3<f64>, f64, f64)) {
        let Core::Hull(hull) = &a.part.core else { return };
        let foot = |state: &State, vertex: &Vector3<f64>| state.pose.point(vertex) - n * a.part.radius;
        let mut halfway: Option<State> = None;
        for (k, vertex) in hull.vertices.iter().enumerate() {
            let gap = n.dot(&foot(a.state, vertex)) - offset;
            if gap <= reach {
                let then =
                    halfway.get_or_insert_with(|| self.making.crowd.halfway(Some(a.body), self.making.rules.step));
                let point = foot(then, vertex);
                self.add(&Side { state: then, ..*a }, b, [k as u32, 0], (&point, n, gap));
            }
        }
    }

    /// The contact of an ellipsoid with another part: there is but one. Its place and normal wander as the bodies roll; those at the
    /// middle of the step give the change of the gap over the whole to third order.
    fn round(&mut self, a: &Side<'_>, b: &Side<'_>, reach: f64) {
        let apart = |x: &State, y: &State| Separation::of((a.part, &x.pose), (b.part, &y.pose));
        let Some(now) = apart(a.state, b.state).filter(|now| now.gap <= reach) else { return };
        let [x, y] = [a, b].map(|side| {
            let body = (side.body < self.making.crowd.len()).then_some(side.body);
            self.making.crowd.halfway(body, self.making.rules.step)
        });
        let Some(then) = apart(&x, &y) else { return };
        let radius = [a.part.radius, b.part.radius];
        let meeting = Meeting { a: then.features[0], b: then.features[1], radius, side: 1.0 };
        if let Some(met) = meeting.at(&x, &y) {
            let (a, b) = (Side { state: &x, ..*a }, Side { state: &y, ..*b });
            self.add(&a, &b, [0; 2], (&met.point, &then.normal, now.gap));
        }
    }

    fn add(
        &mut self,
        a: &Side<'_>,
        b: &Side<'_>,
        labels: [u32; 2],
        (point, normal, gap): (&Vector3<f64>, &Vector3<f64>, f64),
    ) {
        let Making { scene, crowd, table, rules, .. } = self.making;
        let frame = if scene.is_planar() {
            ContactFrame::planar([normal.x, normal.y])
        } else {
            ContactFrame::spatial(normal, None)
        };
        let Ok(frame) = frame else { return };
        let places = [a.place as u32, b.place as u32];
        let key = [a.body as u32, b.body as u32, places[0], places[1], labels[0], labels[1]];
        let [friction, restitution] = table.of(a.part.material.index(), b.part.material.index());
        let start = self.memory.binary_search_by_key(&key, |(known, _)| *known).map(|k| self.memory[k].1);
        let mut block = Block {
            key,
            a: a.body,
            b: b.body,
            axes: Matrix3::from_columns(&[Vector3::x(), Vector3::y(), Vector3::z()].map(|e| frame.to_world(&e))),
            arms: [point - a.state.pose.position, point - b.state.pose.position],
            give: Matrix3::zeros(),
            mass: Matrix3::zeros(),
            friction,
            bound: 0.0,
            impulse: start.unwrap_or_else(|_| Vector3::zeros()),
        };
        block.prepare(&crowd.bodies, &crowd.inverses, scene.is_planar());
        if block.give[(0, 0)] <= 0.0 {
            return;
        }
        let bound = rules.bound(gap, block.velocity(&crowd.before).x, restitution);
        block.bound = bound.velocity;
        self.met.push(Met { block, bound, gap });
    }
}
