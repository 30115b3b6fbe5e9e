//! Joints.

use super::toml::{Text, number, numbers, quoted};
use super::{Writer, same};
use carom::sim::{JointFrames, JointId, JointKind, MovingJoint, SceneJoint};
use nalgebra::Vector3;

impl Writer<'_> {
    pub(super) fn joint(&self, text: &mut Text, place: usize, joint: &MovingJoint) {
        let bodies = joint.bodies();
        let states = bodies.map(|body| self.state(body));
        let points =
            [(&states[0], joint.a()), (&states[1], joint.b())].map(|(state, anchor)| state.pose.point(&anchor.point));
        let turns = [0, 1].map(|k| states[k].pose.orientation * joint.axes()[k]);
        let frames = JointFrames { points: [joint.a().point, joint.b().point], axes: *joint.axes() };
        let read = |point: &Vector3<f64>, axis: &Vector3<f64>, frames: Option<JointFrames>| {
            let (limits, restitution, collide) = (joint.limits(), joint.restitution(), joint.collides());
            let description = SceneJoint::new(joint.kind(), bodies, *point, *axis);
            let description = SceneJoint { limits, restitution, collide, frames, ..description };
            MovingJoint::new(&description, &states, self.scene.dimension()).ok()
        };
        // The locks of a slider in the plane have the bits of its axis; points and axes of other joints can be given to the last bit.
        let axes: Vec<Vector3<f64>> = turns.iter().flat_map(|turn| neighbours(&(turn * Vector3::x()))).collect();
        let held = |axis: &&Vector3<f64>| read(&points[0], axis, Some(frames)).as_ref() == Some(joint);
        let axis = axes.iter().find(held).copied().unwrap_or_else(|| turns[0] * Vector3::x());
        let exact = points.iter().find(|point| {
            let read = read(point, &axis, None);
            read.is_some_and(|read| same::joints(&read, joint))
        });
        text.header("[[joint]]");
        text.key("name", &quoted(&self.joint_name(JointId::new(place))));
        text.key("between", &self.between(bodies));
        text.key("kind", &quoted(kind_word(joint.kind())));
        text.key("point", &self.vector(exact.unwrap_or(&points[0])));
        let turns_in_plane = matches!(joint.kind(), JointKind::Revolute | JointKind::Universal) && self.planar();
        if !turns_in_plane && !matches!(joint.kind(), JointKind::Spherical | JointKind::Fixed) {
            text.key("axis", &self.vector(&axis));
        }
        if exact.is_none() {
            text.key("anchors", &format!("[{}, {}]", self.vector(&frames.points[0]), self.vector(&frames.points[1])));
            let [a, b] = &frames.axes;
            text.key("axes", &format!("[{}, {}]", Self::quaternion(a), Self::quaternion(b)));
        }
        text.optional("limits", joint.limits().map(|limits| numbers(&limits)));
        text.optional("restitution", joint.restitution().map(number));
        if joint.collides() {
            text.key("collide", "true");
        }
    }
}

/// A direction and those next to it in the last bits.
fn neighbours(axis: &Vector3<f64>) -> Vec<Vector3<f64>> {
    let near = |x: f64| [x, x.next_up(), x.next_down()];
    let (xs, ys) = (near(axis.x), near(axis.y));
    xs.iter().flat_map(|x| ys.iter().map(|y| Vector3::new(*x, *y, axis.z))).collect()
}

fn kind_word(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Revolute => "revolute",
        JointKind::Spherical => "spherical",
        JointKind::Prismatic => "prismatic",
        JointKind::Fixed => "fixed",
        JointKind::Universal => "universal",
        JointKind::Planar => "planar",
    }
}
