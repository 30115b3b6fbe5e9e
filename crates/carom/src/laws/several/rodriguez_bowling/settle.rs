//! The end of collisions that have none.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

/// An eigenvalue below this fraction of the largest is zero.
const REDUNDANT: f64 = 1e-11;
/// An impulse below this fraction of the greatest is none.
const ROUNDED: f64 = 1e-12;

/// Normal impulses that leave the least kinetic energy, without friction: p ≥ 0, v + W p ≥ 0, p·(v + W p) = 0, by the method of
/// Lawson and Hanson (1974, ch. 23). An approach of less than a contact's `tolerance` is none. `None` if rounding keeps it from an end.
pub(super) fn settle(w: &DMatrix<f64>, v: &DVector<f64>, tolerance: &[f64]) -> Option<DVector<f64>> {
    let n = v.len();
    let mut p = DVector::zeros(n);
    let mut pressed: Vec<usize> = Vec::new();
    for _ in 0..10 * n + 10 {
        let after = v + w * &p;
        let excess = |i: usize| after[i] / tolerance[i];
        let apart = (0..n).filter(|i| !pressed.contains(i));
        let Some(worst) = apart.min_by(|i, j| excess(*i).total_cmp(&excess(*j))).filter(|i| after[*i] < -tolerance[*i])
        else {
            return (0..n).all(|i| after[i] >= -tolerance[i]).then_some(p);
        };
        pressed.push(worst);
        for _ in 0..=n {
            let target = at_rest(w, v, &pressed);
            let mut part = 1.0;
            for i in &pressed {
                if target[*i] < 0.0 {
                    part = f64::min(part, p[*i] / (p[*i] - target[*i]));
                }
            }
            p += (&target - &p) * part;
            if part >= 1.0 {
                break;
            }
            pressed.retain(|i| p[*i] > ROUNDED * p.amax());
            for i in (0..n).filter(|i| !pressed.contains(i)) {
                p[i] = 0.0;
            }
        }
    }
    None
}

/// The shortest impulses that stop these contacts.
fn at_rest(w: &DMatrix<f64>, v: &DVector<f64>, pressed: &[usize]) -> DVector<f64> {
    let eigen = SymmetricEigen::new(w.select_rows(pressed).select_columns(pressed));
    let zero = REDUNDANT * eigen.eigenvalues.amax();
    let inverse = eigen.eigenvalues.map(|value| if value > zero { value.recip() } else { 0.0 });
    let along = eigen.eigenvectors.tr_mul(&-v.select_rows(pressed));
    let part = &eigen.eigenvectors * inverse.component_mul(&along);
    let mut p = DVector::zeros(v.len());
    for (k, i) in pressed.iter().enumerate() {
        p[*i] = part[k];
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn redundant_contacts_come_to_rest_or_apart() {
        let mut random = Random(7);
        for _ in 0..500 {
            let (n, freedoms) = (2 + (random.unit() * 7.0) as usize, 2 + (random.unit() * 4.0) as usize);
            let j = DMatrix::from_fn(n, freedoms, |_, _| random.between(-1.0, 1.0));
            let (w, v) = (&j * j.transpose(), &j * DVector::from_fn(freedoms, |_, _| random.between(-1.0, 1.0)));
            let p = settle(&w, &v, &vec![1e-12; n]).unwrap_or_else(|| DVector::from_element(n, f64::NAN));
            let after = &v + &w * &p;
            assert!(p.min() >= 0.0 && after.min() > -1e-11 && p.dot(&after).abs() < 1e-10, "{p} {after}");
        }
    }
}
