//! Which contacts press, stick and slip next: Coulomb's law for accelerations.
//!
//! At contacts that neither approach nor separate, with a the relative acceleration and λ the force,
//!
//! ```text
//! a = W λ + q,   0 ≤ a_n ⊥ λ_n ≥ 0
//! slipping:  λ_t = −μ_k λ_n s          s: direction of slip
//! else:      |λ_t| ≤ μ_s λ_n, and −a_t along λ_t where that is an equality
//! ```
//!
//! which is the problem of an impact without restitution, with accelerations in place of velocities.

use super::mode::Hold;
use crate::sim::constrained::{Unheld, shortest_solution};
use crate::sim::in_time::SceneInTime;
use crate::sim::inertia::Inertia;
use crate::sim::loads::state_of;
use crate::sim::row::Row;
use crate::sim::spot::Spot;
use crate::sim::state::State;
use crate::solve::friction::{Disk, Found, Friction, Measure};
use nalgebra::{DMatrix, DVector, Vector2, Vector3};
use std::cell::RefCell;

/// What the contacts do next.
pub(super) struct Forces {
    /// For each contact that was asked about: what it does, or nothing if it lets go.
    pub(super) holds: Vec<Option<Hold>>,
}

/// Why there are no forces to go on with: slip has to stop by an impulse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paradox {
    /// No forces satisfy Coulomb's law.
    Inconsistent,
    /// Those that do are so great that rounding decides about them.
    Endless,
}

/// Forces and accelerations below this fraction of the greatest are none.
const NONE: f64 = 1e-9;
/// Contacts accelerate along each other by more than this fraction: ten times what is a solution.
const MOVES: f64 = 1e-7;
/// Friction within this fraction of its limit begins to slip, where something does.
const EAGER: f64 = 1e-6;
/// Relative accelerations below this fraction of those of the bodies are rounding.
const ROUNDING: f64 = 1e-13;
/// Residual of the complementarity problem that is a solution.
const SOLVED: f64 = 1e-8;
/// A contact whose slip leaves less than this fraction of its inverse mass along the normal jams. It is ten times what is a solution,
/// which is measured by the forces, so that no force without bound passes for one.
pub(super) const JAMMED: f64 = 1e-7;

/// Contacts that touch and do not separate, at an instant.
pub(super) struct Question<'a> {
    pub(super) scene: &'a SceneInTime,
    pub(super) inertias: &'a [Inertia],
    pub(super) bodies: &'a [usize],
    pub(super) joints: &'a [usize],
    pub(super) time: f64,
    pub(super) states: &'a [State],
    /// Slip below this speed is none, m/s.
    pub(super) slip: f64,
    /// Of the bodies, m.
    pub(super) size: f64,
    /// Whether a contact was just found to stick no longer.
    pub(super) eager: bool,
    /// A contact whose slip just came to rest.
    pub(super) stopped: Option<Spot>,
    /// Forces to start from, and the last that were found.
    pub(super) guess: &'a RefCell<DVector<f64>>,
}

impl Question<'_> {
    /// What each contact does from now on.
    pub(super) fn answer(&self, spots: &[Spot]) -> Result<Forces, Paradox> {
        let planar = self.scene.is_planar();
        let mut unheld = Unheld::new(self.scene, self.inertias, self.bodies, self.time, self.states);
        let joints: Vec<Row> = self
            .joints
            .iter()
            .flat_map(|joint| {
                let joint = &self.scene.joints[*joint];
                joint.rows(state_of(self.states, joint.a.index()), state_of(self.states, joint.b.index()))
            })
            .collect();
        let before = unheld.acceleration.clone();
        let joint_matrix = unheld.response(&joints, &joints);
        if !joints.is_empty() {
            let hold = shortest_solution(joint_matrix.clone(), &-unheld.rates(&joints));
            unheld.push(&joints, &hold);
        }
        let (mut rows, mut disks, mut slips) = (Vec::new(), Vec::new(), Vec::new());
        for spot in spots {
            let k = spot.at(self.scene, self.states).ok_or(Paradox::Inconsistent)?;
            let frame = Spot::frame(self.scene, &k.normal).ok_or(Paradox::Inconsistent)?;
            let velocity = frame.to_contact(&spot.velocity(self.states, &k));
            let across = Vector2::new(velocity.y, if planar { 0.0 } else { velocity.z });
            let slips_now = across.norm() > self.slip && self.stopped != Some(*spot);
            let start = rows.len();
            rows.push(spot.row(self.states, &k, &k.normal, &k.normal_rate));
            let tangents = match (spot.friction[0] > 0.0, planar) {
                (false, _) => 0,
                (true, true) => 1,
                (true, false) => 2,
            };
            for local in [Vector3::y(), Vector3::z()].iter().take(tangents) {
                rows.push(spot.row(self.states, &k, &frame.to_world(local), &Vector3::zeros()));
            }
            let mut disk = Disk::coulomb(start, 1 + tangents, spot.friction[0]);
            if slips_now && tangents > 0 {
                let direction = across.normalize();
                disk.centre[1] = -direction * spot.friction[1];
                disk.radius = [0.0; 2];
            }
            disks.push(disk);
            slips.push((slips_now, frame, across));
        }
        let mut w = unheld.response(&rows, &rows);
        if !joints.is_empty() {
            let through = unheld.response(&joints, &rows);
            let mut held = DMatrix::zeros(joints.len(), rows.len());
            for (k, column) in through.column_iter().enumerate() {
                held.set_column(k, &shortest_solution(joint_matrix.clone(), &column.into_owned()));
            }
            w -= through.transpose() * held;
        }
        let q = unheld.rates(&rows);
        let (w_size, q_size) = (w.diagonal().amax(), q.amax());
        let holds = |force: &DVector<f64>, rate: &DVector<f64>| {
            let greatest = disks.iter().map(|disk| force[disk.start]).fold(0.0, f64::max);
            disks
                .iter()
                .zip(&slips)
                .zip(spots)
                .map(|((disk, (slips, frame, across)), spot)| {
                    let normal = force[disk.start];
                    if normal <= NONE * greatest {
                        return (rate[disk.start] <= NONE).then_some(Hold::Idle);
                    }
                    let world = |v: Vector2<f64>| frame.to_world(&Vector3::new(0.0, v.x, v.y));
                    if *slips && disk.size > 1 {
                        return Some(Hold::Slip(world(across.normalize())));
                    }
                    let tangential = Vector2::new(
                        if disk.size > 1 { force[disk.start + 1] } else { 0.0 },
                        if disk.size > 2 { force[disk.start + 2] } else { 0.0 },
                    );
                    let tolerance = if self.eager { EAGER } else { NONE };
                    let at_limit = tangential.norm() >= spot.friction[0] * normal * (1.0 - tolerance);
                    let moves = disk.size > 1 && rate.rows(disk.start + 1, disk.size - 1).norm() > MOVES;
                    if disk.size > 1 && at_limit && (moves || self.eager) {
                        // Where slip begins, its acceleration starts from nothing; what opposes it tells the direction.
                        return Some(Hold::Slip(world(-tangential.normalize())));
                    }
                    Some(Hold::Stick)
                })
                .collect::<Vec<_>>()
        };
        let pace = |body: &usize| {
            let (own, joined, spin) =
                (&before[*body], &unheld.acceleration[*body], &self.states[*body].angular_velocity);
            let turning = own.1.norm() + joined.1.norm() + spin.norm_squared();
            own.0.norm() + joined.0.norm() + turning * self.size
        };
        if q_size <= ROUNDING * self.bodies.iter().map(pace).fold(0.0, f64::max) || spots.is_empty() {
            // Nothing presses and nothing separates.
            return Ok(Forces { holds: vec![Some(Hold::Idle); spots.len()] });
        }
        let problem = Friction { w: w / w_size, q: q / q_size, disks: disks.clone(), measure: Measure::Impulses };
        let guess = self.guess.take();
        let found = problem.solve(if guess.len() == rows.len() { guess } else { DVector::zeros(rows.len()) });
        check(&problem, &found, slips.iter().map(|(slips, ..)| *slips))?;
        let rate = &problem.w * &found.x + &problem.q;
        let holds = holds(&found.x, &rate);
        self.guess.replace(found.x);
        Ok(Forces { holds })
    }
}

/// Whether forces were found that satisfy Coulomb's law, and that finite ones do.
fn check(problem: &Friction, found: &Found, slips: impl Iterator<Item = bool>) -> Result<(), Paradox> {
    if found.residual.is_nan() || found.residual > SOLVED {
        return Err(Paradox::Inconsistent);
    }
    // With one contact, q_n + (inverse mass that the slip leaves) λ_n = 0.
    let jams = |disk: &Disk| JAMMED * problem.w[(disk.start, disk.start)] * found.x[disk.start] > 1.0;
    let jammed = problem.disks.iter().zip(slips).any(|(disk, slips)| slips && disk.size > 1 && jams(disk));
    if jammed { Err(Paradox::Endless) } else { Ok(()) }
}
