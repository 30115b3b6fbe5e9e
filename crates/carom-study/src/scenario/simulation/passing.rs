//! `[[passing]]`: pairs that pass through each other.

use super::bodies::Bodies;
use crate::scenario::contact;
use crate::scenario::fault::{Fault, shown};
use crate::scenario::table::TableReader;
use carom::sim::{BodyId, Passing};

pub(super) fn read_passing(file: &TableReader<'_>, bodies: &Bodies) -> Result<Vec<Passing>, Fault> {
    let mut passing = Vec::new();
    for table in file.tables("passing") {
        let Some([a, b]) = table.pair("between") else { continue };
        let first = contact::find(a, &bodies.names)?;
        let parts: Vec<usize> = (0..bodies.world.len()).filter(|part| bodies.world_names[*part] == b.0).collect();
        let second = if parts.is_empty() { contact::find(b, &bodies.names)? } else { None };
        match (first, second) {
            (Some(first), Some(second)) if first != second => {
                passing.push(Passing::Bodies([first, second].map(BodyId::new)));
            }
            (Some(body), None) if !parts.is_empty() => {
                passing.extend(parts.into_iter().map(|part| Passing::Part { body: BodyId::new(body), part }));
            }
            _ => {
                return Err(Fault::at(b.1.clone(), format!("{} and {} cannot touch anyway", shown(a.0), shown(b.0)))
                    .label("expected two bodies, or a body and a wall or an obstacle"));
            }
        }
    }
    Ok(passing)
}
