//! Whether an answer satisfies the equations of the law that gave it.
//!
//! A law states how far an answer is from its equations as a velocity, m/s, worked out from W, V and P rather than from the
//! steps that led to P: V_n after = −e V_n, Coulomb's conditions, ratios of impulses or works. An impulse is turned into the
//! velocity that it gives, by W_nn. Besides, every answer must be finite, V after must be V + W P, and what the law promises
//! without condition must hold: the promises follow from the equations. An answer that is off by more than [`HOLDS`] of the
//! velocities before is refused: it is not the law's, but what rounding left of it.

use super::method::Method;
use super::{BoundLaw, Inapplicable, Law, Promise};
use crate::audit::Stakes;
use crate::collision::Collision;
use crate::impact::Impact;
use crate::outcome::{ContactOutcome, Note, Solution};
use nalgebra::Vector3;

/// Answers satisfy their law to this fraction of the velocities before. Laws in closed form reach 1e-9 for any W whose
/// eigenvalues are less than six powers of ten apart, laws that iterate or integrate about as much; answers that are wrong
/// miss it by orders of magnitude.
const HOLDS: f64 = 1e-6;

/// What is less than this fraction of the velocities before is within the tolerance of the audit for several contacts.
const AUDITED: f64 = 1e-8;

/// One contact, what a law says about it, and V + W P.
pub struct Answered<'a> {
    /// The contact.
    pub collision: &'a Collision,
    /// The answer.
    pub outcome: &'a ContactOutcome,
    /// V + W P, contact frame, m/s.
    pub after: Vector3<f64>,
}

impl Answered<'_> {
    /// V_n after = −e V_n.
    pub(crate) fn newton(&self, restitution: f64) -> f64 {
        (self.after.x + restitution * self.collision.velocity().x).abs()
    }

    /// V_n = 0 at the end of compression, and P_n = (1 + e) P_c.
    pub(crate) fn poisson(&self, restitution: f64) -> f64 {
        let Some(compression) = self.outcome.compression else { return 0.0 };
        let stopped = self.collision.velocity_after(&compression.impulse).x.abs();
        stopped.max(self.velocity_of(self.outcome.impulse.x - (1.0 + restitution) * compression.impulse.x))
    }

    /// V_n = 0 at the end of compression, and the work of restitution is −e² that of compression.
    pub(crate) fn stronge(&self, restitution: f64) -> f64 {
        let Some(compression) = self.outcome.compression else { return 0.0 };
        let stopped = self.collision.velocity_after(&compression.impulse).x.abs();
        let missing =
            compression.works.map_or(0.0, |works| works.restitution + restitution.powi(2) * works.compression);
        stopped.max(self.velocity_of(missing / self.collision.velocity().norm()))
    }

    /// |P_t| ≤ μ P_n.
    pub(crate) fn cone(&self, friction: f64) -> f64 {
        outside(&self.outcome.impulse, friction, self.collision.inverse_mass()[(0, 0)])
    }

    /// |P_t| = μ P_n.
    pub(crate) fn at_the_limit(&self, friction: f64) -> f64 {
        let p = &self.outcome.impulse;
        self.velocity_of((p.yz().norm() - friction * p.x) / (1.0 + friction))
    }

    /// Coulomb friction on the velocity after.
    pub(crate) fn coulomb(&self, friction: &Friction) -> f64 {
        friction.missed(&self.outcome.impulse, &self.after, self.collision.inverse_mass()[(0, 0)])
    }

    /// An impulse that is missing from friction of one direction, as a velocity: the one that it gives, or the turn of the
    /// slip that explains it, whichever is less.
    pub(crate) fn turn_of(&self, missing: f64) -> f64 {
        let slip = self.collision.velocity().yz().norm() + self.after.yz().norm();
        let tangential = self.outcome.impulse.yz().norm();
        let turned = if tangential > 0.0 { slip * missing / tangential } else { f64::INFINITY };
        self.velocity_of(missing).min(turned)
    }

    /// The velocity that an impulse along the normal gives.
    pub(crate) fn velocity_of(&self, impulse: f64) -> f64 {
        self.collision.inverse_mass()[(0, 0)] * impulse.abs()
    }
}

/// How far an impulse lies outside the friction cone, as a velocity; `response` is W_nn.
fn outside(p: &Vector3<f64>, friction: f64, response: f64) -> f64 {
    let tangential = p.yz().norm();
    let excess = if friction.is_finite() { (tangential - friction * p.x) / (1.0 + friction) } else { -p.x };
    response * excess.max(-p.x).max(0.0)
}

/// Coefficients of friction while sticking and slipping.
pub(crate) struct Friction {
    pub(crate) sticking: f64,
    pub(crate) slipping: f64,
}

impl Friction {
    /// V_t after = 0 within the cone, or friction at its limit against V_t after, as a velocity; `response` is W_nn.
    pub(crate) fn missed(&self, p: &Vector3<f64>, after: &Vector3<f64>, response: f64) -> f64 {
        let stick = after.yz().norm().max(outside(p, self.sticking, response));
        if stick == 0.0 {
            return 0.0;
        }
        // The natural map: friction is the point of the disk of radius μ P_n nearest to P_t − V_t after/W_nn. The turn of P_t counts by the
        // impulse that it misplaces: one that is rounding has no direction.
        let (own, most) = (p.yz() * response, (self.slipping * p.x).max(0.0) * response);
        let aimed = own - after.yz();
        let (size, length) = (own.norm(), aimed.norm());
        let nearest = if length > most { aimed * (most / length) } else { aimed };
        let limit = (size - most).abs() / (1.0 + self.slipping);
        let turned = if size > 0.0 { (own * (most / size) - nearest).norm() } else { 0.0 };
        stick.min(limit.max(turned))
    }
}

impl Law {
    /// The place of the coefficient of friction among the parameters; of the larger where there are two.
    pub(crate) fn friction_place(&self) -> Option<usize> {
        let of = |key: &str| self.parameters.iter().position(|parameter| parameter.key == key);
        of("static_friction").or(of("friction"))
    }

    /// Its value; zero for a law without friction.
    pub(super) fn friction(&self, values: &[f64]) -> f64 {
        self.friction_place().and_then(|place| values.get(place).copied()).unwrap_or(0.0)
    }
}

/// Refuses an outcome that does not satisfy the law.
pub(super) fn verify(
    law: &Law,
    values: &[f64],
    collision: &Collision,
    outcome: &ContactOutcome,
) -> Result<(), Inapplicable> {
    let (v, w) = (collision.velocity(), collision.inverse_mass());
    let moving = collision.movable_part(&outcome.impulse);
    let change = w * moving;
    let answered = Answered { collision, outcome, after: v + change };
    let speed = v.norm();
    if v.x > 0.0 {
        return accept(answered.velocity_of(outcome.impulse.norm()), speed);
    }
    let claimed = (answered.after - outcome.velocity_after).abs().sum();
    let own = match law.method {
        Method::OneContact(method) => method.residual(&answered, values),
        Method::SeveralContacts(method) => method.residual_of_one(&answered, values),
    };
    let own = match own {
        Some(own) => own,
        None if law.guarantees.friction == Promise::Yes => answered.cone(law.friction(values)),
        None => 0.0,
    };
    // Impulses so large that V + W P is the rounding of its terms.
    let terms = v.abs() + w.abs() * outcome.impulse.abs();
    let mut missed = own.max(claimed).max(f64::EPSILON * terms.max());
    // Comparisons with NaN are false; `max` would lose it.
    if !(own + claimed).is_finite() {
        missed = f64::INFINITY;
    }
    if law.guarantees.penetration == Promise::Yes {
        missed = missed.max(-answered.after.x);
    }
    if law.guarantees.energy == Promise::Yes {
        let gain = 0.5 * moving.dot(&(v * 2.0 + change));
        // E ≥ ½ V²/trace W is cheap; M is only needed where that is too small.
        if gain > 0.0 && gain * w.trace() > HOLDS * 0.5 * speed * speed {
            missed = missed.max(speed * created(gain, &Stakes::of_collision(collision, law.friction(values))));
        }
    }
    accept(missed, speed)
}

/// Refuses a solution that no law can have: sizes other than that of the island, contacts that are not there, numbers that are not finite.
/// Velocities after that are not V + W P are left to the audit: rules that are published so (`rodriguez-bowling`) give such.
pub(super) fn check_solution(island: &Impact, solution: &Solution) -> Result<(), Inapplicable> {
    let Solution { impulses, velocities_after, .. } = solution;
    let invalid = |fault: &'static str| Err(Inapplicable::InvalidSolution { fault });
    if impulses.len() != island.contacts() {
        return invalid("another number of impulses than there are contacts");
    }
    if velocities_after.len() != island.contacts() {
        return invalid("another number of velocities after the impact than there are contacts");
    }
    let are_finite = |vectors: &[Vector3<f64>]| vectors.iter().flatten().all(|number| number.is_finite());
    if !are_finite(impulses) {
        return Err(Inapplicable::NotFinite);
    }
    if !are_finite(velocities_after) {
        return invalid("velocities after the impact that are not finite");
    }
    let is_there = |contact: usize| contact < island.contacts();
    let notes = solution.notes.iter().all(|note| match note {
        Note::Sequence { order, .. } => order.iter().all(|contact| is_there(*contact)),
        _ => true,
    });
    let events = solution.events.iter().all(|event| {
        let rests = event.rests.iter().map(|rest| rest.contact);
        event.contacts.iter().chain(&event.left_out).copied().chain(rests).all(is_there)
    });
    if !(notes && events) {
        return invalid("notes or events about contacts that are not there");
    }
    Ok(())
}

/// Refuses an outcome for an island of contacts that does not satisfy the law.
pub(super) fn verify_several(bound: &BoundLaw, impact: &Impact, outcome: &Solution) -> Result<(), Inapplicable> {
    let speed = impact.velocity().iter().map(Vector3::norm).fold(0.0, f64::max);
    let Missed { equations, seen } = missed_by_several(bound, impact, outcome, speed);
    accept(equations, speed)?;
    // More than the audit allows, whose tolerances cost a decomposition.
    if impact.contacts() > 1 && seen > AUDITED * speed {
        let most =
            (0..impact.contacts()).map(|k| impact.inverse_mass().block(k, k).diagonal().max()).fold(0.0, f64::max);
        let stakes = Stakes::of_impact(impact, 0.0);
        if seen > stakes.precision() * stakes.speed(most).max(speed) {
            return Err(Inapplicable::FailsEquations { residual: seen / speed });
        }
    }
    Ok(())
}

/// How far an answer for an island is from what it must be, m/s.
struct Missed {
    /// From the law's equations and promises.
    equations: f64,
    /// Of that what the audit sees: the rounding of V + W P, if every entry of W is rounded once, by which bodies move otherwise than the
    /// contacts, and contacts that still approach though the law promises that they do not.
    seen: f64,
}

fn missed_by_several(bound: &BoundLaw, impact: &Impact, outcome: &Solution, speed: f64) -> Missed {
    let (w, v, p) = (impact.inverse_mass(), impact.velocity(), &outcome.impulses);
    let (mut missed, promised) = match bound.law().method {
        Method::SeveralContacts(method) => {
            (method.residual(impact, bound, outcome).unwrap_or(0.0), method.promised(impact, bound))
        }
        Method::OneContact(_) => (0.0, bound.law().guarantees.always()),
    };
    let (mut seen, mut gain, mut at_stake) = (0.0_f64, 0.0, 0.0_f64);
    for k in 0..impact.contacts() {
        let (mut after, mut size) = (v[k], v[k].abs());
        for (other, block) in w.row(k) {
            after += block * p[other];
            size += block.abs() * p[other].abs();
        }
        if !size.sum().is_finite() || missed.is_nan() {
            return Missed { equations: f64::INFINITY, seen };
        }
        let response = w.block(k, k)[(0, 0)];
        // Impulses so large that V + W P is the rounding of its terms.
        seen = seen.max(f64::EPSILON * size.max());
        if promised.penetration {
            seen = seen.max(-after.x);
        }
        if promised.friction {
            missed = missed.max(outside(&p[k], bound.friction(k), response));
        }
        gain += 0.5 * p[k].dot(&(v[k] + after));
        // The energy that this contact alone could take away.
        at_stake = at_stake.max(0.5 * v[k].x.powi(2) / response);
    }
    if promised.energy && gain > HOLDS * at_stake && impact.contacts() <= Stakes::SMALL {
        missed = missed.max(speed * created(gain, &Stakes::of_impact(impact, at_stake)));
    }
    Missed { equations: missed.max(seen), seen }
}

/// A gain of energy relative to the energy at stake, unless rounding of W explains it.
fn created(gain: f64, stakes: &Stakes) -> f64 {
    if gain > stakes.energy_tolerance() { gain / stakes.energy } else { 0.0 }
}

fn accept(missed: f64, speed: f64) -> Result<(), Inapplicable> {
    if missed <= HOLDS * speed { Ok(()) } else { Err(Inapplicable::FailsEquations { residual: missed / speed }) }
}
