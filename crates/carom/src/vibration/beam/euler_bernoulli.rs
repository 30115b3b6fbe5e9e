//! Modes of an Euler–Bernoulli beam.
//!
//! With η = βx and z = βL, EI φ'''' = ρA ω² φ makes φ a combination of cos η, sin η, e^(−η) and e^(η−z), which stay of the
//! order of 1 for any mode where cosh and sinh would overflow. The ends give z:
//!
//! ```text
//! free–free, clamped–clamped       cos z = 1/cosh z     near (j + ½)π
//! clamped–free                     cos z = −1/cosh z    near (j − ½)π
//! clamped–pinned, free–pinned      tan z = tanh z       near (j + ¼)π
//! pinned–pinned                    sin z = 0            jπ
//! ```
//!
//! one root near each number, and ω = (z/L)² √(EI/ρA).

use super::{Beam, BendingMode, End};
use nalgebra::{Matrix4, RowVector4, Vector4};
use std::f64::consts::PI;

/// The lowest modes at a place along the axis.
pub(super) fn modes(beam: &Beam, along: f64, count: usize) -> Vec<BendingMode> {
    let speed = (beam.youngs_modulus * beam.second_moment / (beam.density * beam.area)).sqrt();
    let mode = |j: usize| {
        let z = root(beam.ends, j as f64);
        let weights = weights(beam.ends, z);
        let [deflection, rotation, _, _] = derivatives(z, z * along / beam.length).map(|row| (row * weights)[0]);
        // ρA ∫φ² dx = 1.
        let size = (beam.mass() * mean_square(z, &weights)).sqrt().recip();
        BendingMode {
            frequency: (z / beam.length).powi(2) * speed,
            deflection: deflection * size,
            rotation: rotation * size * z / beam.length,
        }
    };
    (1..=count).map(mode).collect()
}

/// The j-th root z, j from 1.
fn root(ends: [End; 2], j: f64) -> f64 {
    use End::{Clamped, Free, Pinned};
    /// The first cantilever's root lies 0.31 from its number, every other one nearer.
    const NEAR: f64 = 0.5;
    let sech = |z: f64| z.cosh().recip();
    match ends {
        [Free, Free] | [Clamped, Clamped] => bisect(|z| z.cos() - sech(z), (j + 0.5) * PI, NEAR),
        [Clamped, Free] | [Free, Clamped] => bisect(|z| z.cos() + sech(z), (j - 0.5) * PI, NEAR),
        [Pinned, Pinned] => j * PI,
        _ => bisect(|z| z.sin() - z.tanh() * z.cos(), (j + 0.25) * PI, NEAR),
    }
}

/// The root of a function that changes sign between `middle` ± `reach`, to the last digit.
fn bisect(f: impl Fn(f64) -> f64, middle: f64, reach: f64) -> f64 {
    let (mut below, mut above) = (middle - reach, middle + reach);
    let sign = f(below).signum();
    loop {
        let middle = f64::midpoint(below, above);
        if middle <= below || middle >= above {
            return middle;
        }
        if f(middle).signum() == sign { below = middle } else { above = middle }
    }
}

/// The basis functions and their first three derivatives with respect to η.
fn derivatives(z: f64, eta: f64) -> [RowVector4<f64>; 4] {
    let (sin, cos) = eta.sin_cos();
    let (left, right) = ((-eta).exp(), (eta - z).exp());
    [
        RowVector4::new(cos, sin, left, right),
        RowVector4::new(-sin, cos, -left, right),
        RowVector4::new(-cos, -sin, left, right),
        RowVector4::new(sin, -cos, -left, right),
    ]
}

/// The combination of basis functions that satisfies the four conditions at the ends: the direction in which their
/// matrix vanishes.
fn weights(ends: [End; 2], z: f64) -> Vector4<f64> {
    let conditions = |end: End, eta: f64| {
        let [value, slope, moment, shear] = derivatives(z, eta);
        match end {
            End::Free => [moment, shear],
            End::Pinned => [value, moment],
            End::Clamped => [value, slope],
        }
    };
    let [a, b] = conditions(ends[0], 0.0);
    let [c, d] = conditions(ends[1], z);
    let decomposition = Matrix4::from_rows(&[a, b, c, d]).svd(false, true);
    let least = decomposition.singular_values.imin();
    decomposition.v_t.map_or_else(Vector4::zeros, |v| v.row(least).transpose())
}

/// (1/z) ∫φ² dη over the beam. φ'''' = φ makes the integrand a derivative:
/// 4φ² = d/dη (ηφ² − 2ηφ'φ''' + ηφ''² + 3φφ''' − φ'φ'').
fn mean_square(z: f64, weights: &Vector4<f64>) -> f64 {
    let primitive = |eta: f64| {
        let [f, f1, f2, f3] = derivatives(z, eta).map(|row| (row * weights)[0]);
        eta * (f * f - 2.0 * f1 * f3 + f2 * f2) + 3.0 * f * f3 - f1 * f2
    };
    (primitive(z) - primitive(0.0)) / (4.0 * z)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL_ENDS: [[End; 2]; 9] = [
        [End::Free, End::Free],
        [End::Free, End::Pinned],
        [End::Free, End::Clamped],
        [End::Pinned, End::Free],
        [End::Pinned, End::Pinned],
        [End::Pinned, End::Clamped],
        [End::Clamped, End::Free],
        [End::Clamped, End::Pinned],
        [End::Clamped, End::Clamped],
    ];

    fn unit_beam(ends: [End; 2]) -> Beam {
        let theory = super::super::Theory::EulerBernoulli;
        Beam { length: 1.0, area: 1.0, second_moment: 1.0, density: 1.0, youngs_modulus: 1.0, ends, theory }
    }

    #[test]
    fn the_first_roots_are_those_of_the_handbooks() {
        // Blevins, Formulas for Natural Frequency and Mode Shape, 1979, table 8-1.
        let expected = [
            ([End::Free, End::Free], [4.730_040_74, 7.853_204_62, 10.995_607_8]),
            ([End::Clamped, End::Free], [1.875_104_07, 4.694_091_13, 7.854_757_44]),
            ([End::Clamped, End::Pinned], [3.926_602_31, 7.068_582_75, 10.210_176_12]),
            ([End::Free, End::Pinned], [3.926_602_31, 7.068_582_75, 10.210_176_12]),
            ([End::Pinned, End::Pinned], [PI, 2.0 * PI, 3.0 * PI]),
        ];
        for (ends, roots) in expected {
            for (j, z) in roots.into_iter().enumerate() {
                assert!((root(ends, (j + 1) as f64) - z).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn shapes_are_orthonormal_up_to_high_modes() {
        // Trapezoids are exact to rounding for the oscillation but not for the ends; Simpson with a fine grid is.
        const POINTS: usize = 1_601;
        for ends in ALL_ENDS {
            let beam = unit_beam(ends);
            let kept = 25;
            let mut products = nalgebra::DMatrix::<f64>::zeros(kept, kept);
            for i in 0..POINTS {
                let weight = if i == 0 || i == POINTS - 1 { 1.0 } else { [2.0, 4.0][i % 2] };
                let at = modes(&beam, i as f64 / (POINTS - 1) as f64, kept);
                let shape = nalgebra::DVector::from_iterator(kept, at.iter().map(|mode| mode.deflection));
                products.ger(weight / (3.0 * (POINTS - 1) as f64), &shape, &shape, 1.0);
            }
            let error = (products - nalgebra::DMatrix::identity(kept, kept)).amax();
            assert!(error < 1e-6, "{ends:?}: {error}");
        }
    }

    #[test]
    fn a_free_end_moves_twice_the_mean_square_in_every_mode() {
        for mode in modes(&unit_beam([End::Free; 2]), 0.0, 500) {
            assert!((mode.deflection.abs() - 2.0).abs() < 1e-9);
        }
        for mode in modes(&unit_beam([End::Clamped, End::Free]), 1.0, 500) {
            assert!((mode.deflection.abs() - 2.0).abs() < 1e-9);
        }
    }

    #[test]
    fn rotation_is_the_slope_of_the_deflection() {
        for ends in ALL_ENDS {
            let at = |x: f64| modes(&unit_beam(ends), x, 8);
            let h = 1e-5;
            for ((before, here), after) in at(0.3 - h).iter().zip(at(0.3)).zip(at(0.3 + h)) {
                // The sign of a mode is that of the decomposition, the same at all places.
                let slope = (after.deflection - before.deflection) / (2.0 * h);
                assert!((slope - here.rotation).abs() < 1e-5 * (1.0 + here.rotation.abs()));
            }
        }
    }
}
