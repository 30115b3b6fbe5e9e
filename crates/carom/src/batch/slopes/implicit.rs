//! One Newton step on dual numbers.

use super::Row;
use crate::batch::kernel::Space;
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::{Dual, Real};
use nalgebra::Matrix3;

/// The equations of a law for its impulse.
pub(super) trait Equations {
    /// What is missing of each; zero for an answer.
    fn missing<T: Real>(problem: &Space<T>, parameters: &[T; PARAMETERS], impulse: [T; 3]) -> [T; 3];
}

/// The answer of a law with its derivatives; `None` where the equations do not fix it.
pub(super) fn solved<E: Equations, const N: usize>(row: &Row<N>) -> Option<[Dual<N>; 3]> {
    let impulse = [row.outcome.impulse.x, row.outcome.impulse.y, row.outcome.impulse.z];
    let plain = |x: Dual<N>| Dual::<3>::constant(x.value());
    let problem = Space { w: row.problem.w.map(plain), v: row.problem.v.map(plain) };
    let mut unknowns = [Dual::<3>::constant(0.0); 3];
    for (k, (unknown, value)) in unknowns.iter_mut().zip(impulse).enumerate() {
        *unknown = Dual::variable(value, k);
    }
    let by_unknowns = E::missing(&problem, &row.parameters.map(plain), unknowns);
    let inverse = Matrix3::from_fn(|i, j| by_unknowns[i].slopes()[j]).try_inverse()?;
    let missing = E::missing(&row.problem, &row.parameters, impulse.map(Dual::constant));
    let mut answer = impulse.map(Dual::constant);
    for (i, component) in answer.iter_mut().enumerate() {
        for (j, equation) in missing.into_iter().enumerate() {
            *component = *component - equation * inverse[(i, j)];
        }
    }
    Some(answer)
}
