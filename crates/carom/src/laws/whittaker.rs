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
//! dissipates most. The others are reported. Static friction below kinetic would leave collisions without any solution.
//!
//! The law can create energy: the audit says how much.
//!
//! Singular W, the limit of W + ε N for ε → 0 with N the projector onto the immovable directions. The sticking impulse
//! M (U − V), U = (−e V_n, 0), grows without bound along N U unless N U = 0. If N U is in the cone of static friction the
//! contact sticks for every small ε and there is no limit; otherwise it slips. In the plane W = σ w wᵀ with w_n > 0 and
//! V = ν w, so V after = −e V:
//!
//! ```text
//! e > 0, w_t ≠ 0   no limit if μ_s |w_t| ≥ w_n;  else P_t = −μ_k sign(w_t) P_n
//! e = 0 or w_t = 0   P along w if |w_t| ≤ μ_s w_n;  else P_t = μ_k sign(w_t) P_n, and the slip stops
//! ```
//!
//! with P_n from V_n after. In space with one immovable direction b the quartic gives the slips that last. If e = 0 a slip
//! can also fade in the limit: V after = 0 and P = −W⁺V + s b on the cone. For small ε the slip is then ε k u along
//! u = −P_t/|P_t| with k b_t·u = b·P = s, so that s and b_t·P_t must have opposite signs.

use crate::collision::{Collision, Mobility, Section};
use crate::course::ContactHistory;
use crate::law::check::{Answered, Friction};
use crate::law::parameter::{KINETIC_FRICTION, RESTITUTION, STATIC_FRICTION};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::{ContactNote, ContactOutcome, Mode};
use crate::polynomial::roots_within_one;
use nalgebra::{Matrix2, Vector2, Vector3};

/// Whittaker's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Whittaker {
    /// Kinematic restitution e, 0 to 1.
    pub restitution: f64,
    /// Coefficient of friction while sticking, at least the kinetic one.
    pub static_friction: f64,
    /// Coefficient of friction while slipping.
    pub kinetic_friction: f64,
}

/// A wanted velocity along immovable directions below this fraction of the speed is rounding.
const ALLOWED: f64 = 1e-13;
/// A rate dV_n/dP_n below this fraction of its terms is rounding: no impulse along that direction changes V_n.
const NO_RATE: f64 = 4.0 * f64::EPSILON;
/// A rate below this fraction of its terms has lost half its digits.
const POOR_RATE: f64 = 1e-8;
/// Under a singular W a slip below this fraction of its terms is one that fades, which the quartic cannot judge.
const FADED: f64 = 1e-10;
/// Rounding of the push of an impulse, relative to its terms.
const NOISE: f64 = 16.0 * f64::EPSILON;
/// So is one whose direction misses that of the friction by this angle, rad.
const ASTRAY: f64 = 1e-5;
/// A root of the quartic is good to half the digits; a larger correction (rad) comes from a double root.
const LARGEST_POLISH: f64 = 1e-6;

impl Whittaker {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        LAW.resolve_values(&[self.restitution, self.static_friction, self.kinetic_friction], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let v = collision.velocity();
        if v.x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        let wanted = Vector3::new(-self.restitution * v.x, 0.0, 0.0);
        let section = collision.planar_section();
        if let Some((section, movable)) = section.and_then(|section| Some((section, section.movable?))) {
            return self.singular_plane(collision, &section, &movable);
        }
        let stick = self.stick(collision, &wanted)?;
        if let Some(section) = section {
            return match stick {
                Some(impulse) => Ok(sticking(collision, impulse, &wanted)),
                None => self.planar_slip(collision, &section),
            };
        }
        if let (None, Some(impulse)) = (stick, self.fading_slip(collision, &wanted)) {
            let mut outcome = ContactOutcome::jump(collision, impulse, self.kinetic_friction);
            outcome.velocity_after = wanted;
            return Ok(outcome);
        }
        let slips = self.spatial_slips(collision);
        let best =
            slips.iter().flatten().min_by(|a, b| collision.energy_change(a).total_cmp(&collision.energy_change(b)));
        let Some(chosen) = stick.or(best.copied()) else {
            // A purely sliding contact without a tangential impact slides on.
            return match (v.x == 0.0, collision.is_singular()) {
                (true, _) => Ok(ContactOutcome::none(collision)),
                (_, true) => Err(Inapplicable::UnboundedImpulse),
                _ => Err(Inapplicable::NoSolution),
            };
        };
        let mut outcome = match stick {
            Some(impulse) => sticking(collision, impulse, &wanted),
            None => ContactOutcome::jump(collision, chosen, self.kinetic_friction),
        };
        for &impulse in slips.iter().flatten().filter(|impulse| **impulse != chosen) {
            let energy_change = collision.energy_change(&impulse);
            outcome.notes.push(ContactNote::OtherSolution { impulse, energy_change, sticks: false });
        }
        Ok(outcome)
    }

    /// The sticking impulse, if it exists and static friction can hold it.
    fn stick(&self, collision: &Collision, wanted: &Vector3<f64>) -> Result<Option<Vector3<f64>>, Inapplicable> {
        let v = collision.velocity();
        let blocked = collision.immovable_part(wanted);
        if blocked.norm() > ALLOWED * v.norm() {
            let grows = collision.grows_along(&blocked, self.static_friction);
            return if grows { Err(Inapplicable::UnboundedImpulse) } else { Ok(None) };
        }
        let impulse = collision.mass_times(&(wanted - v));
        let holds = impulse.x > 0.0 && impulse.yz().norm() <= self.static_friction * impulse.x;
        Ok(holds.then_some(impulse))
    }

    /// A plane in which the contact moves along one direction only.
    fn singular_plane(
        &self,
        collision: &Collision,
        section: &Section,
        w: &Vector2<f64>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let approach = -section.velocity.x;
        if approach == 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        let (stiffness, side) = (section.inverse_mass.trace() * w.x, w.y.signum());
        // V_n after = −e V_n with P = P_n (1, ratio), where W P = σ w (w·P).
        let impulse = |ratio: f64| {
            let normal = (1.0 + self.restitution) * approach / (stiffness * (w.x + ratio * w.y));
            section.to_contact(normal, ratio * normal)
        };
        let slips = |ratio: f64| {
            let mut outcome = ContactOutcome::jump(collision, impulse(ratio), self.kinetic_friction);
            outcome.velocity_after = collision.velocity() * -self.restitution;
            outcome
        };
        if self.restitution > 0.0 && w.y != 0.0 {
            if section.grows_still(self.static_friction) {
                return Err(Inapplicable::UnboundedImpulse);
            }
            return Ok(slips(-self.kinetic_friction * side));
        }
        if w.y.abs() <= self.static_friction * w.x {
            let wanted = Vector3::x() * (self.restitution * approach);
            return Ok(sticking(collision, impulse(w.y / w.x), &wanted));
        }
        Ok(slips(self.kinetic_friction * side))
    }

    /// Under a singular W in space: the impulse on the cone at which a slip fades, if there is one.
    fn fading_slip(&self, collision: &Collision, wanted: &Vector3<f64>) -> Option<Vector3<f64>> {
        let Mobility::Plane { immovable: b } = collision.mobility() else { return None };
        if *wanted != Vector3::zeros() {
            return None;
        }
        let base = -collision.mass_times(collision.velocity());
        let mu2 = self.kinetic_friction.powi(2);
        // |P_t|² = μ² P_n² for P = base + s b.
        let roots = quadratic_roots(
            b.yz().norm_squared() - mu2 * b.x * b.x,
            base.yz().dot(&b.yz()) - mu2 * base.x * b.x,
            base.yz().norm_squared() - mu2 * base.x * base.x,
        );
        let fades = |s: &f64| {
            let p = base + b * *s;
            p.x > 0.0 && s * b.yz().dot(&p.yz()) < 0.0
        };
        let least = roots.into_iter().flatten().filter(fades).min_by(|a, b| a.abs().total_cmp(&b.abs()))?;
        Some(base + b * least)
    }

    fn planar_slip(&self, collision: &Collision, section: &Section) -> Result<ContactOutcome, Inapplicable> {
        let (w, v) = (&section.inverse_mass, &section.velocity);
        if v.x == 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        // Friction pulls towards the impulse that would stick.
        let wanted = Vector3::new(-self.restitution * v.x, 0.0, 0.0);
        let towards = collision.mass_times(&(wanted - collision.velocity())).yz().dot(&section.tangent);
        let ratio = self.kinetic_friction.copysign(towards);
        let rate = w[(0, 0)] + w[(0, 1)] * ratio;
        if rate <= 0.0 {
            return Err(Inapplicable::NoSolution);
        }
        let normal = -(1.0 + self.restitution) * v.x / rate;
        Ok(ContactOutcome::jump(collision, section.to_contact(normal, ratio * normal), self.kinetic_friction))
    }

    /// All spatial slip solutions.
    fn spatial_slips(&self, collision: &Collision) -> [Option<Vector3<f64>>; 4] {
        let slip = Slip::of(collision, self.restitution, self.kinetic_friction);
        if slip.c == 0.0 {
            return slip.tangential_impacts();
        }
        let [m, c1, s1, c2, s2] = slip.mismatch_coefficients();
        let mut slips = [None; 4];
        let mut free = slips.iter_mut();
        // With h the tangent of half the angle from ±t1, |h| ≤ 1 covers half of all directions each time.
        for front in [1.0, -1.0] {
            let (c1, s1) = (c1 * front, s1 * front);
            let quartic = [m + c1 + c2, 2.0 * s1 + 4.0 * s2, 2.0 * m - 6.0 * c2, 2.0 * s1 - 4.0 * s2, m - c1 + c2];
            for h in roots_within_one(&quartic).as_slice() {
                let u = Vector2::new(1.0 - h * h, 2.0 * h) * (front / (1.0 + h * h));
                if let Some(impulse) = slip.impulse(&slip.polish(u))
                    && let Some(slot) = free.next()
                {
                    *slot = Some(impulse);
                }
            }
        }
        slips
    }
}

/// Slip in the direction u at the end of a spatial collision.
struct Slip {
    w_nn: f64,
    /// W_tn.
    a: Vector2<f64>,
    w_tt: Matrix2<f64>,
    /// V_t.
    before: Vector2<f64>,
    /// −(1 + e) V_n.
    c: f64,
    mu: f64,
    singular: bool,
}

impl Slip {
    fn of(collision: &Collision, restitution: f64, mu: f64) -> Slip {
        let (w, v) = (collision.inverse_mass(), collision.velocity());
        Slip {
            w_nn: w[(0, 0)],
            a: Vector2::new(w[(1, 0)], w[(2, 0)]),
            w_tt: w.fixed_view::<2, 2>(1, 1).into_owned(),
            before: v.yz(),
            c: -(1.0 + restitution) * v.x,
            mu,
            singular: collision.is_singular(),
        }
    }

    /// dV_n/dP_n.
    fn rate(&self, u: &Vector2<f64>) -> f64 {
        self.w_nn - self.mu * self.a.dot(u)
    }

    /// dV_t/dP_n.
    fn push(&self, u: &Vector2<f64>) -> Vector2<f64> {
        self.a - self.w_tt * u * self.mu
    }

    /// u × V_t after times the rate: zero where the final slip is along ±u.
    fn mismatch(&self, u: &Vector2<f64>) -> f64 {
        self.rate(u) * u.perp(&self.before) + self.c * u.perp(&self.push(u))
    }

    /// The mismatch as m + c₁ cos φ + s₁ sin φ + c₂ cos 2φ + s₂ sin 2φ, u = (cos φ, sin φ).
    fn mismatch_coefficients(&self) -> [f64; 5] {
        let (a, v, t) = (&self.a, &self.before, &self.w_tt);
        let half = 0.5 * self.mu;
        [
            -half * (a.x * v.y - a.y * v.x),
            self.w_nn * v.y + self.c * a.y,
            -self.w_nn * v.x - self.c * a.x,
            -half * (a.x * v.y + a.y * v.x) - self.c * self.mu * t[(0, 1)],
            -half * (a.y * v.y - a.x * v.x) - self.c * half * (t[(1, 1)] - t[(0, 0)]),
        ]
    }

    /// The limit V_n → 0⁻: where the rate vanishes V_n stays zero whatever P_n is, and P_n follows from the direction of
    /// the final slip. Such directions exist once μ exceeds W_nn/|W_tn|.
    fn tangential_impacts(&self) -> [Option<Vector3<f64>>; 4] {
        let mut impacts = [None; 4];
        let along = self.w_nn / (self.mu * self.a.norm());
        if along >= 1.0 {
            return impacts;
        }
        let towards = self.a.normalize();
        let across = Vector2::new(-towards.y, towards.x) * (1.0 - along * along).sqrt();
        for (slot, u) in impacts.iter_mut().zip([towards * along + across, towards * along - across]) {
            let normal = -u.perp(&self.before) / u.perp(&self.push(&u));
            let after = self.before + self.push(&u) * normal;
            if normal > 0.0 && normal.is_finite() && after.dot(&u) > 0.0 {
                *slot = Some(Vector3::new(normal, -self.mu * normal * u.x, -self.mu * normal * u.y));
            }
        }
        impacts
    }

    /// Newton steps on the angle of u, which take back the digits that forming the quartic cost.
    fn polish(&self, mut u: Vector2<f64>) -> Vector2<f64> {
        for _ in 0..2 {
            let across = Vector2::new(-u.y, u.x);
            let turning = -self.mu * self.a.dot(&across) * u.perp(&self.before)
                + self.rate(&u) * across.perp(&self.before)
                + self.c * (across.perp(&self.push(&u)) - self.mu * u.perp(&(self.w_tt * across)));
            let step = -self.mismatch(&u) / turning;
            if step.abs() < LARGEST_POLISH {
                u = (u + across * step).normalize();
            }
        }
        u
    }

    /// The impulse, if this slip is a solution: friction opposes it, not the other way round.
    fn impulse(&self, u: &Vector2<f64>) -> Option<Vector3<f64>> {
        let normal = self.normal_impulse(u)?;
        let pushed = self.push(u) * normal;
        let after = self.before + pushed;
        let slip = after.dot(u);
        // Terms of a large impulse that moves little cancel in the push.
        let noise = NOISE * normal * (self.a.norm() + self.mu * self.w_tt.norm());
        let fades =
            slip <= noise + FADED * (self.before.norm() + pushed.norm()) || u.perp(&after).abs() > ASTRAY * slip;
        (slip > 0.0 && !(self.singular && fades))
            .then(|| Vector3::new(normal, -self.mu * normal * u.x, -self.mu * normal * u.y))
    }

    /// P_n from V_n after. Near grazing a contact that jams leaves hardly any rate; the direction of the final slip then
    /// gives P_n with more digits.
    fn normal_impulse(&self, u: &Vector2<f64>) -> Option<f64> {
        let (rate, terms) = (self.rate(u), self.w_nn + self.mu * self.a.norm());
        let push = self.push(u);
        let turning = u.perp(&push);
        if rate.abs() <= POOR_RATE * terms && turning.abs() > POOR_RATE.sqrt() * push.norm() {
            let normal = -u.perp(&self.before) / turning;
            return (normal > 0.0).then_some(normal);
        }
        (rate > NO_RATE * terms).then(|| self.c / rate)
    }
}

/// The real roots of a x² + 2 b x + c, without cancellation.
fn quadratic_roots(a: f64, b: f64, c: f64) -> [Option<f64>; 2] {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 {
        return [None; 2];
    }
    let q = -(b + discriminant.sqrt().copysign(b));
    [q / a, c / q].map(|root| root.is_finite().then_some(root))
}

fn sticking(collision: &Collision, impulse: Vector3<f64>, wanted: &Vector3<f64>) -> ContactOutcome {
    let mut outcome = ContactOutcome::jump(collision, impulse, f64::INFINITY);
    outcome.mode = Mode::Sticking;
    outcome.velocity_after = *wanted;
    outcome
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
        tangential_restitution: Promise::No,
        unique: Promise::If("in the plane; by rule in space"),
        ..Guarantees::ALL
    },
    consistency: Some(("static_friction of at least kinetic_friction", |p| p[1] >= p[2])),
    method: Method::OneContact(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl OneContact for Entry {
    fn resolve(
        &self,
        collision: &Collision,
        p: &[f64],
        _history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        Whittaker { restitution: p[0], static_friction: p[1], kinetic_friction: p[2] }.compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(answered.newton(p[0]).max(answered.coulomb(&Friction { sticking: p[1], slipping: p[2] })))
    }
}
