//! `cargo xtask bench`: the table of timings, with the machine it was made on.

use crate::shell::{Outcome, cargo, output, root};

/// Runs the benchmark and keeps its table.
pub fn run() -> Outcome {
    println!("timing every law (about a minute)");
    let table = output(cargo().args(["bench", "--quiet", "--package", "carom", "--bench", "laws"]))?;
    let machine = machine();
    let compiler = output(std::process::Command::new("rustc").arg("--version"))?;
    let text = format!(
        "# Time per collision\n\n{machine}, {}\n\nNanoseconds, the least of several rounds, and as multiples of one \
         nalgebra Cholesky solve of the same 3×3 system in the same run. Eigenvalue ratios to 1e-6, incidence from head-on \
         to grazing, e = 0.7, μ = 0.4. Made by `cargo xtask bench`.\n\n{table}",
        compiler.trim()
    );
    let folder = root().join("benches/results");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let name: String =
        machine.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let words: Vec<&str> = name.split('-').filter(|word| !word.is_empty()).collect();
    let path = folder.join(format!("{}.md", words.join("-")));
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
