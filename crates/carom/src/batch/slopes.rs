//! Derivatives of kernels: dual numbers, row by row; a vector of the processor holds the slopes of one number.

use super::differentiate::Derivative;
use super::kernel::{HUGE, Kernel, Plane, Space};
use super::lanes::{Given, LANES, PARAMETERS, first};
use super::real::{Dual, Real};
use multiversion::multiversion;

/// Slopes of a number in the plane, in whole vectors: by V, W and a number of parameters.
pub(super) const fn of_plane(parameters: usize) -> usize {
    (5 + parameters).next_multiple_of(8)
}

/// The same in space.
pub(super) const fn of_space(parameters: usize) -> usize {
    (9 + parameters).next_multiple_of(8)
}

/// Derivatives in the plane, by V, W and P parameters, with N slopes.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn plane<K: Kernel, const P: usize, const N: usize>(given: &Given, matrices: &mut [f64], kinds: &mut [u8]) {
    let groups = kinds.len().div_ceil(LANES);
    let ([nn, nt, tt, ..], [v_n, v_t, _]) = (&given.inverse_mass, &given.velocity);
    let [nns, nts, tts, normals, slips] = first(&[nn, nt, tt, v_n, v_t], groups);
    let parameters = first(&given.parameters, groups);
    for (r, (matrix, kind)) in matrices.chunks_exact_mut(4 * (5 + P)).zip(kinds).enumerate() {
        let (g, i) = (r / LANES, r % LANES);
        let (nn, nt, tt, v_n, v_t) = (nns[g][i], nts[g][i], tts[g][i], normals[g][i], slips[g][i]);
        let x = |value: f64, k: usize| Dual::<N>::variable(value, k);
        let problem = Plane { nn: x(nn, 2), nt: x(nt, 3), tt: x(tt, 4), v: [x(v_n, 0), x(v_t, 1)] };
        let mut p = [Dual::constant(0.0); PARAMETERS];
        for k in 0..P {
            p[k] = Dual::variable(parameters[k][g][i], 5 + k);
        }
        let answer = K::plane(&problem, &p);
        let (zero, parts) = (Dual::constant(0.0), v_n >= 0.0);
        let [p_n, p_t] = answer.impulse;
        let impulse = [Dual::select(parts, zero, p_n), Dual::select(parts, zero, p_t)];
        let moved = problem.after(impulse);
        let found = [impulse[0], impulse[1], moved[0], Dual::select(answer.sticks & !parts, zero, moved[1])];
        let known = Plane { nn, nt, tt, v: [v_n, v_t] }.is_known() & (parts | !answer.refer);
        *kind = write(&found, matrix, 5 + P, known, v_n == 0.0);
    }
}

/// Derivatives in space, by V, W and P parameters, with N slopes.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn space<K: Kernel, const P: usize, const N: usize>(given: &Given, matrices: &mut [f64], kinds: &mut [u8]) {
    let groups = kinds.len().div_ceil(LANES);
    let (inverse_mass, velocity) = (first(&given.inverse_mass, groups), first(&given.velocity, groups));
    let parameters = first(&given.parameters, groups);
    for (r, (matrix, kind)) in matrices.chunks_exact_mut(6 * (9 + P)).zip(kinds).enumerate() {
        let (g, i) = (r / LANES, r % LANES);
        let (mut w, mut v) = ([0.0; 6], [0.0; 3]);
        let zero = Dual::<N>::constant(0.0);
        let (mut problem, mut p) = (Space { w: [zero; 6], v: [zero; 3] }, [zero; PARAMETERS]);
        for k in 0..3 {
            v[k] = velocity[k][g][i];
            problem.v[k] = Dual::variable(v[k], k);
        }
        for k in 0..6 {
            w[k] = inverse_mass[k][g][i];
            problem.w[k] = Dual::variable(w[k], 3 + k);
        }
        for k in 0..P {
            p[k] = Dual::variable(parameters[k][g][i], 9 + k);
        }
        let (answer, parts) = (K::space(&problem, &p), v[0] >= 0.0);
        let mut found = [zero; 6];
        for k in 0..3 {
            found[k] = Dual::select(parts, zero, answer.impulse[k]);
        }
        let moved = problem.after([found[0], found[1], found[2]]);
        let sticks = answer.sticks & !parts;
        found[3] = moved[0];
        found[4] = Dual::select(sticks, zero, moved[1]);
        found[5] = Dual::select(sticks, zero, moved[2]);
        let known = Space { w, v }.is_known() & (parts | !answer.refer);
        *kind = write(&found, matrix, 9 + P, known, v[0] == 0.0);
    }
}

/// Writes the derivatives of a row by a number of inputs, zero if they are not known; returns what is known of them.
#[inline(always)]
fn write<const N: usize, const D: usize>(
    found: &[Dual<N>; D],
    matrix: &mut [f64],
    inputs: usize,
    known: bool,
    kink: bool,
) -> u8 {
    let (mut kink, mut known) = (kink, known);
    for (slot, number) in matrix.chunks_exact_mut(inputs).zip(found) {
        let slopes = number.slopes();
        kink |= number.is_kink();
        known &= number.value().abs() < HUGE;
        for slope in slopes {
            known &= slope.abs() < HUGE;
        }
        slot.copy_from_slice(&slopes[..inputs]);
    }
    if !known {
        matrix.fill(0.0);
    }
    match (known, kink) {
        (false, _) => Derivative::Unknown as u8,
        (true, true) => Derivative::Kink as u8,
        (true, false) => Derivative::Smooth as u8,
    }
}
