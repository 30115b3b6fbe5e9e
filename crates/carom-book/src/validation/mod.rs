//! Every number of the sources beside ours: the book's validation page, which is made only if each line of it is as stated.

mod chatterjee;
mod compliant;
mod elastic;
mod experiments;
mod impacts;
mod mass_matrix;
mod penalty;
mod quantities;
mod simulation;
mod vibration;
mod wang_mason;

use std::fmt::Write;

/// One printed number or formula and what the library gives for it.
#[derive(Clone)]
pub struct Check {
    /// Section, equation or table of the source.
    place: &'static str,
    what: String,
    printed: String,
    ours: String,
    difference: f64,
    tolerance: f64,
    /// Why the two differ, where the source is wrong.
    contradiction: Option<&'static str>,
    /// Only that the tolerance is kept is told, not the difference, which is of rounding and of the reference's own errors.
    bounded: bool,
}

impl Check {
    /// A printed number: agreement is within one unit of its last printed digit.
    fn number(place: &'static str, what: impl Into<String>, printed: &str, ours: f64) -> Check {
        let decimals =
            printed.split('.').nth(1).map_or(0, |digits| digits.trim_end_matches(|c: char| !c.is_ascii_digit()).len());
        let value: f64 = printed.parse().unwrap_or(f64::NAN);
        Check {
            place,
            what: what.into(),
            printed: printed.replace('-', "−"),
            ours: format!("{ours:.*}", (decimals + 3).min(12)).replace('-', "−"),
            difference: (ours - value).abs(),
            tolerance: 0.1_f64.powf(decimals as f64),
            contradiction: None,
            bounded: false,
        }
    }

    /// A printed formula: `difference` is the worst relative difference over `cases`.
    fn formula(place: &'static str, what: impl Into<String>, formula: &str, cases: &str, difference: f64) -> Check {
        Check {
            place,
            what: what.into(),
            printed: formula.to_owned(),
            ours: cases.to_owned(),
            difference,
            tolerance: 1e-11,
            contradiction: None,
            bounded: false,
        }
    }

    /// A number printed to six decimals with trailing zeros left out.
    fn six_decimals(place: &'static str, what: impl Into<String>, printed: &str, ours: f64) -> Check {
        Check { tolerance: 1e-6, ..Check::number(place, what, printed, ours) }
    }

    /// A number of a simulation beside that of an independent solution, within a tolerance.
    fn simulated(scene: &'static str, what: impl Into<String>, independent: f64, ours: f64, tolerance: f64) -> Check {
        let decimals = if tolerance > 0.0 { (-tolerance.log10()).ceil().max(0.0) as usize } else { 0 };
        let shown = |value: f64| {
            let text = format!("{value:.decimals$}");
            let zero = text.trim_start_matches('-').bytes().all(|digit| matches!(digit, b'0' | b'.'));
            if zero { "0".to_owned() } else { text.replace('-', "−") }
        };
        Check {
            place: scene,
            what: what.into(),
            printed: shown(independent),
            ours: shown(ours),
            difference: (ours - independent).abs(),
            tolerance,
            contradiction: None,
            bounded: true,
        }
    }

    /// The source is wrong here: what is right instead, and why.
    fn contradicts(mut self, ours: &str, why: &'static str) -> Check {
        ours.clone_into(&mut self.ours);
        self.contradiction = Some(why);
        self
    }

    fn agrees(&self) -> bool {
        self.difference <= self.tolerance
    }

    /// Agreement where agreement is claimed, contradiction where that is.
    fn is_as_stated(&self) -> bool {
        self.difference.is_finite() && self.agrees() == self.contradiction.is_none()
    }
}

struct Source {
    title: &'static str,
    checks: Vec<Check>,
}

fn sources() -> Vec<Source> {
    vec![
        Source {
            title: "Wang & Mason 1992, Two-dimensional rigid-body collisions with friction",
            checks: [wang_mason::checks(), quantities::wang_mason()].concat(),
        },
        Source {
            title: "Chatterjee 1997, Rigid Body Collisions: mass matrices and bodies",
            checks: mass_matrix::checks(),
        },
        Source {
            title: "Chatterjee 1997, Rigid Body Collisions: tables and collisions",
            checks: [chatterjee::checks(), quantities::chatterjee()].concat(),
        },
        Source {
            title: "Chatterjee 1997, chapter 8: contacts followed in time (digits: second program)",
            checks: compliant::checks(),
        },
        Source {
            title: "Chatterjee 1997, chapter 9: bodies that vibrate (digits: second program)",
            checks: vibration::checks(),
        },
        Source {
            title: "Chatterjee 1997, chapter 11: experiments (digits: second program)",
            checks: experiments::checks(),
        },
        Source {
            title: "Lai 1999, Rebound Predictions of Mechanical Collisions (digits: second program)",
            checks: [elastic::lai(), quantities::lai()].concat(),
        },
        Source {
            title: "Maw, Barber & Fawcett 1976, The oblique impact of elastic spheres (digits: second program)",
            checks: elastic::maw(),
        },
        Source {
            title: "Rakshit & Chatterjee 2015, Scalar generalization of Newtonian restitution (reconstruction; digits: second program)",
            checks: impacts::rakshit_chatterjee(),
        },
        Source {
            title: "Rodriguez 2014, Dynamic simulation of multibody systems in simultaneous, indeterminate contact",
            checks: impacts::rodriguez(),
        },
        Source {
            title: "Liu, Zhao & Brogliato 2008, Frictionless multiple impacts (digits: second program), and complementarity",
            checks: impacts::chains(),
        },
        Source { title: "Scenes that move", checks: simulation::checks() },
    ]
}

/// The validation page of the book; or the lines that are not as stated.
pub fn page() -> Result<String, String> {
    let sources = sources();
    let all = || sources.iter().flat_map(|source| &source.checks);
    let wrong = all().filter(|check| !check.is_as_stated()).map(|check| {
        let Check { place, what, printed, ours, difference, .. } = check;
        format!("not as stated: {place}: {what}: source {printed} ours {ours} difference {difference:e}\n")
    });
    let wrong: String = wrong.collect();
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let contradictions: Vec<&Check> = all().filter(|check| check.contradiction.is_some()).collect();
    let mut page = String::from(
        "# Validation\n\n<!-- Made by `cargo xtask generate`; do not edit. -->\n\n\
         Numbers of the sources beside Carom's. A printed number agrees when ours differs by no more than one unit of its \
         last digit (sources round or truncate); a formula agrees when the worst relative difference over the stated \
         cases is below 10⁻¹¹. Scenes that move are files of the gallery, followed by the event engine; their source is the solution that \
         the line names, and they agree with it to the difference shown. *Springs* stands for contacts of stiff springs, followed by \
         small steps in other coordinates; where friction changes the normal impulse our law is then `routh-stronge`, which is their \
         limit. *Second program* marks numbers that a source does not print and that an independent \
         implementation computed from its formulas. Signs and components are the source's; [the conventions](reference/conventions.md) map \
         them to ours.\n\n",
    );
    let _ = writeln!(
        page,
        "{} checks, {} agree, {} contradict the source.\n",
        all().count(),
        all().filter(|check| check.agrees()).count(),
        contradictions.len()
    );
    page.push_str("## Contradictions\n\n| where | what | source | ours | why |\n|---|---|---|---|---|\n");
    for check in contradictions {
        let why = check.contradiction.unwrap_or_default();
        let _ = writeln!(page, "| {} | {} | {} | {} | {why} |", check.place, check.what, check.printed, check.ours);
    }
    for source in &sources {
        let _ = writeln!(
            page,
            "\n## {}\n\n| where | what | source | ours | difference |\n|---|---|---|---|---|",
            source.title
        );
        for check in &source.checks {
            let note = if check.contradiction.is_some() { " (contradicts)" } else { "" };
            let difference = match check {
                Check { bounded: true, tolerance, .. } if *tolerance == 0.0 => "0".to_owned(),
                Check { bounded: true, tolerance, .. } => format!("< {tolerance:.0e}"),
                Check { difference, .. } if *difference < 1e-13 => "< 1e-13".to_owned(),
                Check { difference, .. } => format!("{difference:.0e}"),
            };
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {difference}{note} |",
                check.place, check.what, check.printed, check.ours
            );
        }
    }
    Ok(page)
}
