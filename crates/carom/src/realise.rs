//! Two free rigid bodies with any wanted local mass matrix (Chatterjee 1997, 10.4).

use crate::body::{Body, symmetric};
use crate::error::Error;
use nalgebra::{Matrix3, SymmetricEigen, Vector3};

/// Two free bodies, in contact at the origin of world axes that are the contact axes (n, t1, t2).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Realisation {
    /// Body A, on the side that n points to.
    pub a: Body,
    /// Body B.
    pub b: Body,
    /// The largest difference between an entry of the bodies' inverse mass at the contact and of the wanted one,
    /// relative to the largest entry.
    pub error: f64,
}

/// Eigenvalues of M further apart than this leave a body with a moment of inertia that double precision cannot tell
/// from zero.
const LARGEST_RATIO: f64 = 1e10;

/// Two free bodies whose local mass matrix at their contact is `mass` (kg, contact frame, symmetric positive definite,
/// eigenvalues within a factor 10¹⁰ of each other).
///
/// In the principal axes of M, with w the eigenvalues of M⁻¹ and w₃ the smallest, body A has its arm along axis 3 and
/// body B along axis 1. An arm of length r along axis k gives a body the inverse mass `1/m` along k and `1/m + r²/I`
/// across, I being the moment about the third axis, so together
///
/// ```text
/// w₁ = s + r²/I_A2,   w₂ = s + r²/I_A1 + r²/I_B3,   w₃ = s + r²/I_B2,   s = 1/m_A + 1/m_B
/// ```
///
/// s = w₃/2 leaves every moment positive, equal or distinct eigenvalues alike; the moment about the arm itself is free
/// and the larger of the other two satisfies the triangle inequality. The thesis builds a cross and a hinged pendulum
/// of point masses instead, for which three equations must be solved and which cannot be isotropic: its masses are
/// positive only if the smallest and the largest eigenvalue differ enough.
///
/// ```
/// # use nalgebra::Matrix3;
/// let pair = carom::tools::realise(&Matrix3::identity()).unwrap();
/// assert!(pair.error < 1e-14);
/// ```
pub fn realise(mass: &Matrix3<f64>) -> Result<Realisation, Error> {
    let mass = symmetric("mass matrix", mass)?;
    let eigen = SymmetricEigen::new(mass);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let least = eigen.eigenvalues[order[0]];
    if least * LARGEST_RATIO <= eigen.eigenvalues[order[2]] {
        return Err(Error::NotPositive { what: "mass matrix", eigenvalue: least });
    }
    let [w1, w2, w3] = order.map(|i| eigen.eigenvalues[i].recip());
    let axes = Matrix3::from_columns(&order.map(|i| Vector3::from(eigen.eigenvectors.column(i))));
    let [axis_1, axis_3] = [0, 2].map(|i| Vector3::from(axes.column(i)));

    let shared = 0.5 * w3;
    let body_mass = 2.0 / shared;
    let middle = 2.0 / (w2 - shared);
    let (about_2, about_1) = ((w1 - shared).recip(), middle);
    let a = Body::principal(body_mass, &Vector3::new(about_1, about_2, about_1.max(about_2)), &axes)?;
    let (about_3, about_2) = (middle, (w3 - shared).recip());
    let b = Body::principal(body_mass, &Vector3::new(about_2.max(about_3), about_2, about_3), &axes)?;
    // Arms of unit length; of the two ends of each axis the one that puts A in front of the tangent plane, B behind.
    let a = a.at(axis_3 * 1.0_f64.copysign(axis_3.x));
    let b = b.at(axis_1 * -1.0_f64.copysign(axis_1.x));

    let wanted = axes * Matrix3::from_diagonal(&Vector3::new(w1, w2, w3)) * axes.transpose();
    let got = a.inverse_mass_at(&Vector3::zeros()) + b.inverse_mass_at(&Vector3::zeros());
    Ok(Realisation { a, b, error: (got - wanted).amax() / wanted.amax() })
}

/// The pair of the thesis: a cross and a hinged pendulum of point masses on rods of unit length (Chatterjee 1997, fig. 10.3).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointMasses {
    /// The two bodies.
    pub pair: Realisation,
    /// M_a at the contact end of the cross, kg.
    pub cross_tip: f64,
    /// m at each end of its bar, kg.
    pub cross_bar: f64,
    /// M_b at the contact end of the pendulum, kg.
    pub pendulum_tip: f64,
    /// M_c in the middle of the cross and at each end of the pendulum's hinge, kg.
    pub heavy: f64,
}

/// M_c over the largest eigenvalue of M: the first that is tried, and the largest, beyond which the bodies have lost their digits.
const HEAVY: [f64; 2] = [100.0, 1e8];
/// The iteration for the masses shrinks its error by at least the ratio of eigenvalue and M_c.
const MOST_ITERATIONS: usize = 200;

/// The thesis' own pair of bodies with the local mass matrix `mass` (eq. 10.7). Body A has M_a, M_c and twice m, body B has M_b and
/// twice M_c; with λ₁ ≤ λ₂ ≤ λ₃ the eigenvalues of M,
///
/// ```text
/// 1/λ₁ = 1/M_a + 1/(M_b + 2M_c/3)
/// 1/λ₂ = 1/M_b + 1/(M_a + 2m + M_c)
/// 1/λ₃ = 1/(M_b + 2M_c) + 1/(M_a + 2m(2m + M_c)/(4m + M_c))
/// ```
///
/// M_c is a hundred times λ₃, or more where m would be negative otherwise. No M_c will do if λ₁ = λ₃, and none is tried if they
/// differ by less than about 1e-8; [`realise`] has no such gap. The printed M₁₁ belongs to a hinge of half-length 1/√2, not 1.
///
/// ```
/// # use nalgebra::{Matrix3, Vector3};
/// let pair = carom::tools::realise_by_points(&Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0))).unwrap();
/// assert!(pair.pair.error < 1e-12 && pair.heavy == 300.0);
/// assert!(carom::tools::realise_by_points(&Matrix3::identity()).is_err());
/// ```
pub fn realise_by_points(mass: &Matrix3<f64>) -> Result<PointMasses, Error> {
    let mass = symmetric("mass matrix", mass)?;
    let eigen = SymmetricEigen::new(mass);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
    let eigenvalues = order.map(|i| eigen.eigenvalues[i]);
    if eigenvalues[0] * LARGEST_RATIO <= eigenvalues[2] {
        return Err(Error::NotPositive { what: "mass matrix", eigenvalue: eigenvalues[0] });
    }
    let mut share = HEAVY[0];
    let (heavy, [cross_tip, pendulum_tip, cross_bar]) = loop {
        if let Some(found) = point_masses(eigenvalues, share * eigenvalues[2]) {
            break (share * eigenvalues[2], found);
        }
        share *= 10.0;
        if share > HEAVY[1] {
            return Err(Error::OutOfRange {
                what: "difference of the largest and the smallest eigenvalue of the mass matrix",
                value: eigenvalues[2] - eigenvalues[0],
                expected: "more, for a cross and a pendulum of point masses; `realise` builds other bodies",
            });
        }
    };
    let axes = order.map(|i| Vector3::from(eigen.eigenvectors.column(i)));
    // Of the two ends of each arm the one that puts A in front of the tangent plane, B behind.
    let (arm_a, arm_b) = (axes[1] * 1.0_f64.copysign(axes[1].x), axes[2] * -1.0_f64.copysign(axes[2].x));
    let hinge = axes[0] * 0.5_f64.sqrt();
    let a = of_points(&[
        (cross_tip, Vector3::zeros()),
        (heavy, arm_a),
        (cross_bar, arm_a + axes[2]),
        (cross_bar, arm_a - axes[2]),
    ])?;
    let b = of_points(&[(pendulum_tip, Vector3::zeros()), (heavy, arm_b + hinge), (heavy, arm_b - hinge)])?;
    let wanted = mass.try_inverse().ok_or(Error::NotPositive { what: "mass matrix", eigenvalue: eigenvalues[0] })?;
    let got = a.inverse_mass_at(&Vector3::zeros()) + b.inverse_mass_at(&Vector3::zeros());
    let pair = Realisation { a, b, error: (got - wanted).amax() / wanted.amax() };
    Ok(PointMasses { pair, cross_tip, cross_bar, pendulum_tip, heavy })
}

/// M_a, M_b and m for eigenvalues and M_c; `None` if one of them would not be positive.
fn point_masses([first, second, third]: [f64; 3], heavy: f64) -> Option<[f64; 3]> {
    let without = |eigenvalue: f64, other: f64| (eigenvalue.recip() - other.recip()).recip();
    let (mut tip, mut pendulum, mut bar) = (first, second, 0.5 * (third - first));
    for _ in 0..MOST_ITERATIONS {
        let before = [tip, pendulum, bar];
        tip = without(first, pendulum + 2.0 / 3.0 * heavy);
        pendulum = without(second, tip + 2.0 * bar + heavy);
        // y = 2m in y (y + M_c)/(2y + M_c) = d.
        let d = without(third, pendulum + 2.0 * heavy) - tip;
        bar = 0.5 * (d + 2.0 * d * d / ((4.0 * d * d + heavy * heavy).sqrt() + heavy));
        if !(tip > 0.0 && pendulum > 0.0 && bar > 0.0) {
            return None;
        }
        let moved = (tip - before[0]).abs() + (pendulum - before[1]).abs() + (bar - before[2]).abs();
        if moved <= f64::EPSILON * third {
            break;
        }
    }
    Some([tip, pendulum, bar])
}

fn of_points(points: &[(f64, Vector3<f64>)]) -> Result<Body, Error> {
    let mass: f64 = points.iter().map(|(m, _)| m).sum();
    let centre = points.iter().map(|(m, x)| x * *m).sum::<Vector3<f64>>() / mass;
    let tensor = |(m, x): &(f64, Vector3<f64>)| {
        let arm = (x - centre).cross_matrix();
        arm * arm * -*m
    };
    Ok(Body::new(mass, &points.iter().map(tensor).sum::<Matrix3<f64>>())?.at(centre))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Collision;
    use crate::contact::ContactFrame;
    use crate::random::Random;

    /// The mass matrix that the rest of the library finds for a pair of bodies touching at the origin.
    fn mass_back(a: &Body, b: &Body) -> Matrix3<f64> {
        let frame = ContactFrame::spatial(&Vector3::x(), Some(&Vector3::y())).unwrap();
        Collision::between(a, b, &Vector3::zeros(), &frame).unwrap().mass().unwrap()
    }

    fn check(mass: &Matrix3<f64>, ratio: f64) {
        let pair = realise(mass).unwrap();
        assert!(pair.error < 1e-14, "{}", pair.error);
        let back = mass_back(&pair.a, &pair.b);
        // Inverting W multiplies its rounding by the ratio of the eigenvalues.
        let error = (back - mass).amax() / mass.amax();
        assert!(error < 1e-14 * ratio, "{error} for {mass}");
        assert!(pair.a.position.x >= 0.0 && pair.b.position.x <= 0.0);
    }

    #[test]
    fn any_definite_matrix_comes_back() {
        let mut random = Random(51);
        for _ in 0..2000 {
            let smallest = random.log_between(1e-6, 1.0);
            check(&(random.definite(smallest) * random.log_between(1e-3, 1e3)), 1.0 / smallest);
        }
    }

    #[test]
    fn isotropic_and_repeated_eigenvalues_come_back() {
        let mut random = Random(52);
        check(&Matrix3::identity(), 1.0);
        check(&(Matrix3::identity() / 3.0), 1.0);
        for (one, two) in [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0 + 1e-13), (1e-6, 1.0), (1.0, 1e-6)] {
            let axes = random.rotation();
            let mass = axes * Matrix3::from_diagonal(&Vector3::new(one, one, two)) * axes.transpose();
            check(&mass, one.max(two) / one.min(two));
        }
    }

    #[test]
    fn what_is_not_definite_is_refused() {
        let flat = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 0.0));
        assert!(matches!(realise(&flat), Err(Error::NotPositive { .. })));
        assert!(matches!(realise(&(flat * f64::NAN)), Err(Error::NotFinite { .. })));
        let skew = Matrix3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);
        assert!(matches!(realise(&skew), Err(Error::NotSymmetric { .. })));
    }

    #[test]
    fn the_thesis_cross_and_pendulum_give_its_example() {
        // Eigenvalues (1, 2, 3) with M_c = 100; hinge half-length h/√2, which the printed M11 implies.
        let (m_a, m_b, m, m_c) = (1.01477, 2.03957, 1.035_829, 100.0);
        let [e1, e2, e3] = [Vector3::x(), Vector3::y(), Vector3::z()];
        let cross = of_points(&[(m_a, Vector3::zeros()), (m_c, -e2), (m, -e2 + e3), (m, -e2 - e3)]).unwrap();
        let hinge = e1 * 0.5_f64.sqrt();
        let pendulum = of_points(&[(m_b, Vector3::zeros()), (m_c, -e3 + hinge), (m_c, -e3 - hinge)]).unwrap();
        let expected = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
        let difference = (mass_back(&cross, &pendulum) - expected).amax();
        assert!(difference < 1e-5, "{difference}");
    }

    #[test]
    fn the_thesis_pair_has_the_wanted_matrix() {
        // The masses of the notes' example with M_c = 100 come from the same equations.
        let [m_a, m_b, m] = point_masses([1.0, 2.0, 3.0], 100.0).unwrap();
        assert!((m_a - 1.01477).abs() < 1e-5 && (m_b - 2.03957).abs() < 1e-5 && (m - 1.035_829).abs() < 1e-6);
        let mut random = Random(53);
        let mut built = 0;
        for _ in 0..500 {
            let smallest = random.log_between(1e-3, 0.9);
            let mass = random.definite(smallest) * random.log_between(1e-3, 1e3);
            if let Ok(points) = realise_by_points(&mass) {
                built += 1;
                // Inverting an inertia that holds M_c loses as many digits as M_c is larger.
                assert!(points.pair.error < 1e-11, "{}", points.pair.error);
                let back = mass_back(&points.pair.a, &points.pair.b);
                assert!((back - mass).amax() < 1e-10 / smallest * mass.amax());
                assert!(points.pair.a.position.x >= 0.0 && points.pair.b.position.x <= 0.0);
            }
        }
        assert!(built > 490, "{built}");
    }
}
