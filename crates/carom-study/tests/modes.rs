//! The mode of a contact has the same name in `collide`, `simulate` and `replay`.
#![allow(clippy::unwrap_used)]

use carom::laws;
use carom_study::prediction::predict;
use carom_study::scenario::{Scenario, SimulationScenario};
use carom_study::simulation::{Run, Runner, Step, event_text, events_table};

fn finished(scenario: &SimulationScenario) -> Run {
    let mut runner = Runner::new(scenario, None).unwrap();
    while runner.step() != Step::Done {}
    runner.run
}

/// The modes of the contacts of the first event, from the table of events.
fn simulated(file: &str) -> Vec<String> {
    let scenario = SimulationScenario::parse("test.toml", file).unwrap_or_else(|error| panic!("{error}"));
    let run = finished(&scenario);
    let csv = events_table(&scenario, &run).csv();
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let place = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    let modes: Vec<String> = rows
        .iter()
        .filter(|row| row[place("event")] == "1" && row[place("kind")] == "impact")
        .map(|row| row[place("mode")].to_owned())
        .collect();
    let text = event_text(&scenario, &run.events[0], 1);
    assert!(modes.iter().all(|mode| text.contains(mode.as_str())), "{modes:?} in {text}");
    modes
}

/// A disk that meets the floor, with this slip and spin, for one contact and through time.
fn disk(slip: f64, spin: f64, law: &str) -> [String; 2] {
    let material = "restitution = 0.7\ntangential_restitution = 0.4\nfriction = 0.3\n";
    let body = format!(
        "[[body]]\nname = \"disk\"\nmass = 1.0\nshape = {{ disk = {{ radius = 0.5 }} }}\nposition = [0.0, 0.5]\n\
         velocity = [{slip}, -1.0]\nangular_velocity = {spin}\n"
    );
    let contact = "[[contact]]\nbetween = [\"disk\", \"ground\"]\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]\n";
    let collision = format!("{body}{contact}{material}");
    let through_time = format!(
        "[simulation]\nduration = 0.01\ngravity = [0.0, 0.0]\n{body}[[wall]]\nname = \"floor\"\npoint = [0.0, 0.0]\n\
         normal = [0.0, 1.0]\n[[material]]\nname = \"m\"\n{material}[law]\nid = \"{law}\"\n"
    );
    [collision, through_time]
}

#[test]
fn one_contact_has_the_same_mode_in_collide_and_simulate() {
    let mut seen = Vec::new();
    for law in [
        "newton-lcp",
        "poisson-lcp",
        "rodriguez-bowling",
        "rakshit-chatterjee",
        "routh-poisson",
        "chatterjee-3",
        "newton",
    ] {
        for (slip, spin) in [(3.0, 0.0), (0.2, 0.0), (0.0, 0.0), (1.0, 4.0), (-0.5, -1.5)] {
            let [collision, through_time] = disk(slip, spin, law);
            let scenario = Scenario::parse("test.toml", &collision).unwrap();
            let mode = predict(&scenario, laws::find(law).unwrap()).unwrap().outcome.contacts[0].mode.name();
            assert_eq!(simulated(&through_time), [mode], "{law}, slip {slip}, spin {spin}");
            seen.push(mode);
        }
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() >= 4, "{seen:?}");
}

/// The sphere in a corner: its slips reverse while friction is at its limit at every instant, though part of it cancels.
#[test]
fn several_contacts_have_the_same_modes_in_collide_and_simulate() {
    let file = include_str!("../../../scenarios/corner-sphere.toml");
    let collision = r#"
        [[body]]
        name = "sphere"
        mass = 1.0
        shape = { ball = { radius = 0.5 } }
        position = [-0.5, 0.5, 0.5]
        velocity = [1.44, -4.11, -4.52]
    "#;
    let contact = |point: &str, normal: &str| {
        format!(
            "[[contact]]\nbetween = [\"sphere\", \"ground\"]\npoint = {point}\nnormal = {normal}\nstatic_friction = 0.6\n\
             kinetic_friction = 0.35\nrestitution = 0.5\n"
        )
    };
    let collision = [
        collision.to_owned(),
        contact("[-0.5, 0.5, 0.0]", "[0.0, 0.0, 1.0]"),
        contact("[0.0, 0.5, 0.5]", "[-1.0, 0.0, 0.0]"),
        contact("[-0.5, 0.0, 0.5]", "[0.0, 1.0, 0.0]"),
    ]
    .concat();
    for mode in ["as-published", "consistent"] {
        let through_time = file.replace("mode = \"as-published\"", &format!("mode = \"{mode}\""));
        let law = format!("[law]\nid = \"rodriguez-bowling\"\nmode = \"{mode}\"\n");
        let scenario = Scenario::parse("test.toml", &format!("{collision}{law}")).unwrap();
        let prediction = predict(&scenario, laws::find("rodriguez-bowling").unwrap()).unwrap();
        let modes: Vec<&str> = prediction.outcome.contacts.iter().map(|contact| contact.mode.name()).collect();
        assert_eq!(simulated(&through_time), modes, "{mode}");
        if mode == "as-published" {
            assert_eq!(modes, ["reversed-sliding"; 3]);
        }
    }
}
