//! Numbers as people read them.

use carom::format::Digits;

/// What is smaller than this, relative to the numbers beside it, is rounding and shown as zero.
const NOISE: f64 = 1e-14;

/// Six digits, without noise: what is rounding of `scale` is zero.
pub fn number(value: f64, scale: f64) -> String {
    let value = if value.abs() <= NOISE * scale { 0.0 } else { value };
    Digits(value).to_string().replace('-', "−")
}

/// Six digits, or a dash for what is not defined.
pub fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| number(value, 1.0))
}
