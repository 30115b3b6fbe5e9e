//! A scene with the law that a test runs it by.
#![allow(dead_code, reason = "every test uses a part of it")]

use carom::laws::{Law, find};
use carom::sim::{EventEngine, EventSettings, Materials, SceneBuilder, SteppingEngine, SteppingSettings};
use carom::{Dimension, Error};
use std::ops::{Deref, DerefMut};

/// A scene that may be changed, and how the event engine resolves its impacts.
#[derive(Clone, Debug)]
pub struct Trial {
    pub scene: SceneBuilder,
    pub law: &'static Law,
    pub lowers_restitution: bool,
}

/// Planar or spatial.
pub fn dimension(planar: bool) -> Dimension {
    if planar { Dimension::Planar } else { Dimension::Spatial }
}

impl Trial {
    /// An empty scene of one material, by the law with this id.
    pub fn new(planar: bool, law: &str, parameters: &[(&'static str, f64)]) -> Trial {
        let materials = Materials::uniform(parameters);
        let scene = SceneBuilder { materials, ..SceneBuilder::new(dimension(planar)) };
        Trial { scene, law: find(law).unwrap(), lowers_restitution: false }
    }

    /// The event engine at the start of the scene.
    pub fn try_events(&self) -> Result<EventEngine, Error> {
        let settings = EventSettings { lowers_restitution: self.lowers_restitution, ..EventSettings::default() };
        EventEngine::new(&self.scene.clone().build()?, self.law, settings)
    }

    /// The same, of a scene that is sound.
    pub fn events(&self) -> EventEngine {
        self.try_events().unwrap()
    }

    /// The stepping engine at the start of the scene.
    pub fn try_steps(&self, settings: SteppingSettings) -> Result<SteppingEngine, Error> {
        SteppingEngine::new(&self.scene.clone().build()?, settings)
    }

    /// The same, of a scene that is sound.
    pub fn steps(&self, settings: SteppingSettings) -> SteppingEngine {
        self.try_steps(settings).unwrap()
    }
}

impl Deref for Trial {
    type Target = SceneBuilder;

    fn deref(&self) -> &SceneBuilder {
        &self.scene
    }
}

impl DerefMut for Trial {
    fn deref_mut(&mut self) -> &mut SceneBuilder {
        &mut self.scene
    }
}
