//! Errors of the mechanics, reported at the numbers that caused them.

use super::fault::Fault;
use super::table::TableReader;
use carom::Error;
use carom::format::{Digits, Exact};

/// The fault of a key whose value the mechanics refuses.
pub(super) fn misfit(table: &TableReader<'_>, key: &str, error: &Error) -> Fault {
    let span = table.span_of(key);
    match error {
        Error::NotSymmetric { entry: (row, column), values, .. } => {
            let mirrored = (*column, *row);
            let entry_span = |entry| table.numbers(key).and_then(|numbers| numbers.entry_span(entry));
            let fault = Fault::at(entry_span((*row, *column)).unwrap_or(span), format!("`{key}` is not symmetric"))
                .label(format!("entry ({}, {}) is {}", row + 1, column + 1, Exact(values.0)));
            let other = format!("entry ({}, {}) is {}", column + 1, row + 1, Exact(values.1));
            match entry_span(mirrored) {
                Some(span) => fault.context(span, other),
                None => fault.help(other),
            }
        }
        Error::NotPositive { eigenvalue, .. } => {
            Fault::at(span, format!("`{key}` has the eigenvalue {}", Digits(*eigenvalue))).label(if key == "inertia" {
                "expected three positive principal moments"
            } else {
                "expected no negative eigenvalue"
            })
        }
        Error::TriangleInequality { moments: [a, b, c] } => {
            Fault::at(span, format!("no body has the principal moments {}, {}, {}", Digits(*a), Digits(*b), Digits(*c)))
                .label(format!("expected the largest to be at most {}", Digits(a + b)))
                .help("the largest moment of inertia never exceeds the sum of the other two")
        }
        Error::ZeroDirection { .. } => {
            Fault::at(span, format!("`{key}` has zero length")).label("expected a direction")
        }
        Error::TangentAlongNormal => Fault::at(span, format!("`{key}` is parallel to `normal`"))
            .label("expected any other direction")
            .context(table.span_of("normal"), "the normal"),
        Error::ImmovableAlongNormal => Fault::at(span, "nothing can move along the normal")
            .label("expected at least one body that an impulse along the normal moves"),
        Error::IncompatibleVelocity { fraction } => Fault::at(
            span,
            format!("{} % of `{key}` lies along a direction that can never move", Digits(100.0 * fraction)),
        )
        .label("expected a velocity that the singular inverse mass allows")
        .help("a singular `inverse_mass` is a constraint; `velocity` must be `inverse_mass` times some vector"),
        other => Fault::at(span, other.to_string()),
    }
}
