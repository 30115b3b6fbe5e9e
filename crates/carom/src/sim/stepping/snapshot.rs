//! The state of the stepping engine for a checkpoint, and back.

use super::SteppingEngine;
use crate::error::Error;
use crate::sim::checkpoint::{BallPair, ContactImpulse, FloorImpulse, SteppingState};
use nalgebra::SVector;

/// The list of near pairs and the impulses that the next step starts from.
pub(super) fn taken(engine: &SteppingEngine) -> SteppingState {
    let (near, shapes) = (&engine.near, &engine.shapes);
    let balls = near.rounds.iter().zip(&near.memory);
    let floors = engine.rounds.floor_memory.iter().enumerate().filter(|(_, impulse)| impulse[0] > 0.0);
    SteppingState {
        skin: near.skin,
        travel: near.travel,
        is_valid: near.valid,
        fastest: engine.depths.fastest,
        balls: balls.map(|(bodies, impulse)| BallPair { bodies: *bodies, impulse: *impulse }).collect(),
        others: near.others.clone(),
        floors: floors.map(|(place, impulse)| FloorImpulse { place, impulse: *impulse }).collect(),
        contacts: shapes.memory.iter().map(|(key, impulse)| ContactImpulse { key: *key, impulse: *impulse }).collect(),
        stops: shapes.stop_memory.clone(),
        joints: shapes.lock_memory.iter().map(|impulse| (*impulse).into()).collect(),
    }
}

/// Takes a state back that was checked.
pub(super) fn restore(engine: &mut SteppingEngine, state: &SteppingState) -> Result<(), Error> {
    let (near, shapes) = (&mut engine.near, &mut engine.shapes);
    if state.stops.len() != shapes.stop_memory.len() || state.joints.len() != shapes.lock_memory.len() {
        return Err(Error::WrongSize { what: "strings, limits and joints of a checkpoint" });
    }
    (near.skin, near.travel, near.valid) = (state.skin, state.travel, state.is_valid);
    near.rounds = state.balls.iter().map(|pair| pair.bodies).collect();
    near.memory = state.balls.iter().map(|pair| pair.impulse).collect();
    near.others.clone_from(&state.others);
    engine.depths.fastest = state.fastest;
    let count = engine.rounds.floor_memory.len();
    for FloorImpulse { place, impulse } in &state.floors {
        let known = engine.rounds.floor_memory.get_mut(*place);
        *known.ok_or(Error::NoSuch { what: "floor", index: *place, count })? = *impulse;
    }
    shapes.memory = state.contacts.iter().map(|contact| (contact.key, contact.impulse)).collect();
    shapes.stop_memory.clone_from(&state.stops);
    for (known, impulse) in shapes.lock_memory.iter_mut().zip(&state.joints) {
        *known = SVector::from(*impulse);
    }
    Ok(())
}
