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
//! over the contacts with V_n ≤ 0: those that separate are left out. Energy never rises: (1 + max e) times the frictionless inelastic
//! impulse is admissible and loses energy. Velocities after are unique; impulses need not be, and the shortest are given.
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

use super::rakshit_single::Single;
use super::unknowns::Unknowns;
use super::{Effort, Impact, ImpactNote, ImpactOutcome, Settings};
use crate::laws::law::{Guarantees, Inapplicable, Kernel, Law, Promise};
use crate::laws::parameter::{FRICTION, Fallback, Kind, Parameter, RESTITUTION, number};
use crate::solve::ACCEPTED;
use crate::solve::cone::Cone;
use crate::solve::cone_qp::{Answer, ConeQp};
use crate::solve::friction::{Disk, Friction};
use crate::solve::qp::Qp;
use crate::solve::shortest::shortest;
use nalgebra::{DMatrix, DVector, Vector3};
use std::f64::consts::TAU;

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

/// How contacts give way where the active-set method does not end at the precision asked for, relative to the mean of W.
const GIVES: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];

/// The program of an impact: its unknowns, and the rows n contacts and one sum (two if capped).
struct Program {
    unknowns: Unknowns,
    rows: DMatrix<f64>,
    bounds: DVector<f64>,
    /// So many of the first rows hold with equality: the sum, if its cap leaves nothing else.
    equalities: usize,
    /// The normal impulses that would stop each contact alone.
    guess: DVector<f64>,
}

/// Its solution, and what there is to say of it.
struct Solution {
    x: DVector<f64>,
    note: Option<ImpactNote>,
    effort: Effort,
}

impl RakshitChatterjee {
    /// The outcome by the law's [equations](crate::laws::Law::equations).
    pub fn resolve(&self, impact: &Impact) -> Result<ImpactOutcome, Inapplicable> {
        if let (1, FrictionCone::Exact) = (impact.contacts(), self.cone)
            && let Some(outcome) = self.single(impact)
        {
            return Ok(outcome);
        }
        let kept: Vec<usize> = (0..impact.contacts()).filter(|k| impact.velocity()[*k].x <= 0.0).collect();
        let part = if kept.len() == impact.contacts() { None } else { Some(impact.restricted(&kept)) };
        let program = self.program(part.as_ref().unwrap_or(impact), &kept)?;
        let unknowns = &program.unknowns;
        let (Solution { x, note, effort }, exact) = match self.cone {
            FrictionCone::Pyramid(facets) if !impact.is_planar() => (program.pyramid(facets)?, false),
            _ => (program.exact()?, true),
        };
        let found = if exact { unknowns.admissible(&x) } else { unknowns.impulses(&x) };
        let rebound = self.rebound(&program, &kept, &x);
        let mut impulses = vec![Vector3::zeros(); impact.contacts()];
        for (contact, impulse) in kept.iter().zip(found) {
            impulses[*contact] = impulse;
        }
        let mut outcome = ImpactOutcome::of(impact, impulses, effort);
        if rebound > EXCESS {
            outcome = outcome.with_note(ImpactNote::ReboundExceeds { excess: rebound });
        }
        Ok(match note {
            Some(note) => outcome.with_note(note),
            None => outcome,
        })
    }

    /// One contact; nothing where the general method is needed.
    fn single(&self, impact: &Impact) -> Option<ImpactOutcome> {
        let (w, v) = (impact.inverse_mass().block(0, 0), impact.velocity()[0]);
        let (friction, restitution) = (self.friction[0], self.restitution[0]);
        let contact = Single { w: &w, v: &v, friction, restitution, capped: self.capped, planar: impact.is_planar() };
        let impulse = contact.impulse()?;
        let outcome = ImpactOutcome::of(impact, vec![impulse], Effort { iterations: 1, residual: 0.0 });
        let (rebound, asked) = (outcome.velocities_after[0].x, -restitution * v.x);
        let excess = (rebound - asked) / if asked > 0.0 { asked } else { -v.x };
        Some(if rebound - asked > EXCESS * -v.x {
            outcome.with_note(ImpactNote::ReboundExceeds { excess })
        } else {
            outcome
        })
    }

    fn program(&self, impact: &Impact, kept: &[usize]) -> Result<Program, Inapplicable> {
        let friction: Vec<f64> = kept.iter().map(|k| self.friction[*k]).collect();
        let unknowns = Unknowns::new(impact, &friction);
        let (n, size) = (kept.len(), unknowns.v.len());
        let normals: Vec<usize> = unknowns.cones.iter().map(|cone| cone.start).collect();
        let (mut weights, mut guess) = (DVector::zeros(size), DVector::zeros(size));
        for i in &normals {
            weights[*i] = 1.0 / unknowns.w[(*i, *i)];
            guess[*i] = -unknowns.v[*i] * weights[*i];
        }
        let sum = (&unknowns.w * &weights).transpose();
        let scale = sum.amax();
        let asked: f64 =
            kept.iter().zip(&normals).map(|(k, i)| -(1.0 + self.restitution[*k]) * unknowns.v[*i] * weights[*i]).sum();
        let cap = if self.capped { Some(self.cap(&unknowns, kept, &weights)?) } else { None };
        let fixed = cap.is_some_and(|cap| cap <= EXCESS * asked);
        let dead = kept.iter().zip(&normals).all(|(k, i)| self.restitution[*k] * unknowns.v[*i] == 0.0);
        if fixed && dead {
            // A sum of nothing but what must not be negative: every contact comes to rest.
            let rows = unknowns.w.select_rows(&normals);
            let bounds = -unknowns.v.select_rows(&normals);
            return Ok(Program { unknowns, rows, bounds, equalities: n, guess });
        }
        let count = n + 1 + usize::from(cap.is_some() && !fixed);
        let mut rows = DMatrix::zeros(count, size);
        let mut bounds = DVector::zeros(count);
        rows.row_mut(0).copy_from(&(&sum / scale));
        bounds[0] = asked / scale;
        for (k, i) in normals.iter().enumerate() {
            rows.row_mut(k + 1).copy_from(&unknowns.w.row(*i));
            bounds[k + 1] = -unknowns.v[*i];
        }
        if let (Some(cap), false) = (cap, fixed) {
            rows.row_mut(n + 1).copy_from(&(-&sum / scale));
            bounds[n + 1] = -(asked + cap) / scale;
        }
        Ok(Program { unknowns, rows, bounds, equalities: usize::from(fixed), guess })
    }

    /// The most that the sum of rebounds may exceed what is asked, in the units of the unknowns.
    fn cap(&self, unknowns: &Unknowns, kept: &[usize], weights: &DVector<f64>) -> Result<f64, Inapplicable> {
        let normals: Vec<usize> = unknowns.cones.iter().map(|cone| cone.start).collect();
        let problem = Friction {
            w: unknowns.w.select_rows(&normals).select_columns(&normals),
            q: unknowns.v.select_rows(&normals),
            disks: (0..normals.len()).map(|k| Disk::coulomb(k, 1, 0.0)).collect(),
        };
        let found = problem.solve(DVector::zeros(normals.len()));
        if found.residual > ACCEPTED {
            return Err(Inapplicable::Unsolved { residual: found.residual });
        }
        let after = &problem.w * &found.x + &problem.q;
        let terms = kept.iter().zip(&normals).zip(after.iter());
        Ok(terms.map(|((k, i), v)| (v + self.restitution[*k] * unknowns.v[*i]) * weights[*i]).sum::<f64>().max(0.0))
    }

    /// By how much the sum of rebounds exceeds what is asked, relative to a full one.
    fn rebound(&self, program: &Program, kept: &[usize], x: &DVector<f64>) -> f64 {
        let unknowns = &program.unknowns;
        let after = unknowns.velocity_after(x);
        let (mut sum, mut asked, mut full) = (0.0, 0.0, 0.0);
        for (contact, cone) in kept.iter().zip(&unknowns.cones) {
            let (i, e) = (cone.start, self.restitution[*contact]);
            let weight = 1.0 / unknowns.w[(i, i)];
            sum += (after[i] + e * unknowns.v[i]) * weight;
            asked -= e * unknowns.v[i] * weight;
            full -= unknowns.v[i] * weight;
        }
        if sum <= EXCESS * full { 0.0 } else { sum / if asked > 0.0 { asked } else { full } }
    }
}

impl Program {
    /// With Coulomb's cones.
    fn exact(&self) -> Result<Solution, Inapplicable> {
        let Unknowns { w, v, cones, .. } = &self.unknowns;
        let program = ConeQp {
            h: w.clone(),
            g: v.clone(),
            cones: cones.clone(),
            rows: self.rows.clone(),
            bounds: self.bounds.clone(),
            equalities: self.equalities,
        };
        let mut answer = program.solve(&self.guess);
        if answer.residual > ACCEPTED && cones.iter().all(|cone| cone.size < 3) {
            // In the plane the cones are pyramids, and the active-set method finds what is left.
            let edged = self.edged(2);
            let multipliers = edged.multipliers.rows(0, self.rows.nrows()).into_owned();
            answer = program.refined(&edged.x, &multipliers);
        }
        let Answer { x, multipliers, residual, iterations, .. } = answer;
        if residual > ACCEPTED {
            return Err(Inapplicable::Unsolved { residual });
        }
        let effort = Effort { iterations, residual };
        let dual = w * &x + v - self.rows.tr_mul(&multipliers);
        let Some(least) = shortest(w, cones, &x, &dual) else { return Ok(Solution { x, note: None, effort }) };
        // What is small beside long impulses need not be beside the shortest.
        let Answer { x, residual, .. } = program.refined(&least.x, &multipliers);
        Ok(Solution { x, note: Some(ImpactNote::of_shortest(&least)), effort: Effort { residual, ..effort } })
    }

    /// With pyramids around the cones.
    fn pyramid(&self, facets: usize) -> Result<Solution, Inapplicable> {
        let Answer { x, residual, iterations, .. } = self.edged(facets);
        if residual > ACCEPTED {
            return Err(Inapplicable::Unsolved { residual });
        }
        Ok(Solution { x, note: None, effort: Effort { iterations, residual } })
    }

    /// The program with so many facets of each cone in space, two in the plane. Its first rows are those of this program.
    fn edged(&self, facets: usize) -> Answer {
        let Unknowns { w, v, cones, .. } = &self.unknowns;
        let facets_of = |size: usize| if size == 3 { facets } else { 2 * (size - 1) };
        let count: usize = cones.iter().map(|cone| 1 + facets_of(cone.size)).sum();
        let (own, sums) = (self.rows.nrows(), self.rows.nrows() + self.equalities);
        let mut rows = DMatrix::zeros(sums + count, v.len());
        let mut bounds = DVector::zeros(sums + count);
        rows.rows_mut(0, own).copy_from(&self.rows);
        bounds.rows_mut(0, own).copy_from(&self.bounds);
        rows.rows_mut(own, self.equalities).copy_from(&-self.rows.rows(0, self.equalities));
        bounds.rows_mut(own, self.equalities).copy_from(&-self.bounds.rows(0, self.equalities));
        let mut next = sums;
        for cone in cones {
            rows[(next, cone.start)] = 1.0;
            next += 1;
            let length = 1.0_f64.hypot(cone.friction);
            let number = facets_of(cone.size);
            for k in 0..number {
                let (sin, cos) = (TAU * k as f64 / number as f64).sin_cos();
                let row = [cone.friction, -cos, -sin];
                for i in 0..cone.size {
                    rows[(next, cone.start + i)] = row[i] / length;
                }
                next += 1;
            }
        }
        let mut program = Qp { h: w.clone(), g: v.clone(), rows, bounds };
        let free = cones.iter().map(|cone| Cone { friction: f64::INFINITY, ..*cone }).collect();
        let (rows, bounds) = (program.rows.clone(), program.bounds.clone());
        let polish = ConeQp { h: w.clone(), g: v.clone(), cones: free, rows, bounds, equalities: 0 };
        let mut optimum = program.solve(&[]);
        let mut answer = polish.refined(&optimum.x, &optimum.multipliers);
        answer.iterations += optimum.iterations;
        for give in GIVES {
            if answer.residual <= ACCEPTED {
                break;
            }
            program.h = w + DMatrix::identity(v.len(), v.len()) * (give * w.trace() / v.len() as f64);
            optimum = program.solve(&optimum.active);
            let next = polish.refined(&optimum.x, &optimum.multipliers);
            let iterations = answer.iterations + optimum.iterations + next.iterations;
            answer = Answer { iterations, ..if next.residual < answer.residual { next } else { answer } };
        }
        for i in 0..self.equalities {
            answer.multipliers[i] -= answer.multipliers[own + i];
        }
        answer
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
                over contacts with V_n,j ≤ 0",
    caveats: "The weights are a reconstruction. Near grazing friction makes it rebound by more than e, unless capped. Only the sum of \
              rebounds is controlled; contacts that separate before the impact are left out.",
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
        friction: Promise::If("with the exact cone"),
        penetration: Promise::If("if no contact separates before"),
        tangential_restitution: Promise::No,
        ..Guarantees::ALL
    },
    consistency: Some(("a whole number of facets", |values| values[3].fract() == 0.0)),
    kernel: Kernel::Simultaneous(
        |impact, settings: &Settings, _| {
            let cone = match settings.value(2) {
                0.0 => FrictionCone::Exact,
                _ => FrictionCone::Pyramid(settings.value(3) as usize),
            };
            RakshitChatterjee {
                restitution: settings.column(0),
                friction: settings.column(1),
                cone,
                capped: settings.value(4) == 1.0,
            }
            .resolve(impact)
        },
        None,
    ),
};
