//! Colliding bodies that vibrate: what they show at the contact.

use super::mode::Mode;
use crate::collision::Collision;
use crate::error::{Error, finite};
use nalgebra::{Matrix3, Vector3};

/// What one body shows at the contact: its rigid inverse mass and its modes, in the contact frame (n, t1, t2).
///
/// A body that is held somewhere has no rigid motion left along some directions: its inverse mass is zero there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FlexibleBody {
    /// Rigid inverse mass at the contact, 1/kg.
    pub inverse_mass: Matrix3<f64>,
    /// The modes kept.
    pub modes: Vec<Mode>,
}

impl FlexibleBody {
    /// A body that does not vibrate.
    pub fn rigid(inverse_mass: Matrix3<f64>) -> FlexibleBody {
        FlexibleBody { inverse_mass, modes: Vec::new() }
    }

    /// A body from a plain table: its rigid inverse mass, frequencies in rad/s, and for each the mass-normalised shape
    /// at the contact in 1/√kg. All modes have the same damping ratio.
    pub fn from_table(
        inverse_mass: Matrix3<f64>,
        modes: impl IntoIterator<Item = (f64, Vector3<f64>)>,
        damping_ratio: f64,
    ) -> FlexibleBody {
        let modes = modes.into_iter().map(|(frequency, shape)| Mode { frequency, damping_ratio, shape }).collect();
        FlexibleBody { inverse_mass, modes }
    }

    /// The collision of this body with an immovable wall.
    pub fn against_wall(self, velocity: &Vector3<f64>) -> Result<FlexibleCollision, Error> {
        FlexibleCollision::between(self, FlexibleBody::default(), velocity)
    }
}

/// A collision of bodies that vibrate (Chatterjee 1997, chapter 9): the rigid problem and the modes.
///
/// Nothing vibrates before the collision. Modes that were left out count as rigid; if they are fast, their whole effect
/// is the flexibility Σ g gᵀ/ω² they would have had, which belongs into the stiffness of the contact.
#[derive(Clone, Debug, PartialEq)]
pub struct FlexibleCollision {
    collision: Collision,
    modes: Vec<Mode>,
}

impl FlexibleCollision {
    /// A collision from the rigid problem and the modes of both bodies. Modes that the contact does not feel (shape
    /// zero) are left out.
    pub fn new(collision: Collision, modes: Vec<Mode>) -> Result<FlexibleCollision, Error> {
        modes.iter().try_for_each(Mode::check)?;
        let modes: Vec<Mode> = modes.into_iter().filter(|mode| mode.shape != Vector3::zeros()).collect();
        let flexible = FlexibleCollision { collision, modes };
        finite("sum of the modes' flexibilities", flexible.flexibility().as_slice())?;
        flexible.instantaneous()?;
        Ok(flexible)
    }

    /// The collision of bodies A and B with this relative velocity of the contact points, contact frame, m/s.
    ///
    /// ```
    /// # use carom::vibration::Chain;
    /// # use nalgebra::Vector3;
    /// let chain = Chain::uniform(5, 0.2, 30.0).unwrap().body(0.0).unwrap();
    /// let collision = chain.against_wall(&Vector3::new(-1.0, 0.0, 0.0)).unwrap();
    /// assert!((collision.modes()[0].frequency - 7.569340).abs() < 1e-6);
    /// ```
    pub fn between(a: FlexibleBody, b: FlexibleBody, velocity: &Vector3<f64>) -> Result<FlexibleCollision, Error> {
        let collision = Collision::new(&(a.inverse_mass + b.inverse_mass), velocity)?;
        FlexibleCollision::new(collision, a.modes.into_iter().chain(b.modes).collect())
    }

    /// The rigid problem.
    pub fn collision(&self) -> &Collision {
        &self.collision
    }

    /// The modes.
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// W + Σ g gᵀ: the inverse mass for an impulse that takes no time, 1/kg (Chatterjee's M⁻¹ + Σ λ_k A_k).
    pub fn instantaneous_inverse_mass(&self) -> Matrix3<f64> {
        self.modes.iter().fold(*self.collision.inverse_mass(), |sum, mode| sum + mode.inverse_mass())
    }

    /// Σ g gᵀ/ω²: displacement of the contact by vibration per constant force, m/N (Chatterjee's −Σ A_k/λ_k).
    pub fn flexibility(&self) -> Matrix3<f64> {
        self.modes.iter().fold(Matrix3::zeros(), |sum, mode| sum + mode.flexibility())
    }

    /// The problem of an impulse that takes no time, at first touch.
    pub(super) fn instantaneous(&self) -> Result<Collision, Error> {
        Collision::new(&self.instantaneous_inverse_mass(), self.collision.velocity())
    }
}
