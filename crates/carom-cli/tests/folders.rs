//! The folder of a run: checkpoints without damage, one run at a time, no files left behind; and runs that fail.
#![allow(missing_docs, clippy::unwrap_used)]

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

fn carom(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(words).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Exit code and both outputs as one line: messages are wrapped.
fn exit_and_message(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = carom(folder, words).output().unwrap();
    let text = String::from_utf8([stdout, stderr].concat()).unwrap();
    (status.code(), text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Disks that fall into a box, in steps.
fn pile(count: usize, more: &str) -> String {
    let mut text = format!(
        "[simulation]\nduration = 0.6\ninterval = 0.02\ngravity = [0.0, -9.81]\nengine = 'stepping'\n{more}
        [[material]]\nname = 'm'\nrestitution = 0.5\nfriction = 0.4
        [[wall]]\nname = 'floor'\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]
        [[wall]]\npoint = [0.0, 0.0]\nnormal = [1.0, 0.0]
        [[wall]]\npoint = [1.0, 0.0]\nnormal = [-1.0, 0.0]\n"
    );
    for k in 0..count {
        let (x, y) = (0.1 + 0.2 * (k % 4) as f64 + 0.03 * (k / 4 % 3) as f64, 0.1 + 0.2 * (k / 4) as f64);
        let _ = write!(
            text,
            "[[body]]\nname = 'b{k}'\nmass = 1.0\nshape = {{ disk = {{ radius = 0.07 }} }}\nposition = [{x}, {y}]\n"
        );
    }
    text
}

fn names(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A run with checkpoints that is killed after the first.
fn killed(folder: &Path, out: &str, every: &str) {
    let words = ["simulate", "pile.toml", "-o", out, "--checkpoint-every", every];
    let mut child: Child = carom(folder, &words).spawn().unwrap();
    while !folder.join(out).join("checkpoint.json").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.join(out).join("summary.json").exists(), "it ended before it was killed");
}

const RESULTS: [&str; 6] =
    ["trajectory.csv", "events.csv", "trajectory.parquet", "events.parquet", "record.jsonl", "summary.json"];

/// The list of near pairs was made again at every checkpoint, and the motion of a pile went another way.
#[test]
fn checkpoints_of_steps_change_no_byte_wherever_they_are() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("pile.toml"), pile(24, "")).unwrap();
    assert_eq!(exit_and_message(folder, &["simulate", "pile.toml", "-o", "plain"]).0, Some(0));
    let same = |out: &str| {
        for file in RESULTS {
            let [one, other] = ["plain", out].map(|run| std::fs::read(folder.join(run).join(file)).unwrap());
            assert!(one == other, "{out} {file}");
        }
    };
    // Pictures take nearly all the time of a run, so each way is taken with one or two intervals. The tests of the engine
    // try many intervals without pictures.
    let words = ["simulate", "pile.toml", "-o", "every", "--checkpoint-every", "0.003"];
    assert_eq!(exit_and_message(folder, &words).0, Some(0));
    same("every");
    for every in ["0.003", "0.1"] {
        let out = format!("killed-{every}");
        killed(folder, &out, every);
        assert_eq!(exit_and_message(folder, &["simulate", "pile.toml", "-o", &out, "--resume"]).0, Some(0));
        same(&out);
    }
}

/// One flipped bit gave another trajectory, and exit code 0.
#[test]
fn an_altered_checkpoint_or_record_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("pile.toml"), pile(60, "step = 1e-4")).unwrap();
    killed(folder, "out", "0.05");
    let resume = || exit_and_message(folder, &["simulate", "pile.toml", "-o", "out", "--resume"]);
    let checkpoint = std::fs::read_to_string(folder.join("out/checkpoint.json")).unwrap();
    let checkpoint: Value = serde_json::from_str(&checkpoint).unwrap();
    let counted = usize::try_from(checkpoint["record"]["bytes"].as_u64().unwrap()).unwrap();
    for file in ["checkpoint.json", "record.part.jsonl"] {
        let path = folder.join("out").join(file);
        let whole = std::fs::read(&path).unwrap();
        // Lines that the killed run wrote after its checkpoint are dropped unread.
        let counted = if file == "record.part.jsonl" { counted } else { whole.len() };
        let digits: Vec<usize> = (0..counted).filter(|k| whole[*k].is_ascii_digit()).collect();
        for k in 0..12 {
            // One bit of a digit makes another digit, or at least no number.
            let mut altered = whole.clone();
            altered[digits[k * digits.len() / 12]] ^= 1;
            std::fs::write(&path, &altered).unwrap();
            let (code, said) = resume();
            assert!(code == Some(2) && said.contains("cannot go on from"), "{file} {k}: {said}");
            assert!(std::fs::read(&path).unwrap() == altered);
        }
        std::fs::write(&path, &whole).unwrap();
    }
    let path = folder.join("out/checkpoint.json");
    let whole = std::fs::read_to_string(&path).unwrap();
    let mut old: Value = serde_json::from_str(&whole).unwrap();
    old.as_object_mut().unwrap().remove("format");
    std::fs::write(&path, old.to_string()).unwrap();
    let (code, said) = resume();
    assert!(code == Some(2) && said.contains("another version") && said.contains("remove the file"), "{said}");
    let (code, said) = exit_and_message(folder, &["simulate", "pile.toml", "-o", "out"]);
    assert!(code == Some(2) && said.contains("has not ended"), "{said}");
}

/// Two runs into one folder both said that they had written it.
#[test]
fn a_folder_is_held_by_one_run_at_a_time_and_cleared_of_what_a_killed_one_left() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("pile.toml"), pile(60, "step = 1e-6")).unwrap();
    let mut first = carom(folder, &["simulate", "pile.toml", "-o", "out"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(first.try_wait().unwrap().is_none(), "it ended before the second began");
    let (code, said) = exit_and_message(folder, &["simulate", "pile.toml", "-o", "./out", "--duration", "0.01"]);
    let holder = format!("process {} runs a simulation into", first.id());
    assert!(code == Some(2) && said.contains(&holder), "{said}");
    std::fs::create_dir(folder.join("out")).unwrap();
    let (code, said) = exit_and_message(folder, &["simulate", "pile.toml", "-o", "out/", "--duration", "0.01"]);
    assert!(code == Some(2) && said.contains(&holder), "{said}");
    std::fs::remove_dir(folder.join("out")).unwrap();
    // A run without checkpoints that is interrupted leaves nothing, and holds nothing.
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(names(folder), ["pile.toml"]);
    // Files that a killed process left half written are removed at the next start.
    std::fs::create_dir_all(folder.join("out/files")).unwrap();
    for file in ["out/.carom-a1B2c3.part", "out/files/.carom-a1B2c3.part", "out/.mine"] {
        std::fs::write(folder.join(file), "half").unwrap();
    }
    let (code, said) = exit_and_message(folder, &["simulate", "pile.toml", "-o", "out", "--duration", "0.001"]);
    assert_eq!(code, Some(2), "{said}");
    std::fs::remove_dir_all(folder.join("out/files")).unwrap();
    let (code, said) = exit_and_message(folder, &["simulate", "pile.toml", "-o", "out", "--duration", "0.001"]);
    assert_eq!(code, Some(0), "{said}");
    let left: Vec<String> = names(&folder.join("out")).into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, [".mine"]);
}

/// In steps of 0.1 s a ball goes through another, and a run of this kind was finished.
#[test]
fn a_run_whose_bodies_overlap_is_not_finished() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let mut text = "[simulation]\nduration = 0.2\nengine = 'stepping'\nstep = 0.1
        [[material]]\nname = 'steel'\nrestitution = 1.0\nfriction = 0.0
        [[material]]\nname = 'clay'\nrestitution = 0.0\nfriction = 0.0
        [[pair]]\nbetween = ['steel', 'clay']\nrestitution = 0.0\nfriction = 0.0\n"
        .to_owned();
    for (name, x, speed, material) in [("a", 0.0, 10.0, "steel"), ("b", 1.0, -10.0, "steel"), ("c", -1.0, 30.0, "clay")]
    {
        let _ = write!(
            text,
            "[[body]]\nname = '{name}'\nmass = 1.0\nmaterial = '{material}'\nshape.disk.radius = 0.1
            position = [{x}, 0.0]\nvelocity = [{speed}, 0.0]\n"
        );
    }
    std::fs::write(folder.join("balls.toml"), text).unwrap();
    let (code, said) = exit_and_message(folder, &["simulate", "balls.toml", "-o", "out"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("Status overlapping: `c` is") && said.contains("deep inside `a` at 0 s"), "{said}");
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("out/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["status"], "overlapping");
    let worst = &summary["worst_overlap"];
    assert!(worst["depth"].as_f64() > worst["bound"].as_f64(), "{worst}");
    assert_eq!(worst["between"], serde_json::json!(["c", "a"]));
    assert_eq!(summary["settings"]["overlap_bound"], 0.2);
    let (code, said) = exit_and_message(folder, &["replay", "out"]);
    assert!(code == Some(0) && said.contains("Status overlapping: `c` is"), "{said}");
}

#[test]
fn bodies_that_start_inside_each_other_are_refused_by_both_engines() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("pile.toml"), pile(8, "").replace("0.07", "0.12")).unwrap();
    let said =
        ["event", "stepping"].map(|engine| exit_and_message(folder, &["simulate", "pile.toml", "--engine", engine]));
    assert_eq!(said[0].0, Some(2), "{}", said[0].1);
    assert!(said[0].1.contains("deep inside") && said[0].1.contains("expected that they touch at most"));
    assert_eq!(said[1].0, Some(2), "{}", said[1].1);
    assert!(said[1].1.contains("deep inside") && said[1].1.contains("expected that they touch at most"));
    // The place in the file is that of the body.
    for (_, said) in said {
        assert!(said.contains("--> pile.toml:") && said.contains("[[body]]"), "{said}");
    }
}

/// Between the ends of a step the velocities before and after an impact were mixed, and the kinetic energy of the trajectory with them.
#[test]
fn stored_states_have_the_kinetic_energy_of_the_ledger() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("pile.toml"), pile(12, "")).unwrap();
    assert_eq!(exit_and_message(folder, &["simulate", "pile.toml", "-o", "out"]).0, Some(0));
    let record = std::fs::read_to_string(folder.join("out/record.jsonl")).unwrap();
    let mut frames = 0;
    for line in record.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let Some(frame) = line.get("frame") else { continue };
        let number = |value: &Value| value.as_f64().unwrap();
        // 1 kg, and 0.5 m r² about z.
        let of = |body: &Value| {
            let (velocity, spin) = (&body["velocity"], &body["angular_velocity"]);
            let [x, y, turning] = [&velocity[0], &velocity[1], &spin[2]].map(number);
            0.5 * (x * x + y * y + 0.5 * 0.07 * 0.07 * turning * turning)
        };
        let kinetic: f64 = frame["states"].as_array().unwrap().iter().map(of).sum();
        let recorded = number(&frame["ledger"]["kinetic"]);
        assert!((kinetic - recorded).abs() <= 1e-12 * (1.0 + recorded), "{kinetic} {recorded}");
        let steps = 240.0 * number(&frame["time"]);
        assert!((steps - steps.round()).abs() < 1e-9, "{steps}");
        frames += 1;
    }
    assert_eq!(frames, 31);
}

#[test]
fn times_and_places_that_are_wrong_are_explained() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    std::fs::write(folder.join("pile.toml"), pile(1, "")).unwrap();
    for wrong in ["-1", "2s", "0", "nan"] {
        for option in ["--duration", "--checkpoint-every"] {
            let (code, said) = exit_and_message(folder, &["simulate", "pile.toml", "-o", "out", option, wrong]);
            assert!(code == Some(2) && said.contains("a number of seconds more than 0"), "{option} {wrong}: {said}");
        }
    }
    let collision = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/examples/rod-on-springs.toml");
    let (code, said) = exit_and_message(folder, &["collide", collision, "--plot", "nonexistent/x.svg"]);
    assert!(code == Some(2) && said.contains("there is no folder nonexistent"), "{said}");
}

/// A name of 200 000 characters took minutes in pictures, and one that changes the direction of writing was accepted.
#[test]
fn names_can_be_shown() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let long = "n".repeat(201);
    for (name, why) in [(long.as_str(), "has 201 characters"), ("a\u{202e}b", "U+202E")] {
        for key in ["b0", "floor"] {
            std::fs::write(folder.join("pile.toml"), pile(1, "").replace(key, name)).unwrap();
            let (code, said) = exit_and_message(folder, &["simulate", "pile.toml"]);
            assert!(code == Some(2) && said.contains(why) && said.contains("pile.toml:"), "{said}");
        }
    }
    std::fs::write(folder.join("pile.toml"), pile(1, "").replace("b0", &"n".repeat(200))).unwrap();
    assert_eq!(exit_and_message(folder, &["simulate", "pile.toml", "-o", "out"]).0, Some(0));
}

/// The law of a checkpoint belongs to its engine: the engine is compared first.
#[test]
fn a_checkpoint_of_the_other_engine_is_refused_for_its_engine() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let text = pile(2, "").replace("engine = 'stepping'", "").replace("duration = 0.6", "duration = 60.0");
    std::fs::write(folder.join("pile.toml"), text).unwrap();
    killed(folder, "out", "0.01");
    let (code, said) =
        exit_and_message(folder, &["simulate", "pile.toml", "-o", "out", "--resume", "--engine", "stepping"]);
    assert!(code == Some(2) && said.contains("it was taken with --engine event"), "{said}");
}

/// Steps use kinetic friction alone: a law that takes one coefficient resolves their events, and laws that lack a parameter are listed.
#[test]
fn events_of_steps_are_resolved_by_all_laws_with_the_friction_that_was_used() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    let text = pile(1, "").replace("friction = 0.4", "static_friction = 0.6\nkinetic_friction = 0.4");
    let text = text + "[law]\nid = 'rodriguez-bowling'\n";
    std::fs::write(folder.join("pile.toml"), text).unwrap();
    assert_eq!(exit_and_message(folder, &["simulate", "pile.toml", "-o", "out", "--duration", "0.2"]).0, Some(0));
    let (code, said) = exit_and_message(folder, &["replay", "out", "--event", "1", "--law", "all"]);
    assert!(
        code == Some(0) && said.contains(" newton-lcp sticking 1.10363 0 0.36") && said.contains("Not applicable"),
        "{said}"
    );
    assert!(!said.contains("takes one coefficient of friction"), "{said}");
}
