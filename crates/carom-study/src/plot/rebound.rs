//! Rebound against incidence in the numbers of Maw, Barber & Fawcett 1976: ψ₂ over ψ₁ for round bodies and for laws.

use super::axis::Axis;
use super::chart::{Chart, Dot, Guide};
use super::curve::Curve;
use super::sheet::Sheet;
use super::text::Text;
use carom::Error;
use carom::elastic::{Oblique, Regimes, Round};
use carom::format::Digits;
use carom::laws::{self, BoundLaw, Law};
use nalgebra::Vector2;

/// Curves of ψ₂ over ψ₁: in one chart round bodies by one law, in another a sphere by several laws.
#[derive(Clone, Debug)]
pub struct ReboundCurves {
    /// Poisson's ratio of the bodies, 0 to 0.5.
    pub poisson_ratio: f64,
    /// Coefficient of friction, above 0.
    pub friction: f64,
    /// The bodies of the first chart.
    pub bodies: Vec<Round>,
    /// The laws of the second chart; the first chart is by the first of them. A law that needs more than friction,
    /// restitution (taken as 1) and elastic constants is left out of the second chart, and an error in the first.
    pub laws: Vec<&'static Law>,
    /// The greatest ψ₁ shown.
    pub greatest: f64,
    /// Points of a curve.
    pub points: usize,
}

impl Default for ReboundCurves {
    /// All round bodies with ν = 0.3 and μ = 0.5 up to ψ₁ = 7: the contact area of Maw, Barber and Fawcett, Lai's spring
    /// in its place, rigid bodies, and Smith's law.
    fn default() -> ReboundCurves {
        let ids = ["hertz-mindlin", "lai", "routh-newton", "smith"];
        ReboundCurves {
            poisson_ratio: 0.3,
            friction: 0.5,
            bodies: Round::ALL.to_vec(),
            laws: ids.into_iter().filter_map(|id| laws::find(id).ok()).collect(),
            greatest: 7.0,
            points: 280,
        }
    }
}

impl ReboundCurves {
    /// ψ₂ over ψ₁ of a body by a law.
    pub fn curve(&self, body: Round, law: &'static Law) -> Result<Vec<Vector2<f64>>, Error> {
        let (oblique, bound) = (self.oblique(body)?, self.bind(law)?);
        let last = self.points.max(2) - 1;
        let psi = (0..=last).map(|k| self.greatest * k as f64 / last as f64);
        Ok(oblique.curve(psi, |collision| bound.resolve_collision(collision)).into_iter().map(Vector2::from).collect())
    }

    /// The figure.
    pub fn sheet(&self) -> Result<Sheet, Error> {
        let charts = [self.bodies_chart()?, self.laws_chart()?];
        let charts = charts.into_iter().filter(|chart| !chart.curves.is_empty());
        Ok(Sheet {
            title: "Rebound of round bodies".to_owned(),
            subtitle: format!(
                "ν = {}, μ = {}; left of ψ = 1 the contact sticks at first, from the circles on it slips throughout",
                Digits(self.poisson_ratio),
                Digits(self.friction)
            ),
            charts: charts.collect(),
        })
    }

    /// One law, a curve for each body, named where the contact slips throughout and the curves are far apart.
    fn bodies_chart(&self) -> Result<Chart, Error> {
        let Some(law) = self.laws.first().copied() else { return Ok(Chart::default()) };
        let mut chart = self.chart("");
        let mut numbers = Vec::new();
        for (k, body) in self.bodies.iter().enumerate() {
            let chi = self.oblique(*body)?.gyration_ratio();
            let slides = Regimes::maw(chi)?.slide_above;
            let [before, after] = parted(self.curve(*body, law)?, slides);
            chart.curves.push(Curve::line(k, Text::plain(body.name()), after));
            chart.curves.push(Curve::line(k, Text::default(), before));
            chart.dots.push(Dot { at: Vector2::new(slides, slides - 4.0 * chi), label: Text::default() });
            numbers.push(format!("{chi:.2}"));
        }
        chart.title = format!("{}, χ = {}", law.id, numbers.join(", "));
        Ok(chart)
    }

    /// A sphere, a curve for each law, named where the contact does not slip throughout and the laws differ.
    fn laws_chart(&self) -> Result<Chart, Error> {
        let mut chart = self.chart("sphere by several laws");
        let slides = Regimes::maw(self.oblique(Round::Sphere)?.gyration_ratio())?.slide_above;
        for law in self.laws.iter().copied() {
            match self.curve(Round::Sphere, law) {
                Ok(points) => {
                    let index = chart.curves.len() / 2;
                    let [before, after] = parted(points, slides);
                    chart.curves.push(Curve::line(index, Text::plain(law.id), before));
                    chart.curves.push(Curve::line(index, Text::default(), after));
                }
                Err(Error::MissingParameter { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(chart)
    }

    fn chart(&self, title: &str) -> Chart {
        Chart {
            title: title.to_owned(),
            across: Axis::number(Text::plain("incidence ").italic("ψ").subscript_number(1)).between(0.0, self.greatest),
            up: Axis::number(Text::plain("rebound ").italic("ψ").subscript_number(2)),
            guides: vec![Guide { at: 1.0, label: Text::symbol("ψ").subscript_number(1).then(" = 1") }],
            ..Chart::default()
        }
    }

    fn oblique(&self, body: Round) -> Result<Oblique, Error> {
        Oblique::new(body, self.poisson_ratio, self.friction)
    }

    fn bind(&self, law: &'static Law) -> Result<BoundLaw, Error> {
        law.bind_from(|key| match key {
            "friction" => Some(self.friction),
            "poisson_ratio" => Some(self.poisson_ratio),
            // Neither a loss along the normal nor a size: both would leave the plane of ψ₁ and ψ₂.
            "restitution" | "youngs_modulus" | "radius" => Some(1.0),
            _ => None,
        })
    }
}

/// A curve in two parts that meet at some ψ₁.
fn parted(points: Vec<Vector2<f64>>, at: f64) -> [Vec<Vector2<f64>>; 2] {
    let last = points.iter().position(|point| point.x >= at).unwrap_or(points.len().saturating_sub(1));
    let after = points.get(last..).unwrap_or_default().to_vec();
    let mut before = points;
    before.truncate(last + 1);
    [before, after]
}
