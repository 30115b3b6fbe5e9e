//! The engines behind one face.

use super::run::Frame;
use crate::scenario::{Engine, SimulationScenario};
use carom::Error;
use carom::laws::Parameter;
use carom::sim::{
    Checkpoint, Event, EventEngine, EventSettings, Failure, Ledger, OVERLAP_BOUND, Overlap, State, SteppingEngine,
    SteppingSettings,
};

/// A scene on its way through time, by one of the engines.
#[derive(Clone, Debug)]
pub(super) enum AnyEngine {
    /// Event by event.
    Event(Box<EventEngine>),
    /// In equal steps.
    Stepping(Box<Stepping>),
}

/// The stepping engine with the end of its run.
#[derive(Clone, Debug)]
pub(super) struct Stepping {
    engine: SteppingEngine,
    /// Steps end here at the latest, s.
    duration: f64,
}

impl Stepping {
    /// Steps on until a time is reached or passed, or an impact happens. The times that are asked for change no step.
    fn advance(&mut self, until: f64) -> Result<Option<Event>, Failure> {
        while self.engine.is_before(until) {
            let event = self.engine.step(self.duration)?;
            if event.is_some() {
                return Ok(event);
            }
        }
        Ok(None)
    }
}

/// Why a scene cannot be simulated: the scene, or the checkpoint, does not fit the engine; or too much is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotStart(String);

impl std::fmt::Display for CannotStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotStart {}

impl CannotStart {
    /// The error with the names of the scenario.
    pub(super) fn new(error: &Error, scenario: &SimulationScenario) -> CannotStart {
        CannotStart(match error {
            Error::Overlap { bodies, parts, depth } => {
                let name = |side: usize| match bodies[side] {
                    Some(body) => &scenario.body_names[body],
                    None => &scenario.world_names[parts[side]],
                };
                let [a, b] = [0, 1].map(name);
                format!("`{a}` starts {depth:.3e} m deep inside `{b}`; expected that they touch at most")
            }
            Error::Rebound { what, place, law, restitution } => {
                let names = if *what == "string" { &scenario.string_names } else { &scenario.joint_names };
                let taken = scenario.scene.law.parameters.iter().find(|parameter| parameter.key == "restitution");
                let range = taken.map(Parameter::range).unwrap_or_default();
                format!(
                    "the {what} `{}` has `restitution` {restitution}, which law `{law}` does not take; expected {range}",
                    names[*place]
                )
            }
            other => other.to_string(),
        })
    }

    /// It asks for more than can be done.
    pub(super) fn too_much(words: String) -> CannotStart {
        CannotStart(words)
    }
}

/// The settings of the event engine that a scenario asks for.
fn event_settings(scenario: &SimulationScenario) -> EventSettings {
    let default = EventSettings::default();
    EventSettings { tolerance: scenario.settings.tolerance.unwrap_or(default.tolerance), ..default }
}

/// How near parts are that touch, m.
pub(crate) fn touching_distance(scenario: &SimulationScenario) -> f64 {
    event_settings(scenario).touching_distance(&scenario.scene)
}

/// Those of the stepping engine. Its events are wanted: they are what a run tells.
fn stepping_settings(scenario: &SimulationScenario) -> SteppingSettings {
    let default = SteppingSettings::default();
    let (step, threads) = (scenario.settings.step.unwrap_or(default.step), scenario.settings.threads);
    SteppingSettings { step, threads, events: true, ..default }
}

/// The law of the contact problem that a step solves: Moreau's.
const LAW_OF_STEPS: &str = "newton-lcp";

/// The id of the law that resolves impacts: that of the scene, or the only one that the engine knows.
pub fn applied_law(scenario: &SimulationScenario) -> &'static str {
    match scenario.settings.engine {
        Engine::Event => scenario.scene.law.id,
        Engine::Stepping => LAW_OF_STEPS,
    }
}

/// What was simplified or left out: in reading the scenario, and by its engine.
pub fn remarks(scenario: &SimulationScenario) -> Vec<String> {
    let mut remarks = scenario.remarks.clone();
    let asked = scenario.scene.law.id;
    if applied_law(scenario) != asked {
        remarks.push(format!("the engine in steps resolves impacts by {LAW_OF_STEPS}, not by {asked}"));
    }
    if scenario.settings.engine == Engine::Stepping {
        let names = &scenario.material_names;
        let pairs = (0..names.len()).flat_map(|a| (a..names.len()).map(move |b| (a, b)));
        let differ = pairs.filter(|(a, b)| {
            let [sticking, slipping] = scenario.scene.materials.friction(*a, *b);
            sticking != slipping
        });
        remarks.extend(differ.map(|(a, b)| {
            let pair = if a == b { names[a].clone() } else { format!("{} on {}", names[a], names[b]) };
            format!("the engine in steps takes kinetic friction for static, too: {pair}")
        }));
    }
    remarks
}

impl AnyEngine {
    /// Starts the scene of a scenario by the engine it names, or goes on from a checkpoint.
    pub(super) fn new(scenario: &SimulationScenario, from: Option<&Checkpoint>) -> Result<AnyEngine, CannotStart> {
        AnyEngine::start(scenario, from).map_err(|error| CannotStart::new(&error, scenario))
    }

    fn start(scenario: &SimulationScenario, from: Option<&Checkpoint>) -> Result<AnyEngine, Error> {
        let scene = scenario.scene.clone();
        match scenario.settings.engine {
            Engine::Event => {
                let settings = event_settings(scenario);
                let engine = match from {
                    Some(checkpoint) => EventEngine::resume(scene, settings, checkpoint)?,
                    None => EventEngine::new(scene, settings)?,
                };
                Ok(AnyEngine::Event(Box::new(engine)))
            }
            Engine::Stepping => {
                let settings = stepping_settings(scenario);
                let engine = match from {
                    Some(checkpoint) => SteppingEngine::resume(scene, settings, checkpoint)?,
                    None => SteppingEngine::new(scene, settings)?,
                };
                let duration = scenario.settings.duration;
                Ok(AnyEngine::Stepping(Box::new(Stepping { engine, duration })))
            }
        }
    }

    /// Goes on to a time, or to the next event before; the engine in steps may come farther.
    pub(super) fn advance(&mut self, until: f64) -> Result<Option<Event>, Failure> {
        match self {
            AnyEngine::Event(engine) => engine.advance(until),
            AnyEngine::Stepping(stepping) => stepping.advance(until),
        }
    }

    /// The states now.
    pub(super) fn states(&self) -> Vec<State> {
        match self {
            AnyEngine::Event(engine) => engine.states(),
            AnyEngine::Stepping(stepping) => stepping.engine.states(),
        }
    }

    /// Everything now, when this time is asked for. The engine in steps tells its own time, the end of a step: between the ends it knows
    /// nothing, and a mixture of velocities before and after an impact is none that a body has.
    pub(super) fn frame(&self, time: f64) -> Frame {
        let time = match self {
            AnyEngine::Event(_) => time,
            AnyEngine::Stepping(stepping) => stepping.engine.time(),
        };
        Frame { time, states: self.states(), ledger: self.ledger() }
    }

    /// Whether a time is still to come.
    pub(super) fn is_before(&self, time: f64) -> bool {
        match self {
            AnyEngine::Event(engine) => engine.time() < time,
            AnyEngine::Stepping(stepping) => stepping.engine.is_before(time),
        }
    }

    pub(super) fn ledger(&self) -> Ledger {
        match self {
            AnyEngine::Event(engine) => engine.ledger(),
            AnyEngine::Stepping(stepping) => stepping.engine.ledger(),
        }
    }

    /// The deepest overlap that steps left so far, m, and the one that is the deepest compared with its bound.
    pub(super) fn overlap(&self) -> (f64, Option<Overlap>) {
        match self {
            AnyEngine::Event(_) => (0.0, None),
            AnyEngine::Stepping(stepping) => {
                let report = stepping.engine.report();
                (report.deepest, report.worst_overlap)
            }
        }
    }

    pub(super) fn time(&self) -> f64 {
        match self {
            AnyEngine::Event(engine) => engine.time(),
            AnyEngine::Stepping(stepping) => stepping.engine.time(),
        }
    }

    pub(super) fn checkpoint(&mut self) -> Result<Checkpoint, Error> {
        match self {
            AnyEngine::Event(engine) => engine.checkpoint(),
            AnyEngine::Stepping(stepping) => Ok(stepping.engine.checkpoint()),
        }
    }
}

/// How exactly the engine of a scenario works, by name.
pub(super) fn tolerances(scenario: &SimulationScenario) -> Vec<(&'static str, f64)> {
    let settings = event_settings(scenario);
    match scenario.settings.engine {
        Engine::Event => {
            vec![("tolerance", settings.tolerance), ("touch", settings.touch), ("rest", settings.rest)]
        }
        Engine::Stepping => {
            let settings = stepping_settings(scenario);
            vec![("step", settings.step), ("tolerance", settings.tolerance), ("overlap_bound", OVERLAP_BOUND)]
        }
    }
}
