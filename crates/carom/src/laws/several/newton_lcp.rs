//! `newton-lcp`: Moreau's impact law: Newton's restitution at every contact, complementary to its impulse, with Coulomb friction
//! on the velocity after.
//!
//! J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988; Chatterjee 1997, 5.1.5 for the planar
//! form as a linear complementarity problem.
//!
//! ```text
//! P_n ≥ 0,   V_n after ≥ e a,   P_n (V_n after − e a) = 0,   a = max(0, −V_n)
//! V_t after = 0 and |P_t| ≤ μ P_n,   or   P_t = −μ P_n V_t after/|V_t after|
//! ```
//!
//! at every contact. Moreau writes V_n after ≥ −e V_n for every contact that is closed, which lets a contact that separates before
//! the impact approach after it, V_n after = −e V_n < 0. Here the speed of approach a is zero at such a contact: it must not
//! penetrate, and carries an impulse only if it comes to rest. Both forms agree wherever no contact separates before.
//!
//! One contact is Whittaker's law, which is solved in closed form. In the plane the conditions are a linear complementarity
//! problem: with P_t = β₊ − β₋ and σ the slip speed,
//!
//! ```text
//! V_n after − e a ≥ 0 ⟂ P_n ≥ 0,   ±V_t after + σ ≥ 0 ⟂ β± ≥ 0,   μ P_n − β₊ − β₋ ≥ 0 ⟂ σ ≥ 0
//! ```
//!
//! (Stewart & Trinkle 1996). In space the cones are exact. Without restitution there is always a solution. With it there need not be
//! one: a disk that touches both walls of a slot cannot rebound from either, and friction can hold bodies between contacts where
//! restitution throws them back. The law then has no answer, and says which contacts wedge.
//!
//! The law can create energy where coefficients differ, where contacts separate before the impact, or where friction couples to the
//! normal, as Whittaker's does. Of a chain at rest that is hit at one end by e = 1 every ball but the first leaves with the same
//! speed: a contact that separates carries no impulse.

use super::note_of_shortest;
use crate::collision::Collision;
use crate::course::IslandHistory;
use crate::impact::Impact;
use crate::law::Wedge;
use crate::law::check::{Answered, Friction as Coulomb};
use crate::law::parameter::{FRICTION, RESTITUTION};
use crate::law::{BoundLaw, Guarantees, Inapplicable, Law, Method, Promise, Promised, SeveralContacts};
use crate::laws::Whittaker;
use crate::outcome::Outcome;
use crate::outcome::{Effort, Solution};
use crate::solve::friction::{Decision, Disk, Found, Friction, Measure};
use crate::solve::shortest::shortest;
use crate::solve::sparse::Sparse;
use crate::solve::unknowns::Unknowns;
use crate::solve::{LARGE, Status};
use nalgebra::{DVector, Vector3};

/// Moreau's law with Newton's restitution.
#[derive(Clone, Debug, PartialEq)]
pub struct NewtonLcp {
    /// Coefficient of normal restitution e of each contact, 0 to 1.
    pub restitution: Vec<f64>,
    /// Coefficient of friction μ ≥ 0 of each contact.
    pub friction: Vec<f64>,
}

impl NewtonLcp {
    /// The outcome by the law's [equations](crate::laws::Law::equations).
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        BoundLaw::typed(&LAW, impact.contacts(), &[&self.restitution, &self.friction])?.resolve(impact)
    }

    fn solve(&self, impact: &Impact) -> Result<Solution, Inapplicable> {
        if impact.contacts() == 1
            && let collision = impact.collision(0).map_err(|_| Inapplicable::NoSolution)?
            && let Some(impulse) = single(&collision, self.restitution[0], self.friction[0])?
        {
            return Ok(Solution::of(impact, vec![impulse], Effort { iterations: 1, residual: 0.0 }));
        }
        if impact.contacts() > LARGE && self.friction.iter().all(|mu| *mu == 0.0) {
            return self.frictionless(impact);
        }
        let unknowns = Unknowns::new(impact, &self.friction);
        let (problem, found) = coulomb(&unknowns, &self.restitution)?;
        let mut dual = unknowns.velocity_after(&found.x);
        for (cone, e) in unknowns.cones.iter().zip(&self.restitution) {
            let slip = cone.of(dual.as_slice());
            dual[cone.start] += e * unknowns.v[cone.start].min(0.0) + cone.friction * slip[1].hypot(slip[2]);
        }
        let least = shortest(&unknowns.w, &unknowns.cones, &found.x, &dual);
        let found = match &least {
            Some(least) => problem.refined_or(&least.x, found),
            None => found,
        };
        let effort = Effort { iterations: found.iterations, residual: found.residual };
        let outcome = Solution::of(impact, unknowns.admissible(&found.x), effort);
        Ok(match least {
            None => outcome,
            Some(least) => outcome.with_note(note_of_shortest(&least)),
        })
    }

    /// Many contacts without friction.
    fn frictionless(&self, impact: &Impact) -> Result<Solution, Inapplicable> {
        let normal = impact.velocity().iter().map(|v| v.x);
        let q: Vec<f64> = normal.zip(&self.restitution).map(|(v, e)| v + e * v.min(0.0)).collect();
        let found = Sparse::normals(impact.inverse_mass()).solve(&q, speed(&q));
        if found.status != Status::Solved {
            return Err(Inapplicable::Unsolved { residual: found.residual });
        }
        let impulses = found.p.iter().map(|p| Vector3::x() * *p).collect();
        Ok(Solution::of(impact, impulses, Effort { iterations: found.iterations, residual: found.residual }))
    }
}

/// One contact by Whittaker's law; `None` where its closed form finds no solution for a regular W, which has one. A
/// singular W that the law refuses has no solution: iterations would run off along an immovable direction.
fn single(collision: &Collision, restitution: f64, friction: f64) -> Result<Option<Vector3<f64>>, Inapplicable> {
    let law = Whittaker { restitution, static_friction: friction, kinetic_friction: friction };
    match law.compute(collision) {
        Ok(outcome) => Ok(Some(outcome.impulse)),
        Err(Inapplicable::NoSolution) if !collision.is_singular() => Ok(None),
        Err(why) => Err(why),
    }
}

/// Newton's restitution with Coulomb friction, and its solution.
pub(super) fn coulomb(unknowns: &Unknowns, restitution: &[f64]) -> Result<(Friction, Found), Inapplicable> {
    let mut q = unknowns.v.clone();
    let mut disks = Vec::with_capacity(restitution.len());
    for (cone, e) in unknowns.cones.iter().zip(restitution) {
        q[cone.start] += e * unknowns.v[cone.start].min(0.0);
        disks.push(Disk::coulomb(cone.start, cone.size, cone.friction));
    }
    let problem = Friction { w: unknowns.w.clone(), q, disks, measure: Measure::Velocity(1.0) };
    let found = decided(problem.decide(DVector::zeros(unknowns.v.len())))?;
    Ok((problem, found))
}

/// The solution of a problem, or why there is none.
pub(super) fn decided(decision: Decision) -> Result<Found, Inapplicable> {
    match decision {
        Decision::Solved(found) => Ok(found),
        Decision::Wedged { contacts, proven } => Err(Inapplicable::Wedged { contacts: Wedge::of(&contacts), proven }),
        Decision::Open(found) => Err(Inapplicable::Unsolved { residual: found.residual }),
    }
}

/// The greatest of some velocities.
pub(super) fn speed(velocities: &[f64]) -> f64 {
    velocities.iter().fold(f64::MIN_POSITIVE, |most, velocity| most.max(velocity.abs()))
}

/// How far an answer for one contact is from the law's equations, m/s.
fn missed_by_one(answered: &Answered, p: &[f64]) -> f64 {
    answered.newton(p[0]).max(answered.coulomb(&Coulomb { sticking: p[1], slipping: p[1] }))
}

/// How far an answer is from the law's equations, m/s.
fn missed(impact: &Impact, bound: &BoundLaw, outcome: &Solution) -> f64 {
    let after = impact.after(&outcome.impulses);
    let each = after.iter().enumerate().map(|(k, after)| {
        let (p, response) = (&outcome.impulses[k], impact.inverse_mass().block(k, k)[(0, 0)]);
        let (restitution, friction) = (bound.at(0, k), bound.at(1, k));
        let rebound = after.x + restitution * impact.velocity()[k].x.min(0.0);
        // The larger of P_n and the excess of V_n may be anything, the smaller must be zero.
        let complementary = rebound.min(response * p.x).abs();
        complementary.max(Coulomb { sticking: friction, slipping: friction }.missed(p, after, response))
    });
    each.fold(0.0, |most, missed| if missed > most || missed.is_nan() { missed } else { most })
}

pub(super) const LAW: Law = Law {
    id: "newton-lcp",
    name: "Moreau's impact law with Newton's restitution",
    source: "J. J. Moreau, Unilateral contact and dry friction in finite freedom dynamics, 1988",
    summary: "Newton's restitution at every contact, complementary to its impulse, with Coulomb friction on the velocity after.",
    equations: "P_n ≥ 0,  V_n after ≥ e a,  P_n (V_n after − e a) = 0,  a = max(0, −V_n)\n\
                V_t after = 0 and |P_t| ≤ μ P_n,  or  P_t = −μ P_n V_t after/|V_t after|",
    caveats: "Can create energy where coefficients of restitution differ, where contacts separate before the impact, or where \
              friction couples to the normal. A contact that separates faster than its restitution carries no impulse, so a cradle's \
              balls stay together. Has no answer where contacts wedge: where no finite impulses give every contact its rebound.",
    parameters: &[RESTITUTION, FRICTION],
    guarantees: Guarantees {
        energy: Promise::If("without friction, with equal restitution, if no contact separates before"),
        tangential_restitution: Promise::No,
        unique: Promise::If("without friction"),
        ..Guarantees::ALL
    },
    consistency: None,
    method: Method::SeveralContacts(&Entry),
};

/// The law by the values of its parameters.
struct Entry;

impl SeveralContacts for Entry {
    fn resolve(
        &self,
        impact: &Impact,
        bound: &BoundLaw,
        _history: Option<&mut IslandHistory>,
    ) -> Result<Solution, Inapplicable> {
        NewtonLcp { restitution: bound.column(0), friction: bound.column(1) }.solve(impact)
    }

    fn residual(&self, impact: &Impact, bound: &BoundLaw, solution: &Solution) -> Option<f64> {
        Some(missed(impact, bound, solution))
    }

    fn promised(&self, impact: &Impact, bound: &BoundLaw) -> Promised {
        let (restitution, friction) = (bound.column(0), bound.column(1));
        let together = impact.velocity().iter().all(|velocity| velocity.x <= 0.0);
        let energy =
            together && friction.iter().all(|mu| *mu == 0.0) && restitution.iter().all(|e| *e == restitution[0]);
        Promised { energy, ..LAW.guarantees.always() }
    }

    fn residual_of_one(&self, answered: &Answered, p: &[f64]) -> Option<f64> {
        Some(missed_by_one(answered, p))
    }

    fn closed_form(&self, collision: &Collision, p: &[f64]) -> Result<Option<Vector3<f64>>, Inapplicable> {
        single(collision, p[0], p[1])
    }
}
