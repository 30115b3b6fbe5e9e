//! Tables in Markdown and LaTeX.

use super::quantity::Bound;
use super::rows::Rows;
use super::{Figures, Listing, Undrawn, name_of};
use crate::plot::{Text, TextFace, TextLevel};
use crate::scenario::Fault;
use std::fmt::Write;
use std::path::Path;

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// A pipe table.
    Markdown,
    /// A `tabular`.
    Latex,
}

/// Rows of a table, at most.
const MOST: usize = 1000;

/// A cell.
#[derive(Clone, Debug)]
enum Cell {
    Words(Text),
    /// Digits, and a power of ten.
    Number(String, Option<i32>),
    None,
}

impl Figures {
    /// The table of the rows in a folder.
    pub fn table(&self, folder: &Path, format: TableFormat) -> Result<String, Undrawn> {
        let Some(listing) = &self.table else {
            return Err(
                self.refuse(Fault::of_the_file("there is no `[table]`").help("expected `columns`, a list of columns"))
            );
        };
        let mut rows = Rows::of(folder)?;
        let refuse = |fault: Fault| self.refuse(fault);
        let (bound, filters) = listing.find(&rows).map_err(refuse)?;
        rows.load(bound.iter().flat_map(Bound::columns).chain(filters))?;
        let shown = rows.passing(&listing.filters);
        if shown.len() > MOST {
            let problem = format!("the table has {} rows", shown.len());
            return Err(refuse(
                Fault::at(listing.span.clone(), problem)
                    .label(format!("expected at most {MOST}: choose some by `where`")),
            ));
        }
        let columns: Vec<Vec<Cell>> = bound
            .iter()
            .map(|column| {
                if column.is_words(&rows) {
                    let (known, of_row) = column.groups(&rows);
                    let cell = |row: &usize| match of_row[*row] {
                        Some(place) => Cell::Words(named(&listing.names, &known[place as usize])),
                        None => Cell::None,
                    };
                    shown.iter().map(cell).collect()
                } else {
                    let values = column.numbers(&rows);
                    let scale = listing.decimals.map(|decimals| 10_f64.powi(decimals));
                    let to_decimals = |value: f64| scale.map_or(value, |scale| (value * scale).round() / scale + 0.0);
                    shown.iter().map(|row| cell(to_decimals(values[*row]), listing.digits, &listing.names)).collect()
                }
            })
            .collect();
        let heads: Vec<Text> = listing.columns.iter().map(|column| Text::marked(&column.title(&rows))).collect();
        let numeric: Vec<bool> = bound.iter().map(|column| !column.is_words(&rows)).collect();
        Ok(match format {
            TableFormat::Markdown => markdown(&heads, &numeric, &columns, shown.len()),
            TableFormat::Latex => latex(&heads, &numeric, &columns, shown.len()),
        })
    }
}

impl Listing {
    /// Its columns, and those that its filters look at.
    pub(super) fn find(&self, rows: &Rows) -> Result<(Vec<Bound>, Vec<usize>), Fault> {
        let bound = self.columns.iter().map(|column| column.bind(rows)).collect::<Result<_, _>>()?;
        Ok((bound, rows.of_filters(&self.filters)?))
    }
}

/// The name of a word; only names that the plan gives have marks.
pub(super) fn named(names: &[(String, String)], word: &str) -> Text {
    let name = name_of(names, word);
    if name == word { Text::plain(word) } else { Text::marked(name) }
}

fn cell(value: f64, digits: i32, names: &[(String, String)]) -> Cell {
    if value.is_nan() {
        return Cell::None;
    }
    let plain = plain_number(value, 6);
    if names.iter().any(|(known, _)| *known == plain) {
        return Cell::Words(named(names, &plain));
    }
    let (digits, exponent) = rounded(value, digits);
    Cell::Number(digits, exponent)
}

/// A number to this number of significant digits, with a power of ten if it is very large or small.
fn rounded(value: f64, digits: i32) -> (String, Option<i32>) {
    let minus = |text: String| text.replace('-', "\u{2212}");
    if value == 0.0 {
        return ("0".to_owned(), None);
    }
    if value.is_infinite() {
        return (minus(if value > 0.0 { "∞" } else { "-∞" }.to_owned()), None);
    }
    let scientific = format!("{value:.*e}", (digits - 1) as usize);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..digits.max(6)).contains(&exponent) {
        let decimals = (digits - 1 - exponent).max(0) as usize;
        (minus(trimmed(&format!("{value:.decimals$}"))), None)
    } else {
        (minus(trimmed(mantissa)), Some(exponent))
    }
}

fn trimmed(digits: &str) -> String {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.').to_owned() } else { digits.to_owned() }
}

/// A number as plain text.
pub(super) fn plain_number(value: f64, digits: i32) -> String {
    match rounded(value, digits) {
        (digits, None) => digits,
        (digits, Some(exponent)) => format!("{digits}e{exponent}").replace("e-", "e\u{2212}"),
    }
}

fn markdown(heads: &[Text], numeric: &[bool], columns: &[Vec<Cell>], rows: usize) -> String {
    let cell = |cell: &Cell| match cell {
        Cell::Words(text) => markdown_text(text),
        Cell::Number(digits, None) => digits.clone(),
        Cell::Number(digits, Some(exponent)) => {
            format!("{digits} × 10<sup>{}</sup>", exponent.to_string().replace('-', "\u{2212}"))
        }
        Cell::None => String::new(),
    };
    let heads: Vec<String> = heads.iter().map(markdown_text).collect();
    let body: Vec<Vec<String>> = columns.iter().map(|column| column.iter().map(cell).collect()).collect();
    let width = |text: &str| text.chars().count();
    let widths: Vec<usize> = heads
        .iter()
        .zip(&body)
        .map(|(head, column)| column.iter().chain([head]).map(|text| width(text)).max().unwrap_or(0).max(3))
        .collect();
    let mut out = String::new();
    let line = |out: &mut String, cells: &mut dyn Iterator<Item = &str>| {
        for ((text, size), numeric) in cells.zip(&widths).zip(numeric) {
            let pad = " ".repeat(size - width(text));
            let _ = if *numeric { write!(out, "| {pad}{text} ") } else { write!(out, "| {text}{pad} ") };
        }
        out.push_str("|\n");
    };
    line(&mut out, &mut heads.iter().map(String::as_str));
    for (size, numeric) in widths.iter().zip(numeric) {
        let dashes = "-".repeat(size + 1);
        let _ = if *numeric { write!(out, "|{dashes}:") } else { write!(out, "|:{dashes}") };
    }
    out.push_str("|\n");
    for row in 0..rows {
        line(&mut out, &mut body.iter().map(|column| column[row].as_str()));
    }
    out
}

fn markdown_text(text: &Text) -> String {
    let mut out = String::new();
    for span in text.spans() {
        let mut content = String::new();
        for c in span.content.chars() {
            match c {
                '|' | '\\' | '*' | '_' | '`' | '[' | ']' | '#' => content.extend(['\\', c]),
                '<' => content.push_str("&lt;"),
                '>' => content.push_str("&gt;"),
                '&' => content.push_str("&amp;"),
                c if c.is_control() => content.push(' '),
                c => content.push(c),
            }
        }
        let content = match span.face {
            TextFace::Italic => format!("*{content}*"),
            TextFace::Bold => format!("**{content}**"),
            TextFace::Regular => content,
        };
        let _ = match span.level {
            TextLevel::Line => write!(out, "{content}"),
            TextLevel::Sub => write!(out, "<sub>{content}</sub>"),
            TextLevel::Super => write!(out, "<sup>{content}</sup>"),
        };
    }
    out
}

fn latex(heads: &[Text], numeric: &[bool], columns: &[Vec<Cell>], rows: usize) -> String {
    let number = |digits: &str| digits.replace('\u{2212}', "-").replace('∞', "\\infty");
    let cell = |cell: &Cell| match cell {
        Cell::Words(text) => latex_text(text),
        Cell::Number(digits, None) => format!("${}$", number(digits)),
        Cell::Number(digits, Some(exponent)) => format!("${}\\times 10^{{{exponent}}}$", number(digits)),
        Cell::None => String::new(),
    };
    let alignment: String = numeric.iter().map(|numeric| if *numeric { 'r' } else { 'l' }).collect();
    let mut out = format!("\\begin{{tabular}}{{{alignment}}}\n\\hline\n");
    let heads: Vec<String> = heads.iter().map(latex_text).collect();
    let _ = writeln!(out, "{} \\\\\n\\hline", heads.join(" & "));
    for row in 0..rows {
        let cells: Vec<String> = columns.iter().map(|column| cell(&column[row])).collect();
        let _ = writeln!(out, "{} \\\\", cells.join(" & "));
    }
    out.push_str("\\hline\n\\end{tabular}\n");
    out
}

fn latex_text(text: &Text) -> String {
    /// Characters that pdfTeX has under a name only.
    const NAMED: [(char, &str); 20] = [
        ('α', "\\alpha"),
        ('β', "\\beta"),
        ('γ', "\\gamma"),
        ('δ', "\\delta"),
        ('Δ', "\\Delta"),
        ('ε', "\\varepsilon"),
        ('η', "\\eta"),
        ('θ', "\\theta"),
        ('κ', "\\kappa"),
        ('λ', "\\lambda"),
        ('μ', "\\mu"),
        ('ν', "\\nu"),
        ('φ', "\\varphi"),
        ('χ', "\\chi"),
        ('ψ', "\\psi"),
        ('ω', "\\omega"),
        ('\u{2212}', "-"),
        ('∞', "\\infty"),
        ('×', "\\times"),
        ('°', "^\\circ"),
    ];
    let mut out = String::new();
    for span in text.spans() {
        let (mut plain, mut formula) = (String::new(), String::new());
        let in_formula = span.face == TextFace::Italic || span.level != TextLevel::Line;
        for c in span.content.chars() {
            match (NAMED.iter().find(|(known, _)| *known == c), c) {
                (Some((_, name)), _) if in_formula => {
                    formula.push_str(name);
                    formula.push(' ');
                }
                (Some((_, name)), _) => plain.extend(["$", name, "$"]),
                (None, '&' | '%' | '#' | '_' | '{' | '}') => {
                    plain.extend(['\\', c]);
                    formula.extend(['\\', c]);
                }
                (None, '\\' | '~' | '^' | '$') => {
                    let name = match c {
                        '$' => "\\textdollar{}",
                        '\\' => "\\textbackslash{}",
                        '~' => "\\textasciitilde{}",
                        _ => "\\textasciicircum{}",
                    };
                    plain.push_str(name);
                    formula.push_str(name);
                }
                (None, c) => {
                    plain.push(c);
                    formula.push(c);
                }
            }
        }
        let formula = formula.trim_end();
        let _ = match (span.level, span.face) {
            (TextLevel::Sub, _) => write!(out, "$_{{{formula}}}$"),
            (TextLevel::Super, _) => write!(out, "$^{{{formula}}}$"),
            (TextLevel::Line, TextFace::Italic) => write!(out, "${formula}$"),
            (TextLevel::Line, TextFace::Bold) => write!(out, "\\textbf{{{plain}}}"),
            (TextLevel::Line, TextFace::Regular) => write!(out, "{plain}"),
        };
    }
    // Neighbouring formulas are one.
    out.replace("$$", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_digits_that_count() {
        let shown = |value| plain_number(value, 4);
        let found = [0.0, 1.0, -0.368_355, 13.3226, 28_940.58, 3e7, 2e-9, f64::INFINITY].map(shown);
        assert_eq!(found, ["0", "1", "−0.3684", "13.32", "28941", "3e7", "2e−9", "∞"]);
    }

    #[test]
    fn tables_escape_what_their_format_would_read() {
        let heads = [Text::marked("law"), Text::marked("slip *V*_t (m/s)")];
        let columns = [
            vec![Cell::Words(Text::plain("a|b_c & 50 %")), Cell::None],
            vec![cell(-1.5e-7, 3, &[]), cell(2.0, 3, &[])],
        ];
        let text = markdown(&heads, &[false, true], &columns, 2);
        assert!(text.contains("a\\|b\\_c &amp; 50 %") && text.contains("slip *V*<sub>*t*</sub> (m/s)"), "{text}");
        assert!(text.lines().all(|line| line.starts_with('|') && line.ends_with('|')), "{text}");
        let text = latex(&heads, &[false, true], &columns, 2);
        assert!(text.contains("a|b\\_c \\& 50 \\% & $-1.5\\times 10^{-7}$ \\\\"), "{text}");
        assert!(text.contains("law & slip $V_{t}$ (m/s) \\\\"), "{text}");
    }
}
