//! Single numbers of the result of a run, without its JSON.

use super::record::kind_word;
use super::run::Run;
use crate::scenario::SimulationScenario;
use carom::sim::{EventKind, Ledger};

/// A number of the JSON of a run that is found without making it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quick {
    Time,
    Energy(Energy),
    /// How many events there are of a kind; nothing where there are none.
    Events(&'static str),
    /// A component of the position or the velocity of a body at the end.
    Position(usize, usize),
    Velocity(usize, usize),
}

/// One of the energies of a ledger.
type Energy = fn(&Ledger) -> f64;

/// The energies of the JSON.
const ENERGIES: [(&str, Energy); 7] = [
    ("kinetic", |ledger| ledger.kinetic),
    ("potential", |ledger| ledger.potential),
    ("supplied", |ledger| ledger.supplied),
    ("friction", |ledger| ledger.friction),
    ("impacts", |ledger| ledger.impacts),
    ("start", |ledger| ledger.start),
    ("residual", Ledger::residual),
];

/// The kinds of events that are counted.
const KINDS: [EventKind; 6] = [
    EventKind::Impact,
    EventKind::LiftOff,
    EventKind::SlipStart,
    EventKind::StickStart,
    EventKind::FeatureChange,
    EventKind::Jam,
];

impl Quick {
    /// The number that a path in the JSON means; nothing of a path that needs the JSON.
    pub(crate) fn of_path(path: &str, scenario: &SimulationScenario) -> Option<Quick> {
        if path == "time" {
            return Some(Quick::Time);
        }
        let (table, rest) = path.split_once('.')?;
        match table {
            "energy" => ENERGIES.iter().find(|(key, _)| *key == rest).map(|(_, energy)| Quick::Energy(*energy)),
            "events" => KINDS.iter().map(kind_word).find(|word| *word == rest).map(Quick::Events),
            "end" => {
                let (body, vector) = rest.rsplit_once('.')?;
                let body = scenario.body_names.iter().position(|name| name == body)?;
                let (vector, component) = vector.strip_suffix(']')?.split_once('[')?;
                let component = component.parse().ok()?;
                let components = if scenario.scene.is_planar() { 2 } else { 3 };
                match vector {
                    _ if component >= components => None,
                    "position" => Some(Quick::Position(body, component)),
                    "velocity" => Some(Quick::Velocity(body, component)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The number; NaN where there is none.
    pub(crate) fn of(self, run: &Run) -> f64 {
        let end = run.frames.last();
        let value = match self {
            Quick::Time => Some(end.map_or(0.0, |frame| frame.time)),
            Quick::Energy(energy) => end.map(|frame| energy(&frame.ledger)),
            Quick::Events(word) => {
                let count = run.events.iter().filter(|event| kind_word(&event.kind) == word).count();
                (count > 0).then_some(count as f64)
            }
            Quick::Position(body, k) => end.map(|frame| frame.states[body].pose.position[k]),
            Quick::Velocity(body, k) => end.map(|frame| frame.states[body].velocity[k]),
        };
        // The JSON writes infinity as a word; of the other sign it is no number of a sweep.
        value.filter(|value| *value != f64::NEG_INFINITY).unwrap_or(f64::NAN)
    }
}
