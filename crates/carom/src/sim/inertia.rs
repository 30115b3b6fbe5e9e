//! Mass and inertia of the bodies of a scene.

use super::scene::{Mover, Scene};
use super::state::State;
use crate::body::Body;
use nalgebra::{Matrix3, Rotation3, SymmetricEigen, Vector3};

/// Mass, and inertia in body axes with its inverse; a freedom without inertia has a zero there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    pub(crate) mass: f64,
    tensor: Matrix3<f64>,
    inverse: Matrix3<f64>,
    /// Whether it turns evenly without torque, whatever its axis.
    pub(crate) even: bool,
}

/// Moments that differ by less than this fraction are equal; those below it are none.
const EQUAL: f64 = 1e-13;

impl Inertia {
    pub(crate) fn of(scene: &Scene) -> Vec<Inertia> {
        scene.bodies.iter().map(|body| Inertia::of_body(body, scene.planar)).collect()
    }

    fn of_body(body: &Mover, planar: bool) -> Inertia {
        let mass = body.mass;
        if planar {
            let about_z = |moment: f64| Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, moment));
            let moment = body.inertia[(2, 2)];
            return Inertia { mass, tensor: about_z(moment), inverse: about_z(moment.recip()), even: true };
        }
        let eigen = SymmetricEigen::new((body.inertia + body.inertia.transpose()) * 0.5);
        let greatest = eigen.eigenvalues.amax();
        let least = eigen.eigenvalues.min();
        let even = greatest - least <= EQUAL * greatest;
        let inverse = if even {
            Matrix3::identity() / greatest
        } else {
            let inverses = eigen.eigenvalues.map(|moment| if moment > EQUAL * greatest { moment.recip() } else { 0.0 });
            eigen.eigenvectors * Matrix3::from_diagonal(&inverses) * eigen.eigenvectors.transpose()
        };
        let tensor = if even { Matrix3::identity() * greatest } else { body.inertia };
        Inertia { mass, tensor, inverse, even }
    }

    /// Inertia tensor and its inverse in world axes.
    pub(crate) fn in_world(&self, state: &State) -> [Matrix3<f64>; 2] {
        if self.even {
            return [self.tensor, self.inverse];
        }
        let rotation: Rotation3<f64> = state.pose.orientation.into();
        let turned = |own: &Matrix3<f64>| rotation.matrix() * own * rotation.matrix().transpose();
        [turned(&self.tensor), turned(&self.inverse)]
    }

    /// Kinetic energy, J.
    pub(crate) fn kinetic(&self, state: &State) -> f64 {
        let own = state.pose.orientation.inverse_transform_vector(&state.angular_velocity);
        let own = if self.even { state.angular_velocity } else { own };
        0.5 * (self.mass * state.velocity.norm_squared() + own.dot(&(self.tensor * own)))
    }

    /// The body as impacts see it.
    pub(crate) fn body(&self, state: &State) -> Body {
        let [tensor, inverse] = self.in_world(state);
        Body::of_parts(self.mass.recip(), tensor, inverse)
            .at(state.pose.position)
            .moving(state.velocity, state.angular_velocity)
    }
}
