//! Rows of simulations and of collisions whose text is read once are those of scenarios that are read one by one, to the last bit.
#![allow(clippy::unwrap_used, reason = "tests")]

use carom_study::scenario::{Changeable, Scenario, Setting, SimulationScenario};
use carom_study::simulation::{Identity, Runner, Step, simulation_json};
use carom_study::sweep::{Part, Plan, Sweep};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;
use std::fs::File;

/// A scene, and values of it that may change, each with its range; words are a list. Some of the ranges leave what is possible.
struct Base {
    scene: &'static str,
    axes: &'static [(&'static str, &'static str, [f64; 2])],
    outputs: &'static [&'static str],
}

const BALLS: Base = Base {
    scene: "
[simulation]
duration = 1.0
gravity = [0.0, -9.81]
[[body]]
name = 'ball'
mass = 1.0
shape = { disk = { radius = 0.1 } }
position = [0.0, 1.0]
velocity = [1.0, 0.0]
[[body]]
name = 'other'
mass = 2.0
shape = { disk = { radius = 0.2 } }
position = [1.0, 0.8]
angular_velocity = 3.0
[[wall]]
name = 'floor'
point = [0.0, 0.0]
normal = [0.0, 1.0]
[[material]]
name = 'rubber'
restitution = 0.8
friction = 0.3
",
    axes: &[
        ("body.ball.velocity[0]", "", [-2.0, 3.0]),
        ("body.ball.position[1]", "", [0.05, 2.0]),
        ("body.ball.mass", "", [-0.1, 2.0]),
        ("body.other.angular_velocity", "", [-20.0, 20.0]),
        ("body.other.velocity", "vector", [-2.0, 2.0]),
        ("body.ball.shape.disk.radius", "", [0.05, 0.2]),
        ("body.ball.orientation", "", [-3.0, 3.0]),
        ("simulation.gravity", "vector", [-10.0, 0.0]),
        ("simulation.duration", "", [0.1, 1.0]),
        ("material.restitution", "", [-0.2, 1.2]),
        ("material.rubber.friction", "", [0.0, 1.0]),
        ("wall.floor.point[1]", "", [-0.2, 0.2]),
        ("law.id", "words", [0.0, 0.0]),
    ],
    outputs: &[
        "energy.kinetic",
        "energy.impacts",
        "events.impact",
        "frames",
        "event_contacts[0].time",
        "end",
        "time",
        "energy.residual",
    ],
};

const JOINED: Base = Base {
    scene: "
[simulation]
duration = 0.5
gravity = [0.0, -9.81]
[[body]]
name = 'bob'
mass = 1.0
shape = { disk = { radius = 0.1 } }
position = [1.0, 0.0]
[[joint]]
kind = 'revolute'
between = ['bob', 'ground']
point = [0.0, 0.0]
[[body]]
name = 'weight'
mass = 1.0
shape = { disk = { radius = 0.1 } }
position = [3.0, 0.0]
[[spring]]
between = ['weight', 'ground']
to = [3.0, 1.0]
stiffness = 50.0
[[wall]]
point = [0.0, -0.8]
normal = [0.0, 1.0]
[[material]]
name = 'steel'
restitution = 0.6
friction = 0.2
",
    axes: &[
        ("body.bob.angular_velocity", "", [-0.0, 0.0]),
        ("body.weight.velocity", "vector", [-1.0, 1.0]),
        ("body.weight.position[1]", "", [-0.5, 0.5]),
        ("spring.stiffness", "", [-5.0, 80.0]),
        ("simulation.gravity[1]", "", [-10.0, 1.0]),
        ("material.restitution", "", [0.0, 1.0]),
    ],
    outputs: &["energy.kinetic", "energy.potential", "end.weight", "end.bob.velocity"],
};

const ROD: Base = Base {
    scene: "
[[body]]
name = 'rod'
mass = 1.0
shape = { rod = { length = 1.0 } }
position = [0.35355339059327373, 0.35355339059327373]
velocity = [0.6, -1.0]
[[contact]]
between = ['rod', 'ground']
point = [0.0, 0.0]
normal = [0.0, 1.0]
friction = 0.8
restitution = 0.9
",
    axes: &[
        ("body.rod.mass", "", [-0.1, 2.0]),
        ("body.rod.position", "vector", [-1.0, 1.0]),
        ("body.rod.velocity[1]", "", [-2.0, 0.5]),
        ("contact.friction", "", [-0.1, 1.0]),
        ("contact.restitution", "", [0.0, 1.1]),
        ("contact.normal", "vector", [-1.0, 1.0]),
        ("law.id", "words", [0.0, 0.0]),
    ],
    // The last of these keeps the plan from being computed as columns.
    outputs: &["energy.change", "impulse", "bodies.rod.velocity"],
};

struct Random(Xoshiro256PlusPlus);

impl Random {
    fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count as u64) as usize
    }

    fn between(&mut self, [low, high]: [f64; 2]) -> f64 {
        low + (high - low) * (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The leaves of a value by their columns.
fn leaves(name: &str, value: &Value, found: &mut HashMap<String, Value>) {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(k, item)| leaves(&format!("{name}[{k}]"), item, found));
        }
        Value::Object(object) => {
            object.iter().for_each(|(key, item)| leaves(&format!("{name}.{key}"), item, found));
        }
        leaf => {
            found.insert(name.to_owned(), leaf.clone());
        }
    }
}

/// The part of a result below a path.
fn find<'v>(result: &'v Value, path: &str) -> &'v Value {
    let mut value = result;
    for part in path.split('.') {
        let (key, elements) = part.split_at(part.find('[').unwrap_or(part.len()));
        value = match value {
            Value::Array(items) => items.iter().find(|item| item["name"] == key).unwrap_or(&Value::Null),
            value => &value[key],
        };
        for element in elements.split(['[', ']']).filter(|element| !element.is_empty()) {
            value = &value[element.parse::<usize>().unwrap()];
        }
    }
    value
}

/// What a scenario gives that is read from its text: status and result.
fn alone(text: &str, simulates: bool) -> Option<(String, Value)> {
    if !simulates {
        let scenario = Scenario::parse("<scenario>", text).ok()?;
        let prediction = carom_study::prediction::predict(&scenario, scenario.law.unwrap()).ok()?;
        let result = carom_study::report::json(&scenario, &prediction);
        return Some((String::new(), result));
    }
    let scene = SimulationScenario::parse("<scenario>", text).ok()?;
    let mut runner = Runner::new(&scene, None).ok()?;
    while runner.step() != Step::Done {}
    let identity = Identity { file: String::new(), hash: String::new() };
    let result = serde_json::from_str(&simulation_json(&scene, &runner.run, &identity)).unwrap();
    Some((runner.run.status(&scene).word().to_owned(), result))
}

fn check(base: &Base, random: &mut Random) -> usize {
    let simulates = base.scene.contains("[simulation]");
    let mut chosen: Vec<usize> = (0..=random.below(3)).map(|_| random.below(base.axes.len())).collect();
    chosen.sort_unstable();
    chosen.dedup();
    let mut axes = String::new();
    for place in &chosen {
        let (key, kind, range) = base.axes[*place];
        let mut numbers = |count: usize| (0..count).map(|_| random.between(range)).collect::<Vec<f64>>();
        let values = match kind {
            "words" => r#"["newton-lcp", "smith", "poisson-lcp"]"#.to_owned(),
            "vector" => format!("{:?}", [numbers(2), numbers(2)]),
            _ => format!("{:?}", numbers(3)),
        };
        writeln!(axes, "\"{key}\" = {values}").unwrap();
    }
    let law =
        if chosen.iter().any(|place| base.axes[*place].0 == "law.id") { "" } else { "[law]\nid = 'newton-lcp'\n" };
    let scene = format!("{}{law}", base.scene);
    let command = if simulates { "command = \"simulate\"\n" } else { "" };
    let text = format!("scenario = \"\"\"{scene}\"\"\"\n{command}outputs = {:?}\n[axes]\n{axes}", base.outputs);
    let plan = Plan::parse("plan.toml", &text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let folder = tempfile::tempdir().unwrap();
    let sweep = match Sweep::new(&plan) {
        Ok(sweep) => sweep,
        Err(error) => {
            assert!(error.to_string().contains("none of"), "{error}\n{text}");
            return 0;
        }
    };
    sweep.run(folder.path(), Part::WHOLE, 1, &mut |_| true).unwrap();
    let mut compared = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let reader = SerializedFileReader::new(File::open(entry.unwrap().path()).unwrap()).unwrap();
        for row in reader.get_row_iter(None).unwrap() {
            let row: HashMap<String, Field> = row.unwrap().into_columns().into_iter().collect();
            let mut file = Changeable::parse("<scenario>", &scene).unwrap();
            for place in &chosen {
                let (key, kind, _) = base.axes[*place];
                let value = match kind {
                    "words" => row[key].to_string().trim_matches('"').to_owned(),
                    "vector" => {
                        format!("[{}, {}]", exact(&row[&format!("{key}[0]")]), exact(&row[&format!("{key}[1]")]))
                    }
                    _ => exact(&row[key]),
                };
                file.set(&Setting::parse(&format!("{key}={value}")).unwrap()).unwrap();
            }
            let alone = alone(&file.text(), simulates);
            let mut expected = HashMap::new();
            if let Some((status, result)) = &alone {
                for output in base.outputs {
                    let path = if *output == "impulse" { "contacts[0].local.impulse" } else { output };
                    leaves(output, find(result, path), &mut expected);
                }
                if simulates {
                    assert_eq!(row["status"].to_string(), format!("\"{status}\""), "{text}\n{row:?}");
                }
            }
            for (column, found) in &row {
                if !base.outputs.iter().any(|output| column.starts_with(output)) {
                    continue;
                }
                match (found, expected.get(column)) {
                    (Field::Null, None | Some(Value::Null)) => {}
                    (Field::Double(found), Some(value)) => {
                        let value = value.as_f64().unwrap();
                        assert!(found.to_bits() == value.to_bits(), "{column}: {found:e} {value:e}\n{text}\n{row:?}");
                        compared += 1;
                    }
                    (Field::Str(found), Some(Value::String(value))) => assert_eq!(found, value),
                    (found, value) => panic!("{column}: {found} {value:?}\n{text}\n{row:?}"),
                }
            }
        }
    }
    compared
}

/// A number in the digits that read back to the same bits.
fn exact(field: &Field) -> String {
    match field {
        Field::Double(value) => format!("{value:?}"),
        other => panic!("{other}"),
    }
}

#[test]
fn rows_are_those_of_the_reader_to_the_last_bit() {
    let cases = std::env::var("CAROM_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(40);
    let mut random = Random(Xoshiro256PlusPlus::seed_from_u64(19));
    for base in [&BALLS, &JOINED, &ROD] {
        let compared: usize = (0..cases).map(|_| check(base, &mut random)).sum();
        assert!(compared > 20 * cases, "{compared}");
    }
}
