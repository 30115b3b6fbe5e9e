//! Bodies, the contacts between them and what holds them together.

use carom::Dimension;
use carom::impact::{Contact, Impact, Joint, Network};
use carom::{Body, Collision, Error};
use std::collections::HashMap;

/// Bodies, contacts and joints with their names.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Every body with its name, in the order of the file.
    pub bodies: Vec<(String, Body)>,
    /// The contacts.
    pub contacts: Vec<NamedContact>,
    /// The joints.
    pub joints: Vec<NamedJoint>,
    /// Whether it is planar or spatial.
    pub dimension: Dimension,
}

/// A contact with the names of its bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedContact {
    /// The names of A and B; `ground` is the immovable world.
    pub between: [String; 2],
    /// The contact.
    pub contact: Contact,
}

/// A joint with its name and those of its bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedJoint {
    /// What it is called; by its bodies if it has no name.
    pub name: String,
    /// The names of A and B.
    pub between: [String; 2],
    /// The joint.
    pub joint: Joint,
}

impl Scene {
    /// Bodies, contacts and joints without their names.
    pub fn network(&self) -> Result<Network, Error> {
        let bodies: Vec<Body> = self.bodies.iter().map(|(_, body)| *body).collect();
        let contacts: Vec<Contact> = self.contacts.iter().map(|named| named.contact.clone()).collect();
        let joints: Vec<Joint> = self.joints.iter().map(|named| named.joint.clone()).collect();
        Network::new(bodies, contacts, &joints, self.dimension == Dimension::Planar)
    }

    /// The collision at a contact, of bodies that no joint holds.
    pub(crate) fn collision(&self, contact: &Contact) -> Result<Collision, Error> {
        let body = |place: Option<usize>| {
            place.and_then(|place| self.bodies.get(place)).map_or_else(Body::immovable, |(_, body)| *body)
        };
        Collision::between(&body(contact.a), &body(contact.b), &contact.point, &contact.frame)
    }

    /// The impact at the contacts, and the collision if there is one contact.
    pub(super) fn impact(&self) -> Result<(Impact, Option<Collision>), Error> {
        let impact = self.network()?.impact()?;
        if impact.contacts() > 1 {
            return Ok((impact, None));
        }
        let collision = impact.collision(0)?;
        Ok((Impact::of_collision(&collision), Some(collision)))
    }

    /// A name for each contact: its bodies, and a number where two bodies touch at several places.
    pub(super) fn contact_names(&self) -> Vec<String> {
        let mut count: HashMap<&[String; 2], usize> = HashMap::new();
        for named in &self.contacts {
            *count.entry(&named.between).or_default() += 1;
        }
        let mut seen: HashMap<&[String; 2], usize> = HashMap::new();
        let names = self.contacts.iter().map(|named| {
            let [a, b] = &named.between;
            let number = seen.entry(&named.between).or_default();
            *number += 1;
            match count.get(&named.between) {
                Some(2..) => format!("{a}–{b} {number}"),
                _ => format!("{a}–{b}"),
            }
        });
        names.collect()
    }
}
