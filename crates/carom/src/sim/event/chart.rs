//! The column of numbers that is integrated: twelve for each body, then the energies supplied and rubbed away.
//!
//! Orientation is told by the rotation vector φ of how much further a body has turned than it would have done evenly, with the
//! angular velocity ω₀ that it had when the step began: R = exp(φ) exp(ω₀ t) R₀. From the angular velocity
//! ω = dexp_φ φ̇ + exp(φ) ω₀ follows φ̇ = dexp_φ⁻¹ (ω − exp(φ) ω₀). A body that turns evenly has φ = 0, however fast it is, and the
//! orientation is one to rounding. Each step has its own chart, so that φ stays small.

use crate::sim::state::{Pose, State};
use nalgebra::{DVector, UnitQuaternion, Vector3};

/// Numbers of the column for each body: position, φ, velocity and angular velocity.
pub(super) const WIDTH: usize = 12;

/// What the numbers of a column mean.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// When it starts, on the integrator's clock.
    pub(super) since: f64,
    /// The bodies, in the order of the column.
    pub(super) bodies: Vec<usize>,
    /// Their orientations and angular velocities then.
    starts: Vec<(UnitQuaternion<f64>, Vector3<f64>)>,
}

impl Chart {
    pub(super) fn new(since: f64, bodies: Vec<usize>, states: &[State]) -> Chart {
        let start = |body: &usize| (states[*body].pose.orientation, states[*body].angular_velocity);
        let starts = bodies.iter().map(start).collect();
        Chart { since, bodies, starts }
    }

    /// Puts the states of its bodies into a column.
    pub(super) fn pack(&self, t: f64, states: &[State], energies: [f64; 2]) -> DVector<f64> {
        let mut y = DVector::zeros(WIDTH * self.bodies.len() + 2);
        for (place, &body) in self.bodies.iter().enumerate() {
            let State { pose, velocity, angular_velocity } = &states[body];
            let further = (pose.orientation * self.evenly(t, place).inverse()).scaled_axis();
            let numbers = [&pose.position, &further, velocity, angular_velocity].map(|v| <[f64; 3]>::from(*v));
            y.as_mut_slice()[WIDTH * place..WIDTH * (place + 1)].copy_from_slice(numbers.as_flattened());
        }
        let n = y.len();
        y.as_mut_slice()[n - 2..].copy_from_slice(&energies);
        y
    }

    /// Takes them out again.
    pub(super) fn unpack(&self, t: f64, y: &DVector<f64>, states: &mut [State]) {
        for (place, &body) in self.bodies.iter().enumerate() {
            states[body] = self.state(t, y, place);
        }
    }

    /// The state of the body at a place of the column.
    pub(super) fn state(&self, t: f64, y: &DVector<f64>, place: usize) -> State {
        let [position, further, velocity, angular_velocity] = vectors(y, place);
        let orientation = UnitQuaternion::from_scaled_axis(further) * self.evenly(t, place);
        State { pose: Pose { position, orientation }, velocity, angular_velocity }
    }

    /// The rate of φ.
    pub(super) fn turning(&self, y: &DVector<f64>, place: usize) -> Vector3<f64> {
        let [_, further, _, omega] = vectors(y, place);
        let beyond = omega - UnitQuaternion::from_scaled_axis(further) * self.starts[place].1;
        let across = further.cross(&beyond);
        beyond - across * 0.5 + further.cross(&across) * second(further.norm())
    }

    /// By how much a body has turned since the chart began, at most, rad.
    pub(super) fn turned(&self, t: f64, y: &DVector<f64>, place: usize) -> f64 {
        let [_, further, ..] = vectors(y, place);
        self.starts[place].1.norm() * (t - self.since) + further.norm()
    }

    /// The orientation of a body that turned evenly.
    fn evenly(&self, t: f64, place: usize) -> UnitQuaternion<f64> {
        let (orientation, omega) = self.starts[place];
        UnitQuaternion::from_scaled_axis(omega * (t - self.since)) * orientation
    }
}

fn vectors(y: &DVector<f64>, place: usize) -> [Vector3<f64>; 4] {
    let numbers = &y.as_slice()[WIDTH * place..WIDTH * (place + 1)];
    std::array::from_fn(|k| Vector3::from_column_slice(&numbers[3 * k..3 * (k + 1)]))
}

/// The factor of φ × (φ × ·) in dexp_φ⁻¹ = 1 − ½ φ × + …: (1 − ½θ cot ½θ) / θ².
fn second(theta: f64) -> f64 {
    /// Below, the series has no error left, and the formula loses digits.
    const SMALL: f64 = 0.03;
    let square = theta * theta;
    if theta < SMALL {
        return 1.0 / 12.0 + square / 720.0 + square * square / 30240.0;
    }
    let half = 0.5 * theta;
    (1.0 - half / half.tan()) / square
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(angular_velocity: Vector3<f64>) -> State {
        let orientation = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.2, 0.7));
        let pose = Pose { position: Vector3::new(1.0, 2.0, 3.0), orientation };
        State { pose, velocity: Vector3::x(), angular_velocity }
    }

    #[test]
    fn what_is_packed_comes_out_again() {
        let chart = Chart::new(0.5, vec![0], &[body(Vector3::new(2.0, -1.0, 0.5))]);
        let turned = State { angular_velocity: Vector3::new(-1.0, 0.2, 0.3), ..body(Vector3::zeros()) };
        let mut out = [turned];
        chart.unpack(1.1, &chart.pack(1.1, &[turned], [0.0; 2]), &mut out);
        assert!(out[0].pose.orientation.angle_to(&turned.pose.orientation) < 1e-15);
        assert_eq!(State { pose: turned.pose, ..out[0] }, turned);
    }

    /// The rate of φ makes the orientation turn with the angular velocity, whatever φ is: by central differences.
    #[test]
    fn orientation_turns_with_the_angular_velocity() {
        for size in [0.0, 1e-3, 0.02, 0.04, 1.0, 3.0] {
            let omega = Vector3::new(0.4, -1.3, 0.9);
            let chart = Chart::new(0.0, vec![0], &[body(Vector3::new(2.0, -1.0, 0.5))]);
            let mut y = chart.pack(0.0, &[body(omega)], [0.0; 2]);
            y.rows_mut(3, 3).copy_from(&(Vector3::new(0.6, 0.0, 0.8) * size));
            let (t, step) = (0.7, 1e-5);
            let turning = chart.turning(&y, 0);
            let at = |t: f64, sign: f64| {
                let mut y = y.clone();
                let moved = y.fixed_rows::<3>(3) + turning * (sign * step);
                y.rows_mut(3, 3).copy_from(&moved);
                chart.state(t + sign * step, &y, 0).pose.orientation
            };
            let rate = (at(t, 1.0) * at(t, -1.0).inverse()).scaled_axis() / (2.0 * step);
            assert!((rate - omega).norm() < 1e-9, "{size}: {rate} {omega}");
        }
    }
}
