//! The dimensionless numbers of an oblique elastic impact: what is left of it when E*, R, mass and speed have dropped out.
//!
//! Maw, Barber & Fawcett, Wear 38, 1976; L.-J. Lai, Rebound Predictions of Mechanical Collisions, Oregon State University
//! 1999, chapter 5. Where two materials differ, ν is that of the pair, [`ReducedModuli`](super::ReducedModuli).

use super::moduli::checked_ratio;
use crate::error::{Error, finite, non_negative, positive};
use nalgebra::Matrix2;

/// κ = (2 − ν)/(3(1 − ν)): two thirds of the tangential over the normal compliance of a contact.
pub fn kappa(poisson_ratio: f64) -> f64 {
    (2.0 - poisson_ratio) / (3.0 * (1.0 - poisson_ratio))
}

/// ψ = 2(1 − ν)/(μ(2 − ν)) V_t/V_n: a direction of motion in units of the friction angle.
///
/// Give −V_t/V_n before the collision for ψ₁, and V_t/V_n after it for ψ₂.
///
/// ```
/// // Lai 1999, table 6.1: ν = 0.3, μ = 0.1, 0.5 m/s along the normal and 0.0607 m/s across.
/// assert!((carom::elastic::nondimensional_angle(0.3, 0.1, 0.0607 / 0.5)? - 1.0).abs() < 1e-3);
/// # Ok::<(), carom::Error>(())
/// ```
pub fn nondimensional_angle(poisson_ratio: f64, friction: f64, ratio: f64) -> Result<f64, Error> {
    checked_ratio(poisson_ratio)?;
    if friction.is_nan() || friction <= 0.0 {
        let expected = "a number above 0, or infinity";
        return Err(Error::OutOfRange { what: "friction", value: friction, expected });
    }
    finite("V_t/V_n", &[ratio])?;
    let angle = angle(poisson_ratio, friction, ratio);
    finite("ψ", &[angle])?;
    Ok(angle)
}

/// ψ of numbers that are known to be sound.
pub(super) fn angle(poisson_ratio: f64, friction: f64, ratio: f64) -> f64 {
    2.0 * ratio / (3.0 * kappa(poisson_ratio) * friction)
}

/// χ = (1 − ν)/(2 − ν) W_tt/W_nn, W in (n, t): the tangential stiffness of contact and body together.
///
/// For a sphere W_tt/W_nn is 7/2, for a disk 3.
pub fn gyration_ratio(poisson_ratio: f64, inverse_mass: &Matrix2<f64>) -> Result<f64, Error> {
    checked_ratio(poisson_ratio)?;
    finite("inverse mass", inverse_mass.as_slice())?;
    positive("W_nn", inverse_mass[(0, 0)])?;
    non_negative("W_tt", inverse_mass[(1, 1)])?;
    let chi = inverse_mass[(1, 1)] / (3.0 * kappa(poisson_ratio) * inverse_mass[(0, 0)]);
    finite("χ", &[chi])?;
    Ok(chi)
}

/// Lai's C = (2/μ)(1 − √(1 − κμ²)): the ratio of tangential to normal deflection at which his contact slips; `None` if
/// μ > 1/√κ, where it never does.
pub fn slip_ratio(poisson_ratio: f64, friction: f64) -> Option<f64> {
    let kappa = kappa(poisson_ratio);
    let root = (1.0 - kappa * friction * friction).sqrt();
    // The same without the difference, which loses its digits for small μ.
    (!root.is_nan()).then(|| 2.0 * kappa * friction / (1.0 + root))
}

/// Between which ψ₁ a contact with a diagonal inverse mass sticks, slips in part, and slips throughout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Regimes {
    /// Below this ψ₁ the contact sticks at first touch.
    pub stick_below: f64,
    /// Above this ψ₁ it slips throughout, and ψ₂ = ψ₁ − 4χ.
    pub slide_above: f64,
}

impl Regimes {
    /// By Hertz's and Mindlin's theory (Maw, Barber & Fawcett): 1 and 4χ − 1.
    pub fn maw(chi: f64) -> Result<Regimes, Error> {
        non_negative("χ", chi)?;
        Regimes { stick_below: 1.0, slide_above: 4.0 * chi - 1.0 }.checked()
    }

    /// By Lai's coupled springs: S and 4χ − S with S = 2C/(3κμ), which tends to 2/3 for small μ. `None` if they never
    /// slip.
    ///
    /// ```
    /// use carom::elastic::Regimes;
    /// let sphere = Regimes::lai(0.3, 0.5, 1.44118)?.expect("slips");
    /// assert!((sphere.stick_below - 0.704).abs() < 1e-3 && (sphere.slide_above - 5.060).abs() < 1e-3);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn lai(poisson_ratio: f64, friction: f64, chi: f64) -> Result<Option<Regimes>, Error> {
        checked_ratio(poisson_ratio)?;
        positive("friction", friction)?;
        non_negative("χ", chi)?;
        let Some(slip) = slip_ratio(poisson_ratio, friction) else { return Ok(None) };
        let limit = nondimensional_angle(poisson_ratio, friction, slip)?;
        Regimes { stick_below: limit, slide_above: 4.0 * chi - limit }.checked().map(Some)
    }

    fn checked(self) -> Result<Regimes, Error> {
        finite("regimes of ψ", &[self.stick_below, self.slide_above])?;
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_the_source_come_out() {
        let sphere = Matrix2::new(1.0, 0.0, 0.0, 3.5);
        let disk = Matrix2::new(1.0, 0.0, 0.0, 3.0);
        // Lai 1999, 5.2 and 5.3.
        assert!(
            (gyration_ratio(0.3, &sphere).unwrap() - 1.44118).abs() < 5e-6
                && (gyration_ratio(0.28, &disk).unwrap() - 1.25581).abs() < 5e-6
        );
        // 2/3 < κ < 1 for 0 < ν < 1/2 (5.28).
        assert!((kappa(0.0) - 2.0 / 3.0).abs() < 1e-15 && (kappa(0.5) - 1.0).abs() < 1e-15);
        let chi = gyration_ratio(0.3, &sphere).unwrap();
        let little = Regimes::lai(0.3, 0.1, chi).unwrap().unwrap();
        assert!((little.stick_below - 0.668).abs() < 5e-4, "{little:?}");
        assert!((Regimes::lai(0.3, 1e-9, 1.0).unwrap().unwrap().stick_below - 2.0 / 3.0).abs() < 1e-12);
        assert!((Regimes::maw(chi).unwrap().slide_above - 4.765).abs() < 5e-4);
        assert_eq!(Regimes::lai(0.3, 1.2, 1.0), Ok(None));
    }

    #[test]
    fn the_slip_ratio_solves_its_equation() {
        // (5.27): C² − (4/μ) C + 4κ = 0, the lesser root.
        for friction in [1e-8, 0.01, 0.3, 0.9, 1.0] {
            let c = slip_ratio(0.3, friction).unwrap();
            let k = kappa(0.3);
            assert!((c * c - 4.0 / friction * c + 4.0 * k).abs() < 1e-13 && c <= 2.0 / friction);
        }
        assert_eq!(slip_ratio(0.3, 0.0), Some(0.0));
    }
}
