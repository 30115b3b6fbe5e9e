//! A set of impulses as small cells over the accessible region.

use crate::plane::PlaneDiagram;
use carom::Section;
use carom::impulse_space::AccessibleRegion;
use nalgebra::{SMatrix, SVector, Vector3};

/// Cells over an accessible region in the plane (D = 2) or in space (D = 3): which are admissible, which are filled.
///
/// The grid is aligned with the principal axes of the region and scaled to its extent along each of them, so that a
/// long and narrow region has as many cells as a round one and the shares do not depend on units.
#[derive(Clone, Debug)]
pub struct Raster<const D: usize> {
    origin: SVector<f64, D>,
    /// From impulses to grid coordinates, in cells, and back.
    to_grid: SMatrix<f64, D, D>,
    from_grid: SMatrix<f64, D, D>,
    /// Cells along each axis.
    side: usize,
    inside: Vec<bool>,
    filled: Vec<bool>,
}

/// Cells along each axis in the plane: finer than the pixels of a panel.
const PLANE_CELLS: usize = 512;
/// Cells along each axis in space: 373 248 in all.
const SPACE_CELLS: usize = 72;
/// A simplex is filled up to this distance outside of it, in cells, so that no cracks stay between neighbours.
const OVERLAP: f64 = 0.02;
/// A simplex smaller than this fraction of its extent to the power D is flat.
const FLAT: f64 = 1e-9;
/// Points of the region's arc in the plane, and subdivisions of its surface in space, for its principal axes.
const ARC: usize = 128;
const SURFACE: u8 = 4;
/// Room for the arc of the region between the points that were sampled, as a fraction of its extent.
const ROOM: f64 = 0.01;

impl Raster<2> {
    /// The grid over the accessible region in a section; `None` if the region is unbounded or has no area.
    pub fn of_section(region: &AccessibleRegion<'_>, section: &Section, friction: f64) -> Option<Raster<2>> {
        let diagram = PlaneDiagram::new(section, friction);
        let outline = diagram.region(&diagram.ellipse_extent()?, ARC);
        let first = *outline.first()?;
        let triangles = outline.windows(2).map(|edge| [first, edge[0], edge[1]]);
        let mut raster = Raster::around(triangles, PLANE_CELLS)?;
        raster.mark_inside(|p| region.contains(&section.to_contact(p.x, p.y)));
        Some(raster)
    }
}

impl Raster<3> {
    /// The grid over the accessible region of a collision in space; `None` if the region is unbounded or has no volume.
    pub fn of_region(region: &AccessibleRegion<'_>) -> Option<Raster<3>> {
        let surface = region.surface(SURFACE)?;
        let apex = *surface.vertices.first()?;
        let tetrahedra = surface.triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|vertex| surface.vertices[vertex]);
            [apex, a, b, c]
        });
        let mut raster = Raster::around(tetrahedra, SPACE_CELLS)?;
        raster.mark_inside(|p: &Vector3<f64>| region.contains(p));
        Some(raster)
    }
}

impl<const D: usize> Raster<D> {
    /// An empty grid around simplices that together make up a convex set.
    fn around<const N: usize>(simplices: impl Iterator<Item = [SVector<f64, D>; N]>, side: usize) -> Option<Raster<D>> {
        let simplices: Vec<_> = simplices.collect();
        let apex = simplices.first()?[0];
        // ∫ x and ∫ x xᵀ over a simplex of volume v with corners c_i and s = Σ c_i: v s/N and v (Σ c_i c_iᵀ + s sᵀ)/(N (N + 1)).
        let (mut volume, mut first, mut second) = (0.0, SVector::<f64, D>::zeros(), SMatrix::<f64, D, D>::zeros());
        for simplex in &simplices {
            let corners = simplex.map(|corner| corner - apex);
            let edges = SMatrix::<f64, D, D>::from_fn(|row, column| (corners[column + 1] - corners[0])[row]);
            let size = determinant(&edges).abs();
            let sum: SVector<f64, D> = corners.iter().sum();
            let squares: SMatrix<f64, D, D> = corners.iter().map(|corner| corner * corner.transpose()).sum();
            volume += size;
            first += sum * (size / N as f64);
            second += (squares + sum * sum.transpose()) * (size / (N * (N + 1)) as f64);
        }
        let centre = first / volume;
        let spread = second / volume - centre * centre.transpose();
        let whiten = spread.cholesky()?.l().try_inverse()?;
        let corners = || simplices.iter().flatten().map(|corner| whiten * (corner - apex - centre));
        let low = corners().fold(SVector::zeros(), |low: SVector<f64, D>, corner| low.inf(&corner));
        let high = corners().fold(SVector::zeros(), |high: SVector<f64, D>, corner| high.sup(&corner));
        let room = (high - low) * ROOM;
        let (low, high) = (low - room, high + room);
        let scale = SMatrix::from_diagonal(&(high - low).map(|extent| side as f64 / extent));
        let to_grid = scale * whiten;
        let from_grid = to_grid.try_inverse()?;
        let origin = apex + centre + from_grid * (scale * low);
        let cells = side.pow(D as u32);
        let all_finite = origin.iter().chain(to_grid.iter()).chain(from_grid.iter()).all(|x| x.is_finite());
        all_finite.then(|| Raster {
            origin,
            to_grid,
            from_grid,
            side,
            inside: vec![false; cells],
            filled: vec![false; cells],
        })
    }

    fn mark_inside(&mut self, contains: impl Fn(&SVector<f64, D>) -> bool) {
        for cell in 0..self.inside.len() {
            let middle = SVector::<f64, D>::from_fn(|axis, _| {
                (cell / self.side.pow((D - 1 - axis) as u32) % self.side) as f64 + 0.5
            });
            self.inside[cell] = contains(&self.impulse(&middle));
        }
    }

    /// Cells along each axis.
    pub fn side(&self) -> usize {
        self.side
    }

    /// An impulse in grid coordinates: the region lies between 0 and [`side`](Raster::side) along each axis.
    pub fn place(&self, impulse: &SVector<f64, D>) -> SVector<f64, D> {
        self.to_grid * (impulse - self.origin)
    }

    fn impulse(&self, place: &SVector<f64, D>) -> SVector<f64, D> {
        self.origin + self.from_grid * place
    }

    /// Share of the region's cells that are filled, 0 to 1.
    pub fn share(&self) -> f64 {
        let admissible = self.inside.iter().filter(|inside| **inside).count();
        let both = self.inside.iter().zip(&self.filled).filter(|(inside, filled)| **inside && **filled).count();
        if admissible == 0 { 0.0 } else { both as f64 / admissible as f64 }
    }

    /// Fills the cells whose centres lie in a triangle (D = 2) or tetrahedron (D = 3), given by D + 1 corners.
    pub fn fill(&mut self, simplex: &[SVector<f64, D>]) {
        let [first, others @ ..] = simplex else { return };
        let first = self.place(first);
        if others.len() != D || !first.iter().all(|x| x.is_finite()) {
            return;
        }
        let mut edges = SMatrix::<f64, D, D>::zeros();
        let (mut low, mut high) = (first, first);
        for (column, corner) in others.iter().enumerate() {
            let corner = self.place(corner);
            edges.set_column(column, &(corner - first));
            (low, high) = (low.inf(&corner), high.sup(&corner));
        }
        let extent = (high - low).norm();
        let flat = (0..D).fold(FLAT, |size, _| size * extent);
        if determinant(&edges).abs() <= flat {
            return;
        }
        let Some(inverse) = edges.try_inverse() else { return };
        // Barycentric coordinates b of a point x: b = inverse (x − first), with Σ b ≤ 1; each stays above −slack.
        let mut rows = vec![(SVector::<f64, D>::zeros(), 0.0); D + 1];
        for k in 0..D {
            let row = inverse.row(k).transpose();
            rows[k] = (row, -row.dot(&first));
            rows[D].0 -= row;
        }
        rows[D].1 = 1.0 - rows[D].0.dot(&first);
        for (row, constant) in &mut rows {
            *constant += OVERLAP * row.norm();
        }
        let range = |axis: usize| {
            let last = self.side as f64 - 1.0;
            let from = (low[axis] - OVERLAP - 0.5).ceil().clamp(0.0, last + 1.0) as usize;
            let to = (high[axis] + OVERLAP - 0.5).floor().clamp(-1.0, last) + 1.0;
            from..to as usize
        };
        // Columns of cells along the last axis, by the places of the others.
        let ranges: Vec<_> = (0..D - 1).map(range).collect();
        if ranges.iter().any(std::ops::Range::is_empty) {
            return;
        }
        let mut at: Vec<usize> = ranges.iter().map(|range| range.start).collect();
        loop {
            self.fill_column(&at, &rows);
            let Some(axis) = (0..D - 1).rev().find(|axis| at[*axis] + 1 < ranges[*axis].end) else { break };
            at[axis] += 1;
            for later in axis + 1..D - 1 {
                at[later] = ranges[later].start;
            }
        }
    }

    /// Fills the cells of a column that satisfy `row · x + constant ≥ 0` for all rows.
    fn fill_column(&mut self, at: &[usize], rows: &[(SVector<f64, D>, f64)]) {
        let (mut from, mut to) = (0.0_f64, self.side as f64);
        for (row, constant) in rows {
            let rest =
                constant + at.iter().enumerate().map(|(axis, cell)| row[axis] * (*cell as f64 + 0.5)).sum::<f64>();
            let slope = row[D - 1];
            if slope > 0.0 {
                from = from.max(-rest / slope);
            } else if slope < 0.0 {
                to = to.min(-rest / slope);
            } else if rest < 0.0 {
                return;
            }
        }
        let first = (from - 0.5).ceil().max(0.0) as usize;
        let end = ((to - 0.5).floor() + 1.0).clamp(0.0, self.side as f64) as usize;
        if first < end {
            let start = at.iter().fold(0, |place, cell| place * self.side + cell) * self.side;
            self.filled[start + first..start + end].fill(true);
        }
    }
}

fn determinant<const D: usize>(matrix: &SMatrix<f64, D, D>) -> f64 {
    // Elimination with the largest pivot of each column; nalgebra's own asks for bounds that a number of dimensions cannot give.
    let mut rest = *matrix;
    let mut product = 1.0;
    for k in 0..D {
        let pivot = (k..D).max_by(|i, j| rest[(*i, k)].abs().total_cmp(&rest[(*j, k)].abs())).unwrap_or(k);
        if rest[(pivot, k)] == 0.0 {
            return 0.0;
        }
        if pivot != k {
            rest.swap_rows(pivot, k);
            product = -product;
        }
        product *= rest[(k, k)];
        for i in k + 1..D {
            let factor = rest[(i, k)] / rest[(k, k)];
            for j in k..D {
                rest[(i, j)] -= factor * rest[(k, j)];
            }
        }
    }
    product
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use nalgebra::Vector2;

    #[test]
    fn half_of_a_square_is_half_whatever_its_proportions() {
        for (width, height) in [(1.0, 1.0), (1e-9, 1e3), (1e40, 1e-40)] {
            let corner = |x: f64, y: f64| Vector2::new(3.0 * width + x * width, y * height + x * height);
            let triangles =
                [[corner(0., 0.), corner(1., 0.), corner(1., 1.)], [corner(0., 0.), corner(1., 1.), corner(0., 1.)]];
            let mut raster = Raster::around(triangles.into_iter(), PLANE_CELLS).unwrap();
            raster.inside.fill(true);
            raster.fill(&triangles[0]);
            let half = raster.share();
            raster.fill(&triangles[1]);
            assert!((half / raster.share() - 0.5).abs() < 1e-3, "{width} {height}: {half} of {}", raster.share());
        }
    }

    #[test]
    fn a_tetrahedron_has_its_share_of_a_cube() {
        let corner = |bits: usize| Vector3::from_fn(|axis, _| (bits >> axis & 1) as f64);
        let paths = [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];
        let cube = paths.map(|path| path.map(corner));
        let mut raster = Raster::around(cube.into_iter(), SPACE_CELLS).unwrap();
        raster.inside.fill(true);
        // Askew, so that no row of cell centres lies in one of its faces.
        let tetrahedron = [[0.1, 0.2, 0.05], [0.9, 0.3, 0.15], [0.25, 0.85, 0.3], [0.4, 0.35, 0.95]].map(Vector3::from);
        raster.fill(&tetrahedron);
        // The grid has room around the cube: ROOM on either side of each axis.
        let expected = 0.41475 / 6.0 / (1.0 + 2.0 * ROOM).powi(3);
        let share = raster.share();
        assert!((share - expected).abs() < 1e-3, "{share} for {expected}");
    }
}
