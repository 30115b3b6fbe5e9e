//! One event in full, and as an impact that other laws resolve.

use super::engine::applied_law;
use super::json;
use super::mode::{event_status, mode};
use super::names::{body_name, contact_name, sides};
use super::record::kind_word;
use crate::scenario::{Engine, NamedContact, NamedJoint, Scenario, Scene, SimulationScenario};
use crate::terminal::table as layout;
use crate::terminal::{WIDTH, broken, fit_lines, number};
use carom::Error;
use carom::laws::{self, Law};
use carom::sim::{Event, EventContact, EventImpact, EventKind, Origin, State};
use nalgebra::Vector3;
use std::fmt::Write;

/// The id of the law that resolved an event; nothing for events without impulses.
pub fn law_of(scenario: &SimulationScenario, event: &Event) -> Option<&'static str> {
    match event.kind {
        EventKind::Impact | EventKind::Jam => {
            let law = laws::find(applied_law(scenario)).ok()?;
            Some(if law.is_simultaneous() || event.contacts.len() == 1 { law.id } else { "sequential" })
        }
        EventKind::Accumulation { .. } => Some("newton-lcp"),
        _ => None,
    }
}

/// The event as an impact: its bodies as they were before, its contacts with the parameters of their materials, its joints.
pub fn event_impact(scenario: &SimulationScenario, event: &Event, number: usize) -> Result<Scenario, Error> {
    let scene = &scenario.scene;
    let EventImpact { bodies, contacts, joints } = event.before(scene)?;
    let names = event.bodies.iter().map(|(body, _)| scenario.body_names[body.index()].clone());
    let sides = event.contacts.iter().map(|contact| sides(scenario, contact));
    let contacts = sides.zip(contacts).map(|(between, contact)| NamedContact { between, contact });
    let joints = joints.into_iter().map(|(id, joint)| {
        let between = scene.joints()[id.index()].bodies().map(|body| body_name(scenario, body));
        NamedJoint { name: scenario.joint_names[id.index()].clone(), between, joint }
    });
    let parameters = event.contacts.iter().map(|contact| parameters(scenario, contact.origin)).collect();
    let title = format!("{}, event {number} at {} s", scenario.title, carom::format::Digits(event.time));
    let law: Option<&'static Law> = law_of(scenario, event).and_then(|id| laws::find(id).ok());
    let scene = Scene {
        bodies: names.zip(bodies).collect(),
        contacts: contacts.collect(),
        joints: joints.collect(),
        dimension: scene.dimension(),
    };
    Scenario::of_scene(title, scene, parameters, law)
}

/// The parameters of all laws at a contact, as the engine used them: steps know kinetic friction only.
fn parameters(scenario: &SimulationScenario, origin: Origin) -> Vec<(&'static str, f64)> {
    let stepped = scenario.settings.engine == Engine::Stepping;
    let used = |key: &'static str| if stepped && key == "static_friction" { "kinetic_friction" } else { key };
    let mut keys: Vec<&'static str> =
        laws::every().flat_map(|law| law.parameters).map(|parameter| parameter.key).collect();
    keys.sort_unstable();
    keys.dedup();
    keys.into_iter().filter_map(|key| Some((key, scenario.scene.parameter(scenario.law, origin, used(key))?))).collect()
}

/// Everything that is known of an event, for people.
pub fn event_text(scenario: &SimulationScenario, event: &Event, place: usize) -> String {
    let title = broken(&scenario.title, WIDTH);
    let mut text = format!("{title}\nevent {place}: {} at {} s", kind_word(&event.kind), event.time);
    if let EventKind::Accumulation { until } = event.kind {
        let _ = write!(text, ", completed until {until} s");
    }
    if let Some(law) = law_of(scenario, event) {
        let _ = write!(text, ", by {law}");
    }
    text.push('\n');
    let planar = scenario.scene.is_planar();
    let size = |v: &Vector3<f64>| v.norm();
    let local = |v: &Vector3<f64>| tuple(v, size(v), planar);
    // A limit of a revolute joint pushes by a moment.
    let quantity = |contact: &EventContact, v: &Vector3<f64>, unit: &str| {
        if contact.is_moment() { format!("{} {unit}", number(v.x, size(v))) } else { local(v) }
    };
    if !event.contacts.is_empty() {
        let mut table = layout::plain();
        table.set_header(["", "mode", "point (m)", "normal", "impulse (N s)", "V before (m/s)", "V after (m/s)"]);
        for contact in &event.contacts {
            let scale = size(&contact.velocity_before);
            table.add_row([
                contact_name(scenario, contact),
                mode(scenario, event, contact).to_owned(),
                tuple(&contact.point, size(&contact.point), planar),
                if contact.is_moment() { String::new() } else { tuple(&contact.frame.normal(), 1.0, planar) },
                quantity(contact, &contact.impulse, "N m s"),
                quantity(contact, &contact.velocity_before, "rad/s"),
                if contact.is_moment() {
                    quantity(contact, &contact.velocity_after, "rad/s")
                } else {
                    tuple(&contact.velocity_after, scale, planar)
                },
            ]);
        }
        let _ = writeln!(text, "\nContacts (impulse and velocities along n, t1{})", if planar { "" } else { ", t2" });
        let _ = writeln!(text, "{}", layout::fitted(&table, &[]));
    }
    if !event.bodies.is_empty() {
        let mut table = layout::plain();
        table.set_header(["", "position (m)", "velocity (m/s)", "angular velocity (rad/s)"]);
        for (body, [before, after]) in &event.bodies {
            for (word, state) in [("before", before), ("after", after)] {
                let turning = &state.angular_velocity;
                let turning = if planar { number(turning.z, before.angular_velocity.norm()) } else { local(turning) };
                table.add_row([
                    format!("{} {word}", scenario.body_names[body.index()]),
                    local(&state.pose.position),
                    tuple(&state.velocity, size(&before.velocity).max(size(&after.velocity)), planar),
                    turning,
                ]);
            }
        }
        let _ = writeln!(text, "\nBodies\n{}", layout::fitted(&table, &[]));
    }
    if !event.joints.is_empty() {
        text.push_str("\nJoints (on the first body)\n");
        for (joint, [impulse, moment]) in &event.joints {
            let name = &scenario.joint_names[joint.index()];
            let impulse = tuple(impulse, size(impulse), planar);
            let moment = if planar { number(moment.z, 0.0) } else { tuple(moment, size(moment), false) };
            let _ = writeln!(text, "  {name}  impulse {impulse} N s, moment {moment} N m s");
        }
    }
    let [before, after] = event.energy;
    let scale = before.abs().max(after.abs());
    let _ = writeln!(
        text,
        "\nEnergy        {} J before, {} J after, change {} J\nStatus        {}",
        number(before, scale),
        number(after, scale),
        number(after - before, 100.0 * scale),
        event_status(scenario, event)
    );
    if let Some(factor) = event.restitution_factor {
        let factor = number(factor, 0.0);
        let _ = writeln!(text, "Restitution   {factor} of the given one: with more the energy would rise");
    }
    fit_lines(&text)
}

fn tuple(v: &Vector3<f64>, scale: f64, planar: bool) -> String {
    let count = if planar { 2 } else { 3 };
    let shown: Vec<String> = v.iter().take(count).map(|x| number(*x, 10.0 * scale)).collect();
    format!("({})", shown.join(", "))
}

/// A body's state, for JSON; with its angle in the plane.
pub(super) fn state_json(name: &str, state: &State, angle: Option<f64>) -> serde_json::Value {
    let q = state.pose.orientation.quaternion();
    let parts = |v: &Vector3<f64>| json::numbers(v.iter().take(if angle.is_some() { 2 } else { 3 }).copied());
    if let Some(angle) = angle {
        serde_json::json!({
            "name": name, "position": parts(&state.pose.position), "angle": json::number(angle),
            "velocity": parts(&state.velocity), "angular_velocity": json::number(state.angular_velocity.z),
        })
    } else {
        serde_json::json!({
            "name": name, "position": parts(&state.pose.position), "orientation": json::numbers([q.w, q.i, q.j, q.k]),
            "velocity": parts(&state.velocity), "angular_velocity": parts(&state.angular_velocity),
        })
    }
}
