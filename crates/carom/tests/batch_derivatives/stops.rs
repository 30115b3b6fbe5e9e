//! Sticking after a slip that never settles along a direction.

use crate::point::{Point, differentiate};
use crate::support;
use carom::Mode;
use carom::batch::Derivative;
use carom::laws;
use nalgebra::{Matrix3, Rotation3, Vector3};
use rand::RngExt;

/// Differences of the law itself, extrapolated to steps of zero (Richardson), in the same mode all along.
fn difference(law: &'static laws::Law, point: &Point, input: usize, mode: Mode) -> Option<Vec<f64>> {
    const STEP: f64 = 2e-3;
    let at = |by: f64| {
        let mut moved = point.clone();
        moved.inputs[input] += by;
        let outcome = moved.outcome(law)?;
        (outcome.mode == mode).then(|| moved.answer(law))?
    };
    let central = |step: f64| -> Option<Vec<f64>> {
        Some(at(step)?.iter().zip(at(-step)?).map(|(ahead, behind)| (ahead - behind) / (2.0 * step)).collect())
    };
    let mut table: Vec<Vec<f64>> = (0..4).map(|k| central(STEP / f64::from(1 << k))).collect::<Option<_>>()?;
    for order in 1..4 {
        let weight = 4.0_f64.powi(order);
        for k in 0..table.len() - 1 {
            let better =
                table[k].iter().zip(&table[k + 1]).map(|(coarse, fine)| (weight * fine - coarse) / (weight - 1.0));
            table[k] = better.collect();
        }
        table.pop();
    }
    table.pop()
}

/// Where W_tt is nearly isotropic the slip stops before its direction has settled. A contact that sticks then has smooth derivatives all the same.
#[test]
fn sticking_forgets_how_the_slip_turned() {
    let mut random = support::random(1815, 0);
    for id in ["routh-poisson", "routh-newton", "routh-stronge"] {
        let law = laws::find(id).unwrap();
        let (mut sticking, mut smooth, mut checked) = (0, 0, 0);
        for _ in 0..support::cases(300) {
            // A ball whose W_tt differs from a multiple of one, and whose W_tn from zero, by a part in ten to a million.
            let off = support::log_uniform(&mut random, -6.0, -1.0);
            let turn = Rotation3::from_axis_angle(&Vector3::x_axis(), random.random_range(0.0..6.0)).into_inner();
            let [n1, n2, t] = [0.7, 1.0, 3.5].map(|size: f64| size * off * random.random_range(-1.0..1.0));
            let w = turn * Matrix3::new(1.0, n1, n2, n1, 3.5 + t, 0.0, n2, 0.0, 3.5) * turn.transpose();
            let v = [-1.0, random.random_range(-0.5..0.5), random.random_range(-0.5..0.5)];
            let inputs =
                [&v[..], &[w.m11, w.m12, w.m13, w.m22, w.m23, w.m33], &[random.random_range(0.1..0.9), 0.6]].concat();
            let point = Point { planar: false, inputs };
            let outcome = point.outcome(law).unwrap();
            if ![Mode::CSticking, Mode::RSticking].contains(&outcome.mode) {
                continue;
            }
            sticking += 1;
            let (matrix, kinds, _) = differentiate(law, std::slice::from_ref(&point), 1);
            smooth += usize::from(kinds[0] == Derivative::Smooth as u8);
            let width = point.inputs.len();
            for input in 0..width {
                let Some(expected) = difference(law, &point, input, outcome.mode) else { continue };
                checked += 1;
                for (output, expected) in expected.iter().enumerate() {
                    let found = matrix[output * width + input];
                    let off = (found - expected).abs();
                    assert!(
                        off < 1e-8 * (1.0 + expected.abs()),
                        "{id} d{output}/d{input} {found} {expected} at {:?}",
                        point.inputs
                    );
                }
            }
        }
        assert!(
            sticking > 100 && smooth == sticking && checked > 10 * sticking,
            "{id}: {smooth} of {sticking}, {checked}"
        );
    }
}
