//! Nanoseconds per collision of batches, beside the same law row by row and beside copying as many bytes, timed in the same run.
//! Prints a Markdown table; `cargo xtask bench` keeps it.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, reason = "a program that prints a table")]

#[path = "../tests/support/mod.rs"]
mod support;

use carom::Collision;
use carom::batch::{Batch, BoundBatch, Column, Outputs};
use carom::laws::{self, BoundLaw, Law};
use rand::RngExt;
use std::hint::black_box;
use std::time::Instant;

/// Rows that stay in the second cache.
const CACHED: usize = 4096;
/// A sweep's worth, streamed through memory.
const STREAMED: usize = 1_000_000;
/// The least of this many rounds: other work on the machine only ever adds time.
const ROUNDS: usize = 15;

/// Columns of random collisions.
struct Rows {
    planar: bool,
    w: [Vec<f64>; 6],
    v: [Vec<f64>; 3],
    collisions: Vec<Collision>,
}

impl Rows {
    fn random(planar: bool, diagonal: bool, count: usize) -> Rows {
        let mut rows = Rows { planar, w: Default::default(), v: Default::default(), collisions: Vec::new() };
        let mut random = support::random(29, count as u64);
        for _ in 0..count {
            // A rod or a block: eigenvalues within a factor of ten, slip like approach.
            let mut w = support::rotation(&mut random).into_inner();
            if planar {
                let (s, c) = random.random_range(0.0..std::f64::consts::TAU).sin_cos();
                w = nalgebra::Matrix3::new(c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0);
            }
            let scale = nalgebra::Vector3::from_fn(|_, _| support::log_uniform(&mut random, -1.0, 0.0));
            let scale = if planar { nalgebra::Vector3::new(scale.x, scale.y, 1.0) } else { scale };
            let mut w = w * nalgebra::Matrix3::from_diagonal(&scale) * w.transpose();
            w = (w + w.transpose()) * 0.5;
            if diagonal {
                w = nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(w.m11, w.m22, w.m22));
            }
            let mut v = nalgebra::Vector3::from_fn(|_, _| random.random_range(-1.0..1.0_f64));
            v.x = -v.x.abs();
            let places: &[(usize, usize)] =
                if planar { &[(0, 0), (0, 1), (1, 1)] } else { &[(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)] };
            if planar {
                v.z = 0.0;
            }
            for (column, place) in rows.w.iter_mut().zip(places) {
                column.push(w[*place]);
            }
            for (column, x) in rows.v.iter_mut().zip(v.iter()) {
                column.push(*x);
            }
            rows.collisions.push(if planar {
                Collision::planar([[w.m11, w.m12], [w.m12, w.m22]], [v.x, v.y]).unwrap()
            } else {
                Collision::new(&w, &v).unwrap()
            });
        }
        rows
    }

    /// Planar collisions of the same numbers as in `crates/carom-py/bench/bench.py`.
    fn plain(count: usize) -> Rows {
        let column = |least: f64, greatest: f64, turn: f64| -> Vec<f64> {
            (0..count).map(|k| least + (greatest - least) * (k as f64 * turn).fract()).collect()
        };
        let mut rows = Rows { planar: true, w: Default::default(), v: Default::default(), collisions: Vec::new() };
        rows.w[0] = column(1.0, 2.0, 0.618_033_988_749_894_9);
        rows.w[1] = column(-0.5, 0.5, 0.414_213_562_373_095_1);
        rows.w[2] = column(1.0, 2.0, 0.732_050_807_568_877_2);
        rows.v[0] = column(-1.0, -0.1, 0.236_067_977_499_789_8);
        rows.v[1] = column(-1.0, 1.0, 0.645_751_311_064_590_6);
        rows
    }

    fn batch(&self) -> Batch<'_> {
        let [a, b, c, d, e, f] = self.w.each_ref().map(|column| Column::contiguous(column));
        let [x, y, z] = self.v.each_ref().map(|column| Column::contiguous(column));
        let rows = self.v[0].len();
        if self.planar {
            Batch::planar(rows, [[a, b], [b, c]], [x, y]).unwrap()
        } else {
            Batch::spatial(rows, [[a, b, c], [b, d, e], [c, e, f]], [x, y, z]).unwrap()
        }
    }

    /// Numbers that are read and written for a row: W, V, P and V'.
    fn numbers(&self) -> usize {
        if self.planar { 3 + 2 + 4 } else { 6 + 3 + 6 }
    }
}

fn value(key: &str) -> Option<f64> {
    match key {
        "restitution" => Some(0.7),
        "tangential_restitution" => Some(0.3),
        "friction" => Some(0.4),
        "impulse_ratio" => Some(0.2),
        _ => None,
    }
}

/// A call's worth from Python.
const LARGE: usize = 10_000_000;

fn main() {
    if std::env::args().any(|argument| argument == "large") {
        large();
        return;
    }
    println!(
        "| law | | row by row ns | batch, cached ns | × | batch, streamed ns | × | of a copy's bandwidth | of loads and stores alone | 2 threads × | all outputs, cached ns | derivatives, cached ns | × |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let kernels = |law: &&Law| {
        let rows = Rows::random(true, true, 8);
        let values: Vec<(&str, f64)> = law.parameters.iter().filter_map(|p| Some((p.key, value(p.key)?))).collect();
        let parameters: Vec<(&str, Column)> = values.iter().map(|(key, value)| (*key, Column::same(value))).collect();
        rows.batch().bind(laws::find(law.id).unwrap(), &parameters).is_ok_and(|bound| bound.has_kernel())
    };
    for law in laws::ALL.iter().filter(kernels) {
        for planar in [true, false] {
            row(law, planar);
        }
    }
    one();
}

fn row(law: &'static Law, planar: bool) {
    let diagonal = law.id == "bilinear";
    let values: Vec<(&str, f64)> = law.parameters.iter().filter_map(|p| Some((p.key, value(p.key)?))).collect();
    let parameters: Vec<(&str, Column)> = values.iter().map(|(key, value)| (*key, Column::same(value))).collect();
    let (cached, streamed) = (Rows::random(planar, diagonal, CACHED), Rows::random(planar, diagonal, STREAMED));
    let bound = law.bind_from(value).unwrap();
    let batch = cached.batch();
    let small = batch.bind(law, &parameters).unwrap();
    if !small.has_kernel() {
        return;
    }
    let [alone, quick, all, derivatives] = fastest(
        CACHED,
        [
            &mut || alone(&bound, &cached.collisions),
            &mut run(&small, 1),
            &mut everything(&small),
            &mut derivatives(&small),
        ],
    );
    let batch = streamed.batch();
    let large = batch.bind(law, &parameters).unwrap();
    let [slow, both, copied, touched] =
        fastest(STREAMED, [&mut run(&large, 1), &mut run(&large, 2), &mut copy(&streamed), &mut touch(&streamed)]);
    println!(
        "| {} | {} | {alone:.1} | {quick:.2} | {:.0} | {slow:.2} | {:.0} | {:.2} | {:.2} | {:.2} | {all:.1} | {derivatives:.1} | {:.1} |",
        law.id,
        if planar { "planar" } else { "spatial" },
        alone / quick,
        alone / slow,
        copied / slow,
        touched / slow,
        slow / both,
        derivatives / quick
    );
}

/// The least time of each of several calls, per row, ns. They take turns, so that other work on the machine meets all of them.
fn fastest<const N: usize>(rows: usize, mut calls: [&mut dyn FnMut(); N]) -> [f64; N] {
    let repeats = (STREAMED / rows / 8).max(1);
    let mut least = [f64::INFINITY; N];
    for _ in 0..ROUNDS {
        for (call, least) in calls.iter_mut().zip(&mut least) {
            let start = Instant::now();
            for _ in 0..repeats {
                call();
            }
            *least = least.min(start.elapsed().as_secs_f64() / repeats as f64);
        }
    }
    least.map(|time| time * 1e9 / rows as f64)
}

fn alone(law: &BoundLaw, collisions: &[Collision]) {
    for collision in collisions {
        black_box(law.resolve_collision(black_box(collision)).map(|outcome| outcome.impulse.x).ok());
    }
}

fn run(bound: &BoundBatch, threads: usize) -> impl FnMut() {
    let rows = bound.rows();
    let (mut impulse, mut after) = (vec![0.0; 3 * rows], vec![0.0; 3 * rows + 1000]);
    let n = bound.components() * rows;
    move || {
        let mut outputs = Outputs {
            impulse: Some(&mut impulse[..n]),
            velocity_after: Some(&mut after[232..n + 232]),
            ..Outputs::default()
        };
        bound.resolve(&mut outputs, threads).unwrap();
        black_box(&impulse);
    }
}

fn everything(bound: &BoundBatch) -> impl FnMut() {
    let rows = bound.rows();
    let n = bound.components() * rows;
    let (mut impulse, mut after, mut energy) = (vec![0.0; n], vec![0.0; n], vec![0.0; rows]);
    let (mut mode, mut status, mut audit) = (vec![0; rows], vec![0; rows], vec![0; rows]);
    let mut restitution = vec![0.0; 4 * rows];
    move || {
        let mut outputs = Outputs {
            impulse: Some(&mut impulse),
            velocity_after: Some(&mut after),
            energy_change: Some(&mut energy),
            mode: Some(&mut mode),
            status: Some(&mut status),
            restitution: Some(&mut restitution),
            audit: Some(&mut audit),
        };
        bound.resolve(&mut outputs, 1).unwrap();
        black_box(&mode);
    }
}

/// Matrices of derivatives.
fn derivatives(bound: &BoundBatch) -> impl FnMut() {
    let rows = bound.rows();
    let size = 2 * bound.components() * bound.inputs();
    let (mut matrices, mut kinds) = (vec![0.0; rows * size], vec![0; rows]);
    move || {
        bound.differentiate(&mut matrices, &mut kinds, 1).unwrap();
        black_box(&matrices);
    }
}

/// Copying as many bytes as a batch reads and writes.
fn copy(rows: &Rows) -> impl FnMut() {
    let numbers = rows.numbers() * rows.v[0].len();
    let (from, mut into) = (vec![1.0; numbers / 2], vec![0.0; numbers / 2]);
    move || {
        into.copy_from_slice(black_box(&from));
        black_box(&mut into);
    }
}

/// Reading and writing the columns of a batch, with one addition for each number that is written.
fn touch(rows: &Rows) -> impl FnMut() {
    let count = rows.v[0].len();
    let (w, v) = if rows.planar { (3, 2) } else { (6, 3) };
    let columns: Vec<&[f64]> = rows.w[..w].iter().chain(&rows.v[..v]).map(Vec::as_slice).collect();
    let mut written = vec![0.0; (rows.numbers() - columns.len()) * count];
    move || {
        const BLOCK: usize = 256;
        for from in (0..count).step_by(BLOCK) {
            let block = from..(from + BLOCK).min(count);
            for (k, output) in written.chunks_exact_mut(count).enumerate() {
                // Each column is read once at least; in the plane there is one more to read than to write.
                let (one, other) =
                    (&columns[k][block.clone()], &columns[(k + columns.len() / 2) % columns.len()][block.clone()]);
                for ((slot, x), y) in output[block.clone()].iter_mut().zip(one).zip(other) {
                    *slot = x + y;
                }
            }
        }
        black_box(&mut written);
    }
}

/// The time of a call for one collision.
fn one() {
    let rows = Rows::random(true, false, 1);
    let law = laws::find("routh-poisson").unwrap();
    let (e, friction) = (0.7, 0.4);
    let mut impulse = [0.0; 2];
    let [time] = fastest(
        1,
        [&mut || {
            let batch = rows.batch();
            let bound =
                batch.bind(law, &[("restitution", Column::same(&e)), ("friction", Column::same(&friction))]).unwrap();
            bound.resolve(&mut Outputs { impulse: Some(&mut impulse), ..Outputs::default() }, 1).unwrap();
        }],
    );
    println!("\nOne collision of routh-poisson as a batch, with binding: {time:.0} ns.");
}

/// Nanoseconds per row of large batches with one thread, for the benchmark of the Python package, which solves the same problems: a line
/// for each law. Outputs are written where they were before, or into new memory.
fn large() {
    for id in ["newton", "chatterjee-2", "routh-poisson"] {
        let law = laws::find(id).unwrap();
        let (e, friction) = (0.7, 0.4);
        let rows = Rows::plain(LARGE);
        let batch = rows.batch();
        let bound =
            batch.bind(law, &[("restitution", Column::same(&e)), ("friction", Column::same(&friction))]).unwrap();
        let call = |impulse: &mut [f64], after: &mut [f64], status: &mut [u8]| {
            let mut outputs = Outputs {
                impulse: Some(impulse),
                velocity_after: Some(after),
                status: Some(status),
                ..Outputs::default()
            };
            bound.resolve(&mut outputs, 1).unwrap();
            black_box(&outputs);
        };
        let mut into_new = || call(&mut vec![0.0; 2 * LARGE], &mut vec![0.0; 2 * LARGE], &mut vec![0; LARGE]);
        let (mut impulse, mut after, mut status) = (vec![0.0; 2 * LARGE], vec![0.0; 2 * LARGE], vec![0; LARGE]);
        let [again, new] = fastest(LARGE, [&mut || call(&mut impulse, &mut after, &mut status), &mut into_new]);
        println!("{id} {again:.3} {new:.3}");
    }
}
