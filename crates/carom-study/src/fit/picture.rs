//! A fit as a sheet of charts: impulses, restitution and friction by measurement and by the law, residuals, and what single collisions
//! weigh; and laws beside each other in impulse space.

use super::compare::same;
use super::{Comparison, Fit, Measurements};
use crate::plot::{Axis, Chart, Curve, Sheet, Text};
use nalgebra::{Vector2, Vector3};
use statrs::distribution::{ContinuousCDF, Normal};

/// Laws in a picture of a comparison.
const LAWS: usize = 4;

/// A collision in numbers without units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normalised {
    /// The angle of incidence from the normal, degrees.
    pub incidence: f64,
    /// The impulse along the slip and along the normal, in units of the impulse that stops the approach without friction.
    pub impulse: Vector2<f64>,
    /// Newton's coefficient of restitution.
    pub restitution: f64,
}

impl Normalised {
    /// The collisions with some velocities after, component by component.
    pub fn of(data: &Measurements, after: &[f64]) -> Vec<Normalised> {
        let n = data.components();
        let of = |row: usize| {
            let before = data.before_of(row);
            let after = Vector3::from_fn(|k, _| if k < n { after[k * data.rows() + row] } else { 0.0 });
            let mass = data.inverse_mass_of(row).try_inverse().unwrap_or_default();
            let impulse = mass * (after - before).rows(0, n);
            let slip = before.yz().norm();
            // Without slip there is no direction: the first tangent stands for it.
            let direction = if slip > 0.0 { before.yz() / slip } else { Vector2::x() };
            let along = (1..n).map(|k| impulse[k] * direction[k - 1]).sum::<f64>();
            let stop = -before.x / data.inverse_mass[0][row];
            Normalised {
                incidence: slip.atan2(-before.x).to_degrees(),
                impulse: Vector2::new(along, impulse[0]) / stop,
                restitution: -after.x / before.x,
            }
        };
        (0..data.rows()).map(of).collect()
    }
}

fn measured(data: &Measurements) -> Vec<Normalised> {
    Normalised::of(data, &data.after.concat())
}

fn incidence() -> Axis {
    Axis::number(Text::plain("incidence in °"))
}

/// Points of measured collisions and of laws, over two axes.
fn chart(
    title: &str,
    [across, up]: [Axis; 2],
    measured: &[Normalised],
    laws: &[(&str, Vec<Normalised>)],
    point: fn(&Normalised) -> Vector2<f64>,
) -> Chart {
    let points = |all: &[Normalised]| all.iter().map(point).collect::<Vec<_>>();
    let of_law =
        |(index, (law, all)): (usize, &(&str, Vec<Normalised>))| Curve::dots(index, Text::plain(*law), points(all));
    let mut curves: Vec<Curve> = laws.iter().enumerate().map(of_law).collect();
    curves.push(Curve::cloud(Text::plain("measured"), points(measured)));
    Chart { title: title.to_owned(), across, up, curves, keyed: true, ..Chart::default() }
}

fn impulse_chart(title: &str, measured: &[Normalised], laws: &[(&str, Vec<Normalised>)]) -> Chart {
    let unit = |name: &str, direction: &str| {
        Axis::number(
            Text::plain(name).italic("P").subscript(direction.to_owned()).then(" / ").italic("P").subscript("c"),
        )
    };
    chart(title, [unit("along the slip ", "t"), unit("normal ", "n")], measured, laws, |collision| collision.impulse)
}

impl Fit {
    /// The fit as a picture.
    pub fn sheet(&self, data: &Measurements) -> Sheet {
        let measured = measured(data);
        let laws = [(self.model.law.id, Normalised::of(data, &self.predicted))];
        let ratio =
            |collision: &Normalised| Vector2::new(collision.incidence, -collision.impulse.x / collision.impulse.y);
        let restitution = |collision: &Normalised| Vector2::new(collision.incidence, collision.restitution);
        let numbers: Vec<String> =
            self.estimates.iter().map(|estimate| format!("{} = {:.4}", estimate.name, estimate.value)).collect();
        Sheet {
            title: format!("{}: {} collisions", self.model.law.id, self.rows),
            subtitle: first_of(&numbers),
            charts: vec![
                impulse_chart("impulses", &measured, &laws),
                chart("restitution", [incidence(), Axis::number(Text::symbol("e"))], &measured, &laws, restitution),
                chart(
                    "impulse ratio against the slip",
                    [
                        incidence(),
                        Axis::number(
                            Text::plain("−").italic("P").subscript("t").then(" / ").italic("P").subscript("n"),
                        ),
                    ],
                    &measured,
                    &laws,
                    ratio,
                ),
                self.residual_chart(&measured),
                self.quantile_chart(),
                self.influence_chart(data),
            ],
        }
    }

    fn residual_chart(&self, measured: &[Normalised]) -> Chart {
        let components = self.residuals.len() / self.rows;
        let of = |component: usize| {
            let residual = |(row, collision): (usize, &Normalised)| {
                Vector2::new(collision.incidence, self.residuals[row * components + component] / self.unit())
            };
            measured.iter().enumerate().map(residual).collect()
        };
        let names: &[&str] = if components == 2 { &["n", "t"] } else { &["n", "t1", "t2"] };
        let curves = names
            .iter()
            .enumerate()
            .map(|(k, name)| Curve::dots(k + 1, Text::plain(format!("residual {name}")), of(k)));
        Chart {
            title: "residuals".to_owned(),
            across: incidence(),
            up: Axis::number(Text::plain("residual")),
            curves: curves.collect(),
            keyed: true,
            ..Chart::default()
        }
    }

    /// Residuals in order over the quantiles of the normal distribution: on the line if they are normal and of unit size.
    fn quantile_chart(&self) -> Chart {
        let mut residuals: Vec<f64> = self.residuals.iter().map(|residual| residual / self.unit()).collect();
        residuals.sort_by(f64::total_cmp);
        let (count, normal) = (residuals.len() as f64, Normal::standard());
        let quantile = |place: usize| normal.inverse_cdf((place as f64 + 0.5) / count);
        let points: Vec<Vector2<f64>> =
            residuals.iter().enumerate().map(|(place, residual)| Vector2::new(quantile(place), *residual)).collect();
        let end = quantile(0).abs();
        Chart {
            title: "normal quantiles".to_owned(),
            across: Axis::number(Text::plain("quantile of the normal distribution")),
            up: Axis::number(Text::plain("residual")),
            curves: vec![
                Curve::reference(Text::default(), vec![Vector2::new(-end, -end), Vector2::new(end, end)]),
                Curve::dots(0, Text::default(), points),
            ],
            keyed: true,
            ..Chart::default()
        }
    }

    fn influence_chart(&self, data: &Measurements) -> Chart {
        let points =
            self.influence.iter().zip(&data.lines).map(|(influence, line)| Vector2::new(*line as f64, *influence));
        Chart {
            title: "influence of single collisions".to_owned(),
            across: Axis::count(Text::plain(data.place)),
            up: Axis::number(Text::plain("Cook’s distance")),
            curves: vec![Curve::dots(0, Text::default(), points.collect())],
            keyed: true,
            ..Chart::default()
        }
    }
}

/// As many of the numbers as a line has room for.
fn first_of(numbers: &[String]) -> String {
    const ROOM: usize = 110;
    let mut text = String::new();
    for number in numbers {
        if text.chars().count() + number.chars().count() > ROOM {
            return text + ", …";
        }
        text = if text.is_empty() { number.clone() } else { format!("{text}, {number}") };
    }
    text
}

impl Comparison {
    /// The best laws beside the measured collisions in impulse space.
    pub fn sheet(&self, data: &Measurements) -> Sheet {
        let measured = measured(data);
        // Of laws that predict the same the first stands for all.
        let mut shown: Vec<(&'static str, &Fit)> = Vec::new();
        for candidate in &self.candidates {
            let Ok((fit, _)) = &candidate.result else { continue };
            if shown.last().is_none_or(|(_, last)| fit.aicc() - last.aicc() > same(last.aicc())) {
                shown.push((candidate.law.id, fit));
            }
        }
        let chart = |(index, (law, fit)): (usize, (&'static str, &Fit))| {
            let title = format!("{law}: mean error {:.4}", fit.mean_error);
            let mut chart = impulse_chart(&title, &measured, &[]);
            let points = Normalised::of(data, &fit.predicted).iter().map(|collision| collision.impulse).collect();
            chart.curves.insert(0, Curve::dots(index, Text::plain(law), points));
            chart
        };
        Sheet {
            title: format!("Laws beside {} measured collisions", data.rows()),
            subtitle: "impulses in units of the one that stops the approach without friction".to_owned(),
            charts: shown.into_iter().take(LAWS).enumerate().map(chart).collect(),
        }
    }
}
