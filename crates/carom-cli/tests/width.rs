//! Every line that the command prints for people fits a terminal of 80 columns.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

const WIDTH: usize = 80;

fn carom(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    Command::new(env!("CARGO_BIN_EXE_carom")).args(arguments).current_dir(root).output().unwrap()
}

/// Runs the command and checks both of its outputs; returns the exit code.
fn check(arguments: &[&str]) -> i32 {
    let output = carom(arguments);
    for bytes in [&output.stdout, &output.stderr] {
        let text = String::from_utf8_lossy(bytes);
        for line in text.lines() {
            let width = line.chars().count();
            assert!(width <= WIDTH, "{arguments:?}: {width} columns:\n{line}\nin\n{text}");
        }
    }
    output.status.code().unwrap()
}

#[test]
fn help_texts_fit() {
    for command in [
        &[][..],
        &["collide"],
        &["simulate"],
        &["replay"],
        &["laws"],
        &["region"],
        &["reduce"],
        &["figure"],
        &["tool"],
        &["tool", "realise"],
        &["tool", "audit"],
        &["tool", "near-sphere"],
        &["tool", "hertz"],
        &["tool", "disk"],
        &["tool", "mindlin"],
    ] {
        for help in ["-h", "--help"] {
            assert_eq!(check(&[command, &[help]].concat()), 0, "{command:?}");
        }
    }
}

#[test]
fn laws_fit() {
    check(&["laws"]);
    for law in ["newton", "lai", "hertz-mindlin", "compliant-network", "chatterjee-combined"] {
        check(&["laws", law]);
    }
    check(&["laws", "smith", "--properties"]);
}

#[test]
fn comparisons_and_details_fit() {
    for scene in ["falling-rod", "billiard-cushion", "bowling-strike", "block-on-four-corners", "slender-rod"] {
        let file = format!("scenarios/{scene}.toml");
        for options in [&[][..], &["--law", "all"], &["--details"], &["--law", "all", "--details"]] {
            assert_eq!(check(&[&["collide", &file], options].concat()), 0, "{scene}");
        }
    }
    check(&["collide", "scenarios/cradle-three.toml", "--ambiguity"]);
    check(&["region", "scenarios/chatterjee-generic.toml", "--law", "chatterjee-1", "--law", "newton"]);
}

#[test]
fn runs_and_their_events_fit() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("run");
    let folder = folder.to_str().unwrap();
    for scene in ["bouncing-ball", "corner-flight", "rocking-block"] {
        assert_eq!(check(&["simulate", &format!("scenarios/{scene}.toml")]), 0, "{scene}");
    }
    // The message that names the folder is as long as its path.
    carom(&["simulate", "scenarios/corner-flight.toml", "-o", folder]);
    check(&["replay", folder]);
    check(&["replay", folder, "--event", "1"]);
    check(&["replay", folder, "--event", "1", "--law", "all"]);
}

#[test]
fn errors_fit() {
    let long = "x".repeat(30);
    assert_eq!(check(&["collide", "scenarios/falling-rod.toml", "--law", &long]), 2);
    assert_eq!(check(&["replay", "scenarios"]), 2);
    assert_eq!(check(&["simulate", "scenarios/bouncing-ball.toml", "--threads", "-1"]), 2);
    assert_eq!(check(&["simulate", "scenarios/bouncing-ball.toml", "--duration", "nan"]), 2);
    // The offending line is longer than a terminal.
    assert_eq!(check(&["collide", "scenarios/granular-gas.toml"]), 2);
    assert_eq!(check(&["tool", "hertz", "--radii", "5e-324", "--modulus", "1", "--load", "1"]), 2);
}

#[test]
fn long_titles_fit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for scene in ["falling-rod", "cradle-three", "bouncing-ball"] {
        let text = std::fs::read_to_string(root.join(format!("scenarios/{scene}.toml"))).unwrap();
        for title in ["x".repeat(200), "word ".repeat(40)] {
            let titled = text.lines().map(|line| match line.split_once('=') {
                Some((key, _)) if key.trim() == "title" => format!("title = \"{}\"\n", title.trim_end()),
                _ => format!("{line}\n"),
            });
            let titled: String = titled.collect();
            assert!(titled.contains(title.trim_end()), "{scene}");
            let file = folder.path().join("s.toml");
            std::fs::write(&file, titled).unwrap();
            let command = if scene == "bouncing-ball" { "simulate" } else { "collide" };
            assert_eq!(check(&[command, file.to_str().unwrap()]), 0, "{scene}");
        }
    }
}
