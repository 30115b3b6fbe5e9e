//! An event as an impact that any law can resolve anew.

use super::inertia::Inertia;
use super::loads::state_of;
use super::record::Event;
use super::scene::Scene;
use crate::body::Body;
use crate::impact::{Contact, Joint};

impl Event {
    /// What a law needs to resolve the event anew: the bodies that it reached as they were before, the contacts, and the joints that
    /// hold these bodies, each with its place in the scene. Contacts and joints name bodies by their place among these.
    pub fn before(&self, scene: &Scene) -> (Vec<Body>, Vec<Contact>, Vec<(usize, Joint)>) {
        let inertias = Inertia::of(scene);
        let mut states: Vec<_> = scene.bodies.iter().map(|body| body.state).collect();
        let mut place = vec![None; states.len()];
        for (k, (body, [before, _])) in self.bodies.iter().enumerate() {
            states[*body] = *before;
            place[*body] = Some(k);
        }
        let local = |body: Option<usize>| body.and_then(|body| place[body]);
        let bodies = self.bodies.iter().map(|(body, [before, _])| inertias[*body].body(before)).collect();
        let contacts = self.contacts.iter().map(|contact| Contact {
            a: local(contact.bodies[0]),
            b: local(contact.bodies[1]),
            point: contact.point,
            frame: contact.frame,
        });
        let held =
            scene.joints.iter().enumerate().filter(|(_, joint)| {
                [joint.a.body, joint.b.body].into_iter().flatten().any(|body| place[body].is_some())
            });
        let joints = held.map(|(k, joint)| {
            let mut now = joint.at_impact(&state_of(&states, joint.a.body), &state_of(&states, joint.b.body));
            (now.a, now.b) = (local(joint.a.body), local(joint.b.body));
            (k, now)
        });
        (bodies, contacts.collect(), joints.collect())
    }
}
