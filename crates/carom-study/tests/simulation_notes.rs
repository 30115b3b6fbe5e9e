//! Notes of a simulation: the default law, unused parameters, units of limits, refused scenes.
#![allow(clippy::unwrap_used)]

use carom::sim::Event;
use carom_study::scenario::{Engine, SimulationScenario};
use carom_study::simulation::{
    Identity, Run, Runner, Status, Step, event_line, event_text, events_table, failure_text, read_record, remarks,
    simulation_text, summary,
};

fn scene(name: &str) -> SimulationScenario {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenes");
    SimulationScenario::read(format!("{folder}/{name}")).unwrap()
}

fn run(scenario: &SimulationScenario) -> Run {
    let mut runner = Runner::new(scenario, None).unwrap();
    while runner.step() != Step::Done {}
    runner.run
}

fn identity() -> Identity {
    Identity { file: String::new(), hash: String::new() }
}

/// A rod that lands on its tip: newton-lcp with friction 0.8 and restitution 0.9 creates 0.053 J. Without a law by name the run
/// creates no energy and gives the reason; by name the law stays as published, and the status counts the energy it creates.
#[test]
fn the_default_law_creates_no_energy_and_a_named_one_says_how_much() {
    let mut rod = scene("rod-on-its-tip.toml");
    let safe = run(&rod);
    let [before, after] = safe.events[0].energy;
    assert!(after <= before && after > before * (1.0 - 1e-9), "{before} {after}");
    assert_eq!((safe.status(&rod), safe.lowered(), safe.created(&rod).events), (Status::Finished, 1, 0));
    assert!(safe.frames.last().unwrap().ledger.impacts >= 0.0);
    let text = simulation_text(&rod, &safe);
    assert!(text.contains("law newton-lcp (default)") && text.contains("restitution lowered in 1 impact"), "{text}");
    assert!(event_text(&rod, &safe.events[0], 1).contains("restitution-lowered"));
    let json = summary(&rod, &safe, &identity());
    assert_eq!((&json["law_is_default"], &json["restitution_lowered"]), (&true.into(), &1.into()));
    // A record keeps the factor.
    assert_eq!(read_record(&event_line(&safe.events[0])).unwrap().events, safe.events);

    rod.lowers_restitution = false;
    let published = run(&rod);
    let created = published.created(&rod);
    assert_eq!((published.status(&rod), created.events, published.lowered()), (Status::GainsEnergy, 1, 0));
    assert!((created.energy - 0.053_125).abs() < 1e-6, "{created:?}");
    let text = simulation_text(&rod, &published);
    assert!(text.contains("finished; energy created in 1 event, 0.053125 J in all"), "{text}");
    assert_eq!(summary(&rod, &published, &identity())["energy_created"]["events"], 1);
}

/// Keys that nothing uses are not dropped in silence.
#[test]
fn unused_input_is_noted() {
    let text = "
        [simulation]
        duration = 0.1
        [[body]]
        name = 'ball'
        mass = 1.0
        shape = { disk = { radius = 0.1 } }
        position = [0.0, 0.3]
        [[wall]]
        point = [0.0, 0.0]
        normal = [0.0, 1.0]
        [[material]]
        name = 'rubber'
        friction = 0.5
        restitution = 0.5
        tangential_restitution = 0.6
        [vibration.chain]
        masses = [0.5, 0.5]
        springs = [100.0]
    ";
    let mut ball = SimulationScenario::parse("ball.toml", text).unwrap();
    let notes = remarks(&ball);
    assert!(notes.iter().any(|note| note.starts_with("`[vibration]` is not used")), "{notes:?}");
    let unused = "law newton-lcp does not use `tangential_restitution`; laws that do: bilinear";
    assert!(notes.iter().any(|note| note.starts_with(unused)), "{notes:?}");
    let text = simulation_text(&ball, &run(&ball));
    assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(unused), "{text}");
    assert!(summary(&ball, &Run::default(), &identity())["remarks"].to_string().contains("does not use"));
    ball.law = carom::laws::find("bilinear").unwrap();
    assert!(!remarks(&ball).iter().any(|note| note.contains("does not use")));
}

/// The list of a run's events has the event that changes the energy most, with the units of its own quantities.
fn check_event_list(latch: &SimulationScenario, run: &Run) {
    let change = |event: &Event| (event.energy[1] - event.energy[0]).abs();
    let largest =
        (0..run.events.len()).max_by(|a, b| change(&run.events[*a]).total_cmp(&change(&run.events[*b]))).unwrap();
    let text = simulation_text(latch, run);
    let number = (largest + 1).to_string();
    let rows: Vec<&str> = text.lines().filter(|line| line.split_whitespace().next() == Some(&number)).collect();
    assert!(!rows.is_empty() && rows.iter().any(|row| row.contains("N s, m/s")), "event {number} in\n{text}");
    assert!(text.lines().any(|line| line.trim_start().starts_with("1 ") && line.contains("N m s, rad/s")), "{text}");
}

/// The limit of a revolute joint turns bodies: rad/s and N m s, at the joint.
#[test]
fn limits_of_revolute_joints_have_angular_units() {
    let latch = scene("latch.toml");
    for engine in [Engine::Event, Engine::Stepping] {
        let mut latch = latch.clone();
        latch.settings.engine = engine;
        let run = run(&latch);
        let event = run.events.iter().find(|event| event.contacts[0].is_moment()).unwrap();
        let pivot = nalgebra::Vector3::new(0.12, 0.035, 0.0);
        assert!((event.contacts[0].point - pivot).norm() < 1e-3, "{:?}", event.contacts[0].point);
        let table = events_table(&latch, &run);
        let unit = |name: &str| table.columns.iter().find(|column| column.name == name).map(|column| column.unit);
        assert_eq!(unit("angular_impulse"), Some("N m s"));
        assert_eq!((unit("angular_velocity_before"), unit("velocity_before_n")), (Some("rad/s"), Some("m/s")));
        let row = (0..table.rows()).map(|row| table.row_json(row)).find(|row| row["against"] == "limit of pivot");
        let row = row.unwrap();
        assert!(row["velocity_before_n"].is_null() && row["impulse_n"].is_null(), "{row}");
        assert!(row["angular_velocity_before"].as_f64().unwrap() < -1.0, "{row}");
        assert!(simulation_text(&latch, &run).contains("rad/s"));
        check_event_list(&latch, &run);
        // A record keeps it, and an impact that is resolved again is the same.
        assert_eq!(read_record(&event_line(event)).unwrap().events[0], *event);
    }
    let run = run(&latch);
    let event = &run.events[0];
    let impact = carom_study::simulation::event_impact(&latch, event, 1).unwrap();
    let again = carom_study::prediction::predict(&impact, latch.law).unwrap();
    assert!((again.outcome.impulses()[0].x - event.contacts[0].impulse.x).abs() < 1e-12);
}

/// A base that is fixed to the world and the link at its joint pass through each other, by both engines; others do not, unless the
/// robot does not touch itself.
#[test]
fn a_fixed_base_does_not_hold_its_own_link() {
    for engine in [Engine::Event, Engine::Stepping] {
        let mut arm = scene("fixed-arm.toml");
        arm.settings.engine = engine;
        let run = run(&arm);
        let [start, end] = [run.frames.first(), run.frames.last()].map(|frame| frame.unwrap().states[0].pose.position);
        assert!(run.failure.is_none() && end.z < start.z - 0.05, "{engine:?}: {start} {end}");
    }
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenes"));
    let text = std::fs::read_to_string(folder.join("fixed-arm.toml")).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from));
        SimulationScenario::parse_in("arm.toml", &text.replace(from, to), Some(folder))
    };
    let touching = with("displacement=0.4", "displacement=0.4,collide=true").unwrap();
    assert!(touching.scene.joints()[0].collides() && touching.scene.passing().is_empty());
    let refused = Runner::new(&touching, None).unwrap_err().to_string();
    assert!(refused.contains("`upper` starts") && refused.contains("inside `base`"), "{refused}");
    let alone = with("base = \"fixed\"", "base = \"fixed\"\nself_collision = false").unwrap();
    assert_eq!(alone.scene.passing().len(), 1 + 2);
    let bouncing = with("displacement=0.4", "restitution=0.5").unwrap();
    assert_eq!(bouncing.scene.joints()[0].restitution(), Some(0.5));
}

/// A law that takes no restitution of 0 takes that of the materials at limits that have none, and says so.
#[test]
fn a_law_without_restitution_zero_runs_a_robot_with_limits() {
    let mut arm = scene("arm-on-table.toml");
    arm.law = carom::laws::find("compliant-network").unwrap();
    arm.settings.duration = 0.45;
    assert!(run(&arm).failure.is_none());
    let note =
        "limits of joints have restitution 0.3, the least of the materials: law compliant-network does not take 0";
    assert!(remarks(&arm).iter().any(|remark| remark == note), "{:?}", remarks(&arm));
}

/// A parallelogram linkage in line can go on in two ways.
#[test]
fn a_change_point_is_called_by_its_name() {
    let linkage = scene("parallelogram-linkage.toml");
    let failure = run(&linkage).failure.unwrap();
    let text = failure_text(&linkage, &failure);
    assert!(text.contains("singular configuration (a change point): the joints joint 1, joint 2"), "{text}");
}

/// The same linkage flat at the start: there is no start that holds its links to compare with. Those that are not flat start as they did.
#[test]
fn a_linkage_that_starts_at_its_change_point_is_refused_by_name() {
    let linkage = |angle: f64, length: f64| {
        let (x, y) = (0.3 * angle.cos(), 0.3 * angle.sin());
        let body = |name: &str, [x, y]: [f64; 2], turn: f64| {
            format!(
                "[[body]]\nname = '{name}'\nmass = 1.0\ninertia = 0.02\nposition = [{x}, {y}]\norientation = {turn}\n"
            )
        };
        let joint = |a: &str, b: &str, [x, y]: [f64; 2]| {
            format!("[[joint]]\nbetween = ['{a}', '{b}']\nkind = 'revolute'\npoint = [{x}, {y}]\n")
        };
        let text = [
            "[simulation]\nduration = 0.01\ngravity = [0.0, -9.81]\n".to_owned(),
            body("a", [0.5 * x, 0.5 * y], angle),
            body("b", [x + 0.5 * length, y], 0.0),
            body("c", [length + 0.5 * x, 0.5 * y], angle),
            joint("a", "ground", [0.0, 0.0]),
            joint("a", "b", [x, y]),
            joint("b", "c", [x + length, y]),
            joint("c", "ground", [length, 0.0]),
        ];
        parse(&text.concat())
    };
    for flat in [0.0, std::f64::consts::PI] {
        let flat = linkage(flat, 0.8);
        let text = failure_text(&flat, &run(&flat).failure.unwrap());
        assert!(text.contains("at 0 s the linkage is in a singular configuration (a change point)"), "{text}");
    }
    assert_eq!(run(&linkage(1.0, 0.8)).failure, None);
    assert_eq!(run(&linkage(0.1, 0.5)).failure, None);
}

/// Scales that numbers cannot resolve are refused at once.
#[test]
fn scales_without_resolution_are_refused() {
    let start = |gravity: f64, place: f64| {
        let text = format!(
            "[simulation]\nduration = 1.0\ngravity = [0.0, {gravity:e}]\n[[material]]\nname = 'm'\nfriction = 0.1\nrestitution = 0.5\n\
             [[body]]\nname = 'ball'\nmass = 1.0\nshape = {{ disk = {{ radius = 0.1 }} }}\nposition = [{place:e}, 1.0]\n"
        );
        let scenario = SimulationScenario::parse("ball.toml", &text).unwrap();
        Runner::new(&scenario, None).err().map(|error| error.to_string())
    };
    assert_eq!(start(-9.81, 0.0), None);
    assert_eq!(start(-1e6, 1e6), None);
    let words = start(-1e20, 0.0).unwrap();
    assert!(words.contains("gravity") && words.contains("expected"), "{words}");
    let words = start(-9.81, 1e15).unwrap();
    assert!(words.contains("`ball` has a part of") && words.contains("expected"), "{words}");
}

fn parse(text: &str) -> SimulationScenario {
    SimulationScenario::parse("scene.toml", text).unwrap()
}

/// The end of the last step is no start of another: a bar that went into the floor in it was not seen there.
#[test]
fn a_run_that_ends_in_overlap_is_not_finished() {
    let bar = parse(
        "
        [simulation]
        duration = 0.005
        engine = 'stepping'
        step = 0.005
        interval = 0.001
        gravity = [0.0, -9.81]
        [[material]]
        name = 'steel'
        restitution = 0.3
        friction = 0.3
        [[wall]]
        name = 'floor'
        point = [0.0, 0.0]
        normal = [0.0, 1.0]
        [[body]]
        name = 'bar'
        mass = 1.0
        shape = { box = { size = [1.0, 0.05] } }
        position = [0.0, 0.1]
        angular_velocity = 600.0
        ",
    );
    let run = run(&bar);
    assert_eq!(run.status(&bar), Status::Overlapping);
    let text = simulation_text(&bar, &run);
    assert!(text.contains("`bar` is 0.0932 m deep inside `floor` at 0.005 s"), "{text}");
    assert!((summary(&bar, &run, &identity())["overlap"].as_f64().unwrap() - 0.0932).abs() < 1e-4);
}

/// Steps lowered restitution in silence, and more than needed.
#[test]
fn steps_report_restitution_that_they_lower() {
    let mut rod = scene("rod-on-its-tip.toml");
    let event = run(&rod);
    rod.settings.engine = Engine::Stepping;
    rod.settings.step = Some(1e-4);
    let stepped = run(&rod);
    assert_eq!((stepped.status(&rod), stepped.lowered()), (Status::Finished, 1));
    let [a, b] = [&event, &stepped].map(|run| run.events[0].contacts[0].velocity_after.x);
    assert!((a - b).abs() < 1e-2 * a, "{a} {b}");
    let text = simulation_text(&rod, &stepped);
    assert!(text.contains("finished; restitution lowered in 1 impact"), "{text}");
    assert_eq!(summary(&rod, &stepped, &identity())["restitution_lowered"], 1);
    let table = events_table(&rod, &stepped);
    assert!(table.columns.iter().any(|column| column.name == "restitution_factor"));
    assert_eq!(read_record(&event_line(&stepped.events[0])).unwrap().events[0], stepped.events[0]);
}

/// An impact without restitution takes two steps, of which the first closes the gap. The approach that remains after the first step does
/// not penetrate, and neither does the residual of the solver.
#[test]
fn steps_that_close_a_gap_do_not_penetrate() {
    let ball = parse(
        "
        [simulation]
        duration = 0.5
        engine = 'stepping'
        step = 0.005
        gravity = [0.0, -9.81]
        [[material]]
        name = 'clay'
        restitution = 0.0
        friction = 0.3
        [[wall]]
        name = 'floor'
        point = [0.0, 0.0]
        normal = [0.0, 1.0]
        [[body]]
        name = 'ball'
        mass = 1.0
        shape = { ball = { radius = 0.1 } }
        position = [0.0, 0.3]
        ",
    );
    let mut stepped = run(&ball);
    assert!(stepped.events.len() == 2 && stepped.events[0].contacts[0].velocity_after.x < -0.01);
    for event in &stepped.events {
        assert!(event_text(&ball, event, 1).contains("Status        ok"), "{event:?}");
        assert_eq!(&read_record(&event_line(event)).unwrap().events[0], event);
    }
    let contact = &mut stepped.events[0].contacts[0];
    contact.closing_speed *= 0.9;
    assert!(event_text(&ball, &stepped.events[0], 1).contains("penetrates"));
}

/// A rod at rest but for its spin of 3.6 rad/s ends an accumulation of 10⁻⁸ m/s: −5.6·10⁻¹⁷ m/s is rounding of that spin at the rod's length.
#[test]
fn rounding_of_a_spin_does_not_penetrate() {
    let rod = parse(
        "
        [simulation]
        duration = 0.2
        gravity = [0.0, 0.0, -9.81]
        [[material]]
        name = 'steel'
        restitution = 0.3
        friction = 1.0
        [[wall]]
        name = 'floor'
        point = [0.0, 0.0, 0.0]
        normal = [0.0, 0.0, 1.0]
        [[body]]
        name = 'rod'
        mass = 1.0
        shape = { rod = { length = 0.46 } }
        position = [0.0, 0.0, 0.1]
        inertia = [3e-5, 3e-3, 3e-3]
        ",
    );
    let mut event = run(&rod).events[0].clone();
    for (_, [before, _]) in &mut event.bodies {
        before.velocity = nalgebra::Vector3::z() * -1e-8;
        before.angular_velocity = nalgebra::Vector3::x() * 3.6;
    }
    for contact in &mut event.contacts {
        (contact.velocity_before.x, contact.velocity_after.x) = (-1.9e-8, -5.6e-17);
    }
    assert!(!event_text(&rod, &event, 1).contains("penetrates"));
    for contact in &mut event.contacts {
        contact.velocity_after.x = -5.6e-9;
    }
    assert!(event_text(&rod, &event, 1).contains("penetrates"));
}

/// Where several contacts share a body, the solver's tolerance leaves a little approach at contacts without restitution, and a little
/// energy. Neither is an impossible event. Nor are the impulses of a plate between two walls without bound: friction makes them hold each
/// other.
#[test]
fn steps_are_judged_by_the_tolerance_of_their_solver() {
    let files = [
        include_str!("stepping-scenes/face-on-wall.toml"),
        include_str!("stepping-scenes/solver-tolerance.toml"),
        include_str!("stepping-scenes/plate-in-corner.toml"),
    ];
    for (file, lowered) in files.into_iter().zip([0, 0, 1]) {
        let scene = parse(file);
        let done = run(&scene);
        assert_eq!((done.status(&scene), done.lowered()), (Status::Finished, lowered), "{}", scene.title);
        assert!(!done.events.is_empty(), "{}: nothing happens", scene.title);
        for event in &done.events {
            let text = event_text(&scene, event, 1);
            let word = if event.restitution_factor.is_some() { "restitution-lowered" } else { "ok" };
            assert!(text.contains(&format!("Status        {word}")), "{text}");
            for contact in &event.contacts {
                assert!(contact.impulse.norm() < 100.0, "{contact:?}");
            }
        }
        let ledger = done.frames.last().unwrap().ledger;
        assert!(ledger.friction >= 0.0 && ledger.impacts >= 0.0, "{ledger:?}");
    }
}

#[test]
fn summaries_of_steps_give_whether_a_law_was_named() {
    let mut scene = parse(include_str!("stepping-scenes/solver-tolerance.toml"));
    let done = run(&scene);
    assert_eq!(summary(&scene, &done, &identity())["law_is_default"], true);
    scene.lowers_restitution = false;
    assert_eq!(summary(&scene, &done, &identity())["law_is_default"], false);
}

/// Bars thinner than a step's motion, with friction above 1: contacts that hold each other by friction have two solutions each. Sweeps
/// once took the other than all contacts together have, and two contacts went on approaching at 2.2 m/s.
#[test]
fn contacts_that_can_jam_keep_the_solution_of_all_together() {
    let scene = parse(include_str!("stepping-scenes/approach-left.toml"));
    let done = run(&scene);
    assert!(done.events.iter().all(|event| !event_text(&scene, event, 1).contains("penetrates")));
    // The direct solution needs no lower restitution.
    assert!(done.events.iter().all(|event| event.restitution_factor.is_none()));
}
