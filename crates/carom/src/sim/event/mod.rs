//! Event by event: smooth motion to high accuracy, and every impact where it happens.
//!
//! Bodies that only gravity acts on fly in closed form, each since its own last event. The others (at joints, loads, strings and
//! contacts that persist) are integrated together, in one mode of motion after the other. At an instant the order is: locate the
//! first event; gather all contacts that touch there, through bodies and joints; resolve the impact; take back what rounding left at
//! joints and contacts; decide by Coulomb's law for accelerations which contacts press, stick, slip or let go; go on.

mod agenda;
mod begin;
mod chart;
mod flight;
mod flow;
mod forces;
mod happen;
mod impact;
mod lone;
mod mode;
mod pairs;
mod round;
mod search;
mod series;
mod settle;
mod singular;

use crate::error::Error;
use crate::laws::{BoundLaw, Law};
use crate::sim::body::SceneBody;
use crate::sim::checkpoint::{Checkpoint, EngineState, EventState, ImpactSeries};
use crate::sim::constrained::Unheld;
use crate::sim::id::{BodyId, JointId, MaterialId};
use crate::sim::in_time::SceneInTime;
use crate::sim::inertia::Inertia;
use crate::sim::loads;
use crate::sim::part::{Core, Part};
use crate::sim::record::{Event, Failure, Ledger};
use crate::sim::scene::Scene;
use crate::sim::spot::Spot;
use crate::sim::state::{Pose, State};
use flight::Flight;
use flow::{Flow, goes_on_for_ever};
use impact::check_rebound;
use mode::{Held, Hold};
use nalgebra::DVector;
use pairs::{Care, Pairs};
use settle::Settling;
use std::cell::RefCell;
use std::collections::VecDeque;

/// How exactly the event engine works.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventSettings {
    /// Local error of a step of integration, relative to the sizes in the scene.
    pub tolerance: f64,
    /// Contacts closer than this take part in an impact together, as a fraction of the size of the scene.
    pub touch: f64,
    /// Impacts that approach slower than this, as a fraction of the speeds in the scene, are completed without rebound.
    pub rest: f64,
    /// Whether the restitution of an impact in which the law would create energy is lowered: all its coefficients of restitution by one
    /// factor, until the energy does not rise.
    pub lowers_restitution: bool,
}

impl Default for EventSettings {
    fn default() -> EventSettings {
        EventSettings { tolerance: 1e-13, touch: 1e-9, rest: 1e-8, lowers_restitution: false }
    }
}

/// The work of an event engine since it was created or resumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct EventReport {
    /// Steps of integration.
    pub steps: usize,
    /// Evaluations of the equations of motion.
    pub evaluations: usize,
}

/// A scene on its way through time.
#[derive(Clone, Debug)]
pub struct EventEngine {
    scene: SceneInTime,
    law: &'static Law,
    settings: EventSettings,
    inertias: Vec<Inertia>,
    time: f64,
    flights: Vec<Flight>,
    pairs: Pairs,
    /// Bodies that never fly freely.
    bound: Vec<bool>,
    /// Bodies of which nothing tells how they are turned: balls about their centres, with nothing tied to them.
    round: Vec<bool>,
    flow: Option<Flow>,
    /// Contacts that persist between bodies that move.
    held: Vec<Held>,
    /// And between bodies that rest until something hits them.
    quiet: Vec<Held>,
    slack: Vec<Spot>,
    /// Contacts that touch and may persist, to be decided when the next mode begins.
    candidates: Vec<Spot>,
    stale: bool,
    /// Whether the last mode ended because a contact no longer sticks.
    slips_now: bool,
    /// A contact whose slip just came to rest, whatever rounding is left of it.
    stopped: Option<Spot>,
    /// Steps in a row with slip too slow to turn with ease.
    slow_steps: usize,
    /// Energies supplied, rubbed away and lost in impacts since the start, and the energy there.
    supplied: f64,
    friction: f64,
    impacts: f64,
    start: f64,
    size: f64,
    /// Parts this near touch, m.
    reach: f64,
    speed: f64,
    step: f64,
    events_here: usize,
    /// Steps that hardly move on, and since when.
    creeps: (f64, usize),
    /// The last impacts of each body.
    series: Vec<ImpactSeries>,
    /// The forces that contacts were last found to have, in the present mode.
    guess: RefCell<DVector<f64>>,
    /// Changes of mode of this instant that are still to be told.
    told: VecDeque<Event>,
    /// The law for each pair of materials that met so far.
    bound_laws: Vec<([MaterialId; 2], BoundLaw)>,
    /// Steps since a time, of a call that paused.
    counted: Option<(f64, usize)>,
    /// Joints that do not determine the motion of their bodies at the start.
    singular_start: Option<Vec<JointId>>,
    report: EventReport,
}

/// How far a call of [`EventEngine::advance_some`] came.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "nearly all are of the large kind, and none is kept")]
pub enum Advance {
    /// To an event.
    Event(Event),
    /// To the time that was asked for.
    Arrived,
    /// Neither, after the work that it was allowed.
    Paused,
}

/// A contact that neither approaches nor separates by more than this fraction of the speed of the last rebounds stays closed.
const AT_REST: f64 = 1e-3;
/// A step below this fraction of the time in which something crosses the scene hardly moves on; so many of them are too many.
const CREEP: f64 = 1e-8;
const MOST_CREEPS: usize = 500;
/// Events at one instant that show a quarrel without end.
const MOST_EVENTS_AT_ONCE: usize = 1000;

/// Places are known to this fraction of their distance from the origin, some hundred times the rounding of their coordinates.
const GRAIN: f64 = 1e-13;
/// Parts are at least this many times the distance within which they touch: contacts on two sides of a part can then be distinguished.
const LEAST_PART: f64 = 100.0;

/// The reach of the largest body; where there is none, how far bodies are spread.
fn size_of(scene: &Scene) -> f64 {
    let reach = scene.bodies.iter().map(SceneBody::reach).fold(0.0, f64::max);
    if reach > 0.0 { reach } else { farthest(scene).max(1.0) }
}

/// How far from the origin bodies start.
fn farthest(scene: &Scene) -> f64 {
    scene.bodies.iter().map(|body| body.state.pose.position.norm()).fold(0.0, f64::max)
}

impl EventSettings {
    /// Refuses numbers that the engine cannot work with.
    pub fn check(&self) -> Result<(), Error> {
        for (what, value) in [("tolerance", self.tolerance), ("touch", self.touch), ("rest", self.rest)] {
            // At a size or speed of the whole scene there is nothing left to follow.
            if !(value > 0.0 && value < 1.0) {
                return Err(Error::OutOfRange { what, value, expected: "a number above 0 and below 1" });
            }
        }
        Ok(())
    }

    /// How near parts are that touch, m. Far from the origin it is what can be told there.
    pub fn touching_distance(&self, scene: &Scene) -> f64 {
        (self.touch * size_of(scene)).max(GRAIN * farthest(scene))
    }

    /// Refuses scenes in which rounding does not let a part be distinguished from a gap.
    fn check_sizes(&self, scene: &Scene) -> Result<(), Error> {
        let touching = self.touching_distance(scene);
        for (body, mover) in scene.bodies.iter().enumerate() {
            for part in &mover.parts {
                let [low, high] = part.bounds(&Pose::identity());
                let size = 0.5 * (high - low).norm();
                // A single point has no size to compare.
                let is_point = size == 0.0 && matches!(&part.core, Core::Hull(hull) if hull.vertices.len() == 1);
                if !(is_point || size >= LEAST_PART * touching) {
                    let (largest, farthest) = (size_of(scene), farthest(scene));
                    return Err(Error::Unresolved { body, size, touching, largest, farthest });
                }
            }
        }
        Ok(())
    }
}

impl EventEngine {
    /// Starts a scene with a law of impacts. A law for one contact resolves several at once one after the other (`sequential`).
    pub fn new(scene: &Scene, law: &'static Law, settings: EventSettings) -> Result<EventEngine, Error> {
        settings.check()?;
        settings.check_sizes(scene)?;
        let states = scene.initial_states();
        let size = size_of(scene);
        let fastest = states.iter().map(|s| s.velocity.norm() + s.angular_velocity.norm() * size).fold(0.0, f64::max);
        let inertias = Inertia::of(scene);
        let all: Vec<usize> = (0..states.len()).collect();
        let start = SceneInTime::new(scene);
        let driven = Unheld::new(&start, &inertias, &all, 0.0, &states).acceleration;
        let pace = driven.iter().map(|(a, alpha)| a.norm() + alpha.norm() * size).fold(scene.gravity.norm(), f64::max);
        let speed = fastest.max((pace * size).sqrt());
        // Where nothing moves or begins to, any speed will do.
        let speed = if speed > 0.0 { speed } else { size };
        let kinetic: f64 = inertias.iter().zip(&states).map(|(inertia, state)| inertia.kinetic(state)).sum();
        let energy = kinetic + loads::potential(&start, &states);
        let first_step = 1e-3 * size / speed;
        Pairs::new(scene).check_overlap(&start, &states, settings.touching_distance(scene))?;
        let series = vec![ImpactSeries::START; states.len()];
        let start = Checkpoint {
            time: 0.0,
            states,
            turned: start.turned().to_vec(),
            energies: [0.0, 0.0, 0.0, energy],
            engine: EngineState::Event(EventState { size, speed, step: first_step, series }),
        };
        let mut engine = EventEngine::resume(scene, law, settings, &start)?;
        engine.singular_start = engine.starts_singular();
        Ok(engine)
    }

    /// What is needed to go on from here. The engine itself goes on from it, too: a run that is resumed at a checkpoint has the
    /// same bits as one that only took it.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, Error> {
        let ledger = self.ledger();
        let EventEngine { size, speed, step, .. } = *self;
        let checkpoint = Checkpoint {
            time: self.time,
            states: self.states(),
            energies: [ledger.supplied, ledger.friction, ledger.impacts, ledger.start],
            turned: self.scene.turned().to_vec(),
            engine: EngineState::Event(EventState { size, speed, step, series: self.series.clone() }),
        };
        let (told, report) = (std::mem::take(&mut self.told), self.report);
        *self = EventEngine { told, report, ..EventEngine::resume(&self.scene, self.law, self.settings, &checkpoint)? };
        Ok(checkpoint)
    }

    /// Goes on from a checkpoint of this scene.
    pub fn resume(
        scene: &Scene,
        law: &'static Law,
        settings: EventSettings,
        from: &Checkpoint,
    ) -> Result<EventEngine, Error> {
        settings.check()?;
        from.check(scene.bodies.len(), scene.joints.len())?;
        let EngineState::Event(state) = &from.engine else {
            return Err(Error::Unsuitable {
                what: "a checkpoint of the stepping engine",
                expected: "one of the event engine",
            });
        };
        state.check(scene.bodies.len())?;
        let EventState { size, speed, step, series } = state;
        let mut scene = SceneInTime::new(scene);
        scene.turn_joints(&from.turned);
        let Checkpoint { time, states, .. } = from;
        let (time, count) = (*time, scene.bodies.len());
        let mut bound = vec![false; count];
        let joints = scene.joints.iter().map(|joint| [joint.a.index(), joint.b.index()]);
        let loads = scene.loads.iter().map(|load| loads::bodies_of(&scene, load));
        let strings = scene.strings.iter().map(|string| [string.a.index(), string.b.index()]);
        for body in joints.chain(loads).chain(strings).flatten().flatten() {
            bound[body] = true;
        }
        let inertias = Inertia::of(&scene);
        let is_round =
            |body: usize| !bound[body] && inertias[body].even && scene.bodies[body].parts.iter().all(Part::is_ball);
        let round = (0..count).map(is_round).collect();
        let [supplied, friction, impacts, start] = from.energies;
        let acceleration = scene.gravity;
        let mut engine = EventEngine {
            law,
            settings,
            inertias,
            time,
            flights: states.iter().map(|state| Flight { since: time, state: *state, acceleration }).collect(),
            pairs: Pairs::new(&scene),
            bound,
            round,
            flow: None,
            held: Vec::new(),
            quiet: Vec::new(),
            slack: Vec::new(),
            candidates: Vec::new(),
            stale: true,
            slips_now: false,
            stopped: None,
            slow_steps: 0,
            supplied,
            friction,
            impacts,
            start,
            reach: settings.touching_distance(&scene),
            size: *size,
            speed: *speed,
            step: *step,
            events_here: 0,
            creeps: (time, 0),
            series: series.clone(),
            guess: RefCell::default(),
            told: VecDeque::new(),
            bound_laws: Vec::new(),
            counted: None,
            singular_start: None,
            report: EventReport::default(),
            scene,
        };
        engine.pairs.check_laws(&engine.scene, law)?;
        engine.links().try_for_each(|link| check_rebound(&engine.scene, law, &link))?;
        engine.candidates = engine.touching(states);
        let (all, none) = (vec![true; count], vec![false; count]);
        engine.pairs.renew(&engine.scene, &engine.flights, &all, &none, time, engine.care());
        Ok(engine)
    }

    /// The time it has come to, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// How far its steps have come, s: the time, or farther where an earlier event is still looked for.
    pub fn reached(&self) -> f64 {
        self.flow.as_ref().map_or(self.time, |flow| self.time.max(flow.start + flow.integrator.t))
    }

    /// The time in which something crosses the scene at the speeds and accelerations of its start, s.
    pub fn crossing_time(&self) -> f64 {
        self.size / self.speed
    }

    /// The states of all bodies now.
    pub fn states(&self) -> Vec<State> {
        let mut states: Vec<State> = self.flights.iter().map(|flight| flight.at(self.time)).collect();
        if let Some(flow) = &self.flow {
            flow.unpack(self.time, &mut states);
        }
        states
    }

    /// Where the energy is now, and where it went.
    pub fn ledger(&self) -> Ledger {
        let states = self.states();
        let [supplied, friction] =
            self.flow.as_ref().map_or([self.supplied, self.friction], |flow| flow.energies(self.time));
        Ledger {
            kinetic: self.kinetic(&states),
            potential: loads::potential(&self.scene, &states),
            supplied,
            friction,
            impacts: self.impacts,
            start: self.start,
        }
    }

    /// The work done so far.
    pub fn report(&self) -> EventReport {
        self.report
    }

    /// The law of impacts.
    pub fn law(&self) -> &'static Law {
        self.law
    }

    /// How exactly it works.
    pub fn settings(&self) -> EventSettings {
        self.settings
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The contacts that persist now, with the bodies A and B of each, and whether it slips.
    pub fn contacts(&self) -> impl Iterator<Item = ([Option<BodyId>; 2], bool)> + '_ {
        let persisting = self.held.iter().chain(&self.quiet);
        persisting.map(|held| (BodyId::pair(held.spot.bodies), matches!(held.hold, Hold::Slip(_))))
    }

    /// Goes on to the next event, or to a time if nothing happens before. Refuses a time before the present one, and one that is not finite.
    pub fn advance(&mut self, until: f64) -> Result<Option<Event>, Failure> {
        loop {
            match self.advance_some(until, usize::MAX)? {
                Advance::Event(event) => return Ok(Some(event)),
                Advance::Arrived => return Ok(None),
                Advance::Paused => {}
            }
        }
    }

    /// The same with this much work at most: steps of integration and instants at which something happens. Pauses change no bit of
    /// the motion.
    pub fn advance_some(&mut self, until: f64, work: usize) -> Result<Advance, Failure> {
        if !(until.is_finite() && until >= self.time) {
            return Err(Failure::Time { time: self.time, until });
        }
        if let Some(joints) = &self.singular_start {
            return Err(Failure::Singular { time: self.time, joints: joints.clone() });
        }
        if let Some(event) = self.told.pop_front() {
            return Ok(Advance::Event(event));
        }
        let mut steps = self.counted.take().unwrap_or((self.time, 0));
        for _ in 0..work {
            if self.stale {
                if let Some(event) = self.begin()? {
                    self.count_events(self.time)?;
                    return Ok(Advance::Event(event));
                }
                if self.stale {
                    self.count_events(self.time)?;
                    continue;
                }
            }
            let flying = self.pairs.next();
            let flowing = self.flow.as_ref().map(|flow| (flow.start + flow.integrator.t, flow.ended));
            let next = match flowing {
                Some((end, None)) if end < until && flying.is_none_or(|(time, _)| end < time) => {
                    self.count_creeps(end)?;
                    if goes_on_for_ever(&mut steps, end, until) {
                        return Err(self.too_fast(end));
                    }
                    self.extend();
                    continue;
                }
                Some((end, Some(_))) => flying.map_or(end, |(time, _)| time.min(end)),
                _ => flying.map_or(f64::INFINITY, |(time, _)| time),
            };
            if next > until {
                self.time = until;
                return Ok(Advance::Arrived);
            }
            self.count_events(next)?;
            self.count_creeps(next)?;
            self.time = next;
            let ended = flowing.and_then(|(end, ended)| if end <= next { ended } else { None });
            if let Some(event) = self.happen(ended)? {
                return Ok(Advance::Event(event));
            }
        }
        self.counted = Some(steps);
        Ok(Advance::Paused)
    }

    /// Steps and pauses that hardly move on do not go on for ever.
    fn count_creeps(&mut self, time: f64) -> Result<(), Failure> {
        let (mark, count) = self.creeps;
        let moves = time > mark + CREEP * self.size / self.speed;
        self.creeps = if moves { (time, 0) } else { (mark, count + 1) };
        match self.creeps.1 {
            count if count <= MOST_CREEPS => Ok(()),
            // Nothing happened since they began: steps alone have become short.
            _ if self.events_here == 0 && self.time <= mark => Err(self.too_fast(time)),
            _ => Err(Failure::Chatter { time }),
        }
    }

    fn count_events(&mut self, next: f64) -> Result<(), Failure> {
        self.events_here = if next > self.time { 0 } else { self.events_here + 1 };
        if self.events_here > MOST_EVENTS_AT_ONCE { Err(Failure::Chatter { time: next }) } else { Ok(()) }
    }

    fn kinetic(&self, states: &[State]) -> f64 {
        self.inertias.iter().zip(states).map(|(inertia, state)| inertia.kinetic(state)).sum()
    }

    fn energy(&self, states: &[State]) -> f64 {
        self.kinetic(states) + loads::potential(&self.scene, states)
    }

    fn settling<'a>(&'a self, bodies: &'a [usize], joints: &'a [usize], held: &'a [Held]) -> Settling<'a> {
        Settling { scene: &self.scene, inertias: &self.inertias, bodies, joints, held }
    }

    /// How deep parts may overlap without notice, m.
    fn slack_depth(&self) -> f64 {
        0.01 * self.reach
    }

    fn care(&self) -> Care {
        Care { slack: self.slack_depth(), rest: AT_REST * self.rest_speed(), reach: self.reach }
    }

    fn rest_speed(&self) -> f64 {
        self.settings.rest * self.speed
    }

    /// Slip below this speed is none, m/s.
    fn slip_noise(&self) -> f64 {
        10.0 * self.rest_speed()
    }

    /// All places where something touches, strings and limits included.
    fn touching(&self, states: &[State]) -> Vec<Spot> {
        let mut spots = self.pairs.touching(&self.scene, states, self.reach, None);
        spots.extend(self.links().filter(|spot| self.is_closed(spot, states)));
        spots
    }

    /// Where contacts persist.
    fn persisting(&self) -> Vec<Spot> {
        self.held.iter().chain(&self.quiet).map(|held| held.spot).collect()
    }

    /// Strings and limits.
    fn links(&self) -> impl Iterator<Item = Spot> + '_ {
        let strings = (0..self.scene.strings.len()).map(|k| Spot::string(&self.scene, k));
        let limited = (0..self.scene.joints.len()).filter(|k| self.scene.joints[*k].limits.is_some());
        strings.chain(limited.flat_map(|k| [1.0, -1.0].map(|side| Spot::limit(&self.scene, k, side))))
    }

    fn is_closed(&self, spot: &Spot, states: &[State]) -> bool {
        spot.at(&self.scene, states).is_some_and(|k| k.gap <= self.reach)
    }
}
