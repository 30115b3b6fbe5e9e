mod support;
use carom::Collision;
use carom::laws::{Discretisation, HertzMindlin};
const D: [Discretisation; 3] = [Discretisation::Springs, Discretisation::Annuli, Discretisation::Continuous];
use rand::RngExt;
#[test]
fn dump() {
    let n: u64 = std::env::var("N").ok().and_then(|t| t.parse().ok()).unwrap_or(300);
    let (mut total, mut ev) = (0.0, 0);
    for case in 0..n {
        let mut random = support::random(77, case);
        let hard = case % 4 == 3;
        let mut w = support::inverse_mass(&mut random, true);
        let mut v = support::velocity(&mut random, true);
        let mut mu = support::friction(&mut random);
        if !hard {
            let (l, th) = (random.random_range(0.0..0.9), random.random_range(-1.5..1.5_f64));
            w = nalgebra::Matrix3::new(
                1.0 - l * (2.0 * th).cos(),
                l * (2.0 * th).sin(),
                0.0,
                l * (2.0 * th).sin(),
                1.0 + l * (2.0 * th).cos(),
                0.0,
                0.0,
                0.0,
                1.0,
            );
            let al = random.random_range(0.0..1.5_f64);
            v = nalgebra::Vector3::new(-al.cos(), al.sin(), 0.0);
            mu = random.random_range(0.05..1.5);
        }
        let c = Collision::new(&w, &v).unwrap();
        let law = HertzMindlin {
            youngs_modulus: 1.0,
            poisson_ratio: 0.3,
            radius: 1.0,
            friction: mu,
            elements: 60,
            discretisation: Some(D[2]),
        };
        let t = std::time::Instant::now();
        let o = law.resolve(&c);
        let t = t.elapsed().as_secs_f64();
        if !hard {
            total += t;
        }
        match o {
            Ok(o) => {
                if !hard {
                    ev += o.course.unwrap().evaluations;
                }
                let s = c.velocity().norm().max(o.velocity_after.norm());
                println!(
                    "R {case} {} {:.15e} {:.15e} {} {:.4}",
                    u8::from(hard),
                    o.velocity_after.x / s,
                    o.velocity_after.y / s,
                    o.course.unwrap().evaluations,
                    t * 1e3
                )
            }
            Err(e) => println!("R {case} {} nan nan {e:?} {:.4}", u8::from(hard), t * 1e3),
        }
    }
    println!("mild mean us {} evals {}", total / (0.75 * n as f64) * 1e6, ev as f64 / (0.75 * n as f64));
}
