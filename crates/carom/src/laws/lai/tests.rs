use super::*;

#[test]
fn try_it() {
    let (mu, nu) = (0.5, 0.3);
    for psi1 in [0.25, 0.5, 0.75, 1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 4.5, 5.0, 6.0, 7.0] {
        for mu in [0.5, 0.1] {
            let tan = psi1 * mu * (2.0 - nu) / (2.0 * (1.0 - nu));
            let c = Collision::planar([[1.0, 0.0], [0.0, 3.5]], [-1.0, tan]).unwrap();
            let law = Lai {
                youngs_modulus: 1.0,
                poisson_ratio: nu,
                radius: 1.0,
                friction: mu,
                springs: Springs::Coupled,
                limits: Limits::default(),
            };
            let t = std::time::Instant::now();
            let o = law.resolve(&c).unwrap();
            let t = t.elapsed();
            print!(
                "{psi1} {:.5} {:?} {} | ",
                crate::elastic::psi(nu, mu, o.velocity_after.y / o.velocity_after.x),
                t,
                o.course.unwrap().evaluations
            );
        }
        println!();
    }
    let _ = mu;
}
