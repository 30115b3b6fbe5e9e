//! `cargo xtask test`: all checks.

use crate::shell::{Outcome, cargo, root, step};
use crate::{book, generate, modules, python};

/// Every check.
pub fn run() -> Outcome {
    step("format", cargo().args(["fmt", "--all", "--check"]))?;
    let lints = ["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"];
    step("lints", cargo().args(lints))?;
    let documentation = ["doc", "--workspace", "--no-deps", "--quiet"];
    step("documentation", cargo().args(documentation).env("RUSTDOCFLAGS", "--deny warnings"))?;
    modules::check()?;
    generate::run(&["--check"])?;
    readme()?;
    book::build()?;
    python::test()?;
    // Last, so that the runner's closing lines are the last thing a reader of the log sees.
    step("tests", cargo().args(["test", "--workspace", "--no-fail-fast"]))
}

/// The README's commands do what it says.
fn readme() -> Outcome {
    let text = std::fs::read_to_string(root().join("README.md")).map_err(|error| format!("README.md: {error}"))?;
    let commands: Vec<&str> = text.lines().filter(|line| line.starts_with("cargo run ")).collect();
    if commands.is_empty() {
        return Err("README.md shows no `cargo run` command".to_owned());
    }
    let folder = std::env::temp_dir().join(format!("carom-readme-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for command in commands {
        let command = command.split('#').next().unwrap_or(command);
        // A picture belongs into a scratch folder, not into the tree.
        // Without `--release`: that takes minutes to build and computes the same.
        let words = command.split_whitespace().skip(1).filter(|word| *word != "--release");
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        if let Some(file) = words.iter().position(|word| word == "--plot").and_then(|flag| words.get_mut(flag + 1)) {
            *file = folder.join(&*file).display().to_string();
        }
        step(&format!("README: {command}"), cargo().args(words))?;
    }
    std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// The property tests over more collisions than CI has time for.
pub fn properties(cases: &str) -> Outcome {
    let tests = ["test", "--release", "--package", "carom", "--test", "properties"];
    step(&format!("properties of {cases} collisions"), cargo().args(tests).env("CAROM_CASES", cases))
}
