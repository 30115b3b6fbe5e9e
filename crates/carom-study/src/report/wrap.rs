//! Lines that fit a terminal.

use std::fmt::Write;

/// Columns of a line for people: what every terminal has, wherever the text is read later.
pub const WIDTH: usize = 80;

/// Column at which the text of a labelled line begins.
const TEXT: usize = 14;
const LABELS: [&str; 8] =
    ["Energy ", "Vibration ", "Rigidity ", "Restitution ", "Course ", "Works ", "Audit ", "Note "];

/// A report whose labelled lines fit [`WIDTH`] columns. Tables stay as they are.
pub(super) fn wrap_labelled(text: &str) -> String {
    let fitted = |line: &str| {
        let labelled = LABELS.iter().any(|label| line.starts_with(label));
        if labelled { wrapped(line, TEXT) } else { line.to_owned() }
    };
    text.lines().map(|line| fitted(line) + "\n").collect()
}

/// A line broken between words so that it fits [`WIDTH`] columns; what follows the first is indented. A word longer than that stays
/// whole.
///
/// ```
/// use carom_study::report::wrapped;
/// let line = format!("Note          {}", "word ".repeat(20));
/// assert!(wrapped(&line, 14).lines().all(|line| line.chars().count() <= 80));
/// assert!(wrapped(&line, 14).lines().nth(1).unwrap().starts_with("              word"));
/// ```
pub fn wrapped(line: &str, indent: usize) -> String {
    let (head, body) = line.split_at(line.char_indices().nth(indent).map_or(line.len(), |(place, _)| place));
    let mut text = head.to_owned();
    let mut column = head.chars().count();
    let mut first = true;
    for word in body.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        if !first && column + 1 + length > WIDTH {
            let _ = write!(text, "\n{:indent$}{word}", "");
            column = indent + length;
        } else {
            let gap = if first { "" } else { " " };
            let _ = write!(text, "{gap}{word}");
            column += gap.len() + length;
        }
        first = false;
    }
    text.trim_end().to_owned()
}
