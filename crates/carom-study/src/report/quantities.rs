//! The named quantities of a problem: as a block of the table, as JSON, and as columns of the CSV.

use crate::prediction::Answer;
use crate::quantities::{ContactQuantities, Quantities};
use crate::scenario::Scenario;
use crate::table::full;
use crate::terminal::fit_lines;
use crate::terminal::number::{number, optional};
use crate::terminal::table::{self as layout, align_numbers};
use carom::problem::{Class, Principal, Span};
use nalgebra::DMatrix;
use serde_json::{Value, json};
use std::fmt::Write;

const AXES: [&str; 3] = ["n", "t1", "t2"];
/// Null vectors shown in a table; JSON has them all.
const MOST_SHOWN: usize = 6;

/// The addition of `--details` to a report: the problem, and of one contact the span condition of each law.
pub fn details(scenario: &Scenario, answers: &[Answer]) -> String {
    let Some(quantities) = Quantities::of(scenario) else {
        return format!("Problem\n  not decomposed: more than {} contacts\n", Quantities::MOST_CONTACTS);
    };
    let text = match &quantities.contacts[..] {
        [Some(contact)] => {
            let mut text = format!("Problem\n{}\nSpan condition\n", contact_details(contact));
            for (law, prediction) in answers.iter().filter_map(|(law, answer)| Some((law, answer.as_ref().ok()?))) {
                let _ = writeln!(text, "  {:20}{}", law.id, span_line(&prediction.span(scenario, 0)));
            }
            text
        }
        _ => impact_details(scenario, &quantities),
    };
    fit_lines(&text)
}

/// Rank, null vectors, and each contact.
fn impact_details(scenario: &Scenario, quantities: &Quantities) -> String {
    let rows = quantities.inverse_mass.nrows();
    let mut text = format!("Problem\n  rank of W      {} of {rows}\n", quantities.rank);
    let components = scenario.impact.components();
    for axis in quantities.null_vectors.iter().take(MOST_SHOWN) {
        let parts = (0..scenario.impact.contacts()).filter_map(|k| {
            let part = axis.direction.rows(k * components, components);
            let entries: Vec<String> = part.iter().map(|x| number(*x, NOISE)).collect();
            (part.amax() > NOISE * 1e-14).then(|| format!("{} ({})", scenario.contact_name(k), entries.join(", ")))
        });
        let _ = writeln!(text, "  null vector    {}", parts.collect::<Vec<_>>().join("  "));
    }
    if quantities.null_vectors.len() > MOST_SHOWN {
        let _ = writeln!(text, "                 … {} more", quantities.null_vectors.len() - MOST_SHOWN);
    }
    let held = match &quantities.held {
        Some(held) => {
            let names: Vec<String> = held.contacts.iter().map(|k| scenario.contact_name(*k)).collect();
            format!("yes: {}", names.join(", "))
        }
        None => "no".to_owned(),
    };
    let _ = writeln!(text, "  can jam        {held}");
    for (k, class) in quantities.classes.iter().enumerate() {
        let _ = writeln!(text, "\n{}: {class}", scenario.contact_name(k));
        if let Some(contact) = &quantities.contacts[k] {
            text.push_str(&contact_details(contact));
        }
    }
    text
}

/// Entries of a unit vector below 1e-14 times this are rounding of a decomposition.
const NOISE: f64 = 1e3;

fn contact_details(quantities: &ContactQuantities) -> String {
    let mut text = String::new();
    let components = quantities.inverse_mass.nrows();
    let mut table = layout::plain();
    let mut header = vec![String::new()];
    header.extend(AXES.iter().take(components).map(|axis| format!("W {axis}")));
    header.extend(AXES.iter().take(components).map(|axis| format!("M {axis}")));
    table.set_header(header);
    let size = quantities.inverse_mass.amax();
    for i in 0..components {
        let mut row = vec![AXES[i].to_owned()];
        row.extend((0..components).map(|j| number(quantities.inverse_mass[(i, j)], size)));
        row.extend((0..components).map(|j| match &quantities.mass {
            Some(mass) => number(mass[(i, j)], mass.amax()),
            None => "–".to_owned(),
        }));
        table.add_row(row);
    }
    align_numbers(&mut table, 1..=2 * components);
    let _ = writeln!(text, "{}", layout::fitted(&table, &[1 + components]));
    for axis in &quantities.axes {
        let entries: Vec<String> = axis.direction.iter().map(|x| number(*x, 1.0)).collect();
        let _ = writeln!(text, "  eigenvalue     {} 1/kg along ({})", number(axis.value, size), entries.join(", "));
    }
    if let Some(process) = &quantities.process {
        let c = &process.coefficients;
        let _ = writeln!(
            text,
            "  Wang & Mason   B1 {}, B2 {}, B3 {} 1/kg\n                 μ_s {}, μ_d {}, μ_q {}, P_d {}, P_q {}",
            number(c.b1, size),
            number(c.b2, size),
            number(c.b3, size),
            optional(process.mu_s),
            optional(process.mu_d),
            optional(process.mu_q),
            optional(process.p_d),
            optional(process.p_q)
        );
    }
    if let Some(coupling) = &quantities.coupling {
        let _ = writeln!(
            text,
            "  Lai            m {} kg, λ {}, θ {}, α {}",
            number(coupling.mass, 0.0),
            number(coupling.lambda, 1.0),
            number(coupling.theta, 1.0),
            optional(quantities.incidence)
        );
    }
    if let Some(oblique) = &quantities.oblique {
        let regimes = oblique.regimes.map_or_else(String::new, |regimes| {
            format!(" (sticks first below 1, only slips above {})", number(regimes.slide_above, 1.0))
        });
        let _ =
            writeln!(text, "                 χ {}, ψ1 {}{regimes}", number(oblique.chi, 1.0), optional(oblique.psi_1));
    }
    if let Some(waves) = &quantities.waves {
        let (strong, weak) = (number(waves.strong, 1.0), number(waves.weak, 1.0));
        let _ = writeln!(text, "  waves          (V/c)^(1/5) {strong}, 0.3 (V/c)^(1/3) {weak}");
    }
    text
}

/// The span condition in one line.
fn span_line(span: &Span) -> String {
    let verdict = match span.holds {
        Some(true) => "holds",
        Some(false) => "does not hold",
        None => return "not defined: no slip before or after".to_owned(),
    };
    match span.coefficients {
        Some([a, b]) => format!("{verdict}, a {}, b {} kg", number(a, 1.0), number(b, 1.0)),
        None => format!("{verdict}, P_t is no combination of the slips"),
    }
}

/// The span condition as JSON.
pub(super) fn span_json(span: &Span) -> Value {
    let [a, b] = span.coefficients.map_or([None; 2], |found| found.map(|x| Some(x + 0.0)));
    json!({ "holds": span.holds, "a": a, "b": b })
}

fn rows(matrix: &DMatrix<f64>) -> Value {
    matrix.row_iter().map(|row| row.iter().map(|x| x + 0.0).collect::<Vec<f64>>()).collect()
}

fn class_json(class: Class) -> Value {
    json!({ "approach": class.approach.name(), "slip": class.slip_name(), "centre": class.centre_name() })
}

fn directions(axes: &[Principal]) -> Value {
    axes.iter().map(|axis| axis.direction.iter().map(|x| x + 0.0).collect::<Vec<f64>>()).collect()
}

/// The quantities of a contact.
fn contact_json(quantities: &ContactQuantities) -> Value {
    let process = quantities.process.map(|process| {
        let c = process.coefficients;
        json!({
            "b1": c.b1, "b2": c.b2, "b3": c.b3 + 0.0,
            "mu_s": process.mu_s.map(|mu| mu + 0.0), "mu_d": process.mu_d, "mu_q": process.mu_q,
            "p_d": process.p_d, "p_q": process.p_q,
        })
    });
    let coupling = quantities
        .coupling
        .map(|coupling| json!({ "mass": coupling.mass, "lambda": coupling.lambda, "theta": coupling.theta + 0.0 }));
    let oblique = quantities.oblique.map(|oblique| {
        json!({
            "chi": oblique.chi,
            "psi_1": oblique.psi_1,
            "stick_below": oblique.regimes.map(|regimes| regimes.stick_below),
            "slide_above": oblique.regimes.map(|regimes| regimes.slide_above),
        })
    });
    json!({
        "class": class_json(quantities.class),
        "inverse_mass": rows(&quantities.inverse_mass),
        "mass": quantities.mass.as_ref().map(rows),
        "rank": quantities.rank,
        "eigenvalues": quantities.axes.iter().map(|axis| axis.value).collect::<Vec<f64>>(),
        "eigenvectors": directions(&quantities.axes),
        "wang_mason": process,
        "lai": coupling,
        "incidence": quantities.incidence,
        "oblique": oblique,
        "waves": quantities.waves.map(|waves| json!({ "strong": waves.strong, "weak": waves.weak })),
    })
}

/// The quantities of an impact as the object `problem`: those of the contact if there is one; `null` if there are too many to
/// decompose.
pub(crate) fn problem_json(quantities: Option<&Quantities>) -> Value {
    let Some(quantities) = quantities else { return Value::Null };
    let held = quantities.held.as_ref().map(|held| {
        let impulses: Vec<[f64; 3]> = held.impulses.iter().map(|p| (*p).map(|x| x + 0.0).into()).collect();
        let contacts: Vec<usize> = held.contacts.iter().map(|k| k + 1).collect();
        json!({ "contacts": contacts, "impulses": impulses })
    });
    let mut contacts: Vec<Value> = quantities
        .classes
        .iter()
        .zip(&quantities.contacts)
        .map(|(class, contact)| match contact {
            Some(contact) => contact_json(contact),
            None => json!({ "class": class_json(*class) }),
        })
        .collect();
    let mut problem = match &mut contacts[..] {
        [contact] => contact.take(),
        _ => json!({
            "inverse_mass": rows(&quantities.inverse_mass),
            "rank": quantities.rank,
            "contacts": contacts,
        }),
    };
    problem["null_vectors"] = directions(&quantities.null_vectors);
    problem["held"] = json!(held);
    problem
}

/// Columns of the CSV for the problem and the span condition at every contact.
pub(super) const QUANTITY_COLUMNS: [&str; 52] = [
    "class_approach",
    "class_slip",
    "class_centre",
    "w_nn",
    "w_nt1",
    "w_nt2",
    "w_t1t1",
    "w_t1t2",
    "w_t2t2",
    "m_nn",
    "m_nt1",
    "m_nt2",
    "m_t1t1",
    "m_t1t2",
    "m_t2t2",
    "rank",
    "eigenvalue_1",
    "eigenvalue_2",
    "eigenvalue_3",
    "eigenvector_1_n",
    "eigenvector_1_t1",
    "eigenvector_1_t2",
    "eigenvector_2_n",
    "eigenvector_2_t1",
    "eigenvector_2_t2",
    "eigenvector_3_n",
    "eigenvector_3_t1",
    "eigenvector_3_t2",
    "b1",
    "b2",
    "b3",
    "mu_s",
    "mu_d",
    "mu_q",
    "p_d",
    "p_q",
    "lai_mass",
    "lambda",
    "theta",
    "incidence",
    "chi",
    "psi_1",
    "psi_stick_below",
    "psi_slide_above",
    "wave_strong",
    "wave_weak",
    "span",
    "span_a",
    "span_b",
    "impact_rank",
    "impact_null_vectors",
    "held",
];

/// The values of [`QUANTITY_COLUMNS`] that do not depend on the law, up to the span.
fn contact_values(quantities: &ContactQuantities) -> Vec<String> {
    let maybe = |x: Option<f64>| x.map_or_else(String::new, full);
    let components = quantities.inverse_mass.nrows();
    let entry = |matrix: Option<&DMatrix<f64>>, i: usize, j: usize| {
        maybe(matrix.filter(|_| i.max(j) < components).map(|matrix| matrix[(i, j)]))
    };
    let class = &quantities.class;
    let mut row: Vec<String> =
        [class.approach.name(), class.slip_name(), class.centre_name()].map(str::to_owned).to_vec();
    for matrix in [Some(&quantities.inverse_mass), quantities.mass.as_ref()] {
        row.extend([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|(i, j)| entry(matrix, i, j)));
    }
    row.push(quantities.rank.to_string());
    row.extend((0..3).map(|k| maybe(quantities.axes.get(k).map(|axis| axis.value))));
    for k in 0..3 {
        row.extend((0..3).map(|i| maybe(quantities.axes.get(k).and_then(|axis| axis.direction.get(i).copied()))));
    }
    let process = quantities.process;
    let c = process.map(|process| process.coefficients);
    row.extend([c.map(|c| c.b1), c.map(|c| c.b2), c.map(|c| c.b3)].map(maybe));
    row.extend(process.map_or([None; 5], |p| [p.mu_s, p.mu_d, p.mu_q, p.p_d, p.p_q]).map(maybe));
    let coupling = quantities.coupling;
    row.extend([coupling.map(|c| c.mass), coupling.map(|c| c.lambda), coupling.map(|c| c.theta)].map(maybe));
    row.push(maybe(quantities.incidence));
    let oblique = quantities.oblique;
    let regimes = oblique.and_then(|oblique| oblique.regimes);
    row.extend([oblique.map(|o| o.chi), oblique.and_then(|o| o.psi_1)].map(maybe));
    row.extend([regimes.map(|r| r.stick_below), regimes.map(|r| r.slide_above)].map(maybe));
    row.extend([quantities.waves.map(|w| w.strong), quantities.waves.map(|w| w.weak)].map(maybe));
    row
}

fn span_values(span: Option<&Span>) -> [String; 3] {
    let coefficients = span.and_then(|span| span.coefficients);
    let coefficient = |k: usize| coefficients.map_or_else(String::new, |found| full(found[k]));
    let word = match span.and_then(|span| span.holds) {
        Some(true) => "holds",
        Some(false) => "fails",
        None => "",
    };
    [word.to_owned(), coefficient(0), coefficient(1)]
}

/// The values of [`QUANTITY_COLUMNS`] at a contact; empty if there are too many contacts to decompose.
pub(super) fn quantity_values(quantities: Option<&Quantities>, contact: usize, span: Option<&Span>) -> Vec<String> {
    let Some(quantities) = quantities else { return vec![String::new(); QUANTITY_COLUMNS.len()] };
    let mut row = quantities.contacts[contact].as_ref().map_or_else(Vec::new, contact_values);
    row.resize(QUANTITY_COLUMNS.len() - 6, String::new());
    row.extend(span_values(span));
    let held = quantities.held.as_ref().is_some_and(|held| held.contacts.contains(&contact));
    row.extend([quantities.rank.to_string(), quantities.null_vectors.len().to_string(), held.to_string()]);
    row
}
