//! `[impact]`: the problem given in the contact frames.

use super::fault::Fault;
use super::law::{Parameters, check_friction};
use super::misfit::misfit;
use super::schema::Layout;
use super::table::TableReader;
use carom::Error;
use carom::impact::Impact;
use nalgebra::{DMatrix, DVector};

/// The impact of a table `[impact]`, and the parameters of each contact.
pub(super) fn read_impact(table: &TableReader<'_>) -> Result<(Impact, Vec<Parameters>), Fault> {
    let (mass, velocity) = (table.require("inverse_mass")?, table.require("velocity")?);
    let rows = velocity.values().len();
    let size = mass.values().len().isqrt();
    if size != rows {
        return Err(Fault::at(table.span_of("velocity"), format!("`velocity` has {rows} numbers"))
            .label(format!("expected {size}, as many as `inverse_mass` has rows"))
            .context(table.span_of("inverse_mass"), format!("{size} rows")));
    }
    let count = contact_count(table, rows)?;
    let planar = rows == 2 * count;
    let w = DMatrix::from_row_slice(rows, rows, mass.values());
    let impact = Impact::new(&w, &DVector::from_column_slice(velocity.values()), planar).map_err(|error| {
        let key = if matches!(error, Error::IncompatibleVelocity { .. }) { "velocity" } else { "inverse_mass" };
        misfit(table, key, &error)
    })?;
    check_friction(table)?;
    let mut contacts = vec![Vec::new(); count];
    for entry in table.entries().iter().filter(|entry| !FRAME_KEYS.contains(&entry.field.key)) {
        let Some(numbers) = entry.numbers() else { continue };
        let values = numbers.values();
        if numbers.layout != Layout::Number && values.len() != count {
            let plural = if values.len() == 1 { "" } else { "s" };
            let message = format!("`{}` is a list of {} number{plural}", entry.field.key, values.len());
            return Err(Fault::at(entry.span.clone(), message)
                .label(format!("expected a number for all contacts, or a list of {count}")));
        }
        for (contact, value) in contacts.iter_mut().zip(values.iter().cycle()) {
            contact.push((entry.field.key, *value));
        }
    }
    Ok((impact, contacts))
}

/// Keys of `[impact]` that are no parameters of laws.
const FRAME_KEYS: [&str; 3] = ["inverse_mass", "velocity", "contacts"];

/// The number of contacts to which this number of components belongs.
fn contact_count(table: &TableReader<'_>, rows: usize) -> Result<usize, Fault> {
    let listed = || {
        let lists = table.entries().iter().filter(|entry| !FRAME_KEYS.contains(&entry.field.key));
        lists.filter_map(|entry| Some(entry.numbers()?.values().len())).find(|length| *length > 1)
    };
    let said = table.numbers("contacts").map(|numbers| numbers.first().round() as usize).or_else(listed);
    match (said, rows.is_multiple_of(2), rows.is_multiple_of(3)) {
        (Some(count), ..) if rows == 2 * count || rows == 3 * count => Ok(count),
        (Some(count), ..) => Err(Fault::at(table.span_of("velocity"), format!("`velocity` has {rows} numbers"))
            .label(format!("expected {} or {}, for {count} contacts", 2 * count, 3 * count))),
        (None, true, false) => Ok(rows / 2),
        (None, false, true) => Ok(rows / 3),
        (None, true, true) => Err(Fault::at(table.span.clone(), "planar or spatial?").label(format!(
            "expected `contacts = {}` (planar) or `contacts = {}` (spatial)",
            rows / 2,
            rows / 3
        ))),
        (None, false, false) => Err(Fault::at(table.span_of("velocity"), format!("`velocity` has {rows} numbers"))
            .label("expected 2 (planar) or 3 for each contact")),
    }
}
