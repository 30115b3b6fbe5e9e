//! Complete elliptic integrals by the arithmetic–geometric mean.

use std::f64::consts::FRAC_PI_2;

/// Complete elliptic integrals as functions of the complementary modulus k' = √(1 − k²), 0 < k' ≤ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Elliptic {
    /// K, of the first kind.
    pub k: f64,
    /// D = (K − E)/k². Unlike that quotient it loses no digits as k → 0, where it is π/4.
    pub d: f64,
}

impl Elliptic {
    /// The integrals at a complementary modulus (Abramowitz & Stegun 17.6).
    pub fn of_complement(complement: f64) -> Elliptic {
        // a and b are the means; E = K (1 − Σ 2ⁿ⁻¹ c_n²) with c_0 = k and c_{n+1} = c_n²/(4 a_{n+1}), so each term of
        // the sum is known relative to k² without dividing by it.
        let (mut a, mut b) = (1.0, complement);
        let modulus_squared = (1.0 - complement) * (1.0 + complement);
        // Share = c_n²/k² and sum = Σ 2ⁿ⁻¹ c_n²/k².
        let (mut share, mut weight, mut sum) = (1.0, 0.5, 0.5);
        // The means agree to rounding after six steps for any k' a Hertz ellipse can have, and after nine for any
        // positive number.
        for _ in 0..12 {
            let next = 0.5 * (a + b);
            b = (a * b).sqrt();
            a = next;
            share = share * share * modulus_squared / (16.0 * a * a);
            weight *= 2.0;
            sum += weight * share;
            if share * weight <= f64::EPSILON * f64::EPSILON {
                break;
            }
        }
        let k = FRAC_PI_2 / a;
        Elliptic { k, d: k * sum }
    }

    /// B = K − D = (E − k'² K)/k².
    pub fn b(&self) -> f64 {
        self.k - self.d
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_4;

    #[test]
    fn tabulated_values_come_out() {
        // Abramowitz & Stegun, table 17.1: K and E for the parameter k² = 0.5 and 0.9.
        for (parameter, k, e) in [
            (0.5_f64, 1.854_074_677_301_372, 1.350_643_881_047_675),
            (0.9, 2.578_092_113_348_173, 1.104_774_732_704_073),
        ] {
            let found = Elliptic::of_complement((1.0 - parameter).sqrt());
            assert!((found.k - k).abs() < 1e-14, "{}", found.k);
            assert!((found.k - parameter * found.d - e).abs() < 1e-14, "{}", found.k - parameter * found.d);
        }
    }

    #[test]
    fn the_circle_is_no_special_case() {
        let circle = Elliptic::of_complement(1.0);
        assert_eq!((circle.k, circle.d), (FRAC_PI_2, FRAC_PI_4));
        let nearly = Elliptic::of_complement(1.0 - 1e-12);
        assert!((nearly.d - FRAC_PI_4).abs() < 1e-12 && (nearly.b() - FRAC_PI_4).abs() < 1e-12);
    }

    #[test]
    fn legendre_s_relation_holds() {
        // K E' + K' E − K K' = π/2, a check that needs no table, down to slender ellipses.
        for complement in [0.9, 0.5, 0.1, 1e-3, 1e-6] {
            let modulus = f64::sqrt((1.0 - complement) * (1.0 + complement));
            let (one, other) = (Elliptic::of_complement(complement), Elliptic::of_complement(modulus));
            let e = one.k - modulus * modulus * one.d;
            let e_other = other.k - complement * complement * other.d;
            let relation = one.k * e_other + other.k * e - one.k * other.k;
            assert!((relation - FRAC_PI_2).abs() < 1e-12, "{complement}: {relation}");
        }
    }
}
