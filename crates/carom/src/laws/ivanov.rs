//! `ivanov`: restitution along the impulse, with a rule for the impulse's direction.
//!
//! Ivanov 1992; Chatterjee 1997, 3.3 and 10.5. Along a direction u with u·V < 0 the energy is least at
//! `p* = −(u·V)/(u·W u)`, where V after is perpendicular to u, and
//!
//! ```text
//! P = (1 + η) p* u,   η = −(u·V after)/(u·V)
//! ```
//!
//! η = 1 is the energy ellipsoid, η = 0 the greatest loss on the ray, η = −1 no collision; energy never rises for
//! |η| ≤ 1. The source gives no rule for u. Offered here, all inside the friction cone and with u·V < 0:
//!
//! - `centre`: towards the ellipsoid's centre −M V (plastic sticking), its ratio |u_t|/u_n cut at μ;
//! - `sliding`: friction at its limit against the slip before, u = (1, μ);
//! - `frictionless`: u = n.
//!
//! A purely sliding contact (V_n = 0) gets no impulse, though the limit V_n → 0⁻ of a fixed direction is none: a body that
//! slides along a surface does not hit it.
//!
//! Non-penetration is not guaranteed: where W couples strongly, η may have to exceed what was asked; the audit tells.

use crate::collision::Collision;
use crate::cone_edge::NEAR_EDGE;
use crate::course::ContactHistory;
use crate::impulse_space::ivanov_impulse;
use crate::law::check::Answered;
use crate::law::parameter::{FRICTION, Fallback, Kind, Parameter, number};
use crate::law::{Guarantees, Inapplicable, Law, Method, OneContact, Promise};
use crate::outcome::ContactOutcome;
use nalgebra::{Vector2, Vector3};

/// Ivanov's law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ivanov {
    /// η, −1 to 1.
    pub ivanov_restitution: f64,
    /// Coefficient of friction μ ≥ 0.
    pub friction: f64,
    /// The rule for the impulse's direction.
    pub direction: Direction,
}

/// Rules for the direction of Ivanov's impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards plastic sticking, cut at the friction cone.
    Centre,
    /// Friction at its limit against the slip before.
    Sliding,
    /// Along the normal.
    Frictionless,
}

impl Ivanov {
    /// The outcome by the law's [equations](super::Law::equations).
    pub fn resolve(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        let direction = RULES.iter().position(|rule| *rule == self.direction).unwrap_or(0);
        LAW.resolve_values(&[self.ivanov_restitution, self.friction, direction as f64], collision)
    }

    pub(crate) fn compute(&self, collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
        if !collision.is_approaching() {
            return Ok(ContactOutcome::none(collision));
        }
        let direction = match self.direction {
            Direction::Centre => self.towards_centre(collision),
            Direction::Sliding => {
                let slip = collision.velocity().yz().try_normalize(0.0).unwrap_or_else(Vector2::zeros);
                Vector3::new(1.0, -self.friction * slip.x, -self.friction * slip.y)
            }
            Direction::Frictionless => Vector3::x(),
        };
        if collision.movable_part(&direction).norm() <= NEAR_EDGE * direction.norm() {
            return Err(Inapplicable::UnboundedImpulse);
        }
        let impulse =
            ivanov_impulse(collision, &direction, self.ivanov_restitution).ok_or(Inapplicable::UnboundedImpulse)?;
        Ok(ContactOutcome::jump(collision, impulse, self.friction))
    }

    fn towards_centre(&self, collision: &Collision) -> Vector3<f64> {
        let centre = -collision.mass_times(collision.velocity());
        let tangential = centre.yz().norm();
        if tangential <= self.friction * centre.x {
            return centre;
        }
        let along = centre.yz() * (self.friction / tangential);
        Vector3::new(1.0, along.x, along.y)
    }
}

const RULES: [Direction; 3] = [Direction::Centre, Direction::Sliding, Direction::Frictionless];

const IVANOV_RESTITUTION: Parameter =
    number("ivanov_restitution", "η", "restitution along the impulse", (-1.0, 1.0), Fallback::SameAs("restitution"));
const DIRECTION: Parameter = Parameter {
    key: "direction",
    symbol: "u",
    meaning: "rule for the direction of the impulse",
    kind: Kind::Choice(&["centre", "sliding", "frictionless"]),
    fallback: Fallback::Value(0.0),
    leaves_plane: false,
};

/// How far an answer is from the law's equations, m/s: u·V after = −η u·V.
fn missed(answered: &Answered, p: &[f64]) -> f64 {
    let along = answered.outcome.impulse.try_normalize(0.0).unwrap_or_else(Vector3::zeros);
    let restitution = along.dot(&answered.after) + p[0] * along.dot(answered.collision.velocity());
    restitution.abs().max(answered.cone(p[1]))
}

pub(super) const LAW: Law = Law {
    id: "ivanov",
    name: "Ivanov's law",
    source: "A. P. Ivanov, Energetics of a collision with friction, J. Appl. Math. Mech. 56, 1992; A. Chatterjee, Rigid \
             Body Collisions, Cornell 1997, 3.3 and 10.5",
    summary: "Kinematic restitution along the impulse, whose direction a rule gives.",
    equations: "p* = −(u·V)/(u·W u)\nP = (1 + η) p* u",
    caveats: "The bodies may still approach afterwards: η has no fixed relation to non-penetration.",
    parameters: &[IVANOV_RESTITUTION, FRICTION, DIRECTION],
    guarantees: Guarantees { penetration: Promise::No, ..Guarantees::ALL },
    consistency: None,
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
        let direction = RULES.get(p[2] as usize).copied().unwrap_or(Direction::Centre);
        Ivanov { ivanov_restitution: p[0], friction: p[1], direction }.compute(collision)
    }

    fn residual(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(missed(answered, p))
    }
}
