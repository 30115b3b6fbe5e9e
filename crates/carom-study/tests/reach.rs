//! What laws reach, against what is known of it.
#![allow(missing_docs, clippy::unwrap_used)]

use carom::laws;
use carom_study::reach::reach;
use carom_study::scenario::Scenario;

fn coverage(scenario: &str, id: &str) -> f64 {
    let scenario = Scenario::parse("test.toml", scenario).unwrap();
    reach(&scenario, laws::find(id).unwrap()).unwrap().coverage.unwrap()
}

/// Disks, W = diag(1/3, 1), μ = 0.3: no law with e ≤ 1 leaves a strip of impulses, 0.909 of the accessible region at 45° and less and
/// less towards grazing (Chatterjee 1997, 7.2; numbers of an independent program). Brach's law, with e > 1, reaches all of it.
#[test]
fn coverage_shrinks_towards_grazing() {
    for (degrees, strip) in [(45.0_f64, 0.909), (60.0, 0.756), (75.0, 0.460), (85.0, 0.127)] {
        let (slip, approach) = degrees.to_radians().sin_cos();
        let scenario = format!(
            "[collision]\ninverse_mass = [[{}, 0.0], [0.0, 1.0]]\nvelocity = [{}, {slip}]\nfriction = 0.3\nrestitution = 0.5\n",
            1.0 / 3.0,
            -approach
        );
        let found = coverage(&scenario, "brach");
        assert!(found > 0.95, "at {degrees}°: {found}");
        let bilinear = coverage(&scenario, "bilinear");
        assert!(bilinear < strip + 0.01, "at {degrees}°: {bilinear} of {strip}");
        for id in ["chatterjee-1", "chatterjee-2", "chatterjee-3"] {
            let found = coverage(&scenario, id);
            assert!((found - bilinear).abs() < 0.01, "{id} is the bilinear law here: {found} {bilinear}");
        }
        // All of it, but for what rays two degrees apart cut off where the region is long and narrow.
        assert!(coverage(&scenario, "accessible") > 0.95);
    }
}

#[test]
fn a_mixture_reaches_what_its_parts_reach_and_more() {
    let scenario = include_str!("../../../scenarios/chatterjee-tangential.toml");
    assert!(coverage(scenario, "chatterjee-1") < 0.01, "law I reaches one point");
    assert!(coverage(scenario, "chatterjee-2") < 0.01, "law II reaches a line");
    assert!(coverage(scenario, "chatterjee-combined") > 0.3, "the mixture fills the triangle between them");
}
