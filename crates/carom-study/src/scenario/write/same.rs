//! Whether two scenes are the same to the last bit.

use super::materials::{asks_for_friction, keys, pairs};
use crate::scenario::SimulationScenario;
use carom::laws::Law;
use carom::sim::{MovingJoint, Scene};

/// The first thing in which the scenes or laws of two scenarios differ, in a few words; nothing where they are the same numbers. In
/// the plane only the moment about z counts, and of friction what the law asks for.
pub fn difference(one: &SimulationScenario, other: &SimulationScenario) -> Option<String> {
    let differs = |what: &str| Some(what.to_owned());
    if one.law.id != other.law.id || one.lowers_restitution != other.lowers_restitution {
        return differs("the law");
    }
    let (law, a, b) = (one.law, &one.scene, &other.scene);
    if a.dimension() != b.dimension() || a.gravity() != b.gravity() {
        return differs("the dimension or gravity");
    }
    if a.bodies().len() != b.bodies().len() {
        return differs("the number of bodies");
    }
    for (place, (one, other)) in a.bodies().iter().zip(b.bodies()).enumerate() {
        let inertia =
            if a.is_planar() { one.inertia[(2, 2)] == other.inertia[(2, 2)] } else { one.inertia == other.inertia };
        if one.mass != other.mass || !inertia {
            return Some(format!("mass and inertia of body {}", place + 1));
        }
        if one.parts != other.parts {
            return Some(format!("the parts of body {}", place + 1));
        }
        // Quaternions of opposite sign are the same rotation, but not the same bits.
        let turned = one.state.pose.orientation.coords == other.state.pose.orientation.coords;
        if one.state != other.state || !turned {
            return Some(format!("the state of body {}", place + 1));
        }
    }
    if let Some(place) = first_other(a.world(), b.world(), |one, other| one == other) {
        return Some(format!("part {} of the world", place + 1));
    }
    if let Some(place) = first_other(a.joints(), b.joints(), joints) {
        return Some(format!("joint {}", place + 1));
    }
    if let Some(place) = first_other(a.loads(), b.loads(), |one, other| one == other) {
        return Some(format!("load {}", place + 1));
    }
    if let Some(place) = first_other(a.strings(), b.strings(), |one, other| one == other) {
        return Some(format!("string {}", place + 1));
    }
    if a.passing() != b.passing() {
        return differs("what passes through each other");
    }
    materials(law, a, b)
}

/// The place of the first that is another, or is missing in one list.
fn first_other<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> Option<usize> {
    let other = a.iter().zip(b).position(|(one, other)| !same(one, other));
    other.or_else(|| (a.len() != b.len()).then(|| a.len().min(b.len())))
}

/// Whether two joints are the same, signs of their quaternions included.
pub(super) fn joints(a: &MovingJoint, b: &MovingJoint) -> bool {
    a == b && (0..2).all(|end| a.axes()[end].coords == b.axes()[end].coords)
}

fn materials(law: &Law, a: &Scene, b: &Scene) -> Option<String> {
    if a.materials().count() != b.materials().count() {
        return Some("the number of materials".to_owned());
    }
    let asked = |key: &str| key != "friction" || asks_for_friction(law);
    for [i, j] in pairs(a.materials().count().max(1)) {
        let other = |key: &str| a.materials().parameter(i, j, key) != b.materials().parameter(i, j, key);
        if let Some((key, _)) = keys().find(|(key, _)| asked(key) && other(key)) {
            return Some(format!("`{key}` between materials {} and {}", i.index() + 1, j.index() + 1));
        }
    }
    None
}
