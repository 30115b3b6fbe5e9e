//! A page that plays a run: one file, no requests.

use super::body_look::body_look;
use super::strobe::{hangs, is_on_a_body, toward};
use crate::scenario::SimulationScenario;
use crate::simulation::{Run, applied_law, contact_name, kind_word};
use carom::sim::{Anchor, Core, EventContact, Load, Part, State};
use nalgebra::Vector3;
use serde_json::{Value, json};

const PAGE: &str = include_str!("../../assets/animation.html");
/// More samples than this no eye tells apart, and a page should stay small.
const MOST_INSTANTS: usize = 6000;
/// More names than this hide what they name.
const MOST_NAMES: usize = 40;
/// More ticks than this are a block.
const MOST_EVENTS: usize = 5000;

/// The page.
pub fn animation(scenario: &SimulationScenario, run: &Run) -> String {
    let data = data(scenario, run).to_string();
    // Nothing in the data may end the script that holds it.
    let data = data.replace('<', "\\u003c");
    let title = scenario.title.replace('&', "&amp;").replace('<', "&lt;");
    let mut page = String::with_capacity(PAGE.len() + data.len());
    for (k, piece) in PAGE.split("{{data}}").enumerate() {
        if k > 0 {
            page.push_str(&data);
        }
        page.push_str(&piece.replace("{{title}}", &title));
    }
    page
}

fn data(scenario: &SimulationScenario, run: &Run) -> Value {
    let scene = &scenario.scene;
    let instants = shown_instants(run);
    let count = scene.bodies().len();
    let bodies = scene.bodies().iter().zip(&scenario.body_names).enumerate().map(|(k, (body, name))| {
        let parts: Vec<Value> = body.parts.iter().map(part).collect();
        let reach = if body.parts.is_empty() { 0.0 } else { body.reach() };
        let look = body_look(k, count);
        json!({"name": name, "colour": look.colour, "dash": look.dash, "reach": reach, "parts": parts})
    });
    let world: Vec<Value> = scene.world().iter().map(part).collect();
    let events: Vec<Value> = run
        .events
        .iter()
        .take(MOST_EVENTS)
        .map(|event| {
            let named = event.contacts.first().map_or_else(String::new, |contact| contact_name(scenario, contact));
            let mut entry = vec![json!(event.time), json!(kind_word(&event.kind)), json!(named)];
            let on_a_body = |contact: &&EventContact| is_on_a_body(scene, event, contact);
            if let Some(contact) = event.contacts.iter().find(on_a_body) {
                entry.extend(contact.point.iter().map(|x| json!(*x as f32)));
            }
            Value::Array(entry)
        })
        .collect();
    let up = -scene.gravity();
    let up = up.try_normalize(0.0).unwrap_or_else(Vector3::z);
    let times: Vec<f64> = instants.iter().map(|(time, _)| *time).collect();
    let states = instants.iter().flat_map(|(_, states)| states.iter().flat_map(|state| pose(state, scene.is_planar())));
    let events_said = match run.events.len() {
        1 => "1 event".to_owned(),
        count if count > MOST_EVENTS => format!("{count} events (the first {MOST_EVENTS} are marked)"),
        count => format!("{count} events"),
    };
    let said = format!("law {}, {events_said}, {}", applied_law(scenario), run.status(scenario).word());
    let toward = list(&toward(scene));
    json!({
        "planar": scene.is_planar(), "up": list(&up), "toward": toward, "said": said, "named": MOST_NAMES,
        "bodies": bodies.collect::<Vec<Value>>(), "world": world, "links": links(scenario), "events": events,
        "times": times, "states": base64(states.flat_map(f32::to_le_bytes)),
    })
}

/// Frames and the two sides of every event, or only as many frames as a page holds.
fn shown_instants(run: &Run) -> Vec<(f64, Vec<State>)> {
    if run.frames.len() + 2 * run.events.len() <= MOST_INSTANTS {
        return run.instants();
    }
    let step = run.frames.len().div_ceil(MOST_INSTANTS).max(1);
    run.frames.iter().step_by(step).map(|frame| (frame.time, frame.states.clone())).collect()
}

fn pose(state: &State, planar: bool) -> Vec<f32> {
    let (p, q) = (state.pose.position, state.pose.orientation);
    let numbers = if planar { vec![p.x, p.y, q.w, q.k] } else { vec![p.x, p.y, p.z, q.w, q.i, q.j, q.k] };
    numbers.into_iter().map(|x| x as f32).collect()
}

fn list(v: &Vector3<f64>) -> Value {
    v.iter().map(|x| json!(*x as f32)).collect()
}

fn part(part: &Part) -> Value {
    match &part.core {
        Core::HalfSpace { normal, offset } => json!({"plane": {"n": list(normal), "o": offset}}),
        Core::Ellipsoid { centre, axes, semi_axes } => json!({"ellipsoid": {
            "centre": list(centre), "axes": [axes.w, axes.i, axes.j, axes.k], "semi": list(semi_axes)}}),
        Core::Hull(hull) => {
            let faces: Vec<Value> =
                hull.faces().map(|(normal, corners)| json!({"n": list(normal), "c": corners})).collect();
            let vertices: Vec<Value> = hull.vertices().iter().map(list).collect();
            json!({"vertices": vertices, "radius": part.radius, "faces": faces})
        }
    }
}

/// Springs, strings and joints.
fn links(scenario: &SimulationScenario) -> Vec<Value> {
    let scene = &scenario.scene;
    let end = |anchor: &Anchor| {
        let body = anchor.body.map_or(-1, |body| i64::try_from(body.index()).unwrap_or(-1));
        json!([body, anchor.point.x, anchor.point.y, anchor.point.z])
    };
    let link = |kind: &str, a: &Anchor, b: &Anchor| json!({"kind": kind, "a": end(a), "b": end(b)});
    let springs = scene.loads().iter().filter_map(|load| match load {
        Load::Spring { a, b, .. } => Some(link("spring", a, b)),
        _ => None,
    });
    let strings = scene.strings().iter().map(|string| link("string", &string.a, &string.b));
    let joints = scene.joints().iter().map(|joint| link("joint", joint.a(), joint.b()));
    // What a joint holds is seen to hang on it.
    let ends = scene.joints().iter().flat_map(|joint| [joint.a(), joint.b()]);
    let held = ends.filter(|end| end.body.is_some_and(|body| hangs(&scene.bodies()[body.index()], end)));
    let held = held.map(|end| link("held", end, &Anchor { point: Vector3::zeros(), ..*end }));
    springs.chain(strings).chain(held).chain(joints).collect()
}

fn base64(bytes: impl Iterator<Item = u8>) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = bytes.collect();
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0_usize, |word, (k, byte)| word | usize::from(*byte) << (16 - 8 * k));
        for k in 0..4 {
            text.push(if k <= chunk.len() { char::from(DIGITS[word >> (18 - 6 * k) & 63]) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn base64_is_that_of_rfc_4648() {
        let coded = ["f", "fo", "foo", "foob"].map(|text| super::base64(text.bytes()));
        assert_eq!(coded, ["Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
