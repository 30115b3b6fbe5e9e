//! Contacts of all shapes but lone balls, strings and limits of joints, and joints, in a step.

use super::block::{Block, Key};
use super::body::Body;
use super::bound::{loosened, loosened_again};
use super::islands::Islands;
use super::meet_parts::{Making, Met, PartSearch};
use super::near::Near;
use super::row_impulse::{Line, Lock, Stop};
use super::workers::Workers;
use crate::sim::in_time::SceneInTime;
use crate::sim::row::Row;
use crate::sim::state::State;
use nalgebra::{SVector, Vector3};

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
    search: PartSearch,
}

/// Share of the overlength of a taut string that a step takes back.
const PULL_BACK: f64 = 0.1;

impl Shapes {
    pub(super) fn new(scene: &SceneInTime) -> Shapes {
        Shapes {
            stop_memory: vec![0.0; scene.strings.len() + 2 * scene.joints.len()],
            lock_memory: vec![SVector::zeros(); scene.joints.len()],
            ..Shapes::default()
        }
    }

    /// Makes all contacts, strings, limits and joints of the step.
    pub(super) fn make(&mut self, making: &Making<'_>, near: &Near, workers: Workers) {
        let Making { scene, crowd, .. } = making;
        self.search.find(making, near, (&self.memory, workers));
        self.blocks.clear();
        self.rebounds.clear();
        self.strikes.clear();
        self.overlap = 0.0;
        for Met { block, bound, gap } in self.search.met() {
            self.overlap = self.overlap.max(-gap);
            self.blocks.push(*block);
            self.rebounds.push(bound.rebound);
            self.strikes.push(bound.strikes);
        }
        self.stop(making);
        self.locks.clear();
        for (k, joint) in scene.joints.iter().enumerate() {
            let sides = [joint.a.index(), joint.b.index()].map(|body| crowd.halfway(body, making.rules.step));
            let lines = joint.rows(sides[0], sides[1]).map(|row| Line::new(&row, &crowd.bodies, &crowd.inverses));
            let arm = sides[0].pose.point(&joint.a.point) - sides[0].pose.position;
            self.locks.push(Lock::new(lines.collect(), &crowd.before, self.lock_memory[k]).about(arm));
        }
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
        for (k, string) in scene.strings.iter().enumerate() {
            let ends = |a: &State, b: &State| [a.pose.point(&string.a.point), b.pose.point(&string.b.point)];
            let [p, q] = ends(&state(string.a.index()), &state(string.b.index()));
            let gap = string.length - (p - q).norm();
            // Its direction at the middle of the step gives the change of its length over the whole to third order.
            let (a, b) = (crowd.halfway(string.a.index(), rules.step), crowd.halfway(string.b.index(), rules.step));
            let [p, q] = ends(&a, &b);
            let apart = q - p;
            let length = apart.norm();
            if length > 0.0 {
                let n = apart / length;
                let (arm_a, arm_b) = (p - a.pose.position, q - b.pose.position);
                let sides = [(string.a.index(), n, arm_a.cross(&n)), (string.b.index(), -n, -arm_b.cross(&n))];
                add(&Row::new(sides, 0.0), k, gap, string.restitution.unwrap_or(0.0));
            }
        }
        for (k, joint) in scene.joints.iter().enumerate() {
            let Some([least, greatest]) = joint.limits else { continue };
            let (a, b) = (state(joint.a.index()), state(joint.b.index()));
            let at = scene.displacement(k, &a, &b);
            let axis = joint.axis(&b);
            let point = a.pose.point(&joint.a.point);
            for (side, sign, gap) in [(0, 1.0, at - least), (1, -1.0, greatest - at)] {
                let e = axis * sign;
                let sides = if joint.kind == crate::sim::JointKind::Prismatic {
                    let arms = [a, b].map(|state| point - state.pose.position);
                    [(joint.a.index(), e, arms[0].cross(&e)), (joint.b.index(), -e, -arms[1].cross(&e))]
                } else {
                    [(joint.a.index(), Vector3::zeros(), e), (joint.b.index(), Vector3::zeros(), -e)]
                };
                add(&Row::new(sides, 0.0), scene.strings.len() + 2 * k + side, gap, joint.restitution.unwrap_or(0.0));
            }
        }
    }

    /// All contacts with their gaps.
    pub(super) fn gaps(&self) -> impl Iterator<Item = (&Block, f64)> {
        self.blocks.iter().zip(self.search.met().map(|met| met.gap))
    }

    /// Changes the restitution of islands by a factor for each root.
    pub(super) fn lower(&mut self, before: &[Body], islands: &mut Islands, restitution: &[f64], ratios: &[f64]) {
        let mut root = |sides: [usize; 2]| {
            let body = sides.into_iter().find(|body| *body < ratios.len());
            body.map(|body| islands.root(body))
        };
        for (block, rebound) in self.blocks.iter_mut().zip(&self.rebounds) {
            let Some(root) = root([block.a, block.b]) else { continue };
            let velocity = block.velocity(before).x;
            if rebound.is_some() {
                block.bound *= ratios[root];
            } else if velocity > 0.0 {
                let change = [restitution[root], restitution[root] * ratios[root]];
                block.bound = loosened_again(block.bound, velocity, change);
            }
        }
        for (stop, _) in self.stops.iter_mut().zip(&self.stop_rebounds).filter(|(_, rebound)| rebound.is_some()) {
            if let Some(root) = root(stop.line.bodies()) {
                stop.bound *= ratios[root];
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
