#![allow(clippy::unwrap_used)]

use super::*;
use carom::Collision;
use carom::impulse_space::AccessibleRegion;

/// The area of a polygon, whichever way round it goes.
fn area(polygon: &[Vector2<f64>]) -> f64 {
    // Relative to a vertex, so that a small polygon far from the origin keeps its digits.
    let Some(first) = polygon.first() else { return 0.0 };
    let doubled: f64 = polygon.windows(2).map(|edge| (edge[0] - first).perp(&(edge[1] - first))).sum();
    0.5 * doubled.abs()
}

/// Rounding of the equations, relative to the sum of the magnitudes of their terms.
const TOLERANCE: f64 = 1e-12;

fn from_mass(m: [[f64; 2]; 2], v: [f64; 2]) -> Collision {
    let [[a, b], [_, c]] = m;
    let det = a * c - b * b;
    Collision::planar([[c / det, -b / det], [-b / det, a / det]], v).unwrap()
}

fn diagram(collision: &Collision, friction: f64) -> PlaneDiagram {
    PlaneDiagram::new(&collision.planar_section().unwrap(), friction)
}

fn wide(plane: &PlaneDiagram) -> Window {
    plane.ellipse_extent().unwrap().union(&Window::around(plane.corners())).grown(0.01)
}

/// A fixed sequence that fills the unit interval evenly.
fn quasi_random(base: f64) -> impl Fn(usize) -> f64 {
    move |k| (base * (k as f64 + 0.5)).fract()
}

/// Planar collisions of every kind, with friction.
fn cases() -> Vec<(Collision, f64)> {
    let (a, b, c) = (quasi_random(0.754_877_666), quasi_random(0.569_840_291), quasi_random(0.618_033_989));
    let mut cases: Vec<_> = (0..200)
        .map(|k| {
            let (w_nn, w_tt) = (0.2 + a(k), 0.2 + 3.0 * b(k));
            let w_nt = 0.99 * (2.0 * c(k) - 1.0) * (w_nn * w_tt).sqrt();
            let velocity = [-a(k + 77), 2.0 * b(k + 99) - 1.0];
            (Collision::planar([[w_nn, w_nt], [w_nt, w_tt]], velocity).unwrap(), 3.0 * c(k + 55))
        })
        .collect();
    cases.push((from_mass([[1.0, -0.9], [-0.9, 1.0]], [-0.6, -1.0]), 1e7));
    cases.push((from_mass([[1.0, 0.9], [0.9, 1.0]], [0.0, -1.0]), 1.5));
    cases.push((from_mass([[1.0, 0.9], [0.9, 1.0]], [0.0, -1.0]), 1.0));
    cases.push((from_mass([[1.0, 0.0], [0.0, 1.0]], [-1.0, 0.0]), 0.0));
    cases.extend([1e4, 1e8, 1e12].map(|ratio| (ill_conditioned(ratio), 0.7)));
    cases
}

/// W with this ratio of eigenvalues, not aligned with the axes, and a velocity of comparable energy along both.
fn ill_conditioned(ratio: f64) -> Collision {
    let (sin, cos) = 0.3_f64.sin_cos();
    let small = ratio.recip();
    let nt = (1.0 - small) * sin * cos;
    let w = [[cos * cos + small * sin * sin, nt], [nt, sin * sin + small * cos * cos]];
    let along = 0.5 * small.sqrt();
    Collision::planar(w, [-cos + along * sin, -sin - along * cos]).unwrap()
}

#[test]
fn corners_satisfy_the_equations_of_two_boundaries() {
    for (collision, friction) in cases() {
        let plane = diagram(&collision, friction);
        for p in plane.corners() {
            let (w, v) = (plane.w, plane.v);
            let scale = w.abs() * p.abs();
            let energy = p.dot(&(v * 2.0 + w * p)).abs() <= TOLERANCE * p.abs().dot(&(v.abs() * 2.0 + scale));
            let compression = (v.x + (w * p).x).abs() <= TOLERANCE * (v.x.abs() + scale.x);
            let cone = (p.y.abs() - friction * p.x).abs() <= TOLERANCE * (1.0 + friction) * p.norm();
            let met = [energy, compression, cone].iter().filter(|met| **met).count();
            assert!(met >= 2, "{p:?} of {collision:?} with friction {friction}");
        }
    }
}

#[test]
fn every_vertex_of_the_region_is_accessible() {
    for (collision, friction) in cases() {
        let plane = diagram(&collision, friction);
        let accessible = AccessibleRegion::new(&collision, friction).unwrap();
        let section = collision.planar_section().unwrap();
        let region = plane.region(&wide(&plane), 100);
        assert!(!region.is_empty());
        for p in region {
            assert!(accessible.contains(&section.to_contact(p.x, p.y)), "{p:?} of {collision:?}, friction {friction}");
        }
    }
}

#[test]
fn the_area_agrees_with_counting_accessible_points() {
    for (collision, friction) in cases().into_iter().take(203).step_by(7) {
        let plane = diagram(&collision, friction);
        let accessible = AccessibleRegion::new(&collision, friction).unwrap();
        let section = collision.planar_section().unwrap();
        let region = plane.region(&wide(&plane), 400);
        let window = Window::around(region.iter().copied());
        let (size, side) = (window.size(), 600_usize);
        let inside = (0..side * side)
            .filter(|k| {
                let cell = Vector2::new((k % side) as f64 + 0.5, (k / side) as f64 + 0.5) / side as f64;
                let p = window.lower + size.component_mul(&cell);
                accessible.contains(&section.to_contact(p.x, p.y))
            })
            .count();
        let counted = size.product() * inside as f64 / (side * side) as f64;
        let error = (area(&region) - counted).abs();
        assert!(error <= 4e-3 * size.product(), "{error} of {counted}: {collision:?}, friction {friction}");
    }
}

#[test]
fn level_sets_lose_their_share_of_the_energy() {
    for (collision, friction) in cases().into_iter().take(200) {
        let plane = diagram(&collision, friction);
        let window = wide(&plane);
        let section = collision.planar_section().unwrap();
        for alpha in [0.25, 0.5, 1.0] {
            for p in plane.level_set(alpha, &window, 50) {
                let loss = -collision.energy_change(&section.to_contact(p.x, p.y));
                let stake = collision.local_energy();
                assert!((loss - (1.0 - alpha) * stake).abs() <= 1e-10 * stake, "{loss} of {stake}");
            }
        }
    }
}

#[test]
fn lines_meet_where_the_literature_says() {
    // Chatterjee 1997, 7.9 (mu to infinity): centre E, frictionless B and F, sticking at P_n = 0 in J.
    let collision = from_mass([[1.0, -0.9], [-0.9, 1.0]], [-0.6, -1.0]);
    let plane = diagram(&collision, 1e7);
    assert!((plane.centre().unwrap() - Vector2::new(-0.3, 0.46)).norm() < 1e-12);
    assert!((plane.frictionless(0.0).x - 0.114).abs() < 1e-12);
    assert!((plane.frictionless(1.0).x - 0.228).abs() < 1e-12);
    let stop = plane.reversed_limiting_friction().unwrap().point;
    assert!((stop.y - 0.19).abs() < 1e-6 && stop.x.abs() < 1e-6);
    // 7.8: a sliding contact jams only above the threshold; below it the region still touches the origin.
    let sliding = from_mass([[1.0, 0.9], [0.9, 1.0]], [0.0, -1.0]);
    assert_eq!(diagram(&sliding, 1.5).corners()[0], Vector2::zeros());
    let jammed = diagram(&sliding, 1.5).corners()[1];
    assert!((jammed - Vector2::new(1.8, 2.0)).norm() < 1e-12, "{jammed:?}");
}

#[test]
fn a_pendulum_has_an_endless_region_cut_by_the_window() {
    let (sin, cos) = (PI / 10.0).sin_cos();
    let pendulum = Collision::planar([[sin * sin, sin * cos], [sin * cos, cos * cos]], [-sin, -cos]).unwrap();
    let plane = diagram(&pendulum, 0.5);
    assert!(plane.centre().is_none() && plane.ellipse_extent().is_none());
    // Chatterjee 1997, 7.10: B and E = 2 B on the cone's edge; C runs on to A = (1/sin, 0).
    let corners = plane.corners();
    assert!((corners[0] - Vector2::new(1.274_624, 0.637_312)).norm() < 1e-6);
    assert!((corners[1] - corners[0] * 2.0).norm() < 1e-12);
    let window = Window { lower: Vector2::new(0.0, 0.0), upper: Vector2::new(10.0, 10.0) };
    let region = plane.region(&window, 20);
    for expected in [Vector2::new(1.0 / sin, 0.0), Vector2::new(2.0 / sin, 0.0)] {
        assert!(region.iter().any(|p| (p - expected).norm() < 1e-9), "{expected:?} in {region:?}");
    }
}

#[test]
fn degenerate_collisions_have_degenerate_regions() {
    let sphere = |velocity| Collision::planar([[1.0, 0.0], [0.0, 3.5]], velocity).unwrap();
    let window = Window::around([Vector2::new(5.0, 5.0), Vector2::new(-5.0, -5.0)]);
    let frictionless = diagram(&sphere([-1.0, 0.3]), 0.0).region(&window, 50);
    assert_eq!(frictionless, [Vector2::new(1.0, 0.0), Vector2::new(2.0, 0.0)]);
    assert_eq!(area(&frictionless), 0.0);
    for velocity in [[0.0, 0.0], [1.0, 0.3]] {
        assert_eq!(diagram(&sphere(velocity), 0.5).region(&window, 50), [Vector2::zeros()]);
    }
}

#[test]
fn lines_are_cut_at_the_edges_of_a_window() {
    let line = PlaneLine { point: Vector2::new(0.5, 0.0), direction: Vector2::y(), is_ray: true };
    let window = Window { lower: Vector2::new(0.0, -1.0), upper: Vector2::new(1.0, 2.0) };
    assert_eq!(line.clip(&window), Some([Vector2::new(0.5, 0.0), Vector2::new(0.5, 2.0)]));
    assert_eq!(Window::around([Vector2::new(2.0, -1.0)]).size(), Vector2::new(2.0, 1.0));
}

#[test]
fn the_region_of_a_rod_has_the_area_of_its_sketch() {
    let rod = Collision::planar([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.6]).unwrap();
    let plane = diagram(&rod, 0.8);
    assert!((plane.centre().unwrap() - Vector2::new(0.4, 0.0)).norm() < 1e-15);
    let window = plane.ellipse_extent().unwrap();
    assert!((area(&plane.region(&window, 400)) - 0.2683).abs() < 2e-4);
}
