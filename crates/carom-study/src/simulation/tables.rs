//! Trajectories and events as tables.

use super::engine::{applied_law, lowers_restitution};
use super::mode::{event_status, mode};
use super::names::{against, body_name};
use super::record::kind_word;
use super::replay::law_of;
use super::run::Run;
use crate::scenario::SimulationScenario;
use crate::table::{Column, Table};
use carom::sim::{Event, EventContact, JointId, JointKind, Ledger, State};
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Every body at every frame.
pub fn trajectory_table(scenario: &SimulationScenario, run: &Run) -> Table {
    let rows: Vec<(f64, usize, &State)> = run
        .frames
        .iter()
        .flat_map(|frame| frame.states.iter().enumerate().map(move |(body, state)| (frame.time, body, state)))
        .collect();
    let numbers = |name, unit, value: fn(&State) -> f64| {
        Column::numbers(name, unit, rows.iter().map(|(_, _, state)| Some(value(state))))
    };
    let mut columns = vec![
        Column::numbers("time", "s", rows.iter().map(|(time, ..)| Some(*time))),
        Column::words("body", rows.iter().map(|(_, body, _)| scenario.body_names[*body].clone())),
        numbers("x", "m", |s| s.pose.position.x),
        numbers("y", "m", |s| s.pose.position.y),
    ];
    if scenario.scene.is_planar() {
        columns.extend([
            Column::numbers("angle", "rad", angles(run).into_iter().map(Some)),
            numbers("velocity_x", "m/s", |s| s.velocity.x),
            numbers("velocity_y", "m/s", |s| s.velocity.y),
            numbers("angular_velocity", "rad/s", |s| s.angular_velocity.z),
        ]);
    } else {
        columns.extend([
            numbers("z", "m", |s| s.pose.position.z),
            numbers("orientation_w", "", |s| s.pose.orientation.w),
            numbers("orientation_x", "", |s| s.pose.orientation.i),
            numbers("orientation_y", "", |s| s.pose.orientation.j),
            numbers("orientation_z", "", |s| s.pose.orientation.k),
            numbers("velocity_x", "m/s", |s| s.velocity.x),
            numbers("velocity_y", "m/s", |s| s.velocity.y),
            numbers("velocity_z", "m/s", |s| s.velocity.z),
            numbers("angular_velocity_x", "rad/s", |s| s.angular_velocity.x),
            numbers("angular_velocity_y", "rad/s", |s| s.angular_velocity.y),
            numbers("angular_velocity_z", "rad/s", |s| s.angular_velocity.z),
        ]);
    }
    Table { columns, about: about(scenario) }
}

/// Angles in the plane, frame by frame and body by body. Whole turns are counted with the angular velocity.
pub(super) fn angles(run: &Run) -> Vec<f64> {
    let mut angles = Vec::new();
    for (k, frame) in run.frames.iter().enumerate() {
        for (body, state) in frame.states.iter().enumerate() {
            let bare = 2.0 * state.pose.orientation.k.atan2(state.pose.orientation.w);
            let expected = match k.checked_sub(1).map(|before| &run.frames[before]) {
                Some(before) => {
                    let turning = 0.5 * (before.states[body].angular_velocity.z + state.angular_velocity.z);
                    angles[angles.len() - frame.states.len()] + turning * (frame.time - before.time)
                }
                None => 0.0,
            };
            angles.push(bare + TAU * ((expected - bare) / TAU).round());
        }
    }
    angles
}

/// Where the energy is and where it went, at every frame.
pub fn ledger_table(scenario: &SimulationScenario, run: &Run) -> Table {
    let numbers = |name, value: fn(&Ledger) -> f64| {
        Column::numbers(name, "J", run.frames.iter().map(|frame| Some(value(&frame.ledger))))
    };
    let columns = vec![
        Column::numbers("time", "s", run.frames.iter().map(|frame| Some(frame.time))),
        numbers("kinetic", |ledger| ledger.kinetic),
        numbers("potential", |ledger| ledger.potential),
        numbers("total", Ledger::total),
        numbers("supplied", |ledger| ledger.supplied),
        numbers("friction", |ledger| ledger.friction),
        numbers("impacts", |ledger| ledger.impacts),
        numbers("residual", Ledger::residual),
    ];
    Table { columns, about: about(scenario) }
}

/// Every contact of every event; an event without contacts has one row.
pub fn events_table(scenario: &SimulationScenario, run: &Run) -> Table {
    let rows: Vec<Row> = run
        .events
        .iter()
        .enumerate()
        .flat_map(|(number, event)| {
            let count = event.contacts.len().max(1);
            (0..count).map(move |place| Row { number, event, place, contact: event.contacts.get(place) })
        })
        .collect();
    let words = |name, of: &dyn Fn(&EventContact) -> String| {
        Column::words(name, rows.iter().map(|row| row.contact.map_or_else(String::new, of)))
    };
    let numbers = |name, unit, value: fn(&Row) -> Option<f64>| Column::numbers(name, unit, rows.iter().map(value));
    let columns = [
        Column::counts("event", rows.iter().map(|row| Some(row.number + 1))),
        numbers("time", "s", |row| Some(row.event.time)),
        Column::words("kind", rows.iter().map(|row| kind_word(&row.event.kind).to_owned())),
        Column::counts("contact", rows.iter().map(|row| row.contact.map(|_| row.place + 1))),
        words("body_a", &|contact| body_name(scenario, contact.bodies[0])),
        words("body_b", &|contact| body_name(scenario, contact.bodies[1])),
        words("against", &|contact| against(scenario, contact).unwrap_or_default()),
        Column::words(
            "mode",
            rows.iter().map(|row| row.contact.map_or("", |contact| mode(scenario, row.event, contact)).to_owned()),
        ),
        numbers("point_x", "m", |row| Some(row.contact?.point.x)),
        numbers("point_y", "m", |row| Some(row.contact?.point.y)),
        numbers("point_z", "m", |row| Some(row.contact?.point.z)),
        numbers("normal_x", "", |row| Some(row.push()?.frame.normal().x)),
        numbers("normal_y", "", |row| Some(row.push()?.frame.normal().y)),
        numbers("normal_z", "", |row| Some(row.push()?.frame.normal().z)),
        numbers("impulse_n", "N s", |row| Some(row.push()?.impulse.x)),
        numbers("impulse_t1", "N s", |row| Some(row.push()?.impulse.y)),
        numbers("impulse_t2", "N s", |row| Some(row.push()?.impulse.z)),
        numbers("velocity_before_n", "m/s", |row| Some(row.push()?.velocity_before.x)),
        numbers("velocity_before_t1", "m/s", |row| Some(row.push()?.velocity_before.y)),
        numbers("velocity_before_t2", "m/s", |row| Some(row.push()?.velocity_before.z)),
        numbers("velocity_after_n", "m/s", |row| Some(row.push()?.velocity_after.x)),
        numbers("velocity_after_t1", "m/s", |row| Some(row.push()?.velocity_after.y)),
        numbers("velocity_after_t2", "m/s", |row| Some(row.push()?.velocity_after.z)),
        numbers("angular_impulse", "N m s", |row| Some(row.moment()?.impulse.x)),
        numbers("angular_velocity_before", "rad/s", |row| Some(row.moment()?.velocity_before.x)),
        numbers("angular_velocity_after", "rad/s", |row| Some(row.moment()?.velocity_after.x)),
        numbers("energy_before", "J", |row| Some(row.event.energy[0])),
        numbers("energy_after", "J", |row| Some(row.event.energy[1])),
        Column::words("law", rows.iter().map(|row| law_of(scenario, row.event).unwrap_or("").to_owned())),
        Column::words("status", rows.iter().map(|row| event_status(scenario, row.event).to_owned())),
        numbers("restitution_factor", "", |row| row.event.restitution_factor),
    ];
    let is_shown = |column: &Column| match column.name {
        name if is_out_of_plane(name) => !scenario.scene.is_planar(),
        "angular_impulse" | "angular_velocity_before" | "angular_velocity_after" => has_moments(scenario),
        "restitution_factor" => lowers_restitution(scenario),
        _ => true,
    };
    Table { columns: columns.into_iter().filter(is_shown).collect(), about: about(scenario) }
}

/// Whether a limit can push by a moment.
fn has_moments(scenario: &SimulationScenario) -> bool {
    scenario.scene.joints().iter().any(|joint| joint.kind() == JointKind::Revolute && joint.limits().is_some())
}

/// The impulse of every joint in every event, on its body A, in world axes; the moment is about the joint's point.
pub fn joints_table(scenario: &SimulationScenario, run: &Run) -> Table {
    let rows: Vec<(usize, &Event, JointId, &[Vector3<f64>; 2])> = run
        .events
        .iter()
        .enumerate()
        .flat_map(|(number, event)| event.joints.iter().map(move |(joint, push)| (number, event, *joint, push)))
        .collect();
    let numbers = |name, unit, value: fn(&[Vector3<f64>; 2]) -> f64| {
        Column::numbers(name, unit, rows.iter().map(|(.., push)| Some(value(push))))
    };
    let words =
        |name, of: &dyn Fn(JointId) -> String| Column::words(name, rows.iter().map(|(_, _, joint, _)| of(*joint)));
    let joint_of = |joint: JointId| &scenario.scene.joints()[joint.index()];
    let mut columns = vec![
        Column::counts("event", rows.iter().map(|(number, ..)| Some(number + 1))),
        Column::numbers("time", "s", rows.iter().map(|(_, event, ..)| Some(event.time))),
        words("joint", &|joint| scenario.joint_names[joint.index()].clone()),
        words("body_a", &|joint| body_name(scenario, joint_of(joint).a().body)),
        words("body_b", &|joint| body_name(scenario, joint_of(joint).b().body)),
        numbers("impulse_x", "N s", |[p, _]| p.x),
        numbers("impulse_y", "N s", |[p, _]| p.y),
    ];
    if scenario.scene.is_planar() {
        columns.push(numbers("moment", "N m s", |[_, m]| m.z));
    } else {
        columns.extend([
            numbers("impulse_z", "N s", |[p, _]| p.z),
            numbers("moment_x", "N m s", |[_, m]| m.x),
            numbers("moment_y", "N m s", |[_, m]| m.y),
            numbers("moment_z", "N m s", |[_, m]| m.z),
        ]);
    }
    Table { columns, about: about(scenario) }
}

fn is_out_of_plane(name: &str) -> bool {
    name.ends_with("_t2") || name.ends_with("_z")
}

struct Row<'a> {
    number: usize,
    event: &'a Event,
    place: usize,
    contact: Option<&'a EventContact>,
}

impl Row<'_> {
    /// The contact, if it pushes by a force.
    fn push(&self) -> Option<&EventContact> {
        self.contact.filter(|contact| !contact.is_moment())
    }

    /// The contact, if it pushes by a moment.
    fn moment(&self) -> Option<&EventContact> {
        self.contact.filter(|contact| contact.is_moment())
    }
}

fn about(scenario: &SimulationScenario) -> Vec<(String, String)> {
    let about = [("title", scenario.title.as_str()), ("law", applied_law(scenario))];
    about.map(|(key, value)| (key.to_owned(), value.to_owned())).to_vec()
}
