//! Sweeps: rows agree with single collisions, whatever computes them, and shards do not depend on who computes them.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests")]

use carom_study::prediction::predict;
use carom_study::scenario::{Changeable, Scenario, Setting};
use carom_study::sweep::{Part, Plan, Status, Sweep, merge};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("carom-sweep-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The rows of all shards of a folder.
fn rows(folder: &Path) -> Vec<HashMap<String, Field>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut rows = Vec::new();
    for file in files {
        let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
        for row in reader.get_row_iter(None).unwrap() {
            rows.push(row.unwrap().into_columns().into_iter().collect());
        }
    }
    rows
}

fn number(row: &HashMap<String, Field>, column: &str) -> f64 {
    match &row[column] {
        Field::Double(value) => *value,
        other => panic!("{column}: {other}"),
    }
}

fn word<'r>(row: &'r HashMap<String, Field>, column: &str) -> &'r str {
    match &row[column] {
        Field::Str(word) => word,
        other => panic!("{column}: {other}"),
    }
}

fn run(plan: &Plan, folder: &Path) {
    Sweep::new(plan).unwrap().run(folder, Part::WHOLE, 0, &mut |_| true).unwrap();
}

const ROD: &str = r#"
[[body]]
name = "rod"
mass = 1.0
shape = { rod = { length = 1.0 } }
position = [0.35355339059327373, 0.35355339059327373]
velocity = [0.6, -1.0]
[[contact]]
between = ["rod", "ground"]
point = [0.0, 0.0]
normal = [0.0, 1.0]
friction = 0.8
restitution = 0.9
"#;

fn plan(rest: &str) -> Plan {
    let text = format!("scenario = \"\"\"{ROD}\"\"\"\n{rest}");
    Plan::parse("plan.toml", &text, None).unwrap_or_else(|error| panic!("{error}"))
}

const RODS: &str = r#"
outputs = ["impulse", "velocity_after", "energy.change", "mode", "restitution.newton", "audit", "W"]
rows_per_shard = 200
samples = 6
seed = 4
[axes]
"law.id" = ["routh-poisson", "chatterjee-2", "smith", "brach"]
"contact.friction" = { linspace = [0, 1, 5] }
"contact.restitution" = [0.0, 0.5, 1.0]
"body.rod.velocity" = { polar = { speed = 2, angle = { linspace = [-170, -10, 5] } } }
"body.rod.angular_velocity" = { normal = [0.0, 1.0] }
[law.brach]
impulse_ratio = 0.2
"#;

/// Every row is the answer of the scenario with the values of that row, set one by one as `--set` does.
#[test]
fn rows_are_single_collisions() {
    let folder = Folder::new("rows");
    run(&plan(RODS), &folder.0);
    let rows = rows(&folder.0);
    assert_eq!(rows.len(), 4 * 5 * 3 * 5 * 6);
    let mut resolved = 0;
    for row in rows.iter().step_by(7) {
        let (sin, cos) = number(row, "body.rod.velocity.angle").to_radians().sin_cos();
        let mut file = Changeable::parse("rod.toml", ROD).unwrap();
        for setting in [
            format!("law.id={}", word(row, "law.id")),
            format!("contact[0].friction={:?}", number(row, "contact.friction")),
            format!("contact.restitution={:?}", number(row, "contact.restitution")),
            format!("body.rod.velocity=[{:?}, {:?}]", 2.0 * cos, 2.0 * sin),
            format!("body.rod.angular_velocity={:?}", number(row, "body.rod.angular_velocity")),
            "law.impulse_ratio=0.2".to_owned(),
        ] {
            file.set(&Setting::parse(&setting).unwrap()).unwrap();
        }
        let scenario = Scenario::parse("rod.toml", &file.text()).unwrap();
        match predict(&scenario, scenario.law.unwrap()) {
            Ok(answer) => {
                let contact = &answer.outcome.contacts[0];
                let status = word(row, "status");
                assert_eq!(status == "separating", contact.mode.name() == "separating", "{row:?}");
                if status == "resolved" {
                    resolved += 1;
                    assert_eq!(contact.mode.name(), word(row, "mode"), "{row:?}");
                }
                for k in 0..3 {
                    let impulse = number(row, &format!("impulse[{k}]"));
                    assert!((contact.impulse[k] - impulse).abs() < 1e-12, "{row:?}");
                    let after = number(row, &format!("velocity_after[{k}]"));
                    assert!((contact.velocity_after[k] - after).abs() < 1e-12, "{row:?}");
                }
                assert!((answer.energy.change - number(row, "energy.change")).abs() < 1e-12, "{row:?}");
                assert_eq!(answer.audit.is_ok(), word(row, "audit") == "ok", "{row:?}");
                assert_eq!(number(row, "W[0][0]"), scenario.collision().unwrap().inverse_mass()[(0, 0)]);
            }
            Err(refusal) => {
                assert!(matches!(word(row, "status"), "refused" | "singular" | "invalid"), "{refusal}: {row:?}");
                assert_eq!(row["impulse[0]"], Field::Null);
            }
        }
    }
    assert!(resolved > 100);
}

/// Columns refuse what the reader of scenarios refuses, and a plan of which no row has an answer runs as well.
#[test]
fn columns_and_the_reader_have_the_same_limits() {
    let axes = r#"
        "law.id" = ["routh-poisson", "newton"]
        "body.rod.velocity[0]" = [1e31, 0.5, -1e30, 1e-31, 3e38]
        "body.rod.velocity[1]" = [-1.0, -1e31]
        "contact.friction" = [0.3, -0.1, inf, 2e30]
        "contact.restitution" = [1.5, 0.5]
    "#;
    let (at_once, one_by_one) = (Folder::new("limits-columns"), Folder::new("limits-rows"));
    run(&plan(&format!("outputs = [\"energy.change\", \"W\", \"velocity_before\"]\n[axes]\n{axes}")), &at_once.0);
    run(&plan(&format!("outputs = [\"energy.change\", \"bodies.rod.velocity\"]\n[axes]\n{axes}")), &one_by_one.0);
    let (columns, alone) = (rows(&at_once.0), rows(&one_by_one.0));
    assert_eq!(columns.len(), 160);
    for (column, row) in columns.iter().zip(&alone) {
        // An approach of 1e-30 of the speed is none to one and little to the other.
        let status = |row| word(row, "status").replace("separating", "resolved");
        assert_eq!(status(column), status(row), "{column:?}\n{row:?}");
        for output in ["energy.change", "W[0][0]", "velocity_before[1]"] {
            assert_eq!(column[output] == Field::Null, row["energy.change"] == Field::Null, "{output} {column:?}");
        }
    }
    let statuses: Vec<&str> = columns.iter().map(|row| word(row, "status")).collect();
    assert!(statuses.contains(&"resolved") && statuses.contains(&"invalid"));
    for outputs in ["\"energy.change\"", "\"energy.change\", \"bodies.rod.velocity\""] {
        let folder = Folder::new("none");
        let plan = plan(&format!(
            "outputs = [{outputs}]\n[axes]\n\"law.id\" = [\"newton\"]\n\"contact.friction\" = [-1.0, -2.0]\n"
        ));
        run(&plan, &folder.0);
        assert!(rows(&folder.0).iter().all(|row| word(row, "status") == "invalid"));
    }
}

/// The same plan row by row: an output that only the scenario knows makes it so.
#[test]
fn columns_at_once_and_rows_one_by_one_agree() {
    let (fast, slow) = (Folder::new("fast"), Folder::new("slow"));
    run(&plan(RODS), &fast.0);
    run(&plan(&RODS.replace("\"W\"]", "\"W\", \"bodies.rod.velocity\"]")), &slow.0);
    let (fast, slow) = (rows(&fast.0), rows(&slow.0));
    assert_eq!(fast.len(), slow.len());
    for (fast, slow) in fast.iter().zip(&slow) {
        for (name, value) in fast {
            match (value, &slow[name]) {
                (Field::Double(a), Field::Double(b)) => {
                    assert!((a - b).abs() <= 1e-12 * (1.0 + a.abs()), "{name}: {fast:?}\n{slow:?}");
                }
                (a, b) => assert_eq!(a, b, "{name}: {fast:?}\n{slow:?}"),
            }
        }
    }
}

/// W and V that are given in the contact frame, entry by entry.
#[test]
fn entries_of_w_and_v_change() {
    let text = r#"
        scenario = """
        [collision]
        inverse_mass = [[2.0, 0.5, 0.0], [0.5, 3.0, 0.1], [0.0, 0.1, 2.5]]
        velocity = [-1.0, 0.3, 0.2]
        friction = 0.3
        restitution = 0.5
        [law]
        id = "chatterjee-1"
        """
        outputs = { P = "impulse", W = "W", before = "velocity_before" }
        zip = [["collision.velocity[0]", "collision.velocity[2]"]]
        [axes]
        "collision.inverse_mass[0][1]" = [0.5, -0.5]
        "collision.velocity[0]" = { linspace = [-2, -1, 3] }
        "collision.velocity[2]" = { linspace = [1, 2, 3] }
    "#;
    let folder = Folder::new("entries");
    run(&Plan::parse("plan.toml", text, None).unwrap(), &folder.0);
    let rows = rows(&folder.0);
    assert_eq!(rows.len(), 6);
    for row in &rows {
        let offset = number(row, "collision.inverse_mass[0][1]");
        assert_eq!((number(row, "W[0][1]"), number(row, "W[1][0]"), number(row, "W[1][1]")), (offset, offset, 3.0));
        assert_eq!(number(row, "before[0]"), number(row, "collision.velocity[0]"));
        assert_eq!(number(row, "before[2]"), number(row, "collision.velocity[0]") + 3.0);
        let w = nalgebra::Matrix3::new(2.0, offset, 0.0, offset, 3.0, 0.1, 0.0, 0.1, 2.5);
        let v = nalgebra::Vector3::from_fn(|k, _| number(row, &format!("before[{k}]")));
        let collision = carom::Collision::new(&w, &v).unwrap();
        let law = carom::laws::find("chatterjee-1").unwrap();
        let values = [("restitution", 0.5), ("friction", 0.3)];
        let impulse = law.bind(&values).unwrap().resolve_collision(&collision).unwrap().impulse;
        for k in 0..3 {
            assert!((impulse[k] - number(row, &format!("P[{k}]"))).abs() < 1e-12);
        }
    }
}

/// Parts, threads and interruptions change no byte of a shard, and merged shards are the rows of all.
#[test]
fn shards_do_not_depend_on_who_computes_them() {
    let plan = plan(RODS);
    let sweep = Sweep::new(&plan).unwrap();
    let (whole, parts) = (Folder::new("whole"), Folder::new("parts"));
    sweep.run(&whole.0, Part::WHOLE, 2, &mut |_| true).unwrap();
    for number in [3, 1, 4, 2] {
        sweep.run(&parts.0, Part { number, of: 4 }, 1, &mut |_| true).unwrap();
    }
    let files = |folder: &Folder| -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = std::fs::read_dir(&folder.0)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).unwrap()))
            .collect();
        files.sort();
        files
    };
    let expected = files(&whole);
    assert_eq!(expected.len(), 9);
    assert!(expected == files(&parts));
    // A run that is stopped leaves whole shards, and what it lacks is computed by the next.
    let stopped = Folder::new("stopped");
    let mut looks = 0;
    sweep
        .run(&stopped.0, Part::WHOLE, 1, &mut |_| {
            looks += 1;
            false
        })
        .unwrap();
    assert!(looks > 0 && files(&stopped).iter().all(|file| expected.contains(file)));
    // A damaged shard is found, and computed again; what a killed run left is removed.
    sweep.run(&stopped.0, Part::WHOLE, 2, &mut |_| true).unwrap();
    let shard = stopped.0.join(&expected[2].0);
    let mut bytes = std::fs::read(&shard).unwrap();
    bytes[1000] ^= 1;
    std::fs::write(&shard, &bytes).unwrap();
    std::fs::write(stopped.0.join(&expected[4].0), &expected[4].1[..500]).unwrap();
    std::fs::write(stopped.0.join(".shard-0001-of-0009.parquet.1.part"), "half").unwrap();
    let status = Status::of(&stopped.0, true).unwrap();
    assert_eq!((status.damaged.len(), status.unfinished, status.shards), (2, 1, 7));
    assert!(merge(&stopped.0, std::io::sink(), Path::new("all.parquet")).is_err());
    let done = sweep.run(&stopped.0, Part::WHOLE, 2, &mut |_| true).unwrap();
    assert_eq!((done.shards, done.kept), (2, 7));
    assert!(expected == files(&stopped));
    let merged = Folder::new("merged");
    let file = File::create(merged.0.join("all.parquet")).unwrap();
    merge(&whole.0, file, Path::new("all.parquet")).unwrap();
    assert!(rows(&merged.0) == rows(&whole.0));
    // A folder of another plan is refused.
    let other = plan_with_another_seed();
    assert!(Sweep::new(&other).unwrap().run(&whole.0, Part::WHOLE, 1, &mut |_| true).is_err());
}

/// Whatever bit of a shard flips, the shard is found and computed again.
#[test]
fn every_flipped_bit_is_repaired() {
    let plan = plan(&RODS.replace("linspace = [0, 1, 5]", "linspace = [0, 1, 2]"));
    let sweep = Sweep::new(&plan).unwrap();
    let folder = Folder::new("flipped");
    sweep.run(&folder.0, Part::WHOLE, 1, &mut |_| true).unwrap();
    let mut names: Vec<PathBuf> = std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let shard = &names[1];
    let whole = std::fs::read(shard).unwrap();
    // All bytes of the seal and of the end, and some of the rest.
    let places = (0..24).chain((24..whole.len()).step_by(97)).chain(whole.len() - 300..whole.len());
    for place in places {
        let mut bytes = whole.clone();
        bytes[place] ^= 1 << (place % 8);
        std::fs::write(shard, &bytes).unwrap();
        let status = Status::of(&folder.0, true).unwrap();
        assert_eq!(status.damaged.len(), 1, "byte {place} of {}", whole.len());
    }
    let done = sweep.run(&folder.0, Part::WHOLE, 1, &mut |_| true).unwrap();
    assert_eq!((done.shards, done.kept as usize), (1, names.len() - 1));
    assert!(std::fs::read(shard).unwrap() == whole);
}

/// Of two plans that start at once in an empty folder one is refused.
#[test]
fn plans_that_start_at_once_do_not_mix() {
    let plans = [plan(RODS), plan_with_another_seed()];
    for _ in 0..10 {
        let folder = Folder::new("race");
        let done: Vec<bool> = std::thread::scope(|scope| {
            let folder = &folder.0;
            let run = move |plan| Sweep::new(plan).unwrap().run(folder, Part::WHOLE, 1, &mut |_| true);
            let start = |plan| scope.spawn(move || run(plan));
            let running: Vec<_> = plans.iter().map(start).collect();
            running.into_iter().map(|thread| thread.join().unwrap().is_ok()).collect()
        });
        assert_eq!(done.iter().filter(|done| **done).count(), 1);
        let status = Status::of(&folder.0, true).unwrap();
        assert_eq!(status.done, status.rows);
    }
}

fn plan_with_another_seed() -> Plan {
    plan(&RODS.replace("seed = 4", "seed = 5"))
}

/// Simulations by fields of their summary and their events; a ball that bounces has a closed form.
#[test]
fn simulations_are_rows_as_well() {
    let text = r#"
        scenario = """
        [simulation]
        duration = 1.0
        gravity = [0.0, -10.0]
        [[body]]
        name = "ball"
        mass = 2.0
        shape = { disk = { radius = 0.1 } }
        position = [0.0, 1.0]
        [[wall]]
        point = [0.0, 0.0]
        normal = [0.0, 1.0]
        [[material]]
        name = "rubber"
        restitution = 0.8
        friction = 0.5
        """
        command = "simulate"
        outputs = { e = "energy.kinetic", lost = "energy.impacts", t = "event_contacts[0].time", hits = "events.impact", end = "end.ball.position" }
        [variables]
        height = { linspace = [0.3, 2.0, 8] }
        [axes]
        "body.ball.position[1]" = { expression = "height" }
        "material.rubber.restitution" = { logspace = [0.1, 1.0, 3] }
    "#;
    let folder = Folder::new("simulate");
    run(&Plan::parse("plan.toml", text, None).unwrap(), &folder.0);
    let rows = rows(&folder.0);
    assert_eq!(rows.len(), 24);
    for row in &rows {
        let (height, e) = (number(row, "height"), number(row, "material.rubber.restitution"));
        let first = (2.0 * (height - 0.1) / 10.0_f64).sqrt();
        assert!((number(row, "t") - first).abs() < 1e-9, "{row:?}");
        let (mut hits, mut time, mut speed) = (0.0, first, 10.0 * first);
        while time <= 1.0 && speed > 1e-6 {
            hits += 1.0;
            speed *= e;
            time += 2.0 * speed / 10.0;
        }
        if word(row, "status") == "finished" {
            assert_eq!(number(row, "hits"), hits, "{row:?}");
        }
        let start = 2.0 * 10.0 * height;
        let end = number(row, "e") + 2.0 * 10.0 * number(row, "end[1]") + number(row, "lost");
        assert!((end - start).abs() < 1e-9 * start, "{row:?}");
    }
}

/// Rows that no problem can have do not stop the others, and the summary says why they have no answer.
#[test]
fn rows_without_an_answer_have_a_status_and_a_reason() {
    let folder = Folder::new("invalid");
    let plan = plan(
        "outputs = [\"impulse\"]\n[axes]\n\"law.id\" = [\"newton\", \"lai\"]\n\"contact.restitution\" = { linspace = [0.5, 1.5, 3] }\n[law.lai]\nyoungs_modulus = 1e9\nradius = 0.1\n",
    );
    let sweep = Sweep::new(&plan).unwrap();
    let done = sweep.run(&folder.0, Part::WHOLE, 1, &mut |_| true).unwrap();
    let rows = rows(&folder.0);
    assert_eq!(word(&rows[0], "status"), "resolved");
    assert_eq!((word(&rows[2], "status"), &rows[2]["impulse[0]"]), ("invalid", &Field::Null));
    let invalid = done.tally.statuses.iter().find(|count| count.status == "invalid").unwrap();
    let (row, reason) = invalid.reason.as_ref().unwrap();
    assert!(*row == 2 && reason.contains("restitution"), "{reason}");
}

/// Parameters of one law stay with it, whichever law comes first.
#[test]
fn parameters_of_a_law_hold_for_it_alone() {
    for laws in ["\"smith\", \"newton\"", "\"newton\", \"smith\""] {
        let folder = Folder::new("law");
        run(
            &plan(&format!(
                "outputs = [\"restitution.newton\"]\n[axes]\n\"law.id\" = [{laws}]\n[law.smith]\nrestitution = 0.2\n"
            )),
            &folder.0,
        );
        for row in rows(&folder.0) {
            let expected = if word(&row, "law.id") == "smith" { 0.2 } else { 0.9 };
            assert!((number(&row, "restitution.newton") - expected).abs() < 1e-12, "{row:?}");
        }
    }
}

/// Columns hold numbers if any row has a number there, and every leaf that a row has.
#[test]
fn columns_are_those_of_all_rows() {
    let folder = Folder::new("columns");
    let text = "outputs = [\"restitution\", \"parameters.friction\", \"phases\"]\n[axes]\n\"law.id\" = [\"whittaker\", \"routh-poisson\"]\n\"contact.friction\" = [inf, 0.0, 0.8]\n";
    run(&plan(text), &folder.0);
    let rows = rows(&folder.0);
    assert!(rows.iter().any(|row| row["restitution.poisson"] == Field::Null));
    assert!(rows.iter().any(|row| matches!(row["restitution.poisson"], Field::Double(_))));
    assert!(rows.iter().any(|row| row["parameters.friction"] == Field::Double(f64::INFINITY)));
    assert!(rows.iter().any(|row| matches!(row["phases[1].from"], Field::Double(_))));
}

/// What is wrong with a plan, and the message and place.
#[test]
fn faults_of_plans_have_their_place() {
    let scenario = format!("scenario = \"\"\"{ROD}\"\"\"\n");
    let cases = [
        ("outputs = [\"mode\"]\n[axes]\n\"contact.fricton\" = [1]", "did you mean `friction`?"),
        (
            "outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = [1]\n\"contact[0].friction\" = [2]",
            "expected one axis for it",
        ),
        ("outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = [nan]", "expected a number"),
        ("outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = []", "expected at least one value"),
        (
            "outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = { linspace = [0, 1, 0] }",
            "expected a whole number from 1",
        ),
        ("outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = { linspce = [0, 1, 2] }", "did you mean `linspace`?"),
        ("outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = { uniform = [1, 0] }", "then a greater one"),
        ("outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = { uniform = [0, 1] }", "expected `samples = 1000`"),
        ("outputs = [\"mode\"]\nsamples = 3\n[axes]\n\"contact.friction\" = [1]", "expected `uniform`"),
        ("outputs = [\"mode\"]\n[axes]\n\"law.id\" = [\"smyth\"]", "did you mean `smith`?"),
        ("outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = [\"much\"]", "expected numbers"),
        (
            "outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = { expression = \"2*x\" }",
            "expected a formula of the variables",
        ),
        ("outputs = [\"mode\"]\nzip = [[\"a\", \"b\"]]\n[variables]\na = [1, 2]\nb = [1]", "expected 2, as many as"),
        ("outputs = [\"mode\"]\n[variables]\ne = [1]", "is a constant in formulas"),
        ("outputs = [\"mode\"]\n[variables]\nstatus = [1]", "expected another name"),
        (
            "outputs = [\"mode\"]\n[variables]\nw = [\"a\"]\n[axes]\n\"contact.friction\" = { expression = \"2*w\" }",
            "no variable `w`",
        ),
        (
            "outputs = [\"mode\"]\n[variables]\nx = [1]\n[axes]\n\"contact.friction\" = { expression = \"-x^2\" }",
            "expected parentheses",
        ),
        ("outputs = []\n[axes]\n\"contact.friction\" = [1]", "expected at least one path"),
        ("outputs = [\"mode\"]\nsede = 3", "did you mean `seed`?"),
        ("outputs = [\"mode\", \"mode\"]", "expected a name of its own"),
        ("outputs = [\"mode\"]\n[law.smith]\nrestitutin = 0.5", "did you mean `restitution`?"),
        ("outputs = [\"mode\"]\n[law.smith]\nrestitution = 1.5", "expected 0 to 1"),
        (
            "outputs = [\"mode\"]\n[axes]\n\"contact.friction\" = { linspace = [0, 1, 1e15] }\n\"contact.restitution\" = { linspace = [0, 1, 1e15] }",
            "expected fewer values",
        ),
    ];
    for (text, expected) in cases {
        let error = Plan::parse("plan.toml", &format!("{scenario}{text}"), None).unwrap_err();
        let shown = error.render(false);
        assert!(shown.split_whitespace().collect::<Vec<_>>().join(" ").contains(expected), "{text}\n{shown}");
        assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    }
    // Outputs are checked against results.
    let plan = plan("outputs = [\"energy.chnge\"]\n[axes]\n\"law.id\" = [\"newton\"]");
    let error = Sweep::new(&plan).unwrap_err();
    assert_eq!(error.label(), "did you mean `energy.change`?");
    let plan = self::plan("outputs = [\"mode\"]");
    assert!(Sweep::new(&plan).unwrap_err().message().contains("names no law"));
}
