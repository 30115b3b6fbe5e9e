//! How a law's answer scales with velocity and with mass (Chatterjee 1997, 3.6).
//!
//! A law is homogeneous of degree a in V if P(κ V) = κᵃ P(V), and of degree b in M if the velocity after a collision of
//! κ M is κᵇ times that of M. Laws whose parameters all are dimensionless have a = 1 and b = 0; a stiffness that sets no
//! more than the time scale leaves them so.

use crate::collision::Collision;
use crate::laws::BoundLaw;
use crate::outcome::ContactOutcome;
use nalgebra::Vector3;

/// The degrees to which a law is homogeneous.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homogeneity {
    /// Degree of the impulse in the velocity; `None` if there is no one degree.
    pub in_velocity: Option<f64>,
    /// Degree of the velocity after in the mass; `None` if there is no one degree.
    pub in_mass: Option<f64>,
    /// How many pairs of a collision and its scaled copy this rests on.
    pub pairs: usize,
}

/// Factors for velocity and mass: no powers of two, which change no digit and so would hide rounding.
const FACTORS: [f64; 2] = [0.3, 7.0];
/// Laws followed in time answer to 1e-7 near a change of mode; a real dependence is far larger.
const ACCURACY: f64 = 1e-6;

/// A quantity before and after the problem was scaled by a factor.
struct Pair {
    factor: f64,
    base: Vector3<f64>,
    scaled: Vector3<f64>,
    /// The problem before it was scaled.
    collision: Collision,
    /// What counts as large for `base`.
    size: f64,
}

/// Compares each resolved collision with copies of other speed and other mass.
pub(super) fn measure(law: &BoundLaw, resolved: &[(&Collision, ContactOutcome)]) -> Measured {
    let (mut by_velocity, mut by_mass) = (Vec::new(), Vec::new());
    for (collision, outcome) in resolved {
        let (w, v) = (collision.inverse_mass(), collision.velocity());
        for factor in FACTORS {
            let answer = |copy: Option<Collision>| copy.and_then(|copy| law.resolve_collision(&copy).ok());
            if let Some(faster) = answer(Collision::new(w, &(v * factor)).ok()) {
                let (base, scaled) = (outcome.impulse, faster.impulse);
                by_velocity.push(Pair { factor, base, scaled, collision: **collision, size: base.norm() });
            }
            if let Some(heavier) = answer(Collision::new(&(w / factor), v).ok()) {
                let (base, scaled) = (outcome.velocity_after, heavier.velocity_after);
                by_mass.push(Pair { factor, base, scaled, collision: **collision, size: v.norm() });
            }
        }
    }
    let pairs = by_velocity.len() + by_mass.len();
    let [velocity, mass] = [degree(&by_velocity), degree(&by_mass)];
    Measured {
        homogeneity: Homogeneity { in_velocity: velocity.value, in_mass: mass.value, pairs },
        in_velocity: velocity.counterexample,
        in_mass: mass.counterexample,
    }
}

/// The degrees, and collisions whose scaled copies have other ones.
pub(super) struct Measured {
    pub(super) homogeneity: Homogeneity,
    pub(super) in_velocity: Option<Collision>,
    pub(super) in_mass: Option<Collision>,
}

/// The one degree of all pairs, or a collision that has another.
struct Degree {
    value: Option<f64>,
    counterexample: Option<Collision>,
}

/// The degree of some pairs. A quantity that is zero has every degree.
fn degree(pairs: &[Pair]) -> Degree {
    let sizable = pairs.iter().filter(|pair| pair.base.norm() > 0.1 * pair.size && pair.scaled.norm() > 0.0);
    let mut found: Vec<f64> =
        sizable.map(|pair| (pair.scaled.norm() / pair.base.norm()).ln() / pair.factor.ln()).collect();
    found.sort_by(f64::total_cmp);
    let Some(median) = found.get(found.len() / 2) else { return Degree { value: None, counterexample: None } };
    let degree = (median / ACCURACY).round() * ACCURACY;
    let holds = |pair: &&Pair| {
        let expected = pair.base * pair.factor.powf(degree);
        (pair.scaled - expected).norm() <= ACCURACY * pair.size * pair.factor.powf(degree)
    };
    match pairs.iter().find(|pair| !holds(pair)) {
        Some(pair) => Degree { value: None, counterexample: Some(pair.collision) },
        // Adding zero turns −0 into 0.
        None => Degree { value: Some(degree + 0.0), counterexample: None },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(of: impl Fn(f64, &Vector3<f64>) -> Vector3<f64>) -> Vec<Pair> {
        let base = [Vector3::new(1.0, 0.3, 0.0), Vector3::new(0.2, -0.4, 2.0), Vector3::zeros()];
        let scaled = |factor: f64| {
            let of = &of;
            let collision = Collision::planar([[1.0, 0.0], [0.0, 1.0]], [-1.0, 0.0]).unwrap();
            base.map(|base| Pair { factor, base, scaled: of(factor, &base), collision, size: 1.0 })
        };
        FACTORS.into_iter().flat_map(scaled).collect()
    }

    #[test]
    fn a_power_is_found_and_anything_else_is_not() {
        for power in [0.0, 1.0, 1.2, -0.5] {
            let found = degree(&pairs(|factor, base| base * factor.powf(power)));
            assert!(found.value.is_some_and(|found| (found - power).abs() < 1e-12), "{power}");
        }
        assert!(degree(&pairs(|factor, base| base * (1.0 + factor))).counterexample.is_some());
        assert!(degree(&pairs(|factor, base| Vector3::new(base.x, base.z, base.y) * factor)).counterexample.is_some());
        assert_eq!(degree(&[]).value, None);
    }
}
