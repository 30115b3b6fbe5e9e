//! Several contacts at one instant.
//!
//! Bodies, contacts and joints ([`Network`]) reduce to an [`Impact`]: `V_after = V + W P` with three rows for every
//! contact. So does a system that is given by its mass matrix ([`Generalised`]). Contacts that no impulse connects form islands of
//! their own, which are solved one by one.

mod block_matrix;
mod generalised;
mod joint;
mod mechanism;
mod network;
mod null_space;
mod principal;

pub use block_matrix::BlockMatrix;
pub use generalised::Generalised;
pub use joint::Joint;
pub use network::{BodyMotion, Contact, Network, Reaction};
pub use principal::Principal;

use crate::collision::{Collision, Mobility, NEGLIGIBLE, sensible};
use crate::double_double::DoubleDouble;
use crate::error::{Error, finite};
use nalgebra::{DMatrix, DVector, Matrix3, SymmetricEigen, Vector3};

/// The whole problem of n contacts at one instant: `V_after = V + W P`.
///
/// W is symmetric and positive semidefinite (1/kg), in general of less than full rank: a block on four corners has six
/// freedoms and twelve components of impulse. V and P hold (n, t1, t2) of every contact. In a planar impact nothing
/// happens along t2, and the rows of W there are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    inverse_mass: BlockMatrix,
    velocity: Vec<Vector3<f64>>,
    planar: bool,
    /// The directions in which each contact can move, where the joints are known.
    mobilities: Vec<Option<Mobility>>,
    /// The collision of which this is the impact, with its inverse mass across the plane, which an impact in the plane has not.
    made_of: Option<Collision>,
}

/// What rounding of the input explains, relative to the largest entry: asymmetry, negative eigenvalues, and the part of
/// the velocity that no impulse can change.
const INPUT_ROUNDING: f64 = 1e-9;

/// An impulse this many times as long as one that moves the contact as much is mostly held.
const LONG: f64 = 1e2;

impl Impact {
    /// An impact from W and V, contact by contact: 2 rows (n, t) for each if it is planar, else 3 (n, t1, t2).
    ///
    /// ```
    /// # use carom::impact::Impact;
    /// # use nalgebra::{DMatrix, DVector};
    /// // A disk in a corner (Rodriguez 2014, 6.1), contacts with ground and wall.
    /// let w = DMatrix::from_row_slice(4, 4, &[1., 0., 0., 1., 0., 3., -1., 2., 0., -1., 1., 0., 1., 2., 0., 3.]);
    /// let impact = Impact::new(&w, &DVector::from_vec(vec![-4.43, 8.0, -8.0, -4.43]), true).unwrap();
    /// assert_eq!((impact.contacts(), impact.islands().len()), (2, 1));
    /// ```
    pub fn new(inverse_mass: &DMatrix<f64>, velocity: &DVector<f64>, planar: bool) -> Result<Impact, Error> {
        let components = if planar { 2 } else { 3 };
        finite("inverse mass", inverse_mass.as_slice())?;
        finite("velocity", velocity.as_slice())?;
        let rows = velocity.len();
        if rows == 0 || !rows.is_multiple_of(components) || inverse_mass.shape() != (rows, rows) {
            return Err(Error::WrongSize { what: "inverse mass and velocity of an impact" });
        }
        let scale = inverse_mass.amax();
        for i in 0..rows {
            for j in 0..i {
                let values = (inverse_mass[(i, j)], inverse_mass[(j, i)]);
                if (values.0 - values.1).abs() > INPUT_ROUNDING * scale {
                    return Err(Error::NotSymmetric { what: "inverse mass", entry: (i, j), values });
                }
            }
        }
        let symmetric = (inverse_mass + inverse_mass.transpose()) * 0.5;
        let eigen = SymmetricEigen::new(symmetric.clone());
        let largest = eigen.eigenvalues.max();
        if eigen.eigenvalues.min() < -INPUT_ROUNDING * largest {
            return Err(Error::NotPositive { what: "inverse mass", eigenvalue: eigen.eigenvalues.min() });
        }
        let unchangeable =
            eigen.eigenvalues.iter().enumerate().filter(|(_, value)| **value <= RANK_TOLERANCE * largest);
        let stuck = unchangeable.map(|(k, _)| eigen.eigenvectors.column(k).dot(velocity).powi(2)).sum::<f64>().sqrt();
        if stuck > INPUT_ROUNDING.sqrt() * velocity.norm() {
            return Err(Error::IncompatibleVelocity { fraction: stuck / velocity.norm() });
        }
        let contacts = rows / components;
        let block = |a: usize, b: usize| {
            Matrix3::from_fn(|i, j| {
                if i < components && j < components { symmetric[(components * a + i, components * b + j)] } else { 0.0 }
            })
        };
        let rows = (0..contacts).map(|a| {
            let all = (0..contacts).map(|b| (b, block(a, b)));
            all.filter(|(b, block)| a == *b || *block != Matrix3::zeros()).collect()
        });
        let velocity = (0..contacts)
            .map(|a| Vector3::from_fn(|i, _| if i < components { velocity[components * a + i] } else { 0.0 }))
            .collect();
        Impact::of_blocks(BlockMatrix::from_rows(rows), velocity, planar)
    }

    /// An impact whose parts are known to be sound, but for their size and for contacts that nothing can move.
    fn of_blocks(inverse_mass: BlockMatrix, mut velocity: Vec<Vector3<f64>>, planar: bool) -> Result<Impact, Error> {
        let largest = (0..velocity.len()).map(|k| inverse_mass.block(k, k).amax()).fold(0.0, f64::max);
        if !velocity.is_empty() {
            sensible("inverse mass", largest)?;
        }
        let fastest = velocity.iter().map(Vector3::amax).fold(0.0, f64::max);
        if fastest > 0.0 {
            sensible("velocity", fastest)?;
        }
        for component in velocity.iter_mut().flat_map(Vector3::iter_mut) {
            if component.abs() < NEGLIGIBLE * fastest {
                *component = 0.0;
            }
        }
        for k in 0..velocity.len() {
            if inverse_mass.block(k, k)[(0, 0)] <= f64::EPSILON * largest {
                return Err(Error::ImmovableAlongNormal);
            }
        }
        let mobilities = vec![None; velocity.len()];
        Ok(Impact { inverse_mass, velocity, planar, mobilities, made_of: None })
    }

    /// The same with the directions in which each contact can move, where the joints are known.
    fn moving_as(mut self, mobilities: Vec<Option<Mobility>>) -> Impact {
        self.mobilities = mobilities;
        self
    }

    /// The same with no motion across the normal at some contacts, for what cannot push there.
    #[must_use]
    pub(crate) fn smoothed(mut self, smooth: impl Fn(usize) -> bool) -> Impact {
        let kept = |contact: usize, k: usize| k == 0 || !smooth(contact);
        let row = |i: usize| {
            let masked = self.inverse_mass.row(i).map(|(j, block)| {
                (j, Matrix3::from_fn(|r, c| if kept(i, r) && kept(j, c) { block[(r, c)] } else { 0.0 }))
            });
            masked.collect()
        };
        self.inverse_mass = BlockMatrix::from_rows((0..self.contacts()).map(row));
        self.made_of = None;
        for (_, velocity) in self.velocity.iter_mut().enumerate().filter(|(k, _)| smooth(*k)) {
            *velocity = Vector3::x() * velocity.x;
        }
        for (_, mobility) in self.mobilities.iter_mut().enumerate().filter(|(k, _)| smooth(*k)) {
            *mobility = None;
        }
        self
    }

    /// One contact. The impact keeps the collision itself.
    pub fn of_collision(collision: &Collision) -> Impact {
        let (mut w, v) = (*collision.inverse_mass(), *collision.velocity());
        let planar = w[(0, 2)] == 0.0 && w[(1, 2)] == 0.0 && v.z == 0.0;
        if planar {
            w[(2, 2)] = 0.0;
        }
        Impact {
            inverse_mass: BlockMatrix::from_rows([vec![(0, w)]]),
            velocity: vec![v],
            planar,
            mobilities: vec![Some(collision.mobility())],
            made_of: Some(*collision),
        }
    }

    /// The collision that this impact was made of.
    pub(crate) fn as_collision(&self) -> Option<&Collision> {
        self.made_of.as_ref()
    }

    /// The number of contacts.
    pub fn contacts(&self) -> usize {
        self.velocity.len()
    }

    /// Whether nothing happens along t2.
    pub fn is_planar(&self) -> bool {
        self.planar
    }

    /// Components of velocity and impulse at each contact in which anything happens: 2 in the plane, else 3.
    pub fn components(&self) -> usize {
        if self.planar { 2 } else { 3 }
    }

    /// W, 1/kg.
    pub fn inverse_mass(&self) -> &BlockMatrix {
        &self.inverse_mass
    }

    /// V before, m/s.
    pub fn velocity(&self) -> &[Vector3<f64>] {
        &self.velocity
    }

    /// Whether any contact approaches.
    pub fn is_approaching(&self) -> bool {
        self.velocity.iter().any(|v| v.x < 0.0)
    }

    /// V after impulses, one for each contact; in a planar impact without a component along t2.
    pub fn velocity_after(&self, impulses: &[Vector3<f64>]) -> Result<Vec<Vector3<f64>>, Error> {
        self.check_impulses(impulses)?;
        let after = self.after(impulses);
        for velocity in &after {
            finite("velocity after the impulses", velocity.as_slice())?;
        }
        Ok(after)
    }

    /// Refuses impulses of another number, those that are not finite, and those out of the plane of a planar impact.
    pub(crate) fn check_impulses(&self, impulses: &[Vector3<f64>]) -> Result<(), Error> {
        if impulses.len() != self.contacts() {
            return Err(Error::WrongSize { what: "impulses and contacts of an impact" });
        }
        for impulse in impulses {
            finite("impulse", impulse.as_slice())?;
            if self.planar {
                check_in_plane(impulse)?;
            }
        }
        Ok(())
    }

    /// V after impulses of the right number.
    pub(crate) fn after(&self, impulses: &[Vector3<f64>]) -> Vec<Vector3<f64>> {
        let changes = self.inverse_mass.product(impulses);
        self.velocity.iter().zip(changes).map(|(v, change)| v + change).collect()
    }

    /// Change of kinetic energy by impulses as in [`Impact::velocity_after`], J: ½ P·(V + V_after).
    pub fn energy_change(&self, impulses: &[Vector3<f64>]) -> Result<f64, Error> {
        self.check_impulses(impulses)?;
        let after = self.after(impulses);
        let change = |(k, p): (usize, &Vector3<f64>)| {
            // Of a large impulse that moves little the rounding of W P, times P, would count as energy.
            let moved = (after[k] - self.velocity[k]).norm();
            if self.inverse_mass.block(k, k).norm() * p.norm() <= LONG * moved {
                return 0.5 * p.dot(&(self.velocity[k] + after[k]));
            }
            let alone = self.inverse_mass.row(k).count() == 1;
            match alone.then(|| self.collision(k)) {
                Some(Ok(collision)) => collision.energy_change(p),
                _ => self.precise_energy_change(k, impulses),
            }
        };
        let change = impulses.iter().enumerate().map(change).sum();
        finite("energy change", &[change])?;
        Ok(change)
    }

    /// The part of a contact in [`Impact::energy_change`], in twice the usual precision.
    fn precise_energy_change(&self, contact: usize, impulses: &[Vector3<f64>]) -> f64 {
        let mut twice = [0, 1, 2].map(|i| DoubleDouble::from(2.0 * self.velocity[contact][i]));
        for (other, block) in self.inverse_mass.row(contact) {
            for i in 0..3 {
                for j in 0..3 {
                    twice[i] = twice[i] + DoubleDouble::product(block[(i, j)], impulses[other][j]);
                }
            }
        }
        let p = &impulses[contact];
        let sum = (0..3).fold(DoubleDouble::ZERO, |sum, i| sum + twice[i] * (0.5 * p[i]));
        sum.value()
    }

    /// The most energy that impulses at the contacts can take away, J: ½ V·W⁺V. It costs a decomposition of W.
    pub fn local_energy(&self) -> f64 {
        let components = self.components();
        let v = DVector::from_fn(components * self.contacts(), |i, _| self.velocity[i / components][i % components]);
        let eigen = SymmetricEigen::new(self.inverse_mass.dense(components));
        let zero = RANK_TOLERANCE * eigen.eigenvalues.amax();
        let modes = eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter());
        modes.filter(|(value, _)| **value > zero).map(|(value, mode)| 0.5 * mode.dot(&v).powi(2) / value).sum()
    }

    /// One contact as if there were no other.
    pub fn collision(&self, contact: usize) -> Result<Collision, Error> {
        if let (Some(collision), 0) = (self.made_of, contact) {
            return Ok(collision);
        }
        if contact >= self.contacts() {
            return Err(Error::NoContact { contact, contacts: self.contacts() });
        }
        self.collision_at(contact, &self.velocity[contact])
    }

    /// One contact as if there were no other, at another velocity.
    pub(crate) fn collision_at(&self, contact: usize, v: &Vector3<f64>) -> Result<Collision, Error> {
        let mut w = self.inverse_mass.block(contact, contact);
        if let Some(mobility) = self.mobilities[contact] {
            if self.planar {
                w[(2, 2)] = 0.5 * (w[(0, 0)] + w[(1, 1)]);
            }
            return Collision::moving_as(&w, v, mobility);
        }
        if self.planar {
            Collision::planar([[w[(0, 0)], w[(0, 1)]], [w[(1, 0)], w[(1, 1)]]], [v.x, v.y])
        } else {
            Collision::new(&w, v)
        }
    }

    /// Groups of contacts that impulses connect, each in ascending order.
    pub fn islands(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.contacts()];
        let mut islands = Vec::new();
        for first in 0..self.contacts() {
            if seen[first] {
                continue;
            }
            seen[first] = true;
            let (mut island, mut next) = (vec![first], 0);
            while let Some(contact) = island.get(next).copied() {
                next += 1;
                for (other, _) in self.inverse_mass.row(contact) {
                    if !seen[other] {
                        seen[other] = true;
                        island.push(other);
                    }
                }
            }
            island.sort_unstable();
            islands.push(island);
        }
        islands
    }

    /// Some of the contacts, each at most once, as if the others were not there.
    pub fn part(&self, keep: &[usize]) -> Result<Impact, Error> {
        let mut seen = vec![false; self.contacts()];
        for contact in keep {
            match seen.get_mut(*contact) {
                Some(seen) if !*seen => *seen = true,
                Some(_) => return Err(Error::WrongSize { what: "contacts to keep and contacts of an impact" }),
                None => return Err(Error::NoContact { contact: *contact, contacts: self.contacts() }),
            }
        }
        Ok(self.restricted(keep))
    }

    /// The same for contacts that are there.
    pub(crate) fn restricted(&self, keep: &[usize]) -> Impact {
        Impact {
            inverse_mass: self.inverse_mass.restricted(keep),
            velocity: keep.iter().map(|contact| self.velocity[*contact]).collect(),
            planar: self.planar,
            mobilities: keep.iter().map(|contact| self.mobilities[*contact]).collect(),
            made_of: None,
        }
    }
}

/// A component along t2 below this fraction of the impulse is the rounding of a turned frame.
const OUT_OF_PLANE: f64 = 1e-12;

/// Refuses an impulse out of the plane.
fn check_in_plane(impulse: &Vector3<f64>) -> Result<(), Error> {
    if impulse.z.abs() > OUT_OF_PLANE * impulse.norm() {
        let expected = "0: nothing happens along t2 in a planar impact";
        return Err(Error::OutOfRange { what: "impulse along t2", value: impulse.z, expected });
    }
    Ok(())
}

/// An eigenvalue of W below this fraction of the largest is zero: it is the rounding of a sum over bodies.
pub(crate) const RANK_TOLERANCE: f64 = 1e-12;
