//! Chatterjee's span condition (1997, (6.6)).

use crate::collision::bounded;
use crate::error::{Error, finite};
use nalgebra::{Vector2, Vector3};

/// Whether `P_t = −(a V_t before + b V_t after)` with a, b ≥ 0.
///
/// No law must satisfy it; an impulse that does not pushes the contact in a direction in which it never slipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Whether there are such a and b; `None` where the contact is pushed along the tangent though it slips neither before nor
    /// after.
    pub holds: Option<bool>,
    /// a and b, kg. Where many would do, b = 0 is preferred, then a = 0. `None` if no a and b of any sign give P_t.
    pub coefficients: Option<[f64; 2]>,
}

/// A tangential impulse or slip below this fraction of the whole vector is rounding; so is the sine of the angle between two
/// directions.
const ROUNDING: f64 = 1e-9;

impl Span {
    /// The span condition of an impulse with the velocities before and after it, all in (n, t1, t2).
    ///
    /// ```
    /// use carom::problem::Span;
    /// use nalgebra::Vector3;
    /// let [before, after] = [Vector3::new(-1.0, 0.6, 0.0), Vector3::new(0.5, 0.2, 0.0)];
    /// assert_eq!(Span::of(&before, &after, &Vector3::new(1.0, -0.1, 0.0))?.holds, Some(true));
    /// assert_eq!(Span::of(&before, &after, &Vector3::new(1.0, 0.1, 0.0))?.holds, Some(false));
    /// # Ok::<(), carom::Error>(())
    /// ```
    pub fn of(before: &Vector3<f64>, after: &Vector3<f64>, impulse: &Vector3<f64>) -> Result<Span, Error> {
        for (what, vector) in [("velocity before", before), ("velocity after", after), ("impulse", impulse)] {
            bounded(what, vector.as_slice())?;
        }
        let span = span(before, after, impulse);
        finite("coefficients of the span condition", &span.coefficients.unwrap_or_default())?;
        Ok(span)
    }
}

fn span(before: &Vector3<f64>, after: &Vector3<f64>, impulse: &Vector3<f64>) -> Span {
    let part = |v: &Vector3<f64>, scale: f64| if v.yz().norm() <= ROUNDING * scale { Vector2::zeros() } else { v.yz() };
    let speed = before.norm() + after.norm();
    let (u, w, p) = (part(before, speed), part(after, speed), -part(impulse, impulse.norm()));
    if p == Vector2::zeros() {
        return Span { holds: Some(true), coefficients: Some([0.0; 2]) };
    }
    let area = u.perp(&w);
    if area.abs() > ROUNDING * u.norm() * w.norm() {
        let [a, b] = [p.perp(&w) / area, u.perp(&p) / area];
        let share = |coefficient: f64, v: &Vector2<f64>| coefficient * v.norm() >= -ROUNDING * p.norm();
        return Span { holds: Some(share(a, &u) && share(b, &w)), coefficients: Some([a, b]) };
    }
    if u == Vector2::zeros() && w == Vector2::zeros() {
        return Span { holds: None, coefficients: None };
    }
    // One slip, or two along the same line: P_t must lie on it.
    let along = |v: &Vector2<f64>| {
        let on_line = v.norm() > 0.0 && v.perp(&p).abs() <= ROUNDING * v.norm() * p.norm();
        on_line.then(|| v.dot(&p) / v.norm_squared())
    };
    let candidates = [along(&u).map(|a| [a, 0.0]), along(&w).map(|b| [0.0, b])];
    let good = candidates.into_iter().flatten().find(|[a, b]| a + b >= 0.0);
    Span { holds: Some(good.is_some()), coefficients: good.or(candidates[0]).or(candidates[1]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collision::Collision;
    use crate::laws::find;
    use nalgebra::Matrix3;

    /// The span of a law's outcome for a mass matrix, with V = (−1, −½, 0) unless said otherwise.
    fn span_of(law: &str, mass: [f64; 9], velocity: [f64; 3], material: &[(&str, f64)]) -> Span {
        let inverse_mass = Matrix3::from_row_slice(&mass).try_inverse().unwrap();
        let collision = Collision::new(&inverse_mass, &velocity.into()).unwrap();
        let outcome = find(law).unwrap().bind(material).unwrap().resolve_collision(&collision).unwrap();
        Span::of(collision.velocity(), &outcome.velocity_after, &outcome.impulse).unwrap()
    }

    fn assert_coefficients(span: &Span, expected: [f64; 2], tolerance: f64) {
        let found = span.coefficients.unwrap();
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found / expected - 1.0).abs() < tolerance, "{found} {expected}");
        }
    }

    #[test]
    fn laws_two_and_three_and_rouths_process_violate_it_in_places() {
        let half = [("restitution", 0.5), ("tangential_restitution", 0.5), ("friction", 0.5)];
        let slow = [-1.0, -0.5, 0.0];
        let second = span_of("chatterjee-2", [1.0, 0.1, 0.0, 0.1, 0.8, 0.5, 0.0, 0.5, 0.6], slow, &half);
        assert_eq!(second.holds, Some(false));
        assert_coefficients(&second, [-4.38, -16.5], 5e-3);
        let third = span_of("chatterjee-3", [1.0, 0.3, -0.2, 0.3, 0.8, -0.5, -0.2, -0.5, 0.6], slow, &half);
        assert_eq!(third.holds, Some(false));
        assert_coefficients(&third, [-6.41, 17.8], 5e-3);
        // The thesis thinks that Routh's process may satisfy it always.
        let routh = span_of(
            "routh-poisson",
            [1.0, -0.6, 0.5, -0.6, 0.5, -0.4, 0.5, -0.4, 2.0],
            [-2.0, -1.0, 0.0],
            &[("restitution", 1.0), ("friction", 0.5)],
        );
        assert_eq!(routh.holds, Some(false));
        assert_coefficients(&routh, [-0.0555, 0.6075], 5e-3);
    }

    #[test]
    fn smiths_law_always_satisfies_it() {
        let mut random = crate::random::Random(74);
        for _ in 0..500 {
            let mass = random.definite(0.1);
            let velocity = random.direction();
            let velocity = Vector3::new(-velocity.x.abs(), velocity.y, velocity.z);
            let collision = Collision::new(&mass, &velocity).unwrap();
            let law =
                find("smith").unwrap().bind(&[("restitution", random.unit()), ("friction", random.unit())]).unwrap();
            let outcome = law.resolve_collision(&collision).unwrap();
            assert!(Span::of(collision.velocity(), &outcome.velocity_after, &outcome.impulse).unwrap().holds.unwrap());
        }
    }

    #[test]
    fn a_slip_that_stops_leaves_one_direction() {
        let [before, after] = [Vector3::new(-1.0, 0.6, 0.0), Vector3::new(0.5, 0.0, 0.0)];
        let held = Span::of(&before, &after, &Vector3::new(1.0, -0.3, 0.0)).unwrap();
        assert_eq!(held, Span { holds: Some(true), coefficients: Some([0.5, 0.0]) });
        let aside = Span::of(&before, &after, &Vector3::new(1.0, -0.3, 0.1)).unwrap();
        let at_rest = Span::of(&Vector3::new(-1.0, 0.0, 0.0), &after, &Vector3::new(1.0, -0.3, 0.0)).unwrap();
        assert_eq!(at_rest, Span { holds: None, coefficients: None });
        assert_eq!(aside, Span { holds: Some(false), coefficients: None });
    }
}
