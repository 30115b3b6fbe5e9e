//! The collision in numbers without units: mass 1/W_nn, speed −V_n, and the length η that makes f_n = 4/3 r³.

use crate::collision::Section;
use nalgebra::{Matrix2, Vector2, Vector3};

/// Units of a collision, SI.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    pub speed: f64,
    pub impulse: f64,
    /// η = (m² v⁴/(E*² R))^(1/5), as (5.40) with the normal mass and the normal speed.
    pub length: f64,
    pub time: f64,
    pub force: f64,
    pub work: f64,
}

/// A planar collision in those units.
#[derive(Debug)]
pub(super) struct Scaled<'a> {
    section: &'a Section,
    pub units: Units,
    /// W/W_nn in (n, t).
    pub inverse_mass: Matrix2<f64>,
    /// V in (n, t); V_n = −1.
    pub velocity: Vector2<f64>,
}

impl<'a> Scaled<'a> {
    /// The collision of bodies that approach.
    pub fn new(section: &'a Section, modulus: f64, radius: f64) -> Scaled<'a> {
        let mass = section.inverse_mass[(0, 0)].recip();
        let speed = -section.velocity.x;
        // Powers one by one: products of extreme numbers would leave the range of floating point on the way.
        let softness = modulus.powf(-0.4) * radius.powf(-0.2);
        let units = Units {
            speed,
            impulse: mass * speed,
            length: mass.powf(0.4) * speed.powf(0.8) * softness,
            time: mass.powf(0.4) * speed.powf(-0.2) * softness,
            force: mass.powf(0.6) * speed.powf(1.2) / softness,
            work: mass * speed * speed,
        };
        let velocity = Vector2::new(-1.0, section.velocity.y / speed);
        Scaled { section, units, inverse_mass: section.inverse_mass * mass, velocity }
    }

    /// A vector (n, t) in the contact frame (n, t1, t2).
    pub fn to_contact(&self, vector: &Vector2<f64>, unit: f64) -> Vector3<f64> {
        self.section.to_contact(vector.x * unit, vector.y * unit)
    }

    /// The section's t in (t1, t2).
    pub fn tangent(&self) -> Vector2<f64> {
        self.section.tangent
    }

    /// Energy gained by an impulse, ½ P·(V before + V after).
    pub fn energy_change(&self, impulse: &Vector2<f64>) -> f64 {
        impulse.dot(&(self.velocity + self.inverse_mass * impulse * 0.5))
    }
}
