//! Event by event: smooth motion to high accuracy, and every impact where it happens.
//!
//! Bodies that only gravity acts on fly in closed form, each since its own last event. The others (at joints, loads, strings and
//! contacts that persist) are integrated together, in one mode of motion after the other. At an instant the order is: locate the
//! first event; gather all contacts that touch there, through bodies and joints; resolve the impact; take back what rounding left at
//! joints and contacts; decide by Coulomb's law for accelerations which contacts press, stick, slip or let go; go on.

mod flight;
mod forces;
mod impact;
mod lone;
mod mode;
mod pairs;
mod search;
mod settle;
mod spot;

use crate::error::Error;
use crate::laws::BoundLaw;
use crate::ode::Integrator;
use crate::sim::constrained::rank;
use crate::sim::inertia::Inertia;
use crate::sim::loads;
use crate::sim::record::{Checkpoint, Event, EventContact, EventKind, Failure, Ledger};
use crate::sim::scene::{Mover, Scene};
use crate::sim::state::State;
use flight::Flight;
use forces::{Inconsistent, Question};
use impact::{Meet, Resolved, Rule, resolve};
use mode::{Ending, Held, Hold, Mode, pack, unpack};
use nalgebra::{DVector, Vector3};
use pairs::{Care, Pairs};
use spot::Spot;

/// How exactly the event engine works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventSettings {
    /// Local error of a step of integration, relative to the sizes in the scene.
    pub tolerance: f64,
    /// Contacts closer than this take part in an impact together, as a fraction of the size of the scene.
    pub touch: f64,
    /// Impacts that approach slower than this, as a fraction of the speeds in the scene, are completed without rebound.
    pub rest: f64,
}

impl Default for EventSettings {
    fn default() -> EventSettings {
        EventSettings { tolerance: 1e-13, touch: 1e-9, rest: 1e-8 }
    }
}

/// A scene on its way through time.
#[derive(Clone, Debug)]
pub struct EventEngine {
    scene: Scene,
    settings: EventSettings,
    inertias: Vec<Inertia>,
    time: f64,
    flights: Vec<Flight>,
    pairs: Pairs,
    /// Bodies that never fly freely.
    bound: Vec<bool>,
    flow: Option<Flow>,
    held: Vec<Held>,
    slack: Vec<Spot>,
    /// Contacts that touch and may persist, to be decided when the next mode begins.
    candidates: Vec<Spot>,
    stale: bool,
    /// Whether the last mode ended because a contact no longer sticks.
    slips_now: bool,
    /// Energies supplied, rubbed away and lost in impacts since the start, and the energy there.
    supplied: f64,
    friction: f64,
    impacts: f64,
    start: f64,
    size: f64,
    speed: f64,
    step: f64,
    events_here: usize,
    /// Steps that hardly move on, and since when.
    creeps: (f64, usize),
    last_impacts: [f64; 3],
    /// The law for each pair of materials that met so far.
    bound_laws: Vec<([usize; 2], BoundLaw)>,
}

/// Bodies that are integrated, and how far they have come.
#[derive(Clone, Debug)]
struct Flow {
    integrator: Integrator<DVector<f64>>,
    start: f64,
    bodies: Vec<usize>,
    redundant: bool,
    /// Where the last step began.
    since: f64,
    ended: Option<Ended>,
}

#[derive(Clone, Copy, Debug)]
enum Ended {
    Mode(Ending),
    Touch,
    Stuck,
}

/// A contact that neither approaches nor separates by more than this fraction of the speed of the last rebounds stays closed.
const AT_REST: f64 = 1e-3;
/// Drift of joints and contacts that is taken back, in tolerances of a step.
const DRIFT: f64 = 10.0;
/// A step below this fraction of the time in which something crosses the scene hardly moves on; so many of them are too many.
const CREEP: f64 = 1e-8;
const MOST_CREEPS: usize = 500;
/// Events at one instant that show a quarrel without end.
const MOST_EVENTS_AT_ONCE: usize = 1000;

impl EventEngine {
    /// Starts a scene.
    pub fn new(scene: Scene, settings: EventSettings) -> Result<EventEngine, Error> {
        let states: Vec<State> = scene.bodies.iter().map(|body| body.state).collect();
        let reach = scene.bodies.iter().map(Mover::reach).fold(0.0, f64::max);
        let spread = states.iter().map(|state| state.pose.position.norm()).fold(0.0, f64::max);
        let size = if reach > 0.0 { reach } else { spread.max(1.0) };
        let fastest = states.iter().map(|s| s.velocity.norm() + s.angular_velocity.norm() * size).fold(0.0, f64::max);
        let speed = fastest.max((scene.gravity.norm() * size).sqrt()).max(f64::MIN_POSITIVE);
        let kinetic: f64 = Inertia::of(&scene).iter().zip(&states).map(|(inertia, state)| inertia.kinetic(state)).sum();
        let energy = kinetic + loads::potential(&scene, &states);
        let first_step = 1e-3 * size / speed;
        let memory = vec![0.0, 0.0, 0.0, size, speed, first_step];
        EventEngine::resume(
            scene,
            settings,
            &Checkpoint { time: 0.0, states, energies: [0.0, 0.0, 0.0, energy], memory },
        )
    }

    /// What is needed to go on from here. The engine itself goes on from it, too: a run that is resumed at a checkpoint has the
    /// same bits as one that only took it.
    pub fn checkpoint(&mut self) -> Result<Checkpoint, Error> {
        let ledger = self.ledger();
        let [a, b, c] = self.last_impacts;
        let checkpoint = Checkpoint {
            time: self.time,
            states: self.states(),
            energies: [ledger.supplied, ledger.friction, ledger.impacts, ledger.start],
            memory: vec![a, b, c, self.size, self.speed, self.step],
        };
        *self = EventEngine::resume(self.scene.clone(), self.settings, &checkpoint)?;
        Ok(checkpoint)
    }

    /// Goes on from a checkpoint of this scene.
    pub fn resume(scene: Scene, settings: EventSettings, from: &Checkpoint) -> Result<EventEngine, Error> {
        let &[first, second, third, size, speed, step] = &from.memory[..] else {
            return Err(Error::WrongSize { what: "numbers of a checkpoint" });
        };
        let Checkpoint { time, states, .. } = from;
        let (time, count) = (*time, scene.bodies.len());
        if states.len() != count {
            return Err(Error::WrongSize { what: "bodies of a checkpoint" });
        }
        let mut bound = vec![false; count];
        let joints = scene.joints.iter().map(|joint| [joint.a.body, joint.b.body]);
        let loads = scene.loads.iter().map(|load| loads::bodies_of(&scene, load));
        let cords = scene.strings.iter().map(|cord| [cord.a.body, cord.b.body]);
        for body in joints.chain(loads).chain(cords).flatten().flatten() {
            bound[body] = true;
        }
        let [supplied, friction, impacts, start] = from.energies;
        let acceleration = scene.gravity;
        let mut engine = EventEngine {
            settings,
            inertias: Inertia::of(&scene),
            time,
            flights: states.iter().map(|state| Flight { since: time, state: *state, acceleration }).collect(),
            pairs: Pairs::new(&scene)?,
            bound,
            flow: None,
            held: Vec::new(),
            slack: Vec::new(),
            candidates: Vec::new(),
            stale: true,
            slips_now: false,
            supplied,
            friction,
            impacts,
            start,
            size,
            speed,
            step,
            events_here: 0,
            creeps: (time, 0),
            last_impacts: [first, second, third],
            bound_laws: Vec::new(),
            scene,
        };
        engine.pairs.check_laws(&engine.scene)?;
        engine.candidates = engine.touching(states);
        let (all, none) = (vec![true; count], vec![false; count]);
        engine.pairs.renew(&engine.scene, &engine.flights, &all, &none, time, engine.care());
        Ok(engine)
    }

    /// The time it has come to, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The states of all bodies now.
    pub fn states(&self) -> Vec<State> {
        let mut states: Vec<State> = self.flights.iter().map(|flight| flight.at(self.time)).collect();
        if let Some(flow) = &self.flow {
            unpack(&flow.at(self.time), &flow.bodies, &mut states);
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

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The contacts that persist now, with the bodies A and B of each, and whether it slips.
    pub fn contacts(&self) -> impl Iterator<Item = ([Option<usize>; 2], bool)> + '_ {
        self.held.iter().map(|held| (held.spot.bodies, matches!(held.hold, Hold::Slip(_))))
    }

    /// Goes on to the next event, or to a time if nothing happens before.
    pub fn advance(&mut self, until: f64) -> Result<Option<Event>, Failure> {
        loop {
            if self.stale
                && let Some(event) = self.begin()?
            {
                return Ok(Some(event));
            }
            let flying = self.pairs.next();
            let flowing = self.flow.as_ref().map(|flow| (flow.start + flow.integrator.t, flow.ended));
            let next = match flowing {
                Some((end, None)) if end < until && flying.is_none_or(|(time, _)| end < time) => {
                    self.count_creeps(end)?;
                    self.extend();
                    continue;
                }
                Some((end, Some(_))) => flying.map_or(end, |(time, _)| time.min(end)),
                _ => flying.map_or(f64::INFINITY, |(time, _)| time),
            };
            if next > until {
                self.time = until;
                return Ok(None);
            }
            self.count_events(next)?;
            self.count_creeps(next)?;
            self.time = next;
            let ended = flowing.and_then(|(end, ended)| if end <= next { ended } else { None });
            if let Some(event) = self.happen(ended)? {
                return Ok(Some(event));
            }
        }
    }

    /// Steps and pauses that hardly move on do not go on for ever.
    fn count_creeps(&mut self, time: f64) -> Result<(), Failure> {
        let (mark, count) = self.creeps;
        let moves = time > mark + CREEP * self.size / self.speed;
        self.creeps = if moves { (time, 0) } else { (mark, count + 1) };
        if self.creeps.1 > MOST_CREEPS { Err(Failure::Chatter { time }) } else { Ok(()) }
    }

    fn count_events(&mut self, next: f64) -> Result<(), Failure> {
        self.events_here = if next > self.time { 0 } else { self.events_here + 1 };
        if self.events_here > MOST_EVENTS_AT_ONCE { Err(Failure::Chatter { time: next }) } else { Ok(()) }
    }

    fn kinetic(&self, states: &[State]) -> f64 {
        self.inertias.iter().zip(states).map(|(inertia, state)| inertia.kinetic(state)).sum()
    }

    fn reach(&self) -> f64 {
        self.settings.touch * self.size
    }

    /// How deep parts may overlap without notice, m.
    fn slack_depth(&self) -> f64 {
        0.01 * self.reach()
    }

    fn care(&self) -> Care {
        Care { slack: self.slack_depth(), rest: AT_REST * self.rest_speed(), reach: self.reach() }
    }

    fn rest_speed(&self) -> f64 {
        self.settings.rest * self.speed
    }

    /// All places where something touches, strings and limits included.
    fn touching(&self, states: &[State]) -> Vec<Spot> {
        let mut spots = self.pairs.touching(&self.scene, states, self.reach(), None);
        spots.extend(self.links().filter(|spot| self.is_closed(spot, states)));
        spots
    }

    /// Strings and limits.
    fn links(&self) -> impl Iterator<Item = Spot> + '_ {
        let cords = (0..self.scene.strings.len()).map(|k| Spot::cord(&self.scene, k));
        let limited = (0..self.scene.joints.len()).filter(|k| self.scene.joints[*k].limits.is_some());
        cords.chain(limited.flat_map(|k| [1.0, -1.0].map(|side| Spot::limit(&self.scene, k, side))))
    }

    fn is_closed(&self, spot: &Spot, states: &[State]) -> bool {
        spot.at(&self.scene, states).is_some_and(|k| k.gap <= self.reach())
    }

    /// Lets the integrated bodies fly from where they are now.
    fn land(&mut self) {
        let Some(mut flow) = self.flow.take() else { return };
        if self.time < flow.start + flow.integrator.t {
            let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
            self.with_mode(&flow.clone(), &joints, |mode| flow.integrator.cut(mode, self.time - flow.start));
        }
        let mut states: Vec<State> = self.flights.iter().map(|flight| flight.state).collect();
        unpack(&flow.at(self.time), &flow.bodies, &mut states);
        [self.supplied, self.friction] = flow.energies(self.time);
        for body in flow.bodies {
            self.launch(body, states[body]);
        }
        self.stale = true;
    }

    fn launch(&mut self, body: usize, state: State) {
        self.flights[body] = Flight { since: self.time, state, acceleration: self.scene.gravity };
    }

    /// Begins a mode: which contacts persist, and which bodies are integrated.
    fn begin(&mut self) -> Result<Option<Event>, Failure> {
        self.land();
        self.stale = false;
        let mut states = self.states();
        let rest = self.rest_speed();
        let reach = self.reach();
        let candidates = std::mem::take(&mut self.candidates);
        let resting = |spot: &Spot| {
            Meet::new(&self.scene, &states, spot)
                .is_some_and(|meet| meet.now.gap.abs() <= reach && meet.velocity(&states).x.abs() <= AT_REST * rest)
        };
        let (mut spots, approaching): (Vec<Spot>, Vec<Spot>) = candidates.into_iter().partition(resting);
        spots.dedup();
        // At the start bodies may touch and approach already.
        let approaches =
            |spot: &Spot| Meet::new(&self.scene, &states, spot).is_some_and(|meet| meet.velocity(&states).x < -rest);
        if approaching.iter().any(approaches) {
            self.candidates = spots;
            let trigger: Vec<usize> =
                approaching.iter().filter(|spot| approaches(spot)).flat_map(|spot| spot.bodies).flatten().collect();
            return self.collide(&trigger);
        }
        let mut flowing = self.bound.clone();
        for (body, inertia) in self.inertias.iter().enumerate() {
            flowing[body] |= !inertia.even && states[body].angular_velocity != Vector3::zeros();
        }
        for body in spots.iter().flat_map(|spot| spot.bodies).flatten() {
            flowing[body] = true;
        }
        let bodies: Vec<usize> = (0..flowing.len()).filter(|body| flowing[*body]).collect();
        let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
        let was: Vec<Held> = std::mem::take(&mut self.held);
        let firm: Vec<Held> = spots
            .iter()
            .map(|spot| Held { spot: *spot, hold: Hold::Slip(Vector3::zeros()), starting: false })
            .collect();
        settle::settle(&self.scene, &self.inertias, &bodies, &joints, &firm, &mut states);
        let eager = std::mem::take(&mut self.slips_now);
        let question = Question { eager, ..self.question(&bodies, &joints, self.time, &states) };
        let answer = match question.answer(&spots) {
            Ok(answer) => answer,
            Err(Inconsistent) => return self.jam(&states, &spots),
        };
        let mut event = None;
        for (spot, hold) in spots.iter().zip(&answer.holds) {
            let before = was.iter().find(|held| held.spot == *spot).map(|held| held.hold);
            let kind = match (before, hold) {
                (Some(Hold::Slip(_)), Some(Hold::Stick)) => Some(EventKind::StickStart),
                (Some(Hold::Stick), Some(Hold::Slip(_))) => Some(EventKind::SlipStart),
                (Some(Hold::Stick | Hold::Slip(_)), None) => Some(EventKind::LiftOff),
                _ => None,
            };
            if let (Some(kind), None) = (kind, &event) {
                event = Some((kind, *spot));
            }
        }
        let slides = |spot: &Spot| {
            Meet::new(&self.scene, &states, spot).is_some_and(|meet| meet.velocity(&states).yz().norm() > 10.0 * rest)
        };
        let held: Vec<Held> = spots
            .iter()
            .zip(&answer.holds)
            .filter_map(|(spot, hold)| Some(Held { spot: *spot, hold: (*hold)?, starting: !slides(spot) }))
            .collect();
        settle::settle(&self.scene, &self.inertias, &bodies, &joints, &held, &mut states);
        for &body in &bodies {
            self.launch(body, states[body]);
        }
        self.held = held;
        let mut flowing = self.bound.clone();
        for (body, inertia) in self.inertias.iter().enumerate() {
            flowing[body] |= !inertia.even && states[body].angular_velocity != Vector3::zeros();
        }
        for body in self.held.iter().flat_map(|held| held.spot.bodies).flatten() {
            flowing[body] = true;
        }
        let bodies: Vec<usize> = (0..flowing.len()).filter(|body| flowing[*body]).collect();
        self.slack = self.links().filter(|spot| !self.held.iter().any(|held| held.spot == *spot)).collect();
        let changed: Vec<bool> =
            flowing.iter().zip(&self.flights).map(|(flows, f)| *flows || f.since == self.time).collect();
        self.pairs.renew(&self.scene, &self.flights, &changed, &flowing, self.time, self.care());
        if !bodies.is_empty() {
            self.flow = Some(self.start_flow(bodies, &states));
        }
        let Some((kind, spot)) = event else { return Ok(None) };
        Ok(Some(self.transition(kind, &spot, &states)))
    }

    fn question<'a>(
        &'a self,
        bodies: &'a [usize],
        joints: &'a [usize],
        time: f64,
        states: &'a [State],
    ) -> Question<'a> {
        let slip = 10.0 * self.rest_speed();
        Question { scene: &self.scene, inertias: &self.inertias, bodies, joints, time, states, slip, eager: false }
    }

    fn start_flow(&self, bodies: Vec<usize>, states: &[State]) -> Flow {
        let y = pack(states, &bodies, [self.supplied, self.friction]);
        let scale = self.scales(&bodies, states, y.len());
        let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
        let integrator = Integrator::new(y, scale, self.settings.tolerance, self.step);
        let mut flow = Flow { integrator, start: self.time, bodies, redundant: false, since: self.time, ended: None };
        let redundant = self.with_mode(&flow, &joints, |mode| {
            mode.rows(states).is_some_and(|rows| {
                let unheld =
                    crate::sim::constrained::Unheld::new(&self.scene, &self.inertias, &flow.bodies, self.time, states);
                let matrix = unheld.response(&rows.held, &rows.columns);
                !rows.held.is_empty() && rank(&matrix) < rows.held.len()
            })
        });
        flow.redundant = redundant;
        flow
    }

    /// Sizes that errors of integration are measured by.
    fn scales(&self, bodies: &[usize], states: &[State], length: usize) -> DVector<f64> {
        let mut scale = DVector::zeros(length);
        let mut energy = 0.0;
        for (k, &body) in bodies.iter().enumerate() {
            let reach = self.scene.bodies[body].reach();
            let reach = if reach > 0.0 { reach } else { self.size };
            let speed = self.speed.max(states[body].velocity.norm());
            let spin = (speed / reach).max(states[body].angular_velocity.norm());
            let sizes = [[self.size; 3].as_slice(), &[1.0; 4], &[speed; 3], &[spin; 3]].concat();
            scale.as_mut_slice()[mode::WIDTH * k..mode::WIDTH * (k + 1)].copy_from_slice(&sizes);
            energy += self.inertias[body].mass * speed * speed;
        }
        scale.as_mut_slice()[length - 2..].fill(energy.max(f64::MIN_POSITIVE));
        scale
    }

    /// Calls with the equations of motion of the present mode.
    fn with_mode<T>(&self, flow: &Flow, joints: &[usize], f: impl FnOnce(&Mode<'_>) -> T) -> T {
        let frame: Vec<State> = self.flights.iter().map(|flight| flight.state).collect();
        let spots: Vec<Spot> = self.held.iter().map(|held| held.spot).collect();
        // Where forces are not unique, whether some satisfy the laws is asked anew at every look.
        let possible =
            |time: f64, states: &[State]| {
                let question = self.question(&flow.bodies, joints, time, states);
                question.answer(&spots).is_ok_and(|answer| {
                    answer.holds.iter().zip(&self.held).all(|(next, held)| {
                        !matches!((held.hold, next), (_, None) | (Hold::Stick, Some(Hold::Slip(_))))
                    })
                })
            };
        let margin = |spot: &Spot, states: &[State], now: &_| {
            self.pairs.feature_margin(&self.scene, spot, states, now) + self.reach()
        };
        f(&Mode {
            scene: &self.scene,
            inertias: &self.inertias,
            bodies: &flow.bodies,
            frame: &frame,
            joints,
            held: &self.held,
            slack: &self.slack,
            redundant: flow.redundant,
            possible: &possible,
            start: flow.start,
            depth: self.slack_depth(),
            slip_noise: 10.0 * self.rest_speed(),
            margin: &margin,
        })
    }

    /// One more step of the integrated bodies, cut short by what happens in it.
    fn extend(&mut self) {
        let Some(mut flow) = self.flow.take() else { return };
        let joints: Vec<usize> = (0..self.scene.joints.len()).collect();
        flow.since = flow.start + flow.integrator.t;
        let ended = self.with_mode(&flow.clone(), &joints, |mode| {
            let ended = match flow.integrator.advance(mode) {
                Err(_) => return Some(Ended::Stuck),
                Ok(None) => None,
                Ok(Some(_)) => {
                    let states = mode.states(&flow.integrator.y);
                    mode.ending(flow.start + flow.integrator.t, &states).map(Ended::Mode)
                }
            };
            if ended.is_none() {
                self.take_back_drift(&mut flow, &joints);
            }
            flow.integrator.raise_scale();
            let touch = self.pairs.first_in_flow(&self.scene, &self.flights, &self.held, mode, &flow, self.care());
            match touch {
                Some(time) if time <= flow.start + flow.integrator.t => {
                    flow.integrator.cut(mode, time - flow.start);
                    Some(Ended::Touch)
                }
                _ => ended,
            }
        });
        flow.ended = ended;
        self.step = flow.integrator.next_step();
        self.flow = Some(flow);
    }

    /// Puts joints and contacts back where they belong, after a step that moved them off by more than its errors should.
    fn take_back_drift(&self, flow: &mut Flow, joints: &[usize]) {
        if joints.is_empty() && self.held.is_empty() {
            return;
        }
        let mut states: Vec<State> = self.flights.iter().map(|flight| flight.state).collect();
        unpack(&flow.integrator.y, &flow.bodies, &mut states);
        if settle::drift(&self.scene, joints, &self.held, &states) <= DRIFT * self.settings.tolerance * self.size {
            return;
        }
        settle::settle(&self.scene, &self.inertias, &flow.bodies, joints, &self.held, &mut states);
        let n = flow.integrator.y.len();
        let energies = [flow.integrator.y[n - 2], flow.integrator.y[n - 1]];
        flow.integrator.y = pack(&states, &flow.bodies, energies);
    }

    /// What happens now.
    fn happen(&mut self, ended: Option<Ended>) -> Result<Option<Event>, Failure> {
        let persisting = |held: &[Held]| -> Vec<Spot> { held.iter().map(|held| held.spot).collect() };
        let flying = self.pairs.next().filter(|(time, _)| *time <= self.time);
        if let (Some((_, pair)), true) = (flying, self.only_flights())
            && let Some(event) = self.lone_impact(pair)?
        {
            return Ok(Some(event));
        }
        if flying.is_none()
            && let Some(Ended::Mode(ending)) = ended
        {
            if let Ending::Taut(link) = ending {
                let spot = self.slack[link];
                let states = self.states();
                let rest = self.rest_speed();
                self.candidates = persisting(&self.held);
                self.candidates.push(spot);
                let strikes = Meet::new(&self.scene, &states, &spot).is_some_and(|m| m.velocity(&states).x < -rest);
                if strikes {
                    let trigger: Vec<usize> = spot.bodies.into_iter().flatten().collect();
                    self.land();
                    return self.collide(&trigger);
                }
                self.land();
                return Ok(None);
            }
            if let Ending::Leaves(contact) = ending {
                return Ok(Some(self.change_feature(contact)));
            }
            self.slips_now = matches!(ending, Ending::Slips(_) | Ending::Changes);
            self.candidates = persisting(&self.held);
            self.land();
            return Ok(None);
        }
        if flying.is_none() && matches!(ended, Some(Ended::Stuck)) {
            let (states, spots) = (self.states(), persisting(&self.held));
            self.land();
            return self.jam(&states, &spots);
        }
        let mut trigger: Vec<usize> = Vec::new();
        if let Some((_, pair)) = flying {
            trigger.extend(self.pairs.bodies(pair));
            self.pairs.pop();
        }
        if let (Some(Ended::Touch), Some(flow)) = (ended, &self.flow) {
            trigger.extend(&flow.bodies);
        }
        self.candidates = persisting(&self.held);
        self.collide(&trigger)
    }

    /// The impact of everything that touches these bodies, directly or through others.
    fn collide(&mut self, trigger: &[usize]) -> Result<Option<Event>, Failure> {
        let states = self.states();
        let (members, spots) = self.cluster(trigger, &states);
        let meets: Vec<Meet> = spots.iter().filter_map(|spot| Meet::new(&self.scene, &states, spot)).collect();
        let closing = meets.iter().map(|meet| -meet.velocity(&states).x).fold(0.0, f64::max);
        // Contacts elsewhere persist as they did.
        self.candidates.retain(|spot| !spot.bodies.iter().flatten().any(|body| members.contains(body)));
        self.candidates.extend(&spots);
        if closing <= f64::EPSILON * self.speed {
            self.land();
            self.refly(&members, &states);
            return Ok(None);
        }
        let rule = if closing <= self.rest_speed() { Rule::Dead } else { Rule::Law };
        let kind =
            if rule == Rule::Dead { EventKind::Accumulation { until: self.accumulation() } } else { EventKind::Impact };
        let event = self.strike(kind, rule, &states, &members, &meets)?;
        self.count_impact();
        Ok(Some(event))
    }

    fn count_impact(&mut self) {
        self.last_impacts = [self.last_impacts[1], self.last_impacts[2], self.time];
    }

    /// When impacts that follow each other at intervals of a fixed ratio end.
    fn accumulation(&self) -> f64 {
        let [_, second, third] = self.last_impacts;
        let (before, last) = (third - second, self.time - third);
        let ratio = last / before;
        if ratio.is_finite() && ratio < 1.0 { self.time + last * ratio / (1.0 - ratio) } else { self.time }
    }

    /// Applies an impact and tells about it.
    fn strike(
        &mut self,
        kind: EventKind,
        rule: Rule,
        states: &[State],
        members: &[usize],
        meets: &[Meet],
    ) -> Result<Event, Failure> {
        let time = self.time;
        let Resolved { contacts, bodies, joints } = resolve(&self.scene, &self.inertias, states, members, meets, rule)
            .map_err(|reason| Failure::Law { time, reason })?;
        let potential = loads::potential(&self.scene, states);
        let before = self.kinetic(states);
        let mut after = states.to_vec();
        for (body, state) in &bodies {
            after[*body] = *state;
        }
        if after.iter().any(|state| !state.velocity.iter().chain(state.angular_velocity.iter()).all(|v| v.is_finite()))
        {
            return Err(Failure::Motion { time });
        }
        let lost = before - self.kinetic(&after);
        self.land();
        self.impacts += lost;
        let mut changed = Vec::new();
        for (body, state) in bodies {
            changed.push((body, [states[body], state]));
            self.launch(body, state);
        }
        self.refly(members, &after);
        Ok(Event {
            time,
            kind,
            contacts,
            energy: [before + potential, before - lost + potential],
            bodies: changed,
            joints,
        })
    }

    /// Predicts anew what these bodies will touch.
    fn refly(&mut self, members: &[usize], states: &[State]) {
        for &body in members {
            self.launch(body, states[body]);
        }
        self.stale = true;
    }

    /// Bodies that touch those of the trigger, directly or through others, by contacts and joints; and where.
    fn cluster(&self, trigger: &[usize], states: &[State]) -> (Vec<usize>, Vec<Spot>) {
        let mut inside = vec![false; states.len()];
        let mut queue: Vec<usize> = trigger.to_vec();
        let mut spots: Vec<Spot> = Vec::new();
        let links: Vec<Spot> = self.links().filter(|spot| self.is_closed(spot, states)).collect();
        while let Some(body) = queue.pop() {
            if std::mem::replace(&mut inside[body], true) {
                continue;
            }
            for joint in &self.scene.joints {
                let ends = [joint.a.body, joint.b.body];
                if ends.contains(&Some(body)) {
                    queue.extend(ends.into_iter().flatten());
                }
            }
            let found = self.pairs.touching(&self.scene, states, self.reach(), Some(body));
            for spot in found.into_iter().chain(links.iter().copied().filter(|spot| spot.bodies.contains(&Some(body))))
            {
                queue.extend(spot.bodies.into_iter().flatten());
                if !spots.contains(&spot) {
                    spots.push(spot);
                }
            }
        }
        let members = (0..inside.len()).filter(|body| inside[*body]).collect();
        (members, spots)
    }

    /// Friction that allows no finite force stops the slip by an impulse: the limit of ever softer impacts.
    fn jam(&mut self, states: &[State], spots: &[Spot]) -> Result<Option<Event>, Failure> {
        let time = self.time;
        let slipping = spots.iter().filter(|spot| {
            spot.friction[0] > 0.0
                && Meet::new(&self.scene, states, spot).is_some_and(|meet| {
                    let v = meet.velocity(states);
                    v.yz().norm() > 10.0 * self.rest_speed()
                })
        });
        let trigger: Vec<usize> = slipping.flat_map(|spot| spot.bodies).flatten().collect();
        if trigger.is_empty() {
            return Err(Failure::Forces { time });
        }
        let (members, spots) = self.cluster(&trigger, states);
        let mut nudged = states.to_vec();
        let meets: Vec<Meet> = spots.iter().filter_map(|spot| Meet::new(&self.scene, states, spot)).collect();
        for meet in &meets {
            // A hair's breadth of approach lets the law see the impact.
            for (body, sign) in meet.spot.bodies.into_iter().zip([-1.0, 1.0]) {
                if let Some(body) = body {
                    nudged[body].velocity += meet.now.normal * (sign * 1e-3 * self.rest_speed());
                }
            }
        }
        self.candidates = spots;
        self.strike(EventKind::Jam, Rule::Law, &nudged, &members, &meets).map(Some)
    }

    /// A contact came to the rim of its feature: what touches there is found anew.
    fn change_feature(&mut self, contact: usize) -> Event {
        let states = self.states();
        let spot = self.held[contact].spot;
        let bodies: Vec<usize> = spot.bodies.into_iter().flatten().collect();
        let (members, mut spots) = self.cluster(&bodies, &states);
        spots.retain(|other| *other != spot);
        let mut candidates: Vec<Spot> = self.held.iter().map(|held| held.spot).collect();
        candidates.retain(|spot| !spot.bodies.iter().flatten().any(|body| members.contains(body)));
        candidates.extend(spots);
        self.candidates = candidates;
        self.land();
        self.transition(EventKind::FeatureChange, &spot, &states)
    }

    /// An event that leaves all velocities as they are.
    fn transition(&self, kind: EventKind, spot: &Spot, states: &[State]) -> Event {
        let energy = self.kinetic(states) + loads::potential(&self.scene, states);
        let contacts = Meet::new(&self.scene, states, spot).map(|meet| {
            let velocity = meet.velocity(states);
            EventContact {
                bodies: spot.bodies,
                point: meet.now.point,
                frame: meet.frame,
                impulse: Vector3::zeros(),
                velocity_before: velocity,
                velocity_after: velocity,
            }
        });
        Event {
            time: self.time,
            kind,
            contacts: contacts.into_iter().collect(),
            energy: [energy; 2],
            bodies: Vec::new(),
            joints: Vec::new(),
        }
    }
}

impl Flow {
    /// The column of states at a time in the last step.
    fn at(&self, time: f64) -> DVector<f64> {
        let end = self.start + self.integrator.t;
        if time >= end || end <= self.since {
            return self.integrator.y.clone();
        }
        self.integrator.along((time - self.since) / (end - self.since))
    }

    /// Energies supplied and rubbed away at a time.
    fn energies(&self, time: f64) -> [f64; 2] {
        let y = self.at(time);
        [y[y.len() - 2], y[y.len() - 1]]
    }
}
