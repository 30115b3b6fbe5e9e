//! No two modules of a crate depend on each other, directly or through others.

use crate::shell::{Outcome, root};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates whose top-level modules are ordered.
const CRATES: [&str; 4] = ["crates/carom", "crates/carom-study", "crates/carom-cli", "crates/carom-py"];

/// For each top-level module of a crate the others that it uses, with a file that does.
type Uses = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// Fails if modules of a crate depend on each other.
pub fn check() -> Outcome {
    println!("── modules");
    for name in CRATES {
        let source = root().join(name).join("src");
        let mut uses = Uses::new();
        collect(&source, &source, &mut uses)?;
        if let Some(cycle) = cycle(&uses) {
            let steps = cycle.windows(2).map(|pair| {
                let file = uses[&pair[0]][&pair[1]].display();
                format!("\n  {} uses {} in {file}", pair[0], pair[1])
            });
            return Err(format!("modules of {name} depend on each other:{}", steps.collect::<String>()));
        }
    }
    Ok(())
}

fn collect(source: &Path, folder: &Path, uses: &mut Uses) -> Outcome {
    let problem = |error: std::io::Error| format!("{}: {error}", folder.display());
    let mut entries: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(problem)? {
        entries.push(entry.map_err(problem)?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(source, &path, uses)?;
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let inside = path.strip_prefix(source).unwrap_or(&path);
            let module = module_of(inside);
            // The root declares modules and re-exports their items.
            if module != "lib" && module != "main" && !inside.ends_with("tests.rs") {
                for used in used_modules(&text).into_iter().filter(|used| *used != module) {
                    uses.entry(module.clone()).or_default().entry(used).or_insert_with(|| inside.to_owned());
                }
            }
        }
    }
    Ok(())
}

/// The top-level module of a file.
fn module_of(inside: &Path) -> String {
    let first = inside.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
    first.unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// The top-level modules after every `crate::` of a text, without its comments and its unit tests.
fn used_modules(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let code: String = code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    let mut used = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            None => used.extend(word(rest)),
            Some(group) => used.extend(names_of_group(group)),
        }
    }
    used
}

/// The first names in the group of a `use crate::{a::B, c}`.
fn names_of_group(group: &str) -> Vec<String> {
    let (mut depth, mut start, mut names) = (0, 0, Vec::new());
    for (place, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            ',' | '}' if depth == 0 => {
                names.extend(word(group[start..place].trim()));
                start = place + 1;
                if letter == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

/// The word at the start, if it is the name of a module: types begin with a capital letter.
fn word(text: &str) -> Option<String> {
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    let word = &text[..end];
    word.starts_with(|letter: char| letter.is_lowercase()).then(|| word.to_owned())
}

/// A cycle, its first module also at its end.
fn cycle(uses: &Uses) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    uses.keys().find_map(|module| walk(module, uses, &mut Vec::new(), &mut done))
}

fn walk(module: &str, uses: &Uses, path: &mut Vec<String>, done: &mut BTreeSet<String>) -> Option<Vec<String>> {
    if let Some(start) = path.iter().position(|other| other == module) {
        let mut cycle = path[start..].to_vec();
        cycle.push(module.to_owned());
        return Some(cycle);
    }
    if !done.contains(module) {
        path.push(module.to_owned());
        let found = uses.get(module).into_iter().flat_map(BTreeMap::keys).find_map(|used| walk(used, uses, path, done));
        if found.is_some() {
            return found;
        }
        path.pop();
        done.insert(module.to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_in_paths_and_groups_outside_comments_and_tests() {
        let text = "use crate::a::B;\nuse crate::{c::{D, E}, f};\nuse crate::Type;\n// crate::g\nlet x = crate::h::i();\n\
                    #[cfg(test)]\nmod tests { use crate::j; }";
        let found: Vec<String> = used_modules(text).into_iter().collect();
        assert_eq!(found, ["a", "c", "f", "h"]);
    }

    #[test]
    fn a_cycle_through_a_third_module_is_found() {
        let uses = |pairs: &[(&str, &str)]| {
            let mut uses = Uses::new();
            for (from, to) in pairs {
                uses.entry((*from).to_owned()).or_default().insert((*to).to_owned(), PathBuf::new());
            }
            uses
        };
        assert_eq!(cycle(&uses(&[("a", "b"), ("b", "c"), ("a", "c")])), None);
        let found = cycle(&uses(&[("a", "b"), ("b", "c"), ("c", "a"), ("d", "a")]));
        assert_eq!(found, Some(["a", "b", "c", "a"].map(str::to_owned).to_vec()));
    }
}
