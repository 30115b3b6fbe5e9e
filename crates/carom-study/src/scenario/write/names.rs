//! Names of what a scene holds.

use super::{GROUND, Unwritable, Writer, inexpressible, quoted};
use carom::sim::{BodyId, JointId, MaterialId};

impl Writer<'_> {
    pub(super) fn body_name(&self, body: BodyId) -> String {
        let place = body.index();
        self.scenario.body_names.get(place).cloned().unwrap_or_else(|| format!("body {}", place + 1))
    }

    /// The names of two bodies, or of one and the ground.
    pub(super) fn between(&self, [a, b]: [Option<BodyId>; 2]) -> String {
        let name = |body: Option<BodyId>| quoted(&body.map_or_else(|| GROUND.to_owned(), |body| self.body_name(body)));
        format!("[{}, {}]", name(a), name(b))
    }

    pub(super) fn joint_name(&self, joint: JointId) -> String {
        let place = joint.index();
        self.scenario.joint_names.get(place).cloned().unwrap_or_else(|| format!("joint {}", place + 1))
    }

    pub(super) fn string_name(&self, place: usize) -> String {
        self.scenario.string_names.get(place).cloned().unwrap_or_else(|| format!("string {}", place + 1))
    }

    pub(super) fn material_name(&self, material: MaterialId) -> String {
        let place = material.index();
        self.scenario.material_names.get(place).cloned().unwrap_or_else(|| format!("material {}", place + 1))
    }

    pub(super) fn material_names(&self) -> Vec<String> {
        (0..self.scene.materials().count()).map(|place| self.material_name(MaterialId::new(place))).collect()
    }

    /// The names of the parts of the world; parts in a row that have one name are one obstacle.
    pub(super) fn world_names(&self) -> Result<Vec<String>, Unwritable> {
        let name = |place: usize| {
            self.scenario.world_names.get(place).cloned().unwrap_or_else(|| format!("obstacle {}", place + 1))
        };
        let names: Vec<String> = (0..self.scene.world().len()).map(name).collect();
        for (place, name) in names.iter().enumerate().skip(1) {
            if names[place - 1] != *name && names[..place].contains(name) {
                return Err(inexpressible(format!("obstacle {name}"), "its parts do not follow each other"));
            }
        }
        Ok(names)
    }
}
