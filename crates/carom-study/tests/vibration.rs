//! Scenarios of bodies that vibrate: read, predicted and reported.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::laws;
use carom_study::plot::SlenderRods;
use carom_study::prediction::{Detail, predict, predict_all};
use carom_study::report;
use carom_study::scenario::Scenario;
use std::fmt::Write;

fn scenario(vibration: &str) -> Scenario {
    let text = format!(
        "[collision]\ninverse_mass = [[1.0, 0.0], [0.0, 3.0]]\nvelocity = [-1.0, 0.3]\nfriction = 0.2\n\
         restitution = 0.5\n[law]\nstiffness = 5000.0\ndamping = 0.0\n{vibration}"
    );
    Scenario::parse("vibrating.toml", &text).unwrap_or_else(|error| panic!("{error}"))
}

const CHAIN: &str = "[vibration.chain]\nmasses = [0.2, 0.2, 0.2, 0.2, 0.2]\nsprings = [30.0, 30.0, 30.0, 30.0]\n";

#[test]
fn the_chain_of_five_comes_out_as_in_the_library() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/chain-of-five.toml");
    let scenario = Scenario::read(path).unwrap();
    let prediction = predict(&scenario, scenario.law.unwrap()).unwrap();
    assert!((prediction.outcome.contacts[0].velocity_after.x - 0.795_169_47).abs() < 1e-8);
    let json = report::json(&scenario, &prediction);
    let vibration = &json["vibration"];
    assert_eq!(vibration["contacts"].as_array().unwrap().len(), 4);
    assert_eq!(vibration["rigidity"]["rigid"], false);
    assert!((vibration["energy"].as_f64().unwrap() + json["energy"]["change"].as_f64().unwrap()).abs() < 1e-10);
    let text = report::single(&scenario, &prediction);
    assert!(text.contains("J left, 0 J damped; 4 contacts within 0.583583 s"), "{text}");
    assert!(text.contains("Rigidity      a rigid law is not justified: 4 contacts"), "{text}");
    // The contact's own displacement, apart between the contacts.
    let phases = prediction.history(0).unwrap().phases();
    assert_eq!(phases.len(), 7, "{phases:?}");
}

#[test]
fn every_law_answers_for_bodies_that_vibrate_or_says_why_not() {
    let scenario = scenario(CHAIN);
    let mut answered = 0;
    for (law, answer) in predict_all(&scenario, scenario.laws(), Detail::Course) {
        let Ok(prediction) = answer else { continue };
        answered += 1;
        let vibration = prediction.vibration.as_ref().unwrap();
        assert!(!vibration.touches.is_empty(), "{}", law.id);
        assert!(report::json(&scenario, &prediction)["vibration"]["energy"].is_number());
    }
    assert!(answered >= 10, "{answered}");
}

#[test]
fn modes_from_a_table_are_the_same_as_from_the_chain_they_came_from() {
    let chain = scenario(CHAIN);
    let mut table = String::new();
    for mode in chain.vibration.as_ref().unwrap().modes() {
        let (frequency, shape) = (mode.frequency, mode.shape.x);
        write!(table, "[[vibration.mode]]\nfrequency = {frequency}\nshape = [{shape}, 0.0]\n").unwrap();
    }
    let law = laws::find("routh-poisson").unwrap();
    let [a, b] = [chain, scenario(&table)].map(|scenario| predict(&scenario, law).unwrap().outcome.contacts[0].impulse);
    assert_eq!(a, b);
}

#[test]
fn bars_and_beams_are_read() {
    let bar =
        "[vibration]\ndamping_ratio = 0.01\n[vibration.bar]\nlength = 1.0\nmass = 1.0\nwave_speed = 10.0\nmodes = 12\n";
    let modes = scenario(bar).vibration.unwrap().modes().to_vec();
    assert_eq!((modes.len(), modes[0].damping_ratio), (12, 0.01));
    assert!((modes[0].frequency - 10.0 * std::f64::consts::PI).abs() < 1e-12);
    let beam = "[vibration.beam]\nlength = 0.6\nmass = 0.6\nyoungs_modulus = 2e11\narea = 1.2e-4\nsecond_moment = 1e-9\n\
                shear_modulus = 8e10\nbending_modes = 6\naxial_modes = 2\nangle = 0.6\nfirst_end = \"free\"\n\
                second_end = \"clamped\"\n";
    assert_eq!(scenario(beam).vibration.unwrap().modes().len(), 8);
    assert!(scenario("").vibration.is_none());
}

#[test]
fn a_slender_rod_bounces_best_when_it_stands_and_worst_when_it_leans() {
    let rods = SlenderRods::default();
    let e =
        |length, degrees: f64| rods.drop(length, degrees.to_radians()).unwrap().outcome.velocity_after.x / rods.speed;
    for (length, leaning) in [(0.1, 55.0), (0.2, 30.0), (0.3, 24.0)] {
        let (stands, leans, lies) = (e(length, 0.0), e(length, leaning), e(length, 80.0));
        assert!(stands > 0.93 && leans < 0.5 && lies > leans + 0.1, "{length}: {stands} {leans} {lies}");
    }
    // The longer the rod the earlier it bends.
    assert!(e(0.1, 20.0) > e(0.2, 20.0) && e(0.2, 20.0) > e(0.3, 20.0));
}
