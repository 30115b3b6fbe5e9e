//! The collision in its own units, in which modulus, radius, mass and speed are gone.

use crate::collision::{Collision, Section};
use nalgebra::{Matrix3, Vector2, Vector3};

/// A collision in units with E* = R = 1/W_nn = −V_n = 1, so that F_n = 4/3 d^{3/2} and W_nn = 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scaled {
    /// W/W_nn, (n, t1, t2).
    pub(super) w: Matrix3<f64>,
    /// V before, (−1, …).
    pub(super) v: Vector3<f64>,
    /// μ.
    pub(super) friction: f64,
    /// κ = G*/E*.
    pub(super) ratio: f64,
    /// t1 of these vectors in the tangents of the contact.
    tangent: Vector2<f64>,
    /// What the units are.
    pub(super) units: Units,
}

/// The units of a scaled collision, SI.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// Length η = (m² V_n⁴/(E*² R))^{1/5}, m.
    pub(super) length: f64,
    /// −V_n, m/s.
    pub(super) velocity: f64,
    /// 1/W_nn, kg.
    pub(super) mass: f64,
}

impl Units {
    pub(super) fn time(&self) -> f64 {
        self.length / self.velocity
    }

    pub(super) fn impulse(&self) -> f64 {
        self.mass * self.velocity
    }

    pub(super) fn force(&self) -> f64 {
        self.impulse() / self.time()
    }

    pub(super) fn work(&self) -> f64 {
        self.impulse() * self.velocity
    }
}

impl Scaled {
    /// The collision of bodies that approach, with E* (Pa), R (m), μ and κ.
    pub(super) fn of(collision: &Collision, modulus: f64, radius: f64, friction: f64, ratio: f64) -> Scaled {
        let (mass, velocity) = (1.0 / collision.inverse_mass()[(0, 0)], -collision.velocity().x);
        // Each factor by itself, because the product of the powers may leave the range of numbers.
        let length = mass.powf(0.4) * velocity.powf(0.8) * modulus.powf(-0.4) * radius.powf(-0.2);
        Scaled {
            w: collision.inverse_mass() * mass,
            v: collision.velocity() / velocity,
            friction,
            ratio,
            tangent: Vector2::x(),
            units: Units { length, velocity, mass },
        }
    }

    /// The same in a plane that the collision stays in, whose t takes the place of t1.
    pub(super) fn within(mut self, section: &Section) -> Scaled {
        let (w, mass) = (&section.inverse_mass, self.units.mass);
        self.w = Matrix3::new(w.m11, w.m12, 0.0, w.m21, w.m22, 0.0, 0.0, 0.0, w.m22) * mass;
        self.v = Vector3::new(section.velocity.x, section.velocity.y, 0.0) / self.units.velocity;
        self.tangent = section.tangent;
        self
    }

    /// A vector in the contact frame.
    pub(super) fn in_contact_frame(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let t = &self.tangent;
        Vector3::new(v.x, v.y * t.x - v.z * t.y, v.y * t.y + v.z * t.x)
    }

    /// Whether the collision stays in the plane of n and t1.
    pub(super) fn is_planar(&self) -> bool {
        self.v.z == 0.0 && self.w[(0, 2)] == 0.0 && self.w[(1, 2)] == 0.0
    }

    /// Whether the normal motion does not feel the tangential one.
    pub(super) fn is_central(&self) -> bool {
        self.w[(0, 1)] == 0.0 && self.w[(0, 2)] == 0.0
    }

    /// λ = μ/κ: a spring slips where its stretch is λ times its indentation.
    pub(super) fn limit(&self) -> f64 {
        self.friction / self.ratio
    }

    /// V after the impulse P.
    pub(super) fn velocity(&self, impulse: &Vector3<f64>) -> Vector3<f64> {
        self.v + self.w * impulse
    }

    /// The fastest angular frequency of the bodies on the contact at an indentation, all of it sticking: the stiffnesses
    /// are 2a and 2κa with a = √d.
    pub(super) fn frequency(&self, indentation: f64) -> f64 {
        let root = Matrix3::from_diagonal(&Vector3::new(1.0, self.ratio.sqrt(), self.ratio.sqrt()));
        let fastest = (root * self.w * root).symmetric_eigenvalues().max();
        (2.0 * indentation.sqrt() * fastest).sqrt()
    }
}

/// Where A is relative to B.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pose {
    /// How far the bodies are pressed into each other, d.
    pub(super) indentation: f64,
    /// How far they have moved along the tangents.
    pub(super) shift: Vector2<f64>,
}
