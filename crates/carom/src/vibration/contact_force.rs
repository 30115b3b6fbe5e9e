//! Normal forces of a small contact region, as functions of how far and how fast the bodies press into each other.

use crate::error::{Error, finite, positive};

/// The normal force of a contact without mass and without memory.
///
/// Bodies that vibrate can press, part and press again; a force that depends on the present alone says what happens.
/// Where the formula gives tension nothing is transmitted, and the contact is open.
pub trait ContactForce {
    /// Force at this indentation (m) and its rate (m/s), N. For negative indentation, where there is no contact, it
    /// continues and is negative, so that a step that looks beyond the end of contact sees no kink.
    fn force(&self, indentation: f64, rate: f64) -> f64;

    /// Derivatives of the force with respect to indentation (N/m) and rate (N s/m).
    fn slopes(&self, indentation: f64, rate: f64) -> [f64; 2];

    /// A function that is positive where the bodies touch and press and passes through zero with a slope where that ends.
    fn pressed(&self, indentation: f64, rate: f64) -> f64 {
        self.force(indentation, rate)
    }
}

/// F = kδ + cδ̇ (Chatterjee 1997, 8.3); without damping a linear spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringDashpot {
    stiffness: f64,
    damping: f64,
}

impl SpringDashpot {
    /// Stiffness k in N/m, damping c in N s/m.
    pub fn new(stiffness: f64, damping: f64) -> Result<SpringDashpot, Error> {
        check(stiffness, damping)?;
        Ok(SpringDashpot { stiffness, damping })
    }
}

impl ContactForce for SpringDashpot {
    fn force(&self, indentation: f64, rate: f64) -> f64 {
        self.stiffness * indentation + self.damping * rate
    }

    fn slopes(&self, _: f64, _: f64) -> [f64; 2] {
        [self.stiffness, self.damping]
    }
}

/// F = kδ + cδ^m δ̇ (Chatterjee 1997, 8.2, where m = 1): no force at first touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NonlinearDashpot {
    stiffness: f64,
    damping: f64,
    exponent: f64,
}

impl NonlinearDashpot {
    /// Stiffness k in N/m, damping c in N s/m^(m+1), exponent m above 0.
    pub fn new(stiffness: f64, damping: f64, exponent: f64) -> Result<NonlinearDashpot, Error> {
        check(stiffness, damping)?;
        positive("exponent of the contact's damping", exponent)?;
        Ok(NonlinearDashpot { stiffness, damping, exponent })
    }
}

impl ContactForce for NonlinearDashpot {
    fn force(&self, indentation: f64, rate: f64) -> f64 {
        self.stiffness * indentation + self.damping * indentation.max(0.0).powf(self.exponent) * rate
    }

    fn slopes(&self, indentation: f64, rate: f64) -> [f64; 2] {
        let damping = self.damping * indentation.max(0.0).powf(self.exponent);
        let growth = if indentation > 0.0 { self.exponent * damping / indentation } else { 0.0 };
        [self.stiffness + growth * rate, damping]
    }

    fn pressed(&self, indentation: f64, rate: f64) -> f64 {
        let damping = self.damping / self.stiffness * indentation.max(f64::MIN_POSITIVE).powf(self.exponent - 1.0);
        indentation.min(1.0 + damping * rate)
    }
}

/// F = kδ^(3/2)(1 + cδ̇): Hertz' contact of curved surfaces, with the damping of Hunt & Crossley, J. Appl. Mech. 42, 1975.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HertzSpring {
    stiffness: f64,
    damping: f64,
}

impl HertzSpring {
    /// Stiffness k in N/m^(3/2), damping c in s/m.
    pub fn new(stiffness: f64, damping: f64) -> Result<HertzSpring, Error> {
        check(stiffness, damping)?;
        Ok(HertzSpring { stiffness, damping })
    }

    /// Two bodies of relative curvature 1/radius (m) and reduced modulus E* (Pa): k = (4/3) E* √R.
    pub fn of_spheres(radius: f64, modulus: f64, damping: f64) -> Result<HertzSpring, Error> {
        positive("radius of curvature", radius)?;
        positive("reduced modulus", modulus)?;
        HertzSpring::new(4.0 / 3.0 * modulus * radius.sqrt(), damping)
    }
}

impl ContactForce for HertzSpring {
    fn force(&self, indentation: f64, rate: f64) -> f64 {
        let damping = if indentation > 0.0 { self.damping } else { 0.0 };
        self.stiffness * indentation.abs().sqrt() * indentation * (1.0 + damping * rate)
    }

    fn slopes(&self, indentation: f64, rate: f64) -> [f64; 2] {
        let root = indentation.abs().sqrt();
        [1.5 * self.stiffness * root * (1.0 + self.damping * rate), self.stiffness * root * indentation * self.damping]
    }

    fn pressed(&self, indentation: f64, rate: f64) -> f64 {
        indentation.min(1.0 + self.damping * rate)
    }
}

fn check(stiffness: f64, damping: f64) -> Result<(), Error> {
    positive("stiffness of the contact", stiffness)?;
    finite("damping of the contact", &[damping])?;
    if damping < 0.0 {
        let expected = "a finite number of at least 0";
        return Err(Error::OutOfRange { what: "damping of the contact", value: damping, expected });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_derivatives() {
        let elements: [&dyn ContactForce; 3] = [
            &SpringDashpot::new(3.0, 0.4).unwrap(),
            &NonlinearDashpot::new(3.0, 0.4, 1.5).unwrap(),
            &HertzSpring::new(3.0, 0.4).unwrap(),
        ];
        let (x, v, h) = (0.7, -0.3, 1e-6);
        for element in elements {
            let [by_indentation, by_rate] = element.slopes(x, v);
            let difference = (element.force(x + h, v) - element.force(x - h, v)) / (2.0 * h);
            assert!((by_indentation - difference).abs() < 1e-8);
            let difference = (element.force(x, v + h) - element.force(x, v - h)) / (2.0 * h);
            assert!((by_rate - difference).abs() < 1e-8);
        }
    }

    #[test]
    fn a_contact_must_resist() {
        assert!(SpringDashpot::new(0.0, 0.0).is_err());
        assert!(NonlinearDashpot::new(1.0, -1.0, 1.0).is_err());
        assert!(HertzSpring::of_spheres(0.0, 1.0, 0.0).is_err());
        assert!(HertzSpring::of_spheres(1.0, f64::INFINITY, 0.0).is_err());
    }
}
