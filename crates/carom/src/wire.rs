//! The serialised form of numbers that may be infinite. Text formats such as JSON have no number for infinity: there it is one of the
//! words `inf` and `-inf`, or `NaN`.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// A number that may be infinite.
struct Number(f64);

/// As it stands in a text format.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Text {
    Number(f64),
    Word(String),
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() || !serializer.is_human_readable() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        if !deserializer.is_human_readable() {
            return f64::deserialize(deserializer).map(Number);
        }
        match Text::deserialize(deserializer)? {
            Text::Number(value) => Ok(Number(value)),
            Text::Word(word) => {
                word.parse().map(Number).map_err(|_| Error::custom("expected a number, inf, -inf or NaN"))
            }
        }
    }
}

/// A number that may be infinite.
pub(crate) mod number {
    use super::{Deserialize, Deserializer, Number, Serialize, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a field over by reference")]
    pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Number(*value).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Number::deserialize(deserializer).map(|number| number.0)
    }
}

/// Two numbers that may be infinite.
pub(crate) mod pair {
    use super::{Deserialize, Deserializer, Number, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(values: &[f64; 2], serializer: S) -> Result<S::Ok, S::Error> {
        values.map(Number).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[f64; 2], D::Error> {
        <[Number; 2]>::deserialize(deserializer).map(|pair| pair.map(|number| number.0))
    }
}
