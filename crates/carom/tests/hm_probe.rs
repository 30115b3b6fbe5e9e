mod support;
use carom::Collision;
use carom::audit::audit;
use carom::laws::{Discretisation, HertzMindlin};
const D: [Discretisation; 3] = [Discretisation::Springs, Discretisation::Annuli, Discretisation::Continuous];
use rand::RngExt;
#[test]
fn probe() {
    let n: u64 = std::env::var("N").ok().and_then(|t| t.parse().ok()).unwrap_or(500);
    let start: u64 = std::env::var("S").ok().and_then(|t| t.parse().ok()).unwrap_or(0);
    let kinds: Vec<usize> = std::env::var("K").unwrap_or("2".into()).split(',').map(|t| t.parse().unwrap()).collect();
    let mild = std::env::var("MILD").is_ok();
    let (mut worst, mut err, mut total) = (0.0_f64, 0, 0.0);
    let (mut ediff, mut bad) = (0.0_f64, 0);
    for case in start..start + n {
        let mut random = support::random(77, case);
        let mut w = support::inverse_mass(&mut random, true);
        let mut v = support::velocity(&mut random, true);
        let mut mu = support::friction(&mut random);
        if mild {
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
        let mut outs = vec![];
        for &kind in &kinds {
            if std::env::var("SHOW").is_ok() {
                println!("case {case} mu {mu} W {:?} v {:?}", w.as_slice(), v.as_slice());
            }
            let law = HertzMindlin {
                youngs_modulus: 1.0,
                poisson_ratio: 0.3,
                radius: 1.0,
                friction: mu,
                elements: if kind == 0 { 200 } else { 60 },
                discretisation: Some(D[kind]),
            };
            let t = std::time::Instant::now();
            let o = law.resolve(&c);
            let t = t.elapsed().as_secs_f64();
            total += t;
            if t > 0.02 && kind == 2 {
                println!(
                    "slow case {case}: {t} mu {mu} W {:?} v {:?} {:?}",
                    w.as_slice(),
                    v.as_slice(),
                    o.as_ref().map(|o| o.course.unwrap().evaluations)
                );
            }
            match o {
                Ok(o) => {
                    let a = audit(&c, &o, mu);
                    if !a.is_ok() {
                        bad += 1;
                        println!("case {case} kind {kind}: {a:?} mu {mu} {:?}", o.mode);
                    }
                    if !o.impulse.iter().all(|x| x.is_finite()) {
                        println!("case {case} not finite {o:?}");
                    }
                    let w = o.compression.unwrap().works.unwrap();
                    let e = (c.energy_change(&o.impulse)) / c.local_energy();
                    ediff = ediff.max(e);
                    let _ = w;
                    outs.push(o);
                }
                Err(e) => {
                    err += 1;
                    println!("case {case}: kind {kind} {e:?} mu {mu} W {:?} v {:?}", w.as_slice(), v.as_slice());
                }
            }
        }
        if outs.len() == 2 {
            let d = (outs[0].velocity_after - outs[1].velocity_after).norm()
                / c.velocity().norm().max(outs[0].velocity_after.norm());
            if d > 1e-2 {
                println!(
                    "case {case}: differ {d} mu {mu} W {:?} v {:?}\n {:?}\n {:?}",
                    w.as_slice(),
                    v.as_slice(),
                    outs[0].velocity_after,
                    outs[1].velocity_after
                );
            }
            worst = worst.max(d);
        }
    }
    println!("worst {worst} errors {err} bad audits {bad} max energy gain {ediff} mean us {}", total / n as f64 * 1e6);
}
