//! Cells of a grid in colours: regions with names, or levels of a quantity with a scale beside the chart.

use super::axis::{Axis, Ruler, round_step};
use super::font::width;
use super::placer::Placer;
use super::rectangle::Rectangle;
use super::style::{INK, SMALL, TEXT, TINTS};
use super::svg::{Anchor, Canvas, Lettering, Point, Style};
use super::text::Text;
use nalgebra::Vector2;
use std::collections::HashMap;

/// Cells of a grid in colours.
#[derive(Clone, Debug, PartialEq)]
pub struct Tiling {
    /// The values to the right at the cells' middles, ascending.
    across: Vec<f64>,
    /// The values upwards, ascending.
    up: Vec<f64>,
    /// Whether middles lie at equal ratios.
    logarithmic: [bool; 2],
    /// The kind of each cell, row by row from below; `None` where nothing is known.
    cells: Vec<Option<u16>>,
    kinds: Vec<Tile>,
    scale: Option<Scale>,
}

/// A kind of cells.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile {
    /// What it is.
    pub label: Text,
    /// Its colour.
    pub fill: String,
}

/// The levels of a quantity.
#[derive(Clone, Debug, PartialEq)]
struct Scale {
    title: Text,
    /// The ends of the levels, ascending.
    ends: Vec<f64>,
}

/// Colours of a quantity from its least value to its greatest, dark to light as in "viridis" by N. Smith and S. van der Walt.
const RISING: [[u8; 3]; 10] = [
    [68, 1, 84],
    [72, 40, 120],
    [62, 73, 137],
    [49, 104, 142],
    [38, 130, 142],
    [31, 158, 137],
    [53, 183, 121],
    [110, 206, 88],
    [181, 222, 43],
    [253, 231, 37],
];
/// Colours of a quantity from below zero to above it.
const SIGNED: [[u8; 3]; 9] = [
    [8, 48, 107],
    [33, 102, 172],
    [103, 169, 207],
    [198, 221, 236],
    [247, 247, 247],
    [253, 219, 187],
    [239, 157, 91],
    [195, 94, 20],
    [110, 45, 4],
];
/// Levels of a quantity, about.
const LEVELS: f64 = 14.0;
/// Width of the scale beside a chart, and what it takes in all, pixels.
const BAR: f64 = 11.0;
pub(super) const SCALE_WIDTH: f64 = 70.0;

impl Tiling {
    /// Regions: for each cell the place of its name among the labels, row by row from below.
    pub fn regions(axes: [Vec<f64>; 2], logarithmic: [bool; 2], cells: Vec<Option<u16>>, labels: Vec<Text>) -> Tiling {
        let [across, up] = axes;
        let fill = |k: usize| TINTS[k % TINTS.len()].to_owned();
        let kinds = labels.into_iter().enumerate().map(|(k, label)| Tile { label, fill: fill(k) }).collect();
        Tiling { across, up, logarithmic, cells, kinds, scale: None }
    }

    /// Levels of a quantity, whose values are given row by row from below; blank where one is not finite.
    pub fn levels(axes: [Vec<f64>; 2], logarithmic: [bool; 2], values: &[f64], title: Text) -> Tiling {
        let [across, up] = axes;
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let (mut least, mut greatest) =
            (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        if least > greatest {
            (least, greatest) = (0.0, 1.0);
        }
        // Rounding makes no levels.
        let size = least.abs().max(greatest.abs());
        let step = match greatest - least {
            range if range > 1e-9 * size => round_step(range / LEVELS),
            _ if size > 0.0 => 0.1 * size,
            _ => 1.0,
        };
        let (first, slack) = (least / step, 1e-9);
        let first = (first + slack).floor();
        let count = ((greatest / step - slack).ceil() - first).max(1.0) as usize;
        let ends: Vec<f64> = (0..=count).map(|k| (first + k as f64) * step).collect();
        let level = |value: f64| {
            let place = ((value / step + slack).floor() - first) as usize;
            value.is_finite().then(|| place.min(count - 1) as u16)
        };
        let cells = values.iter().map(|value| level(*value)).collect();
        // Of both signs: white at zero, and equal depths at equal distances from it.
        let (low, high) = (ends[0], ends[count]);
        let signed = low < 0.0 && high > 0.0;
        let colour = |k: usize| {
            let middle = 0.5 * (ends[k] + ends[k + 1]);
            if signed {
                mixed(&SIGNED, 0.5 + 0.5 * middle / high.max(-low))
            } else {
                mixed(&RISING, if count == 1 { 0.5 } else { k as f64 / (count - 1) as f64 })
            }
        };
        let kinds = (0..count).map(|k| Tile { label: Text::default(), fill: colour(k) }).collect();
        Tiling { across, up, logarithmic, cells, kinds, scale: Some(Scale { title, ends }) }
    }

    /// The kinds of cells.
    pub(super) fn kinds(&self) -> &[Tile] {
        &self.kinds
    }

    /// Whether it has a scale beside the chart.
    pub(super) fn has_scale(&self) -> bool {
        self.scale.is_some()
    }

    /// The least and the greatest corner.
    pub(super) fn ends(&self) -> [Vector2<f64>; 2] {
        let at = |end: fn(&[f64]) -> Option<&f64>| {
            Vector2::new(*end(&self.across).unwrap_or(&0.0), *end(&self.up).unwrap_or(&0.0))
        };
        [at(<[f64]>::first), at(<[f64]>::last)]
    }

    fn cell(&self, i: usize, j: usize) -> Option<u16> {
        self.cells.get(j * self.across.len() + i).copied().flatten()
    }

    /// Paints the cells. Levels lie above each other, so that nothing shines through between them.
    pub(super) fn paint(&self, canvas: &mut Canvas, place_of: impl Fn(&Vector2<f64>) -> Point) {
        let [xs, ys] = self.edges();
        let corner = |i: usize, j: usize| place_of(&Vector2::new(xs[i], ys[j]));
        canvas.open("tiles");
        for (k, kind) in self.kinds.iter().enumerate() {
            let belongs = |cell: Option<u16>| match (cell, &self.scale) {
                (Some(cell), Some(_)) => usize::from(cell) >= k,
                (Some(cell), None) => usize::from(cell) == k,
                (None, _) => false,
            };
            canvas.rectangles(&self.runs(belongs, corner), &kind.fill);
        }
        canvas.close();
        if self.scale.is_none() {
            canvas.open("borders");
            for border in self.borders() {
                for part in parted(&border) {
                    let way: Vec<Point> = part.iter().map(|(i, j)| corner(*i, *j)).collect();
                    canvas.polyline(&smoothed(&way), false, &Style::line(INK, 1.1));
                }
            }
            canvas.close();
        }
    }

    /// Rectangles that cover the cells of some kind: runs along rows, like ones above each other joined.
    fn runs(&self, belongs: impl Fn(Option<u16>) -> bool, corner: impl Fn(usize, usize) -> Point) -> Vec<[Point; 2]> {
        let mut done = Vec::new();
        let mut open: HashMap<(usize, usize), usize> = HashMap::new();
        for j in 0..=self.up.len() {
            let mut here = HashMap::new();
            let mut i = 0;
            while j < self.up.len() && i < self.across.len() {
                let from = i;
                while i < self.across.len() && belongs(self.cell(i, j)) {
                    i += 1;
                }
                if i > from {
                    here.insert((from, i), open.remove(&(from, i)).unwrap_or(j));
                }
                i += 1;
            }
            done.extend(open.drain().map(|((from, to), below)| (below, from, to, j)));
            open = here;
        }
        done.sort_unstable();
        // Runs overlap a little, so that nothing shines through between them.
        let seam = Point::new(0.0, 0.3);
        done.into_iter()
            .map(|(below, from, to, above)| [corner(from, above) - seam, corner(to, below) + seam])
            .collect()
    }

    /// Where cells end, to the right and upwards; the outermost end at their middles.
    fn edges(&self) -> [Vec<f64>; 2] {
        [(&self.across, self.logarithmic[0]), (&self.up, self.logarithmic[1])].map(|(middles, logarithmic)| {
            let between = |pair: &[f64]| {
                if logarithmic { (pair[0] * pair[1]).sqrt() } else { 0.5 * (pair[0] + pair[1]) }
            };
            let ends = middles.first().into_iter().copied().chain(middles.windows(2).map(between));
            ends.chain(middles.last().copied()).collect()
        })
    }

    /// Lines between cells of different kinds, as corners of the grid, from branch to branch.
    fn borders(&self) -> Vec<Vec<(usize, usize)>> {
        let mut ways: HashMap<(usize, usize), Vec<(usize, usize)>> = HashMap::new();
        let mut join = |a: (usize, usize), b: (usize, usize)| {
            ways.entry(a).or_default().push(b);
            ways.entry(b).or_default().push(a);
        };
        for j in 0..self.up.len() {
            for i in 0..self.across.len() {
                if i > 0 && self.cell(i, j) != self.cell(i - 1, j) {
                    join((i, j), (i, j + 1));
                }
                if j > 0 && self.cell(i, j) != self.cell(i, j - 1) {
                    join((i, j), (i + 1, j));
                }
            }
        }
        let mut corners: Vec<_> = ways.keys().copied().collect();
        // Branches and ends first; what is left are closed lines.
        corners.sort_unstable_by_key(|corner| (ways[corner].len() == 2, *corner));
        let mut borders = Vec::new();
        for start in corners {
            while let Some(next) = ways.get_mut(&start).and_then(Vec::pop) {
                let mut border = vec![start];
                let (mut from, mut at) = (start, next);
                loop {
                    border.push(at);
                    let Some(on) = ways.get_mut(&at) else { break };
                    on.retain(|other| *other != from);
                    // A branch ends the line; so does the start of a closed one.
                    if on.len() != 1 || at == start {
                        break;
                    }
                    from = at;
                    let Some(next) = on.pop() else { break };
                    at = next;
                }
                borders.push(border);
            }
        }
        borders
    }

    /// Names regions where the name fits into them, and gives those that have no room for it.
    pub(super) fn name(
        &self,
        canvas: &mut Canvas,
        placer: &mut Placer,
        place_of: impl Fn(&Vector2<f64>) -> Point,
    ) -> Vec<usize> {
        if self.scale.is_some() {
            return Vec::new();
        }
        let mut unnamed = Vec::new();
        for (k, kind) in self.kinds.iter().enumerate() {
            if !self.cells.contains(&Some(k as u16)) {
                continue;
            }
            let size = Point::new(width(&kind.label, TEXT), TEXT);
            match self.room(k as u16, size, &place_of) {
                Some(middle) => {
                    placer.reserve(Rectangle::around(middle, size));
                    let lettering = Lettering::new(TEXT, INK).anchored(Anchor::Middle);
                    canvas.text(middle + Point::new(0.0, 0.34 * TEXT), &kind.label, &lettering);
                }
                None => unnamed.push(k),
            }
        }
        unnamed
    }

    /// The middle of a rectangle of this size inside a region, with as much room around it as there is.
    fn room(&self, kind: u16, size: Point, place_of: &impl Fn(&Vector2<f64>) -> Point) -> Option<Point> {
        const SHARES: [f64; 8] = [4.0, 3.0, 2.4, 2.0, 1.7, 1.45, 1.25, 1.08];
        let columns: Vec<f64> = self.across.iter().map(|x| place_of(&Vector2::new(*x, self.up[0])).x).collect();
        let rows: Vec<f64> = self.up.iter().map(|y| place_of(&Vector2::new(self.across[0], *y)).y).collect();
        // Cells of other kinds, summed up from the lower left corner.
        let step = columns.len() + 1;
        let mut sums = vec![0_u32; step * (rows.len() + 1)];
        for j in 0..rows.len() {
            for i in 0..columns.len() {
                let foreign = u32::from(self.cell(i, j) != Some(kind));
                sums[(j + 1) * step + i + 1] =
                    foreign + sums[j * step + i + 1] + sums[(j + 1) * step + i] - sums[j * step + i];
            }
        }
        let right = |x: f64| columns.partition_point(|c| *c <= x);
        let above = |y: f64| rows.partition_point(|r| *r >= y);
        let fits = |middle: Point, half: Point| {
            let (least, greatest) = (middle - half, middle + half);
            if least.x < columns[0]
                || greatest.x > columns[step - 2]
                || least.y < rows[rows.len() - 1]
                || greatest.y > rows[0]
            {
                return false;
            }
            let (i, k) = (right(least.x) - 1, right(greatest.x).min(columns.len()));
            let (j, l) = (above(greatest.y) - 1, above(least.y).min(rows.len()));
            sums[l * step + k] + sums[j * step + i] == sums[j * step + k] + sums[l * step + i]
        };
        SHARES.iter().find_map(|share| {
            let half = Point::new(0.5 * size.x + 4.0 * share, 0.5 * size.y * share);
            let places = columns.iter().flat_map(|x| rows.iter().map(|y| Point::new(*x, *y)));
            let free: Vec<Point> = places.filter(|middle| fits(*middle, half)).collect();
            let centre = free.iter().sum::<Point>() / free.len().max(1) as f64;
            free.into_iter().min_by(|a, b| (a - centre).norm().total_cmp(&(b - centre).norm()))
        })
    }

    /// The scale to the right of a chart.
    pub(super) fn draw_scale(&self, canvas: &mut Canvas, chart: &Rectangle) {
        let Some(Scale { title, ends }) = &self.scale else { return };
        let (low, high) = (ends[0], ends[ends.len() - 1]);
        let (x, bottom, height) = (chart.greatest.x + 10.0, chart.greatest.y, chart.greatest.y - chart.least.y);
        let ruler = Ruler::new(&Axis::number(title.clone()).between(low, high), [low, high].into_iter(), [0.0; 2])
            .placed(bottom, -height, 30.0);
        canvas.open("scale");
        for (pair, kind) in ends.windows(2).zip(&self.kinds) {
            let [from, to] = [pair[0], pair[1]].map(|value| ruler.place_of(value));
            canvas.rectangle(Point::new(x, to), Point::new(BAR, from - to), &Style::fill(&kind.fill));
        }
        canvas.rectangle(Point::new(x, bottom - height), Point::new(BAR, height), &Style::line(INK, 0.8));
        for tick in ruler.ticks() {
            let from = Point::new(x + BAR, tick.at);
            canvas.line(from, from + Point::new(3.0, 0.0), &Style::line(INK, 0.8));
            if let Some(label) = tick.label {
                canvas.text(from + Point::new(5.0, 3.5), &label, &Lettering::new(SMALL, INK));
            }
        }
        let lettering = Lettering { upwards: true, ..Lettering::new(TEXT, INK).anchored(Anchor::Middle) };
        canvas.text(Point::new(x + BAR + 43.0, bottom - 0.5 * height), &ruler.title(), &lettering);
        canvas.close();
    }
}

/// A colour between those of a list.
fn mixed(colours: &[[u8; 3]], share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
    let first = (place as usize).min(colours.len() - 2);
    let channel = |k: usize| {
        let [from, to] = [colours[first][k], colours[first + 1][k]].map(f64::from);
        (from + (to - from) * (place - first as f64)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2))
}

/// A border in parts that meet where it has a corner: stairs have no two long steps in a row.
fn parted(border: &[(usize, usize)]) -> Vec<&[(usize, usize)]> {
    /// Edges of cells that make a step long.
    const LONG: usize = 6;
    let is_straight = |part: &[(usize, usize)]| {
        part.iter().all(|corner| corner.0 == part[0].0) || part.iter().all(|corner| corner.1 == part[0].1)
    };
    let mut parts = Vec::new();
    let mut from = 0;
    for k in LONG..border.len().saturating_sub(LONG) {
        let (before, after) = (&border[k - LONG..=k], &border[k..=k + LONG]);
        if is_straight(before) && is_straight(after) && !is_straight(&border[k - 1..=k + 1]) {
            parts.push(&border[from..=k]);
            from = k;
        }
    }
    parts.push(&border[from..]);
    parts
}

/// A border without its stairs: through the middles of its steps, rounded, with no more corners than it needs.
fn smoothed(way: &[Point]) -> Vec<Point> {
    /// Each round takes the middle of a point and its neighbours; this many remove stairs of about ten steps.
    const ROUNDS: usize = 32;
    /// Pixels that no printer tells apart.
    const SAME: f64 = 0.2;
    let (Some(first), Some(last)) = (way.first(), way.last()) else { return Vec::new() };
    let middles = way.windows(2).map(|ends| 0.5 * (ends[0] + ends[1]));
    let mut line: Vec<Point> = if first == last {
        let middles: Vec<Point> = middles.collect();
        middles.iter().chain(middles.first()).copied().collect()
    } else {
        std::iter::once(*first).chain(middles).chain([*last]).collect()
    };
    for _ in 0..ROUNDS {
        let rounded: Vec<Point> = line.windows(3).map(|p| 0.25 * p[0] + 0.5 * p[1] + 0.25 * p[2]).collect();
        let inner = 1..line.len().saturating_sub(1);
        line.splice(inner, rounded);
    }
    simplified(&line, SAME)
}

/// A line without the points that lie within a distance of what is left, after D. Douglas and T. Peucker.
fn simplified(line: &[Point], distance: f64) -> Vec<Point> {
    let mut kept = vec![false; line.len()];
    let mut open = vec![(0, line.len().saturating_sub(1))];
    while let Some((from, to)) = open.pop() {
        kept[from] = true;
        kept[to] = true;
        let along = line[to] - line[from];
        let away = |p: &Point| {
            let way = p - line[from];
            if along.norm() == 0.0 { way.norm() } else { (way.x * along.y - way.y * along.x).abs() / along.norm() }
        };
        let farthest = (from + 1..to).max_by(|a, b| away(&line[*a]).total_cmp(&away(&line[*b])));
        if let Some(middle) = farthest.filter(|k| away(&line[*k]) > distance) {
            open.extend([(from, middle), (middle, to)]);
        }
    }
    line.iter().zip(kept).filter(|(_, kept)| *kept).map(|(p, _)| *p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: [&str; 2]) -> Vec<Text> {
        words.map(Text::plain).to_vec()
    }

    #[test]
    fn a_slanted_border_has_no_stairs() {
        let middles: Vec<f64> = (0..40).map(f64::from).collect();
        // A step to the right every four rows.
        let cells = (0..1600).map(|k| Some(u16::from(k % 40 > k / 40 / 4 + 5))).collect();
        let tiling = Tiling::regions([middles.clone(), middles], [false; 2], cells, text(["left", "right"]));
        let borders = tiling.borders();
        assert_eq!(borders.len(), 1);
        let way: Vec<Point> = borders[0].iter().map(|(i, j)| Point::new(*i as f64, *j as f64)).collect();
        let line = smoothed(&way);
        let inner = line.iter().filter(|p| (4.0..36.0).contains(&p.y));
        assert!(line.len() <= 8 && inner.clone().count() > 0, "{line:?}");
        assert!(inner.clone().all(|p| (p.x - 0.25 * p.y - 5.63).abs() <= 0.2), "{line:?}");
    }

    #[test]
    fn a_corner_stays_sharp() {
        let middles: Vec<f64> = (0..40).map(f64::from).collect();
        let cells = (0..1600).map(|k| Some(u16::from(k % 40 > 20 && k / 40 > 20))).collect();
        let tiling = Tiling::regions([middles.clone(), middles], [false; 2], cells, text(["outside", "inside"]));
        let borders = tiling.borders();
        assert_eq!(borders.len(), 1);
        assert_eq!(parted(&borders[0]).len(), 2);
    }

    #[test]
    fn levels_end_at_round_numbers_and_are_white_at_zero() {
        let axes = [vec![0.0, 1.0], vec![0.0, 1.0]];
        let tiling = Tiling::levels(axes, [false; 2], &[-1.0, 0.0, f64::NAN, 1.0], Text::default());
        let ends = &tiling.scale.as_ref().map(|scale| scale.ends.clone()).unwrap_or_default();
        assert!(ends.contains(&0.0) && ends.len() > 8, "{ends:?}");
        assert_eq!(tiling.cells[2], None);
        assert_eq!(mixed(&SIGNED, 0.5), "#f7f7f7");
        assert_eq!(tiling.cells[3], Some(ends.len() as u16 - 2));
    }

    #[test]
    fn a_region_with_room_is_named_in_it() {
        let middles: Vec<f64> = (0..50).map(|k| 10.0 * f64::from(k)).collect();
        let cells = (0..2500).map(|k| Some(u16::from(k % 50 == 0))).collect();
        let tiling = Tiling::regions([middles.clone(), middles], [false; 2], cells, text(["wide", "narrow"]));
        let place = |p: &Vector2<f64>| Point::new(p.x, 500.0 - p.y);
        assert!(tiling.room(0, Point::new(40.0, 12.0), &place).is_some());
        assert!(tiling.room(1, Point::new(40.0, 12.0), &place).is_none());
    }
}
