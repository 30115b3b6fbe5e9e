//! What laws answer, as columns.

use super::output::Output;
use carom::batch::{NO_MODE, Outputs, Status};

/// The answers to some rows; vectors component by component.
#[derive(Debug, Default)]
pub(super) struct Answers {
    pub(super) impulse: Vec<f64>,
    pub(super) velocity_after: Vec<f64>,
    pub(super) before: Vec<Vec<f64>>,
    pub(super) energy_change: Vec<f64>,
    pub(super) restitution: Vec<f64>,
    pub(super) mode: Vec<u8>,
    pub(super) audit: Vec<u8>,
    pub(super) status: Vec<u8>,
    /// Status, place and reason of the first row with that status.
    pub(super) reasons: Vec<(Status, usize, String)>,
}

impl Answers {
    pub(super) fn resize(&mut self, rows: usize, components: usize) {
        for column in [&mut self.impulse, &mut self.velocity_after] {
            column.resize(components * rows, 0.0);
        }
        self.energy_change.resize(rows, 0.0);
        self.restitution.resize(4 * rows, 0.0);
        for column in [&mut self.mode, &mut self.audit, &mut self.status] {
            column.resize(rows, 0);
        }
    }

    /// Those that are asked for.
    pub(super) fn outputs(&mut self, asked: &[Vec<Output>]) -> Outputs<'_> {
        let any = |is: fn(&Output) -> bool| asked.iter().flatten().any(is);
        Outputs {
            impulse: any(|o| matches!(o, Output::Impulse(_))).then_some(&mut self.impulse[..]),
            velocity_after: any(|o| matches!(o, Output::VelocityAfter(_))).then_some(&mut self.velocity_after[..]),
            energy_change: any(|o| *o == Output::EnergyChange).then_some(&mut self.energy_change[..]),
            mode: any(|o| *o == Output::Mode).then_some(&mut self.mode[..]),
            status: Some(&mut self.status[..]),
            restitution: any(|o| matches!(o, Output::Restitution(_))).then_some(&mut self.restitution[..]),
            audit: any(|o| *o == Output::Audit).then_some(&mut self.audit[..]),
        }
    }

    /// Calls all rows invalid.
    pub(super) fn refuse(&mut self, reason: &str) {
        self.status.fill(Status::Invalid as u8);
        self.mode.fill(NO_MODE);
        self.reasons = vec![(Status::Invalid, 0, reason.to_owned())];
    }
}
