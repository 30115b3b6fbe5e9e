//! `[[joint]]` of bodies that move.

use super::bodies::Bodies;
use super::loads::read_anchors;
use super::read_names;
use crate::scenario::contact::read_pair;
use crate::scenario::fault::Fault;
use crate::scenario::joint::read_joint;
use crate::scenario::misfit::misfit;
use crate::scenario::numbers::Numbers;
use crate::scenario::pose::unit_quaternion;
use crate::scenario::table::TableReader;
use carom::format::Exact;
use carom::impact::Network;
use carom::sim::{BodyId, JointFrames, JointKind, MovingJoint, SceneJoint, State};
use carom::{Body, Dimension, Error};
use nalgebra::Vector3;

/// Joints with their names.
#[derive(Default)]
pub(super) struct Joints {
    pub names: Vec<String>,
    pub joints: Vec<SceneJoint>,
}

/// The kinds, in the order of their words.
const KINDS: [JointKind; 6] = [
    JointKind::Revolute,
    JointKind::Spherical,
    JointKind::Prismatic,
    JointKind::Fixed,
    JointKind::Universal,
    JointKind::Planar,
];

impl Joints {
    /// Adds the joints of a file.
    pub fn read(&mut self, file: &TableReader<'_>, dimension: Dimension, bodies: &Bodies) -> Result<(), Fault> {
        let tables = file.tables("joint");
        for (table, name) in tables.iter().zip(read_names(tables)?) {
            if self.names.contains(&name) {
                return Err(Fault::at(table.span_of("name"), "a robot has a joint of this `name`")
                    .label("expected another name"));
            }
            self.joints.push(read_moving_joint(table, dimension, bodies)?);
            self.names.push(name);
        }
        Ok(())
    }
}

fn read_moving_joint(table: &TableReader<'_>, dimension: Dimension, bodies: &Bodies) -> Result<SceneJoint, Fault> {
    let (_, ends) = read_pair(table, &bodies.names)?;
    let [a, b] = ends.map(|body| body.map(BodyId::new));
    let point = table.require("point")?.vector();
    let axis = table.numbers("axis").map_or_else(Vector3::zeros, Numbers::vector);
    // The same as for an impact: it knows which kinds need an axis, and whether the bodies move as it allows.
    let mut instant = read_joint(table, &bodies.names, dimension)?.joint;
    let states = [bodies.state(a), bodies.state(b)];
    [instant.a, instant.b] = [a.map(|_| 0), b.map(|_| 1)];
    Network::new(states.map(|state| moving_body(&state)), [], &[instant], dimension == Dimension::Planar)
        .map_err(|error| moves(table, &error))?;
    let kind = table.word("kind").and_then(|place| KINDS.get(place).copied()).unwrap_or(JointKind::Fixed);
    let mut joint = SceneJoint::new(kind, [a, b], point, axis);
    if let Some(points) = read_anchors(table) {
        joint.frames = Some(read_frames(table, &joint, points, &states, dimension)?);
    }
    joint.limits = read_limits(table, kind)?;
    joint.restitution = table.numbers("restitution").map(Numbers::first);
    if joint.limits.is_none() && joint.restitution.is_some_and(|restitution| restitution > 0.0) {
        return Err(Fault::at(table.span_of("restitution"), "without limits there is nothing to be thrown back from")
            .label("expected `limits` beside it"));
    }
    joint.collide = table.flag("collide").unwrap_or(false);
    if joint.collide && (a.is_none() || b.is_none()) {
        return Err(Fault::at(table.span_of("collide"), "`collide` is about two bodies, and this joint has one")
            .label("expected no `collide`: bodies always touch walls and obstacles"));
    }
    Ok(joint)
}

/// How far a joint that is given to the last bit may be from what it locks, relative to the arms of its bodies and to 1 rad: files of a
/// run that is under way hold what its engine lets joints drift.
const DRIFT: f64 = 1e-6;

/// The points and axes of a joint as they are on its bodies.
fn read_frames(
    table: &TableReader<'_>,
    joint: &SceneJoint,
    points: [Vector3<f64>; 2],
    states: &[State; 2],
    dimension: Dimension,
) -> Result<JointFrames, Fault> {
    let moving = |joint: &SceneJoint, key: &str| {
        MovingJoint::new(joint, states, dimension).map_err(|error| misfit(table, key, &error))
    };
    let axes = match table.numbers("axes").map(Numbers::rows::<4>).as_deref() {
        Some([a, b]) => match (unit_quaternion(*a), unit_quaternion(*b)) {
            (Some(a), Some(b)) => [a, b],
            _ => return Err(Fault::at(table.span_of("axes"), "a quaternion is zero").label("expected [w, x, y, z]")),
        },
        _ => *moving(joint, "axis")?.axes(),
    };
    let frames = JointFrames { points, axes };
    let moving = moving(&SceneJoint { frames: Some(frames), ..*joint }, "anchors")?;
    let arms = points.iter().map(Vector3::norm).sum::<f64>()
        + states.map(|state| state.pose.position.norm()).iter().sum::<f64>();
    if moving.errors(states[0], states[1]).any(|error| error.abs() > DRIFT * (1.0 + arms)) {
        return Err(Fault::at(table.span_of("anchors"), "the bodies are not where this joint holds them")
            .label("expected points, and axes, that meet at the start"));
    }
    Ok(frames)
}

/// A body of unit mass in the same motion.
fn moving_body(state: &State) -> Body {
    let body = Body::new(1.0, &nalgebra::Matrix3::identity()).unwrap_or_else(|_| Body::immovable());
    body.at(state.pose.position).moving(state.velocity, state.angular_velocity)
}

fn moves(table: &TableReader<'_>, error: &Error) -> Fault {
    match error {
        Error::MovingJoint { velocity, .. } => {
            Fault::at(table.span.clone(), "the bodies move against each other where this joint holds them")
                .label(format!("by {velocity:.6} m/s (or rad/s); expected velocities that the joint allows"))
        }
        other => Fault::at(table.span.clone(), other.to_string()),
    }
}

fn read_limits(table: &TableReader<'_>, kind: JointKind) -> Result<Option<[f64; 2]>, Fault> {
    let Some(limits) = table.numbers("limits") else { return Ok(None) };
    let span = table.span_of("limits");
    if !matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        return Err(Fault::at(span, "only a revolute or prismatic joint has limits").label("expected none"));
    }
    let [low, high] = limits.array();
    if !(low <= 0.0 && 0.0 <= high && low < high) {
        return Err(Fault::at(
            span,
            format!("the limits [{}, {}] leave out where the joint starts", Exact(low), Exact(high)),
        )
        .label("expected the least of at most 0, then the greatest of at least 0")
        .help("a joint's displacement is counted from where it is at the start"));
    }
    Ok(Some([low, high]))
}
