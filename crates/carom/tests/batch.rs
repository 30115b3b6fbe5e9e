//! Batches against the laws themselves.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use carom::batch::{Batch, Column, MODES, NO_MODE, Outputs, Status};
use carom::laws::{self, BoundLaw, Law};
use carom::{Collision, Dimension};
use support::Random;

/// Columns of random collisions of one law.
struct Rows {
    dimension: Dimension,
    w: [Vec<f64>; 6],
    v: [Vec<f64>; 3],
    parameters: Vec<(&'static str, Vec<f64>)>,
    scalar: Vec<(Collision, BoundLaw)>,
}

impl Rows {
    fn random(law: &'static Law, dimension: Dimension, count: usize, random: &mut Random) -> Rows {
        let planar = dimension.is_planar();
        let mut rows = Rows {
            dimension,
            w: Default::default(),
            v: Default::default(),
            parameters: law.parameters.iter().map(|parameter| (parameter.key, Vec::new())).collect(),
            scalar: Vec::new(),
        };
        for _ in 0..count {
            let mut w = support::inverse_mass(random, planar);
            let mut v = support::velocity(random, planar);
            if law.id == "bilinear" {
                w = nalgebra::Matrix3::from_diagonal(&w.diagonal());
            }
            if planar {
                v.z = 0.0;
            }
            let friction = support::friction(random);
            let mut bound = support::bind(law, friction, random);
            while planar && law.parameters.iter().any(|p| p.leaves_plane && bound.parameter(0, p.key) != Some(0.0)) {
                let zero = |key: &str| law.parameters.iter().any(|p| p.leaves_plane && p.key == key).then_some(0.0);
                bound = law.bind_from(|key| zero(key).or(bound.parameter(0, key))).unwrap();
            }
            let collision = if planar {
                for (column, (i, j)) in rows.w.iter_mut().zip([(0, 0), (0, 1), (1, 1)]) {
                    column.push(w[(i, j)]);
                }
                Collision::planar([[w.m11, w.m12], [w.m12, w.m22]], [v.x, v.y]).unwrap()
            } else {
                for (column, (i, j)) in rows.w.iter_mut().zip([(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]) {
                    column.push(w[(i, j)]);
                }
                Collision::new(&w, &v).unwrap()
            };
            for (column, x) in rows.v.iter_mut().zip(v.iter()) {
                column.push(*x);
            }
            for (key, column) in &mut rows.parameters {
                column.push(bound.parameter(0, key).unwrap());
            }
            rows.scalar.push((collision, bound));
        }
        rows
    }

    fn batch(&self) -> Batch<'_> {
        let [a, b, c, d, e, f] = self.w.each_ref().map(|column| Column::contiguous(column));
        let [x, y, z] = self.v.each_ref().map(|column| Column::contiguous(column));
        let rows = self.scalar.len();
        if self.dimension.is_planar() {
            Batch::planar(rows, [[a, b], [b, c]], [x, y]).unwrap()
        } else {
            Batch::spatial(rows, [[a, b, c], [b, d, e], [c, e, f]], [x, y, z]).unwrap()
        }
    }

    fn parameters(&self) -> Vec<(&str, Column<'_>)> {
        self.parameters.iter().map(|(key, column)| (*key, Column::contiguous(column))).collect()
    }
}

#[test]
fn measure() {
    for law in support::instantaneous() {
        for dimension in [Dimension::Planar, Dimension::Spatial] {
            let count = 100_000;
            let mut random = support::random(18, law.id.len() as u64);
            let probe = Rows::random(law, dimension, 1, &mut random);
            if !probe.batch().bind(law, &probe.parameters()).unwrap().has_kernel() {
                continue;
            }
            let rows = Rows::random(law, dimension, count, &mut random);
            let batch = rows.batch();
            let n = batch.components();
            let (mut p, mut after, mut energy) = (vec![0.0; n * count], vec![0.0; n * count], vec![0.0; count]);
            let (mut mode, mut status, mut audit, mut restitution) =
                (vec![0; count], vec![0; count], vec![0; count], vec![0.0; 4 * count]);
            let parameters = rows.parameters();
            let bound = batch.bind(law, &parameters).unwrap();
            let mut outputs = Outputs {
                impulse: Some(&mut p),
                velocity_after: Some(&mut after),
                energy_change: Some(&mut energy),
                mode: Some(&mut mode),
                status: Some(&mut status),
                audit: Some(&mut audit),
                restitution: Some(&mut restitution),
            };
            bound.resolve(&mut outputs, 1).unwrap();
            let (mut worst, mut worst_after, mut modes, mut statuses, mut audits) = (0.0_f64, 0.0_f64, 0, 0, 0);
            let mut rest = [0.0_f64; 4];
            let mut worst_row = 0;
            let mut shown = 0;
            for (row, (collision, own)) in rows.scalar.iter().enumerate() {
                let Ok(outcome) = own.resolve_collision(collision) else {
                    statuses += usize::from(status[row] == 0);
                    continue;
                };
                statuses += usize::from(status[row] != 0);
                let w = collision.inverse_mass();
                let eigen = w.view((0, 0), (n, n)).into_owned().symmetric_eigen().eigenvalues;
                let (least, greatest) = (eigen.min(), eigen.max());
                let condition = greatest / least;
                let v = collision.velocity().norm();
                let scale = v / least * f64::EPSILON * condition;
                let dp = (0..n).map(|k| (p[k * count + row] - outcome.impulse[k]).abs()).fold(0.0, f64::max);
                let dv = (0..n).map(|k| (after[k * count + row] - outcome.velocity_after[k]).abs()).fold(0.0, f64::max);
                if dp / scale > worst {
                    worst = dp / scale;
                    worst_row = row;
                }
                worst_after = worst_after.max(dv / (v * condition * f64::EPSILON));
                if mode[row] == NO_MODE || MODES[mode[row] as usize] != outcome.mode {
                    modes += 1;
                    if shown < 3 {
                        shown += 1;
                        println!(
                            "  mode {:?} {} {:?} {:?} p {:?}",
                            outcome.mode,
                            mode[row],
                            collision,
                            rows.parameters.iter().map(|(k, c)| (k, c[row])).collect::<Vec<_>>(),
                            (0..n).map(|k| p[k * count + row]).collect::<Vec<_>>()
                        );
                    }
                }
                let friction =
                    own.parameter(0, "friction").unwrap_or(0.0).max(own.parameter(0, "static_friction").unwrap_or(0.0));
                let ok = carom::audit::audit_collision(collision, &outcome, friction).is_ok();
                audits += usize::from(ok != (audit[row] == 0));
                let r = outcome.restitution(collision);
                for (k, r) in [r.newton, r.poisson, r.stronge, r.ivanov].into_iter().enumerate() {
                    let mine = restitution[k * count + row];
                    if r.is_some() != !mine.is_nan() {
                        rest[k] = f64::INFINITY;
                    } else if let Some(r) = r {
                        rest[k] = rest[k].max((r - mine).abs() / condition / f64::EPSILON);
                    }
                }
            }
            println!(
                "{} {:?}: dP {:.3e} dV {:.3e} modes {} statuses {} audits {} rest {:?} worst {} {:?} {:?}",
                law.id,
                dimension,
                worst,
                worst_after,
                modes,
                statuses,
                audits,
                rest,
                worst_row,
                rows.scalar[worst_row].0.velocity(),
                status.iter().filter(|s| **s == Status::Resolved as u8).count()
            );
        }
    }
}
