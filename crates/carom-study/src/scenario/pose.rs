//! `position` and `orientation`.

use super::fault::Fault;
use super::numbers::Numbers;
use super::table::TableReader;
use carom::Dimension;
use carom::sim::Pose;
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

/// Where something is and how it is turned.
pub(super) fn read_pose(table: &TableReader<'_>) -> Result<Pose, Fault> {
    let position = table.numbers("position").map_or_else(Vector3::zeros, Numbers::vector);
    Ok(Pose { position, orientation: read_orientation(table)? })
}

/// How axes are turned; a single number is an angle about z.
pub(super) fn read_orientation(table: &TableReader<'_>) -> Result<UnitQuaternion<f64>, Fault> {
    match table.numbers("orientation") {
        Some(numbers) if numbers.dimension == Some(Dimension::Spatial) => {
            let [w, x, y, z] = numbers.array();
            UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 0.0).ok_or_else(|| {
                Fault::at(table.span_of("orientation"), "the quaternion is zero")
                    .label("expected [w, x, y, z], not all zero; [1, 0, 0, 0] is no rotation")
            })
        }
        Some(angle) => Ok(UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle.first())),
        None => Ok(UnitQuaternion::identity()),
    }
}
