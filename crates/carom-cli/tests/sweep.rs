//! `carom sweep` from outside: kills, parts, folders, bad input.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn carom() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command
}

fn sweep(arguments: &[&str]) -> Output {
    carom().arg("sweep").args(arguments).output().unwrap()
}

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("carom-cli-sweep-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// All files of a folder that are not hidden.
fn shards(folder: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.starts_with('.'))
        .collect();
    files.sort();
    files
}

const PLAN: &str = r#"
scenario = """
[collision]
inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
velocity = [-1.0, 0.6]
friction = 0.3
restitution = 0.5
"""
outputs = ["impulse", "mode"]
rows_per_shard = 2000
samples = 4000
[axes]
"law.id" = ["smith", "routh-poisson", "chatterjee-2"]
"collision.friction" = { uniform = [0, 1] }
"collision.velocity[1]" = { linspace = [-1, 1, 5] }
"#;

/// Runs that are killed at any moment and go on leave the same bytes as one that is not.
#[test]
fn killed_runs_go_on_to_the_same_bytes() {
    let folder = Folder::new("kill");
    let plan = folder.file("plan.toml", PLAN);
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    assert!(sweep(&[&plan, "-o", &whole, "--threads", "2"]).status.success());
    let expected = shards(&whole);
    assert_eq!(expected.len(), 30);
    let (mut kills, mut delay) = (0, 3);
    loop {
        let mut run = carom()
            .args(["sweep", &plan, "-o", &killed, "--resume", "--threads", "2"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        let ended = run.try_wait().unwrap();
        if let Some(status) = ended {
            assert!(status.success());
            break;
        }
        run.kill().unwrap();
        run.wait().unwrap();
        kills += 1;
        delay += 5;
        if Path::new(&killed).is_dir() {
            let there = shards(&killed);
            assert!(there.iter().all(|file| expected.contains(file)), "a shard that is there is whole");
        }
    }
    assert!(kills > 1, "the run was too short to be killed");
    assert!(shards(&killed) == expected);
    // What killed runs left is gone.
    assert_eq!(fs::read_dir(&killed).unwrap().count(), expected.len());
}

#[test]
fn folders_are_not_mixed_and_nothing_is_overwritten() {
    let folder = Folder::new("folders");
    let plan = folder.file("plan.toml", PLAN);
    let out = folder.path("out");
    assert!(sweep(&[&plan, "-o", &out, "--shard", "2/3"]).status.success());
    assert_eq!(shards(&out).len(), 10);
    let again = sweep(&[&plan, "-o", &out, "--shard", "2/3"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--resume"));
    // Another part may go into the same folder.
    assert!(sweep(&[&plan, "-o", &out, "--shard", "1/3"]).status.success());
    let status = sweep(&["status", &out]);
    let text = String::from_utf8(status.stdout).unwrap();
    assert!(text.starts_with("40000 of 60000 rows done, in 20 shards"), "{text}");
    assert!(text.contains("missing: rows 40000 to 59999"), "{text}");
    let merged = folder.path("all.parquet");
    let incomplete = sweep(&["merge", &out, "-o", &merged]);
    assert_eq!(incomplete.status.code(), Some(1));
    assert!(!Path::new(&merged).exists());
    let other = folder.file("other.toml", &PLAN.replace("[-1, 1, 5]", "[-1, 1, 6]"));
    let mixed = sweep(&[&other, "-o", &out, "--resume"]);
    assert_eq!(mixed.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&mixed.stderr).contains("another plan"));
    folder.file("out/notes.txt", "mine");
    assert_eq!(sweep(&[&plan, "-o", &out, "--resume"]).status.code(), Some(2));
    assert_eq!(shards(&out).len(), 21);
}

#[test]
fn bad_requests_have_exit_code_two_and_write_nothing() {
    let folder = Folder::new("bad");
    let plan = folder.file("plan.toml", PLAN);
    let huge = folder.file("huge.toml", &PLAN.replace("[-1, 1, 5]", "[-1, 1, 1e12]"));
    let empty = folder.file("empty.toml", "");
    let missing = folder.file("missing.toml", "scenario = \"nowhere.toml\"\noutputs = [\"mode\"]\n");
    let out = folder.path("out");
    let cases: [(&[&str], &str); 9] = [
        (&[&huge, "-o", &out], "at most 1e11 rows"),
        (&[&empty, "-o", &out], "the file is empty"),
        (&[&missing, "-o", &out], "there is no file"),
        (&["nowhere.toml", "-o", &out], "there is no such file"),
        (&[&plan], "--output"),
        (&[&plan, "-o", &out, "--shard", "4/3"], "expected I/N"),
        (&[&plan, "-o", &out, "--threads", "0"], "expected 1 to 1024"),
        (&["status", &out], "there is no such file"),
        (&["merge", &out, "-o", "all.csv"], "expected a name ending in .parquet"),
    ];
    for (arguments, expected) in cases {
        let run = sweep(arguments);
        let text = String::from_utf8_lossy(&run.stderr).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(run.status.code(), Some(2), "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
        assert!(!Path::new(&out).exists(), "{arguments:?}");
    }
}

/// A disk without room: nothing half-written under a final name, exit code 2, and what was done stays.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_stops_the_run() {
    let folder = Folder::new("full");
    let plan = folder.file("plan.toml", PLAN);
    let out = folder.path("out");
    // No file may be larger than 20 kB, which a shard is.
    let limited = format!("ulimit -f 20; trap '' XFSZ; exec {} sweep {plan} -o {out}", env!("CARGO_BIN_EXE_carom"));
    let run = Command::new("bash").args(["-c", &limited]).output().unwrap();
    let text = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{text}");
    assert!(text.contains("cannot write"), "{text}");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
}

/// Messages say what was expected of a plan, which value of an axis is wrong, and what of a plan is not used.
#[test]
fn messages_name_the_plan_the_axis_and_the_element() {
    let folder = Folder::new("messages");
    let message = |arguments: &[&str]| String::from_utf8(sweep(arguments).stderr).unwrap();
    let missing = message(&[&folder.path("none.toml"), "-o", &folder.path("none")]);
    assert!(missing.contains("cannot read the plan: there is no such file"), "{missing}");
    let friction = "{ uniform = [0, 1] }";
    let text = PLAN.replace(friction, "[0.1, \"a\"]");
    let line = 1 + text.lines().position(|line| line.contains("[0.1, \"a\"]")).unwrap();
    let wrong = folder.file("wrong.toml", &text);
    let wrong = message(&[&wrong, "-o", &folder.path("wrong")]);
    let place = format!(":{line}:");
    assert!(wrong.contains("`collision.friction[1]` is the string `a`") && wrong.contains(&place), "{wrong}");
    // A seed beyond 2^53, a refused value, a law that no row has, and quotation marks in the name of the folder.
    let text = PLAN.replace(friction, "[0.1, -0.5]").replace("samples = 4000", "seed = 9007199254740993");
    let text = format!("{}[law.brach]\nimpulse_ratio = 0.2\n", text.replace("-1, 1, 5", "-1, 1, 2"));
    let plan = folder.file("plan.toml", &text);
    let quoted = folder.path("it's \"here\"");
    let done = sweep(&[&plan, "-o", &quoted]);
    let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert!(done.status.success() && shards(&quoted).len() == 1, "{err}");
    assert!(err.contains("note: `[law.brach]` is not used"), "{err}");
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.contains("invalid: 6 rows, for instance row 2") && words.contains("collision.friction[1] = -0.5"),
        "{out}"
    );
}
