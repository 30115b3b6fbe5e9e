//! Collisions as the numbers by which derivatives are taken.

use crate::support::{Random, log_uniform, rotation};
use carom::batch::{Batch, Column};
use carom::laws::{Kind, Law};
use carom::{Collision, ContactOutcome};
use nalgebra::{Matrix3, Vector3};
use rand::RngExt;

/// One collision as the numbers by which derivatives are taken.
#[derive(Clone)]
pub struct Point {
    pub planar: bool,
    pub inputs: Vec<f64>,
}

impl Point {
    /// A well-conditioned collision, so that differences are exact to seven digits or so.
    pub fn random(law: &Law, planar: bool, random: &mut Random) -> Point {
        let n = if planar { 2 } else { 3 };
        let turn = if planar {
            *nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), random.random_range(0.0..6.0)).matrix()
        } else {
            *rotation(random).matrix()
        };
        let w = turn
            * Matrix3::from_fn(|i, j| if i == j { log_uniform(random, -1.0, 0.0) } else { 0.0 })
            * turn.transpose();
        let mut inputs: Vec<f64> = (0..n).map(|_| random.random_range(-1.0..1.0)).collect();
        if random.random::<f64>() < 0.9 {
            inputs[0] = -inputs[0].abs();
        }
        for i in 0..n {
            // The bilinear law answers for a diagonal W only, isotropic across the normal.
            let uncoupled = |j: usize| {
                if i != j {
                    0.0
                } else if i == 0 {
                    w.m11
                } else {
                    w.m22
                }
            };
            inputs.extend((i..n).map(|j| if law.id == "bilinear" { uncoupled(j) } else { w[(i, j)] }));
        }
        for parameter in law.parameters {
            inputs.push(match parameter.kind {
                Kind::Choice(words) => random.random_range(0..words.len()) as f64,
                _ if parameter.leaves_plane && planar => 0.0,
                _ if parameter.key.starts_with("share") => random.random_range(0.05..0.45),
                _ if parameter.key == "kinetic_friction" => random.random_range(0.05..0.3),
                _ if parameter.key == "static_friction" => random.random_range(0.35..1.0),
                Kind::Number { least, greatest } => {
                    let (least, greatest) = (least.max(-1.0), greatest.min(1.0));
                    random.random_range(least + 0.02..greatest - 0.02)
                }
            });
        }
        Point { planar, inputs }
    }

    /// P and V' by the law itself.
    pub fn answer(&self, law: &'static Law) -> Option<Vec<f64>> {
        let (n, outcome) = (if self.planar { 2 } else { 3 }, self.outcome(law)?);
        Some(outcome.impulse.iter().take(n).chain(outcome.velocity_after.iter().take(n)).copied().collect())
    }

    /// The outcome by the law itself.
    pub fn outcome(&self, law: &'static Law) -> Option<ContactOutcome> {
        let (n, x) = (if self.planar { 2 } else { 3 }, &self.inputs);
        let collision = if self.planar {
            Collision::planar([[x[2], x[3]], [x[3], x[4]]], [x[0], x[1]]).unwrap()
        } else {
            let w = Matrix3::new(x[3], x[4], x[5], x[4], x[6], x[7], x[5], x[7], x[8]);
            Collision::new(&w, &Vector3::new(x[0], x[1], x[2])).unwrap()
        };
        let from = n + n * (n + 1) / 2;
        let place = |key: &str| law.parameters.iter().position(|parameter| parameter.key == key);
        let bound = law.bind_from(|key| Some(x[from + place(key)?])).unwrap();
        bound.resolve_collision(&collision).ok()
    }
}

/// The derivatives that the batch gives for points, and what is known of them.
pub fn differentiate(law: &'static Law, points: &[Point], threads: usize) -> (Vec<f64>, Vec<u8>, usize) {
    let (planar, rows, width) = (points[0].planar, points.len(), points[0].inputs.len());
    let table: Vec<f64> = points.iter().flat_map(|point| point.inputs.clone()).collect();
    let at = |k: usize| Column::strided(&table[k..], width);
    let n = if planar { 2 } else { 3 };
    let batch = if planar {
        Batch::planar(rows, [[at(2), at(3)], [at(3), at(4)]], [at(0), at(1)]).unwrap()
    } else {
        let w = [[at(3), at(4), at(5)], [at(4), at(6), at(7)], [at(5), at(7), at(8)]];
        Batch::spatial(rows, w, [at(0), at(1), at(2)]).unwrap()
    };
    let from = n + n * (n + 1) / 2;
    let parameters: Vec<(&str, Column)> =
        law.parameters.iter().enumerate().map(|(k, parameter)| (parameter.key, at(from + k))).collect();
    let bound = batch.bind(law, &parameters).unwrap();
    assert_eq!(bound.inputs(), width);
    let (mut matrices, mut kinds) = (vec![f64::NAN; rows * 2 * n * width], vec![100; rows]);
    assert!(bound.differentiate(&mut matrices[1..], &mut kinds, 1).is_err());
    bound.differentiate(&mut matrices, &mut kinds, threads).unwrap();
    (matrices, kinds, bound.components())
}
