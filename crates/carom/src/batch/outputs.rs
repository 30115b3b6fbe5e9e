//! Where a batch writes its answers.

use super::Batch;
use crate::audit::{Audit, Finding};
use crate::error::Error;
use crate::outcome::Mode;

/// The outputs that are asked for, each by one slice; components stand one after the other, each with all its rows. Every row is
/// written.
#[derive(Debug, Default)]
pub struct Outputs<'a> {
    /// Impulse on A, kg m/s: n, t in the plane; n, t1, t2 in space.
    pub impulse: Option<&'a mut [f64]>,
    /// Relative velocity after, m/s, in the same order.
    pub velocity_after: Option<&'a mut [f64]>,
    /// Change of the kinetic energy, J.
    pub energy_change: Option<&'a mut [f64]>,
    /// The mode of the contact, by its place in [`MODES`]; [`NO_MODE`] for rows without an answer.
    pub mode: Option<&'a mut [u8]>,
    /// The [`Status`].
    pub status: Option<&'a mut [u8]>,
    /// Kinematic (Newton), kinetic (Poisson), energetic (Stronge) restitution and Ivanov's, each for all rows; NaN where an outcome
    /// does not define one.
    pub restitution: Option<&'a mut [f64]>,
    /// What the audit finds, as a sum of [`AuditFlags`].
    pub audit: Option<&'a mut [u8]>,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// The law gives an impulse.
    Resolved = 0,
    /// The bodies do not approach and no impulse acts.
    Separating = 1,
    /// W is singular and the law has no answer in that limit, or V is not one that it allows.
    Singular = 2,
    /// The law has no answer.
    Refused = 3,
    /// W, V or a parameter is one that no problem can have.
    Invalid = 4,
}

impl Status {
    /// All of them, in the order of their numbers.
    pub const ALL: [Status; 5] =
        [Status::Resolved, Status::Separating, Status::Singular, Status::Refused, Status::Invalid];

    /// The name used in every output.
    pub fn name(self) -> &'static str {
        match self {
            Status::Resolved => "resolved",
            Status::Separating => "separating",
            Status::Singular => "singular",
            Status::Refused => "refused",
            Status::Invalid => "invalid",
        }
    }
}

/// All modes, in the order of their numbers in batches.
pub const MODES: [Mode; 11] = [
    Mode::Separating,
    Mode::Touching,
    Mode::Frictionless,
    Mode::Sliding,
    Mode::Sticking,
    Mode::InsideCone,
    Mode::ReversedSliding,
    Mode::CSticking,
    Mode::RSticking,
    Mode::CReversedSliding,
    Mode::RReversedSliding,
];

/// The mode of a row without an answer.
pub const NO_MODE: u8 = u8::MAX;

/// The number of a mode in batches.
pub(super) const fn code(mode: Mode) -> u8 {
    match mode {
        Mode::Separating => 0,
        Mode::Touching => 1,
        Mode::Frictionless => 2,
        Mode::Sliding => 3,
        Mode::Sticking => 4,
        Mode::InsideCone => 5,
        Mode::ReversedSliding => 6,
        Mode::CSticking => 7,
        Mode::RSticking => 8,
        Mode::CReversedSliding => 9,
        Mode::RReversedSliding => 10,
    }
}

/// What the audit can find.
#[derive(Clone, Copy, Debug)]
pub struct AuditFlags;

impl AuditFlags {
    /// Kinetic energy is created.
    pub const ENERGY: u8 = 1;
    /// The impulse leaves the friction cone.
    pub const FRICTION: u8 = 2;
    /// The bodies go on approaching.
    pub const PENETRATION: u8 = 4;
    /// Numbers are not finite, or do not agree with each other.
    pub const CONSISTENCY: u8 = 8;

    /// The flags of an audit.
    pub(super) fn of(audit: &Audit) -> u8 {
        let [energy, friction, penetration, consistency] = audit.findings().map(|(_, finding)| finding != Finding::Ok);
        u8::from(energy) * AuditFlags::ENERGY
            + u8::from(friction) * AuditFlags::FRICTION
            + u8::from(penetration) * AuditFlags::PENETRATION
            + u8::from(consistency) * AuditFlags::CONSISTENCY
    }
}

/// The outputs of consecutive rows. A slice is empty where an output is not asked for.
#[derive(Default)]
pub(super) struct Chunk<'a> {
    pub(super) from: usize,
    pub(super) rows: usize,
    pub(super) impulse: [&'a mut [f64]; 3],
    pub(super) after: [&'a mut [f64]; 3],
    pub(super) energy_change: &'a mut [f64],
    pub(super) mode: &'a mut [u8],
    pub(super) status: &'a mut [u8],
    pub(super) restitution: [&'a mut [f64]; 4],
    pub(super) audit: &'a mut [u8],
}

impl<'a> Chunk<'a> {
    pub(super) const NUMBERS: usize = 3 + 3 + 1 + 4;
    pub(super) const CODES: usize = 3;

    /// Whether modes or restitutions are asked for, which need more than impulse and velocities.
    pub(super) fn asks_for_details(&self) -> bool {
        !(self.mode.is_empty() && self.restitution[0].is_empty())
    }

    /// All columns of numbers.
    pub(super) fn numbers(&mut self) -> [&mut [f64]; Chunk::NUMBERS] {
        let [p0, p1, p2] = &mut self.impulse;
        let [v0, v1, v2] = &mut self.after;
        let [r0, r1, r2, r3] = &mut self.restitution;
        [p0, p1, p2, v0, v1, v2, self.energy_change, r0, r1, r2, r3]
    }

    /// All columns of codes.
    pub(super) fn codes(&mut self) -> [&mut [u8]; Chunk::CODES] {
        [self.mode, self.status, self.audit]
    }

    /// The outputs of all rows.
    pub(super) fn of(outputs: &'a mut Outputs, batch: &Batch) -> Result<Chunk<'a>, Error> {
        let (rows, components) = (batch.rows, batch.components());
        Ok(Chunk {
            from: 0,
            rows,
            impulse: columns(&mut outputs.impulse, components, rows, "impulse and rows")?,
            after: columns(&mut outputs.velocity_after, components, rows, "velocity_after and rows")?,
            energy_change: column(&mut outputs.energy_change, rows, "energy_change and rows")?,
            mode: column(&mut outputs.mode, rows, "mode and rows")?,
            status: column(&mut outputs.status, rows, "status and rows")?,
            restitution: columns(&mut outputs.restitution, 4, rows, "restitution and rows")?,
            audit: column(&mut outputs.audit, rows, "audit and rows")?,
        })
    }

    /// Splits the first rows off.
    pub(super) fn split_off(&mut self, rows: usize) -> Chunk<'a> {
        let rows = rows.min(self.rows);
        // Outputs that are not asked for have no rows.
        macro_rules! head {
            ($column:expr) => {
                $column.split_off_mut(..rows.min($column.len())).unwrap_or_default()
            };
        }
        let first = Chunk {
            from: self.from,
            rows,
            impulse: self.impulse.each_mut().map(|column| head!(column)),
            after: self.after.each_mut().map(|column| head!(column)),
            energy_change: head!(self.energy_change),
            mode: head!(self.mode),
            status: head!(self.status),
            restitution: self.restitution.each_mut().map(|column| head!(column)),
            audit: head!(self.audit),
        };
        self.from += rows;
        self.rows -= rows;
        first
    }
}

fn column<'a, T>(output: &'a mut Option<&mut [T]>, rows: usize, what: &'static str) -> Result<&'a mut [T], Error> {
    let [column] = columns(output, 1, rows, what)?;
    Ok(column)
}

/// The columns of an output; empty beyond its components.
fn columns<'a, T, const N: usize>(
    output: &'a mut Option<&mut [T]>,
    components: usize,
    rows: usize,
    what: &'static str,
) -> Result<[&'a mut [T]; N], Error> {
    let Some(output) = output else { return Ok(std::array::from_fn(|_| &mut [][..])) };
    if rows.checked_mul(components) != Some(output.len()) {
        return Err(Error::WrongSize { what });
    }
    let mut columns = output.chunks_exact_mut(rows.max(1));
    Ok(std::array::from_fn(|_| columns.next().unwrap_or_default()))
}
