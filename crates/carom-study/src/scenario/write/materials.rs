//! The law, the materials and their pairs.

use super::toml::{Text, number, quoted};
use super::{Unwritable, Writer, inexpressible};
use crate::scenario::numbers::is_friction;
use crate::scenario::schema::takes;
use crate::scenario::simulation::LAW;
use carom::laws::{self, Kind, Law};
use carom::sim::MaterialId;

impl Writer<'_> {
    /// The law, and its parameters that belong to no material.
    pub(super) fn law(&self, text: &mut Text) -> Result<(), Unwritable> {
        let law = self.scenario.law;
        text.header("[law]");
        match (law.id, self.scenario.lowers_restitution) {
            // The law of a file that names none is lowered.
            (LAW, true) => {}
            (id, false) => text.key("id", &quoted(id)),
            (id, true) => {
                return Err(inexpressible(
                    format!("law `{id}` with restitution that is lowered"),
                    "only `newton-lcp` is",
                ));
            }
        }
        let count = self.scene.materials().count().max(1);
        for parameter in keys().filter(|parameter| !takes("[[pair]]", parameter.0)) {
            let (key, kind) = parameter;
            let mut values = pairs(count).map(|[a, b]| self.scene.materials().parameter(a, b, key));
            let first = values.next().flatten();
            if values.any(|value| value != first) {
                return Err(inexpressible(format!("`{key}`"), "it differs between pairs of materials"));
            }
            text.optional(key, first.map(|value| written(kind, value)));
        }
        Ok(())
    }

    pub(super) fn materials(&self, text: &mut Text) -> Result<(), Unwritable> {
        let materials = self.scene.materials();
        let names = self.material_names();
        let own = |a: MaterialId, b: MaterialId| -> Result<Vec<(&'static str, String)>, Unwritable> {
            let value = |key: &str| materials.parameter(a, b, key);
            let of_pair = keys().filter(|(key, _)| takes("[[pair]]", key) && !is_friction(key));
            let mut parameters: Vec<(&str, String)> =
                of_pair.filter_map(|(key, kind)| Some((key, written(kind, value(key)?)))).collect();
            let [either, sticking, slipping] = ["friction", "static_friction", "kinetic_friction"].map(value);
            if either.is_some() && either == sticking && either == slipping {
                parameters.extend(either.map(|friction| ("friction", number(friction))));
                return Ok(parameters);
            }
            if either.is_some() && asks_for_friction(self.scenario.law) {
                let what = format!("friction between {} and {}", quoted(&names[a.index()]), quoted(&names[b.index()]));
                return Err(inexpressible(
                    what,
                    "the law takes one coefficient, and static or kinetic friction is another",
                ));
            }
            let pair = [("static_friction", sticking), ("kinetic_friction", slipping)];
            parameters.extend(pair.into_iter().filter_map(|(key, value)| Some((key, number(value?)))));
            Ok(parameters)
        };
        // A single material is that of everything, and what it makes of itself; but its stiffness would be halved.
        let first = MaterialId::default();
        let alone = materials.count() == 1 && materials.parameter(first, first, "stiffness").is_none();
        for name in &names {
            text.header("[[material]]");
            text.key("name", &quoted(name));
            if alone {
                text.keys(&own(first, first)?);
            }
        }
        for [a, b] in pairs(if alone { 0 } else { materials.count() }) {
            let parameters = own(a, b)?;
            if !parameters.is_empty() {
                text.header("[[pair]]");
                text.key("between", &format!("[{}, {}]", quoted(&names[a.index()]), quoted(&names[b.index()])));
                text.keys(&parameters);
            }
        }
        Ok(())
    }
}

/// All keys of parameters of laws, each once.
pub(super) fn keys() -> impl Iterator<Item = (&'static str, Kind)> {
    let mut known: Vec<&str> = Vec::new();
    laws::every().flat_map(|law| law.parameters).filter_map(move |parameter| {
        let is_new = !known.contains(&parameter.key);
        known.push(parameter.key);
        is_new.then_some((parameter.key, parameter.kind))
    })
}

/// The value of a parameter as it stands in a file.
fn written(kind: Kind, value: f64) -> String {
    match kind {
        Kind::Choice(words) => quoted(words.get(value as usize).copied().unwrap_or_default()),
        Kind::Number { .. } => number(value),
    }
}

pub(super) fn asks_for_friction(law: &Law) -> bool {
    law.parameters.iter().any(|parameter| parameter.key == "friction")
}

/// Pairs of this many materials, each once.
pub(super) fn pairs(count: usize) -> impl Iterator<Item = [MaterialId; 2]> {
    (0..count).flat_map(move |a| (a..count).map(move |b| [a, b].map(MaterialId::new)))
}
