//! Derivatives on an edge between two formulas: those of one side, and a mark.

use crate::point::{Point, differentiate};
use crate::support::{self, Random};
use carom::Mode;
use carom::batch::Derivative;
use carom::laws::{Kind, Law};

/// How far beside an edge its sides are looked at, and the steps of differences there.
const BESIDE: f64 = 1e-6;
const STEP: f64 = 1e-7;

/// What tells the formulas of a law apart from outside.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Regime {
    mode: Mode,
    on_cone: bool,
    slip: i8,
    approach: i8,
}

impl Regime {
    fn of(law: &'static Law, point: &Point) -> Option<Regime> {
        let outcome = point.outcome(law)?;
        let friction = law.parameters.iter().rposition(|parameter| parameter.key.ends_with("friction"));
        let limit = friction.map_or(f64::INFINITY, |place| {
            point.inputs[point.inputs.len() - law.parameters.len() + place] * outcome.impulse.x
        });
        let sign = |x: f64| if x.abs() < 1e-12 { 0 } else { x.signum() as i8 };
        Some(Regime {
            // In space the slip may turn round without ever stopping.
            mode: if !point.planar && outcome.mode == Mode::ReversedSliding { Mode::Sliding } else { outcome.mode },
            on_cone: outcome.impulse.yz().norm() >= limit * (1.0 - 1e-12),
            slip: if point.planar { sign(outcome.velocity_after.y) } else { 0 },
            approach: sign(outcome.velocity_after.x),
        })
    }
}

/// The inputs by which differences can be taken.
fn free(law: &'static Law, point: &Point) -> Vec<usize> {
    let (n, width) = (if point.planar { 2 } else { 3 }, point.inputs.len());
    let from = width - law.parameters.len();
    let is_free = |input: &usize| match input.checked_sub(from) {
        Some(place) => {
            let parameter = &law.parameters[place];
            !(matches!(parameter.kind, Kind::Choice(_)) || parameter.leaves_plane && point.planar)
        }
        // The bilinear law answers for an uncoupled W.
        None => law.id != "bilinear" || *input < n,
    };
    (0..width).filter(is_free).collect()
}

/// Central differences by the free inputs, one after the other.
fn differences(law: &'static Law, point: &Point) -> Option<Vec<f64>> {
    let (mut all, n) = (Vec::new(), if point.planar { 2 } else { 3 });
    let regime = Regime::of(law, point)?;
    for input in free(law, point) {
        // A faint slip turns by little.
        let slip = point.inputs[1..n].iter().fold(0.0, |sum: f64, v| sum.hypot(*v));
        let step = if (1..n).contains(&input) { STEP.min(1e-3 * slip) } else { STEP };
        let at = |by: f64| {
            let mut moved = point.clone();
            moved.inputs[input] += by;
            if Regime::of(law, &moved)? == regime { moved.answer(law) } else { None }
        };
        let (ahead, behind) = (at(step)?, at(-step)?);
        all.extend(ahead.iter().zip(behind).map(|(ahead, behind)| (ahead - behind) / (2.0 * step)));
    }
    Some(all)
}

/// The derivatives of one side, in the limit at the edge, and how uncertain each is.
struct Side {
    slopes: Vec<f64>,
    slack: Vec<f64>,
}

impl Side {
    /// From points on the way to the edge; all of them must be on that side. They may approach the limit by any power of the distance
    /// (Aitken's extrapolation).
    fn of(law: &'static Law, at: impl Fn(f64) -> Point) -> Option<Side> {
        let [far, middle, near] = [16.0, 4.0, 1.0].map(|part| differences(law, &at(part * BESIDE)));
        let (far, middle, near) = (far?, middle?, near?);
        let mut side = Side { slopes: Vec::new(), slack: Vec::new() };
        for (k, near) in near.iter().enumerate() {
            let (first, last) = (middle[k] - far[k], near - middle[k]);
            let noise = 1e-5 * (1.0 + near.abs());
            let ratio = if last.abs() > noise { (last / first).clamp(0.0, 0.95) } else { 0.0 };
            side.slopes.push(near + last * ratio / (1.0 - ratio));
            side.slack.push(noise + 2.0 * last.abs() / (1.0 - ratio));
        }
        Some(side)
    }

    fn is(&self, slopes: &[f64]) -> bool {
        self.slopes.iter().zip(slopes).zip(&self.slack).all(|((side, slope), slack)| (side - slope).abs() <= *slack)
    }

    /// Whether two sides differ by more than their uncertainty.
    fn differs(&self, other: &Side) -> bool {
        let one = self.slopes.iter().zip(&self.slack);
        one.zip(other.slopes.iter().zip(&other.slack)).any(|((a, s), (b, t))| (a - b).abs() > 4.0 * (s + t))
    }
}

/// The derivatives of the batch by the free inputs, in the order of [`differences`], and what is known of them.
fn found(law: &'static Law, point: &Point) -> (Vec<f64>, u8) {
    let (matrix, kinds, n) = differentiate(law, std::slice::from_ref(point), 1);
    let width = point.inputs.len();
    let slopes = free(law, point).into_iter().flat_map(|input| (0..2 * n).map(move |k| k * width + input));
    (slopes.map(|place| matrix[place]).collect(), kinds[0])
}

fn laws() -> impl Iterator<Item = (&'static Law, bool)> {
    let all = support::instantaneous();
    // That of Pfeiffer and Glocker answers in planes only.
    all.flat_map(|law| [(law, true), (law, false)]).filter(|(law, planar)| *planar || law.id != "pfeiffer-glocker")
}

/// Two random collisions of approaching bodies with the same choices.
fn ends(law: &'static Law, planar: bool, random: &mut Random) -> [Point; 2] {
    let from = Point::random(law, planar, random);
    let mut to = Point::random(law, planar, random);
    let first = from.inputs.len() - law.parameters.len();
    for (place, parameter) in law.parameters.iter().enumerate() {
        if matches!(parameter.kind, Kind::Choice(_)) {
            to.inputs[first + place] = from.inputs[first + place];
        }
    }
    let mut both = [from, to];
    for point in &mut both {
        point.inputs[0] = -point.inputs[0].abs() - 0.1;
    }
    both
}

/// On the way from one random collision to another the law changes its formula; there the derivatives are those of one of both sides.
#[test]
fn on_an_edge_derivatives_are_those_of_one_side() {
    let (mut all_edges, mut all_kinks) = (0, 0);
    for (law, planar) in laws() {
        let mut random = support::random(1816, 0);
        let (mut edges, mut kinks) = (0, 0);
        for _ in 0..support::cases(300) {
            let [from, to] = ends(law, planar, &mut random);
            let at = |part: f64| {
                let mix = |(a, b): (&f64, &f64)| a + (b - a) * part;
                Point { planar, inputs: from.inputs.iter().zip(&to.inputs).map(mix).collect() }
            };
            let regime = |part: f64| Regime::of(law, &at(part));
            let (mut low, mut high) = (0.0, 1.0);
            let (Some(first), Some(last)) = (regime(low), regime(high)) else { continue };
            if first == last {
                continue;
            }
            while high - low > 4.0 * f64::EPSILON {
                let middle = 0.5 * (low + high);
                match regime(middle) {
                    Some(regime) if regime == first => low = middle,
                    Some(_) => high = middle,
                    None => break,
                }
            }
            if high - low > 4.0 * f64::EPSILON {
                continue;
            }
            // One edge alone within sight of it.
            let sight = 20.0 * BESIDE;
            let alone = [low - sight, low - 0.3 * BESIDE].map(&regime) == [Some(first); 2]
                && [high + 0.3 * BESIDE, high + sight].map(&regime) == [regime(high); 2];
            if !alone {
                continue;
            }
            let sides = [Side::of(law, |beside| at(low - beside)), Side::of(law, |beside| at(high + beside))];
            let [Some(before), Some(after)] = sides else { continue };
            edges += 1;
            let jumps = match [low, high].map(|part| at(part).answer(law)) {
                [Some(low), Some(high)] => low.iter().zip(&high).any(|(a, b)| (a - b).abs() > 1e-9),
                _ => true,
            };
            let expected = jumps || before.differs(&after);
            kinks += usize::from(expected);
            for part in [low, high] {
                let (slopes, kind) = found(law, &at(part));
                let context = || format!("{} {first:?} to {:?} at {:?}", law.id, regime(high), at(part).inputs);
                assert!(!expected || kind == Derivative::Kink as u8, "{} is not marked", context());
                assert!(kind != Derivative::Unknown as u8, "{} is unknown", context());
                // A law that jumps has a formula of its own on the edge.
                let is_one = jumps || before.is(&slopes) || after.is(&slopes);
                assert!(
                    is_one,
                    "{}: {slopes:?}, {:?}, {:?}, {:?}, {:?}",
                    context(),
                    before.slopes,
                    after.slopes,
                    before.slack,
                    after.slack
                );
            }
        }
        all_edges += edges;
        all_kinks += kinks;
    }
    assert!(all_edges > 2_000 && all_kinks > 1_500, "{all_edges} {all_kinks}");
}

/// Without slip, restitution or friction the derivatives are those of a faint slip along −t1, and of a little restitution or friction.
#[test]
fn at_the_end_of_a_range_derivatives_are_those_inside() {
    for (law, planar) in laws() {
        let mut random = support::random(1817, 0);
        let (n, first) = if planar { (2, 5) } else { (3, 9) };
        let place = |key: &str| law.parameters.iter().position(|parameter| parameter.key == key).map(|k| first + k);
        for (input, inside) in [(Some(1), -1.0), (place("restitution"), 1.0), (place("friction"), 1.0)] {
            let Some(input) = input else { continue };
            let mut checked = 0;
            for _ in 0..support::cases(100) {
                let [mut point, _] = ends(law, planar, &mut random);
                if input == 1 {
                    point.inputs[1..n].fill(0.0);
                }
                let at = |beside: f64| {
                    let mut moved = point.clone();
                    moved.inputs[input] = inside * beside;
                    moved
                };
                let (Some(limit), Some(here)) = (at(1e-9).answer(law), at(0.0).answer(law)) else { continue };
                let (slopes, kind) = found(law, &at(0.0));
                assert!(
                    input != 1 || kind == Derivative::Kink as u8 || is_smooth(law),
                    "{} {:?}",
                    law.id,
                    at(0.0).inputs
                );
                let Some(side) = Side::of(law, at) else { continue };
                // A law that aims along the slip jumps where there is none.
                let jumps = limit.iter().zip(&here).any(|(a, b)| (a - b).abs() > 1e-6);
                let turns = side.slopes.iter().any(|slope| slope.abs() > 1e3);
                if input == 1 && (jumps || turns) {
                    continue;
                }
                checked += 1;
                let context =
                    || format!("{} {:?}: {slopes:?}, {:?}, {:?}", law.id, at(0.0).inputs, side.slopes, side.slack);
                assert!(side.is(&slopes), "{}", context());
            }
            let aims = ["brach", "accessible"].contains(&law.id) && input == 1 && !planar;
            assert!(checked > 60 || aims, "{} {input}: {checked}", law.id);
        }
    }
}

/// Whether the formulas of a law do not change where the slip vanishes.
fn is_smooth(law: &Law) -> bool {
    ["newton", "whittaker", "pfeiffer-glocker", "chatterjee-2", "chatterjee-3", "ivanov"].contains(&law.id)
}
