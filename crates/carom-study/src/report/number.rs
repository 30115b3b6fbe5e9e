//! Numbers as people read them.

/// Six digits, without noise: what is below 1e-12 of `scale` is zero.
pub fn number(value: f64, scale: f64) -> String {
    if value.abs() <= 1e-12 * scale || value == 0.0 {
        return "0".to_owned();
    }
    let text = if (1e-4..1e6).contains(&value.abs()) {
        let decimals = (5 - value.abs().log10().floor() as i32).clamp(0, 6) as usize;
        let fixed = format!("{value:.decimals$}");
        if fixed.contains('.') { fixed.trim_end_matches('0').trim_end_matches('.').to_owned() } else { fixed }
    } else {
        format!("{value:.5e}")
    };
    text.replace('-', "−")
}

/// Six digits, or a dash for what is not defined.
pub fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| number(value, 1.0))
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn six_digits_without_noise() {
        let cases = [(0.76, "0.76"), (-1.0, "−1"), (1e-17, "0"), (123_456.789, "123457"), (2.5e-7, "2.50000e−7")];
        for (value, text) in cases {
            assert_eq!(number(value, 1.0), text);
        }
    }
}
