//! Loads of a scene: forces and torques that act all the time.

use super::id::{BodyId, JointId};
use crate::collision::{bounded, sensible};
use crate::error::Error;
use nalgebra::Vector3;

/// A point on a body, or on the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// `None` is the world.
    pub body: Option<BodyId>,
    /// In body axes from the centre of mass, or in world axes.
    pub point: Vector3<f64>,
}

impl Anchor {
    /// A point of a body, in its axes from the centre of mass.
    pub fn on(body: BodyId, point: Vector3<f64>) -> Anchor {
        Anchor { body: Some(body), point }
    }

    /// A point of the world.
    pub fn world(point: Vector3<f64>) -> Anchor {
        Anchor { body: None, point }
    }

    /// Place of the body.
    pub(crate) fn index(&self) -> Option<usize> {
        self.body.map(BodyId::index)
    }
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
        /// The joint.
        joint: JointId,
        /// N m/rad.
        stiffness: f64,
        /// N m s/rad.
        damping: f64,
        /// Angle without torque, rad.
        rest_angle: f64,
    },
    /// A torque on body A of a revolute joint about its axis (a force along that of a prismatic one), and its opposite on B.
    Motor {
        /// The joint.
        joint: JointId,
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
        /// The body.
        body: BodyId,
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

    /// Refuses numbers that no load has. Bodies and joints are checked with the scene.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self {
            Load::Spring { a, b, stiffness, damping, rest_length } => {
                bounded("point", a.point.as_slice())?;
                bounded("point", b.point.as_slice())?;
                not_negative("stiffness", *stiffness)?;
                not_negative("damping", *damping)?;
                not_negative("rest_length", *rest_length)
            }
            Load::TorsionSpring { stiffness, damping, rest_angle, .. } => {
                not_negative("stiffness", *stiffness)?;
                not_negative("damping", *damping)?;
                bounded("rest_angle", &[*rest_angle])
            }
            Load::Motor { effort, .. } => effort.check(),
            Load::Force { at, force, signal } => {
                bounded("point", at.point.as_slice())?;
                bounded("force", force.as_slice())?;
                signal.check()
            }
            Load::Torque { torque, signal, .. } => {
                bounded("torque", torque.as_slice())?;
                signal.check()
            }
        }
    }
}

fn not_negative(what: &'static str, value: f64) -> Result<(), Error> {
    bounded(what, &[value])?;
    if value < 0.0 {
        return Err(Error::OutOfRange { what, value, expected: "a number of at least 0" });
    }
    if value == 0.0 { Ok(()) } else { sensible(what, value) }
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

    fn check(&self) -> Result<(), Error> {
        bounded("signal", &[self.offset, self.amplitude, self.rate, self.phase])
    }
}
