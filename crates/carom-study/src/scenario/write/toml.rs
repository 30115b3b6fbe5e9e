//! The text of a TOML file, line by line.

use std::fmt::Write;

/// A text in the making.
#[derive(Default)]
pub(super) struct Text(String);

impl Text {
    /// The header of a table, after an empty line.
    pub fn header(&mut self, header: &str) {
        // Writing to a string never fails.
        let _ = writeln!(self.0, "\n{header}");
    }

    pub fn key(&mut self, key: &str, value: &str) {
        let _ = writeln!(self.0, "{key} = {value}");
    }

    pub fn keys(&mut self, keys: &[(&str, String)]) {
        for (key, value) in keys {
            self.key(key, value);
        }
    }

    /// A key that may have no value.
    pub fn optional(&mut self, key: &str, value: Option<String>) {
        if let Some(value) = value {
            self.key(key, &value);
        }
    }

    /// A list, one item in a line.
    pub fn list(&mut self, key: &str, items: &[String]) {
        self.key(key, &format!("[\n    {},\n]", items.join(",\n    ")));
    }

    pub fn finish(self) -> String {
        self.0
    }
}

/// A number in the fewest digits that read back to the same bits.
pub(in crate::scenario) fn number(x: f64) -> String {
    if x.is_nan() { "nan".to_owned() } else { format!("{x:?}") }
}

/// A list of numbers.
pub(super) fn numbers(all: &[f64]) -> String {
    format!("[{}]", all.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", "))
}

/// An inline table.
pub(super) fn table(keys: &[(&str, String)]) -> String {
    let keys: Vec<String> = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", keys.join(", "))
}

/// A string of one line.
pub(in crate::scenario) fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text, char::is_control))
}

/// A string of one line or several.
pub(super) fn prose(text: &str) -> String {
    if !text.contains('\n') {
        return quoted(text);
    }
    format!("\"\"\"\n{}\"\"\"", escaped(text, |c| c.is_control() && c != '\n'))
}

fn escaped(text: &str, is_hidden: impl Fn(char) -> bool) -> String {
    let escape = |c: char| match c {
        '"' | '\\' => format!("\\{c}"),
        c if is_hidden(c) => format!("\\u{:04X}", u32::from(c)),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}
