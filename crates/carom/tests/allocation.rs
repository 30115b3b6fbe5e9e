//! No law allocates: a sweep of millions of collisions must not meet the allocator.
#![allow(clippy::unwrap_used)]

mod support;

#[test]
fn resolving_a_collision_allocates_nothing() {
    for case in 0..200 {
        let mut random = support::random(21, case);
        let collision = support::collision(&mut random);
        let friction = support::friction(&mut random);
        for law in support::instantaneous() {
            let bound = support::bind(law, friction, &mut random);
            let used = allocation_counter::measure(|| {
                let _ = std::hint::black_box(bound.resolve_collision(&collision));
            });
            assert_eq!(used.count_total, 0, "{} allocates", law.id);
        }
    }
}

#[test]
fn following_a_collision_in_time_allocates_nothing_either() {
    let typical = |key: &str| match key {
        "stiffness" => Some(1e5),
        "damping_growth" => Some(1e3),
        "youngs_modulus" => Some(1e9),
        "radius" => Some(0.02),
        "restitution" => Some(0.7),
        "friction" | "poisson_ratio" => Some(0.3),
        _ => None,
    };
    let planar = carom::Collision::planar([[1.0, 0.2], [0.2, 3.0]], [-1.0, 0.8]).unwrap();
    for law in carom::laws::ALL.iter().filter(|law| law.clock() == Some(carom::Clock::Time)) {
        let bound = law.bind_from(typical).unwrap();
        let used = allocation_counter::measure(|| {
            let _ = std::hint::black_box(bound.resolve_collision(&planar));
        });
        assert_eq!(used.count_total, 0, "{} allocates", law.id);
    }
}
