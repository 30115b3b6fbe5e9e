//! What was measured of a law.

use super::single::parameter_value;
use crate::terminal::fit_lines;
use crate::terminal::number::number;
use carom::BoundLaw;
use carom::laws::Kind;
use carom::properties::Properties;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// Measured properties for people.
pub fn properties_text(law: &BoundLaw, properties: &Properties) -> String {
    let parameters: Vec<String> = law
        .law()
        .parameters
        .iter()
        .zip(law.values(0))
        .filter(|(_, value)| !value.is_nan())
        .map(|(parameter, value)| format!("{} {}", parameter.key, parameter_value(parameter, *value)))
        .collect();
    let mut text = format!(
        "Measured on {} sampled collisions ({} more it does not apply to)\n  with {}\n",
        properties.resolved,
        properties.refused,
        parameters.join(", ")
    );
    let degree = |degree: Option<f64>| {
        degree.map_or_else(|| "not homogeneous".to_owned(), |degree| format!("degree {}", number(degree, 1.0)))
    };
    let share = |value: f64, of: &str| match value {
        0.0 => "none".to_owned(),
        value => format!("{} {of}", number(100.0 * value, 0.0)),
    };
    let excess = match properties.friction_excess {
        0.0 => "none".to_owned(),
        excess => format!("{} in |P_t|/P_n", number(excess, 0.0)),
    };
    let mut rows = vec![
        ("impulse in velocity", degree(properties.homogeneity.in_velocity)),
        ("velocity after in mass", degree(properties.homogeneity.in_mass)),
        ("largest energy gain", share(properties.energy_gain, "% of the energy at stake")),
        ("largest friction excess", excess),
        ("largest penetration", share(properties.penetration, "% of the speed of approach")),
    ];
    if let Some(effort) = properties.evaluations {
        rows.push(("evaluations per collision", format!("{:.0} on average, {} at most", effort.mean, effort.most)));
    }
    for (name, value) in rows {
        let _ = writeln!(text, "  {name:28}{value}");
    }
    fit_lines(&text)
}

/// Measured properties as JSON. A degree is null where there is no one degree.
pub fn properties_json(law: &BoundLaw, properties: &Properties) -> Value {
    let parameters: Map<String, Value> = law
        .law()
        .parameters
        .iter()
        .zip(law.values(0))
        .map(|(parameter, value)| {
            let value = match parameter.kind {
                Kind::Choice(_) => json!(parameter_value(parameter, *value)),
                // A parameter that the law works out is NaN, which JSON shows as null.
                Kind::Number { .. } => json!(value),
            };
            (parameter.key.to_owned(), value)
        })
        .collect();
    json!({
        "parameters": parameters,
        "resolved": properties.resolved,
        "refused": properties.refused,
        "degree_in_velocity": properties.homogeneity.in_velocity,
        "degree_in_mass": properties.homogeneity.in_mass,
        "energy_gain": properties.energy_gain,
        "friction_excess": properties.friction_excess,
        "penetration": properties.penetration,
        "evaluations": properties.evaluations.map(|effort| json!({"mean": effort.mean, "most": effort.most})),
    })
}
