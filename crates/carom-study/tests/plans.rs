//! The plans of the gallery: each runs, its figure and its table are drawn, and its numbers are those of its source.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use carom_study::sweep::{Figures, Part, Plan, Spec, Sweep, TableFormat};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans")
}

fn computed(name: &str) -> (Plan, TempDir) {
    let plan =
        Plan::read(folder().join(format!("{name}.toml"))).unwrap_or_else(|error| panic!("{}", error.render(false)));
    let shards = tempfile::tempdir().unwrap();
    Sweep::new(&plan).unwrap().run(shards.path(), Part::WHOLE, 0, &mut |_| true).unwrap();
    (plan, shards)
}

/// The rows of a table, cell by cell.
fn cells(plan: &Plan, shards: &TempDir, spec: Option<&str>) -> Vec<Vec<String>> {
    let given = spec
        .map(|spec| Figures::parse(spec, Spec::Table, plan).unwrap_or_else(|error| panic!("{}", error.render(false))));
    let figures = given.as_ref().unwrap_or(&plan.figures);
    let text = figures.table(shards.path(), TableFormat::Markdown).unwrap_or_else(|error| panic!("{error}"));
    let row = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    text.lines().skip(2).map(row).collect()
}

fn number(cell: &str) -> f64 {
    let plain = cell.replace('\u{2212}', "-").replace(" × 10<sup>", "e").replace("</sup>", "");
    plain.parse().unwrap_or_else(|_| panic!("{cell} is no number"))
}

/// All rows of some columns, with all digits.
fn numbers(plan: &Plan, shards: &TempDir, columns: &str) -> Vec<Vec<f64>> {
    let rows = cells(plan, shards, Some(&format!("columns={columns},digits=17")));
    rows.iter().map(|row| row.iter().map(|cell| number(cell)).collect()).collect()
}

/// The numbers of a source, with half a unit of their last digit.
fn of_source(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder().join("data").join(name)).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn half_unit(digits: &str) -> f64 {
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    0.5 * 10_f64.powf(-(decimals as f64))
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
}

#[test]
fn every_plan_is_computed_and_drawn() {
    /// A page of the book shows all of them.
    const BYTES: usize = 100_000;
    let mut count = 0;
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (plan, shards) = computed(name);
        assert!(plan.description.is_some(), "{name} does not say what it shows");
        let sheet = plan.figures.sheet(shards.path()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let svg = sheet.svg();
        assert!(svg.len() < BYTES, "{name}: {} bytes", svg.len());
        assert!(!svg.contains("NaN") && svg.contains("class=\"chart\""), "{name}");
        if plan.figures.has_table() {
            assert!(!cells(&plan, &shards, None).is_empty(), "{name}");
            let latex = plan.figures.table(shards.path(), TableFormat::Latex).unwrap();
            assert!(latex.starts_with("\\begin{tabular}"), "{name}");
        }
        count += 1;
    }
    assert!(count >= 20, "{count} plans");
}

#[test]
fn table_7_1_is_that_of_the_thesis() {
    let (plan, shards) = computed("chatterjee-table-7-1");
    let found = cells(&plan, &shards, None);
    let mut compared = 0;
    for row in of_source("chatterjee-table-7-1.csv").iter().filter(|row| row[1] != "inf") {
        let law = match row[0].as_str() {
            "KaneLevinson" => "Kane &amp; Levinson",
            other => other,
        };
        let mine = found.iter().find(|mine| mine[0] == law && number(&mine[1]) == number(&row[1])).unwrap();
        for (mine, source) in mine[2..].iter().zip(&row[2..]) {
            // The thesis truncates 0.6573736.
            let expected = if source == "0.657373" { 0.657_374 } else { number(source) };
            near(number(mine), expected, 1.01 * half_unit(source).max(5e-7), &format!("{row:?}"));
            compared += 1;
        }
    }
    assert_eq!(compared, 36);
}

#[test]
fn table_7_2_is_that_of_the_thesis() {
    let (plan, shards) = computed("chatterjee-table-7-2");
    let found = numbers(&plan, &shards, "collision.tangential_restitution,lambda,P_n,P_t,V_n,V_t,energy");
    let mut compared = 0;
    for row in of_source("chatterjee-table-7-2.csv").iter().filter(|row| row[2] != "inf") {
        let mine = found.iter().find(|mine| mine[0] == number(&row[0]) && mine[1] == number(&row[2])).unwrap();
        for (mine, source) in mine[2..].iter().zip(&row[3..]) {
            // A loss of zero is rounding of an impulse of 3000.
            near(*mine, number(source), 1.01 * half_unit(source).min(5e-3), &format!("{row:?}"));
            compared += 1;
        }
    }
    assert_eq!(compared, 60);
}

#[test]
fn energies_of_the_rod_are_those_of_wang_and_mason() {
    let (plan, shards) = computed("wang-mason-energy");
    let rows = cells(&plan, &shards, Some("columns=law.id,contact.restitution,energy,digits=17"));
    let mut compared = 0;
    for row in rows {
        let e = number(&row[1]);
        let expected = match row[0].as_str() {
            "routh-newton" => 0.5 * (0.625 * e * e - 0.4),
            "routh-poisson" => 0.5 * (0.256 * e * e - 0.4),
            _ => continue,
        };
        near(number(&row[2]), expected, 1e-12, &row[0]);
        compared += 1;
    }
    assert_eq!(compared, 202);
}

#[test]
fn modes_of_the_rod_meet_at_the_critical_frictions() {
    let (plan, shards) = computed("mode-regions");
    let spec = "columns=slip,contact.friction,mode,digits=17";
    // A table shows 1000 rows at most; the sheet shows them all.
    let refused =
        Figures::parse(spec, Spec::Table, &plan).unwrap().table(shards.path(), TableFormat::Markdown).unwrap_err();
    assert!(refused.to_string().contains("43200 rows"), "{refused}");
    let svg = plan.figures.sheet(shards.path()).unwrap().svg();
    for name in
        ["slides", "sticks in compression", "slides back", "sticks in restitution", "slides back, in restitution"]
    {
        assert!(svg.contains(&format!(">{name}<")), "{name}");
    }
}

#[test]
fn tangential_impacts_happen_in_two_of_six_cases() {
    let (plan, shards) = computed("wang-mason-tangential");
    let collides = |row: &Vec<f64>| row[3] > 0.0;
    let rows = numbers(&plan, &shards, "tilt,slip,contact.friction,P_n");
    for row in &rows {
        let can = (row[0] == 45.0 && row[1] < 0.0) || (row[0] == 135.0 && row[1] > 0.0);
        assert_eq!(collides(row), can && row[2] > 5.0 / 3.0, "{row:?}");
    }
    assert!(rows.iter().any(collides));
}

#[test]
fn rebounds_of_lai_are_those_of_an_independent_solution() {
    let (plan, shards) = computed("lai-chi");
    let rows = cells(&plan, &shards, Some("columns=law.id,chi,V_t/V_n*1.4/0.85,digits=17"));
    let lai: Vec<(f64, f64)> =
        rows.iter().filter(|row| row[0] == "lai").map(|row| (number(&row[1]), number(&row[2]))).collect();
    let k = lai.iter().position(|(chi, _)| *chi > 1.441_18).unwrap();
    let share = (1.441_18 - lai[k - 1].0) / (lai[k].0 - lai[k - 1].0);
    near(lai[k - 1].1 + share * (lai[k].1 - lai[k - 1].1), 0.1945, 1e-3, "psi2 at chi = 1.441");
    let (plan, shards) = computed("lai-restitution");
    let loss = "-energy/(cos(incidence*PI/180)^2/2 + sin(incidence*PI/180)^2/7)";
    let rows = numbers(&plan, &shards, &format!("collision.friction,incidence,{loss}"));
    for (friction, degrees, greatest) in
        [(0.1, 67.0, 0.310), (0.3, 73.0, 0.657), (0.5, 77.0, 0.812), (0.7, 79.0, 0.881), (0.9, 81.0, 0.919)]
    {
        let there = rows.iter().find(|row| row[0] == friction && row[1] == degrees).unwrap();
        near(there[2], greatest, 5.1e-4, &format!("friction {friction} at {degrees}"));
    }
}

#[test]
fn springs_and_dashpots_keep_to_the_approximations_of_the_thesis() {
    for (name, columns, most) in [
        ("chatterjee-8-2", "law.damping_growth,e,1/(exp(-0.4*law.damping_growth) + law.damping_growth)", 0.015),
        ("chatterjee-8-3", "zeta,e,1/(1 + 2.5*zeta + 4*zeta^2)", 0.06),
    ] {
        let (plan, shards) = computed(name);
        let rows = numbers(&plan, &shards, columns);
        let worst = rows.iter().map(|row| (row[2] / row[1] - 1.0).abs()).fold(0.0, f64::max);
        // The thesis states the bound, and the approximation comes near to it.
        assert!(worst < most && worst > 0.8 * most, "{name}: {worst}");
    }
    let (plan, shards) = computed("chatterjee-8-3");
    let rows = numbers(&plan, &shards, "zeta,e");
    let critical = rows.iter().find(|row| (row[0] - 1.0).abs() < 1e-9).unwrap();
    near(critical[1], (-2.0_f64).exp(), 1e-6, "critical damping");
}

#[test]
fn impulses_are_the_points_of_the_text() {
    let (plan, shards) = computed("chatterjee-7-9-7-11");
    let rows = cells(&plan, &shards, Some("columns=law.id,case,collision.restitution,P_n,P_t,digits=17"));
    let expected = [
        ("routh-poisson", 1.0, 0.0, [0.0, 0.126_667]),
        ("routh-poisson", 1.0, 1.0, [0.0, 0.19]),
        ("whittaker", 1.0, 0.75, [0.15, 0.055]),
        ("whittaker", 1.0, 1.0, [0.3, -0.08]),
        ("smith", 1.0, 0.75, [0.0, 0.221_667]),
        ("smith", 1.0, 1.0, [0.0, 0.253_333]),
        ("routh-poisson", 2.0, 0.0, [1.274_624, 0.637_312]),
        ("routh-poisson", 2.0, 1.0, [2.549_247, 0.223_162]),
        ("smith", 2.0, 0.25, [1.715_617, 0.756_890]),
        ("smith", 2.0, 0.5, [2.523_834, 0.757_150]),
        ("smith", 2.0, 0.75, [3.957_799, 0.554_092]),
    ];
    for (law, case, restitution, impulse) in expected {
        let row =
            rows.iter().find(|row| row[0] == law && number(&row[1]) == case && number(&row[2]) == restitution).unwrap();
        for (cell, expected) in row[3..].iter().zip(impulse) {
            near(number(cell), expected, 1e-6, &format!("{law}, case {case}, e = {restitution}"));
        }
    }
    let (plan, shards) = computed("chatterjee-11-30");
    let rows = cells(&plan, &shards, Some("columns=law.id,incidence,-P_t/P_n,digits=17"));
    // Sticking, at rest after the collision, or sliding by Routh; Smith's ratio of impulses weighs the slip before and after it.
    let (friction, restitution) = (0.16, 0.92);
    for row in &rows {
        let (sin, cos) = number(&row[1]).to_radians().sin_cos();
        let found = number(&row[2]);
        let expected = match row[0].as_str() {
            "routh-poisson" => (sin / cos / 3.0 / (1.0 + restitution)).min(friction),
            "smith" => {
                let after = sin - 3.0 * found * (1.0 + restitution) * cos;
                if sin == 0.0 {
                    0.0
                } else {
                    friction * (sin * sin + after * after.abs()) / (sin * sin + after * after)
                }
            }
            _ => continue,
        };
        near(found, expected, 1e-9, &format!("{} at {} degrees", row[0], row[1]));
    }
}

#[test]
fn cradles_are_those_of_rodriguez_and_of_springs() {
    let (plan, shards) = computed("cradle-restitution");
    let rows = cells(&plan, &shards, Some("columns=law.id,contact.restitution,A,B,C,digits=17"));
    let mut compared = 0;
    for row in rows.iter().filter(|row| row[0] == "rodriguez-bowling") {
        let e = number(&row[1]);
        let f = 0.5 * (1.0 - e);
        for (cell, expected) in row[2..].iter().zip([f * f, f * 0.5 * (1.0 + e), 0.5 * (1.0 + e)]) {
            near(number(cell), expected, 1e-9, &format!("e = {e}"));
            compared += 1;
        }
    }
    assert_eq!(compared, 123);
    let (plan, shards) = computed("cradle-stiffness");
    let rows = numbers(&plan, &shards, "contact[1].stiffness,A,B,C");
    let equal = rows.iter().find(|row| (row[0] - 1.0).abs() < 1e-9).unwrap();
    for (found, expected) in equal[1..].iter().zip([-0.130, 0.150, 0.980]) {
        near(*found, expected, 5e-4, "equal springs");
    }
}

#[test]
fn another_figure_needs_no_other_rows() {
    let plan = Plan::read(folder().join("wang-mason-energy.toml")).unwrap();
    let shards = tempfile::tempdir().unwrap();
    Sweep::new(&plan).unwrap().run(shards.path(), Part::WHOLE, 0, &mut |_| true).unwrap();
    let redrawn = |from: &str, to: &str| {
        let text = std::fs::read_to_string(folder().join("wang-mason-energy.toml")).unwrap();
        assert!(text.contains(from));
        let plan = Plan::parse("plan.toml", &text.replace(from, to), Some(&folder())).unwrap();
        Sweep::new(&plan).unwrap().run(shards.path(), Part::WHOLE, 0, &mut |_| true).map(|done| done.rows)
    };
    assert_eq!(redrawn("restitution *e*", "e").unwrap(), 0);
    assert!(redrawn("\"smith\"]", "\"newton\"]").is_err());
}

#[test]
fn figures_that_cannot_be_drawn_say_why() {
    let (plan, shards) = computed("wang-mason-energy");
    let parsed = |spec: &str| Figures::parse(spec, Spec::Figure, &plan);
    let drawn =
        |spec: &str| parsed(spec).unwrap_or_else(|error| panic!("{}", error.render(false))).sheet(shards.path());
    assert!(drawn("x=contact.restitution,y=energy,color=law.id").is_ok());
    assert!(drawn("x=contact.restitution,y=energy,where.law.id=smith").is_ok());
    assert!(drawn("x=contact.restitution,y=energy,color=law.id,where.law.id=smith,newton").is_ok());
    for (spec, expected) in [
        ("x=contact.restitutio,y=energy,color=law.id", "there is no column `contact.restitutio`"),
        ("x=contact.restitution,y=energy,where.law.id=newton", "no row is shown"),
        ("x=contact.restitution,y=energy,where.law.id=3", "`law.id` has words"),
        ("x=contact.restitution,y=law.id", "`law.id` is a column of words"),
        ("x=contact.restitution,y=energy", "a curve has two rows at contact.restitution = 0"),
        ("x=energy,y=contact.restitution,color=contact.restitution", "there are 101 colours"),
        ("x=energy,y=contact.restitution,facet=contact.restitution", "has more than 24 values"),
        ("x=energy,y=contact.restitution + foo,color=law.id", "there is no variable `foo`"),
        ("x=energy,y=contact.restitution,color=law.id,kind=map", "two rows of a map are at the same place"),
        ("x=contact.restitution,y=status,color=law.id", "`status` is a column of words"),
    ] {
        match drawn(spec) {
            Ok(_) => panic!("{spec} is drawn"),
            Err(carom_study::sweep::Undrawn::Plan(error)) => {
                let text = error.render(false);
                assert!(text.contains(expected), "{spec}: {text}");
            }
            Err(error) => panic!("{spec}: {error}"),
        }
    }
    for (spec, expected) in [
        ("y=energy", "the figure has no `x`"),
        ("energy", "has no key"),
        ("x=a,y=b,colour=c", "unknown key `colour`"),
        ("x=a,y=b,kind=pie", "there is no `kind` `pie`"),
        ("x=a,y=b,kind=map", "the figure has no `color`"),
        ("x=a,y=b,x_range=2,1", "`x_range` is empty"),
        ("x=a,y=b,log=x,x_range=0,1", "`x_range` begins at 0"),
    ] {
        let text = parsed(spec).map(|_| ()).unwrap_err().render(false);
        assert!(text.contains(expected), "{spec}: {text}");
    }
}

#[test]
fn charts_of_a_facet_share_their_axes_unless_they_are_told_not_to() {
    let (plan, shards) = computed("cradle-restitution");
    let ends = |share: bool| {
        let spec = format!("x=contact.restitution,y=A,B,C,facet=law.id,share={share}");
        let figures =
            Figures::parse(&spec, Spec::Figure, &plan).unwrap_or_else(|error| panic!("{}", error.render(false)));
        let svg = figures.sheet(shards.path()).unwrap().svg();
        // Labels of ticks at -0.2: Rodriguez' law has no negative speed.
        svg.matches(">\u{2212}0.2<").count()
    };
    assert_eq!((ends(true), ends(false)), (3, 2));
}

/// A curve of one row is a mark, and a chart without any number is refused.
#[test]
fn single_rows_are_seen_and_empty_charts_are_refused() {
    let drawn = |frictions: &str, spec: &str| {
        let text = format!(
            "scenario = \"../scenarios/falling-rod.toml\"\noutputs = [\"energy.change\"]\n[axes]\n\"contact.friction\" = {frictions}\n"
        );
        let plan = Plan::parse("plan.toml", &text, Some(&folder())).unwrap();
        let shards = tempfile::tempdir().unwrap();
        Sweep::new(&plan).unwrap().run(shards.path(), Part::WHOLE, 1, &mut |_| true).unwrap();
        let figures = Figures::parse(spec, Spec::Figure, &plan).unwrap();
        figures.sheet(shards.path()).map(|sheet| sheet.svg()).map_err(|error| error.to_string())
    };
    let spec = "x=contact.friction,y=energy.change";
    let (one, frame) = (drawn("[0.1]", spec).unwrap(), drawn("[0.1, 0.2]", spec).unwrap());
    assert!(one.contains("<circle") && !frame.contains("<circle"), "{one}");
    assert!(drawn("[-1.0, -2.0]", spec).unwrap_err().contains("no row has anything to draw"));
    assert!(drawn("[0.0]", &format!("{spec},log=x")).unwrap_err().contains("no row has anything to draw"));
}
