//! Chatterjee 1997, chapter 8: contacts followed in time. The thesis gives formulas and few numbers; those to many digits are of
//! an implementation independent of ours.

use super::Check;
use carom::design::{GrowingDashpot, LinearDashpot};
use carom::laws::{
    BilinearSpring, Damping, DeadCollision, NonlinearDashpot, SplitMass, SpringDashpot, StrongeCompliant, Unloading,
};
use carom::{Collision, ContactOutcome};
use nalgebra::{Matrix2, Matrix3, Rotation3, Vector3};

fn restitution(collision: Option<&Collision>, outcome: Option<&ContactOutcome>) -> f64 {
    match (collision, outcome) {
        (Some(collision), Some(outcome)) => outcome.restitution(collision).newton.unwrap_or(f64::NAN),
        _ => f64::NAN,
    }
}

fn head_on() -> Option<Collision> {
    Collision::planar([[2.0, 0.0], [0.0, 7.0]], [-1.5, 0.0]).ok()
}

fn linear(damping: Damping) -> SpringDashpot {
    SpringDashpot {
        stiffness: 1e4,
        damping,
        stiffness_ratio: 1.0,
        tangential_damping: None,
        static_friction: 0.3,
        kinetic_friction: 0.3,
        along_eigenvectors: false,
    }
}

/// Integrated restitution of a linear dashpot of this ratio.
fn followed_linear(zeta: f64) -> f64 {
    let collision = head_on();
    let law = linear(Damping::Coefficient(2.0 * zeta * (1e4_f64 / 2.0).sqrt()));
    restitution(collision.as_ref(), collision.as_ref().and_then(|c| law.resolve(c).ok()).as_ref())
}

/// Integrated restitution of a growing dashpot of this ratio.
fn followed_growing(a: f64) -> f64 {
    let collision = head_on();
    let law = NonlinearDashpot {
        stiffness: 1e4,
        damping: a * 1e4 / 1.5,
        exponent: 1.0,
        stiffness_ratio: 1.0,
        static_friction: 0.3,
        kinetic_friction: 0.3,
    };
    restitution(collision.as_ref(), collision.as_ref().and_then(|c| law.resolve(c).ok()).as_ref())
}

/// Elements tuned to e = 1/2 along the eigenvectors of M = diag(1, 1/4) turned by π/4, without friction.
fn along_eigenvectors(ratio: f64) -> f64 {
    // A hair off π/4, where neither eigenvector would be the upright one.
    let turn = Rotation3::from_axis_angle(&Vector3::z_axis(), -std::f64::consts::FRAC_PI_4 + 1e-9).into_inner();
    let w = turn * Matrix3::from_diagonal(&Vector3::new(1.0, 4.0, 2.0)) * turn.transpose();
    let collision = Collision::new(&((w + w.transpose()) * 0.5), &Vector3::new(-1.0, 0.6, 0.0)).ok();
    let law = SpringDashpot {
        stiffness_ratio: ratio,
        static_friction: 0.0,
        kinetic_friction: 0.0,
        along_eigenvectors: true,
        ..linear(Damping::Restitution(0.5))
    };
    restitution(collision.as_ref(), collision.as_ref().and_then(|c| law.resolve(c).ok()).as_ref())
}

fn split(restitution: f64, stiffness_ratio: f64, friction: f64) -> SplitMass {
    SplitMass { restitution, stiffness: 1.0, stiffness_ratio, friction, dead_collision: DeadCollision::Routh }
}

fn split_mass() -> Vec<Check> {
    let mut checks = Vec::new();
    let collision = Collision::planar([[1.0 / 3.0, 0.0], [0.0, 1.0]], [-1.0, -1.5]).ok();
    for (k_t, tangential, loss) in [(0.3, "0.12000000", "-1.65780"), (3.0, "-0.10092234", "-1.65991")] {
        let outcome = collision.as_ref().and_then(|c| split(0.8, k_t, 0.3).resolve(c).ok());
        let after = outcome.map_or(Vector3::repeat(f64::NAN), |o| o.velocity_after);
        let change = match (&collision, outcome) {
            (Some(collision), Some(outcome)) => collision.energy_change(&outcome.impulse),
            _ => f64::NAN,
        };
        let case = format!("M = diag(3, 1), V = (−1, −1.5), e = 0.8, μ = 0.3, K = diag(1, {k_t})");
        checks.push(Check::number("8.1", format!("{case}: V_t after"), tangential, after.y));
        checks.push(Check::number("8.1", format!("{case}: V_n after"), "0.80000000", after.x));
        checks.push(Check::number("8.1", format!("{case}: energy change"), loss, change));
    }
    let (s, c) = 0.5_f64.sin_cos();
    let mass = Matrix2::new(4.0 * c * c + s * s, 3.0 * s * c, 3.0 * s * c, 4.0 * s * s + c * c);
    let w = mass.try_inverse().unwrap_or_else(Matrix2::zeros);
    let coupled = Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(1, 0)], w[(1, 1)]]], [-1.0, 0.0]).ok();
    for (k_t, printed) in [(1.0, "0.463182"), (0.2, "0.544174")] {
        let e =
            restitution(coupled.as_ref(), coupled.as_ref().and_then(|c| split(0.6, k_t, 0.0).resolve(c).ok()).as_ref());
        let what = format!("coupled M, μ = 0, α = 0.6, K = diag(1, {k_t}): e is not α");
        checks.push(Check::number("8.1", what, printed, e));
    }
    checks
}

fn bilinear_springs() -> Vec<Check> {
    let collision = head_on();
    let (mut worst_e, mut worst_t) = (0.0_f64, 0.0_f64);
    for (unloading, e) in
        [0.2, 0.5, 0.9, 1.0].into_iter().flat_map(|e| [(Unloading::Steep, e), (Unloading::Shallow, e)])
    {
        let law = BilinearSpring {
            restitution: e,
            stiffness: 1e4,
            stiffness_ratio: 1.0,
            static_friction: 0.3,
            kinetic_friction: 0.3,
            unloading,
        };
        let outcome = collision.as_ref().and_then(|c| law.resolve(c).ok());
        let lasting = if unloading == Unloading::Steep { 1.0 + e } else { 1.0 + 1.0 / e };
        let exact = std::f64::consts::FRAC_PI_2 * lasting * (0.5_f64 / 1e4).sqrt();
        let duration = outcome.and_then(|o| o.course).and_then(|course| course.duration).unwrap_or(f64::NAN);
        worst_e = worst_e.max((restitution(collision.as_ref(), outcome.as_ref()) - e).abs());
        worst_t = worst_t.max((duration / exact - 1.0).abs());
    }
    vec![
        Check::formula("8.4", "bilinear springs head-on: restitution", "e", "two models, four e", worst_e),
        Check::formula(
            "8.4",
            "bilinear springs head-on: duration",
            "(π/2)(1 + e)√(m/k), (π/2)(1 + 1/e)√(m/k)",
            "two models, four e",
            worst_t,
        ),
    ]
}

/// Impulse ratio of a puck on springs of e = 1 at this incidence, and the angle from which it slips throughout.
fn puck(degrees: f64) -> (f64, f64) {
    let theta = degrees.to_radians();
    let law = StrongeCompliant { restitution: 1.0, stiffness: 1e3, stiffness_ratio: 0.8, friction: 0.16 };
    let answer = Collision::planar([[1.0 / 3.0, 0.0], [0.0, 1.0]], [-theta.cos(), theta.sin()])
        .ok()
        .and_then(|collision| Some((law.resolve(&collision).ok()?, law.regimes(&collision)?)));
    answer.map_or((f64::NAN, f64::NAN), |(outcome, (_, slips_above))| {
        (-outcome.impulse.y / outcome.impulse.x, slips_above.atan().to_degrees())
    })
}

/// A number that would stand out on the page where there is none.
fn number(found: Result<f64, carom::Error>) -> f64 {
    found.unwrap_or(f64::NAN)
}

pub fn checks() -> Vec<Check> {
    let mut checks = split_mass();
    let growing = [
        (0.1, "0.93747558"),
        (0.5, "0.74843493"),
        (1.0, "0.59362426"),
        (2.0, "0.41071969"),
        (5.0, "0.19698025"),
        (10.0, "0.09998162"),
    ];
    for (a, printed) in growing {
        checks.push(Check::number("(8.3)", format!("e(a), a = {a}"), printed, number(GrowingDashpot::restitution(a))));
        checks.push(Check::number("8.2", format!("e(a) followed in time, a = {a}"), printed, followed_growing(a)));
    }
    for (e, printed) in [(0.9, "0.166482"), (0.5, "1.432751"), (0.2, "4.919167")] {
        checks.push(Check::number("(8.3)", format!("a(e), e = {e}"), printed, number(GrowingDashpot::speed_ratio(e))));
    }
    let linear = [
        (0.05, "0.85875810"),
        (0.1, "0.74407940"),
        (0.2, "0.57174003"),
        (0.4, "0.36352686"),
        (0.7, "0.21028456"),
        (1.0, "0.13533528"),
        (1.5, "0.07558831"),
        (2.0, "0.04776873"),
        (5.0, "0.00928452"),
    ];
    for (zeta, printed) in linear {
        let restitution = number(LinearDashpot::restitution(zeta));
        checks.push(Check::number("(8.4)", format!("e(ζ), ζ = {zeta}"), printed, restitution));
        checks.push(Check::number("8.3", format!("e(ζ) followed in time, ζ = {zeta}"), printed, followed_linear(zeta)));
    }
    let inverse = linear.iter().fold(0.0_f64, |worst, (zeta, _)| {
        let back = LinearDashpot::restitution(*zeta).and_then(LinearDashpot::damping_ratio);
        worst.max((number(back) / zeta - 1.0).abs())
    });
    checks.push(Check::formula("(8.4)", "its inverse ζ(e)", "ζ(e(ζ)) = ζ", "nine ζ", inverse));
    checks.extend(bilinear_springs());
    for (ratio, printed) in [(5.0, "0.357"), (0.05, "0.4838"), (0.25, "0.50000000")] {
        let what = format!("elements of e = 0.5 along eigenvectors, k₂/k₁ = {ratio}: e without friction");
        checks.push(Check::number("8.5", what, printed, along_eigenvectors(ratio)));
    }
    checks.push(Check::number("11.3", "puck on springs: critical angle, degrees", "37.23", puck(35.0).1));
    checks.push(Check::number("11.3", "puck on springs at 35°: impulse ratio", "0.15778", puck(35.0).0));
    checks.push(Check::number("11.3", "puck on springs at 40°: impulse ratio", "0.16000", puck(40.0).0));
    checks
}
