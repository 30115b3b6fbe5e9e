//! Bodies, contacts and joints as one impact.

use super::mechanism::{IMMOVABLE, Mechanism};
use super::{BlockMatrix, Impact, Joint, check_in_plane};
use crate::body::Body;
use crate::collision::Mobility;
use crate::contact::ContactFrame;
use crate::error::{Error, finite};
use nalgebra::{DMatrix, DVector, Matrix3, Vector3};

/// A contact between two bodies of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Place of body A; `None` is the world.
    pub a: Option<usize>,
    /// Place of body B; `None` is the world.
    pub b: Option<usize>,
    /// Where they touch, m.
    pub point: Vector3<f64>,
    /// The contact's axes; the normal points from B into A.
    pub frame: ContactFrame,
}

/// Bodies that touch each other at some points and are held together at others.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    bodies: Vec<Body>,
    contacts: Vec<Contact>,
    joints: Vec<Row>,
    mechanism: Mechanism,
    planar: bool,
}

/// The impulse that a joint exerts on its body A.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reaction {
    /// kg m/s.
    pub impulse: Vector3<f64>,
    /// About the joint's point, kg m²/s.
    pub moment: Vector3<f64>,
}

/// One locked relative motion of two bodies.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Row {
    /// Which joint it belongs to, and where that is.
    joint: usize,
    pub(super) point: Vector3<f64>,
    /// The two bodies, with the impulse on each by a unit of the row: linear and angular.
    pub(super) sides: [(Option<usize>, Vector3<f64>, Vector3<f64>); 2],
}

/// Velocities at a joint that disagree by more than this fraction of the speeds are no rounding.
const LOCKED: f64 = 1e-9;
/// How the bodies move after an impact, where there are bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyMotion {
    /// The velocity of A's point relative to B's at each contact, contact frame, m/s.
    pub velocities: Vec<Vector3<f64>>,
    /// The speeds before of the two points at each contact together, m/s.
    pub speeds: Vec<f64>,
    /// Kinetic energy of all bodies before and after, J.
    pub energy: [f64; 2],
}

/// Refuses a contact or a joint of a body that is not there.
fn check_sides(what: &'static str, place: usize, sides: [Option<usize>; 2], bodies: usize) -> Result<(), Error> {
    match sides.into_iter().flatten().find(|body| *body >= bodies) {
        Some(body) => Err(Error::NoBody { what, place, body, bodies }),
        None => Ok(()),
    }
}

impl Network {
    /// Puts bodies, contacts and joints together. Joints must be at rest in what they lock.
    ///
    /// ```
    /// # use carom::{Body, ContactFrame, impact::{Contact, Network}};
    /// # use nalgebra::Vector3;
    /// // Three balls in a row, the first hits the others.
    /// let ball = |x: f64, v: f64| Body::planar(1.0, 1.0).unwrap().at(Vector3::x() * x).moving(Vector3::x() * v, Vector3::zeros());
    /// let bodies = [ball(0.0, 1.0), ball(2.0, 0.0), ball(4.0, 0.0)];
    /// let normal = ContactFrame::planar([1.0, 0.0]).unwrap();
    /// let touch = |k: usize| Contact { a: Some(k + 1), b: Some(k), point: Vector3::x() * (2.0 * k as f64 + 1.0), frame: normal };
    /// let contacts = [touch(0), touch(1)];
    /// let impact = Network::new(bodies, contacts, &[], true).unwrap().impact().unwrap();
    /// assert_eq!(impact.inverse_mass().block(0, 1)[(0, 0)], -1.0);
    /// ```
    pub fn new(
        bodies: impl Into<Vec<Body>>,
        contacts: impl Into<Vec<Contact>>,
        joints: &[Joint],
        planar: bool,
    ) -> Result<Network, Error> {
        let (bodies, contacts) = (bodies.into(), contacts.into());
        for body in &bodies {
            finite("position of a body", body.position.as_slice())?;
            finite("velocity of a body", body.velocity.as_slice())?;
            finite("angular velocity of a body", body.angular_velocity.as_slice())?;
        }
        for (place, contact) in contacts.iter().enumerate() {
            finite("point of a contact", contact.point.as_slice())?;
            check_sides("contact", place, [contact.a, contact.b], bodies.len())?;
        }
        for (place, joint) in joints.iter().enumerate() {
            finite("point of a joint", joint.point.as_slice())?;
            check_sides("joint", place, [joint.a, joint.b], bodies.len())?;
        }
        let rows: Vec<Row> = joints.iter().enumerate().flat_map(|(k, joint)| rows(k, joint, &bodies)).collect();
        let mechanism = Mechanism::new(&bodies, &rows, planar);
        let network = Network { bodies, contacts, joints: rows, mechanism, planar };
        network.check_joints()?;
        Ok(network)
    }

    /// The impact at the contacts.
    pub fn impact(&self) -> Result<Impact, Error> {
        let mut at_body: Vec<Vec<usize>> = vec![Vec::new(); self.bodies.len()];
        for (k, contact) in self.contacts.iter().enumerate() {
            for body in [contact.a, contact.b].into_iter().flatten() {
                at_body[body].push(k);
            }
        }
        let held: Vec<DMatrix<f64>> = if self.joints.is_empty() {
            Vec::new()
        } else {
            self.contacts.iter().map(|contact| self.through_joints(contact)).collect()
        };
        // Rounding of contacts that joints hold would pass for a very large mass.
        if self.movable().len() < self.contacts.len() {
            return Err(Error::ImmovableAlongNormal);
        }
        let mobilities: Vec<Option<Mobility>> =
            (0..self.contacts.len()).map(|k| self.mobility(&self.contacts[k], held.get(k)?)).collect();
        let rows = (0..self.contacts.len()).map(|i| {
            let contact = &self.contacts[i];
            let mut others: Vec<usize> = if self.joints.is_empty() {
                [contact.a, contact.b].into_iter().flatten().flat_map(|body| at_body[body].iter().copied()).collect()
            } else {
                (0..self.contacts.len()).collect()
            };
            others.push(i);
            others.sort_unstable();
            others.dedup();
            let row = others.into_iter().map(|j| {
                let mut block = self.direct(contact, &self.contacts[j]);
                if let (Some(a), Some(b)) = (held.get(i), held.get(j)) {
                    let through = a * b.transpose();
                    block += Matrix3::from_fn(|r, c| through[(r, c)]);
                }
                (j, self.in_plane(block))
            });
            row.filter(|(j, block)| i == *j || *block != Matrix3::zeros()).collect()
        });
        let matrix = BlockMatrix::from_rows(rows);
        let velocity = self.contacts.iter().map(|contact| self.relative_velocity(contact)).collect();
        Ok(Impact::of_blocks(matrix, velocity, self.planar)?.moving_as(mobilities))
    }

    /// The directions in which joints let a contact move; `None` where a body without joints takes part, which any impulse
    /// moves.
    fn mobility(&self, contact: &Contact, held: &DMatrix<f64>) -> Option<Mobility> {
        let free = |body: &usize| !self.mechanism.holds(*body) && !self.bodies[*body].is_immovable();
        let mixed = [contact.a, contact.b].iter().flatten().any(free);
        (!mixed).then(|| Mobility::of_factor(held, self.planar))
    }

    /// The contacts that joints let move along their normals.
    pub(crate) fn movable(&self) -> Vec<usize> {
        let moves = |contact: &Contact| {
            self.direct(contact, contact)[(0, 0)] > 0.0 || self.through_joints(contact).row(0).amax() > 0.0
        };
        (0..self.contacts.len()).filter(|k| self.joints.is_empty() || moves(&self.contacts[*k])).collect()
    }

    /// The rank of W, decided by geometry: in how many independent ways bodies and joints let the contacts move, whatever the masses are.
    /// It costs a decomposition.
    ///
    /// ```
    /// # use carom::{Body, ContactFrame, impact::{Contact, Network}};
    /// # use nalgebra::Vector3;
    /// // A disk in a corner has three freedoms and four components of impulse.
    /// let disk = Body::planar(1.0, 0.5).unwrap();
    /// let side = |normal: [f64; 2]| {
    ///     let point = -Vector3::new(normal[0], normal[1], 0.0);
    ///     Contact { a: Some(0), b: None, point, frame: ContactFrame::planar(normal).unwrap() }
    /// };
    /// let corner = Network::new([disk], [side([0.0, 1.0]), side([1.0, 0.0])], &[], true).unwrap();
    /// assert_eq!(corner.rank(), 3);
    /// ```
    pub fn rank(&self) -> usize {
        let components = if self.planar { 2 } else { 3 };
        let directions = self.contacts.iter().flat_map(|contact| {
            contact.frame.axes().column_iter().take(components).map(move |axis| (contact, axis.into_owned()))
        });
        let motions: Vec<DVector<f64>> =
            directions.filter_map(|(contact, axis)| self.geometry(contact, &axis).try_normalize(IMMOVABLE)).collect();
        if motions.is_empty() {
            return 0;
        }
        let upper = DMatrix::from_columns(&motions).col_piv_qr().r();
        let pivot = |k: usize| upper[(k, k)].abs();
        (0..upper.nrows().min(upper.ncols())).take_while(|k| pivot(*k) > IMMOVABLE * pivot(0)).count()
    }

    /// How far each freedom moves a contact along a direction, in coordinates without masses: those of the mechanism, and of every body that no
    /// joint holds its velocity and ℓ times its angular velocity, ℓ the longest arm of its contacts.
    fn geometry(&self, contact: &Contact, direction: &Vector3<f64>) -> DVector<f64> {
        let sides = [contact.a, contact.b];
        let mut row: Vec<f64> =
            self.mechanism.geometry_at(&self.bodies, sides, &contact.point, direction).iter().copied().collect();
        for (place, body) in self.bodies.iter().enumerate() {
            if self.mechanism.holds(place) || body.is_immovable() {
                continue;
            }
            let touching = self.contacts.iter().filter(|other| [other.a, other.b].contains(&Some(place)));
            let length = touching.map(|other| (other.point - body.position).norm()).fold(0.0, f64::max);
            let sign = f64::from(u8::from(contact.a == Some(place))) - f64::from(u8::from(contact.b == Some(place)));
            let turn = (contact.point - body.position).cross(direction);
            row.extend((direction * sign).iter());
            row.extend((turn * if length > 0.0 { sign / length } else { 0.0 }).iter());
        }
        DVector::from_vec(row)
    }

    /// The bodies after impulses (n, t1, t2) at the contacts, and what each joint did. In the plane the impulses have no component
    /// along t2.
    pub fn after(&self, impulses: &[Vector3<f64>]) -> Result<(Vec<Body>, Vec<Reaction>), Error> {
        if impulses.len() != self.contacts.len() {
            return Err(Error::WrongSize { what: "impulses and contacts of a network" });
        }
        for impulse in impulses {
            finite("impulse", impulse.as_slice())?;
            if self.planar {
                check_in_plane(impulse)?;
            }
        }
        let mut bodies = self.bodies.clone();
        let mut on_held = Vec::new();
        for (contact, impulse) in self.contacts.iter().zip(impulses) {
            for (place, impulse) in [(contact.a, *impulse), (contact.b, -impulse)] {
                let Some(place) = place else { continue };
                let push = bodies[place].push_along(&contact.point, contact.frame.axes(), &impulse);
                if self.mechanism.holds(place) {
                    on_held.push((Some(place), push[0], push[1]));
                } else {
                    bodies[place].apply(push);
                }
            }
        }
        let slip = DVector::from_iterator(self.joints.len(), self.joints.iter().map(|row| row.velocity(&bodies)));
        let reaction = self.mechanism.push(&mut bodies, &on_held, &slip);
        let joints = self.joints.last().map_or(0, |row| row.joint + 1);
        let mut reactions = vec![Reaction::default(); joints];
        for (row, amount) in self.joints.iter().zip(reaction.iter()) {
            for (k, (place, linear, angular)) in row.sides.iter().enumerate() {
                let Some(place) = place else { continue };
                if k == 0 {
                    let about_point = angular - (row.point - bodies[*place].position).cross(linear);
                    reactions[row.joint].impulse += linear * *amount;
                    reactions[row.joint].moment += about_point * *amount;
                }
            }
        }
        Ok((bodies, reactions))
    }

    /// How the bodies move at the contacts once they are as in `after`, for the audit.
    pub fn motion(&self, after: &[Body]) -> Result<BodyMotion, Error> {
        if after.len() != self.bodies.len() {
            return Err(Error::WrongSize { what: "bodies before and after" });
        }
        let energy = |bodies: &[Body]| bodies.iter().map(Body::kinetic_energy).sum();
        let velocity = |contact: &Contact| {
            let local = velocity_at(after, contact, contact.a) - velocity_at(after, contact, contact.b);
            if self.planar { Vector3::new(local.x, local.y, 0.0) } else { local }
        };
        let speed = |place: Option<usize>, point: &Vector3<f64>| {
            place.map_or(0.0, |place| {
                let body = &self.bodies[place];
                body.velocity.norm() + body.angular_velocity.norm() * (point - body.position).norm()
            })
        };
        Ok(BodyMotion {
            velocities: self.contacts.iter().map(velocity).collect(),
            speeds: self.contacts.iter().map(|c| speed(c.a, &c.point) + speed(c.b, &c.point)).collect(),
            energy: [energy(&self.bodies), energy(after)],
        })
    }

    /// Kinetic energy of the bodies together, J.
    pub fn kinetic_energy(&self) -> f64 {
        self.bodies.iter().map(Body::kinetic_energy).sum()
    }

    fn relative_velocity(&self, contact: &Contact) -> Vector3<f64> {
        let [a, b] = [contact.a, contact.b].map(|place| velocity_at(&self.bodies, contact, place));
        let local = a - b;
        // What is left of the difference of two velocities may be their rounding.
        let rounding = 8.0 * f64::EPSILON * (a.norm() + b.norm());
        let local = local.map(|v| if v.abs() <= rounding { 0.0 } else { v });
        if self.planar { Vector3::new(local.x, local.y, 0.0) } else { local }
    }

    /// How one contact moves by impulses at another, through the bodies they share that no joint holds.
    fn direct(&self, to: &Contact, from: &Contact) -> Matrix3<f64> {
        let mut sum = Matrix3::zeros();
        for (to_body, to_sign) in [(to.a, 1.0), (to.b, -1.0)] {
            for (from_body, from_sign) in [(from.a, 1.0), (from.b, -1.0)] {
                if let (Some(body), true) = (to_body, to_body == from_body)
                    && !self.mechanism.holds(body)
                {
                    let (to, from) = ((&to.point, to.frame.axes()), (&from.point, from.frame.axes()));
                    sum += self.bodies[body].response_between(to, from) * (to_sign * from_sign);
                }
            }
        }
        sum
    }

    fn in_plane(&self, block: Matrix3<f64>) -> Matrix3<f64> {
        if self.planar { Matrix3::from_fn(|i, j| if i < 2 && j < 2 { block[(i, j)] } else { 0.0 }) } else { block }
    }

    /// How far each freedom of the mechanism moves a contact, in its frame.
    fn through_joints(&self, contact: &Contact) -> DMatrix<f64> {
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| contact.frame.to_world(&axis));
        self.mechanism.motion_at(&self.bodies, [contact.a, contact.b], &contact.point, &axes)
    }

    /// Measured by the fastest of all bodies: those at rest move by rounding.
    fn check_joints(&self) -> Result<(), Error> {
        let speed = |row: &Row, body: &Body| {
            body.velocity.norm() + body.angular_velocity.norm() * (row.point - body.position).norm()
        };
        let ends =
            self.joints.iter().flat_map(|row| row.sides.iter().filter_map(move |(place, ..)| Some((row, (*place)?))));
        let fastest = ends.map(|(row, place)| speed(row, &self.bodies[place])).fold(0.0, f64::max);
        let moves = |row: &&Row| row.velocity(&self.bodies).abs() > LOCKED * fastest;
        self.joints
            .iter()
            .find(moves)
            .map_or(Ok(()), |row| Err(Error::MovingJoint { joint: row.joint, velocity: row.velocity(&self.bodies) }))
    }
}

impl Row {
    /// The relative velocity that the row locks.
    fn velocity(&self, bodies: &[Body]) -> f64 {
        let of = |(place, linear, angular): &(Option<usize>, Vector3<f64>, Vector3<f64>)| {
            place
                .map_or(0.0, |place| linear.dot(&bodies[place].velocity) + angular.dot(&bodies[place].angular_velocity))
        };
        self.sides.iter().map(of).sum()
    }
}

/// Velocity of a body, or of the world, at a contact, in its frame.
fn velocity_at(bodies: &[Body], contact: &Contact, place: Option<usize>) -> Vector3<f64> {
    place.map_or_else(Vector3::zeros, |place| bodies[place].velocity_along(&contact.point, contact.frame.axes()))
}

/// The rows of a joint.
fn rows(joint: usize, of: &Joint, bodies: &[Body]) -> Vec<Row> {
    let point = of.point;
    let arm = |place: Option<usize>| place.map_or_else(Vector3::zeros, |place| point - bodies[place].position);
    let sides = |linear: Vector3<f64>, angular: Vector3<f64>| {
        [(of.a, 1.0), (of.b, -1.0)]
            .map(|(place, sign)| (place, linear * sign, (arm(place).cross(&linear) + angular) * sign))
    };
    let along = of.translations.iter().map(|axis| sides(*axis, Vector3::zeros()));
    let about = of.rotations.iter().map(|axis| sides(Vector3::zeros(), *axis));
    along.chain(about).map(|sides| Row { joint, point, sides }).collect()
}
