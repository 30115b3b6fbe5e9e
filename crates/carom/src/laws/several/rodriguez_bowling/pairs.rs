//! Pairs of contacts that share a body, and the self-equilibrated impulses of each.

use crate::impact::Impact;
use nalgebra::{DMatrix, SymmetricEigen};

/// Two contacts that feel each other's impulses.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// Their places, the lower first.
    pub(super) contacts: [usize; 2],
    pub(super) link: Link,
}

/// What ties the impulses of a pair together.
#[derive(Clone, Debug)]
pub(super) enum Link {
    /// Impulses that cancel each other: Nᵀ = null(W of the pair), split by contact. For two points of one body held by
    /// nothing else it is a single column, the unit vector along the line between them, in each contact's axes.
    Rigid([DMatrix<f64>; 2]),
    /// No impulses cancel: each contact has a partner of its own that can move.
    Loose,
}

/// An eigenvalue of a pair's W below this fraction of the largest belongs to impulses that cancel. Numbers typed by hand
/// carry their rounding into it.
const CANCELS: f64 = 1e-10;

/// All pairs, in order.
pub(super) fn pairs(impact: &Impact) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for i in 0..impact.contacts() {
        for (j, _) in impact.inverse_mass().row(i).filter(|(j, _)| *j > i) {
            pairs.push(Pair { contacts: [i, j], link: link(impact, i, j) });
        }
    }
    pairs
}

/// null(W of the pair) without what lies in null(W) of one contact alone: an impulse that moves nothing by itself says nothing
/// about the other contact.
fn link(impact: &Impact, i: usize, j: usize) -> Link {
    let (components, w) = (impact.components(), impact.restricted(&[i, j]).inverse_mass().dense(impact.components()));
    let largest = w.diagonal().max();
    let moving = [0, components].map(|at| {
        let eigen = SymmetricEigen::new(w.view((at, at), (components, components)).into_owned());
        let kept: Vec<_> = (0..components).filter(|k| eigen.eigenvalues[*k] > CANCELS * largest).collect();
        eigen.eigenvectors.select_columns(&kept)
    });
    let (first, second) = (moving[0].ncols(), moving[1].ncols());
    let mut basis = DMatrix::zeros(2 * components, first + second);
    basis.view_mut((0, 0), (components, first)).copy_from(&moving[0]);
    basis.view_mut((components, first), (components, second)).copy_from(&moving[1]);
    let eigen = SymmetricEigen::new(basis.transpose() * w * &basis);
    let zero = CANCELS * eigen.eigenvalues.amax();
    let null: Vec<_> = (0..eigen.eigenvalues.len()).filter(|k| eigen.eigenvalues[*k] <= zero).collect();
    if null.is_empty() {
        return Link::Loose;
    }
    // Twice the projector, so that the part at each point is a unit vector.
    let null = basis * eigen.eigenvectors.select_columns(&null) * 2_f64.sqrt();
    Link::Rigid([null.rows(0, components).into_owned(), null.rows(components, components).into_owned()])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use nalgebra::DVector;

    fn projector(impact: &Impact) -> DMatrix<f64> {
        let pairs = pairs(impact);
        let Link::Rigid([a, b]) = &pairs[0].link else { panic!("no null vector") };
        let z = DVector::from_iterator(4, a.iter().chain(b.iter()).copied()) / 2_f64.sqrt();
        DMatrix::identity(4, 4) - &z * z.transpose()
    }

    /// Rodriguez 2014, (3.20): rows (t1, n1, t2, n2) with the wall's normal along +x, ours along −x.
    #[test]
    fn ball_in_a_corner_has_the_projector_of_the_source() {
        let w = DMatrix::from_row_slice(4, 4, &[1., 0., 0., 1., 0., 3., -1., 2., 0., -1., 1., 0., 1., 2., 0., 3.]);
        let impact = Impact::new(&w, &DVector::from_vec(vec![-4.43, 8.0, -8.0, -4.43]), true).unwrap();
        let source = DMatrix::from_row_slice(
            4,
            4,
            &[0.75, -0.25, 0.25, 0.25, -0.25, 0.75, 0.25, 0.25, 0.25, 0.25, 0.75, -0.25, 0.25, 0.25, -0.25, 0.75],
        );
        let ours = projector(&impact);
        let (place, sign) = ([1, 0, 3, 2], [1.0, 1.0, 1.0, -1.0]);
        for i in 0..4 {
            for j in 0..4 {
                let value = sign[i] * sign[j] * ours[(place[i], place[j])];
                assert!((value - source[(i, j)]).abs() < 1e-14, "{ours}");
            }
        }
    }

    /// Rodriguez 2014, (B.9): Q Q⁺ of the block on the ground has ½ at the tangents, 1 at the normals.
    #[test]
    fn block_on_the_ground_has_the_projector_of_the_source() {
        let (m, b, h) = (2.5, 0.1087, 0.0645);
        let inertia: f64 = m * (b * b + h * h) / 12.0;
        let j = DMatrix::from_row_slice(4, 3, &[0., 1., -b / 2., 1., 0., h / 2., 0., 1., b / 2., 1., 0., h / 2.]);
        let mass = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0 / m, 1.0 / m, 1.0 / inertia]));
        let w = &j * mass * j.transpose();
        let v = &j * DVector::from_vec(vec![0.1, -0.5, -9.2]);
        let ours = projector(&Impact::new(&w, &v, true).unwrap());
        let source =
            DMatrix::from_row_slice(4, 4, &[1., 0., 0., 0., 0., 0.5, 0., 0.5, 0., 0., 1., 0., 0., 0.5, 0., 0.5]);
        assert!((&ours - source).amax() < 1e-13, "{ours}");
        // m W of the note: 1.7812, −1.3166, 1.3166, 3.2188, −1.2188.
        let scaled = w * m;
        for (entry, value) in
            [((1, 1), 1.7812), ((0, 1), -1.3166), ((2, 3), 1.3166), ((0, 0), 3.2188), ((0, 2), -1.2188)]
        {
            assert!((scaled[entry] - value).abs() < 5e-5, "{entry:?} {}", scaled[entry]);
        }
    }

    #[test]
    fn balls_in_a_row_are_loose() {
        let w = DMatrix::from_row_slice(4, 4, &[2., 0., -1., 0., 0., 6., 0., -1., -1., 0., 2., 0., 0., -1., 0., 6.]);
        let impact = Impact::new(&w, &DVector::from_vec(vec![-1.0, 0.0, 0.0, 0.0]), true).unwrap();
        assert!(matches!(pairs(&impact)[0].link, Link::Loose));
    }
}
