//! A scene that is written as a scenario file reads back to the same bits.
#![allow(clippy::unwrap_used)]

#[path = "../../carom/tests/support/mod.rs"]
mod support;
#[path = "../../carom/tests/trial/mod.rs"]
mod trial;
#[path = "../../carom/tests/wild/mod.rs"]
mod wild;

use carom::Dimension;
use carom::laws::find;
use carom::sim::{BodyId, Load, MaterialId, Materials, Part, Passing, SceneBody, SceneBuilder, Signal};
use carom_study::scenario::{SimulationScenario, SimulationSettings, Unwritable, difference};
use nalgebra::{Matrix3, Vector3};
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let is_simulation = || std::fs::read_to_string(path).unwrap().contains("[simulation]");
        ending == Some("urdf") || (ending == Some("toml") && is_simulation())
    });
    files.sort();
    files
}

fn check(scenario: &SimulationScenario) {
    let text = scenario.to_toml().unwrap_or_else(|error| panic!("{}: {error}", scenario.title));
    let again = SimulationScenario::parse("again.toml", &text).unwrap();
    assert_eq!(difference(scenario, &again), None, "{}", scenario.title);
    assert_eq!(again.settings, scenario.settings);
    assert_eq!((&again.title, &again.description), (&scenario.title, &scenario.description));
    let names = |scenario: &SimulationScenario| {
        [&scenario.body_names, &scenario.world_names, &scenario.joint_names, &scenario.string_names].map(Vec::clone)
    };
    assert_eq!(names(&again), names(scenario), "{}", scenario.title);
    // The text of what was read is the same text.
    assert_eq!(again.to_toml().as_ref(), Ok(&text));
}

#[test]
fn scenes_of_files_keep_their_bits() {
    let folders = ["../../scenarios", "tests/scenes", "tests/stepping-scenes", "tests/golden/scenes"];
    for folder in folders {
        let files = files(folder);
        assert!(files.len() > 2, "{folder}");
        for path in files {
            check(&SimulationScenario::read(&path).unwrap_or_else(|error| panic!("{error}")));
        }
    }
}

/// Friction that is one number for impacts and another for sticking has no key.
fn has_two_frictions(materials: &Materials) -> bool {
    let [one, sticking] = ["friction", "static_friction"]
        .map(|key| materials.parameter(MaterialId::default(), MaterialId::default(), key));
    one != sticking
}

#[test]
fn random_scenes_keep_their_bits() {
    const KINDS: [&str; 7] = ["stack", "wall", "chain", "corner", "groove", "guide", "cart"];
    let cases = support::cases(100);
    let mut written = 0;
    let mut all = 0;
    let thrown = (0..cases).map(|case| wild::thrown::scene(&mut support::random(31, case)));
    let wild = KINDS.into_iter().flat_map(|kind| (0..cases).map(move |case| (kind, case)));
    for scene in thrown.chain(wild.map(|(kind, case)| wild::scene(kind, &mut support::random(5, case)))) {
        all += 1;
        let two_frictions = has_two_frictions(&scene.materials);
        let scenario = {
            let (law, scene) = (scene.law, scene.scene.build().unwrap());
            SimulationScenario::of_scene("random", scene, law, SimulationSettings::lasting(1.0))
        };
        match scenario.to_toml() {
            Err(Unwritable::Inexpressible { .. }) if two_frictions => {}
            _ => {
                check(&scenario);
                written += 1;
            }
        }
    }
    assert!(4 * written > 3 * all, "{written} of {all}");
}

fn ball() -> SimulationScenario {
    let text = "
        [simulation]
        duration = 2.0
        gravity = [0.0, -9.81]
        [[body]]
        name = 'ball'
        mass = 1.0
        shape = { ball = { radius = 0.1 } }
        position = [0.0, 1.0]
        [[wall]]
        point = [0.0, 0.0]
        normal = [0.0, 1.0]
        [[material]]
        name = 'rubber'
        restitution = 0.8
        friction = 0.5
    ";
    SimulationScenario::parse("ball.toml", text).unwrap()
}

#[test]
fn what_a_file_cannot_say_is_refused() {
    let mut lowered = ball();
    lowered.law = find("poisson-lcp").unwrap();
    let lowered = lowered.to_toml().unwrap_err();
    assert!(matches!(&lowered, Unwritable::Inexpressible { .. }), "{lowered}");
    let [one, pair] = [("friction", 0.5), ("static_friction", 0.6)];
    let mut scenario = ball();
    let materials = Materials::uniform(&[one, pair, ("kinetic_friction", 0.5), ("restitution", 0.5)]);
    scenario.scene = scenario.scene.with_materials(materials).unwrap();
    scenario.law = find("routh-poisson").unwrap();
    scenario.lowers_restitution = false;
    let error = scenario.to_toml().unwrap_err();
    assert!(matches!(&error, Unwritable::Inexpressible { .. }), "{error}");
}

#[test]
fn pairs_that_pass_through_each_other_are_written() {
    let mut scene = SceneBuilder::new(Dimension::Planar);
    scene.materials = Materials::uniform(&[("friction", 0.5), ("restitution", 0.8)]);
    scene.add_wall(Vector3::y(), 0.0, MaterialId::default());
    for place in 0..2 {
        let ball = SceneBody::new(1.0, Matrix3::identity()).with_parts(vec![Part::ball(0.1, MaterialId::default())]);
        scene.add_body(ball.at_position(Vector3::new(f64::from(place), 1.0, 0.0)));
    }
    let [one, other] = [0, 1].map(BodyId::new);
    scene.passing = vec![Passing::Part { body: one, part: 0 }, Passing::Bodies([other, one])];
    scene.add_load(Load::Torque { body: other, torque: Vector3::z(), signal: Signal::constant(1.0) });
    let (scene, law) = (scene.build().unwrap(), find("newton-lcp").unwrap());
    let mut scenario = SimulationScenario::of_scene("passing", scene, law, SimulationSettings::lasting(1.0));
    scenario.body_names[1] = "other \"ball\"".to_owned();
    scenario.description = Some("One line,\nand \"another\" \\ one.\n".to_owned());
    check(&scenario);
}
