//! A straight beam that bends and stretches, touched anywhere and at any angle.

mod euler_bernoulli;
mod timoshenko;

use super::bar::{Bar, check_place};
use super::flexible::FlexibleBody;
use super::mode::{Mode, check_damping};
use crate::error::{Error, finite, positive};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A straight uniform beam that moves in the plane (n, t1): it bends across its axis and stretches along it.
///
/// Along t2 it is rigid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beam {
    /// Length, m.
    pub length: f64,
    /// Area of the cross-section, m².
    pub area: f64,
    /// Second moment of area about the axis that the beam bends around, m⁴.
    pub second_moment: f64,
    /// Density, kg/m³.
    pub density: f64,
    /// Young's modulus, Pa.
    pub youngs_modulus: f64,
    /// How the first and the second end are held.
    pub ends: [End; 2],
    /// How it bends.
    pub theory: Theory,
}

/// How an end of a beam is held. Both `Pinned` and `Clamped` also hold it along the axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Not at all.
    Free,
    /// In place, free to turn.
    Pinned,
    /// In place and direction.
    Clamped,
}

/// A theory of bending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Theory {
    /// Cross-sections stay at right angles to the axis and have no rotary inertia: for slender beams and low modes.
    EulerBernoulli,
    /// Cross-sections turn on their own and have rotary inertia.
    Timoshenko {
        /// Shear modulus G, Pa.
        shear_modulus: f64,
        /// Share κ of the area that carries the shear, about 0.9 for a round section and 5/6 for a rectangular one.
        shear_coefficient: f64,
    },
}

/// Where and how a beam is touched.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Distance from the first end along the axis, m.
    pub along: f64,
    /// Angle of the axis, from the first end to the second, from the contact normal towards t1, rad. At 0 the beam
    /// stands on its end, at π/2 it lies flat.
    pub angle: f64,
    /// The contact point as seen from the point of the axis, along the axis and across it (the normal's direction at
    /// angle −π/2), m; it moves with the cross-section. Zero for a contact on the axis.
    pub arm: [f64; 2],
}

/// How many modes of a beam are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Modes of bending.
    pub bending: usize,
    /// Modes of stretching.
    pub axial: usize,
}

impl Beam {
    /// A free round Euler–Bernoulli rod: length and diameter in m, density in kg/m³, Young's modulus in Pa.
    pub fn round(length: f64, diameter: f64, density: f64, youngs_modulus: f64) -> Beam {
        Beam {
            length,
            area: PI / 4.0 * diameter.powi(2),
            second_moment: PI / 64.0 * diameter.powi(4),
            density,
            youngs_modulus,
            ends: [End::Free; 2],
            theory: Theory::EulerBernoulli,
        }
    }

    /// Mass, kg.
    pub fn mass(&self) -> f64 {
        self.density * self.area * self.length
    }

    /// What the beam shows at the contact, with the lowest modes of one damping ratio.
    ///
    /// ```
    /// # use carom::vibration::{Beam, Kept, Place};
    /// let rod = Beam::round(0.6, 0.0127, 7800.0, 2.0e11);
    /// let place = Place { angle: 0.5, ..Place::default() };
    /// let body = rod.body(&place, Kept { bending: 20, axial: 5 }, 0.0).unwrap();
    /// assert!((body.modes[0].frequency / std::f64::consts::TAU - 158.9).abs() < 1.0);
    /// ```
    pub fn body(&self, place: &Place, kept: Kept, damping_ratio: f64) -> Result<FlexibleBody, Error> {
        self.check()?;
        check_damping(damping_ratio)?;
        check_place(place.along, self.length)?;
        finite("angle of the beam", &[place.angle])?;
        finite("arm of the contact", &place.arm)?;
        let directions = Directions::of(place);
        let bending = match self.theory {
            Theory::EulerBernoulli => euler_bernoulli::modes(self, place.along, kept.bending),
            Theory::Timoshenko { shear_modulus, shear_coefficient } => {
                timoshenko::modes(self, shear_modulus * shear_coefficient, place.along, kept.bending)?
            }
        };
        let bending = bending.into_iter().map(|mode| Mode {
            frequency: mode.frequency,
            damping_ratio,
            shape: directions.across * mode.deflection + directions.turn * mode.rotation,
        });
        let axial = self.as_bar().modes(place.along, kept.axial)?.into_iter().map(|mode| Mode {
            frequency: mode.frequency,
            damping_ratio,
            shape: directions.along * mode.displacement,
        });
        let inverse_mass = self.rigid_inverse_mass(place.along, &directions);
        Ok(FlexibleBody { inverse_mass, modes: bending.chain(axial).collect() })
    }

    fn check(&self) -> Result<(), Error> {
        positive("length of the beam", self.length)?;
        positive("area of the beam's section", self.area)?;
        positive("second moment of the beam's section", self.second_moment)?;
        positive("density of the beam", self.density)?;
        positive("Young's modulus of the beam", self.youngs_modulus)?;
        if let Theory::Timoshenko { shear_modulus, shear_coefficient } = self.theory {
            positive("shear modulus of the beam", shear_modulus)?;
            positive("shear coefficient of the beam", shear_coefficient)?;
        }
        Ok(())
    }

    fn as_bar(&self) -> Bar {
        Bar {
            length: self.length,
            mass: self.mass(),
            wave_speed: (self.youngs_modulus / self.density).sqrt(),
            fixed: self.ends.map(|end| end != End::Free),
        }
    }

    /// Rotary inertia of the sections per length, kg m; Euler and Bernoulli leave it out.
    fn rotary_inertia(&self) -> f64 {
        match self.theory {
            Theory::EulerBernoulli => 0.0,
            Theory::Timoshenko { .. } => self.density * self.second_moment,
        }
    }

    /// The motions that take no frequency: all of a free beam's, turning about the pin of a beam pinned at one end.
    fn rigid_inverse_mass(&self, along: f64, directions: &Directions) -> Matrix3<f64> {
        let (mass, length) = (self.mass(), self.length);
        let about_centre = mass * length.powi(2) / 12.0 + self.rotary_inertia() * length;
        let from_centre = along - length / 2.0;
        let about_end = about_centre + mass * length.powi(2) / 4.0;
        let turning = |from: f64| directions.across * from + directions.turn;
        match self.ends {
            [End::Free, End::Free] => {
                let turning = turning(from_centre);
                let across = turning * turning.transpose() / about_centre;
                // Out of its plane a slender beam turns as easily; nothing planar feels it.
                let out_of_plane = Vector3::z() * Vector3::z().transpose() * (from_centre.powi(2) / about_centre);
                Matrix3::from_diagonal_element(mass.recip()) + across + out_of_plane
            }
            [End::Pinned, End::Free] => turning(along) * turning(along).transpose() / about_end,
            [End::Free, End::Pinned] => turning(along - length) * turning(along - length).transpose() / about_end,
            _ => Matrix3::zeros(),
        }
    }
}

/// The directions of a beam's motions at the contact, in the contact frame.
struct Directions {
    /// Along the axis.
    along: Vector3<f64>,
    /// Across the axis.
    across: Vector3<f64>,
    /// How the contact point moves when the cross-section turns by one radian, m.
    turn: Vector3<f64>,
}

impl Directions {
    fn of(place: &Place) -> Directions {
        let (sin, cos) = place.angle.sin_cos();
        let (along, across) = (Vector3::new(cos, sin, 0.0), Vector3::new(-sin, cos, 0.0));
        // A turn of the plane takes the axis to `across` and `across` to the axis backwards.
        Directions { along, across, turn: across * place.arm[0] - along * place.arm[1] }
    }
}

/// A mode of bending at the contact, mass-normalised.
#[derive(Clone, Copy, Debug)]
struct BendingMode {
    /// rad/s.
    frequency: f64,
    /// Displacement across the axis, 1/√kg.
    deflection: f64,
    /// Turn of the cross-section, 1/(m √kg).
    rotation: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Collision, ContactFrame};

    const STEEL_ROD: fn() -> Beam = || Beam::round(0.3, 0.0127, 7800.0, 2.0e11);

    #[test]
    fn a_free_rod_is_rigidly_what_a_rigid_body_is() {
        // The same contact through the bodies' mechanics: an arm off the axis, at an angle.
        let rod = Beam { theory: Theory::Timoshenko { shear_modulus: 8.0e10, shear_coefficient: 0.9 }, ..STEEL_ROD() };
        for angle in [0.0_f64, 0.4, 1.2, 1.57] {
            let place = Place { along: 0.01, angle, arm: [-0.004, 0.003] };
            let inertia = rod.mass() * 0.3 * 0.3 / 12.0 + rod.density * rod.second_moment * rod.length;
            let (axis, across) =
                (Vector3::new(angle.cos(), angle.sin(), 0.0), Vector3::new(-angle.sin(), angle.cos(), 0.0));
            let from_centre = axis * (0.01 - 0.15 - 0.004) + across * 0.003;
            let body = Body::planar(rod.mass(), inertia).unwrap().at(-from_centre);
            let frame = ContactFrame::spatial(&Vector3::x(), Some(&Vector3::y())).unwrap();
            let collision = Collision::between(&body, &Body::immovable(), &Vector3::zeros(), &frame).unwrap();
            let ours = rod.body(&place, Kept { bending: 0, axial: 0 }, 0.0).unwrap().inverse_mass;
            let difference = (ours - collision.inverse_mass()).fixed_view::<2, 2>(0, 0).amax();
            assert!(difference < 1e-12 * ours.amax());
        }
    }

    #[test]
    fn held_beams_have_the_flexibility_of_statics() {
        // Σ φ²/ω² over all modes is the deflection under a unit force: L³/3EI at the tip of a cantilever, and
        // a²b²/(3EIL) at a of a beam between pins.
        let rod = STEEL_ROD();
        let stiffness = rod.youngs_modulus * rod.second_moment;
        let flexibility = |ends, along| {
            let place = Place { along, angle: PI / 2.0, ..Place::default() };
            let body = Beam { ends, ..rod }.body(&place, Kept { bending: 400, axial: 0 }, 0.0).unwrap();
            assert!(body.inverse_mass.amax() == 0.0);
            body.modes.iter().map(|mode| mode.flexibility()[(0, 0)]).sum::<f64>()
        };
        let tip = flexibility([End::Clamped, End::Free], 0.3) * stiffness;
        assert!((tip / (0.3_f64.powi(3) / 3.0) - 1.0).abs() < 1e-7);
        let other_tip = flexibility([End::Free, End::Clamped], 0.0) * stiffness;
        assert!((other_tip / tip - 1.0).abs() < 1e-12);
        let pinned = flexibility([End::Pinned, End::Pinned], 0.1) * stiffness;
        assert!((pinned / (0.01 * 0.04 / 0.9) - 1.0).abs() < 1e-7);
        // Clamped at both ends: a³b³/(3EIL³).
        let clamped = flexibility([End::Clamped, End::Clamped], 0.1) * stiffness;
        assert!((clamped / (1e-3 * 8e-3 / (3.0 * 0.027)) - 1.0).abs() < 1e-7);
    }

    #[test]
    fn a_beam_off_its_length_or_without_stiffness_is_refused() {
        let rod = STEEL_ROD();
        let kept = Kept { bending: 3, axial: 3 };
        assert!(rod.body(&Place { along: 0.31, ..Place::default() }, kept, 0.0).is_err());
        assert!(rod.body(&Place { angle: f64::NAN, ..Place::default() }, kept, 0.0).is_err());
        assert!(Beam { youngs_modulus: 0.0, ..rod }.body(&Place::default(), kept, 0.0).is_err());
        assert!(rod.body(&Place::default(), kept, -0.1).is_err());
    }
}
