//! Bodies that nothing but gravity acts on: their motion in closed form.

use crate::sim::state::{Pose, State};
use nalgebra::{UnitQuaternion, Vector3};

/// A body in free flight since some time. It turns evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Flight {
    pub(super) since: f64,
    pub(super) state: State,
    pub(super) acceleration: Vector3<f64>,
}

impl Flight {
    /// Position and velocity of the centre of mass after `s` seconds of flight.
    #[inline]
    pub(super) fn centre(&self, s: f64) -> [Vector3<f64>; 2] {
        let (x, v) = (&self.state.pose.position, &self.state.velocity);
        [x + (v + self.acceleration * (0.5 * s)) * s, v + self.acceleration * s]
    }

    /// The state at a time.
    pub(super) fn at(&self, time: f64) -> State {
        let s = time - self.since;
        let [position, velocity] = self.centre(s);
        let spin = self.state.angular_velocity;
        let orientation = if spin == Vector3::zeros() {
            self.state.pose.orientation
        } else {
            UnitQuaternion::from_scaled_axis(spin * s) * self.state.pose.orientation
        };
        State { pose: Pose { position, orientation }, velocity, angular_velocity: spin }
    }
}
