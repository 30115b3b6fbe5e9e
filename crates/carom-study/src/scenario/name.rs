//! Names that can be shown in tables, pictures and on a terminal.

use super::fault::Fault;
use std::ops::Range;

/// Characters of a name or a title, at most: longer ones fit in no table or picture.
pub(super) const LONGEST_NAME: usize = 200;

/// Whether a character can stand in a line of text without changing how the text around it is shown. Control characters, line
/// separators and Unicode's format characters (general category Cf: invisible characters and changes of the direction of writing)
/// cannot.
fn is_printable(c: char) -> bool {
    let is_format = matches!(
        c,
        '\u{ad}'
            | '\u{600}'..='\u{605}'
            | '\u{61c}'
            | '\u{6dd}'
            | '\u{70f}'
            | '\u{890}'..='\u{891}'
            | '\u{8e2}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}'
            | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}'
    );
    !(c.is_control() || is_format || matches!(c, '\u{2028}' | '\u{2029}'))
}

/// The first character of a name that cannot be printed, as its code point.
pub(super) fn unprintable(name: &str) -> Option<String> {
    name.chars().find(|c| !is_printable(*c)).map(|c| format!("U+{:04X}", u32::from(c)))
}

/// The name with a replacement character in place of those that cannot be printed.
pub(super) fn printable(name: &str) -> String {
    name.chars().map(|c| if is_printable(c) { c } else { char::REPLACEMENT_CHARACTER }).collect()
}

/// Refuses a name that is too long or has characters that cannot be printed.
pub(super) fn check_name(key: &str, name: &str, span: Range<usize>) -> Result<(), Fault> {
    if let Some(code) = unprintable(name) {
        return Err(Fault::at(span, format!("this `{key}` has a character that cannot be printed: {code}"))
            .label("expected one line of visible characters"));
    }
    let length = name.chars().count();
    if length <= LONGEST_NAME {
        return Ok(());
    }
    Err(Fault::at(span, format!("this `{key}` has {length} characters"))
        .label(format!("expected at most {LONGEST_NAME} characters")))
}

#[cfg(test)]
mod tests {
    use super::{check_name, printable, unprintable};

    #[test]
    fn control_and_format_characters_are_refused() {
        for (name, code) in [
            ("a\u{202e}b", "U+202E"),
            ("a\u{200b}b", "U+200B"),
            ("\u{feff}ball", "U+FEFF"),
            ("soft\u{ad}hyphen", "U+00AD"),
            ("two\nlines", "U+000A"),
            ("tag\u{e0041}", "U+E0041"),
            ("\u{2066}isolate", "U+2066"),
        ] {
            assert_eq!(unprintable(name).as_deref(), Some(code), "{name:?}");
            let fault = check_name("title", name, 3..9).unwrap_err();
            assert!(fault.message.contains(code) && fault.span == Some(3..9), "{fault:?}");
        }
    }

    #[test]
    fn letters_of_any_script_are_kept() {
        for name in ["ball", "Ganzzahl–μ ²", "مثال", "球", "e\u{301}", "10\u{a0}kg"] {
            assert_eq!(unprintable(name), None, "{name:?}");
            assert_eq!(printable(name), name);
        }
        assert_eq!(printable("a\u{202e}b"), "a\u{fffd}b");
    }
}
