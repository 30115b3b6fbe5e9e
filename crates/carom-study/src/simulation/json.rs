//! Numbers in JSON that come back bit by bit.

use carom::sim::{Pose, State};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use serde_json::Value;

/// A number; one that JSON cannot write, as a word.
pub(super) fn number(value: f64) -> Value {
    if value.is_finite() { value.into() } else { value.to_string().into() }
}

pub(super) fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    values.into_iter().map(number).collect()
}

pub(super) fn vector(v: &Vector3<f64>) -> Value {
    numbers(v.iter().copied())
}

/// Position, orientation w x y z, velocity, angular velocity.
pub(super) fn state(state: &State) -> Value {
    let q = state.pose.orientation.quaternion();
    let orientation = [q.w, q.i, q.j, q.k];
    let velocities = state.velocity.iter().chain(&state.angular_velocity);
    numbers(state.pose.position.iter().chain(&orientation).chain(velocities).copied())
}

pub(super) fn as_number(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

pub(super) fn as_numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let list = value.as_array().filter(|list| list.len() == N)?;
    let mut numbers = [0.0; N];
    for (number, value) in numbers.iter_mut().zip(list) {
        *number = as_number(value)?;
    }
    Some(numbers)
}

pub(super) fn as_vector(value: &Value) -> Option<Vector3<f64>> {
    as_numbers::<3>(value).map(Vector3::from)
}

pub(super) fn as_state(value: &Value) -> Option<State> {
    let [x, y, z, w, i, j, k, vx, vy, vz, ox, oy, oz] = as_numbers::<13>(value)?;
    Some(State {
        pose: Pose {
            position: Vector3::new(x, y, z),
            orientation: UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k)),
        },
        velocity: Vector3::new(vx, vy, vz),
        angular_velocity: Vector3::new(ox, oy, oz),
    })
}

pub(super) fn as_count(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|count| usize::try_from(count).ok())
}
