//! Heavy bodies on light ones, and how deep bodies may be inside each other.

use super::trial::Trial;
use super::{at, ball, block, scene, steps, still};
use carom::Dimension;
use carom::Error;
use carom::sim::{BodyId, MaterialId, Materials, Part, Pose, SceneBody, SteppingSettings};
use nalgebra::Vector3;

/// The same body with another mass.
fn heavy(body: SceneBody, mass: f64) -> SceneBody {
    SceneBody { mass, inertia: body.inertia * mass, ..body }
}

fn place(planar: bool, x: f64, height: f64) -> Pose {
    if planar { at(x, height, 0.0) } else { at(x, 0.0, height) }
}

fn cube(planar: bool) -> SceneBody {
    block([0.4, if planar { 0.3 } else { 0.4 }, 0.3], planar)
}

/// A way to put a body of some mass on bodies of 1 kg.
struct Family {
    name: &'static str,
    /// Whether nothing should move.
    rests: bool,
    fill: fn(&mut Trial, bool, f64),
}

const FAMILIES: [Family; 8] = [
    Family {
        name: "ball on a box",
        rests: true,
        fill: |scene, planar, mass| {
            scene.bodies.push(cube(planar).at(place(planar, 0.0, 0.15), still(), still()));
            scene.bodies.push(heavy(ball(0.15, planar), mass).at(place(planar, 0.0, 0.45), still(), still()));
        },
    },
    Family {
        name: "box on a box",
        rests: true,
        fill: |scene, planar, mass| {
            scene.bodies.push(cube(planar).at(place(planar, 0.0, 0.15), still(), still()));
            scene.bodies.push(heavy(cube(planar), mass).at(place(planar, 0.05, 0.45), still(), still()));
        },
    },
    Family {
        name: "stack of five boxes, the last heavy",
        rests: true,
        fill: |scene, planar, mass| {
            for k in 0..5 {
                let body = if k == 4 { heavy(cube(planar), mass) } else { cube(planar) };
                scene.bodies.push(body.at(place(planar, 0.0, 0.15 + 0.3 * f64::from(k)), still(), still()));
            }
        },
    },
    Family {
        name: "tower of ever heavier boxes",
        rests: true,
        fill: |scene, planar, mass| {
            for k in 0..4 {
                let own = mass.powf(f64::from(k) / 3.0);
                let pose = place(planar, 0.0, 0.15 + 0.3 * f64::from(k));
                scene.bodies.push(heavy(cube(planar), own).at(pose, still(), still()));
            }
        },
    },
    Family {
        name: "plate on light boxes",
        rests: true,
        fill: |scene, planar, mass| {
            let places: &[[f64; 2]] =
                if planar { &[[-0.5, 0.0], [0.5, 0.0]] } else { &[[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]] };
            for [x, y] in places {
                let mut pose = place(planar, *x, 0.15);
                pose.position.y += y;
                scene.bodies.push(cube(planar).at(pose, still(), still()));
            }
            let size = if planar { [1.6, 0.2, 1.6] } else { [1.6, 1.6, 0.2] };
            scene.bodies.push(heavy(block(size, planar), mass).at(place(planar, 0.0, 0.4), still(), still()));
        },
    },
    Family {
        name: "plate on light balls",
        rests: true,
        fill: |scene, planar, mass| {
            let places: &[[f64; 2]] =
                if planar { &[[-0.5, 0.0], [0.5, 0.0]] } else { &[[-0.5, -0.4], [0.5, -0.4], [0.0, 0.5]] };
            for [x, y] in places {
                let mut pose = place(planar, *x, 0.15);
                pose.position.y += y;
                scene.bodies.push(ball(0.15, planar).at(pose, still(), still()));
            }
            let size = if planar { [1.6, 0.2, 1.6] } else { [1.6, 1.6, 0.2] };
            scene.bodies.push(heavy(block(size, planar), mass).at(place(planar, 0.0, 0.4), still(), still()));
        },
    },
    Family {
        name: "ball that falls on a stack",
        rests: false,
        fill: |scene, planar, mass| {
            for k in 0..3 {
                scene.bodies.push(cube(planar).at(place(planar, 0.0, 0.15 + 0.3 * f64::from(k)), still(), still()));
            }
            scene.bodies.push(heavy(ball(0.15, planar), mass).at(place(planar, 0.0, 1.3), still(), still()));
        },
    },
    Family {
        name: "row of balls under a ball",
        rests: true,
        fill: |scene, planar, mass| {
            for k in 0..6 {
                let body = if k == 5 { heavy(ball(0.15, planar), mass) } else { ball(0.15, planar) };
                scene.bodies.push(body.at(place(planar, 0.0, 0.15 + 0.3 * f64::from(k)), still(), still()));
            }
        },
    },
];

/// Sweeps alone gave the heavy body a share of its weight that fell like the ratio of masses: it sank through the bodies below it.
#[test]
fn heavy_bodies_lie_on_light_ones() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for Family { name, rests, fill } in &FAMILIES {
        for planar in [true, false] {
            for (mass, friction) in [(1e2, 0.6), (1e3, 0.6), (1e4, 2.0), (1e4, 0.6), (1e5, 2.0), (1e6, 0.6)] {
                let mut scene = scene(planar, 0.3, friction);
                fill(&mut scene, planar, mass);
                let start: Vec<Vector3<f64>> = scene.bodies.iter().map(|body| body.state.pose.position).collect();
                let mut engine = scene.steps(steps(0.005));
                engine.advance(0.5).unwrap();
                let report = engine.report();
                let share = report.worst_overlap.map_or(0.0, |overlap| overlap.share());
                let states = engine.states();
                let moved = states.iter().zip(&start).map(|(now, was)| (now.pose.position - was).norm());
                let moved = moved.fold(0.0, f64::max);
                count += 1;
                if share > 1.0 || *rests && moved > 1e-3 {
                    wrong.push(format!(
                        "{name}, {planar} {mass:e} {friction}: overlap {share:.3} of its bound, moved {moved:.1e}, {} unconverged",
                        report.unconverged
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}: {wrong:#?}", wrong.len());
}

/// The edges of two boxes of one size, one on the other and turned by rounding only, met at infinity.
#[test]
fn a_box_of_100_t_rests_on_one_of_1_kg() {
    let mut scene = scene(false, 0.5, 2.0);
    scene.bodies.push(cube(false).at(place(false, 0.0, 0.15), still(), still()));
    scene.bodies.push(heavy(cube(false), 1e5).at(place(false, 0.0, 0.45), still(), still()));
    let mut engine = scene.steps(steps(0.005));
    engine.advance(2.0).unwrap();
    assert!((engine.states()[1].pose.position.z - 0.45).abs() < 1e-3, "{:?}", engine.states());
}

/// Boxes of one size that rest on each other, 10⁻¹³ m apart, seemed to overlap sideways by all their width.
#[test]
fn boxes_that_touch_but_for_rounding_touch_face_to_face() {
    for planar in [true, false] {
        let mut scene = scene(planar, 0.3, 0.6);
        for (k, mass) in [1.0, 5.0, 20.0, 1.0, 1.0, 1.0, 5.0, 20.0].into_iter().enumerate() {
            let body = heavy(block([0.4, if planar { 0.2 } else { 0.4 }, 0.2], planar), mass);
            scene.bodies.push(body.at(place(planar, 0.0, 0.1 + 0.2 * k as f64), still(), still()));
        }
        let mut engine = scene.steps(SteppingSettings::default());
        engine.advance(2.0).unwrap();
        assert!(engine.report().deepest < 1e-3, "{planar} {:?}", engine.report());
    }
}

/// Each ball was looked at as far as it moves itself; two of 100 m/s came closer than that, and passed through each other.
#[test]
fn fast_balls_hit_each_other_head_on() {
    for planar in [true, false] {
        for k in 0..40 {
            let mut scene = scene(planar, 0.5, 0.3);
            scene.gravity = still();
            let apart = 3.0 + 0.05 * f64::from(k);
            let across = if planar { Vector3::zeros() } else { Vector3::y() * 0.05 };
            for (side, offset) in [(1.0, still()), (-1.0, across)] {
                let pose = Pose {
                    position: Vector3::new(side * apart, 5.0, 5.0 * f64::from(u8::from(!planar))),
                    ..Pose::identity()
                };
                let pose = Pose { position: pose.position + offset, ..pose };
                scene.bodies.push(ball(0.15, planar).at(pose, -Vector3::x() * (100.0 * side), still()));
            }
            let mut engine = scene.steps(SteppingSettings::default());
            engine.advance(0.1).unwrap();
            let states = engine.states();
            assert!(states[0].velocity.x > 0.0 && states[1].velocity.x < 0.0, "{planar} {k} {states:?}");
            let worst = engine.report().worst_overlap;
            assert!(worst.is_none_or(|overlap| !overlap.is_excessive()), "{planar} {k} {worst:?}");
        }
    }
}

/// In steps of 0.1 s balls of 10 m/s and more move by several diameters. The first two rebound elastically, so that their island moves by the
/// mean of the velocities before and after; by that the third, which does not rebound, goes through the first within one step. It is never
/// seen inside, but the run does not pass for one of rigid bodies.
#[test]
fn balls_that_go_through_each_other_within_a_step_are_found_out() {
    let mut scene = scene(true, 1.0, 0.0);
    scene.gravity = still();
    scene.materials =
        Materials::new(2, Vec::new(), |_, b| vec![("restitution", 1.0 - b.index() as f64), ("friction", 0.0)]);
    for (x, speed, material) in [(0.0, 10.0, 0), (1.0, -10.0, 0), (-1.0, 30.0, 1)] {
        let body = ball(0.1, true).with_parts(vec![Part::ball(0.1, MaterialId::new(material))]);
        scene.bodies.push(body.at(at(x, 5.0, 0.0), Vector3::x() * speed, still()));
    }
    let mut engine = scene.steps(steps(0.1));
    engine.step(1.0).unwrap();
    let places: Vec<f64> = engine.states().iter().map(|state| state.pose.position.x).collect();
    assert!(places[2] > places[0] + 0.2, "{places:?}");
    assert_eq!(engine.report().deepest, 0.0);
    let worst = engine.report().worst_overlap.unwrap();
    assert!(worst.is_excessive() && worst.bodies == [2, 0].map(|body| Some(BodyId::new(body))), "{worst:?}");
}

#[test]
fn bodies_that_start_inside_each_other_are_refused() {
    for planar in [true, false] {
        let make = |low: f64, high: f64| {
            let mut scene = scene(planar, 0.3, 0.6);
            scene.bodies.push(cube(planar).at(place(planar, 0.0, low), still(), still()));
            scene.bodies.push(ball(0.15, planar).at(place(planar, 0.0, high), still(), still()));
            scene.try_steps(SteppingSettings::default()).map(|_| ())
        };
        assert_eq!(make(0.15, 0.45), Ok(()));
        for ([low, high], pair, deep) in
            [([0.15, 0.44], [Some(1), Some(0)], 0.01), ([0.13, 0.43], [Some(0), None], 0.02)]
        {
            let Err(Error::Overlap { bodies, depth, .. }) = make(low, high) else { panic!("{low} {high}") };
            assert!(bodies == pair && (depth - deep).abs() < 1e-9, "{bodies:?} {depth}");
        }
    }
}

/// A bar that spins is above the floor at the start of its only step and 9 cm inside it at its end, where no step starts that would see it.
#[test]
fn overlap_at_the_end_of_the_last_step_is_measured() {
    let mut scene = scene(true, 0.3, 0.3);
    scene.bodies.push(block([1.0, 0.05, 1.0], true).at(at(0.0, 0.1, 0.0), still(), Vector3::z() * 600.0));
    let mut engine = scene.steps(steps(0.005));
    engine.advance(0.005).unwrap();
    assert_eq!(engine.report().deepest, 0.0);
    let states = engine.states();
    engine.measure_overlap();
    let worst = engine.report().worst_overlap.unwrap();
    assert!(worst.is_excessive() && worst.bodies == [Some(BodyId::new(0)), None] && worst.time == 0.005, "{worst:?}");
    assert!(worst.depth > 0.09 && engine.report().deepest == worst.depth, "{worst:?}");
    assert_eq!(engine.states(), states);
}

/// Overlap is acceptable up to the way of a step, h (u + g h), and what the solver may leave, but no more than a tenth of the thickness.
#[test]
fn the_bound_of_overlap_comes_from_the_step_the_speed_and_the_size() {
    let mut seen = 0;
    for (step, speed) in [(0.001, 1.0), (0.001, 4.0), (0.0005, 4.0), (0.01, 4.0)] {
        let mut scene = scene(true, 0.0, 0.0);
        for (x, side) in [(0.0, 1.0), (1.0, -1.0), (0.3, 0.0)] {
            scene.bodies.push(ball(0.1, true).at(at(x, 0.1, 0.0), Vector3::x() * (speed * side), still()));
        }
        let mut engine = scene.steps(steps(step));
        engine.advance(0.2).unwrap();
        engine.measure_overlap();
        let Some(worst) = engine.report().worst_overlap else { continue };
        let pull = 9.81 * step;
        // Balls push each other on no faster than they come.
        let way = step * (speed + pull) + worst.time * 1e-3 * (pull + 0.1 * speed);
        assert!((worst.bound - way.min(0.02)).abs() < 1e-3 * way, "{step} {speed} {worst:?} {way}");
        seen += 1;
    }
    assert!(seen > 1, "{seen}");
}

/// A rod lands on its tip: with friction 0.8 Newton's law with restitution 0.9 would create energy. Both engines lower it, by the same and no
/// more than it takes.
#[test]
fn restitution_is_lowered_no_more_than_in_the_event_engine() {
    let mut scene = scene(true, 0.9, 0.8);
    scene.gravity = still();
    scene.lowers_restitution = true;
    let orientation = nalgebra::UnitQuaternion::from_scaled_axis(Vector3::z() * std::f64::consts::FRAC_PI_4);
    let pose = Pose { orientation, ..at(0.0, 0.36, 0.0) };
    let rod = SceneBody::new(1.0, nalgebra::Matrix3::identity() / 12.0);
    let rod =
        rod.with_parts(vec![Part::sharp(carom::sim::Hull::segment(1.0, Dimension::Planar), MaterialId::default())]);
    scene.bodies.push(rod.at(pose, Vector3::new(0.6, -1.0, 0.0), still()));
    let settings = SteppingSettings { events: true, ..steps(1e-4) };
    let mut stepping = scene.steps(settings);
    let mut event = scene.events();
    let [a, b] = [stepping.advance(0.05).unwrap().unwrap(), event.advance(0.05).unwrap().unwrap()];
    let (x, y) = (a.restitution_factor.unwrap(), b.restitution_factor.unwrap());
    assert!((x - y).abs() < 2e-3 && x < 0.95, "{x} {y}");
    assert!((a.contacts[0].velocity_after.x - b.contacts[0].velocity_after.x).abs() < 2e-3, "{a:?} {b:?}");
    assert!(a.energy[1] <= a.energy[0] && a.energy[1] > a.energy[0] * (1.0 - 1e-2), "{:?}", a.energy);
    assert_eq!(stepping.report().lowered, 1);
}

/// An elastic ball gains energy by rounding at most, which is no reason to take its rebound.
#[test]
fn rounding_does_not_lower_restitution() {
    for k in 0..50 {
        let mut scene = scene(false, 1.0, 0.4);
        scene.gravity = still();
        let velocity = Vector3::new(0.3 + 0.01 * f64::from(k), 0.2, -1.0 - 0.1 * f64::from(k));
        scene.bodies.push(ball(0.1, false).at(at(0.0, 0.0, 0.15), velocity, Vector3::new(1.0, 2.0, 3.0)));
        scene.bodies.push(cube(false).at(at(1.0, 0.0, 0.25), velocity.z * Vector3::z(), still()));
        let settings = SteppingSettings { tolerance: 1e-9, ..steps(0.005) };
        let mut engine = scene.steps(settings);
        engine.advance(0.3).unwrap();
        assert_eq!(engine.report().lowered, 0, "{k}");
        assert!((engine.states()[1].velocity.z + velocity.z).abs() < 1e-6, "{k} {:?}", engine.states()[1]);
    }
}
