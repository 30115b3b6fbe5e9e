//! A thousand random collisions in space by Routh's process: writes them, the impulses and the times to the file named by
//! the first argument, for `benches/routh_vs_scipy.py` to compare with.
#![allow(missing_docs, clippy::unwrap_used, clippy::print_stderr, reason = "a program that writes a table")]

#[path = "../tests/support/mod.rs"]
mod support;

use carom::Collision;
use carom::laws::{Routh, Termination};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;
use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

const COLLISIONS: u64 = 1000;
/// The least of this many rounds: other work on the machine only ever adds time.
const ROUNDS: usize = 50;
const ENDINGS: [(&str, Termination); 3] =
    [("poisson", Termination::Poisson), ("newton", Termination::Newton), ("stronge", Termination::Stronge)];

fn main() {
    let Some(file) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        eprintln!("name a file to write to");
        std::process::exit(2);
    };
    let mut table =
        String::from("w_nn,w_n1,w_n2,w_11,w_12,w_22,v_n,v_1,v_2,friction,restitution,ending,p_n,p_1,p_2,ns\n");
    for case in 0..COLLISIONS {
        let (collision, friction, restitution) = problem(case);
        let (name, termination) = ENDINGS[(case % 3) as usize];
        let law = Routh { restitution, friction, termination };
        let p = law.resolve(&collision).unwrap().impulse;
        let nanoseconds = (0..ROUNDS).map(|_| time(&law, &collision)).fold(f64::INFINITY, f64::min);
        let (w, v) = (collision.inverse_mass(), collision.velocity());
        for number in [w[(0, 0)], w[(0, 1)], w[(0, 2)], w[(1, 1)], w[(1, 2)], w[(2, 2)], v.x, v.y, v.z] {
            write!(table, "{number:e},").unwrap();
        }
        writeln!(table, "{friction:e},{restitution:e},{name},{:e},{:e},{:e},{nanoseconds}", p.x, p.y, p.z).unwrap();
    }
    std::fs::write(&file, table).unwrap();
}

fn time(law: &Routh, collision: &Collision) -> f64 {
    let start = Instant::now();
    let _ = black_box(law.resolve(black_box(collision)));
    start.elapsed().as_secs_f64() * 1e9
}

/// Inverse masses of condition up to ten in any orientation, approach and slip of any ratio, friction up to 1.2.
fn problem(case: u64) -> (Collision, f64, f64) {
    let mut random = support::random(71, case);
    let turn = support::rotation(&mut random);
    let eigenvalues = Vector3::from_fn(|_, _| random.random_range(0.2..2.0));
    let w = turn * Matrix3::from_diagonal(&eigenvalues) * turn.inverse();
    let v = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0_f64));
    let v = Vector3::new(-v.x.abs().max(0.01), v.y, v.z);
    let collision = Collision::new(&((w + w.transpose()) * 0.5), &v).unwrap();
    (collision, random.random_range(0.05..1.2), random.random())
}
