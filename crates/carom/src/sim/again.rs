//! An event as an impact that any law can resolve again.

use super::constrained::{Unheld, shortest_solution};
use super::id::{BodyId, JointId};
use super::in_time::SceneInTime;
use super::inertia::Inertia;
use super::joint::MovingJoint;
use super::loads::state_of;
use super::record::Event;
use super::row::Row;
use super::scene::Scene;
use super::state::State;
use crate::body::Body;
use crate::error::Error;
use crate::impact::{Contact, Joint};
use nalgebra::{DVector, Vector3};

/// The impact of an event as it was before: contacts and joints name bodies by their place in `bodies`.
#[derive(Clone, Debug)]
pub struct EventImpact {
    /// The bodies that the event reached.
    pub bodies: Vec<Body>,
    /// Its contacts.
    pub contacts: Vec<Contact>,
    /// The joints that hold these bodies.
    pub joints: Vec<(JointId, Joint)>,
}

impl Event {
    /// The impact that a law needs to resolve the event again. Refuses an event of another scene where its bodies are not there.
    pub fn before(&self, scene: &Scene) -> Result<EventImpact, Error> {
        let named =
            self.bodies.iter().map(|(body, _)| *body).chain(self.contacts.iter().flat_map(|c| c.bodies).flatten());
        let count = scene.bodies.len();
        if let Some(index) = named.map(BodyId::index).find(|index| *index >= count) {
            return Err(Error::NoSuch { what: "body", index, count });
        }
        let inertias = Inertia::of(scene);
        let mut states: Vec<_> = scene.bodies.iter().map(|body| body.state).collect();
        let mut place = vec![None; states.len()];
        for (k, (body, [before, _])) in self.bodies.iter().enumerate() {
            states[body.index()] = *before;
            place[body.index()] = Some(k);
        }
        let local = |body: Option<usize>| body.and_then(|body| place[body]);
        let held: Vec<(usize, &MovingJoint)> = scene
            .joints
            .iter()
            .enumerate()
            .filter(|(_, joint)| {
                [joint.a.index(), joint.b.index()].into_iter().flatten().any(|body| place[body].is_some())
            })
            .collect();
        self.stop_joints(scene, &inertias, &held, &mut states);
        let bodies = self.bodies.iter().map(|(body, _)| inertias[body.index()].body(&states[body.index()])).collect();
        let contacts = self.contacts.iter().map(|contact| Contact {
            a: local(contact.bodies[0].map(BodyId::index)),
            b: local(contact.bodies[1].map(BodyId::index)),
            point: contact.point + contact.lever,
            frame: contact.frame,
        });
        let joints = held.iter().map(|(k, joint)| {
            let mut now = joint.at_impact(&state_of(&states, joint.a.index()), &state_of(&states, joint.b.index()));
            (now.a, now.b) = (local(joint.a.index()), local(joint.b.index()));
            (JointId::new(*k), now)
        });
        Ok(EventImpact { bodies, contacts: contacts.collect(), joints: joints.collect() })
    }

    /// Takes away by least effort what moves the bodies against their joints. Steps hold joints at their middles: at their starts they
    /// move a little, which no impact can have.
    fn stop_joints(&self, scene: &Scene, inertias: &[Inertia], held: &[(usize, &MovingJoint)], states: &mut [State]) {
        let rows: Vec<Row> = held
            .iter()
            .flat_map(|(_, joint)| joint.rows(state_of(states, joint.a.index()), state_of(states, joint.b.index())))
            .collect();
        if rows.is_empty() {
            return;
        }
        let bodies: Vec<usize> = self.bodies.iter().map(|(body, _)| body.index()).collect();
        let mut unheld = Unheld::new(&SceneInTime::new(scene), inertias, &bodies, self.time, states);
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
