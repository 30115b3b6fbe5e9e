//! Two features of two bodies that meet: gap, point and normal of the contact, and how these move.

use super::ellipsoid::contact;
use crate::sim::state::State;
use nalgebra::{Matrix3, Vector3};

/// A feature of a part's core, in body axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Feature {
    /// A corner.
    Point(Vector3<f64>),
    /// An edge: one of its points and its unit direction.
    Line(Vector3<f64>, Vector3<f64>),
    /// A face: one of its points and its outward unit normal.
    Plane(Vector3<f64>, Vector3<f64>),
    /// An ellipsoid about a point: the matrix that stretches the unit ball into it.
    Ellipsoid(Vector3<f64>, Matrix3<f64>),
}

/// Features of A and B, and the rounding about each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Meeting {
    pub(crate) a: Feature,
    pub(crate) b: Feature,
    pub(crate) radius: [f64; 2],
    /// For two edges: whether the normal is their cross product or its opposite, 1 or −1.
    pub(crate) side: f64,
}

/// A contact and how it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kinematics {
    /// m; negative where the bodies overlap.
    pub(crate) gap: f64,
    /// On the surface of A, m.
    pub(crate) point: Vector3<f64>,
    /// From B into A.
    pub(crate) normal: Vector3<f64>,
    /// How fast the place of contact moves, m/s. It is no point of either body.
    pub(crate) point_rate: Vector3<f64>,
    /// 1/s.
    pub(crate) normal_rate: Vector3<f64>,
}

/// A vector and its rate.
type Moving = (Vector3<f64>, Vector3<f64>);

impl Meeting {
    /// The contact at these states of A and B. Nothing if the normal has no direction: centres that coincide, parallel edges.
    pub(crate) fn at(&self, a: &State, b: &State) -> Option<Kinematics> {
        let [r_a, r_b] = self.radius;
        let place = |state: &State, own: &Vector3<f64>| -> Moving {
            let point = state.pose.point(own);
            (point, state.point_velocity(&point))
        };
        let turn = |state: &State, own: &Vector3<f64>| -> Moving {
            let direction = state.pose.direction(own);
            (direction, state.angular_velocity.cross(&direction))
        };
        match (&self.a, &self.b) {
            (Feature::Point(c), Feature::Plane(o, n)) => {
                let (centre, plane, (n, n_rate)) = (place(a, c), b.pose.point(o), turn(b, n));
                Some(Kinematics {
                    gap: n.dot(&(centre.0 - plane)) - r_a - r_b,
                    point: centre.0 - n * r_a,
                    normal: n,
                    point_rate: centre.1 - n_rate * r_a,
                    normal_rate: n_rate,
                })
            }
            (Feature::Ellipsoid(..), _) => contact((&self.a, a), (&self.b, b), self.radius),
            (Feature::Plane(..) | Feature::Line(..), Feature::Point(_)) | (_, Feature::Ellipsoid(..)) => {
                let mirrored = Meeting { a: self.b, b: self.a, radius: [r_b, r_a], side: self.side };
                let k = mirrored.at(b, a)?;
                // The point stays on the surface of the round one, which is B; the gap is far below what this moves.
                Some(Kinematics { normal: -k.normal, normal_rate: -k.normal_rate, ..k })
            }
            (Feature::Point(c), Feature::Point(o)) => {
                let (centre, other) = (place(a, c), place(b, o));
                Some(round(centre, (centre.0 - other.0, centre.1 - other.1), self.radius)?)
            }
            (Feature::Point(c), Feature::Line(o, u)) => {
                let (centre, other, (u, u_rate)) = (place(a, c), place(b, o), turn(b, u));
                let (w, w_rate) = (centre.0 - other.0, centre.1 - other.1);
                let along = w.dot(&u);
                let across = w - u * along;
                let across_rate = w_rate - u * (w_rate.dot(&u) + w.dot(&u_rate)) - u_rate * along;
                Some(round(centre, (across, across_rate), self.radius)?)
            }
            (Feature::Line(o_a, u_a), Feature::Line(o_b, u_b)) => {
                let (start, u) = (place(a, o_a), turn(a, u_a));
                let (other, v) = (place(b, o_b), turn(b, u_b));
                let cross = u.0.cross(&v.0) * self.side;
                let cross_rate = (u.1.cross(&v.0) + u.0.cross(&v.1)) * self.side;
                let (n, n_rate) = unit((cross, cross_rate))?;
                let (d, d_rate) = (start.0 - other.0, start.1 - other.1);
                let (cos, cos_rate) = (u.0.dot(&v.0), u.1.dot(&v.0) + u.0.dot(&v.1));
                let (du, du_rate) = (d.dot(&u.0), d_rate.dot(&u.0) + d.dot(&u.1));
                let (dv, dv_rate) = (d.dot(&v.0), d_rate.dot(&v.0) + d.dot(&v.1));
                let (top, top_rate) = (dv * cos - du, dv_rate * cos + dv * cos_rate - du_rate);
                let (bottom, bottom_rate) = (1.0 - cos * cos, -2.0 * cos * cos_rate);
                let s = top / bottom;
                let s_rate = (top_rate - s * bottom_rate) / bottom;
                Some(Kinematics {
                    gap: n.dot(&d) - r_a - r_b,
                    point: start.0 + u.0 * s - n * r_a,
                    normal: n,
                    point_rate: start.1 + u.0 * s_rate + u.1 * s - n_rate * r_a,
                    normal_rate: n_rate,
                })
            }
            _ => None,
        }
    }
}

/// The contact of a ball about `centre` with what is `apart` from there.
fn round(centre: Moving, apart: Moving, [r_a, r_b]: [f64; 2]) -> Option<Kinematics> {
    let (normal, normal_rate) = unit(apart)?;
    Some(Kinematics {
        gap: apart.0.norm() - r_a - r_b,
        point: centre.0 - normal * r_a,
        normal,
        point_rate: centre.1 - normal_rate * r_a,
        normal_rate,
    })
}

fn unit((vector, rate): Moving) -> Option<Moving> {
    let length = vector.norm();
    if length == 0.0 {
        return None;
    }
    let n = vector / length;
    Some((n, (rate - n * n.dot(&rate)) / length))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::random::Random;
    use crate::sim::state::Pose;
    use nalgebra::UnitQuaternion;

    fn state(random: &mut Random) -> State {
        let mut vector = |size: f64| random.direction() * size;
        State {
            pose: Pose { position: vector(2.0), orientation: UnitQuaternion::from_scaled_axis(vector(2.0)) },
            velocity: vector(1.0),
            angular_velocity: vector(1.0),
        }
    }

    /// A body that moves on for a while as it does.
    fn moved(state: &State, time: f64) -> State {
        let pose = Pose {
            position: state.pose.position + state.velocity * time,
            orientation: UnitQuaternion::from_scaled_axis(state.angular_velocity * time) * state.pose.orientation,
        };
        State { pose, ..*state }
    }

    #[test]
    fn rates_are_those_of_the_contact_as_the_bodies_move() {
        let mut random = Random(11);
        for case in 0..400 {
            let (a, b) = (state(&mut random), state(&mut random));
            let mut direction = || random.direction();
            let point = |v: Vector3<f64>| Feature::Point(v * 0.3);
            let stretch = Matrix3::from_columns(&[direction(), direction() * 0.6, direction() * 1.4]);
            let other = Matrix3::from_columns(&[direction() * 0.3, direction() * 0.9, direction() * 0.5]);
            let features = [
                (point(direction()), Feature::Plane(direction(), direction())),
                (Feature::Plane(direction(), direction()), point(direction())),
                (point(direction()), point(direction())),
                (point(direction()), Feature::Line(direction(), direction())),
                (Feature::Line(direction(), direction()), point(direction())),
                (Feature::Line(direction(), direction()), Feature::Line(direction(), direction())),
                (Feature::Ellipsoid(direction(), stretch), Feature::Plane(direction(), direction())),
                (Feature::Plane(direction(), direction()), Feature::Ellipsoid(direction(), stretch)),
                (Feature::Ellipsoid(direction(), stretch), point(direction())),
                (point(direction()), Feature::Ellipsoid(direction(), stretch)),
                (Feature::Ellipsoid(direction(), stretch), Feature::Line(direction(), direction())),
                (Feature::Line(direction(), direction()), Feature::Ellipsoid(direction(), stretch)),
                (Feature::Ellipsoid(direction(), stretch), Feature::Ellipsoid(direction(), other)),
            ];
            for (kind, (of_a, of_b)) in features.into_iter().enumerate() {
                let meeting = Meeting { a: of_a, b: of_b, radius: [0.2, 0.1], side: 1.0 };
                let step = 1e-5;
                let [before, now, after] =
                    [-step, 0.0, step].map(|t| meeting.at(&moved(&a, t), &moved(&b, t)).unwrap());
                let close = |found: Vector3<f64>, expected: Vector3<f64>| {
                    assert!(
                        (found - expected).norm() < 1e-6 * (1.0 + expected.norm()),
                        "{case} {kind}: {found}{expected}"
                    );
                };
                close((after.point - before.point) / (2.0 * step), now.point_rate);
                close((after.normal - before.normal) / (2.0 * step), now.normal_rate);
                assert!((now.normal.norm() - 1.0).abs() < 1e-12);
                // The gap closes as fast as the bodies approach at the contact, for they touch along the normal only there.
                let on_b = now.point - now.normal * now.gap;
                let (on_a, on_b) = if matches!(of_a, Feature::Plane(..) | Feature::Line(..)) && kind != 5 {
                    (now.point + now.normal * now.gap, now.point)
                } else {
                    (now.point, on_b)
                };
                let rate = now.normal.dot(&(a.point_velocity(&on_a) - b.point_velocity(&on_b)));
                let measured = (after.gap - before.gap) / (2.0 * step);
                assert!((measured - rate).abs() < 1e-6 * (1.0 + rate.abs()), "{case} {kind}: {measured} {rate}");
            }
        }
    }
}
