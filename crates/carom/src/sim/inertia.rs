//! Mass and inertia of the bodies of a scene.

use super::body::SceneBody;
use super::scene::Scene;
use super::state::State;
use crate::body::Body;
use nalgebra::{Matrix3, Rotation3, SymmetricEigen, Vector3};

/// Mass, and inertia in body axes with its inverse; a freedom without inertia has a zero there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    pub(crate) mass: f64,
    tensor: Matrix3<f64>,
    inverse: Matrix3<f64>,
    /// Principal axes in body axes, and how fast each component of the angular velocity there grows with the product of the others.
    principal: Matrix3<f64>,
    mixing: Vector3<f64>,
    /// Whether it turns evenly without torque, whatever its axis.
    pub(crate) even: bool,
}

/// Moments that differ by less than this fraction are equal; those below it are none.
const EQUAL: f64 = 1e-13;

impl Inertia {
    pub(crate) fn of(scene: &Scene) -> Vec<Inertia> {
        scene.bodies.iter().map(|body| Inertia::of_body(body, scene.is_planar())).collect()
    }

    fn of_body(body: &SceneBody, planar: bool) -> Inertia {
        let mass = body.mass;
        if planar {
            let about_z = |moment: f64| Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, moment));
            let moment = body.inertia[(2, 2)];
            let (tensor, inverse) = (about_z(moment), about_z(moment.recip()));
            return Inertia {
                mass,
                tensor,
                inverse,
                principal: Matrix3::identity(),
                mixing: Vector3::zeros(),
                even: true,
            };
        }
        let eigen = SymmetricEigen::new((body.inertia + body.inertia.transpose()) * 0.5);
        let greatest = eigen.eigenvalues.amax();
        let least = eigen.eigenvalues.min();
        let even = greatest - least <= EQUAL * greatest;
        let (moments, principal) = (eigen.eigenvalues, eigen.eigenvectors);
        let inverses = moments.map(|moment| if moment > EQUAL * greatest { moment.recip() } else { 0.0 });
        let inverse = if even {
            Matrix3::identity() / greatest
        } else {
            principal * Matrix3::from_diagonal(&inverses) * principal.transpose()
        };
        let tensor = if even { Matrix3::identity() * greatest } else { body.inertia };
        let mixing = Vector3::from_fn(|i, _| {
            let difference = moments[(i + 1) % 3] - moments[(i + 2) % 3];
            if difference.abs() <= EQUAL * greatest { 0.0 } else { inverses[i] * difference }
        });
        Inertia { mass, tensor, inverse, principal, mixing, even }
    }

    /// Angular acceleration without torque, by Euler's equations in the principal axes: of thin bodies, whose moments differ by orders
    /// of magnitude, ω × I ω would leave little but rounding about the thin axis.
    pub(crate) fn tumbling(&self, state: &State) -> Vector3<f64> {
        if self.even {
            return Vector3::zeros();
        }
        let own = self.principal.tr_mul(&state.pose.orientation.inverse_transform_vector(&state.angular_velocity));
        let rates = Vector3::from_fn(|i, _| self.mixing[i] * own[(i + 1) % 3] * own[(i + 2) % 3]);
        // The eigenvectors may be a left-handed system, in which Euler's equations change sign.
        state.pose.orientation * (self.principal * rates * self.principal.determinant().signum())
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
        let turned = || state.pose.orientation.inverse_transform_vector(&state.angular_velocity);
        let own = if self.even { state.angular_velocity } else { turned() };
        0.5 * (self.mass * state.velocity.norm_squared() + own.dot(&(self.tensor * own)))
    }

    /// Inverses of the moments about the world's axes of a body that turns evenly: they are principal axes, however it is turned.
    pub(crate) fn even_inverse(&self) -> Option<Vector3<f64>> {
        self.even.then(|| self.inverse.diagonal())
    }

    /// The body as impacts see it.
    pub(crate) fn body(&self, state: &State) -> Body {
        let [tensor, inverse] = self.in_world(state);
        Body::of_parts(self.mass.recip(), tensor, inverse)
            .at(state.pose.position)
            .moving(state.velocity, state.angular_velocity)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::Random;
    use crate::sim::state::Pose;
    use nalgebra::UnitQuaternion;

    /// Euler's equations in principal axes are −I⁻¹ (ω × I ω), whatever the axes.
    #[test]
    fn bodies_tumble_by_eulers_equations() {
        let mut random = Random(21);
        for turn in 0..200 {
            let mut vector = || Vector3::from_fn(|_, _| random.between(-1.0, 1.0));
            let axes: Rotation3<f64> = UnitQuaternion::from_scaled_axis(vector() * 3.0).into();
            let moments = vector().map(|number| 1.3 + 0.3 * number);
            let inertia = axes.matrix() * Matrix3::from_diagonal(&moments) * axes.matrix().transpose();
            let pose = Pose { orientation: UnitQuaternion::from_scaled_axis(vector() * 3.0), ..Pose::identity() };
            let body = SceneBody::new(1.0, (inertia + inertia.transpose()) * 0.5);
            let state = State { angular_velocity: vector() * 5.0, ..State::at_rest(pose) };
            let found = Inertia::of_body(&body, false);
            let [tensor, inverse] = found.in_world(&state);
            let expected = -inverse * state.angular_velocity.cross(&(tensor * state.angular_velocity));
            assert!((found.tumbling(&state) - expected).norm() < 1e-12, "{turn}");
        }
    }
}
