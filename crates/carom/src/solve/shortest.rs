//! The shortest of the impulses that lead to the same motion.
//!
//! Where W is singular on the contacts in play, W x is unique and x is not. Every solution is complementary to the same dual û, so
//! a contact with û inside the dual cone carries nothing, one with û on its rim a multiple of one ray, and one with û = 0 anything in
//! its cone. Among those the shortest with the given W x follows from
//!
//! ```text
//! minimise ½ ε|ξ|² + ½ (ξ − ξ₀)·H (ξ − ξ₀) + ε z·(ξ − ξ₀),      z ← z + H (ξ − ξ₀)/ε
//! ```
//!
//! the method of multipliers for H ξ = H ξ₀, in which H is W on these unknowns; in the plane, where few contacts' impulses form a
//! polyhedron, from its shortest point.

use super::Status;
use super::cone::{Cone, Point, dot};
use super::cone_qp::ConeQp;
use super::dense::{root, take_off};
use super::friction::FEW;
use super::least_distance::Polyhedron;
use crate::impact::RANK_TOLERANCE;
use nalgebra::{DMatrix, DVector};

/// The shortest impulses and in how many directions they can be changed.
#[derive(Clone, Debug)]
pub(crate) struct Shortest {
    pub(crate) x: DVector<f64>,
    pub(crate) freedom: usize,
    /// Whether they were found; else they are those given.
    pub(crate) found: bool,
}

/// A velocity below this fraction of the scale is zero.
const STILL: f64 = 1e-8;
/// A slip above this fraction has a direction.
const SLIPS: f64 = 1e-5;
/// Strength of the norm beside the motion, relative to the mean curvature.
const WEIGHT: f64 = 1e-5;
/// Rounds of the method of multipliers; each takes several digits.
const MOST_ROUNDS: usize = 30;
/// A change of the motion that counts as none, relative.
const SAME: f64 = 1e-13;
/// And one that is still as good as the solution itself.
const ALIKE: f64 = 1e-10;

/// A direction in the unknowns of one cone.
type Column = (usize, usize, Point);

/// The shortest impulses with the motion of `x`, if others have it too. `dual` is û; W, x and û should be of order one.
pub(crate) fn shortest(w: &DMatrix<f64>, cones: &[Cone], x: &DVector<f64>, dual: &DVector<f64>) -> Option<Shortest> {
    let motion = w * x;
    let scale = dual.amax().max(motion.amax());
    let (mut columns, mut start): (Vec<Column>, Vec<f64>) = (Vec::with_capacity(x.len()), Vec::with_capacity(x.len()));
    let mut kept: Vec<Cone> = Vec::with_capacity(cones.len());
    for cone in cones {
        let (p, u) = (cone.of(x.as_slice()), cone.of(dual.as_slice()));
        let slip = (u[1] * u[1] + u[2] * u[2]).sqrt();
        let still = u[0].abs().max(slip) <= STILL * scale;
        let rim = (u[0] - cone.friction * slip).abs() <= STILL * scale * (1.0 + cone.friction);
        let across = p[1] * p[1] + p[2] * p[2];
        let length = (p[0] * p[0] + across).sqrt();
        let carries = length > STILL * x.amax();
        let slides = cone.size > 1 && across.sqrt() >= cone.friction * p[0] * (1.0 - STILL);
        if still || (carries && !slides) {
            kept.push(Cone { start: start.len(), ..*cone });
            for i in 0..cone.size {
                let mut axis = [0.0; 3];
                axis[i] = 1.0;
                columns.push((cone.start, cone.size, axis));
                start.push(p[i]);
            }
        } else if carries || (cone.size > 1 && rim) {
            // A small impulse has lost its direction in rounding, and so has a slow slip.
            let told = cone.size > 1 && rim && slip > SLIPS * scale;
            let ray = [1.0, -cone.friction * u[1] / slip, -cone.friction * u[2] / slip];
            let (axis, length) = if told { (ray, (1.0 + cone.friction.powi(2)).sqrt()) } else { (p, length) };
            let axis = axis.map(|part| part / length);
            if !told && !carries {
                continue;
            }
            kept.push(Cone { start: start.len(), size: 1, friction: 0.0 });
            columns.push((cone.start, cone.size, axis));
            start.push(dot(&axis, &p));
        }
    }
    if columns.is_empty() {
        return None;
    }
    let h = restricted(w, &columns);
    let range = root(&h, RANK_TOLERANCE * h.nrows() as f64);
    let freedom = h.nrows() - range.ncols();
    if freedom == 0 {
        return None;
    }
    let start = DVector::from_vec(start);
    let inside = |x: &DVector<f64>| kept.iter().all(|cone| cone.contains(&cone.of(x.as_slice())));
    let found = Some(across(range, &start)).filter(inside).or_else(|| least(&h, &kept, &start)).map(|found| {
        let mut x = DVector::zeros(x.len());
        for ((first, size, axis), along) in columns.iter().zip(found.iter()) {
            for i in 0..*size {
                x[first + i] += axis[i] * along;
            }
        }
        x
    });
    // Impulses left out as zero may have been small ones.
    let same = |found: &DVector<f64>| (w * found - &motion).amax() <= ALIKE * scale;
    let found = found.filter(same);
    Some(Shortest { found: found.is_some(), x: found.unwrap_or_else(|| x.clone()), freedom })
}

/// W on some directions.
fn restricted(w: &DMatrix<f64>, columns: &[Column]) -> DMatrix<f64> {
    let n = columns.len();
    let mut h = DMatrix::zeros(n, n);
    let rows = w.nrows();
    let mut image = vec![0.0; rows];
    for (k, (first, size, axis)) in columns.iter().enumerate() {
        image.fill(0.0);
        take_off(&mut image, &w.as_slice()[first * rows..(first + size) * rows], rows, 0, |i| -axis[i]);
        for (l, (first, size, axis)) in columns.iter().enumerate().skip(k) {
            let entry = (0..*size).map(|i| axis[i] * image[first + i]).sum();
            (h[(l, k)], h[(k, l)]) = (entry, entry);
        }
    }
    h
}

/// The part of a vector across the null space of L Lᵀ: its projection on the columns of L, made orthonormal one by one. The normal
/// equations would square the condition of L.
fn across(mut l: DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
    let mut part = DVector::zeros(x.len());
    for k in 0..l.ncols() {
        let (before, mut own) = l.columns_range_pair_mut(..k, k);
        // Twice is enough for directions that are orthogonal to rounding.
        for _ in 0..2 {
            for direction in before.column_iter() {
                let share = direction.dot(&own);
                own.axpy(-share, &direction, 1.0);
            }
        }
        let length = own.norm();
        own.unscale_mut(length);
        part.axpy(own.dot(x), &own, 1.0);
    }
    part
}

/// In the plane the cones are polyhedra.
fn flat_least(h: &DMatrix<f64>, cones: &[Cone], start: &DVector<f64>) -> Option<DVector<f64>> {
    let motion = h * start;
    let mut set = Polyhedron::new(start.len());
    for (row, value) in h.column_iter().zip(motion.iter()) {
        set.equal(row.into_owned().as_slice(), *value);
    }
    for cone in cones {
        let mut row = vec![0.0; start.len()];
        row[cone.start] = if cone.size == 1 { 1.0 } else { cone.friction };
        for side in if cone.size == 1 { [0.0].as_slice() } else { &[1.0, -1.0] } {
            if cone.size > 1 {
                row[cone.start + 1] = *side;
            }
            set.at_least(&row, 0.0);
        }
    }
    set.shortest().map(DVector::from_vec)
}

fn least(h: &DMatrix<f64>, cones: &[Cone], start: &DVector<f64>) -> Option<DVector<f64>> {
    if cones.len() <= FEW && cones.iter().all(|cone| cone.size < 3) {
        return flat_least(h, cones, start);
    }
    let n = h.nrows();
    let weight = WEIGHT * h.trace() / n as f64;
    let motion = h * start;
    let scale = motion.amax().max(f64::MIN_POSITIVE);
    let mut pull = DVector::zeros(n);
    let soft = h + DMatrix::identity(n, n) * weight;
    let (rows, bounds) = (DMatrix::zeros(n, 0), DVector::zeros(0));
    let mut x = start.clone();
    let (mut best, mut least) = (None, ALIKE);
    for _ in 0..MOST_ROUNDS {
        let g = &pull * weight - &motion;
        let program = ConeQp { h: &soft, g: &g, cones, rows: &rows, bounds: &bounds, equalities: 0 };
        let answer = program.solve(x, DVector::zeros(0));
        if answer.status != Status::Solved {
            break;
        }
        x = answer.x;
        let change = h * &x - &motion;
        let miss = change.amax() / scale;
        if miss < least {
            (best, least) = (Some(x.clone()), miss);
        }
        if miss <= SAME {
            break;
        }
        pull += change / weight;
    }
    best
}
