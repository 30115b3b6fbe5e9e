//! The least of a quadratic form among nonnegative numbers of sum 1.

use nalgebra::{DMatrix, DVector};

/// A number below this is a rounded zero.
const ROUNDED: f64 = 1e-13;

/// The c ≥ 0 with Σ c = 1 of least cᵀ A c, A positive semidefinite: the primal active-set method, from equal numbers.
pub(super) fn least_on_simplex(a: &DMatrix<f64>) -> DVector<f64> {
    let n = a.nrows();
    let mut c = DVector::from_element(n, 1.0 / n as f64);
    let mut free = vec![true; n];
    for _ in 0..8 * n + 8 {
        let places: Vec<usize> = (0..n).filter(|i| free[*i]).collect();
        let Some(target) = on_plane(a, &places) else { break };
        // As far towards the target as no number falls below zero.
        let (mut part, mut blocking) = (1.0, None);
        for i in &places {
            let (from, to) = (c[*i], target[*i]);
            if to < -ROUNDED && from / (from - to) < part {
                (part, blocking) = (from / (from - to), Some(*i));
            }
        }
        c += (&target - &c) * part;
        if let Some(i) = blocking {
            (c[i], free[i]) = (0.0, false);
            continue;
        }
        let gradient = a * &c;
        let level = gradient.dot(&c);
        let least = (0..n).filter(|i| !free[*i]).min_by(|i, j| gradient[*i].total_cmp(&gradient[*j]));
        match least {
            Some(i) if gradient[i] < level - ROUNDED * a.amax() => free[i] = true,
            _ => break,
        }
    }
    c.apply(|number| *number = number.max(0.0));
    let sum = c.sum();
    c / sum
}

/// The same without c ≥ 0, among some of the numbers.
fn on_plane(a: &DMatrix<f64>, places: &[usize]) -> Option<DVector<f64>> {
    let m = places.len();
    // Scaled so that the border is of the size of the form, whatever that is.
    let scale = places.iter().map(|i| a[(*i, *i)]).fold(0.0, f64::max);
    let scale = if scale > 0.0 { scale } else { 1.0 };
    let mut system = DMatrix::zeros(m + 1, m + 1);
    for (row, i) in places.iter().enumerate() {
        for (column, j) in places.iter().enumerate() {
            system[(row, column)] = a[(*i, *j)] / scale;
        }
        (system[(row, m)], system[(m, row)]) = (1.0, 1.0);
    }
    let mut right = DVector::zeros(m + 1);
    right[m] = 1.0;
    let solution = system.full_piv_lu().solve(&right)?;
    let mut c = DVector::zeros(a.nrows());
    for (row, i) in places.iter().enumerate() {
        c[*i] = solution[row];
    }
    Some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_consistent_ratio_is_met_and_an_impossible_one_ends_at_the_edge() {
        let row = DVector::from_vec(vec![0.65, -1.35]);
        let c = least_on_simplex(&(&row * row.transpose()));
        assert!((c[1] / c[0] - 0.65 / 1.35).abs() < 1e-14, "{c}");
        let row = DVector::from_vec(vec![0.5, 1.0]);
        let c = least_on_simplex(&(&row * row.transpose()));
        assert!((c - DVector::from_vec(vec![1.0, 0.0])).amax() < 1e-14);
    }

    #[test]
    fn nothing_said_is_equal_numbers() {
        let c = least_on_simplex(&(DMatrix::from_row_slice(3, 3, &[1., -1., 0., -1., 2., -1., 0., -1., 1.]) * 1e-14));
        assert!((c - DVector::from_element(3, 1.0 / 3.0)).amax() < 1e-12);
    }
}
