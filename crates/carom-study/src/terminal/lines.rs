//! Lines that fit a terminal.

use std::fmt::Write;

/// Columns of a line for people: what every terminal has, wherever the text is read later.
pub const WIDTH: usize = 80;

/// The text of a line that follows a label begins before this column.
const LABEL: usize = 40;

/// A report whose lines fit [`WIDTH`] columns: longer ones are broken between words, and go on below the text that follows their
/// label, or indented by two columns.
pub fn fit_lines(text: &str) -> String {
    let fitted = |line: &str| {
        if line.chars().count() <= WIDTH {
            return line.to_owned();
        }
        let indent = line.chars().take_while(|c| *c == ' ').count();
        wrapped(line, after_label(line, indent).unwrap_or(indent + 2))
    };
    text.lines().map(|line| fitted(line) + "\n").collect()
}

/// The column of the text after a label: after the first two or more spaces that follow a word.
fn after_label(line: &str, indent: usize) -> Option<usize> {
    let columns: Vec<char> = line.chars().take(LABEL).collect();
    let label = (indent..columns.len()).find(|k| columns[*k..].starts_with(&[' ', ' ']))?;
    (label..columns.len()).find(|k| columns[*k] != ' ')
}

/// A line broken between words so that it fits [`WIDTH`] columns; what follows the first is indented. A word longer than that stays
/// whole.
///
/// ```
/// use carom_study::terminal::wrapped;
/// let line = format!("Note          {}", "word ".repeat(20));
/// assert!(wrapped(&line, 14).lines().all(|line| line.chars().count() <= 80));
/// assert!(wrapped(&line, 14).lines().nth(1).unwrap().starts_with("              word"));
/// ```
pub fn wrapped(line: &str, indent: usize) -> String {
    let (head, body) = line.split_at(line.char_indices().nth(indent).map_or(line.len(), |(place, _)| place));
    let spaces = body.len() - body.trim_start_matches(' ').len();
    let mut text = format!("{head}{}", &body[..spaces]);
    let mut column = text.chars().count();
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

/// A text broken between words into lines of at most `columns` columns. A word longer than a line is divided.
pub fn broken(text: &str, columns: usize) -> String {
    let columns = columns.max(1);
    let mut lines = vec![String::new()];
    let mut column = 0;
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for (place, part) in letters.chunks(columns).enumerate() {
            let gap = if place == 0 && column > 0 { " " } else { "" };
            if column + gap.len() + part.len() > columns {
                lines.push(String::new());
                column = 0;
            }
            if let Some(line) = lines.last_mut() {
                if column > 0 {
                    line.push_str(gap);
                    column += gap.len();
                }
                line.extend(part);
                column += part.len();
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::{WIDTH, broken, fit_lines};

    #[test]
    fn texts_are_broken_between_words_and_long_words_are_divided() {
        assert_eq!(broken("one two three", 7), "one two\nthree");
        assert_eq!(broken("one two three", 13), "one two three");
        assert_eq!(broken("a seventeen b", 6), "a\nsevent\neen b");
        assert_eq!(broken("", 6), "");
    }

    #[test]
    fn long_lines_go_on_below_their_text() {
        let words = "word ".repeat(30);
        for (line, indent) in [
            (format!("Status        {words}"), 14),
            (format!("newton: {words}"), 2),
            (format!("no answer: {words}"), 2),
            (format!("  routh  {words}"), 9),
        ] {
            let text = fit_lines(&line);
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
            let second = text.lines().nth(1).unwrap_or_default();
            assert!(second.starts_with(&format!("{:indent$}word", "")), "{text}");
            assert_eq!(text.split_whitespace().collect::<Vec<_>>(), line.split_whitespace().collect::<Vec<_>>());
        }
        assert_eq!(fit_lines("short\n\n  two  lines"), "short\n\n  two  lines\n");
    }
}
