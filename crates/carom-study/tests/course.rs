//! The course of a collision comes out the same in every form: words, JSON, CSV, Parquet and picture.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::{Clock, ContactHistory, ContactSample, Motion, laws};
use carom_study::plot::{Course, SCALE, png, stack};
use carom_study::prediction::{Detail, Prediction, predict, predict_all};
use carom_study::report;
use carom_study::scenario::Scenario;
use carom_study::table::{Column, Table};
use nalgebra::{Vector2, Vector3};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::f64::consts::PI;

const ROD: &str = r#"
title = "Rod, \"sticky\" & slow"
[collision]
inverse_mass = [[2.5, -0.6], [-0.6, 3.5]]
velocity = [-1.0, 0.6]
friction = 0.4
restitution = 0.7
[law]
id = "spring-dashpot"
stiffness = 1e6
"#;

fn rod() -> (Scenario, Prediction) {
    let scenario = Scenario::parse("rod.toml", ROD).unwrap();
    let prediction = predict(&scenario, laws::find("spring-dashpot").unwrap()).unwrap();
    (scenario, prediction)
}

/// A half-sine pulse that slips, sticks and slips the other way; turned out of the plane t1 by `turn`.
fn pulse(clock: Clock, turn: f64) -> ContactHistory {
    const DURATION: f64 = 4e-4;
    let (sin, cos) = turn.sin_cos();
    let sample = |share: f64, motion: Motion| {
        let (force, ratio) = (2300.0 * (PI * share).sin(), 0.3 * (0.5 - share).signum() * f64::from(share < 0.9));
        let impulse = 2300.0 * DURATION / PI * (1.0 - (PI * share).cos());
        let slip = if motion == Motion::Sticking { 0.0 } else { 0.5 - share };
        let tangent = Vector2::new(cos, sin + 0.1 * turn * share);
        let whole = |n: f64, t: f64| Vector3::new(n, tangent.x * t, tangent.y * t);
        ContactSample {
            at: if clock == Clock::Time { share * DURATION } else { impulse },
            force: (clock == Clock::Time).then(|| whole(force, -ratio * force)),
            displacement: (clock == Clock::Time).then(|| whole(-2e-4 * (PI * share).sin(), 1e-4 * share)),
            velocity: whole(-(PI * share).cos(), slip),
            slip: tangent * slip,
            impulse: whole(impulse, -0.2 * impulse),
            normal_work: -0.5 * (PI * share).sin(),
            tangential_work: -0.1 * share,
            motion,
        }
    };
    let stretch = |from: f64, to: f64, motion| {
        (0..=40).map(move |k| sample(from + (to - from) * f64::from(k) / 40.0, motion)).collect::<Vec<_>>()
    };
    let samples = [(0.0, 0.3, Motion::Slipping), (0.3, 0.8, Motion::Sticking), (0.8, 1.0, Motion::Slipping)]
        .map(|(from, to, motion)| stretch(from, to, motion))
        .concat();
    ContactHistory { clock, samples }
}

fn sheet(history: &ContactHistory, planar: bool) -> String {
    let (scenario, prediction) = rod();
    let course = Course {
        history,
        section: scenario.collision().unwrap().planar_section().filter(|_| planar),
        friction: [0.4, 0.3],
        compression: prediction.outcome.contacts[0].compression,
    };
    course.sheet("Pulse".to_owned(), "half a sine".to_owned()).svg()
}

fn titles(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let charts = document.descendants().filter(|node| node.attribute("class") == Some("chart"));
    let words = |node: roxmltree::Node| {
        node.descendants()
            .filter(roxmltree::Node::is_text)
            .filter_map(|n| n.text().map(str::to_owned))
            .collect::<String>()
    };
    charts.map(|chart| words(chart.children().find(|node| node.has_tag_name("text")).unwrap())).collect()
}

/// Nothing that is not a number, and every text begins or ends on the sheet.
fn assert_sound(svg: &str) {
    assert!(!svg.contains("NaN") && !svg.contains("inf\""));
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    let size = |name: &str| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
    for text in document.descendants().filter(|node| node.has_tag_name("text")) {
        let [x, y] = ["x", "y"].map(|name| text.attribute(name).unwrap().parse::<f64>().unwrap());
        assert!((0.0..=size("width")).contains(&x) && (0.0..=size("height")).contains(&y), "{text:?}");
    }
}

#[test]
fn a_course_in_time_has_six_charts() {
    let planar = sheet(&pulse(Clock::Time, 0.0), true);
    assert_sound(&planar);
    let expected = ["Force", "Displacement", "Force in the friction cone", "Slip", "Velocity", "Work"];
    let lettered = |names: &[&str]| -> Vec<String> {
        names.iter().zip('a'..).map(|(name, letter)| format!("({letter}) {name}")).collect()
    };
    assert_eq!(titles(&planar), lettered(&expected));
    // Static and kinetic cone, two edges each.
    assert_eq!(planar.matches(">−μ<").count() + planar.matches(">μ<").count(), 4);

    let spatial = sheet(&pulse(Clock::Time, 0.7), false);
    assert_sound(&spatial);
    let expected = ["Force", "Displacement", "Force in the friction cone", "Hodograph of the slip", "Velocity", "Work"];
    assert_eq!(titles(&spatial), lettered(&expected));
}

#[test]
fn a_course_in_normal_impulse_has_no_forces() {
    let planar = titles(&sheet(&pulse(Clock::NormalImpulse, 0.0), true));
    assert_eq!(planar, ["(a) Impulse in the friction cone", "(b) Velocity", "(c) Work"]);
    let spatial = sheet(&pulse(Clock::NormalImpulse, 0.7), false);
    assert_sound(&spatial);
    assert_eq!(titles(&spatial).len(), 4);
    assert!(!spatial.contains("(N)"));
}

#[test]
fn an_empty_course_is_an_empty_sheet() {
    let svg = sheet(&ContactHistory::default(), true);
    assert_sound(&svg);
    assert!(titles(&svg).is_empty());
}

#[test]
fn a_stacked_picture_has_both_and_becomes_pixels() {
    let one = sheet(&pulse(Clock::Time, 0.0), true);
    let both = stack(&one, &sheet(&pulse(Clock::NormalImpulse, 0.7), false));
    assert_sound(&both);
    assert_eq!(titles(&both).len(), 10);
    let height = |svg: &str| {
        let file = png(svg, SCALE).unwrap();
        resvg::tiny_skia::Pixmap::decode_png(&file).unwrap().height()
    };
    assert!(height(&both) > height(&one));
}

#[test]
fn parquet_and_csv_hold_the_same_bits() {
    let (scenario, prediction) = rod();
    let table = report::history(&scenario, &[&prediction], false);
    let bytes = table.parquet().unwrap();
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).unwrap();
    let mut lines = csv::Reader::from_reader(std::io::Cursor::new(table.csv()));
    let header: Vec<String> = lines.headers().unwrap().iter().map(str::to_owned).collect();
    let mut rows = 0;
    for (row, line) in reader.get_row_iter(None).unwrap().zip(lines.records()) {
        let (row, line) = (row.unwrap(), line.unwrap());
        for ((name, field), (column, cell)) in row.get_column_iter().zip(header.iter().zip(line.iter())) {
            assert_eq!(name, column);
            match field {
                Field::Double(x) => assert_eq!(x.to_bits(), cell.parse::<f64>().unwrap().to_bits(), "{name}"),
                Field::Str(word) => assert_eq!(word, cell),
                other => panic!("{name}: {other}"),
            }
        }
        rows += 1;
    }
    let samples = &prediction.history(0).unwrap().samples;
    assert_eq!((rows, header.len()), (samples.len(), 18));
    assert_eq!(header[0], "time");

    let metadata = reader.metadata().file_metadata();
    let about = |key: &str| {
        let entries = metadata.key_value_metadata().unwrap();
        entries.iter().find(|entry| entry.key == key).and_then(|entry| entry.value.clone()).expect(key)
    };
    assert_eq!([about("title"), about("law")], ["Rod, \"sticky\" & slow", "spring-dashpot"].map(str::to_owned));
    assert_eq!(about("version"), env!("CARGO_PKG_VERSION"));
    let units: serde_json::Value = serde_json::from_str(&about("units")).unwrap();
    assert_eq!([&units["force_t1"], &units["normal_work"]], ["N", "J"]);
    let parameters: serde_json::Value = serde_json::from_str(&about("parameters")).unwrap();
    assert_eq!(parameters[0]["parameters"]["stiffness"], 1e6);
}

#[test]
fn missing_values_stay_missing_in_parquet() {
    let numbers = [Some(1.5), None, Some(-0.0)];
    let columns =
        vec![Column::numbers("a", "m", numbers), Column::words("b", ["x", "", "y, \"z\""].map(str::to_owned))];
    let table = Table { columns, about: Vec::new() };
    assert_eq!(table.csv(), "a,b\n1.5,x\n,\n0,\"y, \"\"z\"\"\"\n");
    let reader = SerializedFileReader::new(bytes::Bytes::from(table.parquet().unwrap())).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    assert_eq!(rows, ["{a: 1.5, b: \"x\"}", "{a: null, b: \"\"}", "{a: 0E0, b: \"y, \"z\"\"}"]);
    // The same table has the same bytes.
    assert_eq!(table.parquet().unwrap(), table.parquet().unwrap());
}

#[test]
fn several_laws_stand_below_each_other() {
    let (scenario, _) = rod();
    let answers = predict_all(&scenario, scenario.laws(), Detail::Course);
    let predictions: Vec<&Prediction> = answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
    assert!(predictions.len() >= 6, "{} laws answer", predictions.len());
    let table = report::history(&scenario, &predictions, true);
    let samples = |p: &&Prediction| p.history(0).map_or(0, |history| history.samples.len());
    assert_eq!(table.rows(), predictions.iter().map(samples).sum::<usize>());
    assert_eq!(table.columns[0].name, "law");
    // A table of one row group reads back though laws differ in what they are followed in.
    let reader = SerializedFileReader::new(bytes::Bytes::from(table.parquet().unwrap())).unwrap();
    assert_eq!(usize::try_from(reader.metadata().file_metadata().num_rows()), Ok(table.rows()));
}

#[test]
fn json_tells_the_course_of_a_law_that_has_one() {
    let (scenario, prediction) = rod();
    let told = report::json(&scenario, &prediction);
    let (course, history) = (prediction.outcome.contacts[0].course.unwrap(), prediction.history(0).unwrap());
    assert_eq!(told["clock"], "time");
    assert_eq!(told["duration"].as_f64(), course.duration);
    assert_eq!(told["peak_force"].as_f64(), course.peak_force);
    assert_eq!(told["evaluations"], course.evaluations);
    let phases = told["phases"].as_array().unwrap();
    assert_eq!(phases.len(), history.phases().len());
    assert_eq!((&phases[0]["from"], &phases[0]["mode"]), (&0.0.into(), &"sticking".into()));
    assert_eq!(phases.last().unwrap()["to"], told["duration"]);
    let works = &told["works"];
    let sum: f64 = ["compression", "restitution", "tangential"].iter().map(|key| works[key].as_f64().unwrap()).sum();
    assert!((sum - told["energy"]["change"].as_f64().unwrap()).abs() < 1e-12);

    let jump = report::json(&scenario, &predict(&scenario, laws::find("chatterjee-1").unwrap()).unwrap());
    for key in ["clock", "phases", "duration", "peak_force", "peak_indentation", "works", "evaluations"] {
        assert!(jump[key].is_null() && jump.as_object().unwrap().contains_key(key), "{key}");
    }
}
