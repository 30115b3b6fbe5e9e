//! Rakshit and Chatterjee's program of several contacts: its rows, and its solution with Coulomb's cones or with pyramids.

use super::super::unknowns::Unknowns;
use super::super::{Effort, Impact, ImpactNote};
use super::{EXCESS, RakshitChatterjee};
use crate::laws::law::Inapplicable;
use crate::solve::ACCEPTED;
use crate::solve::cone::Cone;
use crate::solve::cone_qp::{Answer, ConeQp};
use crate::solve::dense::inner;
use crate::solve::friction::{Disk, Friction, Measure};
use crate::solve::least_distance::Polyhedron;
use crate::solve::qp::Qp;
use crate::solve::shortest::shortest;
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// How contacts give way where the active-set method does not end at the precision asked for, relative to the mean of W.
const GIVES: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];

/// The program of an impact: its unknowns, and the rows n contacts and one sum (two if capped).
pub(super) struct Program<'a> {
    pub(super) unknowns: Unknowns,
    restitution: &'a [f64],
    /// A column for each row.
    rows: DMatrix<f64>,
    bounds: DVector<f64>,
    /// So many of the first rows hold with equality: the sum, if its cap leaves nothing else.
    equalities: usize,
}

/// Its solution, and what there is to say of it.
pub(super) struct Solution {
    pub(super) x: DVector<f64>,
    pub(super) note: Option<ImpactNote>,
    pub(super) effort: Effort,
}

impl Program<'_> {
    /// The program of an impact.
    pub(super) fn new<'a>(law: &'a RakshitChatterjee, impact: &Impact) -> Result<Program<'a>, Inapplicable> {
        let restitution = law.restitution.as_slice();
        let unknowns = Unknowns::new(impact, &law.friction);
        let Unknowns { w, v, cones, .. } = &unknowns;
        let (n, size) = (cones.len(), v.len());
        let (mut asked, mut dead) = (0.0, true);
        for (cone, e) in cones.iter().zip(restitution).filter(|(cone, _)| v[cone.start] <= 0.0) {
            let i = cone.start;
            asked -= (1.0 + e) * v[i] / w[(i, i)];
            dead &= e * v[i] == 0.0;
        }
        let cap = if law.capped { Some(cap(&unknowns, restitution)?) } else { None };
        let fixed = cap.is_some_and(|cap| cap <= EXCESS * asked);
        // A sum of nothing but what must not be negative: every contact comes to rest.
        let (sums, equalities) = match cap {
            Some(_) if fixed && dead => (0, n),
            Some(_) if fixed => (1, 1),
            Some(_) => (2, 0),
            None => (1, 0),
        };
        let mut rows = DMatrix::zeros(size, n + sums);
        let mut bounds = DVector::zeros(n + sums);
        let first = sums.min(1);
        for (k, cone) in cones.iter().enumerate() {
            rows.set_column(first + k, &w.column(cone.start));
            bounds[first + k] = -v[cone.start];
            if sums > 0 && v[cone.start] <= 0.0 {
                rows.column_mut(0).axpy(1.0 / w[(cone.start, cone.start)], &w.column(cone.start), 1.0);
            }
        }
        if sums > 0 {
            let scale = rows.column(0).amax();
            rows.column_mut(0).unscale_mut(scale);
            bounds[0] = asked / scale;
            if let (Some(cap), 2) = (cap, sums) {
                let most = -rows.column(0);
                rows.set_column(n + 1, &most);
                bounds[n + 1] = -(asked + cap) / scale;
            }
        }
        Ok(Program { unknowns, restitution, rows, bounds, equalities })
    }

    /// By how much the sum of rebounds exceeds what is asked, relative to a full one.
    pub(super) fn rebound(&self, x: &DVector<f64>) -> f64 {
        let Unknowns { w, v, cones, .. } = &self.unknowns;
        let (mut sum, mut asked, mut full) = (0.0, 0.0, 0.0);
        for (cone, e) in cones.iter().zip(self.restitution).filter(|(cone, _)| v[cone.start] <= 0.0) {
            let i = cone.start;
            let after = inner(w.column(i).as_slice(), x.as_slice()) + v[i];
            sum += (after + e * v[i]) / w[(i, i)];
            asked -= e * v[i] / w[(i, i)];
            full -= v[i] / w[(i, i)];
        }
        if sum <= EXCESS * full { 0.0 } else { sum / if asked > 0.0 { asked } else { full } }
    }

    /// A first guess of the multipliers. If all contacts held, the velocity after would be that of the sum times its row: this and what is
    /// asked tell it.
    fn multipliers(&self) -> DVector<f64> {
        let Unknowns { w, v, cones, .. } = &self.unknowns;
        let (mut rebound, mut reach) = (0.0, 0.0);
        for (cone, e) in cones.iter().zip(self.restitution).filter(|(cone, _)| v[cone.start] <= 0.0) {
            let i = cone.start;
            rebound -= e * v[i] / w[(i, i)];
            reach += self.rows[(i, 0)] / w[(i, i)];
        }
        let mut multipliers = DVector::zeros(self.bounds.len());
        if rebound > 0.0 && reach > 0.0 {
            multipliers[0] = rebound / reach;
        }
        multipliers
    }

    /// With Coulomb's cones.
    pub(super) fn exact(&self) -> Result<Solution, Inapplicable> {
        let Program { unknowns: Unknowns { w, v, cones, .. }, rows, bounds, equalities, .. } = self;
        let program = ConeQp { h: w, g: v, cones, rows, bounds, equalities: *equalities };
        let mut answer = program.solve(DVector::zeros(v.len()), self.multipliers());
        if answer.residual > ACCEPTED && cones.iter().all(|cone| cone.size < 3) {
            // In the plane the cones are pyramids, and the active-set method finds what is left.
            let edged = self.edged(2);
            let multipliers = edged.multipliers.rows(0, bounds.len()).into_owned();
            answer = program.refined(edged.x, multipliers);
        }
        let Answer { x, multipliers, residual, iterations, .. } = answer;
        if residual > ACCEPTED {
            return Err(self.unsolved(residual));
        }
        let effort = Effort { iterations, residual };
        let mut dual = v.clone();
        dual.gemv(1.0, w, &x, 1.0);
        dual.gemv(-1.0, rows, &multipliers, 1.0);
        let Some(least) = shortest(w, cones, &x, &dual) else { return Ok(Solution { x, note: None, effort }) };
        // What is small beside long impulses need not be beside the shortest.
        let Answer { x, residual, .. } = program.refined(least.x.clone(), multipliers);
        Ok(Solution { x, note: Some(ImpactNote::of_shortest(&least)), effort: Effort { residual, ..effort } })
    }

    /// With pyramids around the cones.
    pub(super) fn pyramid(&self, facets: usize) -> Result<Solution, Inapplicable> {
        let Answer { x, residual, iterations, .. } = self.edged(facets);
        if residual > ACCEPTED {
            return Err(self.unsolved(residual));
        }
        Ok(Solution { x, note: None, effort: Effort { iterations, residual } })
    }

    /// Why nothing was found: no normal impulses and tangential ones up to μ times them along each tangent fit the rows, or else they
    /// were not found.
    fn unsolved(&self, residual: f64) -> Inapplicable {
        let size = self.unknowns.v.len();
        let mut set = Polyhedron::new(size);
        for (k, (row, bound)) in self.rows.column_iter().zip(self.bounds.iter()).enumerate() {
            let row: Vec<f64> = row.iter().copied().collect();
            if k < self.equalities { set.equal(&row, *bound) } else { set.at_least(&row, *bound) }
        }
        for cone in &self.unknowns.cones {
            let mut row = vec![0.0; size];
            row[cone.start] = 1.0;
            set.at_least(&row, 0.0);
            row[cone.start] = cone.friction;
            for i in 1..cone.size {
                for side in [1.0, -1.0] {
                    row[cone.start + i] = side;
                    set.at_least(&row, 0.0);
                }
                row[cone.start + i] = 0.0;
            }
        }
        if set.shortest().is_none() { Inapplicable::NoSolution } else { Inapplicable::Unsolved { residual } }
    }

    /// The program with so many facets of each cone in space, two in the plane. Its first rows are those of this program.
    fn edged(&self, facets: usize) -> Answer {
        let Unknowns { w, v, cones, .. } = &self.unknowns;
        let facets_of = |size: usize| if size == 3 { facets } else { 2 * (size - 1) };
        let count: usize = cones.iter().map(|cone| 1 + facets_of(cone.size)).sum();
        let (own, sums) = (self.bounds.len(), self.bounds.len() + self.equalities);
        let mut rows = DMatrix::zeros(v.len(), sums + count);
        let mut bounds = DVector::zeros(sums + count);
        rows.columns_mut(0, own).copy_from(&self.rows);
        bounds.rows_mut(0, own).copy_from(&self.bounds);
        rows.columns_mut(own, self.equalities).copy_from(&-self.rows.columns(0, self.equalities));
        bounds.rows_mut(own, self.equalities).copy_from(&-self.bounds.rows(0, self.equalities));
        let mut next = sums;
        for cone in cones {
            rows[(cone.start, next)] = 1.0;
            next += 1;
            let length = 1.0_f64.hypot(cone.friction);
            let number = facets_of(cone.size);
            for k in 0..number {
                let (sin, cos) = (TAU * k as f64 / number as f64).sin_cos();
                let row = [cone.friction, -cos, -sin];
                for i in 0..cone.size {
                    rows[(cone.start + i, next)] = row[i] / length;
                }
                next += 1;
            }
        }
        let free: Vec<Cone> = cones.iter().map(|cone| Cone { friction: f64::INFINITY, ..*cone }).collect();
        let polish = ConeQp { h: w, g: v, cones: &free, rows: &rows, bounds: &bounds, equalities: 0 };
        let mut program = Qp { h: w.clone(), g: v.clone(), rows: rows.transpose(), bounds: bounds.clone() };
        let mut optimum = program.solve(&[]);
        let mut answer = polish.refined(optimum.x.clone(), optimum.multipliers.clone());
        answer.iterations += optimum.iterations;
        for give in GIVES {
            if answer.residual <= ACCEPTED {
                break;
            }
            program.h = w + DMatrix::identity(v.len(), v.len()) * (give * w.trace() / v.len() as f64);
            optimum = program.solve(&optimum.active);
            let next = polish.refined(optimum.x.clone(), optimum.multipliers.clone());
            let iterations = answer.iterations + optimum.iterations + next.iterations;
            answer = Answer { iterations, ..if next.residual < answer.residual { next } else { answer } };
        }
        for i in 0..self.equalities {
            answer.multipliers[i] -= answer.multipliers[own + i];
        }
        answer
    }
}

/// The most that the sum of rebounds may exceed what is asked, in the units of the unknowns.
fn cap(unknowns: &Unknowns, restitution: &[f64]) -> Result<f64, Inapplicable> {
    let normals: Vec<usize> = unknowns.cones.iter().map(|cone| cone.start).collect();
    let problem = Friction {
        w: unknowns.w.select_rows(&normals).select_columns(&normals),
        q: unknowns.v.select_rows(&normals),
        disks: (0..normals.len()).map(|k| Disk::coulomb(k, 1, 0.0)).collect(),
        measure: Measure::Velocity(1.0),
    };
    let found = problem.solve(DVector::zeros(normals.len()));
    if found.residual > ACCEPTED {
        return Err(Inapplicable::Unsolved { residual: found.residual });
    }
    let after = &problem.w * &found.x + &problem.q;
    let excess = |i: usize| (after[i] + restitution[i] * problem.q[i]) / problem.w[(i, i)];
    Ok((0..normals.len()).filter(|i| problem.q[*i] <= 0.0).map(excess).sum::<f64>().max(0.0))
}
