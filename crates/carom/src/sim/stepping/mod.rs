//! Step by step: many bodies and piles by Moreau's and Jean's time stepping (Moreau 1988; Jean 1999; Acary & Brogliato 2008, ch. 10).
//!
//! A step of fixed length h leads from places and velocities q, v⁻ to q⁺, v⁺. Its order is:
//!
//! 1. gravity, loads (as at the middle of the step) and uneven turning give the velocities without contact;
//! 2. pairs that are near come from a list that lasts several steps, contacts from those whose gap may close;
//! 3. contacts, strings, limits and joints are solved together for v⁺: Signorini's condition for velocities with Newton's restitution
//!    of the speed before, Coulomb's cone, locked rows ([`problem`]);
//! 4. bodies move by h (θ v⁺ + (1 − θ) v⁻), with a θ for every island that gives no energy ([`displace`]);
//! 5. what rounding and curvature left open at joints is closed.
//!
//! Impacts are not located: they happen at the start of the step in which they would. Their times, and what follows, are of first order
//! in h. Restitution is Newton's and friction Coulomb's (kinetic): the engine takes no law. Everything is in one order that
//! depends on nothing but the scene and the states.

mod block;
mod body;
mod bound;
mod busy;
mod crowd;
mod cut;
mod depth;
mod direct;
mod displace;
mod grid;
mod island;
mod islands;
mod lowering;
mod meet_any;
mod meet_parts;
mod meet_round;
mod momentum;
mod near;
mod pieces;
mod problem;
mod report;
mod reserve;
mod round;
mod row_impulse;
mod settings;
mod settle;
mod snapshot;
mod stability;
mod table;
mod workers;

pub use settings::{Overlap, SteppingReport, SteppingSettings};

use crate::error::Error;
use crate::sim::checkpoint::{Checkpoint, EngineState};
use crate::sim::event::EventSettings;
use crate::sim::in_time::SceneInTime;
use crate::sim::loads;
use crate::sim::part::Core;
use crate::sim::passing::Filter;
use crate::sim::record::{Event, Failure, Ledger};
use crate::sim::scene::Scene;
use crate::sim::state::State;
use bound::Rules;
use crowd::Crowd;
use depth::{Depths, Inside, Instant};
use displace::{Displacement, Losses};
use islands::Islands;
use lowering::Lowering;
use meet_any::Shapes;
use meet_parts::Making;
use meet_round::Rounds;
use near::Near;
use problem::{Goal, Problem, Solver};
use reserve::Reserve;
use row_impulse::{Line, Lock};
use table::Table;
use workers::Workers;

/// A scene on its way through time in steps.
#[derive(Clone, Debug)]
pub struct SteppingEngine {
    scene: SceneInTime,
    settings: SteppingSettings,
    time: f64,
    crowd: Crowd,
    near: Near,
    rounds: Rounds,
    shapes: Shapes,
    /// Whether anything but lone balls and half-spaces is there.
    shaped: bool,
    islands: Islands,
    solver: Solver,
    workers: Workers,
    displacement: Displacement,
    lowering: Lowering,
    table: Table,
    depths: Depths,
    reserve: Reserve,
    /// Greatest speed in each island, by root, m/s.
    speeds: Vec<f64>,
    supplied: f64,
    friction: f64,
    impacts: f64,
    start: f64,
    report: SteppingReport,
}

/// A remainder of a step below this fraction of it is rounding of the times.
const NO_STEP: f64 = 1e-6;
/// In steps under gravity: slower approach does not rebound.
const REST_STEPS: f64 = 2.0;
/// Rounds in which joints are closed.
const CLOSINGS: usize = 2;

impl SteppingEngine {
    /// Starts a scene. Refuses steps in which a spring or damper of it is unstable.
    pub fn new(scene: &Scene, settings: SteppingSettings) -> Result<SteppingEngine, Error> {
        let states = scene.initial_states();
        let mut engine = SteppingEngine::begin(scene, settings, &states)?;
        stability::check(&engine.scene, &engine.crowd.inertias, &states, settings.step)?;
        engine.near.renew(&engine.crowd, 0.0, engine.scene.is_planar());
        let touching = EventSettings::default().touching_distance(&engine.scene);
        depth::check_start(&engine.scene, &engine.crowd, &engine.near, touching)?;
        engine.near.valid = false;
        engine.start = engine.ledger().total();
        Ok(engine)
    }

    fn begin(scene: &Scene, settings: SteppingSettings, states: &[State]) -> Result<SteppingEngine, Error> {
        settings.check()?;
        let scene = SceneInTime::new(scene);
        let crowd = Crowd::new(&scene, states);
        let plain = scene.world.iter().all(|part| matches!(part.core, Core::HalfSpace { .. }))
            && scene.joints.is_empty()
            && scene.strings.is_empty()
            && crowd.round.iter().zip(&scene.bodies).all(|(round, body)| *round || body.parts.is_empty());
        Ok(SteppingEngine {
            near: Near::new(Filter::of(&scene)),
            rounds: Rounds::new(&scene, &crowd),
            shapes: Shapes::new(&scene),
            shaped: !plain,
            islands: Islands::default(),
            solver: Solver::default(),
            workers: Workers(settings.threads),
            displacement: Displacement::default(),
            lowering: Lowering::default(),
            table: Table::new(&scene),
            depths: Depths::new(&scene),
            reserve: Reserve::of(&scene, &crowd.inertias),
            speeds: Vec::new(),
            time: 0.0,
            crowd,
            supplied: 0.0,
            friction: 0.0,
            impacts: 0.0,
            start: 0.0,
            report: SteppingReport::default(),
            scene,
            settings,
        })
    }

    /// All that is needed to go on from here. Taking it changes nothing, and a run that is resumed from it has the same bits as one that is
    /// not interrupted.
    pub fn checkpoint(&self) -> Checkpoint {
        Checkpoint {
            time: self.time,
            states: self.states(),
            energies: [self.supplied, self.friction, self.impacts, self.start],
            turned: self.scene.turned().to_vec(),
            engine: EngineState::Stepping(snapshot::taken(self)),
        }
    }

    /// Goes on from a checkpoint of this scene.
    pub fn resume(scene: &Scene, settings: SteppingSettings, from: &Checkpoint) -> Result<SteppingEngine, Error> {
        from.check(scene.bodies.len(), scene.joints.len())?;
        let EngineState::Stepping(state) = &from.engine else {
            return Err(Error::Unsuitable {
                what: "a checkpoint of the event engine",
                expected: "one of the stepping engine",
            });
        };
        state.check(scene.bodies.len())?;
        let mut engine = SteppingEngine::begin(scene, settings, &from.states)?;
        engine.time = from.time;
        [engine.supplied, engine.friction, engine.impacts, engine.start] = from.energies;
        engine.scene.turn_joints(&from.turned);
        snapshot::restore(&mut engine, state)?;
        Ok(engine)
    }

    /// The time it has come to, s.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The states of all bodies now.
    pub fn states(&self) -> Vec<State> {
        self.crowd.states()
    }

    /// How exactly it works.
    pub fn settings(&self) -> SteppingSettings {
        self.settings
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// What the solver did.
    pub fn report(&self) -> SteppingReport {
        self.report
    }

    /// Where the energy is now, and where it went. Its residual is what loads, joints and uneven turning miss by the length of steps,
    /// and rounding.
    pub fn ledger(&self) -> Ledger {
        let states = self.states();
        Ledger {
            kinetic: self.crowd.kinetic(&states),
            potential: loads::potential(&self.scene, &states),
            supplied: self.supplied,
            friction: self.friction,
            impacts: self.impacts,
            start: self.start,
        }
    }

    /// Goes on to a time, in steps that end at multiples of the set length, and a shorter one if the time is none of them. Stops
    /// after a step with impacts if events are asked for, and reports them as one. Refuses a time before the present one, and one that is
    /// not finite.
    pub fn advance(&mut self, until: f64) -> Result<Option<Event>, Failure> {
        self.check_time(until)?;
        while self.is_before(until) {
            let event = self.step(until)?;
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }

    /// Whether a step leads from here to a time: what is nearer than rounding is here.
    pub fn is_before(&self, time: f64) -> bool {
        time - self.time > NO_STEP * self.settings.step
    }

    /// Refuses times that no steps lead to. Rounding of the times of steps is not the past.
    fn check_time(&self, until: f64) -> Result<(), Failure> {
        if until.is_finite() && until >= self.time - NO_STEP * self.settings.step {
            Ok(())
        } else {
            Err(Failure::Time { time: self.time, until })
        }
    }

    /// Takes one step, to the next multiple of the set length, or to `until` if that comes first. Reports its impacts as
    /// [`advance`](SteppingEngine::advance) does.
    pub fn step(&mut self, until: f64) -> Result<Option<Event>, Failure> {
        self.check_time(until)?;
        if !self.is_before(until) {
            return Ok(None);
        }
        let step = self.settings.step;
        let next = step * ((self.time / step + NO_STEP).floor() + 1.0);
        let next = if until - next <= NO_STEP * step { until } else { next };
        let length = next - self.time;
        // Multiples are rounded, the step is not.
        let event = self.step_by(if (length - step).abs() <= NO_STEP * step { step } else { length })?;
        self.time = next;
        Ok(event)
    }

    fn step_by(&mut self, step: f64) -> Result<Option<Event>, Failure> {
        let planar = self.scene.is_planar();
        let pull = self.scene.gravity.norm() * step;
        let rules = Rules { step, rest: self.settings.rest.max(REST_STEPS * pull), planar };
        let count = self.crowd.len();
        let fastest = self.crowd.fastest();
        self.near.renew(&self.crowd, (fastest + pull) * step, planar);
        self.supplied += self.crowd.kick(&self.scene, self.time, step);
        self.check_numbers()?;
        self.islands.reset(count);
        self.displacement.reset(count);
        self.rounds.find(&self.crowd, &mut self.near, &mut self.islands, step, pull);
        if self.shaped {
            let (scene, crowd, table) = (&self.scene, &self.crowd, &self.table);
            let making = Making { scene, crowd, table, rules: &rules, ways: &self.rounds.ways };
            self.shapes.make(&making, &self.near, self.workers);
            problem::join(&mut self.shapes, &mut self.islands, count);
            self.shapes.rebounds_by(&mut self.islands, count, |root, e| self.displacement.rebound(root, e));
        }
        let displacement = &mut self.displacement;
        let rebound = |root: usize, e: f64| displacement.rebound(root, e);
        self.rounds.build(&self.crowd, &self.near, &mut self.islands, &self.table, &rules, rebound);
        self.rounds.loosen(&mut self.islands, &self.displacement.restitution);
        self.shapes.loosen(&self.crowd.before, &mut self.islands, &self.displacement.restitution);
        let goal = self.settings.goal(self.scene.gravity.norm(), step);
        self.depths.heed_speed(self.crowd.fastest_point(&self.crowd.before), self.instant());
        let contacts = (&self.rounds, &self.shapes);
        let overlap = self.depths.look(contacts, &mut self.islands, count, self.time);
        self.heed(overlap);
        self.crowd.fastest_in(&mut self.islands, &mut self.speeds);
        let losses = self.solve(step, goal);
        self.check_energy(step)?;
        self.report.steps += 1;
        self.report.overlap = self.rounds.overlap.max(self.shapes.overlap);
        self.report.deepest = self.report.deepest.max(self.report.overlap);
        let event = if self.settings.events { report::impacts(self) } else { None };
        self.friction += losses.friction;
        self.impacts += losses.impacts;
        let travels = self.displacement.travels(&self.crowd, &mut self.islands, &self.shapes, step);
        let way = self.displacement.run(&mut self.crowd, &mut self.islands, step);
        let passed = self.depths.passed(&self.crowd, (&self.rounds, &self.shapes), self.time, |block| travels[block]);
        self.heed(passed);
        let closed = self.close_joints();
        if !self.scene.joints.is_empty() {
            self.scene.follow_joints(&self.crowd.states());
        }
        self.near.travelled(way + closed);
        self.rounds.remember(&mut self.near);
        self.shapes.remember();
        self.check_numbers()?;
        let lost = losses.friction + losses.impacts;
        Ok(event.map(|mut event| {
            event.energy[1] = event.energy[0] - lost;
            event
        }))
    }

    /// Refuses places and velocities that are no numbers.
    fn check_numbers(&self) -> Result<(), Failure> {
        if self.crowd.is_finite() { Ok(()) } else { Err(Failure::Motion { time: self.time }) }
    }

    /// Refuses a motion that has run away, at the end of a step: only loads that answer to the motion give it energy without limit.
    fn check_energy(&self, step: f64) -> Result<(), Failure> {
        let kinetic = || self.crowd.kinetic(&self.crowd.states());
        let allowed = self.scene.loads.is_empty() || self.reserve.allows(kinetic(), self.time + step);
        if allowed { Ok(()) } else { Err(Failure::Motion { time: self.time }) }
    }

    /// Measures overlap where bodies are now and takes it into the [report](SteppingEngine::report), which has that of the starts of steps
    /// otherwise: for the end of a run. Changes nothing else.
    pub fn measure_overlap(&mut self) {
        let mut near = Near::new(Filter::of(&self.scene));
        near.renew(&self.crowd, 0.0, self.scene.is_planar());
        self.depths.heed_speed(self.crowd.fastest_point(&self.crowd.bodies), self.instant());
        let insides: Vec<Inside> = depth::insides(&self.scene, &self.crowd, &near).collect();
        self.report.overlap = insides.iter().map(|inside| inside.depth).fold(0.0, f64::max);
        self.report.deepest = self.report.deepest.max(self.report.overlap);
        let worst = self.depths.worst(insides.into_iter(), self.time);
        self.heed(worst);
    }

    /// Now, and how exactly steps of full length are solved.
    fn instant(&self) -> Instant {
        let step = self.settings.step;
        Instant { time: self.time, step, goal: self.settings.goal(self.scene.gravity.norm(), step) }
    }

    /// Remembers an overlap if it is the worst so far.
    fn heed(&mut self, overlap: Option<Overlap>) {
        if let Some(overlap) = overlap
            && self.report.worst_overlap.is_none_or(|worst| overlap.share() > worst.share())
        {
            self.report.worst_overlap = Some(overlap);
        }
    }

    /// Finds the velocities after the step, with as much restitution as creates no energy.
    fn solve(&mut self, step: f64, goal: Goal) -> Losses {
        self.lowering.reset(self.crowd.len());
        let mut again = false;
        loop {
            let mut problem = Problem {
                scene: &self.scene,
                crowd: &mut self.crowd,
                rounds: &mut self.rounds,
                shapes: &mut self.shapes,
                islands: &mut self.islands,
                workers: self.workers,
                sunk: &self.depths.sunk,
                speeds: &self.speeds,
            };
            let only = again.then_some(&self.lowering.tried[..]);
            self.solver.solve(&mut problem, goal, only, &mut self.report);
            let contacts = (&self.rounds, &self.shapes);
            let losses = self.displacement.weigh(&self.scene, &self.crowd, &mut self.islands, contacts, step);
            self.displacement.heed_unsolved(&self.solver.unsolved);
            if !self.lowering.next(&self.displacement.gaining) {
                self.report.unconverged += usize::from(self.solver.left.contains(&true));
                self.report.lowered += usize::from(self.lowering.least().is_some());
                return losses;
            }
            let (restitution, ratios) = (&self.displacement.restitution, &self.lowering.ratios);
            self.rounds.lower(&mut self.islands, restitution, ratios);
            self.shapes.lower(&self.crowd.before, &mut self.islands, restitution, ratios);
            self.displacement.lower(&self.lowering.ratios);
            again = true;
        }
    }

    /// Takes back what opened at joints, along the directions in which they push. Tells the farthest way of a body.
    fn close_joints(&mut self) -> f64 {
        let mut way = 0.0_f64;
        for _ in 0..CLOSINGS {
            for joint in &self.scene.joints {
                let sides = [joint.a.index(), joint.b.index()]
                    .map(|body| body.map_or_else(State::world, |body| self.crowd.state(body)));
                let lines = joint.rows(sides[0], sides[1]);
                let lines = lines.map(|row| Line::new(&row, &self.crowd.bodies, &self.crowd.inverses)).collect();
                let lock = Lock::new(lines, &self.crowd.before, nalgebra::SVector::zeros());
                let mut open = nalgebra::SVector::<f64, 6>::zeros();
                for (k, error) in joint.errors(sides[0], sides[1]).enumerate() {
                    open[k] = error;
                }
                let push = lock.removing(&open);
                for (line, push) in lock.lines.iter().zip(push.iter()) {
                    for (body, by, angle) in line.displacement(*push) {
                        if body < self.crowd.len() {
                            way = way.max(by.norm());
                            self.crowd.displace(body, by.into(), &angle);
                        }
                    }
                }
            }
        }
        way
    }
}
