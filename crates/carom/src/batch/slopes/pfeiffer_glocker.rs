//! `pfeiffer-glocker` in space: the planar formulas in the plane of the slip, or of the coupling where nothing slips. The law
//! answers for collisions that stay in a plane; where a change leads out of it, its coupling to the other tangent is left aside.

use super::{Answer, Row, Slopes, turned};
use crate::batch::kernel::{Kernel, Plane, length, turn_back};
use crate::batch::kernels::PfeifferGlocker as Planar;
use crate::batch::real::{Dual, Real};

pub(super) struct PfeifferGlocker;

impl Slopes for PfeifferGlocker {
    fn at<const N: usize>(row: &Row<N>) -> Option<Answer<N>> {
        let ([_, v_1, v_2], [_, n1, n2, ..]) = (row.problem.v, row.problem.w);
        let still = v_1.value() == 0.0 && v_2.value() == 0.0;
        let along = if still { [n1, n2] } else { [v_1, v_2] };
        let size = length(along);
        let tangent = if size.value() > 0.0 {
            [along[0] / size, along[1] / size]
        } else {
            [Dual::constant(1.0), Dual::constant(0.0)]
        };
        let in_plane = turned(&row.problem, tangent);
        let [nn, nt, _, tt, ..] = in_plane.w;
        let plane = Plane { nn, nt, tt, v: [in_plane.v[0], in_plane.v[1]] };
        let answer = Planar::plane(&plane, &row.parameters);
        let [normal, tangential] = answer.impulse;
        let mut impulse = turn_back([normal, tangential, Dual::constant(0.0)], tangent);
        impulse[0] = impulse[0].with_kink(still);
        (!answer.refer).then_some(Answer { impulse, sticks: false })
    }
}
