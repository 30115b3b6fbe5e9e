//! A scene of which only that is read again which follows from numbers that have changed.

use super::materials::MaterialTable;
use super::settings::{read_gravity, read_settings};
use super::{SimulationScenario, read_tables};
use crate::scenario::body::read_state;
use crate::scenario::fault::Fault;
use crate::scenario::files::Files;
use crate::scenario::kept::ScenePart;
use crate::scenario::law::check_plane;
use crate::scenario::own::OwnLaws;
use crate::scenario::table::TableReader;
use carom::Dimension;
use carom::sim::BodyId;
use std::path::Path;

/// A scene, and what of it is out of date.
#[derive(Debug, Default)]
pub(in crate::scenario) struct KeptScene {
    /// Nothing before the first reading, and after a fault.
    scene: Option<SimulationScenario>,
    settings: bool,
    gravity: bool,
    bodies: Vec<usize>,
    materials: bool,
}

impl KeptScene {
    /// Takes note that a part has to be read again.
    pub fn outdate(&mut self, part: ScenePart) {
        match part {
            ScenePart::Settings => self.settings = true,
            ScenePart::Gravity => self.gravity = true,
            ScenePart::State(body) if !self.bodies.contains(&body) => self.bodies.push(body),
            ScenePart::State(_) => {}
            ScenePart::Materials => self.materials = true,
            ScenePart::Whole => self.scene = None,
        }
    }

    /// Reads again what is out of date.
    pub fn renew(&mut self, name: &str, file: &TableReader<'_>, folder: Option<&Path>) -> Result<(), Fault> {
        let Some(scene) = &mut self.scene else {
            *self = KeptScene {
                scene: Some(read_tables(name, file, Files::beside(folder), &OwnLaws::default())?),
                ..KeptScene::default()
            };
            return Ok(());
        };
        let refused = |error: carom::Error| Fault::of_the_file(error.to_string());
        if std::mem::take(&mut self.settings) {
            scene.settings = read_settings(file)?;
        }
        if std::mem::take(&mut self.gravity) {
            scene.scene.set_gravity(read_gravity(file)).map_err(refused)?;
        }
        for body in self.bodies.drain(..) {
            let state = read_state(&file.tables("body")[body])?;
            scene.scene.set_state(BodyId::new(body), &state).map_err(refused)?;
        }
        if std::mem::take(&mut self.materials) {
            if let (Some(table), Dimension::Planar) = (file.table("law"), scene.dimension()) {
                check_plane(table)?;
            }
            let table = MaterialTable::read(file)?;
            let (materials, _) = table.of_pairs(file, scene.law, scene.scene.bodies(), scene.scene.world())?;
            scene.scene.set_materials(materials).map_err(refused)?;
        }
        Ok(())
    }

    /// The scene as it was read last.
    pub fn current(&mut self) -> Option<&mut SimulationScenario> {
        self.scene.as_mut()
    }
}
