//! Fits to synthetic collisions whose truth is known.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "tests; rates are printed")]

use carom::laws::find;
use carom::{Collision, laws::BoundLaw};
use carom_study::fit::{
    Errors, Fault, FitError, Measurements, Model, Settings, bootstrap, compare, fit, impossible, reach,
};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::fmt::Write;

const SD: f64 = 0.01;

fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let (first, second): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}

fn bound(law: &str, parameters: &[(&str, f64)]) -> BoundLaw {
    find(law).unwrap().bind(parameters).unwrap()
}

/// Planar collisions by a law, with errors of V before and after, as a file.
fn file(law: &BoundLaw, rows: usize, seed: u64, before_sd: f64) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut text = String::from(
        "w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after,vn_before_sd,vt_before_sd,vn_after_sd,vt_after_sd\n",
    );
    let mut written = 0;
    while written < rows {
        let (w_nn, w_tt) = (random.random_range(0.5..2.0), random.random_range(1.0..4.0));
        let w_nt = random.random_range(-0.5..0.5);
        let v = [random.random_range(-1.5..-0.5), random.random_range(-2.0..2.0)];
        let collision = Collision::planar([[w_nn, w_nt], [w_nt, w_tt]], v).unwrap();
        let Ok(outcome) = law.resolve_collision(&collision) else { continue };
        let mut noisy = |value: f64, sd: f64| value + sd * normal(&mut random);
        let values = [
            noisy(v[0], before_sd),
            noisy(v[1], before_sd),
            noisy(outcome.velocity_after.x, SD),
            noisy(outcome.velocity_after.y, SD),
        ];
        let [a, b, c, d] = values;
        let sd = before_sd.max(1e-9);
        writeln!(text, "{w_nn},{w_nt},{w_tt},{a},{b},{c},{d},{sd},{sd},{SD},{SD}").unwrap();
        written += 1;
    }
    text
}

fn model(law: &str) -> Model {
    let law = find(law).unwrap();
    Model::new(law, &Model::usual(law), &[], &[]).unwrap()
}

#[test]
fn collisions_without_errors_give_the_parameters_back() {
    let laws: [(&str, &[(&str, f64)]); 6] = [
        ("routh-poisson", &[("restitution", 0.7), ("friction", 0.25)]),
        ("routh-stronge", &[("restitution", 0.6), ("friction", 0.3)]),
        ("smith", &[("restitution", 0.8), ("friction", 0.2)]),
        ("whittaker", &[("restitution", 0.5), ("friction", 0.1)]),
        ("chatterjee-2", &[("restitution", 0.9), ("tangential_restitution", 0.4), ("friction", 0.5)]),
        ("ivanov", &[("restitution", 0.75), ("friction", 0.3)]),
    ];
    for (id, parameters) in laws {
        let law = bound(id, parameters);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut text = String::from("w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n");
        for _ in 0..40 {
            let (w_nn, w_tt, w_nt) =
                (random.random_range(0.5..2.0), random.random_range(1.0..4.0), random.random_range(-0.5..0.5));
            let v = [random.random_range(-1.5..-0.5), random.random_range(-2.0..2.0)];
            let after = law.resolve_collision(&Collision::planar([[w_nn, w_nt], [w_nt, w_tt]], v).unwrap());
            let after = after.unwrap().velocity_after;
            writeln!(text, "{w_nn},{w_nt},{w_tt},{},{},{},{}", v[0], v[1], after.x, after.y).unwrap();
        }
        let data = Measurements::parse(&text, None).unwrap();
        let free: Vec<&str> = parameters.iter().map(|(key, _)| *key).collect();
        let model = Model::new(law.law(), &free, &[], &[]).unwrap();
        for errors in [Errors::Equal, Errors::Energy] {
            let found = fit(&data, &model, &Settings { errors, profiles: false, ..Settings::default() }).unwrap();
            for (estimate, (key, truth)) in found.estimates.iter().zip(parameters) {
                assert!((estimate.value - truth).abs() < 1e-6, "{id} {key}: {} instead of {truth}", estimate.value);
            }
        }
    }
}

/// Rates of binomial counts: within four standard deviations.
fn is_rate(count: usize, of: usize, rate: f64) -> bool {
    let (mean, deviation) = (of as f64 * rate, (of as f64 * rate * (1.0 - rate)).sqrt());
    (count as f64 - mean).abs() <= 4.0 * deviation
}

/// With errors in V before as large as in V after, which weights by V after alone would understate.
#[test]
fn intervals_cover_the_truth_at_their_rate() {
    const SETS: usize = 200;
    let truth = [0.7, 0.25];
    let law = bound("routh-poisson", &[("restitution", truth[0]), ("friction", truth[1])]);
    let (mut by_error, mut by_profile, mut pulls) = ([0; 2], [0; 2], [0.0; 2]);
    for set in 0..SETS {
        let data = Measurements::parse(&file(&law, 60, 1000 + set as u64, SD), None).unwrap();
        let found = fit(&data, &model("routh-poisson"), &Settings { starts: 2, ..Settings::default() }).unwrap();
        for k in 0..2 {
            let estimate = &found.estimates[k];
            let error = estimate.standard_error.unwrap();
            by_error[k] += usize::from((estimate.value - truth[k]).abs() <= 1.96 * error);
            let interval = estimate.interval.unwrap();
            by_profile[k] += usize::from((interval.low..=interval.high).contains(&truth[k]));
            pulls[k] += ((estimate.value - truth[k]) / error).powi(2) / SETS as f64;
        }
    }
    println!("of {SETS}: standard errors {by_error:?}, profiles {by_profile:?}, squares of pulls {pulls:?}");
    for count in by_error.into_iter().chain(by_profile) {
        assert!(is_rate(count, SETS, 0.95), "{by_error:?} {by_profile:?}");
    }
}

#[test]
fn the_law_that_made_the_data_is_chosen() {
    const SETS: usize = 25;
    let laws = ["routh-poisson", "smith", "whittaker", "chatterjee-2"];
    let candidates: Vec<_> = laws.iter().map(|id| find(id).unwrap()).collect();
    let mut chosen = 0;
    for (place, id) in laws.iter().enumerate() {
        let law = find(id).unwrap().bind_from(|key| match key {
            "restitution" => Some(0.7),
            "friction" => Some(0.25),
            _ => None,
        });
        let law = law.unwrap();
        for set in 0..SETS {
            let data = Measurements::parse(&file(&law, 60, (100 * place + set) as u64, 0.0), None).unwrap();
            let settings = Settings { starts: 2, ..Settings::default() };
            let comparison = compare(&data, &candidates, &[], &settings, &mut |_| true).unwrap();
            chosen += usize::from(comparison.candidates[0].law.id == *id);
        }
    }
    println!("{chosen} of {} chosen", SETS * laws.len());
    assert!(chosen * 100 >= 98 * SETS * laws.len(), "{chosen}");
}

#[test]
fn bootstraps_agree_with_standard_errors_and_do_not_depend_on_threads() {
    let law = bound("routh-poisson", &[("restitution", 0.7), ("friction", 0.25)]);
    let data = Measurements::parse(&file(&law, 200, 5, 0.0), None).unwrap();
    let settings = Settings { starts: 2, ..Settings::default() };
    let found = fit(&data, &model("routh-poisson"), &settings).unwrap();
    let draw = |threads: usize| bootstrap(&data, &found, &settings, 200, 9, threads, &mut |_| true).unwrap();
    let (one, three) = (draw(1), draw(3));
    assert_eq!(one.samples, three.samples);
    for k in 0..2 {
        let ratio = one.deviation(k) / found.estimates[k].standard_error.unwrap();
        assert!((0.7..1.4).contains(&ratio), "{ratio}");
    }
    assert!(matches!(bootstrap(&data, &found, &settings, 200, 9, 2, &mut |_| false), Err(FitError::Stopped)));
}

#[test]
fn groups_have_values_of_their_own() {
    let mut text = String::from("group,w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n");
    for (group, e) in [("a", 0.5), ("b", 0.9)] {
        let law = bound("routh-poisson", &[("restitution", e), ("friction", 0.2)]);
        for step in 0..12 {
            let v = [-1.0, -1.5 + 0.27 * f64::from(step)];
            let after = law.resolve_collision(&Collision::planar([[1.0, 0.2], [0.2, 3.0]], v).unwrap()).unwrap();
            let after = after.velocity_after;
            writeln!(text, "{group},1,0.2,3,{},{},{},{}", v[0], v[1], after.x, after.y).unwrap();
        }
    }
    let data = Measurements::parse(&text, None).unwrap();
    let law = find("routh-poisson").unwrap();
    let model = Model::new(law, &["restitution@group", "friction"], &[], &[]).unwrap();
    let settings = Settings { errors: Errors::Equal, ..Settings::default() };
    let found = fit(&data, &model, &settings).unwrap();
    let names: Vec<&str> = found.estimates.iter().map(|estimate| estimate.name.as_str()).collect();
    assert_eq!(names, ["restitution@a", "restitution@b", "friction"]);
    for (estimate, truth) in found.estimates.iter().zip([0.5, 0.9, 0.2]) {
        assert!((estimate.value - truth).abs() < 1e-6, "{estimate:?}");
    }
    let compared = compare(&data, &[law], &["restitution@group"], &settings, &mut |_| true).unwrap();
    // A group that is left out would say nothing of its own value.
    assert!(!compared.by_group && compared.parts == 5);
}

/// Planar collisions without errors whose parameters depend on the row, with a column `heat`.
fn heated(rows: usize, parameters: impl Fn(f64) -> [f64; 2]) -> String {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut text = String::from("w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after,heat,note\n");
    for _ in 0..rows {
        let heat = random.random_range(10.0..30.0);
        let [restitution, friction] = parameters(heat);
        let law = bound("routh-poisson", &[("restitution", restitution), ("friction", friction)]);
        let v = [random.random_range(-1.5..-0.5), random.random_range(-2.0..2.0)];
        let after = law.resolve_collision(&Collision::planar([[1.0, 0.2], [0.2, 3.0]], v).unwrap()).unwrap();
        let after = after.velocity_after;
        writeln!(text, "1,0.2,3,{},{},{},{},{heat},x", v[0], v[1], after.x, after.y).unwrap();
    }
    text
}

#[test]
fn parameters_depend_on_columns() {
    let law = find("routh-poisson").unwrap();
    let settings = Settings { errors: Errors::Equal, ..Settings::default() };
    let data = Measurements::parse(&heated(60, |heat| [0.7 - 0.02 * (heat - 20.0), 0.2 + 0.004 * heat]), None).unwrap();
    let mean = data.column("heat").unwrap().mean;
    let model = Model::new(law, &["restitution~heat", "friction~heat+incidence"], &[], &[]).unwrap();
    let found = fit(&data, &model, &settings).unwrap();
    let names: Vec<&str> = found.estimates.iter().map(|estimate| estimate.name.as_str()).collect();
    assert_eq!(names, ["restitution", "restitution~heat", "friction", "friction~heat", "friction~incidence"]);
    // Above 1 at 10 to 15: there the law's bound holds, and the data are those of the truth cut off at 1.
    let cut =
        Measurements::parse(&heated(60, |heat| [(0.9 - 0.02 * (heat - 20.0)).min(1.0), 0.2 + 0.004 * heat]), None);
    let cut = fit(&cut.unwrap(), &model, &settings).unwrap();
    for (found, middle) in [(found, 0.7), (cut, 0.9)] {
        let truth = [middle - 0.02 * (mean - 20.0), -0.02, 0.2 + 0.004 * mean, 0.004, 0.0];
        for (estimate, truth) in found.estimates.iter().zip(truth) {
            assert!((estimate.value - truth).abs() < 1e-6, "{estimate:?} instead of {truth}");
        }
    }
    for (name, expected) in [
        ("restitution~het", "no column of numbers `het`; did you mean `heat`?"),
        ("restitution~note", "no column of numbers `note`"),
        ("restitution~w_nn", "`w_nn` is the same in all rows"),
        ("restitution~heat+heat", "columns that differ"),
        ("restitution~", "columns that differ"),
        ("restitution@heat", "expected KEY@group"),
    ] {
        let error = Model::new(law, &[name], &[], &[]).and_then(|model| fit(&data, &model, &settings)).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}\n  instead of {expected}");
    }
}

/// Newton's law is linear in its restitution, so that Cook's distance is the change of the estimate without the collision, squared, over
/// its variance.
#[test]
fn influence_is_the_change_without_the_collision() {
    let newton = find("newton").unwrap();
    let mut text = String::from("w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n");
    for (speed, after) in [(1.0, 0.52), (2.0, 0.9), (3.0, 1.62), (4.0, 1.95), (0.5, 0.31)] {
        writeln!(text, "1,0,3,-{speed},0.3,{after},0.3").unwrap();
    }
    let model = Model::new(newton, &["restitution"], &[], &[]).unwrap();
    let settings = Settings { errors: Errors::Equal, profiles: false, ..Settings::default() };
    let data = Measurements::parse(&text, None).unwrap();
    let all = fit(&data, &model, &settings).unwrap();
    for row in 0..data.rows() {
        let others: Vec<usize> = (0..data.rows()).filter(|other| *other != row).collect();
        let without = fit(&data.select(&others), &model, &settings).unwrap();
        let moved = (without.estimates[0].value - all.estimates[0].value) / all.estimates[0].standard_error.unwrap();
        assert!((all.influence[row] - moved * moved).abs() < 1e-6 * (1.0 + moved * moved), "{row}: {moved}");
    }
}

#[test]
fn reach_is_that_of_each_collision_by_itself() {
    const INSIDE: usize = 300;
    // Of one puck: what routh-poisson reaches with parameters of its own, an impulse with a gain of energy and one against the slip's way.
    let mut text = String::from("w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
    for _ in 0..INSIDE {
        let (e, friction) = (random.random_range(0.1..0.95), random.random_range(0.05..0.4));
        let law = bound("routh-poisson", &[("restitution", e), ("friction", friction)]);
        let v = [random.random_range(-1.5..-0.5), random.random_range(-2.0..2.0)];
        let after = law.resolve_collision(&Collision::planar([[1.0, 0.2], [0.2, 3.0]], v).unwrap()).unwrap();
        let after = after.velocity_after;
        writeln!(text, "1,0.2,3,{},{},{},{}", v[0], v[1], after.x, after.y).unwrap();
    }
    writeln!(text, "1,0,3,-1,1,1.1,1").unwrap();
    writeln!(text, "1,0,3,-1,1,0.5,1.4").unwrap();
    let data = Measurements::parse(&text, None).unwrap();
    let found =
        fit(&data, &model("routh-poisson"), &Settings { errors: Errors::Energy, ..Settings::default() }).unwrap();
    let reached = reach(&data, &found, &mut |_| true).unwrap();
    for row in 0..INSIDE {
        assert!(reached.law[row] < 1e-5, "{row}: {}", reached.law[row]);
    }
    // 1.1 for 1 at most; in the metric of M, with V·MV = 1 + 1/3.
    let speed = (1.0_f64 + 1.0 / 3.0).sqrt();
    assert!((reached.law[INSIDE] - 0.1 / speed).abs() < 1e-6, "{}", reached.law[INSIDE]);
    // Friction would have to push along the slip: without it V_t stays.
    assert!((reached.law[INSIDE + 1] - 0.4 / 3.0_f64.sqrt() / speed).abs() < 1e-6, "{}", reached.law[INSIDE + 1]);
    for row in 0..data.rows() {
        let free = found.estimates.iter().find(|estimate| estimate.name == "friction").unwrap().value;
        let impulse = {
            let change = data.after_of(row) - data.before_of(row);
            let w = data.inverse_mass_of(row);
            let p = w.try_inverse().unwrap() * change.rows(0, 2);
            nalgebra::Vector3::new(p[0], p[1], 0.0)
        };
        let collision = data.collision(row).unwrap();
        let region = carom::impulse_space::AccessibleRegion::new(&collision, free).unwrap();
        assert_eq!(region.contains(&impulse), reached.region[row] == 0.0, "{row}");
    }
}

/// Kernels have no derivatives at infinite friction: differences stand in for them.
#[test]
fn infinite_friction_is_fitted_as_large_friction() {
    for id in ["routh-poisson", "routh-newton", "routh-stronge", "chatterjee-2", "smith", "whittaker", "ivanov"] {
        let law = bound(id, &[("restitution", 0.6), ("friction", f64::INFINITY)]);
        let data = Measurements::parse(&file(&law, 40, 5, SD), None).unwrap();
        let [rough, large] = [f64::INFINITY, 1e4].map(|friction| {
            let fixed = [("friction".to_owned(), friction)];
            let model = Model::new(law.law(), &["restitution"], &fixed, &[]).unwrap();
            fit(&data, &model, &Settings::default()).unwrap()
        });
        let (a, b) = (&rough.estimates[0], &large.estimates[0]);
        let error = b.standard_error.unwrap();
        assert!((a.value - b.value).abs() < 1e-3 * error, "{id}: {a:?} {b:?}");
        assert!((a.standard_error.unwrap() - error).abs() < 1e-3 * error, "{id}: {a:?} {b:?}");
    }
}

#[test]
fn limits_and_decisive_collisions_are_named() {
    // All stick: friction is large enough, but how large?
    let law = bound("routh-poisson", &[("restitution", 0.6), ("friction", f64::INFINITY)]);
    let data = Measurements::parse(&file(&law, 40, 5, 1e-9), None).unwrap();
    let found = fit(&data, &model("routh-poisson"), &Settings::default()).unwrap();
    assert_eq!(found.one_sided(), [("friction", "lower")]);
    // One slips.
    let mut text = String::from("w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n1,0,3,-1,5,0.6,4.04\n");
    for speed in [0.5, 0.7, 1.1, 1.3] {
        writeln!(text, "1,0,3,-{speed},0,{},0", 0.6 * speed + 0.001).unwrap();
    }
    let data = Measurements::parse(&text, None).unwrap();
    let found =
        fit(&data, &model("routh-poisson"), &Settings { errors: Errors::Equal, ..Settings::default() }).unwrap();
    let decisive: Vec<bool> = found.influence.iter().map(|influence| influence.is_infinite()).collect();
    assert_eq!(decisive, [true, false, false, false, false]);
}

/// Head-on collisions say nothing about friction.
#[test]
fn a_parameter_without_influence_is_named() {
    let mut text = String::from("w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n");
    for speed in [0.5, 0.7, 1.1, 1.3] {
        writeln!(text, "1,0,3,-{speed},0,{},0", 0.8 * speed + 0.001).unwrap();
    }
    let data = Measurements::parse(&text, None).unwrap();
    let law = find("routh-poisson").unwrap();
    let model = Model::new(law, &["restitution", "friction"], &[], &[("friction".to_owned(), [0.0, 2.0])]).unwrap();
    let found = fit(&data, &model, &Settings { errors: Errors::Equal, ..Settings::default() }).unwrap();
    assert_eq!(found.undetermined(), ["friction"]);
    assert!(found.estimates[1].standard_error.is_none());
    assert!((found.estimates[0].value - 0.8).abs() < 0.01);
}

/// Followed in time: no derivatives, so by differences.
#[test]
fn a_law_followed_in_time_is_fitted_by_differences() {
    let law = bound("spring-dashpot", &[("restitution", 0.6), ("friction", 0.3), ("stiffness", 1e6)]);
    let data = Measurements::parse(&file(&law, 15, 4, 0.0), None).unwrap();
    let fixed = [("stiffness".to_owned(), 1e6)];
    let model = Model::new(law.law(), &["restitution", "friction"], &fixed, &[]).unwrap();
    let found = fit(&data, &model, &Settings { starts: 1, profiles: false, ..Settings::default() }).unwrap();
    for (estimate, truth) in found.estimates.iter().zip([0.6, 0.3]) {
        assert!((estimate.value - truth).abs() < 5.0 * estimate.standard_error.unwrap(), "{estimate:?}");
    }
}

#[test]
fn impossible_collisions_are_found() {
    use Fault::{GainsEnergy, Pulls, StillApproaches};
    let text = "w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n\
                1,0,3,-1,0,0.5,0\n1,0,3,-1,0,1.2,0\n1,0,3,-1,0,-0.2,0\n1,0,3,-1,0,-1.2,0\n1,0,3,1,0,1,0\n";
    let data = Measurements::parse(text, None).unwrap();
    let found: Vec<(usize, Fault)> = impossible(&data).iter().map(|found| (found.line, found.fault)).collect();
    let expected = [(3, GainsEnergy), (4, StillApproaches), (5, GainsEnergy), (5, StillApproaches), (5, Pulls)];
    assert_eq!(found, expected);
    assert_eq!(data.left_out[0].line, 6);
}

#[test]
fn bad_data_are_named() {
    const HEADER: &str = "w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after\n";
    let rows = |rows: &str| format!("{HEADER}{rows}");
    let cases = [
        (
            "w_nn,w_nt,w_tt,vn_befor,vt_before,vn_after,vt_after\n".to_owned(),
            "no column `vn_before`; there is `vn_befor`",
        ),
        (String::new(), "is empty"),
        (rows(""), "has no rows"),
        (rows("1,0,3,-1,0,NaN,0\n"), "line 2: `vn_after` is `NaN`; expected a finite number"),
        (rows("1,0,3,-1,0,,0\n"), "line 2: `vn_after` is ``"),
        (rows("1,0,3,-1,0\n"), "line 2: has 5 fields; expected 7"),
        (rows("1,2,3,-1,0,1,0\n"), "line 2: W is not positive definite"),
        (rows("0,0,3,-1,0,1,0\n"), "line 2: W is not positive definite"),
        (rows("1,0,3,-1e6,0,1,0\n"), "line 2: `vn_before` gives -1e6 m/s; expected at most 1e5"),
        (rows("1e12,0,3,-1,0,1,0\n"), "expected 1/kg"),
        (rows("1,0,3,1,0,1,0\n"), "no row can be used; line 2: the bodies do not approach"),
        (format!("vn_after,{HEADER}"), "comes twice"),
        (
            "w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after,vn_after_sd\n1,0,3,-1,0,1,0,0.1\n".to_owned(),
            "no column `vn_before_sd`",
        ),
        (
            "w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after,vn_before_sd,vt_before_sd,vn_after_sd,vt_after_sd\n\
             1,0,3,-1,0,1,0,0.1,0.1,0,0.1\n"
                .to_owned(),
            "line 2: `vn_after_sd` is 0; expected above 0",
        ),
        (
            "w_nn,w_nt,w_tt,vn_before,vt_before,vn_after,vt_after,vn_before_sd,vt_before_sd,vn_after_sd,vt_after_sd\n\
             1,0,3,-1,0,1,0,0.1,0.1,1e200,0.1\n"
                .to_owned(),
            "line 2: `vn_after_sd` is 1e200 m/s; expected 1e-12 to 1e5",
        ),
        (format!("vn_after_std,{HEADER}"), "the column `vn_after_std` is of no use; expected X_sd or cov_X_Y"),
        (format!("cov_vn_after_vt_aftr,{HEADER}"), "the column `cov_vn_after_vt_aftr` is of no use"),
    ];
    for (text, expected) in cases {
        let error = Measurements::parse(&text, None).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n  instead of {expected}");
    }
    let refused = |text: &str, free: &[&str], expected: &str| {
        let data = Measurements::parse(&rows(text), None).unwrap();
        let law = find("routh-poisson").unwrap();
        let found = Model::new(law, free, &[], &[])
            .and_then(|model| fit(&data, &model, &Settings { errors: Errors::Equal, ..Settings::default() }));
        let error = found.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}\n  instead of {expected}");
    };
    let both = ["restitution", "friction"];
    refused("1,0,3,-1,0,0.5,0\n", &both, "1 collisions have 2 velocities after; expected more than the 2 numbers");
    refused("1,0,3,-1,0,0.5,0\n1,0,3,-1,0,0.5,0\n", &both, "all 2 collisions are the same");
    refused("1,0,3,-1,0,0.5,0\n", &["restituton"], "did you mean `restitution`?");
    refused("1,0,3,-1,0,0.5,0\n", &[], "expected a free parameter");
    refused("1,0,3,-1,0,0.5,0\n", &["friction", "friction"], "named twice");
    let coupled =
        Measurements::parse(&rows("1,0.3,3,-1,0.2,0.5,0\n1,0.3,3,-1,0.4,0.5,0\n1,0.3,3,-1,0.5,0.5,0\n"), None);
    let coupled = coupled.unwrap();
    let settings = Settings { errors: Errors::Equal, ..Settings::default() };
    let all = fit(&coupled, &model("bilinear"), &settings).unwrap_err().to_string();
    assert!(all.contains("`bilinear` refuses all 3 collisions"), "{all}");
    let newton = find("newton").unwrap();
    let twice = compare(&coupled, &[newton, newton], &[], &settings, &mut |_| true).unwrap_err().to_string();
    assert!(twice.contains("`newton` is named twice"), "{twice}");
}
