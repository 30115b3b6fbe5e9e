//! The gallery of plans: each with its figure, its table and the command that makes them.

use crate::{Document, filled};
use carom_study::sweep::{Part, Plan, Sweep, TableFormat};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The page of the plans, and their figures.
pub fn documents(root: &Path, docs: &Path) -> Result<Vec<Document>, String> {
    let folder = root.join("plans");
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    let mut page = String::new();
    let mut documents = Vec::new();
    for path in &paths {
        let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let shown = Shown::of(path)?;
        let _ = write!(
            page,
            "## {name}\n\n*{}.* {}\n\n```sh\ncarom sweep plans/{name}.toml --plot {name}.svg{}\n```\n\n![{}](figures/plans/{name}.svg)\n\n",
            shown.title,
            shown.description.trim(),
            if shown.table.is_empty() { "" } else { " --table -" },
            shown.title
        );
        if !shown.table.is_empty() {
            let _ = writeln!(page, "{}", shown.table);
        }
        documents.push(Document { path: docs.join(format!("figures/plans/{name}.svg")), text: shown.svg });
    }
    documents.push(filled(docs.join("plans.md"), "plans", &page)?);
    Ok(documents)
}

/// What a plan shows.
struct Shown {
    title: String,
    description: String,
    svg: String,
    /// In Markdown; empty if the plan has none.
    table: String,
}

impl Shown {
    fn of(path: &Path) -> Result<Shown, String> {
        let plan = Plan::read(path).map_err(|error| error.render(false))?;
        let folder = std::env::temp_dir().join(format!("carom-plan-{}", std::process::id()));
        let shown = Shown::computed(&plan, &folder);
        std::fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        shown.map_err(|error| format!("{}: {error}", path.display()))
    }

    fn computed(plan: &Plan, folder: &Path) -> Result<Shown, String> {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let sweep = Sweep::new(plan).map_err(|error| error.render(false))?;
        sweep.run(folder, Part::WHOLE, 0, &mut |_| true).map_err(|stopped| format!("{stopped:?}"))?;
        let figures = &plan.figures;
        let table = if figures.has_table() {
            figures.table(folder, TableFormat::Markdown).map_err(|error| error.to_string())?
        } else {
            String::new()
        };
        Ok(Shown {
            title: plan.title.clone(),
            description: plan.description.clone().unwrap_or_default(),
            svg: figures.sheet(folder).map_err(|error| error.to_string())?.svg(),
            table,
        })
    }
}
