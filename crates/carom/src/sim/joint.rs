//! Joints of moving bodies: what they lock, as rows of velocities with their rates.

use super::body::{check_unit, in_plane};
use super::id::BodyId;
use super::load::Anchor;
use super::row::Row;
use super::state::State;
use super::string::check_restitution;
use crate::collision::bounded;
use crate::dimension::Dimension;
use crate::error::Error;
use crate::impact::Joint;
use nalgebra::{UnitQuaternion, Vector3};
use std::f64::consts::TAU;

/// The description of an ideal joint between two bodies, or a body and the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneJoint {
    /// What it lets free.
    pub kind: JointKind,
    /// Body A; `None` is the world.
    pub a: Option<BodyId>,
    /// Body B; `None` is the world.
    pub b: Option<BodyId>,
    /// Its point at the start, in world axes, m.
    pub point: Vector3<f64>,
    /// The direction of its axis at the start, in world axes. Kinds without an axis ignore it. In the plane the axis of turning is z,
    /// whatever is given; that of sliding lies in the plane.
    pub axis: Vector3<f64>,
    /// Least and greatest displacement of a revolute (rad) or prismatic joint (m), counted from the start.
    pub limits: Option<[f64; 2]>,
    /// How strongly it is thrown back at a limit, 0 to 1. Without one, see [`Scene::link_restitution`](super::Scene::link_restitution).
    pub restitution: Option<f64>,
    /// Whether the two bodies touch each other. By default they pass through each other.
    pub collide: bool,
    /// Its points and axes on the bodies, where `point` and `axis` do not give them to the last bit.
    pub frames: Option<JointFrames>,
}

/// The points and axes of a joint on its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrames {
    /// From the centres of mass of A and of B, in their axes, m.
    pub points: [Vector3<f64>; 2],
    /// The axes of the joint in those of A and of B, equal in the world where its displacement is 0: x along the joint's axis.
    pub axes: [UnitQuaternion<f64>; 2],
}

impl JointFrames {
    fn check(&self) -> Result<(), Error> {
        for (point, axes) in self.points.iter().zip(&self.axes) {
            bounded("point", point.as_slice())?;
            check_unit("axes", axes)?;
        }
        Ok(())
    }
}

impl SceneJoint {
    /// A joint without limits, at a point of the world and with its axis along `axis`.
    pub fn new(kind: JointKind, [a, b]: [Option<BodyId>; 2], point: Vector3<f64>, axis: Vector3<f64>) -> SceneJoint {
        SceneJoint { kind, a, b, point, axis, limits: None, restitution: None, collide: false, frames: None }
    }

    fn check_limits(&self) -> Result<(), Error> {
        let Some([low, high]) = self.limits else { return Ok(()) };
        if !matches!(self.kind, JointKind::Revolute | JointKind::Prismatic) {
            let what = "this kind of joint has no limits";
            return Err(Error::Unsuitable { what, expected: "a revolute or prismatic joint" });
        }
        bounded("limits", &[low, high])?;
        let out = |what, value, expected| Err(Error::OutOfRange { what, value, expected });
        if low > 0.0 {
            return out("lower limit", low, "at most 0: displacements are counted from the start");
        }
        if high < 0.0 || high <= low {
            return out("upper limit", high, "at least 0, and above the lower limit");
        }
        Ok(())
    }
}

/// A joint of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingJoint {
    pub(super) a: Anchor,
    pub(super) b: Anchor,
    pub(super) kind: JointKind,
    pub(super) limits: Option<[f64; 2]>,
    pub(super) restitution: Option<f64>,
    pub(super) collide: bool,
    /// Its axes in those of A and of B, equal in the world at rest: x along the joint's axis.
    axes: [UnitQuaternion<f64>; 2],
    locks: Vec<Lock>,
}

/// What a joint lets free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Turning about one axis.
    Revolute,
    /// Turning about its point.
    Spherical,
    /// Sliding along one axis.
    Prismatic,
    /// Nothing.
    Fixed,
    /// Turning about the axis, which is fixed in A, and about one perpendicular to it, which is fixed in B.
    Universal,
    /// Sliding across one axis and turning about it.
    Planar,
}

/// One locked relative motion.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lock {
    /// The point of A stays where it is along a direction fixed in B.
    Along(Vector3<f64>),
    /// A direction of A stays perpendicular to one of B.
    Perpendicular(Vector3<f64>, Vector3<f64>),
}

impl MovingJoint {
    /// The joint that a description makes of bodies in these states.
    pub fn new(joint: &SceneJoint, [a, b]: &[State; 2], dimension: Dimension) -> Result<MovingJoint, Error> {
        let SceneJoint { kind, point, limits, restitution, collide, .. } = *joint;
        bounded("point", point.as_slice())?;
        bounded("axis", joint.axis.as_slice())?;
        joint.check_limits()?;
        check_restitution(restitution)?;
        let planar = dimension.is_planar();
        let turns = matches!(kind, JointKind::Revolute | JointKind::Spherical | JointKind::Universal);
        if planar && matches!(kind, JointKind::Prismatic | JointKind::Planar) {
            in_plane("axis along z", joint.axis.z)?;
        }
        let axis = if planar && turns { Vector3::z() } else { joint.axis };
        let axis = match kind {
            JointKind::Spherical | JointKind::Fixed => Vector3::x(),
            _ => axis.try_normalize(0.0).ok_or(Error::ZeroDirection { what: "axis" })?,
        };
        let frame = UnitQuaternion::rotation_between(&Vector3::x(), &axis)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI));
        let anchor = |body: Option<BodyId>, state: &State| Anchor {
            body,
            point: state.pose.orientation.inverse_transform_vector(&(point - state.pose.position)),
        };
        let axes = [a, b].map(|state| state.pose.orientation.inverse() * frame);
        let locks = if planar { in_the_plane(kind, &frame) } else { in_space(kind) };
        let (a, b) = (anchor(joint.a, a), anchor(joint.b, b));
        let mut moving = MovingJoint { a, b, kind, limits, restitution, collide, axes, locks };
        if let Some(frames) = &joint.frames {
            frames.check()?;
            [moving.a.point, moving.b.point] = frames.points;
            moving.axes = frames.axes;
        }
        Ok(moving)
    }

    /// What it lets free.
    pub fn kind(&self) -> JointKind {
        self.kind
    }

    /// Its point on body A.
    pub fn a(&self) -> &Anchor {
        &self.a
    }

    /// Its point on body B.
    pub fn b(&self) -> &Anchor {
        &self.b
    }

    /// Bodies A and B; `None` is the world.
    pub fn bodies(&self) -> [Option<BodyId>; 2] {
        [self.a.body, self.b.body]
    }

    /// Least and greatest displacement, rad or m.
    pub fn limits(&self) -> Option<[f64; 2]> {
        self.limits
    }

    /// Whether its two bodies touch each other.
    pub fn collides(&self) -> bool {
        self.collide
    }

    /// Its own restitution at a limit.
    pub fn restitution(&self) -> Option<f64> {
        self.restitution
    }

    /// Its axes in those of A and of B, equal in the world where its displacement is 0: x along the joint's axis.
    pub fn axes(&self) -> &[UnitQuaternion<f64>; 2] {
        &self.axes
    }

    /// The locked motions at these states of its bodies: relative velocities, with their rates at zero acceleration.
    pub(crate) fn rows(&self, a: State, b: State) -> impl Iterator<Item = Row> + '_ {
        self.locks.iter().map(move |lock| self.row(lock, &a, &b))
    }

    /// How far each lock is from where it belongs, m or rad.
    pub fn errors(&self, a: State, b: State) -> impl Iterator<Item = f64> + '_ {
        self.locks.iter().map(move |lock| match lock {
            Lock::Along(direction) => self.direction_b(&b, direction).dot(&self.offset(&a, &b)),
            Lock::Perpendicular(of_a, of_b) => self.direction_a(&a, of_a).dot(&self.direction_b(&b, of_b)),
        })
    }

    fn direction_a(&self, a: &State, own: &Vector3<f64>) -> Vector3<f64> {
        a.pose.direction(&(self.axes[0] * own))
    }

    fn direction_b(&self, b: &State, own: &Vector3<f64>) -> Vector3<f64> {
        b.pose.direction(&(self.axes[1] * own))
    }

    /// From the point of B to that of A.
    fn offset(&self, a: &State, b: &State) -> Vector3<f64> {
        a.pose.point(&self.a.point) - b.pose.point(&self.b.point)
    }

    fn row(&self, lock: &Lock, a: &State, b: &State) -> Row {
        match lock {
            Lock::Along(direction) => {
                let point = a.pose.point(&self.a.point);
                let e = self.direction_b(b, direction);
                let (r_a, r_b) = (point - a.pose.position, point - b.pose.position);
                let turning = b.angular_velocity.cross(&e);
                let apart = a.point_velocity(&point) - b.point_velocity(&point);
                let spin_a = a.angular_velocity.cross(&a.angular_velocity.cross(&r_a));
                // The point moves over B: its rate there has the rate of the arm, too.
                let arm_rate = a.point_velocity(&point) - b.velocity;
                let bias = e.dot(&(spin_a - b.angular_velocity.cross(&arm_rate))) + turning.dot(&apart);
                Row::new([(self.a.index(), e, r_a.cross(&e)), (self.b.index(), -e, -r_b.cross(&e))], bias)
            }
            Lock::Perpendicular(of_a, of_b) => {
                let (u, v) = (self.direction_a(a, of_a), self.direction_b(b, of_b));
                let axis = u.cross(&v);
                let relative = a.angular_velocity - b.angular_velocity;
                let rate = a.angular_velocity.cross(&u).cross(&v) + u.cross(&b.angular_velocity.cross(&v));
                let still = Vector3::zeros();
                Row::new([(self.a.index(), still, axis), (self.b.index(), still, -axis)], relative.dot(&rate))
            }
        }
    }

    /// The same joint at an instant, for an impact.
    pub(crate) fn at_impact(&self, a: &State, b: &State) -> Joint {
        let mut joint = Joint::free(self.a.index(), self.b.index(), a.pose.point(&self.a.point));
        for lock in &self.locks {
            match lock {
                Lock::Along(direction) => joint.translations.push(self.direction_b(b, direction)),
                Lock::Perpendicular(of_a, of_b) => {
                    joint.rotations.push(self.direction_a(a, of_a).cross(&self.direction_b(b, of_b)));
                }
            }
        }
        joint
    }

    /// The direction of its axis, fixed in B.
    pub(crate) fn axis(&self, b: &State) -> Vector3<f64> {
        self.direction_b(b, &Vector3::x())
    }

    /// A direction perpendicular to its axis, fixed in B.
    pub(crate) fn across(&self, b: &State) -> Vector3<f64> {
        self.direction_b(b, &Vector3::y())
    }

    /// How far a revolute joint is turned (rad) or a prismatic one drawn out (m); 0 at the start. Turns are counted: it is the angle
    /// nearest to `turned`, that at the last step of the engine.
    pub(crate) fn displacement(&self, a: &State, b: &State, turned: f64) -> f64 {
        if self.kind == JointKind::Prismatic {
            return self.axis(b).dot(&self.offset(a, b));
        }
        let (from, to) = (self.direction_b(b, &Vector3::y()), self.direction_a(a, &Vector3::y()));
        let angle = self.axis(b).dot(&from.cross(&to)).atan2(from.dot(&to));
        angle + TAU * ((turned - angle) / TAU).round()
    }

    /// Whether poses alone leave whole turns open.
    pub(crate) fn counts_turns(&self) -> bool {
        self.kind == JointKind::Revolute
    }

    /// The rate of [displacement](MovingJoint::displacement), rad/s or m/s.
    pub(crate) fn rate(&self, a: &State, b: &State) -> f64 {
        if self.kind == JointKind::Prismatic {
            let point = a.pose.point(&self.a.point);
            return self.axis(b).dot(&(a.point_velocity(&point) - b.point_velocity(&point)));
        }
        self.axis(b).dot(&(a.angular_velocity - b.angular_velocity))
    }
}

fn in_space(kind: JointKind) -> Vec<Lock> {
    use Lock::{Along, Perpendicular};
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()];
    let point = [Along(x), Along(y), Along(z)];
    let no_turn = [Perpendicular(x, y), Perpendicular(y, z), Perpendicular(z, x)];
    let axis_stays = [Perpendicular(x, y), Perpendicular(x, z)];
    match kind {
        JointKind::Spherical => point.to_vec(),
        JointKind::Revolute => [&point[..], &axis_stays].concat(),
        JointKind::Fixed => [&point[..], &no_turn].concat(),
        JointKind::Prismatic => [&[Along(y), Along(z)][..], &no_turn].concat(),
        JointKind::Universal => [&point[..], &[Perpendicular(x, y)]].concat(),
        JointKind::Planar => [&[Along(x)][..], &axis_stays].concat(),
    }
}

/// Only what moves in the plane needs a lock. `frame` leads from the joint's axes to those of the world.
fn in_the_plane(kind: JointKind, frame: &UnitQuaternion<f64>) -> Vec<Lock> {
    use Lock::{Along, Perpendicular};
    let own = |world: Vector3<f64>| frame.inverse_transform_vector(&world);
    let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()].map(own);
    let axis = Vector3::x();
    match kind {
        JointKind::Revolute | JointKind::Spherical | JointKind::Universal => vec![Along(x), Along(y)],
        JointKind::Fixed => vec![Along(x), Along(y), Perpendicular(x, y)],
        JointKind::Prismatic => vec![Along(z.cross(&axis)), Perpendicular(x, y)],
        JointKind::Planar => vec![Along(axis)],
    }
}
