//! Numbers as people read them.

use std::fmt;

/// A number with six significant digits: plain where that is short, scientific where it is not, zero without a sign.
///
/// ```
/// use carom::format::Digits;
/// assert_eq!(Digits(0.0531250001).to_string(), "0.053125");
/// assert_eq!(Digits(-2.5e-12).to_string(), "-2.5e-12");
/// assert_eq!(Digits(-0.0).to_string(), "0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Digits(pub f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        if value == 0.0 {
            return f.pad("0");
        }
        if (1e-4..1e6).contains(&value.abs()) {
            let decimals = (5.0 - value.abs().log10().floor()).clamp(0.0, 9.0) as usize;
            return f.pad(trimmed(&format!("{value:.decimals$}")));
        }
        let scientific = format!("{value:.5e}");
        match scientific.split_once('e') {
            Some((mantissa, exponent)) => f.pad(&format!("{}e{exponent}", trimmed(mantissa))),
            None => f.pad(&scientific),
        }
    }
}

/// A number with all its digits: plain where that is short, scientific where it is not.
///
/// ```
/// use carom::format::Exact;
/// assert_eq!(Exact(1.000000001).to_string(), "1.000000001");
/// assert_eq!(Exact(5e-324).to_string(), "5e-324");
/// assert_eq!(Exact(f64::INFINITY).to_string(), "inf");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exact(pub f64);

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.0;
        let is_long = value != 0.0 && value.is_finite() && !(1e-4..1e7).contains(&value.abs());
        f.pad(&if is_long { format!("{value:e}") } else { value.to_string() })
    }
}

/// Without zeros that end a fraction.
fn trimmed(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}
