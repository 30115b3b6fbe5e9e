//! Bytes that hold a few things one after the other: how scenarios, runs and checkpoints are pickled and stored.

use crate::errors::InputError;
use pyo3::prelude::*;
use serde_json::{Value, json};

/// The layout of parcels; those of another are refused.
const FORMAT: u64 = 1;

/// A description in JSON, and pieces of any kind.
pub(crate) struct Parcel {
    pub(crate) about: Value,
    pub(crate) pieces: Vec<Vec<u8>>,
}

impl Parcel {
    /// As bytes: a line of JSON, then the pieces.
    pub(crate) fn pack(&self, kind: &str) -> Vec<u8> {
        let sizes: Vec<usize> = self.pieces.iter().map(Vec::len).collect();
        let head = json!({"carom": kind, "format": FORMAT, "sizes": sizes, "about": self.about});
        let mut bytes = format!("{head}\n").into_bytes();
        bytes.extend(self.pieces.iter().flatten());
        bytes
    }

    /// From bytes of this kind.
    pub(crate) fn unpack(kind: &str, bytes: &[u8]) -> PyResult<Parcel> {
        Parcel::parse(kind, bytes).ok_or_else(|| {
            InputError::new_err(format!(
                "these bytes are no {kind} of carom {}, or a part is missing",
                env!("CARGO_PKG_VERSION")
            ))
        })
    }

    fn parse(kind: &str, bytes: &[u8]) -> Option<Parcel> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head: Value = serde_json::from_slice(&bytes[..end]).ok()?;
        if head["carom"] != kind || head["format"] != FORMAT {
            return None;
        }
        let mut rest = &bytes[end + 1..];
        let mut pieces = Vec::new();
        for size in head["sizes"].as_array()? {
            let (piece, after) = rest.split_at_checked(usize::try_from(size.as_u64()?).ok()?)?;
            pieces.push(piece.to_vec());
            rest = after;
        }
        rest.is_empty().then(|| Parcel { about: head["about"].clone(), pieces })
    }
}

/// The error of a parcel that was altered.
pub(crate) fn damaged(kind: &str) -> PyErr {
    InputError::new_err(format!("this {kind} was altered or damaged after it was stored"))
}
