//! Bodies and the contact between two of them.

use super::NamedJoint;
use carom::audit::BodyMotion;
use carom::impact::{Contact, Joint, Network, Reaction};
use carom::{Body, Collision, ContactFrame, Error};
use nalgebra::Vector3;

/// What a scenario describes.
#[derive(Clone, Debug, PartialEq)]
pub enum Problem {
    /// Bodies that touch.
    Bodies(Box<Scene>),
    /// Inverse mass and relative velocity at a contact, given directly.
    ContactFrame,
}

/// Bodies, and the contact between two of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Every body with its name, in the order of the file.
    pub bodies: Vec<(String, Body)>,
    /// The names of A and B; `ground` is the immovable world.
    pub between: [String; 2],
    /// Place of body A in `bodies`; `None` is the ground.
    pub a: Option<usize>,
    /// Place of body B in `bodies`; `None` is the ground.
    pub b: Option<usize>,
    /// Where A and B touch, in world axes, m.
    pub point: Vector3<f64>,
    /// The contact's axes; the normal points from B into A.
    pub frame: ContactFrame,
    /// The joints between the bodies.
    pub joints: Vec<NamedJoint>,
    pub(super) planar: bool,
}

impl Scene {
    /// The bodies after an impulse (n, t1, t2) on A and its opposite on B, kg m/s, and the impulse and moment of each joint.
    pub fn after(&self, impulse: &Vector3<f64>) -> Result<(Vec<Body>, Vec<Reaction>), Error> {
        if !self.joints.is_empty() {
            return self.network()?.after(&[*impulse]);
        }
        let impulse = self.frame.to_world(impulse);
        let mut bodies: Vec<Body> = self.bodies.iter().map(|(_, body)| *body).collect();
        for (place, impulse) in [(self.a, impulse), (self.b, -impulse)] {
            if let Some(body) = place.and_then(|place| bodies.get_mut(place)) {
                body.apply_impulse(&self.point, &impulse);
            }
        }
        Ok((bodies, Vec::new()))
    }

    /// Bodies, contact and joints together.
    fn network(&self) -> Result<Network, Error> {
        let joints: Vec<Joint> = self.joints.iter().map(|named| named.joint.clone()).collect();
        let bodies: Vec<Body> = self.bodies.iter().map(|(_, body)| *body).collect();
        Network::new(bodies, [self.contact()], &joints, self.planar)
    }

    /// The contact alone.
    pub(super) fn contact(&self) -> Contact {
        Contact { a: self.a, b: self.b, point: self.point, frame: self.frame }
    }

    /// The relative velocity at the contact with the bodies as in `after`, for the audit.
    pub fn motion(&self, after: &[Body]) -> BodyMotion {
        let before: Vec<Body> = self.bodies.iter().map(|(_, body)| *body).collect();
        let at = |bodies: &[Body], place: Option<usize>| {
            place.and_then(|place| bodies.get(place)).copied().unwrap_or_else(Body::immovable)
        };
        let velocity = at(after, self.a).point_velocity(&self.point) - at(after, self.b).point_velocity(&self.point);
        let speed =
            |body: Body| body.velocity.norm() + body.angular_velocity.norm() * (self.point - body.position).norm();
        BodyMotion {
            velocities: vec![self.frame.to_contact(&velocity)],
            speeds: vec![speed(at(&before, self.a)) + speed(at(&before, self.b))],
            energy: [Scene::kinetic_energy(&before), Scene::kinetic_energy(after)],
        }
    }

    /// Kinetic energy of bodies together, J.
    pub fn kinetic_energy<'a>(bodies: impl IntoIterator<Item = &'a Body>) -> f64 {
        bodies.into_iter().map(Body::kinetic_energy).sum()
    }

    /// The collision at the contact.
    pub(super) fn collision(&self) -> Result<Collision, Error> {
        if !self.joints.is_empty() {
            return self.network()?.impact()?.collision(0);
        }
        let body = |place: Option<usize>| {
            place.and_then(|place| self.bodies.get(place)).map_or_else(Body::immovable, |(_, body)| *body)
        };
        Collision::between(&body(self.a), &body(self.b), &self.point, &self.frame)
    }
}
