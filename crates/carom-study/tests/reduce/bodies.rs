//! Bodies of other outlines than a disk, two bodies, and a ball in space.

use super::tracks::*;
use carom::{Body, Collision, ContactFrame};
use carom_study::reduce::{Settings, Setup, parse, reduce};
use nalgebra::{Vector2, Vector3};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::f64::consts::{PI, TAU};
use std::fmt::Write;

#[test]
fn errors_of_a_half_puck_cover_the_truth() {
    let (model, setup) = half_puck();
    assert_coverage(&model, &setup, &even_times(4, 4), 1e-4, 20);
}

#[test]
fn a_half_puck_is_the_same_in_the_mirror() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let (model, setup) = half_puck();
    let n = Vector2::from(WALL);
    for _ in 0..30 {
        let alpha = random.random_range(0.3..PI - 0.3);
        let (theta, spin) = (random.random_range(-1.3..1.3), random.random_range(-4.0..4.0));
        let towards = (-n).y.atan2((-n).x);
        // Contact at α of the body's axes; its mirror image at π − α, with the other signs.
        let pair = [(alpha, theta, spin), (PI - alpha, -theta, -spin)].map(|(alpha, theta, spin)| {
            let known = known(&model, turned(&-n, theta) * 0.6, spin, towards - alpha, 0.0);
            let mut text = String::from(HEADER);
            rows(&mut text, 1, &model, &known, &even_times(3, 3), || 0.0);
            let reduction = run(&text, &setup, 0);
            let collided = reduction.collisions[0].clone();
            for (name, truth) in truths(&model, &known) {
                let (found, _) = value(&collided, name);
                assert!((found - truth).abs() < 1e-7 * (1.0 + truth.abs()), "{name}: {found} is not {truth}");
            }
            collided
        });
        for name in ["incidence", "rebound", "impulse_ratio", "alpha", "psi", "restitution", "energy_lost"] {
            let [a, b] = [value(&pair[0], name), value(&pair[1], name)];
            assert!((a.0 - b.0).abs() < 1e-7 && (a.1 - b.1).abs() < 1e-6 * a.1, "{name}: {a:?} is not {b:?}");
        }
        assert!(value(&pair[0], "incidence").0 >= 0.0);
        let found = value(&pair[0], "alpha").0;
        assert!((found - alpha).abs() < 1e-7 || (found - (PI - alpha)).abs() < 1e-7);
    }
}

#[test]
fn a_corner_of_a_box_is_the_contact() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    let corners = [[0.05, 0.02], [-0.05, 0.02], [-0.05, -0.02], [0.05, -0.02]].map(Vector2::from);
    let support = move |d: Vector2<f64>| corners.into_iter().max_by(|a, b| a.dot(&d).total_cmp(&b.dot(&d))).unwrap();
    let mass = 0.1;
    let inertia = mass * (0.1_f64.powi(2) + 0.04_f64.powi(2)) / 12.0;
    let marks = vec![Vector2::new(-0.03, 0.01), Vector2::new(0.04, -0.01)];
    let model = Model { support: Box::new(support), mass, inertia, marks };
    let setup = "camera.deviation = 1e-4\nwall.normal = [0.6, 0.8]\n[[body]]\nname = 'box'\nshape.box.size = [0.1, 0.04]\n\
                 mass = 0.1\nmarks = [[-0.03, 0.01], [0.04, -0.01]]";
    let setup = Setup::parse("box.toml", setup).unwrap();
    let (mut reduced, mut faces) = (0, 0);
    for _ in 0..60 {
        let (velocity, spin, turn) = launch(&mut random);
        let arm = turned(&support(turned(&Vector2::from(WALL).scale(-1.0), -turn)), turn);
        let approach = velocity + Vector2::new(-arm.y, arm.x) * spin;
        if approach.dot(&Vector2::from(WALL)) > -0.05 {
            continue;
        }
        let known = known(&model, velocity, spin, turn, 0.0);
        let mut text = String::from(HEADER);
        rows(&mut text, 1, &model, &known, &even_times(4, 4), || 1e-4 * normal(&mut random));
        let trials = parse(&text, &setup).unwrap();
        match reduce(&trials, &setup, &Settings { draws: 0, seed: 1 }, &mut |_| true) {
            Ok(reduction) => {
                reduced += 1;
                for (name, truth) in truths(&model, &known) {
                    within(&reduction.collisions[0], name, truth, 5.0);
                }
            }
            Err(error) => {
                assert!(error.to_string().contains("a side of the body lies on the wall"), "{error}");
                faces += 1;
            }
        }
    }
    assert!(reduced > 30 && faces < 5, "{reduced} {faces}");
}

#[test]
fn the_normal_of_a_round_outline_follows_from_the_spin() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(10);
    let model = puck();
    let text = format!(
        "camera.deviation = 1e-4\n[wall]\n[[body]]\nname = 'puck'\nshape.disk.radius = {RADIUS}\nmass = 0.0672\ninertia = {}\n\
         marks = [[-0.04, 0], [0.04, 0]]\n",
        model.inertia
    );
    let setup = Setup::parse("puck.toml", &text).unwrap();
    for _ in 0..30 {
        let (velocity, spin, turn) = launch(&mut random);
        let known = known(&model, velocity, spin, turn, 0.0);
        let mut text = String::from(HEADER);
        rows(&mut text, 1, &model, &known, &even_times(4, 4), || 1e-4 * normal(&mut random));
        let reduction = run(&text, &setup, 0);
        let collided = &reduction.collisions[0];
        within(collided, "normal_angle", 0.8_f64.atan2(0.6), 5.0);
        within(collided, "restitution", -known.v_after.x / known.collision.velocity().x, 5.0);
        within(collided, "pt", known.impulse.y, 5.0);
        assert!(!collided.quantities.iter().any(|uncertain| uncertain.quantity.name == "disagreement"));
    }
}

/// Two bodies, each with the truth of its motion.
#[test]
fn two_disks_hit_each_other() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let setup = "camera.deviation = 1e-4\n[[body]]\nname = 'a'\nshape.disk.radius = 0.04\nmass = 0.05\nmarks = [[-0.03, 0], [0.03, 0]]\n\
                 [[body]]\nname = 'b'\nshape.disk.radius = 0.06\nmass = 0.09\nmarks = [[-0.04, 0], [0.04, 0.01]]";
    let setup = Setup::parse("two.toml", setup).unwrap();
    let marks = [[[-0.03, 0.0], [0.03, 0.0]], [[-0.04, 0.0], [0.04, 0.01]]];
    let solid =
        [(0.05, 0.04), (0.09, 0.06)].map(|(mass, radius)| Body::planar(mass, 0.5 * mass * radius * radius).unwrap());
    for _ in 0..30 {
        let angle = random.random_range(-PI..PI);
        let n = Vector3::new(angle.cos(), angle.sin(), 0.0);
        let mut vector = || Vector3::new(random.random_range(-0.3..0.3), random.random_range(-0.3..0.3), 0.0);
        let (u, v) = (vector() - n * 0.4, vector() + n * 0.4);
        let spins = [random.random_range(-6.0..6.0), random.random_range(-6.0..6.0)];
        let turns = [random.random_range(-PI..PI), random.random_range(-PI..PI)];
        let a = solid[0].at(n * 0.04).moving(u, Vector3::z() * spins[0]);
        let b = solid[1].at(n * -0.06).moving(v, Vector3::z() * spins[1]);
        let frame = ContactFrame::planar([n.x, n.y]).unwrap();
        let collision = Collision::between(&a, &b, &Vector3::zeros(), &frame).unwrap();
        let outcome = bound().resolve_collision(&collision).unwrap();
        let push = frame.to_world(&outcome.impulse);
        let members = [("a", a, marks[0], turns[0]), ("b", b, marks[1], turns[1])]
            .map(|(name, body, marks, turn)| Member { name, body, marks, turn });
        let text = two_bodies(&members, &Vector3::zeros(), &push, &even_times(4, 4), || 1e-4 * normal(&mut random));
        let reduction = run(&text, &setup, 0);
        let collided = &reduction.collisions[0];
        let beside =
            ["imbalance_n", "imbalance_t", "disagreement_a", "disagreement_b", "time", "contact_x", "contact_y"];
        for (name, truth) in collided_truths(&collision, &outcome).into_iter().chain(beside.map(|name| (name, 0.0))) {
            let (found, deviation) = value(collided, name);
            // W of disks is exact.
            assert!(
                (found - truth).abs() <= 5.0 * deviation + 1e-9 * truth.abs(),
                "{name}: {found} ± {deviation}, not {truth}"
            );
        }
        let (found, deviation) = value(collided, "normal_angle");
        let off = found - angle;
        assert!((off - TAU * (off / TAU).round()).abs() < 5.0 * deviation, "{found} ± {deviation} is not {angle}");
    }
}

#[test]
fn a_ball_with_spin_in_space() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    let marks = [[0.03, 0.0, 0.0], [0.0, 0.03, 0.0], [0.0, 0.0, 0.03], [-0.02, -0.02, 0.01]].map(Vector3::from);
    let text = "[camera]\ndeviation = 1e-4\n[wall]\nnormal = [0.6, 0, 0.8]\n[[body]]\nname = 'ball'\nshape.ball.radius = 0.03\nmass = 0.1\n\
                marks = [[0.03, 0, 0], [0, 0.03, 0], [0, 0, 0.03], [-0.02, -0.02, 0.01]]\n";
    let n = Vector3::new(0.6, 0.0, 0.8);
    let setups = [text.to_owned(), text.replace("normal = [0.6, 0, 0.8]", "")]
        .map(|text| Setup::parse("ball.toml", &text).unwrap());
    let inertia = 0.4 * 0.1 * 0.03 * 0.03;
    for _ in 0..20 {
        let mut vector = |size: f64| Vector3::from_fn(|_, _| size * random.random_range(-1.0..1.0));
        let (velocity, spin, turn) = (vector(1.0) - n * 2.0, vector(12.0), vector(2.0));
        let orientation = nalgebra::UnitQuaternion::from_scaled_axis(turn);
        let ball = carom::Shape::Ball { radius: 0.03 }.spatial_body(carom::Amount::Mass(0.1), &orientation).unwrap();
        let centre = n * 0.03;
        let ball = ball.at(centre).moving(velocity, spin);
        let frame = ContactFrame::spatial(&n, None).unwrap();
        let collision = Collision::between(&ball, &Body::immovable(), &Vector3::zeros(), &frame).unwrap();
        let outcome = bound().resolve_collision(&collision).unwrap();
        let push = frame.to_world(&outcome.impulse);
        let after = (velocity + push / 0.1, spin + (-centre).cross(&push) / inertia);
        let mut text = String::from("time,phase,x1,y1,z1,x2,y2,z2,x3,y3,z3,x4,y4,z4\n");
        for time in even_times(4, 4) {
            let (phase, (v, w)) = if time < 0.0 { ("before", (velocity, spin)) } else { ("after", after) };
            write!(text, "{time},{phase}").unwrap();
            for mark in marks {
                let at =
                    centre + v * time + nalgebra::UnitQuaternion::from_scaled_axis(w * time) * (orientation * mark);
                for coordinate in at.iter() {
                    write!(text, ",{}", coordinate + 1e-4 * normal(&mut random)).unwrap();
                }
            }
            text.push('\n');
        }
        let reduction = run(&text, &setups[0], 0);
        let collided = &reduction.collisions[0];
        let v = collision.velocity();
        let truths = [
            ("vn_before", v.x),
            ("v1_before", v.y),
            ("v2_before", v.z),
            ("vn_after", outcome.velocity_after.x),
            ("v1_after", outcome.velocity_after.y),
            ("v2_after", outcome.velocity_after.z),
            ("pn", outcome.impulse.x),
            ("p1", outcome.impulse.y),
            ("p2", outcome.impulse.z),
            ("disagreement", 0.0),
            ("disagreement_1", 0.0),
            ("disagreement_2", 0.0),
            ("restitution", -outcome.velocity_after.x / v.x),
            ("impulse_ratio", outcome.impulse.yz().norm() / outcome.impulse.x),
        ];
        for (name, truth) in truths {
            within(collided, name, truth, 5.0);
        }
        // The same without the normal.
        let reduction = run(&text, &setups[1], 0);
        within(&reduction.collisions[0], "restitution", -outcome.velocity_after.x / v.x, 5.0);
    }
}

#[test]
fn a_disk_hits_the_side_and_the_corner_of_a_box() {
    let setup = "camera.deviation = 1e-5\n[[body]]\nname = 'disk'\nshape.disk.radius = 0.03\nmass = 0.05\nmarks = [[-0.02, 0], [0.02, 0]]\n\
                 [[body]]\nname = 'box'\nshape.box.size = [0.2, 0.1]\nmass = 0.3\nmarks = [[-0.08, 0.02], [0.08, 0.02]]";
    let setup = Setup::parse("two.toml", setup).unwrap();
    // On the side y = 0.05 of the box, 0.07 from its middle; and at its corner, 30° from the side's normal.
    let n = Vector3::new(0.5, 0.75_f64.sqrt(), 0.0);
    for (point, n) in [(Vector3::new(0.07, 0.05, 0.0), Vector3::y()), (Vector3::new(0.1, 0.05, 0.0), n)] {
        let disk = Body::planar(0.05, 0.5 * 0.05 * 9e-4).unwrap();
        let disk = disk.at(point + n * 0.03).moving(n * -0.8 + Vector3::x() * 0.3, Vector3::z() * 4.0);
        let block =
            Body::planar(0.3, 0.3 * 0.05 / 12.0).unwrap().moving(Vector3::new(0.1, 0.2, 0.0), Vector3::z() * -1.5);
        let frame = ContactFrame::planar([n.x, n.y]).unwrap();
        let collision = Collision::between(&disk, &block, &point, &frame).unwrap();
        let outcome = bound().resolve_collision(&collision).unwrap();
        let push = frame.to_world(&outcome.impulse);
        let members = [("disk", disk, [[-0.02, 0.0], [0.02, 0.0]]), ("box", block, [[-0.08, 0.02], [0.08, 0.02]])]
            .map(|(name, body, marks)| Member { name, body, marks, turn: 0.0 });
        let text = two_bodies(&members, &point, &push, &even_times(3, 3), || 0.0);
        let reduction = run(&text, &setup, 0);
        let collided = &reduction.collisions[0];
        let own =
            [("w_nt", collision.inverse_mass()[(0, 1)]), ("normal_angle", n.y.atan2(n.x)), ("contact_x", point.x)];
        for (name, truth) in collided_truths(&collision, &outcome).into_iter().chain(own) {
            let (found, _) = value(collided, name);
            assert!((found - truth).abs() < 1e-6 * (1.0 + truth.abs()), "{name}: {found} is not {truth}");
        }
    }
}
