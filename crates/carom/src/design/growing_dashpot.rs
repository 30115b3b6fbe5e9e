//! A spring with a dashpot c x dx/dt that grows with the compression: Chatterjee 1997, 8.2.

/// Restitution of a mass on F = k x + c x dx/dt for a = c v/k ≥ 0, v the speed of approach (eq. 8.3).
///
/// ```
/// assert!((carom::design::restitution_of_speed_ratio(1.0) - 0.593_624_26).abs() < 1e-8);
/// ```
pub fn restitution_of_speed_ratio(a: f64) -> f64 {
    if a < 1e-5 {
        return 1.0 - a * (2.0 / 3.0 - a * (4.0 / 9.0));
    }
    // With t = −ln(1 − a e), (8.3) is t − (1 − exp(−t)) = a − ln(1 + a): strictly increasing in t.
    let wanted = a - a.ln_1p();
    let mut t = (2.0 * wanted).sqrt().max(wanted);
    for _ in 0..100 {
        let drop = -(-t).exp_m1();
        let next = t - (t - drop - wanted) / drop;
        if (next - t).abs() <= 2.0 * f64::EPSILON * t {
            break;
        }
        t = next;
    }
    -(-t).exp_m1() / a
}

/// The ratio a = c v/k that gives this restitution, 0 < e ≤ 1; infinite for e = 0.
///
/// ```
/// assert!((carom::design::speed_ratio(0.5) - 1.432_751).abs() < 1e-6);
/// ```
pub fn speed_ratio(restitution: f64) -> f64 {
    if restitution <= 0.0 {
        return f64::INFINITY;
    }
    if restitution >= 1.0 {
        return 0.0;
    }
    // e falls strictly with a, and a e < 1.
    let (mut low, mut high) = (0.0, restitution.recip());
    while high - low > 2.0 * f64::EPSILON * high {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if restitution_of_speed_ratio(middle) > restitution { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_the_thesis_come_out() {
        // Chatterjee 1997, eq. 8.3, evaluated in an independent implementation.
        let table = [
            (0.1, 0.937_475_58),
            (0.5, 0.748_434_93),
            (1.0, 0.593_624_26),
            (2.0, 0.410_719_69),
            (5.0, 0.196_980_25),
            (10.0, 0.099_981_62),
        ];
        for (a, e) in table {
            assert!((restitution_of_speed_ratio(a) - e).abs() < 5e-9, "{a}");
        }
        for (e, a) in [(0.9, 0.166_482), (0.5, 1.432_751), (0.2, 4.919_167)] {
            assert!((speed_ratio(e) - a).abs() < 5e-7, "{e}");
        }
    }

    #[test]
    fn the_series_joins_the_solution() {
        let (below, above) = (restitution_of_speed_ratio(0.999_999e-5), restitution_of_speed_ratio(1.000_001e-5));
        assert!((below - above).abs() < 1e-10);
    }

    #[test]
    fn fast_approach_rebounds_with_the_element_s_own_speed() {
        assert!((restitution_of_speed_ratio(1e6) * 1e6 - 1.0).abs() < 1e-12);
    }
}
