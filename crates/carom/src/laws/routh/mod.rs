//! `routh-poisson`, `routh-newton`, `routh-stronge`: Routh's process of accumulating impulse.
//!
//! Routh 1860; planar closed form and contact modes: Wang & Mason 1992, sections 3.3–3.5, `planar.rs`; in space: Keller 1986,
//! `spatial.rs`. The normal impulse is the clock. Friction opposes the slip at its limit; when the slip stops, the
//! contact sticks if the friction that needs is available, and slips back otherwise. In the plane:
//!
//! ```text
//! dV/dP_n = W (1, η)
//! η = −μ sign(V_t)            slipping
//! η = η_s = −W_nt/W_tt        sticking, if |η_s| ≤ μ
//! η = μ sign(η_s)             slipping back, otherwise
//! ```
//!
//! so V is piecewise linear in P_n with at most two pieces. Compression ends where V_n = 0, at P_n = P_c; the
//! collision ends by one of three hypotheses:
//!
//! ```text
//! Poisson   P_n = (1 + e) P_c
//! Newton    V_n = −e V_n before
//! Stronge   work of V_n dP_n in restitution = −e² work in compression
//! ```
//!
//! Energy never rises for Poisson (Wang & Mason, appendix; in space Ivanov 1992) and Stronge; with Newton's hypothesis it can.
//! If the first piece drives the bodies together, W_nn − μ sign(V_t) W_nt < 0, the contact jams: V_n falls until the
//! slip stops. That makes a purely sliding contact (V_n = 0) collide when μ exceeds the Painlevé threshold
//! W_nn/(sign(V_t) W_nt), the tangential impact of Wang & Mason, 3.4.1. After the slip has stopped V_n always grows:
//! the rates W_nn − W_nt²/W_tt (stick) and W_nn − μ|W_nt| with μ < |η_s| (slip back) are positive by definiteness.
//!
//! Singular W = σ w wᵀ: V stays along w, so slip and approach stop together, and sticking then leaves V unchanged.
//! Newton's and Stronge's endings are never reached; only Poisson's has a limit. In it the approach left when the slip
//! stops and the rate at which sticking removes it vanish alike, as ε of an almost singular W: with w a unit vector,
//! V_n = ε P_s (1 − μ w_n/|w_t|) and the rate is ε/w_t². If μ w_n > |w_t| compression therefore goes on through the finite
//! stretch P_s (μ w_n |w_t| − w_t²) of sticking. Where friction is too small to stick, |w_t| μ < w_n, the slip reverses
//! with a positive rate of V_n, and all three endings are reached.

mod field;
mod planar;
mod record;
mod series;
mod spatial;
mod walk;

pub(crate) use field::outgoing_direction;

use crate::collision::Collision;
use crate::course::{Clock, ContactHistory, Course};
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, RESTITUTION};
use crate::law::{Guarantees, Inapplicable, Law, Promise};
use crate::law::{Method, OneContact};
use crate::outcome::ContactOutcome;
use nalgebra::Vector2;

/// How restitution ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Termination {
    /// Kinetic: the normal impulse of restitution is e times that of compression.
    Poisson,
    /// Kinematic: the normal velocity reaches −e times its first value.
    Newton,
    /// Energetic: the normal force gives back e² of the work it took.
    Stronge,
}

/// Routh's process with one of three endings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Routh {
    /// Coefficient of restitution e, 0 to 1, in the sense of `termination`.
    pub restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
    /// What e means.
    pub termination: Termination,
}

impl Routh {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let law = match self.termination {
            Termination::Poisson => &POISSON,
            Termination::Newton => &NEWTON,
            Termination::Stronge => &STRONGE,
        };
        law.resolve_values(&[self.restitution, self.friction], collision)
    }

    pub(crate) fn follow(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        if collision.velocity().x > 0.0 {
            return Ok(ContactOutcome::none(collision));
        }
        if self.friction == 0.0 {
            // Nothing pushes along the tangents: any plane through the normal will do.
            return self.planar(collision, &collision.section(&Vector2::x()), history);
        }
        match collision.planar_section() {
            Some(section) => self.planar(collision, &section, history),
            None => self.spatial(collision, history),
        }
    }
}

/// The course of a collision that takes no time.
fn course(evaluations: usize) -> Course {
    Course { clock: Clock::NormalImpulse, duration: None, peak_force: None, peak_indentation: None, evaluations }
}

const fn law(
    id: &'static str,
    name: &'static str,
    summary: &'static str,
    equations: &'static str,
    caveats: &'static str,
    energy: Promise,
    method: &'static dyn OneContact,
) -> Law {
    Law {
        id,
        name,
        source: "E. J. Routh, Dynamics of a System of Rigid Bodies, 1860; J. B. Keller, Impact with friction, J. Appl. \
                 Mech. 53, 1986; Y. Wang & M. T. Mason, Two-dimensional rigid-body collisions with friction, J. Appl. \
                 Mech. 59, 1992",
        summary,
        equations,
        caveats,
        parameters: &[RESTITUTION, FRICTION],
        guarantees: Guarantees { energy, tangential_restitution: Promise::No, ..Guarantees::ALL },
        consistency: None,
        method: Method::OneContact(method),
    }
}

impl OneContact for Termination {
    fn resolve(
        &self,
        collision: &Collision,
        p: &[f64],
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        Routh { restitution: p[0], friction: p[1], termination: *self }.follow(collision, history)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        let ending = match self {
            Termination::Poisson => answered.poisson(p[0]),
            Termination::Newton => answered.newton(p[0]),
            Termination::Stronge => answered.stronge(p[0]),
        };
        Some(ending.max(answered.cone(p[1])))
    }

    fn clock(&self) -> Option<Clock> {
        Some(Clock::NormalImpulse)
    }
}

macro_rules! equations {
    ($end:literal) => {
        concat!(
            "dV/dP_n = W (1, η), η = dP_t/dP_n\n",
            "η = −μ V_t/|V_t| while slipping\n",
            "η = η_s = −W_tt⁻¹ W_tn after the slip stopped, if |η_s| ≤ μ: sticking\n",
            "η = −μ u after the slip stopped, otherwise: slipping on along u with W_tn − μ W_tt u = g u, g > 0\n",
            "compression ends where V_n = 0, at P_n = P_c\n",
            $end
        )
    };
}

pub(super) const POISSON: Law = law(
    "routh-poisson",
    "Routh's process with Poisson's hypothesis",
    "Follows the impulse with Coulomb friction; restitution gives e times the normal impulse of compression.",
    equations!("the collision ends at P_n = (1 + e) P_c"),
    "The slip of a sphere never reverses; the kinematic restitution is an outcome and differs from e in general.",
    Promise::Yes,
    &Termination::Poisson,
);

pub(super) const NEWTON: Law = law(
    "routh-newton",
    "Routh's process with Newton's hypothesis",
    "Follows the impulse with Coulomb friction until the normal velocity is −e times its first value.",
    equations!("the collision ends at V_n = −e V_n before"),
    "Can create energy when the slip stops or reverses; cannot tell elastic from plastic when V_n = 0.",
    Promise::No,
    &Termination::Newton,
);

pub(super) const STRONGE: Law = law(
    "routh-stronge",
    "Routh's process with Stronge's hypothesis",
    "Follows the impulse with Coulomb friction until the normal force has given back e² of the work it took.",
    equations!("the collision ends where ∫V_n dP_n in restitution = −e² ∫V_n dP_n in compression"),
    "The slip of a sphere never reverses.",
    Promise::Yes,
    &Termination::Stronge,
);

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::outcome::Mode;
    use crate::random::Random;
    use nalgebra::{Matrix3, Rotation3, Vector3};

    const ENDINGS: [Termination; 3] = [Termination::Poisson, Termination::Newton, Termination::Stronge];

    /// A planar collision in a plane of any direction: head-on, purely sliding, grazing, steep or neither.
    fn planar_collision(random: &mut Random, kind: usize) -> Collision {
        let about = Rotation3::from_axis_angle(&Vector3::x_axis(), random.between(0.0, 6.3));
        let turn = about * Rotation3::from_axis_angle(&Vector3::z_axis(), random.between(0.0, 6.3));
        let eigenvalues = Vector3::from_fn(|_, _| random.log_between(0.01, 1.0));
        let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
        let (normal, slip) = match kind % 8 {
            0 => (1.0, 0.0),
            1 => (0.0, 1.0),
            2 => (random.log_between(1e-9, 1.0), 1.0),
            3 => (1.0, random.log_between(1e-9, 1.0)),
            _ => (random.unit(), random.between(-1.0, 1.0)),
        };
        Collision::new(&((w + w.transpose()) * 0.5), &(about * Vector3::new(-normal, slip, 0.0))).unwrap()
    }

    #[test]
    fn the_spatial_process_in_a_plane_is_the_closed_form() {
        let mut random = Random(5);
        let mut modes = std::collections::BTreeSet::new();
        let (mut jams, mut impacts) = (0, 0);
        for case in 0..10_000 {
            let collision = planar_collision(&mut random, case);
            let section = collision.planar_section().unwrap();
            let (friction, restitution) = (random.log_between(0.01, 10.0), random.unit());
            for termination in ENDINGS {
                let law = Routh { restitution, friction, termination };
                let plane = law.planar(&collision, &section, None).unwrap();
                let space = law.spatial(&collision, None).unwrap();
                let context = || format!("case {case} {termination:?}\n{plane:?}\n{space:?}");
                let rounding = 1e-12 * plane.impulse.norm();
                assert!((plane.impulse - space.impulse).norm() <= rounding, "{}", context());
                assert_eq!(plane.mode, space.mode, "{}", context());
                if let (Some(a), Some(b)) = (plane.compression, space.compression) {
                    assert!((a.impulse - b.impulse).norm() <= rounding, "{}", context());
                    let (a, b) = (a.works.unwrap(), b.works.unwrap());
                    let rounding = rounding * collision.velocity().norm();
                    assert!((a.compression - b.compression).abs() <= rounding, "{}", context());
                    assert!((a.restitution - b.restitution).abs() <= rounding, "{}", context());
                }
                modes.insert(plane.mode.name());
                let w = section.inverse_mass;
                let falls = w[(0, 0)] < friction * section.velocity.y.signum() * w[(0, 1)];
                jams += usize::from(falls && section.velocity.y != 0.0);
                impacts += usize::from(plane.impulse.x > 0.0 && section.velocity.x == 0.0);
            }
        }
        let expected = ["c-reversed-sliding", "c-sticking", "r-reversed-sliding", "r-sticking", "sliding", "touching"];
        assert!(modes.iter().copied().eq(expected), "{modes:?}");
        assert!(jams > 1_000 && impacts > 100, "{jams} {impacts}");
    }

    #[test]
    fn without_friction_the_slip_is_left_alone() {
        // A slip along t2 once was lost when nothing couples t1 to the normal.
        let w = Matrix3::from_diagonal(&Vector3::new(1.0, 3.0, 2.0));
        let collision = Collision::new(&w, &Vector3::new(-1.0, 0.0, 0.5)).unwrap();
        for termination in ENDINGS {
            let outcome = Routh { restitution: 0.5, friction: 0.0, termination }.resolve(&collision).unwrap();
            assert_eq!(outcome.velocity_after, Vector3::new(0.5, 0.0, 0.5));
            assert_eq!(outcome.mode, Mode::Frictionless);
        }
    }
}
