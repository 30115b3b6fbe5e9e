//! `[[joint]]`: the joints between bodies.

use super::contact::read_pair;
use super::fault::Fault;
use super::misfit::misfit;
use super::numbers::Numbers;
use super::scene::NamedJoint;
use super::schema::JOINT_KINDS;
use super::table::TableReader;
use carom::Dimension;
use carom::Error;
use carom::impact::Joint;
use nalgebra::Vector3;

/// A joint between two of the named bodies.
pub(super) fn read_joint(table: &TableReader<'_>, names: &[String], dimension: Dimension) -> Result<NamedJoint, Fault> {
    let (between, [a, b]) = read_pair(table, names)?;
    let point = table.require("point")?.vector();
    let axis = table.numbers("axis").map(Numbers::vector);
    let kind = table.word("kind").and_then(|place| JOINT_KINDS.get(place).copied()).unwrap_or_default();
    let axis = || match (axis, dimension, kind) {
        (_, Dimension::Planar, "revolute") => Ok(Vector3::z()),
        (Some(axis), ..) => Ok(axis),
        (None, ..) => Err(Fault::at(table.span.clone(), format!("a {kind} joint needs an `axis`"))
            .label("expected `axis`, a direction")),
    };
    let refused = |error: Error| misfit(table, "axis", &error);
    let joint = match kind {
        "spherical" => Joint::spherical(a, b, point),
        "prismatic" => Joint::prismatic(a, b, point, &axis()?).map_err(refused)?,
        "fixed" => Joint::fixed(a, b, point),
        "universal" if dimension == Dimension::Planar => {
            Joint::revolute(a, b, point, &Vector3::z()).map_err(refused)?
        }
        "universal" => Joint::universal(a, b, point, &axis()?).map_err(refused)?,
        "planar" if dimension == Dimension::Planar => Joint::slot(a, b, point, &axis()?).map_err(refused)?,
        "planar" => Joint::planar(a, b, point, &axis()?).map_err(refused)?,
        _ => Joint::revolute(a, b, point, &axis()?).map_err(refused)?,
    };
    let name = table.text("name").map_or_else(|| between.join("–"), str::to_owned);
    Ok(NamedJoint { name, between, joint })
}

/// The fault of bodies that joints hold, at its place in the file.
pub(super) fn held_fault(error: Error, joints: &[TableReader<'_>], contact: Option<&TableReader<'_>>) -> Fault {
    match (error, contact) {
        (Error::MovingJoint { joint, velocity }, _) => {
            let span = joints.get(joint).map_or(0..0, |table| table.span.clone());
            Fault::at(span, "the bodies move against each other where this joint holds them")
                .label(format!("by {velocity:.6} m/s (or rad/s); expected velocities that the joint allows"))
        }
        (Error::ImmovableAlongNormal, Some(contact)) => {
            Fault::at(contact.span.clone(), "nothing can move along the normal of a contact")
                .label("expected bodies that the joints leave free there")
        }
        (other, _) => Fault::of_the_file(other.to_string()),
    }
}
