//! `carom reduce` writes a whole file or none, and says what is wrong with its input.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");

fn carom(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).args(words).current_dir(folder).output().unwrap()
}

fn sample(name: &str) -> String {
    std::fs::read_to_string(Path::new(DATA).join(name)).unwrap()
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

#[test]
fn the_example_of_the_help_runs_and_the_fit_finds_the_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let (frames, setup) = (format!("{DATA}/half-puck-frames.csv"), format!("{DATA}/half-puck.toml"));
    let reduced =
        carom(folder.path(), &["reduce", &frames, "--setup", &setup, "-o", "collisions.csv", "--draws", "20"]);
    assert!(reduced.status.success(), "{}", String::from_utf8_lossy(&reduced.stderr));
    assert_eq!(count(folder.path()), 1);
    // The restitution and the friction that the frames were made with.
    let fit = carom(folder.path(), &["fit", "collisions.csv", "--law", "routh-poisson", "--format", "json"]);
    let fit: serde_json::Value = serde_json::from_slice(&fit.stdout).unwrap();
    let text = fit.to_string();
    let estimates = fit["estimates"].as_array().unwrap_or_else(|| panic!("{text}"));
    for (estimate, truth) in estimates.iter().zip([0.92, 0.2]) {
        let number = |key: &str| estimate[key].as_f64().unwrap_or_else(|| panic!("{text}"));
        assert!((number("value") - truth).abs() < 4.0 * number("standard_error"), "{estimate}");
    }
}

#[test]
fn bad_input_ends_with_code_2_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (frames, setup) = (sample("half-puck-frames.csv"), sample("half-puck.toml"));
    std::fs::write(at("setup.toml"), &setup).unwrap();
    std::fs::write(at("typo.toml"), setup.replace("half_disk", "half_disc")).unwrap();
    // The last field of the first row.
    let nan = frames.replacen(frames.lines().nth(4).unwrap().rsplit(',').next().unwrap(), "nan", 1);
    let cases = [
        ("empty.csv", String::new(), "setup.toml", "empty.csv: is empty"),
        ("nan.csv", nan, "setup.toml", "nan.csv: line 5: "),
        ("column.csv", frames.replace("frame,phase", "frames,phase"), "setup.toml", "did you mean `frame`?"),
        ("metres.csv", frames.clone(), "metres.toml", "`scale` = 4"),
        ("short.csv", frames.lines().take(6).collect::<Vec<_>>().join("\n"), "setup.toml", "short.csv: no trial gives"),
        ("frames.csv", frames.clone(), "typo.toml", "did you mean `half_disk`?"),
        ("frames.csv", frames.clone(), "no.toml", "there is no such file"),
    ];
    std::fs::write(at("metres.toml"), setup.replace("scale = 4900.0", "scale = 1.0")).unwrap();
    for (name, text, setup, words) in cases {
        std::fs::write(at(name), text).unwrap();
        let before = count(folder.path());
        let output = carom(folder.path(), &["reduce", name, "--setup", setup, "-o", "out.csv"]);
        let said = String::from_utf8_lossy(&output.stderr).replace("\n  ", " ");
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
        assert_eq!((count(folder.path()), output.stdout.len()), (before, 0), "{name}");
    }
    let output = carom(folder.path(), &["reduce", "absent.csv", "--setup", "setup.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let output = carom(folder.path(), &["reduce", "frames.csv", "--setup", "setup.toml", "-o", "no/out.csv"]);
    assert_eq!(output.status.code(), Some(2));
}
