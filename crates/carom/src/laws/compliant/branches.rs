//! What a massless contact point can do at an instant: stick, slip or lift off.
//!
//! With the force at rest A = −(K x + C V), a slip u of the point changes it to A + C (0, u). Coulomb's law and C then leave
//! a small problem that may have one answer, several or none (Chatterjee 1997, 8.5.1; Carom's form in three dimensions):
//!
//! ```text
//! stick      |A_t| ≤ μ_s A_n, A_n > 0
//! slip       u = s d, s > 0:  A_t + s C_tt d = −μ_k F_n d,  F_n = A_n + s C_nt·d > 0
//! lift-off   −(C⁻¹ A)_n > 0
//! ```
//!
//! The direction d of slip is a root of a trigonometric polynomial of degree two, (C_tt d + μ (C_nt·d) d) × (A_t + μ A_n d)
//! = 0, hence of a quartic: all are found. If μ |C_nt| is below the least eigenvalue of C_tt there is exactly one answer:
//! the criterion of 8.5.2 in the plane; in space it is what counting the answers of random problems shows (tests below).

use crate::polynomial::roots_within_one;
use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

/// Coulomb's two coefficients.
#[derive(Clone, Copy, Debug)]
pub(in crate::laws) struct Friction {
    /// μ_s.
    pub sticking: f64,
    /// μ_k.
    pub slipping: f64,
}

impl Friction {
    /// Whether there is any.
    pub(in crate::laws) fn acts(&self) -> bool {
        self.sticking > 0.0 || self.slipping > 0.0
    }
}

/// A slip that satisfies Coulomb's law.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slip {
    /// Its direction, a unit vector.
    pub direction: Vector2<f64>,
    /// Its speed.
    pub speed: f64,
    /// The force.
    pub force: Vector3<f64>,
}

/// The problem at one instant: the force at rest and how slip changes it.
pub(super) struct Branches<'a> {
    pub at_rest: Vector3<f64>,
    pub resistance: &'a Matrix3<f64>,
    pub friction: Friction,
}

/// A quartic has four roots, and each half of the circle its own quartic.
const MOST_SLIPS: usize = 8;
/// Directions closer than this are one root, found by both halves of the circle.
const SAME: f64 = 1e-9;

impl Branches<'_> {
    fn coupling(&self) -> Vector2<f64> {
        self.resistance.fixed_view::<2, 1>(1, 0).into_owned()
    }

    fn tangential(&self) -> Matrix2<f64> {
        self.resistance.fixed_view::<2, 2>(1, 1).into_owned()
    }

    /// Whether resting satisfies Coulomb's law.
    pub fn sticks(&self) -> bool {
        let a = &self.at_rest;
        a.x > 0.0 && a.yz().norm() <= self.friction.sticking * a.x
    }

    /// How fast the point would lift off if nothing held it; no lift-off if it is not positive.
    pub fn lift_off_speed(&self) -> f64 {
        self.resistance.cholesky().map_or(0.0, |factor| -factor.solve(&self.at_rest).x)
    }

    /// How much the friction that is left over grows with slip along d, per speed.
    pub fn resistance_to(&self, d: &Vector2<f64>) -> f64 {
        d.dot(&(self.tangential() * d)) + self.friction.slipping * self.coupling().dot(d)
    }

    /// The slip along a direction that solves the problem, whatever its sign.
    fn along(&self, d: &Vector2<f64>) -> Slip {
        let mu = self.friction.slipping;
        let resistance = self.tangential() * d + d * (mu * self.coupling().dot(d));
        let drive = self.at_rest.yz() + d * (mu * self.at_rest.x);
        let speed = -drive.dot(&resistance) / resistance.norm_squared();
        let normal = self.at_rest.x + speed * self.coupling().dot(d);
        Slip { direction: *d, speed, force: Vector3::new(normal, -mu * normal * d.x, -mu * normal * d.y) }
    }

    /// Every slip that may be one, whatever the sign of its speed and normal force.
    fn candidates(&self) -> ([Slip; MOST_SLIPS], usize) {
        let mut slips = [self.along(&Vector2::x()); MOST_SLIPS];
        let (t, g, a) = (self.tangential(), self.coupling(), self.at_rest.yz());
        if g.y == 0.0 && a.y == 0.0 && t[(0, 1)] == 0.0 {
            // A planar problem stays in its plane.
            slips[1] = self.along(&-Vector2::x());
            return (slips, 2);
        }
        let (mu, normal) = (self.friction.slipping, self.at_rest.x);
        let c0 = 0.5 * mu * (g.x * a.y - g.y * a.x);
        let c1 = t[(0, 0)] * a.y - t[(0, 1)] * a.x;
        let s1 = t[(0, 1)] * a.y - t[(1, 1)] * a.x;
        let c2 = -mu * normal * t[(0, 1)] + 0.5 * mu * (g.x * a.y + g.y * a.x);
        let s2 = 0.5 * mu * (normal * (t[(0, 0)] - t[(1, 1)]) + g.y * a.y - g.x * a.x);
        let mut found = 0;
        for front in [1.0, -1.0] {
            let (c1, s1) = (c1 * front, s1 * front);
            let quartic = [c0 + c1 + c2, 2.0 * s1 + 4.0 * s2, 2.0 * c0 - 6.0 * c2, 2.0 * s1 - 4.0 * s2, c0 - c1 + c2];
            for h in roots_within_one(&quartic).as_slice() {
                let d = Vector2::new(1.0 - h * h, 2.0 * h) * (front / (1.0 + h * h));
                let known = slips[..found].iter().any(|slip| (slip.direction - d).norm() < SAME);
                if !known && found < MOST_SLIPS {
                    slips[found] = self.along(&d);
                    found += 1;
                }
            }
        }
        (slips, found)
    }

    /// The slip whose direction is nearest to this one, whatever the sign of its speed: a mode of motion followed
    /// through its end.
    pub fn slip_near(&self, direction: &Vector2<f64>) -> Slip {
        let (slips, found) = self.candidates();
        let nearness = |slip: &Slip| slip.direction.dot(direction);
        slips[..found]
            .iter()
            .copied()
            .max_by(|a, b| nearness(a).total_cmp(&nearness(b)))
            .unwrap_or_else(|| self.along(direction))
    }

    /// The slips that satisfy everything; the slowest, and how many there are.
    pub fn slips(&self) -> (Option<Slip>, usize) {
        let (slips, found) = self.candidates();
        let valid = || slips[..found].iter().copied().filter(|slip| slip.speed > 0.0 && slip.force.x > 0.0);
        (valid().min_by(|a, b| a.speed.total_cmp(&b.speed)), valid().count())
    }

    /// In how many ways the contact can go on.
    pub fn count(&self) -> usize {
        usize::from(self.sticks()) + self.slips().1 + usize::from(self.lift_off_speed() > 0.0)
    }
}

/// μ |C_nt| over the least eigenvalue of C_tt: below 1 there is one answer at every instant. Of a planar collision only the
/// tangent in its plane counts.
pub(super) fn ambiguity(resistance: &Matrix3<f64>, friction: f64, plane: Option<&Vector2<f64>>) -> f64 {
    let coupling = resistance.fixed_view::<2, 1>(1, 0).into_owned();
    let tangential = resistance.fixed_view::<2, 2>(1, 1).into_owned();
    let (coupling, least) = match plane {
        Some(t) => (coupling.dot(t).abs(), t.dot(&(tangential * t))),
        None => (coupling.norm(), tangential.symmetric_eigenvalues().min()),
    };
    if coupling == 0.0 { 0.0 } else { friction * coupling / least }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Chatterjee 1997, 8.5.1, in the contact frame: θ = π/4, c = (2, 1), μ = 6, forces at rest F_N = 1, F_T = 5.
    fn example(resistance: &Matrix3<f64>) -> Branches<'_> {
        let friction = Friction { sticking: 6.0, slipping: 6.0 };
        Branches { at_rest: Vector3::new(1.0, -5.0, 0.0), resistance, friction }
    }

    fn resistance() -> Matrix3<f64> {
        let h = 0.5_f64.sqrt();
        let (d1, d2) = (Vector3::new(h, -h, 0.0), Vector3::new(h, h, 0.0));
        d1 * d1.transpose() * 2.0 + d2 * d2.transpose() + Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, 1.5))
    }

    #[test]
    fn the_example_of_8_5_1_has_its_three_solutions() {
        let c = resistance();
        let branches = example(&c);
        assert!(branches.sticks());
        let (slip, slips) = branches.slips();
        let slip = slip.unwrap();
        assert_eq!(slips, 1);
        assert!((slip.speed - 2.0 / 3.0).abs() < 1e-14, "{slip:?}");
        assert!((slip.force - Vector3::new(2.0 / 3.0, -4.0, 0.0)).norm() < 1e-14, "{slip:?}");
        assert!((branches.lift_off_speed() - 0.5).abs() < 1e-14);
        assert_eq!(branches.count(), 3);
        assert!((ambiguity(&c, 6.0, Some(&Vector2::x())) - 2.0).abs() < 1e-14);
        // Across the plane the resistance is less than within.
        let mut slack = c;
        slack[(2, 2)] = 1.0;
        assert!((ambiguity(&slack, 6.0, Some(&Vector2::x())) - 2.0).abs() < 1e-14);
        assert!((ambiguity(&slack, 6.0, None) - 3.0).abs() < 1e-14);
    }

    #[test]
    fn without_enough_normal_force_only_lift_off_is_left() {
        let c = resistance();
        let branches = Branches { at_rest: Vector3::new(1.0, -7.0, 0.0), ..example(&c) };
        assert_eq!((branches.sticks(), branches.slips().1, branches.count()), (false, 0, 1));
    }

    #[test]
    fn below_the_criterion_there_is_exactly_one_answer() {
        let mut random = Random(85);
        let (mut unique, mut several) = (0, 0);
        for _ in 0..20_000 {
            let planar = random.unit() > 0.5;
            let mut c = random.definite(0.01);
            let mut at_rest = Vector3::from_fn(|i, _| random.between(-1.0, 1.0) * if i == 0 { 1.0 } else { 3.0 });
            if planar {
                (c[(0, 2)], c[(2, 0)], c[(1, 2)], c[(2, 1)], at_rest.z) = (0.0, 0.0, 0.0, 0.0, 0.0);
            }
            let mu = random.between(0.0, 4.0);
            let friction = Friction { sticking: mu, slipping: mu };
            let branches = Branches { at_rest, resistance: &c, friction };
            let t = Vector2::x();
            if ambiguity(&c, mu, planar.then_some(&t)) < 1.0 {
                assert_eq!(branches.count(), 1, "{at_rest} {c} {mu}");
                unique += 1;
            } else {
                assert!(branches.count() % 2 == 1, "{} {at_rest} {c} {mu}", branches.count());
                several += usize::from(branches.count() > 1);
            }
        }
        assert!(unique > 3_000 && several > 100, "{unique} {several}");
    }
}
