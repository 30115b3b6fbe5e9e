//! Elastic constants and radii of a file, however they are given, are those of the pair.
#![allow(clippy::unwrap_used)]

use carom_study::prediction::predict;
use carom_study::scenario::Scenario;

fn scenario(law: &str) -> Scenario {
    let text = format!(
        "[collision]\ninverse_mass = [[30.0, 0.0], [0.0, 105.0]]\nvelocity = [-0.3, 0.1]\nfriction = 0.2\n[law]\n{law}"
    );
    Scenario::parse("pair.toml", &text).unwrap_or_else(|error| panic!("{error}"))
}

fn assert_close(scenario: &Scenario, key: &str, expected: f64) {
    let found = scenario.parameter(0, key).unwrap();
    assert!((found / expected - 1.0).abs() < 1e-12, "{key}: {found} is not {expected}");
}

#[test]
fn constants_of_two_bodies_and_names_of_materials_give_the_same_pair() {
    let named = scenario("materials = [\"steel\", \"glass\"]\nradius = 0.01");
    let numbered = scenario("youngs_modulus = [207e9, 69e9]\npoisson_ratio = [0.30, 0.23]\nradius = 0.01");
    let star = ((1.0 - 0.09) / 207e9 + (1.0 - 0.23 * 0.23) / 69e9_f64).recip();
    for scenario in [&named, &numbered] {
        assert_close(scenario, "youngs_modulus", star);
        assert_close(scenario, "radius", 0.01);
        let ratio = scenario.parameter(0, "poisson_ratio").unwrap();
        assert!(ratio > 0.23 && ratio < 0.30);
    }
    assert_eq!(named.parameter(0, "poisson_ratio"), numbered.parameter(0, "poisson_ratio"));
    // Glass has no yield stress, steel has; the waves of steel are the slower ones.
    assert_eq!(named.parameter(0, "yield_stress"), Some(350e6));
    assert_close(&named, "wave_speed", (207e9_f64 / 7850.0).sqrt());
    assert_eq!(numbered.parameter(0, "yield_stress"), None);
}

#[test]
fn a_rigid_partner_adds_no_compliance() {
    let pair = scenario("materials = [\"rigid\", \"rubber\"]\nradius = 0.01\nyield_stress = 1e5");
    assert_close(&pair, "youngs_modulus", 2e6 / (1.0 - 0.499 * 0.499));
    assert_close(&pair, "poisson_ratio", 0.499);
    assert_eq!(pair.parameter(0, "yield_stress"), Some(1e5));
}

#[test]
fn bodies_may_share_a_ratio() {
    let pair = scenario("youngs_modulus = [2e9, 6e9]\npoisson_ratio = 0.3\nradius = 0.01");
    assert_close(&pair, "youngs_modulus", 1.5e9 / 0.91);
    let keys: Vec<_> = pair.parameters().map(|(key, _)| key).collect();
    assert_eq!(keys, ["youngs_modulus", "poisson_ratio", "radius", "friction"]);
}

#[test]
fn radii_of_two_bodies_give_the_relative_radius() {
    for (radii, expected) in [("[0.02, 0.03]", 0.012), ("[0.02, -0.03]", 0.06), ("0.02", 0.02)] {
        assert_close(&scenario(&format!("radius = {radii}")), "radius", expected);
    }
}

#[test]
fn one_number_is_the_pair_s_own() {
    let pair = scenario("id = \"lai\"\nyoungs_modulus = 7e10\npoisson_ratio = 0.3\nradius = 0.05");
    let bound = pair.bind(pair.law.unwrap()).unwrap();
    assert_eq!(bound.values(0)[..3], [7e10, 0.3, 0.05]);
    assert!(predict(&pair, pair.law.unwrap()).is_ok());
}
