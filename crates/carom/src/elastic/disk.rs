//! A thin disk pressed edge-on against a plate (Chatterjee 1997, 11.3).

use super::curvature::Gap;
use super::hertz::{LineContact, PointContact, Pressed};
use crate::error::{Error, finite, positive};
use std::f64::consts::{E, PI};

/// A thin disk of rounded edge on a rigid plate: the compliance of a two-dimensional cylinder and that of the small
/// three-dimensional contact at its edge, one after the other because their sizes are so different.
///
/// ```text
/// p = F/t,   a = √(4 p R/(π E*)),   δ₂ = p/(π E*) (2 ln(4R/a) − 1)
/// δ₃ = Hertz ellipse of the radii R and R_edge,   δ = δ₂ + δ₃
/// ```
///
/// The two-dimensional part holds between the contact and the disk's centre (Johnson, Contact Mechanics, 5.6).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThinDisk {
    edge: PointContact,
    line: LineContact,
    radius: f64,
    thickness: f64,
    modulus: f64,
}

impl ThinDisk {
    /// A disk with its radius, the radius of its rounded edge and its thickness, m, and its own E/(1 − ν²), Pa.
    ///
    /// ```
    /// // Chatterjee's Delrin disk, 6.4 mm thick, under 100 N.
    /// let disk = carom::elastic::ThinDisk::new(0.0495, 0.005, 0.0064, 2.7e9 / 0.91)?;
    /// assert!((disk.under(100.0)?.approach - 50.0e-6).abs() < 0.1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn new(radius: f64, edge_radius: f64, thickness: f64, modulus: f64) -> Result<ThinDisk, Error> {
        positive("thickness", thickness)?;
        let edge = PointContact::new(&Gap::of_radii([radius, edge_radius])?, modulus)?;
        let disk = ThinDisk { edge, line: LineContact::new(radius, modulus)?, radius, thickness, modulus };
        positive("load that the disk carries", disk.greatest_load())?;
        Ok(disk)
    }

    /// The two-dimensional part of the approach under a load, m.
    pub fn bulk_approach(&self, load: f64) -> Result<f64, Error> {
        finite("load", &[load])?;
        let width = self.line.half_width(load / self.thickness)?;
        let approach =
            if width > 0.0 { self.scale(load) * (2.0 * (4.0 * self.radius / width).ln() - 1.0) } else { 0.0 };
        finite("approach", &[approach])?;
        Ok(approach)
    }

    /// The disk under a load, N. The approach is that of both parts, contact area and pressure are those of the edge.
    ///
    /// The two-dimensional part means nothing where its contact would be wider than the disk; see
    /// [`ThinDisk::greatest_load`].
    pub fn under(&self, load: f64) -> Result<Pressed, Error> {
        let edge = self.edge.under(load)?;
        let width = self.line.half_width(edge.load / self.thickness)?;
        if width == 0.0 {
            return Ok(edge);
        }
        let bulk_compliance = self.scale(1.0) * (2.0 * (4.0 * self.radius / width).ln() - 2.0);
        Pressed {
            approach: edge.approach + self.bulk_approach(edge.load)?,
            stiffness: (edge.stiffness.recip() + bulk_compliance).recip(),
            ..edge
        }
        .checked()
    }

    /// The load beyond which the two-dimensional formula would have the disk expand, N.
    pub fn greatest_load(&self) -> f64 {
        // Where a = 4R/e.
        4.0 * PI * self.modulus * self.radius * self.thickness / (E * E)
    }

    /// The disk at an approach, m; refused beyond that of [`ThinDisk::greatest_load`].
    pub fn at(&self, approach: f64) -> Result<Pressed, Error> {
        let greatest = self.greatest_load();
        let most = self.under(greatest)?.approach;
        finite("approach", &[approach])?;
        if approach > most {
            let expected = "an approach that is small beside the disk's radius";
            return Err(Error::OutOfRange { what: "approach", value: approach, expected });
        }
        if approach <= 0.0 {
            return self.under(0.0);
        }
        // δ grows with F and F less than its cube: Newton in the logarithms, kept inside a bracket.
        let (mut low, mut high) = (0.0, greatest);
        let mut load = greatest * (approach / most).powf(1.5);
        for _ in 0..200 {
            let pressed = self.under(load)?;
            let miss = (approach / pressed.approach).ln();
            if miss > 0.0 {
                low = load;
            } else {
                high = load;
            }
            let next = load * (miss * pressed.stiffness * pressed.approach / load).exp();
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            if (next - load).abs() <= 2.0 * f64::EPSILON * load {
                break;
            }
            load = next;
        }
        self.under(load)
    }

    /// F/(t π E*), m.
    fn scale(&self, load: f64) -> f64 {
        load / (self.thickness * PI * self.modulus)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The Delrin disk of the static test, 11.3: 4.95 cm and 0.50 cm, 6.4 mm thick.
    fn delrin() -> ThinDisk {
        ThinDisk::new(0.0495, 0.005, 0.0064, 2.7e9 / (1.0 - 0.3 * 0.3)).unwrap()
    }

    #[test]
    fn the_numbers_of_the_notes_come_out() {
        let disk = delrin();
        let pressed = disk.under(100.0).unwrap();
        let bulk = disk.bulk_approach(100.0).unwrap();
        assert!((bulk - 17.9e-6).abs() < 0.05e-6, "{bulk}");
        assert!((pressed.approach - bulk - 32.1e-6).abs() < 0.05e-6, "{}", pressed.approach - bulk);
        assert!((pressed.approach - 50.0e-6).abs() < 0.05e-6);
        assert!((100.0 / pressed.approach - 2.0e6).abs() < 0.05e6);
        let little = disk.under(10.0).unwrap().approach;
        assert!((little - 9.1e-6).abs() < 0.05e-6 && (10.0 / little - 1.1e6).abs() < 0.05e6);
    }

    #[test]
    fn a_straight_line_through_20_to_200_newton_has_the_slope_of_the_notes() {
        let disk = delrin();
        let points: Vec<(f64, f64)> =
            (0..=180).map(|k| 20.0 + f64::from(k)).map(|load| (disk.under(load).unwrap().approach, load)).collect();
        let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / points.len() as f64;
        let (x, y) = (mean(|p| p.0), mean(|p| p.1));
        let slope = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum::<f64>()
            / points.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>();
        assert!((slope - 2.6e6).abs() < 0.05e6, "{slope}");
    }

    #[test]
    fn approach_and_load_invert_each_other_and_the_stiffness_is_the_slope() {
        let disk = delrin();
        for exponent in -12..=3 {
            let load = 10_f64.powi(exponent);
            let pressed = disk.under(load).unwrap();
            let back = disk.at(pressed.approach).unwrap();
            assert!((back.load / load - 1.0).abs() < 1e-12, "{load}");
            let step = 1e-4;
            let slope = 2.0 * step * load
                / (disk.under(load * (1.0 + step)).unwrap().approach
                    - disk.under(load * (1.0 - step)).unwrap().approach);
            assert!((slope / pressed.stiffness - 1.0).abs() < 1e-6, "{load}: {slope} {}", pressed.stiffness);
        }
    }

    #[test]
    fn no_load_and_absurd_approaches_are_told_apart() {
        let disk = delrin();
        assert_eq!(disk.under(-5.0).unwrap().approach, 0.0);
        assert_eq!(disk.at(-1.0).unwrap().load, 0.0);
        assert!(disk.at(1.0).is_err() && disk.at(f64::NAN).is_err());
        assert!(ThinDisk::new(0.05, 0.005, 0.0, 1e9).is_err());
        assert!(disk.at(disk.under(0.999 * disk.greatest_load()).unwrap().approach).is_ok());
    }
}
