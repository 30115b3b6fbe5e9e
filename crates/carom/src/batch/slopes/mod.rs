//! Derivatives of laws without a kernel, at an answer that the law itself has given.
//!
//! With x the answer and θ the numbers by which derivatives are taken, laws that iterate satisfy equations F(x, θ) = 0, so that
//! dx = −F_x⁻¹ F_θ dθ (implicit function theorem): one Newton step on dual numbers from the answer. Routh's process in space follows the
//! slip: the same steps on dual numbers are its variational equation.

mod accessible;
mod field;
mod implicit;
mod pfeiffer_glocker;
mod routh;
mod series;
mod smith;
mod whittaker;

use super::derivative::{Derivative, write};
use super::kernel::Space;
use super::lanes::PARAMETERS;
use super::real::{Dual, Real};
use crate::collision::Collision;
use crate::dimension::Dimension;
use crate::law::Law;
use crate::laws;
use crate::outcome::ContactOutcome;
use accessible::Accessible;
use pfeiffer_glocker::PfeifferGlocker;
use routh::{RouthNewton, RouthPoisson, RouthStronge};
use smith::Smith;
use whittaker::Whittaker;

/// A collision of approaching bodies as dual numbers, and the law's answer. In the plane nothing happens along t2.
struct Row<'a, const N: usize> {
    problem: Space<Dual<N>>,
    parameters: [Dual<N>; PARAMETERS],
    outcome: &'a ContactOutcome,
}

/// An answer with its derivatives.
struct Answer<const N: usize> {
    impulse: [Dual<N>; 3],
    /// Whether the contact sticks, so that V_t after is zero exactly.
    sticks: bool,
}

trait Slopes {
    /// The answer with its derivatives; `None` where it has none.
    fn at<const N: usize>(row: &Row<N>) -> Option<Answer<N>>;
}

/// Derivatives of one answer: W and V as they are, values of the law's parameters, the answer, and the matrix to write.
pub(super) type Differentiate = fn(&Collision, &[f64], &ContactOutcome, &mut [f64]) -> Derivative;

struct Entry {
    law: &'static str,
    plane: Option<Differentiate>,
    space: Differentiate,
}

macro_rules! entry {
    ($law:literal, $slopes:ty, $parameters:literal, spatial) => {
        Entry { law: $law, plane: None, space: row::<$slopes, { 9 + $parameters }, 3> }
    };
    ($law:literal, $slopes:ty, $parameters:literal) => {
        Entry { plane: Some(row::<$slopes, { 5 + $parameters }, 2>), ..entry!($law, $slopes, $parameters, spatial) }
    };
}

/// The laws, with the number of their parameters. Those that have a kernel in the plane have theirs there.
static ENTRIES: [Entry; 7] = [
    entry!("smith", Smith, 2),
    entry!("accessible", Accessible, 4),
    entry!("whittaker", Whittaker, 3, spatial),
    entry!("pfeiffer-glocker", PfeifferGlocker, 4, spatial),
    entry!("routh-poisson", RouthPoisson, 2, spatial),
    entry!("routh-newton", RouthNewton, 2, spatial),
    entry!("routh-stronge", RouthStronge, 2, spatial),
];

/// The function that differentiates answers of a law.
pub(super) fn of(law: &'static Law, dimension: Dimension) -> Option<Differentiate> {
    let listed = laws::ALL.iter().any(|own| std::ptr::eq(own, law));
    let entry = ENTRIES.iter().find(|entry| listed && entry.law == law.id)?;
    if dimension.is_planar() { entry.plane } else { Some(entry.space) }
}

/// Derivatives of an answer by N inputs, in D components.
fn row<L: Slopes, const N: usize, const D: usize>(
    collision: &Collision,
    values: &[f64],
    outcome: &ContactOutcome,
    matrix: &mut [f64],
) -> Derivative {
    let (w, v) = (collision.inverse_mass(), collision.velocity());
    let entries = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
    let problem = Space { w: entries.map(|place| w[place]), v: [v.x, v.y, v.z] };
    let places: &[usize] = if D == 2 { &[0, 1, 3] } else { &[0, 1, 2, 3, 4, 5] };
    let mut dual = Space { w: problem.w.map(Dual::<N>::constant), v: problem.v.map(Dual::<N>::constant) };
    for k in 0..D {
        dual.v[k] = Dual::variable(problem.v[k], k);
    }
    for (k, place) in places.iter().enumerate() {
        dual.w[*place] = Dual::variable(problem.w[*place], D + k);
    }
    let mut parameters = [Dual::constant(0.0); PARAMETERS];
    for (k, value) in values.iter().enumerate() {
        parameters[k] = Dual::variable(*value, D + places.len() + k);
    }
    let parts = v.x >= 0.0;
    let answer = if parts {
        Some(Answer { impulse: [Dual::constant(0.0); 3], sticks: false })
    } else {
        L::at(&Row { problem: dual, parameters, outcome }).filter(|answer| agrees(answer, outcome))
    };
    let (known, answer) = match answer {
        Some(answer) if problem.is_known() => (true, answer),
        _ => (false, Answer { impulse: [Dual::constant(0.0); 3], sticks: false }),
    };
    let moved = dual.after(answer.impulse);
    let mut found = [Dual::constant(0.0); 6];
    for k in 0..D {
        found[k] = answer.impulse[k];
        found[D + k] = if answer.sticks && k > 0 { Dual::constant(0.0) } else { moved[k] };
    }
    write(&found[..2 * D], matrix, known, v.x == 0.0)
}

/// Dual numbers and the law agree on the impulse to this fraction; where they do not, the derivatives are of something else.
const AGREES: f64 = 1e-7;

fn agrees<const N: usize>(answer: &Answer<N>, outcome: &ContactOutcome) -> bool {
    let size = outcome.impulse.norm();
    answer.impulse.iter().zip(&outcome.impulse).all(|(dual, law)| (dual.value() - law).abs() <= AGREES * size)
}

/// W and V with a first tangent (c, s).
fn turned<T: Real>(problem: &Space<T>, [c, s]: [T; 2]) -> Space<T> {
    let [nn, n1, n2, w11, w12, w22] = problem.w;
    let [v_n, v_1, v_2] = problem.v;
    let (cc, cs, ss) = (c * c, c * s, s * s);
    let w = [
        nn,
        n1 * c + n2 * s,
        n2 * c - n1 * s,
        w11 * cc + w12 * cs * 2.0 + w22 * ss,
        (w22 - w11) * cs + w12 * (cc - ss),
        w11 * ss - w12 * cs * 2.0 + w22 * cc,
    ];
    Space { w, v: [v_n, v_1 * c + v_2 * s, v_2 * c - v_1 * s] }
}
