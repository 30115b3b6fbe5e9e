//! An event as an impact that any law can resolve anew.

use super::constrained::{Unheld, shortest_solution};
use super::inertia::Inertia;
use super::joint::MovingJoint;
use super::loads::state_of;
use super::record::Event;
use super::row::Row;
use super::scene::Scene;
use super::state::State;
use crate::body::Body;
use crate::impact::{Contact, Joint};
use nalgebra::{DVector, Vector3};

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
        let held: Vec<(usize, &MovingJoint)> = scene
            .joints
            .iter()
            .enumerate()
            .filter(|(_, joint)| [joint.a.body, joint.b.body].into_iter().flatten().any(|body| place[body].is_some()))
            .collect();
        self.stop_joints(scene, &inertias, &held, &mut states);
        let bodies = self.bodies.iter().map(|(body, _)| inertias[*body].body(&states[*body])).collect();
        let contacts = self.contacts.iter().map(|contact| Contact {
            a: local(contact.bodies[0]),
            b: local(contact.bodies[1]),
            point: contact.point + contact.lever,
            frame: contact.frame,
        });
        let joints = held.iter().map(|(k, joint)| {
            let mut now = joint.at_impact(&state_of(&states, joint.a.body), &state_of(&states, joint.b.body));
            (now.a, now.b) = (local(joint.a.body), local(joint.b.body));
            (*k, now)
        });
        (bodies, contacts.collect(), joints.collect())
    }

    /// Takes away by least effort what moves the bodies against their joints. Steps hold joints at their middles: at their starts they
    /// move a little, which no impact can have.
    fn stop_joints(&self, scene: &Scene, inertias: &[Inertia], held: &[(usize, &MovingJoint)], states: &mut [State]) {
        let rows: Vec<Row> = held
            .iter()
            .flat_map(|(_, joint)| joint.rows(state_of(states, joint.a.body), state_of(states, joint.b.body)))
            .collect();
        if rows.is_empty() {
            return;
        }
        let bodies: Vec<usize> = self.bodies.iter().map(|(body, _)| *body).collect();
        let mut unheld = Unheld::new(scene, inertias, &bodies, self.time, states);
        unheld.acceleration.fill((Vector3::zeros(), Vector3::zeros()));
        let moving = DVector::from_iterator(rows.len(), rows.iter().map(|row| row.velocity(states)));
        let impulses = shortest_solution(unheld.response(&rows, &rows), &-moving);
        unheld.push(&rows, &impulses);
        for (state, (kick, spin)) in states.iter_mut().zip(unheld.acceleration) {
            state.velocity += kick;
            state.angular_velocity += spin;
        }
    }
}
