//! Parameters that a file gives and a law does not use.

use carom::laws::{self, Fallback, Law};

/// Laws that are named in a note; `carom laws` has the others.
const NAMED: usize = 8;

/// A note about a parameter that the law does not use, with laws that do; nothing where it does.
///
/// ```
/// use carom_study::unused_parameter;
///
/// let law = carom::laws::find("newton-lcp").unwrap();
/// assert_eq!(unused_parameter(law, "friction"), None);
/// let note = unused_parameter(law, "tangential_restitution").unwrap();
/// assert!(note.starts_with("law newton-lcp does not use `tangential_restitution`; laws that do: bilinear, "));
/// ```
pub fn unused_parameter(law: &'static Law, key: &str) -> Option<String> {
    if uses(law, key) {
        return None;
    }
    let users: Vec<&str> = laws::every().filter(|law| has(law, key)).map(|law| law.id).collect();
    let named = users[..users.len().min(NAMED)].join(", ");
    let more = match users.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!("law {} does not use `{key}`; laws that do: {named}{more}", law.id))
}

/// Whether a law uses a parameter, by itself or as the law of single impacts: one for a single contact resolves several by `sequential`, which
/// has parameters of its own.
fn uses(law: &'static Law, key: &str) -> bool {
    has(law, key) || !law.is_simultaneous() && laws::find("sequential").is_ok_and(|sequential| has(sequential, key))
}

/// Whether a law has a parameter. A law of one coefficient of friction takes it from a pair of equal ones, and the reverse.
fn has(law: &Law, key: &str) -> bool {
    let is_friction = |key: &str| matches!(key, "friction" | "static_friction" | "kinetic_friction");
    law.parameters.iter().any(|p| {
        p.key == key
            || is_friction(p.key) && is_friction(key)
            || matches!(p.fallback, Fallback::SameAs(other) if other == key)
    })
}
