//! Chatterjee 1997, chapter 11: quantities from photographs of pucks, and their errors.

use super::Check;
use carom::laws;
use carom::{Collision, Mode};
use carom_study::reduce::{Collided, Settings, Setup, parse, reduce};
use std::fmt::Write;

/// Angles of incidence, degrees, at which the pucks of the cases slide throughout.
const ANGLES: std::ops::RangeInclusive<u32> = 50..=85;
/// λ₂/λ₁ of Table 11.1, least and largest.
const RATIOS: [f64; 3] = [0.289, 0.336, 0.402];
const RESTITUTIONS: [f64; 3] = [0.7, 0.85, 0.92];
const FRICTION: f64 = 0.16;

/// Worst relative differences of both relations between tan φ and tan θ over sliding collisions, printed and derived.
///
/// A puck that slides throughout has P_T = μ P_N, P_N = (1 + e) λ₁ cos θ and V_fN = e cos θ, V_fT = −sin θ + P_T/λ₂ for |V_i| = 1. With
/// tan φ = V_fT/V_fN this is e tan φ = −tan θ + μ (1 + e) λ₁/λ₂.
fn tangents() -> Option<[f64; 2]> {
    let mut worst = [0.0_f64; 2];
    for restitution in RESTITUTIONS {
        let law = laws::find("routh-poisson").ok()?;
        let law = law.bind(&[("restitution", restitution), ("friction", FRICTION)]).ok()?;
        for ratio in RATIOS {
            for angle in ANGLES {
                let theta = f64::from(angle).to_radians();
                let collision =
                    Collision::planar([[1.0, 0.0], [0.0, 1.0 / ratio]], [-theta.cos(), -theta.sin()]).ok()?;
                let outcome = law.resolve_collision(&collision).ok()?;
                if outcome.mode != Mode::Sliding {
                    return None;
                }
                let tan_phi = outcome.velocity_after.y / outcome.velocity_after.x;
                let pushed = FRICTION * (1.0 + restitution) / ratio;
                let printed = theta.tan() + pushed;
                worst[0] = worst[0].max((tan_phi - printed).abs() / theta.tan());
                let derived = -theta.tan() + pushed;
                worst[1] = worst[1].max((restitution * tan_phi - derived).abs() / theta.tan());
            }
        }
    }
    Some(worst)
}

/// Two photographs before and two after a regular puck of 0.7 m/s hits a plate at an angle, reduced with the thesis' bound of two pixels.
fn photographed(angle: f64) -> Option<Collided> {
    const RADIUS: f64 = 0.0491;
    const MASS: f64 = 0.0672;
    let inertia = MASS * RADIUS * RADIUS * 0.336 / (1.0 - 0.336);
    let setup = format!(
        "camera = {{ rate = {}, scale = 4350, deviation = 0.5, bound = 2 }}\n\
         body = [{{ name = 'puck', shape.disk.radius = {RADIUS}, mass = {MASS}, inertia = {inertia}, marks = [[-0.04, 0], [0.04, 0]] }}]\n\
         wall.normal = [0, 1]\n",
        530.0 / 60.0
    );
    let setup = Setup::parse("puck.toml", &setup).ok()?;
    let theta = angle.to_radians();
    let before = [0.7 * theta.sin(), -0.7 * theta.cos()];
    // t is the x axis; the plate's friction slows the slip and gives the puck a spin.
    let law = laws::find("routh-poisson").ok()?.bind(&[("restitution", 0.92), ("friction", FRICTION)]).ok()?;
    let w = [[1.0 / MASS, 0.0], [0.0, 1.0 / (0.336 * MASS)]];
    let impulse = law.resolve_collision(&Collision::planar(w, [before[1], before[0]]).ok()?).ok()?.impulse;
    let after = [before[0] + impulse.y / MASS, before[1] + impulse.x / MASS];
    let spin = RADIUS * impulse.y / inertia;
    let mut text = String::from("frame,phase,x1,y1,x2,y2\n");
    for frame in 0..4 {
        let time = (f64::from(frame) - 1.5) * 60.0 / 530.0;
        let ([x, y], turn) = if frame < 2 { (before, 0.3) } else { (after, 0.3 + spin * time) };
        let (x, y) = (x * time, RADIUS + y * time);
        let (dx, dy) = (0.04 * turn.cos(), 0.04 * turn.sin());
        let phase = if frame < 2 { "before" } else { "after" };
        let _ = writeln!(
            text,
            "{frame},{phase},{},{},{},{}",
            4350.0 * (x - dx),
            4350.0 * (y - dy),
            4350.0 * (x + dx),
            4350.0 * (y + dy)
        );
    }
    let trials = parse(&text, &setup).ok()?;
    let reduction = reduce(&trials, &setup, &Settings { draws: 0, seed: 1 }, &mut |_| true).ok()?;
    reduction.collisions.into_iter().next()
}

fn bound_of_restitution(angle: f64) -> f64 {
    let collided = photographed(angle);
    let quantities = collided.iter().flat_map(|collided| &collided.quantities);
    quantities.filter(|uncertain| uncertain.quantity.name == "restitution").map(|found| found.bound).sum()
}

pub(super) fn checks() -> Vec<Check> {
    let [printed, derived] = tangents().unwrap_or([f64::NAN; 2]);
    let cases = "324 sliding collisions";
    vec![
        Check::formula("11.1.2", "rebound of a sliding puck", "tan φ = tan θ + μ(1 + e) λ₁/λ₂", cases, printed)
            .contradicts(
                "e tan φ = −tan θ + μ(1 + e) λ₁/λ₂",
                "V_fN = e cos θ, not cos θ, and V_fT = −sin θ + P_T/λ₂: the slope is −1/e, not exactly 1",
            ),
        Check::formula("11.1.2", "the same, derived", "e tan φ = −tan θ + μ(1 + e) λ₁/λ₂", cases, derived),
        Check::number(
            "11.1.2",
            "least spin that aliases at 530 exposures a minute, rad/s",
            "27.75",
            photographed(20.0).map_or(f64::NAN, |collided| collided.spin_limit),
        ),
        Check::number(
            "11.1.2",
            "upper bound of the error of e at 20°, 0.7 m/s, 2 pixels",
            "0.024",
            bound_of_restitution(20.0),
        ),
        Check::number("11.1.2", "the same at 75°", "0.086", bound_of_restitution(75.0)),
        Check::number("11.1.2", "the same at 85°", "0.256", bound_of_restitution(85.0)),
    ]
}
