//! `cargo xtask generate`: documents and figures that come from the program itself.

use crate::shell::{Outcome, cargo, root, step};
use std::path::PathBuf;
use std::process::Command;

/// Makes every generated document, or with `--check` tells which are out of date.
pub fn run(options: &[&str]) -> Outcome {
    // Both at once, so that what they depend on is built once, for this and for the README's commands.
    let build = ["build", "--release", "--quiet", "--package", "carom-cli", "--package", "carom-book"];
    step("build carom", cargo().args(build))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let book = target.join("release").join(format!("carom-book{}", std::env::consts::EXE_SUFFIX));
    step("generated documents", Command::new(book).args(options))
}
