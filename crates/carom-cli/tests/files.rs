//! The files the command writes: they hold what was asked for, and appear all together or not at all.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/examples/rod-on-springs.toml");

fn carom(folder: &Path, words: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_carom");
    Command::new(program).args(["collide", SCENARIO]).args(words).current_dir(folder).output().unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn every_file_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let asked = ["--plot", "both.svg", "--course", "course.png", "--history", "rod.CSV"];
    let output = carom(folder.path(), &asked);
    assert!(output.status.success());
    assert_eq!(files(folder.path()), ["both.svg", "course.png", "rod.CSV"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(read("course.png").starts_with(b"\x89PNG"));
    // The diagram, and below it the six charts of the course.
    let both = String::from_utf8(read("both.svg")).unwrap();
    assert_eq!((both.matches("class=\"impulse-plane\"").count(), both.matches("class=\"chart\"").count()), (1, 6));
    let table = String::from_utf8(read("rod.CSV")).unwrap();
    assert!(table.starts_with("time,force_n,force_t1,force_t2,displacement_n,"));
    assert!(table.trim_end().ends_with(",slipping"));
}

#[test]
fn a_parquet_file_of_all_laws_begins_with_the_law() {
    let folder = tempfile::tempdir().unwrap();
    assert!(carom(folder.path(), &["--law", "all", "--history", "all.parquet", "--plot", "all.svg"]).status.success());
    let bytes = std::fs::read(folder.path().join("all.parquet")).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    // Of several laws only the diagram is drawn.
    let picture = std::fs::read_to_string(folder.path().join("all.svg")).unwrap();
    assert_eq!(picture.matches("class=\"chart\"").count(), 0);
    assert!(carom(folder.path(), &["--law", "all", "--history", "all.csv"]).status.success());
    let table = std::fs::read_to_string(folder.path().join("all.csv")).unwrap();
    assert!(table.starts_with("law,time,"));
    assert!(table.contains("\nspring-dashpot,0,") && table.contains("\nstronge-compliant,0,"));
}

#[test]
fn if_one_file_cannot_be_written_none_is() {
    let folder = tempfile::tempdir().unwrap();
    let output = carom(folder.path(), &["--plot", "rod.svg", "--history", "no/such/folder/rod.parquet"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(files(folder.path()), Vec::<String>::new());
    let output = carom(folder.path(), &["--law", "newton", "--plot", "rod.svg", "--history", "rod.csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(files(folder.path()), Vec::<String>::new());
}
