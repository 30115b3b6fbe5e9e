//! The impulses that laws reach, against known results.
#![allow(missing_docs, clippy::unwrap_used)]

use carom::laws;
use carom_study::plot::Regions;
use carom_study::reach::{Set, reach};
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
        assert!(coverage(&scenario, "accessible") > 0.99);
    }
}

#[path = "../../carom/src/random.rs"]
mod random;
use random::Random;

fn scenario([n, m, t]: [f64; 3], [approach, slip]: [f64; 2], friction: f64) -> String {
    format!(
        "[collision]\ninverse_mass = [[{n:e}, {m:e}], [{m:e}, {t:e}]]\nvelocity = [{approach:e}, {slip:e}]\n\
         friction = {friction:e}\nrestitution = 0.5\ntangential_restitution = 0.5\n"
    )
}

/// Shares computed from the exact polygons of the laws by an independent program.
#[test]
fn shares_are_those_of_the_exact_polygons() {
    let generic = include_str!("../../../scenarios/chatterjee-generic.toml");
    for (id, exact) in [("chatterjee-2", 0.4887), ("chatterjee-3", 0.9280)] {
        let found = coverage(generic, id);
        assert!((found - exact).abs() < 0.002, "{id}: {found} for {exact}");
    }
    let grazing = scenario([1.0, 0.0, 3.0], [-0.1, -1.0], 0.6);
    for id in ["chatterjee-1", "chatterjee-2", "chatterjee-3"] {
        let found = coverage(&grazing, id);
        assert!((found - 0.0917).abs() < 0.002, "{id}: {found}");
    }
    let combined = coverage(&grazing, "chatterjee-combined");
    assert!((combined - 0.0917).abs() < 0.003, "combined: {combined}");
}

/// The mixture of laws I, II and III reaches every impulse that one of them reaches; the parametrisation of the region reaches all of it.
#[test]
fn a_mixture_reaches_no_less_than_its_parts_in_random_collisions() {
    let rounds = std::env::var("CAROM_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(10);
    let mut random = Random(16);
    for round in 0..rounds {
        let (n, t) = (random.log_between(0.1, 10.0), random.log_between(0.1, 10.0));
        let w = [n, random.between(-0.95, 0.95) * (n * t).sqrt(), t];
        let v = [-random.log_between(1e-3, 1.0), random.between(-1.0, 1.0)];
        let file = scenario(w, v, random.log_between(0.05, 5.0));
        let combined = coverage(&file, "chatterjee-combined");
        for id in ["chatterjee-1", "chatterjee-2", "chatterjee-3"] {
            let part = coverage(&file, id);
            assert!(combined > part - 0.002, "{round}: {combined} < {part} of {id}\n{file}");
        }
        let all = coverage(&file, "accessible");
        assert!(all > 0.99, "{round}: accessible {all}\n{file}");
    }
}

/// The same where friction is as good as infinite and the laws jump (Chatterjee 1997, 7.4).
#[test]
fn a_mixture_reaches_no_less_than_its_parts_under_infinite_friction() {
    let (own, coupling) = (1.0 / 0.19, 0.9 / 0.19);
    let file = scenario([own, coupling, own], [-0.6, -1.0], 1e7);
    let combined = coverage(&file, "chatterjee-combined");
    for id in ["chatterjee-1", "chatterjee-2", "chatterjee-3"] {
        let part = coverage(&file, id);
        assert!(combined > part - 0.002, "{combined} < {part} of {id}");
    }
}

#[test]
fn the_whole_region_is_accessible_however_slow_the_approach() {
    for approach in [-1.0, -0.3, -0.03, -1e-2, -1e-3, -1e-6, -1e-9, 0.0] {
        let found = coverage(&scenario([1.0, 0.4, 3.0], [approach, -1.0], 1.5), "accessible");
        assert!(found > 0.99, "V_n = {approach}: {found}");
    }
}

#[test]
fn shares_do_not_depend_on_units() {
    let share = |length: f64, mass: f64, id: &str| {
        let w = [1.0, -0.5, 2.0].map(|w| w / mass);
        coverage(&scenario(w, [-0.2 * length, 1.0 * length], 0.7), id)
    };
    for id in ["chatterjee-combined", "brach", "accessible"] {
        let one = share(1.0, 1.0, id);
        for (length, mass) in [(1e-9, 1.0), (1e6, 1e-12), (1e-3, 1e20)] {
            let other = share(length, mass, id);
            assert!((one - other).abs() < 1e-3, "{id}: {one} and {other}");
        }
    }
}

/// In space the share is one of volumes: the parametrisation reaches everything, and two parameters make a surface.
#[test]
fn shares_in_space_are_volumes() {
    let file = "[collision]\ninverse_mass = [[1.0, 0.2, 0.1], [0.2, 3.0, 0.3], [0.1, 0.3, 2.0]]\n\
                velocity = [-0.5, 1.0, 0.4]\nfriction = 0.5\nrestitution = 0.5\ntangential_restitution = 0.5\n";
    let all = coverage(file, "accessible");
    assert!(all > 0.98, "{all}");
    let combined = coverage(file, "chatterjee-combined");
    assert!(combined > 0.01 && combined < all, "{combined}");
    let scenario = Scenario::parse("test.toml", file).unwrap();
    let surface = reach(&scenario, laws::find("chatterjee-2").unwrap()).unwrap();
    assert_eq!((surface.set, surface.coverage), (Set::Surface, None));
}

#[test]
fn a_mixture_reaches_what_its_parts_reach_and_more() {
    let scenario = include_str!("../../../scenarios/chatterjee-tangential.toml");
    assert!(coverage(scenario, "chatterjee-1") < 0.01, "law I reaches one point");
    assert!(coverage(scenario, "chatterjee-2") < 0.01, "law II reaches a line");
    assert!(coverage(scenario, "chatterjee-combined") > 0.3, "the mixture fills the triangle between them");
}

/// Outlines of the reached sets, not the thousands of cells that make them up.
#[test]
fn pictures_of_regions_stay_small() {
    for file in [
        include_str!("../../../scenarios/chatterjee-infinite-friction.toml"),
        include_str!("../../../scenarios/pendulum-wall.toml"),
        include_str!("../../../scenarios/chatterjee-tangential.toml"),
    ] {
        let scenario = Scenario::parse("test.toml", file).unwrap();
        let reaches: Vec<_> = ["brach", "pfeiffer-glocker", "chatterjee-2", "chatterjee-combined"]
            .map(|id| reach(&scenario, laws::find(id).unwrap()).unwrap())
            .into();
        let size = Regions::of(&scenario, &reaches).unwrap().svg().len();
        assert!(size < 70_000, "{}: {size} bytes", scenario.title);
    }
}
