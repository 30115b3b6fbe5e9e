//! `smith`: V_n' = −e V_n and (|V_t|² + |V_t'|²) P_t = −μ P_n (|V_t| V_t + |V_t'| V_t'), smooth also where the slip reverses.

use super::implicit::{Equations, solved};
use super::{Answer, Row, Slopes};
use crate::batch::kernel::{Space, length};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::{Dual, Real};
use crate::collision::Collision;
use crate::laws as law;
use nalgebra::{Matrix3, Vector3};

pub(super) struct Smith;

/// A slip of this share of the approach, which changes the impulse by as much.
const FAINT: f64 = 1e-9;

impl Equations for Smith {
    fn missing<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS], impulse: [T; 3]) -> [T; 3] {
        let [e, friction, ..] = *p;
        let [v_n, v_1, v_2] = problem.v;
        let [after_n, after_1, after_2] = problem.after(impulse);
        let (before, after) = (length([v_1, v_2]), length([after_1, after_2]));
        let squares = v_1.squared() + v_2.squared() + after_1.squared() + after_2.squared();
        let limit = friction * impulse[0];
        let along = |v: T, v_after: T, p: T| squares * p + limit * (v * before + v_after * after);
        [after_n + e * v_n, along(v_1, after_1, impulse[1]), along(v_2, after_2, impulse[2])]
    }
}

impl Slopes for Smith {
    fn at<const N: usize>(row: &Row<N>) -> Option<Answer<N>> {
        let [v_n, v_1, v_2] = row.problem.v;
        if v_1.value() == 0.0 && v_2.value() == 0.0 {
            // Without slip the direction of friction is that of any slip: the derivatives are those of a faint one.
            let faint = v_1 + Dual::constant(FAINT * v_n.value());
            let problem = Space { v: [v_n, faint, v_2], ..row.problem };
            let w = problem.w.map(Dual::value);
            let w = Matrix3::new(w[0], w[1], w[2], w[1], w[3], w[4], w[2], w[4], w[5]);
            let collision = Collision::new(&w, &Vector3::from(problem.v.map(Dual::value))).ok()?;
            let [restitution, friction, ..] = row.parameters.map(Dual::value);
            let outcome = &law::Smith { restitution, friction }.resolve(&collision).ok()?;
            let mut impulse = solved::<Smith, N>(&Row { problem, parameters: row.parameters, outcome })?;
            impulse[0] = impulse[0].with_kink(true);
            return Some(Answer { impulse, sticks: false });
        }
        Some(Answer { impulse: solved::<Smith, N>(row)?, sticks: false })
    }
}
