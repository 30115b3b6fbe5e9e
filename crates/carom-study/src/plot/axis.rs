//! An axis of a chart: what it measures, where its values lie on the canvas, and its ticks at round numbers.

use super::text::Text;
use crate::prefix::Prefix;

/// What an axis measures.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    name: Text,
    unit: Option<String>,
    logarithmic: bool,
    whole: bool,
    range: Option<[f64; 2]>,
}

impl Axis {
    /// A quantity in an SI unit; the axis finds the prefix.
    pub fn quantity(name: Text, unit: impl Into<String>) -> Axis {
        Axis { name, unit: Some(unit.into()), ..Axis::default() }
    }

    /// A number, or a quantity whose unit takes no prefix and stands in the name.
    pub fn number(name: Text) -> Axis {
        Axis { name, ..Axis::default() }
    }

    /// A count: only whole numbers are marked.
    pub fn count(name: Text) -> Axis {
        Axis { name, whole: true, ..Axis::default() }
    }

    /// The same with equal ratios at equal distances. Values that are not positive are not shown.
    #[must_use]
    pub fn logarithmic(self) -> Axis {
        Axis { logarithmic: true, ..self }
    }

    /// The same from one value to another, instead of around what is drawn.
    #[must_use]
    pub fn between(self, least: f64, greatest: f64) -> Axis {
        Axis { range: Some([least, greatest]), ..self }
    }
}

/// An axis on the canvas.
#[derive(Clone, Debug)]
pub struct Ruler {
    name: Text,
    unit: Option<String>,
    logarithmic: bool,
    whole: bool,
    /// The values at its ends; their decadic logarithms if it is logarithmic.
    least: f64,
    greatest: f64,
    /// Pixel of the first end, and pixels to the second.
    start: f64,
    length: f64,
    /// Distance between ticks that reads well, pixels.
    spacing: f64,
}

/// A tick of an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Its pixel along the axis.
    pub at: f64,
    /// Its label; none for a minor tick.
    pub label: Option<Text>,
}

/// Beyond these, ranges and steps leave the numbers of the machine.
const HUGE: f64 = 1e300;
const TINY: f64 = 1e-290;
/// A range narrower than this, relative to its values, is rounding.
const NARROW: f64 = 1e-9;
/// Zero comes into view if it is nearer to the values than this, relative to their range.
const NEAR_ZERO: f64 = 0.5;
/// Decades with minor ticks at most.
const FEW_DECADES: f64 = 4.0;

impl Ruler {
    /// Lays an axis out around values, with room beyond the least and the greatest relative to their range.
    pub fn new(axis: &Axis, values: impl Iterator<Item = f64>, room: [f64; 2]) -> Ruler {
        let shown = values.map(|x| if axis.logarithmic { x.log10() } else { x }).filter(|x| x.abs() < HUGE);
        let (mut least, mut greatest) =
            shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, greatest), x| (least.min(x), greatest.max(x)));
        if least > greatest {
            (least, greatest) = (0.0, 1.0);
        }
        if !axis.logarithmic {
            // Forces, times and works are read from zero.
            let reach = NEAR_ZERO * (greatest - least);
            if (0.0..=reach).contains(&least) {
                least = 0.0;
            }
            if (-reach..=0.0).contains(&greatest) {
                greatest = 0.0;
            }
        }
        let size = least.abs().max(greatest.abs());
        if greatest - least <= NARROW * size || size < TINY {
            let half = if size < TINY || axis.logarithmic { 1.0 } else { 0.5 * size };
            (least, greatest) = (least - half, greatest + half);
        }
        let range = greatest - least;
        let (mut least, mut greatest) = (least - room[0] * range, greatest + room[1] * range);
        if let Some(range) = axis.range {
            [least, greatest] = range.map(|x| if axis.logarithmic { x.log10() } else { x });
        }
        Ruler {
            name: axis.name.clone(),
            unit: axis.unit.clone(),
            logarithmic: axis.logarithmic,
            whole: axis.whole,
            least,
            greatest,
            start: 0.0,
            length: 1.0,
            spacing: 1.0,
        }
    }

    /// The same on the canvas: pixel of the least value, pixels from there to the greatest, pixels between ticks.
    #[must_use]
    pub fn placed(self, start: f64, length: f64, spacing: f64) -> Ruler {
        Ruler { start, length, spacing, ..self }
    }

    /// The pixel of a value; not finite for a value that the axis cannot show.
    pub fn place_of(&self, value: f64) -> f64 {
        let value = if self.logarithmic { value.log10() } else { value };
        self.start + (value - self.least) / (self.greatest - self.least) * self.length
    }

    /// Units per pixel.
    pub fn resolution(&self) -> f64 {
        ((self.greatest - self.least) / self.length).abs()
    }

    /// Shows more on both sides until a pixel is this many units.
    pub fn widen_to(&mut self, resolution: f64) {
        let missing = resolution * self.length.abs() - (self.greatest - self.least);
        self.least -= 0.5 * missing;
        self.greatest += 0.5 * missing;
    }

    /// Whether a linear axis shows zero.
    pub fn shows_zero(&self) -> bool {
        !self.logarithmic && self.least < 0.0 && self.greatest > 0.0
    }

    /// Round numbers along it.
    pub fn ticks(&self) -> Vec<Tick> {
        if self.logarithmic { self.decades() } else { self.multiples() }
    }

    /// Its name with the unit.
    pub fn title(&self) -> Text {
        let name = self.name.clone();
        let power = |name: Text, exponent: i32| name.sup(exponent.to_string().replace('-', "\u{2212}"));
        match (&self.unit, self.prefix()) {
            (None, None) => power(name.then(" (10"), self.exponent()).then(")"),
            (None, Some(_)) => name,
            (Some(unit), None) => power(name.then(" (10"), self.exponent()).then(format!(" {unit})")),
            (Some(unit), Some(prefix)) => name.then(format!(" ({}{unit})", prefix.symbol)),
        }
    }

    /// The prefix of its unit; without a unit, none. `None` where only a power of ten helps.
    fn prefix(&self) -> Option<Prefix> {
        let largest = self.least.abs().max(self.greatest.abs());
        match self.unit {
            _ if self.logarithmic => Some(Prefix::NONE),
            Some(_) => Prefix::of(largest),
            None => (1e-2..1e4).contains(&largest).then_some(Prefix::NONE),
        }
    }

    /// The power of ten that the labels leave out.
    fn exponent(&self) -> i32 {
        match self.prefix() {
            Some(prefix) => prefix.exponent,
            None => self.least.abs().max(self.greatest.abs()).log10().floor() as i32,
        }
    }

    fn multiples(&self) -> Vec<Tick> {
        let step = round_step(self.spacing * self.resolution()).max(if self.whole { 1.0 } else { 0.0 });
        let exponent = self.exponent();
        let decimals = (f64::from(exponent) - (step * 1.000_001).log10().floor()).clamp(0.0, 12.0) as usize;
        let label = |value: f64| {
            let digits = format!("{:.decimals$}", value / 10.0_f64.powi(exponent));
            let is_zero = digits.chars().all(|c| matches!(c, '-' | '0' | '.'));
            Text::plain(if is_zero { "0".to_owned() } else { digits.replace('-', "\u{2212}") })
        };
        between(self.least, self.greatest, step)
            .map(|value| Tick { at: self.place_of(value), label: Some(label(value)) })
            .collect()
    }

    fn decades(&self) -> Vec<Tick> {
        let step = round_step(self.spacing * self.resolution()).max(1.0);
        let place = |power: f64| self.start + (power - self.least) / (self.greatest - self.least) * self.length;
        let mut ticks: Vec<Tick> = between(self.least, self.greatest, step)
            .map(|power| Tick {
                at: place(power),
                label: Some(Text::plain("10").sup(format!("{power:.0}").replace('-', "\u{2212}"))),
            })
            .collect();
        if self.greatest - self.least <= FEW_DECADES {
            let powers = between(self.least.floor(), self.greatest, 1.0);
            let minor = powers.flat_map(|power| (2..10).map(move |m| power + f64::from(m).log10()));
            ticks.extend(
                minor
                    .filter(|power| (self.least..=self.greatest).contains(power))
                    .map(|power| Tick { at: place(power), label: None }),
            );
        }
        ticks
    }
}

/// The least of 1, 2, 5 times a power of ten that is not much smaller.
pub(super) fn round_step(rough: f64) -> f64 {
    /// A little closer is better than much farther apart.
    const CLOSER: f64 = 0.65;
    let least = CLOSER * rough;
    let decade = 10.0_f64.powi(least.log10().floor() as i32);
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * decade).find(|step| *step >= least).unwrap_or(rough)
}

/// The multiples of a step between two values.
fn between(least: f64, greatest: f64, step: f64) -> impl Iterator<Item = f64> {
    /// Ticks are a finger's breadth apart; more means that rounding has eaten the step.
    const MOST: usize = 100;
    let (first, last) = ((least / step).ceil(), (greatest / step).floor());
    (0..MOST).map(move |k| first + k as f64).take_while(move |k| *k <= last).map(move |k| k * step)
}

#[cfg(test)]
mod tests {
    use super::{Axis, Ruler};
    use crate::plot::text::Text;

    fn written(text: &Text) -> String {
        text.spans().iter().map(|span| span.content.as_str()).collect()
    }

    fn ruler(axis: &Axis, values: [f64; 2]) -> (String, Vec<String>) {
        let ruler = Ruler::new(axis, values.into_iter(), [0.0, 0.0]).placed(0.0, 300.0, 60.0);
        let labels = ruler.ticks().iter().filter_map(|tick| tick.label.as_ref()).map(written).collect();
        (written(&ruler.title()), labels)
    }

    #[test]
    fn ticks_are_round_numbers_of_a_prefixed_unit() {
        let time = Axis::quantity(Text::symbol("t"), "s");
        let (title, labels) = ruler(&time, [0.0, 4.1e-4]);
        assert_eq!((title.as_str(), labels.join(" ").as_str()), ("t (µs)", "0 100 200 300 400"));
        let (title, labels) = ruler(&Axis::quantity(Text::symbol("F"), "N"), [-800.0, 2500.0]);
        assert_eq!((title.as_str(), labels.join(" ").as_str()), ("F (kN)", "−0.5 0 0.5 1.0 1.5 2.0 2.5"));
        let (title, _) = ruler(&time, [0.0, 1e30]);
        assert_eq!(title, "t (1030 s)");
    }

    #[test]
    fn zero_comes_into_view_when_it_is_near() {
        let number = Axis::number(Text::symbol("e"));
        assert_eq!(ruler(&number, [0.2, 0.9]).1.first().map(String::as_str), Some("0"));
        assert_eq!(ruler(&number, [0.8, 0.9]).1.first().map(String::as_str), Some("0.80"));
    }

    #[test]
    fn one_value_alone_still_has_an_axis() {
        for value in [0.0, 3.0, -1e-9] {
            assert!(ruler(&Axis::number(Text::default()), [value, value]).1.len() >= 2);
        }
        assert!(ruler(&Axis::number(Text::default()), [f64::NAN, f64::NAN]).1.len() >= 2);
    }

    #[test]
    fn a_logarithmic_axis_has_powers_of_ten() {
        let steps = Axis::number(Text::symbol("n")).logarithmic();
        let (title, labels) = ruler(&steps, [9.0, 2000.0]);
        assert_eq!((title.as_str(), labels.join(" ").as_str()), ("n", "101 102 103"));
        let ruler = Ruler::new(&steps, [10.0, 1000.0].into_iter(), [0.0, 0.0]).placed(0.0, 300.0, 60.0);
        assert_eq!([10.0, 100.0, 1000.0].map(|n| ruler.place_of(n)), [0.0, 150.0, 300.0]);
    }
}
