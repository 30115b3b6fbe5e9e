//! What contacts do whose slip has stopped: stick, or slip away, each depending on the others.
//!
//! A contact at rest sticks if the friction that holds it is within μ_s of its normal impulse, |dP_t| ≤ μ_s C, and else leaves
//! along the direction its friction opposes, dV_t = λ u with λ ≥ 0 and dP_t = −μ_k C u: the exact invariant ("isoclinic")
//! direction, of which (7.21) of the source is the limit μ = μ̄. All contacts at rest are decided together, since the
//! friction at one changes what the others need and the ratios C. For given C there is always an answer: dP_t is the least of
//!
//! ```text
//! ½ dP_tᵀ W_tt dP_t + dP_tᵀ W_t· dP_elsewhere,    |dP_t,i| ≤ μ_i C_i
//! ```
//!
//! C in turn follows from what the contacts do; the two are repeated until they agree. Where they never agree, the ratios of the
//! last repetition are kept until another contact stops.

use super::field::{Field, Fixed, Motion, Rates};
use nalgebra::{DVector, Matrix2, SymmetricEigen, Vector2};

/// What the contacts do next.
pub(super) struct Decision {
    pub(super) motions: Vec<Motion>,
    /// If ratios and friction had to be fixed.
    pub(super) fixed: Option<Fixed>,
}

/// Friction beyond its limit by this fraction is rounding, and so is a turn by it of a slip that starts.
const SLACK: f64 = 1e-11;
/// In the plane all combinations of so many contacts are tried: 3⁵ = 243.
const MOST_COMBINED: usize = 5;
/// Repetitions in which ratios and friction must agree.
const AGREE: usize = 80;
/// Sweeps over the contacts at rest; each brings friction closer by a factor.
const SWEEPS: usize = 2000;
const SWEPT: f64 = 1e-15;

/// Decides for the contacts at rest, given what the others do. Those in `leaving` cannot stick any more. `None` if the ratios
/// have no solution.
pub(super) fn decide(field: &Field, motions: &[Motion], rest: &[usize], leaving: &[usize]) -> Option<Decision> {
    let mut tried = motions.to_vec();
    for i in rest {
        tried[*i] = if field.is_rough(*i) { Motion::Stick } else { Motion::Slip(Vector2::zeros()) };
    }
    let rest: Vec<usize> = rest.iter().copied().filter(|i| field.is_rough(*i)).collect();
    if let Some(rates) = rates(field, &tried)
        && leaving.is_empty()
        && agrees(field, &tried, &rest, &rates)
    {
        return Some(Decision { motions: tried, fixed: None });
    }
    if field.components == 2
        && rest.len() <= MOST_COMBINED
        && let Some(motions) = combination(field, motions, &rest, leaving)
    {
        return Some(Decision { motions, fixed: None });
    }
    let mut ratios = match rates(field, &tried) {
        Some(rates) => rates.normal,
        None if field.ratios.are_published() => return None,
        None => DVector::from_element(field.contacts, 1.0 / field.contacts as f64),
    };
    for _ in 0..AGREE {
        tried = with_ratios(field, &tried, &rest, leaving, &ratios).0;
        let Some(rates) = rates(field, &tried) else { break };
        if agrees(field, &tried, &rest, &rates) {
            return Some(Decision { motions: tried, fixed: None });
        }
        ratios = (ratios + rates.normal) * 0.5;
    }
    if field.ratios.are_published() {
        return None;
    }
    let (motions, impulse) = with_ratios(field, &tried, &rest, leaving, &ratios);
    Some(Decision { motions, fixed: Some(Fixed { ratios, impulse }) })
}

fn rates(field: &Field, motions: &[Motion]) -> Option<Rates> {
    field.rates(motions, &field.hold(motions), None)
}

/// Whether sticking contacts stay within their friction and slipping ones start along their direction.
fn agrees(field: &Field, motions: &[Motion], rest: &[usize], rates: &Rates) -> bool {
    rest.iter().all(|i| match motions[*i] {
        Motion::Stick => {
            let friction = field.tangential(&rates.impulse, *i).norm();
            friction <= field.static_[*i] * rates.normal[*i] + SLACK
        }
        Motion::Slip(direction) => {
            let start = field.tangential(&rates.velocity, *i);
            let along = start.dot(&direction);
            let slack = SLACK * field.size;
            along >= -slack && (start - direction * along).norm() <= slack
        }
    })
}

/// The combination in the plane that agrees. Of several, one that lets go fewest contacts that stick, then with fewest that slip,
/// then with the least change of velocity: no order of the contacts enters.
fn combination(field: &Field, motions: &[Motion], rest: &[usize], leaving: &[usize]) -> Option<Vec<Motion>> {
    let choices = [Motion::Stick, Motion::Slip(Vector2::x()), Motion::Slip(-Vector2::x())];
    let mut ranked: Vec<((usize, usize), Vec<Motion>)> = (0..3_usize.pow(rest.len() as u32))
        .map(|code| {
            let mut tried = motions.to_vec();
            for (k, i) in rest.iter().enumerate() {
                tried[*i] = choices[code / 3_usize.pow(k as u32) % 3];
            }
            let slipping = || rest.iter().filter(|i| tried[**i] != Motion::Stick);
            let rank = (slipping().filter(|i| motions[**i] == Motion::Stick).count(), slipping().count());
            (rank, tried)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut best: Option<((usize, usize), f64, Vec<Motion>)> = None;
    for (rank, tried) in ranked {
        if best.as_ref().is_some_and(|(least, ..)| rank > *least) {
            break;
        }
        if leaving.iter().any(|i| tried[*i] == Motion::Stick) {
            continue;
        }
        let Some(rates) = rates(field, &tried) else { continue };
        let change = rates.impulse.dot(&rates.velocity);
        let slower = best.as_ref().is_none_or(|(_, slowest, _)| change < *slowest);
        if slower && agrees(field, &tried, rest, &rates) {
            best = Some((rank, change, tried));
        }
    }
    best.map(|(_, _, motions)| motions)
}

/// What the contacts at rest do for given ratios, and the impulses.
fn with_ratios(
    field: &Field,
    motions: &[Motion],
    rest: &[usize],
    leaving: &[usize],
    ratios: &DVector<f64>,
) -> (Vec<Motion>, DVector<f64>) {
    let mut motions = motions.to_vec();
    let mut impulse = DVector::zeros(field.w.nrows());
    for (i, motion) in motions.iter().enumerate() {
        impulse[field.components * i] = ratios[i];
        if let (Motion::Slip(direction), false) = (motion, rest.contains(&i)) {
            field.set_tangential(&mut impulse, i, &(direction * (-field.kinetic[i] * ratios[i])));
        }
    }
    // Whoever exceeds its static friction slips with the kinetic one, which may make others slip.
    let mut slipping: Vec<usize> = leaving.to_vec();
    loop {
        let limit = |i: usize| ratios[i] * if slipping.contains(&i) { field.kinetic[i] } else { field.static_[i] };
        hold_within(field, rest, &limit, &mut impulse);
        let at_limit = |i: usize| field.tangential(&impulse, i).norm() >= limit(i) * (1.0 - SLACK);
        let more: Vec<usize> = rest.iter().copied().filter(|i| !slipping.contains(i) && at_limit(*i)).collect();
        if more.is_empty() {
            let velocity = &field.w * &impulse;
            for i in rest {
                let push = -field.tangential(&impulse, *i);
                let start = field.tangential(&velocity, *i);
                motions[*i] = match (
                    at_limit(*i),
                    push.try_normalize(f64::MIN_POSITIVE),
                    start.try_normalize(SLACK * field.size),
                ) {
                    (true, Some(direction), _) | (true, None, Some(direction)) => Motion::Slip(direction),
                    _ => Motion::Stick,
                };
            }
            return (motions, impulse);
        }
        slipping.extend(more);
    }
}

/// Friction at the contacts at rest that changes their slip least, within its limits: contact by contact, in turns.
fn hold_within(field: &Field, rest: &[usize], limit: &impl Fn(usize) -> f64, impulse: &mut DVector<f64>) {
    for _ in 0..SWEEPS {
        let mut moved: f64 = 0.0;
        for i in rest {
            let at = field.components * *i + 1;
            let own =
                Matrix2::from_fn(|r, c| if r.max(c) < field.components - 1 { field.w[(at + r, at + c)] } else { 0.0 });
            let friction = field.tangential(impulse, *i);
            let drive = Vector2::from_fn(|k, _| {
                if k < field.components - 1 { field.w.row(at + k).transpose().dot(impulse) } else { 0.0 }
            }) - own * friction;
            let friction_new = least_in_disc(&own, &drive, limit(*i), field.components == 2);
            moved = moved.max((friction_new - friction).amax());
            field.set_tangential(impulse, *i, &friction_new);
        }
        if moved <= SWEPT {
            break;
        }
    }
}

/// The p with |p| ≤ r of least ½ pᵀ T p + pᵀ b.
fn least_in_disc(t: &Matrix2<f64>, b: &Vector2<f64>, r: f64, planar: bool) -> Vector2<f64> {
    if planar {
        let free = if t[(0, 0)] > 0.0 { -b.x / t[(0, 0)] } else { 0.0 };
        return Vector2::new(free.clamp(-r, r), 0.0);
    }
    let eigen = SymmetricEigen::new(*t);
    let b = eigen.eigenvectors.tr_mul(b);
    let zero = f64::EPSILON * eigen.eigenvalues.amax();
    let at = |shift: f64| {
        Vector2::from_fn(|k, _| {
            let stiffness = eigen.eigenvalues[k] + shift;
            if stiffness > zero { -b[k] / stiffness } else { 0.0 }
        })
    };
    let mut p = at(0.0);
    if p.norm() > r {
        if r == 0.0 {
            return Vector2::zeros();
        }
        // |p(λ)| falls with λ; 1/|p| is nearly linear in it (Moré & Sorensen 1983).
        let mut shift = 0.0;
        for _ in 0..60 {
            let slope = -(0..2).map(|k| p[k] * p[k] / (eigen.eigenvalues[k] + shift).max(zero)).sum::<f64>() / p.norm();
            let step = (p.norm() / r) * (r - p.norm()) / slope;
            shift += step;
            p = at(shift);
            if step.abs() <= f64::EPSILON * shift {
                break;
            }
        }
        p *= r / p.norm();
    }
    eigen.eigenvectors * p
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_in_a_disc_is_on_its_rim_with_the_slip_against_friction() {
        let t = Matrix2::new(3.0, 0.7, 0.7, 1.1);
        let b = Vector2::new(0.4, -0.9);
        let free = t.try_inverse().map_or_else(Vector2::zeros, |inverse| -(inverse * b));
        assert!((least_in_disc(&t, &b, 2.0 * free.norm(), false) - free).norm() < 1e-14);
        let r = 0.3 * free.norm();
        let p = least_in_disc(&t, &b, r, false);
        let slip = t * p + b;
        assert!((p.norm() - r).abs() < 1e-15 && slip.perp(&p).abs() < 1e-14 && slip.dot(&p) < 0.0, "{p} {slip}");
    }
}
