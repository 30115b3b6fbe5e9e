//! Where a body is and how it moves.

use nalgebra::{UnitQuaternion, Vector3};

/// Position of the centre of mass and orientation, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    /// Centre of mass, m.
    pub position: Vector3<f64>,
    /// From the body's axes to the world's.
    #[cfg_attr(feature = "serde", serde(with = "super::orientation"))]
    pub orientation: UnitQuaternion<f64>,
}

/// A pose and its motion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct State {
    /// Where it is.
    pub pose: Pose,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vector3<f64>,
    /// Angular velocity in world axes, rad/s.
    pub angular_velocity: Vector3<f64>,
}

impl Pose {
    /// The world's own.
    pub fn identity() -> Pose {
        Pose { position: Vector3::zeros(), orientation: UnitQuaternion::identity() }
    }

    /// A point given in body axes, in world axes.
    #[inline]
    pub fn point(&self, local: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.orientation * local
    }

    /// A direction given in body axes, in world axes.
    #[inline]
    pub fn direction(&self, local: &Vector3<f64>) -> Vector3<f64> {
        self.orientation * local
    }
}

impl State {
    /// At rest at a pose.
    pub fn at_rest(pose: Pose) -> State {
        State { pose, velocity: Vector3::zeros(), angular_velocity: Vector3::zeros() }
    }

    /// The immovable world.
    pub fn world() -> State {
        State::at_rest(Pose::identity())
    }

    /// Velocity of the material point at `point` (world axes), m/s.
    #[inline]
    pub fn point_velocity(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.angular_velocity.cross(&(point - self.pose.position))
    }
}
