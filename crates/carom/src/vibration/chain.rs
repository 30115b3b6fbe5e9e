//! Masses in a row along the contact normal, joined by springs.

use super::flexible::FlexibleBody;
use super::mode::{Mode, check_damping};
use crate::error::{Error, positive};
use nalgebra::{DMatrix, Matrix3, SymmetricEigen, Vector3};

/// Masses in a row along the contact normal, joined by springs; the first mass touches.
///
/// Along the tangents it is a rigid body that cannot turn.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    masses: Vec<f64>,
    springs: Vec<f64>,
}

impl Chain {
    /// A chain of masses (kg), from the one that touches, and springs (N/m) between neighbours. One spring less than
    /// there are masses leaves the far end free; as many fix it to the world by the last one.
    pub fn new(masses: Vec<f64>, springs: Vec<f64>) -> Result<Chain, Error> {
        masses.iter().try_for_each(|mass| positive("mass of a chain", *mass))?;
        springs.iter().try_for_each(|spring| positive("stiffness of a chain", *spring))?;
        if masses.is_empty() || !(masses.len() - 1..=masses.len()).contains(&springs.len()) {
            return Err(Error::OutOfRange {
                what: "number of springs in the chain",
                value: springs.len() as f64,
                expected: "one less than there are masses, or as many to fix the far end",
            });
        }
        Ok(Chain { masses, springs })
    }

    /// A chain of `count` equal masses with equal springs and a free end.
    pub fn uniform(count: usize, mass: f64, stiffness: f64) -> Result<Chain, Error> {
        Chain::new(vec![mass; count], vec![stiffness; count.saturating_sub(1)])
    }

    /// What the chain shows at the contact; all modes have the same damping ratio.
    pub fn body(&self, damping_ratio: f64) -> Result<FlexibleBody, Error> {
        check_damping(damping_ratio)?;
        // K φ = ω² M φ with M diagonal becomes symmetric in √M φ.
        let n = self.masses.len();
        let mut stiffness = DMatrix::<f64>::zeros(n, n);
        for (i, k) in self.springs.iter().enumerate() {
            stiffness[(i, i)] += k;
            if i + 1 < n {
                stiffness[(i + 1, i + 1)] += k;
                stiffness[(i, i + 1)] -= k;
                stiffness[(i + 1, i)] -= k;
            }
        }
        for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
            stiffness[(i, j)] /= (self.masses[i] * self.masses[j]).sqrt();
        }
        let eigen = SymmetricEigen::new(stiffness);
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
        let free = self.springs.len() < n;
        let modes = order.into_iter().skip(usize::from(free)).map(|k| Mode {
            frequency: eigen.eigenvalues[k].sqrt(),
            damping_ratio,
            shape: Vector3::x() * (eigen.eigenvectors[(0, k)] / self.masses[0].sqrt()),
        });
        let inverse_mass = if free { self.masses.iter().sum::<f64>().recip() } else { 0.0 };
        Ok(FlexibleBody { inverse_mass: Matrix3::from_diagonal_element(inverse_mass), modes: modes.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_of_five_masses() {
        let body = Chain::uniform(5, 0.2, 30.0).unwrap().body(0.0).unwrap();
        let expected = [7.569_340, 14.397_739, 19.816_788, 23.296_032];
        for (mode, expected) in body.modes.iter().zip(expected) {
            assert!((mode.frequency - expected).abs() < 1e-6);
        }
        assert_eq!(body.modes.len(), 4);
        assert!((body.inverse_mass[(0, 0)] - 1.0).abs() < 1e-15);
    }

    #[test]
    fn a_fixed_chain_has_no_rigid_motion() {
        // Fixed at one end, n equal masses: ω = 2 √(k/m) sin((2j − 1)π/(4n + 2)).
        let body = Chain::new(vec![0.5; 4], vec![8.0; 4]).unwrap().body(0.01).unwrap();
        assert_eq!(body.inverse_mass, Matrix3::zeros());
        for (j, mode) in body.modes.iter().enumerate() {
            let expected = 8.0 * ((2 * j + 1) as f64 * std::f64::consts::PI / 18.0).sin();
            assert!((mode.frequency - expected).abs() < 1e-13);
        }
        // The spring force per displacement at the end is that of four springs in series.
        let flexibility: f64 = body.modes.iter().map(|mode| mode.flexibility()[(0, 0)]).sum();
        assert!((flexibility - 4.0 / 8.0).abs() < 1e-14);
    }

    #[test]
    fn a_chain_needs_masses_and_the_right_number_of_springs() {
        assert!(Chain::new(vec![], vec![]).is_err());
        assert!(Chain::new(vec![1.0, 1.0], vec![]).is_err());
        assert!(Chain::new(vec![1.0], vec![1.0, 1.0]).is_err());
        assert!(Chain::new(vec![1.0, -1.0], vec![1.0]).is_err());
        assert!(Chain::uniform(0, 1.0, 1.0).is_err());
        assert!(Chain::uniform(3, 1.0, 1.0).unwrap().body(1.0).is_err());
    }
}
