//! How much work named collisions take: evaluations of the equations of motion, or of power series for Routh's process. A
//! change here is no error, but it belongs into the review: a law became faster or slower. `UPDATE_EXPECT=1` records it.
#![allow(clippy::unwrap_used, clippy::needless_raw_string_hashes, reason = "written by expect-test")]

use carom::Collision;
use carom::laws::ALL;
use expect_test::expect;
use nalgebra::{Matrix3, Vector3};
use std::fmt::Write;

/// W (upper triangle, row by row), V and μ.
const CASES: [(&str, [f64; 6], [f64; 3], f64); 6] = [
    ("head-on", [1.0, 0.0, 0.0, 3.5, 0.0, 3.5], [-1.0, 0.0, 0.0], 0.3),
    ("ball", [1.0, 0.0, 0.0, 3.5, 0.0, 3.5], [-1.0, 2.0, 0.0], 0.3),
    ("rod", [2.5, -1.5, 0.0, 2.5, 0.0, 1.0], [-1.0, 0.6, 0.0], 0.8),
    ("sliding", [1.0, 0.3, -0.2, 3.0, 0.5, 2.0], [-1.0, 2.0, 1.0], 0.1),
    ("sticking", [1.0, 0.3, -0.2, 3.0, 0.5, 2.0], [-1.0, 0.7, 0.4], 1.5),
    ("grazing", [1.0, 0.3, -0.2, 3.0, 0.5, 2.0], [-1e-6, 1.0, 0.5], 0.4),
];

#[test]
fn the_effort_of_named_collisions() {
    let mut table = format!("{:18}", "");
    for (name, ..) in CASES {
        write!(table, "{name:>10}").unwrap();
    }
    for law in ALL.iter().filter(|law| law.clock().is_some()) {
        write!(table, "\n{:18}", law.id).unwrap();
        for (_, w, velocity, friction) in CASES {
            let [a, b, c, d, e, f] = w;
            let collision = Collision::new(&Matrix3::new(a, b, c, b, d, e, c, e, f), &Vector3::from(velocity)).unwrap();
            let bound = law
                .bind_from(|key| match key {
                    "friction" => Some(friction),
                    "restitution" => Some(0.7),
                    "stiffness" => Some(1e6),
                    "damping_growth" => Some(3e5),
                    "youngs_modulus" => Some(7e10),
                    "radius" => Some(0.05),
                    "poisson_ratio" => Some(0.3),
                    _ => None,
                })
                .unwrap();
            let effort = match bound.resolve_collision(&collision).map(|outcome| outcome.course.unwrap().evaluations) {
                // So many steps follow rounding as much as the motion.
                Ok(evaluations) if evaluations > 10_000 => "> 10⁴".to_owned(),
                Ok(evaluations) => evaluations.to_string(),
                Err(_) => "–".to_owned(),
            };
            write!(table, "{effort:>10}").unwrap();
        }
    }
    expect![[r#"
                             head-on      ball       rod   sliding  sticking   grazing
        routh-poisson              0         0         0        48       504        48
        routh-newton               0         0         0        48       504        48
        routh-stronge              0         0         0        48       504        48
        spring-dashpot           456       420       420       980      2586       481
        nonlinear-dashpot        520       460       480      1110      2557       477
        bilinear-spring          468       380       432      1120      2351       491
        split-mass               428       640       420      1134       927      1641
        stronge-compliant        468       380       432      1120      2351       491
        ivanov-potential         944       368       656       352       512        80
        hertz                      0         0         0         0         0         0
        hertz-mindlin           1196       604       884       677       697       695
        lai                     1020         0       824         –         –         –"#]]
    .assert_eq(&table);
}
