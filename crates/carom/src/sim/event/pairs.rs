//! Pairs of parts that may touch, and when they will.

use super::agenda::Agenda;
use super::flight::Flight;
use super::flow::Flow;
use super::impact::check_law;
use super::mode::{Held, Hold, Mode, Solved};
use super::round::Round;
use super::search::{Found, HeldNormal, Motion, Search};
use crate::error::Error;
use crate::laws::Law;
use crate::sim::id::MaterialId;
use crate::sim::in_time::SceneInTime;
use crate::sim::loads::state_of;
use crate::sim::part::{Core, Part};
use crate::sim::passing::Filter;
use crate::sim::scene::Scene;
use crate::sim::spot::{NO_MEETING, Source, Spot};
use crate::sim::state::State;
use crate::sim::touch::detect::{Label, all_touches};
use crate::sim::touch::meeting::{Kinematics, Meeting};
use crate::sim::touch::separation::{Separation, World};
use nalgebra::Vector3;

/// Two parts: of body A, and of body B or the world. There may be millions: it holds what a prediction asks for, and no more.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// `WORLD` is the world.
    bodies: [u32; 2],
    parts: [u32; 2],
    round: Option<Round>,
}

const WORLD: u32 = u32::MAX;

impl Pair {
    fn bodies(&self) -> [Option<usize>; 2] {
        self.bodies.map(|body| (body != WORLD).then_some(body as usize))
    }

    fn parts(&self) -> [usize; 2] {
        self.parts.map(|part| part as usize)
    }
}

/// All pairs that may touch, with predictions for those that fly.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    list: Vec<Pair>,
    of_body: Vec<Vec<u32>>,
    /// When pairs that fly touch next.
    agenda: Agenda,
    /// Whether a body of the pair is integrated.
    flowing: Vec<bool>,
}

/// How closely touches are looked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Care {
    /// Overlap that may go unnoticed, m.
    pub(super) slack: f64,
    /// Approach that is slower is none, m/s.
    pub(super) rest: f64,
    /// Features this near touch, m.
    pub(super) reach: f64,
}

/// How much larger accelerations may be between the places in a step where they are looked at.
const BETWEEN_LOOKS: f64 = 1.5;
/// Places in a step where accelerations are looked at.
const LOOKS: usize = 4;

impl Pairs {
    /// All pairs of parts of different bodies, and of bodies with the world, that may touch.
    pub(super) fn new(scene: &Scene) -> Pairs {
        let filter = Filter::of(scene);
        let pair = |[a, b]: [Option<usize>; 2], [own, other]: [usize; 2]| {
            let round = Round::of([part_of(scene, a, own), part_of(scene, b, other)]);
            let bodies = [a, b].map(|body| body.map_or(WORLD, |body| body as u32));
            Pair { bodies, parts: [own as u32, other as u32], round }
        };
        let mut list = Vec::new();
        for (a, body) in scene.bodies.iter().enumerate() {
            for own in 0..body.parts.len() {
                for b in (0..a).filter(|b| filter.lets_touch(a, *b)) {
                    let others = 0..scene.bodies[b].parts.len();
                    list.extend(others.map(|part| pair([Some(a), Some(b)], [own, part])));
                }
                let world = (0..scene.world.len()).filter(|part| filter.lets_touch_world(a, *part));
                list.extend(world.map(|part| pair([Some(a), None], [own, part])));
            }
        }
        let mut of_body = vec![Vec::new(); scene.bodies.len()];
        for (k, pair) in list.iter().enumerate() {
            for body in pair.bodies().into_iter().flatten() {
                of_body[body].push(k as u32);
            }
        }
        let (agenda, flowing) = (Agenda::new(list.len()), vec![false; list.len()]);
        Pairs { list, of_body, agenda, flowing }
    }

    fn parts<'a>(scene: &'a SceneInTime, pair: &Pair) -> [&'a Part; 2] {
        let (bodies, parts) = (pair.bodies(), pair.parts());
        [0, 1].map(|side| part_of(scene, bodies[side], parts[side]))
    }

    /// The bodies of a pair.
    pub(super) fn bodies(&self, pair: usize) -> [Option<usize>; 2] {
        self.list[pair].bodies()
    }

    /// What pushes where a pair touches: its parts and their materials.
    pub(super) fn origin(&self, scene: &SceneInTime, pair: usize) -> ([usize; 2], [MaterialId; 2]) {
        let pair = &self.list[pair];
        (pair.parts(), Pairs::parts(scene, pair).map(|part| part.material))
    }

    /// Checks that the law has its parameters wherever parts may touch.
    pub(super) fn check_laws(&self, scene: &SceneInTime, law: &'static Law) -> Result<(), Error> {
        let mut seen = Vec::new();
        for k in 0..self.list.len() {
            let (_, materials) = self.origin(scene, k);
            if !seen.contains(&materials) {
                seen.push(materials);
                check_law(scene, law, &self.somewhere(scene, k))?;
            }
        }
        Ok(())
    }

    /// Refuses parts that overlap by more than `reach`.
    pub(super) fn check_overlap(&self, scene: &SceneInTime, states: &[State], reach: f64) -> Result<(), Error> {
        for pair in &self.list {
            let parts = Pairs::parts(scene, pair);
            let poses = pair.bodies().map(|body| state_of(states, body).pose);
            match Separation::of((parts[0], &poses[0]), (parts[1], &poses[1])) {
                Some(apart) if apart.gap < -reach => {
                    return Err(Error::Overlap { bodies: pair.bodies(), parts: pair.parts(), depth: -apart.gap });
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn spot(&self, scene: &SceneInTime, pair: usize, labels: [Label; 2], meeting: Meeting) -> Spot {
        let (parts, materials) = self.origin(scene, pair);
        let (bodies, friction) = (self.bodies(pair), scene.materials.friction(materials[0], materials[1]));
        Spot { bodies, source: Source::Parts { pair, labels, meeting }, friction, materials, parts }
    }

    /// The places where pairs of chosen bodies touch.
    pub(super) fn touching(
        &self,
        scene: &SceneInTime,
        states: &[State],
        reach: f64,
        chosen: Option<usize>,
    ) -> Vec<Spot> {
        let mut spots = Vec::new();
        let mut look = |k: usize| {
            let pair = &self.list[k];
            let parts = Pairs::parts(scene, pair);
            let [a, b] = pair.bodies().map(|body| state_of(states, body));
            if far(parts, &a, &b, reach) {
                return;
            }
            for touch in all_touches((parts[0], &a), (parts[1], &b), reach) {
                spots.push(self.spot(scene, k, touch.labels, touch.meeting));
            }
        };
        match chosen {
            Some(body) => self.of_body[body].iter().for_each(|k| look(*k as usize)),
            None => (0..self.list.len()).for_each(&mut look),
        }
        spots
    }

    /// A place-holder for any place where a pair touches.
    pub(super) fn somewhere(&self, scene: &SceneInTime, pair: usize) -> Spot {
        self.spot(scene, pair, [Label::Whole; 2], NO_MEETING)
    }

    /// How a ball meets another or a half-space, with the radii. Nothing for other shapes.
    pub(super) fn balls(&self, scene: &SceneInTime, pair: usize) -> Option<(&Round, [f64; 2])> {
        let pair = &self.list[pair];
        Some((pair.round.as_ref()?, Pairs::parts(scene, pair).map(|part| part.radius)))
    }

    /// How far a contact is inside its features, m.
    pub(super) fn feature_margin(&self, scene: &SceneInTime, spot: &Spot, states: &[State], now: &Kinematics) -> f64 {
        let Source::Parts { pair, labels, .. } = spot.source else { return 1.0 };
        let pair = &self.list[pair];
        let parts = Pairs::parts(scene, pair);
        let mut least: f64 = 1.0;
        for side in 0..2 {
            let (Core::Hull(hull), state) = (&parts[side].core, state_of(states, pair.bodies()[side])) else {
                continue;
            };
            let world = World::new(hull, &state.pose);
            least = least.min(world.inset(labels[side], &now.point));
            if is_ellipsoid(parts[1 - side]) {
                let up = if side == 0 { -now.normal } else { now.normal };
                least = least.min(world.prominence(labels[side], &up));
            }
        }
        least
    }

    /// Predicts anew for all pairs with a body that changed. Pairs with integrated bodies are looked at step by step.
    pub(super) fn renew(
        &mut self,
        scene: &SceneInTime,
        flights: &[Flight],
        changed: &[bool],
        flowing: &[bool],
        now: f64,
        care: Care,
    ) {
        for body in (0..changed.len()).filter(|body| changed[*body]) {
            for place in 0..self.of_body[body].len() {
                let k = self.of_body[body][place] as usize;
                let pair = &self.list[k];
                // A pair of two changed bodies is met twice.
                if let [Some(a), Some(b)] = pair.bodies()
                    && changed[a]
                    && changed[b]
                    && body == b
                {
                    continue;
                }
                self.flowing[k] = pair.bodies().into_iter().flatten().any(|body| flowing[body]);
                if self.flowing[k] {
                    self.agenda.set(k, f64::INFINITY);
                } else {
                    self.predict(scene, flights, k, now, care);
                }
            }
        }
    }

    /// Predicts anew for the pairs of one body.
    pub(super) fn renew_body(&mut self, scene: &SceneInTime, flights: &[Flight], body: usize, now: f64, care: Care) {
        for place in 0..self.of_body[body].len() {
            self.predict(scene, flights, self.of_body[body][place] as usize, now, care);
        }
    }

    fn predict(&mut self, scene: &SceneInTime, flights: &[Flight], k: usize, now: f64, care: Care) {
        let pair = &self.list[k];
        let two = pair.bodies().map(|body| body.map(|body| &flights[body]));
        let time = match pair.round.as_ref().and_then(|round| round.first_touch(two, now, care)) {
            Some(time) => time,
            None => Pairs::search_flights(Pairs::parts(scene, pair), pair, flights, now, care),
        };
        self.agenda.set(k, time);
    }

    /// The first touch of two parts of any shape in flight; or a time until which there is none.
    fn search_flights(parts: [&Part; 2], pair: &Pair, flights: &[Flight], now: f64, care: Care) -> f64 {
        let states = pair.bodies().map(|body| {
            let flight = body.map(|body| flights[body]);
            move |time: f64| flight.map_or_else(State::world, |flight| flight.at(time))
        });
        let motion = |side: usize, state: &'_ dyn Fn(f64) -> State| {
            let flight = pair.bodies()[side].map(|body| flights[body]);
            let acceleration = flight.map_or_else(Vector3::zeros, |flight| flight.acceleration);
            let spin = flight.map_or(0.0, |flight| flight.state.angular_velocity.norm());
            (acceleration, spin, state(now))
        };
        let [a, b] = [0, 1].map(|side| motion(side, &states[side]));
        let motions = [
            Motion { state: &states[0], acceleration: a.0, more: 0.0, spin: a.1, spin_rate: 0.0 },
            Motion { state: &states[1], acceleration: b.0, more: 0.0, spin: b.1, spin_rate: 0.0 },
        ];
        let search = Search {
            parts,
            motions: [&motions[0], &motions[1]],
            held: &[],
            normal: None,
            slack: care.slack,
            rest: care.rest,
            reach: care.reach,
        };
        match search.first(now, f64::INFINITY) {
            Found::Touch(time) | Found::ClearUntil(time) => time,
            Found::Clear => f64::INFINITY,
        }
    }

    /// The first touch of bodies that fly: time and pair.
    pub(super) fn next(&self) -> Option<(f64, usize)> {
        self.agenda.first()
    }

    /// When the first of all other pairs but this one touches.
    pub(super) fn next_but(&self, pair: usize) -> f64 {
        self.agenda.first_but(pair)
    }

    /// Drops the prediction for a pair.
    pub(super) fn forget(&mut self, pair: usize) {
        self.agenda.set(pair, f64::INFINITY);
    }

    /// The first touch of integrated bodies in the last step.
    pub(super) fn first_in_flow(
        &self,
        scene: &SceneInTime,
        flights: &[Flight],
        held: &[Held],
        mode: &Mode<'_>,
        flow: &Flow,
        care: Care,
    ) -> Option<f64> {
        let (from, to) = (flow.since(), flow.start + flow.integrator.t);
        let all = |time: f64| {
            let mut states: Vec<State> = flights.iter().map(|flight| flight.at(time)).collect();
            flow.unpack(time, &mut states);
            states
        };
        let bounds = bounds(mode, flow, &all, (from, to), flights.len());
        let mut first: Option<f64> = None;
        for (k, pair) in self.list.iter().enumerate().filter(|(k, _)| self.flowing[*k]) {
            let parts = Pairs::parts(scene, pair);
            let own = |body: Option<usize>| {
                move |time: f64, flow: &Flow| match body {
                    None => State::world(),
                    Some(body) => match flow.chart.bodies.iter().position(|other| *other == body) {
                        None => flights[body].at(time),
                        Some(place) => flow.state(time, place),
                    },
                }
            };
            let (state_a, state_b) = (own(pair.bodies()[0]), own(pair.bodies()[1]));
            let (state_a, state_b) = (|t: f64| state_a(t, flow), |t: f64| state_b(t, flow));
            let motion = |body: Option<usize>, state| {
                let still = Bounds { acceleration: Vector3::zeros(), more: 0.0, spin: 0.0, spin_rate: 0.0 };
                let Bounds { acceleration, more, spin, spin_rate } = match body {
                    None => still,
                    Some(body) if flow.chart.bodies.contains(&body) => bounds[body],
                    Some(body) => {
                        let Flight { acceleration, state, .. } = &flights[body];
                        Bounds { acceleration: *acceleration, spin: state.angular_velocity.norm(), ..still }
                    }
                };
                Motion { state, acceleration, more, spin, spin_rate }
            };
            let motions =
                [motion(pair.bodies()[0], &state_a as &dyn Fn(f64) -> State), motion(pair.bodies()[1], &state_b)];
            let touching: Vec<&Held> = held
                .iter()
                .filter(|held| matches!(held.spot.source, Source::Parts { pair, .. } if pair == k))
                .collect();
            if parts.into_iter().any(is_ellipsoid) && touching.iter().any(|held| held.hold != Hold::Idle) {
                // An ellipsoid touches a convex body at one place only, as long as this is inside its features.
                continue;
            }
            let labels: Vec<[Label; 2]> = touching
                .iter()
                .filter_map(|held| match held.spot.source {
                    Source::Parts { labels, .. } => Some(labels),
                    _ => None,
                })
                .collect();
            let normal_at = |time: f64| {
                let now = touching[0].spot.at(scene, &all(time));
                now.map_or_else(|| [Vector3::y(), Vector3::zeros()], |now| [now.normal, now.normal_rate])
            };
            let normal: Option<HeldNormal<'_>> = if touching.is_empty() { None } else { Some(&normal_at) };
            let search = Search {
                parts,
                motions: [&motions[0], &motions[1]],
                held: &labels,
                normal,
                slack: care.slack,
                rest: care.rest,
                reach: care.reach,
            };
            // A search that makes a pause cuts the step there, too.
            if let Found::Touch(time) | Found::ClearUntil(time) =
                search.first(from, first.map_or(to, |first: f64| first.min(to)))
                && first.is_none_or(|first| time < first)
            {
                first = Some(time);
            }
        }
        first
    }
}

#[derive(Clone, Copy)]
struct Bounds {
    acceleration: Vector3<f64>,
    more: f64,
    spin: f64,
    spin_rate: f64,
}

/// What bounds the motion of the integrated bodies in a step.
fn bounds(
    mode: &Mode<'_>,
    flow: &Flow,
    all: &dyn Fn(f64) -> Vec<State>,
    (from, to): (f64, f64),
    count: usize,
) -> Vec<Bounds> {
    let none = Bounds { acceleration: Vector3::zeros(), more: 0.0, spin: 0.0, spin_rate: 0.0 };
    let mut bounds = vec![none; count];
    for look in 0..=LOOKS {
        let time = from + (to - from) * look as f64 / LOOKS as f64;
        let states = all(time);
        let Some(Solved { moved, .. }) = mode.solve(time, &states) else { continue };
        for &body in &flow.chart.bodies {
            let (a, alpha) = moved.acceleration[body];
            let bound = &mut bounds[body];
            if look == 0 {
                bound.acceleration = a;
            }
            bound.more = bound.more.max(BETWEEN_LOOKS * (a - bound.acceleration).norm());
            bound.spin = bound.spin.max(BETWEEN_LOOKS * states[body].angular_velocity.norm());
            bound.spin_rate = bound.spin_rate.max(BETWEEN_LOOKS * alpha.norm());
        }
    }
    bounds
}

/// Whether the balls around two parts are further apart than `reach`.
fn far([a, b]: [&Part; 2], at_a: &State, at_b: &State, reach: f64) -> bool {
    match &b.core {
        Core::HalfSpace { normal, offset } => normal.dot(&at_a.pose.position) - offset - a.reach() - b.radius > reach,
        _ => (at_a.pose.position - at_b.pose.position).norm() - a.reach() - b.reach() > reach,
    }
}

fn part_of(scene: &Scene, body: Option<usize>, part: usize) -> &Part {
    match body {
        Some(body) => &scene.bodies[body].parts[part],
        None => &scene.world[part],
    }
}

fn is_ellipsoid(part: &Part) -> bool {
    matches!(part.core, Core::Ellipsoid { .. })
}
