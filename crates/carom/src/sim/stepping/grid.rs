//! Broad phase: which balls around bodies come near each other, by a uniform grid of cells that wraps around.
//!
//! A cell is as wide as the farthest that two centres of a pair can be apart, so only neighbouring cells matter. The grid has about
//! as many cells as bodies and continues periodically: bodies far apart may share a cell, which costs a test but misses nothing, and
//! no bounds of space need to be known. At least four cells along an axis keep the neighbours of a cell distinct.

/// Scratch of the search, kept from one to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    cell_of: Vec<u32>,
    starts: Vec<u32>,
    sorted: Vec<u32>,
    places: Vec<[f64; 4]>,
}

/// Cells after a cell in half of its neighbourhood, so that every pair of cells is seen once.
const HALF: [[usize; 3]; 13] = [
    [1, 0, 0],
    [usize::MAX, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [usize::MAX, usize::MAX, 1],
    [0, usize::MAX, 1],
    [1, usize::MAX, 1],
    [usize::MAX, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [usize::MAX, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

impl Grid {
    /// All pairs whose balls (centre and radius) come closer than `skin`, each with the higher place first, in a fixed order.
    pub(super) fn pairs(&mut self, balls: &[[f64; 4]], skin: f64, planar: bool, out: &mut Vec<[u32; 2]>) {
        out.clear();
        let greatest = balls.iter().map(|ball| ball[3]).fold(0.0, f64::max);
        let width = 2.0 * greatest + skin;
        if balls.len() < 2 || width <= 0.0 || !width.is_finite() {
            return;
        }
        let sizes = sizes(balls, width, planar);
        let [nx, ny, nz] = sizes;
        let cells = nx * ny * nz;
        let per = width.recip();
        let wrap = |x: f64, size: usize| ((x * per).floor() as i64 as usize) & (size - 1);
        self.cell_of.clear();
        self.starts.clear();
        self.starts.resize(cells + 1, 0);
        for ball in balls {
            let z = if planar { 0 } else { wrap(ball[2], nz) };
            let cell = wrap(ball[0], nx) + nx * (wrap(ball[1], ny) + ny * z);
            self.cell_of.push(cell as u32);
            self.starts[cell + 1] += 1;
        }
        for cell in 0..cells {
            self.starts[cell + 1] += self.starts[cell];
        }
        self.sorted.clear();
        self.sorted.resize(balls.len(), 0);
        self.places.clear();
        self.places.resize(balls.len(), [0.0; 4]);
        // Filling shifts every start to the end of its cell, which is the start of the next.
        for (k, ball) in balls.iter().enumerate() {
            let start = &mut self.starts[self.cell_of[k] as usize];
            self.sorted[*start as usize] = k as u32;
            self.places[*start as usize] = *ball;
            *start += 1;
        }
        let range = |cell: usize| {
            let from = if cell == 0 { 0 } else { self.starts[cell - 1] };
            from as usize..self.starts[cell] as usize
        };
        let mut test = |i: usize, j: usize| {
            let (p, q) = (&self.places[i], &self.places[j]);
            let d = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
            let reach = p[3] + q[3] + skin;
            if d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= reach * reach {
                let (x, y) = (self.sorted[i], self.sorted[j]);
                out.push([x.max(y), x.min(y)]);
            }
        };
        let beside = if planar { &HALF[..4] } else { &HALF[..] };
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    let own = range(x + nx * (y + ny * z));
                    if own.is_empty() {
                        continue;
                    }
                    for i in own.clone() {
                        (i + 1..own.end).for_each(|j| test(i, j));
                    }
                    for [dx, dy, dz] in beside {
                        let step = |x: usize, d: usize, n: usize| x.wrapping_add(d) & (n - 1);
                        let cell = step(x, *dx, nx) + nx * (step(y, *dy, ny) + ny * step(z, *dz, nz));
                        let other = range(cell);
                        if !other.is_empty() {
                            own.clone().for_each(|i| other.clone().for_each(|j| test(i, j)));
                        }
                    }
                }
            }
        }
        out.sort_unstable();
    }
}

/// Powers of two that cover what the bodies fill, with not many more cells than bodies.
fn sizes(balls: &[[f64; 4]], width: f64, planar: bool) -> [usize; 3] {
    let mut sizes = [4, 4, if planar { 1 } else { 4 }];
    let axes = if planar { 2 } else { 3 };
    for (axis, size) in sizes.iter_mut().enumerate().take(axes) {
        let (low, high) =
            balls.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), b| (l.min(b[axis]), h.max(b[axis])));
        let wanted = ((high - low) / width).min(1e6) as usize + 2;
        *size = wanted.next_power_of_two().max(4);
    }
    let most = (4 * balls.len()).max(64);
    while sizes.iter().product::<usize>() > most {
        let Some(widest) = sizes[..axes].iter_mut().max() else { break };
        if *widest <= 4 {
            break;
        }
        *widest /= 2;
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_grid_finds_what_a_test_of_all_pairs_finds_however_wide_space_is() {
        let mut random = Random(17);
        for case in 0..60 {
            let planar = case % 2 == 0;
            let (count, wide) = (2 + case * 7, [0.5, 3.0, 40.0, 1e5][case % 4]);
            let balls: Vec<[f64; 4]> = (0..count)
                .map(|_| {
                    let mut x = || random.between(-wide, wide);
                    [x(), x(), if planar { 0.0 } else { x() * 0.2 }, random.between(0.1, 0.5)]
                })
                .collect();
            let mut found = Vec::new();
            Grid::default().pairs(&balls, 0.05, planar, &mut found);
            let mut expected = Vec::new();
            for (i, p) in balls.iter().enumerate() {
                for (j, q) in balls.iter().enumerate().take(i) {
                    let apart = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
                    if apart <= p[3] + q[3] + 0.05 {
                        expected.push([i as u32, j as u32]);
                    }
                }
            }
            assert_eq!(found, expected, "{case}");
        }
    }
}
