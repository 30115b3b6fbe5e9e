//! The format as a page of the book.

use super::{Field, Kind, Need, TOP, Table};

/// The reference of the scenario format in Markdown: one section per table, one row per key.
///
/// ```
/// assert!(carom_study::scenario::reference_markdown().contains("| `restitution` | a number from -1 to 1 |"));
/// ```
pub fn reference_markdown() -> String {
    format!("# The scenario file\n\nA scenario is a TOML file. Units are SI, angles radians.\n{}", sections(&TOP))
}

/// The section of a table and of the tables below it.
fn sections(table: &Table) -> String {
    let heading = if table.header.is_empty() { "Top level".to_owned() } else { table.title() };
    let mut page = format!("\n## {heading}\n\n{}\n\n", table.doc);
    if table.exactly_one {
        page.push_str("| key | its own keys | meaning |\n|---|---|---|\n");
        page.extend(table.fields.iter().map(alternative));
        return page;
    }
    page.push_str("| key | value | unit | if left out | meaning |\n|---|---|---|---|---|\n");
    page.extend(table.fields.iter().map(key));
    page.extend(table.fields.iter().filter_map(|field| match field.kind {
        Kind::Table(inner) | Kind::Tables(inner) => Some(sections(inner)),
        _ => None,
    }));
    page
}

fn key(field: &Field) -> String {
    let value = match &field.kind {
        // The catalogue of laws lists them all.
        Kind::Word(_) if field.key == "id" => "the id of a law, for instance \"routh-poisson\"".to_owned(),
        kind => kind.words(),
    };
    let left_out = match field.need {
        Need::Required => "an error",
        Need::Optional(words) => words,
    };
    row(&[&format!("`{}`", field.key), &value, field.unit, left_out, &field.doc])
}

/// One of several tables of which exactly one is given.
fn alternative(field: &Field) -> String {
    let inner = match field.kind {
        Kind::Table(inner) | Kind::Tables(inner) => &inner.fields[..],
        _ => &[],
    };
    let keys = inner.iter().map(|f| {
        let unit = if f.unit.is_empty() { String::new() } else { format!(", {}", f.unit) };
        format!("`{}`{unit}: {} {}", f.key, f.kind.words(), parenthesis(&f.doc))
    });
    row(&[&format!("`{}`", field.key), &keys.collect::<Vec<_>>().join("; "), &field.doc])
}

fn parenthesis(sentence: &str) -> String {
    format!("({})", sentence.trim_end_matches('.').to_lowercase())
}

fn row(cells: &[&str]) -> String {
    // A bar inside a cell would end it.
    let cells: Vec<_> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    format!("| {} |\n", cells.join(" | "))
}
