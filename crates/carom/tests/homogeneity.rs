//! The measured degrees of the laws are those of Chatterjee 1997, 3.6 and chapter 8.
#![allow(clippy::unwrap_used)]

use carom::Clock;
use carom::laws::{ALL, BoundLaw, Promise, find};
use carom::properties::Properties;

fn bind(id: &str, values: &[(&str, f64)]) -> BoundLaw {
    let all = [("restitution", 0.6), ("friction", 0.3), ("stiffness", 1e5), ("impulse_ratio", 0.1), ("fraction", 0.4)];
    let value = |key: &str| values.iter().chain(&all).find(|(k, _)| *k == key).map(|(_, value)| *value);
    find(id).unwrap().bind_from(|key| value(key).or((key == "polar").then_some(0.5))).unwrap()
}

fn degrees(id: &str, values: &[(&str, f64)]) -> (Option<f64>, Option<f64>) {
    let measured = Properties::measure(&bind(id, values));
    assert!(measured.resolved >= 12, "{id}: {measured:?}");
    (measured.homogeneity.in_velocity, measured.homogeneity.in_mass)
}

const BOTH: (Option<f64>, Option<f64>) = (Some(1.0), Some(0.0));

#[test]
fn laws_without_dimensions_are_homogeneous_in_velocity_and_mass() {
    for law in ALL.iter().filter(|law| law.clock() != Some(Clock::Time)) {
        assert_eq!(degrees(law.id, &[]), BOTH, "{}", law.id);
    }
}

#[test]
fn springs_that_only_set_the_time_are_homogeneous_too() {
    for unloading in [0.0, 1.0] {
        assert_eq!(degrees("bilinear-spring", &[("unloading", unloading)]), BOTH);
    }
    assert_eq!(degrees("stronge-compliant", &[]), BOTH);
    assert_eq!(degrees("split-mass", &[]), BOTH);
    assert_eq!(degrees("ivanov-potential", &[]), BOTH);
    let elastic = [("youngs_modulus", 7e10), ("poisson_ratio", 0.3), ("radius", 0.02)];
    for id in ["hertz", "hertz-mindlin", "lai"] {
        assert_eq!(degrees(id, &elastic), BOTH, "{id}");
    }
}

#[test]
fn a_linear_dashpot_is_of_degree_zero_in_mass_only_if_tuned() {
    assert_eq!(degrees("spring-dashpot", &[]), BOTH);
    assert_eq!(degrees("spring-dashpot", &[("damping", 0.0)]), BOTH);
    assert_eq!(degrees("spring-dashpot", &[("damping", 50.0)]), (Some(1.0), None));
    assert_eq!(degrees("spring-dashpot", &[("axes", 1.0)]), BOTH);
}

#[test]
fn a_growing_dashpot_is_of_degree_zero_in_mass_and_of_none_in_velocity() {
    assert_eq!(degrees("nonlinear-dashpot", &[("damping_growth", 3e4)]), (None, Some(0.0)));
    assert_eq!(degrees("nonlinear-dashpot", &[("damping_growth", 0.0)]), BOTH);
}

#[test]
fn the_promises_of_the_catalogue_agree_with_what_is_measured() {
    for law in ALL {
        let more = [("damping_growth", 3e4), ("youngs_modulus", 7e10), ("poisson_ratio", 0.3), ("radius", 0.02)];
        let measured = Properties::measure(&bind(law.id, &more));
        let kept = [
            (law.guarantees.energy, measured.energy_gain),
            (law.guarantees.friction, measured.friction_excess),
            (law.guarantees.penetration, measured.penetration),
        ];
        assert!(
            kept.iter().all(|(promise, found)| *promise != Promise::Yes || *found == 0.0),
            "{} {measured:?}",
            law.id
        );
        let integrated = law.clock() == Some(Clock::Time) && law.id != "hertz";
        assert!(measured.evaluations.is_some() || !integrated, "{}", law.id);
    }
    let whittaker = Properties::measure(&bind("whittaker", &[("restitution", 0.95)]));
    assert!(whittaker.energy_gain > 0.01, "{whittaker:?}");
    let ivanov = Properties::measure(&bind("ivanov", &[("restitution", -0.5)]));
    assert!(ivanov.penetration > 0.01, "{ivanov:?}");
    let brach = Properties::measure(&bind("brach", &[("impulse_ratio", 0.7)]));
    assert!((brach.friction_excess - 0.4).abs() < 1e-9, "{brach:?}");
}
