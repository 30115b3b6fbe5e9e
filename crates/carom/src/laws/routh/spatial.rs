//! Routh's process in space: the slip turns while it slows down.
//!
//! Keller 1986; Chatterjee 1997, 5.2.4. With a = W_tn, T = W_tt and u the direction of the slip,
//!
//! ```text
//! dV_t/dP_n = a − μ T u,   dV_n/dP_n = W_nn − μ a·u,   dP_t/dP_n = −μ u
//! ```
//!
//! is singular where the slip s = |V_t| vanishes. In the time τ with dP_n = s dτ it is not, V_t' = a s − μ T V_t, and the
//! slip and its direction go each by an equation of its own:
//!
//! ```text
//! s' = g s,   u' = f u⊥,   g = u·(a − μ T u),   f = u⊥·(a − μ T u)
//! ```
//!
//! f is a trigonometric polynomial of degree two, and u turns monotonically towards one of its zeros, an invariant direction
//! u*. Where g(u*) < 0 the slip stops after a finite impulse, which u* reaches exponentially in τ: once the remaining turn
//! cannot change the impulse any more, the rest is the straight piece s/(−g). After the stop the contact sticks if
//! |T⁻¹ a| ≤ μ, with dV_n/dP_n = W_nn − a·T⁻¹a > 0; otherwise it leaves along the outgoing invariant direction, f = 0 and
//! g > 0, in which dV_n/dP_n > μ g > 0. Both are straight, so the only smooth stretch is the first.
//!
//! That stretch is a chain of power series in τ, `series.rs`, each used as far as it is exact to rounding: eight of order
//! 24 on average. Ends of compression and restitution are roots of polynomials. V_n may turn only where u·a = W_nn/μ; a
//! series across such a place is searched for short visits of V_n beyond zero, so that no end is missed.
//!
//! In the plane V_n grows from the end of compression on. In space the turning slip may drive the bodies together again
//! before restitution is over; they then compress further. Poisson's impulse of restitution counts from the last end of
//! compression; Stronge's works are those of all compression and of all restitution.
//!
//! Singular W: as in the plane, slip and approach stop together, and compression goes on for the finite stretch
//! −(N P_stop)_n of sticking, N the projector onto the immovable direction, if that is positive.

use super::field::Field;
use super::record::Record;
use super::walk::{Goal, Reached, Walk};
use super::{Routh, Termination, course};
use crate::collision::Collision;
use crate::course::ContactHistory;
use crate::law::Inapplicable;
use crate::outcome::{Compression, ContactNote, ContactOutcome, Mode, Works};
use nalgebra::{Vector2, Vector3};

impl Routh {
    /// The outcome of a collision that leaves every plane.
    pub(super) fn spatial(
        &self,
        collision: &Collision,
        history: Option<&mut ContactHistory>,
    ) -> Result<ContactOutcome, Inapplicable> {
        let field = Field::of(collision, self.friction);
        let tangential = collision.velocity().x == 0.0;
        let direction = collision.velocity().yz().try_normalize(0.0).unwrap_or_else(Vector2::zeros);
        let threshold = field.jamming_threshold(&direction);
        if tangential && field.normal_rate(&direction) >= 0.0 {
            return Ok(ContactOutcome::none(collision).with_note(ContactNote::NoTangentialImpact { threshold }));
        }
        let mut walk = Walk::start(&field, Record::new(collision, history));
        let e = self.restitution;
        // The work of the normal force in compression and in restitution.
        let (mut taken, mut given) = (0.0, 0.0);
        let compressed = loop {
            walk.reach(Goal::Compression)?;
            taken += walk.take_work_down();
            let compressed = walk.impulse();
            let goal = match self.termination {
                _ if e == 0.0 => break compressed,
                Termination::Poisson => Goal::Impulse((1.0 + e) * compressed.x),
                Termination::Newton => Goal::Velocity(-e * collision.velocity().x),
                Termination::Stronge => Goal::Work(-e * e * taken - given),
            };
            let reached = walk.reach(goal)?;
            given += walk.take_work_down();
            if reached == Reached::Goal {
                break compressed;
            }
        };

        let impulse = walk.impulse();
        let mut outcome = ContactOutcome::jump(collision, impulse, self.friction);
        let in_compression = walk.stopped_at.is_some_and(|at| at <= compressed.x);
        let started_at_rest = collision.velocity().yz() == Vector2::zeros();
        outcome.mode = match (self.friction == 0.0, walk.stopped_at.is_some(), walk.sticks(), in_compression) {
            (true, ..) => Mode::Frictionless,
            (_, true, true, true) => Mode::CSticking,
            (_, true, true, false) => Mode::RSticking,
            (_, true, false, true) if !started_at_rest => Mode::CReversedSliding,
            (_, true, false, false) if !started_at_rest => Mode::RReversedSliding,
            // In space the slip may turn round without ever stopping.
            _ if outcome.velocity_after.yz().dot(&collision.velocity().yz()) < 0.0 => Mode::ReversedSliding,
            _ => Mode::Sliding,
        };
        if walk.sticks() {
            outcome.velocity_after = Vector3::new(outcome.velocity_after.x, 0.0, 0.0);
        }
        outcome.course = Some(course(walk.evaluations));
        outcome.path = walk.path;
        outcome.path.finish(impulse);
        outcome.compression =
            Some(Compression { impulse: compressed, works: Some(Works::of(collision, &impulse, taken, given)) });
        if tangential {
            outcome.notes.push(ContactNote::TangentialImpact { threshold });
        }
        Ok(outcome)
    }
}
