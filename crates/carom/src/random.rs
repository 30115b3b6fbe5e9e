//! Reproducible random numbers for sampled properties and for tests; integration tests include this file too.
#![allow(dead_code, missing_docs)]

use nalgebra::{Matrix3, Rotation3, Vector3};

/// SplitMix64 (Steele, Lea & Flood 2014): a few lines, and the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * self.unit()
    }

    /// Uniform in the logarithm.
    pub fn log_between(&mut self, least: f64, greatest: f64) -> f64 {
        self.between(least.ln(), greatest.ln()).exp()
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Vector3<f64> {
        let height = self.between(-1.0, 1.0);
        let angle = self.between(0.0, std::f64::consts::TAU);
        let radius = (1.0 - height * height).sqrt();
        Vector3::new(height, radius * angle.cos(), radius * angle.sin())
    }

    pub fn rotation(&mut self) -> Matrix3<f64> {
        let axis = self.direction();
        Rotation3::from_axis_angle(&nalgebra::Unit::new_normalize(axis), self.between(0.0, std::f64::consts::PI))
            .into_inner()
    }

    /// A symmetric positive definite matrix with eigenvalues from `smallest` to 1 and any axes.
    pub fn definite(&mut self, smallest: f64) -> Matrix3<f64> {
        let axes = self.rotation();
        let eigenvalues = Vector3::from_fn(|_, _| self.log_between(smallest, 1.0));
        let matrix = axes * Matrix3::from_diagonal(&eigenvalues) * axes.transpose();
        (matrix + matrix.transpose()) * 0.5
    }
}
