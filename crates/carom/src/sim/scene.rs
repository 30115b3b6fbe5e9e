//! A scene: bodies, what they touch with, what holds and drives them.

use super::joint::MovingJoint;
use super::loads::state_of;
use super::materials::Materials;
use super::part::{Core, Part};
use super::passing::Passing;
use super::record::Origin;
use super::state::{Pose, State};
use crate::body::Body;
use crate::error::{Error, finite, positive};
use crate::laws::Law;
use nalgebra::{Matrix3, Vector3};

/// Everything that a simulation needs to know.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Whether nothing leaves the x–y plane.
    pub planar: bool,
    /// m/s².
    pub gravity: Vector3<f64>,
    /// What moves.
    pub bodies: Vec<Mover>,
    /// Immovable parts, in world axes.
    pub world: Vec<Part>,
    /// Joints.
    pub joints: Vec<MovingJoint>,
    /// Springs, dampers, motors and other loads.
    pub loads: Vec<Load>,
    /// Strings: two points that come no further apart.
    pub strings: Vec<Cord>,
    /// Parameters of laws for every pair of materials.
    pub materials: Materials,
    /// The law of impacts. One for a single contact resolves several at once one after the other (`sequential`).
    pub law: &'static Law,
    /// Whether the event engine lowers the restitution of an impact in which the law would create energy: all its coefficients
    /// of restitution by one factor, until the energy does not rise.
    pub lowers_restitution: bool,
    /// Pairs that pass through each other, besides the bodies that a joint connects.
    pub passing: Vec<Passing>,
}

/// A body that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// kg.
    pub mass: f64,
    /// About the centre of mass in body axes, kg m². Only z matters in the plane.
    pub inertia: Matrix3<f64>,
    /// What it touches with; none passes through everything.
    pub parts: Vec<Part>,
    /// Where it starts.
    pub state: State,
}

/// A place on a body, or on the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// Place of the body; `None` is the world.
    pub body: Option<usize>,
    /// In body axes from the centre of mass, or in world axes.
    pub point: Vector3<f64>,
}

/// A massless string between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cord {
    /// One end.
    pub a: Anchor,
    /// The other.
    pub b: Anchor,
    /// The most that they come apart, m.
    pub length: f64,
    /// How strongly it throws the ends back when it goes taut, 0 to 1. Without one, see [`Scene::link_restitution`].
    pub restitution: Option<f64>,
}

/// A force or a torque that acts all the time.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    /// A spring with a damper between two points.
    Spring {
        /// One end.
        a: Anchor,
        /// The other.
        b: Anchor,
        /// N/m.
        stiffness: f64,
        /// N s/m.
        damping: f64,
        /// Length without force, m.
        rest_length: f64,
    },
    /// A spring with a damper about the axis of a revolute joint.
    TorsionSpring {
        /// Place of the joint.
        joint: usize,
        /// N m/rad.
        stiffness: f64,
        /// N m s/rad.
        damping: f64,
        /// Angle without torque, rad.
        rest_angle: f64,
    },
    /// A torque on body A of a revolute joint about its axis (a force along that of a prismatic one), and its opposite on B.
    Motor {
        /// Place of the joint.
        joint: usize,
        /// N m or N.
        effort: Signal,
    },
    /// A force in world axes on a point of a body.
    Force {
        /// Where.
        at: Anchor,
        /// Direction and size at signal 1, N.
        force: Vector3<f64>,
        /// How it changes.
        signal: Signal,
    },
    /// A torque in world axes on a body.
    Torque {
        /// Place of the body.
        body: usize,
        /// Axis and size at signal 1, N m.
        torque: Vector3<f64>,
        /// How it changes.
        signal: Signal,
    },
}

impl Load {
    /// How fast it comes and goes, rad/s, if it does.
    pub(crate) fn rate(&self) -> Option<f64> {
        match self {
            Load::Motor { effort: signal, .. } | Load::Force { signal, .. } | Load::Torque { signal, .. } => {
                (signal.amplitude != 0.0).then_some(signal.rate)
            }
            Load::Spring { .. } | Load::TorsionSpring { .. } => None,
        }
    }
}

/// A number that may change with time: offset + amplitude sin(rate t + phase).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Signal {
    /// What it is without the sine.
    pub offset: f64,
    /// Height of the sine.
    pub amplitude: f64,
    /// rad/s.
    pub rate: f64,
    /// rad.
    pub phase: f64,
}

impl Signal {
    /// A number that stays.
    pub fn constant(offset: f64) -> Signal {
        Signal { offset, amplitude: 0.0, rate: 0.0, phase: 0.0 }
    }

    /// Its value at a time.
    pub fn at(&self, time: f64) -> f64 {
        self.offset + self.amplitude * (self.rate * time + self.phase).sin()
    }
}

impl Scene {
    /// A scene with nothing in it, and without gravity.
    ///
    /// ```
    /// use carom::laws::find;
    /// use carom::sim::{EventEngine, EventSettings, Materials, Mover, Part, Pose, Scene};
    /// use nalgebra::{Matrix3, Vector3};
    ///
    /// let materials = Materials::uniform(&[("restitution", 0.8), ("friction", 0.3)]);
    /// let ball = Mover::new(1.0, Matrix3::identity() * 0.005, true)?.with_parts(vec![Part::ball(0.1, 0)]);
    /// let pose = Pose { position: Vector3::y(), ..Pose::identity() };
    /// let scene = Scene {
    ///     gravity: Vector3::new(0.0, -9.81, 0.0),
    ///     bodies: vec![ball.at(pose, Vector3::zeros(), Vector3::zeros())],
    ///     world: vec![Part::half_space(Vector3::y(), 0.0, 0)],
    ///     ..Scene::empty(true, materials, find("newton-lcp")?)
    /// };
    /// let mut engine = EventEngine::new(scene, EventSettings::default())?;
    /// let first = engine.advance(1.0).expect("the law has an answer").expect("it comes down within a second");
    /// assert!((first.time - (2.0_f64 * 0.9 / 9.81).sqrt()).abs() < 1e-12);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn empty(planar: bool, materials: Materials, law: &'static Law) -> Scene {
        Scene {
            planar,
            gravity: Vector3::zeros(),
            bodies: Vec::new(),
            world: Vec::new(),
            joints: Vec::new(),
            loads: Vec::new(),
            strings: Vec::new(),
            materials,
            law,
            lowers_restitution: false,
            passing: Vec::new(),
        }
    }
}

impl Scene {
    /// A parameter of a law at a contact: that of the materials that touch. A string or a limit has a restitution of its own, and no
    /// friction.
    pub fn parameter(&self, origin: Origin, key: &str) -> Option<f64> {
        match (origin, key) {
            (Origin::Parts { materials: [a, b], .. }, _) => self.materials.parameter(a, b, key),
            (Origin::Cord(cord), "restitution") => {
                self.strings.get(cord)?.restitution.or_else(|| self.link_restitution())
            }
            (Origin::Limit(joint), "restitution") => {
                self.joints.get(joint)?.restitution.or_else(|| self.link_restitution())
            }
            (_, "friction" | "static_friction" | "kinetic_friction") => Some(0.0),
            _ => self.materials.parameter(0, 0, key),
        }
    }

    /// The restitution of strings and limits that have none of their own: 0 where the law takes it, else the least of all pairs of
    /// materials. Nothing where the materials have none.
    pub fn link_restitution(&self) -> Option<f64> {
        let asked = self.law.parameters.iter().find(|parameter| parameter.key == "restitution");
        if asked.is_none_or(|parameter| parameter.accepts(0.0)) {
            return Some(0.0);
        }
        self.materials.least("restitution")
    }

    /// Counts the turns of revolute joints on.
    pub(super) fn follow_joints(&mut self, states: &[State]) {
        for joint in &mut self.joints {
            joint.follow(&state_of(states, joint.a.body), &state_of(states, joint.b.body));
        }
    }

    /// How far revolute joints are turned, for a checkpoint.
    pub(super) fn turned(&self) -> impl Iterator<Item = f64> + '_ {
        self.joints.iter().map(|joint| joint.turned)
    }

    /// Takes them back.
    pub(super) fn turn_joints(&mut self, turned: &[f64]) {
        for (joint, turned) in self.joints.iter_mut().zip(turned) {
            joint.turned = *turned;
        }
    }

    /// Refuses bodies with half-spaces.
    pub(super) fn check_parts(&self) -> Result<(), Error> {
        let endless = |body: &Mover| body.parts.iter().any(|part| matches!(part.core, Core::HalfSpace { .. }));
        self.bodies.iter().position(endless).map_or(Ok(()), |body| Err(Error::MovingHalfSpace { body }))
    }
}

impl Mover {
    /// A body with mass and inertia, checked as [`Body::new`] and [`Body::planar`] do.
    pub fn new(mass: f64, inertia: Matrix3<f64>, planar: bool) -> Result<Mover, Error> {
        if planar {
            Body::planar(mass, inertia[(2, 2)])?;
        } else if inertia.determinant() > 0.0 {
            Body::new(mass, &inertia)?;
        } else {
            positive("mass", mass)?;
            finite("inertia", inertia.as_slice())?;
        }
        Ok(Mover { mass, inertia, parts: Vec::new(), state: State::world() })
    }

    /// The same body touching with these parts.
    #[must_use]
    pub fn with_parts(mut self, parts: Vec<Part>) -> Mover {
        self.parts = parts;
        self
    }

    /// The same body in this state.
    #[must_use]
    pub fn at(mut self, pose: Pose, velocity: Vector3<f64>, angular_velocity: Vector3<f64>) -> Mover {
        self.state = State { pose, velocity, angular_velocity };
        self
    }

    /// The greatest distance of its surface from the centre of mass.
    pub fn reach(&self) -> f64 {
        self.parts.iter().map(Part::reach).fold(0.0, f64::max)
    }
}
