//! No law allocates: a sweep of millions of collisions must not meet the allocator.
#![allow(clippy::unwrap_used)]

mod support;

#[test]
fn resolving_a_collision_allocates_nothing() {
    for case in 0..200 {
        let mut random = support::random(21, case);
        let collision = support::collision(&mut random);
        let friction = support::friction(&mut random);
        for law in carom::laws::ALL {
            let bound = support::bind(law, friction, &mut random);
            let used = allocation_counter::measure(|| {
                let _ = std::hint::black_box(bound.resolve(&collision));
            });
            assert_eq!(used.count_total, 0, "{} allocates", law.id);
        }
    }
}
