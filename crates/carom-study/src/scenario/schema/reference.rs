//! The format as a page of the book.

use super::{Field, Kind, Need, TOP, Table};

/// The reference of the scenario format in Markdown: one section per table, one row per key.
///
/// ```
/// assert!(carom_study::scenario::reference_markdown().contains("| `friction` | a number of at least 0"));
/// ```
pub fn reference_markdown() -> String {
    let mut pages = Vec::new();
    sections(&TOP, &mut pages);
    format!("# The scenario file\n\nA scenario is a TOML file. Units are SI, angles radians.\n{}", pages.concat())
}

/// Adds the section of a table and those of the tables below it; a table that several others have is described once.
fn sections(table: &Table, pages: &mut Vec<String>) {
    let heading = if table.header.is_empty() { "Top level".to_owned() } else { table.title() };
    let mut page = format!("\n## {heading}\n\n{}\n\n", table.doc);
    if table.exactly_one {
        page.push_str("| key | its own keys | meaning |\n|---|---|---|\n");
        page.extend(table.fields.iter().map(alternative));
        if !pages.contains(&page) {
            pages.push(page);
        }
        return;
    }
    page.push_str("| key | value | unit | if left out | meaning |\n|---|---|---|---|---|\n");
    page.extend(table.fields.iter().map(key));
    if !pages.contains(&page) {
        pages.push(page);
    }
    for field in &table.fields {
        if let Kind::Table(inner) | Kind::Tables(inner) = field.kind {
            sections(inner, pages);
        }
    }
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

#[cfg(test)]
mod tests {
    #[test]
    fn every_table_is_described_once() {
        let page = super::reference_markdown();
        let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
        for heading in &headings {
            let count = headings.iter().filter(|other| *other == heading).count();
            assert_eq!(count, 1, "{heading}");
        }
    }
}
