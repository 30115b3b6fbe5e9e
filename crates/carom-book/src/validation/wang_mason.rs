//! Wang & Mason 1992: the rod's four cases, Table 1, equations (39)–(55) and the appendix.
//!
//! Their (x, y) = our (t, n); B₁ = W_tt, B₂ = W_nn, B₃ = −W_nt; S = V_t, C = V_n.

use super::Check;
use carom::laws::{Inapplicable, Routh, Termination};
use carom::{Collision, ContactOutcome, Mode};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const RESTITUTIONS: [f64; 6] = [0.0, 0.2, 0.5, 0.8, 0.9, 1.0];

fn rod(compression: f64, sliding: f64) -> Collision {
    planar(2.5, 2.5, 1.5, compression, sliding)
}

fn planar(b1: f64, b2: f64, b3: f64, compression: f64, sliding: f64) -> Collision {
    match Collision::planar([[b2, -b3], [-b3, b1]], [compression, sliding]) {
        Ok(collision) => collision,
        Err(error) => unreachable!("the paper's collisions are sound: {error}"),
    }
}

fn routh(collision: &Collision, e: f64, mu: f64, termination: Termination) -> Result<ContactOutcome, Inapplicable> {
    Routh { restitution: e, friction: mu, termination }.resolve(collision)
}

/// Worst difference between an outcome's quantity and a formula in e over the restitutions and frictions.
fn worst(
    collision: &Collision,
    frictions: &[f64],
    termination: Termination,
    ours: impl Fn(&ContactOutcome) -> f64,
    formula: impl Fn(f64) -> f64,
) -> f64 {
    let mut worst = 0.0_f64;
    for &mu in frictions {
        for e in RESTITUTIONS {
            let difference = match routh(collision, e, mu, termination) {
                Ok(outcome) => (ours(&outcome) - formula(e)).abs(),
                Err(_) => f64::INFINITY,
            };
            worst = worst.max(difference);
        }
    }
    worst
}

pub fn checks() -> Vec<Check> {
    let mut checks = vec![mass_matrix()];
    checks.extend(case_1());
    checks.extend(case_2());
    checks.extend(case_3());
    checks.extend(case_4());
    checks.extend(general());
    checks
}

fn mass_matrix() -> Check {
    let arm = 0.125_f64.sqrt();
    let collision = carom::Body::planar(1.0, 1.0 / 12.0).and_then(|rod| {
        let rod = rod.at(nalgebra::Vector3::new(arm, arm, 0.0));
        let floor = carom::ContactFrame::planar([0.0, 1.0])?;
        Collision::between(&rod, &carom::Body::immovable(), &nalgebra::Vector3::zeros(), &floor)
    });
    let difference = collision.map_or(f64::INFINITY, |collision| {
        let w = collision.inverse_mass();
        [(w[(0, 0)], 2.5), (w[(1, 1)], 2.5), (w[(0, 1)], -1.5)]
            .iter()
            .fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
    });
    Check::formula(
        "section 6",
        "rod at 45°, unit mass and length",
        "B₁ = B₂ = 2.5, B₃ = 1.5",
        "from bodies and contact",
        difference,
    )
}

fn mode_check(
    place: &'static str,
    what: &str,
    printed: &str,
    collision: &Collision,
    cases: &[(f64, f64, Mode)],
) -> Check {
    let wrong = cases
        .iter()
        .filter(|(e, mu, mode)| {
            routh(collision, *e, *mu, Termination::Poisson).map_or(true, |outcome| outcome.mode != *mode)
        })
        .count();
    Check::formula(place, what, printed, &format!("{} values of e, μ", cases.len()), wrong as f64)
}

fn case_1() -> Vec<Check> {
    let collision = rod(-1.0, 0.0);
    let modes: Vec<(f64, f64, Mode)> = RESTITUTIONS
        .iter()
        .flat_map(|&e| {
            [(e, 0.3, Mode::Sliding), (e, 0.599, Mode::Sliding), (e, 0.601, Mode::CSticking), (e, 3.0, Mode::CSticking)]
        })
        .collect();
    let negative = routh(&collision, 0.5, 0.3, Termination::Poisson).map_or(f64::NAN, |o| o.velocity_after.y);
    vec![
        mode_check(
            "case 1",
            "direct impact: contact mode",
            "sliding for μ < 0.6, sticking for μ > 0.6",
            &collision,
            &modes,
        ),
        Check::formula(
            "case 1",
            "final tangential velocity when sliding",
            "negative",
            &format!("{negative:.6} at e = 0.5, μ = 0.3").replace('-', "−"),
            f64::from(u8::from(negative >= 0.0)),
        ),
    ]
}

fn case_2() -> Vec<Check> {
    let collision = rod(-1.0, 0.6);
    let sticking = [0.61, 0.8, 2.0];
    let modes: Vec<(f64, f64, Mode)> = RESTITUTIONS
        .iter()
        .flat_map(|&e| {
            [
                (e, 0.3, Mode::CReversedSliding),
                (e, 0.59, Mode::CReversedSliding),
                (e, 0.61, Mode::CSticking),
                (e, 5.0, Mode::CSticking),
            ]
        })
        .collect();
    let check = |termination, quantity: &str, formula: &str, ours: fn(&ContactOutcome) -> f64, f: fn(f64) -> f64| {
        let name = if termination == Termination::Poisson { "Poisson" } else { "Newton" };
        Check::formula(
            "case 2",
            format!("{name}, μ > 0.6: {quantity}"),
            formula,
            "e from 0 to 1, three μ",
            worst(&collision, &sticking, termination, ours, f),
        )
    };
    let energy = |termination, f: fn(f64) -> f64| {
        worst(&collision, &sticking, termination, |o| collision.energy_change(&o.impulse), f)
    };
    let gain_above = RESTITUTIONS
        .iter()
        .filter(|&&e| {
            let gain = routh(&collision, e, 0.8, Termination::Newton)
                .map_or(f64::NAN, |o| collision.energy_change(&o.impulse));
            (gain > 1e-12) != (e > 0.8)
        })
        .count();
    let never_gained = [0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0, 2.0]
        .iter()
        .filter(|&&mu| {
            !routh(&collision, 1.0, mu, Termination::Newton).is_ok_and(|o| collision.energy_change(&o.impulse) > 0.0)
        })
        .count();
    vec![
        mode_check("case 2", "contact mode", "reversed sliding for μ < 0.6, sticking for μ > 0.6", &collision, &modes),
        check(Termination::Newton, "P_x", "0.375 e", |o| o.impulse.y, |e| 0.375 * e),
        check(Termination::Newton, "P_y", "0.4 + 0.0625 e", |o| o.impulse.x, |e| 0.4 + 0.0625 * e)
            .contradicts("0.4 + 0.625 e", "the paper's own (53) gives ours; a digit was lost in print"),
        check(Termination::Newton, "P_y by (53)", "0.4 + 0.625 e", |o| o.impulse.x, |e| 0.4 + 0.625 * e),
        check(Termination::Newton, "C", "e", |o| o.velocity_after.x, |e| e),
        Check::formula(
            "case 2",
            "Newton: energy gain",
            "½ (0.625 e² − 0.4)",
            "e from 0 to 1, three μ",
            energy(Termination::Newton, |e| 0.5 * (0.625 * e * e - 0.4)),
        ),
        Check::formula(
            "case 2",
            "Newton, μ > 0.6: energy gained",
            "for all e > 0.8",
            "e from 0 to 1",
            gain_above as f64,
        ),
        Check::formula(
            "case 2",
            "Newton, e = 1: energy gained",
            "for any μ > 0",
            "ten μ from 0.001 to 2",
            never_gained as f64,
        ),
        check(Termination::Poisson, "P_x", "0.24 e", |o| o.impulse.y, |e| 0.24 * e),
        check(Termination::Poisson, "P_y", "0.4 (1 + e)", |o| o.impulse.x, |e| 0.4 * (1.0 + e)),
        check(Termination::Poisson, "C", "0.64 e", |o| o.velocity_after.x, |e| 0.64 * e),
        Check::formula(
            "case 2",
            "Poisson: energy change",
            "½ (0.256 e² − 0.4)",
            "e from 0 to 1, three μ",
            energy(Termination::Poisson, |e| 0.5 * (0.256 * e * e - 0.4)),
        ),
    ]
}

fn case_3() -> Vec<Check> {
    let collision = rod(-1.0, -1.0);
    let threshold = |e: f64| (3.0 * (1.0 + e) + 5.0) / (5.0 * (1.0 + e) + 3.0);
    let modes: Vec<(f64, f64, Mode)> = RESTITUTIONS
        .iter()
        .filter(|e| **e > 0.0)
        .flat_map(|&e| {
            let critical = threshold(e);
            [
                (e, critical - 1e-9, Mode::Sliding),
                (e, critical + 1e-9, Mode::RSticking),
                (e, 1.0 - 1e-9, Mode::RSticking),
                (e, 1.0 + 1e-9, Mode::CSticking),
                (e, 4.0, Mode::CSticking),
            ]
        })
        .collect();
    vec![mode_check(
        "case 3",
        "contact mode",
        "sliding below μ_d = (3(1+e)+5)/(5(1+e)+3), R-sticking to μ_q = 1, C-sticking above",
        &collision,
        &modes,
    )]
}

fn case_4() -> Vec<Check> {
    let collision = rod(0.0, -0.2);
    let jams = |mu: f64| routh(&collision, 0.5, mu, Termination::Poisson).is_ok_and(|o| o.impulse.x > 0.0);
    // The threshold by bisection on the law itself.
    let (mut least, mut most) = (1.0, 3.0);
    for _ in 0..60 {
        let middle = 0.5 * (least + most);
        if jams(middle) { most = middle } else { least = middle }
    }
    let sticks = routh(&collision, 0.5, 2.0, Termination::Poisson).is_ok_and(|o| o.mode == Mode::CSticking);
    let newton = [0.0, 0.5, 1.0]
        .map(|e| routh(&collision, e, 2.0, Termination::Newton).map_or(f64::NAN, |o| o.velocity_after.x));
    vec![
        Check::number("case 4", "tangential impact: least μ for a collision", "1.666", most),
        Check::formula(
            "case 4",
            "contact mode above it",
            "sticking",
            "C-sticking at μ = 2",
            f64::from(u8::from(!sticks)),
        ),
        Check::formula(
            "case 4",
            "Newton: final normal velocity, any e",
            "0",
            "e = 0, 0.5, 1",
            newton.iter().fold(0.0, |most, v| f64::max(most, v.abs())),
        ),
    ]
}

/// A random planar collision in the paper's letters.
struct Random {
    b: [f64; 3],
    compression: f64,
    sliding: f64,
    e: f64,
    mu: f64,
}

fn random_cases() -> impl Iterator<Item = Random> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1992);
    (0..20_000).map(move |_| {
        let (b1, b2) = (random.random_range(0.2..3.0_f64), random.random_range(0.2..3.0_f64));
        Random {
            b: [b1, b2, (b1 * b2).sqrt() * random.random_range(-0.95..0.95)],
            compression: -random.random_range(0.05..1.0),
            sliding: random.random_range(-1.0..1.0),
            e: random.random(),
            mu: 10_f64.powf(random.random_range(-1.5..0.7)),
        }
    })
}

/// Table 1 in words of ours, from the paper's P_d, P_q and μ_s.
fn table_1(r: &Random) -> Mode {
    let [b1, b2, b3] = r.b;
    let s = r.sliding.signum();
    let p_d = (b2 + s * r.mu * b3) * s * r.sliding;
    let p_q = (r.mu * b1 + s * b3) * -r.compression;
    let sticks = r.mu > (b3 / b1).abs();
    if p_d > (1.0 + r.e) * p_q {
        Mode::Sliding
    } else if p_d > p_q {
        if sticks { Mode::RSticking } else { Mode::RReversedSliding }
    } else if sticks {
        Mode::CSticking
    } else {
        Mode::CReversedSliding
    }
}

/// (P_x, P_y) by (39)–(48).
fn poisson(r: &Random, mode: Mode) -> (f64, f64) {
    let ([b1, b2, b3], s, s0, c0, mu, e1) = (r.b, r.sliding.signum(), r.sliding, r.compression, r.mu, 1.0 + r.e);
    let reversed = |p_y: f64| s * mu * (p_y - 2.0 * s0 / (b3 + s * mu * b1));
    let sliding_p_y = -e1 * c0 / (b2 + s * mu * b3);
    match mode {
        Mode::CSticking => {
            let p_y = -e1 * (b1 * c0 + b3 * s0) / (b1 * b2 - b3 * b3);
            ((b3 * p_y - s0) / b1, p_y)
        }
        Mode::RSticking => ((b3 * sliding_p_y - s0) / b1, sliding_p_y),
        Mode::CReversedSliding => {
            let p_y = -e1 / (b2 - s * mu * b3) * (c0 + 2.0 * s * mu * b3 * s0 / (b3 + s * mu * b1));
            (reversed(p_y), p_y)
        }
        Mode::RReversedSliding => (reversed(sliding_p_y), sliding_p_y),
        _ => (-s * mu * sliding_p_y, sliding_p_y),
    }
}

/// (P_x, P_y) by (50)–(55).
fn newton(r: &Random, mode: Mode) -> (f64, f64) {
    let ([b1, b2, b3], s, s0, c0, mu, e1) = (r.b, r.sliding.signum(), r.sliding, r.compression, r.mu, 1.0 + r.e);
    match mode {
        Mode::CSticking | Mode::RSticking => {
            let det = b1 * b2 - b3 * b3;
            (-(b2 * s0 + e1 * c0 * b3) / det, -(b3 * s0 + e1 * c0 * b1) / det)
        }
        Mode::CReversedSliding | Mode::RReversedSliding => {
            let p_y = -(e1 * c0 + 2.0 * s * mu * b3 * s0 / (b3 + s * mu * b1)) / (b2 - s * mu * b3);
            (s * mu * (p_y - 2.0 * s0 / (b3 + s * mu * b1)), p_y)
        }
        _ => {
            let p_y = -e1 * c0 / (b2 + s * mu * b3);
            (-s * mu * p_y, p_y)
        }
    }
}

/// 2ΔT of the appendix for e = 1.
fn appendix(r: &Random, mode: Mode, p_x: f64, p_y: f64, s_final: f64) -> f64 {
    let ([b1, _, b3], s, mu) = (r.b, r.sliding.signum(), r.mu);
    match mode {
        Mode::CSticking => -(b1 * p_x - b3 * p_y).powi(2) / b1,
        Mode::RSticking => -(b1 * p_x * p_x + s * mu * b3 * p_y * p_y),
        Mode::CReversedSliding => -(s * b3 / mu * p_x * p_x - (b3 + s * mu * b1) * p_x * p_y + s * mu * b3 * p_y * p_y),
        Mode::RReversedSliding => -(s * b3 / mu * p_x * p_x + (b3 - s * mu * b1) * p_x * p_y + s * mu * b3 * p_y * p_y),
        _ => -s * mu * p_y * (s_final + r.sliding),
    }
}

const MODES: [Mode; 5] =
    [Mode::Sliding, Mode::CSticking, Mode::RSticking, Mode::CReversedSliding, Mode::RReversedSliding];

fn general() -> Vec<Check> {
    let mut wrong_modes = 0.0;
    let mut poisson_worst = [0.0_f64; 5];
    let mut newton_worst = [0.0_f64; 5];
    let mut energy_worst = [0.0_f64; 5];
    let mut counts = [0_u32; 5];
    for r in random_cases() {
        let [b1, b2, b3] = r.b;
        let collision = planar(b1, b2, b3, r.compression, r.sliding);
        let mode = table_1(&r);
        let Some(place) = MODES.iter().position(|m| *m == mode) else { continue };
        counts[place] += 1;
        let relative = |outcome: Result<ContactOutcome, Inapplicable>, (p_x, p_y): (f64, f64)| {
            outcome.map_or(f64::INFINITY, |o| (o.impulse.y - p_x).hypot(o.impulse.x - p_y) / o.impulse.norm())
        };
        let ours = routh(&collision, r.e, r.mu, Termination::Poisson);
        wrong_modes += f64::from(u8::from(ours.map_or(true, |o| o.mode != mode)));
        poisson_worst[place] = poisson_worst[place].max(relative(ours, poisson(&r, mode)));
        newton_worst[place] =
            newton_worst[place].max(relative(routh(&collision, r.e, r.mu, Termination::Newton), newton(&r, mode)));

        let elastic = Random { e: 1.0, ..r };
        let elastic_mode = table_1(&elastic);
        let Some(place) = MODES.iter().position(|m| *m == elastic_mode) else { continue };
        if let Ok(o) = routh(&collision, 1.0, elastic.mu, Termination::Poisson) {
            let (p_x, p_y) = (o.impulse.y, o.impulse.x);
            let printed = 0.5 * appendix(&elastic, elastic_mode, p_x, p_y, o.velocity_after.y);
            let ours = collision.energy_change(&o.impulse);
            energy_worst[place] = energy_worst[place].max((printed - ours).abs() / collision.local_energy());
        }
    }
    let mut checks = vec![
        Check::formula(
            "table 1",
            "contact modes",
            "conditions on μ_s, P_d, P_q",
            "20 000 random collisions",
            wrong_modes,
        ),
        Check::formula(
            "(21)",
            "B₃ of two movable bodies",
            "x₁y₁/(m₁ρ₁²) − x₂y₂/(m₂ρ₂²)",
            "two rods",
            two_body_b3(-1.0),
        )
        .contradicts(
            "x₁y₁/(m₁ρ₁²) + x₂y₂/(m₂ρ₂²)",
            "the paper's own (5)–(18) give ours; no effect when body 2 is immovable",
        ),
        Check::formula(
            "(5)–(18)",
            "B₃ of two movable bodies",
            "x₁y₁/(m₁ρ₁²) + x₂y₂/(m₂ρ₂²)",
            "two rods",
            two_body_b3(1.0),
        ),
    ];
    let labels = ["sliding", "C-sticking", "R-sticking", "C-reversed sliding", "R-reversed sliding"];
    let equations = [
        ("(39), (40)", "(50), (51)"),
        ("(41), (42)", "(52), (53)"),
        ("(43), (44)", "(52), (53)"),
        ("(45), (46)", "(54), (55)"),
        ("(47), (48)", "(54), (55)"),
    ];
    for k in 0..5 {
        let cases = format!("{} random collisions", counts[k]);
        checks.push(Check::formula(
            "section 3.5",
            format!("Poisson, {}", labels[k]),
            equations[k].0,
            &cases,
            poisson_worst[k],
        ));
        checks.push(Check::formula(
            "section 3.5",
            format!("Newton, {}", labels[k]),
            equations[k].1,
            &cases,
            newton_worst[k],
        ));
        checks.push(Check::formula(
            "appendix",
            format!("energy for e = 1, {}", labels[k]),
            "2ΔT as a form in P_x, P_y",
            &cases,
            energy_worst[k],
        ));
    }
    checks
}

/// Difference between B₃ with the given sign of the second body's term and ours.
fn two_body_b3(sign: f64) -> f64 {
    use nalgebra::Vector3;
    let (c1, c2) = (Vector3::new(0.3, 0.4, 0.0), Vector3::new(0.2, -0.5, 0.0));
    let bodies = carom::Body::planar(1.0, 0.1).and_then(|a| Ok((a.at(c1), carom::Body::planar(2.0, 0.3)?.at(c2))));
    let ours = bodies.and_then(|(a, b)| {
        let frame = carom::ContactFrame::planar([0.0, 1.0])?;
        Collision::between(&a, &b, &Vector3::zeros(), &frame)
    });
    let printed = c1.x * c1.y / 0.1 + sign * c2.x * c2.y / 0.3;
    ours.map_or(f64::INFINITY, |collision| (-collision.inverse_mass()[(0, 1)] - printed).abs())
}
