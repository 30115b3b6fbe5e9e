//! The serialised form of an orientation: w, x, y, z, the order of scenario files.

use nalgebra::{Quaternion, UnitQuaternion};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// An orientation may differ from length 1 by this much: each product by which it turns rounds its length by up to 4 ε, and a run has at most
/// 10⁸ steps.
const LENGTH: f64 = 1e-7;

pub(super) fn serialize<S: Serializer>(value: &UnitQuaternion<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    [value.w, value.i, value.j, value.k].serialize(serializer)
}

/// Keeps the bits of a quaternion of length 1, and refuses any other.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<UnitQuaternion<f64>, D::Error> {
    let [w, i, j, k] = <[f64; 4]>::deserialize(deserializer)?;
    let quaternion = Quaternion::new(w, i, j, k);
    let length = quaternion.norm();
    if (length - 1.0).abs() <= LENGTH {
        Ok(UnitQuaternion::new_unchecked(quaternion))
    } else {
        Err(Error::custom(format_args!(
            "orientation has length {length}; expected a quaternion w, x, y, z of length 1"
        )))
    }
}
