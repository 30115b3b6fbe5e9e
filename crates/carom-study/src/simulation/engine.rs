//! The engines behind one face.

use super::json::number;
use super::run::Frame;
use crate::scenario::{Clash, Engine, ScenarioError, SimulationScenario, takes};
use crate::unused::unused_parameter;
use carom::Error;
use carom::format::Digits;
use carom::laws::{self, Parameter};
use carom::sim::{
    Advance, BodyId, Checkpoint, EventEngine, EventSettings, Failure, Ledger, MaterialId, Overlap, State,
    SteppingEngine, SteppingSettings,
};
use serde_json::{Value, json};

/// A scene on its way through time, by one of the engines.
#[derive(Clone, Debug)]
pub(super) enum AnyEngine {
    /// Event by event.
    Event(Box<EventEngine>),
    /// In equal steps.
    Stepping(Box<Stepping>),
}

/// The work of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Steps of integration, or of fixed length.
    pub steps: usize,
    /// Evaluations of the equations of motion by the event engine.
    pub evaluations: usize,
    /// Sweeps over contacts by the stepping engine, each weighted by its share of the contacts.
    pub sweeps: f64,
}

/// The stepping engine with the end of its run.
#[derive(Clone, Debug)]
pub(super) struct Stepping {
    engine: SteppingEngine,
    /// Steps end here at the latest, s.
    duration: f64,
}

impl Stepping {
    /// Steps on until a time is reached or passed, an impact happens, or some work is done. The times that are asked for change no
    /// step.
    fn advance(&mut self, until: f64) -> Result<Advance, Failure> {
        for _ in 0..WORK {
            if !self.engine.is_before(until) {
                return Ok(Advance::Arrived);
            }
            if let Some(event) = self.engine.step(self.duration)? {
                return Ok(Advance::Event(event));
            }
        }
        Ok(Advance::Paused)
    }
}

/// Steps, or instants at which something happens, after which a run reports how far it came: few enough to take milliseconds in small
/// scenes, and less than a second in most large ones.
const WORK: usize = 16;

/// Why a scene cannot be simulated: the scene, or the checkpoint, does not fit the engine; or too much is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotStart {
    words: String,
    clash: Option<Box<Clash>>,
}

impl std::fmt::Display for CannotStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.words)
    }
}

impl std::error::Error for CannotStart {}

impl CannotStart {
    /// The error with the names of the scenario.
    pub(super) fn new(error: &Error, scenario: &SimulationScenario) -> CannotStart {
        let words = match error {
            Error::Overlap { bodies, parts, depth } => {
                let [(a, first), (b, second)] = [0, 1].map(|side| match bodies[side] {
                    Some(body) => (&scenario.body_names[body], scenario.body_spans.get(body)),
                    None => (&scenario.world_names[parts[side]], scenario.world_spans.get(parts[side])),
                });
                let message = format!("`{a}` starts {depth:.3e} m deep inside `{b}`");
                let expected = "expected that they touch at most".to_owned();
                let words = format!("{message}; {expected}");
                let second = second.map(|span| (span.clone(), format!("`{b}` is this one")));
                let clash = first.map(|first| Box::new(Clash { first: first.clone(), second, message, expected }));
                return CannotStart { words, clash };
            }
            Error::Rebound { what, place, law, restitution } => {
                let names = if *what == "string" { &scenario.string_names } else { &scenario.joint_names };
                let taken = scenario.law.parameters.iter().find(|parameter| parameter.key == "restitution");
                let range = taken.map(Parameter::range).unwrap_or_default();
                let given = restitution.map_or_else(|| "no `restitution`".to_owned(), |e| format!("`restitution` {e}"));
                let robots = if *what == "joint" { " or `[[urdf.joint]]`" } else { "" };
                format!(
                    "the {what} `{}` has {given}, which law `{law}` does not take; expected {range} in its `[[{what}]]`{robots}",
                    names[*place]
                )
            }
            Error::Unresolved { body, size, touching, largest, farthest } => {
                let [size, touching, largest, farthest] = [size, touching, largest, farthest].map(|x| Digits(*x));
                format!(
                    "`{}` has a part of {size} m, but parts touch within {touching} m in this scene: bodies reach {largest} m from \
                     their centres, and start up to {farthest} m from the origin; expected sizes and places of one order",
                    scenario.body_names[*body]
                )
            }
            Error::MissingParameter { law, key } => {
                let homes = ["[law]", "[[material]]"].into_iter().filter(|header| takes(header, key));
                let homes: Vec<String> = homes.map(|header| format!("`{header}`")).collect();
                format!("law `{law}` needs `{key}`; expected `{key}` in {}", homes.join(" or in every "))
            }
            other => other.to_string(),
        };
        CannotStart { words, clash: None }
    }

    /// It asks for more than can be done.
    pub(super) fn too_much(words: String) -> CannotStart {
        CannotStart { words, clash: None }
    }

    /// The same with its place in the file of the scenario, where it has one.
    pub fn in_file(&self, file: &str, text: &str) -> Option<ScenarioError> {
        self.clash.as_ref().map(|clash| ScenarioError::of_tables(file, text, clash))
    }
}

/// The settings of the event engine that a scenario asks for.
fn event_settings(scenario: &SimulationScenario) -> EventSettings {
    let default = EventSettings::default();
    EventSettings {
        tolerance: scenario.settings.tolerance.unwrap_or(default.tolerance),
        lowers_restitution: scenario.lowers_restitution,
        ..default
    }
}

/// How near parts are that touch, m.
pub(crate) fn touching_distance(scenario: &SimulationScenario) -> f64 {
    event_settings(scenario).touching_distance(&scenario.scene)
}

/// Settings of the stepping engine. Events are recorded: a run reports them.
pub(super) fn stepping_settings(scenario: &SimulationScenario) -> SteppingSettings {
    let default = SteppingSettings::default();
    let (step, threads) = (scenario.settings.step.unwrap_or(default.step), scenario.settings.threads);
    SteppingSettings { step, threads, events: true, ..default }
}

/// The law of the contact problem that a step solves: Moreau's.
const LAW_OF_STEPS: &str = "newton-lcp";

/// The id of the law that resolves impacts: that of the scene, or the only one that the engine knows.
pub fn applied_law(scenario: &SimulationScenario) -> &'static str {
    match scenario.settings.engine {
        Engine::Event => scenario.law.id,
        Engine::Stepping => LAW_OF_STEPS,
    }
}

/// The law that resolves impacts, for people and checkpoints: whether it is the default as well, which lowers restitution where energy
/// would rise.
pub fn law_label(scenario: &SimulationScenario) -> String {
    let law = applied_law(scenario);
    if is_default_law(scenario) { format!("{law} (default)") } else { law.to_owned() }
}

/// Whether no law was named: the default lowers restitution where energy would rise.
pub fn is_default_law(scenario: &SimulationScenario) -> bool {
    scenario.lowers_restitution
}

/// Whether restitution is lowered where energy would rise: by the default law, and in steps.
pub(super) fn lowers_restitution(scenario: &SimulationScenario) -> bool {
    is_default_law(scenario) || scenario.settings.engine == Engine::Stepping
}

/// Notes on simplifications and unused input: of the reader, the law and the engine.
pub fn remarks(scenario: &SimulationScenario) -> Vec<String> {
    let mut remarks = scenario.remarks.clone();
    // A replay knows those of its run already.
    for remark in remarks_of_law(scenario).into_iter().chain(remarks_of_engine(scenario)) {
        if !remarks.contains(&remark) {
            remarks.push(remark);
        }
    }
    remarks
}

/// Parameters that the law does not use, and the restitution of strings and limits where the law does not take 0.
fn remarks_of_law(scenario: &SimulationScenario) -> Vec<String> {
    let Ok(law) = laws::find(applied_law(scenario)) else { return Vec::new() };
    let mut remarks: Vec<String> =
        scenario.given_parameters.iter().filter_map(|key| unused_parameter(law, key)).collect();
    let scene = &scenario.scene;
    let limits = scene.joints().iter().any(|joint| joint.limits().is_some() && joint.restitution().is_none());
    let strings = scene.strings().iter().any(|string| string.restitution.is_none());
    if scenario.settings.engine == Engine::Event
        && (limits || strings)
        && let Some(restitution) = scene.link_restitution(scenario.law).filter(|restitution| *restitution > 0.0)
    {
        let what = match (limits, strings) {
            (true, true) => "strings and limits of joints",
            (true, false) => "limits of joints",
            _ => "strings",
        };
        remarks.push(format!(
            "{what} have restitution {restitution}, the least of the materials: law {} does not take 0",
            law.id
        ));
    }
    remarks
}

fn remarks_of_engine(scenario: &SimulationScenario) -> Vec<String> {
    let mut remarks = Vec::new();
    let asked = scenario.law.id;
    if applied_law(scenario) != asked {
        remarks.push(format!("the engine in steps resolves impacts by {LAW_OF_STEPS}, not by {asked}"));
    }
    if scenario.settings.engine == Engine::Stepping {
        let names = &scenario.material_names;
        let pairs = (0..names.len()).flat_map(|a| (a..names.len()).map(move |b| (a, b)));
        let differ = pairs.filter(|(a, b)| {
            let [sticking, slipping] = scenario.scene.materials().friction(MaterialId::new(*a), MaterialId::new(*b));
            sticking != slipping
        });
        remarks.extend(differ.map(|(a, b)| {
            let pair = if a == b { names[a].clone() } else { format!("{} on {}", names[a], names[b]) };
            format!("the engine in steps uses kinetic friction for static friction as well: {pair}")
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
        let (scene, law) = (&scenario.scene, scenario.law);
        match scenario.settings.engine {
            Engine::Event => {
                let settings = event_settings(scenario);
                let engine = match from {
                    Some(checkpoint) => EventEngine::resume(scene, law, settings, checkpoint)?,
                    None => EventEngine::new(scene, law, settings)?,
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

    /// Goes on to a time, to the next event before, or until some work is done; the engine in steps may come farther.
    pub(super) fn advance(&mut self, until: f64) -> Result<Advance, Failure> {
        match self {
            AnyEngine::Event(engine) => engine.advance_some(until, WORK),
            AnyEngine::Stepping(stepping) => stepping.advance(until),
        }
    }

    /// The bodies of the contacts that persist now; the engine in steps does not say.
    pub(super) fn contacts(&self) -> Vec<[Option<BodyId>; 2]> {
        match self {
            AnyEngine::Event(engine) => engine.contacts().map(|(bodies, _)| bodies).collect(),
            AnyEngine::Stepping(_) => Vec::new(),
        }
    }

    /// The time in which something crosses the scene, s; nothing where steps do not depend on it.
    pub(super) fn crossing_time(&self) -> Option<f64> {
        match self {
            AnyEngine::Event(engine) => Some(engine.crossing_time()),
            AnyEngine::Stepping(_) => None,
        }
    }

    /// The states now.
    pub(super) fn states(&self) -> Vec<State> {
        match self {
            AnyEngine::Event(engine) => engine.states(),
            AnyEngine::Stepping(stepping) => stepping.engine.states(),
        }
    }

    /// The frame at this time. The stepping engine gives the end of a step instead: it has no states between, and a mean of velocities
    /// before and after an impact is not the velocity of any body.
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

    /// The work done since the start or the last resume.
    pub(super) fn effort(&self) -> Effort {
        match self {
            AnyEngine::Event(engine) => {
                let report = engine.report();
                Effort { steps: report.steps, evaluations: report.evaluations, sweeps: 0.0 }
            }
            AnyEngine::Stepping(stepping) => {
                let report = stepping.engine.report();
                Effort { steps: report.steps, evaluations: 0, sweeps: report.sweeps }
            }
        }
    }

    /// Measures overlap where bodies are now as at the start of every step: no step starts at the end of a run.
    pub(super) fn measure_overlap(&mut self) {
        if let AnyEngine::Stepping(stepping) = self {
            stepping.engine.measure_overlap();
        }
    }

    pub(super) fn time(&self) -> f64 {
        match self {
            AnyEngine::Event(engine) => engine.time(),
            AnyEngine::Stepping(stepping) => stepping.engine.time(),
        }
    }

    /// How far its steps have come, s.
    pub(super) fn reached(&self) -> f64 {
        match self {
            AnyEngine::Event(engine) => engine.reached(),
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

/// The stepping engine on a scene that the event engine works on, to see how long its steps take.
#[derive(Clone, Debug)]
pub struct SteppingTrial {
    engine: SteppingEngine,
    duration: f64,
    /// Steps in the whole duration.
    pub steps: f64,
}

impl SteppingTrial {
    /// From the states that a run has come to; nothing where steps cannot do the scene.
    pub(super) fn new(scenario: &SimulationScenario, states: &[State]) -> Option<SteppingTrial> {
        let settings = SteppingSettings { events: false, ..stepping_settings(scenario) };
        let duration = scenario.settings.duration;
        // Where the other engine lets bodies touch deeper than steps may start with, from the start of the scene.
        let engine = scenario
            .scene
            .starting_at(states)
            .and_then(|scene| SteppingEngine::new(&scene, settings))
            .or_else(|_| SteppingEngine::new(&scenario.scene, settings))
            .ok()?;
        Some(SteppingTrial { engine, duration, steps: (duration / settings.step).ceil() })
    }

    /// One step. Whether it could be done.
    pub fn step(&mut self) -> bool {
        self.engine.step(self.duration).is_ok()
    }
}

/// The settings of the engine of a scenario that the motion depends on, as JSON.
pub(super) fn settings_used(scenario: &SimulationScenario) -> Value {
    match scenario.settings.engine {
        Engine::Event => json!(event_settings(scenario)),
        Engine::Stepping => {
            let SteppingSettings { step, tolerance, most_sweeps, rest, .. } = stepping_settings(scenario);
            json!({
                "step": number(step), "tolerance": number(tolerance), "most_sweeps": most_sweeps, "rest": number(rest),
                "overlap_bound": number(Overlap::BOUND),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    /// Events without end leave bodies deeper in each other than steps may start with; the trial of the steps then begins with the scene.
    #[test]
    fn steps_are_tried_where_they_could_not_start() {
        let text = "
            [simulation]
            duration = 1.0
            [[material]]
            name = 'wood'
            restitution = 0.5
            friction = 0.2
            [[wall]]
            point = [0.0, 0.0]
            normal = [0.0, 1.0]
            [[body]]
            name = 'ball'
            mass = 1.0
            shape = { disk = { radius = 0.1 } }
            position = [0.0, 0.1]
        ";
        let scenario = SimulationScenario::parse("ball.toml", text).unwrap();
        let mut states: Vec<State> = scenario.scene.initial_states();
        states[0].pose.position.y -= 1e-3;
        assert!(SteppingTrial::new(&scenario, &states).unwrap().step());
    }
}
