//! `rakshit-chatterjee`: least energy within the friction cones under one scalar restitution inequality.
//!
//! S. Rakshit & A. Chatterjee, Scalar generalization of Newtonian restitution for simultaneous impact, 2015. The published text
//! that is at hand ends before the weights of the inequality are given; those used here are a reconstruction, and agree with all
//! that is said about them. With W_nn,j the normal entry of contact j,
//!
//! ```text
//! minimise   ½ P·W P + V·P                                   (the change of kinetic energy)
//! where      |P_t,j| ≤ μ_j P_n,j                             at every contact
//!            V_n,j after ≥ 0                                 at every contact
//!            Σ_j (V_n,j after + e_j V_n,j)/W_nn,j ≥ 0
//! ```
//!
//! with the sum over the contacts with V_n ≤ 0. A contact that separates before carries nothing if the impulses of the others leave
//! V_n ≥ 0 there; else it must not penetrate and takes part with its cone, but restitution asks nothing of it. If all contacts that take
//! part have V_n ≤ 0, energy never rises: (1 + max e) times the frictionless inelastic impulse is admissible and loses energy. Where a
//! contact that separates is closed by the others that impulse need not be admissible: energy can rise, and where rebounds exclude
//! each other, as between the walls of a slot, the program is empty. Velocities after are unique; impulses need not be, and the
//! shortest are given. Contacts that slip with V_n = 0, none of them approaching, are no impact: the least energy would be that of
//! friction without a normal velocity to stop, and P = 0 is given.
//!
//! As the inequality is a lower bound, friction can make the least energy rebound by more than the coefficients ask, without bound
//! towards grazing. The capped variant forbids that,
//!
//! ```text
//! Σ_j (V_n,j after + e_j V_n,j)/W_nn,j ≤ max(0, Σ_j (V_c,j + e_j V_n,j)/W_nn,j)
//! ```
//!
//! with V_c the velocity after the frictionless inelastic impulse: one contact is then Newton's, and the bound on energy holds as
//! before. The friction cone is exact, or a pyramid of facets around it.

mod program;
mod rays;
mod single;

use crate::course::IslandHistory;
use crate::impact::Impact;
use crate::law::parameter::{FRICTION, Fallback, Kind, Parameter, RESTITUTION, number};
use crate::law::{BoundLaw, Guarantees, Inapplicable, Law, Method, Promise, Promised, SeveralContacts};
use crate::outcome::Outcome;
use crate::outcome::{Effort, Note, Solution};
use nalgebra::Vector3;
use program::Program;
use single::Single;

/// Rakshit and Chatterjee's law.
#[derive(Clone, Debug, PartialEq)]
pub struct RakshitChatterjee {
    /// Coefficient of normal restitution e of each contact, 0 to 1.
    pub restitution: Vec<f64>,
    /// Coefficient of friction μ ≥ 0 of each contact.
    pub friction: Vec<f64>,
    /// The set the impulses are in.
    pub cone: FrictionCone,
    /// Whether the rebound is bounded from above, too.
    pub capped: bool,
}

/// The shape of the friction cones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrictionCone {
    /// Coulomb's.
    Exact,
    /// A pyramid around it with so many facets in space, the first across t1; in the plane there are two, and it is exact.
    Pyramid(usize),
}

/// A rebound that exceeds what is asked by less than this is rounding.
const EXCESS: f64 = 1e-9;
/// Where the edge of the friction cone moves nothing, the least energy may be approached by ever larger impulses along it only. The
/// search for the angle then ends anywhere near it: with a part that moves of less than this fraction.
const TOWARDS_EDGE: f64 = 1e-2;
/// A contact that separates before is closed by the others if it approaches after, by more than this fraction of the velocities.
const CLOSES: f64 = 1e-12;

impl RakshitChatterjee {
    /// The outcome by the law's [equations](crate::laws::Law::equations).
    pub fn resolve(&self, impact: &Impact) -> Result<Outcome, Inapplicable> {
        let n = impact.contacts();
        let (cone, facets) = match self.cone {
            FrictionCone::Exact => (0.0, 8.0),
            FrictionCone::Pyramid(facets) => (1.0, facets as f64),
        };
        let [cone, facets, capped] = [cone, facets, f64::from(u8::from(self.capped))].map(|value| vec![value; n]);
        BoundLaw::typed(&LAW, n, &[&self.restitution, &self.friction, &cone, &facets, &capped])?.resolve(impact)
    }

    fn solve(&self, impact: &Impact) -> Result<Solution, Inapplicable> {
        if let (1, FrictionCone::Exact) = (impact.contacts(), self.cone)
            && let Some(outcome) = self.single(impact)?
        {
            return Ok(outcome);
        }
        if impact.velocity().iter().any(|velocity| velocity.x > 0.0) {
            return self.with_separating(impact);
        }
        self.least_energy(impact)
    }

    /// The outcome with every contact taking part.
    fn least_energy(&self, impact: &Impact) -> Result<Solution, Inapplicable> {
        let program = Program::new(self, impact)?;
        let (program::Solution { x, note, effort }, exact) = match self.cone {
            FrictionCone::Pyramid(facets) if !impact.is_planar() => (program.pyramid(facets)?, false),
            _ => (program.exact()?, true),
        };
        let unknowns = &program.unknowns;
        let impulses = if exact { unknowns.admissible(&x) } else { unknowns.impulses(&x) };
        let mut outcome = Solution::of(impact, impulses, effort);
        let rebound = program.rebound(&x);
        if rebound > EXCESS {
            outcome = outcome.with_note(Note::ReboundExceeds { excess: rebound });
        }
        Ok(match note {
            Some(note) => outcome.with_note(note),
            None => outcome,
        })
    }

    /// The outcome where some contacts separate before. Those that the others close take part.
    fn with_separating(&self, impact: &Impact) -> Result<Solution, Inapplicable> {
        let n = impact.contacts();
        let slowest = -CLOSES * impact.velocity().iter().map(Vector3::amax).fold(0.0, f64::max);
        let mut takes_part: Vec<bool> = impact.velocity().iter().map(|velocity| velocity.x <= 0.0).collect();
        loop {
            let kept: Vec<usize> = (0..n).filter(|k| takes_part[*k]).collect();
            let of_kept = |values: &[f64]| kept.iter().map(|k| values[*k]).collect();
            let (restitution, friction) = (of_kept(&self.restitution), of_kept(&self.friction));
            let law = RakshitChatterjee { restitution, friction, ..*self };
            let part = impact.restricted(&kept);
            let all_approach = part.velocity().iter().all(|velocity| velocity.x <= 0.0);
            let found = if all_approach { law.solve(&part)? } else { law.least_energy(&part)? };
            let mut impulses = vec![Vector3::zeros(); n];
            for (contact, impulse) in kept.iter().zip(&found.impulses) {
                impulses[*contact] = *impulse;
            }
            let outcome = Solution::of(impact, impulses, found.effort);
            let closed = |k: &usize| !takes_part[*k] && outcome.velocities_after[*k].x < slowest;
            let closed: Vec<usize> = (0..n).filter(closed).collect();
            if closed.is_empty() {
                return Ok(found.notes.into_iter().fold(outcome, Solution::with_note));
            }
            for k in closed {
                takes_part[k] = true;
            }
        }
    }

    /// One contact; nothing where the general method is needed.
    fn single(&self, impact: &Impact) -> Result<Option<Solution>, Inapplicable> {
        let collision = impact.collision(0).map_err(|_| Inapplicable::NoSolution)?;
        let (w, v) = (*collision.inverse_mass(), *collision.velocity());
        let (friction, restitution) = (self.friction[0], self.restitution[0]);
        let contact = Single {
            w: &w,
            v: &v,
            friction,
            restitution,
            capped: self.capped,
            planar: impact.is_planar(),
            mobility: collision.mobility(),
        };
        let found = contact.impulse();
        let towards_edge = |p: &Vector3<f64>| collision.movable_part(p).norm() <= TOWARDS_EDGE * p.norm();
        if collision.is_near_edge(friction) && found.as_ref().is_none_or(towards_edge) {
            return Err(Inapplicable::UnboundedImpulse);
        }
        let Some(impulse) = found else { return Ok(None) };
        let outcome = Solution::of(impact, vec![impulse], Effort { iterations: 1, residual: 0.0 });
        let (rebound, asked) = (outcome.velocities_after[0].x, -restitution * v.x);
        let excess = (rebound - asked) / if asked > 0.0 { asked } else { -v.x };
        Ok(Some(if rebound - asked > EXCESS * -v.x {
            outcome.with_note(Note::ReboundExceeds { excess })
        } else {
            outcome
        }))
    }
}

pub(super) const LAW: Law = Law {
    id: "rakshit-chatterjee",
    name: "Rakshit and Chatterjee's scalar restitution",
    source: "S. Rakshit & A. Chatterjee, Scalar generalization of Newtonian restitution for simultaneous impact, 2015",
    summary: "Least energy within the friction cones, under one restitution inequality for all contacts together.",
    equations: "minimise ½ P·W P + V·P  where  |P_t,j| ≤ μ_j P_n,j,  V_n,j after ≥ 0\n\
                Σ_j (V_n,j after + e_j V_n,j)/W_nn,j ≥ 0\n\
                capped:  the sum ≤ max(0, Σ_j (V_c,j + e_j V_n,j)/W_nn,j), V_c after the frictionless inelastic impulse\n\
                sums over contacts with V_n,j ≤ 0; others take part only if V_n,j after < 0 without their impulse\n\
                P = 0 if no contact approaches, V_n,j ≥ 0 for all j: then there is no impact, whatever the slip",
    caveats: "The weights are a reconstruction. Near grazing friction makes it rebound by more than e, without bound, even at a single \
              contact (a sphere at 10 times as much slip as approach, μ = 0.3 and e = 0.9, by 2.04), unless capped. Only the sum of \
              rebounds is controlled. Has no answer where contacts that separate before exclude the rebound of the others: the program is then infeasible.",
    parameters: &[
        RESTITUTION,
        FRICTION,
        Parameter {
            key: "cone",
            symbol: "",
            meaning: "the friction cone, or a pyramid around it",
            kind: Kind::Choice(&["exact", "pyramid"]),
            fallback: Fallback::Value(0.0),
            leaves_plane: false,
        },
        number("facets", "f", "facets of the pyramid", (3.0, 1000.0), Fallback::Value(8.0)),
        Parameter {
            key: "variant",
            symbol: "",
            meaning: "whether the rebound is bounded from above, too",
            kind: Kind::Choice(&["plain", "capped"]),
            fallback: Fallback::Value(0.0),
            leaves_plane: false,
        },
    ],
    guarantees: Guarantees {
        energy: Promise::If("if no contact separates before"),
        friction: Promise::If("with the exact cone"),
        tangential_restitution: Promise::No,
        ..Guarantees::ALL
    },
    consistency: Some(("a whole number of facets", |values| values[3].fract() == 0.0)),
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
        let cone = match bound.whole(2) {
            0.0 => FrictionCone::Exact,
            _ => FrictionCone::Pyramid(bound.whole(3) as usize),
        };
        RakshitChatterjee {
            restitution: bound.column(0),
            friction: bound.column(1),
            cone,
            capped: bound.whole(4) == 1.0,
        }
        .solve(impact)
    }

    fn promised(&self, impact: &Impact, bound: &BoundLaw) -> Promised {
        let energy = impact.velocity().iter().all(|velocity| velocity.x <= 0.0);
        let friction = bound.whole(2) == 0.0 || impact.is_planar();
        Promised { energy, friction, ..LAW.guarantees.always() }
    }
}
