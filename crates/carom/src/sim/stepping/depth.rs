//! How deep bodies are inside each other, and how deep they may be.

use super::crowd::Crowd;
use super::islands::Islands;
use super::meet_any::Shapes;
use super::meet_round::Rounds;
use super::near::Near;
use super::problem::Goal;
use super::settings::Overlap;
use crate::error::Error;
use crate::sim::id::BodyId;
use crate::sim::in_time::SceneInTime;
use crate::sim::part::Part;
use crate::sim::state::Pose;
use crate::sim::touch::separation::Separation;

/// The thickness of all parts, the way of a step, and how far the islands of a step are in overlap.
#[derive(Clone, Debug)]
pub(super) struct Depths {
    /// Half the thickness of the parts of each body, those of the world last, m.
    thickness: Vec<Vec<f64>>,
    /// Greatest speed of a point of a body so far, m/s.
    pub(super) fastest: f64,
    /// How far a point moves in a step at that speed, plus the residual gaps that the solver may have left so far, m.
    way: f64,
    /// Deepest overlap of each island as a share of [`Overlap::BOUND`] of the thinner part, by root.
    pub(super) sunk: Vec<f64>,
}

/// When speeds were seen, and how exactly the steps until then were solved.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instant {
    /// s.
    pub(super) time: f64,
    /// s.
    pub(super) step: f64,
    pub(super) goal: Goal,
}

/// A ball that moves less than this share of its radius relative to another in a step cannot pass through it unseen.
const SHORT_WAY: f64 = 0.5;

impl Depths {
    pub(super) fn new(scene: &SceneInTime) -> Depths {
        let of = |parts: &[Part]| parts.iter().map(half_thickness).collect();
        let bodies = scene.bodies.iter().map(|body| of(&body.parts));
        Depths { thickness: bodies.chain([of(&scene.world)]).collect(), fastest: 0.0, way: 0.0, sunk: Vec::new() }
    }

    /// Takes note of the greatest speed of a point at an instant.
    ///
    /// A step of length h moves bodies by h (θ v⁺ + (1 − θ) v⁻) with θ ≥ ½. A contact whose gap is closed and whose u⁺ ≥ 0 therefore goes in by
    /// at most h |u⁻|/2, and |u⁻| ≤ 2 (u + g h) if no point is faster than u: by no more than the way of a step, h (u + g h). The solver stops
    /// at a residual velocity ε (g h + u/10), which may close a gap in every step: t times that by the time t. The sum of both is the error
    /// that the step and the tolerance ask for; deeper overlap is not explained by them.
    pub(super) fn heed_speed(&mut self, fastest: f64, Instant { time, step, goal }: Instant) {
        self.fastest = self.fastest.max(fastest);
        self.way = step * (self.fastest + goal.pull) + time * goal.residual(self.fastest);
    }

    /// The deepest acceptable overlap of two parts, m: the way of a step, but no more than [`Overlap::BOUND`] of the thinner one.
    fn bound(&self, bodies: [usize; 2], parts: [usize; 2]) -> f64 {
        (Overlap::BOUND * self.thinner(bodies, parts)).min(self.way)
    }

    /// Half the thickness of the thinner of two parts of bodies.
    fn thinner(&self, bodies: [usize; 2], parts: [usize; 2]) -> f64 {
        self.thickness[bodies[0]][parts[0]].min(self.thickness[bodies[1]][parts[1]])
    }

    /// Looks at all contacts of a step. Tells the overlap that is the deepest compared with its bound.
    pub(super) fn look(
        &mut self,
        (rounds, shapes): (&Rounds, &Shapes),
        islands: &mut Islands,
        count: usize,
        time: f64,
    ) -> Option<Overlap> {
        self.sunk.clear();
        self.sunk.resize(count, 0.0);
        let mut worst: Option<Overlap> = None;
        for ([a, b], part, gap) in rounds.gaps().filter(|(.., gap)| *gap < 0.0) {
            self.heed(([a, b], [0, part], -gap), islands, time, &mut worst);
        }
        for (block, gap) in shapes.gaps().filter(|(_, gap)| *gap < 0.0) {
            let parts = [block.key[2] as usize, block.key[3] as usize];
            self.heed((block.sides(), parts, -gap), islands, time, &mut worst);
        }
        worst
    }

    fn heed(
        &mut self,
        (bodies, parts, depth): ([usize; 2], [usize; 2], f64),
        islands: &mut Islands,
        time: f64,
        worst: &mut Option<Overlap>,
    ) {
        let count = self.sunk.len();
        let bound = self.bound(bodies, parts);
        let named = BodyId::among(bodies, count);
        let overlap = Overlap { time, bodies: named, parts, depth, bound };
        let share = depth / (Overlap::BOUND * self.thinner(bodies, parts));
        for body in named.into_iter().flatten().take(1) {
            let sunk = &mut self.sunk[islands.root(body.index())];
            *sunk = sunk.max(share);
        }
        if worst.is_none_or(|worst| overlap.share() > worst.share()) {
            *worst = Some(overlap);
        }
    }

    /// The deepest overlap compared with its bound, of all that is inside each other now.
    pub(super) fn worst(&self, insides: impl Iterator<Item = Inside>, time: f64) -> Option<Overlap> {
        let mut worst: Option<Overlap> = None;
        for Inside { bodies, parts, depth } in insides {
            let (named, bound) = (BodyId::among(bodies, self.thickness.len() - 1), self.bound(bodies, parts));
            let overlap = Overlap { time, bodies: named, parts, depth, bound };
            if worst.is_none_or(|worst| overlap.share() > worst.share()) {
                worst = Some(overlap);
            }
        }
        worst
    }

    /// Bodies that went through each other within a step, and so were not seen to overlap at its ends: balls on the straight way between
    /// their places, other shapes along the normals of their contacts, by the distance that `travel` gives for a block.
    pub(super) fn passed(
        &self,
        crowd: &Crowd,
        (rounds, shapes): (&Rounds, &Shapes),
        time: f64,
        travel: impl Fn(usize) -> f64,
    ) -> Option<Overlap> {
        let count = crowd.len();
        let mut worst: Option<Overlap> = None;
        let mut heed = |bodies: [usize; 2], parts: [usize; 2], depth: f64, bound: f64| {
            let overlap = Overlap { time, bodies: BodyId::among(bodies, count), parts, depth, bound };
            if depth > bound && worst.is_none_or(|worst| overlap.share() > worst.share()) {
                worst = Some(overlap);
            }
        };
        for (sides @ [a, b], start) in rounds.starts().filter(|([_, b], _)| *b < count) {
            let (p, q) = (&crowd.places[a], &crowd.places[b]);
            let way: [f64; 3] = std::array::from_fn(|k| p[k] - q[k] - start[k]);
            let square: f64 = way.iter().map(|x| x * x).sum();
            let thinner = p[3].min(q[3]);
            if square <= (SHORT_WAY * thinner).powi(2) {
                continue;
            }
            let along: f64 = (0..3).map(|k| start[k] * way[k]).sum();
            let share = (-along / square).clamp(0.0, 1.0);
            let nearest = (0..3).map(|k| (start[k] + share * way[k]).powi(2)).sum::<f64>().sqrt();
            heed(sides, [0, 0], (p[3] + q[3] - nearest).min(2.0 * thinner), self.bound(sides, [0, 0]));
        }
        for (k, (block, gap)) in shapes.gaps().enumerate() {
            let parts = [block.key[2] as usize, block.key[3] as usize];
            let thinner = self.thinner(block.sides(), parts);
            // A body that stays inside is seen at the start of the next step.
            if -(gap + travel(k)) > 2.0 * thinner {
                heed(block.sides(), parts, 2.0 * thinner, self.bound(block.sides(), parts));
            }
        }
        worst
    }
}

/// Two parts inside each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    /// The world has the place after the last.
    pub(super) bodies: [usize; 2],
    pub(super) parts: [usize; 2],
    pub(super) depth: f64,
}

/// Everything that is inside each other where bodies are now, by the pairs of a list that is up to date.
pub(super) fn insides<'a>(
    scene: &'a SceneInTime,
    crowd: &'a Crowd,
    near: &'a Near,
) -> impl Iterator<Item = Inside> + 'a {
    let count = crowd.len();
    let pairs = near.rounds.iter().chain(&near.others).map(|[a, b]| [*a as usize, *b as usize]);
    let world = (0..count).map(move |body| [body, count]);
    pairs.chain(world).flat_map(move |bodies| {
        let [a, b] = bodies;
        let other = (b < count).then_some(b);
        let poses = [crowd.pose(a), other.map_or_else(Pose::identity, |b| crowd.pose(b))];
        let parts = scene.bodies[a].parts.iter().enumerate();
        let met = parts.flat_map(move |(i, part)| {
            let others = scene.parts_of(other).iter().enumerate();
            let met = others.filter(move |(j, _)| other.is_some() || near.filter.lets_touch_world(a, *j));
            met.filter_map(move |(j, other)| {
                let apart = Separation::of((part, &poses[0]), (other, &poses[1]))?;
                (apart.gap < 0.0).then_some(Inside { bodies, parts: [i, j], depth: -apart.gap })
            })
        });
        met.collect::<Vec<Inside>>()
    })
}

/// Refuses bodies that are deeper inside each other, or inside the world, than they can touch.
pub(super) fn check_start(scene: &SceneInTime, crowd: &Crowd, near: &Near, touching: f64) -> Result<(), Error> {
    match insides(scene, crowd, near).find(|inside| inside.depth > touching) {
        Some(Inside { bodies, parts, depth }) => {
            let bodies = bodies.map(|body| (body < crowd.len()).then_some(body));
            Err(Error::Overlap { bodies, parts, depth })
        }
        None => Ok(()),
    }
}

/// Half the thickness of a part. One without any, as a rod in the plane, counts by its length.
fn half_thickness(part: &Part) -> f64 {
    let half = part.half_thickness();
    if half > 0.0 { half } else { part.reach() }
}
