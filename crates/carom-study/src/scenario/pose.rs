//! `position` and `orientation`.

use super::fault::Fault;
use super::numbers::Numbers;
use super::schema::Layout;
use super::table::TableReader;
use carom::sim::Pose;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Where something is and how it is turned.
pub(super) fn read_pose(table: &TableReader<'_>) -> Result<Pose, Fault> {
    let position = table.numbers("position").map_or_else(Vector3::zeros, Numbers::vector);
    Ok(Pose { position, orientation: read_orientation(table)? })
}

/// How axes are turned; a single number is an angle about z, two are cosine and sine of half of it.
pub(super) fn read_orientation(table: &TableReader<'_>) -> Result<UnitQuaternion<f64>, Fault> {
    match table.numbers("orientation") {
        Some(numbers) if numbers.layout != Layout::Number => {
            let quaternion = match (numbers.layout, numbers.array()) {
                (Layout::List(2), [w, z, _, _]) => [w, 0.0, 0.0, z],
                (_, quaternion) => quaternion,
            };
            unit_quaternion(quaternion).ok_or_else(|| {
                Fault::at(table.span_of("orientation"), "the quaternion is zero")
                    .label("expected [w, x, y, z], not all zero; [1, 0, 0, 0] is no rotation")
            })
        }
        Some(angle) => Ok(UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle.first())),
        None => Ok(UnitQuaternion::identity()),
    }
}

/// How far the square of a length of 1 is from 1 after rounding of four components, and of their sum.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A quaternion w, x, y, z of length 1; one whose length is 1 up to rounding keeps its bits.
pub(super) fn unit_quaternion([w, x, y, z]: [f64; 4]) -> Option<UnitQuaternion<f64>> {
    let given = Quaternion::new(w, x, y, z);
    if (given.norm_squared() - 1.0).abs() <= ROUNDING {
        return Some(UnitQuaternion::new_unchecked(given));
    }
    UnitQuaternion::try_new(given, 0.0)
}
