//! Quantities of a problem that the sources name, and the places where the sources contradict themselves about them.

use super::Check;
use carom::elastic::{PointContact, ReducedModuli, Round, TangentialLoading, nondimensional_angle};
use carom::laws::{Routh, Termination};
use carom::problem::{ImpactProcess, InertiaCoupling};
use carom::{Amount, Body, Collision, ContactFrame, Error, Shape};
use nalgebra::Vector3;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn planar(inverse_mass: [[f64; 2]; 2], velocity: [f64; 2]) -> Option<Collision> {
    Collision::planar(inverse_mass, velocity).ok()
}

fn process(collision: &Collision) -> Option<ImpactProcess> {
    Some(ImpactProcess::of(&collision.planar_section()?))
}

/// Wang & Mason 1992, (31) to (36) and Table 1.
pub fn wang_mason() -> Vec<Check> {
    let rod = |velocity: [f64; 2]| process(&planar([[2.5, -1.5], [-1.5, 2.5]], velocity)?);
    let case_3 = rod([-1.0, -1.0]);
    let critical = |e: f64| case_3.and_then(|rod| rod.critical_friction(e).ok()?).unwrap_or(f64::NAN);
    let formula = |e: f64| (3.0 * (1.0 + e) + 5.0) / (5.0 * (1.0 + e) + 3.0);
    let worst =
        [0.0, 0.2, 0.3, 0.5, 0.7, 1.0].map(|e| (critical(e) - formula(e)).abs()).into_iter().fold(0.0, f64::max);
    let sticking = rod([-1.0, 0.0]).and_then(|rod| rod.sticking_friction()).unwrap_or(f64::NAN);
    let jam = rod([0.0, -1.0]).and_then(|rod| rod.critical_friction(0.5).ok()?).unwrap_or(f64::NAN);
    vec![
        Check::formula("case 3, (32)", "critical friction", "μ_d = (3(1 + e) + 5)/(5(1 + e) + 3)", "six e", worst),
        Check::number("case 3, (32)", "μ_d at e = 0.3", "0.9368", critical(0.3)),
        Check::number("case 3, (32)", "μ_d at e = 0.7", "0.8783", critical(0.7)),
        Check::number("case 3, (33)", "μ_q", "1.0", critical(0.0)),
        Check::number("case 1, (34)", "|μ_s|", "0.6", sticking.abs()),
        Check::formula("case 4", "tangential impact: least friction", "5/3", "e = 0.5", (jam - 5.0 / 3.0).abs()),
        Check::formula(
            "Table 1",
            "mode by P_d, P_q and μ_s beside that of the law",
            "the same",
            "5000 random impacts",
            modes(),
        ),
    ]
}

/// How many modes of Table 1 are not those of Routh's process.
fn modes() -> f64 {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(36);
    let mut wrong = 0;
    for _ in 0..5000 {
        let (nn, tt): (f64, f64) = (random.random_range(0.1..5.0), random.random_range(0.1..5.0));
        let nt = random.random_range(-0.98..0.98) * (nn * tt).sqrt();
        let velocity = [random.random_range(-1.0..-0.05), random.random_range(-2.0..2.0)];
        let (restitution, friction) = (random.random_range(0.0..1.0), random.random_range(0.01..3.0));
        let law = Routh { restitution, friction, termination: Termination::Poisson };
        let same = planar([[nn, nt], [nt, tt]], velocity).is_some_and(|collision| {
            let mode = process(&collision).and_then(|process| process.mode(friction, restitution).ok());
            law.resolve(&collision).is_ok_and(|outcome| mode == Some(outcome.mode))
        });
        wrong += usize::from(!same);
    }
    wrong as f64
}

/// Lai 1999: tables 5.1, 5.2 and 6.1, and the compliances of 4.6.
pub fn lai() -> Vec<Check> {
    let mut checks = Vec::new();
    for (body, printed) in Round::ALL.into_iter().zip(["0.556", "0.500", "0.429", "0.333"]) {
        let lambda = || {
            let collision = planar([[1.0, 0.0], [0.0, body.mobility()]], [-1.0, 0.5])?;
            Some(InertiaCoupling::of(&collision.planar_section()?).lambda)
        };
        let what = format!("λ of a {}", body.name());
        checks.push(Check::number("table 5.1", what, printed, lambda().unwrap_or(f64::NAN)));
    }
    let rod = || {
        let body = Body::planar(1.0, 1.0 / 12.0).ok()?.at(Vector3::new(-0.3, 0.4, 0.0));
        coupling(&body).ok()
    };
    checks.push(Check::number("3.2", "λ at the end of a slender rod", "0.6", rod().map_or(f64::NAN, |c| c.lambda)));
    for (name, theta, printed) in
        [("a", 0.27018, "0.63922"), ("b", 0.38956, "0.63252"), ("c", -0.62204, "0.61240"), ("d", -0.59062, "0.61573")]
    {
        let lambda = round_rod(theta).map_or(f64::NAN, |coupling| coupling.lambda);
        checks.push(
            Check::number("table 5.2", format!("rod {name} with L/R = 5, θ = {theta}: λ"), printed, lambda).contradicts(
                &format!("{lambda:.5}"),
                "by (5.76) to (5.79), and by the inertia of the body itself, L/R = 5 gives less, and 0.6274 at most (θ = 0)",
            ),
        );
    }
    let most = round_rod(0.0).map_or(f64::NAN, |coupling| coupling.lambda);
    checks.push(Check::number("(5.79)", "rod with L/R = 5: the largest λ (digits: second program)", "0.6274", most));
    for (psi_1, printed) in [
        (0.5, "0.0303"),
        (1.0, "0.0607"),
        (2.0, "0.1164"),
        (3.0, "0.1821"),
        (4.0, "0.2378"),
        (5.0, "0.3035"),
        (6.0, "0.3642"),
        (7.0, "0.4249"),
    ] {
        // (5.63) is linear in the slip; V_n = 0.5 m/s, ν = 0.3, μ = 0.1.
        let slip = nondimensional_angle(0.3, 0.1, 1.0).map_or(f64::NAN, |unit| 0.5 * psi_1 / unit);
        // The table's entries are multiples of 0.0607, itself rounded.
        let check = Check {
            tolerance: 2e-4,
            ..Check::number("table 6.1", format!("v_t at ψ₁ = {psi_1}, m/s"), printed, slip)
        };
        let misprint = "by (5.63), which the other six entries obey; 2 and 4 times 0.0607 are 0.1214 and 0.2428";
        checks.push(if check.difference > 1e-3 { check.contradicts(&format!("{slip:.4}"), misprint) } else { check });
    }
    for (ratio, printed) in [(0.25, "1.17"), (0.5, "1.5")] {
        let compliances = || {
            let moduli = ReducedModuli { youngs_modulus: 1.0, poisson_ratio: ratio };
            let loading = TangentialLoading::new(1.0, &moduli, 0.5, 1.0).ok()?;
            Some(PointContact::circular(1.0, 1.0).ok()?.under(1.0).ok()?.stiffness / loading.initial_stiffness())
        };
        let what = format!("tangential over normal compliance, ν = {ratio}");
        checks.push(Check::number("4.6", what, printed, compliances().unwrap_or(f64::NAN)));
    }
    checks
}

/// Lai's numbers of a body that touches the ground at the origin.
fn coupling(body: &Body) -> Result<InertiaCoupling, Error> {
    let collision =
        Collision::between(body, &Body::immovable(), &Vector3::zeros(), &ContactFrame::planar([0.0, 1.0])?)?;
    let section = collision.planar_section().ok_or(Error::ImmovableAlongNormal)?;
    Ok(InertiaCoupling::of(&section))
}

/// A rod with round ends, L/R = 5, whose centre is at the angle θ from the normal as seen from the contact: b = |PG| follows from
/// the centre of the round end, which lies R above the contact (5.78).
fn round_rod(theta: f64) -> Result<InertiaCoupling, Error> {
    let (radius, length) = (1.0, 5.0);
    let properties = Shape::Capsule { radius, length }.mass_properties(Amount::Mass(1.0))?;
    let inertia = properties.moments.into_iter().fold(0.0, f64::max);
    let distance = radius * theta.cos() + (0.25 * length * length - (radius * theta.sin()).powi(2)).sqrt();
    let centre = Vector3::new(-theta.sin(), theta.cos(), 0.0) * distance;
    coupling(&Body::planar(1.0, inertia)?.at(centre))
}

/// Chatterjee 1997, 11.1.2: the angle of rebound of a puck that slides.
pub fn chatterjee() -> Vec<Check> {
    let (mut printed, mut derived) = (0.0_f64, 0.0_f64);
    for (ratio, restitution, friction) in [(1.0 / 3.0, 0.92, 0.16), (0.4, 0.7, 0.1), (0.3, 0.5, 0.2)] {
        for degrees in [60.0_f64, 70.0, 80.0, 85.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            // M = diag(λ₁, λ₂) with λ₁ = 1; V = (−cos θ, −sin θ).
            let law = Routh { restitution, friction, termination: Termination::Poisson };
            let after = planar([[1.0, 0.0], [0.0, 1.0 / ratio]], [-cos, -sin])
                .and_then(|collision| law.resolve(&collision).ok())
                .map_or([f64::NAN; 2], |outcome| [outcome.velocity_after.x, outcome.velocity_after.y]);
            // The rebound goes on along the slip, so its angle is counted in that direction.
            let rebound = -after[1] / after[0];
            let drag = friction * (1.0 + restitution) / ratio;
            printed = printed.max((rebound - (sin / cos + drag)).abs());
            derived = derived.max((rebound - (sin / cos - drag) / restitution).abs());
        }
    }
    let cases = "12 collisions that slide, by the law";
    vec![
        Check::formula("11.1.2", "puck that slides: angle of rebound", "tan φ = tan θ + μ(1 + e)λ₁/λ₂", cases, printed)
            .contradicts(
                "tan φ = (tan θ − μ(1 + e)λ₁/λ₂)/e",
                "V_fN = e cos θ divides all of V_fT = sin θ − μ(1 + e)(λ₁/λ₂) cos θ: friction takes from the slip, and the slope is \
                 1/e, not 1",
            ),
        Check::formula("11.1.2", "the same, derived", "tan φ = (tan θ − μ(1 + e)λ₁/λ₂)/e", cases, derived),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_as_stated() {
        let checks = [wang_mason(), lai(), chatterjee()].concat();
        let wrong: Vec<String> = checks
            .iter()
            .filter(|check| !check.is_as_stated())
            .map(|check| format!("{}: {}: {} {}", check.place, check.what, check.printed, check.ours))
            .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert_eq!(checks.iter().filter(|check| check.contradiction.is_some()).count(), 7);
    }
}
