//! Impacts of several contacts: scenarios, predictions, ambiguity, pictures.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom::Collision;
use carom::laws::{Inapplicable, Law, Parameter, find};
use carom_study::ambiguity::{Ambiguity, Kind};
use carom_study::plot::{
    Course, THREE_BALLS, ambiguity_sheet, island_course, measured_impacts, outcomes, overview, three_balls, two_corners,
};
use carom_study::prediction::{Detail, Prediction, Refusal, predict_all};
use carom_study::scenario::Scenario;
use carom_study::{prediction, reach, report};
use nalgebra::Vector3;
use std::path::Path;

fn gallery(name: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(format!("{name}.toml"));
    Scenario::read(path).unwrap()
}

fn predict(scenario: &Scenario, law: &str) -> Prediction {
    prediction::predict(scenario, find(law).unwrap()).unwrap_or_else(|why| panic!("{law}: {why}"))
}

/// The disk in a corner from its inverse mass, as printed by the note on Rakshit & Chatterjee 2015, 6.4.
#[test]
fn contact_frames_say_what_bodies_say() {
    let text = "[impact]
        inverse_mass = [[1.0, 0.0, 0.0, 1.0], [0.0, 3.0, -1.0, 2.0], [0.0, -1.0, 1.0, 0.0], [1.0, 2.0, 0.0, 3.0]]
        velocity = [-4.43, 8.0, -8.0, -4.43]
        friction = 0.35
        restitution = [0.715, 0.715]";
    let frames = Scenario::parse("corner.toml", text).unwrap();
    let bodies = gallery("corner-ball");
    for law in ["newton-lcp", "rakshit-chatterjee", "liu-zhao-brogliato"] {
        let (a, b) = (predict(&frames, law), predict(&bodies, law));
        for (a, b) in a.outcome.velocities_after().iter().zip(&b.outcome.velocities_after()) {
            assert!((a - b).norm() < 1e-8, "{law}: {a} {b}");
        }
        assert!((a.energy.change - b.energy.change).abs() < 1e-7, "{law}");
    }
}

/// A law for several contacts on a scenario of one says what it says about that one contact.
#[test]
fn one_contact_is_an_impact_too() {
    let text = "[collision]
        inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
        velocity = [-1.0, 0.6]
        friction = 0.8
        restitution = 0.9";
    let one = Scenario::parse("rod.toml", text).unwrap();
    let several = predict(&one, "rakshit-chatterjee");
    // Case 2 of table 6.5 of the note: V after (0.9, −0.54).
    assert!((several.outcome.contacts[0].velocity_after.y + 0.54).abs() < 1e-9);
    let single = predict(&one, "routh-poisson");
    assert!((single.outcome.contacts[0].impulse.x - 0.76).abs() < 1e-12);
    // Its events and its course are shown as those of several contacts.
    let rodriguez = predict(&one, "rodriguez-bowling");
    assert!(!rodriguez.outcome.events.is_empty() && rodriguez.islands().count() == 1);
    assert!(report::json(&one, &rodriguez)["events"].is_array());
}

/// `[impact]` with one contact is the collision that `[collision]` is: the same reports, diagram and region.
#[test]
fn an_impact_of_one_contact_is_a_collision() {
    let text = "[impact]
        contacts = 1
        inverse_mass = [[2.5, -1.5], [-1.5, 2.5]]
        velocity = [-1.0, 0.6]
        friction = 0.8
        restitution = 0.9";
    let impact = Scenario::parse("rod.toml", text).unwrap();
    let collision = text.replace("contacts = 1", "").replace("[impact]", "[collision]");
    let collision = Scenario::parse("rod.toml", &collision).unwrap();
    let answers = |scenario: &Scenario| predict_all(scenario, scenario.laws(), Detail::Course);
    let (one, other) = (answers(&impact), answers(&collision));
    assert_eq!(report::comparison(&impact, &one), report::comparison(&collision, &other));
    assert_eq!(report::json_all(&impact, &one), report::json_all(&collision, &other));
    assert_eq!(report::csv(&impact, &one), report::csv(&collision, &other));
    assert_eq!(overview(&impact, &one, None), overview(&collision, &other, None));
    assert!(reach::reach(&impact, find("chatterjee-1").unwrap()).unwrap().coverage.is_some());
}

/// A law of one's own joins the comparison of the catalogue.
#[test]
fn a_comparison_takes_a_law_of_ones_own() {
    let halfway = |collision: &Collision, _: &[f64]| {
        Vector3::new(-1.5 * collision.velocity().x / collision.inverse_mass()[(0, 0)], 0.0, 0.0)
    };
    let own = Law::from_fn("halfway", [Parameter::FRICTION], halfway).into_static().unwrap();
    let rod = Scenario::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/falling-rod.toml")).unwrap();
    let answers = predict_all(&rod, rod.laws().iter().chain([own]), Detail::Course);
    let prediction = answers.last().unwrap().1.as_ref().unwrap();
    assert!((prediction.restitution[0].newton.unwrap() - 0.5).abs() < 1e-12);
    assert!(report::comparison(&rod, &answers).contains("halfway"));
    assert!(report::csv(&rod, &answers).contains("\nhalfway,1,rod,ground,"));
    assert!(overview(&rod, &answers, None).contains("halfway"));
}

#[test]
fn joints_hold_and_report_what_they_carry() {
    let grasp = gallery("two-finger-grasp");
    let prediction = predict(&grasp, "newton-lcp");
    let left = &prediction.bodies[0].1;
    assert!(left.velocity.y.abs() < 1e-12 && left.angular_velocity.norm() < 1e-12, "{left:?}");
    // The slide carries what friction pushes across it.
    let across =
        -grasp.scene.as_ref().unwrap().contacts[0].contact.frame.to_world(&prediction.outcome.contacts[0].impulse).y;
    assert!((prediction.joints[0].impulse.y + across).abs() < 1e-12, "{:?}", prediction.joints);
    let json = report::json(&grasp, &prediction);
    assert_eq!(json["joints"].as_array().unwrap().len(), 2);
    assert_eq!(json["contacts"].as_array().unwrap().len(), 2);
}

#[test]
fn a_cradle_is_ambiguous_because_of_its_stiffness() {
    let cradle = gallery("cradle-three");
    let found = Ambiguity::explore(&cradle);
    assert_eq!(found.variants.iter().filter(|variant| variant.kind == Kind::Law).count(), 7);
    // (−1/3, 2/3, 2/3) and (0, 0, 1) differ by a motion of 1/3 J, which is just what is at stake.
    assert!((found.spread_of(Kind::Law) - 1.0).abs() < 1e-9, "{}", found.spread_of(Kind::Law));
    assert!(found.spread_of(Kind::Order) < 1e-12, "a cradle has one order");
    assert!(found.spread_of(Kind::Stiffness) > 0.99);
    assert!(found.verdict(&cradle).contains("stiff"), "{}", found.verdict(&cradle));
    let svg = ambiguity_sheet(&cradle, &found).svg();
    assert!(svg.contains("rakshit-chatterjee") && !svg.contains("NaN"));
    let json = report::ambiguity_json(&cradle, &found);
    assert_eq!(json["outcomes"].as_array().unwrap().len(), found.variants.len());
}

/// Two balls that hit a third one square from both sides: head-on, symmetric, nothing to disagree about.
#[test]
fn separate_collisions_are_not_ambiguous() {
    let ball = |name: &str, x: f64, v: f64| {
        format!(
            "[[body]]\nname = \"{name}\"\nmass = 1.0\ninertia = 0.1\nposition = [{x:?}, 0.0]\nvelocity = [{v:?}, 0.0]\n"
        )
    };
    let touch = |a: &str, b: &str, x: f64| {
        format!(
            "[[contact]]\nbetween = [\"{a}\", \"{b}\"]\npoint = [{x:?}, 0.0]\nnormal = [1.0, 0.0]\nfriction = 0.0\nrestitution = 1.0\n"
        )
    };
    let text = [
        ball("a", 0.0, 1.0),
        ball("b", 1.0, 0.0),
        ball("c", 10.0, 2.0),
        ball("d", 11.0, 0.0),
        touch("b", "a", 0.5),
        touch("d", "c", 10.5),
    ];
    let pairs = Scenario::parse("pairs.toml", &text.concat()).unwrap();
    assert_eq!(pairs.impact.islands().len(), 2);
    let found = Ambiguity::explore(&pairs);
    assert!(found.spread() < 1e-7, "{}", found.spread());
    assert!(found.verdict(&pairs).contains("not ambiguous"), "{}", found.verdict(&pairs));
}

#[test]
fn pictures_of_impacts_are_sound() {
    for name in ["corner-ball", "block-on-four-corners"] {
        let scenario = gallery(name);
        let answers = predict_all(&scenario, scenario.laws(), Detail::Course);
        let predictions: Vec<&Prediction> = answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
        let mut sheets = vec![outcomes(&scenario, &predictions)];
        sheets.extend(predictions.iter().flat_map(|p| p.islands().map(|history| island_course(&scenario, p, history))));
        assert!(sheets.len() > 3, "{name}: {}", sheets.len());
        for sheet in sheets {
            let svg = sheet.svg();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            assert_closed(&svg);
        }
        let table = report::history(&scenario, &predictions, true);
        assert!(table.rows() > 100, "{name}");
    }
}

/// Rodriguez 2014, figure 5.3: a contact that has come to rest sticks if its no-slip region contains rest.
#[test]
fn a_course_shows_whether_friction_can_hold_a_contact() {
    let svg = |name: &str| {
        let scenario = gallery(name);
        let prediction = predict(&scenario, "rodriguez-bowling");
        island_course(&scenario, &prediction, prediction.islands().next().unwrap()).svg()
    };
    let corner = svg("corner-ball");
    for title in [
        "Rest of ball–ground 1: not possible",
        "Rest of ball–ground 2: possible, then not",
        "Work of the normal forces",
    ] {
        assert!(corner.contains(title), "{title}");
    }
    assert!(corner.contains("<pattern") && corner.contains("no slip"));
    assert!(svg("rocking-block").contains("Rest of block–ground 2: possible, then not"));
    // In space the region is a cone, and the slips are drawn in their planes.
    assert!(svg("block-on-four-corners").contains("Hodograph of the slips"));
}

#[test]
fn many_contacts_are_marks_that_a_key_names() {
    let rack = gallery("rack-break");
    let answers = predict_all(&rack, rack.laws(), Detail::Outcome);
    let predictions: Vec<&Prediction> = answers.iter().filter_map(|(_, answer)| answer.as_ref().ok()).collect();
    assert!(predictions.len() >= 6, "{} laws answer", predictions.len());
    let svg = outcomes(&rack, &predictions).svg();
    for prediction in &predictions {
        let id = prediction.law.law().id;
        assert_eq!(svg.matches(id).count(), 1, "{id} is named once");
    }
    // No curve is a line; every contact has a mark of every law in both charts, and the key has one of each.
    assert!(!svg.contains("stroke-width=\"1.6\""));
}

#[test]
fn a_table_of_many_contacts_fits_a_terminal() {
    let rack = gallery("rack-break");
    let text = report::ambiguity(&rack, &Ambiguity::explore(&rack));
    let table = text.lines().skip_while(|line| !line.starts_with("varied    outcome"));
    for line in table.take_while(|line| !line.starts_with("Left out")) {
        assert!(line.chars().count() <= 100 || line.starts_with("V_n"), "{line}");
    }
    assert!(text.contains("contacts of 31 where outcomes differ most"), "{text}");
}

/// The laws differ by 0.64 about the rocking block, the stiffnesses by 0.31: the greater is named first.
#[test]
fn the_verdict_names_the_greatest_cause_first() {
    let block = gallery("rocking-block");
    let found = Ambiguity::explore(&block);
    let verdict = found.verdict(&block);
    assert!(found.spread_of(Kind::Law) > found.spread_of(Kind::Stiffness));
    assert!(verdict.starts_with("The laws themselves disagree most"), "{verdict}");
    assert!(verdict.contains("stiffness"), "{verdict}");
}

/// As many elements are closed as are opened.
fn assert_closed(svg: &str) {
    assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
}

/// Rodriguez 2014, table 6.4: his two coefficients fit the balls; the closest law that takes the coefficient of the pairs is within
/// 0.05 of every ball.
#[test]
fn measured_speeds_are_met_as_well_as_the_literature_says() {
    let far = |values: &[f64]| values.iter().zip(THREE_BALLS).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let laws = three_balls().unwrap();
    assert_eq!(laws.len(), 7);
    assert!(laws.iter().any(|law| far(&law.values) < 0.05), "{laws:?}");
    for law in laws {
        assert!((law.values.iter().sum::<f64>() - 1.0).abs() < 1e-8, "{}: momentum", law.name);
    }
    assert!(two_corners().unwrap().iter().all(|law| law.values.iter().all(|v| *v > -1e-9)));
    assert!(measured_impacts().unwrap().svg().contains("measured"));
}

/// One contact with a joint is a collision like any other: class, restitutions, course and region, and joints that react.
#[test]
fn one_contact_with_a_joint_is_a_collision_of_one() {
    let text = include_str!("scenes/pendulum-joint.toml");
    for inertia in ["0.1", "0.001", "1e-4", "1e-9"] {
        let text = text.replace("inertia = 0.001", &format!("inertia = {inertia}"));
        let scenario = Scenario::parse("pendulum.toml", &text).unwrap();
        assert!(scenario.collision().unwrap().is_singular());
        let whittaker = prediction::predict(&scenario, find("whittaker").unwrap());
        assert!(matches!(whittaker, Err(Refusal::Inapplicable(Inapplicable::UnboundedImpulse))), "{whittaker:?}");

        let prediction = prediction::predict(&scenario, find("routh-poisson").unwrap()).unwrap();
        assert!(Course::of(&scenario, &prediction).is_some());
        let json = report::json(&scenario, &prediction);
        assert!((json["restitution"]["poisson"].as_f64().unwrap() - 0.8).abs() < 1e-12);
        // The hinge takes the momentum that the contact does not: P + R = m Δv.
        let (p, r) = (&json["contacts"][0]["impulse"], &json["joints"][0]["impulse"]);
        for (k, before) in [-0.951_056_516_295_153_5, -0.309_016_994_374_947_4].into_iter().enumerate() {
            let sum = p[k].as_f64().unwrap() + r[k].as_f64().unwrap();
            let after = json["bodies"][0]["velocity"][k].as_f64().unwrap();
            assert!((sum - (after - before)).abs() < 1e-12, "{sum} {after}");
        }
        assert!(report::single(&scenario, &prediction).contains("singular inverse mass"));
        assert!(reach::reach(&scenario, find("chatterjee-1").unwrap()).is_ok());

        // A law for several contacts sees the same collision and the same joints.
        let other = prediction::predict(&scenario, find("rakshit-chatterjee").unwrap()).unwrap();
        assert!((other.outcome.contacts[0].velocity_after.x - 0.8 * 0.309_016_994_374_947_4).abs() < 1e-12);
        assert_eq!(other.joints.len(), 1);
    }
}

#[test]
fn a_joint_that_locks_the_normal_is_told_at_the_contact() {
    let text = include_str!("scenes/pendulum-joint.toml")
        .replace("normal = [0.0, 1.0]", "normal = [-0.3090169943749474, 0.9510565162951535]");
    let error = Scenario::parse("pendulum.toml", &text).unwrap_err();
    assert_eq!(error.message(), "nothing can move along the normal of a contact");
    let moving =
        include_str!("scenes/pendulum-joint.toml").replace("angular_velocity = -1.0", "angular_velocity = 1.0");
    let error = Scenario::parse("pendulum.toml", &moving).unwrap_err();
    assert_eq!(error.message(), "the bodies move against each other where this joint holds them");
}

/// The events of a collision are in JSON, in the history and in the picture of the course.
#[test]
fn events_are_shown_wherever_the_impact_is() {
    let scenario = gallery("rocking-block");
    let prediction = predict(&scenario, "rodriguez-bowling");
    let json = report::json(&scenario, &prediction);
    let events = json["events"].as_array().unwrap();
    assert_eq!(events.len(), prediction.outcome.events.len());
    assert!(events.len() > 1);
    for event in events {
        assert!(event["end"]["work"].as_f64().unwrap() <= 0.0, "{event}");
        assert!(event["compression"]["work"].as_f64().unwrap() < 0.0, "{event}");
        for piece in event["pieces"].as_array().unwrap() {
            let shares: f64 = piece["shares"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap()).sum();
            assert!((shares - 1.0).abs() < 1e-12, "{piece}");
        }
    }
    let table = report::history(&scenario, &[&prediction], false).csv();
    assert!(table.lines().next().unwrap().contains(",event,"));
    let svg = island_course(&scenario, &prediction, prediction.islands().next().unwrap()).svg();
    assert!(svg.contains("event 2"));
    let text = report::single(&scenario, &prediction);
    assert!(text.contains("  2  contact") && text.contains("compression ends at P"), "{text}");
    // Laws without events have no such entry.
    let other = predict(&scenario, "newton-lcp");
    assert!(report::json(&scenario, &other).get("events").is_none());
}

/// A parameter that the chosen law does not use is noted for that law, in words and in JSON, and not in a comparison of all.
#[test]
fn parameters_that_a_law_does_not_use_are_noted() {
    let text = "[collision]
        inverse_mass = [[1.0, 0.0], [0.0, 3.5]]
        velocity = [-1.0, 0.3]
        restitution = 0.5
        tangential_restitution = 0.2
        friction = 0.4";
    let scenario = Scenario::parse("ball.toml", text).unwrap();
    let note = |law: &str| format!("law {law} does not use `tangential_restitution`; laws that do: bilinear, ");
    for (law, unused) in [("whittaker", true), ("chatterjee-2", false), ("ivanov", true)] {
        let prediction = prediction::predict(&scenario, find(law).unwrap()).unwrap();
        let json = report::json(&scenario, &prediction);
        let warnings = json["warnings"].as_array().unwrap();
        assert_eq!(warnings.iter().any(|warning| warning.as_str().unwrap().starts_with(&note(law))), unused, "{law}");
        // `ivanov` takes `restitution` for its own coefficient.
        assert!(!warnings.iter().any(|warning| warning.as_str().unwrap().contains("not use `restitution`")), "{law}");
        let words = report::single(&scenario, &prediction).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words.contains(&note(law)), unused, "{law}: {words}");
    }
    let answers = predict_all(&scenario, scenario.laws(), Detail::Course);
    assert!(!report::json_all(&scenario, &answers).to_string().contains("does not use"));
    assert!(!report::comparison(&scenario, &answers).contains("does not use"));

    let text = "[impact]
        inverse_mass = [[1.0, 0.0, 0.0, 1.0], [0.0, 3.0, -1.0, 2.0], [0.0, -1.0, 1.0, 0.0], [1.0, 2.0, 0.0, 3.0]]
        velocity = [-4.43, 8.0, -8.0, -4.43]
        friction = 0.35
        tangential_restitution = 0.3
        restitution = [0.7, 0.6]
        [law]
        id = \"sequential\"
        single_law = \"chatterjee-2\"";
    let scenario = Scenario::parse("corner.toml", text).unwrap();
    let warnings = |law: &str| report::json(&scenario, &predict(&scenario, law))["warnings"].to_string();
    assert!(warnings("newton-lcp").contains("does not use `tangential_restitution`"));
    assert!(!warnings("sequential").contains("does not use"), "{}", warnings("sequential"));
    let words = report::single(&scenario, &predict(&scenario, "newton-lcp"));
    assert!(words.contains("does not use"), "{words}");
}

/// A disk between two walls: friction lets the contacts hold each other. They are counted from 1, as those of events are.
#[test]
fn contacts_that_hold_each_other_are_counted_from_1() {
    let wall = |x: f64, n: f64| {
        format!(
            "[[contact]]\nbetween = ['disk', 'ground']\npoint = [{x}, 0.0]\nnormal = [{n}, 0.0]\nfriction = 0.5\nrestitution = 0.0\n"
        )
    };
    let disk = "[[body]]\nname = 'disk'\nmass = 1.0\ninertia = 0.005\nposition = [0.0, 0.0]\nvelocity = [-1.0, 0.0]\n";
    let text = [disk, &wall(-0.1, 1.0), &wall(0.1, -1.0)].concat();
    let grip = Scenario::parse("grip.toml", &text).unwrap();
    let json = report::json(&grip, &predict(&grip, "newton-lcp"));
    assert_eq!(json["problem"]["held"]["contacts"], serde_json::json!([1, 2]), "{}", json["problem"]);
}

/// A body of mass 33 and inertia 10⁻⁷ between parallel walls that it hits at different speeds: no finite impulses let it rebound from both.
/// W in world axes had rounding of its tangential entries along the normals, so that `newton-lcp` answered with 1.9e7 J.
#[test]
fn a_light_body_between_walls_has_no_answer() {
    let scenario = Scenario::parse("light.toml", include_str!("scenes/light-body-between-walls.toml")).unwrap();
    let answer = prediction::predict(&scenario, find("newton-lcp").unwrap());
    assert!(matches!(answer, Err(Refusal::Inapplicable(Inapplicable::Wedged { .. }))), "{answer:?}");
}

/// Two contacts that stick and hold each other: what their rest of slip does must not pass for work that the normal forces give back, along
/// impulses of 10⁸ N s.
#[test]
fn contacts_that_hold_each_other_end_an_event() {
    let scenario = Scenario::parse("three.toml", include_str!("scenes/three-contacts-nearly-parallel.toml")).unwrap();
    let answer = predict(&scenario, "rodriguez-bowling");
    assert!(answer.audit.is_ok(), "{:?}", answer.audit);
    assert!(answer.outcome.impulses().iter().all(|p| p.norm() < 1e3), "{:?}", answer.outcome.impulses());
}
