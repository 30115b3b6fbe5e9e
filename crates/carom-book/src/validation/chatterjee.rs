//! Chatterjee 1997: tables 7.1 and 7.2, and collisions F1–F10 computed a second time by an independent program.
//!
//! The thesis' frame has its second axis opposing the slip, V = (−v_n, −v_t); the collisions are given in that frame.

use super::Check;
use carom::laws::{self, Inapplicable};
use carom::{Collision, ContactOutcome};
use nalgebra::{Matrix3, Vector3};

/// tan of the rod's angle in chapter 7.5: θ = π/10.
const ROD_ANGLE: f64 = std::f64::consts::PI / 10.0;

/// Tables 7.1 and 7.2: law and parameters; λ; V_fN, V_fT and ΔE as printed.
const TABLE_7_1: &str = "
routh-poisson | 4   | 0.247214 -0.069222 -0.368355
routh-poisson | 20  | 0.092121 0 -0.422836
routh-poisson | 100 | 0.021158 0 -0.479733
routh-poisson | 500 | 0.004357 0 -0.495706
routh-poisson | inf | 0 0 -0.5
whittaker     | 4   | 0.247214 -0.069222 -0.368355
whittaker     | 20  | 0.247214 0 0.055704
whittaker     | 100 | 0.247214 0 2.26685
whittaker     | 500 | 0.247214 0 13.3226
smith         | 4   | 0.247214 -0.069222 -0.368355
smith         | 20  | 0.247214 0.432100 -0.278047
smith         | 100 | 0.247214 0.657373 -0.202765
smith         | 500 | 0.247214 0.736339 -0.184037
smith         | inf | 0.247214 0.760845 -0.180000";

/// r_t; λ; P_N, P_T, V_fN, V_fT and ΔE as printed.
const TABLE_7_2: &str = "
0.6 | 10  | 1.748086 0.874043 0.247214 0.310244 -0.334068
0.6 | 1e3 | 28.94058 -8.01963 0.126185 0.291269 0
0.6 | 1e5 | 300.9031 -96.6829 0.0132927 0.0306830 0
0.6 | 1e7 | 3007.798 -976.238 0.0013300 0.0030700 0
0.8 | 10  | 1.748086 0.874043 0.247214 0.310244 -0.334068
0.8 | 1e3 | 2.287176 1.143588 0.247214 0.754950 -0.182810
0.8 | 1e5 | 2.294251 1.147126 0.247214 0.760786 -0.1800283
0.8 | 1e7 | 2.294322 1.147161 0.247214 0.760845 -0.1800003
0.8 | inf | 2.294323 1.147161 0.247214 0.760845 -0.18
0.9 | 10  | 1.748086 0.874043 0.247214 0.310244 -0.334068
0.9 | 1e3 | 2.257637 1.128818 0.240030 0.732916 -0.200994
0.9 | 1e5 | 2.283677 1.141839 0.244650 0.752896 -0.186630
0.9 | 1e7 | 2.293140 1.146570 0.246927 0.759962 -0.180742
0.9 | inf | 2.294323 1.147161 0.247214 0.760845 -0.18";

/// Collisions of the theory notes, each recomputed there by an independent program: name | M | V; then, per line,
/// law and parameters : P : V after : ΔE (an entry left empty was not given).
const COLLISIONS: &str = "
F1, e = 0 | 1 -.5 -.5 1 | -1 -1
routh-poisson e=0 mu=.4 : .625 .25 : 0 -.25 : -.46875
whittaker e=0 mu=.4 : .625 .25 : 0 -.25 : -.46875
smith e=0 mu=.4 : .625 .25 : 0 -.25 : -.46875
pfeiffer-glocker e=0 mu=.4 nu=1 rt=.5 : .625 .25 : 0 -.25 : -.46875
chatterjee-1 e=0 rt=.5 mu=.4 : .625 .25 : 0 -.25 : -.46875
chatterjee-2 e=0 rt=.5 mu=.4 : .625 .25 : 0 -.25 : -.46875
chatterjee-3 e=0 rt=.5 mu=.4 : .625 .25 : 0 -.25 : -.46875

F1, e = ½ | 1 -.5 -.5 1 | -1 -1
whittaker e=.5 mu=.4 : 1 .25 : .5 0 : -.375
routh-poisson e=.5 mu=.4 : .9375 .291667 : .444444 .013889 : -.404225
smith e=.5 mu=.4 : .941709 .366582 : .5 .116582 : -.397350
pfeiffer-glocker e=.5 mu=.4 nu=1 rt=.5 : .9375 .3125 : .458333 .041667 : -.403646
chatterjee-1 e=.5 rt=.5 mu=.4 : .9375 .375 : .5 .125 : -.398438
chatterjee-2 e=.5 rt=.5 mu=.4 : .9375 .375 : .5 .125 : -.398438
chatterjee-3 e=.5 rt=.5 mu=.4 : .9375 .375 : .5 .125 : -.398438

F1, e = 1 | 1 -.5 -.5 1 | -1 -1
whittaker e=1 mu=.4 : 1.5 0 : 1 0 : 0
routh-poisson e=1 mu=.4 : 1.25 .166667 : .777778 .055556 : -.217593
smith e=1 mu=.4 : 1.306656 .386689 : 1 .386689 : -.118580
pfeiffer-glocker e=1 mu=.4 nu=1 rt=.5 : 1.25 .375 : .916667 .333333 : -.177083
chatterjee-1 e=1 rt=.5 mu=.4 : 1.25 .5 : 1 .5 : -.125
chatterjee-2 e=1 rt=.5 mu=.4 : 1.25 .5 : 1 .5 : -.125
chatterjee-3 e=1 rt=.5 mu=.4 : 1.25 .5 : 1 .5 : -.125

F2, in space | 1 -.3 .2 -.3 .8 .1 .2 .1 .6 | -1 -.7 0
chatterjee-1 e=.6 rt=.4 mu=.2 : 1.167059 .233412 0 : .6 .278824 -.696471 : -.282566
chatterjee-2 e=.6 rt=.4 mu=.2 : 1.265377 .175544 .182295 : .6 .166163 -.373868 : -.334009
chatterjee-3 e=.6 rt=.4 mu=.2 : 1.286099 .151289 .208023 : .6 .129726 -.324916 : -.334153
chatterjee-combined e=.6 rt=.4 mu=.2 s1=.2 s2=.3 : 1.256074 .174990 .158700 : : -.330390
smith e=.6 mu=.2 : 1.245823 .133684 .089861 : .6 .132392 -.522297 : -.310572
routh-poisson e=.6 mu=.2 : 1.226528 .130006 .160965 : .537328 .085899 -.375150 : -.353852
routh-poisson e=.6 mu=.6 : 1.264 .1178 .3648 : .474 0 0 : -.373662
routh-poisson e=0 mu=.6 : .79 .26 .27 : 0 0 0 : -.486
routh-poisson e=1 mu=.6 : 1.58 .023 .428 : : -.17395
chatterjee-1 e=.6 rt=.4 mu=.6 : 1.047887 .513465 0 : .6 .636338 -.756056 : -.225922
chatterjee-2 e=.6 rt=.4 mu=.6 : 1.264298 .364 .378 : .6 .365106 -.080851 : -.329091
chatterjee-3 e=.6 rt=.4 mu=.6 : 1.306 .304 .418 : .6 .28 0 : -.32504
chatterjee-combined e=.6 rt=.4 mu=.6 s1=.2 s2=.3 : 1.241867 .363893 .3224 : : -.335464
smith e=.6 mu=.6 : 1.212334 .308851 .191405 : .6 .334404 -.386726 : -.335935
smith e=.6 mu=2 : 1.186943 .497231 .326893 : : -.307726
chatterjee-1 e=.6 rt=.4 mu=2 : 1.047887 .513465 0 : : -.225922
chatterjee-2 e=.6 rt=.4 mu=2 : 1.264298 .364 .378 : : -.329091
chatterjee-3 e=.6 rt=.4 mu=2 : 1.306 .304 .418 : : -.32504

F3, sphere, v_t = 0.2 | 1 0 0 0 .2857142857142857 0 0 0 .2857142857142857 | -1 -.2 0
bilinear e=.9 rt=.5 mu=.3 : 1.9 .085714 0 : .9 .1 0 :
bilinear e=.9 rt=-1 mu=.3 : 1.9 0 0 : .9 -.2 0 :
bilinear e=1 rt=1 mu=10 : 2 .114286 0 : 1 .2 0 :

F3, sphere, v_t = 2 | 1 0 0 0 .2857142857142857 0 0 0 .2857142857142857 | -1 -2 0
bilinear e=.9 rt=.5 mu=.3 : 1.9 .57 0 : .9 -.005 0 :

F5, μ = 10⁷ | 1 -.9 -.9 1 | -.6 -1
routh-poisson e=0 mu=1e7 : 0 .126667 : 0 -.333333 : -.084444
whittaker e=0 mu=1e7 : 0 .126667 : 0 -.333333 : -.084444
smith e=0 mu=1e7 : 0 .126667 : 0 -.333333 : -.084444
routh-poisson e=.5 mu=1e7 : 0 .19 : .3 0 : -.095
whittaker e=.5 mu=1e7 : 0 .19 : .3 0 : -.095
smith e=.5 mu=1e7 : 0 .19 : .3 0 : -.095
routh-poisson e=.75 mu=1e7 : 0 .19 : : -.095
whittaker e=.75 mu=1e7 : .15 .055 : : -.03875
smith e=.75 mu=1e7 : 0 .221667 : : -.092361
routh-poisson e=1 mu=1e7 : 0 .19 : : -.095
whittaker e=1 mu=1e7 : .3 -.08 : : .04
smith e=1 mu=1e7 : 0 .253333 : : -.084444

F6 (b), law I without loss | 1 .4 .4 1 | -1 -1
chatterjee-1 e=.5 rt=1 mu=2 : 2.290909 3.054545 : .272727 1.545455 : 0

F6 (c), law I with e_n = 2.82 | 1 .7 .7 1 | -.5 -1
chatterjee-1 e=.8 rt=1 mu=2 : 2.596364 2.318182 : 1.409091 -.018182 : 0

F6', law III with γ > 1 | 1 -.9 -.9 1 | -.6 -1
chatterjee-3 e=1 rt=0 mu=1 : .229150 -.016235 : .529150 0 : 0
chatterjee-3 e=1 rt=-1 mu=1e7 : .208131 -.061681 : .203252 -.338754 :
chatterjee-3 e=.8 rt=-.5 mu=.5 : .215192 -.056300 : :

F7, tangential, V_n = 0 | 1 .9 .9 1 | 0 -1
chatterjee-1 e=.5 rt=.5 mu=1.5 : 1.761818 1.554545 : 1.909091 -1.163636 : 0
chatterjee-1 e=.5 rt=-1 mu=1.5 : 0 0 : 0 -1 : 0
chatterjee-2 e=.5 rt=.5 mu=1.5 : 1.35 1.5 : 0 .5 : -.375
chatterjee-3 e=.5 rt=.5 mu=1.5 : 1.35 1.5 : 0 .5 : -.375
chatterjee-2 e=.5 rt=0 mu=1.5 : .9 1 : 0 0 : -.5
whittaker e=.5 mu=1.5 : .9 1 : 0 0 : -.5
routh-poisson e=0 mu=1.5 : .9 1 : 0 0 : -.5
smith e=.5 mu=1.5 : 1.247330 1.385922 : 0 .385922 : -.425532
routh-poisson e=.5 mu=1.5 : 1.35 1.405 : .45 0 : -.39875
routh-poisson e=1 mu=1.5 : 1.8 1.81 : .9 0 : -.095
chatterjee-1 e=.5 rt=.5 mu=1 : 0 0 : 0 -1 : 0
chatterjee-2 e=.5 rt=.5 mu=1 : 0 0 : 0 -1 : 0
chatterjee-3 e=.5 rt=.5 mu=1 : 0 0 : 0 -1 : 0
whittaker e=.5 mu=1 : 0 0 : 0 -1 : 0
routh-poisson e=.5 mu=1 : 0 0 : 0 -1 : 0
smith e=.5 mu=1 : 0 0 : 0 -1 : 0

F8, law II against the span condition | 1 .1 0 .1 .8 .5 0 .5 .6 | -1 -.5 0
chatterjee-2 e=.5 rt=.5 mu=.5 : 1.567548 .701029 .350514 : .5 .175478 .021292 :

F8, law III against the span condition | 1 .3 -.2 .3 .8 -.5 -.2 -.5 .6 | -1 -.5 0
chatterjee-3 e=.5 rt=.5 mu=.5 : 1.580178 .664606 -.427247 : .5 -.216782 .023938 :

F9, three solutions of Whittaker's law | 1 .4 -.6 .4 1 -.3 -.6 -.3 1 | -.01 -1 0
whittaker e=.5 mu=3 : .415 1.006 -.309 : .005 0 0 : -.504038

F10, Routh against the span condition, first | 1 -.6 .5 -.6 .5 -.4 .5 -.4 2 | -2 -1 0
routh-poisson e=1 mu=.5 : 1.953174 -.823164 .193326 : 1.470502 1.263695 -.318224 :

F10, Routh against the span condition, second | 1 -.6 -.2 -.6 2 .7 -.2 .7 2 | -2 -1 0
routh-poisson e=1 mu=.3 : 3.011020 .185299 .151137 : 1.739428 .204728 .027856 :

Pendulum limit, e = ¼ | inf | -
smith e=.25 mu=.5 : 1.715617 .756890 : :
Pendulum limit, e = ½ | inf | -
smith e=.5 mu=.5 : 2.523834 .757150 : :
Pendulum limit, e = ¾ | inf | -
smith e=.75 mu=.5 : 3.957799 .554092 : :
Pendulum limit, e = 1 | inf | -
routh-poisson e=1 mu=.5 : 2.549247 .223162 : :";

fn numbers(text: &str) -> Vec<f64> {
    text.split_whitespace().map(|word| word.parse().unwrap_or(f64::NAN)).collect()
}

fn sound(collision: Result<Collision, carom::Error>) -> Collision {
    match collision {
        Ok(collision) => collision,
        Err(error) => unreachable!("the thesis' collisions are sound: {error}"),
    }
}

/// Chapter 7.5: eigenvalue 1 along p = (sin θ, cos θ), λ along the rod; V = −p.
fn pendulum(lambda: f64) -> Collision {
    let (s, c) = ROD_ANGLE.sin_cos();
    let along = if lambda.is_finite() { 1.0 / lambda } else { 0.0 };
    sound(Collision::planar(
        [[s * s + along * c * c, s * c * (1.0 - along)], [s * c * (1.0 - along), c * c + along * s * s]],
        [-s, -c],
    ))
}

/// M and V as rows of numbers; 2 × 2 is planar, `inf` the pendulum's limit.
fn collision(mass: &str, velocity: &str) -> Collision {
    if mass == "inf" {
        return pendulum(f64::INFINITY);
    }
    match (numbers(mass).as_slice(), numbers(velocity).as_slice()) {
        (&[a, b, _, d], &[n, t]) => {
            let det = a * d - b * b;
            sound(Collision::planar([[d / det, -b / det], [-b / det, a / det]], [n, t]))
        }
        (m, v) => {
            let w = Matrix3::from_row_slice(m).try_inverse().unwrap_or_else(Matrix3::zeros);
            sound(Collision::new(&((w + w.transpose()) * 0.5), &Vector3::from_row_slice(v)))
        }
    }
}

fn resolve(id: &str, words: &[&str], collision: &Collision) -> Result<ContactOutcome, Inapplicable> {
    let value =
        |symbol: &str| words.iter().find_map(|word| word.strip_prefix(symbol)?.strip_prefix('=')?.parse::<f64>().ok());
    let bound = laws::find(id).and_then(|law| {
        law.bind_from(|key| match key {
            "restitution" => value("e"),
            "friction" => value("mu"),
            "tangential_restitution" => value("rt"),
            "stored_friction" => value("nu"),
            "share_1" => value("s1"),
            "share_2" => value("s2"),
            _ => None,
        })
    });
    match bound {
        Ok(bound) => bound.resolve_collision(collision),
        Err(error) => unreachable!("the catalogue's parameters are sound: {error}"),
    }
}

pub fn checks() -> Vec<Check> {
    let mut checks = table_7_1();
    checks.extend(table_7_2());
    checks.extend(text_numbers());
    let mut current = None;
    for line in COLLISIONS.lines().filter(|line| !line.is_empty()) {
        if let [name, mass, velocity] = line.split(" | ").collect::<Vec<_>>()[..] {
            current = Some((name, collision(mass.trim(), velocity)));
        } else if let Some((name, collision)) = &current {
            checks.extend(fixture(name, collision, line));
        }
    }
    checks.extend(other_solutions());
    checks
}

fn fixture(name: &str, collision: &Collision, line: &str) -> Vec<Check> {
    let mut fields = line.split(':').map(str::trim);
    let law = fields.next().unwrap_or_default();
    let words: Vec<&str> = law.split_whitespace().collect();
    let outcome = resolve(words[0], &words[1..], collision);
    let ours = |field: usize, component: usize| match &outcome {
        Ok(outcome) => match field {
            0 => outcome.impulse[component],
            1 => outcome.velocity_after[component],
            _ => collision.energy_change(&outcome.impulse),
        },
        Err(_) => f64::NAN,
    };
    let names: [&[&str]; 3] = [&["P_n", "P_t", "P_b"], &["V_n after", "V_t after", "V_b after"], &["ΔE"]];
    fields
        .enumerate()
        .flat_map(|(field, printed)| {
            let label = format!("{name}: `{}` {}", words[0], words[1..].join(" "));
            printed
                .split_whitespace()
                .enumerate()
                .map(|(component, printed)| {
                    let what = format!("{label}, {}", names[field][component]);
                    Check::six_decimals("second program", what, printed, ours(field, component))
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

fn table_7_1() -> Vec<Check> {
    let mut checks = Vec::new();
    for row in TABLE_7_1.lines().filter(|row| !row.is_empty()) {
        let [law, lambda, printed] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else { continue };
        let collision = pendulum(lambda.parse().unwrap_or(f64::NAN));
        let outcome = resolve(law, &["e=.8", "mu=.5"], &collision);
        let ours = outcome
            .map_or([f64::NAN; 3], |o| [o.velocity_after.x, o.velocity_after.y, collision.energy_change(&o.impulse)]);
        for ((name, printed), ours) in ["V_fN", "V_fT", "ΔE"].iter().zip(printed.split_whitespace()).zip(ours) {
            let what = format!("`{law}`, λ = {}, {name}", lambda.replace("inf", "∞"));
            checks.push(if printed == "0" {
                Check::six_decimals("table 7.1", what, printed, ours)
            } else {
                Check::number("table 7.1", what, printed, ours)
            });
        }
    }
    let unbounded = resolve("whittaker", &["e=.8", "mu=.5"], &pendulum(f64::INFINITY));
    checks.push(Check::formula(
        "table 7.1",
        "`whittaker`, λ = ∞",
        "ΔE = ∞",
        "no answer: the impulse grows without bound",
        f64::from(u8::from(unbounded != Err(Inapplicable::UnboundedImpulse))),
    ));
    checks
}

fn table_7_2() -> Vec<Check> {
    let mut checks = Vec::new();
    for row in TABLE_7_2.lines().filter(|row| !row.is_empty()) {
        let [tangential, lambda, printed] = row.split('|').map(str::trim).collect::<Vec<_>>()[..] else { continue };
        let collision = pendulum(lambda.parse().unwrap_or(f64::NAN));
        let outcome = resolve("chatterjee-3", &["e=.8", "mu=.5", &format!("rt={tangential}")], &collision);
        let ours = outcome.map_or([f64::NAN; 5], |o| {
            let (p, v) = (o.impulse, o.velocity_after);
            [p.x, p.y, v.x, v.y, collision.energy_change(&p)]
        });
        for ((name, printed), ours) in
            ["P_N", "P_T", "V_fN", "V_fT", "ΔE"].iter().zip(printed.split_whitespace()).zip(ours)
        {
            let what = format!("law III, r_t = {tangential}, λ = {}, {name}", lambda.replace("inf", "∞"));
            checks.push(if printed == "0" {
                Check::six_decimals("table 7.2", what, printed, ours)
            } else {
                Check::number("table 7.2", what, printed, ours)
            });
        }
    }
    let unbounded = resolve("chatterjee-3", &["e=.8", "mu=.5", "rt=.6"], &pendulum(f64::INFINITY));
    checks.push(Check::formula(
        "table 7.2",
        "law III, r_t = 0.6, λ = ∞",
        "P = ∞",
        "no answer: the impulse grows without bound",
        f64::from(u8::from(unbounded != Err(Inapplicable::UnboundedImpulse))),
    ));
    checks
}

/// Statements of chapter 7 that the pseudo-code of 6.7 does not bear out.
fn text_numbers() -> Vec<Check> {
    // Figure 7.11 gives law I the whole trapezoid ABED, hence the cone's ratio ½ at the far end E for r_n = r_t = 1.
    let far_end = resolve("chatterjee-1", &["e=1", "rt=1", "mu=.5"], &pendulum(f64::INFINITY));
    let ratio = far_end.map_or(f64::NAN, |o| o.impulse.y / o.impulse.x);
    // Figure 7.9: the angle of CG, stated for all of it, holds at C (r_n = 0) only.
    let cut = collision("1 -.9 -.9 1", "-.6 -1");
    let slope =
        |e: &str| resolve("chatterjee-1", &[e, "rt=1", "mu=1e7"], &cut).map_or(f64::NAN, |o| o.impulse.y / o.impulse.x);
    vec![
        Check::number("7.5, fig. 7.11", "law I, r_n = r_t = 1: greatest P_T/P_N (point E)", "0.5", ratio).contradicts(
            &format!("{ratio:.6}"),
            "by the thesis' own pseudo-code law I reaches min(μ, 2 tan θ/(1 + r_n)): the trapezoid is law II's alone",
        ),
        Check::six_decimals("7.4, fig. 7.9", "law I, μ → ∞: tan β at C (r_n = 0)", "3.333333", slope("e=0")),
        Check::six_decimals("7.4, fig. 7.9", "law I, μ → ∞: tan β at G (r_n = 1)", "3.333333", slope("e=1"))
            .contradicts(
                &format!("{:.6}", slope("e=1")),
                "the slope is tan β/(1 + r_n): the boundary CG is a curve, straight only for a diagonal mass matrix",
            ),
    ]
}

/// The two slip solutions of F9, which Whittaker's law reports beside the one it takes.
fn other_solutions() -> Vec<Check> {
    let collision = collision("1 .4 -.6 .4 1 -.3 -.6 -.3 1", "-.01 -1 0");
    let outcome = resolve("whittaker", &["e=.5", "mu=3"], &collision);
    let mut found: Vec<(Vector3<f64>, f64)> = outcome.map_or_else(
        |_| Vec::new(),
        |outcome| {
            let others = outcome.notes.iter().filter_map(|note| match note {
                carom::ContactNote::OtherSolution { impulse, energy_change, .. } => Some((*impulse, *energy_change)),
                _ => None,
            });
            others.collect()
        },
    );
    found.sort_by(|a, b| b.0.x.total_cmp(&a.0.x));
    let printed = [[".136395", ".405318", "-.056124", "-.322120"], [".045775", ".137133", "-.007241", "-.127491"]];
    let mut checks = Vec::new();
    for (k, row) in printed.iter().enumerate() {
        let ours = found.get(k).map_or([f64::NAN; 4], |(p, energy)| [p.x, p.y, p.z, *energy]);
        for ((name, printed), ours) in ["P_n", "P_t", "P_b", "ΔE"].iter().zip(row).zip(ours) {
            let what = format!("F9: `whittaker` e=.5 mu=3, slip solution {}, {name}", k + 1);
            checks.push(Check::six_decimals("second program", what, printed, ours));
        }
    }
    let count = found.len() as f64;
    checks.push(Check::number("5.1.2", "F9: number of solutions of Whittaker's law", "1", 1.0 + count).contradicts(
        &format!("{}", 1.0 + count),
        "the conditions are said to be sufficient to determine the outcome; in space they are not",
    ));
    checks
}
