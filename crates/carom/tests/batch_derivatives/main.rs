//! Derivatives of batches against differences of the laws themselves.
#![allow(clippy::unwrap_used, reason = "tests")]

mod kinks;
mod point;
mod stops;
#[path = "../support/mod.rs"]
mod support;

use carom::batch::{Batch, Column, Derivative};
use carom::laws::{self, Kind};
use carom::{Clock, Dimension};
use point::{Point, differentiate};
use rand::RngExt;

/// Where the two one-sided differences agree, derivatives are the central difference. `CAROM_CASES=100000` draws as many collisions.
#[test]
fn derivatives_are_the_limits_of_differences() {
    const STEP: f64 = 1e-5;
    let count = usize::try_from(support::cases(2_000)).unwrap();
    for law in support::instantaneous() {
        for dimension in [Dimension::Planar, Dimension::Spatial] {
            if law.id == "pfeiffer-glocker" && !dimension.is_planar() {
                // It answers in planes only.
                continue;
            }
            let mut random = support::random(1810, 0);
            let points: Vec<Point> =
                (0..count).map(|_| Point::random(law, dimension.is_planar(), &mut random)).collect();
            let (matrices, kinds, n) = differentiate(law, &points, 2);
            let (width, mut checked) = (points[0].inputs.len(), 0);
            for (row, point) in points.iter().enumerate() {
                let matrix = &matrices[row * 2 * n * width..][..2 * n * width];
                let Some(here) = point.answer(law) else {
                    assert_eq!(kinds[row], Derivative::Unknown as u8, "{} {:?}", law.id, point.inputs);
                    continue;
                };
                if kinds[row] != Derivative::Smooth as u8 {
                    continue;
                }
                checked += 1;
                for input in 0..width {
                    let choice = input >= width - law.parameters.len()
                        && matches!(law.parameters[input + law.parameters.len() - width].kind, Kind::Choice(_));
                    let fixed = law.id == "bilinear" && input >= n && input < width - law.parameters.len();
                    if choice || fixed || point.inputs[input] == 0.0 {
                        continue;
                    }
                    let moved = |by: f64| {
                        let mut other = point.clone();
                        other.inputs[input] += by;
                        other.answer(law)
                    };
                    let (Some(ahead), Some(behind)) = (moved(STEP), moved(-STEP)) else { continue };
                    // Where the second derivative jumps, as where a slip begins to reverse, both one-sided differences are off alike,
                    // in proportion to the step: half a step then halves the error.
                    let halves = || moved(0.5 * STEP).zip(moved(-0.5 * STEP));
                    for output in 0..2 * n {
                        let (up, down) =
                            ((ahead[output] - here[output]) / STEP, (here[output] - behind[output]) / STEP);
                        let found = matrix[output * width + input];
                        let slack = (up - down).abs() + 1e-7 * (1.0 + found.abs() + here[output].abs());
                        let context = || format!("{} d{output}/d{input} at {:?}: {down} {up}", law.id, point.inputs);
                        let central = 0.5 * (up + down);
                        let is_half = |(ahead, behind): (Vec<f64>, Vec<f64>)| {
                            let half = (ahead[output] - behind[output]) / STEP;
                            (found - half).abs() <= slack + (central - half).abs()
                        };
                        let holds = (found - central).abs() <= slack || halves().is_some_and(is_half);
                        assert!(holds, "{found} {}", context());
                    }
                }
            }
            assert!(checked > count * 4 / 5, "{} {dimension:?}: {checked} of {count}", law.id);
        }
    }
}

/// Planar collisions in a plane of space, by changes that stay in the plane or turn it.
#[test]
fn a_planar_law_has_derivatives_in_its_plane() {
    const STEP: f64 = 1e-6;
    let law = laws::find("pfeiffer-glocker").unwrap();
    let mut random = support::random(1812, 0);
    let mut checked = 0;
    for _ in 0..support::cases(1_000) {
        let plane = Point::random(law, true, &mut random).inputs;
        let (angle, across) = (random.random_range(0.0..6.0), random.random_range(0.1..1.0));
        // The plane's inputs and its angle, in space.
        let in_space = |plane: &[f64], angle: f64| {
            let (s, c) = f64::sin_cos(angle);
            let [v_n, v_t, nn, nt, tt] = [0, 1, 2, 3, 4].map(|k| plane[k]);
            let w =
                [nn, nt * c, nt * s, tt * c * c + across * s * s, (tt - across) * c * s, tt * s * s + across * c * c];
            let inputs = [&[v_n, v_t * c, v_t * s], &w[..], &plane[5..]].concat();
            Point { planar: false, inputs }
        };
        let here = in_space(&plane, angle);
        let (matrix, kinds, _) = differentiate(law, std::slice::from_ref(&here), 1);
        if kinds[0] != Derivative::Smooth as u8 {
            continue;
        }
        checked += 1;
        for input in 0..=plane.len() {
            let moved = |by: f64| {
                let (mut plane, mut angle) = (plane.clone(), angle);
                *plane.get_mut(input).unwrap_or(&mut angle) += by;
                in_space(&plane, angle)
            };
            let (ahead, behind) = (moved(STEP), moved(-STEP));
            let (up, down) = (ahead.answer(law).unwrap(), behind.answer(law).unwrap());
            for output in 0..6 {
                let row = &matrix[output * here.inputs.len()..][..here.inputs.len()];
                let changes = ahead.inputs.iter().zip(&behind.inputs).map(|(a, b)| (a - b) / (2.0 * STEP));
                let found: f64 = row.iter().zip(changes).map(|(slope, change)| slope * change).sum();
                let expected = (up[output] - down[output]) / (2.0 * STEP);
                assert!(
                    (found - expected).abs() < 1e-6 * (1.0 + expected.abs()),
                    "{output}/{input} {found} {expected}"
                );
            }
        }
    }
    assert!(checked > 700, "{checked}");
}

/// On an edge between two formulas the derivatives are those of one side, and the row is marked.
#[test]
fn edges_are_marked() {
    let law = laws::find("routh-poisson").unwrap();
    let point = |v_n: f64, v_t: f64, nt: f64, friction: f64| Point {
        planar: true,
        inputs: vec![v_n, v_t, 1.0, nt, 3.0, 0.5, friction],
    };
    let cases = [
        (point(-1.0, 0.5, 0.2, 0.1), Derivative::Smooth),
        (point(1.0, 0.5, 0.2, 0.1), Derivative::Smooth),
        (point(0.0, 0.5, 0.2, 0.1), Derivative::Kink),
        (point(-1.0, 0.0, 0.2, 0.01), Derivative::Kink),
        // Friction just holds the contact.
        (point(-1.0, 0.3, -0.3, 0.1), Derivative::Kink),
        (point(f64::NAN, 0.3, 0.3, 0.1), Derivative::Unknown),
        (point(-1.0, 0.3, 2.0, 0.1), Derivative::Unknown),
        (point(-1.0, 0.3, 0.3, -0.1), Derivative::Unknown),
        (point(-1.0, 0.3, 0.3, f64::INFINITY), Derivative::Unknown),
    ];
    let points: Vec<Point> = cases.iter().map(|(point, _)| point.clone()).collect();
    let (matrices, kinds, _) = differentiate(law, &points, 1);
    for (row, (point, kind)) in cases.iter().enumerate() {
        assert_eq!(kinds[row], *kind as u8, "{:?}", point.inputs);
        let matrix = &matrices[row * 28..][..28];
        assert!(matrix.iter().all(|slope| slope.is_finite()));
        if *kind == Derivative::Unknown {
            assert!(matrix.iter().all(|slope| *slope == 0.0));
        }
    }
    // Bodies that part: dP = 0, dV' = dV.
    let parting = &matrices[28..56];
    assert!(parting[..14].iter().all(|slope| *slope == 0.0));
    assert!(parting[14] == 1.0 && parting[15] == 0.0 && parting[21] == 0.0 && parting[22] == 1.0);
}

/// Edges of laws without a kernel: each has a collision on it, and one beside it.
#[test]
fn edges_of_laws_without_a_kernel_are_marked() {
    // V, W of (1, 3, 3) without coupling, parameters.
    let ball = |v: [f64; 3], parameters: &[f64]| Point {
        planar: false,
        inputs: [&v[..], &[1.0, 0.0, 0.0, 3.0, 0.0, 3.0], parameters].concat(),
    };
    let kinds = |law: &str, point: Point| {
        let (matrices, kinds, _) = differentiate(laws::find(law).unwrap(), &[point], 1);
        assert!(matrices.iter().all(|slope| slope.is_finite()));
        kinds[0]
    };
    let (smooth, kink, unknown) = (Derivative::Smooth as u8, Derivative::Kink as u8, Derivative::Unknown as u8);
    // (1 + e) μ = |V_t|/3 stops the slip at the very end, μ = |V_t|/3 at the end of compression.
    for law in ["routh-poisson", "routh-newton", "routh-stronge", "whittaker"] {
        let of = |v: [f64; 3], friction: f64| {
            let parameters = [0.5, friction, friction];
            kinds(law, ball(v, &parameters[..if law == "whittaker" { 3 } else { 2 }]))
        };
        assert_eq!([of([-1.0, 0.9, 0.3], 0.1), of([-1.0, 0.9, 0.3], 2.0)], [smooth; 2], "{law}");
        assert_eq!([of([0.0, 0.9, 0.3], 0.1), of([1.0, 0.9, 0.3], 0.1)], [kink, smooth], "{law}");
        assert_eq!(of([-1.0, 0.9, 0.3], 0.9_f64.hypot(0.3) / 4.5), kink, "{law}");
        assert_eq!([of([-1.0, 0.9, f64::NAN], 0.1), of([-1.0, 0.9, 0.3], f64::INFINITY)], [unknown; 2], "{law}");
        if law != "whittaker" {
            assert_eq!(of([-1.0, 0.9, 0.3], 0.9_f64.hypot(0.3) / 3.0), kink, "{law}");
            assert_eq!(of([-1.0, 0.0, 0.0], 0.1), kink, "{law}");
        }
    }
    for (law, parameters) in [("smith", &[0.5, 0.3][..]), ("accessible", &[0.4, 0.7, 0.2, 0.3])] {
        assert_eq!(kinds(law, ball([-1.0, 0.9, 0.3], parameters)), smooth, "{law}");
        for v in [[0.0, 0.9, 0.3], [-1.0, 0.0, 0.0]] {
            assert_eq!(kinds(law, ball(v, parameters)), kink, "{law} {v:?}");
        }
    }
}

/// The same bits for any number of threads and in any batch.
/// Without slip the derivatives by V_t are those of one side, for all components together.
#[test]
fn derivatives_without_slip_are_those_of_one_side() {
    const STEP: f64 = 1e-8;
    let mut random = support::random(1813, 0);
    for law in laws::ALL.iter().filter(|law| law.clock() != Some(Clock::Time)) {
        let mut points: Vec<Point> = (0..200).map(|_| Point::random(law, true, &mut random)).collect();
        for point in &mut points {
            (point.inputs[0], point.inputs[1]) = (-point.inputs[0].abs() - 0.1, 0.0);
        }
        let (matrices, kinds, _) = differentiate(law, &points, 1);
        let inputs = points[0].inputs.len();
        let mut checked = 0;
        for (k, point) in points.iter().enumerate() {
            if kinds[k] == Derivative::Unknown as u8 {
                continue;
            }
            let at = |v_t: f64| {
                let mut moved = point.clone();
                moved.inputs[1] = v_t;
                moved.answer(law)
            };
            let (Some(below), Some(here), Some(above)) = (at(-STEP), at(0.0), at(STEP)) else { continue };
            let matrix = &matrices[k * 4 * inputs..(k + 1) * 4 * inputs];
            // Smith's law bends over slips of 10⁻⁵ where its answer nearly jumps.
            let agrees = |from: &[f64], to: &[f64]| {
                let close = |i: usize| {
                    let slope = matrix[i * inputs + 1];
                    (slope - (to[i] - from[i]) / STEP).abs() < 2e-3 * (1.0 + slope.abs())
                };
                (0..4).all(close)
            };
            // Where the law jumps, as that of Ivanov along the slip, the flag says so.
            let jumps = |side: &[f64]| side.iter().zip(&here).any(|(a, b)| (a - b).abs() > 1e-4);
            if jumps(&below) || jumps(&above) {
                assert_eq!(kinds[k], Derivative::Kink as u8, "{}: {:?}", law.id, point.inputs);
                continue;
            }
            let column: Vec<f64> = (0..4).map(|i| matrix[i * inputs + 1]).collect();
            assert!(
                agrees(&below, &here) || agrees(&here, &above),
                "{}: {:?}: {column:?}, {below:?}, {here:?}, {above:?}",
                law.id,
                point.inputs
            );
            checked += 1;
        }
        // Laws that aim along the slip have no direction without it, and jump there.
        assert!(checked > 100 || ["accessible", "brach"].contains(&law.id), "{}: {checked}", law.id);
    }
}

/// Columns that are contiguous, strided and shared, and any number of rows, give the same derivatives.
#[test]
fn derivatives_do_not_depend_on_layout_or_number_of_rows() {
    let law = laws::find("chatterjee-2").unwrap();
    let mut random = support::random(1814, 0);
    let points: Vec<Point> = (0..1100).map(|_| Point::random(law, true, &mut random)).collect();
    let (expected, expected_kinds, _) = differentiate(law, &points, 1);
    let width = points[0].inputs.len();
    let columns: Vec<Vec<f64>> = (0..width).map(|k| points.iter().map(|point| point.inputs[k]).collect()).collect();
    for rows in [1, 7, 8, 9, 15, 16, 17, 100, 1023, 1025, 1100] {
        let at = |k: usize| Column::contiguous(&columns[k][..rows]);
        let batch = Batch::planar(rows, [[at(2), at(3)], [at(3), at(4)]], [at(0), at(1)]).unwrap();
        let parameters: Vec<(&str, Column)> =
            law.parameters.iter().enumerate().map(|(k, parameter)| (parameter.key, at(5 + k))).collect();
        let bound = batch.bind(law, &parameters).unwrap();
        let (mut matrices, mut kinds) = (vec![f64::NAN; rows * 4 * width], vec![100; rows]);
        bound.differentiate(&mut matrices, &mut kinds, 1).unwrap();
        assert_eq!(kinds, expected_kinds[..rows]);
        assert_eq!(matrices, expected[..rows * 4 * width]);
    }
}

#[test]
fn derivatives_do_not_depend_on_threads() {
    let law = laws::find("chatterjee-2").unwrap();
    let mut random = support::random(1811, 0);
    let points: Vec<Point> = (0..10_000).map(|_| Point::random(law, false, &mut random)).collect();
    let (one, kinds, _) = differentiate(law, &points, 1);
    for threads in [2, 3, 0] {
        let (other, other_kinds, _) = differentiate(law, &points, threads);
        assert!(one.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits()) && kinds == other_kinds);
    }
    let size = one.len() / points.len();
    let (part, ..) = differentiate(law, &points[4_000..4_011], 1);
    assert!(part.iter().zip(&one[4_000 * size..]).all(|(a, b)| a.to_bits() == b.to_bits()));
}
