//! A scene from its start to its end: states at equal intervals, and every event between them.

use super::checkpoint::CheckpointFile;
use super::engine::{AnyEngine, CannotStart, Effort, SteppingTrial};
use super::extent::Extent;
use super::mode::{gain, penetrates};
use crate::scenario::SimulationScenario;
use carom::Error;
use carom::sim::{Advance, BodyId, Checkpoint, Event, EventKind, Failure, Ledger, Overlap, State};
use serde::{Deserialize, Serialize};

/// Everything at an instant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// s.
    pub time: f64,
    /// Of all bodies.
    pub states: Vec<State>,
    /// Where the energy is, and where it went.
    pub ledger: Ledger,
}

/// What has been computed of a scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// At equal intervals of time, the start and the end among them; in steps, at the first end of a step at or after each of these times.
    pub frames: Vec<Frame>,
    /// In the order of time.
    pub events: Vec<Event>,
    /// The energy residual of the largest size so far, J.
    pub worst_residual: f64,
    /// The deepest overlap that any step left, m; 0 where impacts are located.
    pub worst_overlap: f64,
    /// The overlap that is the deepest compared with its bound.
    pub overlap: Option<Overlap>,
    /// Why it ended early.
    pub failure: Option<Failure>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// At its duration.
    Finished,
    /// At its duration; impacts without end were completed at once on the way.
    ZenoCut,
    /// At its duration; friction stopped a slip by an impulse on the way.
    Painleve,
    /// At its duration; bodies were deeper inside each other than is acceptable.
    Overlapping,
    /// At its duration; the energy rose in some events on the way.
    GainsEnergy,
    /// At its duration; the solver left bodies approaching in some impacts on the way.
    Penetrates,
    /// Before its duration.
    Failed,
}

/// Energy that came from nowhere in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Created {
    /// Events in which the energy rose.
    pub events: usize,
    /// By how much in all, J.
    pub energy: f64,
}

impl Status {
    /// As files call it.
    pub fn word(self) -> &'static str {
        match self {
            Status::Finished => "finished",
            Status::ZenoCut => "zeno-cut",
            Status::Painleve => "painleve",
            Status::Overlapping => "overlapping",
            Status::GainsEnergy => "gains-energy",
            Status::Penetrates => "penetrates",
            Status::Failed => "failed",
        }
    }
}

/// Energies that are a smaller fraction of what is in store are rounding of it.
const ROUNDING: f64 = 1e-12;

impl Run {
    /// How it ended, or how it stands.
    pub fn status(&self, scenario: &SimulationScenario) -> Status {
        let any = |is: fn(&EventKind) -> bool| self.events.iter().any(|event| is(&event.kind));
        if self.failure.is_some() {
            Status::Failed
        } else if self.overlap.is_some_and(|overlap| overlap.is_excessive()) {
            Status::Overlapping
        } else if self.created(scenario).events > 0 {
            Status::GainsEnergy
        } else if self.penetrating(scenario) > 0 {
            Status::Penetrates
        } else if any(|kind| *kind == EventKind::Jam) {
            Status::Painleve
        } else if any(|kind| matches!(kind, EventKind::Accumulation { .. })) {
            Status::ZenoCut
        } else {
            Status::Finished
        }
    }

    /// The energy that events created.
    pub fn created(&self, scenario: &SimulationScenario) -> Created {
        let gains = self.events.iter().map(|event| gain(scenario, event)).filter(|gain| *gain != 0.0);
        gains.fold(Created::default(), |all, gain| Created { events: all.events + 1, energy: all.energy + gain })
    }

    /// Events after which bodies still approach each other at a contact.
    pub fn penetrating(&self, scenario: &SimulationScenario) -> usize {
        self.events.iter().filter(|event| penetrates(scenario, event)).count()
    }

    /// Impacts whose restitution was lowered so that they create no energy.
    pub fn lowered(&self) -> usize {
        self.events.iter().filter(|event| event.restitution_factor.is_some()).count()
    }

    /// The largest energy of the run, to which residuals compare: of motion, in store above the lowest, or put in; where nothing moves
    /// but by rounding, all that is in store.
    pub fn energy_scale(&self) -> f64 {
        let ledgers = || self.frames.iter().map(|frame| &frame.ledger);
        let lowest = ledgers().map(|ledger| ledger.potential).fold(f64::INFINITY, f64::min);
        let of = |ledger: &Ledger| ledger.kinetic.max(ledger.potential - lowest).max(ledger.supplied.abs());
        let moved = ledgers().map(of).fold(0.0, f64::max);
        let stored = ledgers().map(|ledger| ledger.potential.abs()).fold(0.0, f64::max);
        if moved > ROUNDING * stored { moved } else { stored }
    }

    /// The worst residual relative to the [scale](Run::energy_scale).
    pub fn relative_residual(&self) -> f64 {
        let scale = self.energy_scale();
        if scale > 0.0 { self.worst_residual.abs() / scale } else { 0.0 }
    }
}

/// What a step of a [`Runner`] brought.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// One more frame.
    Frame,
    /// One more event.
    Event,
    /// It is time to write a checkpoint: this one.
    Checkpoint(Box<Checkpoint>),
    /// Nothing yet; some work is done, and there is more to do.
    Paused,
    /// The end, or a failure.
    Done,
}

/// A run on its way.
#[derive(Clone, Debug)]
pub struct Runner {
    engine: AnyEngine,
    /// What has been computed so far.
    pub run: Run,
    /// s.
    pub duration: f64,
    /// Time between frames, s.
    pub interval: f64,
    /// Simulated time between checkpoints, s.
    pub checkpoint_every: Option<f64>,
    /// Whether the worst energy residual is looked for.
    pub(crate) watches_energy: bool,
    /// Checkpoints taken.
    pub checkpoints: usize,
    /// The number of the next frame, from 0, and of the last.
    pub next_frame: usize,
    last_frame: usize,
}

/// Frames of a scenario that does not say how many.
const FRAMES: f64 = 1000.0;

impl Runner {
    /// Starts a scenario. Checkpoints are taken at multiples of `checkpoint_every`, or at the ends of the steps they fall into. A run that is
    /// resumed from one has the same bits as one that is not interrupted. In steps they change nothing; the last bits of a run event by event
    /// depend on where they are.
    ///
    /// ```
    /// use carom_study::scenario::SimulationScenario;
    /// use carom_study::simulation::{Runner, Status, Step};
    ///
    /// let text = "
    ///     [simulation]
    ///     duration = 1.0
    ///     gravity = [0.0, -9.81]
    ///     [[body]]
    ///     name = 'ball'
    ///     mass = 1.0
    ///     shape = { disk = { radius = 0.1 } }
    ///     position = [0.0, 1.0]
    ///     [[wall]]
    ///     point = [0.0, 0.0]
    ///     normal = [0.0, 1.0]
    ///     [[material]]
    ///     name = 'rubber'
    ///     restitution = 0.8
    ///     friction = 0.5
    /// ";
    /// let scenario = SimulationScenario::parse("ball.toml", text).unwrap();
    /// let mut runner = Runner::new(&scenario, None).unwrap();
    /// while runner.step() != Step::Done {}
    /// assert_eq!((runner.run.frames.len(), runner.run.events.len()), (1001, 1));
    /// assert_eq!(runner.run.status(&scenario), Status::Finished);
    /// ```
    pub fn new(scenario: &SimulationScenario, checkpoint_every: Option<f64>) -> Result<Runner, CannotStart> {
        let duration = scenario.settings.duration;
        let interval = scenario.settings.interval.unwrap_or(duration / FRAMES).min(duration);
        Runner::with(scenario, Extent { duration, interval, checkpoint_every }, None, Run::default())
    }

    /// The same in the memory of another run, whose contents are forgotten.
    pub(crate) fn again(scenario: &SimulationScenario, memory: Run) -> Result<Runner, CannotStart> {
        let Run { mut frames, mut events, .. } = memory;
        frames.clear();
        events.clear();
        let mut runner = Runner::new(scenario, None)?;
        runner.run = Run { frames, events, ..Run::default() };
        Ok(runner)
    }

    /// Goes on from a checkpoint with what was computed before it.
    pub fn resume(scenario: &SimulationScenario, from: &CheckpointFile, run: Run) -> Result<Runner, CannotStart> {
        if run.frames.len() != from.frames || run.events.len() != from.events {
            let error = Error::WrongSize { what: "frames and events before a checkpoint" };
            return Err(CannotStart::new(&error, scenario));
        }
        let (worst_residual, worst_overlap) = (from.worst_residual, from.worst_overlap);
        let run = Run { worst_residual, worst_overlap, overlap: from.overlap, failure: None, ..run };
        let duration = scenario.settings.duration;
        let extent = Extent { duration, interval: from.interval, checkpoint_every: Some(from.every) };
        let mut runner = Runner::with(scenario, extent, Some(&from.checkpoint), run)?;
        (runner.checkpoints, runner.next_frame) = (from.number, from.next_frame);
        Ok(runner)
    }

    fn with(
        scenario: &SimulationScenario,
        extent: Extent,
        from: Option<&Checkpoint>,
        run: Run,
    ) -> Result<Runner, CannotStart> {
        extent.check(scenario).map_err(CannotStart::too_much)?;
        let engine = AnyEngine::new(scenario, from)?;
        extent.check_crossings(engine.crossing_time()).map_err(CannotStart::too_much)?;
        let Extent { duration, interval, checkpoint_every } = extent;
        // A last interval that is only rounding is none.
        let last_frame = (duration / interval * (1.0 - 1e-12)).ceil().max(1.0) as usize;
        let watches_energy = true;
        Ok(Runner {
            engine,
            run,
            duration,
            interval,
            checkpoint_every,
            watches_energy,
            checkpoints: 0,
            next_frame: 0,
            last_frame,
        })
    }

    /// The simulated time, s.
    pub fn time(&self) -> f64 {
        self.engine.time()
    }

    /// How far the engine's steps have come, s: the simulated time, or farther where an event before is still looked for.
    pub fn reached(&self) -> f64 {
        self.engine.reached()
    }

    /// The work of the engine since the start or the last resume.
    pub fn effort(&self) -> Effort {
        self.engine.effort()
    }

    /// Where the energy is now.
    pub fn ledger(&self) -> Ledger {
        self.engine.ledger()
    }

    /// The bodies of the contacts that persist now.
    pub fn contacts(&self) -> Vec<[Option<BodyId>; 2]> {
        self.engine.contacts()
    }

    /// The stepping engine at work on the same scene from here, to see how long it takes; nothing where it cannot do the scene.
    pub fn stepping_trial(&self, scenario: &SimulationScenario) -> Option<SteppingTrial> {
        SteppingTrial::new(scenario, &self.engine.states())
    }

    /// Goes on to the next frame, event or checkpoint; or pauses after some work, which changes no bit of the motion.
    pub fn step(&mut self) -> Step {
        if self.run.failure.is_some() || self.next_frame > self.last_frame {
            return Step::Done;
        }
        let frame = self.frame_time(self.next_frame);
        let checkpoint = self.checkpoint_every.map_or(f64::INFINITY, |every| every * (self.checkpoints + 1) as f64);
        match self.engine.advance(frame.min(checkpoint)) {
            Ok(Advance::Paused) => Step::Paused,
            Ok(Advance::Event(event)) => {
                self.run.events.push(event);
                if self.watches_energy {
                    self.watch_energy(&self.engine.ledger());
                }
                self.watch_overlap();
                Step::Event
            }
            // Steps end where they do: frames that the last one passed belong before a checkpoint at its end.
            Ok(Advance::Arrived) if frame <= checkpoint.max(self.engine.time()) => {
                if !self.engine.is_before(self.duration) {
                    self.engine.measure_overlap();
                }
                let frame = self.engine.frame(frame);
                self.watch_energy(&frame.ledger);
                self.watch_overlap();
                self.run.frames.push(frame);
                self.next_frame += 1;
                // A step may pass several.
                while self.next_frame <= self.last_frame && !self.engine.is_before(self.frame_time(self.next_frame)) {
                    self.next_frame += 1;
                }
                Step::Frame
            }
            Ok(Advance::Arrived) => {
                if let Ok(taken) = self.engine.checkpoint() {
                    self.watch_overlap();
                    self.checkpoints += 1;
                    return Step::Checkpoint(Box::new(taken));
                }
                self.run.failure = Some(Failure::Motion { time: self.time() });
                Step::Done
            }
            Err(failure) => {
                self.run.failure = Some(failure);
                self.keep_last();
                Step::Done
            }
        }
    }

    /// Keeps the states in which the engine gave up, if they are any.
    fn keep_last(&mut self) {
        let (time, states) = (self.engine.time(), self.engine.states());
        let finite = |state: &State| {
            let orientation = state.pose.orientation.coords;
            let vectors = [state.pose.position, state.velocity, state.angular_velocity];
            vectors.iter().flatten().chain(&orientation).all(|x| x.is_finite())
        };
        if states.iter().all(finite) && self.run.frames.last().is_none_or(|frame| frame.time < time) {
            let ledger = self.engine.ledger();
            self.engine.measure_overlap();
            self.watch_energy(&ledger);
            self.watch_overlap();
            self.run.frames.push(Frame { time, states, ledger });
        }
    }

    fn frame_time(&self, frame: usize) -> f64 {
        if frame >= self.last_frame { self.duration } else { self.interval * frame as f64 }
    }

    fn watch_energy(&mut self, ledger: &Ledger) {
        let residual = ledger.residual();
        if residual.abs() > self.run.worst_residual.abs() {
            self.run.worst_residual = residual;
        }
    }

    fn watch_overlap(&mut self) {
        let (deepest, overlap) = self.engine.overlap();
        self.run.worst_overlap = self.run.worst_overlap.max(deepest);
        if let Some(overlap) = overlap
            && self.run.overlap.is_none_or(|worst| overlap.share() > worst.share())
        {
            self.run.overlap = Some(overlap);
        }
    }
}
