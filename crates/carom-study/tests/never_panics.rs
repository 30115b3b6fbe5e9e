//! Whatever bytes a file holds, reading it ends in a scenario or in an error that can be shown.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom_study::prediction::predict;
use carom_study::scenario::{Scenario, ScenarioError, SimulationScenario};
use proptest::prelude::*;
use std::path::Path;

/// Reads text and shows the error, if any, in both ways.
fn read_and_show(bytes: &[u8]) -> Result<(), TestCaseError> {
    let text = String::from_utf8_lossy(bytes);
    match SimulationScenario::parse("any.toml", &text) {
        Err(error) => show(&error, &text)?,
        Ok(simulation) => {
            let masses = simulation.scene.bodies().iter().map(|body| body.mass);
            prop_assert!(masses.chain(simulation.scene.gravity().iter().copied()).all(f64::is_finite), "{text}");
        }
    }
    match Scenario::parse("any.toml", &text) {
        Err(error) => show(&error, &text)?,
        // What was accepted must be fit for every law that its parameters suffice for.
        Ok(scenario) => {
            for law in scenario.laws().iter().filter(|law| law.clock() != Some(carom::Clock::Time)) {
                if let Ok(prediction) = predict(&scenario, law) {
                    let finite = prediction.outcome.impulses().iter().flatten().all(|part| part.is_finite());
                    prop_assert!(finite, "{}: {text}", law.id);
                }
            }
        }
    }
    Ok(())
}

fn show(error: &ScenarioError, text: &str) -> Result<(), TestCaseError> {
    // Long messages are wrapped, each line in its own colour.
    let plain = |text: &str| -> String {
        let (first, rest) = text.split_once('\x1b').unwrap_or((text, ""));
        let rest = rest.split('\x1b').map(|part| part.split_once('m').map_or("", |(_, after)| after));
        std::iter::once(first).chain(rest).collect()
    };
    let words = |text: &str| plain(text).split_whitespace().collect::<String>();
    for colour in [false, true] {
        let shown = error.render(colour);
        prop_assert!(words(&shown).contains(&words(error.message())) && shown.contains("any.toml"), "{shown}");
    }
    if let Some((line, _)) = error.line_and_column() {
        prop_assert!(line <= text.split('\n').count());
    }
    Ok(())
}

/// The gallery, and scenes with every table of a simulation in them.
fn gallery() -> Vec<Vec<u8>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [here.join("../../scenarios"), here.join("tests/scenes")];
    let mut paths: Vec<_> = folders
        .iter()
        .flat_map(|folder| std::fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).unwrap()).collect()
}

#[derive(Clone, Debug)]
enum Mutation {
    Delete,
    Duplicate,
    Replace(Vec<u8>),
}

fn mutation() -> impl Strategy<Value = (prop::sample::Index, usize, Mutation)> {
    let pieces = prop::sample::select(vec![
        "nan",
        "-inf",
        "1e300",
        "-1",
        "0",
        "1e-100",
        "1e100",
        "[",
        "]",
        "[[",
        "{",
        "}",
        "\"",
        "=",
        ",",
        "\n",
        "\r\n",
        "\u{feff}",
        "é",
        "\0",
        "0x",
        "[[contact]]",
        "[collision]",
        "[law]",
        "shape",
        "ground",
        "[[1]]",
        "[simulation]\nduration = 1\n",
        "{ polygon = { vertices = [[0, 0], [1, 0], [0, 1]] } }",
        "[[material]]",
        "true",
    ]);
    let replacement = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..8),
        pieces.prop_map(|piece| piece.as_bytes().to_vec()),
        "[0-9.eE+-]{1,6}".prop_map(String::into_bytes),
    ];
    let kind = prop_oneof![Just(Mutation::Delete), Just(Mutation::Duplicate), replacement.prop_map(Mutation::Replace)];
    (any::<prop::sample::Index>(), 0..40_usize, kind)
}

fn mutate(bytes: &mut Vec<u8>, (place, length, mutation): &(prop::sample::Index, usize, Mutation)) {
    let start = place.index(bytes.len() + 1);
    let range = start..(start + length).min(bytes.len());
    let replacement = match mutation {
        Mutation::Delete => Vec::new(),
        Mutation::Duplicate => bytes[range.clone()].repeat(2),
        Mutation::Replace(with) => with.clone(),
    };
    bytes.splice(range, replacement);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_are_refused_politely(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        read_and_show(&bytes)?;
    }

    #[test]
    fn mutated_gallery_files_never_panic(
        which in any::<prop::sample::Index>(),
        mutations in prop::collection::vec(mutation(), 1..6),
    ) {
        let files = gallery();
        let mut bytes = which.get(&files).clone();
        for one in &mutations {
            mutate(&mut bytes, one);
        }
        read_and_show(&bytes)?;
    }

    #[test]
    fn mutated_numbers_never_panic(
        which in any::<prop::sample::Index>(),
        place in any::<prop::sample::Index>(),
        mantissa in -20..20_i32,
        exponent in -120..120_i32,
    ) {
        let files = gallery();
        let text = String::from_utf8(which.get(&files).clone()).unwrap();
        // Only numbers after the description, so that the change is one of the physics.
        let from = text.rfind("\"\"\"").unwrap_or(0);
        let numbers: Vec<_> = text[from..].match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| from + at)
            .filter(|at| !text[..*at].ends_with(|c: char| c.is_ascii_alphanumeric() || "._-".contains(c)))
            .collect();
        let start = *place.get(&numbers);
        let end = start + text[start..].find(|c: char| !(c.is_ascii_digit() || ".e".contains(c))).unwrap_or(0);
        let changed = format!("{}{mantissa}e{exponent}{}", &text[..start], &text[end..]);
        read_and_show(changed.as_bytes())?;
    }
}

#[test]
fn a_megabyte_on_one_line_is_refused_quickly() {
    let long = format!("a = [{}]\n", "1, ".repeat(300_000));
    let started = std::time::Instant::now();
    read_and_show(long.as_bytes()).unwrap();
    let bodies = "[[body]]\nname = \"a\"\nmass = 1\n".repeat(30_000);
    read_and_show(bodies.as_bytes()).unwrap();
    let deep = format!("a = {}", "[".repeat(500_000));
    read_and_show(deep.as_bytes()).unwrap();
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
