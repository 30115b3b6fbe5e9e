//! Tables and setups: what they may hold, and what is refused.

use super::tracks::*;
use carom::laws::find;
use carom_study::ColumnValues;
use carom_study::reduce::{Settings, Setup, of_columns, parse, reduce};
use nalgebra::Vector2;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::f64::consts::TAU;
use std::fmt::Write;

#[test]
fn the_table_is_what_the_fit_reads() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(13);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-4"));
    let mut text = String::from(HEADER);
    let mut all = Vec::new();
    for trial in 0..40 {
        let (velocity, spin, turn) = launch(&mut random);
        let known = known(&model, velocity, spin, turn, 0.0);
        rows(&mut text, trial, &model, &known, &even_times(3, 3), || 1e-4 * normal(&mut random));
        all.push(known);
    }
    let reduction = run(&text, &setup, 0);
    let data = carom_study::fit::Measurements::parse(&reduction.csv("Synthetic."), None).unwrap();
    assert_eq!((data.rows(), data.group_names.clone()), (40, vec!["puck".to_owned()]));
    let covariance = data.covariance.as_ref().unwrap();
    for (place, collided) in reduction.collisions.iter().enumerate() {
        assert_eq!(data.before[0][place], value(collided, "vn_before").0);
        assert!((&covariance[place] - &collided.covariance).amax() < 1e-12 * collided.covariance.amax());
    }
    let law = find("routh-poisson").unwrap();
    let model = carom_study::fit::Model::new(law, &carom_study::fit::Model::usual(law), &[], &[]).unwrap();
    let settings = carom_study::fit::Settings::default();
    let fit = carom_study::fit::fit(&data, &model, &settings).unwrap();
    for (estimate, truth) in fit.estimates.iter().zip([0.85, 0.2]) {
        let error = estimate.standard_error.unwrap();
        assert!((estimate.value - truth).abs() < 4.0 * error, "{}: {} ± {error}", estimate.name, estimate.value);
    }
    // χ² of 80 numbers and two parameters.
    assert!((fit.squares - 78.0).abs() < 4.0 * (2.0_f64 * 78.0).sqrt(), "{}", fit.squares);
}

#[test]
fn bad_trials_are_named_and_left_out() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(14);
    let (model, setup) = (puck(), puck_setup("deviation = 1e-4"));
    let known = known(&model, Vector2::new(-0.6, -0.2), 3.0, 0.4, 0.0);
    let mut good = String::new();
    rows(&mut good, 0, &model, &known, &even_times(4, 4), || 1e-4 * normal(&mut random));
    let row = |line: &str, trial: &str| format!("{trial},{}\n", line.split_once(',').unwrap().1);
    let changed = |trial: &str, change: &dyn Fn(usize, &mut Vec<f64>)| -> String {
        let of = |(k, line): (usize, &str)| {
            let fields: Vec<&str> = line.split(',').collect();
            let mut numbers: Vec<f64> = fields[3..].iter().map(|field| field.parse().unwrap()).collect();
            change(k, &mut numbers);
            let numbers: Vec<String> = numbers.iter().map(f64::to_string).collect();
            format!("{trial},{},{},{}\n", fields[1], fields[2], numbers.join(","))
        };
        good.lines().enumerate().map(of).collect()
    };
    let only = |trial: &str, keep: std::ops::Range<usize>| -> String {
        good.lines().enumerate().filter(|(k, _)| keep.contains(k)).map(|(_, line)| row(line, trial)).collect()
    };
    let text = [
        HEADER.to_owned(),
        changed("good", &|_, _| ()),
        only("one-before", 3..8),
        only("none-after", 0..4),
        // The second mark creeps along the puck.
        changed("not-rigid", &|k, at| at[2] += 0.002 * k as f64),
        // The puck after is another one.
        changed("elsewhere", &|k, at| {
            if k >= 4 {
                at.iter_mut().step_by(2).for_each(|x| *x += 0.05);
            }
        }),
        // Both marks are taken for each other after the collision.
        changed("swapped", &|k, at| {
            if k >= 4 {
                at.rotate_left(2);
            }
        }),
    ]
    .concat();
    let reduction = run(&text, &setup, 0);
    let names: Vec<&str> = reduction.collisions.iter().map(|collided| collided.trial.as_str()).collect();
    assert_eq!(names, ["good"]);
    let reasons: Vec<(&str, &str)> =
        reduction.left_out.iter().map(|out| (out.trial.as_str(), out.reason.as_str())).collect();
    let expected = [
        ("one-before", "puck before the collision: one frame; expected at least two"),
        ("none-after", "puck after the collision: no frame; expected at least two"),
        ("not-rigid", "do not fit one flight of a rigid body"),
        ("elsewhere", "do not meet"),
        ("swapped", "the turns before and after differ by"),
    ];
    assert_eq!(reasons.len(), expected.len(), "{reasons:?}");
    for ((trial, reason), (name, words)) in reasons.into_iter().zip(expected) {
        assert!(trial == name && reason.contains(words), "{trial}: {reason}");
    }
    let line = HEADER.lines().count() + 8 + 1;
    assert_eq!(reduction.left_out[0].place.number, line);
    assert!(reduction.csv("").contains("# Left out: trial elsewhere, line"));
}

#[test]
fn bad_tables_are_refused_with_line_and_expectation() {
    let setup = puck_setup("deviation = 1e-4");
    let row = "1,0.1,before,0.1,0.1,0.18,0.1\n";
    let cases = [
        ("", "is empty"),
        ("trial,time,phase,x1,y1,x2,y2\n", "has no rows"),
        ("# a comment\n\n", "is empty"),
        ("trial,tim,x1,y1,x2,y2\n", "the column `tim` is unknown; did you mean `time`?"),
        ("trial,phase,x1,y1,x2,y2\n", "there is no column `time`"),
        ("frame,phase,x1,y1,x2,y2\n", "expected `rate` in `[camera]`"),
        ("time,phase\n", "there are no positions"),
        ("time,x1,x2,y2\n", "there is no column `y1`; expected it beside `x1`"),
        ("time,x1,y1\n", "how `puck` is turned cannot be seen"),
        ("time,x1,y1,x2,y2,x3,y3\n", "the column `x3` is of mark 3, but the setup has 2 `marks`"),
        ("time,x1,y1,x1,y2\n", "the column `x1` comes twice"),
        (&format!("{HEADER}{row}1,0.1,before,0.1,0.1,0.18,0.1\n"), "line 3: the time is 0.1 s after 0.1 s in line 2"),
        (&format!("{HEADER}1,0.1,before,nan,0.1,0.18,0.1\n"), "line 2: `x1` is `nan`; expected a finite number"),
        (&format!("{HEADER}1,0.1,before,0.1,1e999,0.18,0.1\n"), "line 2: `y1` is `1e999`"),
        (&format!("{HEADER}1,0.1,before,0.1,1e99,0.18,0.1\n"), "line 2: `y1` gives 1e99 m"),
        (&format!("{HEADER}1,1e99,before,0.1,0.1,0.18,0.1\n"), "line 2: `time` gives 1e99 s"),
        (&format!("{HEADER}1,0.1,befor,0.1,0.1,0.18,0.1\n"), "line 2: `phase` is `befor`"),
        (&format!("{HEADER}1,0.1,before,0.1,,0.18,0.1\n"), "line 2: `y1` is empty"),
        (&format!("{HEADER}1,,before,0.1,0.1,0.18,0.1\n"), "line 2: `time` is empty"),
        (&format!("{HEADER}1,0.1,before\n"), "line 2: has 3 fields; expected 7"),
        (&format!("{HEADER}1,0.1,after,0.1,0.1,0.18,0.1\n1,0.2,before,0.1,0.1,0.18,0.1\n"), "later than `after`"),
        (
            "time,body,x1,y1,x2,y2\n0.1,pucks,0.1,0.1,0.18,0.1\n",
            "line 2: the setup has no body `pucks`; did you mean `puck`?",
        ),
        (
            &format!("{HEADER}1,0.1,before,100,100,180,100\n"),
            "line 2: the marks are 1000.0000 times as far apart as in the setup",
        ),
        (&format!("{HEADER}{row}1,0.1000000001,before,0.2,0.1,0.28,0.1\n"), "expected at most 1e5"),
    ];
    for (text, words) in cases {
        let error = parse(text, &setup).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
}

#[test]
fn bad_setups_are_refused_at_their_place() {
    let body = "[[body]]\nname = 'puck'\nshape.disk.radius = 0.05\nmass = 0.1\n";
    let cases = [
        (String::new(), "the file is empty", ""),
        ("[wall]\n".to_owned(), "the file has no `body`", ""),
        (body.to_owned(), "there is one body and no `[wall]`", ""),
        (format!("{body}[wall]\nnormal = [0, 0]\n"), "`normal` has no direction", ""),
        (format!("{body}[wall]\nnormal = [0, 1, 0]\n[force]\ngravity = [0, 1]\n"), "`gravity` is planar", ""),
        (format!("{body}[wall]\nnormal = [0, 0, 1]\n"), "a disk or a hoop in space", ""),
        (format!("{body}mark = [[0, 0]]\n[wall]\n"), "unknown key `mark`", "did you mean `marks`?"),
        (format!("{body}half_disk.radius = 0.1\n[wall]\n"), "has both `shape` and `half_disk`", ""),
        (format!("{body}{body}"), "two bodies have the same `name`", ""),
        (format!("{body}inertia = -1\n[wall]\n"), "`inertia` is -1", "expected a number above 0"),
        (format!("[camera]\nscale = 0\n{body}[wall]\n"), "`scale` is 0", "expected a number above 0"),
        ("[[body]]\nname = 'puck'\nmass = 1\n[wall]\n".to_owned(), "has no `shape`", ""),
    ];
    for (text, message, label) in cases {
        let error = Setup::parse("setup.toml", &text).unwrap_err();
        assert!(
            error.message().contains(message) && error.label().contains(label),
            "{text:?}: {}",
            error.render(false)
        );
    }
}

#[test]
fn positions_and_angles_give_what_marks_give() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(15);
    let model = puck();
    let body = format!(
        "[[body]]\nname = 'puck'\nshape.disk.radius = {RADIUS}\nmass = 0.0672\ninertia = {}\n[wall]\nnormal = [0.6, 0.8]\n",
        model.inertia
    );
    let metres =
        Setup::parse("a.toml", &format!("[camera]\ndeviation = 1e-4\nangle_deviation = 2e-3\n{body}")).unwrap();
    // Pixels, y down, degrees and frames; the deviations are not given.
    let pixels = format!("[camera]\nscale = 4000\nrate = 100\ny_down = true\n{body}");
    let pixels = Setup::parse("b.toml", &pixels).unwrap();
    let (mut in_metres, mut in_pixels) =
        (String::from("trial,time,phase,x,y,angle\n"), String::from("trial,frame,phase,x,y,angle_deg\n"));
    let mut all = Vec::new();
    for trial in 0..20 {
        let (velocity, spin, turn) = launch(&mut random);
        let known = known(&model, velocity, spin, turn, 0.003);
        for frame in -8..=8 {
            let time = f64::from(frame) * 0.01;
            let (at, turn) = known.pose(time);
            let phase = if time < known.time { "before" } else { "after" };
            let x = at.x + 1e-4 * normal(&mut random);
            let y = at.y + 1e-4 * normal(&mut random);
            let angle = turn + 2e-3 * normal(&mut random);
            // Trackers give angles up to whole turns.
            let angle = angle - TAU * (angle / TAU).round();
            writeln!(in_metres, "{trial},{time},{phase},{x},{y},{angle}").unwrap();
            writeln!(in_pixels, "{trial},{frame},{phase},{},{},{}", 4000.0 * x, -4000.0 * y, -angle.to_degrees())
                .unwrap();
        }
        all.push(known);
    }
    let (a, b) = (run(&in_metres, &metres, 0), run(&in_pixels, &pixels, 0));
    // 20 trials have 20·(2·17 − 8) and 20·(17 − 4) numbers beyond their parameters: deviations are known to 3 and 4 %.
    assert!((b.deviations.coordinate / 1e-4 - 1.0).abs() < 0.12, "{:?}", b.deviations);
    assert!((b.deviations.angle / 2e-3 - 1.0).abs() < 0.16, "{:?}", b.deviations);
    assert_eq!((a.left_out.len(), b.left_out.len()), (0, 0));
    for ((a, b), known) in a.collisions.iter().zip(&b.collisions).zip(&all) {
        for (name, truth) in truths(&model, known) {
            let ((found, deviation), (again, _)) = (value(a, name), value(b, name));
            assert!(
                (found - truth).abs() <= 5.0 * deviation + 1e-9 * truth.abs(),
                "{name}: {found} ± {deviation}, not {truth}"
            );
            assert!(
                (found - again).abs() <= 1e-3 * deviation + 1e-9 * (1.0 + truth.abs()),
                "{name}: {found} is not {again}"
            );
        }
    }
}

/// Section 11.2: one of the markers may be outside the picture.
#[test]
fn a_mark_outside_the_picture_does_no_harm() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
    let (model, setup) = half_puck();
    let n = Vector2::from(WALL);
    let known = known(&model, turned(&-n, 0.7) * 0.5, -2.0, (-n).y.atan2((-n).x) - 1.3, 0.0);
    let seen = Model { marks: [&[Vector2::zeros()][..], &model.marks].concat(), support: Box::new(|d| d), ..model };
    let mut text = String::from("trial,time,phase,x,y,x1,y1,x2,y2\n");
    rows(&mut text, 1, &seen, &known, &even_times(2, 2), || 1e-4 * normal(&mut random));
    let lines: Vec<String> = text
        .lines()
        .enumerate()
        .map(|(k, line)| {
            let mut fields: Vec<&str> = line.split(',').collect();
            if k > 0 {
                let mark = 5 + 2 * (k % 2);
                fields[mark..mark + 2].fill("");
            }
            fields.join(",")
        })
        .collect();
    let (model, _) = half_puck();
    let reduction = run(&lines.join("\n"), &setup, 0);
    for (name, truth) in truths(&model, &known) {
        within(&reduction.collisions[0], name, truth, 4.5);
    }
}

/// Tables and setups with anything in them end in a result or an error with words.
#[test]
fn broken_files_never_panic() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let read = |name: &str| std::fs::read_to_string(format!("{root}/{name}")).unwrap();
    let frames = read("half-puck-frames.csv").lines().take(16).collect::<Vec<_>>().join("\n");
    let setup = read("half-puck.toml");
    let words = ["", "0", "-1", "1e300", "1e-300", "nan", "inf", ",", "\n", "\"", "x", "[", "before", "0.5", "#"];
    let mut broken = |text: &str| {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..random.random_range(1..4) {
            let (at, word) = (random.random_range(0..bytes.len()), words[random.random_range(0..words.len())]);
            let until = (at + random.random_range(0..8)).min(bytes.len());
            bytes.splice(at..until, word.bytes());
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let good = Setup::parse("half-puck.toml", &setup).unwrap();
    let mut reduced = 0;
    for round in 0..2000 {
        let (text, setup) = if round % 2 == 0 {
            (broken(&frames), Some(good.clone()))
        } else {
            (frames.clone(), Setup::parse("broken.toml", &broken(&setup)).ok())
        };
        let Some(setup) = setup else { continue };
        let Ok(trials) = parse(&text, &setup) else { continue };
        if let Ok(reduction) = reduce(&trials, &setup, &Settings { draws: 3, seed: 1 }, &mut |_| true) {
            reduced += 1;
            let _ = (reduction.summary(), reduction.csv("broken"));
        }
    }
    assert!(reduced > 100, "{reduced}");
}

#[test]
fn columns_give_what_a_file_gives() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let setup = Setup::read(std::path::Path::new(&format!("{data}/half-puck.toml"))).unwrap();
    let text = std::fs::read_to_string(format!("{data}/half-puck-frames.csv")).unwrap();
    let lines: Vec<Vec<&str>> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect()).collect();
    let columns = |bad: &dyn Fn(&str, usize) -> Option<f64>| -> Vec<(String, ColumnValues)> {
        let of = |(k, name): (usize, &&str)| {
            let fields = lines[1..].iter().map(|line| line[k]);
            let values = if *name == "phase" {
                ColumnValues::Words(fields.map(str::to_owned).collect())
            } else {
                let number = |field: &str| if field.is_empty() { f64::NAN } else { field.parse().unwrap() };
                let number = |(row, field): (usize, &str)| bad(name, row).unwrap_or_else(|| number(field));
                ColumnValues::Numbers(fields.enumerate().map(number).collect())
            };
            ((*name).to_owned(), values)
        };
        lines[0].iter().enumerate().map(of).collect()
    };
    let table = |trials: &[carom_study::reduce::Trial]| {
        reduce(trials, &setup, &Settings { draws: 3, seed: 1 }, &mut |_| true).unwrap().csv("")
    };
    let by_columns = of_columns(&columns(&|_, _| None), &setup).unwrap();
    assert_eq!(table(&by_columns), table(&parse(&text, &setup).unwrap()));
    let cases = [
        ("x", 3, f64::INFINITY, "row 3: `x` is `inf`; expected a finite number"),
        ("x", 3, f64::NAN, "row 3: `x` is empty"),
        ("frame", 4, f64::NAN, "row 4: `frame` is empty"),
        ("frame", 1, 0.0, "row 1: the time is 0 s after 0 s in row 0"),
    ];
    for (column, row, value, words) in cases {
        let columns = columns(&|name, k| (name == column && k == row).then_some(value));
        let error = of_columns(&columns, &setup).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
    let mut uneven = columns(&|_, _| None);
    uneven[0].1 = ColumnValues::Numbers(vec![1.0]);
    let error = of_columns(&uneven, &setup).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("expected 1, as `trial` has"), "{error}");
    assert!(of_columns(&[], &setup).is_err());
    let stopped = reduce(&by_columns, &setup, &Settings { draws: 0, seed: 1 }, &mut |done| done < 3);
    assert_eq!(stopped.unwrap_err().to_string(), "stopped before the end");
}
