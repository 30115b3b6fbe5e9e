//! Lai's numbers of a planar inertia: mass, coupling and principal angle.

use crate::collision::Section;

/// `W = (1/m) [[1 − λ cos 2θ, λ sin 2θ], [λ sin 2θ, 1 + λ cos 2θ]]` in (n, t) (L.-J. Lai 1999, (3.34) to (3.36)).
///
/// t points along the slip, so that V_t ≥ 0; without slip it is that of the section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InertiaCoupling {
    /// m = 2/(W_nn + W_tt), kg.
    pub mass: f64,
    /// λ, the difference of the eigenvalues of W over their sum: 0 to 1.
    pub lambda: f64,
    /// θ, the angle from t to the direction of the larger eigenvalue of W, towards n, rad, above −π/2 and up to π/2.
    pub theta: f64,
}

impl InertiaCoupling {
    /// The numbers of a planar collision.
    ///
    /// ```
    /// use carom::{Collision, problem::InertiaCoupling};
    /// // A sphere on a plane: λ = 5/9, θ = 0.
    /// let sphere = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [-1.0, 0.2]).unwrap();
    /// let coupling = InertiaCoupling::of(&sphere.planar_section().unwrap());
    /// assert!((coupling.lambda - 5.0 / 9.0).abs() < 1e-15 && coupling.theta == 0.0);
    /// ```
    pub fn of(section: &Section) -> InertiaCoupling {
        let w = &section.inverse_mass;
        let (sum, difference) = (w[(1, 1)] + w[(0, 0)], w[(1, 1)] - w[(0, 0)]);
        let along_slip = if section.velocity.y < 0.0 { -1.0 } else { 1.0 };
        let coupling = 2.0 * along_slip * w[(0, 1)];
        InertiaCoupling {
            mass: 2.0 / sum,
            lambda: difference.hypot(coupling) / sum,
            // Adding zero turns −0 into 0, which atan2 would turn into −π.
            theta: 0.5 * (coupling + 0.0).atan2(difference),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Collision;
    use crate::random::Random;

    #[test]
    fn the_numbers_give_the_matrix_back() {
        let mut random = Random(73);
        for _ in 0..2000 {
            let (nn, tt) = (random.log_between(0.1, 10.0), random.log_between(0.1, 10.0));
            let nt = random.between(-0.99, 0.99) * (nn * tt).sqrt();
            let collision = Collision::planar([[nn, nt], [nt, tt]], [-1.0, random.between(-2.0, 2.0)]).unwrap();
            let section = collision.planar_section().unwrap();
            let InertiaCoupling { mass, lambda, theta } = InertiaCoupling::of(&section);
            let sign = section.velocity.y.signum();
            let back = [
                1.0 - lambda * (2.0 * theta).cos(),
                sign * lambda * (2.0 * theta).sin(),
                1.0 + lambda * (2.0 * theta).cos(),
            ];
            for (got, wanted) in back.map(|entry| entry / mass).into_iter().zip([nn, nt, tt]) {
                assert!((got - wanted).abs() < 1e-13 * (nn + tt), "{got} {wanted}");
            }
        }
    }
}
