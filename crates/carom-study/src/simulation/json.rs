//! Numbers in JSON.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

/// A number; one that JSON cannot write, as a word.
pub(super) fn number(value: f64) -> Value {
    if value.is_finite() { value.into() } else { value.to_string().into() }
}

pub(super) fn numbers(values: impl IntoIterator<Item = f64>) -> Value {
    values.into_iter().map(number).collect()
}

/// [`number`] for a field of a struct.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a field over by reference")]
pub(super) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    number(*value).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let value = Value::deserialize(deserializer)?;
    value.as_f64().or_else(|| value.as_str()?.parse().ok()).ok_or_else(|| Error::custom("expected a number"))
}
