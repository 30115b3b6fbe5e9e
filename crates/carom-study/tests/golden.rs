//! Golden digests: every scenario of the gallery and forty stored random scenes give the same bits as before, with the same effort.
//!
//! A row is a hash of all events and of the final state (bits of every f64), beside the work it took. A change here is one commit by
//! itself that says why the numbers are better. `UPDATE_EXPECT=1 cargo test -p carom-study --test golden` records it.
//!
//! Sines and powers come from the system's mathematical library, so the bits are compared on one platform only.
#![cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
#![allow(clippy::unwrap_used)]

use carom::sim::{BodyId, Event, EventKind, State};
use carom_study::prediction::{Detail, predict_all};
use carom_study::scenario::{Engine, Scenario, SimulationScenario};
use carom_study::simulation::{Runner, Step};
use expect_test::{ExpectFile, expect_file};
use nalgebra::Vector3;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Simulated time, s: longer runs of the gallery are cut here.
const LONGEST: f64 = 2.0;
/// Events: longer runs are cut here.
const MOST_EVENTS: usize = 400;
/// Steps of integration: longer runs are cut here.
const MOST_STEPS: usize = 4000;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    files
}

fn has_table(path: &Path, tables: &[&str]) -> bool {
    let text = std::fs::read_to_string(path).unwrap();
    tables.iter().any(|table| text.contains(table))
}

/// A hash of numbers and words.
#[derive(Default)]
struct Hash(Sha256);

impl Hash {
    fn number(&mut self, x: f64) {
        // Positive and negative zero are the same number.
        self.0.update((x + 0.0).to_bits().to_le_bytes());
    }

    fn vector(&mut self, v: &Vector3<f64>) {
        v.iter().for_each(|x| self.number(*x));
    }

    fn count(&mut self, n: usize) {
        self.0.update((n as u64).to_le_bytes());
    }

    fn word(&mut self, word: &str) {
        self.count(word.len());
        self.0.update(word);
    }

    fn state(&mut self, state: &State) {
        self.vector(&state.pose.position);
        state.pose.orientation.coords.iter().for_each(|x| self.number(*x));
        self.vector(&state.velocity);
        self.vector(&state.angular_velocity);
    }

    fn event(&mut self, event: &Event) {
        self.number(event.time);
        match event.kind {
            EventKind::Impact => self.word("impact"),
            EventKind::Accumulation { until } => {
                self.word("accumulation");
                self.number(until);
            }
            EventKind::LiftOff => self.word("lift-off"),
            EventKind::SlipStart => self.word("slip-start"),
            EventKind::StickStart => self.word("stick-start"),
            EventKind::FeatureChange => self.word("feature-change"),
            EventKind::Jam => self.word("jam"),
            _ => panic!("a kind of event without a word: {:?}", event.kind),
        }
        event.energy.iter().for_each(|x| self.number(*x));
        for contact in &event.contacts {
            contact.bodies.iter().for_each(|body| self.count(body.map_or(usize::MAX, BodyId::index)));
            for v in [contact.point, contact.impulse, contact.velocity_before, contact.velocity_after] {
                self.vector(&v);
            }
        }
        for (body, states) in &event.bodies {
            self.count(body.index());
            for state in states {
                self.state(state);
            }
        }
    }

    /// Sixteen digits of it.
    fn digits(self) -> String {
        self.0.finalize().iter().take(8).fold(String::new(), |mut digits, byte| {
            write!(digits, "{byte:02x}").unwrap();
            digits
        })
    }
}

/// The row of a scene: digest, events, time reached, effort, and how it ended.
fn simulate(path: &Path, engine: Engine) -> String {
    let mut scenario = SimulationScenario::read(path).unwrap_or_else(|error| panic!("{error}"));
    scenario.settings.engine = engine;
    scenario.settings.duration = scenario.settings.duration.min(LONGEST);
    scenario.settings.threads = 1;
    let mut runner = match Runner::new(&scenario, None) {
        Ok(runner) => runner,
        Err(refused) => return format!("refused: {refused}"),
    };
    let cut = loop {
        if runner.step() == Step::Done {
            break false;
        }
        if runner.run.events.len() >= MOST_EVENTS || runner.effort().steps >= MOST_STEPS {
            break true;
        }
    };
    let mut hash = Hash::default();
    runner.run.events.iter().for_each(|event| hash.event(event));
    runner.run.frames.last().iter().flat_map(|frame| &frame.states).for_each(|state| hash.state(state));
    let end = if cut { "cut" } else { runner.run.status(&scenario).word() };
    let effort = runner.effort();
    let work = match engine {
        Engine::Event => format!("{:>8} evaluations", effort.evaluations),
        Engine::Stepping => format!("{:>8.1} sweeps", effort.sweeps),
    };
    let (events, time) = (runner.run.events.len(), runner.time());
    format!("{} {events:>4} events  {time:<8.6} s {:>5} steps {work}  {end}", hash.digits(), effort.steps)
}

fn compare(folder: &str, engine: Engine, expected: &ExpectFile) {
    let mut table = String::new();
    for path in files(folder).iter().filter(|path| has_table(path, &["[simulation]"])) {
        let name = path.file_stem().unwrap().to_string_lossy();
        writeln!(table, "{name:24} {}", simulate(path, engine)).unwrap();
    }
    expected.assert_eq(&table);
}

/// No file of the gallery or among the random scenes is left out of the tables.
#[test]
fn every_scenario_has_a_row() {
    let rows = |table: &str| table.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>();
    let events = rows(include_str!("golden/gallery-event.txt"));
    assert_eq!(rows(include_str!("golden/gallery-stepping.txt")), events);
    let collisions = rows(include_str!("golden/gallery-collide.txt"));
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let gallery: Vec<String> = files("../../scenarios").iter().map(stem).collect();
    assert!(gallery.iter().all(|name| events.contains(name) || collisions.contains(name)), "{gallery:?}");
    let random: Vec<String> = files("tests/golden/scenes").iter().map(stem).collect();
    assert_eq!(rows(include_str!("golden/random-event.txt")), random);
    assert_eq!(rows(include_str!("golden/random-stepping.txt")), random);
    assert_eq!(random.len(), 40);
}

#[test]
fn the_gallery_event_by_event() {
    compare("../../scenarios", Engine::Event, &expect_file!["golden/gallery-event.txt"]);
}

#[test]
fn the_gallery_in_steps() {
    compare("../../scenarios", Engine::Stepping, &expect_file!["golden/gallery-stepping.txt"]);
}

#[test]
fn random_scenes_event_by_event() {
    compare("tests/golden/scenes", Engine::Event, &expect_file!["golden/random-event.txt"]);
}

#[test]
fn random_scenes_in_steps() {
    compare("tests/golden/scenes", Engine::Stepping, &expect_file!["golden/random-stepping.txt"]);
}

/// Impulses and velocities of every law for every collision of the gallery.
#[test]
fn the_collisions_of_the_gallery() {
    let mut table = String::new();
    let collides = |path: &&PathBuf| has_table(path, &["[[contact]]", "[collision]", "[impact]"]);
    for path in files("../../scenarios").iter().filter(collides) {
        let name = path.file_stem().unwrap().to_string_lossy();
        let mut hash = Hash::default();
        let mut answers = 0;
        let scenario = Scenario::read(path).unwrap_or_else(|error| panic!("{error}"));
        for (law, prediction) in predict_all(&scenario, scenario.laws(), Detail::Course) {
            let Ok(prediction) = prediction else { continue };
            hash.word(law.id);
            for vector in prediction.outcome.impulses().iter().chain(&prediction.outcome.velocities_after()) {
                hash.vector(vector);
            }
            answers += 1;
        }
        writeln!(table, "{name:28} {} {answers:>2} laws", hash.digits()).unwrap();
    }
    expect_file!["golden/gallery-collide.txt"].assert_eq(&table);
}
