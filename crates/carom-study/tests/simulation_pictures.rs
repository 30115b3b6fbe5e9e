//! What pictures of a run show: every body by name or in the key, nothing that is rounding, and what they leave out.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use carom_study::plot::{Curve, animation, body_look, energy_sheet, gap_sheet, strobe, velocity_sheet};
use carom_study::scenario::SimulationScenario;
use carom_study::simulation::{Run, Runner, Step};
use std::fmt::Write;
use std::path::Path;

fn gallery(name: &str) -> (SimulationScenario, Run) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../scenarios/{name}.toml"));
    run(SimulationScenario::read(path).unwrap_or_else(|error| panic!("{error}")))
}

fn run(scenario: SimulationScenario) -> (SimulationScenario, Run) {
    let mut runner = Runner::new(&scenario, None).unwrap();
    while runner.step() != Step::Done {}
    (scenario, runner.run)
}

/// Disks in a row, so far apart, that drift to the right past each other's starting places.
fn row(count: usize, apart: f64) -> (SimulationScenario, Run) {
    let mut text = "[simulation]\nduration = 1.0\ninterval = 0.1\n".to_owned();
    for k in 0..count {
        let x = apart * k as f64;
        let _ =
            write!(text, "[[body]]\nname = 'body-{k}'\nmass = 1.0\nshape.disk.radius = 0.1\nposition = [{x}, 0.0]\n");
        text.push_str("velocity = [0.5, 0.0]\n");
    }
    text.push_str("[[material]]\nname = 'rubber'\nrestitution = 0.8\nfriction = 0.0\n");
    run(SimulationScenario::parse("row.toml", &text).unwrap_or_else(|error| panic!("{error}")))
}

/// The points of a curve as pairs of neighbours.
fn pieces(curve: &Curve) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    curve.points.windows(2).map(|ends| ([ends[0].x, ends[0].y], [ends[1].x, ends[1].y]))
}

/// Seven colours went round and round, and bodies beyond the eighth had no names.
#[test]
fn every_body_of_the_motion_can_be_told_by_name_and_look() {
    for (count, apart) in [(2, 1.0), (12, 0.3), (21, 0.3), (21, 0.21)] {
        let (scenario, run) = row(count, apart);
        let svg = strobe(&scenario, &run);
        for name in &scenario.body_names {
            assert!(svg.contains(&format!(">{name}<")), "{count} bodies, {apart} m apart: no {name}");
        }
    }
    let looks: Vec<_> = (0..21).map(|body| body_look(body, 21)).collect();
    for (k, look) in looks.iter().enumerate() {
        assert!(!looks[..k].contains(look), "body {k} looks like another");
    }
}

#[test]
fn hundreds_of_bodies_have_a_key_instead_of_names_and_marks() {
    let (scenario, run) = gallery("granular-gas");
    let svg = strobe(&scenario, &run);
    assert!(svg.contains("bodies in the order of the file, 1 to 200") && svg.contains("at 0 and 2 s"));
    assert!(svg.contains(&format!("{} events, not marked", run.events.len())));
}

/// A corner with walls was seen from behind them, and nothing but its floor was drawn.
#[test]
fn a_scene_in_space_is_seen_from_where_its_walls_show_their_faces() {
    let (scenario, run) = gallery("corner-sphere");
    assert_eq!(strobe(&scenario, &run).matches("#f6f6f6").count(), 3);
}

/// The gap of a block that rocks was a plot of rounding, 1e-14 m: one of its corners always touches.
#[test]
fn gaps_of_what_never_parts_are_those_of_its_corners_and_never_rounding() {
    for (name, height) in [("rocking-block", 8e-3), ("housner-block", 19e-3)] {
        let (scenario, run) = gallery(name);
        let sheet = gap_sheet(&scenario, &run).unwrap();
        assert!(sheet.subtitle.contains("each corner"), "{}", sheet.subtitle);
        let curves = &sheet.charts[0].curves;
        assert_eq!(curves.len(), 2);
        let heights = curves.iter().flat_map(|curve| &curve.points).map(|point| point.y);
        assert!(heights.clone().all(|y| y == 0.0 || y > 1e-11), "{name}");
        assert!(heights.fold(0.0, f64::max) > height, "{name}");
    }
    let (scenario, run) = gallery("tippe-top");
    assert!(gap_sheet(&scenario, &run).is_none(), "a top that never leaves its table");
}

#[test]
fn pairs_that_always_touch_leave_the_chart_of_gaps_to_those_that_part() {
    let (scenario, run) = gallery("cradle-swing");
    let sheet = gap_sheet(&scenario, &run).unwrap();
    assert_eq!(sheet.subtitle, "2 of the 4 pairs that met, those that met most often; left out: what never parts");
    assert_eq!(sheet.charts[0].curves.len(), 2);
}

/// The first six of all bodies were shown, whatever they did.
#[test]
fn velocities_of_many_bodies_are_those_of_the_fastest_within_the_range_of_all() {
    let (scenario, run) = gallery("billiard-break");
    let sheet = velocity_sheet(&scenario, &run);
    assert_eq!(sheet.subtitle, "the 7 fastest of 11 bodies; grey: from the least to the greatest of all");
    for chart in &sheet.charts {
        let (band, curves) = chart.curves.split_last().unwrap();
        assert_eq!(curves.len(), 7);
        let range = |curve: &Curve| {
            let values = curve.points.iter().map(|point| point.y);
            values.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], y| [a.min(y), b.max(y)])
        };
        let [least, greatest] = range(band);
        for curve in curves {
            let [lowest, highest] = range(curve);
            assert!(least <= lowest && highest <= greatest);
        }
    }
    // The ball that the break throws fastest, the eighth of the file.
    assert!(sheet.svg().contains(">7<"));
    let (scenario, run) = gallery("cradle-swing");
    assert_eq!(velocity_sheet(&scenario, &run).subtitle, "");
}

/// Where events are many, steps of velocity were ramps from frame to frame, and spheres without friction turned at 1e-14 rad/s.
#[test]
fn velocities_step_at_events_and_rounding_is_no_turning() {
    let (scenario, run) = gallery("granular-gas");
    let sheet = velocity_sheet(&scenario, &run);
    assert!(sheet.subtitle.starts_with("the 3 fastest of 200 bodies") && sheet.subtitle.ends_with("nothing turns"));
    assert_eq!(sheet.charts.len(), 3);
    for curve in &sheet.charts[0].curves[..3] {
        for ([from, before], [to, after]) in pieces(curve) {
            assert!(from == to || before == after, "{before} m/s at {from} s, {after} m/s at {to} s");
        }
    }
}

/// A body was put between two frames as if it had met nothing there, and jumped back and forth in the page that plays the run.
#[test]
fn bodies_between_frames_are_where_their_own_impacts_sent_them() {
    let (_, run) = gallery("granular-gas");
    let mut known = run.frames[0].states.clone();
    let mut since = vec![0.0; known.len()];
    for (time, states) in run.instants() {
        for (body, state) in states.iter().enumerate() {
            let place = known[body].pose.position + known[body].velocity * (time - since[body]);
            assert!((state.pose.position - place).norm() < 1e-9, "body {body} at {time} s");
            (known[body], since[body]) = (*state, time);
        }
    }
}

/// Potential energy of half a kilojoule hid the seven joules that a rocking block has to lose.
#[test]
fn potential_energy_is_drawn_from_its_lowest_and_the_check_function_as_a_share() {
    let (scenario, run) = gallery("housner-block");
    let sheet = energy_sheet(&scenario, &run);
    let greatest =
        sheet.charts[0].curves.iter().flat_map(|curve| &curve.points).map(|point| point.y).fold(0.0, f64::max);
    assert!(greatest < 10.0, "{greatest} J");
    assert!(sheet.charts[0].title.contains("from its lowest"));
    let share = run.relative_residual();
    let drawn = sheet.charts[1].curves[0].points.last().unwrap().y;
    assert!(share > 0.0 && drawn > 0.1 * share && drawn <= share, "{drawn} of {share}");
    assert!(sheet.subtitle.contains("of the largest energy"), "{}", sheet.subtitle);
}

#[test]
fn entries_of_the_ledger_that_are_rounding_are_not_drawn() {
    let (scenario, run) = gallery("tippe-top");
    let svg = energy_sheet(&scenario, &run).svg();
    assert!(svg.contains("lost to friction") && !svg.contains("lost in impacts"));
}

/// An impact at the limit of a joint is marked at the joint's pivot. Once it was marked at a lever far from any body.
#[test]
fn the_page_names_bodies_and_events_and_marks_only_what_is_on_a_body() {
    let (scenario, run) = gallery("falling-figure");
    let page = animation(&scenario, &run);
    let data = page.split_once("application/json\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let name = |body: &serde_json::Value| body["name"].as_str().unwrap().to_owned();
    let names: Vec<String> = data["bodies"].as_array().unwrap().iter().map(name).collect();
    assert_eq!(names, scenario.body_names);
    let events = data["events"].as_array().unwrap();
    assert_eq!(events.len(), run.events.len());
    let (mut on_limits, mut on_bodies) = (0, 0);
    for event in events {
        let is_on_limit = event[2].as_str().unwrap().contains("limit of");
        on_limits += usize::from(is_on_limit && event.get(3).is_some());
        on_bodies += usize::from(!is_on_limit && event.get(3).is_some());
    }
    assert!(on_limits > 0 && on_bodies > 0, "{events:?}");
}

/// A body that does not move was drawn on axes of 1e-13 m, and one of a centimetre on its way over kilometres not at all.
#[test]
fn points_at_rest_and_bodies_too_small_to_see_are_dots_on_axes_that_can_be_read() {
    let body = |name: &str, shape: &str, x: f64, v: f64| {
        format!("[[body]]\nname = '{name}'\nmass = 1.0\n{shape}\nposition = [{x}, 0.5]\nvelocity = [{v}, 0.0]\n")
    };
    let material = "[[material]]\nname = 'rubber'\nrestitution = 0.8\nfriction = 0.0\n";
    let seen = |bodies: &str| {
        let text = format!("[simulation]\nduration = 10.0\n{bodies}{material}");
        let (scenario, run) = run(SimulationScenario::parse("dots.toml", &text).unwrap_or_else(|e| panic!("{e}")));
        strobe(&scenario, &run)
    };
    let svg = seen(&body("point", "inertia = 1.0", 0.0, 0.0));
    assert!(svg.contains(">0.4<") && !svg.contains("00000"), "{svg}");
    let svg = seen(&(body("bullet", "shape.disk.radius = 0.01", 0.0, 300.0) + &body("b", "inertia = 1.0", 5.0, 0.0)));
    assert!(svg.contains("r=\"1.5\""), "{svg}");
}
