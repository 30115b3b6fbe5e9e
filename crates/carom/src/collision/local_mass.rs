//! The local mass matrix M = W⁻¹ of a contact, factored once.

use super::{Collision, Mobility};
use nalgebra::{Matrix3, Vector3};

/// M of a contact, ready to multiply velocities. Along an immovable direction the result is zero, which is the limit of an ever larger
/// mass there for ever smaller velocity.
pub(crate) struct LocalMass<'a> {
    collision: &'a Collision,
    /// Of W, with some mass in an immovable direction.
    factor: Option<Cholesky>,
}

impl<'a> LocalMass<'a> {
    pub(crate) fn of(collision: &'a Collision) -> LocalMass<'a> {
        let w = collision.inverse_mass();
        let factor = match collision.mobility() {
            Mobility::Full => Cholesky::of(w),
            // W with any mass in the immovable direction is regular, and does not mix it with the others.
            Mobility::Plane { immovable } => Cholesky::of(&(w + immovable * immovable.transpose() * w.trace())),
            Mobility::Line { .. } => None,
        };
        LocalMass { collision, factor }
    }

    /// M v for a velocity v that the constraint allows.
    pub(crate) fn times(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let solve = |v: &Vector3<f64>, given: &Vector3<f64>| {
            self.factor.as_ref().map_or_else(|| self.collision.pseudoinverse() * given, |factor| factor.solve(v))
        };
        match self.collision.mobility() {
            Mobility::Full => solve(v, v),
            Mobility::Plane { immovable } => {
                let impulse = solve(&(v - immovable * immovable.dot(v)), v);
                impulse - immovable * immovable.dot(&impulse)
            }
            Mobility::Line { movable } => movable * (movable.dot(v) / self.collision.inverse_mass().trace()),
        }
    }
}

/// L of L Lᵀ, written out for 3×3: nalgebra's takes views of any size, and three times as long. The operations and their order are the same.
struct Cholesky {
    diagonal: [f64; 3],
    /// L₂₁, L₃₁, L₃₂.
    below: [f64; 3],
}

impl Cholesky {
    /// Nothing for a matrix that is not positive definite.
    fn of(w: &Matrix3<f64>) -> Option<Cholesky> {
        let root = |square: f64| (square > 0.0).then(|| square.sqrt());
        let first = root(w[(0, 0)])?;
        let (second_first, third_first) = (w[(1, 0)] / first, w[(2, 0)] / first);
        let second = root(w[(1, 1)] - second_first * second_first)?;
        let third_second = (w[(2, 1)] - second_first * third_first) / second;
        let third = root(w[(2, 2)] - third_first * third_first - third_second * third_second)?;
        Some(Cholesky { diagonal: [first, second, third], below: [second_first, third_first, third_second] })
    }

    fn solve(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let ([first, second, third], [second_first, third_first, third_second]) = (self.diagonal, self.below);
        let x = v.x / first;
        let y = (v.y - x * second_first) / second;
        let z = (v.z - x * third_first - y * third_second) / third;
        let z = z / third;
        let y = (y - third_second * z) / second;
        let x = (x - (second_first * y + third_first * z)) / first;
        Vector3::new(x, y, z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An independent program does the same operations.
    #[test]
    fn the_factor_is_that_of_nalgebra_to_the_last_bit() {
        let mut seed = 1_u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / 2_f64.powi(52) - 1.0
        };
        let mut solved = 0;
        for _ in 0..10_000 {
            let a = Matrix3::from_fn(|_, _| number());
            let w = a * a.transpose() - Matrix3::identity() * (0.02 * number());
            let w = (w + w.transpose()) * 0.5;
            let v = Vector3::from_fn(|_, _| number());
            let bits = |v: Vector3<f64>| v.map(f64::to_bits);
            let expected = w.cholesky().map(|factor| bits(factor.solve(&v)));
            assert_eq!(Cholesky::of(&w).map(|factor| bits(factor.solve(&v))), expected, "{w}");
            solved += u32::from(expected.is_some());
        }
        assert!((5000..10_000).contains(&solved), "{solved}");
    }
}
