//! Scenarios from files and from standard input, and laws by their ids.

use crate::failure::Failure;
use carom::Collision;
use carom::laws::{self, Law};
use carom_study::scenario::{Changeable, LARGEST_FILE, Scenario, Setting, SimulationScenario, nearest, reason};
use carom_study::simulation::{Identity, fingerprint};
use std::io::Read;
use std::path::Path;

/// The scenario of a file, or of standard input for `-`, with the values of `--set`.
pub fn read_scenario(path: &Path, set: &[String]) -> Result<Scenario, Failure> {
    if !set.is_empty() {
        let changed = changed(path, set)?;
        return Ok(Scenario::parse_in(changed.name(), &changed.text(), path.parent())?);
    }
    if path != Path::new("-") {
        return Ok(Scenario::read(path)?);
    }
    Ok(Scenario::parse("<stdin>", &standard_input()?)?)
}

/// The text of a scenario with the values of `--set`.
fn changed(path: &Path, set: &[String]) -> Result<Changeable, Failure> {
    let mut file = if path == Path::new("-") {
        Changeable::parse("<stdin>", &standard_input()?)?
    } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("urdf")) {
        return Err(Failure::Usage("--set changes a scenario, but this is the file of a robot".to_owned()));
    } else {
        Changeable::read(path)?
    };
    for text in set {
        let place = |problem: String| Failure::Usage(format!("--set {text}: {problem}"));
        file.set(&Setting::parse(text).map_err(place)?).map_err(place)?;
    }
    Ok(file)
}

/// The collision of a scenario of one contact.
pub fn only_collision<'a>(scenario: &'a Scenario, path: &Path) -> Result<&'a Collision, Failure> {
    scenario.collision().ok_or_else(|| {
        let (path, contacts) = (path.display(), scenario.impact.contacts());
        Failure::Usage(format!("{path}: there are {contacts} contacts, and this needs one"))
    })
}

/// The scene of a file, or of standard input for `-`, with the values of `--set` and the bytes it was read from.
pub fn read_simulation(path: &Path, set: &[String]) -> Result<(SimulationScenario, Vec<u8>, Identity), Failure> {
    let (scenario, bytes, file) = if !set.is_empty() {
        let changed = changed(path, set)?;
        let text = changed.text();
        let scenario = SimulationScenario::parse_in(changed.name(), &text, path.parent())?;
        (scenario, text.into_bytes(), changed.name().to_owned())
    } else if path == Path::new("-") {
        let text = standard_input()?;
        (SimulationScenario::parse("<stdin>", &text)?, text.into_bytes(), "-".to_owned())
    } else {
        let scenario = SimulationScenario::read(path)?;
        let bytes = std::fs::read(path)
            .map_err(|error| Failure::Usage(format!("cannot read {}: {}", path.display(), reason(&error))))?;
        let place = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        (scenario, bytes, place.display().to_string())
    };
    let hash = fingerprint(&bytes);
    Ok((scenario, bytes, Identity { file, hash }))
}

fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let taken = std::io::stdin().lock().take(LARGEST_FILE + 1).read_to_end(&mut bytes);
    taken.map_err(|error| Failure::Usage(format!("cannot read standard input: {}", reason(&error))))?;
    if bytes.len() as u64 > LARGEST_FILE {
        let most = LARGEST_FILE >> 20;
        return Err(Failure::Usage(format!("standard input holds more than the {most} MiB a scenario may have")));
    }
    String::from_utf8(bytes).map_err(|error| {
        Failure::Usage(format!("standard input is not text: byte {}", error.utf8_error().valid_up_to()))
    })
}

/// The law with this id, or an error that suggests one.
pub fn law(id: &str) -> Result<&'static Law, Failure> {
    laws::find(id).map_err(|error| {
        let hint = nearest(id, laws::every().map(|law| law.id))
            .map_or_else(String::new, |known| format!("; did you mean `{known}`?"));
        Failure::Usage(format!("{error}{hint} (`carom laws` lists all)"))
    })
}
