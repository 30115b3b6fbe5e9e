//! Modes of a Timoshenko beam.
//!
//! Deflection w and turn ψ of the sections minimise ½∫EI ψ'² + κGA (w' − ψ)² against ½∫ρA ẇ² + ρI ψ̇². Both are sums of
//! polynomials on the beam: two straight lines that carry the values at the ends, and integrals of Legendre polynomials,
//! which vanish there (Szabó & Babuška, Finite Element Analysis, 1991). The frequencies are the eigenvalues of a matrix,
//! so none is missed, whichever of the two spectra it belongs to, and the shapes are orthogonal as they come. The
//! exact alternative, a determinant with cosh and sinh below the cut-off frequency and cosines above it, must be
//! searched for roots that can lie arbitrarily close together. Convergence is exponential once there are more than π/2
//! polynomials per half wave; without shear locking, because the degree is high.

use super::{Beam, BendingMode, End};
use crate::error::Error;
use nalgebra::{DMatrix, SymmetricEigen};

/// Polynomials per mode, and some more for the lowest ones.
const PER_MODE: usize = 2;
/// See [`PER_MODE`].
const EXTRA: usize = 16;
/// Added to all λ = ω² ρAL⁴/EI, so that rigid motions are no zeros: of the order of a beam's first λ, which is 12 to 501.
const SHIFT: f64 = 100.0;

/// The lowest modes at a place along the axis; `shear_modulus` is κG.
pub(super) fn modes(beam: &Beam, shear_modulus: f64, along: f64, count: usize) -> Result<Vec<BendingMode>, Error> {
    modes_with(beam, shear_modulus, along, count, PER_MODE * count + EXTRA)
}

fn modes_with(
    beam: &Beam,
    shear_modulus: f64,
    along: f64,
    count: usize,
    polynomials: usize,
) -> Result<Vec<BendingMode>, Error> {
    if count == 0 {
        return Ok(Vec::new());
    }
    // With x and w in units of L: λ = ω² ρAL⁴/EI, rotary inertia r², shear stiffness s.
    let slenderness = beam.second_moment / (beam.area * beam.length.powi(2));
    let shear = shear_modulus / (beam.youngs_modulus * slenderness);
    let deflections = basis(polynomials, beam.ends.map(|end| end != End::Free));
    let rotations = basis(polynomials, beam.ends.map(|end| end == End::Clamped));
    let (n, total) = (deflections.len(), deflections.len() + rotations.len());
    let mut mass = DMatrix::<f64>::zeros(total, total);
    let mut stiffness = DMatrix::<f64>::zeros(total, total);
    for (i, a) in deflections.iter().enumerate() {
        for (j, b) in deflections.iter().enumerate() {
            mass[(i, j)] = a.value.product(&b.value);
            stiffness[(i, j)] = shear * a.slope.product(&b.slope);
        }
        for (j, b) in rotations.iter().enumerate() {
            let coupling = -shear * a.slope.product(&b.value);
            stiffness[(i, n + j)] = coupling;
            stiffness[(n + j, i)] = coupling;
        }
    }
    for (i, a) in rotations.iter().enumerate() {
        for (j, b) in rotations.iter().enumerate() {
            let overlap = a.value.product(&b.value);
            mass[(n + i, n + j)] = slenderness * overlap;
            stiffness[(n + i, n + j)] = a.slope.product(&b.slope) + shear * overlap;
        }
    }
    // (K + σM) y = (λ + σ) M y, turned over: the lowest modes are the largest eigenvalues, which come out best.
    let unsound = || Error::NotPositive { what: "stiffness of the beam", eigenvalue: slenderness };
    let lower = (stiffness + &mass * SHIFT).cholesky().ok_or_else(unsound)?.unpack();
    let half = lower.solve_lower_triangular(&mass).ok_or_else(unsound)?;
    let turned = lower.solve_lower_triangular(&half.transpose()).ok_or_else(unsound)?;
    let eigen = SymmetricEigen::new((&turned + turned.transpose()) * 0.5);
    let vectors = lower.tr_solve_lower_triangular(&eigen.eigenvectors).ok_or_else(unsound)?;
    let mut order: Vec<usize> = (0..total).collect();
    order.sort_by(|a, b| eigen.eigenvalues[*b].total_cmp(&eigen.eigenvalues[*a]));

    let xi = 2.0 * along / beam.length - 1.0;
    let legendre = legendre(polynomials + 1, xi);
    let speed = (beam.youngs_modulus * beam.second_moment / (beam.density * beam.area)).sqrt() / beam.length.powi(2);
    let mode = |k: &usize| {
        let inverse = eigen.eigenvalues[*k];
        let y = vectors.column(*k);
        let size = (beam.mass() * inverse).sqrt().recip();
        let sum = |functions: &[Function], from: usize| {
            functions.iter().enumerate().map(|(i, f)| f.value.at(&legendre) * y[from + i]).sum::<f64>()
        };
        BendingMode {
            frequency: (inverse.recip() - SHIFT).max(0.0).sqrt() * speed,
            deflection: sum(&deflections, 0) * size,
            rotation: sum(&rotations, n) * size / beam.length,
        }
    };
    Ok(order.iter().skip(rigid_motions(beam.ends)).take(count).map(mode).collect())
}

/// Motions that bend nothing.
fn rigid_motions(ends: [End; 2]) -> usize {
    match ends {
        [End::Free, End::Free] => 2,
        [End::Free, End::Pinned] | [End::Pinned, End::Free] => 1,
        _ => 0,
    }
}

/// A sum of two Legendre polynomials on −1 ≤ ξ ≤ 1: degrees and factors.
#[derive(Clone, Copy)]
struct Legendre([(usize, f64); 2]);

impl Legendre {
    /// ∫ab dx over a beam of length 1: the polynomials are orthogonal with ∫P_k² dξ = 2/(2k + 1).
    fn product(&self, other: &Legendre) -> f64 {
        let mut sum = 0.0;
        for (k, a) in self.0 {
            for (l, b) in other.0 {
                if k == l {
                    sum += a * b / (2 * k + 1) as f64;
                }
            }
        }
        sum
    }

    fn at(&self, legendre: &[f64]) -> f64 {
        self.0.iter().map(|(k, factor)| factor * legendre[*k]).sum()
    }
}

/// A function on the beam and its derivative with respect to x.
#[derive(Clone, Copy)]
struct Function {
    value: Legendre,
    slope: Legendre,
}

/// The straight lines of the ends that are not held, then the functions that vanish at both ends.
fn basis(count: usize, held: [bool; 2]) -> Vec<Function> {
    // d/dx = 2 d/dξ.
    let line =
        |sign: f64| Function { value: Legendre([(0, 0.5), (1, 0.5 * sign)]), slope: Legendre([(0, sign), (1, 0.0)]) };
    // ∫P_(k−1) dξ = (P_k − P_(k−2))/(2k − 1).
    let inner = (2..count).map(|k| {
        let factor = (2.0 * (2 * k - 1) as f64).sqrt().recip();
        Function {
            value: Legendre([(k, factor), (k - 2, -factor)]),
            slope: Legendre([(k - 1, 2.0 * factor * (2 * k - 1) as f64), (0, 0.0)]),
        }
    });
    let lines = [(-1.0, held[0]), (1.0, held[1])].into_iter().filter(|(_, held)| !held).map(|(sign, _)| line(sign));
    lines.chain(inner).collect()
}

/// P_0 … P_(count−1) at ξ by Bonnet's recursion.
fn legendre(count: usize, xi: f64) -> Vec<f64> {
    let mut values = vec![1.0, xi];
    for k in 1..count.saturating_sub(1) {
        let (k1, here, before) = (k as f64, values[k], values[k - 1]);
        values.push(((2.0 * k1 + 1.0) * xi * here - k1 * before) / (k1 + 1.0));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::super::{Kept, Place, Theory, euler_bernoulli};
    use super::*;
    use std::f64::consts::PI;

    fn beam(ends: [End; 2], diameter: f64) -> Beam {
        let theory = Theory::Timoshenko { shear_modulus: 8.0e10, shear_coefficient: 0.9 };
        Beam { ends, theory, ..Beam::round(0.3, diameter, 7800.0, 2.0e11) }
    }

    #[test]
    fn between_pins_both_spectra_come_out() {
        // w = sin jπx, ψ = cos jπx: ω² solves ρI ρA ω⁴ − ((EI k² + κGA) ρA + κGA k² ρI) ω² + κGA EI k⁴ = 0; and the
        // shear mode w = 0, ψ = 1 has ω² = κGA/ρI.
        let beam = beam([End::Pinned; 2], 0.03);
        let shear = 7.2e10;
        let (ei, ga) = (beam.youngs_modulus * beam.second_moment, shear * beam.area);
        let (ra, ri) = (beam.density * beam.area, beam.density * beam.second_moment);
        let mut expected = vec![(ga / ri).sqrt()];
        for j in 1..60 {
            let k2 = (f64::from(j) * PI / beam.length).powi(2);
            let (a, b, c) = (ri * ra, (ei * k2 + ga) * ra + ga * k2 * ri, ga * ei * k2 * k2);
            let root = (b * b - 4.0 * a * c).sqrt();
            expected.extend([(2.0 * c / (b + root)).sqrt(), ((b + root) / (2.0 * a)).sqrt()]);
        }
        expected.sort_by(f64::total_cmp);
        let kept = 30;
        for (mode, expected) in modes(&beam, shear, 0.1, kept).unwrap().iter().zip(expected) {
            assert!((mode.frequency / expected - 1.0).abs() < 1e-8);
        }
    }

    #[test]
    fn slender_beams_bend_as_euler_and_bernoulli_say() {
        // The difference is of second order in diameter/length.
        for ends in [[End::Free; 2], [End::Clamped, End::Free], [End::Clamped; 2], [End::Pinned, End::Free]] {
            let difference = |diameter: f64| {
                let beam = beam(ends, diameter);
                let slender = euler_bernoulli::modes(&beam, 0.07, 4);
                let ours = modes(&beam, 7.2e10, 0.07, 4).unwrap();
                let frequency = slender.iter().zip(&ours).map(|(s, o)| (o.frequency / s.frequency - 1.0).abs());
                let shape = slender.iter().zip(&ours).map(|(s, o)| (o.deflection.abs() - s.deflection.abs()).abs());
                let turn = slender.iter().zip(&ours).map(|(s, o)| (o.rotation.abs() - s.rotation.abs()).abs() * 0.3);
                let size = beam.mass().sqrt();
                [frequency.fold(0.0, f64::max), shape.fold(0.0, f64::max) * size, turn.fold(0.0, f64::max) * size]
            };
            let [coarse, fine] = [difference(0.001), difference(0.000_5)];
            for (coarse, fine) in coarse.into_iter().zip(fine) {
                assert!(coarse < 2e-2, "{ends:?} {coarse}");
                assert!((coarse / fine - 4.0).abs() < 0.1, "{ends:?} {coarse} {fine}");
            }
        }
    }

    #[test]
    fn more_polynomials_change_nothing() {
        for ends in [[End::Free; 2], [End::Clamped, End::Free], [End::Clamped, End::Pinned]] {
            for diameter in [0.0127, 0.1] {
                let beam = beam(ends, diameter);
                let ours = modes(&beam, 7.2e10, 0.02, 40).unwrap();
                let finer = modes_with(&beam, 7.2e10, 0.02, 40, 140).unwrap();
                for (a, b) in ours.iter().zip(finer) {
                    assert!((a.frequency / b.frequency - 1.0).abs() < 1e-7, "{ends:?} {diameter} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn a_cantilever_deflects_by_bending_and_shear() {
        let beam = beam([End::Clamped, End::Free], 0.03);
        let place = Place { along: 0.3, angle: PI / 2.0, ..Place::default() };
        let body = beam.body(&place, Kept { bending: 60, axial: 0 }, 0.0).unwrap();
        let flexibility: f64 = body.modes.iter().map(|mode| mode.flexibility()[(0, 0)]).sum();
        let expected = 0.027 / (3.0 * 2.0e11 * beam.second_moment) + 0.3 / (7.2e10 * beam.area);
        assert!((flexibility / expected - 1.0).abs() < 1e-3);
    }
}
