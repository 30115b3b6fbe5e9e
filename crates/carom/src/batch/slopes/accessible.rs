//! `accessible`: the distance to the boundary in closed form, from a reference on the normal.

use super::{Answer, Row, Slopes};
use crate::batch::kernel::turn_back;
use crate::batch::real::{Dual, Real};

pub(super) struct Accessible;

/// The sine of an angle that is nearly π counts as zero below this, as in the law.
const NO_SINE: f64 = 4.0 * f64::EPSILON;

/// Sine and cosine of an angle.
fn sine_and_cosine<const N: usize>(angle: Dual<N>) -> (Dual<N>, Dual<N>) {
    let (sine, cosine) = angle.value().sin_cos();
    let change = angle - Dual::constant(angle.value());
    (Dual::constant(sine) + change * cosine, Dual::constant(cosine) - change * sine)
}

/// The s > 0 where a s² + 2 b s + c rises to zero, for a > 0 > c.
fn rise<const N: usize>(a: Dual<N>, b: Dual<N>, c: Dual<N>) -> Dual<N> {
    let root = (b * b - a * c).sqrt();
    if b.value() > 0.0 { -c / (b + root) } else { (root - b) / a }
}

impl Slopes for Accessible {
    fn at<const N: usize>(row: &Row<N>) -> Option<Answer<N>> {
        let [fraction, polar, azimuth, friction, _] = row.parameters;
        let (problem, tangent) = row.problem.opposing_direction();
        let ([nn, n1, n2, w11, w12, w22], [v_n, v_1, v_2]) = (problem.w, problem.v);
        let start = -v_n * 1.5 / nn;
        let ((sine, cosine), (side, front)) = (sine_and_cosine(polar), sine_and_cosine(azimuth));
        let d = [cosine, sine * front, sine * side];
        let pull = [
            nn * d[0] + n1 * d[1] + n2 * d[2],
            n1 * d[0] + w11 * d[1] + w12 * d[2],
            n2 * d[0] + w12 * d[1] + w22 * d[2],
        ];
        // The energy ellipsoid, then the plane of no penetration, then the friction cone about the axis on which the ray begins.
        let a = d[0] * pull[0] + d[1] * pull[1] + d[2] * pull[2];
        let b = d[0] * (nn * start + v_n) + d[1] * (n1 * start + v_1) + d[2] * (n2 * start + v_2);
        let mut reach = rise(a, b, start * (nn * start + v_n * 2.0));
        if pull[0].value() < 0.0 {
            reach = reach.min((v_n + nn * start) / -pull[0]);
        }
        let across = sine.abs();
        let opens = across - friction * cosine;
        if across.value() <= NO_SINE {
            if cosine.value() < 0.0 {
                let on_axis = if friction.value() > 0.0 { friction * start / opens } else { start / -cosine };
                reach = reach.min(on_axis.with_kink(true));
            }
        } else if opens.value() > 0.0 {
            reach = reach.min(friction * start / opens);
        }
        let along = fraction * reach;
        let impulse = turn_back([start + d[0] * along, d[1] * along, d[2] * along], tangent);
        Some(Answer { impulse, sticks: false })
    }
}
