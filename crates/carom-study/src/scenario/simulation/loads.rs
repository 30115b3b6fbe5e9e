//! Springs, strings, motors, forces and torques.

use super::bodies::Bodies;
use super::joints::Joints;
use super::place_of;
use crate::scenario::contact::read_pair;
use crate::scenario::fault::Fault;
use crate::scenario::numbers::Numbers;
use crate::scenario::table::TableReader;
use carom::sim::{Anchor, BodyId, JointId, JointKind, Load, SceneString, Signal};
use nalgebra::Vector3;

pub(super) fn read_loads(
    file: &TableReader<'_>,
    bodies: &Bodies,
    joints: &Joints,
) -> Result<(Vec<Load>, Vec<SceneString>), Fault> {
    // Forces are summed in the order of the file.
    let mut loads: Vec<(usize, Load)> = Vec::new();
    let mut push = |table: &TableReader<'_>, load: Load| loads.push((table.span.start, load));
    for spring in file.tables("spring") {
        let ([a, b], distance) = read_ends(spring, bodies)?;
        let (stiffness, damping) = (number_or(spring, "stiffness", 0.0), number_or(spring, "damping", 0.0));
        let rest_length = number_or(spring, "rest_length", distance);
        push(spring, Load::Spring { a, b, stiffness, damping, rest_length });
    }
    for spring in file.tables("torsion_spring") {
        let joint = read_driven(spring, joints, &[JointKind::Revolute])?;
        let (stiffness, damping) = (number_or(spring, "stiffness", 0.0), number_or(spring, "damping", 0.0));
        let rest_angle = number_or(spring, "rest_angle", 0.0);
        push(spring, Load::TorsionSpring { joint, stiffness, damping, rest_angle });
    }
    for motor in file.tables("motor") {
        let joint = read_driven(motor, joints, &[JointKind::Revolute, JointKind::Prismatic])?;
        let (effort, signal) = (motor.require("effort")?.first(), read_signal(motor)?);
        let effort = Signal { offset: effort * signal.offset, amplitude: effort * signal.amplitude, ..signal };
        push(motor, Load::Motor { joint, effort });
    }
    for force in file.tables("force") {
        let body = BodyId::new(place_of(force, "body", &bodies.names, "body")?);
        let mut at = anchor(force, "point", Some(body), bodies)?;
        if let Some(point) = force.numbers("anchor") {
            at.point = point.vector();
        }
        push(force, Load::Force { at, force: force.require("force")?.vector(), signal: read_signal(force)? });
    }
    for torque in file.tables("torque") {
        let body = BodyId::new(place_of(torque, "body", &bodies.names, "body")?);
        push(torque, Load::Torque { body, torque: torque.require("torque")?.spin(), signal: read_signal(torque)? });
    }
    loads.sort_by_key(|(start, _)| *start);
    let loads = loads.into_iter().map(|(_, load)| load).collect();
    let strings = file.tables("string").iter().map(|table| read_string(table, bodies)).collect::<Result<_, _>>()?;
    Ok((loads, strings))
}

fn read_string(table: &TableReader<'_>, bodies: &Bodies) -> Result<SceneString, Fault> {
    /// A string that is longer than its length by rounding is taut.
    const ROUNDING: f64 = 1e-9;
    let ([a, b], distance) = read_ends(table, bodies)?;
    let length = number_or(table, "length", distance);
    if distance > length * (1.0 + ROUNDING) {
        return Err(Fault::at(
            table.span_of("length"),
            format!("`length` is {length} m, but the ends are {distance} m apart"),
        )
        .label("expected at least their distance"));
    }
    if length <= 0.0 {
        return Err(
            Fault::at(table.span.clone(), "the ends of this string are at one point").label("expected a `length`")
        );
    }
    Ok(SceneString { a, b, length, restitution: table.numbers("restitution").map(Numbers::first) })
}

/// The ends of a spring or string, and how far they are apart.
fn read_ends(table: &TableReader<'_>, bodies: &Bodies) -> Result<([Anchor; 2], f64), Fault> {
    let (_, ends) = read_pair(table, &bodies.names)?;
    let [a, b] = ends.map(|body| body.map(BodyId::new));
    let (mut a, mut b) = (anchor(table, "from", a, bodies)?, anchor(table, "to", b, bodies)?);
    if let Some([on_a, on_b]) = read_anchors(table) {
        (a.point, b.point) = (on_a, on_b);
    }
    let place = |anchor: &Anchor| bodies.state(anchor.body).pose.point(&anchor.point);
    Ok(([a, b], (place(&a) - place(&b)).norm()))
}

/// A point on A and one on B, if they are given in the axes of the bodies.
pub(super) fn read_anchors(table: &TableReader<'_>) -> Option<[Vector3<f64>; 2]> {
    let anchors = table.numbers("anchors")?;
    let columns = anchors.values().len() / 2;
    let row = |row: usize| {
        let numbers = anchors.values().iter().skip(row * columns).take(columns).copied();
        Vector3::from_iterator(numbers.chain([0.0; 3]).take(3))
    };
    Some([row(0), row(1)])
}

/// A point of the world at the start as a place on a body; left out, it is the centre of mass.
fn anchor(table: &TableReader<'_>, key: &str, body: Option<BodyId>, bodies: &Bodies) -> Result<Anchor, Fault> {
    let pose = bodies.state(body).pose;
    let point = match (table.numbers(key), body) {
        (Some(point), _) => pose.orientation.inverse_transform_vector(&(point.vector() - pose.position)),
        (None, Some(_)) => Vector3::zeros(),
        (None, None) => {
            return Err(Fault::at(table.span.clone(), format!("the end on the ground has no `{key}`"))
                .label(format!("expected `{key}`: the ground has no centre of mass")));
        }
    };
    Ok(Anchor { body, point })
}

/// The joint that a table drives, of a kind that can be driven.
fn read_driven(table: &TableReader<'_>, joints: &Joints, kinds: &[JointKind]) -> Result<JointId, Fault> {
    let place = place_of(table, "joint", &joints.names, "joint")?;
    if kinds.contains(&joints.joints[place].kind) {
        return Ok(JointId::new(place));
    }
    let words = if kinds.len() > 1 { "a revolute or prismatic joint" } else { "a revolute joint" };
    Err(Fault::at(table.span_of("joint"), format!("a {} cannot drive this joint", table.noun()))
        .label(format!("expected {words}")))
}

fn read_signal(table: &TableReader<'_>) -> Result<Signal, Fault> {
    let Some(signal) = table.table("signal") else { return Ok(Signal::constant(1.0)) };
    Ok(Signal {
        offset: number_or(signal, "offset", 0.0),
        amplitude: number_or(signal, "amplitude", 1.0),
        rate: signal.require("frequency")?.first(),
        phase: number_or(signal, "phase", 0.0),
    })
}

pub(super) fn number_or(table: &TableReader<'_>, key: &str, otherwise: f64) -> f64 {
    table.numbers(key).map_or(otherwise, Numbers::first)
}
