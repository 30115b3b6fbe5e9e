//! Scenes of the gallery through time: they run, their energy is accounted for, they go on from checkpoints to the same bits.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::sim::{EventKind, JointId, MaterialId, Origin};
use carom_study::plot::{animation, energy_sheet, gap_sheet, strobe, velocity_sheet};
use carom_study::prediction::predict;
use carom_study::report::single;
use carom_study::scenario::{Engine, SimulationScenario};
use carom_study::simulation::{
    CheckpointFile, Identity, NoCheckpoint, RecordPart, Run, Runner, Status, Step, event_impact, event_line,
    event_text, events_table, fingerprint, frame_line, joints_table, law_of, read_record, remarks, simulation_json,
    simulation_text, summary, trajectory_table,
};
use std::path::{Path, PathBuf};

fn gallery() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| std::fs::read_to_string(path).unwrap().contains("[simulation]"));
    files.sort();
    files
}

fn scenario(name: &str) -> SimulationScenario {
    let path = gallery().into_iter().find(|path| path.file_stem().unwrap() == name).unwrap();
    SimulationScenario::read(path).unwrap_or_else(|error| panic!("{error}"))
}

fn finished(scenario: &SimulationScenario) -> Run {
    let mut runner = Runner::new(scenario, None).unwrap();
    while runner.step() != Step::Done {}
    runner.run
}

#[test]
fn every_scene_of_the_gallery_runs_to_its_end_and_accounts_for_its_energy() {
    assert!(gallery().len() >= 8);
    for path in gallery() {
        let scenario = SimulationScenario::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(scenario.description.is_some(), "{} has no description", path.display());
        let run = finished(&scenario);
        let name = path.display();
        assert_ne!(run.status(&scenario), Status::Failed, "{name}: {:?}", run.failure);
        assert!(!run.events.is_empty(), "{name}: nothing happens");
        assert_eq!(run.frames.last().unwrap().time, scenario.settings.duration);
        assert!(run.relative_residual() < 1e-9, "{name}: {}", run.relative_residual());
        let words = events_table(&scenario, &run).csv();
        // Rodriguez's own rules may create energy, and say so.
        assert!(!words.contains("gains-energy"), "{name}: {words}");
        for picture in [strobe(&scenario, &run), energy_sheet(&scenario, &run).svg()]
            .into_iter()
            .chain([velocity_sheet(&scenario, &run).svg()])
            .chain(gap_sheet(&scenario, &run).map(|sheet| sheet.svg()))
        {
            assert!(picture.starts_with("<svg") && !picture.contains("NaN"), "{name}");
        }
    }
}

/// A run in two pieces, through the text of its record and of its checkpoint, as after a kill: what came after the checkpoint is lost.
fn killed_and_resumed(scenario: &SimulationScenario, every: f64, survives: usize) -> Run {
    let mut runner = Runner::new(scenario, Some(every)).unwrap();
    let mut record = String::new();
    let saved = loop {
        match runner.step() {
            Step::Frame => record.push_str(&frame_line(runner.run.frames.last().unwrap())),
            Step::Event => record.push_str(&event_line(runner.run.events.last().unwrap())),
            Step::Checkpoint(taken) => {
                let part = RecordPart { bytes: record.len() as u64, hash: fingerprint(record.as_bytes()) };
                if runner.checkpoints == survives {
                    break CheckpointFile::new(scenario, "hash", &runner, part, *taken).json();
                }
            }
            Step::Paused => {}
            Step::Done => panic!("it ended before"),
        }
    };
    for _ in 0..20 {
        runner.step();
    }
    let from = CheckpointFile::parse(&saved).unwrap();
    let before = read_record(&record[..usize::try_from(from.record.bytes).unwrap()]).unwrap();
    let mut runner = Runner::resume(scenario, &from, before).unwrap();
    while runner.step() != Step::Done {}
    runner.run
}

#[test]
fn a_killed_run_goes_on_to_the_same_bits() {
    let scenes =
        [("bouncing-ball", 0.7, 3), ("tumbling-block", 0.1, 5), ("cradle-swing", 0.45, 4), ("billiard-break", 0.1, 3)];
    for (name, every, survives) in scenes {
        let scenario = scenario(name);
        let mut whole = Runner::new(&scenario, Some(every)).unwrap();
        while whole.step() != Step::Done {}
        let resumed = killed_and_resumed(&scenario, every, survives);
        assert_eq!(whole.run, resumed, "{name}");
        let tables = |run: &Run| {
            [trajectory_table(&scenario, run), events_table(&scenario, run)].map(|table| table.parquet().unwrap())
        };
        assert_eq!(tables(&whole.run), tables(&resumed), "{name}");
    }
}

#[test]
fn a_record_comes_back_bit_by_bit() {
    let run = finished(&scenario("double-pendulum-wall"));
    let lines = run.frames.iter().map(frame_line).chain(run.events.iter().map(event_line));
    let text: String = lines.collect();
    let read = read_record(&text).unwrap();
    let again = read.frames.iter().map(frame_line).chain(read.events.iter().map(event_line));
    assert_eq!(again.collect::<String>(), text);
    assert_eq!((read.frames, read.events), (run.frames.clone(), run.events));
    // Energies overflow before velocities do.
    let mut last = run.frames.last().unwrap().clone();
    (last.ledger.kinetic, last.ledger.supplied) = (f64::INFINITY, f64::NEG_INFINITY);
    assert_eq!(read_record(&frame_line(&last)).unwrap().frames, [last]);
    assert_eq!(read_record("{}\n").unwrap_err().line, 1);
}

#[test]
fn a_checkpoint_of_other_numbers_is_refused() {
    let scenario = scenario("bouncing-ball");
    let mut runner = Runner::new(&scenario, Some(0.5)).unwrap();
    let taken = loop {
        if let Step::Checkpoint(taken) = runner.step() {
            break taken;
        }
    };
    let part = RecordPart { bytes: 0, hash: fingerprint(b"") };
    let file = CheckpointFile::new(&scenario, "hash", &runner, part, *taken);
    assert_eq!(CheckpointFile::parse(&file.json()), Ok(file.clone()));
    assert_eq!(CheckpointFile::parse("{}"), Err(NoCheckpoint::Other));
    assert_eq!(
        CheckpointFile::parse(&file.json().replace("\"events\": ", "\"events\": 1")),
        Err(NoCheckpoint::Altered)
    );
    assert!(Runner::resume(&scenario, &file, Run::default()).is_err());
}

#[test]
fn bodies_that_start_inside_each_other_are_refused_by_name() {
    let mut low = scenario("bouncing-ball");
    let mut states = low.scene.initial_states();
    states[0].pose.position.y = 0.06;
    low.scene = low.scene.starting_at(&states).unwrap();
    let refused = Runner::new(&low, None).unwrap_err().to_string();
    assert_eq!(refused, "`ball` starts 4.000e-2 m deep inside `floor`; expected that they touch at most");
}

#[test]
fn the_ball_in_the_corner_leaves_as_rodriguez_prints() {
    let scenario = scenario("corner-flight");
    let run = finished(&scenario);
    let event = &run.events[0];
    assert_eq!((event.kind, event.contacts.len()), (EventKind::Impact, 2));
    assert!((event.time - 0.4515).abs() < 5e-5);
    let after = event.bodies[0].1[1];
    // Table 6.1; its start of the impact, −4.430 m/s, overshoots the exact −4.4294 by a step.
    assert!((after.velocity.x + 5.504).abs() < 2e-3, "{after:?}");
    assert!((after.velocity.y - 4.893).abs() < 2e-3, "{after:?}");
    assert!((after.angular_velocity.z + 9.786).abs() < 4e-3, "{after:?}");
}

#[test]
fn an_event_resolved_anew_by_its_own_law_has_its_own_impulses() {
    for name in ["tumbling-block", "double-pendulum-wall", "billiard-break", "rocking-block"] {
        let scenario = scenario(name);
        let run = finished(&scenario);
        let impacts = run.events.iter().enumerate().filter(|(_, event)| event.kind == EventKind::Impact).take(6);
        for (k, event) in impacts {
            assert_eq!(law_of(&scenario, event), Some(scenario.law.id));
            let impact = event_impact(&scenario, event, k + 1).unwrap();
            let prediction = predict(&impact, scenario.law).unwrap();
            for (stored, anew) in event.contacts.iter().zip(&prediction.outcome.impulses()) {
                let difference = (stored.impulse - anew).norm();
                assert!(difference <= 1e-9 * stored.impulse.norm().max(1e-6), "{name} {k}: {stored:?} {anew:?}");
            }
            assert!(event_text(&scenario, event, k + 1).contains("Contacts"));
        }
    }
}

/// A ball that hits two walls of different stuff at once, and then pulls its string taut.
const CORNER_AND_STRING: &str = r#"
title = "Corner and string"
law = { id = "newton-lcp" }
[simulation]
duration = 2.0
gravity = [0.0, -9.81]
[[material]]
name = "clay"
restitution = 0.0
friction = 0.9
[[material]]
name = "rubber"
restitution = 0.8
friction = 0.1
[[pair]]
between = ["clay", "rubber"]
restitution = 0.1
friction = 0.6
[[wall]]
point = [0.0, 0.0]
normal = [0.0, 1.0]
material = "rubber"
[[wall]]
point = [0.0, 0.0]
normal = [1.0, 0.0]
material = "clay"
[[body]]
name = "ball"
mass = 1.0
shape = { ball = { radius = 0.1 } }
position = [0.6, 0.6]
velocity = [-1.0, 1.4525]
material = "rubber"
[[string]]
between = ["ball", "ground"]
to = [0.7, 0.1]
length = 0.68
restitution = 0.5
"#;

#[test]
fn an_event_resolved_anew_knows_the_materials_and_strings_that_pushed() {
    let mut scenario = SimulationScenario::parse("corner.toml", CORNER_AND_STRING).unwrap();
    let pushed = |run: &Run| -> Vec<Origin> {
        run.events.iter().flat_map(|event| &event.contacts).map(|contact| contact.origin).collect()
    };
    let wall = |place: usize, material: usize| Origin::Parts {
        parts: [0, place],
        materials: [1, material].map(MaterialId::new),
    };
    let walls = [wall(0, 1), wall(1, 0)];
    scenario.settings.engine = Engine::Stepping;
    let stepped = pushed(&finished(&scenario));
    assert!(walls.iter().chain([&Origin::String(0)]).all(|origin| stepped.contains(origin)), "{stepped:?}");
    scenario.settings.engine = Engine::Event;
    let run = finished(&scenario);
    let located = pushed(&run);
    assert!(walls.iter().chain([&Origin::String(0)]).all(|origin| located.contains(origin)), "{located:?}");
    let lines: String = run.events.iter().map(event_line).collect();
    assert_eq!(read_record(&lines).unwrap().events, run.events);
    for (k, event) in run.events.iter().enumerate().filter(|(_, event)| event.kind == EventKind::Impact) {
        let impact = event_impact(&scenario, event, k + 1).unwrap();
        let prediction = predict(&impact, scenario.law).unwrap();
        for (stored, anew) in event.contacts.iter().zip(&prediction.outcome.impulses()) {
            assert!(
                (stored.impulse - anew).norm() <= 1e-9 * stored.impulse.norm().max(1e-6),
                "{k}: {stored:?} {anew:?}"
            );
        }
    }
}

#[test]
fn the_page_is_whole_and_asks_for_nothing() {
    let mut scenario = scenario("tumbling-block");
    scenario.title = "</script><b>".to_owned();
    let page = animation(&scenario, &finished(&scenario));
    assert!(page.contains("&lt;/script>") && !page.contains("{{") && !page.contains("<b>"));
    for word in ["http:", "https:", "src=", "href=", "import", "fetch("] {
        assert!(!page.contains(word), "{word}");
    }
}

#[test]
fn a_summary_tells_what_was_run() {
    let scenario = scenario("bouncing-ball");
    let run = finished(&scenario);
    let identity = Identity { file: "ball.toml".to_owned(), hash: fingerprint(b"abc") };
    let value = summary(&scenario, &run, &identity);
    assert_eq!(value["status"], "zeno-cut");
    assert_eq!(value["frames"], 1001);
    assert!(value["scenario"]["sha256"].as_str().unwrap().starts_with("ba7816bf8f01cfea"));
    assert!(value["settings"]["tolerance"].as_f64().unwrap() > 0.0);
    let text = simulation_text(&scenario, &run);
    assert!(text.contains("Zeno cut") && text.contains("4.06371"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&simulation_json(&scenario, &run, &identity)).unwrap();
    assert_eq!(json["event_contacts"].as_array().unwrap().len(), run.events.len());
    assert_eq!(json["end"][0]["name"], "ball");
}

#[test]
fn angles_in_the_plane_count_whole_turns() {
    let scenario = scenario("corner-flight");
    let run = finished(&scenario);
    let csv = trajectory_table(&scenario, &run).csv();
    let last = csv.lines().last().unwrap();
    let angle: f64 = last.split(',').nth(4).unwrap().parse().unwrap();
    let [corner, ground, end] = [run.events[0].time, run.events[1].time, scenario.settings.duration];
    let turning = |event: usize| run.events[event].bodies[0].1[1].angular_velocity.z;
    let expected = turning(0) * (ground - corner) + turning(1) * (end - ground);
    assert!(expected.abs() > 3.0 * std::f64::consts::PI && (angle - expected).abs() < 1e-9, "{last}");
    let identity = Identity { file: "corner.toml".to_owned(), hash: fingerprint(b"abc") };
    let json: serde_json::Value = serde_json::from_str(&simulation_json(&scenario, &run, &identity)).unwrap();
    assert_eq!(json["end"][0]["angle"].as_f64(), Some(angle));
}

#[test]
fn what_is_stored_of_a_run_in_steps_changes_nothing_in_it() {
    for name in ["tumbling-block", "billiard-break", "double-pendulum-wall"] {
        let mut scenario = scenario(name);
        scenario.settings.engine = Engine::Stepping;
        scenario.settings.duration = 0.6001;
        scenario.settings.step = Some(0.004);
        let [seldom, often] = [0.1, 0.00093].map(|interval| {
            scenario.settings.interval = Some(interval);
            finished(&scenario)
        });
        assert!(often.frames.len() > 10 * seldom.frames.len(), "{name}");
        assert!(!seldom.events.is_empty(), "{name}: nothing happens");
        assert_eq!(seldom.events, often.events, "{name}");
        assert_eq!(seldom.frames.last(), often.frames.last(), "{name}");
        // All impacts are at the starts of steps.
        for event in &often.events {
            let steps = event.time / 0.004;
            assert!((steps - steps.round()).abs() < 1e-9, "{name}: {}", event.time);
        }
        // The state at the end of a step is stored, once: at multiples of 4 ms, and at the end of the run.
        let (end, ends) = often.frames.split_last().unwrap();
        assert!(end.time == 0.6001 && ends.len() == 151, "{name}: {}", ends.len());
        for (k, frame) in ends.iter().enumerate() {
            assert!((frame.time - 0.004 * k as f64).abs() < 1e-9, "{name}: {}", frame.time);
        }
    }
}

#[test]
fn a_killed_run_in_steps_goes_on_to_the_same_bits() {
    for (name, every, survives) in
        [("tumbling-block", 0.0501, 3), ("billiard-break", 0.1, 3), ("double-pendulum-wall", 0.001, 40)]
    {
        let mut scenario = scenario(name);
        scenario.settings.engine = Engine::Stepping;
        scenario.settings.duration = 0.6;
        let mut whole = Runner::new(&scenario, Some(every)).unwrap();
        while whole.step() != Step::Done {}
        assert_eq!(whole.run, killed_and_resumed(&scenario, every, survives), "{name}");
        let times: Vec<f64> = whole.run.frames.iter().map(|frame| frame.time).collect();
        // One at the end of each step of 1/240 s, because the interval is shorter.
        assert!(times.is_sorted() && times.len() == 145, "{name}: {}", times.len());
        let mut undisturbed = Runner::new(&scenario, None).unwrap();
        while undisturbed.step() != Step::Done {}
        assert_eq!(whole.run, undisturbed.run, "{name}");
    }
}

#[test]
fn a_run_in_steps_names_the_law_that_it_used() {
    let mut scenario = SimulationScenario::parse("corner.toml", CORNER_AND_STRING).unwrap();
    assert_eq!(remarks(&scenario), Vec::<String>::new());
    scenario.settings.engine = Engine::Stepping;
    assert_eq!(remarks(&scenario), Vec::<String>::new());
    let text = CORNER_AND_STRING.replace("newton-lcp", "poisson-lcp");
    let text = text.replace("friction = 0.9", "static_friction = 0.9\nkinetic_friction = 0.7");
    let mut scenario = SimulationScenario::parse("corner.toml", &text).unwrap();
    assert_eq!(remarks(&scenario), Vec::<String>::new());
    scenario.settings.engine = Engine::Stepping;
    let said = remarks(&scenario);
    assert!(said.len() == 2 && said[0].contains("poisson-lcp") && said[1].ends_with("clay"), "{said:?}");
    let run = finished(&scenario);
    let identity = Identity { file: "corner.toml".to_owned(), hash: fingerprint(b"abc") };
    assert_eq!(summary(&scenario, &run, &identity)["law"], "newton-lcp");
    let texts = [
        simulation_text(&scenario, &run).replace(&said[0], ""),
        events_table(&scenario, &run).csv(),
        event_text(&scenario, &run.events[0], 1),
        animation(&scenario, &run),
    ];
    for text in texts {
        assert!(text.contains("newton-lcp") && !text.contains("poisson-lcp"), "{text}");
    }
    let impact = event_impact(&scenario, &run.events[0], 1).unwrap();
    assert_eq!(impact.law.unwrap().id, "newton-lcp");
    assert!(predict(&impact, carom::laws::find("poisson-lcp").unwrap()).is_ok());
}

/// A smooth ball that hops over a floor against a ramp, on a string, and a rod whose pin has limits.
const NAMED_SURROUNDINGS: &str = r#"
title = "Named surroundings"
[simulation]
duration = 1.5
gravity = [0.0, -9.81]
[[material]]
name = "ice"
restitution = 0.7
friction = 0.0
[[material]]
name = "steel"
restitution = 0.7
friction = 0.4
[[wall]]
name = "floor"
point = [0.0, 0.0]
normal = [0.0, 1.0]
material = "ice"
[[obstacle]]
shape = { box = { size = [0.2, 2.0] } }
position = [1.0, 1.0]
material = "steel"
[[pair]]
between = ["ice", "steel"]
restitution = 0.7
friction = 0.0
[[body]]
name = "ball"
mass = 1.0
shape = { disk = { radius = 0.1 } }
position = [0.0, 0.5]
velocity = [2.0, 0.0]
material = "steel"
[[body]]
name = "rod"
mass = 1.0
shape = { box = { size = [0.6, 0.05] } }
position = [-2.7, 2.0]
material = "steel"
[[joint]]
name = "pin"
kind = "revolute"
between = ["rod", "ground"]
point = [-3.0, 2.0]
limits = [-1.0, 1.0]
restitution = 0.5
[[string]]
between = ["ball", "ground"]
to = [0.0, 0.5]
length = 0.75
restitution = 0.6
"#;

#[test]
fn events_say_what_was_hit() {
    let mut scenario = SimulationScenario::parse("named.toml", NAMED_SURROUNDINGS).unwrap();
    for engine in [Engine::Event, Engine::Stepping] {
        scenario.settings.engine = engine;
        let run = finished(&scenario);
        let rows: Vec<Vec<String>> = events_table(&scenario, &run)
            .csv()
            .lines()
            .map(|line| line.split(',').map(str::to_owned).collect())
            .collect();
        let of = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
        let said: Vec<[&str; 4]> = rows[1..]
            .iter()
            .map(|row| ["body_a", "body_b", "against", "mode"].map(|name| row[of(name)].as_str()))
            .collect();
        for expected in [
            ["ball", "ground", "floor", "frictionless"],
            ["ball", "ground", "string 1", "frictionless"],
            ["rod", "ground", "limit of pin", "frictionless"],
        ] {
            assert!(said.contains(&expected), "{engine:?} {expected:?}: {said:?}");
        }
        let text = simulation_text(&scenario, &run);
        assert!(text.contains("ball–floor") && text.contains("rod–limit of pin"), "{text}");
        let place =
            run.events.iter().position(|event| event.contacts[0].origin == Origin::Limit(JointId::new(0))).unwrap();
        let text = event_text(&scenario, &run.events[place], place + 1);
        assert!(text.contains("rod–limit of pin") && text.contains("  pin  impulse ("), "{text}");
        let impact = event_impact(&scenario, &run.events[place], place + 1).unwrap();
        let text = single(&impact, &predict(&impact, impact.law.unwrap()).unwrap());
        assert!(text.contains("  pin  impulse ("), "{text}");
    }
    let (untied, _) = NAMED_SURROUNDINGS.split_once("[[string]]").unwrap();
    let mut untied = SimulationScenario::parse("named.toml", untied).unwrap();
    untied.settings.engine = Engine::Stepping;
    let run = finished(&untied);
    let svg = gap_sheet(&untied, &run).unwrap().svg();
    assert!(svg.contains("ball–floor") && svg.contains("ball–obstacle 1"), "{svg}");
}

#[test]
fn joints_of_events_are_a_table_and_counts_are_whole_numbers() {
    let scenario = scenario("double-pendulum-wall");
    let run = finished(&scenario);
    let table = joints_table(&scenario, &run);
    assert_eq!(table.rows(), run.events.iter().map(|event| event.joints.len()).sum::<usize>());
    let header = "event,time,joint,body_a,body_b,impulse_x,impulse_y,moment\n1,";
    assert!(table.csv().starts_with(header), "{}", table.csv());
    let identity = Identity { file: "pendulum.toml".to_owned(), hash: fingerprint(b"abc") };
    let json: serde_json::Value = serde_json::from_str(&simulation_json(&scenario, &run, &identity)).unwrap();
    let [joint, contact] = [&json["event_joints"][0], &json["event_contacts"][0]];
    assert_eq!((joint["joint"].as_str(), joint["event"].as_u64()), (Some(&*scenario.joint_names[0]), Some(1)));
    assert_eq!((contact["event"].as_u64(), contact["contact"].as_u64()), (Some(1), Some(1)));
    assert!(table.parquet().unwrap().starts_with(b"PAR1"));
}

#[test]
fn the_summary_tells_how_deep_steps_let_bodies_overlap() {
    let mut block = scenario("sliding-block");
    let identity = Identity { file: "block.toml".to_owned(), hash: String::new() };
    assert!(summary(&block, &finished(&block), &identity)["overlap"].is_null());
    block.settings.engine = Engine::Stepping;
    let told = summary(&block, &finished(&block), &identity)["overlap"].as_f64().unwrap();
    // Corners sink in by what the solver leaves of the speed in a step.
    assert!(told > 0.0 && told < 1e-4, "{told}");
}

#[test]
fn impacts_of_a_mechanism_in_steps_are_resolved_anew() {
    let mut scenario = scenario("double-pendulum-wall");
    scenario.settings.engine = Engine::Stepping;
    let run = finished(&scenario);
    assert!(!run.events.is_empty());
    for (k, event) in run.events.iter().enumerate() {
        let impact = event_impact(&scenario, event, k + 1).unwrap();
        let prediction = predict(&impact, impact.law.unwrap()).unwrap();
        for (stored, anew) in event.contacts.iter().zip(&prediction.outcome.impulses()) {
            // What a step is long, of the impulse and of what gravity gives in it.
            assert!((stored.impulse - anew).norm() < 0.05 * anew.norm() + 0.1, "{k}: {stored:?} {anew:?}");
        }
    }
}
