//! The catalogue of laws.

use super::single::parameter_value;
use crate::terminal::fit_lines;
use crate::terminal::table as layout;
use carom::laws::{self, Fallback, Guarantees, Law, Parameter, Promise};
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// What a law may promise: the key in JSON, the question in words, the promise.
fn promises(guarantees: &Guarantees) -> [(&'static str, &'static str, Promise); 6] {
    [
        ("energy", "never creates energy", guarantees.energy),
        ("friction", "respects the friction cone", guarantees.friction),
        ("penetration", "never penetrates", guarantees.penetration),
        ("tangential_restitution", "tangential restitution", guarantees.tangential_restitution),
        ("spatial", "spatial collisions", guarantees.spatial),
        ("unique", "unique outcome", guarantees.unique),
    ]
}

fn default(parameter: &Parameter) -> String {
    match parameter.fallback {
        Fallback::Required => "required".to_owned(),
        Fallback::Value(value) => format!("default {}", parameter_value(parameter, value)),
        Fallback::SameAs(other) => format!("default: {other}"),
        Fallback::Derived(how) => format!("default: {how}"),
    }
}

/// All laws: their promises as a table, then name, source and parameters of each.
pub fn law_list() -> String {
    let table = |title, laws: &[Law]| {
        let mut table = layout::ruled();
        table.set_header([title, "energy", "cone", "penetration", "tangential", "3-D", "unique"]);
        for law in laws {
            let answers = promises(&law.guarantees).map(|(_, _, promise)| match promise {
                Promise::Yes => "yes",
                Promise::No => "no",
                Promise::If(_) => "(if)",
            });
            table.add_row(std::iter::once(law.id).chain(answers));
        }
        layout::fitted(&table, &[])
    };
    let mut text = format!(
        "{}\n{}\nenergy: never creates energy. cone: respects the friction cone. penetration: never penetrates. \
         tangential: has tangential restitution. 3-D: spatial collisions. (if): under a condition, which `carom laws ID` \
         shows together with the law's equations.\n",
        table("one contact", laws::ALL),
        table("several contacts", laws::SEVERAL)
    );
    for law in laws::every() {
        let parameters: Vec<String> = law.parameters.iter().map(brief).collect();
        let _ = write!(text, "\n{} ({})\n  {}\n  {}\n", law.name, law.id, law.source, parameters.join("; "));
    }
    fit_lines(&text)
}

/// Key, bounds and default in a few characters.
fn brief(parameter: &Parameter) -> String {
    let default = match parameter.fallback {
        Fallback::Required => String::new(),
        _ => format!(", {}", default(parameter)),
    };
    format!("{} ({}{default})", parameter.key, parameter.range())
}

/// One law in full.
pub fn law_text(law: &Law) -> String {
    let mut text = format!("{} ({})\n{}\n\n{}\n\nEquations\n", law.name, law.id, law.source, law.summary);
    for line in law.equations.lines() {
        let _ = writeln!(text, "  {line}");
    }
    text.push_str("\nParameters\n");
    for parameter in law.parameters {
        let _ = writeln!(
            text,
            "  {:24}{:6}{} ({}; {})",
            parameter.key,
            parameter.symbol,
            parameter.meaning,
            parameter.range(),
            default(parameter)
        );
    }
    text.push_str("\nGuarantees\n");
    for (_, question, promise) in promises(&law.guarantees) {
        let _ = writeln!(text, "  {question:28}{promise}");
    }
    let _ = writeln!(text, "\n{}", law.caveats);
    fit_lines(&text)
}

/// The part of a law's page in the book that the registry knows.
pub fn law_markdown(law: &Law) -> String {
    let mut text = format!("{}\n\n*{}*\n\n```text\n{}\n```\n\n", law.summary, law.source, law.equations);
    text.push_str("| key | symbol | meaning | values | |\n|---|---|---|---|---|\n");
    for parameter in law.parameters {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} |",
            parameter.key,
            parameter.symbol,
            parameter.meaning,
            parameter.range().replace('|', "or"),
            default(parameter)
        );
    }
    text.push_str("\n| guarantee | |\n|---|---|\n");
    for (_, question, promise) in promises(&law.guarantees) {
        let _ = writeln!(text, "| {question} | {promise} |");
    }
    let _ = writeln!(text, "\n{}", law.caveats);
    text
}

/// One law as JSON.
pub fn law_json(law: &Law) -> Value {
    let parameters: Vec<Value> = law
        .parameters
        .iter()
        .map(|parameter| {
            let mut entry = json!({
                "key": parameter.key,
                "symbol": parameter.symbol,
                "meaning": parameter.meaning,
            });
            let extra = match parameter.kind {
                laws::Kind::Number { least, greatest } => {
                    // JSON has no infinity: a missing bound is null.
                    let bound = |x: f64| x.is_finite().then_some(x);
                    json!({"least": bound(least), "greatest": bound(greatest)})
                }
                laws::Kind::Choice(words) => json!({"choices": words}),
            };
            let default = match parameter.fallback {
                Fallback::Required => json!({"required": true}),
                Fallback::Value(value) => match parameter.kind {
                    laws::Kind::Choice(_) => json!({"default": parameter_value(parameter, value)}),
                    laws::Kind::Number { .. } => json!({"default": value}),
                },
                Fallback::SameAs(key) => json!({"default_key": key}),
                Fallback::Derived(how) => json!({"derived": how}),
            };
            if let Value::Object(entry) = &mut entry {
                for more in [extra, default] {
                    if let Value::Object(more) = more {
                        entry.extend(more);
                    }
                }
            }
            entry
        })
        .collect();
    let guarantees: Map<String, Value> = promises(&law.guarantees)
        .map(|(key, _, promise)| {
            let value = match promise {
                Promise::Yes => json!(true),
                Promise::No => json!(false),
                Promise::If(condition) => json!(condition),
            };
            (key.to_owned(), value)
        })
        .into_iter()
        .collect();
    json!({
        "id": law.id,
        "name": law.name,
        "source": law.source,
        "summary": law.summary,
        "equations": law.equations.lines().collect::<Vec<_>>(),
        "caveats": law.caveats,
        "parameters": parameters,
        "guarantees": guarantees,
    })
}

/// All laws as a JSON array.
pub fn laws_json() -> Value {
    laws::every().map(law_json).collect()
}
