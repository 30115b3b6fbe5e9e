//! Narrow phase of all shapes but lone balls: manifolds of corners, edges and faces; strings and limits of joints; joints.

use super::block::{Block, Key};
use super::body::Body;
use super::bound::{Rules, loosened};
use super::crowd::Crowd;
use super::islands::Islands;
use super::near::Near;
use super::row_impulse::{Line, Lock, Stop};
use super::table::Table;
use crate::contact::ContactFrame;
use crate::sim::part::{Core, Part};
use crate::sim::row::Row;
use crate::sim::scene::Scene;
use crate::sim::state::State;
use crate::sim::touch::manifold::manifold;
use crate::sim::touch::meeting::Meeting;
use crate::sim::touch::separation::Separation;
use nalgebra::{Matrix3, SVector, Vector3};

/// Contacts, strings, limits and joints of a step, and the impulses of the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Shapes {
    pub(super) blocks: Vec<Block>,
    /// Restitution where a block rebounds.
    rebounds: Vec<Option<f64>>,
    /// Whether a block is an impact if it presses.
    pub(super) strikes: Vec<bool>,
    pub(super) stops: Vec<Stop>,
    stop_rebounds: Vec<Option<f64>>,
    pub(super) stop_strikes: Vec<bool>,
    pub(super) locks: Vec<Lock>,
    /// By key, ascending.
    pub(super) memory: Vec<(Key, Vector3<f64>)>,
    pub(super) stop_memory: Vec<f64>,
    pub(super) lock_memory: Vec<SVector<f64, 6>>,
    pub(super) overlap: f64,
}

/// How close parts are looked at even if they do not move, as a fraction of the smaller one's size.
const MARGIN: f64 = 0.01;

/// Share of the overlength of a taut string that a step takes back.
const PULL_BACK: f64 = 0.1;

/// What all contacts of a step are made from.
pub(super) struct Making<'a> {
    pub(super) scene: &'a Scene,
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

impl Shapes {
    pub(super) fn new(scene: &Scene) -> Shapes {
        Shapes {
            stop_memory: vec![0.0; scene.strings.len() + 2 * scene.joints.len()],
            lock_memory: vec![SVector::zeros(); scene.joints.len()],
            ..Shapes::default()
        }
    }

    /// Makes all contacts, strings, limits and joints of the step.
    pub(super) fn make(&mut self, making: &Making<'_>, near: &Near) {
        let Making { scene, crowd, .. } = making;
        self.blocks.clear();
        self.rebounds.clear();
        self.strikes.clear();
        self.overlap = 0.0;
        let world = State::world();
        for [a, b] in &near.others {
            let (a, b) = (*a as usize, *b as usize);
            let states = [crowd.state(a), crowd.state(b)];
            for (i, part) in scene.bodies[a].parts.iter().enumerate() {
                for (j, other) in scene.bodies[b].parts.iter().enumerate() {
                    let one = Side { body: a, place: i, part, state: &states[0] };
                    self.meet(making, &one, &Side { body: b, place: j, part: other, state: &states[1] });
                }
            }
        }
        for (place, part) in scene.world.iter().enumerate() {
            let flat = matches!(part.core, Core::HalfSpace { .. });
            let other = Side { body: crowd.len(), place, part, state: &world };
            for body in (0..crowd.len()).filter(|body| !(flat && crowd.round[*body])) {
                let state = crowd.state(body);
                for (k, own) in scene.bodies[body].parts.iter().enumerate() {
                    self.meet(making, &Side { body, place: k, part: own, state: &state }, &other);
                }
            }
        }
        self.stop(making);
        self.locks.clear();
        for (k, joint) in scene.joints.iter().enumerate() {
            let sides = [joint.a.body, joint.b.body].map(|body| crowd.halfway(body, making.rules.step));
            let lines = joint.rows(sides[0], sides[1]).map(|row| Line::new(&row, &crowd.bodies, &crowd.inverses));
            let arm = sides[0].pose.point(&joint.a.point) - sides[0].pose.position;
            self.locks.push(Lock::new(lines.collect(), &crowd.before, self.lock_memory[k]).about(arm));
        }
    }

    /// The contacts of two parts.
    fn meet(&mut self, making: &Making<'_>, a: &Side<'_>, b: &Side<'_>) {
        let Making { crowd, rules, .. } = making;
        let [x, y] = [a, b].map(|side| &crowd.before[side.body]);
        let sizes = [a, b].map(|side| side.part.reach());
        let swing = |body: &Body, size: f64| if size.is_finite() { body.turning().norm() * size } else { 0.0 };
        let fast = (x.velocity() - y.velocity()).norm() + swing(x, sizes[0]) + swing(y, sizes[1]);
        let pushed = [a, b].iter().filter_map(|side| making.ways.get(side.body)).fold(fast, |most, way| most.max(*way));
        let reach = MARGIN * sizes[0].min(sizes[1]) + rules.step * (pushed + rules.rest);
        let round = [a, b].into_iter().any(|side| matches!(side.part.core, Core::Ellipsoid { .. }));
        match &b.part.core {
            Core::HalfSpace { .. } if round => return self.round(making, a, b, reach),
            Core::HalfSpace { normal, offset } => {
                return self.above(making, a, b, (normal, offset + b.part.radius), reach);
            }
            _ => {}
        }
        let bounds = [a, b].map(|side| side.part.bounds(&side.state.pose));
        if (0..3).any(|k| bounds[0][0][k] > bounds[1][1][k] + reach || bounds[1][0][k] > bounds[0][1][k] + reach) {
            return;
        }
        if round {
            return self.round(making, a, b, reach);
        }
        for place in manifold((a.part, a.state), (b.part, b.state), reach) {
            self.add(making, a, b, place.labels, (&place.point, &place.normal, place.gap));
        }
    }

    /// The contacts of a part with a half-space. Corners go round on arcs; where they are at the middle of the step gives the change
    /// of their gaps over the whole to third order.
    fn above(
        &mut self,
        making: &Making<'_>,
        a: &Side<'_>,
        b: &Side<'_>,
        (n, offset): (&Vector3<f64>, f64),
        reach: f64,
    ) {
        let Core::Hull(hull) = &a.part.core else { return };
        let foot = |state: &State, vertex: &Vector3<f64>| state.pose.point(vertex) - n * a.part.radius;
        let mut halfway: Option<State> = None;
        for (k, vertex) in hull.vertices.iter().enumerate() {
            let gap = n.dot(&foot(a.state, vertex)) - offset;
            if gap <= reach {
                let then = halfway.get_or_insert_with(|| making.crowd.halfway(Some(a.body), making.rules.step));
                let point = foot(then, vertex);
                self.add(making, &Side { state: then, ..*a }, b, [k as u32, 0], (&point, n, gap));
            }
        }
    }

    /// The contact of an ellipsoid with another part: there is but one. Its place and normal wander as the bodies roll; those at the
    /// middle of the step give the change of the gap over the whole to third order.
    fn round(&mut self, making: &Making<'_>, a: &Side<'_>, b: &Side<'_>, reach: f64) {
        let apart = |x: &State, y: &State| Separation::of((a.part, &x.pose), (b.part, &y.pose));
        let Some(now) = apart(a.state, b.state).filter(|now| now.gap <= reach) else { return };
        let [x, y] = [a, b].map(|side| {
            let body = (side.body < making.crowd.len()).then_some(side.body);
            making.crowd.halfway(body, making.rules.step)
        });
        let Some(then) = apart(&x, &y) else { return };
        let radius = [a.part.radius, b.part.radius];
        let meeting = Meeting { a: then.features[0], b: then.features[1], radius, side: 1.0 };
        if let Some(met) = meeting.at(&x, &y) {
            let (a, b) = (Side { state: &x, ..*a }, Side { state: &y, ..*b });
            self.add(making, &a, &b, [0; 2], (&met.point, &then.normal, now.gap));
        }
    }

    fn add(
        &mut self,
        making: &Making<'_>,
        a: &Side<'_>,
        b: &Side<'_>,
        labels: [u32; 2],
        (point, normal, gap): (&Vector3<f64>, &Vector3<f64>, f64),
    ) {
        let Making { scene, crowd, table, rules, .. } = making;
        let frame =
            if scene.planar { ContactFrame::planar([normal.x, normal.y]) } else { ContactFrame::spatial(normal, None) };
        let Ok(frame) = frame else { return };
        let places = [a.place as u32, b.place as u32];
        let key = [a.body as u32, b.body as u32, places[0], places[1], labels[0], labels[1]];
        let [friction, restitution] = table.of(a.part.material, b.part.material);
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
        block.prepare(&crowd.bodies, &crowd.inverses, scene.planar);
        if block.give[(0, 0)] <= 0.0 {
            return;
        }
        let bound = rules.bound(gap, block.velocity(&crowd.before).x, restitution);
        block.bound = bound.velocity;
        self.overlap = self.overlap.max(-gap);
        self.blocks.push(block);
        self.rebounds.push(bound.rebound);
        self.strikes.push(bound.strikes);
    }

    /// Strings and limits that may go taut in the step.
    fn stop(&mut self, making: &Making<'_>) {
        let Making { scene, crowd, rules, .. } = making;
        self.stops.clear();
        self.stop_rebounds.clear();
        self.stop_strikes.clear();
        let state = |body: Option<usize>| body.map_or_else(State::world, |body| crowd.state(body));
        let mut add = |row: &Row, place: usize, gap: f64, restitution: f64| {
            let line = Line::new(row, &crowd.bodies, &crowd.inverses);
            let velocity = line.velocity(&crowd.before);
            if gap + rules.step * (velocity.min(0.0) - rules.rest) > 0.0 {
                return;
            }
            let mut bound = rules.bound(gap, velocity, restitution);
            let taut = place < scene.strings.len()
                && gap <= rules.rest * rules.step
                && bound.rebound.is_none()
                && velocity >= -rules.rest;
            if taut {
                // A taut string turns its ends on an arc without work, as a joint does, and gives way to overlength slowly.
                bound.velocity = -velocity - PULL_BACK * gap / rules.step;
            }
            self.stops.push(Stop { taut, ..Stop::new(line, place, bound.velocity, self.stop_memory[place]) });
            self.stop_rebounds.push(bound.rebound);
            self.stop_strikes.push(bound.strikes);
        };
        for (k, cord) in scene.strings.iter().enumerate() {
            let ends = |a: &State, b: &State| [a.pose.point(&cord.a.point), b.pose.point(&cord.b.point)];
            let [p, q] = ends(&state(cord.a.body), &state(cord.b.body));
            let gap = cord.length - (p - q).norm();
            // Its direction at the middle of the step gives the change of its length over the whole to third order.
            let (a, b) = (crowd.halfway(cord.a.body, rules.step), crowd.halfway(cord.b.body, rules.step));
            let [p, q] = ends(&a, &b);
            let apart = q - p;
            let length = apart.norm();
            if length > 0.0 {
                let n = apart / length;
                let (arm_a, arm_b) = (p - a.pose.position, q - b.pose.position);
                let sides = [(cord.a.body, n, arm_a.cross(&n)), (cord.b.body, -n, -arm_b.cross(&n))];
                add(&Row::new(sides, 0.0), k, gap, cord.restitution);
            }
        }
        for (k, joint) in scene.joints.iter().enumerate() {
            let Some([least, greatest]) = joint.limits else { continue };
            let (a, b) = (state(joint.a.body), state(joint.b.body));
            let at = joint.displacement(&a, &b);
            let axis = joint.axis(&b);
            let point = a.pose.point(&joint.a.point);
            for (side, sign, gap) in [(0, 1.0, at - least), (1, -1.0, greatest - at)] {
                let e = axis * sign;
                let sides = if joint.kind == crate::sim::JointKind::Prismatic {
                    let arms = [a, b].map(|state| point - state.pose.position);
                    [(joint.a.body, e, arms[0].cross(&e)), (joint.b.body, -e, -arms[1].cross(&e))]
                } else {
                    [(joint.a.body, Vector3::zeros(), e), (joint.b.body, Vector3::zeros(), -e)]
                };
                add(&Row::new(sides, 0.0), scene.strings.len() + 2 * k + side, gap, joint.restitution);
            }
        }
    }

    /// Lowers the restitution of islands by a factor.
    pub(super) fn lower(&mut self, islands: &mut Islands, gaining: &[bool], factor: f64) {
        let mut gains = |sides: [usize; 2]| {
            sides.into_iter().find(|body| *body < gaining.len()).is_some_and(|body| gaining[islands.root(body)])
        };
        for (block, _) in self.blocks.iter_mut().zip(&self.rebounds).filter(|(_, rebound)| rebound.is_some()) {
            if gains([block.a, block.b]) {
                block.bound *= factor;
            }
        }
        for (stop, _) in self.stops.iter_mut().zip(&self.stop_rebounds).filter(|(_, rebound)| rebound.is_some()) {
            if gains(stop.line.bodies()) {
                stop.bound *= factor;
            }
        }
    }

    /// Lets contacts that separate give way as far as the θ of their island allows, if it rebounds elsewhere.
    pub(super) fn loosen(&mut self, before: &[Body], islands: &mut Islands, restitution: &[f64]) {
        for block in &mut self.blocks {
            let velocity = block.velocity(before).x;
            if velocity > 0.0 {
                let body = if block.a < restitution.len() { block.a } else { block.b };
                block.bound = loosened(block.bound, velocity, restitution[islands.root(body)]);
            }
        }
    }

    /// Keeps the impulses for the next step.
    pub(super) fn remember(&mut self) {
        self.memory.clear();
        let steady = self.blocks.iter().zip(&self.rebounds).filter(|(_, rebound)| rebound.is_none());
        self.memory.extend(steady.map(|(block, _)| (block.key, block.impulse)));
        self.memory.sort_unstable_by_key(|(key, _)| *key);
        self.stop_memory.fill(0.0);
        for (stop, rebound) in self.stops.iter().zip(&self.stop_rebounds) {
            self.stop_memory[stop.place] = if rebound.is_none() { stop.impulse } else { 0.0 };
        }
        for (known, lock) in self.lock_memory.iter_mut().zip(&self.locks) {
            *known = lock.impulse;
        }
    }
}

impl Shapes {
    /// Tells every contact and string that rebounds: root of its island and restitution.
    pub(super) fn rebounds_by(&self, islands: &mut Islands, count: usize, mut tell: impl FnMut(usize, f64)) {
        let blocks = self.blocks.iter().map(|block| [block.a, block.b]).zip(&self.rebounds);
        let stops = self.stops.iter().map(|stop| stop.line.bodies()).zip(&self.stop_rebounds);
        for (sides, restitution) in blocks.chain(stops) {
            if let (Some(body), Some(restitution)) = (sides.into_iter().find(|body| *body < count), restitution) {
                tell(islands.root(body), *restitution);
            }
        }
    }
}
