//! What the feature `serde` writes comes back bit by bit, and what a checked type cannot hold is not read.
#![allow(clippy::unwrap_used)]

use carom::audit::{Audit, ContactAudit, Finding, audit_collision};
use carom::impact::{Contact, Impact, Network};
use carom::laws::{self, BoundLaw, Inapplicable};
use carom::sim::{
    Anchor, BodyId, Checkpoint, EventEngine, EventKind, EventSettings, Failure, Hull, JointId, JointKind, Ledger,
    MaterialId, Origin, Overlap, Part, Pose, Scene, SceneBody, SceneBuilder, SceneJoint, SceneString, State,
    SteppingEngine, SteppingReport, SteppingSettings,
};
use carom::{
    AfterRest, Body, Collision, ContactFrame, ContactNote, Dimension, Mode, Motion, Note, Notes, Outcome, Path,
};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::fmt::Debug;

/// Writes a value as JSON and reads it again. The text is compared too, for it distinguishes zeros by their sign.
#[track_caller]
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Value {
    let text = serde_json::to_string(value).unwrap();
    let read: T = serde_json::from_str(&text).unwrap();
    assert_eq!(read, *value, "{text}");
    assert_eq!(serde_json::to_string(&read).unwrap(), text);
    serde_json::from_str(&text).unwrap()
}

#[track_caller]
fn is_refused<T: DeserializeOwned + Debug>(value: Value, why: &str) {
    let error = serde_json::from_value::<T>(value).unwrap_err().to_string();
    assert!(error.contains(why), "{error}");
}

/// Every law at rates of friction and restitution that make most of them differ.
fn bound() -> impl Iterator<Item = BoundLaw> {
    let value = |_: usize, key: &str| match key {
        "restitution" => Some(0.9),
        "friction" | "kinetic_friction" => Some(0.8),
        "stiffness" => Some(1e4),
        _ => None,
    };
    laws::ALL.iter().filter_map(move |law| law.bind_contacts(1, value).ok())
}

#[test]
fn predictions_for_one_contact_come_back() {
    let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    let w = Matrix3::new(2.0, 0.3, -0.4, 0.3, 3.5, 0.1, -0.4, 0.1, 4.0);
    let spatial = Collision::new(&w, &Vector3::new(-1.0, 0.2, -0.7)).unwrap();
    let (mut resolved, mut histories) = (0, 0);
    for (law, collision) in bound().flat_map(|law| [(law.clone(), rod), (law, spatial)]) {
        let Ok((outcome, history)) = law.follow_collision(&collision) else { continue };
        comes_back(&outcome);
        comes_back(&outcome.restitution(&collision));
        comes_back(&audit_collision(&collision, &outcome, 0.8));
        if let Some(history) = history {
            comes_back(&history);
            comes_back(&history.phases());
            histories += 1;
        }
        resolved += 1;
    }
    assert!(resolved > 30 && histories > 10, "{resolved} {histories}");
}

/// A disk in a corner.
fn corner() -> Impact {
    let disk = Body::planar(1.0, 0.125).unwrap().moving(Vector3::new(8.0, -4.43, 0.0), Vector3::zeros());
    let contact = |normal: [f64; 2]| {
        let frame = ContactFrame::planar(normal).unwrap();
        Contact { a: Some(0), b: None, point: frame.normal() * -0.5, frame }
    };
    Network::new([disk], [contact([0.0, 1.0]), contact([-1.0, 0.0])], &[], true).unwrap().impact().unwrap()
}

#[test]
fn predictions_for_several_contacts_come_back() {
    let impact = corner();
    let value = |_: usize, key: &str| match key {
        "restitution" => Some(0.5),
        "friction" | "static_friction" => Some(0.6),
        "kinetic_friction" => Some(0.35),
        _ => None,
    };
    let (mut histories, mut events, mut notes) = (0, 0, 0);
    for law in laws::every().filter_map(|law| law.bind_contacts(2, value).ok()) {
        let Ok((outcome, followed)) = law.follow(&impact) else { continue };
        comes_back::<Outcome>(&outcome);
        comes_back(&followed);
        (histories, events, notes) =
            (histories + followed.len(), events + outcome.events.len(), notes + outcome.notes.len());
    }
    assert!(histories > 2 && events > 0 && notes > 1, "{histories} {events} {notes}");
}

#[test]
fn numbers_that_are_not_finite_come_back() {
    let written = comes_back(&ContactNote::NoTangentialImpact { threshold: f64::INFINITY });
    assert_eq!(written, json!({ "no-tangential-impact": { "threshold": "inf" } }));
    comes_back(&ContactNote::RatioBounds { least: f64::INFINITY, greatest: f64::NEG_INFINITY });
    comes_back(&ContactNote::Regimes { sticks_below: 1.0, slips_above: f64::INFINITY });
    comes_back(&Finding::BeyondCone { ratio: f64::INFINITY, friction: 0.3 });
    comes_back(&Ledger { impacts: f64::INFINITY, friction: -0.0, ..Ledger::default() });
    comes_back(&Overlap {
        time: 0.0,
        bodies: [Some(BodyId::new(0)), None],
        parts: [0, 1],
        depth: 0.1,
        bound: f64::INFINITY,
    });
    let work = serde_json::to_value(ContactAudit {
        friction: Finding::Ok,
        penetration: Finding::NotFinite,
        consistency: Finding::SizesDiffer,
        work: f64::NAN,
    });
    let read: ContactAudit = serde_json::from_value(work.unwrap()).unwrap();
    assert!(read.work.is_nan() && read.consistency == Finding::SizesDiffer);
}

#[test]
fn findings_and_notes_come_back() {
    for finding in [
        Finding::Ok,
        Finding::EnergyGain { gain: 1e-300, relative: 0.1 + 0.2 },
        Finding::Pulling { impulse: -5e-324 },
        Finding::Approaching { velocity: -1.0 },
        Finding::VelocityDiffers { by: 1e300 },
        Finding::BodiesDiffer { by: 0.5 },
        Finding::EnergyDiffers { by: 0.5 },
        Finding::NegativeEnergy { energy: -0.1 },
    ] {
        comes_back(&Audit { energy: finding, consistency: finding, contacts: Vec::new() });
    }
    for note in [
        Note::Indeterminate { freedom: 2 },
        Note::Events { count: 3 },
        Note::Sequence { order: vec![1, 0], count: 2 },
        Note::ReboundExceeds { excess: f64::INFINITY },
        Note::Wedged,
        Note::Doubtful("an own remark".into()),
    ] {
        comes_back(&note);
    }
    for note in [
        ContactNote::OtherSolution { impulse: Vector3::new(1.0, -0.0, 0.1), energy_change: -0.1, sticks: true },
        ContactNote::RestitutionDiffers { parameter: 0.5, outcome: 0.6 },
        ContactNote::TangentialImpact { threshold: 0.7 },
        ContactNote::AlwaysSticks { threshold: 0.7 },
        ContactNote::AmbiguousContact { ratio: 1.5, ways: 2 },
    ] {
        comes_back(&note);
    }
}

#[test]
fn words_are_those_of_other_outputs() {
    use Mode::{
        CReversedSliding, CSticking, Frictionless, InsideCone, RReversedSliding, RSticking, ReversedSliding,
        Separating, Sliding, Sticking, Touching,
    };
    for mode in [Separating, Touching, Frictionless, Sliding, Sticking, InsideCone, ReversedSliding] {
        assert_eq!(comes_back(&mode), mode.name());
    }
    for mode in [CSticking, RSticking, CReversedSliding, RReversedSliding] {
        assert_eq!(comes_back(&mode), mode.name());
    }
    for motion in [Motion::Slipping, Motion::Sticking, Motion::PartlySlipping, Motion::Frictionless, Motion::Apart] {
        assert_eq!(comes_back(&motion), motion.name());
    }
    for next in [AfterRest::Sticks, AfterRest::Reverses, AfterRest::Slips] {
        assert_eq!(comes_back(&next), next.name());
    }
    for dimension in [Dimension::Planar, Dimension::Spatial] {
        assert_eq!(comes_back(&dimension), dimension.to_string());
    }
    let kinds = [EventKind::Impact, EventKind::LiftOff, EventKind::SlipStart, EventKind::StickStart, EventKind::Jam];
    let words = ["impact", "lift-off", "slip-start", "stick-start", "jam"];
    assert_eq!(kinds.map(|kind| comes_back(&kind)), words.map(Value::from));
    assert_eq!(comes_back(&EventKind::FeatureChange), "feature-change");
    assert_eq!(comes_back(&EventKind::Accumulation { until: 0.1 }), json!({ "accumulation": { "until": 0.1 } }));
    assert_eq!(comes_back(&Origin::Limit(JointId::new(3))), json!({ "limit": 3 }));
    assert_eq!(comes_back(&Origin::String(0)), json!({ "string": 0 }));
    assert_eq!(comes_back(&(BodyId::new(2), JointId::new(1), MaterialId::new(0))), json!([2, 1, 0]));
}

/// Disks and a block on the floor, a pendulum with limits, and a disk on a string.
fn scene() -> Scene {
    let mut scene = SceneBuilder::new(Dimension::Planar);
    scene.gravity = Vector3::y() * -9.81;
    let material = scene.add_material(&[("restitution", 0.5), ("friction", 0.3)]);
    scene.add_wall(Vector3::y(), 0.0, material);
    let body = |part: Part| SceneBody::new(1.0, Matrix3::identity() * 0.005).with_parts(vec![part]);
    for x in [0.0, 0.15, 1.0, 2.0] {
        let height = 0.5 + x;
        scene.add_body(body(Part::ball(0.1, material)).at_position(Vector3::new(x, height, 0.0)));
    }
    let orientation = UnitQuaternion::from_scaled_axis(Vector3::z() * 0.4);
    let pose = Pose { position: Vector3::new(4.0, 0.4, 0.0), orientation };
    let block = body(Part::sharp(Hull::rectangle([0.3, 0.2]), material));
    scene.add_body(block.at(pose, Vector3::new(-1.0, 0.0, 0.0), Vector3::z()));
    let hinge = Vector3::new(2.5, 2.5, 0.0);
    let pendulum = SceneJoint::new(JointKind::Revolute, [Some(BodyId::new(3)), None], hinge, Vector3::z());
    scene.add_joint(SceneJoint { limits: Some([-0.3, 0.4]), ..pendulum });
    let [a, b] = [Anchor::on(BodyId::new(2), Vector3::zeros()), Anchor::world(Vector3::new(1.0, 2.0, 0.0))];
    scene.add_string(SceneString { a, b, length: 0.8, restitution: None });
    scene.build().unwrap()
}

#[test]
fn runs_event_by_event_come_back() {
    let (scene, law, settings) = (scene(), laws::find("newton-lcp").unwrap(), EventSettings::default());
    comes_back(&settings);
    let mut engine = EventEngine::new(&scene, law, settings).unwrap();
    let mut events = Vec::new();
    while let Some(event) = engine.advance(0.8).unwrap() {
        comes_back(&event);
        events.push(event);
    }
    let has = |origin: fn(&Origin) -> bool| {
        events.iter().any(|event| event.contacts.iter().any(|contact| origin(&contact.origin)))
    };
    assert!(has(|origin| matches!(origin, Origin::Parts { .. })) && has(|origin| matches!(origin, Origin::String(_))));
    assert!(has(|origin| matches!(origin, Origin::Limit(_))) && events.iter().any(|event| !event.joints.is_empty()));
    comes_back(&engine.ledger());
    comes_back(&engine.report());
    // A run that goes on from the text has the same bits.
    let taken = engine.checkpoint().unwrap();
    comes_back(&taken);
    let read: Checkpoint = serde_json::from_str(&serde_json::to_string(&taken).unwrap()).unwrap();
    let mut resumed = EventEngine::resume(&scene, law, settings, &read).unwrap();
    for engine in [&mut engine, &mut resumed] {
        while engine.advance(1.2).unwrap().is_some() {}
    }
    assert_eq!((engine.states(), engine.ledger()), (resumed.states(), resumed.ledger()));
}

#[test]
fn runs_in_steps_come_back() {
    let settings = SteppingSettings { events: true, ..SteppingSettings::default() };
    comes_back(&settings);
    let mut engine = SteppingEngine::new(&scene(), settings).unwrap();
    let mut events = 0;
    while let Some(event) = engine.advance(0.8).unwrap() {
        comes_back(&event);
        events += 1;
    }
    assert!(events > 3, "{events}");
    comes_back::<SteppingReport>(&engine.report());
    let taken = engine.checkpoint();
    comes_back(&taken);
    let read: Checkpoint = serde_json::from_str(&serde_json::to_string(&taken).unwrap()).unwrap();
    let mut resumed = SteppingEngine::resume(&scene(), settings, &read).unwrap();
    for engine in [&mut engine, &mut resumed] {
        while engine.advance(1.2).unwrap().is_some() {}
    }
    assert_eq!((engine.states(), engine.ledger()), (resumed.states(), resumed.ledger()));
}

/// A checkpoint with another value at a place of its JSON.
fn altered(checkpoint: &Checkpoint, place: &str, value: Value) -> Checkpoint {
    let mut json = serde_json::to_value(checkpoint).unwrap();
    *json.pointer_mut(place).unwrap() = value;
    serde_json::from_value(json).unwrap()
}

#[test]
fn checkpoints_that_were_altered_are_refused() {
    let (scene, law, settings) = (scene(), laws::find("newton-lcp").unwrap(), EventSettings::default());
    let mut engine = EventEngine::new(&scene, law, settings).unwrap();
    engine.advance(0.1).unwrap();
    let event = engine.checkpoint().unwrap();
    for (place, value) in [("size", json!(0.0)), ("step", json!(-1.0)), ("series", json!([]))] {
        let wrong = altered(&event, &format!("/engine/event/{place}"), value);
        assert!(EventEngine::resume(&scene, law, settings, &wrong).is_err(), "{place}");
    }
    let settings = SteppingSettings::default();
    let mut engine = SteppingEngine::new(&scene, settings).unwrap();
    engine.advance(0.1).unwrap();
    let stepping = engine.checkpoint();
    let floor = json!([{ "place": 99, "impulse": [1.0, 0.0, 0.0, 0.0] }]);
    for (place, value) in [("stops", json!([])), ("joints", json!([])), ("others", json!([[9, 0]])), ("floors", floor)]
    {
        let wrong = altered(&stepping, &format!("/engine/stepping/{place}"), value);
        assert!(SteppingEngine::resume(&scene, settings, &wrong).is_err(), "{place}");
    }
}

#[test]
fn an_orientation_is_written_as_in_scenario_files() {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.1, -0.7, 2.0));
    let pose = Pose { position: Vector3::new(0.1, -0.0, 1e-310), orientation: turn };
    let state = State { angular_velocity: Vector3::new(-0.0, 1.0 / 3.0, 0.0), ..State::at_rest(pose) };
    assert_eq!(comes_back(&state)["pose"]["orientation"], json!([turn.w, turn.i, turn.j, turn.k]));
}

#[test]
fn what_a_checked_type_cannot_hold_is_refused() {
    let pose = |orientation: Value| json!({ "position": [0.0, 0.0, 0.0], "orientation": orientation });
    is_refused::<Pose>(pose(json!([2.0, 0.0, 0.0, 0.0])), "orientation has length 2");
    is_refused::<Pose>(pose(json!([0.0, 0.0, 0.0, 0.0])), "orientation has length 0");
    is_refused::<ContactFrame>(json!({ "normal": [2.0, 0.0, 0.0], "tangent": [0.0, 1.0, 0.0] }), "axes of a frame");
    is_refused::<ContactFrame>(json!({ "normal": [1.0, 0.0, 0.0], "tangent": [1.0, 0.0, 0.0] }), "axes of a frame");
    is_refused::<Path>(json!([[0.0, 0.0, 0.0]].repeat(25)), "25 corners; expected at most 24");
    let note = json!({ "always-sticks": { "threshold": 0.5 } });
    is_refused::<Notes>(json!(vec![note; 5]), "5 notes; expected at most 4");
    is_refused::<Ledger>(json!({ "kinetic": "fast" }), "expected a number, inf, -inf or NaN");
    is_refused::<Mode>(json!("bouncing"), "unknown variant");
}

#[test]
fn failures_are_written() {
    let failure =
        Failure::Law { time: 0.5, between: vec![[Some(BodyId::new(0)), None]], reason: Inapplicable::NotPlanar };
    let written = json!({ "law": { "time": 0.5, "between": [[0, null]], "reason": "not-planar" } });
    assert_eq!(serde_json::to_value(failure).unwrap(), written);
    let failure = Failure::Time { time: 1.0, until: f64::INFINITY };
    assert_eq!(serde_json::to_value(failure).unwrap(), json!({ "time": { "time": 1.0, "until": "inf" } }));
}
