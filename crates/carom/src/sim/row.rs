//! One scalar velocity between two bodies, and its rate.

use super::state::State;
use nalgebra::Vector3;

/// A velocity `linear·v + angular·ω` summed over two bodies, and what its rate is without accelerations. A force along it acts
/// on the bodies by the same coefficients.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Row {
    /// Place of the body (`None`: the world), and the coefficients of its velocity and angular velocity.
    pub(crate) sides: [(Option<usize>, Vector3<f64>, Vector3<f64>); 2],
    /// m/s² or rad/s².
    pub(crate) bias: f64,
}

impl Row {
    pub(crate) fn new(sides: [(Option<usize>, Vector3<f64>, Vector3<f64>); 2], bias: f64) -> Row {
        Row { sides, bias }
    }

    /// The velocity.
    pub(crate) fn velocity(&self, states: &[State]) -> f64 {
        self.dot(|body| (states[body].velocity, states[body].angular_velocity))
    }

    /// The coefficients applied to linear and angular quantities of the bodies.
    #[inline]
    pub(crate) fn dot(&self, of: impl Fn(usize) -> (Vector3<f64>, Vector3<f64>)) -> f64 {
        let side = |(body, linear, angular): &(Option<usize>, Vector3<f64>, Vector3<f64>)| {
            body.map_or(0.0, |body| {
                let (v, omega) = of(body);
                linear.dot(&v) + angular.dot(&omega)
            })
        };
        self.sides.iter().map(side).sum()
    }
}
