//! Every `tests/bad/*.toml` is refused with exactly the words beside it in `*.stderr`; so is every `tests/bad-simulation/*.toml` when
//! it is to move through time.
//!
//! `UPDATE_EXPECT=1 cargo test -p carom-study --test bad_files` writes the words again; read them before committing.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom_study::scenario::{Scenario, ScenarioError, SimulationScenario};
use std::fs;
use std::path::{Path, PathBuf};

/// Faults of the file as a whole; all others must point at a line.
const WITHOUT_A_LINE: [&str; 5] = ["binary", "empty", "neither-form", "no-bodies", "no-duration"];

fn bad_files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// The error of a file under its bare name, so that the words do not depend on where the tree stands.
fn refusal(path: &Path, error: Option<ScenarioError>) -> String {
    let full = path.display().to_string();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let Some(error) = error else { panic!("{full} was accepted") };
    assert_eq!(error.file(), full);
    error.to_string().replace(&full, &name) + "\n"
}

#[test]
fn bad_files_are_refused_with_the_expected_words() {
    check("bad", |path| Scenario::read(path).err());
}

#[test]
fn bad_simulations_are_refused_with_the_expected_words() {
    check("bad-simulation", |path| SimulationScenario::read(path).err());
}

fn check(folder: &str, read: fn(&Path) -> Option<ScenarioError>) {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut differing = Vec::new();
    for path in bad_files(folder) {
        let found = refusal(&path, read(&path));
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let name = format!("{stem}.toml");
        assert!(found.contains(&name), "{name}:\n{found}");
        let widest = found.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{name} has a line of {widest:?} columns:\n{found}");
        if !WITHOUT_A_LINE.contains(&stem) {
            assert!(found.contains(&format!("--> {name}:")), "{name} has no line:\n{found}");
        }
        let expected_path = path.with_extension("stderr");
        if update {
            fs::write(&expected_path, &found).unwrap();
        } else if fs::read_to_string(&expected_path).unwrap_or_default() != found {
            differing.push(found);
        }
    }
    assert!(differing.is_empty(), "changed errors:\n{}", differing.join("\n"));
}

#[test]
fn colour_only_adds_escape_codes() {
    let path = bad_files("bad").into_iter().find(|path| path.ends_with("unknown-key.toml")).unwrap();
    let error = Scenario::read(path).unwrap_err();
    assert!(error.render(true).contains("\u{1b}[") && !error.render(false).contains('\u{1b}'));
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = std::env::temp_dir();
    let missing = folder.join("carom-no-such-scenario.toml");
    let error = Scenario::read(&missing).unwrap_err().to_string();
    assert!(error.contains("there is no such file") && error.contains("carom-no-such-scenario.toml"), "{error}");
    let error = Scenario::read(&folder).unwrap_err().to_string();
    assert!(error.contains("this is a directory"), "{error}");
}

#[test]
fn an_oversized_file_is_refused_unread() {
    let path = std::env::temp_dir().join(format!("carom-oversized-{}.toml", std::process::id()));
    // Sparse: the size is in the metadata, and there is nothing to read.
    fs::File::create(&path).unwrap().set_len(1 << 34).unwrap();
    let error = Scenario::read(&path).unwrap_err().to_string();
    fs::remove_file(&path).unwrap();
    assert!(error.contains("has 17179869184 bytes; a scenario may have at most 64 MiB"), "{error}");
}
