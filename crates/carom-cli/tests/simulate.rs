//! A simulation that is killed goes on to the same files; a folder of results holds an event that other laws resolve.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

fn carom(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Text without its line breaks: messages are wrapped.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn word(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_killed_simulation_goes_on_to_the_same_files() {
    let (whole, killed) = (scratch("whole"), scratch("killed"));
    let scenario = ["simulate", "scenarios/billiard-break.toml", "--duration", "4"];
    let every = ["--checkpoint-every", "0.05", "-o"];
    let run = |folder: &Path, more: &[&str]| carom(&[&scenario[..], more, &[word(folder)]].concat());
    assert!(run(&whole, &every).status().unwrap().success());

    let mut child = run(&killed, &every).spawn().unwrap();
    while !killed.join("checkpoint.json").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!killed.join("summary.json").exists(), "it ended before it was killed");
    // Without --resume it would discard the run.
    let before = std::fs::read(killed.join("checkpoint.json")).unwrap();
    for more in [&every[..], &["-o"]] {
        let (code, said) = exit_and_message(&[&scenario[..], more, &[word(&killed)]].concat());
        assert!(code == Some(2) && said.contains("has not ended; go on with --resume"), "{said}");
    }
    assert!(std::fs::read(killed.join("checkpoint.json")).unwrap() == before);
    assert!(run(&killed, &["--resume", "-o"]).status().unwrap().success());
    for file in ["trajectory.parquet", "events.parquet", "trajectory.csv", "events.csv", "record.jsonl", "summary.json"]
    {
        assert!(std::fs::read(whole.join(file)).unwrap() == std::fs::read(killed.join(file)).unwrap(), "{file}");
    }
    assert!(!killed.join("checkpoint.json").exists());
}

#[test]
fn a_folder_of_results_shows_its_events_and_asks_other_laws() {
    let folder = scratch("block");
    let page = folder.with_extension("html");
    let simulate = ["simulate", "scenarios/sliding-block.toml", "--animate", word(&page), "-o"];
    assert!(carom(&[&simulate[..], &[word(&folder)]].concat()).status().unwrap().success());
    let replay = |more: &[&str]| {
        let output = carom(&[&["replay", word(&folder)], more].concat()).stdout(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    assert!(replay(&[]).1.starts_with("Sliding block\n"));
    let (code, text) = replay(&["--event", "1", "--law", "all"]);
    assert_eq!(code, Some(0));
    assert!(text.contains("Resolved again") && text.contains("poisson-lcp") && text.contains("before"), "{text}");
    assert_eq!(replay(&["--event", "1", "--law", "poisson-lcp"]).0, Some(0));
    assert_eq!(replay(&["--event", "99"]).0, Some(2));
    // A law for one contact has nothing to say about four.
    assert_eq!(replay(&["--event", "1", "--law", "whittaker"]).0, Some(1));
}

/// A ball that falls on a floor, with more keys of `[simulation]`.
fn ball(more: &str) -> String {
    format!(
        "[simulation]\nduration = 1.0\ngravity = [0.0, -9.81]\n{more}
        [[body]]\nname = 'ball'\nmass = 1.0\nshape.disk.radius = 0.1\nposition = [0.0, 1.0]
        [[wall]]\nname = 'floor'\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]
        [[material]]\nname = 'rubber'\nrestitution = 0.8\nfriction = 0.5\n"
    )
}

/// Exit code and the message on stderr as one line.
fn exit_and_message(arguments: &[&str]) -> (Option<i32>, String) {
    let output = carom(arguments).stderr(Stdio::piped()).output().unwrap();
    (output.status.code(), one_line(&String::from_utf8(output.stderr).unwrap()))
}

#[test]
fn runs_too_large_are_refused_with_the_possible_size() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ball.toml");
    let out = folder.path().join("out");
    let refused = |simulation: &str, options: &[&str], named: &str, would_do: &str| {
        std::fs::write(&file, ball(simulation)).unwrap();
        let (code, said) = exit_and_message(&[&["simulate", word(&file)], options].concat());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(named) && said.contains(would_do), "{said}");
    };
    refused(
        "interval = 1e-9",
        &[],
        "`interval` 1e-9 over a duration of 1 s asks for 1e9 stored states",
        "at least 1e-7 s",
    );
    refused("interval = 1e-3", &["--duration", "1e12"], "1e15 stored states", "a duration of at most 10000 s");
    refused("", &["--duration", "1e300"], "the duration is 1e300 s", "expected 1e-30 s to 1e30 s");
    refused("", &["--duration", "5e-324"], "the duration is 4.94066e-324 s", "expected 1e-30 s to 1e30 s");
    refused("interval = 1e-15\nengine = 'stepping'", &[], "1e15 stored states", "at least 1e-7 s");
    refused("step = 1e-9\nengine = 'stepping'", &[], "`step` 1e-9", "`step` of at least 1e-8 s");
    refused("", &["--engine", "stepping", "--duration", "1e12"], "2.4e14 steps", "a duration of at most 410000 s");
    let every = ["-o", word(&out), "--checkpoint-every", "1e-15"];
    refused("", &every, "--checkpoint-every 1e-15 over a duration of 1 s asks for 1e15 checkpoints", "at least 1e-6 s");
    assert!(!out.exists());
    // What is advised is taken.
    std::fs::write(&file, ball("interval = 1e-7")).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "--duration", "1e-4"]).0, Some(0));
}

fn names(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn a_folder_holds_the_files_of_one_run_only() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("ball.toml"), folder.path().join("out"));
    std::fs::write(&file, ball("")).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "-o", word(&out)]).0, Some(0));
    assert!(out.join("gaps.png").exists());
    std::fs::write(out.join("notes.txt"), "mine").unwrap();
    // Without a floor there are no gaps to draw.
    let floor = "[[wall]]\nname = 'floor'\npoint = [0.0, 0.0]\nnormal = [0.0, 1.0]";
    std::fs::write(&file, ball("").replace(floor, "")).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "-o", word(&out)]).0, Some(0));
    assert!(!names(&out).iter().any(|name| name.starts_with("gaps")), "{:?}", names(&out));
    assert!(out.join("notes.txt").exists());
}

#[test]
fn a_folder_of_other_files_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("ball.toml"), folder.path().join("out"));
    std::fs::write(&file, ball("")).unwrap();
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("summary.json"), "{\"of\": \"something else\"}").unwrap();
    let (code, said) = exit_and_message(&["simulate", word(&file), "-o", word(&out)]);
    assert!(code == Some(2) && said.contains("holds other files and no run of carom"), "{said}");
    assert_eq!(names(&out), ["summary.json"]);
    std::fs::remove_file(out.join("summary.json")).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "-o", word(&out)]).0, Some(0));
    let (code, said) = exit_and_message(&["simulate", word(&file), "-o", word(&file)]);
    assert!(code == Some(2) && said.contains("is a file"), "{said}");
}

/// A tetrahedron.
const MESH: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

const ROBOT: &str = r#"<robot name="arm"><link name="base"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial><collision><geometry><mesh filename="part.obj"/></geometry></collision></link></robot>"#;

#[test]
fn a_folder_replays_without_the_files_that_its_scenario_names() {
    let folder = tempfile::tempdir().unwrap();
    let (scene, out) = (folder.path().join("scene"), folder.path().join("out"));
    std::fs::create_dir_all(scene.join("robot")).unwrap();
    let text = "[simulation]\nduration = 1.0\ngravity = [0.0, 0.0, -9.81]
        [[body]]\nname = 'stone'\nmass = 1.0\nposition = [0.0, 0.0, 1.0]\nshape.mesh.file = 'stone.obj'
        [[urdf]]\nfile = 'robot/arm.urdf'\nposition = [9.0, 0.0, 2.0]
        [[wall]]\nname = 'floor'\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]
        [[material]]\nname = 'rubber'\nrestitution = 0.8\nfriction = 0.5\n";
    let file = scene.join("falling.toml");
    std::fs::write(&file, text).unwrap();
    std::fs::write(scene.join("stone.obj"), MESH).unwrap();
    std::fs::write(scene.join("robot/part.obj"), MESH).unwrap();
    std::fs::write(scene.join("robot/arm.urdf"), ROBOT).unwrap();
    let (code, said) = exit_and_message(&["simulate", word(&file), "-o", word(&out)]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(names(&out.join("files")), ["1-stone.obj", "2-arm.urdf", "3-part.obj"]);
    std::fs::remove_dir_all(&scene).unwrap();
    let moved = folder.path().join("moved");
    std::fs::rename(&out, &moved).unwrap();
    let replay = |more: &[&str]| {
        let output = carom(&[&["replay", word(&moved)], more].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let (code, text) = replay(&["--event", "1", "--law", "all"]);
    assert!(code == Some(0) && text.contains("Resolved again"), "{text}");
    assert!(replay(&[]).1.starts_with("falling\n"));
    for altered in ["files/1-stone.obj", "scenario.toml"] {
        let path = moved.join(altered);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{text}# more\n")).unwrap();
        let (code, said) = replay(&["--event", "1"]);
        assert!(code == Some(2) && one_line(&said).contains(&format!("{altered} was altered after the run")), "{said}");
        std::fs::write(&path, text).unwrap();
    }
}

#[test]
fn the_copy_of_a_robot_replays_with_its_meshes() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("arm.urdf"), folder.path().join("out"));
    std::fs::write(&file, ROBOT).unwrap();
    std::fs::write(folder.path().join("part.obj"), MESH).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "-o", word(&out)]).0, Some(0));
    assert_eq!(names(&out.join("files")), ["1-part.obj"]);
    std::fs::remove_file(folder.path().join("part.obj")).unwrap();
    std::fs::remove_file(&file).unwrap();
    let output = carom(&["replay", word(&out)]).stdout(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("arm\n") && !text.contains("left out"), "{text}");
}

#[test]
fn a_motion_too_fast_to_follow_is_not_called_a_series_of_events() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("shaken.toml");
    let text = "[simulation]\nduration = 1.0\n[[body]]\nname = 'ball'\nmass = 1.0\ninertia = 1.0\nposition = [0.0, 1.0]
        [[force]]\nbody = 'ball'\nforce = [1.0, 0.0]\nsignal = { frequency = 1e25, amplitude = 1.0 }\n";
    std::fs::write(&file, text).unwrap();
    let (code, said) = exit_and_message(&["simulate", word(&file)]);
    assert!(code == Some(1) && said.contains("too fast to be followed at this tolerance"), "{said}");
}

#[test]
fn a_run_in_steps_is_replayed_with_its_own_law_and_asks_others() {
    let folder = scratch("steps");
    let simulate =
        ["simulate", "scenarios/double-pendulum-wall.toml", "--engine", "stepping", "--law", "poisson-lcp", "-o"];
    assert!(carom(&[&simulate[..], &[word(&folder)]].concat()).status().unwrap().success());
    let joints = std::fs::read_to_string(folder.join("joints.csv")).unwrap();
    assert!(joints.starts_with("event,time,joint,body_a,body_b,impulse_x,impulse_y,moment\n1,"), "{joints}");
    assert!(folder.join("joints.parquet").exists());
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap();
    assert_eq!((summary["law"].as_str(), summary["engine"].as_str()), (Some("newton-lcp"), Some("stepping")));
    assert!(summary["remarks"][0].as_str().unwrap().contains("poisson-lcp"), "{summary}");
    let replay = |more: &[&str]| {
        let output = carom(&[&["replay", word(&folder)], more].concat()).stdout(Stdio::piped()).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(replay(&[]).contains("engine stepping, law newton-lcp"));
    let text = replay(&["--event", "1", "--law", "poisson-lcp"]);
    assert!(text.contains("by newton-lcp") && text.contains("Resolved again"), "{text}");
    assert_eq!(text.matches("  elbow  impulse (").count(), 2, "{text}");
}

/// The record does not hold the failure; the list of a failed run once said that it had finished.
#[test]
fn a_failed_run_is_replayed_as_one_that_failed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("shaken.toml"), folder.path().join("out"));
    let text = "[simulation]\nduration = 1.0\n[[body]]\nname = 'ball'\nmass = 1.0\ninertia = 1.0\nposition = [0.0, 1.0]
        [[force]]\nbody = 'ball'\nforce = [1.0, 0.0]\nsignal = { frequency = 1e25, amplitude = 1.0 }\n";
    std::fs::write(&file, text).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "-o", word(&out)]).0, Some(1));
    let output = carom(&["replay", word(&out)]).stdout(Stdio::piped()).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("failed: at") && one_line(&text).contains("too fast to be followed"), "{text}");
    let (code, said) = exit_and_message(&["replay", word(&out), "--event", "1"]);
    assert!(code == Some(2) && said.contains("the run has no events"), "{said}");
}

/// A record that ended early was replayed as a shorter run.
#[test]
fn a_record_that_was_cut_is_not_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("ball.toml"), folder.path().join("out"));
    std::fs::write(&file, ball("")).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "-o", word(&out)]).0, Some(0));
    let record = out.join("record.jsonl");
    let whole = std::fs::read_to_string(&record).unwrap();
    let lines = |count: usize| whole.split_inclusive('\n').take(count).collect::<String>();
    for (kept, lack) in [(40, "40 of 1001 stored states"), (1001, "0 of 1 events")] {
        std::fs::write(&record, lines(kept)).unwrap();
        let (code, said) = exit_and_message(&["replay", word(&out)]);
        assert!(code == Some(2) && said.contains(lack), "{said}");
    }
}

#[test]
fn a_record_of_another_layout_is_not_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("ball.toml"), folder.path().join("out"));
    std::fs::write(&file, ball("")).unwrap();
    assert_eq!(exit_and_message(&["simulate", word(&file), "-o", word(&out)]).0, Some(0));
    let summary = out.join("summary.json");
    let mut former: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&summary).unwrap()).unwrap();
    former.as_object_mut().unwrap().remove("record_format");
    std::fs::write(&summary, former.to_string()).unwrap();
    let (code, said) = exit_and_message(&["replay", word(&out)]);
    assert!(code == Some(2) && said.contains("another version"), "{said}");
}

/// The record was filled up with zeros to the length that the checkpoint counts on, and so was lost for good.
#[test]
fn a_checkpoint_whose_record_was_cut_is_refused_and_nothing_is_changed() {
    let folder = scratch("cut");
    let simulate = ["simulate", "scenarios/billiard-break.toml", "--duration", "4", "-o", word(&folder)];
    let mut child = carom(&[&simulate[..], &["--checkpoint-every", "0.05"]].concat()).spawn().unwrap();
    while !folder.join("checkpoint.json").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.join("summary.json").exists(), "it ended before it was killed");
    let (code, said) = exit_and_message(&["replay", word(&folder)]);
    assert!(code == Some(2) && said.contains("has not ended") && said.contains("--resume"), "{said}");
    let record = folder.join("record.part.jsonl");
    let cut = std::fs::read(&record).unwrap()[..500].to_vec();
    std::fs::write(&record, &cut).unwrap();
    let (code, said) = exit_and_message(&[&simulate[..], &["--resume"]].concat());
    assert!(code == Some(2) && said.contains("holds 500 of the"), "{said}");
    assert!(std::fs::read(&record).unwrap() == cut);
    assert!(folder.join("checkpoint.json").exists() && !folder.join("summary.json").exists());
}

/// A run of hours ended with the message that there is no such folder.
#[test]
fn results_without_a_place_are_refused_before_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (folder.path().join("ball.toml"), folder.path().join("out"));
    let nowhere = folder.path().join("nowhere");
    // It would take minutes.
    std::fs::write(&file, ball("step = 1e-8\nengine = 'stepping'")).unwrap();
    for (option, name) in [("--animate", "ball.html"), ("--plot", "ball.svg")] {
        let place = nowhere.join(name);
        let (code, said) = exit_and_message(&["simulate", word(&file), option, word(&place), "-o", word(&out)]);
        assert!(code == Some(2) && said.contains("there is no folder"), "{said}");
    }
    let (code, said) = exit_and_message(&["simulate", word(&file), "-o", word(&file.join("out"))]);
    assert!(code == Some(2) && said.contains("cannot make the folder"), "{said}");
    assert!(!out.exists() && !nowhere.exists());
}
