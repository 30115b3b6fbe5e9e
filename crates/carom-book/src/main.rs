//! `carom-book [--check]`: documents and figures of the book that come from the program itself. `cargo xtask generate` builds and
//! runs it; the `carom` command must stand beside it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people at a terminal")]

mod half_puck;
mod plans;
mod pucks;
mod validation;

use carom::laws;
use carom_study::plot::{ReboundCurves, SlenderRods};
use carom_study::{report, scenario};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Figures of the book: file name and the command that draws it.
const FIGURES: &[(&str, &[&str])] = &[
    ("falling-rod.svg", &["collide", "scenarios/falling-rod.toml", "--law", "all"]),
    ("wang-mason-3.svg", &["collide", "scenarios/wang-mason-3.toml", "--law", "all"]),
    ("wang-mason-4.svg", &["collide", "scenarios/wang-mason-4.toml", "--law", "all"]),
    ("ellipsoids.svg", &["collide", "scenarios/ellipsoids.toml", "--law", "all"]),
    ("pendulum-wall.svg", &["collide", "scenarios/pendulum-wall.toml", "--law", "all"]),
    ("rod-on-springs.svg", &["collide", "docs/src/examples/rod-on-springs.toml"]),
    ("regions-generic.svg", &["region", "scenarios/chatterjee-generic.toml"]),
    ("regions-diagonal.svg", &["region", "scenarios/chatterjee-diagonal.toml"]),
    ("regions-tangential.svg", &["region", "scenarios/chatterjee-tangential.toml"]),
    ("regions-infinite-friction.svg", &["region", "scenarios/chatterjee-infinite-friction.toml"]),
    ("regions-pendulum.svg", &["region", "scenarios/pendulum-wall.toml"]),
    ("cradle-three.svg", &["collide", "scenarios/cradle-three.toml", "--ambiguity"]),
    ("corner-ball.svg", &["collide", "scenarios/corner-ball.toml", "--law", "rodriguez-bowling"]),
    ("cradle-five.svg", &["collide", "scenarios/cradle-five.toml", "--law", "compliant-network"]),
    ("bouncing-ball.svg", &["simulate", "scenarios/bouncing-ball.toml"]),
    ("measured-impacts.svg", &["figure", "measured-impacts"]),
];

/// A file and what it should contain.
struct Document {
    path: PathBuf,
    text: String,
}

fn main() -> ExitCode {
    let check = std::env::args().skip(1).any(|word| word == "--check");
    match run(check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).map_or_else(PathBuf::new, Path::to_owned)
}

/// Runs a program and returns what it printed.
fn output(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("cannot run {command:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{command:?} failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{command:?} printed no text: {error}"))
}

/// Writes every generated document; with `check`, tells which are out of date instead.
fn run(check: bool) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| format!("where am I? {error}"))?;
    let command = own.with_file_name(format!("carom{}", std::env::consts::EXE_SUFFIX));
    let docs = root().join("docs/src");
    let page = validation::page()?;
    let mut documents = vec![
        Document { path: docs.join("validation.md"), text: page },
        Document {
            path: docs.join("reference/scenario.schema.json"),
            text: format!("{:#}\n", scenario::json_schema()),
        },
        filled(docs.join("reference/scenario.md"), "schema", &scenario::reference_markdown())?,
        filled(docs.join("reference/command.md"), "help", &help(&command)?)?,
    ];
    for law in laws::every() {
        let page = docs.join(format!("laws/{}.md", law.id));
        documents.push(filled(page, "registry", &report::law_markdown(law))?);
    }
    documents.extend(figures(&command, &docs.join("figures"))?);
    documents
        .push(Document { path: docs.join("figures/slender-rods.svg"), text: SlenderRods::default().sheet().svg() });
    documents.extend(plans::documents(&root(), &docs)?);
    documents.push(Document { path: root().join("data/pucks-synthetic.csv"), text: pucks::file(&root())? });
    documents.push(Document { path: root().join("data/half-puck-frames.csv"), text: half_puck::file()? });
    let rebound = ReboundCurves::default().sheet().map_err(|error| error.to_string())?;
    documents.push(Document { path: docs.join("figures/rebound.svg"), text: rebound.svg() });

    let stale: Vec<&Document> =
        documents.iter().filter(|d| std::fs::read_to_string(&d.path).ok().as_deref() != Some(&*d.text)).collect();
    if check {
        let names: Vec<String> = stale.iter().map(|d| name(&d.path)).collect();
        return if names.is_empty() {
            println!("── generated documents: {} up to date", documents.len());
            Ok(())
        } else {
            Err(format!("out of date, run `cargo xtask generate`:\n  {}", names.join("\n  ")))
        };
    }
    for document in stale {
        if let Some(folder) = document.path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        std::fs::write(&document.path, &document.text)
            .map_err(|error| format!("{}: {error}", document.path.display()))?;
        println!("wrote {}", name(&document.path));
    }
    Ok(())
}

fn name(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// A hand-written page whose part between two marks is generated.
fn filled(path: PathBuf, mark: &str, content: &str) -> Result<Document, String> {
    let page = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let (begin, end) = (format!("<!-- {mark}:begin -->"), format!("<!-- {mark}:end -->"));
    let parts = page.split_once(&begin).and_then(|(head, rest)| Some((head, rest.split_once(&end)?.1)));
    let (head, tail) = parts.ok_or_else(|| format!("{} lacks the marks {begin} and {end}", path.display()))?;
    Ok(Document { text: format!("{head}{begin}\n\n{}\n\n{end}{tail}", content.trim()), path })
}

/// The help of every command.
fn help(command: &Path) -> Result<String, String> {
    let mut text = String::new();
    let commands: &[&[&str]] = &[
        &[],
        &["collide"],
        &["simulate"],
        &["replay"],
        &["laws"],
        &["region"],
        &["sweep"],
        &["sweep", "status"],
        &["sweep", "merge"],
        &["reduce"],
        &["figure"],
        &["tool"],
        &["tool", "realise"],
        &["tool", "audit"],
        &["tool", "near-sphere"],
        &["tool", "hertz"],
        &["tool", "disk"],
        &["tool", "mindlin"],
    ];
    for words in commands {
        let shown = output(Command::new(command).args(*words).arg("--help").env("COLUMNS", "100"))?;
        let title = std::iter::once("carom").chain(words.iter().copied()).collect::<Vec<_>>().join(" ");
        let lines: Vec<&str> = shown.lines().map(str::trim_end).collect();
        let _ = write!(text, "## `{title}`\n\n```text\n{}\n```\n\n", lines.join("\n").trim());
    }
    Ok(text)
}

fn figures(command: &Path, folder: &Path) -> Result<Vec<Document>, String> {
    let scratch = std::env::temp_dir().join(format!("carom-figures-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let mut documents = Vec::new();
    for (file, words) in FIGURES {
        let drawn = scratch.join(file);
        output(Command::new(command).args(*words).arg("--plot").arg(&drawn).current_dir(root()))?;
        let text = std::fs::read_to_string(&drawn).map_err(|error| format!("{}: {error}", drawn.display()))?;
        documents.push(Document { path: folder.join(file), text });
    }
    std::fs::remove_dir_all(&scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    Ok(documents)
}
