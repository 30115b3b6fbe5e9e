//! Derivatives of kernels: dual numbers, a group of rows side by side.

use super::derivative::Derivative;
use super::kernel::{HUGE, Kernel, Plane, Space};
use super::lanes::{Given, LANES, Lanes, PARAMETERS, Wide, first, group, row};
use super::real::{Dual, Real, each};
use multiversion::multiversion;

/// Derivatives in the plane by N inputs: V, W and P parameters.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn plane<K: Kernel, const P: usize, const N: usize>(given: &Given, matrices: &mut [f64], kinds: &mut [u8]) {
    let groups = kinds.len().div_ceil(LANES);
    let ([nn, nt, tt, ..], [v_n, v_t, _]) = (&given.inverse_mass, &given.velocity);
    let columns = first(&[nn, nt, tt, v_n, v_t], groups);
    let parameters = first(&given.parameters, groups);
    let mut slopes = [Fours::default(); N];
    for (g, (matrices, kinds)) in matrices.chunks_mut(LANES * 4 * N).zip(kinds.chunks_mut(LANES)).enumerate() {
        let (x, p): ([Lanes; 5], [Lanes; PARAMETERS]) = (group(&columns, g), group(&parameters, g));
        let (mut unknown, mut kinks) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            let [nn, nt, tt, v_n, v_t] = row(&x, i);
            let var = Dual::<N>::variable;
            let problem = Plane { nn: var(nn, 2), nt: var(nt, 3), tt: var(tt, 4), v: [var(v_n, 0), var(v_t, 1)] };
            let inputs = inputs::<N, P>(&row(&p, i), 5);
            let answer = K::plane(&problem, &inputs);
            let (zero, parts) = (Dual::constant(0.0), v_n >= 0.0);
            let [p_n, p_t] = answer.impulse;
            let impulse = [Dual::select(parts, zero, p_n), Dual::select(parts, zero, p_t)];
            let moved = problem.after(impulse);
            let found = [impulse[0], impulse[1], moved[0], Dual::select(answer.sticks & !parts, zero, moved[1])];
            let known = Plane { nn, nt, tt, v: [v_n, v_t] }.is_known() & (parts | !answer.refer);
            let (kink, size) = keep(&found, &mut slopes, i);
            kinks[i] = kink | u64::from(v_n == 0.0);
            unknown[i] = if known & (size < HUGE) { 0 } else { u64::MAX };
        }
        write::<N, 4>(&slopes, &unknown, &kinks, matrices, kinds);
    }
}

/// Derivatives in space by N inputs: V, W and P parameters.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn space<K: Kernel, const P: usize, const N: usize>(given: &Given, matrices: &mut [f64], kinds: &mut [u8]) {
    let groups = kinds.len().div_ceil(LANES);
    let (inverse_mass, velocity) = (first(&given.inverse_mass, groups), first(&given.velocity, groups));
    let parameters = first(&given.parameters, groups);
    let mut slopes = [[Fours::default(); N]; 2];
    for (g, (matrices, kinds)) in matrices.chunks_mut(LANES * 6 * N).zip(kinds.chunks_mut(LANES)).enumerate() {
        let (ws, vs): ([Lanes; 6], [Lanes; 3]) = (group(&inverse_mass, g), group(&velocity, g));
        let p: [Lanes; PARAMETERS] = group(&parameters, g);
        let (mut unknown, mut kinks) = ([0; LANES], [0; LANES]);
        for i in 0..LANES {
            let (w, v) = (row(&ws, i), row(&vs, i));
            let var = Dual::<N>::variable;
            let problem = Space {
                w: [var(w[0], 3), var(w[1], 4), var(w[2], 5), var(w[3], 6), var(w[4], 7), var(w[5], 8)],
                v: [var(v[0], 0), var(v[1], 1), var(v[2], 2)],
            };
            let inputs = inputs::<N, P>(&row(&p, i), 9);
            let answer = K::space(&problem, &inputs);
            let (zero, parts) = (Dual::constant(0.0), v[0] >= 0.0);
            let [p0, p1, p2] = answer.impulse;
            let impulse = [Dual::select(parts, zero, p0), Dual::select(parts, zero, p1), Dual::select(parts, zero, p2)];
            let [v0, v1, v2] = problem.after(impulse);
            let sticks = answer.sticks & !parts;
            let after = [v0, Dual::select(sticks, zero, v1), Dual::select(sticks, zero, v2)];
            let found = [impulse[0], impulse[1], impulse[2], after[0], after[1], after[2]];
            let known = Space { w, v }.is_known() & (parts | !answer.refer);
            let (kink, size) = keep(&found, slopes.as_flattened_mut(), i);
            kinks[i] = kink | u64::from(v[0] == 0.0);
            unknown[i] = if known & (size < HUGE) { 0 } else { u64::MAX };
        }
        write::<N, 6>(slopes.as_flattened(), &unknown, &kinks, matrices, kinds);
    }
}

/// The P parameters of a law as inputs from a place on; those that it does not have are zero. Not a loop, as in [`each`].
#[inline(always)]
fn inputs<const N: usize, const P: usize>(values: &[f64; PARAMETERS], from: usize) -> [Dual<N>; PARAMETERS] {
    let input = |k: usize| if k < P { Dual::variable(values[k], from + k) } else { Dual::constant(0.0) };
    [input(0), input(1), input(2), input(3), input(4)]
}

/// Entries of a matrix that stand side by side for each row.
const ENTRIES: usize = 4;

/// Four entries of a matrix for every row of a group. Lines of the cache keep vectors whole.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Fours([[f64; ENTRIES]; LANES]);

/// Keeps the derivatives of a row; returns whether they hold on one side only, and a number that is huge or NaN if one of those of the impulse
/// is: those of the velocity after are then not far.
#[inline(always)]
fn keep<const N: usize, const D: usize>(found: &[Dual<N>; D], slopes: &mut [Fours], i: usize) -> (u64, f64) {
    let (mut kink, mut size) = (0, [0.0; 4]);
    each!(R, D, {
        kink |= found[R].kink();
        each!(K, N, {
            let (slope, place) = (found[R].slope(K), R * N + K);
            slopes[place / ENTRIES].0[i][place % ENTRIES] = slope;
            if R < D / 2 {
                size[(R + K) % 4] += slope.abs();
            }
        });
        if R < D / 2 {
            size[R % 4] += found[R].value().abs();
        }
    });
    (kink, (size[0] + size[1]) + (size[2] + size[3]))
}

/// Writes the derivatives of a group as one matrix of D rows for each row.
#[inline(always)]
fn write<const N: usize, const D: usize>(
    slopes: &[Fours],
    unknown: &Wide,
    kinks: &Wide,
    matrices: &mut [f64],
    kinds: &mut [u8],
) {
    for (i, matrix) in matrices.chunks_exact_mut(D * N).enumerate() {
        let (fours, rest) = matrix.as_chunks_mut::<ENTRIES>();
        for (four, lanes) in fours.iter_mut().zip(slopes) {
            *four = lanes.0[i];
        }
        if !rest.is_empty() {
            rest.copy_from_slice(&slopes[D * N / ENTRIES].0[i][..rest.len()]);
        }
    }
    let mut some = 0;
    for (i, kind) in kinds.iter_mut().enumerate() {
        *kind = if kinks[i] != 0 { Derivative::Kink as u8 } else { Derivative::Smooth as u8 };
        some |= unknown[i];
    }
    if some == 0 {
        return;
    }
    for (i, (matrix, kind)) in matrices.chunks_exact_mut(D * N).zip(kinds).enumerate() {
        if unknown[i] != 0 {
            *kind = Derivative::Unknown as u8;
            matrix.fill(0.0);
        }
    }
}
