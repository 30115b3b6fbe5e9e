//! Lai 1999 and Maw, Barber & Fawcett 1976: elastic contact and oblique impact. The thesis keeps few numbers; those to many digits
//! are of an implementation independent of ours.

use super::Check;
use carom::Collision;
use carom::elastic::{Gap, HertzImpact, Oblique, PointContact, Round};
use carom::laws::{self, BoundLaw};

/// ψ₁, then ψ₂ of a sphere with ν = 0.3: exact theory, Lai's springs with μ = 0.5 and with μ = 0.1.
const SPHERE: [(f64, &str, &str, &str); 13] = [
    (0.25, "0.0417", "0.2378", "0.2384"),
    (0.5, "0.0479", "0.4664", "0.4722"),
    (0.75, "0.0142", "0.5955", "0.5907"),
    (1.0, "-0.0597", "0.4034", "0.3983"),
    (1.2, "-0.1805", "0.1945", "0.1994"),
    (1.5, "-0.4280", "-0.1164", "-0.0943"),
    (2.0, "-0.8372", "-0.5653", "-0.5179"),
    (3.0, "-1.3797", "-1.1385", "-1.0689"),
    (4.0, "-1.4365", "-1.2505", "-1.2004"),
    (4.5, "-1.2176", "-1.1018", "-1.0733"),
    (5.0, "-0.7647", "-0.7625", "-0.7588"),
    (6.0, "0.2353", "0.2353", "0.2353"),
    (7.0, "1.2353", "1.2353", "1.2353"),
];

/// Lai's rods a to d: μ, λ, θ and tan α of the source, then V_t, V_n after over |V|, and e.
const RODS: [(&str, [f64; 4], [&str; 3]); 4] = [
    ("a", [0.5, 0.63922, 0.27018, 1.54900], ["-0.1702", "0.6388", "1.1777"]),
    ("b", [1.0, 0.63252, 0.38956, 9.53159], ["-0.1086", "0.2351", "2.2529"]),
    ("c", [0.5, 0.61240, -0.62204, 1.07757], ["-0.5712", "0.6045", "0.8887"]),
    ("d", [1.0, 0.61573, -0.59062, 1.35013], ["-0.7532", "0.5656", "0.9503"]),
];

fn law(id: &str, poisson_ratio: f64, friction: f64) -> Option<BoundLaw> {
    let values = [("youngs_modulus", 1.0), ("poisson_ratio", poisson_ratio), ("radius", 1.0), ("friction", friction)];
    laws::find(id).ok()?.bind(&values).ok()
}

fn psi_2(id: &str, friction: f64, psi_1: f64) -> f64 {
    let rebound = || {
        let (sphere, law) = (Oblique::new(Round::Sphere, 0.3, friction).ok()?, law(id, 0.3, friction)?);
        let outcome = law.resolve_collision(&sphere.collision(psi_1).ok()?).ok()?;
        sphere.nondimensional_angle(&outcome.velocity_after).ok()?
    };
    rebound().unwrap_or(f64::NAN)
}

/// V after over |V| in (n, t), and the kinematic restitution, of a rod by (λ, θ, tan α), eq. 3.34.
fn rod([friction, lambda, theta, tangent]: [f64; 4]) -> [f64; 3] {
    let after = || {
        let (sin, cos) = (2.0 * theta).sin_cos();
        let (nn, tt, nt) = (1.0 - lambda * cos, 1.0 + lambda * cos, lambda * sin);
        let alpha = tangent.atan();
        let collision = Collision::planar([[nn, nt], [nt, tt]], [-alpha.cos(), alpha.sin()]).ok()?;
        let outcome = law("lai", 0.28, friction)?.resolve_collision(&collision).ok()?;
        Some([outcome.velocity_after.y, outcome.velocity_after.x, outcome.restitution(&collision).newton?])
    };
    after().unwrap_or([f64::NAN; 3])
}

pub fn lai() -> Vec<Check> {
    let mut checks = Vec::new();
    for (psi_1, _, rough, smooth) in SPHERE {
        for (friction, printed) in [(0.5, rough), (0.1, smooth)] {
            let what = format!("sphere, ν = 0.3, μ = {friction}, ψ₁ = {psi_1}: ψ₂");
            checks.push(Check::number("5.2", what, printed, psi_2("lai", friction, psi_1)));
        }
    }
    for (name, data, printed) in RODS {
        let ours = rod(data);
        for (k, what) in ["V_t after", "V_n after", "e"].into_iter().enumerate() {
            checks.push(Check::number("5.5", format!("rod {name}: {what}"), printed[k], ours[k]));
        }
    }
    let impact = HertzImpact::new(1.413_716_694_115_407, 0.5, 7e10 / 0.91, 0.05).ok();
    let of = |f: fn(&HertzImpact) -> f64| impact.as_ref().map_or(f64::NAN, f);
    checks.push(Check::number(
        "6.2",
        "sphere at 0.5 m/s: greatest approach, µm",
        "51.75",
        of(|i| 1e6 * i.greatest_approach()),
    ));
    checks.push(Check::number("6.2", "sphere at 0.5 m/s: duration, µs", "304.6", of(|i| 1e6 * i.duration())));
    checks.push(Check::number("6.2", "sphere at 0.5 m/s: greatest force, N", "8537", of(HertzImpact::peak_force)));
    for (b, printed) in
        [(2.0, ["0.80372", "0.50682", "1.159694", "1.17215"]), (10.0, ["0.97658", "0.21704", "1.424796", "2.25260"])]
    {
        // h = A x² + B y² with A = 1: relative radii 1/(2A) and 1/(2B).
        let pressed = Gap::of_radii([0.5, 0.5 / b])
            .and_then(|gap| PointContact::new(&gap, 1.0))
            .and_then(|contact| contact.under(1.0));
        let ours = pressed.map_or([f64::NAN; 4], |p| [p.semi_axes[0], p.semi_axes[1], p.approach, p.peak_pressure]);
        for (k, what) in ["a", "b", "approach", "peak pressure"].into_iter().enumerate() {
            checks.push(Check::number(
                "4.1",
                format!("Hertz's ellipse, A = 1, B = {b}, P = E* = 1: {what}"),
                printed[k],
                ours[k],
            ));
        }
    }
    checks
}

pub fn maw() -> Vec<Check> {
    let chi = Oblique::new(Round::Sphere, 0.3, 0.5).map_or(f64::NAN, |sphere| sphere.gyration_ratio());
    let mut checks = vec![Check::number("(3)", "χ of a sphere with ν = 0.3", "1.44118", chi)];
    for (psi_1, printed, ..) in SPHERE {
        let what = format!("sphere, χ = 1.4412, ψ₁ = {psi_1}: ψ₂");
        checks.push(Check {
            tolerance: 0.01,
            ..Check::number("fig. 4", what, printed, psi_2("hertz-mindlin", 0.5, psi_1))
        });
    }
    // Gross slip from 4χ − 1 on: ψ₂ = ψ₁ − 4χ.
    let worst = [4.0 * chi - 1.0 + 1e-6, 5.5, 7.0, 20.0]
        .into_iter()
        .map(|psi_1| (psi_2("hertz-mindlin", 0.5, psi_1) - (psi_1 - 4.0 * chi)).abs())
        .fold(0.0, f64::max);
    checks.push(Check {
        tolerance: 1e-9,
        ..Check::formula("(15)", "gross slip above ψ₁ = 4χ − 1", "ψ₂ = ψ₁ − 4χ", "four ψ₁", worst)
    });
    checks
}
