//! Impacts: all contacts that touch at one instant, resolved by the law of the scene.

use super::EventEngine;
use super::forces::JAMMED;
use crate::contact::ContactFrame;
use crate::error::Error;
use crate::impact::{Contact, Joint, Network};
use crate::laws::{self, BoundLaw, Inapplicable, Law, Sequential};
use crate::sim::id::{BodyId, JointId};
use crate::sim::in_time::SceneInTime;
use crate::sim::loads::state_of;
use crate::sim::record::{EventContact, Origin};
use crate::sim::scene::Scene;
use crate::sim::spot::Spot;
use crate::sim::state::State;
use crate::sim::touch::meeting::Kinematics;
use nalgebra::Vector3;

/// A contact at the instant of an impact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meet {
    pub(super) spot: Spot,
    pub(super) now: Kinematics,
    pub(super) frame: ContactFrame,
}

/// Friction that is greater by this factor jams where all but [`JAMMED`] of the inverse mass was gone.
const MORE: f64 = 1.0 + 10.0 * JAMMED;

/// Impulses so many times all momentum only hold each other: a law that finds them has no answer that is finite.
const UNBOUNDED: f64 = 1e6;

/// How an impact is resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// By the law of the scene, with all its coefficients of restitution times this factor.
    Law(f64),
    /// The same, with slightly more friction, so that contacts that nearly jam do jam.
    LawThatJams(f64),
    /// Without restitution.
    Dead,
    /// Without restitution, with so little more friction.
    DeadThatJams,
    /// Without restitution and friction.
    DeadAndSmooth,
}

impl Rule {
    /// The same with this factor on the restitution; nothing for rules without restitution.
    pub(super) fn lowered(self, factor: f64) -> Option<Rule> {
        match self {
            Rule::Law(_) => Some(Rule::Law(factor)),
            Rule::LawThatJams(_) => Some(Rule::LawThatJams(factor)),
            Rule::Dead | Rule::DeadThatJams | Rule::DeadAndSmooth => None,
        }
    }
}

/// What an impact did.
pub(super) struct Resolved {
    pub(super) contacts: Vec<EventContact>,
    /// The bodies it could reach, and their velocities after.
    pub(super) bodies: Vec<(usize, State)>,
    pub(super) joints: Vec<(JointId, [Vector3<f64>; 2])>,
}

impl Meet {
    pub(super) fn new(scene: &SceneInTime, states: &[State], spot: &Spot) -> Option<Meet> {
        let now = spot.at(scene, states)?;
        Some(Meet { spot: *spot, now, frame: Spot::frame(scene, &now.normal)? })
    }

    /// As part of an event, without impulse.
    pub(super) fn untouched(&self, scene: &SceneInTime, states: &[State]) -> EventContact {
        let (velocity, lever) = (self.velocity(states), self.spot.lever(scene, states));
        EventContact {
            bodies: BodyId::pair(self.spot.bodies),
            origin: self.spot.origin(),
            point: self.now.point - lever,
            lever,
            frame: self.frame,
            impulse: Vector3::zeros(),
            velocity_before: velocity,
            velocity_after: velocity,
            closing_speed: 0.0,
        }
    }

    /// Relative velocity (n, t1, t2).
    pub(super) fn velocity(&self, states: &[State]) -> Vector3<f64> {
        self.frame.to_contact(&self.spot.velocity(states, &self.now))
    }
}

/// A parameter of the law that a rule asks for, at a contact.
pub(super) fn parameter(scene: &Scene, law: &Law, spot: &Spot, rule: Rule, key: &str) -> Option<f64> {
    let rubs = matches!(key, "friction" | "static_friction" | "kinetic_friction");
    let given = scene.parameter(law, spot.origin(), key);
    match (rule, key) {
        (Rule::LawThatJams(_), _) if rubs => given.map(|friction| friction * MORE),
        (Rule::Law(factor) | Rule::LawThatJams(factor), "restitution") => given.map(|restitution| restitution * factor),
        (Rule::DeadThatJams, _) if rubs => Some(spot.friction[1] * MORE),
        // The law that completes impacts knows one coefficient of friction only.
        (Rule::Dead, _) if rubs => Some(spot.friction[1]),
        (Rule::DeadAndSmooth, _) if rubs => Some(0.0),
        (Rule::Dead | Rule::DeadThatJams | Rule::DeadAndSmooth, "restitution" | "tangential_restitution") => Some(0.0),
        _ => given,
    }
}

/// The law that a rule asks for, with its parameters at every contact.
fn bind(
    law: &'static Law,
    rule: Rule,
    contacts: usize,
    lookup: impl Fn(usize, &str) -> Option<f64>,
) -> Result<BoundLaw, Error> {
    if matches!(rule, Rule::Dead | Rule::DeadThatJams | Rule::DeadAndSmooth) {
        return laws::find("newton-lcp")?.bind_contacts(contacts, lookup);
    }
    if law.is_simultaneous() || contacts == 1 {
        return law.bind_contacts(contacts, lookup);
    }
    Sequential::of(law, contacts, lookup)
}

/// Checks that the law has its parameters at this contact.
pub(super) fn check_law(scene: &Scene, law: &'static Law, spot: &Spot) -> Result<(), Error> {
    for contacts in [1, 2] {
        bind(law, Rule::Law(1.0), contacts, |_, key| parameter(scene, law, spot, Rule::Law(1.0), key))?;
    }
    Ok(())
}

/// Checks that the law takes the restitution of a string or limit.
pub(super) fn check_rebound(scene: &Scene, law: &Law, link: &Spot) -> Result<(), Error> {
    let (what, place) = match link.origin() {
        Origin::String(string) => ("string", string),
        Origin::Limit(joint) => ("joint", joint.index()),
        Origin::Parts { .. } => return Ok(()),
    };
    let asked = law.parameters.iter().find(|parameter| parameter.key == "restitution");
    let restitution = scene.parameter(law, link.origin(), "restitution");
    match asked {
        Some(parameter) if !restitution.is_some_and(|restitution| parameter.accepts(restitution)) => {
            Err(Error::Rebound { what, place, law: law.id, restitution })
        }
        _ => Ok(()),
    }
}

impl EventEngine {
    /// Resolves an impact of these bodies at these contacts.
    pub(super) fn resolve(
        &self,
        states: &[State],
        bodies: &[usize],
        meets: &[Meet],
        rule: Rule,
    ) -> Result<Resolved, Inapplicable> {
        let (scene, inertias) = (&self.scene, &self.inertias);
        let mut place = vec![None; states.len()];
        for (k, body) in bodies.iter().enumerate() {
            place[*body] = Some(k);
        }
        let local = |body: Option<usize>| body.and_then(|body| place[body]);
        let contacts: Vec<Contact> = meets
            .iter()
            .map(|meet| Contact {
                a: local(meet.spot.bodies[0]),
                b: local(meet.spot.bodies[1]),
                point: meet.now.point,
                frame: meet.frame,
            })
            .collect();
        let mut joints: Vec<Joint> = Vec::new();
        let mut joint_places = Vec::new();
        for (k, joint) in scene.joints.iter().enumerate() {
            if [joint.a.index(), joint.b.index()].into_iter().flatten().any(|body| place[body].is_some()) {
                let mut now = joint.at_impact(&state_of(states, joint.a.index()), &state_of(states, joint.b.index()));
                (now.a, now.b) = (local(joint.a.index()), local(joint.b.index()));
                joints.push(now);
                joint_places.push(k);
            }
        }
        let inside: Vec<_> = bodies.iter().map(|body| inertias[*body].body(&states[*body])).collect();
        let network =
            Network::new(inside, contacts, &joints, scene.is_planar()).map_err(|_| Inapplicable::NoSolution)?;
        let movable = network.movable();
        if movable.len() < meets.len() {
            let meets: Vec<Meet> = movable.into_iter().map(|k| meets[k]).collect();
            return self.resolve(states, bodies, &meets, rule);
        }
        let impact = network.impact().map_err(|_| Inapplicable::NoSolution)?;
        // Strings and limits push along their direction and nothing else.
        let impact = impact.smoothed(|k| !matches!(meets[k].spot.origin(), Origin::Parts { .. }));
        let lookup = |contact: usize, key: &str| parameter(scene, self.law, &meets[contact].spot, rule, key);
        let bound = bind(self.law, rule, meets.len(), lookup).map_err(|_| Inapplicable::NoSolution)?;
        let impulses = bound.resolve(&impact)?.impulses();
        // That of turning at the radius of gyration.
        let momentum = |body: &usize| (2.0 * inertias[*body].mass * inertias[*body].kinetic(&states[*body])).sqrt();
        let most = UNBOUNDED * bodies.iter().map(momentum).sum::<f64>();
        if impulses.iter().any(|impulse| impulse.norm() > most) {
            return Err(Inapplicable::UnboundedImpulse);
        }
        let (moved, reactions) = network.after(&impulses).map_err(|_| Inapplicable::NoSolution)?;
        let bodies: Vec<(usize, State)> = bodies
            .iter()
            .zip(&moved)
            .map(|(body, after)| {
                let state = &states[*body];
                let (velocity, angular_velocity) = (after.velocity, after.angular_velocity);
                (*body, State { velocity, angular_velocity, ..*state })
            })
            .collect();
        let mut after = states.to_vec();
        for (body, state) in &bodies {
            after[*body] = *state;
        }
        let contacts = meets.iter().zip(&impulses).map(|(meet, impulse)| EventContact {
            impulse: *impulse,
            velocity_after: meet.velocity(&after),
            ..meet.untouched(scene, states)
        });
        let joints = joint_places
            .iter()
            .zip(&reactions)
            .map(|(k, reaction)| (JointId::new(*k), [reaction.impulse, reaction.moment]));
        Ok(Resolved { contacts: contacts.collect(), joints: joints.collect(), bodies })
    }
}
