//! `[law]` and the material of the contact: the parameters of laws.

use super::Scenario;
use super::fault::Fault;
use super::schema::MATERIAL_KEYS;
use super::table::TableReader;
use carom::Error;
use carom::format::Exact;
use carom::laws::{self, Fallback, Law};
use std::collections::HashSet;
use std::sync::LazyLock;

/// Values of parameters by key.
pub(super) type Parameters = Vec<(&'static str, f64)>;

/// The parameters a table gives.
pub(super) fn read_parameters(table: &TableReader<'_>) -> Parameters {
    let given = table.entries().iter().filter(|entry| entry.is_parameter);
    given.filter_map(|entry| Some((entry.field.key, entry.parameter()?))).collect()
}

/// Whether any law has a parameter of this name.
pub(super) fn is_parameter(key: &str) -> bool {
    static KEYS: LazyLock<HashSet<&'static str>> =
        LazyLock::new(|| laws::every().flat_map(|law| law.parameters).map(|parameter| parameter.key).collect());
    KEYS.contains(key)
}

/// The keys of some parameters, each once.
pub(super) fn keys_of(parameters: impl Iterator<Item = (&'static str, f64)>) -> Vec<&'static str> {
    let mut keys: Vec<&'static str> = parameters.map(|(key, _)| key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Checks that friction is given once: as one coefficient or as a pair.
pub(super) fn check_friction(material: &TableReader<'_>) -> Result<(), Fault> {
    let [both, sticking, slipping] = ["friction", "static_friction", "kinetic_friction"].map(|key| material.entry(key));
    match (both, sticking, slipping) {
        (Some(both), Some(one), _) | (Some(both), None, Some(one)) => {
            Err(Fault::at(one.key_span.clone(), format!("`{}` is given together with `friction`", one.field.key))
                .label("expected `friction` alone, or `static_friction` and `kinetic_friction`")
                .context(both.key_span.clone(), "stands for both"))
        }
        (None, Some(one), None) | (None, None, Some(one)) => {
            let other = if sticking.is_some() { "kinetic_friction" } else { "static_friction" };
            Err(Fault::at(one.key_span.clone(), format!("`{}` is given without `{other}`", one.field.key))
                .label(format!("expected `{other}` too, or `friction` for both")))
        }
        _ => Ok(()),
    }
}

/// Checks that no parameter leads out of the plane of a planar problem.
pub(super) fn check_plane(law: &TableReader<'_>) -> Result<(), Fault> {
    let leaves = |key: &str| laws::every().flat_map(|law| law.parameters).any(|p| p.key == key && p.leaves_plane);
    let fault = law.entries().iter().find(|entry| leaves(entry.field.key) && entry.parameter() != Some(0.0));
    fault.map_or(Ok(()), |entry| {
        Err(Fault::at(entry.span.clone(), format!("`{}` leads out of the plane", entry.field.key))
            .label("expected 0, or nothing, in a planar scenario"))
    })
}

/// The law a table `[law]` names.
pub(super) fn read_law(table: &TableReader<'_>) -> Option<&'static Law> {
    laws::every().nth(table.word("id")?)
}

/// Checks that the law which the file names is one for its contacts and can be bound to the file's parameters.
pub(super) fn check_binding(
    scenario: &Scenario,
    law: &'static Law,
    materials: &[TableReader<'_>],
    table: &TableReader<'_>,
) -> Result<(), Fault> {
    let several = scenario.impact.contacts() > 1;
    let connected = scenario.impact.islands().iter().any(|island| island.len() > 1);
    if connected && !law.is_simultaneous() {
        return Err(Fault::at(table.span_of("id"), format!("law `{}` is for one contact", law.id))
            .label("expected a law for several contacts")
            .help(format!("`id = \"sequential\"` with `single_law = \"{}\"` resolves one contact at a time", law.id)));
    }
    let Err(error) = scenario.bind(law) else {
        return Ok(());
    };
    let entry = |key: &str| materials.iter().chain([table]).find_map(|table| table.entry(key));
    let span_of = |key: &str| entry(key).map_or(table.span_of("id"), |entry| entry.span.clone());
    Err(match error {
        Error::MissingParameter { key, .. } => {
            let key = law.parameters.iter().find(|p| p.key == key).map_or(key, |p| match p.fallback {
                Fallback::SameAs(other) => other,
                _ => key,
            });
            let fault = Fault::at(table.span_of("id"), format!("law `{}` needs `{key}`", law.id));
            let lacking = materials.iter().find(|material| material.entry(key).is_none());
            match lacking.filter(|_| MATERIAL_KEYS.contains(&key)) {
                _ if several => fault.label(format!("expected `{key}` at every contact, or in `[law]`")),
                Some(material) => fault
                    .label(format!("expected `{key}` in {}", material.title()))
                    .context(material.span.clone(), format!("`{key}` is missing here")),
                None => fault
                    .label(format!("expected `{key}` in `[law]`"))
                    .context(table.span.clone(), format!("`{key}` is missing here")),
            }
        }
        Error::OutOfRange { what, value, expected } => {
            let given = materials.iter().chain([table]).filter_map(|table| table.entry(what));
            let entry = given.clone().find(|entry| entry.parameter() == Some(value)).or(given.clone().next());
            let span = entry.map_or(table.span_of("id"), |entry| entry.span.clone());
            Fault::at(span, format!("`{what}` is {}", Exact(value)))
                .label(format!("law `{}`: expected {expected}", law.id))
        }
        Error::InconsistentParameters { expected, .. } => {
            Fault::at(table.span_of("id"), format!("the parameters of law `{}` contradict each other", law.id))
                .label(format!("expected {expected}"))
        }
        Error::SingleFriction { .. } => {
            Fault::at(span_of("kinetic_friction"), format!("law `{}` knows one coefficient of friction only", law.id))
                .label("expected the same as `static_friction`")
                .context(span_of("static_friction"), "differs")
                .help("give `friction` instead of the pair, or choose a law that knows both")
        }
        other => Fault::at(table.span_of("id"), other.to_string()),
    })
}
