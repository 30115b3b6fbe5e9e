//! The engines behind one face.

use crate::scenario::{Engine, SimulationScenario};
use carom::Error;
use carom::sim::{
    Checkpoint, Event, EventEngine, EventSettings, Failure, Ledger, State, SteppingEngine, SteppingSettings,
};

/// A scene on its way through time, by one of the engines.
#[derive(Clone, Debug)]
pub(super) enum AnyEngine {
    /// Event by event.
    Event(Box<EventEngine>),
    /// In equal steps.
    Stepping(Box<SteppingEngine>),
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
        let Error::Overlap { bodies, parts, depth } = error else { return CannotStart(error.to_string()) };
        let name = |side: usize| match bodies[side] {
            Some(body) => &scenario.body_names[body],
            None => &scenario.world_names[parts[side]],
        };
        let [a, b] = [0, 1].map(name);
        CannotStart(format!("`{a}` starts {depth:.3e} m deep inside `{b}`; expected that they touch at most"))
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

/// Those of the stepping engine. Its events are wanted: they are what a run tells.
fn stepping_settings(scenario: &SimulationScenario) -> SteppingSettings {
    let default = SteppingSettings::default();
    SteppingSettings { step: scenario.settings.step.unwrap_or(default.step), events: true, ..default }
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
                Ok(AnyEngine::Stepping(Box::new(engine)))
            }
        }
    }

    pub(super) fn advance(&mut self, until: f64) -> Result<Option<Event>, Failure> {
        match self {
            AnyEngine::Event(engine) => engine.advance(until),
            AnyEngine::Stepping(engine) => engine.advance(until),
        }
    }

    pub(super) fn states(&self) -> Vec<State> {
        match self {
            AnyEngine::Event(engine) => engine.states(),
            AnyEngine::Stepping(engine) => engine.states(),
        }
    }

    pub(super) fn ledger(&self) -> Ledger {
        match self {
            AnyEngine::Event(engine) => engine.ledger(),
            AnyEngine::Stepping(engine) => engine.ledger(),
        }
    }

    /// The deepest overlap that a step left, m.
    pub(super) fn overlap(&self) -> f64 {
        match self {
            AnyEngine::Event(_) => 0.0,
            AnyEngine::Stepping(engine) => engine.report().overlap,
        }
    }

    pub(super) fn time(&self) -> f64 {
        match self {
            AnyEngine::Event(engine) => engine.time(),
            AnyEngine::Stepping(engine) => engine.time(),
        }
    }

    pub(super) fn checkpoint(&mut self) -> Result<Checkpoint, Error> {
        match self {
            AnyEngine::Event(engine) => engine.checkpoint(),
            AnyEngine::Stepping(engine) => engine.checkpoint(),
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
            vec![("step", settings.step), ("tolerance", settings.tolerance)]
        }
    }
}
