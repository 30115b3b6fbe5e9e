//! Laws for slightly aspherical bodies: how an outcome changes with the mass matrix (Chatterjee 1997, 10.2).

use crate::collision::Collision;
use crate::outcome::ContactOutcome;
use nalgebra::{Matrix3, Matrix3x6, Vector3};

/// The local mass matrix of a sphere, up to a factor.
const SPHERE: [f64; 3] = [7.0, 2.0, 2.0];
/// Row and column of the six independent entries, in the order M11, M22, M33, M12, M13, M23.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
/// The wider difference step. Its fourth power, the error left by the extrapolation, is near the rounding of the
/// differences.
const STEP: f64 = 2e-3;

/// How V after changes with the mass matrix about that of a sphere, M = diag(7, 2, 2), for |V| = 1.
///
/// Frame opposing the slip: V = (−cos θ, −sin θ, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereLinearisation {
    /// Angle θ of incidence, from −n, rad.
    pub incidence: f64,
    /// ∂V_after/∂(M11, M22, M33, M12, M13, M23), off-diagonal entries changed symmetrically.
    pub jacobian: Matrix3x6<f64>,
    /// Change of the worst entry by the extrapolation. Far above 1e-5, the law is not differentiable here: it switches
    /// between stick and slip.
    pub uncertainty: f64,
}

/// The five functions of the angle that determine the Jacobian of every law with the usual symmetries and a kinematic
/// restitution that does not depend on the angle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveFunctions {
    /// ∂V_n/∂M12.
    pub j14: f64,
    /// ∂V_t/∂M11, and −2/7 of ∂V_t/∂M22.
    pub j21: f64,
    /// ∂V_t/∂M12.
    pub j24: f64,
    /// Across the slip, with M13.
    pub j35: f64,
    /// Across the slip, with M23.
    pub j36: f64,
}

/// Linearises a law about the sphere at the angle of incidence θ (finite, 0 to π/2): central differences, extrapolated
/// from two steps. An error of the law at any of the collisions tried is returned.
///
/// ```
/// use carom::tools::linearise_about_sphere;
/// use carom::laws::Chatterjee2;
/// let law = Chatterjee2 { restitution: 0.9, tangential_restitution: 0.0, friction: 0.2 };
/// let grain = linearise_about_sphere(|collision| law.resolve(collision), 1.2).unwrap();
/// assert!((grain.five_functions().j21 - 0.06885).abs() < 1e-5);
/// ```
pub fn linearise_about_sphere<E>(
    law: impl Fn(&Collision) -> Result<ContactOutcome, E>,
    incidence: f64,
) -> Result<SphereLinearisation, E> {
    let velocity = Vector3::new(-incidence.cos(), -incidence.sin(), 0.0);
    let after = |entry: (usize, usize), change: f64| {
        let mut mass = Matrix3::from_diagonal(&SPHERE.into());
        mass[entry] += change;
        mass[(entry.1, entry.0)] = mass[entry];
        law(&Collision::of_definite_mass(&mass, &velocity)).map(|outcome| outcome.velocity_after)
    };
    let difference = |entry, h: f64| Ok((after(entry, h)? - after(entry, -h)?) / (2.0 * h));
    let mut jacobian = Matrix3x6::zeros();
    let mut uncertainty = 0.0_f64;
    for (column, entry) in ENTRIES.into_iter().enumerate() {
        let (wide, narrow) = (difference(entry, STEP)?, difference(entry, 0.5 * STEP)?);
        let correction = (narrow - wide) / 3.0;
        jacobian.set_column(column, &(narrow + correction));
        uncertainty = uncertainty.max(correction.amax());
    }
    Ok(SphereLinearisation { incidence, jacobian, uncertainty })
}

impl SphereLinearisation {
    /// The five functions at this angle.
    pub fn five_functions(&self) -> FiveFunctions {
        let j = &self.jacobian;
        FiveFunctions { j14: j[(0, 3)], j21: j[(1, 0)], j24: j[(1, 3)], j35: j[(2, 4)], j36: j[(2, 5)] }
    }

    /// How far the Jacobian is from the structure that the five functions give it, the largest difference of an entry.
    ///
    /// Zero for a law that is symmetric under reflection in the plane of incidence, homogeneous of degree zero in mass,
    /// blind to M33 when M is diagonal, and whose kinematic restitution does not depend on the angle for a diagonal M.
    pub fn defect(&self) -> f64 {
        (self.jacobian - self.five_functions().jacobian()).amax()
    }
}

impl FiveFunctions {
    /// The Jacobian with these entries.
    pub fn jacobian(&self) -> Matrix3x6<f64> {
        let mut j = Matrix3x6::zeros();
        j[(0, 3)] = self.j14;
        j[(1, 0)] = self.j21;
        j[(1, 1)] = -SPHERE[0] / SPHERE[1] * self.j21;
        j[(1, 3)] = self.j24;
        j[(2, 4)] = self.j35;
        j[(2, 5)] = self.j36;
        j
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{Inapplicable, Law, find};

    fn linearised(law: &'static Law, incidence: f64) -> SphereLinearisation {
        let bound = law
            .bind_from(|key| match key {
                "restitution" => Some(0.9),
                "friction" => Some(0.2),
                "tangential_restitution" => Some(0.3),
                _ => None,
            })
            .unwrap();
        linearise_about_sphere(|collision| bound.resolve_collision(collision), incidence).unwrap()
    }

    const LAWS: [&str; 5] = ["chatterjee-1", "chatterjee-2", "chatterjee-3", "whittaker", "smith"];

    #[test]
    fn the_usual_laws_have_the_five_function_structure() {
        for id in LAWS {
            for incidence in [0.05, 0.2, 0.5, 1.2, 1.4] {
                let linearisation = linearised(find(id).unwrap(), incidence);
                assert!(linearisation.uncertainty < 1e-5, "{id} at {incidence}: {}", linearisation.uncertainty);
                let defect = linearisation.defect();
                assert!(defect < 1e-10, "{id} at {incidence}: {defect} in {}", linearisation.jacobian);
                // All of them have a kinematic restitution.
                assert!(linearisation.five_functions().j14.abs() < 1e-10);
            }
        }
    }

    #[test]
    fn sliding_has_the_closed_form_of_the_notes() {
        for id in LAWS {
            let five = linearised(find(id).unwrap(), 1.2).five_functions();
            let expected = 0.2 * 1.9 * 1.2_f64.cos() / 2.0;
            assert!((five.j21 - expected).abs() < 1e-10, "{id}: {}", five.j21);
            assert!((five.j21 - 0.06885).abs() < 1e-5);
            assert!((five.j24 + 0.29605).abs() < 1e-5, "{id}: {}", five.j24);
        }
    }

    #[test]
    fn a_law_without_the_symmetries_shows_a_defect() {
        // The restitution reads M33, which no outcome for a diagonal M should depend on.
        let law = |collision: &Collision| {
            let restitution = 0.1 / collision.inverse_mass()[(2, 2)];
            crate::laws::Newton { restitution }.resolve(collision)
        };
        let linearisation = linearise_about_sphere(law, 0.5).unwrap();
        assert!((linearisation.defect() - 0.1 * 0.5_f64.cos()).abs() < 1e-8);
    }

    #[test]
    fn a_refusal_of_the_law_is_passed_on() {
        let law = crate::laws::Bilinear { restitution: 0.9, tangential_restitution: 0.0, friction: 0.2 };
        let refused = linearise_about_sphere(|collision| law.resolve(collision), 0.5);
        assert!(matches!(refused, Err(Inapplicable::Coupled { .. })));
    }
}
