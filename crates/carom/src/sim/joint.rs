//! Joints of moving bodies: what they lock, as rows of velocities with their rates.

use super::row::Row;
use super::scene::Anchor;
use super::state::State;
use crate::error::{Error, finite};
use crate::impact::Joint;
use nalgebra::{UnitQuaternion, Vector3};
use std::f64::consts::TAU;

/// An ideal joint between two bodies, or a body and the world.
#[derive(Clone, Debug, PartialEq)]
pub struct MovingJoint {
    /// Its point on body A.
    pub a: Anchor,
    /// Its point on body B.
    pub b: Anchor,
    /// What it lets free.
    pub kind: JointKind,
    /// Least and greatest [displacement](MovingJoint::displacement) of a revolute or prismatic joint.
    pub limits: Option<[f64; 2]>,
    /// How strongly it is thrown back at a limit, 0 to 1. Without one, see [`Scene::link_restitution`](super::Scene::link_restitution).
    pub restitution: Option<f64>,
    /// Whether the two bodies touch each other. By default they pass through each other.
    pub collide: bool,
    /// Its axes in those of A and of B, equal in the world at rest: x along the joint's axis.
    axes: [UnitQuaternion<f64>; 2],
    locks: Vec<Lock>,
    /// Its displacement when it was last followed, rad: poses alone do not tell whole turns.
    pub(crate) turned: f64,
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
    /// A joint at a point of the world, with its axis along `axis`, for bodies in these states. Kinds without an axis ignore it.
    /// In the plane the axis of turning is z, whatever is given; that of sliding lies in the plane.
    pub fn new(
        kind: JointKind,
        [a, b]: [(Option<usize>, State); 2],
        point: &Vector3<f64>,
        axis: &Vector3<f64>,
        planar: bool,
    ) -> Result<MovingJoint, Error> {
        finite("point", point.as_slice())?;
        finite("axis", axis.as_slice())?;
        let turns = matches!(kind, JointKind::Revolute | JointKind::Spherical | JointKind::Universal);
        let axis = if planar && turns { Vector3::z() } else { *axis };
        let axis = match kind {
            JointKind::Spherical | JointKind::Fixed => Vector3::x(),
            _ => axis.try_normalize(0.0).ok_or(Error::ZeroDirection { what: "axis" })?,
        };
        let frame = UnitQuaternion::rotation_between(&Vector3::x(), &axis)
            .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI));
        let anchor = |(body, state): (Option<usize>, State)| Anchor {
            body,
            point: state.pose.orientation.inverse_transform_vector(&(point - state.pose.position)),
        };
        let axes = [a, b].map(|(_, state)| state.pose.orientation.inverse() * frame);
        let locks = if planar { in_plane(kind, &frame) } else { in_space(kind) };
        let (a, b) = (anchor(a), anchor(b));
        Ok(MovingJoint { a, b, kind, limits: None, restitution: None, collide: false, axes, locks, turned: 0.0 })
    }

    /// The same joint with these points and [axes](MovingJoint::axes) in the axes of A and of B: those of another joint, to the last bit.
    ///
    /// ```
    /// # use carom::sim::{JointKind, MovingJoint, State};
    /// # use nalgebra::Vector3;
    /// let ends = [(Some(0), State::world()), (None, State::world())];
    /// let joint = MovingJoint::new(JointKind::Prismatic, ends, &Vector3::y(), &Vector3::x(), true).unwrap();
    /// assert_eq!(joint.clone().holding([joint.a.point, joint.b.point], *joint.axes()).unwrap(), joint);
    /// ```
    pub fn holding(mut self, points: [Vector3<f64>; 2], axes: [UnitQuaternion<f64>; 2]) -> Result<MovingJoint, Error> {
        for (point, axes) in points.iter().zip(&axes) {
            finite("point", point.as_slice())?;
            finite("axes", axes.coords.as_slice())?;
        }
        [self.a.point, self.b.point] = points;
        self.axes = axes;
        Ok(self)
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
                Row::new([(self.a.body, e, r_a.cross(&e)), (self.b.body, -e, -r_b.cross(&e))], bias)
            }
            Lock::Perpendicular(of_a, of_b) => {
                let (u, v) = (self.direction_a(a, of_a), self.direction_b(b, of_b));
                let axis = u.cross(&v);
                let relative = a.angular_velocity - b.angular_velocity;
                let rate = a.angular_velocity.cross(&u).cross(&v) + u.cross(&b.angular_velocity.cross(&v));
                let still = Vector3::zeros();
                Row::new([(self.a.body, still, axis), (self.b.body, still, -axis)], relative.dot(&rate))
            }
        }
    }

    /// The same joint at an instant, for an impact.
    pub(crate) fn at_impact(&self, a: &State, b: &State) -> Joint {
        let mut joint = Joint::free(self.a.body, self.b.body, a.pose.point(&self.a.point));
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
    /// nearest to that at the last step of the engine.
    pub fn displacement(&self, a: &State, b: &State) -> f64 {
        if self.kind == JointKind::Prismatic {
            return self.axis(b).dot(&self.offset(a, b));
        }
        let (from, to) = (self.direction_b(b, &Vector3::y()), self.direction_a(a, &Vector3::y()));
        let angle = self.axis(b).dot(&from.cross(&to)).atan2(from.dot(&to));
        angle + TAU * ((self.turned - angle) / TAU).round()
    }

    /// Counts its turns on, by less than half a one.
    pub(crate) fn follow(&mut self, a: &State, b: &State) {
        if self.kind == JointKind::Revolute {
            self.turned = self.displacement(a, b);
        }
    }

    /// The rate of [displacement](MovingJoint::displacement), rad/s or m/s.
    pub fn rate(&self, a: &State, b: &State) -> f64 {
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
fn in_plane(kind: JointKind, frame: &UnitQuaternion<f64>) -> Vec<Lock> {
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
