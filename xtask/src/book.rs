//! `cargo xtask book`: the book as HTML.

use crate::shell::{Outcome, cargo, root, step};
use std::path::PathBuf;
use std::process::Command;

/// The version the book is written for.
const MDBOOK: &str = "0.5.4";

/// Builds the book into target/book, installing mdBook into target/tools if there is none.
pub fn build() -> Outcome {
    links()?;
    step("book", Command::new(mdbook()?).arg("build").arg(root().join("docs")))
}

fn mdbook() -> Result<PathBuf, String> {
    if Command::new("mdbook").arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Ok("mdbook".into());
    }
    let tools = root().join("target/tools");
    let own = tools.join("bin/mdbook");
    if !own.exists() {
        // The book is small: to build mdBook takes longer than all that optimising it would save.
        let install =
            ["install", "mdbook", "--debug", "--quiet", "--no-default-features", "--version", MDBOOK, "--root"];
        step("install mdBook", cargo().args(install).arg(&tools))?;
    }
    Ok(own)
}

/// Every relative link of the book leads somewhere.
fn links() -> Outcome {
    let mut broken = Vec::new();
    let mut folders = vec![root().join("docs/src")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                for target in targets(&text) {
                    let file = target.split('#').next().unwrap_or_default();
                    if !file.is_empty() && !folder.join(file).exists() {
                        broken.push(format!("{}: {target}", path.strip_prefix(root()).unwrap_or(&path).display()));
                    }
                }
            }
        }
    }
    if broken.is_empty() { Ok(()) } else { Err(format!("links that lead nowhere:\n  {}", broken.join("\n  "))) }
}

/// The relative targets of Markdown links and pictures, outside code blocks.
fn targets(text: &str) -> Vec<&str> {
    let mut in_code = false;
    let mut targets = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if !in_code {
            let ends = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            targets.extend(ends.filter(|target| !target.contains("://")));
        }
    }
    targets
}
