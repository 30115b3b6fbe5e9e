//! Networks of any size get an answer, or a refusal that says why and what is possible instead: nothing hangs in silence.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output};

/// A row of balls, the first of which hits the others.
fn chain(balls: usize) -> String {
    let mut text = format!("title = \"Chain of {balls} balls\"\n");
    for k in 0..balls {
        let speed = if k == 0 { 1.0 } else { 0.0 };
        let _ = writeln!(
            text,
            "[[body]]\nname = \"b{k}\"\nmass = 1.0\ninertia = 0.1\nposition = [{k}.0, 0.0]\nvelocity = [{speed:?}, 0.0]"
        );
    }
    for k in 1..balls {
        let _ = writeln!(
            text,
            "[[contact]]\nbetween = [\"b{k}\", \"b{}\"]\npoint = [{}.5, 0.0]\nnormal = [1.0, 0.0]\nfriction = 0.3\nrestitution = 0.9",
            k - 1,
            k - 1
        );
    }
    text
}

/// What the command says about a row of balls: output, errors, exit code.
fn carom(balls: usize, words: &[&str]) -> (String, String, i32) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.toml");
    std::fs::write(&file, chain(balls)).unwrap();
    let Output { status, stdout, stderr } = run(&file, words);
    (String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap(), status.code().unwrap())
}

/// Text without its line breaks: messages are wrapped.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn run(file: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom")).arg("collide").arg(file).args(words).output().unwrap()
}

#[test]
fn laws_that_would_take_long_are_left_out_of_a_comparison() {
    let (table, errors, code) = carom(200, &["--law", "all"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    // Reasons are wrapped: a law's reason begins on its own line.
    let left =
        |law: &str| table.lines().any(|line| line.trim_start().starts_with(law) && line.contains("contacts act"));
    for law in ["liu-zhao-brogliato", "sequential"] {
        assert!(left(law), "{table}");
    }
    for law in ["newton-lcp", "poisson-lcp", "rakshit-chatterjee", "rodriguez-bowling", "compliant-network"] {
        assert!(!left(law) && table.contains(law), "{table}");
    }
}

#[test]
fn a_law_that_is_asked_for_says_that_it_may_take_long() {
    let (table, errors, code) = carom(201, &["--law", "sequential"]);
    assert_eq!(errors, "sequential: 200 contacts act on each other; this may take minutes\n");
    assert!(code == 0 && table.contains("impacts in the order of contacts"), "{table}");
}

#[test]
fn thousands_of_contacts_are_refused_with_the_reason() {
    let (_, errors, code) = carom(3500, &["--law", "newton-lcp"]);
    let expected = "no answer: newton-lcp: 3499 contacts act on each other, and this law is given 1800 at most: it would take too long";
    assert_eq!((one_line(&errors).as_str(), code), (expected, 1));
    let (table, errors, code) = carom(3500, &[]);
    assert_eq!(one_line(&table).matches("it would take too long").count(), 7, "{table}");
    assert!(one_line(&errors).contains("chosen with --law ID"), "{errors}");
    assert_eq!(code, 1);
    let (_, errors, code) = carom(3500, &["--ambiguity"]);
    assert!(code == 2 && errors.contains("at most"), "{errors}");
}
