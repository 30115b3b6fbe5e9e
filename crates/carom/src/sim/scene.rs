//! A scene: bodies, their surroundings, joints, loads and strings.

use super::body::{SceneBody, check_state};
use super::joint::MovingJoint;
use super::load::Load;
use super::materials::Materials;
use super::part::Part;
use super::passing::Passing;
use super::record::Origin;
use super::state::State;
use super::string::SceneString;
use crate::dimension::Dimension;
use crate::error::{Error, SceneError, SceneItem};
use crate::laws::Law;
use nalgebra::Vector3;

/// The model that an engine moves through time. A [`SceneBuilder`](super::SceneBuilder) makes it; everything in it is checked, and nothing
/// in it changes with time.
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
        for (k, (body, state)) in scene.bodies.iter_mut().zip(states).enumerate() {
            check_state(state, self.dimension)
                .map_err(|error| Error::Scene(SceneError { item: SceneItem::Body(k), error: Box::new(error) }))?;
            body.state = *state;
        }
        Ok(scene)
    }

    /// The same scene with other parameters for the same materials.
    pub fn with_materials(&self, materials: Materials) -> Result<Scene, Error> {
        materials
            .check()
            .map_err(|error| Error::Scene(SceneError { item: SceneItem::Materials, error: Box::new(error) }))?;
        if materials.count() != self.materials.count() {
            return Err(Error::WrongSize { what: "the materials before and after" });
        }
        Ok(Scene { materials, ..self.clone() })
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
