//! Names that can be shown in tables, pictures and on a terminal.

use super::fault::Fault;
use std::ops::Range;

/// Characters of a name or a title, at most: longer ones fit in no table or picture.
pub(super) const LONGEST_NAME: usize = 200;

/// Whether a name stays on one line and leaves the text around it as it is: without control characters, line separators and characters that
/// change the direction of writing.
pub(super) fn is_showable(name: &str) -> bool {
    !name.chars().any(|c| {
        c.is_control()
            || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    })
}

/// Refuses a name that is too long.
pub(super) fn check_length(key: &str, name: &str, span: Range<usize>) -> Result<(), Fault> {
    let length = name.chars().count();
    if length <= LONGEST_NAME {
        return Ok(());
    }
    Err(Fault::at(span, format!("this `{key}` has {length} characters"))
        .label(format!("expected at most {LONGEST_NAME} characters")))
}
