//! The Python package: its wheel, its tests, its benchmark.

use crate::shell::{Outcome, output, root, step};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages without which nothing runs, and those that some tests pass over.
const REQUIRED: &str = "crates/carom-py/tests/requirements.txt";
const PEERS: [&str; 3] = [
    "crates/carom-py/tests/requirements-peers.txt",
    "crates/carom-py/tests/requirements-tables.txt",
    "crates/carom-py/tests/requirements-notebooks.txt",
];

/// Builds the wheel for every Python from 3.10 on into target/wheels.
pub fn wheel() -> Outcome {
    let path = build(&environment()?, "release")?;
    println!("{}", path.strip_prefix(root()).unwrap_or(&path).display());
    Ok(())
}

/// Builds the package, installs it below target/python, and runs its tests.
pub fn test() -> Outcome {
    // The profile of the other tests: most of it is built once for both.
    let python = installed("dev")?;
    step("Python tests", Command::new(python).args(["-m", "pytest"]).current_dir(root()))
}

/// The Python below target/python, with the package installed that a profile of Cargo builds.
pub fn installed(profile: &str) -> Result<PathBuf, String> {
    let python = environment()?;
    let wheel = build(&python, profile)?;
    let install = ["-m", "pip", "install", "--quiet", "--force-reinstall", "--no-deps"];
    step("install the wheel", Command::new(&python).args(install).arg(wheel))?;
    Ok(python)
}

fn build(python: &Path, profile: &str) -> Result<PathBuf, String> {
    let folder = root().join("target/wheels");
    // The wheel to install is the only one there.
    if folder.exists() {
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let build = ["-m", "maturin", "build", "--quiet", "--profile", profile, "--out"];
    step("wheel", Command::new(python).args(build).arg(&folder).current_dir(root()))?;
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut wheels = entries.flatten().map(|entry| entry.path());
    wheels
        .find(|path| path.extension().is_some_and(|ending| ending == "whl"))
        .ok_or_else(|| "no wheel was built".to_owned())
}

/// The interpreter of the environment below target/python, made from `PYTHON` or `python3`; packages are installed when their list has
/// changed.
fn environment() -> Result<PathBuf, String> {
    let folder = root().join("target/python");
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    if !python.exists() {
        let base = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
        let version = output(Command::new(&base).args(["-c", "import sys; print(sys.version_info >= (3, 10))"]))?;
        if version.trim() != "True" {
            return Err(format!("{} is older than Python 3.10; expected PYTHON to name a newer one", base.display()));
        }
        step("Python environment", Command::new(base).args(["-m", "venv"]).arg(&folder))?;
    }
    install(&python, REQUIRED)?;
    for list in PEERS {
        if let Err(problem) = install(&python, list) {
            println!("tests beside other programs will be skipped: {problem}");
        }
    }
    Ok(python)
}

/// Installs a list of packages unless it is installed.
fn install(python: &Path, list: &str) -> Outcome {
    let path = root().join(list);
    let wanted = std::fs::read_to_string(&path).map_err(|error| format!("{list}: {error}"))?;
    let name = path.file_name().unwrap_or_default();
    let record = root().join("target/python").join(name);
    if std::fs::read_to_string(&record).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    step(&format!("install {list}"), Command::new(python).args(["-m", "pip", "install", "--quiet", "-r"]).arg(&path))?;
    std::fs::write(&record, wanted).map_err(|error| format!("{}: {error}", record.display()))
}
