//! `smith`: V_n' = −e V_n and (|V_t|² + |V_t'|²) P_t = −μ P_n (|V_t| V_t + |V_t'| V_t'), smooth also where the slip reverses.

use super::implicit::{Equations, solved};
use super::whittaker::Whittaker;
use super::{Answer, Row, Slopes};
use crate::batch::kernel::{Space, length};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::Real;

pub(super) struct Smith;

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
        let [_, v_1, v_2] = row.problem.v;
        if v_1.value() == 0.0 && v_2.value() == 0.0 {
            // Without slip the law is Whittaker's.
            let [e, friction, ..] = row.parameters;
            let mut answer = Whittaker::of(row, e, friction, friction)?;
            answer.impulse[0] = answer.impulse[0].with_kink(true);
            return Some(answer);
        }
        Some(Answer { impulse: solved::<Smith, N>(row)?, sticks: false })
    }
}
