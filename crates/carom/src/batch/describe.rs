//! What follows from W, V, P and V': change of energy, mode, restitutions, and whether the audit is certain to find nothing.
//!
//! **Audit.** With v the largest component of V and t the trace of W, the energy at stake is E = ½ V·M V ≥ ½ v²/t, since no eigenvalue of
//! W exceeds t. The tolerances of the audit are thus at least METHOD v for velocities, METHOD v/√(t W_nn) for impulses and METHOD ½ v²/t
//! for energies, with METHOD = 10⁻⁹ ([`crate::audit`]). Half of each is granted here. The other half covers the rounding of this test: sums
//! of at most ten terms whose sizes are bounded by 10⁵ of the scale, so that it stays below 10⁵ · 10 ε ≈ 2·10⁻¹⁰ of it. What is not certain
//! goes to the audit itself.

use super::kernel::OF_CHANGE;
use super::lanes::{Codes, DETAILS, Found, Given, LANES, Lanes, Wide, first, group};
use super::outputs::{Status, code};
use crate::outcome::{AT_THE_LIMIT, Mode, STOPPED};
use multiversion::multiversion;

/// Half of the audit's METHOD.
const GRANTED: f64 = 0.5e-9;
/// Terms beyond this much of their scale round too coarsely.
const LARGEST_TERM: f64 = 1e5;

/// What does not change from row to row.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    pub(super) components: usize,
    /// The parameter that is the coefficient of friction.
    pub(super) friction: Option<usize>,
    pub(super) restores_slip: bool,
}

/// The outputs of a block; those that are not asked for are empty.
pub(super) struct Described<'a> {
    pub(super) energy_change: &'a mut [Lanes],
    pub(super) restitution: [&'a mut [Lanes]; 4],
    pub(super) status: &'a mut [Codes],
    pub(super) mode: &'a mut [Codes],
    /// Not zero where the audit itself has to decide.
    pub(super) audit: &'a mut [Codes],
}

/// Works out the outputs of a block.
#[multiversion(targets("x86_64+avx512f+avx512dq+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn describe(shared: &Shared, given: &Given, found: &Found, outputs: &mut Described) {
    if shared.components == 2 {
        all::<2>(shared, given, found, outputs);
    } else {
        all::<3>(shared, given, found, outputs);
    }
}

#[inline(always)]
fn all<const D: usize>(shared: &Shared, given: &Given, found: &Found, outputs: &mut Described) {
    let groups = found.refer.len();
    // Columns of known length need no checks in the loop; those of a third component are not read in the plane.
    let third = if D == 2 { 0 } else { 2 };
    let ([nn, nt, tt, ..], [p_n, p_t, _], [v_n, v_t, _]) = (&given.inverse_mass, &found.impulse, &found.after);
    let inverse_mass = first(&if D == 2 { [*nn, *nt, *tt, *nn, *nn, *nn] } else { given.inverse_mass }, groups);
    let velocity = first(&[given.velocity[0], given.velocity[1], given.velocity[third]], groups);
    let impulses = first(&[&**p_n, &**p_t, &*found.impulse[third]], groups);
    let velocities = first(&[&**v_n, &**v_t, &*found.after[third]], groups);
    let frictions = shared.friction.map(|place| &given.parameters[place][..groups]);
    for g in 0..groups {
        let change =
            Changes { before: group(&velocity, g), impulse: group(&impulses, g), after: group(&velocities, g) };
        let friction = match frictions {
            Some(column) => column[g],
            None => [0.0; LANES],
        };
        if let Some(slot) = outputs.status.get_mut(g) {
            *slot = statuses::<D>(&change);
        }
        if let Some(slot) = outputs.energy_change.get_mut(g) {
            *slot = energy_changes::<D>(&change);
        }
        if let Some(slot) = outputs.mode.get_mut(g) {
            *slot = modes::<D>(&change, &friction, shared.restores_slip, &found.mode[g]);
        }
        if !outputs.restitution[0].is_empty() {
            let details = group(&[&*found.details[0], &*found.details[1], &*found.details[2]], g);
            let all = restitutions::<D>(&change, &details);
            for k in 0..4 {
                outputs.restitution[k][g] = all[k];
            }
        }
        if let Some(slot) = outputs.audit.get_mut(g) {
            *slot = uncertain::<D>(&group(&inverse_mass, g), &change, &friction);
        }
    }
}

/// V, P and V' of the rows of a group.
struct Changes<const D: usize> {
    before: [Lanes; D],
    impulse: [Lanes; D],
    after: [Lanes; D],
}

#[inline(always)]
fn statuses<const D: usize>(change: &Changes<D>) -> Codes {
    let mut codes = [0; LANES];
    for i in 0..LANES {
        codes[i] = if change.before[0][i] > 0.0 { Status::Separating as u8 } else { Status::Resolved as u8 };
    }
    codes
}

#[inline(always)]
fn energy_changes<const D: usize>(change: &Changes<D>) -> Lanes {
    let mut sum = [0.0; LANES];
    for k in 0..D {
        for i in 0..LANES {
            sum[i] += 0.5 * change.impulse[k][i] * (change.before[k][i] + change.after[k][i]);
        }
    }
    sum
}

/// The squares of tangential vectors.
#[inline(always)]
fn tangential<const D: usize>(x: &[Lanes; D]) -> Lanes {
    let mut sum = [0.0; LANES];
    for k in 1..D {
        for i in 0..LANES {
            sum[i] += x[k][i] * x[k][i];
        }
    }
    sum
}

/// The codes of the modes: of a law that follows the collision its own, else as [`Mode::of_contact`] reads it off the change, by
/// selections.
#[inline(always)]
fn modes<const D: usize>(change: &Changes<D>, friction: &Lanes, restores_slip: bool, followed: &Wide) -> Codes {
    let Changes { before, impulse, after } = change;
    let (slip, pushed, slip_after) = (tangential(before), tangential(impulse), tangential(after));
    let mut turning = [0.0; LANES];
    for k in 1..D {
        for i in 0..LANES {
            turning[i] += before[k][i] * after[k][i];
        }
    }
    let select = |condition: bool, chosen: Mode, other: u64| if condition { u64::from(code(chosen)) } else { other };
    let mut found = [0; LANES];
    for i in 0..LANES {
        let speed = (slip[i] + before[0][i] * before[0][i]).max(slip_after[i] + after[0][i] * after[0][i]).sqrt();
        let (along, normal) = (pushed[i].sqrt(), impulse[0][i]);
        let slides = select(turning[i] < 0.0, Mode::ReversedSliding, u64::from(code(Mode::Sliding)));
        let inside = restores_slip & (along < friction[i] * normal * (1.0 - AT_THE_LIMIT));
        let slips = select(inside, Mode::InsideCone, slides);
        let moves = select(slip_after[i].sqrt() <= STOPPED * speed, Mode::Sticking, slips);
        let acts = select((friction[i] == 0.0) & (along == 0.0), Mode::Frictionless, moves);
        let read = select((normal == 0.0) & (along == 0.0), Mode::Touching, acts);
        let own = if followed[i] == OF_CHANGE { read } else { followed[i] };
        found[i] = select(before[0][i] > 0.0, Mode::Separating, own);
    }
    found.map(|code| code as u8)
}

/// Newton's, Poisson's, Stronge's and Ivanov's restitution; NaN where a change does not define one.
#[inline(always)]
fn restitutions<const D: usize>(change: &Changes<D>, details: &[Lanes; DETAILS]) -> [Lanes; 4] {
    let Changes { before, impulse, after } = change;
    let [compression, compressed, restored] = details;
    let (mut spent, mut returned) = ([0.0; LANES], [0.0; LANES]);
    for k in 0..D {
        for i in 0..LANES {
            spent[i] += impulse[k][i] * before[k][i];
            returned[i] += impulse[k][i] * after[k][i];
        }
    }
    let mut all = [[f64::NAN; LANES]; 4];
    for i in 0..LANES {
        let ratio = |numerator: f64, denominator: f64| {
            let defined = (denominator != 0.0) & (before[0][i] <= 0.0);
            if defined { numerator / denominator } else { f64::NAN }
        };
        let square = ratio(restored[i], -compressed[i]);
        all[0][i] = ratio(-after[0][i], before[0][i]);
        all[1][i] = ratio(impulse[0][i] - compression[i], compression[i]);
        // Rounding may have made it negative.
        all[2][i] = (if square < 0.0 { 0.0 } else { square }).sqrt();
        all[3][i] = ratio(-returned[i], spent[i]);
    }
    all
}

/// Not zero where the audit is not certain to find nothing.
#[inline(always)]
fn uncertain<const D: usize>(w: &[Lanes; 6], change: &Changes<D>, friction: &Lanes) -> Codes {
    let Changes { before, impulse, after: claimed } = change;
    let squares = tangential(impulse);
    let mut found = [0; LANES];
    for i in 0..LANES {
        let (mut speed, mut trace) = (0.0_f64, 0.0);
        for k in 0..D {
            speed = speed.max(before[k][i].abs());
            trace += w[place::<D>(k, k)][i];
        }
        let energy = 0.5 * speed * speed / trace;
        let scale = speed / (trace * w[0][i]).sqrt();
        let (mut terms, mut gain, mut agree) = (0.0, 0.0, true);
        for k in 0..D {
            let (mut after, mut size) = (before[k][i], before[k][i].abs());
            for j in 0..D {
                let moved = w[place::<D>(k, j)][i] * impulse[j][i];
                after += moved;
                size += moved.abs();
            }
            terms += impulse[k][i].abs() * (before[k][i].abs() + size);
            gain += 0.5 * impulse[k][i] * (before[k][i] + after);
            agree &= (size <= LARGEST_TERM * speed) & ((claimed[k][i] - after).abs() <= GRANTED * speed);
            agree &= (k > 0) | (after >= -GRANTED * speed);
        }
        let (normal, limit) = (impulse[0][i], GRANTED * scale);
        agree &= (terms <= LARGEST_TERM * energy) & (gain <= GRANTED * energy);
        agree &= (normal.abs() <= LARGEST_TERM * scale) & (normal >= -limit);
        agree &= squares[i].sqrt() <= friction[i] * normal + (1.0 + friction[i]) * limit;
        found[i] = u64::from(!agree);
    }
    found.map(|flag| flag as u8)
}

/// The column that holds an entry of W.
#[inline(always)]
fn place<const D: usize>(row: usize, column: usize) -> usize {
    let (row, column) = if row < column { (row, column) } else { (column, row) };
    if D == 2 { row + column } else { [0, 2, 3][row] + column }
}
