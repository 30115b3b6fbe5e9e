//! Hertz contact: ellipse, circle and line.

use super::curvature::Gap;
use super::elliptic::Elliptic;
use crate::error::{Error, finite, positive};
use std::f64::consts::PI;

/// Two elastic bodies that touch at a point: Hertz's theory, frictionless, half-spaces near the contact.
///
/// ```text
/// B/A = (E/k'² − K)/(K − E),   k' = b/a,   K, E of modulus √(1 − k'²)
/// a³ = 3 F (K − E)/(2π E* k² A),   p₀ = 3F/(2π a b),   δ = p₀ b K/E*
/// F = 4/3 E* √R δ^(3/2),   R = π² (K − E)/(4 k² K³ A)
/// ```
///
/// Johnson, Contact Mechanics, 1985, 4.2. For a circle, k² = 0, the quotient (K − E)/k² is π/4, R the relative radius
/// 1/(2A) and a² = R δ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointContact {
    /// A, 1/m.
    curvature: f64,
    /// E*, Pa.
    modulus: f64,
    /// b/a.
    axis_ratio: f64,
    integrals: Elliptic,
}

/// A contact under load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pressed {
    /// Normal force F, N.
    pub load: f64,
    /// Approach δ of points far from the contact, m.
    pub approach: f64,
    /// Semi-axes a ≥ b of the contact area, m; a lies along the direction of the [`Gap`].
    pub semi_axes: [f64; 2],
    /// Pressure p₀ in the middle, the greatest, Pa.
    pub peak_pressure: f64,
    /// dF/dδ, N/m.
    pub stiffness: f64,
}

impl Pressed {
    /// The same if double precision can hold all of it.
    pub(super) fn checked(self) -> Result<Pressed, Error> {
        let Pressed { load, approach, semi_axes: [a, b], peak_pressure, stiffness } = self;
        finite("contact under load", &[load, approach, a, b, peak_pressure, stiffness])?;
        Ok(self)
    }
}

impl PointContact {
    /// A contact of surfaces with this gap and of the reduced modulus E*, Pa. Contact along a line is refused.
    ///
    /// ```
    /// use carom::elastic::{Gap, PointContact};
    /// let gap = Gap::of_radii([0.5, 0.25])?;
    /// let pressed = PointContact::new(&gap, 1.0)?.under(1.0)?;
    /// assert!((pressed.approach - 1.159_694).abs() < 1e-6);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn new(gap: &Gap, modulus: f64) -> Result<PointContact, Error> {
        positive("reduced modulus", modulus)?;
        positive("relative curvature", gap.a())?;
        let axis_ratio = axis_ratio(gap.a() / gap.b());
        let integrals = Elliptic::of_complement(axis_ratio);
        let contact = PointContact { curvature: gap.a(), modulus, axis_ratio, integrals };
        positive("effective radius", contact.effective_radius())?;
        Ok(contact)
    }

    /// A circular contact with relative radius R, m, and reduced modulus E*, Pa.
    pub fn circular(radius: f64, modulus: f64) -> Result<PointContact, Error> {
        PointContact::new(&Gap::circular(radius)?, modulus)
    }

    /// b/a of the contact ellipse, 0 to 1: it does not depend on the load.
    pub fn axis_ratio(&self) -> f64 {
        self.axis_ratio
    }

    /// The radius R of the sphere on a plane that has the same F(δ), m: F = 4/3 E* √R δ^(3/2) holds for any ellipse.
    pub fn effective_radius(&self) -> f64 {
        let Elliptic { k, d } = self.integrals;
        PI * PI * d / (4.0 * k.powi(3) * self.curvature)
    }

    /// The contact under a load, N; no load at all if it is negative.
    pub fn under(&self, load: f64) -> Result<Pressed, Error> {
        finite("load", &[load])?;
        let load = load.max(0.0);
        let approach = (0.75 * load / (self.modulus * self.effective_radius().sqrt())).powf(2.0 / 3.0);
        self.pressed(load, approach)
    }

    /// The contact at an approach, m; no contact at all if it is negative.
    pub fn at(&self, approach: f64) -> Result<Pressed, Error> {
        finite("approach", &[approach])?;
        let approach = approach.max(0.0);
        let load = 4.0 / 3.0 * self.modulus * self.effective_radius().sqrt() * approach.powf(1.5);
        self.pressed(load, approach)
    }

    fn pressed(&self, load: f64, approach: f64) -> Result<Pressed, Error> {
        let Elliptic { k, d } = self.integrals;
        // δ = 3 F K/(2π a E*) and the cube of a together: no load is no division by zero.
        let a = (approach * d / (k * self.curvature)).sqrt();
        let b = a * self.axis_ratio;
        let peak_pressure = if b > 0.0 { approach * self.modulus / (b * k) } else { 0.0 };
        let stiffness = 2.0 * self.modulus * self.effective_radius().sqrt() * approach.sqrt();
        Pressed { load, approach, semi_axes: [a, b], peak_pressure, stiffness }.checked()
    }
}

/// k' = b/a for A/B, 0 < A/B ≤ 1: the root of A/B · (K − D) = k'² D.
fn axis_ratio(curvature_ratio: f64) -> f64 {
    let target = curvature_ratio.ln();
    // How far ln A/B of an ellipse with this ln k' is from the target; it rises with k', almost on a line.
    let miss = |x: f64| {
        let integrals = Elliptic::of_complement(x.exp());
        2.0 * x + (integrals.d / integrals.b()).ln() - target
    };
    // B/A lies between (a/b)^(3/2), the limit of nearly circular contacts, and (a/b)².
    let (mut low, mut high) = (2.0 / 3.0 * target, 0.5 * target);
    let (mut at_low, mut at_high) = (miss(low), miss(high));
    for _ in 0..60 {
        if at_high <= 0.0 || at_low >= 0.0 {
            break;
        }
        // Regula falsi, halving the value at an end that stays (Illinois).
        let x = (low * at_high - high * at_low) / (at_high - at_low);
        let at_x = miss(x);
        if at_x > 0.0 {
            (high, at_high, at_low) = (x, at_x, 0.5 * at_low);
        } else {
            (low, at_low, at_high) = (x, at_x, 0.5 * at_high);
        }
        if at_x.abs() <= f64::EPSILON || high - low <= 2.0 * f64::EPSILON * target.abs() {
            return x.exp();
        }
    }
    // Rounding has left one end on the root.
    if at_high.abs() < at_low.abs() { high.exp() } else { low.exp() }
}

/// Two elastic bodies that touch along a line: load and pressure per length (Johnson 1985, 4.2(c)).
///
/// The approach of such bodies is not defined by the contact alone; see [`ThinDisk`](super::ThinDisk) for one that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineContact {
    /// Relative radius R, m.
    radius: f64,
    /// E*, Pa.
    modulus: f64,
}

impl LineContact {
    /// A contact with relative radius R, m, and reduced modulus E*, Pa.
    pub fn new(radius: f64, modulus: f64) -> Result<LineContact, Error> {
        positive("relative radius", radius)?;
        positive("reduced modulus", modulus)?;
        Ok(LineContact { radius, modulus })
    }

    /// Half the width of the contact under a load per length (N/m), m: a = √(4 p R/(π E*)).
    pub fn half_width(&self, load_per_length: f64) -> Result<f64, Error> {
        finite("load per length", &[load_per_length])?;
        let width = (4.0 * load_per_length.max(0.0) * self.radius / (PI * self.modulus)).sqrt();
        finite("half-width of the contact", &[width])?;
        Ok(width)
    }

    /// Greatest pressure under a load per length (N/m), Pa: p₀ = √(p E*/(π R)).
    pub fn peak_pressure(&self, load_per_length: f64) -> Result<f64, Error> {
        finite("load per length", &[load_per_length])?;
        let pressure = (load_per_length.max(0.0) * self.modulus / (PI * self.radius)).sqrt();
        finite("peak pressure", &[pressure])?;
        Ok(pressure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn contact(a: f64, b: f64) -> PointContact {
        PointContact::new(&Gap::of_radii([0.5 / a, 0.5 / b]).unwrap(), 1.0).unwrap()
    }

    #[test]
    fn the_ellipses_of_the_notes_come_out() {
        // Semi-axes, approach and peak pressure for F = E* = 1, A = 1 and B = 2, 10.
        for (b, expected) in
            [(2.0, [0.80372, 0.50682, 1.159_694, 1.17215]), (10.0, [0.97658, 0.21704, 1.424_796, 2.25260])]
        {
            let found = contact(1.0, b).under(1.0).unwrap();
            let [semi_a, semi_b] = found.semi_axes;
            for (found, expected) in [semi_a, semi_b, found.approach, found.peak_pressure].iter().zip(expected) {
                assert!((found - expected).abs() < 6e-6, "{found} is not {expected}");
            }
        }
    }

    #[test]
    fn a_slender_ellipse_has_all_its_digits() {
        // By 50 digits for R' = 1e9 m, R'' = 1 cm.
        let gap = Gap::of_radii([0.01, 1e9]).unwrap();
        let found = PointContact::new(&gap, 1e11).unwrap();
        assert!((found.axis_ratio() / 8.338_095_761_176_382e-7 - 1.0).abs() < 1e-12, "{}", found.axis_ratio());
        assert!((found.effective_radius() / 19_496_913.023_325_77 - 1.0).abs() < 1e-12, "{}", found.effective_radius());
    }

    #[test]
    fn a_circle_has_the_closed_forms() {
        // Lai 1999, (4.63) to (4.70), and a circle reached as the limit of ellipses.
        let (radius, modulus, load) = (0.05_f64, 7.6923e10_f64, 8537.0_f64);
        let found = PointContact::circular(radius, modulus).unwrap().under(load).unwrap();
        let a = (3.0 * load * radius / (4.0 * modulus)).cbrt();
        let close = |x: f64, y: f64| (x / y - 1.0).abs() < 1e-13;
        assert!(close(found.semi_axes[0], a) && close(found.semi_axes[1], a));
        assert!(close(found.approach, a * a / radius) && close(found.stiffness, 2.0 * modulus * a));
        assert!(close(found.peak_pressure, 1.5 * load / (PI * a * a)));
        // The sphere of section 6.2: contact radius 1.609 mm and 1.575 GPa.
        assert!((a - 1.609e-3).abs() < 5e-7 && (found.peak_pressure - 1.575e9).abs() < 1e6);
        let nearly = contact(1.0, 1.0 + 1e-9).under(1.0).unwrap();
        let circle = contact(1.0, 1.0).under(1.0).unwrap();
        assert!((nearly.approach / circle.approach - 1.0).abs() < 1e-9);
        assert_eq!(contact(1.0, 1.0).axis_ratio(), 1.0);
    }

    /// Twelve points of Gauss–Legendre on (0, 1).
    fn gauss(f: impl Fn(f64) -> f64) -> f64 {
        const NODES: [(f64, f64); 6] = [
            (0.125_233_408_511_469, 0.249_147_045_813_403),
            (0.367_831_498_998_180, 0.233_492_536_538_355),
            (0.587_317_954_286_617, 0.203_167_426_723_066),
            (0.769_902_674_194_305, 0.160_078_328_543_346),
            (0.904_117_256_370_475, 0.106_939_325_995_318),
            (0.981_560_634_246_719, 0.047_175_336_386_512),
        ];
        NODES.iter().map(|(x, w)| 0.5 * w * (f(0.5 + 0.5 * x) + f(0.5 - 0.5 * x))).sum()
    }

    /// Displacement of the surface of a half-space (times E*) under the pressure of an ellipse, at (x, y): the integral
    /// of p/(π r) in polar coordinates about the point. Along a ray the pressure is the root of a parabola, whose
    /// integral over its chord is a multiple of the height and the length; both rays of a line together give
    /// ∫ p dr = π p₀/2 · (…)/√(…), and one Gauss rule per piece of angle does the rest.
    fn displacement(pressed: &Pressed, x: f64, y: f64) -> f64 {
        let [a, b] = pressed.semi_axes;
        let pieces = 200;
        let step = PI / f64::from(pieces);
        let lines = (0..pieces).map(|piece| {
            gauss(|share| {
                let (sin, cos) = ((f64::from(piece) + share) * step).sin_cos();
                // p² = p₀² (height − 2 β r − γ r²).
                let gamma = (cos / a).powi(2) + (sin / b).powi(2);
                let beta = x * cos / (a * a) + y * sin / (b * b);
                let height = 1.0 - (x / a).powi(2) - (y / b).powi(2);
                0.5 * PI * (height + beta * beta / gamma) / gamma.sqrt()
            }) * step
        });
        pressed.peak_pressure / PI * lines.sum::<f64>()
    }

    #[test]
    fn the_pressure_presses_the_surfaces_together() {
        // Second method: E* (u₁ + u₂) = E* (δ − A x² − B y²) inside the ellipse, by direct quadrature of the pressure.
        for b in [1.0, 2.0, 10.0] {
            let pressed = contact(1.0, b).under(1.0).unwrap();
            let [semi_a, semi_b] = pressed.semi_axes;
            for (x, y) in [(0.0, 0.0), (0.5, 0.0), (0.0, 0.6), (0.4, -0.7)] {
                let (x, y) = (x * semi_a, y * semi_b);
                let expected = pressed.approach - x * x - b * y * y;
                let found = displacement(&pressed, x, y);
                assert!((found - expected).abs() < 1e-12 * pressed.approach, "{b}: {found} is not {expected}");
            }
        }
    }

    #[test]
    fn load_and_approach_invert_each_other_for_any_ellipse() {
        let mut random = Random(3);
        for _ in 0..500 {
            let a = random.log_between(0.1, 100.0);
            let contact = contact(a, a * random.log_between(1.0, 1e8));
            let pressed = contact.under(random.log_between(1e-3, 1e3)).unwrap();
            let back = contact.at(pressed.approach).unwrap();
            let [semi_a, semi_b] = pressed.semi_axes;
            let close = |x: f64, y: f64| (x / y - 1.0).abs() < 1e-12;
            assert!(close(back.load, pressed.load) && close(back.peak_pressure, pressed.peak_pressure));
            assert!(close(pressed.load, 2.0 / 3.0 * PI * semi_a * semi_b * pressed.peak_pressure));
            assert!(close(pressed.stiffness, 1.5 * pressed.load / pressed.approach));
        }
    }

    #[test]
    fn the_axis_ratio_solves_its_equation_down_to_slender_ellipses() {
        for exponent in 0..=12 {
            let ratio = 10_f64.powf(-0.5 - f64::from(exponent));
            let complement = axis_ratio(ratio);
            let found = Elliptic::of_complement(complement);
            assert!((complement * complement * found.d / found.b() / ratio - 1.0).abs() < 1e-12, "{ratio}");
        }
    }

    #[test]
    fn no_load_is_no_contact() {
        let contact = contact(1.0, 3.0);
        for pressed in [contact.under(0.0), contact.at(-1.0), contact.under(-2.0)].map(Result::unwrap) {
            assert_eq!(pressed.semi_axes, [0.0; 2]);
            assert_eq!(
                (pressed.load, pressed.approach, pressed.peak_pressure, pressed.stiffness),
                (0.0, 0.0, 0.0, 0.0)
            );
        }
        assert!(PointContact::new(&Gap::of_radii([f64::INFINITY, 0.5]).unwrap(), 1.0).is_err());
        assert!(PointContact::circular(-1.0, 1.0).is_err() && PointContact::circular(1.0, 0.0).is_err());
    }

    #[test]
    fn a_line_carries_its_load() {
        // p = π a p₀/2, and the half width is where the gap of the profile meets the deformed surface.
        let line = LineContact::new(0.05, 3e9).unwrap();
        let load = 15_625.0;
        let (a, p0) = (line.half_width(load).unwrap(), line.peak_pressure(load).unwrap());
        assert!((0.5 * PI * a * p0 / load - 1.0).abs() < 1e-14 && (2.0 * 0.05 * p0 / (3e9 * a) - 1.0).abs() < 1e-14);
    }
}
