//! Batches against the laws themselves.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests, of which one measures")]

mod support;

use carom::batch::{Batch, BoundBatch, Column, MODES, NO_MODE, Outputs, Status};
use carom::laws::{self, BoundLaw, Law};
use carom::{Collision, Dimension};
use support::Random;

/// Columns of random collisions of one law.
struct Rows {
    dimension: Dimension,
    w: [Vec<f64>; 6],
    v: [Vec<f64>; 3],
    parameters: Vec<(&'static str, Vec<f64>)>,
    scalar: Vec<(Collision, BoundLaw)>,
}

impl Rows {
    fn random(law: &'static Law, dimension: Dimension, count: usize, random: &mut Random) -> Rows {
        let planar = dimension.is_planar();
        let mut rows = Rows {
            dimension,
            w: Default::default(),
            v: Default::default(),
            parameters: law.parameters.iter().map(|parameter| (parameter.key, Vec::new())).collect(),
            scalar: Vec::new(),
        };
        for _ in 0..count {
            let mut w = support::inverse_mass(random, planar);
            let mut v = support::velocity(random, planar);
            if law.id == "bilinear" {
                w = nalgebra::Matrix3::from_diagonal(&w.diagonal());
            }
            if planar {
                v.z = 0.0;
            }
            let friction = support::friction(random);
            let mut bound = support::bind(law, friction, random);
            while planar && law.parameters.iter().any(|p| p.leaves_plane && bound.parameter(0, p.key) != Some(0.0)) {
                let zero = |key: &str| law.parameters.iter().any(|p| p.leaves_plane && p.key == key).then_some(0.0);
                bound = law.bind_from(|key| zero(key).or(bound.parameter(0, key))).unwrap();
            }
            let collision = if planar {
                for (column, (i, j)) in rows.w.iter_mut().zip([(0, 0), (0, 1), (1, 1)]) {
                    column.push(w[(i, j)]);
                }
                Collision::planar([[w.m11, w.m12], [w.m12, w.m22]], [v.x, v.y]).unwrap()
            } else {
                for (column, (i, j)) in rows.w.iter_mut().zip([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]) {
                    column.push(w[(i, j)]);
                }
                Collision::new(&w, &v).unwrap()
            };
            for (column, x) in rows.v.iter_mut().zip(v.iter()) {
                column.push(*x);
            }
            for (key, column) in &mut rows.parameters {
                column.push(bound.parameter(0, key).unwrap());
            }
            rows.scalar.push((collision, bound));
        }
        rows
    }

    fn batch(&self) -> Batch<'_> {
        let [a, b, c, d, e, f] = self.w.each_ref().map(|column| Column::contiguous(column));
        let [x, y, z] = self.v.each_ref().map(|column| Column::contiguous(column));
        let rows = self.scalar.len();
        if self.dimension.is_planar() {
            Batch::planar(rows, [[a, b], [b, c]], [x, y]).unwrap()
        } else {
            Batch::spatial(rows, [[a, b, c], [b, d, e], [c, e, f]], [x, y, z]).unwrap()
        }
    }

    fn parameters(&self) -> Vec<(&str, Column<'_>)> {
        self.parameters.iter().map(|(key, column)| (*key, Column::contiguous(column))).collect()
    }
}

/// All outputs of a batch.
#[derive(Clone, Debug, Default)]
struct Answers {
    impulse: Vec<f64>,
    velocity_after: Vec<f64>,
    energy_change: Vec<f64>,
    mode: Vec<u8>,
    status: Vec<u8>,
    restitution: Vec<f64>,
    audit: Vec<u8>,
}

impl Answers {
    fn of(bound: &BoundBatch, threads: usize) -> Answers {
        let (rows, n) = (bound.rows(), bound.components() * bound.rows());
        // What a row leaves unwritten is found.
        let mut answers = Answers {
            impulse: vec![f64::NAN; n],
            velocity_after: vec![f64::NAN; n],
            energy_change: vec![f64::NAN; rows],
            mode: vec![100; rows],
            status: vec![100; rows],
            restitution: vec![f64::INFINITY; 4 * rows],
            audit: vec![100; rows],
        };
        let mut outputs = Outputs {
            impulse: Some(&mut answers.impulse),
            velocity_after: Some(&mut answers.velocity_after),
            energy_change: Some(&mut answers.energy_change),
            mode: Some(&mut answers.mode),
            status: Some(&mut answers.status),
            restitution: Some(&mut answers.restitution),
            audit: Some(&mut answers.audit),
        };
        bound.resolve(&mut outputs, threads).unwrap();
        answers
    }

    /// All numbers of a row, as bits.
    fn row(&self, row: usize) -> Vec<u64> {
        let rows = self.status.len();
        let numbers = [&self.impulse, &self.velocity_after, &self.energy_change, &self.restitution];
        let codes = [&self.mode, &self.status, &self.audit];
        let column =
            |numbers: &Vec<f64>| (row..numbers.len()).step_by(rows).map(|i| numbers[i].to_bits()).collect::<Vec<_>>();
        numbers.into_iter().flat_map(column).chain(codes.into_iter().map(|codes| u64::from(codes[row]))).collect()
    }

    fn components(&self, of: &[f64], row: usize) -> Vec<f64> {
        (row..of.len()).step_by(self.status.len()).map(|i| of[i]).collect()
    }
}

/// How far kernels may be from the laws, in ε κ(W): of impulses relative to ‖M‖ |V|, of velocities to |V|. At most 3.6 times the largest of
/// 10⁶ collisions of each law, in plane and space. Brach's
/// law magnifies rounding further where its denominator cancels ([`cancellation`]).
const BOUNDS: &[(&str, f64, f64)] = &[
    ("newton", 6.0, 10.0),
    ("brach", 20.0, 30.0),
    ("bilinear", 12.0, 15.0),
    ("whittaker", 20.0, 20.0),
    ("pfeiffer-glocker", 90.0, 130.0),
    ("routh-poisson", 15.0, 15.0),
    ("routh-newton", 15.0, 15.0),
    ("routh-stronge", 20.0, 20.0),
    ("chatterjee-1", 650.0, 120_000.0),
    ("chatterjee-2", 55.0, 200.0),
    ("chatterjee-3", 110.0, 460.0),
    ("chatterjee-combined", 60.0, 4700.0),
    ("ivanov", 15.0, 6500.0),
];

const DIMENSIONS: [Dimension; 2] = [Dimension::Planar, Dimension::Spatial];

/// Kernels compute the impulses, velocities, energies, restitutions, modes and audits of the laws. `CAROM_CASES=1000000` draws as many
/// collisions of every law, `-- --nocapture` prints the largest deviations.
#[test]
fn kernels_agree_with_the_laws() {
    let count = usize::try_from(support::cases(20_000)).unwrap();
    for law in support::instantaneous() {
        let mut worst = [0.0_f64; 2];
        let mut kernels = 0;
        for (seed, dimension) in DIMENSIONS.into_iter().enumerate() {
            let mut random = support::random(18, seed as u64);
            for _ in 0..count.div_ceil(10_000) {
                let rows = Rows::random(law, dimension, count.min(10_000), &mut random);
                let (batch, parameters) = (rows.batch(), rows.parameters());
                let bound = batch.bind(law, &parameters).unwrap();
                if !bound.has_kernel() {
                    break;
                }
                kernels += 1;
                let answers = Answers::of(&bound, 1);
                for row in 0..rows.scalar.len() {
                    let deviations = compare(&rows, &answers, row);
                    worst = [worst[0].max(deviations[0]), worst[1].max(deviations[1])];
                }
            }
        }
        if kernels > 0 {
            println!("{:20} {:8.2} {:8.2}", law.id, worst[0], worst[1]);
            let (_, impulse, velocity) = BOUNDS.iter().find(|(id, ..)| *id == law.id).unwrap();
            assert!(worst[0] <= *impulse && worst[1] <= *velocity, "{}: {worst:?}", law.id);
        } else {
            assert!(BOUNDS.iter().all(|(id, ..)| *id != law.id), "{} has a kernel", law.id);
        }
    }
}

/// Compares a row with the law; returns the deviations of impulse and velocity in ε κ(W) of their scales.
fn compare(rows: &Rows, answers: &Answers, row: usize) -> [f64; 2] {
    let (collision, own) = &rows.scalar[row];
    let context = || {
        format!("{} {collision:?} {:?} {:?}", own.law().id, own.values(0), answers.components(&answers.impulse, row))
    };
    let Ok(outcome) = own.resolve_collision(collision) else {
        assert_eq!(answers.status[row], Status::Refused as u8, "{}", context());
        return [0.0; 2];
    };
    assert_eq!(answers.status[row], Status::Resolved as u8, "{}", context());
    let n = if rows.dimension.is_planar() { 2 } else { 3 };
    let eigenvalues = collision.inverse_mass().view((0, 0), (n, n)).into_owned().symmetric_eigenvalues();
    let (least, greatest) = (eigenvalues.min(), eigenvalues.max());
    let rounding = f64::EPSILON * greatest / least;
    let speed = collision.velocity().norm();
    let far = |found: Vec<f64>, wanted: &nalgebra::Vector3<f64>| {
        found.iter().zip(wanted.iter()).map(|(found, wanted)| (found - wanted).abs()).fold(0.0, f64::max)
    };
    let impulse = answers.components(&answers.impulse, row);
    let off = far(answers.components(&answers.velocity_after, row), &outcome.velocity_after);
    let far_impulse = far(impulse, &outcome.impulse);
    let rounding = rounding * cancellation(collision, own).powi(2);
    let deviations = [far_impulse / (speed / least), off / speed].map(|far| far / rounding);
    // Energies and restitutions follow from impulse and velocities, with the largest deviation of these.
    let slack = |scale: f64| 1e4 * rounding * scale;
    let p = outcome.impulse.norm().max(speed / least);
    let energy = collision.energy_change(&outcome.impulse);
    assert!((answers.energy_change[row] - energy).abs() <= slack(p * p * greatest), "{}", context());
    let of = outcome.restitution(collision);
    // Numerators are known to the deviations of P and V', of which the terms may be much larger than the denominators.
    let size = outcome.impulse.norm() + speed / least;
    let velocities = speed + greatest * size;
    let scales = [
        collision.velocity().x.abs() / velocities,
        of.poisson.map_or(1.0, |_| outcome.compression.unwrap().impulse.x / size),
        f64::NAN,
        outcome.impulse.dot(collision.velocity()).abs() / (size * velocities),
    ];
    let found = answers.components(&answers.restitution, row);
    let wanted = [of.newton, of.poisson, of.stronge, of.ivanov];
    for ((found, wanted), scale) in found.into_iter().zip(wanted).zip(scales) {
        assert_eq!(found.is_nan(), wanted.is_none(), "{}", context());
        let Some(wanted) = wanted.filter(|_| !scale.is_nan()) else { continue };
        assert!((found - wanted).abs() <= slack(1.0 + wanted.abs()) / scale, "{found} {wanted} {}", context());
    }
    if MODES[usize::from(answers.mode[row])] != outcome.mode {
        // Within the deviation of the slip that counts as stopped, or of the edge of the cone.
        let (p, v, friction) = (&outcome.impulse, &outcome.velocity_after, own.friction(0));
        let stops = (v.yz().norm() - 1e-9 * speed.max(v.norm())).abs() <= off + rounding * speed;
        let (edge, slack) = (friction * p.x, far_impulse + 1e-11 * p.x.abs());
        assert!(stops || (p.yz().norm() - edge).abs() <= (1.0 + friction) * slack, "{:?} {}", outcome.mode, context());
    }
    let friction = own.friction(0);
    // The kernel's own answer: at the tolerance of the audit the last digits decide.
    let vector =
        |of: &[f64]| nalgebra::Vector3::from_fn(|k, _| answers.components(of, row).get(k).copied().unwrap_or(0.0));
    let (impulse, velocity_after) = (vector(&answers.impulse), vector(&answers.velocity_after));
    let own_answer = carom::ContactOutcome { impulse, velocity_after, ..outcome };
    let findings = carom::audit::audit_collision(collision, &own_answer, friction);
    assert_eq!(answers.audit[row] == 0, findings.is_ok(), "{findings:?} {}", context());
    deviations
}

/// How much Brach's law magnifies rounding: the terms of n·W d, d the direction of the impulse, over their sum. The law without
/// this problem: 1.
fn cancellation(collision: &Collision, own: &BoundLaw) -> f64 {
    let ratio = |key: &str| own.parameter(0, key).unwrap_or(0.0);
    let (w, v) = (collision.inverse_mass(), collision.velocity());
    let slip = v.yz().norm();
    let tangent = if slip > 0.0 { -v.yz() / slip } else { nalgebra::Vector2::x() };
    let along = (w.m12 * tangent.x + w.m13 * tangent.y) * ratio("impulse_ratio");
    let across = (w.m13 * tangent.x - w.m12 * tangent.y) * ratio("lateral_impulse_ratio");
    (w.m11 + along.abs() + across.abs()) / (w.m11 + along + across)
}

/// A row has the same bits for any number of threads, alone, and whether its columns are contiguous, strided or the same for all.
#[test]
fn bits_do_not_depend_on_place_threads_or_layout() {
    let laws =
        laws::ALL.iter().filter(|law| ["routh-poisson", "chatterjee-combined", "brach", "smith"].contains(&law.id));
    for law in laws {
        for dimension in DIMENSIONS {
            let mut random = support::random(181, 0);
            let count = if law.id == "smith" { 700 } else { 20_011 };
            let mut rows = Rows::random(law, dimension, count, &mut random);
            // One value of every parameter, that of the first row.
            for (_, column) in &mut rows.parameters {
                let value = column[0];
                column.fill(value);
            }
            // Some rows that kernels refer.
            for row in (0..count).step_by(97) {
                rows.v[0][row] = [0.0, 1.0, f64::NAN, f64::INFINITY][row % 4];
                rows.w[1][row] *= if row % 5 == 0 { 1e3 } else { 1.0 };
            }
            let (batch, parameters) = (rows.batch(), rows.parameters());
            let bound = batch.bind(law, &parameters).unwrap();
            let one = Answers::of(&bound, 1);
            for threads in [2, 3, 0] {
                let more = Answers::of(&bound, threads);
                assert!((0..count).all(|row| one.row(row) == more.row(row)), "{} threads {threads}", law.id);
            }
            // Strided: rows of a table that holds everything, with the same parameters for all.
            let width = 9;
            let table: Vec<f64> = (0..count)
                .flat_map(|i| rows.w.iter().chain(&rows.v).map(move |c| *c.get(i).unwrap_or(&0.0)).collect::<Vec<_>>())
                .collect();
            let at = |k: usize| Column::strided(&table[k..], width);
            let same: Vec<(&str, Column)> =
                rows.parameters.iter().map(|(key, column)| (*key, Column::same(&column[0]))).collect();
            let strided = if dimension.is_planar() {
                Batch::planar(count, [[at(0), at(1)], [at(1), at(2)]], [at(6), at(7)])
            } else {
                Batch::spatial(
                    count,
                    [[at(0), at(1), at(2)], [at(1), at(3), at(4)], [at(2), at(4), at(5)]],
                    [at(6), at(7), at(8)],
                )
            };
            let bound = strided.unwrap().bind(law, &same).unwrap();
            let other = Answers::of(&bound, 1);
            for row in 0..count {
                assert_eq!(one.row(row), other.row(row), "{} row {row}", law.id);
            }
            // Parts of all sizes at all places.
            for (from, length) in (0..60).map(|k| (k * 7, k % 19)).filter(|(from, length)| from + length <= count) {
                let column = |c: &'_ Vec<f64>| -> Vec<f64> { c.get(from..from + length).unwrap_or(&[]).to_vec() };
                let part = Rows {
                    dimension,
                    w: rows.w.each_ref().map(column),
                    v: rows.v.each_ref().map(column),
                    parameters: rows.parameters.iter().map(|(key, c)| (*key, column(c))).collect(),
                    scalar: rows.scalar[from..from + length].to_vec(),
                };
                let (batch, parameters) = (part.batch(), part.parameters());
                let answers = Answers::of(&batch.bind(law, &parameters).unwrap(), 1);
                for row in 0..length {
                    assert_eq!(answers.row(row), one.row(from + row), "{} from {from} length {length}", law.id);
                }
            }
        }
    }
}

/// Laws without a kernel give the bits of the law.
#[test]
fn other_laws_are_resolved_by_themselves() {
    for law in support::instantaneous() {
        for dimension in DIMENSIONS {
            let rows = Rows::random(law, dimension, 60, &mut support::random(182, 0));
            let (batch, parameters) = (rows.batch(), rows.parameters());
            let bound = batch.bind(law, &parameters).unwrap();
            if bound.has_kernel() {
                continue;
            }
            let answers = Answers::of(&bound, 2);
            for (row, (collision, own)) in rows.scalar.iter().enumerate() {
                let outcome = own.resolve_collision(collision);
                let impulse = answers.components(&answers.impulse, row);
                let wanted = outcome.as_ref().map_or(nalgebra::Vector3::zeros(), |outcome| outcome.impulse);
                assert!(impulse.iter().zip(wanted.iter()).all(|(a, b)| a.to_bits() == b.to_bits()), "{} {row}", law.id);
                assert_eq!(answers.status[row] == 0, outcome.is_ok(), "{} {row}", law.id);
                assert_eq!(answers.mode[row] == NO_MODE, outcome.is_err());
            }
        }
    }
}

/// Rows that have no answer are marked and hold no NaN.
#[test]
fn bad_rows_have_a_status() {
    // W (nn, nt, tn, tt), V, e, μ, status.
    type Case = ([f64; 4], [f64; 2], f64, f64, Status);
    let cases: &[Case] = &[
        ([2.5, -1.5, -1.5, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Resolved),
        ([2.5, -1.5, -1.5, 2.5], [1.0, 0.6], 0.9, 0.8, Status::Separating),
        ([2.5, -1.5, -1.5, 2.5], [0.0, 0.6], 0.9, 0.8, Status::Separating),
        ([2.5, -1.5, -1.4, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([0.5, 1e308, 1e308, 0.5], [1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([0.5, 1e308, 1e308, 0.5], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([f64::NAN, -1.5, -1.5, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([2.5, f64::NAN, f64::NAN, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([f64::INFINITY, -1.5, -1.5, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([2.5, -1.5, -1.5, 2.5], [f64::NAN, 0.6], 0.9, 0.8, Status::Invalid),
        ([2.5, -1.5, -1.5, 2.5], [-1.0, f64::NEG_INFINITY], 0.9, 0.8, Status::Invalid),
        ([2.5, -1.5, -1.5, 2.5], [1.0, f64::NAN], 0.9, 0.8, Status::Invalid),
        ([2.5, -1.5, -1.5, 2.5], [-1.0, 0.6], -0.1, 0.8, Status::Invalid),
        ([2.5, -1.5, -1.5, 2.5], [-1.0, 0.6], f64::NAN, 0.8, Status::Invalid),
        ([2.5, -1.5, -1.5, 2.5], [-1.0, 0.6], 0.9, -0.8, Status::Invalid),
        ([2.5, -1.5, -1.5, 2.5], [-1.0, 0.6], 0.9, f64::INFINITY, Status::Resolved),
        ([2.5, -3.0, -3.0, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([-2.5, 0.0, 0.0, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([0.0, 0.0, 0.0, 2.5], [-1.0, 0.6], 0.9, 0.8, Status::Singular),
        ([0.0, 0.0, 0.0, 0.0], [-1.0, 0.6], 0.9, 0.8, Status::Invalid),
        ([1.0, 0.0, 0.0, 0.0], [-1.0, 0.6], 0.9, 0.8, Status::Singular),
        ([1.0, 0.0, 0.0, 0.0], [-1.0, 0.0], 0.9, 0.8, Status::Resolved),
        ([1e-300, 0.0, 0.0, 1e-300], [-1.0, 0.1], 0.9, 0.8, Status::Invalid),
        ([1.0, 0.0, 0.0, 1.0], [-1e-200, 0.0], 0.9, 0.8, Status::Invalid),
    ];
    let column = |of: &dyn Fn(usize) -> f64| -> Vec<f64> { (0..cases.len()).map(of).collect() };
    let w: [Vec<f64>; 4] = std::array::from_fn(|k| column(&|i| cases[i].0[k]));
    let v: [Vec<f64>; 2] = std::array::from_fn(|k| column(&|i| cases[i].1[k]));
    let (e, friction) = (column(&|i| cases[i].2), column(&|i| cases[i].3));
    let [nn, nt, tn, tt] = w.each_ref().map(|column| Column::contiguous(column));
    let batch = Batch::planar(cases.len(), [[nn, nt], [tn, tt]], v.each_ref().map(|c| Column::contiguous(c))).unwrap();
    for id in ["routh-poisson", "newton", "smith"] {
        let law = laws::find(id).unwrap();
        let keys = ["restitution", "friction"];
        let bound =
            batch.bind(law, &[(keys[0], Column::contiguous(&e)), (keys[1], Column::contiguous(&friction))]).unwrap();
        let answers = Answers::of(&bound, 1);
        for (row, (.., status)) in cases.iter().enumerate() {
            // Newton's law has no friction, and no use for a direction across the normal.
            let exempt = id == "newton" && (14..=15).contains(&row);
            assert!(
                exempt || answers.status[row] == *status as u8,
                "{id} {row}: {} {:?}",
                answers.status[row],
                bound.outcome(row)
            );
            let numbers = answers.components(&answers.impulse, row).into_iter().chain([answers.energy_change[row]]);
            assert!(numbers.chain(answers.components(&answers.velocity_after, row)).all(f64::is_finite), "{id} {row}");
            let answered = answers.status[row] <= Status::Separating as u8;
            assert_eq!(answers.mode[row] != NO_MODE, answered, "{id} {row}");
            assert_eq!(bound.outcome(row).unwrap().is_ok(), answered, "{id} {row}");
        }
        assert!(bound.outcome(cases.len()).is_none());
    }
}

/// A contact that slips without approaching and jams has an impulse, and is not one that separates.
#[test]
fn tangential_impacts_are_resolved() {
    let inverse = nalgebra::Matrix2::new(1.0, 0.9, 0.9, 1.0).try_inverse().unwrap();
    let entry = |i, j| Column::same(&inverse[(i, j)]);
    let v = [Column::same(&0.0), Column::same(&-1.0)];
    let batch = Batch::planar(1, [[entry(0, 0), entry(0, 1)], [entry(0, 1), entry(1, 1)]], v).unwrap();
    let law = laws::find("routh-poisson").unwrap();
    let parameters = [("restitution", Column::same(&0.5)), ("friction", Column::same(&1.5))];
    let answers = Answers::of(&batch.bind(law, &parameters).unwrap(), 1);
    assert!(answers.impulse[0] > 1.0 && answers.energy_change[0] < -0.3);
    assert_eq!(answers.status[0], Status::Resolved as u8);
}

/// Wrong sizes, keys and values that hold for all rows are errors.
#[test]
fn wrong_batches_are_refused() {
    let (x, short, table) = ([1.0; 5], [1.0; 4], [1.0; 13]);
    let (ok, few) = (Column::contiguous(&x), Column::contiguous(&short));
    let zero = Column::same(&0.0);
    assert!(Batch::planar(5, [[ok, few], [few, ok]], [ok, ok]).is_err());
    assert!(Batch::planar(5, [[ok, zero], [zero, ok]], [ok, few]).is_err());
    assert!(Batch::planar(5, [[ok, zero], [zero, ok]], [ok, Column::strided(&table, 3)]).is_ok());
    assert!(Batch::planar(6, [[zero; 2]; 2], [zero, Column::strided(&table, 3)]).is_err());
    assert!(Batch::planar(usize::MAX, [[zero; 2]; 2], [zero, Column::strided(&table, 3)]).is_err());
    assert!(Batch::planar(1, [[zero; 2]; 2], [zero, Column::contiguous(&[])]).is_err());
    let batch = Batch::planar(5, [[ok, zero], [zero, ok]], [ok, ok]).unwrap();
    let law = laws::find("brach").unwrap();
    let half = Column::same(&0.5);
    let good = [("restitution", half), ("impulse_ratio", half), ("friction", half)];
    let bound = batch.bind(law, &good).unwrap();
    assert!(batch.bind(law, &good[..1]).is_err());
    assert!(batch.bind(law, &[("mass", half)]).is_err());
    assert!(batch.bind(law, &[good[0], good[0], good[1]]).is_err());
    assert!(batch.bind(law, &[("restitution", few), good[1]]).is_err());
    for value in [f64::NAN, f64::INFINITY, -1.0] {
        assert!(batch.bind(law, &[("restitution", Column::same(&value)), good[1]]).is_err());
    }
    assert!(batch.bind(law, &[good[0], good[1], ("lateral_impulse_ratio", half)]).is_err(), "leads out of the plane");
    let (mut wrong, mut codes) = ([0.0; 9], [0; 4]);
    assert!(bound.resolve(&mut Outputs { impulse: Some(&mut wrong), ..Outputs::default() }, 1).is_err());
    assert!(bound.resolve(&mut Outputs { restitution: Some(&mut wrong), ..Outputs::default() }, 1).is_err());
    assert!(bound.resolve(&mut Outputs { status: Some(&mut codes), ..Outputs::default() }, 1).is_err());
    bound.resolve(&mut Outputs::default(), 1).unwrap();
    let none = Batch::planar(0, [[zero; 2]; 2], [zero; 2]).unwrap();
    none.bind(law, &good).unwrap().resolve(&mut Outputs { status: Some(&mut []), ..Outputs::default() }, 0).unwrap();
}
