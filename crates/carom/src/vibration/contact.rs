//! A contact of small extent: a normal force, a tangential spring and Coulomb friction.

use super::contact_force::ContactForce;
use crate::error::{Error, finite, positive};
use nalgebra::Vector2;

/// A contact of small extent between bodies that vibrate.
#[derive(Clone, Copy)]
pub struct Contact<'a> {
    /// The normal force.
    pub normal: &'a dyn ContactForce,
    /// Friction; `None` for a smooth contact.
    pub friction: Option<Friction>,
}

impl<'a> Contact<'a> {
    /// A smooth contact.
    pub fn smooth(normal: &'a dyn ContactForce) -> Contact<'a> {
        Contact { normal, friction: None }
    }

    /// A contact with friction.
    pub fn rough(normal: &'a dyn ContactForce, friction: Friction) -> Contact<'a> {
        Contact { normal, friction: Some(friction) }
    }
}

/// Coulomb friction at a contact point without mass, which a spring with or without a dashpot joins to the bodies
/// (Chatterjee 1997, 5.2.4 and 8.3). The spring starts every contact unstretched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Friction {
    coefficient: f64,
    stiffness: f64,
    damping: f64,
}

impl Friction {
    /// Coefficient of friction μ, tangential stiffness in N/m and damping in N s/m.
    pub fn new(coefficient: f64, stiffness: f64, damping: f64) -> Result<Friction, Error> {
        for (what, value) in [("coefficient of friction", coefficient), ("tangential damping", damping)] {
            finite(what, &[value])?;
            if value < 0.0 {
                return Err(Error::OutOfRange { what, value, expected: "a finite number of at least 0" });
            }
        }
        positive("tangential stiffness", stiffness)?;
        Ok(Friction { coefficient, stiffness, damping })
    }

    /// μ.
    pub(super) fn coefficient(&self) -> f64 {
        self.coefficient
    }

    /// Force on A while sticking, for the spring's stretch and the velocity along the surface.
    pub(super) fn sticking(&self, stretch: &Vector2<f64>, velocity: &Vector2<f64>) -> Vector2<f64> {
        -(stretch * self.stiffness + velocity * self.damping)
    }

    /// The slip of the contact point. `force_rate` is that of the normal force, which must not depend on the slip.
    pub(super) fn slipping(
        &self,
        stretch: &Vector2<f64>,
        velocity: &Vector2<f64>,
        normal: f64,
        force_rate: impl FnOnce(&Vector2<f64>) -> f64,
    ) -> Slip {
        let limit = self.coefficient * normal;
        if self.damping > 0.0 {
            // T = μN T₀/|T₀| with T₀ the sticking force; the spring gives way at the rest of the speed.
            let pull = -self.sticking(stretch, velocity);
            let force = -direction(&pull) * limit;
            let stretch_rate = -(force + stretch * self.stiffness) / self.damping;
            return Slip { force, stretch_rate, speed: (pull.norm() - limit) / self.damping };
        }
        // The spring holds what friction can, k|s| = μN; its direction turns with the velocity across it.
        let d = stretch.try_normalize(0.0).unwrap_or_else(|| direction(velocity));
        let force = -d * limit;
        let growth = self.coefficient * force_rate(&force) / self.stiffness;
        let along = velocity.dot(&d);
        Slip { force, stretch_rate: d * growth + velocity - d * along, speed: along - growth }
    }

    /// The stretch with which a spring without dashpot slips, in the direction it has.
    pub(super) fn slipping_stretch(&self, stretch: &Vector2<f64>, normal: f64) -> Vector2<f64> {
        if self.damping > 0.0 { *stretch } else { direction(stretch) * (self.coefficient * normal / self.stiffness) }
    }

    /// Whether a contact that begins sticks at first. `force_rate` is that of the normal force.
    pub(super) fn sticks_at_first(&self, velocity: &Vector2<f64>, normal: f64, force_rate: f64) -> bool {
        let speed = velocity.norm();
        if self.damping > 0.0 {
            self.damping * speed <= self.coefficient * normal
        } else {
            // Where both forces start at zero the one that grows faster wins.
            normal > 0.0 || self.stiffness * speed <= self.coefficient * force_rate
        }
    }
}

/// A contact point that slips.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip {
    /// Tangential force on A, N.
    pub(super) force: Vector2<f64>,
    /// Rate of the spring's stretch, m/s.
    pub(super) stretch_rate: Vector2<f64>,
    /// Speed of the slip; not positive once the contact sticks.
    pub(super) speed: f64,
}

pub(super) fn direction(v: &Vector2<f64>) -> Vector2<f64> {
    v.try_normalize(0.0).unwrap_or_else(Vector2::zeros)
}
