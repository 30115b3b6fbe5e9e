//! Pictures are sound files: well-formed, deterministic, without anything that is not a number, with every mark.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::elastic::Round;
use carom::laws::{ALL, find};
use carom::{Collision, audit::audit_collision};
use carom_study::plot::{
    Axis, Chart, Curve, Diagram, Dot, Entry, Guide, Measure, ReboundCurves, RegionPanel, Regions, SCALE, Sheet, Span,
    Text, png,
};
use nalgebra::{Matrix3, Vector2, Vector3};
use proptest::prelude::*;

fn rod() -> Collision {
    Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap()
}

fn spatial() -> Collision {
    let mass = Matrix3::new(1.0, -0.3, 0.2, -0.3, 0.8, 0.1, 0.2, 0.1, 0.6);
    Collision::new(&mass.try_inverse().unwrap(), &Vector3::new(-1.0, -0.7, 0.0)).unwrap()
}

/// Every law that has an answer.
fn diagram(collision: &Collision, friction: f64, restitution: f64) -> Diagram<'_> {
    let entries = ALL.iter().filter_map(|law| {
        let bound = law.bind_from(|key| match key {
            "restitution" => Some(restitution),
            "friction" => Some(friction),
            "impulse_ratio" => Some(0.25),
            _ => None,
        });
        let outcome = bound.ok()?.resolve_collision(collision).ok()?;
        Some(Entry {
            label: law.id.to_owned(),
            impulse: outcome.impulse,
            path: outcome.path.corners().to_vec(),
            admissible: audit_collision(collision, &outcome, friction).is_ok(),
        })
    });
    Diagram {
        title: "Rod & \"floor\" <1>".to_owned(),
        subtitle: String::new(),
        collision,
        friction,
        restitution: Some(restitution),
        entries: entries.collect(),
    }
}

fn count_class(svg: &str, class: &str) -> usize {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    document.descendants().filter(|node| node.attribute("class") == Some(class)).count()
}

/// Every number of every attribute that holds coordinates is finite and on or near the canvas.
fn assert_sound(svg: &str) {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    for node in document.descendants() {
        for attribute in node.attributes() {
            assert!(!attribute.value().contains("NaN") && !attribute.value().contains("inf"), "{attribute:?}");
        }
        for name in ["x", "y", "cx", "cy"] {
            if let Some(value) = node.attribute(name) {
                let place: f64 = value.parse().unwrap();
                assert!(place.abs() < 1e5, "{node:?}");
            }
        }
    }
}

#[test]
fn a_planar_diagram_marks_every_group_of_laws() {
    let collision = rod();
    let diagram = diagram(&collision, 0.8, 0.9);
    let svg = diagram.svg();
    assert_sound(&svg);
    // Case 2 of Wang & Mason: 13 laws answer with ten different impulses.
    assert_eq!((diagram.entries.len(), count_class(&svg, "mark")), (13, 10));
    for entry in &diagram.entries {
        assert!(svg.contains(&entry.label), "{} is not in the legend", entry.label);
    }
    assert_eq!(svg.matches("(inadmissible)").count(), 1);
    assert_eq!(count_class(&svg, "impulse-plane"), 1);
}

#[test]
fn a_spatial_diagram_has_two_panels_with_every_mark() {
    let collision = spatial();
    let svg = diagram(&collision, 0.6, 0.6).svg();
    assert_sound(&svg);
    assert_eq!(count_class(&svg, "tangent-plane"), 1);
    // Ten different impulses, each in both panels.
    assert_eq!(count_class(&svg, "mark"), 20);
}

#[test]
fn marks_that_cover_each_other_get_a_closer_view() {
    let collision = Collision::planar([[4.0 / 3.0, 2.0 / 3.0], [2.0 / 3.0, 4.0 / 3.0]], [-1.0, -1.0]).unwrap();
    let svg = diagram(&collision, 0.4, 0.5).svg();
    assert_eq!(count_class(&svg, "impulse-plane"), 2);
}

#[test]
fn a_prediction_far_outside_becomes_an_arrow_inside_the_frame() {
    let collision = rod();
    let mut diagram = diagram(&collision, 0.8, 0.9);
    let plain = diagram.svg();
    diagram.entries.push(Entry {
        label: "far-away".to_owned(),
        impulse: Vector3::new(1e6, -3e6, 0.0),
        path: Vec::new(),
        admissible: false,
    });
    let svg = diagram.svg();
    assert_sound(&svg);
    assert_eq!(count_class(&svg, "mark"), count_class(&plain, "mark") + 1);
}

#[test]
fn the_same_picture_has_the_same_bytes() {
    for collision in [rod(), spatial()] {
        let (once, again) = (diagram(&collision, 0.6, 0.8).svg(), diagram(&collision, 0.6, 0.8).svg());
        assert_eq!(once, again);
        assert_eq!(png(&once, SCALE).unwrap(), png(&again, SCALE).unwrap());
    }
}

#[test]
fn a_png_has_twice_the_size_of_its_svg_and_letters_in_it() {
    let collision = rod();
    let svg = diagram(&collision, 0.8, 0.9).svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let size = |name: &str| document.root_element().attribute(name).unwrap().parse::<f32>().unwrap();
    let file = png(&svg, SCALE).unwrap();
    let decoded = resvg::tiny_skia::Pixmap::decode_png(&file).unwrap();
    assert_eq!((decoded.width() as f32, decoded.height() as f32), (SCALE * size("width"), SCALE * size("height")));
    // The title's letters: without the embedded font nothing dark would stand there.
    let dark = (20..60).flat_map(|y| (110..600).map(move |x| (x, y)));
    assert!(dark.filter(|(x, y)| decoded.pixel(*x, *y).unwrap().red() < 100).count() > 500);
}

#[test]
fn rebound_curves_pass_through_the_values_of_the_literature() {
    let curves = ReboundCurves { points: 29, ..ReboundCurves::default() };
    // A sphere at ψ₁ = 2 (theory notes on Lai 1999, section 4).
    for (id, expected) in [("hertz-mindlin", -0.8372), ("lai", -0.5653), ("smith", -1.0973), ("routh-newton", 0.0)] {
        let curve = curves.curve(Round::Sphere, find(id).unwrap()).unwrap();
        assert!(curve[8].x == 2.0 && (curve[8].y - expected).abs() < 1e-4, "{id}: {}", curve[8]);
    }
    let svg = curves.sheet().unwrap().svg();
    assert_sound(&svg);
    // Each curve is drawn in two parts.
    assert_eq!((count_class(&svg, "chart"), count_class(&svg, "curve")), (2, 16));
    assert!(ReboundCurves { friction: 0.0, ..curves }.sheet().is_err());
}

#[test]
fn a_region_plot_has_a_panel_for_each_law() {
    let square = |at: f64| [[at, 0.0], [at + 0.1, 0.0], [at + 0.1, 0.1], [at, 0.1]].map(Vector2::from).to_vec();
    let reach = |label: &str| RegionPanel {
        label: label.to_owned(),
        coverage: Some(0.375),
        cells: vec![square(0.5), square(0.6)],
        curves: vec![vec![Vector2::new(0.5, 0.0), Vector2::new(0.7, 0.1)]],
        points: vec![Vector2::new(0.5, 0.0)],
    };
    let section = rod().planar_section().unwrap();
    let reaches = ["a", "b", "c"].map(reach).to_vec();
    let svg = Regions { title: "t".into(), subtitle: "s".into(), section, friction: 0.8, reaches }.svg();
    assert_sound(&svg);
    assert_eq!(count_class(&svg, "reach"), 3);
    assert_eq!(svg.matches("38 %").count(), 3);
    let none = Regions { title: "t".into(), subtitle: "s".into(), section, friction: 0.8, reaches: Vec::new() }.svg();
    assert_sound(&none);
}

/// A positive definite W of any conditioning, scale and orientation.
fn inverse_mass() -> impl Strategy<Value = Matrix3<f64>> {
    (prop::array::uniform3(-6.0..6.0_f64), prop::array::uniform3(-3.0..3.0_f64), any::<bool>()).prop_map(
        |(powers, angles, planar)| {
            let (x, y) = if planar { (0.0, 0.0) } else { (angles[0], angles[1]) };
            let turn = nalgebra::Rotation3::from_euler_angles(x, y, angles[2]).into_inner();
            let diagonal = Matrix3::from_diagonal(&Vector3::from(powers.map(|p| 10.0_f64.powf(p))));
            let turned = turn * diagonal * turn.transpose();
            (turned + turned.transpose()) * 0.5
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_collision_breaks_the_picture(
        w in inverse_mass(),
        v in prop::array::uniform3(-1.0..1.0_f64),
        rest in prop::sample::select(vec![[1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]),
        power in -9.0..9.0_f64,
        restitution in prop::sample::select(vec![0.0, 0.4, 1.0]),
        frictionless in prop::bool::weighted(0.1),
    ) {
        let velocity = Vector3::new(-v[0].abs(), v[1], v[2]).component_mul(&Vector3::from(rest));
        let friction = if frictionless { 0.0 } else { 10.0_f64.powf(power) };
        if let Ok(collision) = Collision::new(&w, &velocity) {
            let diagram = diagram(&collision, friction, restitution);
            let svg = diagram.svg();
            assert_sound(&svg);
            if let Some(section) = collision.planar_section() {
                let reach = RegionPanel {
                    points: diagram.entries.iter().map(|entry| entry.impulse.xy()).collect(),
                    ..RegionPanel::default()
                };
                let title = String::new;
                let regions = Regions { title: title(), subtitle: title(), section, friction, reaches: vec![reach] };
                assert_sound(&regions.svg());
            }
        }
    }
}

/// Every text that is not turned stands on the sheet.
fn assert_texts_inside(svg: &str) {
    let document = roxmltree::Document::parse(svg).unwrap();
    let size = |name: &str| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
    for text in document.descendants().filter(|node| node.has_tag_name("text")) {
        let [x, y] = ["x", "y"].map(|name| text.attribute(name).unwrap().parse::<f64>().unwrap());
        assert!((0.0..=size("width")).contains(&x) && (0.0..=size("height")).contains(&y), "{text:?}");
    }
}

fn chart(points: Vec<Vector2<f64>>) -> Chart {
    Chart {
        title: "Force & time".to_owned(),
        across: Axis::quantity(Text::symbol("t"), "s"),
        up: Axis::quantity(Text::symbol("F"), "N"),
        spans: vec![Span { from: 0.0, to: 1.0, tint: "#e3edf7", label: "sticking".to_owned() }],
        guides: vec![Guide { at: 0.5, label: Text::plain("half") }],
        measures: vec![Measure { at: 0.5, between: [0.0, 1.0], label: Text::symbol("W") }],
        dots: vec![Dot { at: Vector2::new(0.5, 0.0), label: Text::symbol("A") }],
        curves: vec![
            Curve::line(0, Text::symbol("F"), points.clone()),
            Curve::marks(1, Text::default(), points),
            Curve::reference(Text::plain("far"), vec![Vector2::zeros(), Vector2::new(1e9, -1e9)]),
        ],
        ..Chart::default()
    }
}

#[test]
fn the_label_of_marks_stands_at_one_of_them() {
    let points = vec![Vector2::new(0.0, 0.0), Vector2::new(1.0, 1.0)];
    let chart = Chart { curves: vec![Curve::measured(Text::plain("seen"), points)], ..Chart::default() };
    let svg = Sheet { title: "t".into(), subtitle: "s".into(), charts: vec![chart] }.svg();
    let number = |line: &str, key: &str| -> f64 {
        let rest = line.split_once(&format!(" {key}=\"")).unwrap().1;
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    let label = svg.lines().find(|line| line.contains(">seen<")).unwrap();
    let marks = svg.lines().filter(|line| line.starts_with("<circle"));
    let distance =
        |mark: &str| (number(mark, "cx") - number(label, "x")).hypot(number(mark, "cy") - number(label, "y"));
    assert!(marks.clone().count() == 2 && marks.map(distance).any(|distance| distance < 30.0), "{svg}");
}

#[test]
fn a_sheet_has_its_charts_and_one_key() {
    let points: Vec<_> = (0..=100).map(|k| f64::from(k) / 100.0).map(|x| Vector2::new(x, x.sin())).collect();
    let svg = Sheet { title: "t".into(), subtitle: "s".into(), charts: vec![chart(points); 5] }.svg();
    assert_sound(&svg);
    assert_texts_inside(&svg);
    assert_eq!((count_class(&svg, "chart"), count_class(&svg, "curve")), (5, 15));
    // Named in each chart, and once in the key.
    assert_eq!(svg.matches("sticking").count(), 6);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_curve_breaks_a_chart(
        values in prop::collection::vec(prop::array::uniform2(any::<f64>()), 0..6),
        logarithmic in any::<bool>(),
        equal_scales in any::<bool>(),
    ) {
        let mut chart = chart(values.into_iter().map(Vector2::from).collect());
        chart.equal_scales = equal_scales;
        if logarithmic {
            chart.across = chart.across.logarithmic();
        }
        let svg = Sheet { title: String::new(), subtitle: String::new(), charts: vec![chart] }.svg();
        assert_sound(&svg);
        assert_texts_inside(&svg);
    }
}
