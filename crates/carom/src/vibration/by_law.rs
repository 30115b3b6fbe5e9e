//! Bodies that vibrate, by a law of the registry.

use super::contact::{Contact, Friction};
use super::contact_force::{ContactForce, HertzSpring, NonlinearDashpot, SpringDashpot};
use super::flexible::FlexibleCollision;
use super::outcome::FlexibleOutcome;
use crate::design::damping_ratio;
use crate::laws::{BoundLaw, Inapplicable};

/// What a law is to bodies that vibrate.
enum Role {
    /// A contact of small extent.
    Element(Box<dyn ContactForce>, Option<Friction>),
    /// What happens in each of the contacts.
    Impacts,
}

impl FlexibleCollision {
    /// Follows the collision by a law: `spring-dashpot`, `nonlinear-dashpot` and `hertz` are contacts of small extent
    /// between the bodies ([`FlexibleCollision::through`]), every other law resolves each contact as an impulse
    /// ([`FlexibleCollision::micro_impacts`]). With `record` the outcome has a history.
    ///
    /// Elements that remember the deepest indentation, and elements along the eigenvectors of a mass that the modes change
    /// at every instant, are impulses, too. Of two coefficients of friction the slipping one holds.
    pub fn resolve(&self, law: &BoundLaw, record: bool) -> Result<FlexibleOutcome, Inapplicable> {
        match self.role(law) {
            Role::Element(normal, friction) => self.through(&Contact { normal: &*normal, friction }, record),
            Role::Impacts => self.micro_impacts(law, record),
        }
    }

    /// Whether the law is a contact of small extent to bodies that vibrate, rather than what happens in each contact.
    pub fn is_element(&self, law: &BoundLaw) -> bool {
        matches!(self.role(law), Role::Element(..))
    }

    fn role(&self, law: &BoundLaw) -> Role {
        let value = |key: &str| {
            let mut parameters = law.law().parameters.iter().zip(law.values(0));
            parameters.find(|(parameter, _)| parameter.key == key).map(|(_, value)| *value).filter(|v| !v.is_nan())
        };
        let stiffness = value("stiffness").unwrap_or(f64::NAN);
        let normal: Option<Box<dyn ContactForce>> = match law.law().id {
            "spring-dashpot" if value("axes") == Some(0.0) => {
                let mass = self.collision().inverse_mass()[(0, 0)].recip();
                let tuned = || 2.0 * damping_ratio(value("restitution").unwrap_or(1.0)) * (stiffness * mass).sqrt();
                let damping = value("damping").unwrap_or_else(tuned);
                SpringDashpot::new(stiffness, damping).ok().map(|element| Box::new(element) as _)
            }
            "nonlinear-dashpot" => {
                let (damping, exponent) = (value("damping_growth").unwrap_or(0.0), value("exponent").unwrap_or(1.0));
                NonlinearDashpot::new(stiffness, damping, exponent).ok().map(|element| Box::new(element) as _)
            }
            "hertz" => value("radius")
                .zip(value("youngs_modulus"))
                .and_then(|(radius, modulus)| HertzSpring::of_spheres(radius, modulus, 0.0).ok())
                .map(|element| Box::new(element) as _),
            _ => None,
        };
        let coefficient = value("kinetic_friction").unwrap_or(0.0);
        let damping = value("tangential_damping").unwrap_or(0.0);
        let tangential = stiffness * value("stiffness_ratio").unwrap_or(1.0);
        let friction = Friction::new(coefficient, tangential, damping).ok().filter(|_| coefficient > 0.0);
        normal.map_or(Role::Impacts, |normal| Role::Element(normal, friction))
    }
}
