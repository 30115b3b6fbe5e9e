//! `whittaker` in space: P = M (U − V) while sticking, U = (−e V_n, 0); else V_n' = −e V_n and |V_t'| P_t = −μ_k P_n V_t'.

use super::implicit::{Equations, solved};
use super::{Answer, Row, Slopes};
use crate::batch::kernel::{Space, length};
use crate::batch::lanes::PARAMETERS;
use crate::batch::real::{Dual, Real};
use crate::outcome::Mode;
use nalgebra::Vector2;

pub(super) struct Whittaker;

impl Equations for Whittaker {
    fn missing<T: Real>(problem: &Space<T>, p: &[T; PARAMETERS], impulse: [T; 3]) -> [T; 3] {
        let [e, _, kinetic_friction, ..] = *p;
        let [after_n, after_1, after_2] = problem.after(impulse);
        let (slip, limit) = (length([after_1, after_2]), kinetic_friction * impulse[0]);
        [after_n + e * problem.v[0], slip * impulse[1] + limit * after_1, slip * impulse[2] + limit * after_2]
    }
}

impl Whittaker {
    /// The answer for a restitution and coefficients of static and kinetic friction.
    pub(super) fn of<const N: usize>(
        row: &Row<N>,
        e: Dual<N>,
        static_friction: Dual<N>,
        kinetic_friction: Dual<N>,
    ) -> Option<Answer<N>> {
        let [v_n, v_1, v_2] = row.problem.v;
        let stick = row.problem.mass_times(row.problem.inverses(), [-(v_n + e * v_n), -v_1, -v_2]);
        let zero = Dual::constant(0.0);
        // A tie between sticking and slipping.
        let limit = static_friction * stick[0];
        let edge = Dual::at_most(length([stick[1], stick[2]]), limit, stick[0], zero).kink() != 0;
        let sticks = row.outcome.mode == Mode::Sticking && row.outcome.velocity_after.yz() == Vector2::zeros();
        let parameters = [e, static_friction, kinetic_friction, zero, zero];
        let slipping = Row { parameters, problem: row.problem, outcome: row.outcome };
        let mut impulse = if sticks { stick } else { solved::<Whittaker, N>(&slipping)? };
        impulse[0] = impulse[0].with_kink(edge);
        Some(Answer { impulse, sticks })
    }
}

impl Slopes for Whittaker {
    fn at<const N: usize>(row: &Row<N>) -> Option<Answer<N>> {
        let [e, static_friction, kinetic_friction, ..] = row.parameters;
        Whittaker::of(row, e, static_friction, kinetic_friction)
    }
}
