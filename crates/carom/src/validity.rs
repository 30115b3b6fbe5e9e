//! Whether Hertz's theory may be believed: small contact, slow waves, no yielding.

use crate::error::{Error, positive};
use crate::format::Digits;
use std::f64::consts::PI;
use std::fmt;

/// How strong the weaker body is against pressure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// Yield stress Y in simple tension, Pa.
    Yield(f64),
    /// Indentation hardness H, Pa.
    Hardness(f64),
}

/// A circular contact begins to yield below the surface where p₀ = 1.6 Y (Johnson, Contact Mechanics, 6.1; ν = 0.3).
const FIRST_YIELD: f64 = 1.6;
/// H = 2.8 Y (Tabor, The Hardness of Metals, 1951).
const HARDNESS_OVER_YIELD: f64 = 2.8;

impl Strength {
    /// The peak pressure at which the body begins to yield, Pa.
    ///
    /// ```
    /// use carom::elastic::Strength;
    /// assert_eq!(Strength::Yield(250e6).first_yield()?, 400e6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn first_yield(&self) -> Result<f64, Error> {
        let stress = self.yield_stress();
        positive("strength", stress)?;
        positive("pressure of first yield", FIRST_YIELD * stress)?;
        Ok(FIRST_YIELD * stress)
    }

    /// Yield stress in simple tension, Pa.
    fn yield_stress(self) -> f64 {
        match self {
            Strength::Yield(stress) => stress,
            Strength::Hardness(hardness) => hardness / HARDNESS_OVER_YIELD,
        }
    }
}

/// Two criteria of how quasi-static the impact of a sphere is: it is if they are far below 1 (Chatterjee 1997, 11.3).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WaveCriteria {
    /// The strong form, (V/c)^(1/5): up to a factor, the time of a wave through the sphere over that of the impact.
    pub strong: f64,
    /// The weak form, 0.3 (V/c)^(1/3).
    pub weak: f64,
}

impl WaveCriteria {
    /// The criteria for a normal speed V and a wave speed c = √(E/ρ), m/s.
    pub fn new(normal_speed: f64, wave_speed: f64) -> Result<WaveCriteria, Error> {
        positive("normal speed", normal_speed)?;
        positive("wave speed", wave_speed)?;
        let ratio = normal_speed / wave_speed;
        positive("normal speed over wave speed", ratio)?;
        Ok(WaveCriteria { strong: ratio.powf(0.2), weak: 0.3 * ratio.cbrt() })
    }
}

impl fmt::Display for WaveCriteria {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "quasi-static if far below 1: (V/c)^(1/5) = {}, 0.3 (V/c)^(1/3) = {}",
            Digits(self.strong),
            Digits(self.weak)
        )
    }
}

/// What is known of the bodies beyond their elastic constants: data for doubts about an impact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// How strong the weaker body is.
    pub strength: Option<Strength>,
    /// Speed of elastic waves in the slower body, √(E/ρ), m/s.
    pub wave_speed: Option<f64>,
}

impl Limits {
    /// From parameters of a law, which are NaN where they are not given.
    pub(crate) fn of_parameters(yield_stress: f64, wave_speed: f64) -> Limits {
        let given = |value: f64| (!value.is_nan()).then_some(value);
        Limits { strength: given(yield_stress).map(Strength::Yield), wave_speed: given(wave_speed) }
    }

    /// The parameters of a law again: yield stress and wave speed.
    pub(crate) fn parameters(&self) -> [f64; 2] {
        [self.strength.map(Strength::yield_stress), self.wave_speed].map(|value| value.unwrap_or(f64::NAN))
    }

    /// The doubts about an impact with this normal speed (m/s) that presses a contact of reduced modulus E* (Pa) and
    /// relative radius R (m) together by `approach` (m).
    pub(crate) fn doubts(
        &self,
        modulus: f64,
        radius: f64,
        normal_speed: f64,
        approach: f64,
    ) -> impl Iterator<Item = Doubt> {
        // a/R of the circular contact, and its peak pressure 2 E* a/(π R).
        let ratio = (approach / radius).sqrt();
        let pressure = 2.0 * modulus * ratio / PI;
        let waves = self.wave_speed.and_then(|wave_speed| WaveCriteria::new(normal_speed, wave_speed).ok());
        let doubts = [
            Doubt::of_size(ratio),
            waves.and_then(Doubt::of_waves),
            self.strength.and_then(|strength| Doubt::of_strength(pressure, strength)),
        ];
        doubts.into_iter().flatten()
    }
}

/// Why Hertz's theory may not hold for a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Doubt {
    /// The contact is not small beside the bodies.
    LargeContact {
        /// Contact radius over relative radius, a/R.
        ratio: f64,
    },
    /// Waves take part.
    Waves {
        /// The two criteria.
        criteria: WaveCriteria,
    },
    /// The weaker body yields.
    Yields {
        /// Peak pressure p₀, Pa.
        pressure: f64,
        /// The peak pressure of first yield, Pa.
        limit: f64,
    },
}

/// A quantity that must be far below 1 is so up to here.
const SMALL: f64 = 0.1;

impl Doubt {
    /// Of the size of a contact: a/R.
    fn of_size(ratio: f64) -> Option<Doubt> {
        (ratio > SMALL).then_some(Doubt::LargeContact { ratio })
    }

    /// Of the waves. The weak criterion decides: the strong one fails at any speed worth the name of an impact.
    fn of_waves(criteria: WaveCriteria) -> Option<Doubt> {
        (criteria.weak > SMALL).then_some(Doubt::Waves { criteria })
    }

    /// Of the strength under a peak pressure, Pa.
    fn of_strength(pressure: f64, strength: Strength) -> Option<Doubt> {
        let limit = FIRST_YIELD * strength.yield_stress();
        (pressure > limit).then_some(Doubt::Yields { pressure, limit })
    }
}

impl fmt::Display for Doubt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doubt::LargeContact { ratio } => {
                write!(
                    f,
                    "the contact grows to {} of the relative radius; Hertz's theory assumes a small contact",
                    Digits(*ratio)
                )
            }
            Doubt::Waves { criteria } => {
                write!(f, "so fast that elastic waves take part; {criteria}")
            }
            Doubt::Yields { pressure, limit } => write!(
                f,
                "the peak pressure of {} Pa exceeds the {} Pa at which the weaker body begins to yield",
                Digits(*pressure),
                Digits(*limit)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_criteria_of_the_source_come_out() {
        // Chatterjee 1997, 11.3: Delrin at 0.5 m/s, c = 1389 m/s.
        let criteria = WaveCriteria::new(0.5, 1389.0).unwrap();
        assert!((criteria.strong - 0.205).abs() < 5e-4 && (criteria.weak - 0.021).abs() < 5e-4, "{criteria:?}");
        assert_eq!(Doubt::of_waves(criteria), None);
        let bullet = WaveCriteria::new(800.0, 5000.0).unwrap();
        let doubt = Doubt::of_waves(bullet).unwrap();
        assert!(doubt.to_string().contains("elastic waves take part"), "{doubt}");
        assert!(WaveCriteria::new(0.0, 1.0).is_err() && WaveCriteria::new(1.0, f64::NAN).is_err());
    }

    #[test]
    fn hardness_and_yield_stress_agree() {
        // Tabor: the mean pressure at first yield is about 0.4 H, so p₀ is about 0.6 H.
        let limit = Strength::Hardness(2.8e9).first_yield().unwrap();
        assert!((limit - Strength::Yield(1e9).first_yield().unwrap()).abs() < 1.0);
        assert!((limit / 2.8e9 - 0.57).abs() < 0.01);
        assert_eq!(Doubt::of_strength(1.5e9, Strength::Yield(1e9)), None);
        let doubt = Doubt::of_strength(1.7e9, Strength::Yield(1e9)).unwrap();
        assert_eq!(
            doubt.to_string(),
            "the peak pressure of 1.7e9 Pa exceeds the 1.6e9 Pa at which the weaker body begins to yield"
        );
    }

    #[test]
    fn an_impact_is_doubted_only_where_its_data_are_there() {
        // Lai 1999, 6.2: an aluminium ball at 0.5 m/s reaches 1.575 GPa.
        let doubts = |limits: Limits| limits.doubts(7.6923e10, 0.05, 0.5, 5.175e-5).count();
        assert_eq!(doubts(Limits::default()), 0);
        let soft = Limits { strength: Some(Strength::Yield(276e6)), wave_speed: Some(5092.0) };
        assert_eq!(doubts(soft), 1);
        let hard = Limits { strength: Some(Strength::Yield(1.575e9 / 1.59)), ..soft };
        assert_eq!(doubts(hard), 0);
        assert_eq!(doubts(Limits { wave_speed: Some(5.0), ..hard }), 1);
        assert_eq!(Limits::of_parameters(f64::NAN, f64::NAN), Limits::default());
    }

    #[test]
    fn a_large_contact_is_doubted() {
        assert_eq!(Doubt::of_size(0.1), None);
        let doubt = Doubt::of_size(0.25).unwrap();
        assert_eq!(
            doubt.to_string(),
            "the contact grows to 0.25 of the relative radius; Hertz's theory assumes a small contact"
        );
    }
}
