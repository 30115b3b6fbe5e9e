//! A primal–dual interior-point method for cone programs, with Nesterov–Todd scaling and Mehrotra's predictor and corrector
//! (Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010).
//!
//! With s = G x − h in the product C of second-order cones and half-lines, z its multiplier, and Ω the scaling that takes
//! both to the same point ℓ = Ω z = Ω⁻¹ s, every step solves one condensed system
//!
//! ```text
//! (H + Gᵀ Ω⁻² G) dx = −r_x + Gᵀ (Ω⁻¹ (ℓ \ r_s) + Ω⁻² r_z),      dz = Ω⁻¹ (ℓ \ r_s) − Ω⁻² ds,   ds = G dx − r_z
//! ```
//!
//! G takes x_j to (μ x_n, x_t), where the friction cone is the second-order cone.

use super::cone::{Cone, Point};
use super::cone_qp::{Answer, ConeQp};
use super::dense::Cholesky;
use super::second_order::{Scaling, inverse_product, product, reach};
use nalgebra::{DMatrix, DVector};

/// More steps than the method was seen to take.
const MOST_STEPS: usize = 60;
/// Steps without progress that show that rounding allows no more.
const PATIENCE: usize = 20;
/// Steps without progress after which the corrector is left out, and the share of the gap that is then aimed at.
const CAUTION: usize = 2;
const CENTRING: f64 = 0.3;
/// Duality gap and residuals, relative, below which Newton's method takes over.
const CLOSE: f64 = 1e-11;
/// How much of the way to the boundary a step goes.
const SHY: f64 = 0.995;
/// Of each step: the condensed matrix loses digits towards the end.
const REFINEMENTS: usize = 2;
/// What keeps the condensed matrix definite, relative to its diagonal: the first that suffices, and the next after some steps
/// without progress.
const STEPS_AT_EACH: usize = 5;
const PROXIMITIES: [f64; 4] = [1e-15, 1e-13, 1e-11, 1e-9];

/// Of the spring that stands for an equality, relative to the mean curvature.
const STIFFNESS: f64 = 1e5;

/// A part of C: a second-order cone over places of s, or a half-line.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    size: usize,
}

/// Solves a program. Rows that hold with equality are replaced by a stiff spring.
pub(super) fn interior_point(program: &ConeQp) -> Answer {
    if program.equalities == 0 {
        return Method::new(program, program).run();
    }
    let (fixed, free) = (program.equalities, program.bounds.len() - program.equalities);
    let (rows, bounds) = (program.rows.columns(0, fixed), program.bounds.rows(0, fixed));
    let stiffness = STIFFNESS * program.h.trace() / program.g.len() as f64;
    let h = program.h + rows * rows.transpose() * stiffness;
    let g = program.g - rows * bounds * stiffness;
    let (others, their_bounds) =
        (program.rows.columns(fixed, free).into_owned(), program.bounds.rows(fixed, free).into_owned());
    let soft = ConeQp { h: &h, g: &g, cones: program.cones, rows: &others, bounds: &their_bounds, equalities: 0 };
    let inner = Method::new(&soft, program).run();
    let mut multipliers = DVector::zeros(fixed + free);
    multipliers.rows_mut(0, fixed).copy_from(&((bounds - rows.tr_mul(&inner.x)) * stiffness));
    multipliers.rows_mut(fixed, free).copy_from(&inner.multipliers);
    let residual = program.residual(&inner.x, &multipliers);
    Answer::new(inner.x, multipliers, residual, inner.iterations)
}

struct Method<'a> {
    program: &'a ConeQp<'a>,
    parts: Vec<Part>,
    /// How many of the parts are cones; the others are the rows.
    cones: usize,
    degree: f64,
    /// What slopes and slacks are compared with.
    scale: f64,
    /// What unknowns are compared with.
    length: f64,
}

impl<'a> Method<'a> {
    fn new(program: &'a ConeQp<'a>, original: &ConeQp) -> Method<'a> {
        let cones = program.cones.iter().map(|cone| Part { start: cone.start, size: cone.size });
        let rows = (0..program.bounds.len()).map(|i| Part { start: program.g.len() + i, size: 1 });
        let parts: Vec<Part> = cones.chain(rows).collect();
        let degree = parts.len() as f64;
        let scale = original.g.amax().max(original.bounds.amax()).max(f64::MIN_POSITIVE);
        // The unknowns that g alone would call for.
        let length = (original.g.amax() / original.h.diagonal().amax()).max(f64::MIN_POSITIVE);
        Method { program, cones: program.cones.len(), parts, degree, scale, length }
    }

    fn run(&self) -> Answer {
        let p = self.program;
        let (mut x, mut s, mut z) = self.start();
        let (mut iterations, mut since) = (0, 0);
        let mut best: Option<(f64, DVector<f64>, DVector<f64>)> = None;
        while iterations < MOST_STEPS {
            let rx = p.h * &x + p.g - self.transposed(&z);
            let rz = &s - self.image(&x);
            let gap = s.dot(&z) / self.degree;
            let energy = x.dot(&(p.h * &x * 0.5 + p.g)).abs().max(self.length * self.scale);
            let worst = (rx.amax().max(rz.amax()) / self.scale).max(gap / energy);
            if best.as_ref().is_none_or(|(least, ..)| worst < *least) {
                best = Some((worst, x.clone(), z.clone()));
                since = 0;
            }
            since += 1;
            if worst < CLOSE || !worst.is_finite() || since > PATIENCE {
                break;
            }
            iterations += 1;
            let Some((scalings, l)) = self.scalings(&s, &z) else { break };
            let Some(cholesky) = self.factor(&scalings, since / STEPS_AT_EACH) else { break };
            let solve = |rs: &DVector<f64>| {
                let v = self.map(|part, _| inverse_product(&part.of(&l), &part.of(rs), part.size));
                let v1 = self.map(|part, k| scalings[k].inverse(&part.of(&v), part.size));
                let rz2 = self.map(|part, k| {
                    let once = scalings[k].inverse(&part.of(&rz), part.size);
                    scalings[k].inverse(&once, part.size)
                });
                let mut dx = cholesky.solve(&(self.transposed(&(&v1 + rz2)) - &rx));
                let follow = |dx: &DVector<f64>| {
                    let ds = self.linear_image(dx) - &rz;
                    let dz = self.map(|part, k| {
                        let once = scalings[k].inverse(&part.of(&ds), part.size);
                        let v = part.of(&v);
                        scalings[k].inverse(&std::array::from_fn(|i| v[i] - once[i]), part.size)
                    });
                    (ds, dz)
                };
                let (mut ds, mut dz) = follow(&dx);
                for _ in 0..REFINEMENTS {
                    dx -= cholesky.solve(&(p.h * &dx - self.transposed(&dz) + &rx));
                    (ds, dz) = follow(&dx);
                }
                (dx, ds, dz)
            };
            let squares = self.map(|part, _| product(&part.of(&l), &part.of(&l), part.size));
            let (_, ds, dz) = solve(&-&squares);
            let reach = self.reach(&s, &ds).min(self.reach(&z, &dz)).min(1.0);
            // Without progress the corrector may have led into a cycle: then centring alone leads out of it.
            let cautious = since > CAUTION;
            let sigma = if cautious { CENTRING } else { (1.0 - reach).powi(3) };
            let corrected = self.map(|part, k| {
                let a = scalings[k].inverse(&part.of(&ds), part.size);
                let b = scalings[k].forward(&part.of(&dz), part.size);
                let mut rest = product(&a, &b, part.size);
                let l2 = part.of(&squares);
                for i in 0..3 {
                    rest[i] = if cautious { -l2[i] } else { -l2[i] - rest[i] };
                }
                rest[0] += sigma * gap;
                rest
            });
            let (dx, ds, dz) = solve(&corrected);
            let step = (SHY * self.reach(&s, &ds).min(self.reach(&z, &dz))).min(1.0);
            x.axpy(step, &dx, 1.0);
            s.axpy(step, &ds, 1.0);
            z.axpy(step, &dz, 1.0);
        }
        let (_, x, z) = best.unwrap_or((0.0, x, z));
        let multipliers = z.rows(p.g.len(), p.bounds.len()).into_owned();
        let residual = p.residual(&x, &multipliers);
        Answer::new(x, multipliers, residual, iterations)
    }

    fn start(&self) -> (DVector<f64>, DVector<f64>, DVector<f64>) {
        let p = self.program;
        let unit = vec![Scaling::UNIT; self.parts.len()];
        let zero = DVector::zeros(p.g.len());
        let offset = -self.image(&zero);
        let right = self.transposed(&offset) - p.g;
        let x = self.factor(&unit, 0).map_or_else(|| zero.clone(), |c| c.solve(&right));
        let s = self.image(&x);
        let z = -&s;
        (x, self.inside(s), self.inside(z))
    }

    /// Moves a point into C along its identity.
    fn inside(&self, mut s: DVector<f64>) -> DVector<f64> {
        let outside = self.parts.iter().map(|part| {
            let p = part.of(&s);
            p[1].hypot(p[2]) - p[0]
        });
        let most = outside.fold(f64::NEG_INFINITY, f64::max);
        let scale = s.amax().max(1e-3);
        if most > -1e-3 * scale {
            for part in &self.parts {
                s[part.start] += most.max(0.0) + scale;
            }
        }
        s
    }

    /// G x − h.
    fn image(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut s = self.linear_image(x);
        let n = self.program.g.len();
        for (i, bound) in self.program.bounds.iter().enumerate() {
            s[n + i] -= bound;
        }
        s
    }

    fn linear_image(&self, x: &DVector<f64>) -> DVector<f64> {
        let (n, m) = (x.len(), self.program.bounds.len());
        let mut s = DVector::zeros(n + m);
        s.rows_mut(0, n).copy_from(x);
        for cone in self.program.cones {
            s[cone.start] *= slope(cone);
        }
        s.rows_mut(n, m).copy_from(&self.program.rows.tr_mul(x));
        s
    }

    /// Gᵀ z.
    fn transposed(&self, z: &DVector<f64>) -> DVector<f64> {
        let (n, m) = (self.program.g.len(), self.program.bounds.len());
        let mut x = z.rows(0, n).into_owned();
        for cone in self.program.cones {
            x[cone.start] *= slope(cone);
        }
        x + self.program.rows * z.rows(n, m)
    }

    fn factor(&self, scalings: &[Scaling], from: usize) -> Option<Cholesky> {
        let matrix = self.condensed(scalings);
        let mean = self.program.h.trace() / matrix.nrows() as f64;
        PROXIMITIES.iter().skip(from.min(PROXIMITIES.len() - 1)).find_map(|proximity| {
            let mut firm = matrix.clone();
            for i in 0..firm.nrows() {
                firm[(i, i)] += proximity * firm[(i, i)].max(mean);
            }
            Cholesky::new(firm)
        })
    }

    /// H + Gᵀ Ω⁻² G.
    fn condensed(&self, scalings: &[Scaling]) -> DMatrix<f64> {
        let p = self.program;
        let mut matrix = p.h.clone();
        for (cone, scaling) in p.cones.iter().zip(scalings) {
            let stretch = [slope(cone), 1.0, 1.0];
            for j in 0..cone.size {
                let mut unit = [0.0; 3];
                unit[j] = stretch[j];
                let column = scaling.inverse(&scaling.inverse(&unit, cone.size), cone.size);
                for i in 0..cone.size {
                    matrix[(cone.start + i, cone.start + j)] += stretch[i] * column[i];
                }
            }
        }
        if !p.bounds.is_empty() {
            let mut weighted = p.rows.clone();
            for (mut row, scaling) in weighted.column_iter_mut().zip(&scalings[self.cones..]) {
                row /= scaling.eta;
            }
            matrix.gemm(1.0, &weighted, &weighted.transpose(), 1.0);
        }
        matrix
    }

    fn scalings(&self, s: &DVector<f64>, z: &DVector<f64>) -> Option<(Vec<Scaling>, DVector<f64>)> {
        let scalings: Option<Vec<Scaling>> =
            self.parts.iter().map(|part| Scaling::between(&part.of(s), &part.of(z), part.size)).collect();
        let scalings = scalings?;
        let l = self.map(|part, k| scalings[k].forward(&part.of(z), part.size));
        Some((scalings, l))
    }

    /// The largest step that keeps a point in C.
    fn reach(&self, s: &DVector<f64>, ds: &DVector<f64>) -> f64 {
        self.parts.iter().map(|part| reach(&part.of(s), &part.of(ds))).fold(f64::INFINITY, f64::min)
    }

    fn map(&self, f: impl Fn(&Part, usize) -> Point) -> DVector<f64> {
        let mut result = DVector::zeros(self.program.g.len() + self.program.bounds.len());
        for (k, part) in self.parts.iter().enumerate() {
            let value = f(part, k);
            result.as_mut_slice()[part.start..part.start + part.size].copy_from_slice(&value[..part.size]);
        }
        result
    }
}

impl Part {
    fn of(&self, s: &DVector<f64>) -> Point {
        let mut point = [0.0; 3];
        point[..self.size].copy_from_slice(&s.as_slice()[self.start..self.start + self.size]);
        point
    }
}

/// What the normal unknown is multiplied by; a half-line needs nothing.
fn slope(cone: &Cone) -> f64 {
    if cone.size == 1 { 1.0 } else { cone.friction }
}
