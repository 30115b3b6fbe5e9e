//! A fit or a comparison as one page of HTML that needs no other file.

use super::report::{interval_text, short, short_error};
use super::{Bootstrap, Comparison, Errors, Fit, Impossible, Measurements, Reach};
use std::fmt::Write;

/// What a page says besides the fit itself.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The command that makes it.
    pub command: &'a str,
    /// The file of the collisions.
    pub file: &'a str,
    /// The probability of intervals.
    pub confidence: f64,
    /// Collisions that break a law of nature.
    pub impossible: &'a [Impossible],
}

const STYLE: &str = "body{font:16px/1.5 Georgia,serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}\
h1{font-size:1.6rem}h2{font-size:1.15rem;margin-top:2rem}table{border-collapse:collapse;margin:1rem 0}\
th,td{padding:.2rem .9rem .2rem 0;text-align:right;border-bottom:1px solid #ddd}th:first-child,td:first-child{text-align:left}\
td.words{text-align:left}thead th{border-bottom:2px solid #1a1a1a}\
pre{background:#f5f5f5;padding:.7rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere}svg{max-width:100%;height:auto}";

impl Page<'_> {
    /// The page of a fit.
    pub fn of_fit(
        &self,
        data: &Measurements,
        fit: &Fit,
        bootstrap: Option<&Bootstrap>,
        reach: Option<&Reach>,
    ) -> String {
        let mut body = self.begin(&format!("{} fitted to {} collisions", fit.model.law.id, fit.rows), data);
        let percent = format!("{} %", 100.0 * self.confidence);
        body += "<h2>Parameters</h2>\n";
        let mut header = vec!["parameter".to_owned(), "value".to_owned(), "standard error".to_owned()];
        if fit.estimates.iter().any(|estimate| estimate.interval.is_some()) {
            header.push(format!("{percent}, profile likelihood"));
        }
        if bootstrap.is_some() {
            header.push(format!("{percent}, bootstrap"));
        }
        let rows = fit.estimates.iter().enumerate().map(|(k, estimate)| {
            let error = estimate.standard_error.map(short_error);
            let mut row = vec![
                estimate.name.clone(),
                short(estimate.value),
                error.unwrap_or_else(|| if estimate.at_bound { "at bound" } else { "unknown" }.to_owned()),
            ];
            row.extend(estimate.interval.as_ref().map(interval_text));
            row.extend(bootstrap.map(|bootstrap| {
                let [low, high] = bootstrap.interval(k, self.confidence);
                format!("{} to {}", short(low), short(high))
            }));
            row
        });
        body += &table(&header, rows);
        for (key, value) in &fit.model.fixed {
            let _ = writeln!(body, "<p>{} was held at {value}.</p>", escaped(key));
        }
        for name in fit.model.columns() {
            if let Ok(column) = data.column(name) {
                let (name, mean) = (escaped(name), short(column.mean));
                let _ = writeln!(body, "<p>Slopes ~{name} are about the mean of {name}, {mean}.</p>");
            }
        }
        for (name, side) in fit.one_sided() {
            let _ = writeln!(body, "<p>These collisions give only a {side} limit of {}.</p>", escaped(name));
        }
        if let Some(bootstrap) = bootstrap {
            let drawn = if bootstrap.by_group { "groups of collisions" } else { "collisions" };
            let _ = writeln!(
                body,
                "<p>Bootstrap: percentiles of {} fits to {drawn} drawn again with replacement.</p>",
                bootstrap.samples.len()
            );
        }
        for name in fit.undetermined() {
            let _ = writeln!(body, "<p>These collisions do not determine {}.</p>", escaped(name));
        }
        body += "<h2>Agreement</h2>\n";
        let mut rows = vec![
            vec!["mean error √(Δv·M Δv / V·M V)".to_owned(), short(fit.mean_error)],
            vec!["log-likelihood".to_owned(), format!("{:.2}", fit.log_likelihood)],
            vec!["AICc".to_owned(), format!("{:.2}", fit.aicc())],
            vec!["BIC".to_owned(), format!("{:.2}", fit.bic())],
        ];
        match fit.errors {
            Errors::Measured => {
                rows.push(vec![format!("χ² for {} degrees of freedom", fit.freedom), short(fit.squares)]);
                rows.push(vec!["probability of a χ² as large".to_owned(), short(fit.probability())]);
            }
            Errors::Equal => rows.push(vec!["error of a velocity after, m/s".to_owned(), short(fit.scale)]),
            Errors::Energy => rows.push(vec!["error relative to the speed before".to_owned(), short(fit.scale)]),
        }
        if fit.refused > 0 {
            rows.push(vec!["collisions that the law refuses".to_owned(), fit.refused.to_string()]);
        }
        body += &table(&["quantity".to_owned(), "value".to_owned()], rows.into_iter());
        if let Some(reach) = reach {
            let _ = writeln!(body, "<h2>Reach</h2>\n<pre>{}</pre>", escaped(&reach.summary(data)));
        }
        let _ = writeln!(body, "<h2>Pictures</h2>\n{}", fit.sheet(data).svg());
        body += "<p>Impulses are divided by the one that stops the approach without friction. Residuals are divided by their standard \
                 deviation; on the line of the quantiles they are normal. Cook’s distance says how far the parameters move without a \
                 collision.</p>\n";
        self.end(body, data, &method(fit.errors, fit.estimates.iter().any(|estimate| estimate.interval.is_some())))
    }

    /// The page of a comparison.
    pub fn of_comparison(&self, data: &Measurements, comparison: &Comparison, errors: Errors) -> String {
        let mut body = self.begin(&format!("Laws beside {} collisions", data.rows()), data);
        let _ = writeln!(body, "<p>{}</p>", escaped(&comparison.sentence()).replace('`', ""));
        let least = |of: fn(&Fit) -> f64| {
            let fits = comparison.candidates.iter().filter_map(|candidate| candidate.result.as_ref().ok());
            fits.map(|(fit, _)| of(fit)).fold(f64::INFINITY, f64::min)
        };
        let (aicc, bic) = (least(Fit::aicc), least(Fit::bic));
        let header = ["law", "numbers", "ΔAICc", "ΔBIC", "mean error", "left out", "parameters"].map(str::to_owned);
        let fitted = comparison.candidates.iter().filter_map(|candidate| {
            let (fit, error) = candidate.result.as_ref().ok()?;
            let values: Vec<String> =
                fit.estimates.iter().map(|estimate| format!("{} {}", estimate.name, short(estimate.value))).collect();
            Some(vec![
                candidate.law.id.to_owned(),
                fit.numbers.to_string(),
                format!("{:.1}", fit.aicc() - aicc),
                format!("{:.1}", fit.bic() - bic),
                short(fit.mean_error),
                short(*error),
                values.join(", "),
            ])
        });
        body += &table(&header, fitted);
        for candidate in &comparison.candidates {
            if let Err(why) = &candidate.result {
                let _ =
                    writeln!(body, "<p>{} could not be fitted: {}.</p>", candidate.law.id, escaped(&why.to_string()));
            }
        }
        let parts = if comparison.by_group { "groups" } else { "parts" };
        let _ = writeln!(
            body,
            "<p>Errors are means of √(Δv·M Δv / V·M V); <em>left out</em> is that of each of {} {parts} predicted by a fit to the others.</p>",
            comparison.parts
        );
        let _ = writeln!(body, "<h2>Pictures</h2>\n{}", comparison.sheet(data).svg());
        self.end(body, data, &method(errors, false))
    }

    fn begin(&self, title: &str, data: &Measurements) -> String {
        let groups = match data.group_names.len() {
            0 | 1 => String::new(),
            many => format!(" in {many} groups"),
        };
        let title = escaped(title);
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{title}</title><style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n<p>{} collisions{groups} from {}.</p>\n",
            data.rows(),
            escaped(self.file)
        )
    }

    fn end(&self, mut body: String, data: &Measurements, method: &str) -> String {
        let remarks = data.remarks(self.impossible);
        if !remarks.is_empty() {
            let _ = writeln!(body, "<h2>Collisions left out or impossible</h2>\n<pre>{}</pre>", escaped(&remarks));
        }
        let _ = write!(
            body,
            "<h2>Method</h2>\n<p>{method}</p>\n<pre>{}</pre>\n<p>Carom {}</p>\n</body></html>\n",
            escaped(self.command),
            env!("CARGO_PKG_VERSION")
        );
        body
    }
}

fn method(errors: Errors, profiles: bool) -> String {
    let weights = match errors {
        Errors::Measured => {
            "Residuals are weighted with the measured covariances of the velocities after and, carried on by the law’s derivatives, of those \
             before."
        }
        Errors::Equal => "All velocities after are taken to have the same error, which the fit finds.",
        Errors::Energy => {
            "Errors are taken to be equal in the metric of M relative to the speed before; the fit finds their size."
        }
    };
    let intervals = if profiles {
        " Intervals hold the values for which the others can be chosen so that the sum of squares stays within the quantile of its least."
    } else {
        ""
    };
    format!(
        "Weighted least squares of the velocities after, within the bounds of the parameters, by Levenberg and Marquardt’s method from \
         several starts. {weights}{intervals}"
    )
}

fn table(header: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cells = |tag: &str, cells: &[String]| -> String {
        let cell = |text: &String| {
            // Numbers stand to the right, lists of words to the left.
            let class = if tag == "td"
                && text.starts_with(char::is_alphabetic)
                && text.contains(|letter: char| letter.is_ascii_digit())
            {
                " class=\"words\""
            } else {
                ""
            };
            format!("<{tag}{class}>{}</{tag}>", escaped(text))
        };
        cells.iter().map(cell).collect()
    };
    let mut text = format!("<table><thead><tr>{}</tr></thead>\n<tbody>\n", cells("th", header));
    for row in rows {
        let _ = writeln!(text, "<tr>{}</tr>", cells("td", &row));
    }
    text + "</tbody></table>\n"
}

/// Text in which nothing is markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
