//! The format as a JSON Schema, for editors that complete and check TOML.

use super::{Bounds, Field, Form, Kind, Layout, Need, TOP, Table};
use serde_json::{Map, Value, json};

/// The format of a scenario file as a JSON Schema (draft 2020-12).
///
/// ```
/// let schema = carom_study::scenario::json_schema();
/// assert_eq!(schema["properties"]["title"]["type"], "string");
/// ```
pub fn json_schema() -> Value {
    let mut schema = table(&TOP);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Carom scenario");
    let alone = |key: &str| {
        let others = ["body", "contact", "collision", "impact"].into_iter().filter(|other| *other != key);
        let others: Vec<_> = others.map(|other| json!({ "required": [other] })).collect();
        json!({ "required": [key], "not": { "anyOf": others } })
    };
    let neither = json!({ "anyOf": [{ "required": ["collision"] }, { "required": ["impact"] }] });
    schema["oneOf"] = json!([
        { "required": ["body"], "not": neither },
        alone("collision"),
        alone("impact"),
    ]);
    schema
}

fn table(table: &Table) -> Value {
    let properties: Map<_, _> = table.fields.iter().map(|f| (f.key.to_owned(), field(f))).collect();
    let required: Vec<_> = table.fields.iter().filter(|f| f.need == Need::Required).map(|f| f.key).collect();
    let mut schema = json!({
        "type": "object",
        "description": table.doc,
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if table.exactly_one {
        schema["minProperties"] = json!(1);
        schema["maxProperties"] = json!(1);
    }
    schema
}

fn field(field: &Field) -> Value {
    let mut schema = match &field.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Word(words) => json!({ "enum": words }),
        Kind::Words(words) => json!({ "type": "array", "items": { "enum": words }, "minItems": 2, "maxItems": 2 }),
        Kind::Pair => json!({ "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 2 }),
        Kind::Numbers(forms) => match &forms[..] {
            [form] => numbers(form),
            forms => json!({ "anyOf": forms.iter().map(numbers).collect::<Vec<_>>() }),
        },
        Kind::Table(inner) => table(inner),
        Kind::Tables(inner) => json!({ "type": "array", "items": table(inner) }),
    };
    let unit = if field.unit.is_empty() { String::new() } else { format!(" Unit: {}.", field.unit) };
    schema["description"] = json!(format!("{}{unit}", field.doc));
    schema
}

fn numbers(form: &Form) -> Value {
    let list =
        |item: Value, length: usize| json!({ "type": "array", "items": item, "minItems": length, "maxItems": length });
    let number = number(&form.bounds);
    match form.layout {
        Layout::Number => number,
        Layout::List(length) => list(number, length),
        Layout::Row => json!({ "type": "array", "items": number, "minItems": 1 }),
        Layout::Square => {
            let row = json!({ "type": "array", "items": number });
            json!({ "type": "array", "items": row, "minItems": 2 })
        }
        Layout::Matrix(size) => list(list(number, size), size),
        Layout::Rows(columns) => json!({ "type": "array", "items": list(number, columns), "minItems": 1 }),
        Layout::Rectangle(rows, columns) => list(list(number, columns), rows),
    }
}

fn number(bounds: &Bounds) -> Value {
    let mut schema = json!({ "type": "number" });
    if bounds.least.is_finite() {
        schema[if bounds.above { "exclusiveMinimum" } else { "minimum" }] = json!(bounds.least);
    }
    if bounds.greatest < f64::MAX {
        schema["maximum"] = json!(bounds.greatest);
    }
    schema
}
