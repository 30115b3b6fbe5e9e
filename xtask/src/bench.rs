//! `cargo xtask bench`: tables of timings, with the machine they were made on.

use crate::python;
use crate::shell::{Outcome, cargo, output, root, step};
use std::process::Command;

/// Times every law and keeps the table.
pub fn run() -> Outcome {
    println!("timing every law (about a minute)");
    let table = output(cargo().args(["bench", "--quiet", "--package", "carom", "--bench", "laws"]))?;
    keep(
        "",
        "Time per collision",
        "Nanoseconds, the least of several rounds, and as multiples of one nalgebra Cholesky solve of the same 3×3 system \
         in the same run. Eigenvalue ratios to 1e-6, incidence from head-on to grazing, e = 0.7, μ = 0.4. Made by \
         `cargo xtask bench`.",
        &table,
    )
}

/// Times Routh's process in space against scipy and keeps the table. `PYTHON` names the interpreter that has scipy.
pub fn routh() -> Outcome {
    println!("timing Routh's process against scipy (some minutes)");
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let table = output(Command::new(python).arg("benches/routh_vs_scipy.py").current_dir(root()))?;
    keep(
        "-routh",
        "Routh's process in space, against scipy",
        "The same collisions, the same accuracy of 1e-10 or better, one core. Differences are between scipy's impulses and \
         Carom's, relative to their length. Made by `cargo xtask bench routh`, which runs `benches/routh_vs_scipy.py`.",
        &table,
    )
}

/// Times batches beside the laws row by row and beside copying, and keeps the table.
pub fn batch() -> Outcome {
    println!("timing batches (about two minutes)");
    let table = output(cargo().args(["bench", "--quiet", "--package", "carom", "--bench", "batch"]))?;
    keep(
        "-batch",
        "Batches of collisions",
        "Nanoseconds a collision, the least of several rounds in which the columns take turns, and ratios in the same run: to the law called \
         row by row, to copying the bytes of W, V, P and V' as one block, and to reading and writing these columns with an addition for each \
         number. Cached: 4096 rows; streamed: a million. Derivatives: × the cached batch. Well-conditioned W, e = 0.7, μ = 0.4. Made by `cargo xtask bench batch`.",
        &table,
    )
}

/// Times sweeps beside writing the same columns and beside the event engine, and keeps the table.
pub fn sweep() -> Outcome {
    println!("timing sweeps (some minutes)");
    let table = output(cargo().args(["bench", "--quiet", "--package", "carom-study", "--bench", "sweep"]))?;
    keep(
        "-sweep",
        "Sweeps",
        "Five axes, five outputs and a status, against writing the same numbers from memory with the same compression, in turns; and simulations of a \
         bouncing ball for 3 s, against the event engine on a scene that is read once. Made by `cargo xtask bench sweep`.",
        &table,
    )
}

/// Times the laws for several contacts beside Clarabel and keeps the table.
pub fn impact() -> Outcome {
    println!("timing impacts of several contacts beside Clarabel (some minutes)");
    let table = output(cargo().args(["bench", "--quiet", "--package", "carom", "--bench", "impact"]))?;
    keep(
        "-impact",
        "Impacts of several contacts, against Clarabel",
        "The same problems in the same run, at equal residual. Made by `cargo xtask bench impact`.",
        &table,
    )
}

/// Times both engines and keeps the tables. `PYTHON` names the interpreter that has mujoco; a peer that is not there is passed over.
pub fn simulation() -> Outcome {
    println!("timing the event engine, and the stepping engine beside MuJoCo and Box2D (some minutes)");
    let events = output(cargo().args(["bench", "--quiet", "--package", "carom", "--bench", "events"]))?;
    keep(
        "-events",
        "A ball in a box, impact by impact",
        "The least of several rounds; one core. By hand: the same billiard without gravity, written out for this one scene, without \
         a law or a record. Made by `cargo xtask bench simulation`.",
        &events,
    )?;
    let alone = output(cargo().args(["bench", "--quiet", "--package", "carom", "--bench", "stepping"]))?;
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let beside = output(Command::new(python).arg("benches/peers/stepping.py").current_dir(root()))?;
    keep(
        "-stepping",
        "Balls in a box, step by step, beside MuJoCo and Box2D",
        "One thread each, step 1/240 s, friction 0.5, in turn in the same run; the best of two rounds. Carom: f64, restitution 0.2, \
         tolerance 1e-3, at most 50 sweeps. MuJoCo: f64, CG, elliptic cones, default tolerance and iterations; its contacts are soft and \
         have no restitution. Box2D: f32, restitution 0.2, four sub-steps, no sleeping, length unit of a disk's diameter, built with -O3 for \
         the instructions it comes with; its contacts are soft: the overlap stands beside. Below, Carom alone. Made by \
         `cargo xtask bench simulation`.",
        &format!("{beside}\n{alone}"),
    )
}

/// Times the Python package beside Rust and NumPy and keeps the table.
pub fn python() -> Outcome {
    println!("timing the Python package (some minutes)");
    let interpreter = python::installed("release")?;
    let rust = output(cargo().args(["bench", "--quiet", "--package", "carom", "--bench", "batch", "--", "large"]))?;
    let mut script = Command::new(interpreter);
    script.arg("crates/carom-py/bench/bench.py").args(rust.lines()).current_dir(root());
    let table = output(&mut script)?;
    keep(
        "-python",
        "The Python package, beside Rust and NumPy",
        "The same problems, e = 0.7, μ = 0.4, one thread unless said, the least of several rounds. New arrays of Rust come from `vec!`, those of \
         Python from `numpy.empty`. NumPy: the law's formulas written out in `crates/carom-py/bench/bench.py`, over whole arrays as they are \
         usually written, and over blocks that stay in the cache; compared with Carom's answers in the same run. Made by `cargo xtask bench python`.",
        &table,
    )
}

/// Times fits beside scipy's, and keeps the table.
pub fn fit() -> Outcome {
    println!("timing fits against scipy (some minutes)");
    let python = python::installed("release")?;
    step("install scipy", Command::new(&python).args(["-m", "pip", "install", "--quiet", "scipy"]))?;
    let table = output(Command::new(python).arg("benches/fit_vs_scipy.py").current_dir(root()))?;
    keep(
        "-fit",
        "Fits, beside scipy",
        "Three parameters of chatterjee-2 on the same 10 000 collisions, the least of five rounds; the bootstrap once. Made by `cargo xtask bench fit`, \
         which runs `benches/fit_vs_scipy.py`.",
        &table,
    )
}

/// Writes a table under a title and a paragraph into the results of this machine.
fn keep(suffix: &str, title: &str, what: &str, table: &str) -> Outcome {
    let machine = machine();
    let compiler = output(Command::new("rustc").arg("--version"))?;
    let text = format!("# {title}\n\n{machine}, {}\n\n{what}\n\n{table}", compiler.trim());
    let folder = root().join("benches/results");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let name: String =
        machine.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
    let path = folder.join(format!("{}{suffix}.md", words.join("-")));
    std::fs::write(&path, &text).map_err(|error| format!("{}: {error}", path.display()))?;
    print!("{text}");
    println!("\nkept in {}", path.strip_prefix(root()).unwrap_or(&path).display());
    Ok(())
}

/// The processor's name and the number of its cores we may use.
fn machine() -> String {
    let described = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = described
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':').map(|(_, name)| name.trim().to_owned()))
        .unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{name}, {cores} cores")
}
