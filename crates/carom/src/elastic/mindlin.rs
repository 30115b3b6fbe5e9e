//! A circular contact under a constant normal and a growing tangential load (Cattaneo 1938, Mindlin 1949).

use super::hertz::PointContact;
use super::moduli::{ReducedModuli, checked_ratio};
use crate::error::{Error, finite, non_negative, positive};

/// Static tangential loading, L.-J. Lai 1999, 4.5 and 4.6, for a load P that stays and a force Q that grows from 0:
///
/// ```text
/// c/a = (1 − Q/(μP))^(1/3)                                        radius of the part that sticks          (4.97)
/// δ_x = 3μP/(16 a G_e) (1 − (1 − Q/(μP))^(2/3))                   displacement of points far away         (4.98)
/// δ_x = Q/(8 a G_e)                                               without slip                            (4.81)
/// ```
///
/// with 1/G_e = (2 − ν₁)/G₁ + (2 − ν₂)/G₂ = 2(2 − ν)/((1 − ν) E*), ν that of the pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TangentialLoading {
    load: f64,
    friction: f64,
    radius: f64,
    /// G_e, Pa.
    modulus: f64,
}

impl TangentialLoading {
    /// A ball of relative radius R, m, under a load, N. Friction may be infinite.
    ///
    /// ```
    /// use carom::elastic::{Elasticity, ReducedModuli, TangentialLoading};
    /// let steel = ReducedModuli::against_rigid(&Elasticity::new(2.1e11, 0.3)?);
    /// let contact = TangentialLoading::new(0.01, &steel, 0.2, 100.0)?;
    /// // At the limit of friction the contact has moved half as far again as without slip.
    /// let most = contact.displacement(20.0)?.expect("held");
    /// assert!((most / contact.displacement_without_slip(20.0)? - 1.5).abs() < 1e-12);
    /// assert_eq!(contact.stick_radius(20.0)?, Some(0.0));
    /// assert_eq!(contact.displacement(20.1)?, None);
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn new(radius: f64, moduli: &ReducedModuli, friction: f64, load: f64) -> Result<TangentialLoading, Error> {
        positive("load", load)?;
        checked_ratio(moduli.poisson_ratio)?;
        if friction.is_nan() || friction < 0.0 {
            let expected = "a number of at least 0, or infinity";
            return Err(Error::OutOfRange { what: "friction", value: friction, expected });
        }
        let pressed = PointContact::circular(radius, moduli.youngs_modulus)?.under(load)?;
        let nu = moduli.poisson_ratio;
        let modulus = moduli.youngs_modulus * (1.0 - nu) / (2.0 * (2.0 - nu));
        let contact = TangentialLoading { load, friction, radius: pressed.semi_axes[0], modulus };
        positive("tangential stiffness", contact.initial_stiffness())?;
        if let Some(force) = contact.greatest_force() {
            finite("greatest tangential force", &[force, 1.5 * force / contact.initial_stiffness()])?;
        }
        Ok(contact)
    }

    /// a, the radius of the contact, m.
    pub fn contact_radius(&self) -> f64 {
        self.radius
    }

    /// μP, the greatest tangential force, N; `None` for infinite friction.
    pub fn greatest_force(&self) -> Option<f64> {
        self.friction.is_finite().then_some(self.friction * self.load)
    }

    /// dQ/dδ_x at Q = 0, N/m: 8 a G_e.
    pub fn initial_stiffness(&self) -> f64 {
        8.0 * self.radius * self.modulus
    }

    /// δ_x at Q = μP, where the contact begins to slide, m: 3μP/(16 a G_e); `None` for infinite friction.
    pub fn greatest_displacement(&self) -> Option<f64> {
        self.greatest_force().map(|force| 1.5 * force / self.initial_stiffness())
    }

    /// δ_x under a force Q ≥ 0, m; `None` beyond μP, where the contact slides.
    pub fn displacement(&self, force: f64) -> Result<Option<f64>, Error> {
        let Some(used) = self.used(force)? else { return Ok(None) };
        let Some(greatest) = self.greatest_displacement() else {
            return self.displacement_without_slip(force).map(Some);
        };
        // 1 − (1 − x)^(2/3) in a form that keeps its digits for small x.
        Ok(Some(greatest * -(2.0 / 3.0 * (-used).ln_1p()).exp_m1()))
    }

    /// δ_x under a force Q ≥ 0 if no part of the contact slipped, m.
    pub fn displacement_without_slip(&self, force: f64) -> Result<f64, Error> {
        non_negative("tangential force", force)?;
        let displacement = force / self.initial_stiffness();
        finite("displacement", &[displacement])?;
        Ok(displacement)
    }

    /// c, the radius of the part that sticks under a force Q ≥ 0, m; `None` beyond μP.
    pub fn stick_radius(&self, force: f64) -> Result<Option<f64>, Error> {
        Ok(self.used(force)?.map(|used| self.radius * (1.0 - used).cbrt()))
    }

    /// Q/(μP), 0 to 1; `None` beyond.
    fn used(&self, force: f64) -> Result<Option<f64>, Error> {
        non_negative("tangential force", force)?;
        Ok(match self.greatest_force() {
            Some(most) if force > 0.0 => (force <= most).then(|| force / most),
            _ => Some(0.0),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(friction: f64) -> TangentialLoading {
        TangentialLoading::new(0.05, &ReducedModuli { youngs_modulus: 7e10, poisson_ratio: 0.3 }, friction, 500.0)
            .unwrap()
    }

    #[test]
    fn small_forces_find_the_stiffness_without_slip() {
        let contact = contact(0.4);
        let force = 1e-9 * contact.greatest_force().unwrap();
        let ratio = contact.displacement(force).unwrap().unwrap() / contact.displacement_without_slip(force).unwrap();
        assert!((ratio - 1.0).abs() < 1e-8, "{ratio}");
    }

    #[test]
    fn tangential_and_normal_compliance_have_the_ratio_of_the_source() {
        // C_t/C_n = (2 − ν)/(2(1 − ν)): 1.17 for ν = 0.25 and 1.5 for ν = 0.5 (Lai 1999, after (4.100)).
        for (nu, printed) in [(0.25, 1.17), (0.5, 1.5)] {
            let moduli = ReducedModuli { youngs_modulus: 1e9, poisson_ratio: nu };
            let loading = TangentialLoading::new(0.1, &moduli, 0.5, 10.0).unwrap();
            let normal = PointContact::circular(0.1, 1e9).unwrap().under(10.0).unwrap().stiffness;
            assert!((normal / loading.initial_stiffness() - printed).abs() < 5e-3);
        }
    }

    #[test]
    fn the_force_of_the_annulus_that_slips_adds_up() {
        // Q = μP (1 − c³/a³) and δ ∝ a² − c².
        let contact = contact(0.4);
        for share in [0.1, 0.5, 0.9, 0.999] {
            let force = share * contact.greatest_force().unwrap();
            let c = contact.stick_radius(force).unwrap().unwrap() / contact.contact_radius();
            assert!((1.0 - c.powi(3) - share).abs() < 1e-14);
            let moved = contact.displacement(force).unwrap().unwrap() / contact.greatest_displacement().unwrap();
            assert!((1.0 - c * c - moved).abs() < 1e-14);
        }
    }

    #[test]
    fn infinite_friction_is_the_limit_without_slip() {
        let rough = contact(f64::INFINITY);
        assert_eq!(rough.displacement(100.0).unwrap(), Some(rough.displacement_without_slip(100.0).unwrap()));
        assert_eq!((rough.greatest_force(), rough.greatest_displacement()), (None, None));
        assert_eq!(rough.stick_radius(100.0).unwrap(), Some(rough.contact_radius()));
        let nearly = contact(1e7).displacement(100.0).unwrap().unwrap();
        assert!((nearly / rough.displacement(100.0).unwrap().unwrap() - 1.0).abs() < 1e-6);
        assert_eq!(contact(0.0).displacement(0.0), Ok(Some(0.0)));
    }
}
