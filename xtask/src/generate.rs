//! `cargo xtask generate`: documents and figures that come from the program itself.

use crate::shell::{Outcome, cargo, root, step};
use std::path::PathBuf;
use std::process::Command;

/// Makes every generated document, or with `--check` tells which are out of date.
pub fn run(options: &[&str]) -> Outcome {
    // The profile of the tests: what is built here is built for them as well.
    step("build carom", cargo().args(["build", "--quiet", "--package", "carom-cli", "--package", "carom-book"]))?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let book = target.join("debug").join(format!("carom-book{}", std::env::consts::EXE_SUFFIX));
    step("generated documents", Command::new(book).args(options))
}
