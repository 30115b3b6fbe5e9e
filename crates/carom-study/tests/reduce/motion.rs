//! Velocities and spins from tracks with errors, outliers, gaps and aliases.

use super::tracks::*;
use carom_study::reduce::{Settings, Setup, parse, reduce};
use nalgebra::Vector2;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::f64::consts::PI;
use std::fmt::Write;

#[test]
fn exact_tracks_give_the_collision_back() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-6"));
    let mut text = String::from(HEADER);
    let times = [-0.3, -0.17, -0.06, 0.05, 0.19, 0.27];
    let mut all = Vec::new();
    for trial in 0..50 {
        let (velocity, spin, turn) = launch(&mut random);
        let known = known(&model, velocity, spin, turn, random.random_range(-0.05..0.04));
        rows(&mut text, trial, &model, &known, &times, || 0.0);
        all.push(known);
    }
    let reduction = run(&text, &setup, 0);
    assert_eq!(reduction.left_out, []);
    for (collided, known) in reduction.collisions.iter().zip(&all) {
        for (name, truth) in truths(&model, known) {
            let (found, deviation) = value(collided, name);
            assert!((found - truth).abs() < 1e-6 * (1.0 + truth.abs()), "{name}: {found} is not {truth} ({deviation})");
        }
    }
}

#[test]
fn errors_cover_the_truth_as_often_as_they_say() {
    assert_coverage(&puck(), &puck_setup("deviation = 1.2e-4"), &even_times(4, 4), 1.2e-4, 2);
}

/// The thesis has two photographs before and two after.
#[test]
fn errors_of_two_photographs_each_cover_the_truth() {
    assert_coverage(&puck(), &puck_setup("deviation = 1.2e-4"), &even_times(2, 2), 1.2e-4, 18);
}

#[test]
fn errors_that_are_measured_cover_the_truth() {
    assert_coverage(&puck(), &puck_setup(""), &even_times(4, 4), 1.2e-4, 19);
}

#[test]
fn outliers_are_rejected_and_do_not_pull() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-4"));
    let (velocity, spin, turn) = (Vector2::new(-0.6, -0.2), 3.0, 0.4);
    let known = known(&model, velocity, spin, turn, 0.0);
    let mut text = String::from(HEADER);
    rows(&mut text, 1, &model, &known, &even_times(12, 12), || 1e-4 * normal(&mut random));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, column) in [(3, 3), (7, 6), (16, 4), (20, 5)] {
        let mut fields: Vec<String> = lines[line - 1].split(',').map(str::to_owned).collect();
        fields[column] = (fields[column].parse::<f64>().unwrap() + 0.01).to_string();
        lines[line - 1] = fields.join(",");
    }
    let reduction = run(&lines.join("\n"), &setup, 0);
    let collided = &reduction.collisions[0];
    assert_eq!(collided.rejected.iter().map(|place| place.number).collect::<Vec<_>>(), [3, 7, 16, 20]);
    for (name, truth) in truths(&model, &known) {
        within(collided, name, truth, 4.5);
    }
}

#[test]
fn the_deviation_and_the_cut_are_found_where_they_are_not_given() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let (model, setup) = (puck(), puck_setup(""));
    let mut text = String::from(HEADER);
    let mut all = Vec::new();
    for trial in 0..30 {
        let (velocity, spin, turn) = launch(&mut random);
        let known = known(&model, velocity, spin, turn, 0.0);
        rows(&mut text, trial, &model, &known, &even_times(5, 6), || 2e-4 * normal(&mut random));
        all.push(known);
    }
    // The column `phase` goes.
    let text: Vec<String> = text
        .lines()
        .map(|line| {
            line.split(',').enumerate().filter(|(k, _)| *k != 2).map(|(_, word)| word).collect::<Vec<_>>().join(",")
        })
        .collect();
    let reduction = run(&text.join("\n"), &setup, 0);
    assert_eq!(reduction.left_out, []);
    // 30 trials have 2·(2·11 − 12) numbers beyond their parameters: the deviation is known to 3 %.
    assert!((reduction.deviations.coordinate / 2e-4 - 1.0).abs() < 0.12, "{:?}", reduction.deviations);
    for (collided, known) in reduction.collisions.iter().zip(&all) {
        assert_eq!(collided.frames, [5, 6]);
        within(collided, "restitution", -known.v_after.x / known.collision.velocity().x, 5.0);
        within(collided, "vt_after", known.v_after.y, 5.0);
    }
}

#[test]
fn a_spin_that_aliases_is_found_by_the_impulse() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-4"));
    let n = Vector2::from(WALL);
    // A slip this fast turns the puck on.
    let velocity = turned(&-n, -1.0) * 2.5;
    let found = [22.0, -22.0].map(|spin| known(&model, velocity, spin, 0.3, 0.0));
    let known = found.into_iter().find(|known| known.spin_after.abs() > 28.0).unwrap();
    let mut text = String::from(HEADER);
    rows(&mut text, 1, &model, &known, &even_times(3, 3), || 1e-4 * normal(&mut random));
    // One turn more before or after gives the same change of spin.
    let trials = parse(&text, &setup).unwrap();
    let error = reduce(&trials, &setup, &Settings { draws: 0, seed: 1 }, &mut |_| true).unwrap_err().to_string();
    assert!(error.contains("spins alias") && error.contains("expected `largest_spin_before`"), "{error}");
    let mut setup = setup;
    setup.bodies[0].largest_spin_before = Some(25.0);
    let reduction = run(&text, &setup, 0);
    let collided = &reduction.collisions[0];
    assert!((collided.spin_limit - PI * 530.0 / 60.0).abs() < 1e-9);
    assert!(collided.notes.iter().any(|note| note.contains("spins alias")), "{:?}", collided.notes);
    for (name, truth) in truths(&model, &known) {
        within(collided, name, truth, 4.5);
    }
}

#[test]
fn uneven_frames_show_a_fast_spin_without_the_impulse() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-4"));
    let known = known(&model, Vector2::new(-0.6, -0.2), 45.0, 0.3, 0.0);
    let times = [-0.41, -0.3, -0.15, -0.1, -0.04, 0.03, 0.08, 0.2, 0.31, 0.44];
    let mut text = String::from(HEADER);
    rows(&mut text, 1, &model, &known, &times, || 1e-4 * normal(&mut random));
    let reduction = run(&text, &setup, 0);
    within(&reduction.collisions[0], "omega_before", 45.0, 4.5);
    within(&reduction.collisions[0], "omega_after", known.spin_after, 4.5);
}

/// Even frames leave spins that differ by turns; a frame close to another decides between them only where its distance is more than the errors
/// of the angles.
#[test]
fn frames_close_in_time_do_not_mislead() {
    let model = puck();
    let setup = puck_setup("deviation = 2e-4");
    for (seed, gap) in [(1, 2e-6), (2, 2e-5), (3, 1e-4), (4, 3e-4), (5, 2e-3)] {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut text = String::from("trial,time,phase,x1,y1,x2,y2\n");
        let mut all = Vec::new();
        for trial in 0..20 {
            let (velocity, spin, turn) = launch(&mut random);
            let known = known(&model, velocity, spin, turn, 0.0);
            let mut times: Vec<f64> = (-6..6).map(|k| 0.02 * f64::from(k) + 0.008).collect();
            times.extend([-0.072 + gap, 0.048 + gap]);
            times.sort_by(f64::total_cmp);
            rows(&mut text, trial, &model, &known, &times, || 2e-4 * normal(&mut random));
            all.push(known);
        }
        let reduced = run(&text, &setup, 0);
        assert_eq!(reduced.collisions.len(), all.len(), "gap {gap}: {:?}", reduced.left_out);
        for (collided, known) in reduced.collisions.iter().zip(&all) {
            within(collided, "omega_before", known.spin, 6.0);
            within(collided, "omega_after", known.spin_after, 6.0);
        }
    }
}

#[test]
fn gravity_and_drag_are_taken_off() {
    let (model, setup) = (puck(), {
        let text = format!(
            "camera.deviation = 1e-5\nforce = {{ gravity = [0.1, -9.81], linear_drag = 0.3, quadratic_drag = 0.2, spin_drag = 0.5 }}\n\
             wall.normal = [0.6, 0.8]\n[[body]]\nname = 'puck'\nshape.disk.radius = {RADIUS}\nmass = 0.0672\ninertia = {}\n\
             marks = [[-0.04, 0], [0.04, 0]]\n",
            puck().inertia
        );
        Setup::parse("puck.toml", &text).unwrap()
    });
    let known = known(&model, Vector2::new(-1.0, -1.5), 6.0, 0.3, 0.0);
    let mut text = String::from(HEADER);
    for k in [-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6] {
        let time = f64::from(k) * 0.03;
        // Small steps of the midpoint rule from the instant of the collision.
        let (mut x, mut turn) = (known.centre, known.turn);
        let (mut v, mut w) =
            if k < 0 { (known.velocity, known.spin) } else { (known.velocity_after, known.spin_after) };
        let h = time / 20_000.0;
        let pull = |v: &Vector2<f64>| Vector2::new(0.1, -9.81) - v * (0.3 + 0.2 * v.norm());
        for _ in 0..20_000 {
            let middle = v + pull(&v) * (0.5 * h);
            x += middle * h;
            v += pull(&middle) * h;
            let middle = w - 0.5 * w * (0.5 * h);
            turn += middle * h;
            w -= 0.5 * middle * h;
        }
        write!(text, "1,{time},{}", if k < 0 { "before" } else { "after" }).unwrap();
        for mark in &model.marks {
            let at = x + turned(mark, turn);
            write!(text, ",{},{}", at.x, at.y).unwrap();
        }
        text.push('\n');
    }
    let reduction = run(&text, &setup, 0);
    for (name, truth) in truths(&model, &known) {
        let (found, _) = value(&reduction.collisions[0], name);
        assert!((found - truth).abs() < 1e-6 * (1.0 + truth.abs()), "{name}: {found} is not {truth}");
    }
}

#[test]
fn draws_agree_with_linear_propagation_and_stay_below_the_bound() {
    const DRAWS: usize = 2000;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let (model, setup) = half_puck();
    let n = Vector2::from(WALL);
    let known = known(&model, turned(&-n, 0.5) * 0.6, 2.0, (-n).y.atan2((-n).x) - 1.1, 0.0);
    let mut text = String::from(HEADER);
    rows(&mut text, 1, &model, &known, &even_times(4, 4), || 1e-4 * normal(&mut random));
    let reduction = run(&text, &setup, DRAWS);
    for uncertain in &reduction.collisions[0].quantities {
        let (linear, drawn) = (uncertain.deviation, uncertain.drawn.unwrap());
        // The relative error of a standard deviation from n draws is 1/√(2n).
        let tolerance = 5.0 / (2.0 * DRAWS as f64).sqrt();
        let name = uncertain.quantity.name;
        assert!((drawn / linear - 1.0).abs() < tolerance, "{name}: {linear} by propagation, {drawn} by draws");
        assert!(uncertain.bound >= 4.0 * linear, "{name}: {} is no bound of {linear}", uncertain.bound);
    }
}

/// A fast camera: the cut, the spin and the outliers are found among thousands of frames in a moment.
#[test]
fn thousands_of_frames_are_no_trouble() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-4"));
    let times: Vec<f64> = (-1873..3127).map(|k| (f64::from(k) + 0.3) * 1e-4).collect();
    let known = known(&model, Vector2::new(-0.6, -0.2), -40.0, 0.4, 0.0);
    let mut text = String::from("trial,time,phase,x1,y1,x2,y2\n");
    let mut error = || if random.random_bool(0.02) { 0.02 } else { 1e-4 } * normal(&mut random);
    rows(&mut text, 1, &model, &known, &times, &mut error);
    let text = text.replace(",before", "").replace(",after", "").replace(",phase", "");
    let started = std::time::Instant::now();
    let reduction = run(&text, &setup, 0);
    println!("{:?}", started.elapsed());
    let collided = &reduction.collisions[0];
    // In a frame of 600 both marks are outliers.
    assert!(
        collided.frames[0].abs_diff(1873) <= 12 && collided.frames[1].abs_diff(3127) <= 18,
        "{:?}",
        collided.frames
    );
    assert!((300..500).contains(&collided.rejected.len()), "{}", collided.rejected.len());
    for (name, truth) in truths(&model, &known) {
        let (found, deviation) = value(collided, name);
        assert!((found - truth).abs() <= 5.0 * deviation + 1e-9, "{name}: {found} ± {deviation} is not {truth}");
    }
}
