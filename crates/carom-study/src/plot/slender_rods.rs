//! Slender rods dropped on their end: restitution against the angle, in the manner of Stoianovici & Hurmuzlu.
//!
//! D. Stoianovici & Y. Hurmuzlu, A critical study of the applicability of rigid-body collision theory, J. Appl. Mech. 63,
//! 1996: steel rods of one thickness and several lengths fall on a massive anvil without slip or spin. Standing rods come
//! back almost as fast as they came, inclined ones bend, touch several times, and keep much of the energy as vibration.

use super::axis::Axis;
use super::chart::Chart;
use super::curve::Curve;
use super::sheet::Sheet;
use super::text::Text;
use carom::Error;
use carom::format::Digits;
use carom::vibration::{Beam, Contact, FlexibleOutcome, Friction, HertzSpring, Kept, Place};
use nalgebra::{Vector2, Vector3};

/// Rods of one thickness with half balls as ends, dropped on a massive anvil.
#[derive(Clone, Debug, PartialEq)]
pub struct SlenderRods {
    /// Lengths, m.
    pub lengths: Vec<f64>,
    /// Diameter, m.
    pub diameter: f64,
    /// Density, kg/m³.
    pub density: f64,
    /// Young's modulus of rod and anvil, Pa.
    pub youngs_modulus: f64,
    /// Poisson's ratio of rod and anvil.
    pub poisson_ratio: f64,
    /// Speed of the fall, m/s.
    pub speed: f64,
    /// Coefficient of friction.
    pub friction: f64,
    /// Damping of the contact after Hunt and Crossley, s/m: a rigid ball loses about two thirds of it times its speed.
    pub damping: f64,
    /// Degrees between the angles computed.
    pub step: f64,
}

impl Default for SlenderRods {
    /// Steel rods of 12.7 mm, 100 to 600 mm long, falling at 1 m/s.
    fn default() -> SlenderRods {
        SlenderRods {
            lengths: vec![0.1, 0.2, 0.3, 0.4, 0.6],
            diameter: 0.0127,
            density: 7800.0,
            youngs_modulus: 2.0e11,
            poisson_ratio: 0.3,
            speed: 1.0,
            friction: 0.1,
            damping: 0.1,
            step: 1.0,
        }
    }
}

/// Modes beyond this frequency, rad/s, are left out. The contact lasts about 0.1 ms and follows them as a spring would: twice
/// as many change the restitution by less than 0.01, except where the number of contacts just changes.
const HIGHEST: f64 = 2.5e5;

impl SlenderRods {
    /// The collision of one rod whose axis makes this angle (rad) with the vertical.
    pub fn drop(&self, length: f64, angle: f64) -> Result<FlexibleOutcome, Refused> {
        let radius = self.diameter / 2.0;
        // The half ball's lowest point lies below its centre, which lies on the axis.
        let (sin, cos) = angle.sin_cos();
        let place = Place { along: radius, angle, arm: [-radius * cos, radius * sin] };
        let rod = Beam::round(length, self.diameter, self.density, self.youngs_modulus);
        let mut body = rod.body(&place, Kept { bending: 60, axial: 40 }, 0.0)?;
        body.modes.retain(|mode| mode.frequency < HIGHEST);
        let collision = body.against_wall(&Vector3::new(-self.speed, 0.0, 0.0))?;
        let nu = self.poisson_ratio;
        let modulus = self.youngs_modulus / (2.0 * (1.0 - nu * nu));
        let normal = HertzSpring::of_spheres(radius, modulus, self.damping)?;
        // Mindlin's tangential stiffness, 8 a G/(2 − ν) for two like bodies, with the contact radius √(Rδ) of a rigid
        // rod that stands.
        let depth = (15.0 / 16.0 * rod.mass() * self.speed.powi(2) / (modulus * radius.sqrt())).powf(0.4);
        let shear = self.youngs_modulus / (2.0 * (1.0 + nu));
        let stiffness = 4.0 * (radius * depth).sqrt() * shear / (2.0 - nu);
        let friction = Friction::new(self.friction, stiffness, 0.0)?;
        collision.through(&Contact::rough(&normal, friction), false).map_err(|_| Refused)
    }

    /// Restitution of the rod's mean motion at the contact against the angle in degrees; interrupted where there is none.
    pub fn curve(&self, length: f64) -> Vec<Vector2<f64>> {
        let count = (90.0 / self.step).round() as usize;
        let point = |k: usize| {
            // A rod that lies flat touches along its side, not with its end.
            let degrees = (k as f64 * self.step).min(89.5);
            let outcome = self.drop(length, degrees.to_radians());
            let e = outcome.map_or(f64::NAN, |result| result.outcome.velocity_after.x / self.speed);
            Vector2::new(degrees, e)
        };
        (0..=count).map(point).collect()
    }

    /// The figure: a curve for each length.
    pub fn sheet(&self) -> Sheet {
        let curves = std::thread::scope(|scope| {
            let running: Vec<_> = self.lengths.iter().map(|length| scope.spawn(|| self.curve(*length))).collect();
            running.into_iter().map(|curve| curve.join().unwrap_or_default()).collect::<Vec<_>>()
        });
        let label = |length: f64| Text::plain(format!("{} mm", Digits(1000.0 * length)));
        let curves = self.lengths.iter().zip(curves).enumerate();
        let chart = Chart {
            across: Axis::number(Text::plain("angle between rod and vertical (degrees)")).between(0.0, 90.0),
            up: Axis::number(Text::plain("restitution of the mean motion ").italic("e")).between(0.0, 1.0),
            curves: curves.map(|(k, (length, points))| Curve::line(k, label(*length), points)).collect(),
            ..Chart::default()
        };
        Sheet {
            title: "Slender steel rods on an anvil".to_owned(),
            subtitle: format!(
                "diameter {} mm, dropped at {} m/s, μ = {}: bending keeps the energy",
                Digits(1000.0 * self.diameter),
                Digits(self.speed),
                Digits(self.friction)
            ),
            charts: vec![chart],
        }
    }
}

/// A rod whose collision could not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

impl From<Error> for Refused {
    fn from(_: Error) -> Refused {
        Refused
    }
}
