//! A scene with the law, engine and duration by which it is followed.

use crate::errors::InputError;
use crate::laws::Law;
use crate::own::Own;
use crate::parcel::{Parcel, damaged};
use crate::source::Source;
use carom::laws;
use carom_study::scenario::{Engine, Files, ScenarioError, SimulationScenario};
use carom_study::simulation::Identity;
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// A scene as it is simulated.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) source: Arc<Source>,
    pub(crate) scene: SimulationScenario,
    /// Keeps a law of one's own that the scene is followed by.
    pub(crate) law: Law,
}

impl Setup {
    /// Which text the scene was read from.
    pub(crate) fn identity(&self) -> Identity {
        Identity { file: self.source.name().display().to_string(), hash: self.source.hash() }
    }

    /// How long it is followed, s.
    pub(crate) fn last(&mut self, duration: Option<f64>) -> PyResult<()> {
        let Some(duration) = duration else { return Ok(()) };
        if !(duration.is_finite() && duration > 0.0) {
            return Err(InputError::new_err(format!("duration is {duration}; expected a number of seconds above 0")));
        }
        self.scene.settings.duration = duration;
        Ok(())
    }

    /// For a parcel: the numbers that a text does not hold, with those of the source; and its pieces.
    pub(crate) fn pieces(&self) -> PyResult<(Value, Vec<Vec<u8>>)> {
        let of_text = self.source.needs().map(|law| law.law);
        if let Some(law) = Own::of(self.scene.law).map(|own| own.law).or(of_text) {
            let id = law.id;
            return Err(InputError::new_err(format!(
                "the law `{id}` is a function of Python, which bytes do not hold; expected a run by a law of the catalogue"
            )));
        }
        let (source, pieces) = self.source.pieces();
        let settings = &self.scene.settings;
        let about = json!({
            "source": source,
            "law": self.scene.law.id,
            "lowers_restitution": self.scene.lowers_restitution,
            "duration": settings.duration,
            "engine": settings.engine.word(),
            "threads": settings.threads,
        });
        Ok((about, pieces))
    }

    /// From the first pieces of a parcel, which are taken out of it.
    pub(crate) fn of_pieces(about: &Value, parcel: &mut Parcel) -> PyResult<Setup> {
        let source = Source::of_pieces(&about["source"], parcel)?;
        let scene = read(&source).map_err(|error| source.refused(&error))?;
        let law = Law::of(scene.law);
        let mut setup = Setup { source: Arc::new(source), scene, law };
        setup.restore(about).ok_or_else(|| damaged("simulation"))?;
        Ok(setup)
    }

    fn restore(&mut self, about: &Value) -> Option<()> {
        self.scene.law = laws::find(about["law"].as_str()?).ok()?;
        self.law = Law::of(self.scene.law);
        self.scene.lowers_restitution = about["lowers_restitution"].as_bool()?;
        self.scene.settings.duration = about["duration"].as_f64()?;
        self.scene.settings.engine = Engine::of_word(about["engine"].as_str()?)?;
        self.scene.settings.threads = usize::try_from(about["threads"].as_u64()?).ok()?;
        Some(())
    }
}

/// A sentence of the command, whose options are keyword arguments here.
pub(crate) fn in_python(words: &str) -> String {
    words.replace("--checkpoint-every", "checkpoint_every").replace("`--engine stepping`", "engine=\"stepping\"")
}

/// The scene of a text.
pub(crate) fn read(source: &Source) -> Result<SimulationScenario, ScenarioError> {
    SimulationScenario::parse_with(source.name(), &source.text, Files::copies(source.files.clone()), &source.own_laws())
}
