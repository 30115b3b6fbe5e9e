//! `[[body]]`, `[[contact]]` and `[[joint]]` together: a scene.

use super::body::{GROUND, read_body, read_names};
use super::fault::{Fault, listed, shown};
use super::files::Files;
use super::joint::read_joint;
use super::misfit::misfit;
use super::numbers::Numbers;
use super::scene::{NamedContact, Scene};
use super::schema::Layout;
use super::suggest::nearest;
use super::table::{Entry, TableReader};
use carom::impact::Contact;
use carom::{Body, ContactFrame, Dimension, Error};
use std::ops::Range;

/// Where two of the named bodies touch.
fn read_contact(contact: &TableReader<'_>, names: &[String], dimension: Dimension) -> Result<NamedContact, Fault> {
    let (between, [a, b]) = read_pair(contact, names)?;
    let (point, frame) = (contact.require("point")?.vector(), read_frame(contact, dimension)?);
    Ok(NamedContact { between, contact: Contact { a, b, point, frame } })
}

/// The scene of a file's bodies, contacts and joints.
pub(super) fn read_scene(
    bodies: &[TableReader<'_>],
    contacts: &[TableReader<'_>],
    joints: &[TableReader<'_>],
    files: &Files,
) -> Result<Scene, Fault> {
    let names = read_names(bodies)?;
    let dimension = agreed_dimension(bodies.iter().chain(contacts).chain(joints))?;
    let read: Result<Vec<Body>, Fault> = bodies.iter().map(|body| read_body(body, dimension, files)).collect();
    let touching: Vec<NamedContact> =
        contacts.iter().map(|contact| read_contact(contact, &names, dimension)).collect::<Result<_, _>>()?;
    let read = read?;
    let joints = joints.iter().map(|joint| read_joint(joint, &names, dimension)).collect::<Result<_, _>>()?;
    for (table, named) in contacts.iter().zip(&touching) {
        check_movable(table, &named.contact, &read)?;
    }
    Ok(Scene { bodies: names.into_iter().zip(read).collect(), contacts: touching, joints, dimension })
}

/// Refuses a contact that nothing can move, at its place.
fn check_movable(table: &TableReader<'_>, contact: &Contact, bodies: &[Body]) -> Result<(), Fault> {
    let normal = contact.frame.normal();
    let gives = |place: Option<usize>| {
        let body = place.and_then(|place| bodies.get(place));
        body.is_some_and(|body| normal.dot(&(body.inverse_mass_at(&contact.point) * normal)) > 0.0)
    };
    if gives(contact.a) || gives(contact.b) {
        Ok(())
    } else {
        Err(misfit(table, "between", &Error::ImmovableAlongNormal))
    }
}

/// Whether the problem is planar or spatial. Most entries decide, so that the odd one out is the one reported.
pub(super) fn agreed_dimension<'r, 'a: 'r>(
    tables: impl Iterator<Item = &'r TableReader<'a>>,
) -> Result<Dimension, Fault> {
    let telling = tables.flat_map(TableReader::entries).filter(|entry| entry.dimension().is_some());
    let (planar, spatial): (Vec<&Entry<'_>>, Vec<_>) =
        telling.partition(|entry| entry.dimension() == Some(Dimension::Planar));
    let (dimension, many, other, few) = if spatial.len() > planar.len() {
        (Dimension::Spatial, spatial, Dimension::Planar, planar)
    } else {
        (Dimension::Planar, planar, Dimension::Spatial, spatial)
    };
    let is_list = |entry: &&&Entry<'_>| entry.numbers().is_some_and(|n| matches!(n.layout, Layout::List(_)));
    match (few.first(), many.iter().find(is_list).or(many.first())) {
        (Some(odd), Some(even)) => {
            Err(Fault::at(odd.span.clone(), format!("`{}` is {other}, but the rest is {dimension}", odd.field.key))
                .label(format!("{other}: {}", size(odd)))
                .context(even.span.clone(), format!("{dimension}: {}", size(even)))
                .help(
                    "in the plane vectors are 2 numbers and turning is 1; in space vectors are 3 numbers, turning is 3 \
                     and an orientation 4",
                ))
        }
        _ => Ok(dimension),
    }
}

fn size(entry: &Entry<'_>) -> String {
    match entry.numbers().map(|numbers| numbers.layout) {
        Some(Layout::List(length)) => format!("{length} numbers"),
        Some(Layout::Matrix(size)) => format!("{size} rows of {size} numbers"),
        Some(Layout::Rectangle(rows, columns)) => format!("{rows} rows of {columns} numbers"),
        Some(Layout::Square | Layout::Rows(_)) => "rows of numbers".to_owned(),
        Some(Layout::Row) => "a list of numbers".to_owned(),
        Some(Layout::Number) | None => "1 number".to_owned(),
    }
}

pub(super) fn read_pair(
    contact: &TableReader<'_>,
    names: &[String],
) -> Result<([String; 2], [Option<usize>; 2]), Fault> {
    let Some([a, b]) = contact.pair("between") else {
        return Err(Fault::at(contact.span.clone(), "there is no `between`"));
    };
    let places = [find(a, names)?, find(b, names)?];
    if a.0 == b.0 {
        let message = if places[0].is_some() {
            format!("body {} is paired with itself", shown(a.0))
        } else {
            "the ground is paired with itself".to_owned()
        };
        return Err(Fault::at(b.1.clone(), message).label("expected another body"));
    }
    Ok(([a.0.to_owned(), b.0.to_owned()], places))
}

pub(super) fn find((name, span): &(&str, Range<usize>), names: &[String]) -> Result<Option<usize>, Fault> {
    if *name == GROUND {
        return Ok(None);
    }
    let place = names.iter().position(|known| known == name);
    place.map(Some).ok_or_else(|| {
        let known = || names.iter().map(String::as_str).chain([GROUND]);
        let label = match nearest(name, known()) {
            Some(near) => format!("did you mean {}?", shown(near)),
            None => "expected the name of a body".to_owned(),
        };
        // A file may hold thousands of bodies; the first few show what names look like.
        let help = format!("bodies: {}", listed(known().take(10)));
        Fault::at(span.clone(), format!("there is no body {}", shown(name))).label(label).help(help)
    })
}

fn read_frame(contact: &TableReader<'_>, dimension: Dimension) -> Result<ContactFrame, Fault> {
    let normal = contact.require("normal")?;
    match dimension {
        Dimension::Planar => ContactFrame::planar(normal.array()).map_err(|error| misfit(contact, "normal", &error)),
        Dimension::Spatial => {
            let normal = normal.vector();
            ContactFrame::spatial(&normal, None).map_err(|error| misfit(contact, "normal", &error))?;
            let tangent = contact.numbers("tangent").map(Numbers::vector);
            ContactFrame::spatial(&normal, tangent.as_ref()).map_err(|error| misfit(contact, "tangent", &error))
        }
    }
}
