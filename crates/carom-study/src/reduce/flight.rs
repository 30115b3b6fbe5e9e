//! Free flight of a body between collisions, from parameters that a regression finds.

use super::setup::Forces;
use carom::Dimension;
use carom::sim::{Pose, State};
use nalgebra::{DVector, UnitQuaternion, Vector3};

/// Free flight about a time.
///
/// Its parameters are position, turn, velocity and spin at that time: x, y, φ, v_x, v_y, ω in the plane; three of each in space, where the
/// turn is a rotation vector.
#[derive(Clone, Debug)]
pub struct Flight {
    /// Whether it is planar.
    pub dimension: Dimension,
    /// What accelerates the body.
    pub forces: Forces,
    /// The time of the parameters, s.
    pub time: f64,
    /// What the turn is counted from.
    pub orientation: UnitQuaternion<f64>,
}

/// Velocity changes by at most this share in a step of the integration: its fourth-order error is then below 1e-9 of the change.
const STEP: f64 = 0.02;
/// Steps, at most.
const MOST_STEPS: f64 = 1e4;

impl Flight {
    /// How many parameters there are.
    pub fn parameters(&self) -> usize {
        if self.dimension.is_planar() { 6 } else { 12 }
    }

    /// The parameters of a state at the flight's time.
    pub fn of_state(&self, state: &State) -> DVector<f64> {
        let turn = (state.pose.orientation * self.orientation.inverse()).scaled_axis();
        let (x, v, w) = (state.pose.position, state.velocity, state.angular_velocity);
        if self.dimension.is_planar() {
            return DVector::from_column_slice(&[x.x, x.y, turn.z, v.x, v.y, w.z]);
        }
        DVector::from_iterator(12, [x, turn, v, w].iter().flat_map(|vector| [vector.x, vector.y, vector.z]))
    }

    /// Where the parameter of a spin stands: the first of three in space.
    pub fn spin_place(&self) -> usize {
        if self.dimension.is_planar() { 5 } else { 9 }
    }

    /// The state at a time.
    pub fn state(&self, parameters: &DVector<f64>, time: f64) -> State {
        let q = parameters;
        let triple = |k: usize| Vector3::new(q[k], q[k + 1], q[k + 2]);
        let (position, turn, velocity, spin) = if self.dimension.is_planar() {
            (
                Vector3::new(q[0], q[1], 0.0),
                Vector3::new(0.0, 0.0, q[2]),
                Vector3::new(q[3], q[4], 0.0),
                Vector3::new(0.0, 0.0, q[5]),
            )
        } else {
            (triple(0), triple(3), triple(6), triple(9))
        };
        let passed = time - self.time;
        let (position, velocity) = self.forces.fall(position, velocity, passed);
        let k = self.forces.spin_drag;
        let (turned, kept) = if k > 0.0 { (-(-k * passed).exp_m1() / k, (-k * passed).exp()) } else { (passed, 1.0) };
        let orientation =
            UnitQuaternion::from_scaled_axis(spin * turned) * UnitQuaternion::from_scaled_axis(turn) * self.orientation;
        State { pose: Pose { position, orientation }, velocity, angular_velocity: spin * kept }
    }
}

impl Forces {
    /// Position and velocity after a time, which may be negative.
    fn fall(&self, x: Vector3<f64>, v: Vector3<f64>, time: f64) -> (Vector3<f64>, Vector3<f64>) {
        if self.linear_drag == 0.0 && self.quadratic_drag == 0.0 {
            return (x + v * time + self.gravity * (0.5 * time * time), v + self.gravity * time);
        }
        let speed = v.norm() + self.gravity.norm() * time.abs();
        let rate = self.linear_drag + 2.0 * self.quadratic_drag * speed;
        let steps = (rate * time.abs() / STEP).ceil().clamp(1.0, MOST_STEPS);
        let h = time / steps;
        let (mut x, mut v) = (x, v);
        for _ in 0..steps as usize {
            let a1 = self.acceleration(&v);
            let (v2, a2) = (v + a1 * (0.5 * h), self.acceleration(&(v + a1 * (0.5 * h))));
            let (v3, a3) = (v + a2 * (0.5 * h), self.acceleration(&(v + a2 * (0.5 * h))));
            let (v4, a4) = (v + a3 * h, self.acceleration(&(v + a3 * h)));
            x += (v + (v2 + v3) * 2.0 + v4) * (h / 6.0);
            v += (a1 + (a2 + a3) * 2.0 + a4) * (h / 6.0);
        }
        (x, v)
    }

    fn acceleration(&self, v: &Vector3<f64>) -> Vector3<f64> {
        self.gravity - v * (self.linear_drag + self.quadratic_drag * v.norm())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: Vector3<f64>, b: Vector3<f64>) {
        assert!((a - b).norm() < 1e-8 * (1.0 + b.norm()), "{a:?} is not {b:?}");
    }

    #[test]
    fn linear_drag_has_its_closed_form() {
        let (g, k) = (Vector3::new(0.0, -9.81, 0.0), 0.7);
        let forces = Forces { gravity: g, linear_drag: k, ..Forces::default() };
        let v = Vector3::new(3.0, 2.0, 0.0);
        for time in [0.4, -0.3, 2.0] {
            let kept = (-k * time).exp();
            let (x, after) = forces.fall(Vector3::zeros(), v, time);
            close(after, g / k + (v - g / k) * kept);
            close(x, g / k * time + (v - g / k) * ((1.0 - kept) / k));
        }
    }

    #[test]
    fn quadratic_drag_alone_has_its_closed_form() {
        let forces = Forces { quadratic_drag: 0.2, ..Forces::default() };
        let v = Vector3::new(3.0, 4.0, 0.0);
        let (x, after) = forces.fall(Vector3::zeros(), v, 0.7);
        let slowed = 1.0 + 0.2 * 5.0 * 0.7;
        close(after, v / slowed);
        close(x, v / 5.0 * (slowed.ln() / 0.2));
    }

    #[test]
    fn a_flight_forth_and_back_is_none() {
        let forces = Forces { gravity: -Vector3::y() * 9.81, linear_drag: 0.3, quadratic_drag: 0.1, spin_drag: 0.4 };
        let flight =
            Flight { dimension: Dimension::Spatial, forces, time: 1.0, orientation: UnitQuaternion::identity() };
        let q = DVector::from_iterator(12, (0..12).map(|k| 0.3 * f64::from(k) - 1.0));
        let there = Flight { time: 1.5, ..flight.clone() };
        let back = flight.of_state(&there.state(&there.of_state(&flight.state(&q, 1.5)), 1.0));
        assert!((back - q).amax() < 1e-7);
    }
}
