//! The motion of bodies and the reactions of joints, for people.

use super::{MOST_LINES, SOLVED};
use crate::prediction::Prediction;
use crate::scenario::{NamedContact, NamedJoint, Scenario};
use crate::terminal::number::number;
use crate::terminal::table::{self as layout, align_numbers};
use carom::Body;
use carom::Dimension;
use carom::impact::Reaction;
use comfy_table::Table;
use std::fmt::Write;

/// The impulse and moment of each joint, a line each.
pub(super) fn joint_lines(joints: &[NamedJoint], reactions: &[Reaction]) -> String {
    let mut text = "Joints (on the first body)\n".to_owned();
    for (named, reaction) in joints.iter().zip(reactions) {
        let (p, moment) = (reaction.impulse, reaction.moment);
        let size = p.norm();
        let _ = writeln!(
            text,
            "  {}  impulse ({}, {}, {}) N s, moment ({}, {}, {}) N m s",
            named.name,
            number(p.x, size),
            number(p.y, size),
            number(p.z, size),
            number(moment.x, moment.norm()),
            number(moment.y, moment.norm()),
            number(moment.z, moment.norm())
        );
    }
    text
}

/// Velocity and spin of each body after the impact.
pub(super) fn body_table(scenario: &Scenario, prediction: &Prediction) -> Table {
    let planar = scenario.dimension() == Dimension::Planar;
    let mut table = layout::plain();
    let header = layout::motion_header(planar);
    table.set_header(header.iter().copied());
    let speed = prediction.bodies.iter().map(|(_, body)| body.velocity.norm()).fold(0.0, f64::max);
    // What turns a body by less than rounding moves its contacts is rounding.
    let spin = speed / farthest_contact(scenario);
    for (name, body) in prediction.bodies.iter().take(MOST_LINES) {
        let mut row = vec![name.clone()];
        row.extend(
            motion(body, planar).iter().map(|part| number(part.value, SOLVED * if part.turns { spin } else { speed })),
        );
        table.add_row(row);
    }
    if prediction.bodies.len() > MOST_LINES {
        table.add_row(vec![format!("… {} more", prediction.bodies.len() - MOST_LINES)]);
    }
    align_numbers(&mut table, 1..=header.len() - 1);
    table
}

/// The greatest distance of a contact from the centre of its body, m; infinite without bodies.
pub(super) fn farthest_contact(scenario: &Scenario) -> f64 {
    let arms = scenario.scene.iter().flat_map(|scene| {
        scene.contacts.iter().flat_map(move |NamedContact { contact, .. }| {
            let bodies = [contact.a, contact.b].into_iter().flatten();
            bodies.map(move |body| (contact.point - scene.bodies[body].1.position).norm())
        })
    });
    let farthest = arms.fold(0.0, f64::max);
    if farthest > 0.0 { farthest } else { f64::INFINITY }
}

/// A number of a body's motion.
pub(super) struct Component {
    pub name: &'static str,
    pub value: f64,
    /// Whether it is a spin.
    pub turns: bool,
}

/// The numbers of a body's motion.
pub(super) fn motion(body: &Body, planar: bool) -> Vec<Component> {
    let (v, omega) = (&body.velocity, &body.angular_velocity);
    let (names, values): (&[&'static str], Vec<f64>) = if planar {
        (&["v_x", "v_y", "ω"], vec![v.x, v.y, omega.z])
    } else {
        (&["v_x", "v_y", "v_z", "ω_x", "ω_y", "ω_z"], v.iter().chain(omega.iter()).copied().collect())
    };
    let numbers = names.iter().zip(values);
    numbers.map(|(name, value)| Component { name, value, turns: name.starts_with('ω') }).collect()
}
