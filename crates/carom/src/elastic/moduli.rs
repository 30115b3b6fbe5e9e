//! Elastic constants of one body and of a pair.

use crate::error::{Error, finite, positive};

/// The elastic constants of an isotropic body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elasticity {
    youngs_modulus: f64,
    poisson_ratio: f64,
}

impl Elasticity {
    /// Young's modulus E > 0, Pa, and Poisson's ratio ν above −1 and up to 0.5.
    pub fn new(youngs_modulus: f64, poisson_ratio: f64) -> Result<Elasticity, Error> {
        positive("Young's modulus", youngs_modulus)?;
        checked_ratio(poisson_ratio)?;
        // The modulus against a rigid body, which no other pair exceeds, and twice the shear modulus.
        let against_rigid = youngs_modulus / ((1.0 + poisson_ratio) * (1.0 - poisson_ratio));
        positive("E/(1 − ν²)", against_rigid)?;
        positive("E/(1 + ν)", youngs_modulus / (1.0 + poisson_ratio))?;
        Ok(Elasticity { youngs_modulus, poisson_ratio })
    }

    /// Young's modulus E, Pa.
    pub fn youngs_modulus(&self) -> f64 {
        self.youngs_modulus
    }

    /// Poisson's ratio ν.
    pub fn poisson_ratio(&self) -> f64 {
        self.poisson_ratio
    }

    /// Shear modulus G = E/(2(1 + ν)), Pa.
    pub fn shear_modulus(&self) -> f64 {
        0.5 * self.youngs_modulus / (1.0 + self.poisson_ratio)
    }
}

/// What the contact of two bodies feels of their elastic constants.
///
/// ```text
/// 1/E* = (1 − ν₁²)/E₁ + (1 − ν₂²)/E₂,   1/G_e = (2 − ν₁)/G₁ + (2 − ν₂)/G₂,   (1 − ν)/(2 − ν) = 2 G_e/E*
/// ```
///
/// The last equation defines the Poisson's ratio ν of the pair: formulas for like bodies, which hold (1 − ν)/(2 − ν),
/// then hold for unlike ones too. It is a weighted mean of the two bodies' (1 − ν_i)/(2 − ν_i).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReducedModuli {
    /// E*, Pa.
    pub youngs_modulus: f64,
    /// ν of the pair.
    pub poisson_ratio: f64,
}

impl ReducedModuli {
    /// The moduli of two bodies.
    ///
    /// ```
    /// use carom::elastic::{Elasticity, ReducedModuli};
    /// let aluminium = Elasticity::new(7e10, 0.3).unwrap();
    /// let alike = ReducedModuli::between(&aluminium, &aluminium);
    /// assert!((alike.youngs_modulus - 3.846_154e10).abs() < 1e4);
    /// assert!((alike.poisson_ratio - 0.3).abs() < 1e-14);
    /// ```
    pub fn between(first: &Elasticity, second: &Elasticity) -> ReducedModuli {
        ReducedModuli::of(&[*first, *second])
    }

    /// The moduli of a body against a rigid one.
    pub fn against_rigid(body: &Elasticity) -> ReducedModuli {
        ReducedModuli::of(&[*body])
    }

    fn of(bodies: &[Elasticity]) -> ReducedModuli {
        // Compliances relative to the softest body, so that no product leaves the range of numbers.
        let softest = bodies.iter().map(|body| body.youngs_modulus).fold(f64::INFINITY, f64::min);
        let (mut normal, mut tangential) = (0.0, 0.0);
        for Elasticity { youngs_modulus, poisson_ratio: nu } in bodies {
            let compliance = softest / youngs_modulus * (1.0 + nu);
            normal += compliance * (1.0 - nu);
            tangential += compliance * (2.0 - nu);
        }
        let ratio = normal / tangential;
        ReducedModuli { youngs_modulus: softest / normal, poisson_ratio: (1.0 - 2.0 * ratio) / (1.0 - ratio) }
    }
}

/// Checks a Poisson's ratio above −1 and up to 0.5.
pub(super) fn checked_ratio(poisson_ratio: f64) -> Result<(), Error> {
    finite("Poisson's ratio", &[poisson_ratio])?;
    if poisson_ratio <= -1.0 || poisson_ratio > 0.5 {
        let expected = "a number above -1 and up to 0.5";
        return Err(Error::OutOfRange { what: "Poisson's ratio", value: poisson_ratio, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_pair_s_ratio_is_that_of_the_compliances() {
        let mut random = Random(4);
        for _ in 0..300 {
            let [first, second] =
                [(); 2].map(|()| Elasticity::new(random.log_between(1e6, 1e12), random.between(-0.9, 0.5)).unwrap());
            let pair = ReducedModuli::between(&first, &second);
            let star = ((1.0 - first.poisson_ratio.powi(2)) / first.youngs_modulus
                + (1.0 - second.poisson_ratio.powi(2)) / second.youngs_modulus)
                .recip();
            let shear = ((2.0 - first.poisson_ratio) / first.shear_modulus()
                + (2.0 - second.poisson_ratio) / second.shear_modulus())
            .recip();
            assert!((pair.youngs_modulus / star - 1.0).abs() < 1e-13);
            let ratio = (1.0 - pair.poisson_ratio) / (2.0 - pair.poisson_ratio);
            assert!((ratio / (2.0 * shear / star) - 1.0).abs() < 1e-13);
            let (low, high) =
                (first.poisson_ratio.min(second.poisson_ratio), first.poisson_ratio.max(second.poisson_ratio));
            assert!(pair.poisson_ratio >= low - 1e-12 && pair.poisson_ratio <= high + 1e-12);
            assert_eq!(ReducedModuli::between(&second, &first).youngs_modulus, pair.youngs_modulus);
        }
    }

    #[test]
    fn against_a_rigid_body_only_one_is_felt() {
        let body = Elasticity::new(7e10, 0.3).unwrap();
        let pair = ReducedModuli::against_rigid(&body);
        // Lai 1999, 6.2: 7.6923e10 Pa.
        assert!((pair.youngs_modulus - 7.6923e10).abs() < 1e6 && (pair.poisson_ratio - 0.3).abs() < 1e-15);
        let stiff = ReducedModuli::between(&body, &Elasticity::new(7e30, 0.1).unwrap());
        assert!((stiff.youngs_modulus / pair.youngs_modulus - 1.0).abs() < 1e-15);
    }

    #[test]
    fn impossible_constants_are_refused() {
        for (modulus, ratio) in [(0.0, 0.3), (1.0, 0.6), (1.0, -1.0), (f64::NAN, 0.3), (1.0, f64::NAN)] {
            assert!(Elasticity::new(modulus, ratio).is_err());
        }
    }
}
