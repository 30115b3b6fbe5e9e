//! The impacts of a step as an event.

use super::SteppingEngine;
use super::block::Block;
use super::body::Body;
use super::round::Round;
use super::row_impulse::{Lock, Stop};
use crate::contact::ContactFrame;
use crate::sim::id::{BodyId, JointId};
use crate::sim::joint::{JointKind, MovingJoint};
use crate::sim::record::{Event, EventContact, EventKind, Origin};
use crate::sim::spot::Spot;
use crate::sim::state::State;
use nalgebra::Vector3;

/// All contacts, strings and limits that strike in this step, with velocities before and after; the energy after is for the caller to
/// fill in.
pub(super) fn impacts(engine: &SteppingEngine) -> Option<Event> {
    let rounds = engine.rounds.contacts.iter().zip(&engine.rounds.strikes).enumerate();
    let rounds = rounds.filter(|(_, (contact, strikes))| **strikes && contact.normal > 0.0);
    let blocks = engine.shapes.blocks.iter().zip(&engine.shapes.strikes);
    let blocks = blocks.filter(|(block, strikes)| **strikes && block.impulse.x > 0.0);
    let stops = engine.shapes.stops.iter().zip(&engine.shapes.stop_strikes);
    let stops: Vec<&Stop> =
        stops.filter(|(stop, strikes)| **strikes && stop.impulse > 0.0).map(|(stop, _)| stop).collect();
    let mut contacts: Vec<EventContact> =
        rounds.filter_map(|(place, (contact, _))| of_round(engine, place, contact)).collect();
    contacts.extend(blocks.filter_map(|(block, _)| of_block(engine, block)));
    if contacts.is_empty() && stops.is_empty() {
        return None;
    }
    let after = engine.crowd.states();
    let before: Vec<State> = after
        .iter()
        .zip(&engine.crowd.before)
        .map(|(state, was)| State { velocity: was.velocity(), angular_velocity: was.turning(), ..*state })
        .collect();
    contacts.extend(stops.iter().filter_map(|stop| of_stop(engine, stop, [&before, &after])));
    let reached = reached(engine, &contacts);
    let bodies =
        (0..after.len()).filter(|body| reached[*body]).map(|body| (BodyId::new(body), [before[body], after[body]]));
    let energy = engine.crowd.kinetic(&before) + crate::sim::loads::potential(&engine.scene, &before);
    let joints = reactions(engine, &contacts, &reached);
    Some(Event {
        time: engine.time,
        kind: EventKind::Impact,
        energy: [energy; 2],
        bodies: bodies.collect(),
        joints,
        contacts,
        restitution_factor: engine.lowering.least(),
    })
}

/// The bodies of these contacts, and all that joints connect to them.
fn reached(engine: &SteppingEngine, contacts: &[EventContact]) -> Vec<bool> {
    let mut reached = vec![false; engine.crowd.len()];
    for body in contacts.iter().flat_map(|contact| contact.bodies).flatten() {
        reached[body.index()] = true;
    }
    let links = || engine.scene.joints.iter().filter_map(|joint| Some([joint.a.index()?, joint.b.index()?]));
    while let Some([a, b]) = links().find(|[a, b]| reached[*a] != reached[*b]) {
        (reached[a], reached[b]) = (true, true);
    }
    reached
}

/// The impulses of the joints of these bodies.
fn reactions(
    engine: &SteppingEngine,
    contacts: &[EventContact],
    reached: &[bool],
) -> Vec<(JointId, [Vector3<f64>; 2])> {
    let joints = engine.scene.joints.iter().zip(&engine.shapes.locks).enumerate();
    let held =
        joints.filter(|(_, (joint, _))| [joint.a.index(), joint.b.index()].into_iter().flatten().any(|b| reached[b]));
    let impulse = |(k, (joint, lock)): (usize, (&MovingJoint, &Lock))| {
        let id = JointId::new(k);
        let [mut impulse, moment] = lock.on_first();
        if joint.kind != JointKind::Prismatic {
            // A limit is told as a push at a lever, whose force the joint takes up again.
            let limits = contacts.iter().filter(|contact| contact.origin == Origin::Limit(id));
            impulse -= limits.map(|contact| contact.frame.normal() * contact.impulse.x).sum::<Vector3<f64>>();
        }
        (id, [impulse, moment])
    };
    held.map(impulse).collect()
}

fn frame(engine: &SteppingEngine, normal: &Vector3<f64>) -> Option<ContactFrame> {
    if engine.scene.is_planar() {
        ContactFrame::planar([normal.x, normal.y]).ok()
    } else {
        ContactFrame::spatial(normal, None).ok()
    }
}

fn of_round(engine: &SteppingEngine, place: usize, contact: &Round) -> Option<EventContact> {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let normal = Vector3::from(contact.n);
    let frame = frame(engine, &normal)?;
    let impulse = if engine.scene.is_planar() { contact.impulse::<true>() } else { contact.impulse::<false>() };
    let velocity = |bodies: &[Body]| frame.to_contact(&contact.velocity(&bodies[a], &bodies[b]).into());
    Some(EventContact {
        bodies: BodyId::among([a, b], engine.crowd.len()),
        origin: engine.rounds.origin(place, &engine.near),
        point: engine.crowd.pose(a).position - normal * contact.arm[0],
        lever: Vector3::zeros(),
        frame,
        impulse: frame.to_contact(&impulse.into()),
        velocity_before: velocity(&engine.crowd.before),
        velocity_after: velocity(&engine.crowd.bodies),
        closing_speed: (-contact.bound).max(0.0),
    })
}

fn of_block(engine: &SteppingEngine, block: &Block) -> Option<EventContact> {
    let frame = frame(engine, &block.axes.column(0).into())?;
    let first = if block.a < engine.crowd.len() { engine.crowd.pose(block.a).position } else { Vector3::zeros() };
    let bodies = BodyId::among([block.a, block.b], engine.crowd.len());
    let parts = [block.key[2] as usize, block.key[3] as usize];
    let material = |side: usize| engine.scene.parts_of(bodies[side].map(BodyId::index))[parts[side]].material;
    Some(EventContact {
        bodies,
        origin: Origin::Parts { parts, materials: [material(0), material(1)] },
        point: first + block.arms[0],
        lever: Vector3::zeros(),
        frame,
        impulse: block.impulse,
        velocity_before: block.velocity(&engine.crowd.before),
        velocity_after: block.velocity(&engine.crowd.bodies),
        closing_speed: (-block.bound).max(0.0),
    })
}

/// A string or a limit, told as the event engine does.
fn of_stop(engine: &SteppingEngine, stop: &Stop, [before, after]: [&[State]; 2]) -> Option<EventContact> {
    let scene = &engine.scene;
    let spot = match stop.place.checked_sub(scene.strings.len()) {
        None => Spot::string(scene, stop.place),
        Some(place) => Spot::limit(scene, place / 2, if place % 2 == 0 { 1.0 } else { -1.0 }),
    };
    let met = spot.at(scene, before)?;
    let lever = spot.lever(scene, before);
    let frame = frame(engine, &met.normal)?;
    // Along the normal it is the row that was solved, which is that of the middle of the step.
    let velocity = |states: &[State], bodies: &[Body]| {
        let across = frame.to_contact(&spot.velocity(states, &met));
        Vector3::new(stop.line.velocity(bodies), across.y, across.z)
    };
    Some(EventContact {
        bodies: BodyId::pair(spot.bodies),
        origin: spot.origin(),
        point: met.point - lever,
        lever,
        frame,
        impulse: Vector3::x() * stop.impulse,
        velocity_before: velocity(before, &engine.crowd.before),
        velocity_after: velocity(after, &engine.crowd.bodies),
        closing_speed: (-stop.bound).max(0.0),
    })
}
