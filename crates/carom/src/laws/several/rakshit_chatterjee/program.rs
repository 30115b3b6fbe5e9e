//! Rakshit and Chatterjee's program of several contacts: its rows, and its solution with Coulomb's cones or with pyramids.

use super::{EXCESS, RakshitChatterjee};
use crate::impact::Impact;
use crate::law::Inapplicable;
use crate::laws::several::note_of_shortest;
use crate::outcome::{Effort, Note};
use crate::solve::cone::Cone;
use crate::solve::cone_qp::{Answer, ConeQp};
use crate::solve::dense::{has_weak_directions, inner};
use crate::solve::friction::{Disk, Friction, Measure};
use crate::solve::least_distance::Polyhedron;
use crate::solve::qp::{Optimum, Qp};
use crate::solve::shortest::shortest;
use crate::solve::unknowns::Unknowns;
use crate::solve::{ACCEPTED, SOLVED};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

/// How contacts give way where the active-set method does not end at the precision asked for, relative to the mean of W.
const GIVES: [f64; 4] = [1e-6, 1e-5, 1e-4, 1e-3];
/// Tangents that stand for a cone in space, at first.
const TANGENTS: usize = 8;
/// Points outside of cones before the question whether a program is empty is given up.
const MOST_CUTS: usize = 100;

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
    pub(super) note: Option<Note>,
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
        if answer.residual > ACCEPTED {
            if self.is_empty(None) {
                return Err(self.infeasible(answer.residual));
            }
            if cones.iter().all(|cone| cone.size < 3) {
                // In the plane the cones are pyramids, and the active-set method finds the remaining impulses.
                let edged = self.edged(2);
                let multipliers = edged.multipliers.rows(0, bounds.len()).into_owned();
                let refined = program.refined(edged.x, multipliers);
                if refined.residual < answer.residual {
                    answer = refined;
                }
            }
        }
        let Answer { x, multipliers, residual, iterations, .. } = answer;
        if residual > ACCEPTED {
            return Err(Inapplicable::Unsolved { residual });
        }
        let effort = Effort { iterations, residual };
        let mut dual = v.clone();
        dual.gemv(1.0, w, &x, 1.0);
        dual.gemv(-1.0, rows, &multipliers, 1.0);
        let Some(least) = shortest(w, cones, &x, &dual) else { return Ok(Solution { x, note: None, effort }) };
        let residual = program.residual(&least.x, &multipliers);
        let note = Some(note_of_shortest(&least));
        if residual <= SOLVED {
            // Newton's steps would move the impulses along those that change no velocity.
            return Ok(Solution { x: least.x, note, effort: Effort { residual, ..effort } });
        }
        let Answer { x, residual, .. } = program.refined(least.x, multipliers);
        Ok(Solution { x, note, effort: Effort { residual, ..effort } })
    }

    /// With pyramids around the cones.
    pub(super) fn pyramid(&self, facets: usize) -> Result<Solution, Inapplicable> {
        let Answer { x, residual, iterations, .. } = self.edged(facets);
        if residual <= ACCEPTED {
            return Ok(Solution { x, note: None, effort: Effort { iterations, residual } });
        }
        Err(if self.is_empty(Some(facets)) { self.infeasible(residual) } else { Inapplicable::Unsolved { residual } })
    }

    /// Why there is no answer where no impulses were found that fit the rows. A weak direction of W can make them so long that
    /// rounding does not let them be distinguished from none.
    fn infeasible(&self, residual: f64) -> Inapplicable {
        if has_weak_directions(&self.unknowns.w) {
            Inapplicable::Unsolved { residual }
        } else {
            Inapplicable::Infeasible
        }
    }

    /// Whether no impulses in the cones, or in pyramids of some facets, fit the rows. Tangents stand for a cone; where the shortest point
    /// is outside of it, another tangent is added.
    fn is_empty(&self, facets: Option<usize>) -> bool {
        let Unknowns { cones, v, .. } = &self.unknowns;
        let mut set = Polyhedron::new(v.len());
        for (k, (row, bound)) in self.rows.column_iter().zip(self.bounds.iter()).enumerate() {
            let row: Vec<f64> = row.iter().copied().collect();
            if k < self.equalities { set.equal(&row, *bound) } else { set.at_least(&row, *bound) }
        }
        for cone in cones {
            set.at_least(&facet(v.len(), cone, f64::INFINITY, 0.0), 0.0);
            for angle in facets_of(cone, facets.unwrap_or(TANGENTS)) {
                set.at_least(&facet(v.len(), cone, cone.friction, angle), 0.0);
            }
        }
        for _ in 0..MOST_CUTS {
            let Some(x) = set.shortest() else { return true };
            let outside = cones.iter().filter(|cone| {
                let [normal, t1, t2] = cone.of(&x);
                facets.is_none() && cone.size == 3 && t1.hypot(t2) > cone.friction * normal + ACCEPTED
            });
            let outside: Vec<&Cone> = outside.collect();
            if outside.is_empty() {
                return false;
            }
            for cone in outside {
                let [_, t1, t2] = cone.of(&x);
                set.at_least(&facet(v.len(), cone, cone.friction, t2.atan2(t1)), 0.0);
            }
        }
        false
    }

    /// The program with so many facets of each cone in space, two in the plane. Its first rows are those of this program.
    fn edged(&self, facets: usize) -> Answer {
        let Unknowns { w, v, cones, .. } = &self.unknowns;
        let count: usize = cones.iter().map(|cone| 1 + facets_of(cone, facets).count()).sum();
        let (own, sums) = (self.bounds.len(), self.bounds.len() + self.equalities);
        let mut rows = DMatrix::zeros(v.len(), sums + count);
        let mut bounds = DVector::zeros(sums + count);
        rows.columns_mut(0, own).copy_from(&self.rows);
        bounds.rows_mut(0, own).copy_from(&self.bounds);
        rows.columns_mut(own, self.equalities).copy_from(&-self.rows.columns(0, self.equalities));
        bounds.rows_mut(own, self.equalities).copy_from(&-self.bounds.rows(0, self.equalities));
        let mut next = sums;
        for cone in cones {
            let faces = facets_of(cone, facets).map(|angle| facet(v.len(), cone, cone.friction, angle));
            for face in std::iter::once(facet(v.len(), cone, f64::INFINITY, 0.0)).chain(faces) {
                rows.column_mut(next).copy_from_slice(&face);
                next += 1;
            }
        }
        let free: Vec<Cone> = cones.iter().map(|cone| Cone { friction: f64::INFINITY, ..*cone }).collect();
        let polish = ConeQp { h: w, g: v, cones: &free, rows: &rows, bounds: &bounds, equalities: 0 };
        let mut program = Qp { h: w.clone(), g: v.clone(), rows: rows.transpose(), bounds: bounds.clone() };
        let mut optimum = program.solve(&[]);
        let mut answer = polished(&polish, &optimum);
        answer.iterations += optimum.iterations;
        for give in GIVES {
            if answer.residual <= ACCEPTED {
                break;
            }
            program.h = w + DMatrix::identity(v.len(), v.len()) * (give * w.trace() / v.len() as f64);
            optimum = program.solve(&optimum.active);
            let next = polished(&polish, &optimum);
            let iterations = answer.iterations + optimum.iterations + next.iterations;
            answer = Answer { iterations, ..if next.residual < answer.residual { next } else { answer } };
        }
        for i in 0..self.equalities {
            answer.multipliers[i] -= answer.multipliers[own + i];
        }
        answer
    }
}

/// The angles of the facets of a cone, rad: as many as given in space, two in the plane.
fn facets_of(cone: &Cone, facets: usize) -> impl Iterator<Item = f64> {
    let number = if cone.size == 3 { facets } else { 2 * (cone.size - 1) };
    (0..number).map(move |k| TAU * k as f64 / number as f64)
}

/// The row of a facet of a cone, μ x_n − x_t·d ≥ 0, of unit length; x_n ≥ 0 if μ is infinite.
fn facet(size: usize, cone: &Cone, friction: f64, angle: f64) -> Vec<f64> {
    let mut row = vec![0.0; size];
    if friction == f64::INFINITY {
        row[cone.start] = 1.0;
        return row;
    }
    let (sin, cos) = angle.sin_cos();
    let length = 1.0_f64.hypot(friction);
    for (i, entry) in [friction, -cos, -sin].into_iter().enumerate().take(cone.size) {
        row[cone.start + i] = entry / length;
    }
    row
}

/// The optimum of an active set: its equations solved directly, which finds long impulses along weak directions of W as well, or by
/// Newton's method from an optimum nearby, whichever is better.
fn polished(program: &ConeQp, optimum: &Optimum) -> Answer {
    let refined = program.refined(optimum.x.clone(), optimum.multipliers.clone());
    if refined.residual <= ACCEPTED {
        return refined;
    }
    let Some((x, multipliers)) = stationary(program, &optimum.active) else { return refined };
    let residual = program.residual(&x, &multipliers);
    if residual < refined.residual { Answer { x, multipliers, residual, ..refined } } else { refined }
}

/// Where the energy is stationary with some rows as equations, and their multipliers.
fn stationary(program: &ConeQp, active: &[usize]) -> Option<(DVector<f64>, DVector<f64>)> {
    let (n, m) = (program.g.len(), active.len());
    let mut matrix = DMatrix::zeros(n + m, n + m);
    let mut right = DVector::zeros(n + m);
    matrix.view_mut((0, 0), (n, n)).copy_from(program.h);
    right.rows_mut(0, n).copy_from(&-program.g);
    for (k, row) in active.iter().enumerate() {
        matrix.view_mut((0, n + k), (n, 1)).copy_from(&-program.rows.column(*row));
        matrix.view_mut((n + k, 0), (1, n)).copy_from(&program.rows.column(*row).transpose());
        right[n + k] = program.bounds[*row];
    }
    let factors = matrix.clone().full_piv_lu();
    let mut solution = factors.solve(&right)?;
    solution += factors.solve(&(&right - &matrix * &solution))?;
    let mut multipliers = DVector::zeros(program.bounds.len());
    for (k, row) in active.iter().enumerate() {
        multipliers[*row] = solution[n + k];
    }
    Some((solution.rows(0, n).into_owned(), multipliers))
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
