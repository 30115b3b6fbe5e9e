//! A scene: bodies, their surroundings, joints, loads and strings.

use super::body::{SceneBody, check_state, in_plane};
use super::id::BodyId;
use super::joint::MovingJoint;
use super::load::Load;
use super::materials::Materials;
use super::part::Part;
use super::passing::Passing;
use super::record::Origin;
use super::state::State;
use super::string::SceneString;
use crate::collision::bounded;
use crate::dimension::Dimension;
use crate::error::{Error, SceneError, SceneItem};
use crate::laws::Law;
use nalgebra::Vector3;

/// The model that an engine moves through time. A [`SceneBuilder`](super::SceneBuilder) makes it; everything in it is checked, and nothing
/// in it changes with time. Its start, its gravity and the parameters of its materials may be set again.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) dimension: Dimension,
    pub(super) gravity: Vector3<f64>,
    pub(super) bodies: Vec<SceneBody>,
    pub(super) world: Vec<Part>,
    pub(super) joints: Vec<MovingJoint>,
    pub(super) loads: Vec<Load>,
    pub(super) strings: Vec<SceneString>,
    pub(super) materials: Materials,
    pub(super) passing: Vec<Passing>,
}

impl Scene {
    /// Whether it is planar or spatial.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Whether nothing leaves the x–y plane.
    pub fn is_planar(&self) -> bool {
        self.dimension.is_planar()
    }

    /// m/s².
    pub fn gravity(&self) -> Vector3<f64> {
        self.gravity
    }

    /// The bodies with their initial states.
    pub fn bodies(&self) -> &[SceneBody] {
        &self.bodies
    }

    /// Immovable parts, in world axes.
    pub fn world(&self) -> &[Part] {
        &self.world
    }

    /// The joints.
    pub fn joints(&self) -> &[MovingJoint] {
        &self.joints
    }

    /// Springs, dampers, motors and other loads.
    pub fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// The strings.
    pub fn strings(&self) -> &[SceneString] {
        &self.strings
    }

    /// Parameters of laws for every pair of materials.
    pub fn materials(&self) -> &Materials {
        &self.materials
    }

    /// Pairs that pass through each other, besides the bodies that a joint connects.
    pub fn passing(&self) -> &[Passing] {
        &self.passing
    }

    /// The initial states of all bodies.
    pub fn initial_states(&self) -> Vec<State> {
        self.bodies.iter().map(|body| body.state).collect()
    }

    /// The same scene with other initial states. Displacements of joints are still counted from where they were before.
    pub fn starting_at(&self, states: &[State]) -> Result<Scene, Error> {
        if states.len() != self.bodies.len() {
            return Err(Error::WrongSize { what: "initial states and bodies" });
        }
        let mut scene = self.clone();
        for (k, state) in states.iter().enumerate() {
            scene.set_state(BodyId::new(k), state)?;
        }
        Ok(scene)
    }

    /// The same scene with other parameters for the same materials.
    pub fn with_materials(&self, materials: Materials) -> Result<Scene, Error> {
        let mut scene = self.clone();
        scene.set_materials(materials)?;
        Ok(scene)
    }

    /// Gives a body another initial state. Displacements of joints are still counted from where they were before. After an error the scene
    /// is as it was.
    pub fn set_state(&mut self, body: BodyId, state: &State) -> Result<(), Error> {
        let (k, count) = (body.index(), self.bodies.len());
        let place = self.bodies.get_mut(k).ok_or(Error::NoSuch { what: "body", index: k, count })?;
        check_state(state, self.dimension)
            .map_err(|error| Error::Scene(SceneError { item: SceneItem::Body(k), error: Box::new(error) }))?;
        place.state = *state;
        Ok(())
    }

    /// Gives the same materials other parameters. After an error the scene is as it was.
    pub fn set_materials(&mut self, materials: Materials) -> Result<(), Error> {
        materials
            .check()
            .map_err(|error| Error::Scene(SceneError { item: SceneItem::Materials, error: Box::new(error) }))?;
        if materials.count() != self.materials.count() {
            return Err(Error::WrongSize { what: "the materials before and after" });
        }
        self.materials = materials;
        Ok(())
    }

    /// Gives the scene another gravity, m/s². After an error the scene is as it was.
    pub fn set_gravity(&mut self, gravity: Vector3<f64>) -> Result<(), Error> {
        check_gravity(&gravity, self.dimension)?;
        self.gravity = gravity;
        Ok(())
    }

    /// A parameter of a law at a contact: that of the materials that touch. A string or a limit has a restitution of its own, and no
    /// friction.
    pub fn parameter(&self, law: &Law, origin: Origin, key: &str) -> Option<f64> {
        match (origin, key) {
            (Origin::Parts { materials: [a, b], .. }, _) => self.materials.parameter(a, b, key),
            (Origin::String(string), "restitution") => {
                self.strings.get(string)?.restitution.or_else(|| self.link_restitution(law))
            }
            (Origin::Limit(joint), "restitution") => {
                self.joints.get(joint.index())?.restitution.or_else(|| self.link_restitution(law))
            }
            (_, "friction" | "static_friction" | "kinetic_friction") => Some(0.0),
            _ => self.materials.shared(key),
        }
    }

    /// The restitution of strings and limits that have none of their own: 0 where the law takes it, else the least of all pairs of
    /// materials. Nothing where the materials have none.
    pub fn link_restitution(&self, law: &Law) -> Option<f64> {
        let asked = law.parameters.iter().find(|parameter| parameter.key == "restitution");
        if asked.is_none_or(|parameter| parameter.accepts(0.0)) {
            return Some(0.0);
        }
        self.materials.least("restitution")
    }
}

/// Refuses a gravity that no scene has, or that leaves the plane.
pub(super) fn check_gravity(gravity: &Vector3<f64>, dimension: Dimension) -> Result<(), Error> {
    let checked = bounded("gravity", gravity.as_slice());
    let in_plane = if dimension.is_planar() { in_plane("gravity along z", gravity.z) } else { Ok(()) };
    checked.and(in_plane).map_err(|error| Error::Scene(SceneError { item: SceneItem::Gravity, error: Box::new(error) }))
}
