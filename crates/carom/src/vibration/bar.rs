//! A straight bar that vibrates along its axis.

use super::flexible::FlexibleBody;
use super::mode::{Mode, check_damping};
use crate::error::{Error, finite, positive};
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A straight bar along the contact normal that vibrates along its axis: waves of speed c run through it. Along the
/// tangents it is a rigid body that cannot turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bar {
    /// Length, m.
    pub length: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Speed of longitudinal waves √(E/ρ), m/s.
    pub wave_speed: f64,
    /// Whether the end at 0 and the end at `length` are fixed to the world.
    pub fixed: [bool; 2],
}

impl Bar {
    /// What the bar shows where it is touched, `at` metres from its first end, with this many modes of one damping
    /// ratio.
    pub fn body(&self, at: f64, count: usize, damping_ratio: f64) -> Result<FlexibleBody, Error> {
        check_damping(damping_ratio)?;
        let modes = self.modes(at, count)?.into_iter().map(|axial| Mode {
            frequency: axial.frequency,
            damping_ratio,
            shape: Vector3::x() * axial.displacement,
        });
        let inverse_mass = if self.is_free() { self.mass.recip() } else { 0.0 };
        Ok(FlexibleBody { inverse_mass: Matrix3::from_diagonal_element(inverse_mass), modes: modes.collect() })
    }

    pub(super) fn is_free(&self) -> bool {
        self.fixed == [false, false]
    }

    /// The first modes in order of frequency: √(2/m) times a cosine or sine that suits the ends.
    pub(super) fn modes(&self, at: f64, count: usize) -> Result<Vec<AxialMode>, Error> {
        positive("length of the bar", self.length)?;
        positive("mass of the bar", self.mass)?;
        positive("wave speed of the bar", self.wave_speed)?;
        check_place(at, self.length)?;
        let x = at / self.length;
        let amplitude = (2.0 / self.mass).sqrt();
        let mode = |half_waves: f64| {
            let phase = half_waves * PI;
            // Measured from a free end the shape is a cosine; between two fixed ends it is a sine.
            let shape = match self.fixed {
                [false, _] => (phase * x).cos(),
                [true, false] => (phase * (1.0 - x)).cos(),
                [true, true] => (phase * x).sin(),
            };
            AxialMode { frequency: phase * self.wave_speed / self.length, displacement: amplitude * shape }
        };
        let quarter = if self.fixed[0] == self.fixed[1] { 0.0 } else { 0.5 };
        Ok((1..=count).map(|j| mode(j as f64 - quarter)).collect())
    }
}

/// A mode of motion along the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct AxialMode {
    /// rad/s.
    pub frequency: f64,
    /// Mass-normalised displacement along the axis at the contact, 1/√kg.
    pub displacement: f64,
}

pub(super) fn check_place(at: f64, length: f64) -> Result<(), Error> {
    finite("place of the contact", &[at])?;
    if (0.0..=length).contains(&at) {
        Ok(())
    } else {
        let expected = "a distance from 0 to the length of the body";
        Err(Error::OutOfRange { what: "place of the contact", value: at, expected })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixed_bar_is_as_stiff_as_the_textbook_says() {
        // A force at x on a bar fixed at one end moves the point by F x/EA; the sum over all modes must tell it.
        let bar = Bar { length: 2.0, mass: 3.0, wave_speed: 5.0, fixed: [true, false] };
        let stiffness = bar.mass / bar.length * bar.wave_speed.powi(2);
        for at in [0.5, 1.0, 2.0] {
            let body = bar.body(at, 100_000, 0.0).unwrap();
            let flexibility: f64 = body.modes.iter().map(|mode| mode.flexibility()[(0, 0)]).sum();
            assert!((flexibility * stiffness / at - 1.0).abs() < 2e-5);
        }
        let held = Bar { fixed: [true, true], ..bar }.body(0.5, 100_000, 0.0).unwrap();
        let flexibility: f64 = held.modes.iter().map(|mode| mode.flexibility()[(0, 0)]).sum();
        // x (L − x)/(L EA)
        assert!((flexibility * stiffness / 0.375 - 1.0).abs() < 2e-5);
    }

    #[test]
    fn a_bar_is_touched_within_its_length() {
        let bar = Bar { length: 1.0, mass: 1.0, wave_speed: 1.0, fixed: [false, false] };
        assert!(bar.body(1.5, 3, 0.0).is_err());
        assert!(bar.body(f64::NAN, 3, 0.0).is_err());
        assert!(Bar { mass: 0.0, ..bar }.body(0.0, 3, 0.0).is_err());
        assert_eq!(bar.body(0.0, 3, 0.0).unwrap().inverse_mass, Matrix3::identity());
    }
}
