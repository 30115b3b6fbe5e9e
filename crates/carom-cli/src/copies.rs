//! The scenario of a run and the files that it names, kept in the run's folder so that it replays anywhere.

use crate::failure::Failure;
use crate::output::Written;
use carom_study::scenario::{NamedFile, SimulationScenario, reason};
use carom_study::simulation::{Identity, fingerprint};
use serde_json::{Value, json};
use std::path::Path;

/// Where copies of named files stand.
pub const FILES: &str = "files";

/// The name of a scenario's copy.
fn name_of(identity: &Identity) -> &'static str {
    let is_robot = Path::new(&identity.file).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("urdf"));
    if is_robot { "scenario.urdf" } else { "scenario.toml" }
}

/// Adds the copies to the files of a run, and to its summary what they are.
pub fn keep(
    folder: &Path,
    scenario: &SimulationScenario,
    (bytes, identity): (&[u8], &Identity),
    summary: &mut Value,
) -> Vec<Written> {
    let copy = name_of(identity);
    summary["scenario"]["copy"] = copy.into();
    let mut written = vec![Written::new(&folder.join(copy), bytes.to_vec())];
    let mut listed = Vec::new();
    for (k, file) in scenario.files.iter().enumerate() {
        // Two robots may each have a mesh of the same name, and names may lead out of the folder: a number tells them apart.
        let own = Path::new(&file.name).file_name().map_or_else(|| "file".into(), |name| name.to_string_lossy());
        let copy = format!("{FILES}/{}-{own}", k + 1);
        written.push(Written::new(&folder.join(&copy), file.bytes.to_vec()));
        listed.push(json!({"robot": file.robot, "name": file.name, "copy": copy, "sha256": fingerprint(&file.bytes)}));
    }
    summary["files"] = listed.into();
    written
}

/// The places of copies that a summary lists, all inside its folder.
pub fn listed(summary: &Value) -> Vec<String> {
    let files = summary["files"].as_array().map_or(&[][..], Vec::as_slice);
    let scenario = summary["scenario"]["copy"].as_str();
    let copies = files.iter().filter_map(|file| file["copy"].as_str()).filter(|copy| {
        copy.strip_prefix(FILES).and_then(|rest| rest.strip_prefix('/')).is_some_and(|own| !own.contains(['/', '\\']))
    });
    let scenario = scenario.filter(|copy| ["scenario.toml", "scenario.urdf"].contains(copy));
    scenario.into_iter().chain(copies).map(str::to_owned).collect()
}

/// The scenario of a run from its copies, which must be what they were.
pub fn read(folder: &Path, summary: &Value) -> Result<SimulationScenario, Failure> {
    let copy = summary["scenario"]["copy"].as_str().unwrap_or("scenario.toml");
    unaltered(folder, copy, &summary["scenario"]["sha256"])?;
    let mut files = Vec::new();
    for file in summary["files"].as_array().map_or(&[][..], Vec::as_slice) {
        let word = |key: &str| file[key].as_str().map(str::to_owned);
        let (Some(name), Some(copy)) = (word("name"), word("copy")) else { continue };
        let bytes = unaltered(folder, &copy, &file["sha256"])?;
        files.push(NamedFile { robot: word("robot"), name, bytes: bytes.into() });
    }
    Ok(SimulationScenario::read_copy(folder.join(copy), files)?)
}

fn unaltered(folder: &Path, copy: &str, hash: &Value) -> Result<Vec<u8>, Failure> {
    let path = folder.join(copy);
    let shown = path.display();
    let bytes = std::fs::read(&path).map_err(|error| {
        let why = reason(&error);
        Failure::Usage(format!("cannot read {shown}: {why}; expected a folder written by `carom simulate -o`"))
    })?;
    if hash.as_str() == Some(&fingerprint(&bytes)) {
        return Ok(bytes);
    }
    Err(Failure::Usage(format!(
        "{shown} was altered after the run; expected the copy that `carom simulate -o` wrote (to run the altered one, name it to \
         `carom simulate` with another folder)"
    )))
}
