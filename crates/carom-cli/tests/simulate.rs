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
    assert!(text.contains("Resolved anew") && text.contains("poisson-lcp") && text.contains("before"), "{text}");
    assert_eq!(replay(&["--event", "1", "--law", "poisson-lcp"]).0, Some(0));
    assert_eq!(replay(&["--event", "99"]).0, Some(2));
    // A law for one contact has nothing to say about four.
    assert_eq!(replay(&["--event", "1", "--law", "whittaker"]).0, Some(1));
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
    assert!(text.contains("by newton-lcp") && text.contains("Resolved anew"), "{text}");
    assert_eq!(text.matches("  elbow  impulse (").count(), 2, "{text}");
}
