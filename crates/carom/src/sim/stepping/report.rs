//! Output of the stepping engine: the impacts of a step as an event, and the numbers of a checkpoint.

use super::SteppingEngine;
use super::block::Block;
use super::body::Body;
use super::round::Round;
use super::row_impulse::{Lock, Stop};
use crate::contact::ContactFrame;
use crate::error::Error;
use crate::sim::joint::{JointKind, MovingJoint};
use crate::sim::record::{Event, EventContact, EventKind, Origin};
use crate::sim::spot::Spot;
use crate::sim::state::State;
use nalgebra::{SVector, Vector3};

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
    let bodies = (0..after.len()).filter(|body| reached[*body]).map(|body| (body, [before[body], after[body]]));
    let kinetic: f64 = engine.crowd.inertias.iter().zip(&before).map(|(inertia, state)| inertia.kinetic(state)).sum();
    let energy = kinetic + crate::sim::loads::potential(&engine.scene, &before);
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
        reached[body] = true;
    }
    let links = || engine.scene.joints.iter().filter_map(|joint| Some([joint.a.index()?, joint.b.index()?]));
    while let Some([a, b]) = links().find(|[a, b]| reached[*a] != reached[*b]) {
        (reached[a], reached[b]) = (true, true);
    }
    reached
}

/// The impulses of the joints of these bodies.
fn reactions(engine: &SteppingEngine, contacts: &[EventContact], reached: &[bool]) -> Vec<(usize, [Vector3<f64>; 2])> {
    let joints = engine.scene.joints.iter().zip(&engine.shapes.locks).enumerate();
    let held =
        joints.filter(|(_, (joint, _))| [joint.a.index(), joint.b.index()].into_iter().flatten().any(|b| reached[b]));
    let impulse = |(k, (joint, lock)): (usize, (&MovingJoint, &Lock))| {
        let [mut impulse, moment] = lock.on_first();
        if joint.kind != JointKind::Prismatic {
            // A limit is told as a push at a lever, whose force the joint takes up again.
            let limits = contacts.iter().filter(|contact| contact.origin == Origin::Limit(k));
            impulse -= limits.map(|contact| contact.frame.normal() * contact.impulse.x).sum::<Vector3<f64>>();
        }
        (k, [impulse, moment])
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

fn named(engine: &SteppingEngine, sides: [usize; 2]) -> [Option<usize>; 2] {
    sides.map(|body| (body < engine.crowd.len()).then_some(body))
}

fn of_round(engine: &SteppingEngine, place: usize, contact: &Round) -> Option<EventContact> {
    let (a, b) = (contact.a as usize, contact.b as usize);
    let normal = Vector3::from(contact.n);
    let frame = frame(engine, &normal)?;
    let impulse = if engine.scene.is_planar() { contact.impulse::<true>() } else { contact.impulse::<false>() };
    let velocity = |bodies: &[Body]| frame.to_contact(&contact.velocity(&bodies[a], &bodies[b]).into());
    Some(EventContact {
        bodies: named(engine, [a, b]),
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
    let bodies = named(engine, [block.a, block.b]);
    let parts = [block.key[2] as usize, block.key[3] as usize];
    let material = |side: usize| engine.scene.parts_of(bodies[side])[parts[side]].material;
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
        bodies: spot.bodies,
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

/// The list of near pairs and the impulses that the next step starts from, as numbers: how many pairs of balls, pressed floors, blocks and
/// other pairs there are; how long the list holds; the greatest speed so far; then each of them; turns; stops; joints.
pub(super) fn memory(engine: &SteppingEngine) -> Vec<f64> {
    let near = &engine.near;
    let pairs = near.rounds.iter().zip(&near.memory);
    let pairs: Vec<f64> =
        pairs.flat_map(|(pair, p)| [f64::from(pair[0]), f64::from(pair[1]), p[0], p[1], p[2], p[3]]).collect();
    let others: Vec<f64> = near.others.iter().flatten().map(|body| f64::from(*body)).collect();
    let floors = engine.rounds.floor_memory.iter().enumerate().filter(|(_, impulse)| impulse[0] > 0.0);
    let floors: Vec<f64> = floors.flat_map(|(place, p)| [place as f64, p[0], p[1], p[2], p[3]]).collect();
    let blocks = engine.shapes.memory.iter();
    let blocks: Vec<f64> = blocks
        .flat_map(|(key, p)| key.iter().map(|k| f64::from(*k)).chain(p.iter().copied()).collect::<Vec<_>>())
        .collect();
    let counts = [pairs.len() / PAIR, floors.len() / FLOOR, blocks.len() / BLOCK, others.len() / OTHER];
    let mut numbers: Vec<f64> = counts.iter().map(|count| *count as f64).collect();
    numbers.extend([near.skin, near.travel, f64::from(u8::from(near.valid)), engine.depths.fastest]);
    for list in [pairs, floors, blocks, others] {
        numbers.extend(list);
    }
    numbers.extend(engine.scene.turned());
    numbers.extend(&engine.shapes.stop_memory);
    numbers.extend(engine.shapes.lock_memory.iter().flat_map(|impulse| impulse.iter().copied()));
    numbers
}

/// Numbers of a pair of balls, a pressed floor, a block and another pair.
const PAIR: usize = 6;
const FLOOR: usize = 5;
const BLOCK: usize = 9;
const OTHER: usize = 2;

/// Takes the numbers of a checkpoint back.
pub(super) fn recall(engine: &mut SteppingEngine, numbers: &[f64]) -> Result<(), Error> {
    let wrong = Error::WrongSize { what: "numbers of a checkpoint" };
    let (counts, rest) = numbers.split_at_checked(4).ok_or(wrong.clone())?;
    let (validity, rest) = rest.split_at_checked(4).ok_or(wrong.clone())?;
    let size = |place: usize, each: usize| (counts[place] as usize).saturating_mul(each);
    let (pairs, rest) = rest.split_at_checked(size(0, PAIR)).ok_or(wrong.clone())?;
    let (floors, rest) = rest.split_at_checked(size(1, FLOOR)).ok_or(wrong.clone())?;
    let (blocks, rest) = rest.split_at_checked(size(2, BLOCK)).ok_or(wrong.clone())?;
    let (others, rest) = rest.split_at_checked(size(3, OTHER)).ok_or(wrong.clone())?;
    let (turned, rest) = rest.split_at_checked(engine.scene.joints.len()).ok_or(wrong.clone())?;
    let (stops, locks) = rest.split_at_checked(engine.shapes.stop_memory.len()).ok_or(wrong.clone())?;
    if locks.len() != 6 * engine.shapes.lock_memory.len() {
        return Err(wrong);
    }
    let count = engine.crowd.len();
    let two = |a: f64, b: f64| {
        let pair = [a as u32, b as u32];
        if pair.iter().all(|body| (*body as usize) < count) { Ok(pair) } else { Err(wrong.clone()) }
    };
    for pair in pairs.as_chunks::<PAIR>().0 {
        engine.near.rounds.push(two(pair[0], pair[1])?);
        engine.near.memory.push([pair[2], pair[3], pair[4], pair[5]]);
    }
    for pair in others.as_chunks::<OTHER>().0 {
        engine.near.others.push(two(pair[0], pair[1])?);
    }
    (engine.near.skin, engine.near.travel, engine.near.valid) = (validity[0], validity[1], validity[2] != 0.0);
    engine.depths.fastest = validity[3];
    for floor in floors.as_chunks::<FLOOR>().0 {
        let place = engine.rounds.floor_memory.get_mut(floor[0] as usize).ok_or(wrong.clone())?;
        *place = [floor[1], floor[2], floor[3], floor[4]];
    }
    for block in blocks.as_chunks::<BLOCK>().0 {
        let key = std::array::from_fn(|k| block[k] as u32);
        engine.shapes.memory.push((key, Vector3::new(block[6], block[7], block[8])));
    }
    engine.scene.turn_joints(turned);
    engine.shapes.stop_memory.copy_from_slice(stops);
    for (known, lock) in engine.shapes.lock_memory.iter_mut().zip(locks.as_chunks::<6>().0) {
        *known = SVector::from(*lock);
    }
    Ok(())
}
