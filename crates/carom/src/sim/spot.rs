//! A place where forces may act between two bodies: parts that touch, a taut string, a joint at its limit.

use crate::contact::ContactFrame;
use crate::sim::id::{JointId, MaterialId};
use crate::sim::in_time::SceneInTime;
use crate::sim::joint::JointKind;
use crate::sim::loads::state_of;
use crate::sim::record::Origin;
use crate::sim::row::Row;
use crate::sim::state::State;
use crate::sim::touch::detect::Label;
use crate::sim::touch::meeting::{Feature, Kinematics, Meeting};
use nalgebra::Vector3;

/// A place-holder where only the materials matter.
pub(super) const NO_MEETING: Meeting = Meeting {
    a: Feature::Point(Vector3::new(0.0, 0.0, 0.0)),
    b: Feature::Point(Vector3::new(0.0, 0.0, 0.0)),
    radius: [0.0; 2],
    side: 1.0,
};

/// What can press.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "nearly all are of the large kind")]
pub(super) enum Source {
    /// Features of the parts of a pair.
    Parts { pair: usize, labels: [Label; 2], meeting: Meeting },
    /// A string.
    String(usize),
    /// A joint at its lower (1) or upper (−1) limit.
    Limit(usize, f64),
}

/// A place where forces may act.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) bodies: [Option<usize>; 2],
    pub(super) source: Source,
    /// Static and kinetic.
    pub(super) friction: [f64; 2],
    pub(super) materials: [MaterialId; 2],
    /// Places of the parts that touch.
    pub(super) parts: [usize; 2],
}

impl Spot {
    pub(crate) fn string(scene: &SceneInTime, string: usize) -> Spot {
        let of = &scene.strings[string];
        let (bodies, source) = ([of.a.index(), of.b.index()], Source::String(string));
        Spot { bodies, source, friction: [0.0; 2], materials: [MaterialId::default(); 2], parts: [0; 2] }
    }

    pub(crate) fn limit(scene: &SceneInTime, joint: usize, side: f64) -> Spot {
        let of = &scene.joints[joint];
        let (bodies, source) = ([of.a.index(), of.b.index()], Source::Limit(joint, side));
        Spot { bodies, source, friction: [0.0; 2], materials: [MaterialId::default(); 2], parts: [0; 2] }
    }

    /// What pushes there.
    pub(crate) fn origin(&self) -> Origin {
        match self.source {
            Source::Parts { .. } => Origin::Parts { parts: self.parts, materials: self.materials },
            Source::String(string) => Origin::String(string),
            Source::Limit(joint, _) => Origin::Limit(JointId::new(joint)),
        }
    }

    /// The contact at these states. Nothing where it has no normal.
    pub(crate) fn at(&self, scene: &SceneInTime, states: &[State]) -> Option<Kinematics> {
        let [a, b] = self.bodies.map(|body| state_of(states, body));
        match &self.source {
            Source::Parts { meeting, .. } => meeting.at(&a, &b),
            Source::String(string) => {
                let string = &scene.strings[*string];
                let ends = Meeting {
                    a: Feature::Point(string.a.point),
                    b: Feature::Point(string.b.point),
                    radius: [0.0; 2],
                    side: 1.0,
                };
                let k = ends.at(&a, &b)?;
                // A string pulls where parts push.
                Some(Kinematics { gap: string.length - k.gap, normal: -k.normal, normal_rate: -k.normal_rate, ..k })
            }
            Source::Limit(joint, side) => limit(scene, *joint, *side, &a, &b),
        }
    }

    /// How far from its point on the joint a limit of a revolute joint pushes; zero for all others.
    pub(crate) fn lever(&self, scene: &SceneInTime, states: &[State]) -> Vector3<f64> {
        match self.source {
            Source::Limit(joint, _) if scene.joints[joint].kind != JointKind::Prismatic => {
                scene.joints[joint].across(&state_of(states, self.bodies[1]))
            }
            _ => Vector3::zeros(),
        }
    }

    /// Its axes. In the plane the second tangent is out of it.
    pub(super) fn frame(scene: &SceneInTime, normal: &Vector3<f64>) -> Option<ContactFrame> {
        if scene.is_planar() {
            ContactFrame::planar([normal.x, normal.y]).ok()
        } else {
            ContactFrame::spatial(normal, None).ok()
        }
    }

    /// The relative velocity along a direction at the contact, as a row. The direction itself changes by `turning`.
    pub(super) fn row(
        &self,
        states: &[State],
        k: &Kinematics,
        direction: &Vector3<f64>,
        turning: &Vector3<f64>,
    ) -> Row {
        let [a, b] = self.bodies.map(|body| state_of(states, body));
        let arms = [a, b].map(|state| k.point - state.pose.position);
        let apart = a.point_velocity(&k.point) - b.point_velocity(&k.point);
        let drift = a.angular_velocity.cross(&(k.point_rate - a.velocity))
            - b.angular_velocity.cross(&(k.point_rate - b.velocity));
        let sides = [
            (self.bodies[0], *direction, arms[0].cross(direction)),
            (self.bodies[1], -direction, -arms[1].cross(direction)),
        ];
        Row::new(sides, turning.dot(&apart) + direction.dot(&drift))
    }

    /// Relative velocity at the contact, in world axes.
    pub(crate) fn velocity(&self, states: &[State], k: &Kinematics) -> Vector3<f64> {
        let [a, b] = self.bodies.map(|body| state_of(states, body));
        a.point_velocity(&k.point) - b.point_velocity(&k.point)
    }
}

/// A joint at its limit. About a revolute axis the limit pushes at a lever of 1 m, whose force the joint itself takes up again: what
/// is left is the torque.
fn limit(scene: &SceneInTime, joint: usize, side: f64, a: &State, b: &State) -> Option<Kinematics> {
    let displacement = scene.displacement(joint, a, b);
    let joint = &scene.joints[joint];
    let [least, greatest] = joint.limits?;
    let gap = if side > 0.0 { displacement - least } else { greatest - displacement };
    let axis = joint.axis(b) * side;
    let at = a.pose.point(&joint.a.point);
    let (point, normal) = if joint.kind == JointKind::Prismatic {
        (at, axis)
    } else {
        let lever = joint.across(b);
        (at + lever, axis.cross(&lever))
    };
    Some(Kinematics {
        gap,
        point,
        normal,
        point_rate: a.point_velocity(&at) + b.angular_velocity.cross(&(point - at)),
        normal_rate: b.angular_velocity.cross(&normal),
    })
}
