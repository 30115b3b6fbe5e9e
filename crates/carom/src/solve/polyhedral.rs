//! A friction problem with polygons in place of disks, as a linear complementarity problem (Stewart & Trinkle 1996).
//!
//! With directions d_i around each disk, x_t = c(x_n) + Σ β_i d_i and σ the slip speed,
//!
//! ```text
//! U_n ≥ 0 ⟂ x_n − a ≥ 0,    d_i·U_t + σ ≥ 0 ⟂ β_i ≥ 0,    r(x_n) − Σ β_i ≥ 0 ⟂ σ ≥ 0
//! ```
//!
//! For Coulomb's disks the matrix is copositive and Lemke's method finds a solution. In the plane, with two directions, it is
//! exact; in space the polygons are inside the disks, with a corner where the impulse was last and others close to it: a few
//! rounds lead to the disks themselves.

use super::friction::Friction;
use super::lcp::{Lemke, lemke};
use nalgebra::{DMatrix, DVector, Vector2};
use std::f64::consts::TAU;

/// Corners of a polygon in space: as multiples of the spread to either side of the aim, and further ones all around.
const NEAR: [f64; 5] = [0.0, 1.0, -1.0, 3.0, -3.0];
const AROUND: [f64; 3] = [0.25 * TAU, 0.5 * TAU, 0.75 * TAU];

/// Impulses with polygons in place of the disks, aimed at given impulses, and the pivots it took; nothing if Lemke's method ends
/// on a ray. `spread` is the angle between the corners close to the aim.
pub(super) fn polyhedral(problem: &Friction, aims: &DVector<f64>, spread: f64) -> Option<(DVector<f64>, usize)> {
    let contacts = problem.disks.len();
    // Which disk each β belongs to, and its direction; the first σ follows the last β.
    let mut sides: Vec<(usize, Vector2<f64>)> = Vec::new();
    let mut rough = Vec::new();
    for (k, disk) in problem.disks.iter().enumerate().filter(|(_, disk)| disk.size > 1) {
        rough.push(k);
        if disk.size == 2 {
            sides.extend([(k, Vector2::x()), (k, -Vector2::x())]);
        } else {
            let aim = disk.of(aims).yz() - disk.centre_at(aims[disk.start]);
            let first = aim.y.atan2(aim.x);
            let angles = NEAR.into_iter().map(|steps| steps * spread).chain(AROUND);
            sides.extend(angles.map(|angle| (k, Vector2::new((first + angle).cos(), (first + angle).sin()))));
        }
    }
    let forces = contacts + sides.len();
    let size = forces + rough.len();
    // x = offset + columns · (x_n − a, β).
    let mut columns = DMatrix::zeros(problem.q.len(), forces);
    let mut rows = DMatrix::zeros(problem.q.len(), forces);
    let mut offset = DVector::zeros(problem.q.len());
    for (k, disk) in problem.disks.iter().enumerate() {
        columns[(disk.start, k)] = 1.0;
        rows[(disk.start, k)] = 1.0;
        offset[disk.start] = disk.least;
        let centre = disk.centre_at(disk.least);
        for i in 1..disk.size {
            columns[(disk.start + i, k)] = disk.centre[1][i - 1];
            offset[disk.start + i] = centre[i - 1];
        }
    }
    for (column, (k, direction)) in sides.iter().enumerate() {
        let disk = &problem.disks[*k];
        for i in 1..disk.size {
            columns[(disk.start + i, contacts + column)] = direction[i - 1];
            rows[(disk.start + i, contacts + column)] = direction[i - 1];
        }
    }
    let mut m = DMatrix::zeros(size, size);
    m.view_mut((0, 0), (forces, forces)).copy_from(&rows.tr_mul(&(&problem.w * &columns)));
    let mut q = DVector::zeros(size);
    q.rows_mut(0, forces).copy_from(&rows.tr_mul(&(&problem.q + &problem.w * &offset)));
    for (place, k) in rough.iter().enumerate() {
        let (slip, disk) = (forces + place, &problem.disks[*k]);
        m[(slip, *k)] = disk.radius[1];
        q[slip] = disk.radius_at(disk.least);
        for (column, _) in sides.iter().enumerate().filter(|(_, (owner, _))| owner == k) {
            m[(slip, contacts + column)] = -1.0;
            m[(contacts + column, slip)] = 1.0;
        }
    }
    let Lemke::Solved { z, pivots, .. } = lemke(&m, &q) else { return None };
    Some((offset + columns * z.rows(0, forces), pivots))
}
