//! `whittaker`: kinematic restitution, friction opposing the final slip (Whittaker; Kane & Levinson).
//!
//! Whittaker, Analytical Dynamics 1904; Kane & Levinson, Dynamics 1985; Chatterjee 1997, 5.1.2.
//!
//! ```text
//! V_n after = −e V_n
//! V_t after = 0 and |P_t| ≤ μ_s P_n                (stick), or
//! P_t = −μ_k P_n V_t after/|V_t after|             (slip)
//! ```
//!
//! Stick is tried first. In the plane the law is a clamp of P_t on the line of given e: V_t after grows with P_t there,
//! so exactly one solution exists. In space, with u the direction of the final slip,
//!
//! ```text
//! P_n = −(1 + e) V_n/(W_nn − μ W_nt·u),   P_t = −μ P_n u,   u × V_t after = 0,   u·V_t after > 0
//! ```
//!
//! and the first condition times the denominator is a trigonometric polynomial of degree two in the angle of u: a
//! quartic, whose roots are all found. Several slip solutions, or slip besides stick, occur (Chatterjee's claim of
//! uniqueness fails: fixture F9 has one stick and two slips). Rule: stick if possible; otherwise the slip that
//! dissipates most. The others are reported.
//!
//! The law can create energy: the audit says how much.

use super::law::{Guarantees, Inapplicable, Law, Promise};
use super::parameter::{KINETIC_FRICTION, RESTITUTION, STATIC_FRICTION};
use crate::collision::{Collision, Section};
use crate::outcome::{Mode, Note, Outcome};
use crate::polynomial::quartic_roots;
use nalgebra::{Vector2, Vector3};

/// Whittaker's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whittaker {
    /// Kinematic restitution e, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction while sticking.
    pub static_friction: f64,
    /// Coefficient of friction while slipping.
    pub kinetic_friction: f64,
}

/// The velocity that a computed impulse gives may miss the wanted one by this much, relative to the speeds involved,
/// before the impulse is said not to exist (singular W).
const REACHED: f64 = 1e-9;

/// A slip this small, relative to the terms it is the sum of, has stopped.
const STOPPED: f64 = 1e-15;
/// A root of the quartic is good to half the digits; a larger correction (rad) comes from a double root.
const LARGEST_POLISH: f64 = 1e-6;

impl Whittaker {
    /// The outcome; see the [module's text](self).
    pub fn resolve(&self, collision: &Collision) -> Result<Outcome, Inapplicable> {
        let v = collision.velocity();
        if v.x > 0.0 {
            return Ok(Outcome::none(collision));
        }
        let wanted = Vector3::new(-self.restitution * v.x, 0.0, 0.0);
        let stick = self.stick(collision, &wanted);
        // A purely sliding contact has no slipping impulse: it sticks (a tangential impact) or slides on.
        if v.x == 0.0 && stick.is_none() {
            return Ok(Outcome::none(collision));
        }
        let section = collision.planar_section();
        if let Some(section) = section {
            return match stick {
                Some(impulse) => Ok(sticking(collision, impulse, &wanted)),
                None => self.planar_slip(collision, &section),
            };
        }
        let slips = self.spatial_slips(collision);
        let best =
            slips.iter().flatten().min_by(|a, b| collision.energy_change(a).total_cmp(&collision.energy_change(b)));
        let chosen = stick.or(best.copied()).ok_or(Inapplicable::NoSolution)?;
        let mut outcome = match stick {
            Some(impulse) => sticking(collision, impulse, &wanted),
            None => Outcome::jump(collision, chosen, self.kinetic_friction),
        };
        for &impulse in slips.iter().flatten().filter(|impulse| **impulse != chosen) {
            let energy_change = collision.energy_change(&impulse);
            outcome.notes.push(Note::OtherSolution { impulse, energy_change, sticks: false });
        }
        Ok(outcome)
    }

    /// The sticking impulse, if it exists and static friction can hold it.
    fn stick(&self, collision: &Collision, wanted: &Vector3<f64>) -> Option<Vector3<f64>> {
        let v = collision.velocity();
        let impulse = collision.mass_times(&(wanted - v));
        let missed = (collision.velocity_after(&impulse) - wanted).norm();
        let exists = !collision.is_singular() || missed <= REACHED * v.norm();
        (exists && impulse.x > 0.0 && impulse.yz().norm() <= self.static_friction * impulse.x).then_some(impulse)
    }

    fn planar_slip(&self, collision: &Collision, section: &Section) -> Result<Outcome, Inapplicable> {
        let (w, v) = (&section.inverse_mass, &section.velocity);
        for ratio in [self.kinetic_friction, -self.kinetic_friction] {
            let rate = w[(0, 0)] + w[(0, 1)] * ratio;
            if rate <= 0.0 {
                continue;
            }
            let normal = -(1.0 + self.restitution) * v.x / rate;
            let pushed = (w[(0, 1)] + w[(1, 1)] * ratio) * normal;
            // Under a singular W the slip may stop exactly here: rounding must not turn it back.
            let rounding = STOPPED * (v.y.abs() + pushed.abs());
            if (v.y + pushed) * ratio.signum() <= rounding {
                let impulse = section.to_contact(normal, ratio * normal);
                return Ok(Outcome::jump(collision, impulse, self.kinetic_friction));
            }
        }
        Err(if collision.is_singular() { Inapplicable::UnboundedImpulse } else { Inapplicable::NoSolution })
    }

    /// All spatial slip solutions.
    fn spatial_slips(&self, collision: &Collision) -> [Option<Vector3<f64>>; 4] {
        let (w, v, mu) = (collision.inverse_mass(), collision.velocity(), self.kinetic_friction);
        let c = -(1.0 + self.restitution) * v.x;
        let a = Vector2::new(w[(1, 0)], w[(2, 0)]);
        let slip = v.yz();
        let cross = |u: &Vector2<f64>, x: &Vector2<f64>| u.x * x.y - u.y * x.x;
        let rate = |u: &Vector2<f64>| w[(0, 0)] - mu * a.dot(u);
        let push = |u: &Vector2<f64>| a - w.fixed_view::<2, 2>(1, 1) * u * mu;
        // Zero where the final slip is along ±u.
        let mismatch = |u: &Vector2<f64>| rate(u) * cross(u, &slip) + c * cross(u, &push(u));

        let turning = |u: &Vector2<f64>| {
            let across = perpendicular(u);
            -mu * a.dot(&across) * cross(u, &slip)
                + rate(u) * cross(&across, &slip)
                + c * (cross(&across, &push(u)) - mu * cross(u, &(w.fixed_view::<2, 2>(1, 1) * across)))
        };

        // Five equally spaced samples determine the trigonometric polynomial. With h the half-angle tangent measured
        // from the direction `front`, infinite h is the direction behind: put a sample that is not a root there.
        let sample = |k: u8| {
            let angle = std::f64::consts::TAU * f64::from(k) / 5.0;
            Vector2::new(angle.cos(), angle.sin())
        };
        let back = (0..5)
            .map(sample)
            .max_by(|p, q| mismatch(p).abs().total_cmp(&mismatch(q).abs()))
            .unwrap_or_else(Vector2::x);
        let front = -back;
        let side = perpendicular(&front);
        let quartic = half_angle_quartic(|cos, sin| mismatch(&(front * cos + side * sin)));

        let mut slips = [None; 4];
        for (slot, &h) in slips.iter_mut().zip(quartic_roots(&quartic).as_slice()) {
            let u = polish((front * (1.0 - h * h) + side * (2.0 * h)) / (1.0 + h * h), &mismatch, &turning);
            let rate = rate(&u);
            if rate > 0.0 {
                let normal = c / rate;
                let after = slip + push(&u) * normal;
                if after.dot(&u) > 0.0 {
                    *slot = Some(Vector3::new(normal, -mu * normal * u.x, -mu * normal * u.y));
                }
            }
        }
        slips
    }
}

fn perpendicular(u: &Vector2<f64>) -> Vector2<f64> {
    Vector2::new(-u.y, u.x)
}

/// Newton steps on the angle of u, which take back the digits that forming the quartic cost.
fn polish(
    mut u: Vector2<f64>,
    mismatch: impl Fn(&Vector2<f64>) -> f64,
    turning: impl Fn(&Vector2<f64>) -> f64,
) -> Vector2<f64> {
    for _ in 0..2 {
        let step = -mismatch(&u) / turning(&u);
        if step.abs() < LARGEST_POLISH {
            u = (u + perpendicular(&u) * step).normalize();
        }
    }
    u
}

fn sticking(collision: &Collision, impulse: Vector3<f64>, wanted: &Vector3<f64>) -> Outcome {
    let mut outcome = Outcome::jump(collision, impulse, f64::INFINITY);
    outcome.mode = Mode::Sticking;
    outcome.velocity_after = *wanted;
    outcome
}

/// Coefficients of `(1 + h²)² f(cos, sin)` with cos = (1 − h²)/(1 + h²), sin = 2h/(1 + h²), for f a trigonometric
/// polynomial of degree two.
fn half_angle_quartic(f: impl Fn(f64, f64) -> f64) -> [f64; 5] {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let (front, back) = (f(1.0, 0.0), f(-1.0, 0.0));
    let (left, right) = (f(0.0, 1.0), f(0.0, -1.0));
    // f = m + c1 cos + s1 sin + c2 cos 2φ + s2 sin 2φ
    let c1 = 0.5 * (front - back);
    let s1 = 0.5 * (left - right);
    let m = 0.25 * (front + back + left + right);
    let c2 = 0.25 * (front + back - left - right);
    let s2 = 0.5 * (f(half, half) + f(-half, -half)) - m;
    // cos 2φ = ((1 − h²)² − 4h²)/(1 + h²)², sin 2φ = 4h(1 − h²)/(1 + h²)²
    [m + c1 + c2, 2.0 * s1 + 4.0 * s2, 2.0 * m - 6.0 * c2, 2.0 * s1 - 4.0 * s2, m - c1 + c2]
}

pub(super) const LAW: Law = Law {
    id: "whittaker",
    name: "Whittaker's law (Kane & Levinson)",
    source: "E. T. Whittaker, Analytical Dynamics, 1904; T. R. Kane & D. A. Levinson, Dynamics, 1985",
    summary: "Kinematic restitution; friction stops the slip if it can, else opposes the final slip.",
    equations: "V_n after = −e V_n\n\
                V_t after = 0 if the impulse that does it has |P_t| ≤ μ_s P_n\n\
                P_t = −μ_k P_n V_t after/|V_t after| otherwise",
    caveats: "Can create energy. In space several slip solutions may exist: stick is preferred, then the slip that \
              dissipates most; the others are reported.",
    parameters: &[RESTITUTION, STATIC_FRICTION, KINETIC_FRICTION],
    guarantees: Guarantees {
        energy: Promise::No,
        friction: Promise::Yes,
        penetration: Promise::Yes,
        tangential_restitution: Promise::No,
        spatial: Promise::Yes,
        unique: Promise::If("in the plane; by rule in space"),
    },
    consistency: None,
    resolve: |collision, p| {
        Whittaker { restitution: p[0], static_friction: p[1], kinetic_friction: p[2] }.resolve(collision)
    },
};
