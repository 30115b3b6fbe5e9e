//! Every file of the gallery is sound, and its law answers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::Body;
use carom::Dimension;
use carom_study::prediction::{Detail, predict, predict_all};
use carom_study::scenario::Scenario;
use std::path::{Path, PathBuf};

/// The files that hold a collision; those that only move are for `carom simulate`.
fn gallery() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let collides = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        ["[[contact]]", "[collision]", "[impact]"].iter().any(|table| text.contains(table))
    };
    files.retain(collides);
    files.sort();
    files
}

fn scenario(name: &str) -> Scenario {
    let path = gallery().into_iter().find(|path| path.file_stem().unwrap() == name).unwrap();
    Scenario::read(path).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_file_of_the_gallery_runs_with_its_own_law() {
    assert!(gallery().len() >= 14);
    for path in gallery() {
        let scenario = Scenario::read(&path).unwrap_or_else(|error| panic!("{error}"));
        if scenario.impact.contacts() > 1 {
            continue;
        }
        assert!(scenario.description.is_some(), "{} has no description", path.display());
        let law = scenario.law.unwrap_or_else(|| panic!("{} has no law", path.display()));
        let prediction = predict(&scenario, law).unwrap_or_else(|reason| panic!("{}: {reason}", path.display()));
        assert!(prediction.outcome.contacts[0].impulse.x > 0.0, "{}: nothing happens", path.display());
    }
}

#[test]
fn impacts_of_the_gallery_are_answered_by_most_laws_and_audited() {
    let mut impacts = 0;
    for path in gallery() {
        let scenario = Scenario::read(&path).unwrap();
        if scenario.impact.contacts() == 1 {
            continue;
        }
        impacts += 1;
        assert!(scenario.description.is_some(), "{} has no description", path.display());
        let answers = predict_all(&scenario, scenario.laws(), Detail::Course);
        let mut answered = 0;
        for prediction in answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()) {
            answered += 1;
            let id = prediction.law.law().id;
            assert!(prediction.audit.is_ok(), "{}: {id}: {:?}", path.display(), prediction.audit);
            let energy: f64 = prediction.bodies.iter().map(|(_, body)| body.kinetic_energy()).sum();
            let balance = energy - prediction.energy.after;
            assert!(balance.abs() <= 1e-11 * prediction.energy.before, "{}: {id}: {balance}", path.display());
        }
        assert!(answered >= 6, "{}: {answered} laws answer", path.display());
    }
    assert!(impacts >= 10);
}

#[test]
fn bodies_move_as_the_collision_says() {
    let mut scenes = 0;
    for path in gallery() {
        let scenario = Scenario::read(&path).unwrap();
        let (Some(scene), Some(collision)) = (&scenario.scene, scenario.collision()) else { continue };
        scenes += 1;
        let prediction = predict(&scenario, scenario.law.unwrap()).unwrap();
        let impulse = prediction.outcome.contacts[0].impulse;
        let after: Vec<Body> = prediction.bodies.iter().map(|(_, body)| *body).collect();
        let energy: f64 = scene.bodies.iter().map(|(_, body)| body.kinetic_energy()).sum();
        let change = after.iter().map(Body::kinetic_energy).sum::<f64>() - energy;
        assert!((change - collision.energy_change(&impulse)).abs() < 1e-12 * energy, "{}", path.display());
        let contact = &scene.contacts[0].contact;
        let velocity = |place: Option<usize>| {
            place.map_or_else(nalgebra::Vector3::zeros, |place| after[place].point_velocity(&contact.point))
        };
        let relative = contact.frame.to_contact(&(velocity(contact.a) - velocity(contact.b)));
        let expected = collision.velocity_after(&impulse);
        assert!((relative - expected).amax() < 1e-12 * collision.velocity().norm(), "{}", path.display());
    }
    assert!(scenes >= 5, "{scenes}");
}

#[test]
fn the_falling_rod_is_wang_and_mason_s() {
    let rod = scenario("falling-rod");
    let w = rod.collision().unwrap().inverse_mass();
    assert!((w[(0, 0)] - 2.5).abs() < 1e-14 && (w[(0, 1)] + 1.5).abs() < 1e-14 && (w[(1, 1)] - 2.5).abs() < 1e-14);
    assert_eq!(rod.title, "Falling rod, Wang & Mason case 2");
    assert_eq!(rod.dimension(), Dimension::Planar);
    assert_eq!((rod.parameter(0, "friction"), rod.parameter(0, "static_friction")), (Some(0.8), Some(0.8)));
    assert_eq!(rod.friction(0), Some(0.8));
    let outcome = predict(&rod, rod.law.unwrap()).unwrap().outcome.contacts[0];
    // Wang & Mason, section 6, case 2: P_x = 0.24 e, P_y = 0.4 (1 + e).
    assert!((outcome.impulse.x - 0.76).abs() < 1e-12 && (outcome.impulse.y - 0.216).abs() < 1e-12);
}

#[test]
fn contact_frame_examples_are_chatterjee_s() {
    let impulse = |name: &str| {
        let scenario = scenario(name);
        predict(&scenario, scenario.law.unwrap()).unwrap().outcome.contacts[0].impulse
    };
    let close = |name: &str, normal: f64, tangential: f64| {
        let found = impulse(name);
        assert!((found.x - normal).abs() < 1e-6 && (found.y - tangential).abs() < 1e-6, "{name}: {found:?}");
    };
    close("chatterjee-generic", 0.9375, 0.375);
    close("chatterjee-diagonal", 1.9, 0.085_714_286);
    close("chatterjee-tangential", 1.35, 1.5);
    close("chatterjee-infinite-friction", 0.0, 0.19);
}

#[test]
fn a_pair_of_frictions_binds_only_to_a_law_that_knows_both() {
    let text = "
        [collision]
        inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
        velocity = [-1.0, 0.6]
        static_friction = 0.9
        kinetic_friction = 0.8
        restitution = 0.9
    ";
    let pair = Scenario::parse("pair.toml", text).unwrap();
    assert_eq!((pair.friction(0), pair.parameter(0, "friction")), (Some(0.9), None));
    assert!(pair.bind(carom::laws::find("whittaker").unwrap()).is_ok());
    let error = pair.bind(carom::laws::find("smith").unwrap()).unwrap_err();
    assert!(matches!(error, carom::Error::SingleFriction { law: "smith", .. }));

    let equal = Scenario::parse("pair.toml", &text.replace("0.8", "0.9")).unwrap();
    assert_eq!(equal.parameter(0, "friction"), Some(0.9));
    assert!(equal.bind(carom::laws::find("smith").unwrap()).is_ok());
}

#[test]
fn a_choice_of_a_law_is_given_by_its_word() {
    let text = "
        [collision]
        inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
        velocity = [-1.0, 0.6]
        friction = 0.8
        [law]
        id = \"ivanov\"
        ivanov_restitution = 0.5
        direction = \"sliding\"
    ";
    let scenario = Scenario::parse("ivanov.toml", text).unwrap();
    assert_eq!(scenario.parameter(0, "direction"), Some(1.0));
    assert_eq!(scenario.title, "ivanov");
    let keys: Vec<_> = scenario.parameters().map(|(key, _)| key).collect();
    assert_eq!(keys, ["ivanov_restitution", "direction", "friction"]);
}
