//! Scenarios that give the parameters of laws that are none of the catalogue.
#![allow(clippy::unwrap_used)]

use carom::laws::{Fallback, Kind, Law, Parameter};
use carom_study::scenario::{Files, OwnLaws, Scenario, SimulationScenario, check_tables, check_tables_with};
use nalgebra::Vector3;

const YIELD_SPEED: Parameter = Parameter {
    key: "yield_speed",
    symbol: "",
    meaning: "speed of yield",
    kind: Kind::Number { least: 0.0, greatest: 10.0 },
    fallback: Fallback::Required,
    leaves_plane: false,
};

fn yielding() -> &'static Law {
    let law = Law::from_fn("yielding", [YIELD_SPEED], |collision, values| {
        Vector3::x() * (values[0] - collision.velocity().x) / collision.inverse_mass()[(0, 0)]
    });
    law.into_static().unwrap()
}

const BALL: &str = "
    [[body]]
    name = 'ball'
    mass = 1.0
    shape = { ball = { radius = 0.1 } }
    position = [0.0, 0.1]
    velocity = [0.0, -2.0]
";

#[test]
fn a_law_of_one_s_own_finds_its_parameters_at_law_contact_and_collision() {
    let own = OwnLaws::new(Some(yielding()), []);
    let contact = "[[contact]]\nbetween = ['ball', 'ground']\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]\n";
    let texts = [
        format!("{BALL}{contact}yield_speed = 0.5\n[law]"),
        format!("{BALL}{contact}[law]\nyield_speed = 0.5"),
        "[collision]\ninverse_mass = [[1.0, 0.0], [0.0, 3.5]]\nvelocity = [-2.0, 0.0]\nyield_speed = 0.5\n[law]"
            .to_owned(),
    ];
    for text in texts {
        let scenario = Scenario::parse_with("ball.toml", &text, Files::default(), &own).unwrap();
        let law = scenario.bind(scenario.law.unwrap()).unwrap();
        let outcome = law.resolve(&scenario.impact).unwrap();
        assert!((outcome.contacts[0].velocity_after.x - 0.5).abs() < 1e-12, "{text}");
        let error = Scenario::parse("ball.toml", &text).unwrap_err();
        assert!(error.message().starts_with("unknown key `yield_speed`"), "{error}");
        let beyond = text.replace("yield_speed = 0.5", "yield_speed = 10.5");
        let error = Scenario::parse_with("ball.toml", &beyond, Files::default(), &own).unwrap_err();
        assert_eq!((error.message(), error.label()), ("`yield_speed` is 10.5", "expected a number from 0 to 10"));
        let lacking = text.replace("yield_speed = 0.5", "");
        let error = Scenario::parse_with("ball.toml", &lacking, Files::default(), &own).unwrap_err();
        assert_eq!(error.message(), "law `yielding` needs `yield_speed`");
    }
}

#[test]
fn two_materials_make_the_smaller_of_its_parameters() {
    let text = format!(
        "[simulation]\nduration = 1.0\n[law]\n{BALL}material = 'a'\n[[wall]]\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]\nmaterial = 'b'\n\
         [[material]]\nname = 'a'\nyield_speed = 3.0\nfriction = 0.0\n[[material]]\nname = 'b'\nyield_speed = 2.0\nfriction = 0.0\n"
    );
    let own = OwnLaws::new(Some(yielding()), []);
    let scene = SimulationScenario::parse_with("ball.toml", &text, Files::default(), &own).unwrap();
    let [a, b] = [0, 1].map(carom::sim::MaterialId::new);
    assert_eq!(scene.scene.materials().parameter(a, b, "yield_speed"), Some(2.0));
    assert_eq!((scene.law.id, scene.lowers_restitution), ("yielding", false));
    assert!(scene.given_parameters.contains(&"yield_speed"));
    let lacking = text.replace("yield_speed = 2.0", "");
    let error = SimulationScenario::parse_with("ball.toml", &lacking, Files::default(), &own).unwrap_err();
    assert!(error.message().contains("law `yielding` needs `yield_speed`"), "{error}");
}

#[test]
fn misspelt_keys_are_those_of_the_catalogue_or_of_the_own_law() {
    // Of a law that the scenario did not choose the keys are known as well.
    let own = OwnLaws::new(None, [yielding()]);
    for (key, label) in [("yeld_speed", "did you mean `yield_speed`?"), ("stiffnes", "did you mean `stiffness`?")] {
        let error = check_tables_with("law", &format!("[law]\n{key} = 1.0"), &own).unwrap_err();
        assert_eq!(error.label(), label);
    }
    let error = check_tables_with("body", "[[body]]\nname = 'a'\nyield_speed = 1.0", &own).unwrap_err();
    assert!(error.label().starts_with("belongs in ") && error.label().contains("`[[material]]`"), "{error}");
    assert!(check_tables_with("material", "[[material]]\nname = 'a'\nyield_speed = 1.0", &own).is_ok());
    assert!(check_tables("material", "[[material]]\nname = 'a'\nyield_speed = 1.0").is_err());
}
