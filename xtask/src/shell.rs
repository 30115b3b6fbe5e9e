//! Running other programs from the root of the repository.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// What went wrong, in a sentence.
pub type Outcome = Result<(), String>;

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// The cargo that runs us.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// Runs a step and says what it is and how long it took.
pub fn step(name: &str, command: &mut Command) -> Outcome {
    println!("── {name}");
    let start = Instant::now();
    let status = command.status().map_err(|error| format!("{name}: cannot run {command:?}: {error}"))?;
    if !status.success() {
        return Err(format!("{name} failed ({status})"));
    }
    println!("── {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Runs a program and returns what it printed.
pub fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{command:?} printed no text: {error}"))
}
