//! Rakshit and Chatterjee's program with the edges of the pyramids as unknowns.
//!
//! A pyramid is the set of sums x = R c, c ≥ 0, of its edges R, whatever the number of its facets and however nearly they depend on
//! each other. With the rows A x ≥ b the optimality conditions are
//!
//! ```text
//! Rᵀ(H R c + g − Aᵀλ) ≥ 0 ⟂ c ≥ 0,      A R c − b ≥ 0 ⟂ λ ≥ 0
//! ```
//!
//! without the rows of the facets, whose near dependence stops the active-set method.

use super::program::Program;
use crate::solve::cone::Cone;
use crate::solve::cone_qp::{Answer, ConeQp};
use nalgebra::{DMatrix, DVector};
use std::f64::consts::TAU;

impl Program<'_> {
    /// The optimum over pyramids of some facets, or what comes nearest.
    pub(super) fn by_rays(&self, facets: usize) -> Answer {
        let (w, v, cones) = (&self.unknowns.w, &self.unknowns.v, &self.unknowns.cones);
        let edges: Vec<Vec<f64>> = cones.iter().flat_map(|cone| edges(cone, facets, v.len())).collect();
        let (count, own) = (edges.len(), self.bounds.len());
        let edges = DMatrix::from_fn(v.len(), count, |i, j| edges[j][i]);
        let (h, g, rows) = (edges.tr_mul(&(w * &edges)), edges.tr_mul(v), edges.tr_mul(&self.rows));
        let amounts: Vec<Cone> = (0..count).map(|start| Cone { start, size: 1, friction: 0.0 }).collect();
        let program =
            ConeQp { h: &h, g: &g, cones: &amounts, rows: &rows, bounds: &self.bounds, equalities: self.equalities };
        let answer = program.solve(DVector::zeros(count), DVector::zeros(own));
        Answer { x: edges * &answer.x, ..answer }
    }
}

/// The edges of a pyramid, of unit length.
fn edges(cone: &Cone, facets: usize, size: usize) -> Vec<Vec<f64>> {
    let edge = |directions: [f64; 2]| {
        let mut edge = vec![0.0; size];
        let slip = directions.map(|part| part * cone.friction);
        let length = 1.0_f64.hypot(slip[0].hypot(slip[1]));
        for (i, part) in [1.0, slip[0], slip[1]].into_iter().enumerate().take(cone.size) {
            edge[cone.start + i] = part / length;
        }
        edge
    };
    match cone.size {
        1 => vec![edge([0.0, 0.0])],
        2 => vec![edge([1.0, 0.0]), edge([-1.0, 0.0])],
        _ => {
            // Between two facets, which touch the cone in between.
            let half = 0.5 * TAU / facets as f64;
            let corner = |k: usize| ((2 * k + 1) as f64 * half).sin_cos();
            (0..facets).map(corner).map(|(sin, cos)| edge([cos / half.cos(), sin / half.cos()])).collect()
        }
    }
}
