//! Everything a developer or CI runs: `cargo xtask test`, `cargo xtask generate`, `cargo xtask bench`, …
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod bench;
mod book;
mod checks;
mod generate;
mod modules;
mod python;
mod shell;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test               every check: format, lints, docs, tests, generated documents, README, book
  generate [--check] make the generated documents and figures of the book (or tell which are out of date)
  bench              time every law and keep the table under benches/results
  bench batch        time batches of collisions beside the laws row by row and beside copying
  bench routh        time Routh's process in space against scipy (needs Python with scipy: see benches/routh_vs_scipy.py)
  bench fit          time fits beside scipy
  bench sweep        time sweeps beside writing the same columns and beside the event engine alone
  bench impact       time the laws for several contacts against Clarabel
  bench simulation   time the event engine in a box, and the stepping engine beside MuJoCo (Python with mujoco) and Box2D (a C compiler)
  bench python       time the Python package beside Rust and NumPy
  wheel              build the Python package into target/wheels
  test python        the tests of the Python package
  book               build the book into target/book
  properties [N]     the property tests over N random collisions (10 000 000 by default), optimised
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["test"] => checks::run(),
        ["generate"] => generate::run(&[]),
        ["generate", "--check"] => generate::run(&["--check"]),
        ["bench"] => bench::run(),
        ["bench", "batch"] => bench::batch(),
        ["bench", "routh"] => bench::routh(),
        ["bench", "impact"] => bench::impact(),
        ["bench", "fit"] => bench::fit(),
        ["bench", "sweep"] => bench::sweep(),
        ["bench", "simulation"] => bench::simulation(),
        ["wheel"] => python::wheel(),
        ["test", "python"] => python::test(),
        ["bench", "python"] => bench::python(),
        ["book"] => book::build(),
        ["properties"] => checks::properties("10000000"),
        ["properties", cases] => checks::properties(cases),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("xtask: {problem}");
            ExitCode::FAILURE
        }
    }
}
