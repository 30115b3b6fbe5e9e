//! The curve of rebound against incidence: ψ₂ over ψ₁ for a round body and a law.

use super::oblique::{angle, kappa};
use crate::collision::Collision;
use crate::error::{Error, finite};
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// A round body that hits an immovable plane obliquely, in the numbers of Maw, Barber & Fawcett 1976 ([`nondimensional_angle`](super::nondimensional_angle), [`gyration_ratio`](super::gyration_ratio)).
///
/// For elastic bodies ψ₂ is a function of ψ₁ and χ alone. The contact sticks at first below ψ₁ = 1, and slips all the time
/// from ψ₁ = 4χ − 1 on, with ψ₂ = ψ₁ − 4χ ([`Regimes::maw`](super::Regimes::maw)).
///
/// ```
/// use carom::elastic::{Limits, Oblique, Round};
/// use carom::laws::HertzMindlin;
/// let sphere = Oblique::new(Round::Sphere, 0.3, 0.5).unwrap();
/// let law = HertzMindlin {
///     youngs_modulus: 7e10, poisson_ratio: 0.3, radius: 0.05, friction: 0.5, elements: 50, discretisation: None,
///     limits: Limits::default(),
/// };
/// let curve = sphere.curve([2.0], |collision| law.resolve(collision));
/// assert!((curve[0][1] + 0.8372).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Oblique {
    /// W_tt/W_nn = 1 + b²/k², b the radius and k the radius of gyration.
    mobility: f64,
    poisson_ratio: f64,
    friction: f64,
}

/// A round body by how its mass is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// Solid sphere, k² = 2/5 b².
    Sphere,
    /// Solid disc or cylinder, k² = 1/2 b².
    Disc,
    /// Spherical shell, k² = 2/3 b².
    Shell,
    /// Hoop or tube, k² = b².
    Hoop,
}

impl Round {
    /// All of them, from the largest χ to the smallest.
    pub const ALL: [Round; 4] = [Round::Sphere, Round::Disc, Round::Shell, Round::Hoop];

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Round::Sphere => "sphere",
            Round::Disc => "disc",
            Round::Shell => "shell",
            Round::Hoop => "hoop",
        }
    }

    /// W_tt/W_nn = 1 + b²/k².
    pub fn mobility(self) -> f64 {
        match self {
            Round::Sphere => 3.5,
            Round::Disc => 3.0,
            Round::Shell => 2.5,
            Round::Hoop => 2.0,
        }
    }
}

impl Oblique {
    /// A round body of a Poisson's ratio from 0 to 0.5 with a coefficient of friction above 0.
    pub fn new(body: Round, poisson_ratio: f64, friction: f64) -> Result<Oblique, Error> {
        Oblique::with_mobility(body.mobility(), poisson_ratio, friction)
    }

    /// The body that has this χ, which must exceed that of a mass point, (1 − ν)/(2 − ν).
    pub fn of_chi(chi: f64, poisson_ratio: f64, friction: f64) -> Result<Oblique, Error> {
        checked_ratio(poisson_ratio)?;
        let mobility = chi / point_mass(poisson_ratio);
        if !(mobility > 1.0 && mobility.is_finite()) {
            return Err(Error::OutOfRange { what: "χ", value: chi, expected: "a number above (1 − ν)/(2 − ν)" });
        }
        Oblique::with_mobility(mobility, poisson_ratio, friction)
    }

    fn with_mobility(mobility: f64, poisson_ratio: f64, friction: f64) -> Result<Oblique, Error> {
        checked_ratio(poisson_ratio)?;
        if !(friction > 0.0 && friction.is_finite()) {
            return Err(Error::OutOfRange { what: "friction", value: friction, expected: "a finite number above 0" });
        }
        let oblique = Oblique { mobility, poisson_ratio, friction };
        finite("ψ/tan α", &[oblique.factor(), oblique.factor().recip()])?;
        Ok(oblique)
    }

    /// χ: 1.4412 for a sphere with ν = 0.3.
    pub fn gyration_ratio(&self) -> f64 {
        point_mass(self.poisson_ratio) * self.mobility
    }

    /// The collision with this ψ₁: unit mass, unit speed of approach.
    pub fn collision(&self, psi_1: f64) -> Result<Collision, Error> {
        Collision::planar([[1.0, 0.0], [0.0, self.mobility]], [-1.0, psi_1 / self.factor()])
    }

    /// ψ of a velocity after a collision; `None` for bodies that do not part.
    pub fn nondimensional_angle(&self, velocity: &Vector3<f64>) -> Result<Option<f64>, Error> {
        finite("velocity", velocity.as_slice())?;
        if velocity.x <= 0.0 {
            return Ok(None);
        }
        let angle = self.factor() * velocity.y / velocity.x;
        finite("ψ", &[angle])?;
        Ok(Some(angle))
    }

    /// ψ/tan α.
    fn factor(&self) -> f64 {
        angle(self.poisson_ratio, self.friction, 1.0)
    }

    /// ψ₂ over some ψ₁ by a law, as pairs. Where the law has no answer, or the bodies do not part, there is no pair.
    pub fn curve<E>(
        &self,
        psi_1: impl IntoIterator<Item = f64>,
        law: impl Fn(&Collision) -> Result<ContactOutcome, E>,
    ) -> Vec<[f64; 2]> {
        let after = |psi_1: f64| {
            let outcome = law(&self.collision(psi_1).ok()?).ok()?;
            self.nondimensional_angle(&outcome.velocity_after).ok()?
        };
        psi_1.into_iter().filter_map(|psi_1| after(psi_1).map(|psi_2| [psi_1, psi_2])).collect()
    }
}

/// χ of a mass point, whose W is that of its mass in every direction.
fn point_mass(poisson_ratio: f64) -> f64 {
    1.0 / (3.0 * kappa(poisson_ratio))
}

/// Checks a Poisson's ratio from 0 to 0.5.
fn checked_ratio(poisson_ratio: f64) -> Result<(), Error> {
    if (0.0..=0.5).contains(&poisson_ratio) {
        Ok(())
    } else {
        Err(Error::OutOfRange { what: "poisson_ratio", value: poisson_ratio, expected: "a number from 0 to 0.5" })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::laws::Routh;

    #[test]
    fn round_bodies_have_the_chi_of_the_literature() {
        let chi = |body, poisson_ratio| Oblique::new(body, poisson_ratio, 0.2).unwrap().gyration_ratio();
        assert!((chi(Round::Sphere, 0.3) - 1.44118).abs() < 5e-6);
        // Quoted by Maw himself.
        assert!((chi(Round::Disc, 0.28) - 1.25581).abs() < 5e-6);
        for body in Round::ALL {
            let oblique = Oblique::new(body, 0.3, 0.7).unwrap();
            let again = Oblique::of_chi(oblique.gyration_ratio(), 0.3, 0.7).unwrap();
            assert!((again.mobility - oblique.mobility).abs() < 1e-14);
        }
    }

    #[test]
    fn rigid_bodies_slide_or_stop() {
        // Lai 1999 by the theory notes, column "rigid Newton, e = 1".
        let sphere = Oblique::new(Round::Sphere, 0.3, 0.5).unwrap();
        let law = Routh { restitution: 1.0, friction: 0.5, termination: crate::laws::Termination::Newton };
        let curve = sphere.curve([1.0, 5.0, 6.0, 7.0], |collision| law.resolve(collision));
        for (pair, expected) in curve.iter().zip([[1.0, 0.0], [5.0, 0.0], [6.0, 0.2353], [7.0, 1.2353]]) {
            assert!(pair[0] == expected[0] && (pair[1] - expected[1]).abs() < 5e-5, "{pair:?}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        assert!(Oblique::new(Round::Hoop, 0.6, 0.5).is_err());
        assert!(Oblique::new(Round::Hoop, 0.3, 0.0).is_err());
        assert!(Oblique::of_chi(0.4, 0.3, 0.5).is_err());
        assert!(Oblique::of_chi(f64::NAN, 0.3, 0.5).is_err());
        let sphere = Oblique::new(Round::Sphere, 0.3, 0.5).unwrap();
        assert!(sphere.collision(f64::INFINITY).is_err());
    }
}
