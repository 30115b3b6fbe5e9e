//! From velocities to places: the θ of every island, and where its energy went.
//!
//! Bodies move by h (θ v⁺ + (1 − θ) v⁻). With Δv = v⁺ − v⁻, P the contact impulses, ū the mean of the relative velocities before and
//! after, and f the smooth forces, the energy of an island changes by
//!
//! ```text
//! ΔE = P·ū + (½ − θ) h f·Δv = P·(θ u⁺ + (1 − θ) u⁻) − (θ − ½) Δv·M Δv
//! ```
//!
//! (Acary 2016, for constant f). Bodies without contact take θ = ½, which is exact in free flight. Those in contact take
//! θ = 1/(1 + e) with the greatest restitution that acts in their island: what rebounds does not move along its normal in that step
//! and loses what Newton's law says; without rebound θ = 1, gaps close as the solver found, and ΔE ≤ 0 however friction acts. Where
//! mixed contacts would still gain energy, θ goes to where they do not. If there is no such θ (Newton's law with friction can create
//! energy: Kane & Levinson 1985), the island's restitution is lowered until there is; at zero there always is.

use super::block::Block;
use super::body::dot;
use super::crowd::Crowd;
use super::islands::Islands;
use super::meet_any::Shapes;
use super::meet_round::Rounds;
use super::row_impulse::Line;
use crate::sim::in_time::SceneInTime;
use nalgebra::Vector3;

/// Scratch: sums over islands.
#[derive(Clone, Debug, Default)]
pub(super) struct Displacement {
    /// Greatest restitution of a contact that rebounds.
    pub(super) restitution: Vec<f64>,
    /// Work of the contact impulses, P·ū.
    work: Vec<f64>,
    /// Sizes of these impulses and velocities, Σ |P| |u⁻|, of which a gain by rounding is a small share.
    size: Vec<f64>,
    /// h f·Δv.
    lift: Vec<f64>,
    theta: Vec<f64>,
    touched: Vec<bool>,
    /// Islands whose restitution is too much: they gain energy though they need not, or their contacts have no solution.
    pub(super) gaining: Vec<bool>,
}

/// Gains below this fraction of the sizes of impulses and velocities are rounding.
const NO_GAIN: f64 = 1e-9;

/// Where energy went in a step, J.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Losses {
    pub(super) friction: f64,
    pub(super) impacts: f64,
}

impl Displacement {
    pub(super) fn reset(&mut self, bodies: usize) {
        self.restitution.clear();
        self.restitution.resize(bodies, 0.0);
    }

    /// Changes the restitution of islands by a factor for each root.
    pub(super) fn lower(&mut self, ratios: &[f64]) {
        for (restitution, ratio) in self.restitution.iter_mut().zip(ratios) {
            *restitution *= ratio;
        }
    }

    /// Restitution of islands that were not solved is too much as well: without rebound there is a solution.
    pub(super) fn heed_unsolved(&mut self, unsolved: &[bool]) {
        for (root, unsolved) in unsolved.iter().enumerate() {
            self.gaining[root] |= *unsolved && self.restitution[root] > 0.0;
        }
    }

    pub(super) fn rebound(&mut self, root: usize, restitution: f64) {
        self.restitution[root] = self.restitution[root].max(restitution);
    }

    /// Decides on the θ of every island. Tells where energy will go.
    pub(super) fn weigh(
        &mut self,
        scene: &SceneInTime,
        crowd: &Crowd,
        islands: &mut Islands,
        (rounds, shapes): (&Rounds, &Shapes),
        step: f64,
    ) -> Losses {
        let mut losses = Losses::default();
        for sums in [&mut self.work, &mut self.size, &mut self.lift, &mut self.theta] {
            sums.clear();
            sums.resize(crowd.len(), 0.0);
        }
        for flags in [&mut self.touched, &mut self.gaining] {
            flags.clear();
            flags.resize(crowd.len(), false);
        }
        if scene.is_planar() {
            self.work_of_rounds::<true>(crowd, islands, rounds, &mut losses);
        } else {
            self.work_of_rounds::<false>(crowd, islands, rounds, &mut losses);
        }
        self.work_of_shapes(crowd, islands, shapes, &mut losses);
        let count = crowd.len();
        let pull = scene.gravity * step;
        for body in (0..count).filter(|body| self.touched[*body]) {
            let (now, before) = (&crowd.bodies[body], &crowd.before[body]);
            let change = now.velocity() - before.velocity();
            let mut lift = change.dot(&pull) * crowd.inertias[body].mass;
            if let Some((force, torque)) = crowd.load(body) {
                lift += force.dot(&change) + torque.dot(&(now.turning() - before.turning()));
            }
            self.lift[islands.root(body)] += lift;
        }
        for root in 0..count {
            let (work, lift) = (self.work[root], self.lift[root]);
            let mut theta = (1.0 + self.restitution[root]).recip();
            if work + (0.5 - theta) * lift > 0.0 {
                if lift != 0.0 {
                    theta = (0.5 + work / lift).clamp(0.0, 1.0);
                }
                let gain = work + (0.5 - theta) * lift;
                self.gaining[root] = self.restitution[root] > 0.0 && gain > NO_GAIN * self.size[root];
            }
            self.theta[root] = theta;
            losses.impacts -= (0.5 - theta) * lift;
        }
        losses
    }

    /// How far the two sides of each block come apart along its normal in the step, m.
    pub(super) fn travels(&self, crowd: &Crowd, islands: &mut Islands, shapes: &Shapes, step: f64) -> Vec<f64> {
        let count = crowd.len();
        let mut travel = |block: &Block| {
            let body = if block.a < count { block.a } else { block.b };
            let theta = if self.touched[body] { self.theta[islands.root(body)] } else { 0.5 };
            step * (theta * block.velocity(&crowd.bodies).x + (1.0 - theta) * block.velocity(&crowd.before).x)
        };
        shapes.blocks.iter().map(&mut travel).collect()
    }

    /// Moves all bodies. Tells the farthest way of one, m.
    pub(super) fn run(&self, crowd: &mut Crowd, islands: &mut Islands, step: f64) -> f64 {
        let count = crowd.len();
        let mut way = 0.0_f64;
        for body in 0..count {
            let theta = if self.touched[body] { self.theta[islands.root(body)] } else { 0.5 };
            let (now, before) = (&crowd.bodies[body], &crowd.before[body]);
            let mean = |now: f64, before: f64| step * (theta * now + (1.0 - theta) * before);
            let by: [f64; 3] = std::array::from_fn(|k| mean(now.v[k], before.v[k]));
            let angle = Vector3::from_fn(|k, _| mean(now.w[k], before.w[k]));
            way = way.max(by[0] * by[0] + by[1] * by[1] + by[2] * by[2]);
            crowd.displace(body, by, &angle);
        }
        way.sqrt()
    }

    fn work_of_rounds<const PLANAR: bool>(
        &mut self,
        crowd: &Crowd,
        islands: &mut Islands,
        rounds: &Rounds,
        losses: &mut Losses,
    ) {
        let count = crowd.len();
        for contact in rounds.contacts.iter().filter(|contact| contact.normal > 0.0) {
            let (a, b) = (contact.a as usize, contact.b as usize);
            let before = contact.velocity(&crowd.before[a], &crowd.before[b]);
            let after = contact.velocity(&crowd.bodies[a], &crowd.bodies[b]);
            let push = contact.impulse::<PLANAR>();
            let (mut total, mut along) = (0.0, 0.0);
            let size = norm(&push) * norm(&before);
            for k in 0..3 {
                let mean = 0.5 * (before[k] + after[k]);
                total += push[k] * mean;
                along += contact.n[k] * mean;
            }
            let normal = contact.normal * along;
            let root = islands.root(a);
            self.work[root] += total;
            self.size[root] += size;
            losses.friction -= total - normal;
            losses.impacts -= normal;
            self.touched[a] = true;
            if b < count {
                self.touched[b] = true;
            }
        }
    }

    fn work_of_shapes(&mut self, crowd: &Crowd, islands: &mut Islands, shapes: &Shapes, losses: &mut Losses) {
        let count = crowd.len();
        let mut pressed = false;
        let mut touch = |sides: [usize; 2], work: f64, size: f64, sums: &mut Displacement| {
            for body in sides.into_iter().filter(|body| *body < count) {
                sums.touched[body] = true;
            }
            if let Some(body) = sides.into_iter().find(|body| *body < count) {
                let root = islands.root(body);
                sums.work[root] += work;
                sums.size[root] += size;
            }
            pressed = true;
        };
        for block in shapes.blocks.iter().filter(|block| block.impulse.x > 0.0) {
            let before = block.velocity(&crowd.before);
            let mean = (before + block.velocity(&crowd.bodies)) * 0.5;
            let (total, normal) = (block.impulse.dot(&mean), block.impulse.x * mean.x);
            losses.friction -= total - normal;
            losses.impacts -= normal;
            touch([block.a, block.b], total, block.impulse.norm() * before.norm(), self);
        }
        for stop in shapes.stops.iter().filter(|stop| stop.impulse > 0.0) {
            let before = stop.line.velocity(&crowd.before);
            let work = 0.5 * (before + stop.line.velocity(&crowd.bodies)) * stop.impulse;
            losses.impacts -= work;
            if !stop.taut {
                touch(stop.line.bodies(), work, stop.impulse * before.abs(), self);
            }
        }
        if pressed && !(shapes.locks.is_empty() && shapes.stops.is_empty()) {
            // What a joint or a taut string connects to a body in contact moves with its island.
            let mut moved = vec![false; count];
            (0..count).filter(|body| self.touched[*body]).for_each(|body| moved[islands.root(body)] = true);
            let lines = shapes.locks.iter().filter_map(|lock| lock.lines.first());
            let lines = lines.chain(shapes.stops.iter().filter(|stop| stop.impulse > 0.0).map(|stop| &stop.line));
            let sides = lines.flat_map(Line::bodies);
            for body in sides.filter(|body| *body < count) {
                self.touched[body] |= moved[islands.root(body)];
            }
        }
    }
}

fn norm(v: &[f64; 3]) -> f64 {
    dot(v, v).sqrt()
}
