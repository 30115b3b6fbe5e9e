//! Every number of the sources beside ours: the book's validation page, and a test that the two agree.

mod chatterjee;
mod compliant;
mod elastic;
mod impacts;
mod mass_matrix;
mod vibration;
mod wang_mason;

use std::fmt::Write;

/// One printed number or formula and what the library gives for it.
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
        }
    }

    /// A number printed to six decimals with trailing zeros left out.
    fn six_decimals(place: &'static str, what: impl Into<String>, printed: &str, ours: f64) -> Check {
        Check { tolerance: 1e-6, ..Check::number(place, what, printed, ours) }
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
            checks: wang_mason::checks(),
        },
        Source {
            title: "Chatterjee 1997, Rigid Body Collisions: mass matrices and bodies",
            checks: mass_matrix::checks(),
        },
        Source { title: "Chatterjee 1997, Rigid Body Collisions: tables and collisions", checks: chatterjee::checks() },
        Source {
            title: "Chatterjee 1997, chapter 8: contacts followed in time (digits: second program)",
            checks: compliant::checks(),
        },
        Source {
            title: "Chatterjee 1997, chapter 9: bodies that vibrate (digits: second program)",
            checks: vibration::checks(),
        },
        Source {
            title: "Lai 1999, Rebound Predictions of Mechanical Collisions (digits: second program)",
            checks: elastic::lai(),
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
    ]
}

/// The validation page of the book, and whether every line of it is as stated.
pub fn page() -> (String, bool) {
    let sources = sources();
    let all = || sources.iter().flat_map(|source| &source.checks);
    let contradictions: Vec<&Check> = all().filter(|check| check.contradiction.is_some()).collect();
    let mut page = String::from(
        "# Validation\n\n<!-- Made by `cargo xtask generate`; do not edit. -->\n\n\
         Numbers of the sources beside Carom's. A printed number agrees when ours differs by no more than one unit of its \
         last digit (sources round or truncate); a formula agrees when the worst relative difference over the stated \
         cases is below 10⁻¹¹. *Second program* marks numbers that a source does not print and that an independent \
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
            let difference =
                if check.difference < 1e-13 { "< 1e-13".to_owned() } else { format!("{:.0e}", check.difference) };
            let _ = writeln!(
                page,
                "| {} | {} | {} | {} | {difference}{note} |",
                check.place, check.what, check.printed, check.ours
            );
        }
    }
    (page, all().all(Check::is_as_stated))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_number_of_the_sources_is_as_stated() {
        for source in super::sources() {
            for check in source.checks {
                assert!(
                    check.is_as_stated(),
                    "{}: {} printed {} ours {} difference {:e}",
                    check.place,
                    check.what,
                    check.printed,
                    check.ours,
                    check.difference
                );
            }
        }
    }
}
