//! One row by the law itself.

use super::derivative::Derivative;
use super::outputs::{AuditFlags, Chunk, NO_MODE, Status, code};
use super::{Batch, BoundBatch, Range, slopes};
use crate::audit::audit_collision;
use crate::collision::Collision;
use crate::error::Error;
use crate::law::{BoundLaw, Inapplicable, Parameter, check_friction};
use crate::outcome::ContactOutcome;
use nalgebra::{Matrix3, Vector3};
use std::borrow::Cow;
use std::fmt;

/// Why a row has no answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unresolved {
    /// W, V or a parameter is one that no problem can have.
    Input(Error),
    /// The law has no answer.
    Law(Inapplicable),
}

impl fmt::Display for Unresolved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unresolved::Input(error) => error.fmt(f),
            Unresolved::Law(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Unresolved {}

/// Why a row has no answer, and the status that it has.
type Refused = (Status, Unresolved);

/// A row that the law has resolved.
struct Resolved {
    collision: Collision,
    outcome: ContactOutcome,
    friction: f64,
}

impl Batch<'_> {
    /// The velocity before, of as many components as the batch has.
    fn velocity(&self, row: usize) -> Vector3<f64> {
        Vector3::from_fn(|k, _| if k < self.components() { self.velocity[k].get(row) } else { 0.0 })
    }

    /// The collision of a row.
    fn collision(&self, row: usize) -> Result<Collision, Error> {
        let [w0, w1, w2, w3, w4, w5] = self.inverse_mass.map(|column| column.get(row));
        let [b0, b1, b2] = self.below.map(|column| column.get(row));
        let v = self.velocity(row);
        if self.dimension.is_planar() {
            Collision::planar([[w0, w1], [b0, w2]], [v.x, v.y])
        } else {
            Collision::new(&Matrix3::new(w0, w1, w2, b0, w3, w4, b1, b2, w5), &v)
        }
    }
}

impl BoundBatch<'_> {
    /// The law with the values of a row.
    pub(super) fn bind_row(&self, row: usize) -> Result<BoundLaw, Error> {
        for (parameter, column) in self.law.parameters.iter().zip(&self.values) {
            if let Some(column) = column {
                self.batch.check_value(parameter, column.get(row))?;
            }
        }
        if let Some(column) = &self.unused_friction {
            check_friction(column.get(row))?;
        }
        self.law.bind_from(|key| {
            let place = self.law.parameters.iter().position(|parameter| parameter.key == key)?;
            self.values[place].map(|column| column.get(row))
        })
    }

    /// The outcome of a row by the law itself, or why it has none; `None` beyond the last row.
    pub fn outcome(&self, row: usize) -> Option<Result<ContactOutcome, Unresolved>> {
        (row < self.batch.rows).then(|| self.resolve_row(row).map(|resolved| resolved.outcome).map_err(|(_, why)| why))
    }

    /// The collision of a row, and the law with its values.
    pub(super) fn pose(&self, row: usize) -> Result<(Collision, Cow<'_, BoundLaw>), Refused> {
        let of_input = |error: Error| {
            let status = match error {
                Error::ImmovableAlongNormal | Error::IncompatibleVelocity { .. } => Status::Singular,
                _ => Status::Invalid,
            };
            (status, Unresolved::Input(error))
        };
        let collision = self.batch.collision(row).map_err(of_input)?;
        let law = match &self.shared {
            Some(law) => Cow::Borrowed(law),
            None => Cow::Owned(self.bind_row(row).map_err(|error| (Status::Invalid, Unresolved::Input(error)))?),
        };
        Ok((collision, law))
    }

    fn resolve_row(&self, row: usize) -> Result<Resolved, Refused> {
        let (collision, law) = self.pose(row)?;
        let outcome = if self.law.rows_at_once() > 1 {
            let mut outcomes = BoundLaw::resolve_rows(self.law, self.batch.dimension, &[(collision, &law)]);
            outcomes.pop().unwrap_or(Err(Inapplicable::NoSolution))
        } else {
            law.resolve_collision(&collision)
        };
        let outcome = outcome.map_err(|why| Self::refused(&collision, why))?;
        self.check_plane(&outcome)?;
        Ok(Resolved { collision, outcome, friction: law.friction(0) })
    }

    fn refused(collision: &Collision, why: Inapplicable) -> Refused {
        (if collision.is_singular() { Status::Singular } else { Status::Refused }, Unresolved::Law(why))
    }

    /// Refuses an answer that leaves the plane of the batch.
    fn check_plane(&self, outcome: &ContactOutcome) -> Result<(), Refused> {
        if self.batch.dimension.is_planar() && outcome.impulse.z != 0.0 {
            let fault = "an impulse that leaves the plane";
            return Err((Status::Refused, Unresolved::Law(Inapplicable::InvalidSolution { fault })));
        }
        Ok(())
    }

    /// Derivatives of a row at the answer of the law itself, as a matrix of zeros where there are none.
    pub(super) fn differentiate_row(
        &self,
        row: usize,
        differentiate: slopes::Differentiate,
        matrix: &mut [f64],
    ) -> Derivative {
        matrix.fill(0.0);
        let Ok((collision, law)) = self.pose(row) else { return Derivative::Unknown };
        let in_range = |(parameter, value): (&Parameter, &f64)| Range::of(parameter).holds(*value);
        if collision.is_singular() || !self.law.parameters.iter().zip(law.values(0)).all(in_range) {
            return Derivative::Unknown;
        }
        match law.resolve_collision(&collision) {
            Ok(outcome) => differentiate(&collision, law.values(0), &outcome, matrix),
            Err(_) => Derivative::Unknown,
        }
    }

    /// The flags of the audit of a kernel's answer.
    pub(super) fn audit_answer(&self, row: usize, impulse: &Vector3<f64>, after: &Vector3<f64>) -> u8 {
        let Ok(collision) = self.batch.collision(row) else { return AuditFlags::CONSISTENCY };
        let friction =
            self.friction.and_then(|place| self.values[place].as_ref()).map_or(0.0, |column| column.get(row));
        let outcome = ContactOutcome { velocity_after: *after, ..ContactOutcome::jump(&collision, *impulse, friction) };
        AuditFlags::of(&audit_collision(&collision, &outcome, friction))
    }

    /// Writes a row of a chunk by the law itself.
    pub(super) fn write_row(&self, chunk: &mut Chunk, place: usize) {
        self.write_answer(chunk, place, &self.resolve_row(chunk.from + place));
    }

    /// Writes rows of a chunk by a law that takes several at once.
    pub(super) fn write_rows(&self, chunk: &mut Chunk, places: std::ops::Range<usize>) {
        let mut posed = Vec::with_capacity(places.len());
        for place in places {
            match self.pose(chunk.from + place) {
                Ok((collision, law)) => posed.push((place, collision, law)),
                Err(refused) => self.write_answer(chunk, place, &Err(refused)),
            }
        }
        let rows: Vec<(Collision, &BoundLaw)> = posed.iter().map(|(_, collision, law)| (*collision, &**law)).collect();
        let outcomes = BoundLaw::resolve_rows(self.law, self.batch.dimension, &rows);
        for ((place, collision, law), outcome) in posed.iter().zip(outcomes) {
            let answer = outcome.map_err(|why| Self::refused(collision, why)).and_then(|outcome| {
                self.check_plane(&outcome)?;
                Ok(Resolved { collision: *collision, outcome, friction: law.friction(0) })
            });
            self.write_answer(chunk, *place, &answer);
        }
    }

    fn write_answer(&self, chunk: &mut Chunk, place: usize, answer: &Result<Resolved, Refused>) {
        let components = self.batch.components();
        let mut write = |impulse: &Vector3<f64>, after: &Vector3<f64>, status: Status| {
            for k in 0..components {
                set(chunk.impulse[k], place, || impulse[k]);
                set(chunk.after[k], place, || after[k]);
            }
            set(chunk.status, place, || status as u8);
        };
        match answer {
            Ok(Resolved { collision, outcome, friction }) => {
                // A contact that slips without approaching may jam.
                let acts = collision.is_approaching() || outcome.impulse != Vector3::zeros();
                let status = if acts { Status::Resolved } else { Status::Separating };
                write(&outcome.impulse, &outcome.velocity_after, status);
                set(chunk.energy_change, place, || collision.energy_change(&outcome.impulse));
                set(chunk.mode, place, || code(outcome.mode));
                set(chunk.audit, place, || AuditFlags::of(&audit_collision(collision, outcome, *friction)));
                let restitution = outcome.restitution(collision);
                let of = [restitution.newton, restitution.poisson, restitution.stronge, restitution.ivanov];
                for (column, value) in chunk.restitution.iter_mut().zip(of) {
                    set(column, place, || value.unwrap_or(f64::NAN));
                }
            }
            Err((status, _)) => {
                let before = self.batch.velocity(chunk.from + place).map(|v| if v.is_finite() { v } else { 0.0 });
                write(&Vector3::zeros(), &before, *status);
                set(chunk.energy_change, place, || 0.0);
                set(chunk.mode, place, || NO_MODE);
                set(chunk.audit, place, || 0);
                for column in &mut chunk.restitution {
                    set(column, place, || f64::NAN);
                }
            }
        }
    }
}

/// Writes a number of an output that is asked for.
pub(super) fn set<T>(column: &mut [T], place: usize, value: impl FnOnce() -> T) {
    if let Some(slot) = column.get_mut(place) {
        *slot = value();
    }
}
