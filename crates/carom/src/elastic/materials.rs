//! Elastic constants, density and yield stress of common materials.
//!
//! Typical values at room temperature, for estimates: a batch, an alloy or a moulding differs by several per cent, a
//! plastic by tens. Where the source gives a range, its middle is taken and the range stated.

use super::moduli::Elasticity;
use crate::error::{Error, positive};

/// A material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// What files call it.
    pub name: &'static str,
    /// Young's modulus E, Pa.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν.
    pub poisson_ratio: f64,
    /// Density ρ, kg/m³.
    pub density: f64,
    /// Yield stress Y, Pa; `None` for materials that break or stretch instead.
    pub yield_stress: Option<f64>,
    /// Which grade it is and where the values come from.
    pub source: &'static str,
}

impl Material {
    /// The material of this name.
    ///
    /// ```
    /// use carom::elastic::Material;
    /// assert_eq!(Material::named("steel").unwrap().density, 7850.0);
    /// assert!(Material::named("stele").is_none());
    /// ```
    pub fn named(name: &str) -> Option<&'static Material> {
        MATERIALS.iter().find(|material| material.name == name)
    }

    /// Its elastic constants.
    pub fn elasticity(&self) -> Result<Elasticity, Error> {
        Elasticity::new(self.youngs_modulus, self.poisson_ratio)
    }

    /// Speed of longitudinal waves in a thin rod, √(E/ρ), m/s.
    pub fn wave_speed(&self) -> Result<f64, Error> {
        positive("Young's modulus", self.youngs_modulus)?;
        positive("density", self.density)?;
        let speed = (self.youngs_modulus / self.density).sqrt();
        positive("wave speed", speed)?;
        Ok(speed)
    }
}

macro_rules! callister {
    ($grade:literal) => {
        concat!(
            $grade,
            "; W. D. Callister, Fundamentals of Materials Science and Engineering, 3rd ed., Wiley 2008, appendix B"
        )
    };
}

const fn material(
    name: &'static str,
    (youngs_modulus, poisson_ratio, density): (f64, f64, f64),
    yield_stress: Option<f64>,
    source: &'static str,
) -> Material {
    Material { name, youngs_modulus, poisson_ratio, density, yield_stress, source }
}

/// Every material, metals first.
pub static MATERIALS: &[Material] = &[
    material("steel", (207e9, 0.30, 7850.0), Some(350e6), callister!("alloy 1020, cold drawn")),
    material("stainless-steel", (193e9, 0.30, 8000.0), Some(205e6), callister!("alloy 304, annealed")),
    material("hardened-steel", (200e9, 0.30, 7800.0), Some(1650e6), callister!("stainless alloy 440A, tempered")),
    material("aluminium", (69e9, 0.33, 2700.0), Some(276e6), callister!("alloy 6061-T6")),
    material("brass", (110e9, 0.35, 8530.0), Some(435e6), callister!("C26000 cartridge brass, cold worked")),
    material("copper", (115e9, 0.33, 8890.0), Some(310e6), callister!("C11000, cold worked")),
    material("titanium", (114e9, 0.34, 4430.0), Some(830e6), callister!("Ti-6Al-4V, annealed")),
    material("glass", (69e9, 0.23, 2500.0), None, callister!("soda–lime glass")),
    material("borosilicate-glass", (70e9, 0.20, 2230.0), None, callister!("Pyrex")),
    material("alumina", (380e9, 0.22, 3980.0), None, callister!("aluminium oxide, 99.9 %")),
    material(
        "nylon",
        (2.69e9, 0.39, 1140.0),
        Some(63.8e6),
        callister!("nylon 6,6 (1.59 to 3.79 GPa, 44.8 to 82.8 MPa)"),
    ),
    material("polycarbonate", (2.38e9, 0.36, 1200.0), Some(62.1e6), callister!("polycarbonate")),
    material(
        "delrin",
        (3.0e9, 0.35, 1410.0),
        Some(72e6),
        "acetal homopolymer (POM); J. M. Margolis (ed.), Engineering Plastics Handbook, McGraw-Hill 2006, table 5.5; \
         Poisson's ratio of DuPont, Delrin design guide, module III",
    ),
    material(
        "acetate",
        (3.2e9, 0.28, 1319.0),
        None,
        "cellulose acetate spheres; S. F. Foerster, M. Y. Louge, H. Chang & K. Allia, Phys. Fluids 6, 1994",
    ),
    material(
        "rubber",
        (2.0e6, 0.499, 925.0),
        None,
        "natural rubber (1.5 to 2.5 MPa); M. F. Ashby, Materials Selection in Mechanical Design, 3rd ed., \
         Butterworth-Heinemann 2005, appendix C",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_material_is_possible_and_named_once() {
        for material in MATERIALS {
            assert!(Elasticity::new(material.youngs_modulus, material.poisson_ratio).is_ok(), "{}", material.name);
            assert_eq!(material.elasticity().unwrap().poisson_ratio(), material.poisson_ratio);
            assert_eq!(MATERIALS.iter().filter(|other| other.name == material.name).count(), 1);
            assert!(material.density > 500.0 && material.density < 20_000.0 && material.source.len() > 20);
            assert!(material.yield_stress.is_none_or(|stress| stress < 0.05 * material.youngs_modulus));
        }
    }

    #[test]
    fn waves_are_as_fast_as_known() {
        // Steel rods carry longitudinal waves at about 5.1 km/s, Delrin at about 1.4 km/s.
        let speed = |name| Material::named(name).unwrap().wave_speed().unwrap();
        assert!((speed("steel") - 5135.0).abs() < 5.0 && (speed("delrin") - 1459.0).abs() < 5.0);
    }
}
