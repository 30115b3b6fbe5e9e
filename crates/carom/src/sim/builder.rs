//! The description that a scene is built from, and what is checked of it.

use super::body::{SceneBody, in_plane};
use super::id::{BodyId, JointId, MaterialId};
use super::joint::{JointKind, MovingJoint, SceneJoint};
use super::load::{Anchor, Load};
use super::materials::Materials;
use super::part::Part;
use super::passing::Passing;
use super::scene::{Scene, check_gravity};
use super::state::State;
use super::string::SceneString;
use crate::body::Body;
use crate::dimension::Dimension;
use crate::error::{Error, SceneError, SceneItem};
use crate::impact::Network;
use nalgebra::{Matrix3, Vector3};

/// The description of a scene. Everything in it may be changed until [`build`](SceneBuilder::build) checks it.
///
/// ```
/// use carom::sim::{EventEngine, EventSettings, SceneBody, SceneBuilder, Solid};
/// use carom::{Amount, Dimension, Shape, laws};
/// use nalgebra::Vector3;
///
/// let mut scene = SceneBuilder::new(Dimension::Planar);
/// scene.gravity = Vector3::new(0.0, -9.81, 0.0);
/// let rubber = scene.add_material(&[("restitution", 0.8), ("friction", 0.3)]);
/// let disk = Solid::Shape(Shape::Disk { radius: 0.1 });
/// let disk = SceneBody::of_solid(&disk, Amount::Mass(1.0), rubber, Dimension::Planar)?;
/// let disk = scene.add_body(disk.at_position(Vector3::y()));
/// scene.add_wall(Vector3::y(), 0.0, rubber);
/// let scene = scene.build()?;
///
/// let mut engine = EventEngine::new(&scene, laws::find("newton-lcp")?, EventSettings::default())?;
/// let first = engine.advance(1.0).expect("the law has an answer").expect("it comes down within a second");
/// assert!((first.time - (2.0_f64 * 0.9 / 9.81).sqrt()).abs() < 1e-12);
/// assert_eq!(first.contacts[0].bodies, [Some(disk), None]);
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneBuilder {
    /// Whether it is planar or spatial.
    pub dimension: Dimension,
    /// m/s².
    pub gravity: Vector3<f64>,
    /// The bodies with their initial states.
    pub bodies: Vec<SceneBody>,
    /// Immovable parts, in world axes.
    pub world: Vec<Part>,
    /// Joints.
    pub joints: Vec<SceneJoint>,
    /// Springs, dampers, motors and other loads.
    pub loads: Vec<Load>,
    /// Strings: two points that come no further apart.
    pub strings: Vec<SceneString>,
    /// Parameters of laws for every pair of materials.
    pub materials: Materials,
    /// Pairs that pass through each other, besides the bodies that a joint connects.
    pub passing: Vec<Passing>,
}

/// A string that is longer than its length by this fraction is taut: rounding of the places of its ends.
const TAUT: f64 = 1e-9;

impl SceneBuilder {
    /// A scene with nothing in it, and without gravity.
    pub fn new(dimension: Dimension) -> SceneBuilder {
        SceneBuilder {
            dimension,
            gravity: Vector3::zeros(),
            bodies: Vec::new(),
            world: Vec::new(),
            joints: Vec::new(),
            loads: Vec::new(),
            strings: Vec::new(),
            materials: Materials::default(),
            passing: Vec::new(),
        }
    }

    /// Adds a material, see [`Materials::add`].
    pub fn add_material(&mut self, parameters: &[(&'static str, f64)]) -> MaterialId {
        self.materials.add(parameters)
    }

    /// Adds a body.
    pub fn add_body(&mut self, body: SceneBody) -> BodyId {
        self.bodies.push(body);
        BodyId::new(self.bodies.len() - 1)
    }

    /// Adds an immovable half-space: all points x with normal·x ≤ offset.
    pub fn add_wall(&mut self, normal: Vector3<f64>, offset: f64, material: MaterialId) {
        self.world.push(Part::half_space(normal, offset, material));
    }

    /// Adds a joint.
    pub fn add_joint(&mut self, joint: SceneJoint) -> JointId {
        self.joints.push(joint);
        JointId::new(self.joints.len() - 1)
    }

    /// Adds a load.
    pub fn add_load(&mut self, load: Load) {
        self.loads.push(load);
    }

    /// Adds a string.
    pub fn add_string(&mut self, string: SceneString) {
        self.strings.push(string);
    }

    /// Checks everything and makes the scene.
    pub fn build(self) -> Result<Scene, Error> {
        let at = |item: SceneItem| move |error: Error| Error::Scene(SceneError { item, error: Box::new(error) });
        check_gravity(&self.gravity, self.dimension)?;
        self.materials.check().map_err(at(SceneItem::Materials))?;
        for (k, body) in self.bodies.iter().enumerate() {
            body.check(self.dimension).map_err(at(SceneItem::Body(k)))?;
            for (j, part) in body.parts.iter().enumerate() {
                self.check_body_part(part).map_err(at(SceneItem::BodyPart { body: k, part: j }))?;
            }
        }
        for (k, part) in self.world.iter().enumerate() {
            self.check_part(part).map_err(at(SceneItem::WorldPart(k)))?;
        }
        let mut joints = Vec::with_capacity(self.joints.len());
        for (k, joint) in self.joints.iter().enumerate() {
            joints.push(self.moving_joint(joint).map_err(at(SceneItem::Joint(k)))?);
        }
        for (k, load) in self.loads.iter().enumerate() {
            self.check_load(load).map_err(at(SceneItem::Load(k)))?;
        }
        for (k, string) in self.strings.iter().enumerate() {
            self.check_string(string).map_err(at(SceneItem::String(k)))?;
        }
        for (k, passing) in self.passing.iter().enumerate() {
            self.check_passing(*passing).map_err(at(SceneItem::Passing(k)))?;
        }
        let SceneBuilder { dimension, gravity, bodies, world, loads, strings, materials, passing, .. } = self;
        Ok(Scene { dimension, gravity, bodies, world, joints, loads, strings, materials, passing })
    }

    fn check_part(&self, part: &Part) -> Result<(), Error> {
        part.check(self.dimension)?;
        exists("material", part.material.index(), self.materials.count())
    }

    fn check_body_part(&self, part: &Part) -> Result<(), Error> {
        if part.is_half_space() {
            let what = "a half-space cannot move";
            return Err(Error::Unsuitable { what, expected: "half-spaces among the parts of the world only" });
        }
        self.check_part(part)
    }

    fn check_body(&self, body: BodyId) -> Result<(), Error> {
        exists("body", body.index(), self.bodies.len())
    }

    /// Refuses two ends of which none is on a body.
    fn check_ends(&self, [a, b]: [Option<BodyId>; 2], what: &'static str) -> Result<(), Error> {
        if a.is_none() && b.is_none() {
            return Err(Error::Unsuitable { what, expected: "at least one end on a body" });
        }
        [a, b].into_iter().flatten().try_for_each(|body| self.check_body(body))
    }

    fn state(&self, body: Option<BodyId>) -> State {
        body.map_or_else(State::world, |body| self.bodies[body.index()].state)
    }

    fn moving_joint(&self, joint: &SceneJoint) -> Result<MovingJoint, Error> {
        self.check_ends([joint.a, joint.b], "both sides of this joint are the world")?;
        if joint.a == joint.b {
            return Err(Error::Unsuitable { what: "both sides of this joint are one body", expected: "two bodies" });
        }
        let states = [joint.a, joint.b].map(|body| self.state(body));
        let moving = MovingJoint::new(joint, &states, self.dimension)?;
        // The bodies move as the joint allows; the check of an impact knows how exactly.
        let mut instant = moving.at_impact(&states[0], &states[1]);
        [instant.a, instant.b] = [joint.a.map(|_| 0), joint.b.map(|_| 1)];
        let bodies = [moving_body(&states[0])?, moving_body(&states[1])?];
        Network::new(bodies, [], &[instant], self.dimension.is_planar())?;
        Ok(moving)
    }

    fn check_load(&self, load: &Load) -> Result<(), Error> {
        load.check()?;
        match load {
            Load::Spring { a, b, .. } => self.check_ends([a.body, b.body], "both ends of this spring are on the world"),
            Load::TorsionSpring { joint, .. } => {
                self.check_driven(*joint, &[JointKind::Revolute], "a torsion spring", "a revolute joint")
            }
            Load::Motor { joint, .. } => {
                let kinds = [JointKind::Revolute, JointKind::Prismatic];
                self.check_driven(*joint, &kinds, "a motor", "a revolute or prismatic joint")
            }
            Load::Force { at, force, .. } => {
                let Some(body) = at.body else {
                    return Err(Error::Unsuitable { what: "this force acts on the world", expected: "a body" });
                };
                self.check_body(body)?;
                if self.dimension.is_planar() { in_plane("force along z", force.z) } else { Ok(()) }
            }
            Load::Torque { body, torque, .. } => {
                self.check_body(*body)?;
                if self.dimension.is_planar() {
                    in_plane("torque about x", torque.x)?;
                    in_plane("torque about y", torque.y)?;
                }
                Ok(())
            }
        }
    }

    fn check_driven(
        &self,
        joint: JointId,
        kinds: &[JointKind],
        what: &'static str,
        expected: &'static str,
    ) -> Result<(), Error> {
        exists("joint", joint.index(), self.joints.len())?;
        let kind = self.joints[joint.index()].kind;
        if kinds.contains(&kind) { Ok(()) } else { Err(Error::Unsuitable { what, expected }) }
    }

    fn check_string(&self, string: &SceneString) -> Result<(), Error> {
        string.check()?;
        if string.a.body.is_some() && string.a.body == string.b.body {
            let expected = "two bodies, or a body and the world";
            return Err(Error::Unsuitable { what: "both ends of this string are on one body", expected });
        }
        self.check_ends([string.a.body, string.b.body], "both ends of this string are on the world")?;
        let place = |anchor: &Anchor| self.state(anchor.body).pose.point(&anchor.point);
        let distance = (place(&string.a) - place(&string.b)).norm();
        if distance > string.length * (1.0 + TAUT) {
            let expected = "at least the distance of its ends";
            return Err(Error::OutOfRange { what: "length", value: string.length, expected });
        }
        Ok(())
    }

    fn check_passing(&self, passing: Passing) -> Result<(), Error> {
        match passing {
            Passing::Bodies([a, b]) if a == b => {
                Err(Error::Unsuitable { what: "this pair is one body twice", expected: "two bodies" })
            }
            Passing::Bodies(bodies) => bodies.into_iter().try_for_each(|body| self.check_body(body)),
            Passing::Part { body, part } => {
                self.check_body(body)?;
                exists("part of the world", part, self.world.len())
            }
        }
    }
}

fn exists(what: &'static str, index: usize, count: usize) -> Result<(), Error> {
    if index < count { Ok(()) } else { Err(Error::NoSuch { what, index, count }) }
}

/// A body of unit mass and inertia in the same motion.
fn moving_body(state: &State) -> Result<Body, Error> {
    let body = Body::new(1.0, &Matrix3::identity())?;
    Ok(body.at(state.pose.position).moving(state.velocity, state.angular_velocity))
}
