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
//!
//! **Two contacts** meet the rule |z_1·dP_1| = |z_2·dP_2| exactly. At C_1 = 0 the left side is zero, at C_2 = 0 the right side, and
//! between them both change continuously if μ_s = μ_k: some C in between satisfies the rule together with Coulomb's law. An answer
//! that agrees with Coulomb's law alone is therefore not accepted. With μ_s > μ_k friction drops where a contact starts to slip, and
//! the rule may be jumped over: the ratios at the jump are kept then.

use super::field::{Field, Fixed, Motion, Rates};
use nalgebra::{DVector, Matrix2, SymmetricEigen, Vector2};

/// What the contacts do next.
pub(super) struct Decision {
    pub(super) motions: Vec<Motion>,
    /// If ratios and friction had to be fixed.
    pub(super) fixed: Option<Fixed>,
    /// The signs of the pairs that stick, if they matter.
    pub(super) signs: Option<Vec<f64>>,
}

impl Decision {
    fn new(motions: Vec<Motion>, signs: Option<Vec<f64>>) -> Decision {
        Decision { motions, fixed: None, signs }
    }
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
/// A departure from the rule of the ratios, per unit of normal impulse, that is rounding.
const MET: f64 = 1e-9;
/// Halvings of the range of a ratio.
const HALVINGS: usize = 200;

/// Decides for the contacts at rest, given what the others do. Those in `leaving` cannot stick any more. `None` if the ratios
/// have no solution.
pub(super) fn decide(field: &Field, motions: &[Motion], rest: &[usize], leaving: &[usize]) -> Option<Decision> {
    let mut tried = motions.to_vec();
    for i in rest {
        tried[*i] = if field.is_rough(*i) { Motion::Stick } else { Motion::Slip(Vector2::zeros()) };
    }
    let rest: Vec<usize> = rest.iter().copied().filter(|i| field.is_rough(*i)).collect();
    if leaving.is_empty() {
        for signs in choices(field, &tried) {
            if rates(field, &tried, signs.as_ref()).is_some_and(|rates| agrees(field, &tried, &rest, &rates)) {
                return Some(Decision::new(tried, signs));
            }
        }
    }
    if field.components == 2
        && rest.len() <= MOST_COMBINED
        && let Some(decision) = combination(field, motions, &rest, leaving)
    {
        return Some(decision);
    }
    if let Some(decision) = between(field, &tried, &rest, leaving) {
        return Some(decision);
    }
    let mut ratios = match rates(field, &tried, None) {
        Some(rates) => rates.normal,
        None if field.ratios.are_published() => return None,
        None => DVector::from_element(field.contacts, 1.0 / field.contacts as f64),
    };
    for _ in 0..AGREE {
        tried = with_ratios(field, &tried, &rest, leaving, &ratios).0;
        let Some(rates) = rates(field, &tried, None) else { break };
        if agrees(field, &tried, &rest, &rates) {
            return Some(Decision::new(tried, None));
        }
        ratios = (ratios + rates.normal) * 0.5;
    }
    if field.ratios.are_published() {
        return None;
    }
    let (motions, impulse) = with_ratios(field, &tried, &rest, leaving, &ratios);
    Some(Decision { motions, fixed: Some(Fixed { ratios, impulse }), signs: None })
}

fn rates(field: &Field, motions: &[Motion], signs: Option<&Vec<f64>>) -> Option<Rates> {
    let mut hold = field.hold(motions);
    hold.signs = signs.cloned();
    field.rates(motions, &hold, None)
}

/// Whether two contacts must meet the rule of their ratios exactly.
fn is_exact(field: &Field) -> bool {
    field.contacts == 2 && !field.ratios.are_published()
}

/// The signs to try for the pairs that stick: both for two contacts, the source's first, else those that meet the rule best.
fn choices(field: &Field, motions: &[Motion]) -> Vec<Option<Vec<f64>>> {
    if is_exact(field) && motions.contains(&Motion::Stick) {
        vec![Some(vec![1.0]), Some(vec![-1.0])]
    } else {
        vec![None]
    }
}

/// Two contacts: the ratio at which the rule and Coulomb's law hold together, by halving the range of the ratio.
fn between(field: &Field, motions: &[Motion], rest: &[usize], leaving: &[usize]) -> Option<Decision> {
    if !is_exact(field) || rest.is_empty() {
        return None;
    }
    let at = |first: f64| {
        let ratios = DVector::from_vec(vec![first, 1.0 - first]);
        let (motions, impulse) = with_ratios(field, motions, rest, leaving, &ratios);
        (field.ratios.excess(&impulse), motions, ratios, impulse)
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if at(middle).0 < 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    // The side of a jump that departs less.
    let (below, above) = (at(low), at(high));
    let (_, motions, ratios, impulse) = if below.0.abs() < above.0.abs() { below } else { above };
    for signs in choices(field, &motions) {
        if rates(field, &motions, signs.as_ref()).is_some_and(|rates| agrees(field, &motions, rest, &rates)) {
            return Some(Decision::new(motions, signs));
        }
    }
    Some(Decision { motions, fixed: Some(Fixed { ratios, impulse }), signs: None })
}

/// Whether sticking contacts stay within their friction, slipping ones start along their direction, and two contacts meet the
/// rule of their ratios.
fn agrees(field: &Field, motions: &[Motion], rest: &[usize], rates: &Rates) -> bool {
    if is_exact(field) && field.ratios.departure(&rates.impulse) > MET {
        return false;
    }
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
fn combination(field: &Field, motions: &[Motion], rest: &[usize], leaving: &[usize]) -> Option<Decision> {
    let options = [Motion::Stick, Motion::Slip(Vector2::x()), Motion::Slip(-Vector2::x())];
    let mut ranked: Vec<((usize, usize), Vec<Motion>)> = (0..3_usize.pow(rest.len() as u32))
        .map(|code| {
            let mut tried = motions.to_vec();
            for (k, i) in rest.iter().enumerate() {
                tried[*i] = options[code / 3_usize.pow(k as u32) % 3];
            }
            let slipping = || rest.iter().filter(|i| tried[**i] != Motion::Stick);
            let rank = (slipping().filter(|i| motions[**i] == Motion::Stick).count(), slipping().count());
            (rank, tried)
        })
        .collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let mut best: Option<((usize, usize), f64, Decision)> = None;
    for (rank, tried) in ranked {
        if best.as_ref().is_some_and(|(least, ..)| rank > *least) {
            break;
        }
        if leaving.iter().any(|i| tried[*i] == Motion::Stick) {
            continue;
        }
        for signs in choices(field, &tried) {
            let Some(rates) = rates(field, &tried, signs.as_ref()) else { continue };
            let change = rates.impulse.dot(&rates.velocity);
            let slower = best.as_ref().is_none_or(|(_, slowest, _)| change < *slowest);
            if slower && agrees(field, &tried, rest, &rates) {
                best = Some((rank, change, Decision::new(tried.clone(), signs)));
            }
        }
    }
    best.map(|(_, _, decision)| decision)
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
