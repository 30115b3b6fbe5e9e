//! An ellipsoid that meets a corner, an edge, a face or another ellipsoid: the contact, and how it moves.

use super::forms::{Forms, Support};
use super::meeting::{Feature, Kinematics};
use crate::sim::state::{Pose, State};
use nalgebra::{Matrix3, Rotation3, Vector3};

impl Feature {
    /// What makes an ellipsoid of the unit ball, in world axes; zero for all else.
    pub(super) fn stretch(&self, pose: &Pose) -> Matrix3<f64> {
        let Feature::Ellipsoid(_, stretch) = self else { return Matrix3::zeros() };
        let turn: Rotation3<f64> = pose.orientation.into();
        turn.matrix() * stretch
    }

    /// One of its points, in body axes.
    pub(super) fn place(&self) -> &Vector3<f64> {
        match self {
            Feature::Point(at) | Feature::Line(at, _) | Feature::Plane(at, _) | Feature::Ellipsoid(at, _) => at,
        }
    }
}

/// The direction from a feature of B to an ellipsoid of A along which these are farthest apart: that of a plane, or the common normal.
/// Nothing for centres that coincide.
pub(super) fn common_normal(a: (&Feature, &Pose), b: (&Feature, &Pose)) -> Option<Vector3<f64>> {
    match b.0 {
        Feature::Plane(_, normal) => Some(b.1.direction(normal)),
        _ => forms(a, b).normal(),
    }
}

/// The direction in which an ellipsoid of A and a feature of B whose centres coincide are the least wide.
pub(super) fn thinnest(a: (&Feature, &Pose), b: (&Feature, &Pose)) -> Vector3<f64> {
    forms(a, b).thinnest()
}

fn forms(a: (&Feature, &Pose), b: (&Feature, &Pose)) -> Forms {
    let apart = a.1.point(a.0.place()) - b.1.point(b.0.place());
    let along = if let Feature::Line(_, along) = b.0 { Some(b.1.direction(along)) } else { None };
    Forms { apart, a: a.0.stretch(a.1), b: b.0.stretch(b.1), along }
}

/// The contact of an ellipsoid of A with any feature of B.
///
/// With s the way from a centre to the point of its surface and R the radii of curvature there, both along the common normal,
///
/// ```text
/// c_a − s_a − (c_b + s_b) = gap n        ds/dt = ω × s + R (dn/dt − ω × n)
/// ```
///
/// which gives dn/dt across n. The point of an edge moves along it freely, while n stays across; of a face n is its own.
pub(super) fn contact(a: (&Feature, &State), b: (&Feature, &State), radius: [f64; 2]) -> Option<Kinematics> {
    let n = common_normal((a.0, &a.1.pose), (b.0, &b.1.pose))?;
    let [(centre, velocity), (other, other_velocity)] = [a, b].map(|(feature, state)| {
        let place = state.pose.point(feature.place());
        (place, state.point_velocity(&place))
    });
    let [own, its] = [a, b].map(|(feature, state)| Support::of(&feature.stretch(&state.pose), &n));
    let spins = [a, b].map(|(_, state)| state.angular_velocity);
    // How a support moves if the normal does not.
    let dragged = |s: &Support, spin: &Vector3<f64>| spin.cross(&s.place) - s.curvature * spin.cross(&n);
    let from = centre - own.place - other - its.place;
    let distance = n.dot(&from);
    let mut push = velocity - dragged(&own, &spins[0]) - other_velocity - dragged(&its, &spins[1]);
    let mut bound = n * n.transpose();
    let mut with_b = Vector3::zeros();
    match b.0 {
        Feature::Plane(..) => {
            bound = Matrix3::identity();
            with_b = spins[1].cross(&n);
        }
        Feature::Line(_, along) => {
            let u = b.1.pose.direction(along);
            let u_rate = spins[1].cross(&u);
            push -= u_rate * u.dot(&from);
            bound += u * u.transpose();
            with_b = -u * n.dot(&u_rate);
        }
        _ => {}
    }
    let bend = own.curvature + its.curvature + Matrix3::identity() * distance;
    let free = Matrix3::identity() - bound;
    let system = free * bend * free + bound * own.curvature.trace();
    let normal_rate = with_b + free * system.lu().solve(&(free * (push - bend * with_b)))?;
    let place_rate = dragged(&own, &spins[0]) + own.curvature * normal_rate;
    let [r_a, r_b] = radius;
    Some(Kinematics {
        gap: distance - r_a - r_b,
        point: centre - own.place - n * r_a,
        normal: n,
        point_rate: velocity - place_rate - normal_rate * r_a,
        normal_rate,
    })
}
