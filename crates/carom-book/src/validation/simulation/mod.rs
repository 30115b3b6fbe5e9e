//! Scenes of the gallery through time beside solutions that share nothing with the engine: closed forms, conserved quantities,
//! integrations in other coordinates, and springs in place of impacts.

mod block;
mod many;
mod rodriguez;
mod single;

use super::Check;
use crate::root;
use carom::sim::{Event, EventEngine, EventKind, EventSettings, Ledger, State};
use carom_study::scenario::SimulationScenario;

const G: f64 = 9.81;

/// A scene that was followed.
struct Played {
    events: Vec<Event>,
    states: Vec<State>,
    ledger: Ledger,
}

impl Played {
    fn impacts(&self) -> Vec<&Event> {
        self.events.iter().filter(|event| event.kind == EventKind::Impact).collect()
    }
}

fn scenario(name: &str) -> Option<SimulationScenario> {
    SimulationScenario::read(root().join(format!("scenarios/{name}.toml"))).ok()
}

/// The event engine on a scenario, with its law.
fn engine(scenario: &SimulationScenario) -> Option<EventEngine> {
    let settings = EventSettings { lowers_restitution: scenario.lowers_restitution, ..EventSettings::default() };
    EventEngine::new(&scenario.scene, scenario.law, settings).ok()
}

fn play(scenario: &SimulationScenario, until: f64) -> Option<Played> {
    let mut engine = engine(scenario)?;
    let mut events = Vec::new();
    while let Some(event) = engine.advance(until).ok()? {
        events.push(event);
    }
    Some(Played { events, states: engine.states(), ledger: engine.ledger() })
}

/// Checks of one scene; a scene that does not run fails all of them.
type Example = (&'static str, fn(&'static str) -> Option<Vec<Check>>);

const EXAMPLES: &[Example] = &[
    ("bouncing-ball", single::bouncing_ball),
    ("sliding-block", single::sliding_block),
    ("housner-block", single::housner_block),
    ("painleve-rod", single::painleve_rod),
    ("painleve-slide", single::painleve_slide),
    ("superball-under-table", single::superball),
    ("corner-flight", rodriguez::corner_flight),
    ("rocking-block-smooth", rodriguez::rocking_block_smooth),
    ("rocking-block", rodriguez::rocking_block),
    ("cradle-three-swing", rodriguez::cradle_three),
    ("cradle-five-swing", rodriguez::cradle_five),
    ("cradle-swing", rodriguez::cradle_swing),
    ("corner-sphere", rodriguez::corner_sphere),
    ("rocking-block-1", rodriguez::rocking_block_in_space),
    ("rocking-block-2", rodriguez::rocking_block_in_space),
    ("rocking-block-3", rodriguez::rocking_block_in_space),
    ("double-pendulum-wall", many::double_pendulum),
    ("slider-crank", many::slider_crank),
    ("dominoes", many::dominoes),
    ("billiard-break", many::billiard_break),
    ("falling-figure", many::falling_figure),
    ("tippe-top", single::tippe_top),
    ("granular-gas", many::granular_gas),
];

pub fn checks() -> Vec<Check> {
    let of = |(name, example): &Example| {
        example(name).unwrap_or_else(|| vec![Check::simulated(name, "runs", 1.0, f64::NAN, 0.0)])
    };
    EXAMPLES.iter().flat_map(of).collect()
}
