//! The motions that joints leave free, found from their geometry.
//!
//! The coordinates of a body are its velocity and, about its principal axes, ℓ times its angular velocity, where ℓ is
//! the longest arm at which a joint holds it, or a small part of the longest
//! of all bodies where it is held at its centre of mass but for rounding. In them the rows G of the joints have entries of order one whatever the
//! masses are, so the number of independent rows is a question of geometry alone, and the mass matrix M is diagonal.
//!
//! ```text
//! Gᵀ = Q₁ K,  G Q₂ = 0                 rank-revealing QR: Q₂ spans the motions that the joints allow
//! M^½ Q₂ = Q R,  F = Q₂ R⁻¹            the same motions, orthonormal in the mass metric: Fᵀ M F = 1
//! W = (J F)(J F)ᵀ                      inverse mass at contacts with the Jacobian J
//! ```
//!
//! W is the product of a factor with its transpose, so its rank is that of J F. It is at most the number of columns,
//! the freedoms: a hinged pendulum has one. Subtracting the compliance of the joints from W of the free bodies would
//! cancel, and leave rounding where there should be zero.

use super::network::Row;
use crate::body::Body;
use nalgebra::{DMatrix, DVector, Vector3};

/// Bodies that joints hold, and their freedoms.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mechanism {
    /// The place of each body of the network among the carriers; `None` for one that no joint holds.
    places: Vec<Option<usize>>,
    carriers: Vec<Carrier>,
    /// Q₂: the motions that the joints allow.
    free: DMatrix<f64>,
    /// F: one column for each freedom.
    freedoms: DMatrix<f64>,
    /// The pseudoinverse of Gᵀ: amounts of the rows from generalised impulses that joints exert.
    release: DMatrix<f64>,
}

/// The coordinates of one body.
#[derive(Clone, Debug, PartialEq)]
struct Carrier {
    body: usize,
    /// Where its coordinates start.
    start: usize,
    /// Directions of the translations.
    translations: Vec<Vector3<f64>>,
    /// Principal axes about which it can turn.
    rotations: Vec<Vector3<f64>>,
    /// ℓ, m.
    length: f64,
    /// The diagonal of M in these coordinates, kg.
    masses: Vec<f64>,
}

/// A row of the joints whose part that the others do not contain is below this fraction is redundant. The joints of a scene that moves
/// fit to about 1e-9 of its size: a smaller bound would take that misfit for a constraint, lock a motion that is free, and divide
/// rounding by the misfit.
const REDUNDANT: f64 = 1e-6;
/// A point that the motions of a mechanism move by less than this fraction of their own size is not moved but by rounding and the
/// misfit of joints.
pub(super) const IMMOVABLE: f64 = 1e-7;
/// The least ℓ relative to the longest arm of all bodies: an arm of rounding would swamp the other rows.
const SHORTEST: f64 = 1e-3;
/// An inverse moment of inertia below this fraction of the largest is zero: an ideal rod does not turn about its axis.
const NO_TURN: f64 = 1e-14;

impl Mechanism {
    /// The bodies that the rows of some joints hold.
    pub(super) fn new(bodies: &[Body], rows: &[Row], planar: bool) -> Mechanism {
        let mut arms = vec![None; bodies.len()];
        for row in rows {
            for (place, ..) in &row.sides {
                if let Some(place) = place {
                    let arm = (row.point - bodies[*place].position).norm();
                    arms[*place] = Some(arm.max(arms[*place].unwrap_or(0.0)));
                }
            }
        }
        let mut mechanism = Mechanism {
            places: vec![None; bodies.len()],
            carriers: Vec::new(),
            free: DMatrix::zeros(0, 0),
            freedoms: DMatrix::zeros(0, 0),
            release: DMatrix::zeros(rows.len(), 0),
        };
        let longest = arms.iter().flatten().copied().fold(0.0, f64::max);
        let shortest = if longest > 0.0 { SHORTEST * longest } else { 1.0 };
        let mut size = 0;
        for (body, arm) in arms.into_iter().enumerate().filter_map(|(body, arm)| Some((body, arm?))) {
            let carrier = Carrier::new(body, size, &bodies[body], arm.max(shortest), planar);
            size += carrier.masses.len();
            mechanism.places[body] = Some(mechanism.carriers.len());
            mechanism.carriers.push(carrier);
        }
        if size > 0 {
            mechanism.decompose(rows, size);
        }
        mechanism
    }

    fn decompose(&mut self, rows: &[Row], size: usize) {
        let mut locks = DMatrix::zeros(size, rows.len());
        let mut lengths = Vec::with_capacity(rows.len());
        for (k, row) in rows.iter().enumerate() {
            let column = self.functional(row.sides.iter().map(|(place, linear, angular)| (*place, *linear, *angular)));
            // A row of zeros locks a motion that a planar network does not have.
            let length = column.norm();
            lengths.push(length);
            if length > 0.0 {
                locks.set_column(k, &(column / length));
            }
        }
        let decomposed = locks.clone().col_piv_qr();
        let upper = decomposed.r();
        let pivot = |k: usize| upper[(k, k)].abs();
        let rank = (0..size.min(rows.len())).take_while(|k| pivot(*k) > REDUNDANT * pivot(0)).count();
        let mut turned = DMatrix::identity(size, size);
        decomposed.q_tr_mul(&mut turned);
        let locked = turned.rows(0, rank).into_owned();
        let free = turned.rows(rank, size - rank).transpose();

        let masses = DVector::from_iterator(size, self.carriers.iter().flat_map(|carrier| carrier.masses.clone()));
        let weighted = DMatrix::from_fn(size, size - rank, |i, j| masses[i].sqrt() * free[(i, j)]);
        let upper = weighted.qr().r();
        let solved = upper.transpose().solve_lower_triangular(&free.transpose());
        self.free = free;
        self.freedoms = solved.map_or_else(|| DMatrix::zeros(size, 0), |solved| solved.transpose());

        let (c, t) = (&locked * &locks).transpose().qr().unpack();
        let release = t.transpose().solve_lower_triangular(&locked).map(|solved| c * solved);
        self.release = release.unwrap_or_else(|| DMatrix::zeros(rows.len(), size));
        for (k, length) in lengths.into_iter().enumerate().filter(|(_, length)| *length > 0.0) {
            self.release.row_mut(k).scale_mut(length.recip());
        }
    }

    /// Whether a joint holds this body.
    pub(super) fn holds(&self, body: usize) -> bool {
        self.places.get(body).is_some_and(Option::is_some)
    }

    /// The row that belongs to impulses at the centre of mass and angular impulses of bodies.
    fn functional(&self, sides: impl IntoIterator<Item = (Option<usize>, Vector3<f64>, Vector3<f64>)>) -> DVector<f64> {
        let size = self.carriers.last().map_or(0, |carrier| carrier.start + carrier.masses.len());
        let mut row = DVector::zeros(size);
        for (body, linear, angular) in sides {
            let Some(place) = body.and_then(|body| self.places[body]) else { continue };
            let carrier = &self.carriers[place];
            let along = carrier.translations.iter().map(|axis| axis.dot(&linear));
            let about = carrier.rotations.iter().map(|axis| axis.dot(&angular) / carrier.length);
            for (k, entry) in along.chain(about).enumerate() {
                row[carrier.start + k] += entry;
            }
        }
        row
    }

    /// J F for three directions at a point: how far each freedom moves body A's point against body B's. A direction in which
    /// no motion that the joints allow moves the point, but for their misfit, has a row of zeros.
    pub(super) fn motion_at(
        &self,
        bodies: &[Body],
        sides: [Option<usize>; 2],
        point: &Vector3<f64>,
        directions: &[Vector3<f64>; 3],
    ) -> DMatrix<f64> {
        let mut motion = DMatrix::zeros(3, self.freedoms.ncols());
        for (k, direction) in directions.iter().enumerate() {
            let row = self.row_at(bodies, sides, point, direction);
            // Geometry alone decides: F grows as masses become small.
            if self.free.tr_mul(&row).amax() > IMMOVABLE * row.norm() {
                motion.set_row(k, &self.freedoms.tr_mul(&row).transpose());
            }
        }
        motion
    }

    /// J Q₂: how far each motion that the joints allow, in coordinates without masses, moves body A's point against body B's along a direction.
    pub(super) fn geometry_at(
        &self,
        bodies: &[Body],
        [a, b]: [Option<usize>; 2],
        point: &Vector3<f64>,
        direction: &Vector3<f64>,
    ) -> DVector<f64> {
        self.free.tr_mul(&self.row_at(bodies, [a, b], point, direction))
    }

    fn row_at(
        &self,
        bodies: &[Body],
        [a, b]: [Option<usize>; 2],
        point: &Vector3<f64>,
        direction: &Vector3<f64>,
    ) -> DVector<f64> {
        let side = |body: Option<usize>, sign: f64| {
            let arm = body.map_or_else(Vector3::zeros, |body| point - bodies[body].position);
            (body, direction * sign, arm.cross(direction) * sign)
        };
        self.functional([side(a, 1.0), side(b, -1.0)])
    }

    /// Changes the velocities of bodies by impulses (body, at the centre of mass, angular), and removes their motion against
    /// the joints; returns the impulse that each row of the joints needed for this. `slip` is the velocity along each row.
    pub(super) fn push(
        &self,
        bodies: &mut [Body],
        impulses: &[(Option<usize>, Vector3<f64>, Vector3<f64>)],
        slip: &DVector<f64>,
    ) -> DVector<f64> {
        let impulse = self.functional(impulses.iter().copied());
        let masses: Vec<f64> = self.carriers.iter().flat_map(|carrier| carrier.masses.iter().copied()).collect();
        let momentum = |velocity: &DVector<f64>| DVector::from_fn(velocity.len(), |i, _| masses[i] * velocity[i]);
        let drift = self.release.tr_mul(slip);
        let change = &self.freedoms * self.freedoms.tr_mul(&(&impulse + momentum(&drift))) - &drift;
        for carrier in &self.carriers {
            let body = &mut bodies[carrier.body];
            for (k, axis) in carrier.translations.iter().enumerate() {
                body.velocity += axis * change[carrier.start + k];
            }
            for (k, axis) in carrier.rotations.iter().enumerate() {
                let place = carrier.start + carrier.translations.len() + k;
                body.angular_velocity += axis * (change[place] / carrier.length);
            }
        }
        &self.release * (momentum(&change) - impulse)
    }
}

impl Carrier {
    fn new(place: usize, start: usize, body: &Body, length: f64, planar: bool) -> Carrier {
        let mut carrier =
            Carrier { body: place, start, translations: Vec::new(), rotations: Vec::new(), length, masses: Vec::new() };
        if !body.is_immovable() {
            let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
            carrier.translations.extend(&axes[..if planar { 2 } else { 3 }]);
            carrier.masses.resize(carrier.translations.len(), body.mass());
        }
        let turns = body.principal_turns();
        let most = turns.iter().map(|(give, _)| *give).fold(0.0, f64::max);
        for (give, axis) in turns {
            let in_network = !planar || axis.z.abs() > 0.5;
            if give > NO_TURN * most && in_network {
                carrier.rotations.push(axis);
                carrier.masses.push((give * length * length).recip());
            }
        }
        carrier
    }
}
